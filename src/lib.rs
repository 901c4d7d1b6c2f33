//! Soffio: a headless draughts engine for the whole family.
//!
//! Modules are layers; each uses only those below it (a test holds them to it):
//!
//! - 0: [`bits`], [`error`], [`memory`], [`rng`], [`score`] - bitboard words, quotations in messages, large memory,
//!   seeded random numbers, scores
//! - 1: [`board`] - geometry, sides, directions
//! - 2: [`rules`] - movement rules, the table of rule sets, draw rules
//! - 3: [`position`] - positions and moves
//! - 4: [`movegen`] - legal moves, perft
//! - 5: [`referee`], [`notation`], [`eval`], [`egdb`] - ends of games; FEN, PDN, moves and Hub positions as text;
//!   evaluation; endgame tables
//! - 6: [`search`] - the search
//! - 7: [`engine`] - a game and its engine behind one object-safe trait
//! - 8: [`protocol`] - Hub, a UCI dialect and DXP, both sides of them, and the console
//! - 9: [`arena`], [`train`], [`analysis`] - matches and tournaments between engines; training data; batch analysis
//! - 10: [`cli`] - the command line

#[macro_use]
pub mod board;
pub mod analysis;
pub mod arena;
pub mod bits;
pub mod cli;
pub mod egdb;
pub mod engine;
pub mod error;
pub mod eval;
pub mod memory;
pub mod movegen;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod referee;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
pub mod train;
