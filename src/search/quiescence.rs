//! The leaves: captures are compulsory, so all of them are played out before a position is evaluated.

use super::MAX_PLY;
use super::alphabeta::Node;
use super::thread::Thread;
use crate::movegen;
use crate::referee::State;
use crate::rules::Rules;
use crate::score::Score;

impl<R: Rules> Thread<'_, R> {
    /// Plays out captures. `threats` is how often on a line a quiet position in which the opponent threatens to
    /// capture is searched one ply further.
    pub fn quiescence(&mut self, state: &State<R>, node: Node, threats: i32) -> Score {
        let _ = threats;
        if self.count_node() {
            return Score::DRAW;
        }
        let ply = node.ply;
        self.memory.frames[ply].pv.clear();
        if let Some(score) = self.end_of_game(state, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.leaf(state, ply);
        }
        let mut moves = std::mem::take(&mut self.memory.frames[ply].moves);
        moves.clear();
        let quiet = R::MOVES.konane || movegen::captures::<R>(&state.position, &mut moves);
        self.count_moves(moves.len());
        let score = self.play_captures(state, node, &moves, quiet);
        self.memory.frames[ply].moves = moves;
        score
    }

    fn play_captures(
        &mut self,
        state: &State<R>,
        node: Node,
        moves: &[crate::position::Move<crate::rules::Word<R>>],
        quiet: bool,
    ) -> Score {
        let mut best = -Score::INFINITE;
        let mut alpha = node.alpha;
        if quiet {
            if !self.can_move(state) {
                return self.no_moves(state, node.ply);
            }
            best = self.leaf(state, node.ply);
            alpha = alpha.max(best);
            if best >= node.beta {
                return best;
            }
        }
        for mv in moves {
            let after = self.enter(state, mv);
            let score = -self.quiescence(&after, node.child(alpha, node.beta, 0), 0);
            self.leave();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= node.beta {
                    break;
                }
            }
        }
        best
    }

    /// Whether the side to move has a legal move.
    #[inline]
    fn can_move(&self, state: &State<R>) -> bool {
        if state.forbidden_king(self.shared.draws()).is_some() {
            let mut moves = Vec::new();
            state.legal_moves(self.shared.draws(), &mut moves);
            return !moves.is_empty();
        }
        movegen::can_move::<R>(&state.position)
    }

    /// Evaluates a leaf.
    #[inline]
    pub fn leaf(&mut self, state: &State<R>, ply: usize) -> Score {
        self.count_leaf(ply);
        self.shared.eval.score::<R>(&state.position)
    }
}
