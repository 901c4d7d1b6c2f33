//! In which order moves are tried.

use super::history::{History, Quiet};
use super::table::CODE_BITS;
use super::tunables::Tunables;
use crate::bits::Bits;
use crate::position::{Move, Position};

/// Bits that tell captures with the same start and end apart.
const HASH_BITS: u32 = CODE_BITS - 14;

const TABLE_MOVE: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 18;
const PROMOTION: i32 = 1 << 17;
const KILLER: i32 = 1 << 16;

/// A move as a small number for tables: start, end and a hash of the captured set; never 0.
#[inline]
pub(super) fn code<B: Bits>(mv: &Move<B>) -> u32 {
    let squares = u32::from(mv.from) | u32::from(mv.to) << 7;
    if !mv.is_capture() {
        return squares;
    }
    let wide = mv.captured.to_u128();
    let folded = (wide as u64 ^ (wide >> 64) as u64).wrapping_add(u64::from(mv.promotes));
    let hash = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASH_BITS);
    squares | (hash as u32 | 1) << 14
}

/// What ordering knows beside the moves.
pub(super) struct Hints<'a> {
    /// Code of the table's move, or 0.
    pub table: u32,
    /// Codes of the moves that lately refuted a sister node.
    pub killers: [u32; 2],
    /// Where the move before has ended.
    pub before: u8,
    pub history: &'a History,
    pub tunables: &'a Tunables,
}

/// Scores moves for [`pick`]; greater is earlier. Equal scores keep the order of generation.
#[inline]
pub(super) fn rate<B: Bits>(position: &Position<B>, moves: &[Move<B>], hints: &Hints, scores: &mut Vec<i32>) {
    let side = position.turn as usize;
    scores.clear();
    scores.extend(moves.iter().map(|mv| {
        let code = code(mv);
        if code == hints.table {
            TABLE_MOVE
        } else if mv.is_capture() {
            let kings = (mv.captured & position.kings).count();
            CAPTURE + 256 * (mv.captured.count() + kings) as i32 + i32::from(mv.promotes) * 128
        } else if mv.promotes {
            PROMOTION
        } else if code == hints.killers[0] {
            KILLER + 1
        } else if code == hints.killers[1] {
            KILLER
        } else {
            let quiet = Quiet { side, before: hints.before, from: mv.from, to: mv.to };
            hints.history.get(quiet) + hints.history.reply(quiet) * hints.tunables.replies / 100
        }
    }));
}

/// Brings the best of the moves from `index` on to `index`; ties go to the first.
#[inline]
pub(super) fn pick<B: Copy>(moves: &mut [Move<B>], scores: &mut [i32], index: usize) -> Move<B> {
    let mut best = index;
    for other in index + 1..scores.len() {
        if scores[other] > scores[best] {
            best = other;
        }
    }
    moves.swap(index, best);
    scores.swap(index, best);
    moves[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;

    #[test]
    fn table_move_then_captures_then_killers_then_history() {
        let quiet = |from, to| Move::<u64> { captured: 0, from, to, promotes: false };
        let mut moves = vec![
            quiet(1, 2),
            quiet(3, 4),
            Move { captured: 1 << 9, ..quiet(5, 6) },
            Move { captured: 3 << 9, ..quiet(5, 7) },
            quiet(8, 9),
            quiet(10, 11),
            Move { promotes: true, ..quiet(12, 13) },
        ];
        let mut history = History::new(64);
        history.update(Quiet { side: 0, before: 0, from: 3, to: 4 }, 500);
        let hints = Hints {
            table: code(&moves[5]),
            killers: [code(&moves[4]), 0],
            before: 0,
            history: &history,
            tunables: &Tunables::default(),
        };
        let position = Position { pieces: [0, 0], kings: 0, turn: Side::White };
        let mut scores = Vec::new();
        rate(&position, &moves, &hints, &mut scores);
        let order: Vec<_> = (0..moves.len()).map(|i| pick(&mut moves, &mut scores, i).from).collect();
        assert_eq!(order, [10, 5, 5, 12, 8, 3, 1]);
        assert_eq!(moves[1].to, 7, "the greater capture first");
    }

    #[test]
    fn codes_tell_captures_apart() {
        let mv = Move::<u64> { captured: 0, from: 127, to: 127, promotes: false };
        let codes: std::collections::HashSet<_> =
            (0..40).map(|bit| code(&Move { captured: 1u64 << bit, ..mv })).collect();
        assert!(codes.len() > 16, "{}", codes.len());
        assert!(codes.iter().all(|&code| code < 1 << CODE_BITS && code != 0));
    }
}
