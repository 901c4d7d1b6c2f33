//! What a session says, in words.

use crate::notation::HubNumbering;
use crate::score::Score;
use crate::search::Bound;
use std::time::Duration;

/// How moves are written and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As PDN writes them.
    Pdn,
    /// As Hub writes them.
    Hub(HubNumbering),
    /// As Hub, but the captured squares stand in the order in which they are captured, as some engines want it.
    HubInOrder(HubNumbering),
}

impl Notation {
    /// Hub with the game's own numbers.
    pub const HUB: Self = Self::Hub(HubNumbering::Standard);

    /// How the numbers of its squares are read.
    pub(super) const fn numbering(self) -> HubNumbering {
        match self {
            Self::Pdn => HubNumbering::Standard,
            Self::Hub(numbering) | Self::HubInOrder(numbering) => numbering,
        }
    }
}

/// News of a search, or of one of its best lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Which of the best lines this is, from 1.
    pub multipv: u32,
    /// How many lines are told of together: those of a depth come in order, from 1 to this.
    pub lines: u32,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Greatest distance from the root so far, in plies.
    pub seldepth: u32,
    /// Mean length of the lines searched, in plies.
    pub mean_depth: f64,
    /// From the side to move.
    pub score: Score,
    /// What the score says about the true one.
    pub bound: Bound,
    /// How full the hash table is, in permille.
    pub hashfull: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Since the start of the search.
    pub time: Duration,
    /// The line of best play.
    pub pv: Vec<String>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The best move; `None` if there is no legal move.
    pub best: Option<String>,
    /// The reply expected.
    pub ponder: Option<String>,
    /// Where the search stood at its end.
    pub info: Info,
}
