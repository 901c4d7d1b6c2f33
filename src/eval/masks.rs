//! Sets of squares that the evaluation counts on, from each side's point of view.

use crate::bits::Bits;
use crate::board::{Board, Layout, Side};
use crate::rules::{Rules, Word};

/// How many ranks from its own back rank a square is for `side`.
const fn progress<R: Rules>(layout: &Layout, square: usize, side: Side) -> usize {
    let (_, rank) = layout.file_rank(square);
    match side {
        Side::Black if !R::MOVES.same_way => layout.height - 1 - rank,
        _ => rank,
    }
}

/// The squares whose progress has the binary digit `digit`.
const fn digit<R: Rules>(side: Side, digit: usize) -> u128 {
    let layout = R::Board::LAYOUT;
    let (mut set, mut square) = (0, 0);
    while square < layout.squares {
        if progress::<R>(&layout, square, side) >> digit & 1 != 0 {
            set |= 1 << layout.bit_of[square];
        }
        square += 1;
    }
    set
}

/// The sum of the ranks that `men` of `side` have advanced: a popcount for each binary digit.
#[inline(always)]
pub(super) fn advance<R: Rules>(men: Word<R>, side: Side) -> i32 {
    let [white, black] = const {
        [
            [
                digit::<R>(Side::White, 0),
                digit::<R>(Side::White, 1),
                digit::<R>(Side::White, 2),
                digit::<R>(Side::White, 3),
            ],
            [
                digit::<R>(Side::Black, 0),
                digit::<R>(Side::Black, 1),
                digit::<R>(Side::Black, 2),
                digit::<R>(Side::Black, 3),
            ],
        ]
    };
    let digits = if side == Side::White { white } else { black };
    let count = |index: usize| ((men & Word::<R>::from_u128(digits[index])).count() << index) as i32;
    count(0) + count(1) + count(2) + count(3)
}
