//! Endgame tables: the value of every position with few pieces, built, checked, kept in files and looked up.
//!
//! A *slice* is all placements of one material (men and kings of each side) with White to move: with Black to move the
//! board is turned by half a turn and the colours change, which all rule sets here allow. Its values are those of perfect
//! play by the movement rules alone: draws by counting moves or repetitions do not exist in a table, and a win means that
//! it can be forced in some number of moves. What the rules say of one piece against one (Turkish) is in it.
//!
//! - [`movement`]: what is asked of the movement rules. [`shape`]: the index. [`material`], [`combinations`]: what it is made of.
//! - [`solve`]: wins, draws and losses, by going back from what is decided. [`distance`]: how long they take.
//! - [`verify`]: every value again from its successors.
//! - [`code`], [`pack`], [`mod@file`], [`plies`], [`store`]: compression, files, directories of them.
//! - [`build`]: all slices up to a number of pieces.
//! - [`probe`]: looking values up while searching. [`oracle`]: all that tables say of a position.
//! - [`shop`]: the same for a game chosen at run time.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod build;
pub mod code;
pub mod combinations;
pub mod distance;
pub mod embedded;
pub mod file;
pub mod judge;
pub mod material;
pub mod movement;
pub mod oracle;
pub mod pack;
pub mod plies;
pub mod probe;
pub mod shape;
pub mod shop;
pub mod solve;
pub mod store;
pub mod values;
pub mod verify;

pub use build::Error;
pub use file::{FileError, Identity, Metric};
pub use judge::TURN;
pub use material::{MOST_PIECES, Material};
pub use movement::Movement;
pub use oracle::{Answer, Oracle};
pub use probe::{Loading, Prober};
pub use shop::{Checked, Job, Shop, Stat, Workshop};
pub use solve::Course;
pub use values::{Counts, Value};

use crate::board::{E, N, NE, NW, S, SE, SW, W};
use crate::rules::{Game, Moves, Promotion};
use std::fmt;

/// Why there are no tables for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule set.
    pub variant: &'static str,
    /// What its positions depend on besides the placement of men and kings.
    pub why: &'static str,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no endgame tables for {}: {}", self.variant, self.why)
    }
}

impl std::error::Error for Refusal {}

/// Whether the tables know the game.
///
/// # Errors
/// Says why not.
pub fn applies(game: &Game) -> Result<(), Refusal> {
    let refuse = |why| Err(Refusal { variant: game.set.id, why });
    let moves = &game.moves;
    if moves.konane || moves.promotion == Promotion::Never {
        return refuse("it has no kings");
    }
    if moves.has_parachutists() {
        return refuse("parachutists are a third kind of piece");
    }
    if game.draws.king_limit {
        return refuse(
            "the limit of three moves with the same king makes positions depend on the moves before",
        );
    }
    if !is_symmetric(moves) {
        return refuse("its moves are not the same to the left and to the right");
    }
    Ok(())
}

/// Whether men and kings move alike to the east and to the west, so that half a turn makes one side's moves the other's.
fn is_symmetric(moves: &Moves) -> bool {
    let pairs = [(NE, NW), (E, W), (SE, SW), (N, N), (S, S)];
    let all =
        [moves.man_quiet, moves.man_capture, moves.man_first_capture, moves.king_quiet, moves.king_capture];
    all.iter().all(|dirs| pairs.iter().all(|&(east, west)| dirs.has(east) == dirs.has(west)))
}

#[cfg(test)]
mod tests;
