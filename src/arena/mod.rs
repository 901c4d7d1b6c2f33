//! Matches and tournaments between engines.

pub mod adjudicate;
pub mod compliance;
pub mod contestant;
pub mod game;
pub mod limits;
pub mod openings;
pub mod pdn;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod words;
