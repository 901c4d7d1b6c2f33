//! Openings: where the games of a match begin, so that they are not all the same. Both games of a pair with colours
//! changed begin from the same [`Ballot`].
//!
//! A [`Book`] has them in the order they are played: the official openings of a federation, openings made by rule for any
//! rule set, or those of a file.

mod builtin;
mod error;
mod files;
mod games;
mod official;
mod options;
#[cfg(test)]
mod tests;

pub use builtin::default_plies;
pub use error::OpeningsError;
pub use files::{from_moves, read, read_file, replay};
pub use options::{OpeningOptions, Order, Source};

use crate::engine::{Notation, Session};
use crate::rng::Rng;
use crate::rules::Game;
use crate::score::Score;
use builtin::{Builtin, Recipe};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// An opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// What it is called: `FID 12 (PARI)`, `built-in 3 (-0.12)` with its score in men from the side to move after it,
    /// `book.txt:7`.
    pub name: String,
    /// The position it begins from; `None` is the start of the game.
    pub fen: Option<String>,
    /// The moves from there, as Hub writes them, with the game's own numbers. A capture that Hub cannot tell from another
    /// one (Russian: the same pieces without promotion) is as it was read.
    pub moves: Vec<String>,
}

impl Ballot {
    /// Sets up the position after the opening.
    ///
    /// # Errors
    /// If it is none of this game; a ballot of a [`Book`] of the game is.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<(), OpeningsError> {
        match &self.fen {
            Some(fen) => session.set_fen(fen)?,
            None => session.set_start(),
        }
        for (ply, text) in (1..).zip(&self.moves) {
            session.play(text, Notation::HUB).map_err(|error| OpeningsError::Move { ply, error })?;
        }
        Ok(())
    }
}

/// The openings of a match in the order they are played. Threads may share it.
pub struct Book {
    ballots: Ballots,
    /// Of the first one to be played.
    start: usize,
    title: String,
}

enum Ballots {
    Listed(Vec<Ballot>),
    Made(Box<Mutex<Made>>),
}

/// Ballots made so far, and those to come.
struct Made {
    ballots: Vec<Ballot>,
    rest: Builtin,
}

impl Made {
    /// Makes ballots until there are `count`, or no more can be had; gives their number.
    fn reach(&mut self, count: usize) -> usize {
        let missing = count.saturating_sub(self.ballots.len());
        self.ballots.extend(self.rest.by_ref().take(missing));
        self.ballots.len()
    }
}

impl Book {
    /// The openings that the options ask for, shuffled by `seed` unless they are to be played in sequence. Built-in ones
    /// are made when they are needed, a few milliseconds each.
    ///
    /// # Errors
    /// A rule set without a table, a file at fault, no openings at all, fewer of them than `start`.
    pub fn load(game: &Game, options: &OpeningOptions, seed: u64) -> Result<Self, OpeningsError> {
        let (ballots, title) = match options.source_for(game) {
            Source::Official => (official::ballots(game, options.barred)?, "official".to_owned()),
            Source::File(file) if games::is_pdn(&file) => {
                (games::read_file(game, &file, options.plies)?, file)
            }
            Source::File(file) => (read_file(game, &file, options.plies)?, file),
            Source::Builtin | Source::Unsaid => return Self::made(game, options, seed),
        };
        Self::of(ballots, &title, options, seed)
    }

    /// The openings of a list that has been read elsewhere, in the order and from the start that the options ask for;
    /// `title` says where they are from.
    ///
    /// # Errors
    /// No openings at all, fewer of them than `start`.
    pub fn of(
        mut ballots: Vec<Ballot>,
        title: &str,
        options: &OpeningOptions,
        seed: u64,
    ) -> Result<Self, OpeningsError> {
        if options.order == Order::Random {
            shuffle(&mut ballots, seed);
        }
        let start = first(options.start, ballots.len(), title)?;
        let title = format!("{title}: {}", counted(ballots.len(), "opening", "openings"));
        Ok(Self { ballots: Ballots::Listed(ballots), start, title })
    }

    fn made(game: &Game, options: &OpeningOptions, seed: u64) -> Result<Self, OpeningsError> {
        let &OpeningOptions { plies, band, nodes, order, .. } = options;
        let mut made = Made {
            ballots: Vec::new(),
            rest: Builtin::new(game, Recipe { plies, band, nodes, order }, seed),
        };
        let (plies, band) = (made.rest.plies(), Score::new(made.rest.band()));
        let title = format!("built-in: {plies} plies");
        let start = first(options.start, made.reach(options.start), &title)?;
        let title = format!("{title}, scores within {band}");
        Ok(Self { ballots: Ballots::Made(Box::new(Mutex::new(made))), start, title })
    }

    /// Whether the opening of the pair of games `index` has been there before, as there are not so many.
    pub fn repeats(&self, index: usize) -> bool {
        let count = match &self.ballots {
            Ballots::Listed(ballots) => ballots.len(),
            Ballots::Made(made) => {
                let wanted = self.start.saturating_add(index).saturating_add(1);
                made.lock().unwrap_or_else(PoisonError::into_inner).reach(wanted)
            }
        };
        index >= count
    }

    /// The opening of the pair of games `index`, from 0. It depends on the game, the options and the seed only, not on
    /// what was asked for before. After the last one the first one of all follows, whatever `start` says.
    pub fn ballot(&self, index: usize) -> Ballot {
        let at = self.start.saturating_add(index);
        match &self.ballots {
            Ballots::Listed(ballots) => ballots[at % ballots.len()].clone(),
            Ballots::Made(made) => {
                // A thread that has panicked has left whole ballots behind.
                let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
                let count = made.reach(at.saturating_add(1));
                made.ballots[at % count].clone()
            }
        }
    }
}

/// In words: where the openings come from and what they are.
impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)
    }
}

/// The index of the opening number `start` of `count`.
fn first(start: usize, count: usize, source: &str) -> Result<usize, OpeningsError> {
    match count {
        0 => Err(OpeningsError::Empty { source: source.to_owned() }),
        _ if start > count => Err(OpeningsError::Start { start, count }),
        _ => Ok(start.saturating_sub(1)),
    }
}

/// A number of things in words.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Fisher and Yates.
fn shuffle(ballots: &mut [Ballot], seed: u64) {
    let mut rng = Rng::new(seed);
    for last in (1..ballots.len()).rev() {
        ballots.swap(last, rng.below(last + 1));
    }
}
