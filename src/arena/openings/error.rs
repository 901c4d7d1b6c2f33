//! What can be wrong with openings.

use crate::engine::PositionError;
use crate::error::excerpt;
use crate::notation::MoveError;
use crate::notation::pdn::Fault;
use crate::referee::Verdict;
use std::fmt;

/// Why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningsError {
    /// No option has this name.
    UnknownKey {
        /// The name given.
        key: String,
        /// Its value.
        value: String,
    },
    /// An option is given twice.
    Twice {
        /// The option.
        key: &'static str,
        /// The second value.
        value: String,
    },
    /// An option cannot have this value.
    Value {
        /// The option.
        key: &'static str,
        /// The value given.
        value: String,
        /// What it may be.
        expected: String,
    },
    /// An option says nothing about openings from where these come from.
    Useless {
        /// The option.
        key: &'static str,
        /// Its value.
        value: String,
        /// The openings it is for, as in `built-in openings`.
        only: &'static str,
    },
    /// The rule set has no official openings.
    NoTable {
        /// The rule set.
        variant: &'static str,
        /// The rule sets that have, as in `a, b`.
        known: String,
    },
    /// There are fewer openings than the number of the first to be played.
    Start {
        /// That number, from 1.
        start: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no opening at all.
    Empty {
        /// Where they should have come from.
        source: String,
    },
    /// A file cannot be read.
    File {
        /// Its name.
        file: String,
        /// What the system says.
        why: String,
    },
    /// A line of a file is not UTF-8.
    Encoding {
        /// The first byte at fault, from 1.
        byte: usize,
    },
    /// The position is at fault.
    Position(PositionError),
    /// A move is.
    Move {
        /// Its number, from 1.
        ply: usize,
        /// Why.
        error: MoveError,
    },
    /// The game ends in the opening.
    Over {
        /// Moves played until then.
        ply: usize,
        /// How it ends.
        verdict: Verdict,
    },
    /// A game of a file cannot be read.
    Game {
        /// The name of the file.
        file: String,
        /// Where and why.
        fault: Fault,
    },
    /// A game is of another rule set.
    OtherGame {
        /// Of which.
        found: &'static str,
        /// Of which it should be.
        wanted: &'static str,
    },
    /// A line of a file is at fault.
    Line {
        /// The name of the file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// How.
        fault: Box<OpeningsError>,
    },
}

impl OpeningsError {
    /// The same, said of a line of a file.
    pub(super) fn at(self, file: &str, line: usize) -> Self {
        Self::Line { file: file.to_owned(), line, fault: Box::new(self) }
    }
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { key, value } => write!(
                f,
                "unknown opening option '{}={}': expected {}",
                excerpt(key),
                excerpt(value),
                super::options::KEYS.join(", ")
            ),
            Self::Twice { key, value } => write!(f, "opening option '{key}={}' stands twice", excerpt(value)),
            Self::Value { key, value, expected } => {
                write!(f, "bad opening option '{key}={}': expected {expected}", excerpt(value))
            }
            Self::Useless { key, value, only } => {
                write!(f, "opening option '{key}={}' is for {only} only", excerpt(value))
            }
            Self::NoTable { variant, known } => {
                write!(f, "opening option 'file=official': {variant} has no official openings; {known} have")
            }
            Self::Start { start, count: 1 } => {
                write!(f, "opening option 'start={start}': there is 1 opening")
            }
            Self::Start { start, count } => {
                write!(f, "opening option 'start={start}': there are {count} openings")
            }
            Self::Empty { source } => write!(f, "{source}: no openings"),
            Self::File { file, why } => write!(f, "{file}: {why}"),
            Self::Encoding { byte } => write!(f, "byte {byte} is not UTF-8"),
            Self::Position(error) => error.fmt(f),
            Self::Move { ply, error } => write!(f, "ply {ply}: {error}"),
            Self::Over { ply: 0, verdict } => write!(f, "the game is over ({})", verdict.reason),
            Self::Over { ply, verdict } => {
                let plies = super::counted(*ply, "ply", "plies");
                write!(f, "the game is over after {plies} ({})", verdict.reason)
            }
            Self::Game { file, fault } => write!(f, "{file}:{fault}"),
            Self::OtherGame { found, wanted } => write!(f, "a game of {found}: expected {wanted}"),
            Self::Line { file, line, fault } => write!(f, "{file}:{line}: {fault}"),
        }
    }
}

impl std::error::Error for OpeningsError {}

impl From<PositionError> for OpeningsError {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}
