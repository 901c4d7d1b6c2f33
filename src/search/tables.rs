//! Endgame tables in the search.
//!
//! While the root has more pieces than the tables, a node that is in them is worth what they say. Once the root itself is in
//! them, that would leave nothing to choose by: then only moves that keep its value are looked at, and if there are tables
//! of distances those on the shortest way to a win, or the longest to a loss. Nodes with as many pieces as the root are
//! searched on; where the root is won, those that let the win go are worth what the tables say, so that the search finds
//! its way among won positions. Nodes with fewer pieces are worth what the tables say.

use super::thread::Thread;
use crate::bits::Bits;
use crate::egdb::{Prober, Value};
use crate::movegen::MoveList;
use crate::position::Position;
use crate::referee::State;
use crate::rules::{Rules, Word};
use crate::score::Score;

/// What a search does with tables.
#[derive(Debug)]
pub(super) struct Guide<'a, R: Rules> {
    prober: Option<&'a Prober<Word<R>>>,
    /// Nodes with at most so many pieces are looked up; 0 without tables.
    most: u32,
    /// Pieces of the root if it is in the tables, and its value.
    root: Option<(u32, Value)>,
}

impl<'a, R: Rules> Guide<'a, R> {
    /// For a search from `position`.
    pub fn new(prober: Option<&'a Prober<Word<R>>>, position: &Position<Word<R>>) -> Self {
        let most = prober.map_or(0, Prober::most_pieces);
        let pieces = position.occupied().count();
        let value = prober.filter(|_| pieces <= most).and_then(|prober| prober.probe(position));
        let root = value.map(|value| (pieces, value));
        // In a drawn or lost position nothing is to be learnt from others with as many pieces.
        let most = match root {
            Some((pieces, Value::Draw | Value::Loss)) => pieces - 1,
            _ => most,
        };
        Self { prober, most, root }
    }

    /// The value of the root, if it is in the tables.
    pub fn root(&self) -> Option<Value> {
        self.root.map(|(_, value)| value)
    }

    /// Mixed into the keys of the hash table: scores found with other uses of the tables mean something else.
    pub fn salt(&self) -> u64 {
        self.root.map_or(0, |(pieces, value)| {
            (u64::from(pieces) << 2 | value as u64).wrapping_add(1).wrapping_mul(0xd1b5_4a32_d192_ed03)
        })
    }

    /// The moves that keep the value of the root, and of these the quickest or slowest if that is known. All of them where
    /// the tables do not know enough.
    pub fn choose(&self, position: &Position<Word<R>>, moves: MoveList<R>) -> MoveList<R> {
        let (Some(prober), Some((_, value))) = (self.prober, self.root) else { return moves };
        let kept: MoveList<R> = moves
            .iter()
            .filter(|mv| prober.probe(&position.make(mv)).is_some_and(|after| -after == value))
            .copied()
            .collect();
        if kept.is_empty() {
            return moves;
        }
        let plies = |mv: &&crate::position::Move<Word<R>>| prober.distance(&position.make(mv));
        let known: Option<Vec<u16>> = kept.iter().map(|mv| plies(&mv)).collect();
        let best = known.as_ref().and_then(|all| match value {
            Value::Win => all.iter().copied().min(),
            Value::Loss => all.iter().copied().max(),
            Value::Draw => None,
        });
        match (known, best) {
            (Some(all), Some(best)) => {
                kept.into_iter().zip(all).filter(|(_, plies)| *plies == best).map(|(mv, _)| mv).collect()
            }
            _ => kept,
        }
    }

    /// The score of the root as it is told: what the tables know is not doubted.
    pub fn told(&self, score: Score) -> Score {
        match self.root() {
            Some(Value::Win) if !score.is_win() => Score::table_win(0),
            Some(Value::Loss) if !score.is_loss() => Score::table_loss(0),
            Some(Value::Draw) => Score::DRAW,
            _ => score,
        }
    }
}

impl<R: Rules> Thread<'_, R> {
    /// The score of a position without a capture that the tables know; `None` where the search goes on.
    #[inline(always)]
    pub fn look_up(&self, state: &State<R>, ply: usize) -> Option<Score> {
        let guide = &self.shared.guide;
        if state.position.occupied().count() > guide.most || ply == 0 {
            return None;
        }
        self.look_up_known(state, ply)
    }

    /// The same of a position with these moves.
    #[inline(always)]
    pub fn look_up_quiet(&mut self, state: &State<R>, ply: usize, moves: &MoveList<R>) -> Option<Score> {
        if moves.first().is_none_or(|mv| mv.is_capture()) {
            return None;
        }
        let score = self.look_up(state, ply)?;
        self.count_leaf(ply);
        Some(score)
    }

    #[cold]
    #[inline(never)]
    fn look_up_known(&self, state: &State<R>, ply: usize) -> Option<Score> {
        let guide = &self.shared.guide;
        let value = guide.prober?.probe_quiet(&state.position)?;
        let pieces = state.position.occupied().count();
        // The side that wins at the root moves at even plies.
        let mine = if ply % 2 == 0 { value } else { -value };
        if guide.root.is_some_and(|(root, _)| root == pieces) && mine == Value::Win {
            return None;
        }
        Some(match value {
            Value::Win => Score::table_win(ply as u32),
            Value::Draw => self.shared.manner.draw(state.position.turn),
            Value::Loss => Score::table_loss(ply as u32),
        })
    }
}
