//! What the search remembers about quiet moves, by squares; ignorant of rules.

use crate::board::MAX_BITS;

/// History scores stay within these bounds.
const HISTORY_MAX: i32 = 8192;

/// How well the quiet moves of each side have done.
pub(super) struct History {
    /// By side, start bit and end bit.
    scores: Vec<i16>,
    /// By side, end bit of the move before and end bit.
    replies: Vec<i16>,
    /// Bits of the board's word: start and end are below it.
    width: usize,
}

/// A quiet move as the history knows it: who moves where, and where the move before has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quiet {
    pub side: usize,
    pub before: u8,
    pub from: u8,
    pub to: u8,
}

impl History {
    /// A history of nothing, for words of `width` bits.
    pub fn new(width: usize) -> Self {
        debug_assert!(width <= MAX_BITS);
        let scores = || vec![0; 2 * width * width];
        Self { scores: scores(), replies: scores(), width }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.scores.fill(0);
        self.replies.fill(0);
    }

    #[inline(always)]
    fn index(&self, side: usize, from: u8, to: u8) -> usize {
        (side * self.width + from as usize) * self.width + to as usize
    }

    /// How well a move has done: within ±[`HISTORY_MAX`].
    #[inline(always)]
    pub fn get(&self, mv: Quiet) -> i32 {
        i32::from(self.scores[self.index(mv.side, mv.from, mv.to)])
    }

    /// How well a move has done in reply to the move before: within ±[`HISTORY_MAX`].
    #[inline(always)]
    pub fn reply(&self, mv: Quiet) -> i32 {
        i32::from(self.replies[self.index(mv.side, mv.before, mv.to)])
    }

    /// Moves the scores of a move towards the bound that `bonus` points to, the faster the farther they are from there.
    pub fn update(&mut self, mv: Quiet, bonus: i32) {
        let (index, reply) = (self.index(mv.side, mv.from, mv.to), self.index(mv.side, mv.before, mv.to));
        for score in [&mut self.scores[index], &mut self.replies[reply]] {
            let old = i32::from(*score);
            *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_bounds_and_apart() {
        let mut history = History::new(64);
        let mv = |side, from| Quiet { side, before: 5, from, to: 62 };
        for _ in 0..1000 {
            history.update(mv(0, 63), 1600);
            history.update(mv(1, 63), -1600);
        }
        let (good, bad) = (history.get(mv(0, 63)), history.get(mv(1, 63)));
        assert!(good > HISTORY_MAX * 9 / 10 && good <= HISTORY_MAX);
        assert!((-HISTORY_MAX..-HISTORY_MAX * 9 / 10).contains(&bad));
        assert_eq!(history.get(mv(0, 62)), 0);
        assert!(history.reply(mv(0, 62)) > 0, "another man that replies by the same square");
        assert_eq!(history.reply(Quiet { before: 6, ..mv(0, 62) }), 0);
    }
}
