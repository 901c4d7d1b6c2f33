//! What a search thread owns, and how it learns that it is over.

use super::busy::Busy;
use super::history::History;
use super::limits::Control;
use super::manner::Manner;
use super::table::Table;
use super::tables::Guide;
use super::tunables::Tunables;
use super::{Bound, Info, MAX_PLY};
use crate::bits::Bits;
use crate::board::squares;
use crate::eval::Evaluator;
use crate::movegen::MoveList;
use crate::position::{Move, Position};
use crate::referee::State;
use crate::rules::draws::Draws;
use crate::rules::{Game, Goal, Rules, Word};
use crate::score::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What all threads of a search share.
pub(super) struct Shared<'a, R: Rules> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub game: &'a Game,
    pub eval: Evaluator,
    pub manner: Manner,
    pub guide: Guide<'a, R>,
    pub tunables: Tunables,
    pub busy: Busy,
    pub start: Instant,
    /// When to stop at once.
    pub hard: Option<Duration>,
    /// Nodes that each thread may search.
    pub nodes: u64,
    /// Set when the first thread has its result.
    pub finished: AtomicBool,
    /// Nodes of the other threads, brought up to date now and then.
    pub others: AtomicU64,
}

impl<R: Rules> Shared<'_, R> {
    pub fn draws(&self) -> &Draws {
        &self.game.draws
    }
    pub fn goal(&self) -> Goal {
        self.game.set.goal
    }
}

/// What belongs to a distance from the root.
pub(super) struct Frame<R: Rules> {
    pub moves: MoveList<R>,
    /// Scores of `moves` for ordering.
    pub scores: Vec<i32>,
    /// The best line from here.
    pub pv: MoveList<R>,
    /// Codes of quiet moves that refuted a node here.
    pub killers: [u32; 2],
    /// Indices of moves that other threads were searching.
    pub put_off: Vec<usize>,
}

impl<R: Rules> Frame<R> {
    fn new() -> Self {
        Self { moves: Vec::new(), scores: Vec::new(), pv: Vec::new(), killers: [0; 2], put_off: Vec::new() }
    }
}

/// The memory of a thread, kept between searches.
pub(super) struct Memory<R: Rules> {
    pub frames: Vec<Frame<R>>,
    pub history: History,
    /// Keys of the positions of the game and of the line being searched.
    pub keys: Vec<u64>,
    /// Where the moves of the line being searched have ended, after a first one that stands for the game's last.
    pub ends: Vec<u8>,
}

impl<R: Rules> Memory<R> {
    pub fn new() -> Self {
        Self {
            frames: (0..=MAX_PLY + 1).map(|_| Frame::new()).collect(),
            history: History::new(Word::<R>::WIDTH),
            keys: Vec::new(),
            ends: vec![0],
        }
    }

    /// Forgets what it has learnt from a game.
    pub fn clear(&mut self) {
        self.history.clear();
        self.frames.iter_mut().for_each(|frame| frame.killers = [0; 2]);
    }
}

/// Work between two looks at the clock and the switch: a node is one unit, and one more for each move generated, so
/// that positions with many moves are not looked at more rarely. It is about half a millisecond; a look costs some 50 ns.
const WORK: i32 = 1024;

/// A thread at work.
pub(super) struct Thread<'a, R: Rules> {
    pub shared: &'a Shared<'a, R>,
    pub memory: &'a mut Memory<R>,
    /// 0 is the thread that answers.
    pub id: usize,
    pub tunables: Tunables,
    pub nodes: u64,
    nodes_told: u64,
    /// Sum of the distances of leaves from the root, and their number.
    pub leaf_plies: u64,
    pub leaves: u64,
    /// Greatest distance of a leaf from the root, in plies.
    seldepth: usize,
    work: i32,
    /// The search is over; scores mean nothing any more.
    pub stopped: bool,
}

impl<'a, R: Rules> Thread<'a, R> {
    pub fn new(shared: &'a Shared<'a, R>, memory: &'a mut Memory<R>, id: usize) -> Self {
        Self {
            shared,
            memory,
            id,
            tunables: shared.tunables,
            nodes: 0,
            nodes_told: 0,
            leaf_plies: 0,
            leaves: 0,
            seldepth: 0,
            work: WORK,
            stopped: false,
        }
    }

    /// Counts a node, and says whether the search is over.
    #[inline(always)]
    pub fn count_node(&mut self) -> bool {
        if self.nodes >= self.shared.nodes {
            self.stopped = true;
        }
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.work -= 1;
        if self.work <= 0 {
            self.look();
        }
        self.stopped
    }

    /// Counts moves generated.
    #[inline(always)]
    pub fn count_moves(&mut self, moves: usize) {
        self.work -= moves as i32;
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        self.work = WORK;
        let shared = self.shared;
        self.tell_nodes();
        let late = || shared.hard.is_some_and(|hard| shared.start.elapsed() >= hard);
        self.stopped = shared.control.is_stopped()
            || shared.finished.load(Relaxed)
            || !shared.control.is_pondering() && late();
    }

    /// Lets the thread that answers know how many nodes this one has searched.
    pub fn tell_nodes(&mut self) {
        if self.id != 0 {
            self.shared.others.fetch_add(self.nodes - self.nodes_told, Relaxed);
            self.nodes_told = self.nodes;
        }
    }

    /// A leaf at `ply`.
    #[inline(always)]
    pub fn count_leaf(&mut self, ply: usize) {
        self.leaf_plies += ply as u64;
        self.leaves += 1;
        self.seldepth = self.seldepth.max(ply);
    }

    /// The state of the search for the report, without what takes time to find out.
    pub fn info(&self, depth: u32, score: Score, bound: Bound, pv: &[Move<Word<R>>]) -> Info<Word<R>> {
        Info {
            multipv: 1,
            lines: 1,
            depth,
            seldepth: self.seldepth as u32,
            mean_depth: self.leaf_plies as f64 / self.leaves.max(1) as f64,
            score,
            bound,
            hashfull: 0,
            nodes: self.nodes + self.shared.others.load(Relaxed),
            time: self.shared.start.elapsed(),
            pv: pv.to_vec(),
        }
    }

    /// The state after a move, entered in the history of the line; undone by [`Thread::leave`].
    #[inline(always)]
    pub fn enter(&mut self, state: &State<R>, mv: &Move<Word<R>>) -> State<R> {
        let after = state.play(self.shared.draws(), mv);
        debug_assert!(is_sound(&after), "{mv:?} leads from {state:?} to {after:?}");
        self.memory.keys.push(after.key(self.shared.draws()));
        self.memory.ends.push(mv.to);
        after
    }

    #[inline(always)]
    pub fn leave(&mut self) {
        self.memory.keys.pop();
        self.memory.ends.pop();
    }

    /// The key of the position reached.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.memory.keys[self.memory.keys.len() - 1]
    }
}

/// Whether a position can be at all, whatever has led to it.
fn is_sound<R: Rules>(state: &State<R>) -> bool {
    let Position { pieces: [white, black], kings, .. } = state.position;
    let (all, squares) = (white | black, squares::<R::Board>());
    (white & black).is_empty() && kings.minus(all).is_empty() && all.minus(squares).is_empty()
}
