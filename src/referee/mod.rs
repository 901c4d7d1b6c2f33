//! The referee: what the moves of a game add to its positions, which moves history forbids, and when the game ends.
//! Search, protocols and the match runner all ask here.
//!
//! Counts are plies. The start position is never judged by a draw rule, but a class of material that stands there counts
//! from it. After a move the checks are, in this order: breakthrough, no legal move, one against one, repetition,
//! endings, king moves, no capture; the first that holds names the reason.

mod clock;
mod ending;

pub use clock::Clock;

use crate::bits::Bits;
use crate::board::Side;
use crate::movegen::{MoveList, can_capture, generate};
use crate::position::{Move, Position};
use crate::rules::draws::{Draws, OneEach};
use crate::rules::{Game, Goal, Rules, Word};
use std::fmt;
use std::sync::Arc;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

/// Why a game ended; displayed as the names used in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The mover has a king (Breakthrough).
    Breakthrough,
    /// The side to move has no legal move.
    NoMoves,
    /// One piece each and no capture.
    OneAgainstOne,
    /// The position has stood too often.
    Repetition,
    /// A class of material has lasted too long.
    Ending,
    /// Too many quiet king moves in a row.
    KingMoves,
    /// Too long without a capture.
    NoCapture,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Breakthrough => "breakthrough",
            Self::NoMoves => "no-moves",
            Self::OneAgainstOne => "one-against-one",
            Self::Repetition => "repetition",
            Self::Ending => "ending",
            Self::KingMoves => "king-moves",
            Self::NoCapture => "no-capture",
        })
    }
}

impl Verdict {
    /// `1-0`, `0-1` or `1/2-1/2`; 1-0 means that White wins, in every game.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
    const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }
}

/// A position and what the moves before it add to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<R: Rules> {
    /// The position.
    pub position: Position<Word<R>>,
    /// The counters.
    pub clock: Clock,
}

impl<R: Rules> State<R> {
    /// A state without history.
    pub fn new(position: Position<Word<R>>) -> Self {
        Self { position, clock: Clock::default() }
    }

    /// The state after a legal move.
    #[inline]
    pub fn play(&self, draws: &Draws, mv: &Move<Word<R>>) -> Self {
        let position = self.position.make(mv);
        let clock = self.clock.after::<R>(draws, &self.position, mv, &position);
        Self { position, clock }
    }

    /// What must agree for two positions to be the same for repetition and for a transposition table.
    #[inline]
    pub fn key(&self, draws: &Draws) -> u64 {
        let key = self.position.key();
        if draws.king_limit { key ^ self.clock.king_run_key() } else { key }
    }

    /// Appends the legal moves to `list`: those of the movement rules without what the king limit forbids.
    #[inline]
    pub fn legal_moves(&self, draws: &Draws, list: &mut MoveList<R>) {
        let start = list.len();
        generate::<R>(&self.position, list);
        if let Some(tired) = self.forbidden_king(draws) {
            let mut index = 0;
            list.retain(|mv| {
                index += 1;
                index <= start || mv.from != tired || mv.is_capture()
            });
        }
    }

    /// The king that may not move quietly: it has made three quiet moves in a row while its side has a man
    /// (Frisian, Art. 17).
    pub fn forbidden_king(&self, draws: &Draws) -> Option<u8> {
        if draws.king_limit { self.clock.tired_king(self.position.turn) } else { None }
    }

    /// What ends the game before the legal moves matter: a king of the side that has just moved, in Breakthrough.
    #[inline]
    pub fn breakthrough(&self, goal: Goal) -> Option<Verdict> {
        let mover = self.position.turn.other();
        (goal == Goal::Breakthrough && self.position.kings(mover).any())
            .then_some(Verdict { winner: Some(mover), reason: Reason::Breakthrough })
    }

    /// What it means that the side to move has no legal move.
    pub fn no_moves(&self, goal: Goal) -> Verdict {
        let turn = self.position.turn;
        let winner = if goal == Goal::Misere { turn } else { turn.other() };
        Verdict { winner: Some(winner), reason: Reason::NoMoves }
    }

    /// What ends the game although there are legal moves. `stood` is how often the position has stood, now included.
    #[inline]
    pub fn count_out(&self, draws: &Draws, stood: usize) -> Option<Verdict> {
        if let Some(verdict) = self.one_against_one(draws) {
            return Some(verdict);
        }
        let clock = &self.clock;
        if draws.repetition != 0 && stood >= draws.repetition as usize {
            return Some(Verdict::draw(Reason::Repetition));
        }
        if self.position.kings.any() {
            if self.ending_is_over(draws) {
                return Some(Verdict::draw(Reason::Ending));
            }
            if draws.king_moves != 0 && clock.king_moves >= draws.king_moves && self.king_moves_count(draws) {
                return Some(Verdict::draw(Reason::KingMoves));
            }
        }
        (draws.no_capture != 0 && clock.no_capture >= draws.no_capture)
            .then_some(Verdict::draw(Reason::NoCapture))
    }

    fn one_against_one(&self, draws: &Draws) -> Option<Verdict> {
        let position = &self.position;
        if draws.one_each == OneEach::PlaysOn
            || Side::BOTH.iter().any(|&side| position.side(side).count() != 1)
            || can_capture::<R>(position)
        {
            return None;
        }
        let king = |side| position.kings(side).any();
        let winner = match draws.one_each {
            OneEach::KingWins => Side::BOTH.into_iter().find(|&side| king(side) && !king(side.other())),
            _ => None,
        };
        Some(Verdict { winner, reason: Reason::OneAgainstOne })
    }

    fn ending_is_over(&self, draws: &Draws) -> bool {
        let counted =
            draws.endings.iter().zip(&self.clock.endings).any(|(ending, &count)| count >= ending.plies);
        counted
            || draws.lone_kings_draw
                && Side::BOTH.iter().all(|&side| self.position.material(side) == (0, 1))
                && !can_capture::<R>(&self.position)
    }

    /// Whether the king-move count holds with this material.
    fn king_moves_count(&self, draws: &Draws) -> bool {
        let position = &self.position;
        draws.king_moves_from == 0
            || position.occupied().count() >= u32::from(draws.king_moves_from)
                && Side::BOTH.iter().all(|&side| position.kings(side).any())
    }
}

/// Who wins, if anybody, where the rules end the game of a position without history although there are legal moves.
pub fn count_out_at_once<R: Rules>(position: &Position<Word<R>>, draws: &Draws) -> Option<Option<Side>> {
    State::<R>::new(*position).count_out(draws, 1).map(|verdict| verdict.winner)
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Referee<R: Rules> {
    game: Arc<Game>,
    states: Vec<State<R>>,
    keys: Vec<u64>,
}

impl<R: Rules> Referee<R> {
    /// A game that starts from `position`. The kernel `R` must be that of the game.
    pub fn new(game: Arc<Game>, position: Position<Word<R>>) -> Self {
        Self::resume(game, State::new(position))
    }

    /// A game that starts from a position with counters; earlier positions are not known.
    pub fn resume(game: Arc<Game>, state: State<R>) -> Self {
        debug_assert_eq!(game.kernel(), R::KERNEL);
        debug_assert!(state.position.occupied().minus(crate::board::squares::<R::Board>()).is_empty());
        let keys = vec![state.key(&game.draws)];
        Self { game, states: vec![state], keys }
    }

    /// The game's rules.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }
    /// The start position and every position after it, with the counters.
    pub fn states(&self) -> &[State<R>] {
        &self.states
    }
    /// The keys of the positions so far, oldest first, the current one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }
    /// The current state.
    pub fn state(&self) -> &State<R> {
        &self.states[self.states.len() - 1]
    }
    /// The current position.
    pub fn position(&self) -> &Position<Word<R>> {
        &self.state().position
    }
    /// Moves played.
    pub fn plies(&self) -> usize {
        self.states.len() - 1
    }

    /// The legal moves now. The game may be over all the same: see [`Referee::verdict`].
    pub fn legal_moves(&self) -> MoveList<R> {
        let mut list = Vec::new();
        self.state().legal_moves(&self.game.draws, &mut list);
        list
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: &Move<Word<R>>) {
        let state = self.state().play(&self.game.draws, mv);
        self.keys.push(state.key(&self.game.draws));
        self.states.push(state);
    }

    /// How often the current position has stood, now included.
    pub fn stood(&self) -> usize {
        times_stood(&self.keys, self.state().clock.reversible)
    }

    /// How the game has ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        let (state, goal) = (self.state(), self.game.set.goal);
        if self.plies() > 0 {
            if let Some(verdict) = state.breakthrough(goal) {
                return Some(verdict);
            }
        }
        if self.legal_moves().is_empty() {
            return Some(state.no_moves(goal));
        }
        if self.plies() == 0 { None } else { state.count_out(&self.game.draws, self.stood()) }
    }
}

/// How often the last key stands among the last `reversible` plies and itself.
#[inline]
pub fn times_stood(keys: &[u64], reversible: u16) -> usize {
    let Some((now, before)) = keys.split_last() else { return 0 };
    let window = before.len().min(reversible as usize);
    // The same side is to move every second ply only.
    1 + before[before.len() - window..].iter().rev().skip(1).step_by(2).filter(|&key| key == now).count()
}
