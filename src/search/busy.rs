//! Which moves other threads are looking at right now, so that a thread can take another first and find the result in the
//! table later (ABDADA in the simple form of Tom Kerrigan, "Simplified ABDADA", 2017).
//!
//! It is a matter of speed alone: a lost or foreign entry costs a little time.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Entries, and how many of them may hold a move.
const SIZE: usize = 1 << 14;
const WAYS: usize = 4;
/// Nodes with less depth are not worth the trouble.
const DEPTH: i32 = 4;

/// The moves that are being searched, by all threads of a search.
pub(super) struct Busy {
    /// Numbers of moves; 0 is none. Empty with one thread.
    entries: Box<[AtomicU32]>,
}

/// A move in a position, while it is being searched.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    number: u32,
    place: usize,
}

impl Busy {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        let size = if threads > 1 { SIZE } else { 0 };
        Self { entries: (0..size).map(|_| AtomicU32::new(0)).collect() }
    }

    /// The mark of a move by its code in the position with this key; `None` if nobody needs it.
    #[inline(always)]
    pub fn mark(&self, key: u64, code: u32, depth: i32) -> Option<Mark> {
        if self.entries.is_empty() || depth < DEPTH {
            return None;
        }
        let mixed = (key ^ u64::from(code) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(Mark { number: (mixed >> 32) as u32 | 1, place: mixed as usize & (SIZE - 1) & !(WAYS - 1) })
    }

    fn ways(&self, mark: Mark) -> &[AtomicU32] {
        &self.entries[mark.place..mark.place + WAYS]
    }

    /// Whether a thread is searching the move.
    pub fn has(&self, mark: Mark) -> bool {
        self.ways(mark).iter().any(|entry| entry.load(Relaxed) == mark.number)
    }

    /// The move is being searched from now on.
    pub fn enter(&self, mark: Mark) {
        let ways = self.ways(mark);
        let free = ways.iter().find(|entry| entry.load(Relaxed) == 0).unwrap_or(&ways[0]);
        free.store(mark.number, Relaxed);
    }

    /// It is not any more.
    pub fn leave(&self, mark: Mark) {
        let mine = self.ways(mark).iter().find(|entry| entry.load(Relaxed) == mark.number);
        mine.inspect(|entry| entry.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_until_they_are_taken_away() {
        let busy = Busy::new(2);
        let marks: Vec<_> = (0..3).filter_map(|code| busy.mark(77, code, 9)).collect();
        marks.iter().for_each(|&mark| busy.enter(mark));
        assert!(marks.iter().all(|&mark| busy.has(mark)));
        busy.leave(marks[1]);
        assert_eq!(marks.iter().filter(|&&mark| busy.has(mark)).count(), 2);
        assert!(busy.mark(77, 9, 9).is_some_and(|mark| !busy.has(mark)));
    }

    #[test]
    fn one_thread_has_none() {
        assert!(Busy::new(1).mark(1, 1, 99).is_none() && Busy::new(2).mark(1, 1, 1).is_none());
    }
}
