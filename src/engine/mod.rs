//! The engine behind one object-safe trait: a rule set chosen at run time becomes a type here and nowhere else, so that
//! protocols and commands never name one.
//!
//! [`open`] makes a [`Session`]: a game in progress, its hash table and its search. It speaks in strings and plain
//! numbers. A virtual call a command costs nothing; a virtual call a node would.

pub mod bench;
mod kings;
mod text;
mod typed;

pub use text::{Info, Notation, Outcome};

use crate::board::Side;
use crate::egdb::{FileError, Loading, Refusal, Workshop};
use crate::eval::features::Squares;
use crate::eval::{Model, ModelError, Odds};
use crate::movegen::Perft;
use crate::notation::{FenError, HubError, HubNumbering, MoveError};
use crate::position::Setup;
use crate::referee::Verdict;
use crate::rules::{Game, Rules, Visitor};
use crate::score::Score;
use crate::search::{Control, Limits, Options, Table};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// Most threads of a search.
pub const MAX_THREADS: usize = 256;
/// Sizes of the hash table: binary logarithms of the number of 16-byte entries, so 16 GiB at most.
pub const HASH_RANGE: RangeInclusive<u32> = Table::LOG2_RANGE.0..=30;

/// A game in progress and an engine that plays it. Squares and moves are texts in the game's own numbers or names.
pub trait Session: Send {
    /// The rules.
    fn game(&self) -> &Game;

    /// Goes to the start position; the moves played are forgotten.
    fn set_start(&mut self);
    /// Goes to the position of a FEN, Frisian king-move counters included.
    ///
    /// # Errors
    /// The position stays as it was.
    fn set_fen(&mut self, fen: &str) -> Result<(), PositionError>;
    /// Goes to the position of a Hub string. `kings` says how often in a row each side has moved one king (Frisian), as
    /// the lidraughts site does: `W32=2 B5=1`; it may be empty.
    ///
    /// # Errors
    /// The position stays as it was.
    fn set_hub(&mut self, position: &str, kings: &str, numbering: HubNumbering) -> Result<(), PositionError>;
    /// Plays a move.
    ///
    /// # Errors
    /// If the text means no legal move, or several; the position stays as it was.
    fn play(&mut self, text: &str, notation: Notation) -> Result<(), MoveError>;
    /// The legal move that `text` means, in another notation.
    ///
    /// # Errors
    /// If the text means no legal move, or several.
    fn translate(&self, text: &str, from: Notation, to: Notation) -> Result<String, MoveError>;
    /// Takes the last move back; `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Moves played.
    fn plies(&self) -> usize;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The position: its pieces and the side to move.
    fn setup(&self) -> Setup;
    /// The position as FEN, with the Frisian king-move counters that are not 0.
    fn fen(&self) -> String;
    /// The position as a Hub string.
    fn hub(&self, numbering: HubNumbering) -> String;
    /// The board with its square numbers and the side to move, as lines of text.
    fn diagram(&self) -> String;
    /// The same as an SVG document.
    fn svg(&self) -> String;
    /// All legal moves, each once, sorted as strings. The game may be over all the same.
    fn legal_moves(&self, notation: Notation) -> Vec<String>;
    /// How the game has ended, if it has.
    fn verdict(&self) -> Option<Verdict>;
    /// The evaluation of the position.
    fn eval(&self) -> Evaluation;

    /// Who builds and checks endgame tables of the game.
    ///
    /// # Errors
    /// There are none for this game.
    fn workshop(&self) -> Result<Box<dyn Workshop>, Refusal>;

    /// Chooses the endgame tables of the searches to come, and says which there are. What was learnt in the game is
    /// forgotten. Until this is called they are those that the program carries.
    ///
    /// # Errors
    /// A file is not what it should be, or there are no tables for the game; the tables stay as they were.
    fn set_tables(&mut self, tables: Tables<'_>) -> Result<Loading, TablesError>;

    /// The number of leaves `depth` plies on.
    fn perft(&self, perft: &Perft<'_>, depth: u32) -> u64;
    /// The number of leaves under each move in Hub notation, sorted as strings; `depth` is at least 1.
    fn divide(&self, perft: &Perft<'_>, depth: u32) -> Vec<(String, u64)>;

    /// Sets the number of threads of the searches to come, within 1 and [`MAX_THREADS`].
    fn set_threads(&mut self, threads: usize);
    /// Sets the size of the hash table, held within [`HASH_RANGE`]. Another size than was set before empties it.
    fn set_hash(&mut self, log2_entries: u32);
    /// Sets how the searches to come play; values beyond their ranges count as the nearest.
    fn set_options(&mut self, options: &Options);
    /// Chooses the weights of the evaluation.
    ///
    /// # Errors
    /// The file is damaged or for other rules; the weights stay as they were.
    fn set_weights(&mut self, weights: Weights<'_>) -> Result<(), ModelError>;
    /// The learned weights of the evaluation; `None` is the hand-made one.
    fn weights(&self) -> Option<Arc<Model>>;
    /// What the scores of searches say about results.
    fn odds(&self) -> Odds;
    /// The number of features of the learned evaluation, and how many of them count something on the whole board; those
    /// come first. `None` if the game has none.
    fn features(&self) -> Option<(usize, usize)>;
    /// Appends the features of a position, from White, with their values to `list`, and gives the share of the opening in
    /// it, 0 to 1.
    fn features_of(&self, squares: &Squares, list: &mut Vec<(u32, i32)>) -> f32;
    /// Gets ready to search: makes the hash table, if there is none of the size set. That costs no time.
    ///
    /// # Errors
    /// There is not so much memory; a smaller table has been made, and stays until another size is set.
    fn prepare(&mut self) -> Result<(), HashError>;
    /// Empties the hash table.
    fn clear_hash(&mut self);
    /// Forgets what earlier searches have learnt, the hash table included.
    fn new_game(&mut self);
    /// Searches the current position. `report` hears at least once, with a score, if there is a legal move; of several
    /// lines (`limits.multipv`) it hears those of a depth together, best first. A game that is over by a draw rule is
    /// searched all the same. `limits.searchmoves` are read in `notation`.
    fn search(
        &mut self,
        limits: &Limits,
        notation: Notation,
        control: &Control,
        report: &mut dyn FnMut(&Info),
    ) -> Outcome;
}

/// Where the weights of an evaluation come from.
#[derive(Clone, Copy, Debug)]
pub enum Weights<'a> {
    /// The program, which falls back on hand-made ones.
    Embedded,
    /// Hand-made ones.
    HandMade,
    /// The contents of a file.
    File(&'a [u8]),
}

/// Endgame tables to use.
#[derive(Clone, Copy, Debug)]
pub enum Tables<'a> {
    /// Those that the program carries for the game, if any.
    Embedded,
    /// None.
    None,
    /// Those of a directory; if it has none for the game, the embedded ones.
    Directory {
        /// The directory of all tables.
        path: &'a Path,
        /// Most pieces.
        pieces: usize,
        /// Bytes of the cache of blocks.
        cache: usize,
    },
}

/// Why endgame tables are not used.
#[derive(Debug)]
pub enum TablesError {
    /// There are none for the game.
    Refused(Refusal),
    /// A file is not what it should be.
    File(FileError),
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TablesError {}

/// There is no memory for the hash table that was asked for. Sizes are binary logarithms of numbers of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashError {
    /// The size asked for.
    pub wanted: u32,
    /// The size had instead.
    pub had: u32,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, had } = self;
        write!(f, "no memory for a hash table of 2^{wanted} entries: it has 2^{had}")
    }
}

impl std::error::Error for HashError {}

/// An evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The terms by name, from the side to move.
    pub terms: Vec<(&'static str, Score)>,
    /// Their sum.
    pub score: Score,
}

/// A line a term, then `score`.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.iter().try_for_each(|(name, value)| writeln!(f, "{name} {value}"))?;
        write!(f, "score {}", self.score)
    }
}

/// Why a position is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The FEN is at fault.
    Fen(FenError),
    /// The Hub string is at fault.
    Hub(HubError),
    /// The counters of king moves are, and why.
    Kings(String),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => error.fmt(f),
            Self::Hub(error) => error.fmt(f),
            Self::Kings(why) => write!(f, "bad position: {why}"),
        }
    }
}

impl std::error::Error for PositionError {}

impl From<FenError> for PositionError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<HubError> for PositionError {
    fn from(error: HubError) -> Self {
        Self::Hub(error)
    }
}

/// A session at the start of `game`.
pub fn open(game: Game) -> Box<dyn Session> {
    game.kernel().visit(Open(game))
}

struct Open(Game);

impl Visitor for Open {
    type Output = Box<dyn Session>;
    fn visit<R: Rules>(self) -> Self::Output {
        Box::new(typed::Typed::<R>::new(self.0))
    }
}
