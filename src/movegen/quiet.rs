//! Quiet moves.

use super::{MoveList, empty, promotion, walkers};
use crate::bits::Bits;
use crate::board::{Board, Turn, for_each_direction, slide, squares, step, step_back};
use crate::position::{Move, Position};
use crate::rules::{Rules, Word, directions, promotion_squares};

/// Appends all quiet moves: men by direction, then kings.
pub(super) fn generate<R: Rules, T: Turn>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        for (from, to) in men_steps::<R, T, D>(position) {
            let promotes = promotion::<R, T>().meets(Word::<R>::bit(to));
            list.push(Move { from: from as u8, to: to as u8, captured: Word::<R>::EMPTY, promotes });
        }
        if const { R::MOVES.lines } {
            line_moves::<R, T, D>(position, list);
        }
    });
    let empty = empty::<R>(position);
    for from in position.kings(T::SIDE).iter() {
        for to in king_targets::<R, T>(from, empty).iter() {
            list.push(Move { from: from as u8, to: to as u8, captured: Word::<R>::EMPTY, promotes: false });
        }
    }
}

/// The men of `T` that can step in direction `D`.
#[inline(always)]
pub(super) fn movers<R: Rules, T: Turn, const D: usize>(position: &Position<Word<R>>) -> Word<R> {
    let mut men = walkers::<R, T>(position);
    if const { R::MOVES.last_rank_rests } {
        men = men.minus(Word::<R>::from_u128(const { promotion_squares::<R>(T::SIDE) }));
    }
    men & step_back::<R::Board, D>(empty::<R>(position))
}

/// Start and end bits of the steps of men in direction `D`.
#[inline(always)]
pub(super) fn men_steps<R: Rules, T: Turn, const D: usize>(
    position: &Position<Word<R>>,
) -> impl Iterator<Item = (usize, usize)> + use<R, T, D> {
    let by = const { <R::Board as Board>::LAYOUT.shift[D] as isize };
    movers::<R, T, D>(position).iter().map(move |from| (from, from.wrapping_add_signed(by)))
}

/// Appends the linear moves of two men or more in direction `D`: each man behind a mover, with only own men between.
fn line_moves<R: Rules, T: Turn, const D: usize>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    let men = walkers::<R, T>(position);
    for (front, to) in men_steps::<R, T, D>(position) {
        let promotes = promotion::<R, T>().meets(Word::<R>::bit(to));
        let mut rear = step_back::<R::Board, D>(Word::<R>::bit(front)) & men;
        while rear.any() {
            let from = rear.lowest() as u8;
            list.push(Move { from, to: to as u8, captured: Word::<R>::EMPTY, promotes });
            rear = step_back::<R::Board, D>(rear) & men;
        }
    }
}

/// The number of linear moves of two men or more in direction `D`.
#[inline(always)]
pub(super) fn count_lines<R: Rules, T: Turn, const D: usize>(position: &Position<Word<R>>) -> u64 {
    let men = walkers::<R, T>(position);
    let mut rear = step_back::<R::Board, D>(movers::<R, T, D>(position)) & men;
    let mut total = 0;
    while rear.any() {
        total += u64::from(rear.count());
        rear = step_back::<R::Board, D>(rear) & men;
    }
    total
}

/// The squares that a king of `T` on `from` can reach quietly.
#[inline(always)]
pub(super) fn king_targets<R: Rules, T: Turn>(from: usize, empty: Word<R>) -> Word<R> {
    let mut targets = Word::<R>::EMPTY;
    let occupied = squares::<R::Board>().minus(empty);
    for_each_direction!(R::MOVES.king_quiet, D => {
        if const { R::MOVES.king_slides } {
            targets |= slide::<R::Board, D>(from, occupied).0;
        } else {
            targets |= step::<R::Board, D>(Word::<R>::bit(from)) & empty;
        }
    });
    targets
}
