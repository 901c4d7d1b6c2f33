//! Quiet moves.

use super::{MoveList, Receiver, empty, promotion, walkers};
use crate::bits::Bits;
use crate::board::{Turn, for_each_direction, slide, squares, step, step_back};
use crate::position::{Move, Position};
use crate::rules::{Rules, Word, directions, promotion_squares};

/// Hands all quiet moves to `receiver`: men by direction, then kings.
#[inline(always)]
pub(super) fn generate<R: Rules, T: Turn>(position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        for from in movers::<R, T, D>(position).singles() {
            let to = step::<R::Board, D>(from);
            receiver.step::<T>(from, to);
            if const { R::MOVES.lines } {
                line_moves::<R, T, D>(position, from, to, receiver);
            }
        }
    });
    let kings = position.kings(T::SIDE);
    if kings.any() {
        king_moves::<R, T>(position, receiver);
    }
}

fn king_moves<R: Rules, T: Turn>(position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
    let empty = empty::<R>(position);
    for from in position.kings(T::SIDE).singles() {
        for to in king_targets::<R>(from.lowest(), empty).singles() {
            receiver.king_move::<T>(from, to);
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

/// The linear moves whose front man goes from `front` to `to` in direction `D`: each man behind it, with only own men
/// between, may be the one that jumps to the front.
fn line_moves<R: Rules, T: Turn, const D: usize>(
    position: &Position<Word<R>>,
    front: Word<R>,
    to: Word<R>,
    receiver: &mut impl Receiver<R>,
) {
    let men = walkers::<R, T>(position);
    let mut rear = step_back::<R::Board, D>(front) & men;
    while rear.any() {
        receiver.step::<T>(rear, to);
        rear = step_back::<R::Board, D>(rear) & men;
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

/// Appends the quiet moves that the side not to move may have made last, whether or not it could have captured then: each
/// takes a man or king back to where it stood. A king that has just been a man is not thought of. Kings' moves are the
/// same forwards and backwards.
pub(super) fn retract<R: Rules, T: Turn>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    let free = empty::<R>(position);
    let mut push = |from: usize, to: usize| {
        list.push(Move { captured: Word::<R>::EMPTY, from: from as u8, to: to as u8, promotes: false });
    };
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        for to in walkers::<R, T>(position).singles() {
            let mut from = step_back::<R::Board, D>(to);
            if const { R::MOVES.lines } {
                // The rear man has jumped over the line that now stands behind it.
                while from.meets(walkers::<R, T>(position)) {
                    from = step_back::<R::Board, D>(from);
                }
            }
            if from.meets(free.minus(promotion::<R, T>())) {
                push(from.lowest(), to.lowest());
            }
        }
    });
    for king in position.kings(T::SIDE).iter() {
        for from in king_targets::<R>(king, free).iter() {
            push(from, king);
        }
    }
}

/// The squares that a king on `from` can reach quietly.
#[inline(always)]
pub(super) fn king_targets<R: Rules>(from: usize, empty: Word<R>) -> Word<R> {
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
