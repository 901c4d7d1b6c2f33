//! What the commands about files of games share: which rules a game is played by, playing it through, and problems with
//! their places.

use super::{Common, Failure};
use crate::engine::{self, Notation, PositionError, Session};
use crate::error::excerpt;
use crate::notation::pdn::{self, Item, Move};
use crate::notation::{FenError, HubError, HubNumbering};
use crate::rules;

/// Where something is in a file: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// The beginning of a line.
    pub(super) const fn line(line: usize) -> Self {
        Self { line, column: 1 }
    }

    pub(super) const fn of(mv: &Move) -> Self {
        Self { line: mv.line, column: mv.column }
    }
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub place: Place,
    pub what: String,
}

impl Problem {
    pub(super) fn new(place: Place, what: impl ToString) -> Self {
        Self { place, what: what.to_string() }
    }

    /// A position that is refused; `place` is where its text begins, if the text stands there by itself.
    fn position(place: Place, error: &PositionError) -> Self {
        let within = match error {
            PositionError::Fen(FenError::Syntax { column, .. } | FenError::Refused { column, .. })
            | PositionError::Hub(HubError::Letter { column, .. }) => *column,
            _ => 1,
        };
        Self::new(Place { column: place.column + within.saturating_sub(1), ..place }, error)
    }

    /// As the commands print it, for scripts and editors.
    pub(super) fn line(&self, file: &str, game: usize) -> String {
        let Place { line, column } = self.place;
        format!("{file}:{line}:{column}: game {game}: {}", self.what)
    }
}

/// The rules by which the games of files are played: those of `-v`, else what a game's tags name, else those of
/// SOFFIO_VARIANT, else italian.
pub(super) struct Rulebook {
    chosen: bool,
    fallback: rules::Game,
    /// A session for each game met; two, as side lines need one.
    open: Vec<[Box<dyn Session>; 2]>,
}

/// The sessions of a game, and whether anybody has said that it is this one.
pub(super) struct Table<'a> {
    pub session: &'a mut dyn Session,
    pub side: &'a mut dyn Session,
    pub stated: bool,
}

impl Rulebook {
    pub(super) fn new(common: &Common<'_>) -> Result<Self, Failure> {
        if let (None, Some(rule)) = (common.variant, common.rules.first()) {
            return Err(Failure::Usage(format!("--rule {rule} needs a variant here: add -v ID")));
        }
        Ok(Self { chosen: common.variant.is_some(), fallback: common.game()?, open: Vec::new() })
    }

    /// The rules of `-v`, if it stands there.
    pub(super) fn chosen(&self) -> Option<&rules::Game> {
        Some(&self.fallback).filter(|_| self.chosen)
    }

    /// The table for a game: `known` is what its source says besides tags.
    ///
    /// # Errors
    /// Its tags name rules that are not known here.
    pub(super) fn table(
        &mut self,
        game: &pdn::Game,
        known: Option<&rules::Game>,
    ) -> Result<Table<'_>, String> {
        let (rules, stated) = match (self.chosen, known, game.named_game()) {
            (true, _, _) => (self.fallback.clone(), true),
            (_, Some(known), _) => (known.clone(), true),
            (_, _, Some(named)) => (named, true),
            _ => match ["GameType", "Variant"].into_iter().find_map(|name| Some((name, game.tag(name)?))) {
                Some((name, text)) if !text.trim().is_empty() => {
                    let text = excerpt(text);
                    return Err(format!("{name} '{text}' names no rule set known here: name one by -v"));
                }
                _ => (self.fallback.clone(), false),
            },
        };
        let same = |session: &dyn Session| {
            session.game().set.id == rules.set.id && session.game().chosen == rules.chosen
        };
        let at = self.open.iter().position(|[session, _]| same(session.as_ref())).unwrap_or_else(|| {
            self.open.push([engine::open(rules.clone()), engine::open(rules)]);
            self.open.len() - 1
        });
        match self.open.get_mut(at) {
            Some([session, side]) => Ok(Table { session: session.as_mut(), side: side.as_mut(), stated }),
            None => Err("no session".to_owned()),
        }
    }
}

/// Where a game begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// At the start position, or where its FEN tag says.
    Tags,
    /// At a FEN that stands at this place.
    Fen(&'a str, Place),
    /// At a Hub string that stands at this place.
    Hub(&'a str, Place),
}

/// Goes to the position that a game starts from.
pub(super) fn set_up(session: &mut dyn Session, game: &pdn::Game, start: Start<'_>) -> Result<(), Problem> {
    match start {
        Start::Fen(fen, place) => session.set_fen(fen).map_err(|error| Problem::position(place, &error)),
        Start::Hub(text, place) => session
            .set_hub(text, "", HubNumbering::Standard)
            .map_err(|error| Problem::position(place, &error)),
        Start::Tags => match game.fen() {
            Some(fen) => session.set_fen(fen).map_err(|error| Problem::new(Place::line(game.line), error)),
            None => {
                session.set_start();
                Ok(())
            }
        },
    }
}

/// What is met on the way through a game.
pub(super) trait Walker {
    /// A move of the main line, as the standard spells it, is about to be played; `split` if the file has it in parts.
    fn before(&mut self, _session: &dyn Session, _place: Place, _split: bool) {}
    /// A position has been reached, by a move or by being set up.
    fn reached(&mut self, _session: &dyn Session) {}
    /// A move of a side line means nothing where it stands.
    fn side_fault(&mut self, _problem: Problem) {}
}

/// Plays the game through from the position of `session`, and writes its moves as the standard spells them; those of side
/// lines too, as far as they are legal. A capture that is written as several moves (`22x15 15x8`), as one site does,
/// becomes one where the parts are not legal and the whole is.
///
/// # Errors
/// The first move of the main line that cannot be played, or position set up in it; what follows stays as it was.
pub(super) fn walk(
    session: &mut dyn Session,
    side: &mut dyn Session,
    items: &mut Vec<Item>,
    walker: &mut dyn Walker,
) -> Result<(), Problem> {
    let mut before = None;
    let mut at = 0;
    while at < items.len() {
        match items.get(at) {
            Some(Item::Move(mv)) => {
                let place = Place::of(mv);
                before = play(session, items, at, &mut |session, split| walker.before(session, place, split))
                    .map_err(|error| Problem::new(place, error))?;
                walker.reached(session);
            }
            Some(Item::Setup(fen)) => {
                let place = last_place(items, at);
                session.set_fen(fen).map_err(|error| Problem::new(place, error))?;
                before = None;
                walker.reached(session);
            }
            Some(Item::Variation(_)) => {
                let after = session.fen();
                if let Some(Item::Variation(line)) = items.get_mut(at) {
                    side_line(side, line, before.as_deref(), &after, walker);
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Plays the move at a place and spells it. `about` hears of the position before it, and whether it is written in parts.
/// Gives that position if a side line follows, which begins there.
fn play(
    session: &mut dyn Session,
    items: &mut Vec<Item>,
    at: usize,
    about: &mut dyn FnMut(&dyn Session, bool),
) -> Result<Option<String>, String> {
    let (text, parts) = spell(session, items.get(at..).unwrap_or_default())?;
    let here = side_lines_follow(items, at).then(|| session.fen());
    about(session, parts > 1);
    session.play(&text, Notation::Pdn).map_err(|error| error.to_string())?;
    join(items, at, parts, text);
    Ok(here)
}

/// The text of the move that `items` begin with, and how many of their moves it takes.
fn spell(session: &dyn Session, items: &[Item]) -> Result<(String, usize), String> {
    /// Most parts of a capture.
    const MOST_PARTS: usize = 24;
    let mut moves = items.iter().filter_map(|item| match item {
        Item::Move(mv) => Some(mv.text.as_str()),
        _ => None,
    });
    let first = moves.next().unwrap_or_default();
    let pdn = |text: &str| session.translate(text, Notation::Pdn, Notation::Pdn);
    let error = match pdn(first) {
        Ok(text) => return Ok((text, 1)),
        Err(error) => error,
    };
    let mut whole = first.to_owned();
    for (parts, next) in (2..=MOST_PARTS).zip(moves) {
        let last = whole.rsplit(['x', ':']).next().unwrap_or_default();
        match next.split_once(['x', ':']) {
            Some((from, to)) if from == last && whole.contains(['x', ':']) => whole = format!("{whole}x{to}"),
            _ => break,
        }
        if let Ok(text) = pdn(&whole) {
            return Ok((text, parts));
        }
    }
    Err(error.to_string())
}

/// Puts the text of a move in the place of its parts; what stands between them stays, behind it.
fn join(items: &mut Vec<Item>, at: usize, parts: usize, text: String) {
    if let Some(Item::Move(mv)) = items.get_mut(at) {
        mv.text = text;
    }
    let mut left = parts.saturating_sub(1);
    let mut next = at + 1;
    while left > 0 && next < items.len() {
        if matches!(items.get(next), Some(Item::Move(_))) {
            items.remove(next);
            left -= 1;
        } else {
            next += 1;
        }
    }
}

/// Whether a side line stands before the next move.
fn side_lines_follow(items: &[Item], at: usize) -> bool {
    let behind = items.iter().skip(at + 1);
    behind.take_while(|item| !matches!(item, Item::Move(_))).any(|item| matches!(item, Item::Variation(_)))
}

/// The place of the last move before an item.
fn last_place(items: &[Item], at: usize) -> Place {
    let moves = items.iter().take(at).rev().find_map(|item| match item {
        Item::Move(mv) => Some(Place::of(mv)),
        _ => None,
    });
    moves.unwrap_or(Place::line(1))
}

/// A side line: it replaces the move before it, and if it cannot, it follows it.
fn side_line(
    session: &mut dyn Session,
    items: &mut Vec<Item>,
    before: Option<&str>,
    after: &str,
    walker: &mut dyn Walker,
) {
    for fen in [before, Some(after)].into_iter().flatten() {
        if session.set_fen(fen).is_ok() && spell(session, items).is_ok() {
            break;
        }
    }
    let mut before = None;
    let mut at = 0;
    while at < items.len() {
        match items.get(at) {
            Some(Item::Move(mv)) => {
                let place = Place::of(mv);
                match play(session, items, at, &mut |_, _| {}) {
                    Ok(here) => before = here,
                    Err(error) => {
                        return walker.side_fault(Problem::new(place, error + ", in a variation"));
                    }
                }
            }
            Some(Item::Setup(fen)) => {
                if let Err(error) = session.set_fen(fen) {
                    return walker.side_fault(Problem::new(last_place(items, at), error));
                }
            }
            Some(Item::Variation(_)) => {
                let here = session.fen();
                if let Some(Item::Variation(line)) = items.get_mut(at) {
                    side_line(session, line, before.as_deref(), &here, walker);
                }
                if session.set_fen(&here).is_err() {
                    return;
                }
            }
            _ => {}
        }
        at += 1;
    }
}
