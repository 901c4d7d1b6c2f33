//! All that the tables say of a position.

use super::distance::{Distances, NEVER};
use super::judge::Ends;
use super::movement::Movement;
use super::shape::Shape;
use super::store::Store;
use super::{Error, Identity, Job, Material, Metric, Prober, TURN, Value, plies};
use crate::bits::Bits;
use crate::position::{Position, Setup};
use crate::rules::Game;
use std::collections::HashMap;

/// What the tables say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value for the side to move; `None` if a table that it takes is not there.
    pub value: Option<Value>,
    /// Plies to the next conversion, if it is decided and there is a table of them.
    pub mtc: Option<u16>,
    /// Plies to the end of the game, if it is decided and there is a table of them.
    pub dtw: Option<u16>,
}

/// Answers questions about positions of a game.
pub trait Oracle {
    /// What the tables say of a position, which must be one of the game.
    ///
    /// # Errors
    /// A file is damaged.
    fn ask(&mut self, setup: &Setup) -> Result<Answer, Error>;
}

/// The index and the distances of a slice.
type Measured<B> = (Shape<B>, Distances);

/// The oracle of a game with the kernel `R`.
pub struct Reader<B: Bits> {
    prober: Prober<B>,
    store: Store,
    ends: Ends,
    rules: Movement<B>,
    /// Distances that have been read; `None` where there is no file.
    distances: HashMap<(Material, Metric), Option<Measured<B>>>,
}

impl<B: Bits> Reader<B> {
    /// Of the tables of a game; the memory of `job` is for the cache.
    ///
    /// # Errors
    /// A file is not what it should be.
    pub fn open(game: &Game, rules: Movement<B>, job: &Job) -> Result<Self, Error> {
        let cache = usize::try_from(job.memory).unwrap_or(usize::MAX);
        let prober = Prober::open(game, rules, &job.directory, job.pieces, cache)?;
        let store = Store::open(&job.directory, &Identity::of(game))?;
        Ok(Self { prober, store, ends: Ends::of(game), rules, distances: HashMap::new() })
    }

    /// The distance of a position with White to move.
    fn distance(&mut self, position: &Position<B>, metric: Metric) -> Result<Option<u16>, Error> {
        let Some(material) = Material::of(position) else { return Ok(None) };
        if !self.distances.contains_key(&(material, metric)) {
            let found = if self.store.has(material, metric)? {
                let path = self.store.file(material, metric);
                let (_, distances) = plies::read(&path, self.store.identity(), material, metric)?;
                Some((Shape::new(self.rules, material), distances))
            } else {
                None
            };
            self.distances.insert((material, metric), found);
        }
        let known = self.distances.get(&(material, metric)).and_then(Option::as_ref);
        let distance = known.and_then(|(shape, all)| all.get(shape.index(position) as usize).copied());
        Ok(distance.filter(|&distance| distance != NEVER))
    }
}

impl<B: Bits> Oracle for Reader<B> {
    fn ask(&mut self, setup: &Setup) -> Result<Answer, Error> {
        let Some(position) = self.rules.position(setup) else {
            return Ok(Answer { value: None, mtc: None, dtw: None });
        };
        if self.ends.over(&position).is_some() || position.side(position.turn.other()).is_empty() {
            return Ok(Answer { value: self.ends.over(&position), mtc: None, dtw: None });
        }
        let value = self.prober.probe(&position);
        let seen = if position.turn == TURN { position } else { self.rules.turned_position(&position) };
        let [mtc, dtw] = [Metric::Mtc, Metric::Dtw].map(|metric| self.distance(&seen, metric));
        Ok(Answer { value, mtc: mtc?, dtw: dtw? })
    }
}
