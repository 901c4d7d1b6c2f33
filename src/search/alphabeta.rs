//! The tree above the leaves.

use super::MAX_PLY;
use super::history::Quiet;
use super::order::{Hints, code, pick, rate};
use super::table::{Bound, Entry, MAX_DEPTH};
use super::thread::Thread;
use crate::bits::Bits;
use crate::position::Move;
use crate::referee::{State, times_stood};
use crate::rules::{Goal, Rules, Word};
use crate::score::Score;

/// A node to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub alpha: Score,
    pub beta: Score,
    /// Plies to go.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// How often the leaves below may still look one ply further because the opponent threatens to capture.
    pub threats: i32,
    /// Whether a shallow search with a margin may cut the node off.
    pub prune: bool,
}

impl Node {
    /// Whether an exact score is wanted.
    #[inline(always)]
    pub fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }
    /// The node after a move, seen from the other side.
    #[inline(always)]
    pub fn child(&self, alpha: Score, beta: Score, depth: i32) -> Self {
        Self { alpha: -beta, beta: -alpha, depth, ply: self.ply + 1, ..*self }
    }
}

/// How often a position must stand in the search to be taken for a draw: who can repeat once can repeat again.
const STOOD_IN_SEARCH: usize = 2;
/// When a count of the draw rules has so few plies to go, it becomes part of the table's key, since from there on a
/// search may run into the draw.
const NEAR_DRAW: u16 = 32;

impl<R: Rules> Thread<'_, R> {
    /// Searches a node; the score is fail-soft. Means nothing once the thread has stopped.
    pub fn search(&mut self, state: &State<R>, node: Node) -> Score {
        // Step 1. Leaves.
        if node.depth <= 0 {
            return self.quiescence(state, node);
        }
        let ply = node.ply;
        // Step 2. The end of the search, of the game by the rules, and of the line.
        if let Some(score) = self.end_of_line(state, ply) {
            return score;
        }
        // Step 3. No win or loss is nearer than the line that leads here is long.
        let mut node = node;
        node.alpha = node.alpha.max(Score::loss_in(ply as u32));
        node.beta = node.beta.min(Score::win_in(ply as u32));
        if node.alpha >= node.beta {
            return node.alpha;
        }
        // Step 4. The table.
        let key = self.table_key(state);
        let known = self.shared.table.probe(key);
        if let Some(score) = known.as_ref().and_then(|entry| cutoff(entry, &node)) {
            return score;
        }
        // Step 5. A shallow search that beats beta clearly. (Null moves are no use: to have to move is
        // often the trouble.)
        if let Some(score) = self.probcut(state, &node) {
            return score;
        }
        // Step 6. Nothing is known of the node: it is not worth the full depth.
        if known.is_none_or(|entry| entry.code == 0) && node.depth >= self.tunables.iir_depth {
            node.depth -= 1;
        }
        if self.stopped {
            return Score::DRAW;
        }
        // Step 7. Moves.
        let mut moves = std::mem::take(&mut self.memory.frames[ply].moves);
        let mut scores = std::mem::take(&mut self.memory.frames[ply].scores);
        moves.clear();
        state.legal_moves(self.shared.draws(), &mut moves);
        self.count_moves(moves.len());
        // Step 8. Endgame tables, which know positions without captures.
        if let Some(score) = self.look_up_quiet(state, ply, &moves) {
            self.memory.frames[ply].moves = moves;
            self.memory.frames[ply].scores = scores;
            return score;
        }
        self.shared.manner.overlook(ply, key, &mut moves);
        let score = if moves.is_empty() {
            self.no_moves(ply)
        } else {
            let hints = Hints {
                table: known.map_or(0, |entry| entry.code),
                killers: self.memory.frames[ply].killers,
                before: self.memory.ends[self.memory.ends.len() - 1],
                history: &self.memory.history,
                tunables: &self.tunables,
            };
            rate(&state.position, &moves, &hints, &mut scores);
            self.search_moves(state, node, key, &mut moves, &mut scores)
        };
        self.memory.frames[ply].moves = moves;
        self.memory.frames[ply].scores = scores;
        score
    }

    /// Counts a node, and scores it if no move is to be looked at.
    #[inline(always)]
    pub fn end_of_line(&mut self, state: &State<R>, ply: usize) -> Option<Score> {
        if self.count_node() {
            return Some(Score::DRAW);
        }
        self.memory.frames[ply].pv.clear();
        self.end_of_game(state, ply).or_else(|| (ply >= MAX_PLY).then(|| self.leaf(state, ply)))
    }

    /// Whether a shallow search with a margin shows that the node fails high. Only one level deep, and not among kings
    /// alone, where one move changes much.
    fn probcut(&mut self, state: &State<R>, node: &Node) -> Option<Score> {
        let t = &self.tunables;
        if !node.prune || node.is_pv() || node.depth < t.probcut_depth || node.beta.is_decided() {
            return None;
        }
        if state.position.occupied() == state.position.kings {
            return None;
        }
        let beta = node.beta + t.probcut_margin * node.depth;
        let depth = node.depth * t.probcut_share / 100;
        let score = self.search(state, Node { alpha: beta - 1, beta, depth, prune: false, ..*node });
        (score >= beta && !self.stopped).then_some(score)
    }

    /// Searches the moves of a node, best first, and stores what was found.
    fn search_moves(
        &mut self,
        state: &State<R>,
        node: Node,
        key: u64,
        moves: &mut [Move<Word<R>>],
        scores: &mut [i32],
    ) -> Score {
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut alpha = node.alpha;
        let single = moves.len() == 1;
        let mut put_off = std::mem::take(&mut self.memory.frames[node.ply].put_off);
        put_off.clear();
        let mut turn = 0;
        while turn < moves.len() + put_off.len() {
            let again = turn >= moves.len();
            let index = if again { put_off[turn - moves.len()] } else { turn };
            let mv = if again { moves[index] } else { pick(moves, scores, index) };
            turn += 1;
            let number = code(&mv);
            // Step 9. At little depth the last of many moves hardly matter.
            if !best.is_loss() && self.is_hopeless(&node, &mv, index) {
                continue;
            }
            // Step 10. What another thread is at will be known soon.
            let mark = self.shared.busy.mark(key, number, node.depth);
            if !again && index > 0 && mark.is_some_and(|mark| self.shared.busy.has(mark)) {
                put_off.push(index);
                continue;
            }
            mark.inspect(|&mark| self.shared.busy.enter(mark));
            // Step 11. A single reply costs no depth.
            let depth = node.depth - 1 + i32::from(single);
            let after = self.enter(state, &mv);
            if depth > 0 {
                self.shared.table.prefetch(self.key());
            }
            let reduction = self.reduction(&node, &mv, index);
            let score = self.search_move(&after, &node, alpha, depth, reduction, index == 0);
            self.leave();
            mark.inspect(|&mark| self.shared.busy.leave(mark));
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if node.is_pv() {
                        self.take_pv(node.ply, &mv);
                    }
                    if score >= node.beta {
                        self.learn(state, &node, &moves[..=index]);
                        break;
                    }
                }
            }
        }
        self.memory.frames[node.ply].put_off = put_off;
        // Step 13. Remember.
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            code: best_move.map_or(0, |mv| code(&mv)),
            score: best.to_table(node.ply as u32),
            eval: None,
            depth: node.depth.min(i32::from(MAX_DEPTH)) as u8,
            bound,
        };
        self.shared.table.store(key, &entry);
        best
    }

    /// Step 12. Principal variation search: moves after the first need only be shown to be no better.
    #[inline(always)]
    fn search_move(
        &mut self,
        after: &State<R>,
        node: &Node,
        alpha: Score,
        depth: i32,
        reduction: i32,
        first: bool,
    ) -> Score {
        let mut score = -Score::INFINITE;
        if !first {
            score = -self.search(after, node.child(alpha, alpha + 1, depth - reduction));
            if reduction > 0 && score > alpha {
                score = -self.search(after, node.child(alpha, alpha + 1, depth));
            }
        }
        if first || score > alpha && node.is_pv() {
            score = -self.search(after, node.child(alpha, node.beta, depth));
        }
        score
    }

    /// The last of `tried` has refuted the node: reward it if it is quiet, and hold it against those before it.
    fn learn(&mut self, state: &State<R>, node: &Node, tried: &[Move<Word<R>>]) {
        let Some((mv, others)) = tried.split_last() else { return };
        if mv.is_capture() {
            return;
        }
        let killers = &mut self.memory.frames[node.ply].killers;
        let code = code(mv);
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let bonus = (self.tunables.bonus * node.depth * node.depth).min(self.tunables.bonus_max);
        let before = self.memory.ends[self.memory.ends.len() - 1];
        let side = state.position.turn as usize;
        let quiet = |mv: &Move<Word<R>>| Quiet { side, before, from: mv.from, to: mv.to };
        self.memory.history.update(quiet(mv), bonus);
        for other in others.iter().filter(|other| !other.is_capture()) {
            self.memory.history.update(quiet(other), -bonus);
        }
    }

    /// How many plies a late move loses.
    #[inline]
    fn reduction(&self, node: &Node, mv: &Move<Word<R>>, index: usize) -> i32 {
        let t = &self.tunables;
        let first = if node.is_pv() { t.late_pv } else { t.late };
        let index = index as i32;
        if node.depth < t.late_depth || index < first || mv.is_capture() || mv.promotes {
            return 0;
        }
        1 + i32::from(index >= t.very_late && !node.is_pv())
    }

    /// Whether a move need not be looked at.
    #[inline]
    fn is_hopeless(&self, node: &Node, mv: &Move<Word<R>>, index: usize) -> bool {
        let t = &self.tunables;
        node.depth <= t.prune_depth
            && index as i32 >= t.prune_index + node.depth * node.depth
            && !node.is_pv()
            && !mv.is_capture()
            && !mv.promotes
    }

    /// Puts `mv` before the line of the next ply.
    fn take_pv(&mut self, ply: usize, mv: &Move<Word<R>>) {
        let (here, below) = self.memory.frames.split_at_mut(ply + 1);
        let pv = &mut here[ply].pv;
        pv.clear();
        pv.push(*mv);
        pv.extend_from_slice(&below[0].pv);
    }

    /// What the position is worth if the rules end the game here, from the side to move.
    #[inline]
    pub fn end_of_game(&mut self, state: &State<R>, ply: usize) -> Option<Score> {
        if state.breakthrough(self.shared.goal()).is_some() {
            return Some(Score::loss_in(ply as u32));
        }
        let draws = self.shared.draws();
        let stood = times_stood(&self.memory.keys, state.clock.reversible);
        let repeats = draws.repetition != 0 && stood >= STOOD_IN_SEARCH;
        let stood = if repeats { draws.repetition as usize } else { stood };
        let verdict = state.count_out(draws, stood)?;
        // A side without a move has lost, whatever the counts say.
        let mut moves = std::mem::take(&mut self.memory.frames[ply].moves);
        moves.clear();
        state.legal_moves(draws, &mut moves);
        let stuck = moves.is_empty();
        self.memory.frames[ply].moves = moves;
        if stuck {
            return Some(self.no_moves(ply));
        }
        Some(match verdict.winner {
            None => self.shared.manner.draw(state.position.turn),
            Some(winner) if winner == state.position.turn => Score::win_in(ply as u32),
            Some(_) => Score::loss_in(ply as u32),
        })
    }

    /// What it is worth to have no legal move.
    #[inline]
    pub fn no_moves(&mut self, ply: usize) -> Score {
        self.count_leaf(ply);
        if self.shared.goal() == Goal::Misere {
            Score::win_in(ply as u32)
        } else {
            Score::loss_in(ply as u32)
        }
    }

    /// The key under which the table knows the position: with the counts of the draw rules where they are near their
    /// end, so that a score from another history does not hide the draw.
    #[inline]
    pub fn table_key(&self, state: &State<R>) -> u64 {
        let (draws, clock) = (self.shared.draws(), &state.clock);
        let mut key = self.key() ^ self.shared.manner.salt;
        if draws.no_capture == 0 && state.position.kings.is_empty() {
            return key;
        }
        let mut mix = |count: u16, limit: u16, salt: u64| {
            if limit != 0 && count != 0 && limit.saturating_sub(count) <= NEAR_DRAW {
                key ^= ((u64::from(count) << 8) + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
        };
        mix(clock.king_moves, draws.king_moves, 1);
        mix(clock.no_capture, draws.no_capture, 2);
        for ((ending, &count), salt) in draws.endings.iter().zip(&clock.endings).zip(3..) {
            mix(count, ending.plies, salt);
        }
        key
    }
}

/// The score of a node that the table already knows well enough: to the depth wanted, or as a proof. In the principal
/// variation the line is wanted as well.
#[inline]
fn cutoff(entry: &Entry, node: &Node) -> Option<Score> {
    let shallow = i32::from(entry.depth) < node.depth;
    if node.is_pv() || shallow && entry.score.plies_to_end().is_none() {
        return None;
    }
    let score = entry.score.from_table(node.ply as u32);
    // A forced end is proved whatever the depth, but a deeper search may find a nearer one.
    let bound = match entry.bound {
        Bound::Exact if shallow && score.is_win() => Bound::Lower,
        Bound::Exact if shallow => Bound::Upper,
        bound if shallow && (bound == Bound::Lower) != score.is_win() => return None,
        bound => bound,
    };
    let holds = match bound {
        Bound::Exact => true,
        Bound::Lower => score >= node.beta,
        Bound::Upper => score <= node.alpha,
    };
    holds.then_some(score)
}

#[cfg(test)]
mod tests {
    use super::super::busy::Busy;
    use super::super::limits::Control;
    use super::super::manner::Manner;
    use super::super::table::Table;
    use super::super::tables::Guide;
    use super::super::thread::{Memory, Shared};
    use super::*;
    use crate::eval::Evaluator;
    use crate::notation::fen;
    use crate::rules::{English, Game, find};
    use std::sync::atomic::{AtomicBool, AtomicU64};
    use std::time::Instant;

    /// The score of an English ending after so many quiet king moves, on a table that may know it from other counts.
    fn score(table: &Table, text: &str, king_moves: u16, depth: i32) -> Score {
        let game = Game::new(find("english").unwrap());
        let control = Control::new();
        let position = fen::position::<English>(&game, text).unwrap();
        let shared = Shared {
            table,
            control: &control,
            game: &game,
            eval: Evaluator::new::<English>(&game, None),
            manner: Manner::default(),
            guide: Guide::new(None, &position),
            tunables: Default::default(),
            start: Instant::now(),
            hard: None,
            nodes: u64::MAX,
            busy: Busy::new(1),
            finished: AtomicBool::new(false),
            others: AtomicU64::new(0),
        };
        let mut memory = Memory::<English>::new();
        let mut thread = Thread::new(&shared, &mut memory, 0);
        let mut state = State::<English>::new(position);
        state.clock.king_moves = king_moves;
        thread.memory.keys.push(state.key(&game.draws));
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        thread.search(&state, Node { alpha, beta, depth, ply: 0, threats: 0, prune: true })
    }

    #[test]
    fn counts_that_run_out_are_draws_whatever_the_table_knows() {
        // Two kings against one are won, but not in the few plies that are left of 80; a capture would still count.
        let table = Table::new(14);
        let two_kings = "W:WK29,K30:BK4";
        assert!(score(&table, two_kings, 0, 10) > Score::new(100));
        for left in 1..=6 {
            let depth = i32::from(left) + 2;
            assert_eq!(score(&table, two_kings, 80 - left, depth), Score::DRAW, "{left} plies left");
        }
        assert!(score(&table, two_kings, 0, 10) > Score::new(100));
        assert!(score(&table, "W:WK14,K15:BK10", 79, 6).is_win(), "the last move captures");
    }
}
