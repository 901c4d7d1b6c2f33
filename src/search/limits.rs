//! What ends a search, and the switch that another thread holds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What ends a search. With nothing set it runs until it is stopped, or until the greatest depth is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes; exact in one thread. Several threads share them out evenly.
    pub nodes: Option<u64>,
    /// Time for this move, used up.
    pub move_time: Option<Duration>,
    /// A chess clock.
    pub clock: Option<ClockLimit>,
    /// A forced win in so many plies or less ends the search.
    pub mate: Option<u32>,
    /// The moves to choose from, as texts in the notation of the search; empty is all. Texts that mean no legal move are
    /// passed over, and so is a list without any that does.
    pub searchmoves: Vec<String>,
    /// How many best lines to search; 0 counts as 1, and more than there are moves as that.
    pub multipv: u32,
    /// Whether a single legal move is answered at once.
    pub instant_single: bool,
    /// When the time began to run; `None` is the beginning of the search.
    pub started: Option<Instant>,
}

/// A chess clock as the side to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockLimit {
    /// Time left; zero also stands for a clock that has run out.
    pub time: Duration,
    /// Added for each move.
    pub inc: Duration,
    /// Moves that `time` must last for; `None` is the rest of the game.
    pub moves: Option<u32>,
}

/// The switch of a running search, to be shared with the thread that listens to commands.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// A switch that is not thrown.
    pub const fn new() -> Self {
        Self { stopped: AtomicBool::new(false), pondering: AtomicBool::new(false) }
    }
    /// Makes the switch ready for another search: not stopped, not pondering.
    pub fn reset(&self) {
        self.stopped.store(false, Ordering::Release);
        self.pondering.store(false, Ordering::Release);
    }
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }
    /// What [`Control::stop`] sets, for work that is no search.
    pub const fn switch(&self) -> &AtomicBool {
        &self.stopped
    }
    /// Whether [`Control::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
    /// From now on no limit of time ends the search.
    pub fn start_pondering(&self) {
        self.pondering.store(true, Ordering::Release);
    }
    /// The opponent has played the move expected: limits of time hold again. Time counts from the start of the search, so
    /// a search that has already used its time ends at once.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Release);
    }
    /// Whether the search is on the opponent's time.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}
