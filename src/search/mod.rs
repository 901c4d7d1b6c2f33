//! Search: iterative deepening over a principal variation search, in one thread or several on one table.
//!
//! Nothing here prints; progress goes to a callback. In one thread the tree depends on the position, its history, the
//! limits in plies or nodes, and on what the table and the searcher remember - not on time.

mod alphabeta;
mod history;
mod limits;
mod order;
mod quiescence;
mod root;
mod table;
mod thread;
mod time;

pub use limits::{ClockLimit, Control, Limits};
pub use root::Searcher;
pub use table::{Bound, CODE_BITS, Entry, MAX_DEPTH, Table};

use crate::position::Move;
use crate::score::Score;
use std::time::Duration;

/// The greatest distance from the root, in plies; beyond it positions are evaluated as they stand.
pub const MAX_PLY: usize = 128;

/// The state of a search.
#[derive(Clone, Debug)]
pub struct Info<B> {
    /// Depth of the iteration, in plies; 0 before any search.
    pub depth: u32,
    /// Mean distance of the leaves from the root, in plies.
    pub mean_depth: f64,
    /// From the side to move.
    pub score: Score,
    /// Nodes so far, of all threads.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// The principal variation; empty only without a legal move.
    pub pv: Vec<Move<B>>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<B> {
    /// The move to play; `None` only without a legal move.
    pub best: Option<Move<B>>,
    /// The answer expected.
    pub ponder: Option<Move<B>>,
    /// The last state.
    pub info: Info<B>,
}
