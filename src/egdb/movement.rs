//! The movement rules as the tables need them: functions by pointer, so that the builder is compiled for the two bitboard
//! words and not for each kernel. A call by pointer costs little beside what is called.

use crate::bits::Bits;
use crate::board::{Board, Layout, Side, squares};
use crate::movegen;
use crate::position::{Move, Position, Setup};
use crate::rules::draws::Draws;
use crate::rules::{Rules, Word, promotion_squares};
use std::fmt;

/// The movement rules of a kernel whose board is held by a `B`.
#[derive(Clone, Copy)]
pub struct Movement<B: Bits> {
    /// Appends the legal moves.
    pub generate: fn(&Position<B>, &mut Vec<Move<B>>),
    /// Whether the side to move can capture.
    pub can_capture: fn(&Position<B>) -> bool,
    /// Appends the quiet moves that the other side may have made last.
    pub retractions: fn(&Position<B>, &mut Vec<Move<B>>),
    /// What the rules say of a position without history, if the game is over there although there are legal moves.
    count_out: fn(&Position<B>, &Draws) -> Option<Option<Side>>,
    setup: fn(&Position<B>) -> Setup,
    position: fn(&Setup) -> Option<Position<B>>,
    /// The board.
    pub layout: &'static Layout,
    /// All playing squares.
    pub squares: B,
    /// The promotion squares of each side.
    pub promotion: [B; 2],
    /// Whether men of both sides go up the board.
    pub same_way: bool,
}

impl<B: Bits> fmt::Debug for Movement<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Movement").finish_non_exhaustive()
    }
}

impl<B: Bits> Movement<B> {
    /// Those of a kernel. `count_out` says who wins, if anybody, where the rules end the game of a position without history
    /// although there are legal moves.
    pub fn of<R: Rules<Board: Board<Bits = B>>>(
        count_out: fn(&Position<B>, &Draws) -> Option<Option<Side>>,
    ) -> Self {
        Self {
            generate: movegen::generate::<R>,
            can_capture: movegen::can_capture::<R>,
            retractions: movegen::retractions::<R>,
            count_out,
            setup: Setup::of::<R>,
            position: |setup| setup.check::<R>().ok(),
            layout: const { &R::Board::LAYOUT },
            squares: squares::<R::Board>(),
            promotion: Side::BOTH.map(|side| Word::<R>::from_u128(promotion_squares::<R>(side))),
            same_way: R::MOVES.same_way,
        }
    }

    /// Who wins, if anybody, where the rules end the game of a position without history although there are legal moves.
    pub fn count_out(&self, position: &Position<B>, draws: &Draws) -> Option<Option<Side>> {
        (self.count_out)(position, draws)
    }

    /// A position as a setup.
    pub fn setup(&self, position: &Position<B>) -> Setup {
        (self.setup)(position)
    }

    /// The position of a setup, if there can be one.
    pub fn position(&self, setup: &Setup) -> Option<Position<B>> {
        (self.position)(setup)
    }

    /// The bits of the board as the other side sees them.
    #[inline(always)]
    pub fn turned(&self, set: B) -> B {
        if self.same_way { set } else { set.reversed().down((B::WIDTH - self.layout.bits) as u32) }
    }

    /// The position seen from the other side, so that the other colour is to move.
    #[inline(always)]
    pub fn turned_position(&self, position: &Position<B>) -> Position<B> {
        let [white, black] = position.pieces.map(|set| self.turned(set));
        Position { pieces: [black, white], kings: self.turned(position.kings), turn: position.turn.other() }
    }
}
