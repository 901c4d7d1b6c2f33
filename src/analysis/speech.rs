//! Records in the words of people: moves as PDN writes them.

use super::record::Record;
use super::source::{Unit, session_for};
use crate::engine::{Notation, Session};

/// Somebody who follows a game from record to record.
#[derive(Default)]
pub(super) struct Speaker {
    session: Option<Box<dyn Session>>,
}

/// A record in words.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// The move of the game.
    pub played: Option<String>,
    /// The line of best play, as long as it is understood.
    pub pv: Vec<String>,
}

impl Speaker {
    /// Goes to the beginning of a game.
    pub fn begin(&mut self, unit: &Unit) {
        let mut session = session_for(&unit.rules, &mut self.session);
        self.session = unit.line.reach(session.as_mut(), 0).is_ok().then_some(session);
    }

    /// Says the record of the position at hand and goes on to the next.
    pub fn say(&mut self, unit: &Unit, record: &Record) -> Spoken {
        let Some(session) = self.session.as_deref_mut() else { return Spoken::default() };
        if session.fen() != record.fen && unit.line.reach(session, record.ply).is_err() {
            return Spoken::default();
        }
        let pv = line(session, &record.pv);
        let spoken = |text: &String| session.translate(text, Notation::HUB, Notation::Pdn).ok();
        let played = record.played.as_ref().and_then(spoken);
        let _ = unit.line.step(session, record.ply + 1);
        Spoken { played, pv }
    }

    /// The position at hand.
    pub fn session(&self) -> Option<&dyn Session> {
        self.session.as_deref()
    }
}

/// A line of moves from the position at hand, which stays.
fn line(session: &mut dyn Session, moves: &[String]) -> Vec<String> {
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves {
        let Ok(text) = session.translate(mv, Notation::HUB, Notation::Pdn) else { break };
        if session.play(mv, Notation::HUB).is_err() {
            break;
        }
        texts.push(text);
    }
    for _ in &texts {
        session.undo();
    }
    texts
}
