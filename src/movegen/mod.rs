//! Legal moves of a position by the movement rules alone: the referee adds what history forbids (Frisian king limit).
//!
//! Quiet moves and "can anything capture" are found for all pieces at once by shifts of the whole board; single
//! pieces are looked at only where a capture exists.

mod capture;
mod count;
mod konane;
mod perft;
mod quiet;

pub use capture::{Route, routes};
pub use count::count;
pub use perft::{HashTable, Perft};

use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, squares};
use crate::position::{Move, Position};
use crate::rules::{Parachutists, Promotion, Rules, Word, promotion_squares};

/// A list of moves, meant to be cleared and used again.
pub type MoveList<R> = Vec<Move<Word<R>>>;

/// Appends all legal moves to `list`, without duplicates, in an order that depends on the position alone.
pub fn generate<R: Rules>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    match position.turn {
        Side::White => generate_for::<R, White>(position, list),
        Side::Black => generate_for::<R, Black>(position, list),
    }
}

/// All legal moves, without duplicates.
pub fn legal_moves<R: Rules>(position: &Position<Word<R>>) -> MoveList<R> {
    let mut list = Vec::new();
    generate::<R>(position, &mut list);
    list
}

/// Appends all legal captures and returns whether quiet moves are legal too.
pub fn captures<R: Rules>(position: &Position<Word<R>>, list: &mut MoveList<R>) -> bool {
    match position.turn {
        Side::White => captures_for::<R, White>(position, list),
        Side::Black => captures_for::<R, Black>(position, list),
    }
}

/// Whether the side to move can capture.
pub fn can_capture<R: Rules>(position: &Position<Word<R>>) -> bool {
    match position.turn {
        Side::White => capture::capturers::<R, White>(position).any(),
        Side::Black => capture::capturers::<R, Black>(position).any(),
    }
}

/// Whether the side to move has a legal move.
pub fn can_move<R: Rules>(position: &Position<Word<R>>) -> bool {
    count::<R>(position) != 0
}

fn generate_for<R: Rules, T: Turn>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    if captures_for::<R, T>(position, list) {
        quiet::generate::<R, T>(position, list);
    }
}

#[inline(always)]
fn captures_for<R: Rules, T: Turn>(position: &Position<Word<R>>, list: &mut MoveList<R>) -> bool {
    if const { R::MOVES.konane } {
        return konane::generate::<R, T>(position, list);
    }
    let capturers = capture::capturers::<R, T>(position);
    if capturers.any() {
        capture::generate::<R, T>(position, capturers, list);
    }
    quiet_moves_allowed::<R, T>(position, capturers)
}

/// Whether quiet moves are legal beside the captures of `capturers`.
#[inline(always)]
fn quiet_moves_allowed<R: Rules, T: Turn>(position: &Position<Word<R>>, capturers: Word<R>) -> bool {
    match const { R::MOVES.parachutists } {
        Parachutists::Some { compulsory: false, .. } => {
            capturers.minus(parachutists::<R, T>(position)).is_empty()
        }
        _ => capturers.is_empty(),
    }
}

/// The promotion squares of the side `T`.
#[inline(always)]
fn promotion<R: Rules, T: Turn>() -> Word<R> {
    Word::<R>::from_u128(
        const { if matches!(R::MOVES.promotion, Promotion::Never) { 0 } else { promotion_squares::<R>(T::SIDE) } },
    )
}

/// The men of `T` that are parachutists.
#[inline(always)]
fn parachutists<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    if const { R::MOVES.has_parachutists() } {
        position.men(T::SIDE) & promotion::<R, T>()
    } else {
        Word::<R>::EMPTY
    }
}

/// The men of `T` that move as men.
#[inline(always)]
fn walkers<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    position.men(T::SIDE).minus(parachutists::<R, T>(position))
}

/// The empty squares.
#[inline(always)]
fn empty<R: Rules>(position: &Position<Word<R>>) -> Word<R> {
    squares::<R::Board>().minus(position.occupied())
}
