//! Sets of squares that the evaluation counts on. Those that differ by side come as a pair, White's first.

use crate::bits::Bits;
use crate::board::{Board, Layout, Side};
use crate::rules::{Rules, Word};

/// A pair of sets, indexed by [`Side`].
type Pair = [u128; 2];

/// How many ranks from its own back rank a square is for a side.
const fn progress(layout: &Layout, square: usize, black: bool, same_way: bool) -> usize {
    let (_, rank) = layout.file_rank(square);
    if black && !same_way { layout.height - 1 - rank } else { rank }
}

/// The squares whose progress has the binary digit `digit`.
const fn digit<R: Rules>(digit: usize) -> Pair {
    let layout = R::Board::LAYOUT;
    let (mut sets, mut square) = ([0; 2], 0);
    while square < layout.squares {
        let bit = 1 << layout.bit_of[square];
        if progress(&layout, square, false, R::MOVES.same_way) >> digit & 1 != 0 {
            sets[0] |= bit;
        }
        if progress(&layout, square, true, R::MOVES.same_way) >> digit & 1 != 0 {
            sets[1] |= bit;
        }
        square += 1;
    }
    sets
}

/// The sum of the ranks that `men` of `side` have advanced: a popcount for each binary digit.
#[inline(always)]
pub(super) fn advance<R: Rules>(men: Word<R>, side: Side) -> i32 {
    const { assert!(R::Board::LAYOUT.height <= 16) };
    let digits = const { [digit::<R>(0), digit::<R>(1), digit::<R>(2), digit::<R>(3)] };
    let count = |index: usize| (men & pick::<R>(digits[index], side)).count() << index;
    (count(0) + count(1) + count(2) + count(3)) as i32
}

/// The word of a side's set.
#[inline(always)]
fn pick<R: Rules>(pair: Pair, side: Side) -> Word<R> {
    Word::<R>::from_u128(if side as usize == 0 { pair[0] } else { pair[1] })
}

/// The back rank of `side`.
#[inline(always)]
pub(super) fn back_rank<R: Rules>(side: Side) -> Word<R> {
    let pair = const {
        let layout = R::Board::LAYOUT;
        let far = if R::MOVES.same_way { 0 } else { layout.height - 1 };
        [layout.rank_bits(0), layout.rank_bits(far)]
    };
    pick::<R>(pair, side)
}

/// The middle of the board: half of the files, and as many ranks.
#[inline(always)]
pub(super) fn centre<R: Rules>() -> Word<R> {
    Word::<R>::from_u128(const { middle(&R::Board::LAYOUT, R::Board::LAYOUT.width / 4) })
}

/// The main road: the diagonal through a1.
#[inline(always)]
pub(super) fn main_road<R: Rules>() -> Word<R> {
    Word::<R>::from_u128(const { R::Board::LAYOUT.main_diagonal() })
}

/// The middle of the board but for the main road.
#[inline(always)]
pub(super) fn beside_main_road<R: Rules>() -> Word<R> {
    centre::<R>().minus(main_road::<R>())
}

/// The files at the edge.
#[inline(always)]
pub(super) fn edge<R: Rules>() -> Word<R> {
    let set = const {
        let layout = R::Board::LAYOUT;
        files(&layout, 0, 0) | files(&layout, layout.width - 1, layout.width - 1)
    };
    Word::<R>::from_u128(set)
}

/// The left half of the board.
#[inline(always)]
pub(super) fn left<R: Rules>() -> Word<R> {
    Word::<R>::from_u128(const { files(&R::Board::LAYOUT, 0, R::Board::LAYOUT.width / 2 - 1) })
}

/// The right half of the board.
#[inline(always)]
pub(super) fn right<R: Rules>() -> Word<R> {
    let set = const {
        let layout = R::Board::LAYOUT;
        files(&layout, layout.width.div_ceil(2), layout.width - 1)
    };
    Word::<R>::from_u128(set)
}

/// The squares on the files `first..=last`.
const fn files(layout: &Layout, first: usize, last: usize) -> u128 {
    let (mut set, mut square) = (0, 0);
    while square < layout.squares {
        let (file, _) = layout.file_rank(square);
        if file >= first && file <= last {
            set |= 1 << layout.bit_of[square];
        }
        square += 1;
    }
    set
}

/// The squares at least `margin` from every edge.
const fn middle(layout: &Layout, margin: usize) -> u128 {
    let (mut set, mut square) = (0, 0);
    while square < layout.squares {
        let (file, rank) = layout.file_rank(square);
        if file >= margin && file + margin < layout.width && rank >= margin && rank + margin < layout.height {
            set |= 1 << layout.bit_of[square];
        }
        square += 1;
    }
    set
}

/// The distance of a bit's square from the middle of the board, in half squares of the longer of the two axes.
#[inline]
pub(super) fn eccentricity<R: Rules>(bit: usize) -> i32 {
    let layout = const { &R::Board::LAYOUT };
    let (file, rank) = layout.file_rank(layout.square_of[bit] as usize);
    let off = |at: usize, size: usize| (2 * at as i32 + 1 - size as i32).abs();
    off(file, layout.width).max(off(rank, layout.height))
}

/// The number of king steps between two bits' squares on an empty board, were all squares in play.
#[inline]
pub(super) fn distance<R: Rules>(a: usize, b: usize) -> i32 {
    let layout = const { &R::Board::LAYOUT };
    let (file, rank) = layout.file_rank(layout.square_of[a] as usize);
    let (other_file, other_rank) = layout.file_rank(layout.square_of[b] as usize);
    file.abs_diff(other_file).max(rank.abs_diff(other_rank)) as i32
}

/// Every other rank, from the first rank of `side` on.
#[inline(always)]
pub(super) fn every_other_rank<R: Rules>(side: Side) -> Word<R> {
    let pair = const {
        let layout = R::Board::LAYOUT;
        let far = if R::MOVES.same_way { 0 } else { layout.height - 1 };
        let (mut sets, mut rank) = ([0; 2], 0);
        while rank < layout.height {
            if rank % 2 == 0 {
                sets[0] |= layout.rank_bits(rank);
            }
            if rank.abs_diff(far) % 2 == 0 {
                sets[1] |= layout.rank_bits(rank);
            }
            rank += 1;
        }
        sets
    };
    pick::<R>(pair, side)
}
