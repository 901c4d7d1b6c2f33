//! The positions of files, each once, as a fit wants them.
//!
//! A position that stands in the files several times counts once, with the mean of the results of its games and the score
//! of its first search; how often it stood is kept beside it. Positions are compared in full. In memory a position is its
//! bytes in the file without the score, and 8 bytes beside, and while files are loaded up to 16 bytes of an index:
//! at 32 squares 21 bytes, and 37. There is room for 4 billion positions.

use super::file::{FileError, Header, Reader};
use super::record::{Played, Record, set_bytes};
use std::path::Path;

/// A position, what became of it, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position, and the score of its first search.
    pub record: Record,
    /// The mean of what White got in the games in which it stood: 0 to 1.
    pub result: f32,
    /// How often it stood, at most 65535.
    pub count: u16,
}

/// The positions of files, in the order in which they first stood.
#[derive(Debug)]
pub struct Data {
    header: Header,
    games: u64,
    positions: u64,
    /// [`Data::stride`] bytes a position.
    boards: Vec<u8>,
    scores: Vec<i16>,
    results: Vec<f32>,
    counts: Vec<u16>,
}

/// No position.
const NONE: u32 = u32::MAX;
/// Slots of an index at first.
const SLOTS: usize = 1 << 16;

/// Finds positions: a table of places in the data, open addressing, at most half full.
struct Index(Vec<u32>);

impl Data {
    /// Loads the games of files, all of the same rule set and options. `hear` is told after each game how many have been
    /// read.
    ///
    /// # Errors
    /// A file is at fault, or is of another game than the first.
    pub fn load<P: AsRef<Path>>(first: P, rest: &[P], hear: &mut dyn FnMut(u64)) -> Result<Self, FileError> {
        let mut index = Index(vec![NONE; SLOTS]);
        let reader = Reader::open(first)?;
        let mut data = Self::new(reader.header().clone());
        data.read(&mut index, reader, hear)?;
        for path in rest {
            let reader = Reader::open(path)?;
            reader.expect_game_of(&data.header)?;
            data.read(&mut index, reader, hear)?;
        }
        Ok(data)
    }

    fn read(
        &mut self,
        index: &mut Index,
        reader: Reader,
        hear: &mut dyn FnMut(u64),
    ) -> Result<(), FileError> {
        for game in reader {
            self.add(index, &game?);
            hear(self.games);
        }
        Ok(())
    }

    fn new(header: Header) -> Self {
        Self {
            header,
            games: 0,
            positions: 0,
            boards: Vec::new(),
            scores: Vec::new(),
            results: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The header of the first file; of the others only the rule set and its options are the same for certain.
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// Games loaded.
    pub fn games(&self) -> u64 {
        self.games
    }
    /// Positions loaded, repeated ones included.
    pub fn positions(&self) -> u64 {
        self.positions
    }
    /// Different positions.
    pub fn len(&self) -> usize {
        self.scores.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// A position by its place, below [`Data::len`].
    pub fn sample(&self, place: usize) -> Sample {
        let score = self.scores[place];
        let record = Record::of_board(self.set(), self.board(place), score);
        Sample { record, result: self.results[place], count: self.counts[place] }
    }

    /// Bytes of a set of squares.
    fn set(&self) -> usize {
        set_bytes(self.header.squares)
    }
    /// Bytes of a position without its score.
    fn stride(&self) -> usize {
        3 * self.set() + 1
    }
    fn board(&self, place: usize) -> &[u8] {
        let stride = self.stride();
        &self.boards[place * stride..][..stride]
    }

    fn add(&mut self, index: &mut Index, game: &Played) {
        self.games += 1;
        let points = game.points();
        for record in &game.positions {
            self.positions += 1;
            let slot = index.slot(self, record);
            match index.0[slot] {
                NONE => {
                    index.0[slot] = self.len() as u32;
                    record.write_board(self.set(), &mut self.boards);
                    self.scores.push(record.score);
                    self.results.push(points);
                    self.counts.push(1);
                    index.grow(self);
                }
                place => {
                    let (count, mean) = (&mut self.counts[place as usize], &mut self.results[place as usize]);
                    *count = count.saturating_add(1);
                    *mean += (points - *mean) / f32::from(*count);
                }
            }
        }
    }
}

impl Index {
    /// Where a position is, or where it would be.
    fn slot(&self, data: &Data, record: &Record) -> usize {
        let mut board = Vec::with_capacity(data.stride());
        record.write_board(data.set(), &mut board);
        let mask = self.0.len() - 1;
        let mut slot = record.key() as usize & mask;
        while self.0[slot] != NONE && data.board(self.0[slot] as usize) != board {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes room for more positions than there are.
    fn grow(&mut self, data: &Data) {
        if data.len() * 2 <= self.0.len() {
            return;
        }
        *self = Self(vec![NONE; self.0.len() * 2]);
        let mask = self.0.len() - 1;
        for place in 0..data.len() {
            let mut slot = data.sample(place).record.key() as usize & mask;
            while self.0[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            self.0[slot] = place as u32;
        }
    }
}
