//! The transposition table: shared by all threads without locks, and ignorant of rules.
//!
//! An entry is two words, the key xored with the data and the data. A reader that sees halves of two writes computes a
//! key that is not its own (Hyatt and Mann, "A lock-less transposition table", 2002). Four entries fill a cache line.
//!
//! A table costs no time to make or to empty, whatever its size: its memory is zeroed by the system, page by page, when
//! it is first touched.

use crate::memory::{self, Pair};
use crate::score::Score;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// It is the true score, to the depth searched.
    Exact = 3,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move as a number of at most [`CODE_BITS`] bits; 0 is none.
    pub code: u32,
    /// From the side to move, with distances counted from the position ([`Score::to_table`]).
    pub score: Score,
    /// The evaluation, if the position has one.
    pub eval: Option<Score>,
    /// Depth searched, in plies, at most [`MAX_DEPTH`].
    pub depth: u8,
    /// What `score` means.
    pub bound: Bound,
}

/// Bits of a move code.
pub const CODE_BITS: u32 = 20;
/// The greatest depth an entry can hold.
pub const MAX_DEPTH: u8 = 127;

const SLOTS: usize = 4;
const NO_EVAL: i32 = -8192;
const AGE_SHIFT: u32 = 58;
const AGES: u8 = 64;

const CACHE_LINE: usize = 64;

const _: () = assert!(size_of::<Pair>() * SLOTS == CACHE_LINE);

/// A table of 2^n entries of 16 bytes.
pub struct Table {
    /// Entries: key xor data, data. A few more than there are, so that clusters can begin at a cache line.
    slots: Box<[Pair]>,
    /// Where the first cluster begins.
    first: usize,
    /// The number of clusters less 1; it is a power of two.
    mask: usize,
    age: AtomicU8,
}

impl Table {
    /// Smallest and greatest binary logarithm of the number of entries.
    pub const LOG2_RANGE: (u32, u32) = (6, 36);

    /// An empty table of `2^log2_entries` entries (24 is 256 MiB), held within [`Table::LOG2_RANGE`]; smaller if there is
    /// not so much memory.
    pub fn new(log2_entries: u32) -> Self {
        let mut table = Self { slots: Box::default(), first: 0, mask: 0, age: AtomicU8::new(0) };
        table.resize(log2_entries);
        table
    }

    /// Gives the table another size, or a smaller one as [`Table::new`] does, and clears it.
    pub fn resize(&mut self, log2_entries: u32) {
        let (least, most) = Self::LOG2_RANGE;
        self.slots = Box::default(); // The old memory goes first.
        let sizes = (least..=log2_entries.clamp(least, most)).rev();
        let had = sizes.filter_map(|log2| Some((log2, memory::zeroed((1 << log2) + SLOTS - 1)?))).next();
        let (log2, slots) = had.unwrap_or_else(|| (least, smallest(least)));
        let first = slots.as_ptr().align_offset(CACHE_LINE);
        self.first = if first < SLOTS { first } else { 0 };
        self.mask = (1 << log2) / SLOTS - 1;
        self.slots = slots;
        self.age.store(0, Relaxed);
    }

    /// The binary logarithm of the number of entries.
    pub fn log2_entries(&self) -> u32 {
        ((self.mask + 1) * SLOTS).ilog2()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.resize(self.log2_entries());
    }

    /// Begins a search: entries of earlier ones are the first to go.
    pub fn next_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How many of 1000 entries this search has filled. So many are looked at: every report of a search asks.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = (self.mask + 1).min(1000 / SLOTS) * SLOTS;
        let used = self.slots[self.first..][..sample].iter().filter(|slot| {
            let data = slot[1].load(Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / sample) as u32
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &[Pair] {
        let at = self.first + (key as usize & self.mask) * SLOTS;
        &self.slots[at..at + SLOTS]
    }

    /// Begins to fetch what is known about the position with this key, for a [`Table::probe`] that comes soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(&self.slots[self.first + (key as usize & self.mask) * SLOTS]);
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).iter().find_map(|slot| {
            let data = slot[1].load(Relaxed);
            (slot[0].load(Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// Remembers `entry`, in the place of what is worth least: an older version of it, then shallow and old entries.
    /// A missing move keeps the one that was known.
    pub fn store(&self, key: u64, entry: &Entry) {
        let age = self.age.load(Relaxed);
        let mut entry = *entry;
        let mut worst = (i32::MAX, 0);
        let cluster = self.cluster(key);
        for (index, slot) in cluster.iter().enumerate() {
            let data = slot[1].load(Relaxed);
            if data == 0 || slot[0].load(Relaxed) ^ data == key {
                if data != 0 && entry.code == 0 {
                    entry.code = unpack(data).code;
                }
                worst.1 = index;
                break;
            }
            let worth = i32::from(depth_of(data)) - 4 * i32::from(age.wrapping_sub(age_of(data)) % AGES);
            if worth < worst.0 {
                worst = (worth, index);
            }
        }
        let data = pack(&entry, age);
        let slot = &cluster[worst.1];
        slot[0].store(key ^ data, Relaxed);
        slot[1].store(data, Relaxed);
    }
}

/// The memory of a table that must be had.
fn smallest(log2: u32) -> Box<[Pair]> {
    (0..(1 << log2) + SLOTS - 1).map(|_| Pair::default()).collect()
}

// Data, from the lowest bit: code 20, score 15, evaluation 14, depth 7, bound 2, age 6.

fn pack(entry: &Entry, age: u8) -> u64 {
    let code = u64::from(entry.code) & ((1 << CODE_BITS) - 1);
    let score = entry.score.value() as u64 & 0x7fff;
    let eval = entry.eval.map_or(NO_EVAL, Score::value) as u64 & 0x3fff;
    let depth = u64::from(entry.depth.min(MAX_DEPTH));
    code | score << 20 | eval << 35 | depth << 49 | (entry.bound as u64) << 56 | u64::from(age) << AGE_SHIFT
}

#[inline]
fn unpack(data: u64) -> Entry {
    /// The signed number in the `width` bits from `shift`.
    fn signed(data: u64, shift: u32, width: u32) -> i32 {
        ((data << (64 - shift - width)) as i64 >> (64 - width)) as i32
    }
    let eval = signed(data, 35, 14);
    Entry {
        code: data as u32 & ((1 << CODE_BITS) - 1),
        score: Score::new(signed(data, 20, 15)),
        eval: (eval != NO_EVAL).then_some(Score::new(eval)),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 49) as u8 & MAX_DEPTH
}

fn age_of(data: u64) -> u8 {
    (data >> AGE_SHIFT) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: u32, score: i32, depth: u8, bound: Bound) -> Entry {
        Entry { code, score: Score::new(score), eval: Some(Score::new(-score / 2)), depth, bound }
    }

    #[test]
    fn gives_back_what_it_was_given() {
        let mut table = Table::new(10);
        let entries = [
            entry(0xf_ffff, 9_999, MAX_DEPTH, Bound::Exact),
            entry(1, -10_000, 0, Bound::Upper),
            entry(77, -1, 12, Bound::Lower),
            Entry { eval: None, ..entry(78, 42, 3, Bound::Exact) },
        ];
        for (key, entry) in entries.iter().enumerate() {
            let key = (key as u64 + 1) << 40;
            assert_eq!(table.probe(key), None);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(*entry));
        }
        table.clear();
        assert_eq!(table.probe(1 << 40), None);
    }

    #[test]
    fn keeps_deep_and_new_entries() {
        let table = Table::new(6);
        for index in 0..4 {
            table.store(index << 40, &entry(1, 5, 10 + index as u8, Bound::Exact));
        }
        table.store(9 << 40, &entry(1, 5, 1, Bound::Exact));
        assert_eq!(table.probe(0), None, "the shallowest goes");
        assert!(table.probe(1 << 40).is_some());
        for _ in 0..9 {
            table.next_search();
        }
        table.store(8 << 40, &entry(1, 5, 1, Bound::Exact));
        assert!(table.probe(9 << 40).is_none(), "then the shallowest of the old ones");
        assert_eq!(table.hashfull(), 1000 / 64);
    }

    #[test]
    fn a_missing_move_keeps_the_known_one() {
        let table = Table::new(6);
        table.store(5, &entry(33, 5, 4, Bound::Exact));
        table.store(5, &entry(0, 7, 6, Bound::Upper));
        assert_eq!(table.probe(5).map(|e| (e.code, e.depth)), Some((33, 6)));
    }

    #[test]
    fn sizes_are_powers_of_two_within_range() {
        let mut table = Table::new(12);
        assert_eq!(table.log2_entries(), 12);
        table.resize(0);
        assert_eq!(table.log2_entries(), 6);
    }

    /// A table that fits no machine's patience if it were zeroed by hand.
    #[test]
    fn large_tables_are_there_at_once() {
        let start = std::time::Instant::now();
        let mut table = Table::new(26);
        for _ in 0..20 {
            table.store(1 << 60, &entry(1, 5, 1, Bound::Exact));
            table.store(u64::MAX, &entry(1, 5, 1, Bound::Exact));
            table.clear();
            assert_eq!((table.probe(1 << 60), table.probe(u64::MAX)), (None, None));
        }
        assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
        assert_eq!(table.slots[table.first..].as_ptr() as usize % CACHE_LINE, 0);
    }
}
