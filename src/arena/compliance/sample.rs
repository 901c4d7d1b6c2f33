//! Positions to try, from random games of the variant: the same for every engine.

use crate::board::Side;
use crate::engine::{self, Notation, Session};
use crate::notation::HubNumbering;
use crate::position::Kind;
use crate::referee::Reason;
use crate::rng::Rng;
use crate::rules::Game;

/// Random games.
const WALKS: usize = 60;
/// Longest random game, in plies.
const PLIES: usize = 160;
/// Most positions from one game.
const A_WALK: usize = 3;
/// How many positions are wanted of each [`Class`].
const WANTED: [usize; 4] = [10, 10, 8, 10];
/// How many are wanted in all, at least.
const PLACES: usize = 32;
const SEED: u64 = 0x0050_ff10;

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The moves from the start.
    pub moves: Vec<String>,
    /// As a Hub string, without what went before.
    pub hub: String,
    /// The legal moves with what went before.
    pub legal: Vec<String>,
    /// The legal moves of the position alone, which are more where king moves are limited.
    pub legal_alone: Vec<String>,
}

/// A position one move before the end of the game.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    /// The position.
    pub place: Place,
    /// Whether there is a move that wins; else every move loses.
    pub wins: bool,
}

/// What is to be had from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    LongCapture,
    Capture,
    Kings,
    Other,
}

/// Positions for several uses. Each kind may be missing: not every game has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Positions with moves, of all kinds.
    pub places: Vec<Place>,
    /// Positions with a single legal move.
    pub single: Vec<Place>,
    /// Positions whose side to move wins at once, or must lose at once: for each side one of each at most.
    pub decided: Vec<Decided>,
    /// A position without a legal move.
    pub ended: Option<Place>,
}

impl Sample {
    /// The sample of a game.
    pub fn draw(game: &Game, numbering: HubNumbering) -> Self {
        let mut drawing = Drawing {
            session: engine::open(game.clone()),
            alone: engine::open(game.clone()),
            notation: Notation::Hub(numbering),
            numbering,
            rng: Rng::new(SEED),
            had: [0; 4],
            more: 0,
            ends: Vec::new(),
            sample: Self::default(),
        };
        for _ in 0..WALKS {
            drawing.walk();
        }
        // Some games have no quiet moves, and no kings: they give more of what they have.
        let missing = PLACES.saturating_sub(drawing.sample.places.len());
        drawing.more = missing;
        for _ in 0..missing {
            drawing.walk();
        }
        drawing.sample
    }
}

struct Drawing {
    session: Box<dyn Session>,
    /// Holds positions without what went before.
    alone: Box<dyn Session>,
    notation: Notation,
    numbering: HubNumbering,
    rng: Rng,
    had: [usize; 4],
    /// How many are wanted besides, of any kind.
    more: usize,
    /// The side to move, and whether it wins, of the positions taken just before the end.
    ends: Vec<(Side, bool)>,
    sample: Sample,
}

impl Drawing {
    /// A random game, from which some positions are taken.
    fn walk(&mut self) {
        self.session.set_start();
        let (mut moves, mut taken) = (Vec::<String>::new(), 0);
        for _ in 0..PLIES {
            let legal = self.session.legal_moves(self.notation);
            if taken < A_WALK {
                taken += usize::from(self.take(&moves, &legal));
            }
            self.take_single(&moves, &legal);
            let mv = legal[self.rng.below(legal.len())].clone();
            let mover = self.session.turn();
            if self.session.play(&mv, self.notation).is_err() {
                return;
            }
            if self.session.verdict().is_some() {
                self.take_end(mover, &moves);
                return self.take_ended(&moves, mv);
            }
            moves.push(mv);
        }
    }

    /// The position after the last move of a game, if it has no legal move.
    fn take_ended(&mut self, moves: &[String], last: String) {
        if self.sample.ended.is_some() || self.session.play(&last, self.notation).is_err() {
            return;
        }
        let legal = self.session.legal_moves(self.notation);
        if legal.is_empty() {
            self.sample.ended = self.place(&[moves, &[last]].concat(), &legal);
        }
    }

    /// The position of the session; `None` where it cannot be stated without what went before.
    fn place(&mut self, moves: &[String], legal: &[String]) -> Option<Place> {
        let hub = self.session.hub(self.numbering);
        self.alone.set_hub(&hub, "", self.numbering).ok()?;
        let legal_alone = self.alone.legal_moves(self.notation);
        Some(Place { moves: moves.to_vec(), hub, legal: legal.to_vec(), legal_alone })
    }

    /// Takes the position if its kind is wanted: rare kinds always, others now and then.
    fn take(&mut self, moves: &[String], legal: &[String]) -> bool {
        const OFTEN: [usize; 4] = [1, 2, 3, 9];
        let class = self.class(legal) as usize;
        let full = self.had[class] >= WANTED[class];
        if (full && self.more == 0) || self.rng.below(OFTEN[class]) > 0 {
            return false;
        }
        let Some(place) = self.place(moves, legal) else { return false };
        self.more -= usize::from(full);
        self.had[class] += 1;
        self.sample.places.push(place);
        true
    }

    fn class(&self, legal: &[String]) -> Class {
        let captured = legal.iter().map(|mv| mv.split('x').count().saturating_sub(2)).max().unwrap_or(0);
        let kings = || self.session.setup().pieces.iter().any(|(_, _, kind)| *kind == Kind::King);
        match captured {
            0 if kings() => Class::Kings,
            0 => Class::Other,
            1 => Class::Capture,
            _ => Class::LongCapture,
        }
    }

    fn take_single(&mut self, moves: &[String], legal: &[String]) {
        const ENOUGH: usize = 3;
        if legal.len() == 1 && !moves.is_empty() && self.sample.single.len() < ENOUGH {
            let place = self.place(moves, legal).filter(|place| place.legal_alone.len() == 1);
            self.sample.single.extend(place);
        }
    }

    /// A move of `mover` has ended the game: the position before it may be wanted. The session is there then.
    fn take_end(&mut self, mover: Side, moves: &[String]) {
        let wins = self.winner() == Some(mover);
        self.session.undo();
        if self.ends.contains(&(mover, wins)) {
            return;
        }
        let legal = self.session.legal_moves(self.notation);
        if !wins && !legal.iter().all(|mv| self.loses(mover, mv)) {
            return;
        }
        if let Some(place) = self.place(moves, &legal) {
            self.ends.push((mover, wins));
            self.sample.decided.push(Decided { place, wins });
        }
    }

    /// Who has won, by what stands on the board alone.
    fn winner(&self) -> Option<Side> {
        let verdict = self.session.verdict()?;
        verdict.winner.filter(|_| matches!(verdict.reason, Reason::NoMoves | Reason::Breakthrough))
    }

    /// Whether a move ends the game and loses it.
    fn loses(&mut self, mover: Side, mv: &str) -> bool {
        if self.session.play(mv, self.notation).is_err() {
            return false;
        }
        let winner = self.winner();
        self.session.undo();
        winner == Some(mover.other())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULE_SETS;

    #[test]
    fn every_game_has_something_to_try() {
        for set in RULE_SETS {
            let sample = Sample::draw(&Game::new(set), HubNumbering::Standard);
            let captures = |place: &&Place| place.legal.iter().any(|mv| mv.contains('x'));
            assert!(sample.places.len() >= 30, "{}: {}", set.id, sample.places.len());
            assert!(sample.places.iter().filter(captures).count() >= 10, "{}", set.id);
            assert!(!sample.decided.is_empty() && sample.ended.is_some(), "{}", set.id);
            assert!(sample.places.iter().all(|place| !place.legal.is_empty()), "{}", set.id);
        }
    }
}
