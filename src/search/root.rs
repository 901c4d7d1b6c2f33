//! The root: iterative deepening, threads, and the result.

use super::alphabeta::Node;
use super::limits::{Control, Limits};
use super::order::code;
use super::table::{Bound, MAX_DEPTH, Table};
use super::thread::{Memory, Shared, Thread};
use super::time::Budget;
use super::{Info, MAX_PLY, Outcome};
use crate::eval::Evaluator;
use crate::movegen::MoveList;
use crate::position::Move;
use crate::referee::{Referee, State};
use crate::rules::{Rules, Word};
use crate::score::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Stack of a helper thread: [`MAX_PLY`] nodes of a few hundred bytes in release builds, of some kilobytes without
/// optimisation.
const STACK: usize = 16 << 20;
/// Half width of the first aspiration window, in 1/100 man, and the depth from which there is one.
const WINDOW: i32 = 15;
const WINDOW_DEPTH: i32 = 4;
/// How often on a line a leaf in which the opponent threatens to capture is searched a ply further.
const THREATS: i32 = 1;
/// A window wider than this is opened altogether.
const WINDOW_MAX: i32 = 500;

/// What a single legal move is looked at for, when it is to be played at once: so many plies, or so many nodes.
const QUICK_DEPTH: u32 = 6;
const QUICK_NODES: u64 = 3_000;

const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);

/// A searcher: the memory of its threads, kept from move to move of a game.
pub struct Searcher<R: Rules> {
    memories: Vec<Memory<R>>,
}

impl<R: Rules> Default for Searcher<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// Receives the states of a search.
type Report<'a, R> = &'a mut dyn FnMut(&Info<Word<R>>);

impl<R: Rules> Searcher<R> {
    /// A searcher that remembers nothing.
    pub fn new() -> Self {
        Self { memories: vec![Memory::new()] }
    }

    /// Forgets what it has learnt in the game so far. The table is cleared by its owner.
    pub fn new_game(&mut self) {
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// Searches the current position of a game and gives the move to play. `report` receives the state of the search when
    /// the best move changes and after each iteration, and at least once. `control` must have been reset.
    pub fn search(
        &mut self,
        referee: &Referee<R>,
        limits: &Limits,
        threads: usize,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(&Info<Word<R>>),
    ) -> Outcome<Word<R>> {
        let start = limits.started.unwrap_or_else(Instant::now);
        let roots = referee.legal_moves();
        let quick = limits.instant_single && roots.len() == 1;
        let threads = if quick { 1 } else { threads.max(1) };
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(if quick { QUICK_NODES } else { u64::MAX });
        let budget = Budget::new(limits);
        table.next_search();
        let shared = Shared {
            table,
            control,
            game: referee.game(),
            eval: Evaluator::new::<R>(referee.game()),
            start,
            hard: budget.hard,
            nodes: if nodes == u64::MAX { nodes } else { nodes.div_ceil(threads as u64) },
            finished: AtomicBool::new(false),
            others: AtomicU64::new(0),
        };
        self.memories.resize_with(threads.max(self.memories.len()), Memory::new);
        let depth = limits.depth.unwrap_or(MAX_PLY as u32);
        let plan = Plan { budget, depth: if quick { depth.min(QUICK_DEPTH) } else { depth }, quick };
        let (first, rest) = self.memories.split_at_mut(1);
        let mut best = std::thread::scope(|scope| {
            let helpers: Vec<_> = rest[..threads - 1]
                .iter_mut()
                .zip(1..)
                .filter_map(|(memory, id)| {
                    let (shared, plan, roots) = (&shared, &plan, &roots);
                    let work = move || {
                        let mut root = Root::new(Thread::new(shared, memory, id), referee, roots.clone());
                        root.deepen(plan, &mut |_| {});
                        root.thread.tell_nodes();
                        (root.finished, root.info)
                    };
                    // A thread that cannot be had is done without.
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                })
                .collect();
            let mut root = Root::new(Thread::new(&shared, &mut first[0], 0), referee, roots.clone());
            root.deepen(&plan, report);
            shared.finished.store(true, Relaxed);
            let (mut finished, mut best) = (root.finished, root.info);
            for (depth, info) in helpers.into_iter().filter_map(|helper| helper.join().ok()) {
                if depth > finished {
                    (finished, best) = (depth, info);
                }
            }
            best.nodes = root.thread.nodes + shared.others.load(Relaxed);
            best
        });
        best.time = start.elapsed();
        let best_move = best.pv.first().copied();
        let ponder = best.pv.get(1).copied().or_else(|| expected_reply(referee, best_move?, table));
        Outcome { best: best_move, ponder, info: best }
    }
}

/// The table's move in the position after `mv`.
fn expected_reply<R: Rules>(referee: &Referee<R>, mv: Move<Word<R>>, table: &Table) -> Option<Move<Word<R>>> {
    let draws = &referee.game().draws;
    let after = referee.state().play(draws, &mv);
    let known = table.probe(after.key(draws))?;
    let mut moves = Vec::new();
    after.legal_moves(draws, &mut moves);
    moves.into_iter().find(|mv| code(mv) == known.code)
}

/// When to end.
struct Plan {
    budget: Budget,
    depth: u32,
    /// There is a single legal move, to be played at once: the search is for its score, told once.
    quick: bool,
}

/// A thread at the root.
struct Root<'a, R: Rules> {
    thread: Thread<'a, R>,
    state: State<R>,
    /// The legal moves, best first.
    moves: MoveList<R>,
    /// Best line and score so far, of the last finished iteration or of a better move found since.
    info: Info<Word<R>>,
    /// Depth of the last iteration that was finished.
    finished: u32,
    /// Whether the state of the search has been reported.
    reported: bool,
}

impl<'a, R: Rules> Root<'a, R> {
    fn new(thread: Thread<'a, R>, referee: &Referee<R>, moves: MoveList<R>) -> Self {
        thread.memory.keys.clear();
        thread.memory.keys.extend_from_slice(referee.keys());
        thread.memory.frames.iter_mut().for_each(|frame| frame.killers = [0; 2]);
        let info = Info {
            depth: 0,
            mean_depth: 0.0,
            score: Score::DRAW,
            nodes: 0,
            time: Duration::ZERO,
            pv: moves.first().copied().into_iter().collect(),
        };
        Self { thread, state: *referee.state(), moves, info, finished: 0, reported: false }
    }

    /// Searches deeper and deeper until the plan says that it is enough.
    fn deepen(&mut self, plan: &Plan, report: Report<'_, R>) {
        self.info.score = if self.moves.is_empty() {
            self.thread.no_moves(0)
        } else {
            self.thread.shared.eval.score::<R>(&self.state.position)
        };
        self.info.time = self.thread.shared.start.elapsed();
        if self.moves.is_empty() {
            return self.tell(report);
        }
        if plan.quick {
            self.look_quickly(plan);
            return self.tell(report);
        }
        self.iterations(plan, report);
        if !self.reported {
            self.tell(report);
        }
    }

    /// The score of a single move: that of the table if it has looked deeper before than this search does.
    fn look_quickly(&mut self, plan: &Plan) {
        let after = self.thread.enter(&self.state, &self.moves[0]);
        let known = self.thread.shared.table.probe(self.thread.table_key(&after));
        self.thread.leave();
        self.iterations(plan, &mut |_| {});
        let known =
            known.filter(|entry| entry.bound == Bound::Exact && u32::from(entry.depth) >= self.finished);
        if let Some(entry) = known.filter(|_| !self.info.score.is_decided()) {
            self.info.score = -entry.score.from_table(1);
            self.info.depth = u32::from(entry.depth) + 1;
        }
    }

    /// Iterations until the plan says that it is enough.
    fn iterations(&mut self, plan: &Plan, report: Report<'_, R>) {
        let mut doubt: f64 = 1.0;
        // Threads differ in the depth they begin with, so that they do not all do the same.
        let first_depth = 1 + (self.thread.id as i32 & 1);
        for depth in first_depth..=(plan.depth.min(u32::from(MAX_DEPTH)) as i32) {
            let before = self.info.pv[0];
            self.iterate(depth, report);
            if self.thread.stopped {
                break;
            }
            self.finished = depth as u32;
            self.tell(report);
            doubt = if self.info.pv[0] == before { (doubt * 0.9).max(0.6) } else { doubt.max(1.0) * 1.3 };
            if self.is_enough(plan, depth, doubt.min(2.5)) {
                break;
            }
        }
        self.info = self.thread.info(self.info.depth, self.info.score, &self.info.pv);
    }

    fn tell(&mut self, report: Report<'_, R>) {
        self.reported = true;
        report(&self.info);
    }

    /// Whether no further iteration is worth while.
    fn is_enough(&self, plan: &Plan, depth: i32, doubt: f64) -> bool {
        let shared = self.thread.shared;
        if self.thread.id != 0 || shared.control.is_pondering() && !plan.quick {
            return false;
        }
        // A forced end within the depth searched will not come nearer.
        let settled = self.info.score.plies_to_end().is_some_and(|plies| plies as i32 <= depth);
        let limited = plan.budget.hard.is_some() || plan.depth < MAX_PLY as u32 || shared.nodes != u64::MAX;
        plan.budget.is_spent(shared.start.elapsed(), doubt) || settled && limited
    }

    /// One iteration, with a window around the last score.
    fn iterate(&mut self, depth: i32, report: Report<'_, R>) {
        let guess = self.info.score;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= WINDOW_DEPTH && !guess.is_decided() {
            (alpha, beta) = (guess - width, guess + width);
        }
        loop {
            let score = self.search_root(depth, alpha, beta, report);
            if self.thread.stopped {
                return;
            }
            width *= 2;
            let open = width > WINDOW_MAX || score.is_decided();
            if score <= alpha {
                alpha = if open { -Score::INFINITE } else { score - width };
            } else if score >= beta {
                beta = if open { Score::INFINITE } else { score + width };
            } else {
                return;
            }
        }
    }

    /// Searches all moves of the root within a window.
    fn search_root(&mut self, depth: i32, alpha: Score, beta: Score, report: Report<'_, R>) -> Score {
        let mut best = -Score::INFINITE;
        let mut low = alpha;
        let node = Node { alpha, beta, depth, ply: 0, threats: THREATS, prune: true };
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let after = self.thread.enter(&self.state, &mv);
            let mut score = -Score::INFINITE;
            if index > 0 {
                score = -self.thread.search(&after, node.child(low, low + 1, depth - 1));
            }
            if index == 0 || score > low {
                score = -self.thread.search(&after, node.child(low, beta, depth - 1));
            }
            self.thread.leave();
            if self.thread.stopped {
                return best;
            }
            best = best.max(score);
            if score > low {
                low = score;
                self.new_best(index, depth, score, report);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The move `index` is the best so far.
    fn new_best(&mut self, index: usize, depth: i32, score: Score, report: Report<'_, R>) {
        self.moves[..=index].rotate_right(1);
        let mut pv = vec![self.moves[0]];
        pv.extend_from_slice(&self.thread.memory.frames[1].pv);
        let changed = index > 0 && self.info.depth > 0;
        self.info = self.thread.info(depth as u32, score, &pv);
        if changed {
            self.tell(report);
        }
    }
}
