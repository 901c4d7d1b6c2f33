//! The root: iterative deepening, threads, and the result.

use super::alphabeta::Node;
use super::busy::Busy;
use super::limits::{Control, Limits};
use super::manner::{Manner, Options};
use super::order::code;
use super::skill::Skill;
use super::table::{Bound, MAX_DEPTH, Table};
use super::tables::Guide;
use super::thread::{Memory, Shared, Thread};
use super::time::Budget;
use super::{Info, MAX_PLY, Outcome};
use crate::egdb::Prober;
use crate::eval::{Evaluator, Model};
use crate::movegen::MoveList;
use crate::position::Move;
use crate::referee::{Referee, State};
use crate::rules::{Rules, Word};
use crate::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Stack of a helper thread: [`MAX_PLY`] nodes of a few hundred bytes in release builds, of some kilobytes without
/// optimisation.
const STACK: usize = 16 << 20;
/// Half width of the first aspiration window, in 1/100 man, and the depth from which there is one.
const WINDOW: i32 = 15;
const WINDOW_DEPTH: i32 = 4;
/// A window wider than this is opened altogether.
const WINDOW_MAX: i32 = 500;

/// What a single legal move is looked at for, when it is to be played at once: so many plies, or so many nodes.
const QUICK_DEPTH: u32 = 6;
const QUICK_NODES: u64 = 3_000;

const _: () = assert!((MAX_DEPTH as usize) < MAX_PLY);

/// What to search, and how.
pub struct Task<'a, R: Rules> {
    /// The game so far; its last position is searched.
    pub referee: &'a Referee<R>,
    /// The legal moves to choose from, as many as there may be; `Limits::searchmoves` is not read.
    pub moves: MoveList<R>,
    /// What ends it.
    pub limits: &'a Limits,
    /// How to play.
    pub options: &'a Options,
    /// The learned weights of the evaluation; `None` is the hand-made one.
    pub model: Option<&'a Arc<Model>>,
    /// Endgame tables.
    pub tables: Option<&'a Prober<Word<R>>>,
    /// Threads, at least 1.
    pub threads: usize,
}

impl<'a, R: Rules> Task<'a, R> {
    /// A search of all moves in one thread at full strength.
    pub fn new(referee: &'a Referee<R>, limits: &'a Limits) -> Self {
        Self {
            referee,
            moves: referee.legal_moves(),
            limits,
            options: &Options::DEFAULT,
            model: None,
            tables: None,
            threads: 1,
        }
    }
}

/// A searcher: the memory of its threads, kept from move to move of a game.
pub struct Searcher<R: Rules> {
    memories: Vec<Memory<R>>,
    /// Games forgotten.
    games: u64,
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
        Self { memories: vec![Memory::new()], games: 0 }
    }

    /// Forgets what it has learnt in the game so far. The table is cleared by its owner.
    pub fn new_game(&mut self) {
        self.memories.iter_mut().for_each(Memory::clear);
        self.games += 1;
    }

    /// Searches the current position of a game and gives the move to play. `report` receives the state of the search when
    /// the best move changes and after each iteration, and at least once; of several lines those of an iteration, in
    /// order. `control` must have been reset.
    pub fn search(
        &mut self,
        task: &Task<'_, R>,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(&Info<Word<R>>),
    ) -> Outcome<Word<R>> {
        let Task { referee, limits, .. } = *task;
        let start = limits.started.unwrap_or_else(Instant::now);
        let mut manner = Manner::new(task.options, referee.position().turn, self.games, referee.plies());
        // Who is to err as people do must not know everything.
        let guide = Guide::new(task.tables.filter(|_| manner.skill.is_none()), referee.position());
        manner.salt ^= guide.salt();
        // Who asks for several lines wants to see the others too.
        let moves = task.moves.clone();
        let moves = if limits.multipv > 1 { moves } else { guide.choose(referee.position(), moves) };
        let task = &Task { moves, ..*task };
        let plan = Plan::new(task, manner.skill.as_ref(), start);
        let threads = if plan.quick || manner.skill.is_some() { 1 } else { task.threads.max(1) };
        table.next_search();
        let shared = Shared {
            table,
            control,
            game: referee.game(),
            eval: Evaluator::new::<R>(referee.game(), task.model.cloned()),
            manner,
            guide,
            tunables: task.options.tunables,
            busy: Busy::new(threads),
            start,
            hard: plan.budget.hard,
            nodes: if plan.nodes == u64::MAX { plan.nodes } else { plan.nodes.div_ceil(threads as u64) },
            finished: AtomicBool::new(false),
            others: AtomicU64::new(0),
        };
        self.memories.resize_with(threads.max(self.memories.len()), Memory::new);
        let (first, rest) = self.memories.split_at_mut(1);
        let mut best = std::thread::scope(|scope| {
            let helpers: Vec<_> = rest[..threads - 1]
                .iter_mut()
                .zip(1..)
                .filter_map(|(memory, id)| {
                    let (shared, plan) = (&shared, &plan);
                    let work = move || {
                        let mut root = Root::new(Thread::new(shared, memory, id), task);
                        root.deepen(plan, &mut |_| {});
                        root.thread.tell_nodes();
                        (root.finished, root.lines.swap_remove(0).info)
                    };
                    // A thread that cannot be had is done without.
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                })
                .collect();
            let mut root = Root::new(Thread::new(&shared, &mut first[0], 0), task);
            root.deepen(&plan, report);
            shared.finished.store(true, Relaxed);
            let (mut finished, mut best) = (root.finished, root.lines.swap_remove(0).info);
            for (depth, info) in helpers.into_iter().filter_map(|helper| helper.join().ok()) {
                if depth > finished {
                    (finished, best) = (depth, info);
                }
            }
            best.nodes = root.thread.nodes + shared.others.load(Relaxed);
            best
        });
        best.time = start.elapsed();
        best.score = shared.guide.told(best.score);
        let best_move = best.pv.first().copied();
        let salt = shared.manner.salt;
        let ponder = best.pv.get(1).copied().or_else(|| expected_reply(referee, best_move?, table, salt));
        Outcome { best: best_move, ponder, info: best }
    }
}

/// The table's move in the position after `mv`.
fn expected_reply<R: Rules>(
    referee: &Referee<R>,
    mv: Move<Word<R>>,
    table: &Table,
    salt: u64,
) -> Option<Move<Word<R>>> {
    let draws = &referee.game().draws;
    let after = referee.state().play(draws, &mv);
    let known = table.probe(after.key(draws) ^ salt)?;
    let mut moves = Vec::new();
    after.legal_moves(draws, &mut moves);
    moves.into_iter().find(|mv| code(mv) == known.code)
}

/// When to end.
struct Plan {
    budget: Budget,
    depth: u32,
    nodes: u64,
    /// A win in so many plies is enough.
    mate: Option<u32>,
    /// Best lines wanted, at least 1.
    lines: usize,
    /// There is a single legal move, to be played at once: the search is for its score, told once.
    quick: bool,
}

impl Plan {
    /// The search has been asked for at `start`.
    fn new<R: Rules>(task: &Task<'_, R>, skill: Option<&Skill>, start: Instant) -> Self {
        let Task { referee, limits, options, .. } = *task;
        let quick = limits.instant_single && task.moves.len() == 1 && referee.legal_moves().len() == 1;
        let (depth, nodes) = match skill {
            _ if quick => (QUICK_DEPTH, QUICK_NODES),
            Some(skill) => (skill.depth(), skill.nodes()),
            None => (MAX_PLY as u32, u64::MAX),
        };
        Self {
            budget: Budget::new(limits, options.overhead, start.elapsed()),
            depth: limits.depth.map_or(depth, |most| most.min(depth)),
            nodes: limits.nodes.map_or(nodes, |most| most.min(nodes)),
            mate: limits.mate,
            lines: (limits.multipv.max(1) as usize).min(task.moves.len().max(1)),
            quick,
        }
    }

    /// Whether anything ends the search by itself.
    fn is_limited(&self) -> bool {
        self.budget.hard.is_some()
            || self.depth < MAX_PLY as u32
            || self.nodes != u64::MAX
            || self.mate.is_some()
    }
}

/// A move at the root, and what is known of it.
struct Line<R: Rules> {
    /// The last time it was one of the best; the move itself is the first of its `pv`, which is empty only if there is no
    /// legal move.
    info: Info<Word<R>>,
    /// How much more it is liked than its score says, in 1/100 man.
    whim: i32,
}

impl<R: Rules> Line<R> {
    /// How much it is liked.
    fn felt(&self) -> Score {
        felt(self.info.score, self.whim)
    }
}

/// A score that a whim has moved by so much; it does not move what is decided.
fn felt(score: Score, whim: i32) -> Score {
    if whim == 0 || score.is_decided() { score } else { Score::eval(score.value() + whim) }
}

/// A bound that a whim has moved by so much.
fn shifted(bound: Score, whim: i32) -> Score {
    (bound + whim).clamp(-Score::INFINITE, Score::INFINITE)
}

/// A thread at the root.
struct Root<'a, R: Rules> {
    thread: Thread<'a, R>,
    state: State<R>,
    /// A line for each legal move (for none, an empty one), best first. The first ones, as many as are wanted, have been
    /// compared with all others; each is of the last finished iteration or of a better move found since.
    lines: Vec<Line<R>>,
    /// Depth of the last iteration that was finished.
    finished: u32,
    /// Whether the state of the search has been reported.
    reported: bool,
}

impl<'a, R: Rules> Root<'a, R> {
    fn new(thread: Thread<'a, R>, task: &Task<'_, R>) -> Self {
        let referee = task.referee;
        thread.memory.keys.clear();
        thread.memory.ends.clear();
        thread.memory.ends.push(0);
        thread.memory.keys.extend_from_slice(referee.keys());
        thread.memory.frames.iter_mut().for_each(|frame| frame.killers = [0; 2]);
        let line =
            |pv: &[Move<Word<R>>], whim| Line { info: thread.info(0, Score::DRAW, Bound::Exact, pv), whim };
        let whim = |mv| thread.shared.manner.whim(thread.key(), code(mv));
        let mut lines: Vec<_> = task.moves.iter().map(|mv| line(&[*mv], whim(mv))).collect();
        if lines.is_empty() {
            lines.push(line(&[], 0));
        }
        Self { thread, state: *referee.state(), lines, finished: 0, reported: false }
    }

    /// Searches deeper and deeper until the plan says that it is enough.
    fn deepen(&mut self, plan: &Plan, report: Report<'_, R>) {
        let stuck = self.lines[0].info.pv.is_empty();
        let score = if stuck {
            self.thread.no_moves(0)
        } else {
            self.thread.shared.eval.score::<R>(&self.state.position)
        };
        self.lines.iter_mut().for_each(|line| line.info.score = score);
        if stuck {
            return self.tell(1, report);
        }
        if plan.quick {
            self.look_quickly(plan);
            return self.tell(1, report);
        }
        self.iterations(plan, report);
        if !self.reported {
            self.tell(1, report);
        }
    }

    /// The score of a single move: that of the table if it has looked deeper before than this search does.
    fn look_quickly(&mut self, plan: &Plan) {
        let after = self.thread.enter(&self.state, &self.lines[0].info.pv[0]);
        let known = self.thread.shared.table.probe(self.thread.table_key(&after));
        self.thread.leave();
        self.iterations(plan, &mut |_| {});
        let known =
            known.filter(|entry| entry.bound == Bound::Exact && u32::from(entry.depth) >= self.finished);
        let line = &mut self.lines[0].info;
        if let Some(entry) = known.filter(|_| !line.score.is_decided()) {
            line.score = -entry.score.from_table(1);
            line.depth = u32::from(entry.depth) + 1;
        }
    }

    /// Iterations until the plan says that it is enough.
    fn iterations(&mut self, plan: &Plan, report: Report<'_, R>) {
        let mut doubt: f64 = 1.0;
        // Threads differ in the depth they begin with, so that they do not all do the same.
        let first_depth = 1 + (self.thread.id as i32 & 1);
        for depth in first_depth..=(plan.depth.min(u32::from(MAX_DEPTH)) as i32) {
            let before = self.lines[0].info.pv[0];
            self.iterate(depth, plan.lines, report);
            if self.thread.stopped {
                break;
            }
            self.finished = depth as u32;
            self.tell(plan.lines, report);
            doubt = if self.lines[0].info.pv[0] == before {
                (doubt * 0.9).max(0.6)
            } else {
                doubt.max(1.0) * 1.3
            };
            if self.is_enough(plan, depth, doubt.min(2.5)) {
                break;
            }
        }
        // Whoever is first to reach the depth wanted ends the search for all.
        if self.finished == plan.depth {
            self.thread.shared.finished.store(true, Relaxed);
        }
        let Info { depth, score, bound, ref pv, .. } = self.lines[0].info;
        self.lines[0].info = self.thread.info(depth, score, bound, pv);
    }

    /// Reports the best lines, as they are now.
    fn tell(&mut self, lines: usize, report: Report<'_, R>) {
        self.reported = true;
        let hashfull = self.thread.shared.table.hashfull();
        for (line, multipv) in self.lines[..lines].iter().zip(1..) {
            let Info { depth, score, bound, ref pv, .. } = line.info;
            debug_assert!(self.can_be_played(pv), "{pv:?}");
            debug_assert!(score.value().abs() < Score::INFINITE.value(), "{score:?}");
            let lines = lines as u32;
            // Of several lines each has a value of its own.
            let score = if lines > 1 { score } else { self.thread.shared.guide.told(score) };
            report(&Info { multipv, lines, hashfull, ..self.thread.info(depth, score, bound, pv) });
        }
    }

    /// Whether a line consists of legal moves.
    fn can_be_played(&self, pv: &[Move<Word<R>>]) -> bool {
        let draws = self.thread.shared.draws();
        let mut state = self.state;
        pv.iter().all(|mv| {
            let mut moves = Vec::new();
            state.legal_moves(draws, &mut moves);
            state = state.play(draws, mv);
            moves.contains(mv)
        })
    }

    /// Whether no further iteration is worth while.
    fn is_enough(&self, plan: &Plan, depth: i32, doubt: f64) -> bool {
        let shared = self.thread.shared;
        if self.thread.id != 0 || shared.control.is_pondering() && !plan.quick {
            return false;
        }
        // A forced end within the depth searched will not come nearer.
        let within = |line: &Line<R>, most| line.info.score.plies_to_end().is_some_and(|plies| plies <= most);
        let settled = self.lines[..plan.lines].iter().all(|line| within(line, depth as u32));
        let best = &self.lines[0];
        let mated = plan.mate.is_some_and(|plies| best.info.score.is_win() && within(best, plies));
        plan.budget.is_spent(shared.start.elapsed(), doubt) || mated || settled && plan.is_limited()
    }

    /// One iteration: the best lines, one after the other, each without the moves of those before it.
    fn iterate(&mut self, depth: i32, lines: usize, report: Report<'_, R>) {
        let mut quiet = |_: &Info<_>| {};
        let report: Report<'_, R> = if lines == 1 { report } else { &mut quiet };
        for rank in 0..lines {
            self.aspirate(depth, rank, report);
            if self.thread.stopped {
                return;
            }
            // Scores of later lines may be better, as each search sees other things in the table.
            self.lines[..=rank].sort_by_key(|line| std::cmp::Reverse(line.felt()));
        }
    }

    /// The best of the moves from `rank` on, with a window around its last score.
    fn aspirate(&mut self, depth: i32, rank: usize, report: Report<'_, R>) {
        let guess = self.lines[rank].felt();
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= WINDOW_DEPTH && !guess.is_decided() {
            (alpha, beta) = (guess - width, guess + width);
        }
        loop {
            let threats = self.thread.tunables.threats;
            let node = Node { alpha, beta, depth, ply: 0, threats, prune: true };
            let score = self.search_root(node, rank, report);
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

    /// Searches the moves of the root from `rank` on within a window.
    fn search_root(&mut self, node: Node, rank: usize, report: Report<'_, R>) -> Score {
        let mut best = -Score::INFINITE;
        let mut low = node.alpha;
        for index in rank..self.lines.len() {
            let Line { ref info, whim } = self.lines[index];
            let mv = info.pv[0];
            let after = self.thread.enter(&self.state, &mv);
            let mut score = -Score::INFINITE;
            if index > rank {
                score = self.try_move(&after, &node, low, low + 1, whim);
            }
            if index == rank || felt(score, whim) > low {
                score = self.try_move(&after, &node, low, node.beta, whim);
            }
            self.thread.leave();
            if self.thread.stopped {
                return best;
            }
            let liked = felt(score, whim);
            best = best.max(liked);
            if liked > low {
                low = liked;
                self.new_best(index, rank, &node, score, report);
                if liked >= node.beta {
                    break;
                }
            }
        }
        best
    }

    /// The score of a move that leads to `after`; `alpha` and `beta` are bounds of what is felt.
    fn try_move(&mut self, after: &State<R>, node: &Node, alpha: Score, beta: Score, whim: i32) -> Score {
        let child = node.child(shifted(alpha, -whim), shifted(beta, -whim), node.depth - 1);
        -self.thread.search(after, child)
    }

    /// The move `index` is the best so far from `rank` on.
    fn new_best(&mut self, index: usize, rank: usize, node: &Node, score: Score, report: Report<'_, R>) {
        let bound =
            if felt(score, self.lines[index].whim) >= node.beta { Bound::Lower } else { Bound::Exact };
        let mut pv = vec![self.lines[index].info.pv[0]];
        pv.extend_from_slice(&self.thread.memory.frames[1].pv);
        let changed = index > rank && self.lines[rank].info.depth > 0;
        self.lines[rank..=index].rotate_right(1);
        self.lines[rank].info = self.thread.info(node.depth as u32, score, bound, &pv);
        if changed {
            self.tell(1, report);
        }
    }
}
