//! Text forms of squares, positions and moves. Everything here reads what strangers wrote: no input panics, and an error
//! names the offending text and its column.
//!
//! Squares inside the program are indices (see [`crate::board::Layout`]); the outside sees the rule set's own numbers
//! or algebraic names. Functions take the [`Game`](crate::rules::Game) for that; those that need legal moves are generic
//! over its kernel, `game.kernel()`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod diagram;
pub mod fen;
pub mod hub;
pub mod moves;
mod path;
pub mod pdn;
pub mod squares;
mod text;

pub use fen::{FenError, KingMoves};
pub use hub::HubError;
pub use moves::{MoveError, Style};
pub use squares::{HubNumbering, SquareError};

#[cfg(test)]
mod roundtrip;
