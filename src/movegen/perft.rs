//! Perft: the number of leaves of the game tree at a depth, by the movement rules alone.

use super::count::count_for;
use super::{MoveList, Receiver, capture, generate, generate_to, promotion, routes};
use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White};
use crate::memory::{self, Pair};
use crate::position::{Move, Position};
use crate::rules::{Rules, Word};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Perft<'a> {
    /// Count captures of the same pieces in another order separately.
    pub keep_duplicates: bool,
    /// Remember the counts of positions.
    pub hash: Option<&'a HashTable>,
    /// Spread the work over the threads of the current rayon pool.
    pub parallel: bool,
    /// Give up when this is set; counts mean nothing then. Captures in every order are counted to the end.
    pub stop: Option<&'a AtomicBool>,
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
        let counter = Counter { hash: self.hash, stop: self.stop };
        match position.turn {
            Side::White => counter.nodes::<R, White>(position, depth, &mut lists),
            Side::Black => counter.nodes::<R, Black>(position, depth, &mut lists),
        }
    }
}

#[derive(Clone, Copy)]
struct Counter<'a> {
    hash: Option<&'a HashTable>,
    stop: Option<&'a AtomicBool>,
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
        match (depth, &mut *rest, self.hash) {
            (0 | 1, ..) => count_for::<R, T>(position, list),
            (2, [scratch, ..], _) => {
                let mut leaves = Leaves { total: 0, scratch };
                for_each_child::<R, T>(position, list, &mut leaves);
                leaves.total
            }
            (_, _, None) => self.deeper::<R, T>(position, depth, list, rest),
            (_, _, Some(table)) => {
                let key = position.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                table.get(key).unwrap_or_else(|| {
                    let total = self.deeper::<R, T>(position, depth, list, rest);
                    if !self.is_stopped() {
                        table.put(key, total);
                    }
                    total
                })
            }
        }
    }

    fn deeper<R: Rules, T: Turn>(
        self,
        position: &Position<Word<R>>,
        depth: u32,
        list: &mut MoveList<R>,
        lists: &mut [MoveList<R>],
    ) -> u64 {
        if self.is_stopped() {
            return 0;
        }
        let mut below = Below { counter: self, depth: depth - 1, total: 0, lists };
        for_each_child::<R, T>(position, list, &mut below);
        below.total
    }

    fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What is done with every position one move on. A trait and not a closure, so that it can be inlined by force: counting
/// leaves in the loop that makes their parents is worth a third of the speed.
trait Children<R: Rules> {
    /// A position in which `T` is to move.
    fn child<T: Turn>(&mut self, position: &Position<Word<R>>);
}

/// Counts the moves of each child.
struct Leaves<'a, R: Rules> {
    total: u64,
    scratch: &'a mut MoveList<R>,
}

impl<R: Rules> Children<R> for Leaves<'_, R> {
    #[inline(always)]
    fn child<T: Turn>(&mut self, position: &Position<Word<R>>) {
        self.total += count_for::<R, T>(position, self.scratch);
    }
}

/// Counts the leaves below each child.
struct Below<'a, R: Rules> {
    counter: Counter<'a>,
    depth: u32,
    total: u64,
    lists: &'a mut [MoveList<R>],
}

impl<R: Rules> Children<R> for Below<'_, R> {
    #[inline(always)]
    fn child<T: Turn>(&mut self, position: &Position<Word<R>>) {
        self.total += self.counter.nodes::<R, T>(position, self.depth, self.lists);
    }
}

/// Hands every position one move on to `children`.
#[inline(always)]
fn for_each_child<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    list: &mut MoveList<R>,
    children: &mut impl Children<R>,
) {
    generate_to::<R, T>(position, &mut Maker { position, list, children });
}

/// Makes moves as they are found.
struct Maker<'a, R: Rules, C> {
    position: &'a Position<Word<R>>,
    list: &'a mut MoveList<R>,
    children: &'a mut C,
}

impl<R: Rules, C: Children<R>> Receiver<R> for Maker<'_, R, C> {
    #[inline(always)]
    fn step<T: Turn>(&mut self, from: Word<R>, to: Word<R>) {
        let mut child = Position { turn: T::SIDE.other(), ..*self.position };
        child.pieces[T::SIDE as usize] ^= from | to;
        child.kings |= to & promotion::<R, T>();
        self.children.child::<T::Other>(&child);
    }
    #[inline(always)]
    fn king_move<T: Turn>(&mut self, from: Word<R>, to: Word<R>) {
        let mut child = Position { turn: T::SIDE.other(), ..*self.position };
        child.pieces[T::SIDE as usize] ^= from | to;
        child.kings ^= from | to;
        self.children.child::<T::Other>(&child);
    }
    #[inline(always)]
    fn jump<T: Turn>(&mut self, from: Word<R>, over: Word<R>, to: Word<R>) {
        let mut child = Position { turn: T::SIDE.other(), ..*self.position };
        child.pieces[T::SIDE as usize] ^= from | to;
        child.pieces[T::SIDE.other() as usize] ^= over;
        child.kings = child.kings.minus(over) | (to & promotion::<R, T>());
        self.children.child::<T::Other>(&child);
    }
    #[inline(always)]
    fn other<T: Turn>(&mut self, mv: Move<Word<R>>) {
        self.children.child::<T::Other>(&self.position.make(&mv));
    }
    #[inline(never)]
    fn hunt<T: Turn>(&mut self, position: &Position<Word<R>>, capturers: Word<R>) {
        self.list.clear();
        capture::generate::<R, T>(position, capturers, self.list);
        for mv in self.list.iter() {
            self.children.child::<T::Other>(&position.make(mv));
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
    slots: Box<[Pair]>,
}

impl HashTable {
    /// A table of `mebibytes` MiB, at least 1; `None` if there is not so much memory.
    pub fn new(mebibytes: usize) -> Option<Self> {
        let slots = mebibytes.max(1).checked_mul((1 << 20) / size_of::<Pair>())?;
        Some(Self { slots: memory::zeroed(slots)? })
    }
    fn slot(&self, key: u64) -> &Pair {
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
