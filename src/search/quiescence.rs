//! The leaves: captures are compulsory, so all of them are played out before a position is evaluated.

use super::alphabeta::Node;
use super::thread::Thread;
use crate::movegen;
use crate::position::Move;
use crate::referee::State;
use crate::rules::{Rules, Word};
use crate::score::Score;

impl<R: Rules> Thread<'_, R> {
    /// Plays out captures; in Konane, where every move is one, evaluates.
    pub fn quiescence(&mut self, state: &State<R>, node: Node) -> Score {
        let ply = node.ply;
        if let Some(score) = self.end_of_line(state, ply) {
            return score;
        }
        let mut moves = std::mem::take(&mut self.memory.frames[ply].moves);
        moves.clear();
        // Where a capture is not compulsory, the side to move may also leave it.
        let may_pass = R::MOVES.konane || movegen::captures::<R>(&state.position, &mut moves);
        self.count_moves(moves.len());
        if moves.is_empty() {
            self.memory.frames[ply].moves = moves;
            return self.quiet(state, node);
        }
        let score = self.play_captures(state, node, &moves, may_pass);
        self.memory.frames[ply].moves = moves;
        score
    }

    /// A position without captures.
    fn quiet(&mut self, state: &State<R>, node: Node) -> Score {
        if !self.can_move(state, node.ply) {
            return self.no_moves(node.ply);
        }
        if let Some(score) = self.look_up(state, node.ply) {
            self.count_leaf(node.ply);
            return score;
        }
        if node.threats > 0 && self.is_threatened(state) {
            // The node is counted again there.
            self.nodes -= 1;
            return self.search(state, Node { depth: 1, threats: node.threats - 1, ..node });
        }
        self.leaf(state, node.ply)
    }

    fn play_captures(
        &mut self,
        state: &State<R>,
        node: Node,
        moves: &[Move<Word<R>>],
        may_pass: bool,
    ) -> Score {
        let mut best = -Score::INFINITE;
        if may_pass {
            best = self.leaf(state, node.ply);
            if best >= node.beta {
                return best;
            }
        }
        let mut alpha = node.alpha.max(best);
        for mv in moves {
            let after = self.enter(state, mv);
            let score = -self.quiescence(&after, node.child(alpha, node.beta, 0));
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

    /// Whether the side to move has a legal move, the king limit included.
    #[inline]
    fn can_move(&mut self, state: &State<R>, ply: usize) -> bool {
        if state.forbidden_king(self.shared.draws()).is_none() {
            return movegen::can_move::<R>(&state.position);
        }
        let moves = &mut self.memory.frames[ply].moves;
        moves.clear();
        state.legal_moves(self.shared.draws(), moves);
        !moves.is_empty()
    }

    /// Whether the opponent could capture if it were its turn.
    #[inline]
    fn is_threatened(&self, state: &State<R>) -> bool {
        let mut position = state.position;
        position.turn = position.turn.other();
        !R::MOVES.konane && movegen::can_capture::<R>(&position)
    }

    /// Evaluates a leaf.
    #[inline]
    pub fn leaf(&mut self, state: &State<R>, ply: usize) -> Score {
        self.count_leaf(ply);
        self.shared.manner.judge(self.shared.eval.score::<R>(&state.position), &state.position)
    }
}
