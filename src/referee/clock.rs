//! The counters that history adds to a position.

use super::ending::{Material, tag};
use crate::bits::Bits;
use crate::board::{Board, MAX_BITS, Side};
use crate::position::{Move, Position};
use crate::rules::draws::{Draws, MAX_ENDINGS};
use crate::rules::{Rules, Word};

/// Counters, in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Quiet king moves in a row.
    pub king_moves: u16,
    /// Plies since the last capture.
    pub no_capture: u16,
    /// Plies since the last move that can never be undone; no earlier position can come again.
    pub reversible: u16,
    /// How long each ending of the draw rules has lasted.
    pub endings: [u16; MAX_ENDINGS],
    /// For each side that has a man and a king, the king that moved last and how often in a row.
    king_runs: [KingRun; 2],
}

/// Quiet moves of one king in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct KingRun {
    square: u8,
    moves: u8,
}

/// Quiet moves in a row that a king may make while its side has a man (Frisian, Art. 17).
const KING_LIMIT: u8 = 3;

impl Clock {
    /// No counts but those of kings: for each side the bit where a king stands and how often in a row it has moved, 0 to
    /// 3, and 0 unless the side has a man.
    pub fn with_king_runs(runs: [(u8, u8); 2]) -> Self {
        let king_runs = runs.map(|(square, moves)| match moves {
            0 => KingRun::default(),
            _ => KingRun { square, moves },
        });
        Self { king_runs, ..Self::default() }
    }

    /// As [`Clock::with_king_runs`] takes them: for each side the bit where the king that moved last stands, and how often
    /// in a row it has moved.
    pub fn king_runs(&self) -> [(u8, u8); 2] {
        self.king_runs.map(|run| (run.square, run.moves))
    }

    /// The counters after `mv`, which leads from `before` to `after`.
    #[inline]
    pub(super) fn after<R: Rules>(
        &self,
        draws: &Draws,
        before: &Position<Word<R>>,
        mv: &Move<Word<R>>,
        after: &Position<Word<R>>,
    ) -> Self {
        let king = before.kings.meets(Word::<R>::bit(mv.from as usize));
        let quiet_king = king && !mv.is_capture();
        let stays = quiet_king || R::MOVES.men_step_sideways() && steps_sideways::<R>(mv);
        Self {
            king_moves: if quiet_king { self.king_moves.saturating_add(1) } else { 0 },
            no_capture: if mv.is_capture() { 0 } else { self.no_capture.saturating_add(1) },
            reversible: if stays { self.reversible.saturating_add(1) } else { 0 },
            endings: self.endings_after::<R>(draws, before, after),
            king_runs: if draws.king_limit {
                self.king_runs_after(before.turn, quiet_king, mv.from, mv.to, after)
            } else {
                [KingRun::default(); 2]
            },
        }
    }

    /// A class goes on if it held before and after the move with the same tag.
    #[inline]
    fn endings_after<R: Rules>(
        &self,
        draws: &Draws,
        before: &Position<Word<R>>,
        after: &Position<Word<R>>,
    ) -> [u16; MAX_ENDINGS] {
        let mut counts = [0; MAX_ENDINGS];
        if draws.endings.is_empty() || after.kings.is_empty() {
            return counts;
        }
        let (was, is) = (Material::of::<R>(before), Material::of::<R>(after));
        for ((count, &old), ending) in counts.iter_mut().zip(&self.endings).zip(draws.endings) {
            let now = tag(ending.class, &is);
            if now.is_some() && now == tag(ending.class, &was) {
                *count = old.saturating_add(1);
            }
        }
        counts
    }

    fn king_runs_after<B: Bits>(
        &self,
        mover: Side,
        quiet_king: bool,
        from: u8,
        to: u8,
        after: &Position<B>,
    ) -> [KingRun; 2] {
        let mut runs = self.king_runs;
        let run = &mut runs[mover as usize];
        *run = match (quiet_king, run.moves) {
            (false, _) => KingRun::default(),
            (true, moves) if moves > 0 && run.square == from => KingRun { square: to, moves: moves + 1 },
            (true, _) => KingRun { square: to, moves: 1 },
        };
        for side in Side::BOTH {
            let run = &mut runs[side as usize];
            if after.men(side).is_empty() || !after.kings(side).meets(B::bit(run.square as usize)) {
                *run = KingRun::default();
            }
        }
        runs
    }

    /// The king of `side` that may not move quietly now.
    pub(super) fn tired_king(&self, side: Side) -> Option<u8> {
        let run = self.king_runs[side as usize];
        (run.moves >= KING_LIMIT).then_some(run.square)
    }

    /// What the king runs add to a position key; 0 without any.
    pub(super) fn king_run_key(&self) -> u64 {
        let [white, black] =
            self.king_runs.map(|run| u64::from(run.moves) * MAX_BITS as u64 + u64::from(run.square));
        white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
    }
}

/// Whether a quiet man move goes sideways; a capture never counts as one.
#[inline]
fn steps_sideways<R: Rules>(mv: &Move<Word<R>>) -> bool {
    let layout = const { &R::Board::LAYOUT };
    let rank = |bit: u8| layout.file_rank(layout.square_of[bit as usize] as usize).1;
    !mv.is_capture() && rank(mv.from) == rank(mv.to)
}
