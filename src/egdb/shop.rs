//! What the command line does with tables, for a game chosen at run time.

use super::build::{Error, Workbench, positions, units};
use super::embedded::bundle;
use super::file::{FileError, Header, Identity, Metric, header};
use super::judge::Ends;
use super::judge::TURN;
use super::movement::Movement;
use super::oracle::{Oracle, Reader};
use super::shape::Shape;
use super::solve::Course;
use super::store::Store;
use super::verify::verify;
use super::{Counts, Material, Value};
use crate::bits::Bits;
use crate::board::Side;
use crate::position::Setup;
use crate::rules::Game;
use std::fs;
use std::path::PathBuf;

/// What to build or read.
#[derive(Clone, Debug)]
pub struct Job {
    /// The directory of all tables.
    pub directory: PathBuf,
    /// Most pieces.
    pub pieces: usize,
    /// Bytes of memory that values may take.
    pub memory: u64,
}

/// What a slice is made of.
#[derive(Clone, Debug)]
pub struct Stat {
    /// Men and kings of White, men and kings of Black.
    pub pieces: [u8; 4],
    /// The side to move.
    pub turn: Side,
    /// How many positions have each value.
    pub counts: Counts,
    /// The longest win in plies and a position that takes so long, if there is a table of distances.
    pub longest: Option<(u32, Setup)>,
    /// Bytes of the file.
    pub bytes: u64,
}

/// What a check of a slice has found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The slice.
    pub material: Material,
    /// Positions looked at, and placements in all.
    pub positions: (u64, u64),
    /// How many have another value than their successors give them.
    pub wrong: u64,
    /// One of these, with the value of the table and the right one.
    pub example: Option<(Setup, Value, Value)>,
}

/// Builds, checks and describes the tables of a game. Work is done in the current thread pool of rayon.
pub trait Workshop: Send + Sync {
    /// Placements of all slices with 2 to `pieces` pieces.
    fn positions(&self, pieces: usize) -> u64;
    /// Builds what is missing.
    ///
    /// # Errors
    /// It was aborted, a file is not what it should be, or there is not enough memory. What has been built stays.
    fn build(&self, job: &Job, metric: Metric, course: Course<'_>) -> Result<(), Error>;
    /// Derives values from their successors: at most about `most` a slice, chosen by `seed`. `report` hears each slice.
    ///
    /// # Errors
    /// It was aborted, or a file is missing or damaged. Wrong values are no error.
    fn verify(
        &self,
        job: &Job,
        most: u64,
        seed: u64,
        course: Course<'_>,
        report: &mut (dyn FnMut(Checked) + Send),
    ) -> Result<(), Error>;
    /// What each slice is made of, with each side to move.
    ///
    /// # Errors
    /// A file is damaged.
    fn stats(&self, job: &Job) -> Result<Vec<Stat>, Error>;
    /// The tables as one file, as the program carries it.
    ///
    /// # Errors
    /// A file is missing or damaged.
    fn bundle(&self, job: &Job) -> Result<Vec<u8>, Error>;
    /// Who says what the tables say of positions.
    ///
    /// # Errors
    /// A file is not what it should be.
    fn oracle(&self, job: &Job) -> Result<Box<dyn Oracle>, Error>;
}

/// The workshop of a game with these movement rules.
#[derive(Debug)]
pub struct Shop<B: Bits> {
    game: Game,
    rules: Movement<B>,
}

impl<B: Bits> Shop<B> {
    /// For a game with these movement rules.
    pub fn new(game: Game, rules: Movement<B>) -> Self {
        Self { game, rules }
    }

    fn units(&self, pieces: usize) -> Vec<Vec<Material>> {
        let ends = Ends::of(&self.game);
        (2..=pieces).flat_map(|pieces| units(&ends, pieces)).collect()
    }

    /// The position with a number, with either side to move.
    fn setup(&self, material: Material, index: u64, turn: Side) -> Setup {
        let position = Shape::new(self.rules, material).position(index);
        let position = if turn == TURN { position } else { self.rules.turned_position(&position) };
        self.rules.setup(&position)
    }

    fn header(store: &Store, material: Material, metric: Metric) -> Result<Option<(Header, u64)>, Error> {
        if store.entry(material, metric).is_none() {
            return Ok(None);
        }
        let path = store.file(material, metric);
        let bytes = fs::read(&path).map_err(|error| FileError::system(&path, error))?;
        let header = header(&bytes).map_err(|fault| FileError { path, fault })?;
        Ok(Some((header, bytes.len() as u64)))
    }

    fn stat(&self, store: &Store, material: Material, turn: Side) -> Result<Option<Stat>, Error> {
        let Some((header, bytes)) = Self::header(store, material, Metric::Wld)? else { return Ok(None) };
        let distances = Self::header(store, material, Metric::Dtw)?;
        let longest = distances.and_then(|(header, _)| header.longest);
        let longest = longest.map(|(plies, index)| (plies, self.setup(material, index, turn)));
        let [men, kings, other_men, other_kings] = material.digits();
        let pieces = match turn {
            Side::White => [men, kings, other_men, other_kings],
            Side::Black => [other_men, other_kings, men, kings],
        };
        Ok(Some(Stat { pieces, turn, counts: header.counts(), longest, bytes }))
    }
}

impl<B: Bits> Workshop for Shop<B> {
    fn positions(&self, pieces: usize) -> u64 {
        positions(&self.game, self.rules, pieces)
    }

    fn build(&self, job: &Job, metric: Metric, course: Course<'_>) -> Result<(), Error> {
        let mut bench = Workbench::new(&self.game, self.rules, &job.directory, job.memory)?;
        bench.build(job.pieces, course)?;
        if metric == Metric::Wld { Ok(()) } else { bench.measure(job.pieces, metric, course) }
    }

    fn verify(
        &self,
        job: &Job,
        most: u64,
        seed: u64,
        course: Course<'_>,
        report: &mut (dyn FnMut(Checked) + Send),
    ) -> Result<(), Error> {
        let mut bench = Workbench::new(&self.game, self.rules, &job.directory, job.memory)?;
        for unit in self.units(job.pieces) {
            bench.make_room(&unit)?;
            bench.read_successors(&unit)?;
            unit.iter().try_for_each(|&material| bench.read(material))?;
            for &material in &unit {
                let check = verify(&bench.slices, material, most, seed, course)?;
                let all = bench.slices.get(material).map_or(0, |slice| slice.shape.size);
                let example =
                    check.example.map(|(position, is, right)| (self.rules.setup(&position), is, right));
                report(Checked { material, positions: (check.checked, all), wrong: check.wrong, example });
            }
        }
        Ok(())
    }

    fn stats(&self, job: &Job) -> Result<Vec<Stat>, Error> {
        let store = Store::open(&job.directory, &Identity::of(&self.game))?;
        let mut list = Vec::new();
        for material in self.units(job.pieces).into_iter().flatten() {
            for turn in Side::BOTH {
                // The same pieces of White, whoever moves.
                let own = if turn == Side::White { material } else { material.swapped() };
                list.extend(self.stat(&store, own, turn)?);
            }
        }
        Ok(list)
    }

    fn bundle(&self, job: &Job) -> Result<Vec<u8>, Error> {
        let store = Store::open(&job.directory, &Identity::of(&self.game))?;
        let mut files = Vec::new();
        for material in self.units(job.pieces).into_iter().flatten() {
            store.table(material)?;
            let path = store.file(material, Metric::Wld);
            files.push(fs::read(&path).map_err(|error| FileError::system(&path, error))?);
        }
        bundle(&files).map_err(|fault| FileError { path: store.path().to_owned(), fault }.into())
    }

    fn oracle(&self, job: &Job) -> Result<Box<dyn Oracle>, Error> {
        Ok(Box::new(Reader::open(&self.game, self.rules, job)?))
    }
}
