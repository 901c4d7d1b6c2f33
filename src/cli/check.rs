//! `soffio check`: what is wrong in PDN files.

use super::games::{Place, Problem, Rulebook, Start, Walker, set_up, walk};
use super::{Common, Failure, input};
use crate::engine::Session;
use crate::error::excerpt;
use crate::notation::pdn::game_type;
use crate::notation::pdn::{self, Outcome, ROSTER, Reader, What};
use crate::referee::Verdict;
use crate::rules;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::io::Write;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// PDN files; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Only problems of these kinds
    #[arg(long, value_enum, value_name = "KIND,KIND...", value_delimiter = ',')]
    only: Vec<Kind>,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Text that is not PDN, or not quite
    Syntax,
    /// A position that cannot be set up
    Fen,
    /// A move that is not legal, or means several
    Move,
    /// A result that is missing, or contradicts its tag or the rules
    Result,
    /// A game that goes on after its end by the rules
    End,
    /// Tags that are missing, twice there or without meaning
    Tags,
    /// A GameType that is missing, unknown or not that of -v
    GameType,
}

/// Counts of what has been read.
#[derive(Default)]
struct Totals {
    games: usize,
    plies: usize,
    problems: usize,
    faulty: usize,
}

pub(super) fn run(common: &Common<'_>, args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut rulebook = Rulebook::new(common)?;
    let mut totals = Totals::default();
    for file in &args.files {
        let (name, source) = input::open(file)?;
        for (number, found) in (1..).zip(Reader::new(source)) {
            let mut problems = match found {
                Ok(mut game) => check(&mut rulebook, &mut game, &mut totals.plies),
                Err(fault) => vec![of_fault(&fault)],
            };
            problems.retain(|(kind, _)| args.only.is_empty() || args.only.contains(kind));
            problems.sort_by_key(|(_, problem)| (problem.place.line, problem.place.column));
            totals.games += 1;
            totals.problems += problems.len();
            totals.faulty += usize::from(!problems.is_empty());
            for (kind, problem) in problems {
                report(common.json, (&name, number), kind, &problem, out)?;
            }
        }
    }
    let Totals { games, plies, problems, faulty } = totals;
    let files = args.files.len();
    if common.json {
        let summary =
            json!({ "files": files, "games": games, "plies": plies, "problems": problems, "faulty": faulty });
        writeln!(out, "{summary}")?;
    } else {
        let counted =
            |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        let [files, games] = [counted(files, "file"), counted(games, "game")];
        let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        writeln!(out, "{files}, {games}, {plies}: {}, in {faulty} of them", counted(problems, "problem"))?;
    }
    out.flush()?;
    if problems == 0 { Ok(()) } else { Err(Failure::Negative) }
}

fn report(
    json: bool,
    (file, game): (&str, usize),
    kind: Kind,
    problem: &Problem,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if !json {
        return Ok(writeln!(out, "{}", problem.line(file, game))?);
    }
    let Place { line, column } = problem.place;
    let kind = kind.to_possible_value().map(|value| value.get_name().to_owned());
    let object = json!({ "file": file, "line": line, "column": column, "game": game, "kind": kind,
        "what": problem.what });
    Ok(writeln!(out, "{object}")?)
}

type Found = (Kind, Problem);

/// A fault of the reader.
fn of_fault(fault: &pdn::Fault) -> Found {
    let kind = match fault.what {
        What::NoResult | What::Results { .. } => Kind::Result,
        _ => Kind::Syntax,
    };
    (kind, Problem::new(Place { line: fault.line, column: fault.column }, &fault.what))
}

/// All problems of a game.
fn check(rulebook: &mut Rulebook, game: &mut pdn::Game, plies: &mut usize) -> Vec<Found> {
    let mut found: Vec<_> = game.notes.iter().map(of_fault).collect();
    let place = Place::line(game.line);
    let mut add = |kind, what: String| found.push((kind, Problem::new(place, what)));
    tags(game, &mut add);
    game_type(game, rulebook.chosen(), &mut add);
    match rulebook.table(game, None) {
        // Said already.
        Err(_) => {}
        Ok(table) => {
            if let Err(problem) = set_up(table.session, game, Start::Tags) {
                found.push((Kind::Fen, problem));
                return found;
            }
            let mut judge = Judge { end: table.session.verdict(), place, ..Judge::default() };
            let outcome = game.outcome();
            let walked = walk(table.session, table.side, &mut game.items, &mut judge);
            *plies += judge.plies;
            found.append(&mut judge.found);
            match walked {
                Err(problem) => found.push((Kind::Move, problem)),
                Ok(()) => found.extend(judge.result(outcome)),
            }
        }
    }
    found
}

/// Follows a game.
struct Judge {
    found: Vec<Found>,
    plies: usize,
    /// How it has ended, at the last position.
    end: Option<Verdict>,
    /// Whether it has gone on after an end.
    went_on: bool,
    /// The last move.
    place: Place,
}

impl Default for Judge {
    fn default() -> Self {
        Self { found: Vec::new(), plies: 0, end: None, went_on: false, place: Place::line(1) }
    }
}

impl Judge {
    fn add(&mut self, kind: Kind, place: Place, what: String) {
        self.found.push((kind, Problem::new(place, what)));
    }

    /// Whether the result contradicts the end.
    fn result(&self, outcome: Outcome) -> Option<Found> {
        let end = self.end.filter(|_| !self.went_on)?;
        let same = Outcome::of(end.result()) == Some(outcome);
        let what = || {
            let (text, end_text, reason) = (outcome.text(false), end.result(), end.reason);
            format!("the result is '{text}', but by the rules the game ends {end_text} ({reason})")
        };
        (!same).then(|| (Kind::Result, Problem::new(self.place, what())))
    }
}

impl Walker for Judge {
    fn before(&mut self, _: &dyn Session, place: Place, split: bool) {
        if let (Some(end), false) = (self.end, self.went_on) {
            let (result, reason) = (end.result(), end.reason);
            let what = format!("by the rules the game was over before this move: {result} ({reason})");
            self.add(Kind::End, place, what);
            self.went_on = true;
        }
        if split {
            self.add(Kind::Move, place, "a capture is written as several moves".to_owned());
        }
        self.place = place;
        self.plies += 1;
    }

    fn reached(&mut self, session: &dyn Session) {
        self.end = session.verdict();
    }

    fn side_fault(&mut self, problem: Problem) {
        self.found.push((Kind::Move, problem));
    }
}

/// Tags that are missing, there twice or without meaning.
fn tags(game: &pdn::Game, add: &mut impl FnMut(Kind, String)) {
    let missing: Vec<_> =
        ROSTER.iter().map(|(name, _)| *name).filter(|name| game.tag(name).is_none()).collect();
    match missing[..] {
        [] => {}
        [name] => add(Kind::Tags, format!("no tag {name}")),
        _ => add(Kind::Tags, format!("no tags {}", missing.join(", "))),
    }
    for (at, (name, _)) in game.tags.iter().enumerate() {
        let earlier = game.tags.iter().take(at).filter(|(other, _)| other.eq_ignore_ascii_case(name)).count();
        if earlier == 1 {
            add(Kind::Tags, format!("tag {} stands there more than once", excerpt(name)));
        }
    }
    if let Some(text) = game.tag("Result").filter(|text| Outcome::of(text).is_none()) {
        add(Kind::Tags, format!("Result '{}' is no result", excerpt(text)));
    }
    if let Some(text) = game.tag("Date").filter(|text| !is_date(text)) {
        add(Kind::Tags, format!("Date '{}' is not YYYY.MM.DD, with ? where it is not known", excerpt(text)));
    }
    match (game.tag("SetUp").map(str::trim), game.fen()) {
        (Some("1"), None) => add(Kind::Tags, "SetUp '1' without a FEN".to_owned()),
        (Some("0"), Some(_)) => add(Kind::Tags, "SetUp '0' with a FEN".to_owned()),
        _ => {}
    }
}

/// Whether a text is a date as PDN writes it.
fn is_date(text: &str) -> bool {
    let part = |text: &str, digits: usize, most: u32| {
        let unknown = text.bytes().all(|byte| byte == b'?');
        let known = text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|number: u32| (1..=most).contains(&number));
        text.len() == digits
            && (unknown || known || digits == 4 && text.bytes().all(|b| b == b'?' || b.is_ascii_digit()))
    };
    let parts: Vec<_> = text.split('.').collect();
    matches!(parts[..], [year, month, day] if part(year, 4, 9999) && part(month, 2, 12) && part(day, 2, 31))
}

/// A GameType that is missing, unknown, or of other rules than `chosen`.
fn game_type(game: &pdn::Game, chosen: Option<&rules::Game>, add: &mut impl FnMut(Kind, String)) {
    let variant = game.tag("Variant").filter(|text| !text.trim().is_empty());
    let named = game.named_game();
    match (game.tag("GameType"), variant, &named) {
        (None, None, _) => add(Kind::GameType, "no GameType".to_owned()),
        (None, Some(text), None) => {
            add(Kind::GameType, format!("Variant '{}' is not known here", excerpt(text)));
        }
        (Some(text), _, None) => {
            add(Kind::GameType, format!("GameType '{}' is not known here", excerpt(text)))
        }
        (tag, _, Some(named)) => {
            let name = if tag.is_some() { "GameType" } else { "Variant" };
            let text = excerpt(tag.or(variant).unwrap_or_default());
            let other = chosen.filter(|chosen| chosen.set.id != named.set.id);
            if let Some(chosen) = other {
                add(Kind::GameType, format!("{name} '{text}' is {}, not {}", named.set.id, chosen.set.id));
            }
            let stated = tag.and_then(game_type::first).filter(|side| *side != named.first);
            if let Some(side) = stated.filter(|_| tag.is_some_and(|text| text.contains(','))) {
                let (side, id) = (side.name(), named.set.id);
                add(
                    Kind::GameType,
                    format!("GameType '{text}' says that {side} moves first, which no rule of {id} has"),
                );
            }
        }
    }
}
