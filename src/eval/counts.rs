//! What evaluations count by looking at single squares and paths.

use super::masks;
use crate::bits::Bits;
use crate::board::{Board, Dirs, Side, Turn, for_each_direction, slide, squares, step, step_back};
use crate::position::Position;
use crate::rules::{Rules, Word, directions};

/// With so many pieces or fewer of both sides, kings are driven.
const ENDING: u32 = 8;

/// The squares that the men of `T` would cover on their way on: what stands there is not past them.
#[inline(always)]
pub(super) fn shadow<R: Rules, T: Turn>(pieces: Word<R>) -> Word<R> {
    let mut shadow = pieces;
    for _ in 1..const { R::Board::LAYOUT.height } {
        let mut next = Word::<R>::EMPTY;
        for_each_direction!(directions::<R, T>(ahead::<R>()), D => {
            next |= step::<R::Board, D>(shadow);
        });
        shadow |= next & squares::<R::Board>();
    }
    shadow
}

/// The directions in which White's men come nearer to promotion.
const fn ahead<R: Rules>() -> Dirs {
    use crate::board::{N, NE, NW};
    R::MOVES.man_quiet.both(Dirs::of(&[N, NE, NW]))
}

/// How many squares the kings of `T` can go to.
#[inline]
pub(super) fn king_mobility<R: Rules, T: Turn>(position: &Position<Word<R>>) -> i32 {
    let occupied = position.occupied();
    let empty = squares::<R::Board>().minus(occupied);
    let kings = position.kings(T::SIDE);
    let mut total = 0;
    if const { R::MOVES.king_slides } {
        for king in kings.iter() {
            for_each_direction!(R::MOVES.king_quiet, D => {
                total += slide::<R::Board, D>(king, occupied).0.count();
            });
        }
    } else {
        for_each_direction!(R::MOVES.king_quiet, D => {
            total += (kings & step_back::<R::Board, D>(empty)).count();
        });
    }
    total as i32
}

/// Helps the side that has more pieces to win: its opponent's kings belong at the edge, and its own near them. From White.
pub(super) fn drive<R: Rules>(position: &Position<Word<R>>) -> i32 {
    let [white, black] = Side::BOTH.map(|side| position.side(side).count());
    if white + black > ENDING || white == black {
        return 0;
    }
    let strong = if white > black { Side::White } else { Side::Black };
    let hunted = position.kings(strong.other());
    let mut total = 0;
    for weak in hunted.iter() {
        total += masks::eccentricity::<R>(weak);
        for king in position.kings(strong).iter() {
            total -= masks::distance::<R>(king, weak);
        }
    }
    if strong == Side::White { total } else { -total }
}
