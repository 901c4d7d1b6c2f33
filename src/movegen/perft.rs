//! Perft: the number of leaves of the game tree at a depth, by the movement rules alone.

use super::count::count_for;
use super::quiet::{king_targets, men_steps};
use super::{MoveList, captures_for, empty, generate, promotion, routes};
use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, for_each_direction};
use crate::position::{Move, Position};
use crate::rules::{Rules, Word, directions};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Perft<'a> {
    /// Count captures of the same pieces in another order separately.
    pub keep_duplicates: bool,
    /// Remember the counts of positions.
    pub hash: Option<&'a HashTable>,
    /// Spread the work over the threads of the current rayon pool.
    pub parallel: bool,
}

impl Perft<'_> {
    /// The number of leaves at exactly `depth` plies; 1 at depth 0. A position without moves has no leaf deeper down.
    pub fn count<R: Rules>(&self, position: &Position<Word<R>>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.parallel && depth > 3 => self.spread::<R>(position, depth),
            _ => self.count_alone::<R>(position, depth),
        }
    }

    /// The number of leaves under each legal move, in the order of generation. `depth` is at least 1.
    pub fn divide<R: Rules>(&self, position: &Position<Word<R>>, depth: u32) -> Vec<(Move<Word<R>>, u64)> {
        let mut moves = Vec::new();
        generate::<R>(position, &mut moves);
        moves
            .into_iter()
            .map(|mv| {
                let below = self.count::<R>(&position.make(&mv), depth - 1);
                let copies = if self.keep_duplicates && mv.is_capture() {
                    routes::<R>(position).iter().filter(|route| route.mv == mv).count() as u64
                } else {
                    1
                };
                (mv, below * copies)
            })
            .collect()
    }

    /// Counts below the positions a few plies on in parallel; the plies are few enough to be listed and many enough to
    /// keep all threads busy to the end.
    fn spread<R: Rules>(&self, position: &Position<Word<R>>, depth: u32) -> u64 {
        let mut roots = vec![(*position, 1)];
        let mut left = depth;
        while left > 3 && roots.len() < 4096 && !roots.is_empty() {
            roots = roots
                .iter()
                .flat_map(|(at, times)| {
                    self.divide::<R>(at, 1).into_iter().map(move |(mv, n)| (at.make(&mv), times * n))
                })
                .collect();
            left -= 1;
        }
        roots.par_iter().map(|(at, times)| times * self.count_alone::<R>(at, left)).sum()
    }

    fn count_alone<R: Rules>(&self, position: &Position<Word<R>>, depth: u32) -> u64 {
        if self.keep_duplicates {
            return keep::<R>(position, depth);
        }
        let mut lists = vec![MoveList::<R>::new(); depth as usize + 1];
        let counter = Counter { hash: self.hash };
        match position.turn {
            Side::White => counter.nodes::<R, White>(position, depth, &mut lists),
            Side::Black => counter.nodes::<R, Black>(position, depth, &mut lists),
        }
    }
}

#[derive(Clone, Copy)]
struct Counter<'a> {
    hash: Option<&'a HashTable>,
}

impl Counter<'_> {
    /// `lists` holds one scratch list a ply.
    fn nodes<R: Rules, T: Turn>(
        self,
        position: &Position<Word<R>>,
        depth: u32,
        lists: &mut [MoveList<R>],
    ) -> u64 {
        let [list, rest @ ..] = lists else { return 0 };
        if depth <= 1 {
            return count_for::<R, T>(position, list);
        }
        if depth == 2 {
            let [scratch, ..] = rest else { return 0 };
            let mut total = 0;
            for_each_child::<R, T>(position, list, |child| {
                total += count_for::<R, T::Other>(child, scratch);
            });
            return total;
        }
        let Some(table) = self.hash else {
            let mut total = 0;
            for_each_child::<R, T>(position, list, |child| {
                total += self.nodes::<R, T::Other>(child, depth - 1, rest);
            });
            return total;
        };
        let key = position.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        table.get(key).unwrap_or_else(|| {
            let mut total = 0;
            for_each_child::<R, T>(position, list, |child| {
                total += self.nodes::<R, T::Other>(child, depth - 1, rest);
            });
            table.put(key, total);
            total
        })
    }
}

/// Calls `visit` with every position one move on; quiet moves are made without listing them.
#[inline(always)]
fn for_each_child<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    list: &mut MoveList<R>,
    mut visit: impl FnMut(&Position<Word<R>>),
) {
    list.clear();
    let quiet = captures_for::<R, T>(position, list);
    for mv in list.iter() {
        visit(&position.make(mv));
    }
    if !quiet {
        return;
    }
    if const { R::MOVES.lines } {
        list.clear();
        super::quiet::generate::<R, T>(position, list);
        for mv in list.iter() {
            visit(&position.make(mv));
        }
        return;
    }
    let base = Position { turn: T::SIDE.other(), ..*position };
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        for (from, to) in men_steps::<R, T, D>(position) {
            let mut child = base;
            let to = Word::<R>::bit(to);
            child.pieces[T::SIDE as usize] = base.pieces[T::SIDE as usize] ^ Word::<R>::bit(from) ^ to;
            child.kings |= to & promotion::<R, T>();
            visit(&child);
        }
    });
    for from in position.kings(T::SIDE).iter() {
        let from_bit = Word::<R>::bit(from);
        for to in king_targets::<R, T>(from, empty::<R>(position)).iter() {
            let both = from_bit | Word::<R>::bit(to);
            let mut child = base;
            child.pieces[T::SIDE as usize] = base.pieces[T::SIDE as usize] ^ both;
            child.kings = base.kings ^ both;
            visit(&child);
        }
    }
}

/// Perft with captures in every order, by the listed courses.
fn keep<R: Rules>(position: &Position<Word<R>>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    generate::<R>(position, &mut moves);
    if moves.first().is_some_and(Move::is_capture) && !R::MOVES.konane {
        let quiet = moves.iter().filter(|mv| !mv.is_capture()).copied();
        moves = routes::<R>(position).into_iter().map(|route| route.mv).chain(quiet).collect();
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| keep::<R>(&position.make(mv), depth - 1)).sum()
}

/// A table of counts shared by threads: pairs of a key and a count, the key stored xored with the count so that a torn
/// pair is not found (Hyatt and Mann 2002).
#[derive(Debug)]
pub struct HashTable {
    slots: Vec<[AtomicU64; 2]>,
}

impl HashTable {
    /// A table of at most `mebibytes` MiB.
    pub fn new(mebibytes: usize) -> Self {
        let slots = (mebibytes.max(1) << 20) / 16;
        Self { slots: (0..slots).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect() }
    }
    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }
    fn get(&self, key: u64) -> Option<u64> {
        let [lock, count] = self.slot(key);
        let count = count.load(Ordering::Relaxed);
        (lock.load(Ordering::Relaxed) ^ count == key).then_some(count)
    }
    fn put(&self, key: u64, nodes: u64) {
        let [lock, count] = self.slot(key);
        lock.store(key ^ nodes, Ordering::Relaxed);
        count.store(nodes, Ordering::Relaxed);
    }
}
