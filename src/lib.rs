//! Soffio: a headless draughts engine for the whole family.
//!
//! Modules are layers; each uses only those below it (`tests/layers.rs` holds them to it):
//!
//! 0. [`bits`], [`rng`] - bitboard words, seeded random numbers
//! 1. [`board`] - geometry, sides, directions

#[macro_use]
pub mod board;
pub mod bits;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod movegen;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod referee;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
