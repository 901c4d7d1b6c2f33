//! Counting legal moves without making a list.

use super::capture::{self, man_targets, other_capturers};
use super::men::{Jumps, applies};
use super::quiet::{count_lines, king_targets, movers};
use super::{MoveList, empty, konane, quiet_moves_allowed};
use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, for_each_direction, step_back};
use crate::position::Position;
use crate::rules::{Rules, Term, Word, directions};

/// The number of legal moves.
pub fn count<R: Rules>(position: &Position<Word<R>>) -> u64 {
    let mut scratch = Vec::new();
    match position.turn {
        Side::White => count_for::<R, White>(position, &mut scratch),
        Side::Black => count_for::<R, Black>(position, &mut scratch),
    }
}

/// The number of legal moves of `T`, whose turn it must be; `scratch` is cleared and used.
#[inline(always)]
pub(super) fn count_for<R: Rules, T: Turn>(position: &Position<Word<R>>, scratch: &mut MoveList<R>) -> u64 {
    if const { R::MOVES.konane } {
        return konane::count::<R, T>(position);
    }
    if const { !applies::<R>() } {
        let capturers = capture::capturers::<R, T>(position);
        let captures = if capturers.any() { hunted::<R, T>(position, capturers, scratch) } else { 0 };
        let quiet =
            if quiet_moves_allowed::<R, T>(position, capturers) { quiet::<R, T>(position) } else { 0 };
        return captures + quiet;
    }
    let jumps = Jumps::<R>::of::<T>(position);
    let others = other_capturers::<R, T>(position);
    let capturers = others | jumps.capturers();
    if capturers.is_empty() {
        return quiet::<R, T>(position);
    }
    if others.any() || ranks_captured_kings::<R, T>(position) {
        return hunted::<R, T>(position, capturers, scratch);
    }
    let (counted, left) = jumps.count::<T>();
    if left.any() { counted + hunted::<R, T>(position, left, scratch) } else { counted }
}

/// Whether men must choose by the kind of the pieces they take, and there is a choice of kinds.
#[inline(always)]
pub(super) fn ranks_captured_kings<R: Rules, T: Turn>(position: &Position<Word<R>>) -> bool {
    let by_kind = const { R::MOVES.chooses_by(Term::KingsTaken) || R::MOVES.chooses_by(Term::Value) };
    by_kind && (man_targets::<R, T>(position) & position.kings).any()
}

/// Captures of `capturers`, one by one.
#[inline(never)]
fn hunted<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    capturers: Word<R>,
    scratch: &mut MoveList<R>,
) -> u64 {
    scratch.clear();
    capture::generate::<R, T>(position, capturers, scratch);
    scratch.len() as u64
}

/// The number of quiet moves.
#[inline(always)]
fn quiet<R: Rules, T: Turn>(position: &Position<Word<R>>) -> u64 {
    let mut total = 0;
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        total += u64::from(movers::<R, T, D>(position).count());
        if const { R::MOVES.lines } {
            total += count_lines::<R, T, D>(position);
        }
    });
    let kings = position.kings(T::SIDE);
    if kings.any() {
        let free = empty::<R>(position);
        if const { R::MOVES.king_slides } {
            for king in kings.iter() {
                total += u64::from(king_targets::<R>(king, free).count());
            }
        } else {
            for_each_direction!(R::MOVES.king_quiet, D => {
                total += u64::from((kings & step_back::<R::Board, D>(free)).count());
            });
        }
    }
    total
}
