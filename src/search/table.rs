//! The transposition table: shared by all threads without locks, and ignorant of rules.
//!
//! An entry is two words, the key xored with the data and the data. A reader that sees halves of two writes computes a
//! key that is not its own (Hyatt and Mann, "A lock-less transposition table", 2002). Four entries fill a cache line.

use crate::score::Score;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

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

/// 16 bytes: key xor data, data.
#[derive(Default)]
struct Slot([AtomicU64; 2]);

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; SLOTS]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// A table of 2^n entries of 16 bytes.
pub struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

impl Table {
    /// Smallest and greatest binary logarithm of the number of entries.
    pub const LOG2_RANGE: (u32, u32) = (6, 36);

    /// An empty table of `2^log2_entries` entries (24 is 256 MiB), held within [`Table::LOG2_RANGE`]; smaller if there is
    /// not so much memory.
    pub fn new(log2_entries: u32) -> Self {
        let mut table = Self { clusters: Vec::new(), age: AtomicU8::new(0) };
        table.resize(log2_entries);
        table
    }

    /// Gives the table another size and clears it.
    pub fn resize(&mut self, log2_entries: u32) {
        let (least, most) = Self::LOG2_RANGE;
        let mut log2 = log2_entries.clamp(least, most);
        self.clusters = Vec::new();
        while log2 > least && self.clusters.try_reserve_exact((1 << log2) / SLOTS).is_err() {
            log2 -= 1;
        }
        self.clusters.resize_with((1 << log2) / SLOTS, Cluster::default);
        self.age.store(0, Relaxed);
    }

    /// The binary logarithm of the number of entries.
    pub fn log2_entries(&self) -> u32 {
        (self.clusters.len() * SLOTS).ilog2()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.0[0].store(0, Relaxed);
            slot.0[1].store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Begins a search: entries of earlier ones are the first to go.
    pub fn next_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How many of 1000 entries this search has filled.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.clusters.len().min(1000);
        let used = self.clusters[..sample].iter().flat_map(|cluster| &cluster.0).filter(|slot| {
            let data = slot.0[1].load(Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample * SLOTS)) as u32
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        // The number of clusters is a power of two.
        &self.clusters[key as usize & (self.clusters.len() - 1)]
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.0[1].load(Relaxed);
            (slot.0[0].load(Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// Remembers `entry`, in the place of what is worth least: an older version of it, then shallow and old entries.
    /// A missing move keeps the one that was known.
    pub fn store(&self, key: u64, entry: &Entry) {
        let age = self.age.load(Relaxed);
        let mut entry = *entry;
        let mut worst = (i32::MAX, 0);
        let cluster = self.cluster(key);
        for (index, slot) in cluster.0.iter().enumerate() {
            let data = slot.0[1].load(Relaxed);
            if data == 0 || slot.0[0].load(Relaxed) ^ data == key {
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
        let slot = &cluster.0[worst.1];
        slot.0[0].store(key ^ data, Relaxed);
        slot.0[1].store(data, Relaxed);
    }
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
        let table = Table::new(10);
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
}
