//! Records as text, a line each.

use super::record::Record;
use super::run::Event;
use super::source::Unit;
use super::speech::Speaker;
use crate::board::Side;
use std::io::{self, Write};

/// Moves of a best line that are written.
const LINE: usize = 8;

/// The writer of text.
#[derive(Default)]
pub(super) struct Text {
    speaker: Speaker,
}

impl Text {
    pub fn hear(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Begin(unit) => {
                self.speaker.begin(unit);
                match title(unit) {
                    Some(title) => writeln!(out, "game {}: {title}", unit.number),
                    None => Ok(()),
                }
            }
            Event::Record(unit, record) => {
                let move_number =
                    self.speaker.session().map(|session| number(unit, record.ply, session.turn()));
                let spoken = self.speaker.say(unit, record);
                let head = match (&spoken.played, move_number) {
                    (Some(played), Some(number)) => {
                        let mark = record.mark.as_deref().unwrap_or("");
                        format!("{:<16}", format!("{number} {played}{mark}"))
                    }
                    _ => format!("{} {}", record.game, record.fen),
                };
                let pv: Vec<_> = spoken.pv.iter().take(LINE).map(String::as_str).collect();
                let best = if pv.is_empty() { "no legal move".to_owned() } else { pv.join(" ") };
                writeln!(out, "{head}  {:>7.2}/{:<2}  {best}", record.score, record.depth)
            }
            Event::Fault(_) | Event::End(_) => Ok(()),
        }
    }
}

/// The number before a move, `12.` or, of the second mover, `12...`.
pub(super) fn number(unit: &Unit, ply: usize, turn: Side) -> String {
    // A game that begins with the second mover has its first ply alone.
    let first = unit.rules.first;
    let second_begins = (turn == first) != (ply % 2 == 0);
    let number = (ply + usize::from(second_begins)) / 2 + 1;
    if turn == first { format!("{number}.") } else { format!("{number}...") }
}

/// Who plays a game and how it ended; `None` for a position alone.
pub(super) fn title(unit: &Unit) -> Option<String> {
    let game = unit.game.as_deref()?;
    let tag = |name: &&str| game.tag(name).filter(|value| !value.is_empty() && *value != "?");
    let known = |names: &[&str]| names.iter().find_map(tag).unwrap_or("?").to_owned();
    let players = format!("{} - {}", known(&["White", "Bianco"]), known(&["Black", "Nero"]));
    let event = known(&["Event", "Dati"]);
    let event = if event == "?" { String::new() } else { format!(", {event}") };
    Some(format!("{players} {}{event}", game.outcome().text(false)))
}

/// A score with its sign, in men, of a record.
pub(super) fn signed(record: &Record) -> String {
    format!("{:+.2}", record.score)
}
