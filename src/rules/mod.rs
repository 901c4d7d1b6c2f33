//! Rule sets: movement rules as compile-time data (a kernel), everything else as plain data (a rule set), and the two
//! put together with the options chosen (a game).

pub mod draws;
mod game;
mod moves;
mod presets;
mod table;

pub use game::{Game, Goal, Numbering, OptionValue, RuleError, RuleOption, RuleSet, find};
pub use moves::{Landing, Moves, Parachutists, Promotion, PromotionSquares, Removal, Term};
pub use table::*;

use crate::board::{Board, Dirs, Side, Turn};

/// Movement rules as a type, so that a generator is compiled for each.
pub trait Rules: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The board.
    type Board: Board;
    /// The movement rules.
    const MOVES: Moves;
    /// The same kernel as a value.
    const KERNEL: Kernel;
}

/// The bitboard word of a kernel.
pub type Word<R> = <<R as Rules>::Board as Board>::Bits;

/// Code that runs for a kernel chosen at run time; see [`Kernel::visit`].
pub trait Visitor {
    /// What it gives back.
    type Output;
    /// Runs it for the rules `R`.
    fn visit<R: Rules>(self) -> Self::Output;
}

/// The directions of the side `T`, given White's.
pub const fn directions<R: Rules, T: Turn>(white: Dirs) -> Dirs {
    match T::SIDE {
        Side::White => white,
        Side::Black if R::MOVES.same_way => white,
        Side::Black => white.mirrored(),
    }
}

/// The promotion squares of a side, wide.
pub const fn promotion_squares<R: Rules>(side: Side) -> u128 {
    let layout = R::Board::LAYOUT;
    match R::MOVES.promotion_squares {
        PromotionSquares::LastRank => {
            if matches!(side, Side::White) || R::MOVES.same_way {
                layout.rank_bits(layout.height - 1)
            } else {
                layout.rank_bits(0)
            }
        }
        PromotionSquares::Corner => {
            let corner = match side {
                Side::White => [layout.square_at(0, 6), layout.square_at(1, 7)],
                Side::Black => [layout.square_at(6, 0), layout.square_at(7, 1)],
            };
            let mut set = 0;
            let mut i = 0;
            while i < corner.len() {
                if let Some(square) = corner[i] {
                    set |= 1 << layout.bit_of[square];
                }
                i += 1;
            }
            set
        }
    }
}
