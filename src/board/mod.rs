//! Boards: their geometry as compile-time data, square indices, sides and directions.

mod boards;
mod direction;
mod layout;
mod side;

pub use boards::{Alquerque, Board, Dark8, Dark10, Dark10Wide, Dark10x8, Dark12, Full8};
pub(crate) use direction::for_each_direction;
pub use direction::{Dirs, E, N, NE, NW, S, SE, SW, W, opposite};
pub use layout::{Cells, Layout, MAX_BITS, MAX_SQUARES, NO_SQUARE};
pub use side::{Black, Side, Turn, White};

use crate::bits::Bits;

/// The bitboard word of a board.
pub type BitsOf<B> = <B as Board>::Bits;

/// Moves every bit one step in direction `D`; what leaves the board is lost or lands on a ghost bit, never on a
/// playing square. Orthogonal steps on a board of dark squares go to the next square of the same file or rank,
/// which is two files or ranks away.
#[inline(always)]
pub fn step<B: Board, const D: usize>(set: B::Bits) -> B::Bits {
    let by = const { B::LAYOUT.shift[D] };
    let moved = if by >= 0 { set.up(by.unsigned_abs()) } else { set.down(by.unsigned_abs()) };
    if const { B::LAYOUT.guard[D] == u128::MAX } {
        moved
    } else {
        moved & B::Bits::from_u128(const { B::LAYOUT.guard[D] })
    }
}

/// The inverse of [`step`]: the bits from which a step in direction `D` reaches a bit of `set`.
#[inline(always)]
pub fn step_back<B: Board, const D: usize>(set: B::Bits) -> B::Bits {
    match const { opposite(D) } {
        N => step::<B, N>(set),
        NE => step::<B, NE>(set),
        E => step::<B, E>(set),
        SE => step::<B, SE>(set),
        S => step::<B, S>(set),
        SW => step::<B, SW>(set),
        W => step::<B, W>(set),
        _ => step::<B, NW>(set),
    }
}

/// All playing squares.
#[inline(always)]
pub fn squares<B: Board>() -> B::Bits {
    B::Bits::from_u128(const { B::LAYOUT.all })
}

/// The nearest bit of `set` on a ray in direction `D`, given `set` already cut to that ray; `set` must not be empty.
#[inline(always)]
pub fn nearest<B: Board, const D: usize>(set: B::Bits) -> usize {
    if const { B::LAYOUT.shift[D] > 0 } { set.lowest() } else { set.highest() }
}

/// The squares that a flying piece on `from` sees in direction `D` before the first bit of `occupied`, and that bit.
#[inline(always)]
pub fn slide<B: Board, const D: usize>(from: usize, occupied: B::Bits) -> (B::Bits, Option<usize>) {
    let ray = B::ray(D, from);
    let blockers = ray & occupied;
    if blockers.is_empty() {
        return (ray, None);
    }
    let first = nearest::<B, D>(blockers);
    (ray.minus(B::ray(D, first) | B::Bits::bit(first)), Some(first))
}
