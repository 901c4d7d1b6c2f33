//! What the search remembers about quiet moves, by start and end square; ignorant of rules.

use crate::board::MAX_BITS;

/// History scores stay within these bounds.
const HISTORY_MAX: i32 = 8192;

/// How well the quiet moves of each side have done.
pub(super) struct History {
    /// By side, start bit and end bit.
    scores: Vec<i16>,
    /// Bits of the board's word: start and end are below it.
    width: usize,
}

impl History {
    /// A history of nothing, for words of `width` bits.
    pub fn new(width: usize) -> Self {
        debug_assert!(width <= MAX_BITS);
        Self { scores: vec![0; 2 * width * width], width }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.scores.fill(0);
    }

    #[inline(always)]
    fn index(&self, side: usize, from: u8, to: u8) -> usize {
        (side * self.width + from as usize) * self.width + to as usize
    }

    /// How well a move has done: within ±[`HISTORY_MAX`].
    #[inline(always)]
    pub fn get(&self, side: usize, from: u8, to: u8) -> i32 {
        i32::from(self.scores[self.index(side, from, to)])
    }

    /// Moves the score of a move towards the bound that `bonus` points to, the faster the farther it is from there.
    pub fn update(&mut self, side: usize, from: u8, to: u8, bonus: i32) {
        let index = self.index(side, from, to);
        let old = i32::from(self.scores[index]);
        self.scores[index] = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

/// The bonus of a move that was best at `depth`, in plies.
pub(super) fn bonus(depth: i32) -> i32 {
    (depth * depth * 16).min(1600)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_bounds_and_apart() {
        let mut history = History::new(64);
        for _ in 0..1000 {
            history.update(0, 63, 62, bonus(40));
            history.update(1, 63, 62, -bonus(40));
        }
        let (good, bad) = (history.get(0, 63, 62), history.get(1, 63, 62));
        assert!(good > HISTORY_MAX * 9 / 10 && good <= HISTORY_MAX);
        assert!((-HISTORY_MAX..-HISTORY_MAX * 9 / 10).contains(&bad));
        assert_eq!(history.get(0, 62, 63), 0);
    }
}
