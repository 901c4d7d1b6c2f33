//! Search: iterative deepening over a principal variation search, in one thread or several on one table.
//!
//! Nothing here prints; progress goes to a callback. In one thread the tree depends on the position, its history, the
//! limits in plies or nodes, and on what the table and the searcher remember - not on time.

mod alphabeta;
mod busy;
mod history;
mod limits;
mod manner;
mod order;
mod quiescence;
mod root;
mod skill;
mod table;
mod tables;
mod thread;
mod time;
mod tunables;

pub use limits::{ClockLimit, Control, Limits};
pub use manner::{CONTEMPT_RANGE, Options};
pub use root::{Searcher, Task};
pub use skill::SKILL_RANGE;
pub use table::{Bound, CODE_BITS, Entry, MAX_DEPTH, Table};
pub use tunables::Tunables;

use crate::position::Move;
use crate::score::Score;
use std::time::Duration;

/// The greatest distance from the root, in plies; beyond it positions are evaluated as they stand.
pub const MAX_PLY: usize = 128;

/// The state of a search, or of one of its best lines.
#[derive(Clone, Debug)]
pub struct Info<B> {
    /// Which of the best lines this is, from 1.
    pub multipv: u32,
    /// How many lines are told of together: those of a depth come in order, from 1 to this.
    pub lines: u32,
    /// Depth of the iteration, in plies; 0 before any search.
    pub depth: u32,
    /// Greatest distance from the root so far, in plies.
    pub seldepth: u32,
    /// Mean distance of the leaves from the root, in plies.
    pub mean_depth: f64,
    /// From the side to move.
    pub score: Score,
    /// What the score says about the true one: a better move that was found within an iteration may be better still.
    pub bound: Bound,
    /// How full the hash table is, in permille.
    pub hashfull: u32,
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
