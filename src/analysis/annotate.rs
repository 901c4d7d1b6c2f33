//! Games with what is found of them: marks, scores and best lines.

use super::judge::Mark;
use super::record::Record;
use super::run::Event;
use super::source::Unit;
use super::speech::{Speaker, Spoken};
use super::text::signed;
use crate::notation::pdn::{self, Game, Item, Move};
use std::io::{self, Write};

/// Moves of a best line that are written.
const LINE: usize = 10;

/// The writer of annotated PDN. After each move stands `{SCORE/DEPTH}`, the score of the position before it, in men from the
/// side that moves; a move with a mark gets its glyph and the best line as a variation. What the file had stays.
#[derive(Default)]
pub(super) struct Annotated {
    speaker: Speaker,
    /// What is found of the moves of the game at hand.
    found: Vec<(Record, Spoken)>,
}

impl Annotated {
    pub fn hear(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Begin(unit) => {
                self.speaker.begin(unit);
                self.found.clear();
            }
            Event::Record(unit, record) => {
                let spoken = self.speaker.say(unit, record);
                self.found.push(((*record).clone(), spoken));
            }
            Event::End(unit) => {
                let game = match &unit.game {
                    Some(game) => annotated(unit, game, &self.found),
                    None => position(unit, &self.found),
                };
                out.write_all(pdn::write(&game).as_bytes())?;
            }
            Event::Fault(_) => {}
        }
        Ok(())
    }
}

fn annotated(unit: &Unit, game: &Game, found: &[(Record, Spoken)]) -> Game {
    let mut game = game.clone();
    if game.rule_set().is_none() {
        game.set_game(&unit.rules);
    }
    let mut found = found.iter();
    let mut items = Vec::with_capacity(game.items.len() * 2);
    for item in std::mem::take(&mut game.items) {
        let Item::Move(mut mv) = item else {
            items.push(item);
            continue;
        };
        // A move that could not be played stays as it is, and so do those behind it.
        let Some((record, spoken)) = found.next() else {
            items.push(Item::Move(mv));
            continue;
        };
        let mark =
            record.mark.as_deref().and_then(|text| Mark::ALL.into_iter().find(|mark| mark.text() == text));
        if let Some(mark) = mark.filter(|mark| !mv.nags.contains(&mark.nag())) {
            mv.nags.push(mark.nag());
        }
        items.push(Item::Move(mv));
        items.push(Item::Comment(format!("{}/{}", signed(record), record.depth)));
        if mark.is_some() && !spoken.pv.is_empty() {
            items.push(Item::Variation(line(&spoken.pv)));
        }
    }
    game.items = items;
    game
}

/// A position as a game without moves: its best line is a comment and a variation.
fn position(unit: &Unit, found: &[(Record, Spoken)]) -> Game {
    let mut game = Game::of(&unit.rules);
    for (record, spoken) in found {
        game.set_tag("Event", &format!("Position {}", unit.number));
        game.set_fen(&unit.rules, &record.fen);
        game.items.push(Item::Comment(format!("{}/{}", signed(record), record.depth)));
        game.items.extend(line(&spoken.pv));
    }
    game
}

fn line(moves: &[String]) -> Vec<Item> {
    let item = |text: &String| Item::Move(Move { text: text.clone(), ..Move::default() });
    moves.iter().take(LINE).map(item).collect()
}
