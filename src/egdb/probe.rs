//! Looking values up while searching: from all threads at once, without locks.
//!
//! Tables are read whole and stay compressed, which is little. Blocks that are looked at are read into a cache of fixed size,
//! in which each has one place; if the cache holds all of them no two share one. A place has a tag that says which block
//! is there: who finds the tag of another block, or one that changes while the value is read, reads the block on the spot,
//! and puts it there unless somebody else is just doing so.

use super::code::{BLOCK, BLOCK_WORDS};
use super::distance::NEVER;
use super::file::{FileError, Identity, Metric, Table};
use super::judge::Ends;
use super::movement::Movement;
use super::shape::Shape;
use super::store::Store;
use super::values::{A_WORD, Value};
use super::{Material, plies};
use crate::bits::Bits;
use crate::board::Side;
use crate::memory::{self, Pair};
use crate::position::{Move, Position};
use crate::rules::Game;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// The tag of a place that nothing is in, and of one that is being written.
const NOTHING: u32 = 0;
const BUSY: u32 = u32::MAX;
/// Pairs of words of a block.
const PAIRS: usize = BLOCK_WORDS / 2;

/// Blocks that have been read.
struct Cache {
    tags: Vec<AtomicU32>,
    words: Box<[Pair]>,
}

impl Cache {
    /// Of so many places, or fewer if there is no memory for them.
    fn new(mut places: usize) -> Self {
        loop {
            if let Some(words) = memory::zeroed(places * PAIRS) {
                return Self { tags: (0..places).map(|_| AtomicU32::new(NOTHING)).collect(), words };
            }
            places /= 2;
        }
    }

    /// The value with a number in a block (numbered from 0 through all tables), if that is there.
    #[inline(always)]
    fn get(&self, block: u32, index: u64) -> Option<Value> {
        let place = block as usize % self.tags.len();
        let tag = &self.tags[place];
        if tag.load(Ordering::Acquire) != block + 1 {
            return None;
        }
        let at = (index / A_WORD) as usize;
        let word = self.words[place * PAIRS + at / 2][at % 2].load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        (tag.load(Ordering::Relaxed) == block + 1).then(|| Value::of(word >> (2 * (index % A_WORD))))
    }

    /// Puts a block in its place.
    fn put(&self, block: u32, words: &[u64]) {
        let place = block as usize % self.tags.len();
        let tag = &self.tags[place];
        let was = tag.load(Ordering::Relaxed);
        let begin = || tag.compare_exchange(was, BUSY, Ordering::Acquire, Ordering::Relaxed);
        if was == BUSY || begin().is_err() {
            return;
        }
        fence(Ordering::Release);
        for (pair, words) in self.words[place * PAIRS..].iter().zip(words.chunks_exact(2)) {
            pair[0].store(words[0], Ordering::Relaxed);
            pair[1].store(words[1], Ordering::Relaxed);
        }
        tag.store(block + 1, Ordering::Release);
    }
}

/// A table with its index.
struct Loaded<B: Bits> {
    shape: Shape<B>,
    table: Table,
    /// Number of its first block among all.
    first: u32,
}

/// What has been loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loading {
    /// Slices.
    pub slices: usize,
    /// Their bytes in memory, without the cache.
    pub bytes: usize,
    /// The number of pieces up to which all slices are there; 0 for none.
    pub pieces: usize,
    /// Slices that are not there, up to the greatest number of pieces that there is.
    pub missing: Vec<String>,
}

/// `pieces 2-5: 85 slices, 3222015 bytes`, and what is missing.
impl fmt::Display for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slices, bytes, pieces, missing } = self;
        match pieces {
            _ if *slices == 0 => write!(f, "no endgame tables of this game")?,
            0 => write!(f, "endgame tables: {slices} slices, {bytes} bytes")?,
            pieces => write!(f, "endgame tables up to {pieces} pieces: {slices} slices, {bytes} bytes")?,
        }
        match missing.as_slice() {
            [] => Ok(()),
            [only] => write!(f, "; {only} is missing"),
            [first, others @ ..] => write!(f, "; {first} and {} more are missing", others.len()),
        }
    }
}

/// The tables of a game.
pub struct Prober<B: Bits> {
    tables: Vec<Option<Box<Loaded<B>>>>,
    cache: Cache,
    ends: Ends,
    rules: Movement<B>,
    /// Most pieces of a position with a table.
    most: u32,
    loading: Loading,
    /// Where tables of distances may be.
    store: Option<Store>,
}

impl<B: Bits> fmt::Debug for Prober<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prober").field("loading", &self.loading).finish_non_exhaustive()
    }
}

impl<B: Bits> Prober<B> {
    /// Reads the tables of a game with up to `pieces` pieces. The cache takes at most `cache` bytes.
    ///
    /// # Errors
    /// A file is not what it should be.
    pub fn open(
        game: &Game,
        rules: Movement<B>,
        directory: &Path,
        pieces: usize,
        cache: usize,
    ) -> Result<Self, FileError> {
        let identity = Identity::of(game);
        let store = Store::open(directory, &identity)?;
        let ends = Ends::of(game);
        let mut tables = Vec::new();
        let mut loading = Loading::default();
        let mut wanted: Vec<Vec<Material>> = Vec::new();
        for count in 2..=pieces {
            let all = super::build::units(&ends, count).concat();
            let (there, lacking): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|&material| store.entry(material, Metric::Wld).is_some());
            if there.is_empty() {
                break;
            }
            if lacking.is_empty() && loading.missing.is_empty() {
                loading.pieces = count;
            }
            loading.missing.extend(lacking.iter().map(ToString::to_string));
            wanted.push(there);
        }
        for &material in wanted.iter().flatten() {
            tables.push((material, store.table(material)?));
        }
        Ok(Self { store: Some(store), ..Self::new(ends, rules, tables, loading, cache) })
    }

    /// Of tables that are there.
    pub fn new(
        ends: Ends,
        rules: Movement<B>,
        list: Vec<(Material, Table)>,
        mut loading: Loading,
        cache: usize,
    ) -> Self {
        let mut tables: Vec<_> = (0..Material::KEYS).map(|_| None).collect();
        let (mut first, mut most) = (0, 0);
        for (material, table) in list {
            loading.slices += 1;
            loading.bytes += table.size();
            most = most.max(material.pieces() as u32);
            let blocks = table.blocks() as u32;
            tables[material.key()] =
                Some(Box::new(Loaded { shape: Shape::new(rules, material), table, first }));
            first += blocks;
        }
        let places = (cache / (8 * BLOCK_WORDS)).min(first as usize).max(1);
        Self { tables, cache: Cache::new(places), ends, rules, most, loading, store: None }
    }

    /// What has been loaded.
    pub fn loading(&self) -> &Loading {
        &self.loading
    }

    /// Most pieces of a position with a table; 0 if there is none.
    #[inline(always)]
    pub fn most_pieces(&self) -> u32 {
        self.most
    }

    /// The value of a position for the side to move, captures resolved; `None` if a table that it takes is not there.
    pub fn probe(&self, position: &Position<B>) -> Option<Value> {
        if (self.rules.can_capture)(position) {
            return self.resolve(position);
        }
        self.probe_quiet(position)
    }

    /// The value of a position in which the side to move cannot capture.
    #[inline]
    pub fn probe_quiet(&self, position: &Position<B>) -> Option<Value> {
        if let Some(value) = self.ends.over(position) {
            return Some(value);
        }
        let loaded = self.tables[Material::of(position)?.key()].as_deref()?;
        let index = match position.turn {
            Side::White => loaded.shape.index(position),
            Side::Black => loaded.shape.index(&self.rules.turned_position(position)),
        };
        let (block, rest) = ((index / BLOCK) as u32, index % BLOCK);
        self.cache.get(loaded.first + block, rest).or_else(|| self.fetch(loaded, block, rest))
    }

    /// How far the end is, or the next conversion where that alone is known, in plies; `None` for draws and where there
    /// is no table of distances. It takes a look into a file.
    pub fn distance(&self, position: &Position<B>) -> Option<u16> {
        if self.ends.over(position).is_some() {
            return Some(0);
        }
        let (store, material) = (self.store.as_ref()?, Material::of(position)?);
        let known = |metric: &Metric| store.entry(material, *metric).is_some();
        let metric = [Metric::Dtw, Metric::Mtc].into_iter().find(known)?;
        let seen =
            if position.turn == Side::White { *position } else { self.rules.turned_position(position) };
        let index = self.tables[material.key()].as_deref()?.shape.index(&seen);
        let path = store.file(material, metric);
        match plies::look_up(&path, store.identity(), material, metric, index) {
            Ok(NEVER) => None,
            Ok(plies) => Some(plies),
            Err(error) => {
                log::warn!("{error}");
                None
            }
        }
    }

    /// Reads a block and gives a value in it.
    #[cold]
    #[inline(never)]
    fn fetch(&self, loaded: &Loaded<B>, block: u32, index: u64) -> Option<Value> {
        let mut words = [0; BLOCK_WORDS];
        loaded.table.read(block as usize, &mut words)?;
        self.cache.put(loaded.first + block, &words);
        Some(Value::of(words[(index / A_WORD) as usize] >> (2 * (index % A_WORD))))
    }

    /// The value of a position with captures: the best that they lead to.
    fn resolve(&self, position: &Position<B>) -> Option<Value> {
        let mut moves: Vec<Move<B>> = Vec::new();
        (self.rules.generate)(position, &mut moves);
        let mut best = Some(Value::Loss);
        for mv in &moves {
            match self.probe(&position.make(mv)) {
                Some(Value::Loss) => return Some(Value::Win),
                Some(value) => best = best.map(|best| best.max(-value)),
                None => best = None,
            }
        }
        best
    }
}
