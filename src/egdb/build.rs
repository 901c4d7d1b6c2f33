//! All slices up to a number of pieces.

use super::distance::{Known, measure};
use super::file::{FileError, Identity, Metric};
use super::judge::{Ends, Slices};
use super::movement::Movement;
use super::shape::Shape;
use super::solve::{Course, Stop, solve};
use super::store::Store;
use super::{Material, pack, plies};
use crate::bits::Bits;
use crate::rules::Game;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Why tables were not built or read.
#[derive(Debug)]
pub enum Error {
    /// A file.
    File(FileError),
    /// A computation.
    Stop(Stop),
    /// A slice needs so many bytes, and only so many may be used.
    Memory(Material, u64, u64),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Stop(error) => error.fmt(f),
            Self::Memory(material, needed, limit) => {
                let [needed, limit] = [needed.div_ceil(1 << 20), limit >> 20];
                write!(f, "slice {material} needs {needed} MiB of memory, and the limit is {limit} MiB")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<Stop> for Error {
    fn from(error: Stop) -> Self {
        Self::Stop(error)
    }
}

/// The slices with so many pieces that a game can have; those of a material and of its mirror image follow each other.
pub fn units(ends: &Ends, pieces: usize) -> Vec<Vec<Material>> {
    let over = |material: &Material| ends.with_a_king() && material.kings != [0, 0];
    let first = Material::all(pieces).into_iter().filter(|it| *it <= it.swapped() && !over(it));
    first.map(|it| if it == it.swapped() { vec![it] } else { vec![it, it.swapped()] }).collect()
}

/// Placements of all slices with 2 to `pieces` pieces.
pub fn positions<B: Bits>(game: &Game, rules: Movement<B>, pieces: usize) -> u64 {
    let ends = Ends::of(game);
    let all = (2..=pieces).flat_map(|pieces| units(&ends, pieces)).flatten();
    all.map(|material| Shape::new(rules, material).size).sum()
}

/// The slices that captures from a material lead to.
fn after_captures(material: Material) -> Vec<Material> {
    let Material { men: [men, other_men], kings: [kings, other_kings] } = material;
    let mut list = Vec::new();
    for promoted in 0..=men.min(1) {
        for men_left in 0..=other_men {
            for kings_left in 0..=other_kings {
                let left = men_left + kings_left;
                if left > 0 && left < other_men + other_kings {
                    list.push(Material {
                        men: [men_left, men - promoted],
                        kings: [kings_left, kings + promoted],
                    });
                }
            }
        }
    }
    list
}

/// The other slices that moves from a material lead to.
fn after(material: Material) -> Vec<Material> {
    let mut list = after_captures(material);
    let Material { men: [men, other_men], kings: [kings, other_kings] } = material;
    if men > 0 {
        list.push(Material { men: [other_men, men - 1], kings: [other_kings, kings + 1] });
    }
    list
}

/// Slices in memory, and the directory that they come from and go to.
pub struct Workbench<B: Bits> {
    /// The slices in memory.
    pub slices: Slices<B>,
    /// The directory.
    pub store: Store,
    /// The distances in memory.
    pub known: Known,
    memory: u64,
}

impl<B: Bits> Workbench<B> {
    /// An empty one that may use so many bytes.
    ///
    /// # Errors
    /// The directory's list cannot be read.
    pub fn new(game: &Game, rules: Movement<B>, directory: &Path, memory: u64) -> Result<Self, Error> {
        let store = Store::open(directory, &Identity::of(game))?;
        Ok(Self { slices: Slices::new(game, rules), store, known: Known::default(), memory })
    }

    /// Whether there can be a table of a material: Breakthrough ends with the first king.
    fn is_played(&self, material: Material) -> bool {
        !self.slices.ends.with_a_king() || material.kings == [0, 0]
    }

    /// Reads a slice, and those that it takes to understand it.
    ///
    /// # Errors
    /// A file is not there or damaged.
    pub fn read(&mut self, material: Material) -> Result<(), Error> {
        if self.slices.get(material).is_some() || !self.is_played(material) {
            return Ok(());
        }
        for before in after_captures(material) {
            self.read(before)?;
        }
        let table = self.store.table(material)?;
        let shape = Arc::new(Shape::new(self.slices.rules, material));
        let slice = pack::unpack(&table, shape, &self.slices)
            .map_err(|fault| FileError { path: self.store.file(material, Metric::Wld), fault })?;
        self.slices.put(slice);
        Ok(())
    }

    /// Reads the slices that moves from a unit lead to.
    ///
    /// # Errors
    /// A file is not there or damaged.
    pub fn read_successors(&mut self, unit: &[Material]) -> Result<(), Error> {
        let needed: Vec<_> = unit.iter().flat_map(|&material| after(material)).collect();
        needed.into_iter().try_for_each(|material| self.read(material))
    }

    /// Forgets what a unit does not need, if there is not enough memory for it.
    ///
    /// # Errors
    /// It is not enough all the same.
    pub fn make_room(&mut self, unit: &[Material]) -> Result<(), Error> {
        let held = |slices: &Slices<B>| slices.iter().map(|slice| slice.values.bytes()).sum::<u64>();
        let shapes = unit.iter().map(|&material| Shape::new(self.slices.rules, material));
        let own: u64 = shapes.map(|shape| shape.size / 4 + largest_part(&shape) + shape.size / 8).sum();
        if held(&self.slices) + own <= self.memory {
            return Ok(());
        }
        let needed: Vec<_> = unit.iter().flat_map(|&material| after(material)).collect();
        let idle: Vec<_> = self.slices.iter().map(|slice| slice.shape.material).collect();
        for material in idle.into_iter().filter(|material| !needed.contains(material)) {
            self.slices.take(material);
        }
        let total = held(&self.slices) + own;
        if total > self.memory { Err(Error::Memory(unit[0], total, self.memory)) } else { Ok(()) }
    }

    /// Builds what is missing of the slices with 2 to `pieces` pieces.
    ///
    /// # Errors
    /// It was aborted, a file is not what it should be, or there is not enough memory. What has been built stays.
    pub fn build(&mut self, pieces: usize, course: Course<'_>) -> Result<(), Error> {
        let ends = self.slices.ends;
        for unit in (2..=pieces).flat_map(|pieces| units(&ends, pieces)) {
            let mut all = true;
            for &material in &unit {
                all &= self.store.has(material, Metric::Wld)?;
            }
            if all {
                let entries = unit.iter().filter_map(|&material| self.store.entry(material, Metric::Wld));
                course.add(entries.map(|entry| entry.positions).sum())?;
                continue;
            }
            self.build_unit(&unit, course)?;
        }
        Ok(())
    }

    fn build_unit(&mut self, unit: &[Material], course: Course<'_>) -> Result<(), Error> {
        self.make_room(unit)?;
        self.read_successors(unit)?;
        let solved = solve(&mut self.slices, unit[0], course);
        if solved.is_err() {
            unit.iter().for_each(|&material| drop(self.slices.take(material)));
        }
        solved?;
        for &material in unit {
            let Some(slice) = self.slices.get(material) else { continue };
            let fail = |fault| FileError { path: self.store.file(material, Metric::Wld), fault };
            let bytes = pack::pack(slice, self.store.identity()).map_err(fail)?;
            let positions = slice.shape.size;
            self.store.save(material, Metric::Wld, &bytes, positions)?;
        }
        Ok(())
    }
}

/// Distances: what takes two bytes a position and is built for few pieces.
impl<B: Bits> Workbench<B> {
    /// Builds what is missing of the distances of the slices with 2 to `pieces` pieces, whose values are there.
    ///
    /// # Errors
    /// It was aborted, a file is not what it should be, or there is not enough memory. What has been built stays.
    pub fn measure(&mut self, pieces: usize, metric: Metric, course: Course<'_>) -> Result<(), Error> {
        let ends = self.slices.ends;
        for unit in (2..=pieces).flat_map(|pieces| units(&ends, pieces)) {
            let mut all = true;
            for &material in &unit {
                all &= self.store.has(material, metric)?;
            }
            if all {
                let entries = unit.iter().filter_map(|&material| self.store.entry(material, metric));
                course.add(entries.map(|entry| entry.positions).sum())?;
            } else {
                self.measure_unit(&unit, metric, course)?;
            }
        }
        Ok(())
    }

    fn measure_unit(&mut self, unit: &[Material], metric: Metric, course: Course<'_>) -> Result<(), Error> {
        self.make_room(unit)?;
        self.read_successors(unit)?;
        unit.iter().try_for_each(|&material| self.read(material))?;
        let needed: Vec<_> = match metric {
            Metric::Dtw => unit.iter().flat_map(|&material| after(material)).collect(),
            _ => Vec::new(),
        };
        self.make_room_for_distances(unit, &needed)?;
        for material in needed {
            self.read_distances(material, metric)?;
        }
        measure(&self.slices, &mut self.known, unit[0], metric, course)?;
        for &material in unit {
            let (Some(slice), Some(distances)) = (self.slices.get(material), self.known.get(material)) else {
                continue;
            };
            let fail = |fault| FileError { path: self.store.file(material, metric), fault };
            let bytes = plies::pack(slice, distances, metric, self.store.identity()).map_err(fail)?;
            let positions = slice.shape.size;
            self.store.save(material, metric, &bytes, positions)?;
        }
        Ok(())
    }

    /// Forgets distances that a unit does not need, if there is not enough memory for it.
    fn make_room_for_distances(&mut self, unit: &[Material], needed: &[Material]) -> Result<(), Error> {
        let own: u64 = unit.iter().map(|&material| 5 * Shape::new(self.slices.rules, material).size).sum();
        let values: u64 = self.slices.iter().map(|slice| slice.values.bytes()).sum();
        if values + self.known.bytes() + own > self.memory {
            self.known.retain(|material| needed.contains(&material));
        }
        let missing = needed.iter().filter(|&&material| self.known.get(material).is_none());
        let missing: u64 = missing
            .filter_map(|&material| self.store.entry(material, Metric::Wld))
            .map(|it| 2 * it.positions)
            .sum();
        let total = values + self.known.bytes() + own + missing;
        if total > self.memory { Err(Error::Memory(unit[0], total, self.memory)) } else { Ok(()) }
    }

    fn read_distances(&mut self, material: Material, metric: Metric) -> Result<(), Error> {
        if self.known.get(material).is_none() && self.is_played(material) {
            let path = self.store.file(material, metric);
            let (_, distances) = plies::read(&path, self.store.identity(), material, metric)?;
            self.known.put(material, distances);
        }
        Ok(())
    }
}

/// Bytes that the largest part takes while it is solved.
fn largest_part<B: Bits>(shape: &Shape<B>) -> u64 {
    shape.parts.iter().map(|part| part.size).max().unwrap_or(0)
}
