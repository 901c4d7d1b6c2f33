//! What a client may choose, in any dialect.

use crate::egdb::MOST_PIECES;
use crate::engine::{self, HashError, Session, Tables, Weights};
use crate::error::excerpt;
use crate::notation::HubNumbering;
use crate::rules::{self, Game};
use crate::search::{Options, Tunables};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// The values of the parameters, by whatever names a dialect has for them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub game: Game,
    /// Threads of a search.
    pub threads: usize,
    /// Binary logarithm of the entries of the hash table.
    pub tt_size: u32,
    /// Whether the client ponders.
    pub ponder: bool,
    /// Numbers of 8x8 boards, in Hub.
    pub numbering: HubNumbering,
    /// Best lines of a search.
    pub multipv: u32,
    /// The level of skill.
    pub skill: u32,
    /// What tells the games of a level of skill from others.
    pub seed: u64,
    /// What a draw is worth less than 0, in 1/100 man.
    pub contempt: i32,
    /// Kept back of a move's time on a clock, in milliseconds.
    pub overhead: u64,
    /// Where lines in and out are written down; empty is nowhere.
    pub log_file: String,
    /// Numbers of the tree search.
    pub tunables: Tunables,
    /// Whether scores come with the chances of results (Hub).
    pub show_odds: bool,
    /// Where the weights of the evaluation come from: a file, the program (empty), or hand-made ones (`none`).
    pub weights: String,
    /// Where endgame tables come from: a directory, the program (empty), or nowhere (`none`).
    pub egdb_dir: String,
    /// Most pieces of the tables used.
    pub egdb_pieces: usize,
    /// The cache of the tables, in MiB.
    pub egdb_cache: usize,
    /// Whether the session has yet to be told of these; whoever does it takes this back.
    pub egdb_due: bool,
    /// Whether the hash table is to be emptied; whoever does it takes this back.
    pub clear_hash: bool,
}

/// Most best lines of a search.
pub const MAX_LINES: u32 = 256;
/// The greatest seed.
pub const MAX_SEED: u64 = i32::MAX as u64;
/// Numbers of pieces of endgame tables.
pub const EGDB_PIECES: RangeInclusive<usize> = 2..=MOST_PIECES;
/// Sizes of the cache of endgame tables, in MiB.
pub const EGDB_CACHE: RangeInclusive<usize> = 1..=65_536;
/// The greatest overhead, in milliseconds.
pub const MAX_OVERHEAD: u64 = 10_000;

impl Settings {
    /// The defaults, for a game.
    pub fn new(game: Game) -> Self {
        let Options { skill, contempt, overhead, seed, tunables } = Options::DEFAULT;
        Self {
            game,
            threads: 1,
            tt_size: 22,
            ponder: false,
            numbering: HubNumbering::Standard,
            multipv: 1,
            skill,
            seed,
            contempt,
            overhead: overhead.as_millis() as u64,
            log_file: String::new(),
            tunables,
            show_odds: false,
            weights: String::new(),
            egdb_dir: String::new(),
            egdb_pieces: *EGDB_PIECES.end(),
            egdb_cache: 64,
            egdb_due: false,
            clear_hash: false,
        }
    }

    /// Another rule set comes with its rules at their defaults; the same one keeps them.
    ///
    /// # Errors
    /// If there is no such rule set.
    pub fn set_variant(&mut self, value: &str) -> Result<(), String> {
        let set = rules::find(value).map_err(|error| error.to_string())?;
        if set.id != self.game.set.id {
            self.game = Game::new(set);
        }
        Ok(())
    }

    /// `NAME=VALUE ...`, or with `:` for `=`: the form in which it is declared, as clients split declarations at `=`.
    ///
    /// # Errors
    /// What cannot be; nothing has changed then.
    pub fn set_rules(&mut self, value: &str) -> Result<(), String> {
        let pairs: Vec<String> = value.split_whitespace().map(|pair| pair.replacen(':', "=", 1)).collect();
        self.game = Game::with_options(self.game.set.id, pairs.iter().map(String::as_str))
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Makes a session ready to search with the settings as they are.
    ///
    /// # Errors
    /// The hash table cannot be had; a smaller one is used.
    pub fn prepare(&self, session: &mut dyn Session) -> Result<(), HashError> {
        session.set_threads(self.threads);
        session.set_hash(self.tt_size);
        session.prepare()
    }

    /// Lets a session follow what has been set. Other rules begin a game of their own, at the start; says whether they do.
    pub fn apply(&mut self, session: &mut Box<dyn Session>) -> bool {
        if std::mem::take(&mut self.clear_hash) {
            session.clear_hash();
        }
        let other = !same_game(&self.game, session.game());
        if other {
            *session = engine::open(self.game.clone());
            self.weights.clear();
            self.egdb_due = !self.egdb_dir.is_empty();
        }
        other
    }

    /// Chooses the directory of endgame tables.
    pub fn set_egdb_dir(&mut self, value: &str) {
        self.egdb_due |= value != self.egdb_dir;
        self.egdb_dir = value.to_owned();
    }

    /// Lets a session use the endgame tables chosen, if it does not yet, and says which there are.
    ///
    /// # Errors
    /// A file is not what it should be, or there are no tables for the game.
    pub fn load_tables(&mut self, session: &mut dyn Session) -> Result<Option<String>, String> {
        if !std::mem::take(&mut self.egdb_due) {
            return Ok(None);
        }
        let (pieces, cache) = (self.egdb_pieces, self.egdb_cache << 20);
        let tables = match self.egdb_dir.as_str() {
            "" => Tables::Embedded,
            "none" => Tables::None,
            path => Tables::Directory { path: Path::new(path), pieces, cache },
        };
        let loading = session.set_tables(tables).map_err(|error| error.to_string())?;
        Ok(Some(loading.to_string()))
    }

    /// Sets a number of the tree search.
    ///
    /// # Errors
    /// There is none of this name, or it cannot have this value.
    pub fn tune(&mut self, name: &str, value: &str) -> Result<(), String> {
        let entry = Tunables::TABLE.iter().find(|(known, ..)| *known == name);
        let (_, _, range) = entry.ok_or("the search has no such number")?;
        let number = integer(value, range.clone())?;
        if let Some(slot) = self.tunables.get_mut(name) {
            *slot = number;
        }
        Ok(())
    }

    /// How to play. An analysis is not a game: it is at full strength, and draws are worth nothing.
    pub fn options(&self, analysis: bool) -> Options {
        let Self { skill, contempt, seed, tunables, .. } = *self;
        let overhead = Duration::from_millis(self.overhead);
        if analysis {
            Options { overhead, tunables, ..Options::DEFAULT }
        } else {
            Options { skill, contempt, overhead, seed, tunables }
        }
    }
}

/// Lets a session take the weights of its evaluation from the program (an empty name), from a file, or do without (`none`).
///
/// # Errors
/// The file cannot be read or used; the weights stay as they were.
pub fn load_weights(session: &mut dyn Session, name: &str) -> Result<(), String> {
    let file;
    let weights = match name {
        "" => Weights::Embedded,
        "none" => Weights::HandMade,
        path => {
            file =
                std::fs::read(path).map_err(|error| format!("cannot read '{}': {error}", excerpt(path)))?;
            Weights::File(&file)
        }
    };
    session.set_weights(weights).map_err(|error| format!("'{}': {error}", excerpt(name)))
}

/// Whether two games are the same rules.
fn same_game(a: &Game, b: &Game) -> bool {
    (a.set.id, &a.chosen) == (b.set.id, &b.chosen)
}

/// The rules that are not at their defaults.
pub fn rules_of(game: &Game) -> String {
    let default = Game::new(game.set).chosen;
    let changed = game.chosen.iter().filter(|choice| !default.contains(choice));
    changed.map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(" ")
}

/// A message about a value.
pub fn bad(value: &str, expected: &str) -> String {
    format!("bad value '{}': expected {expected}", excerpt(value))
}

/// `true` or `false`.
///
/// # Errors
/// Anything else.
pub fn boolean(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| bad(value, "true or false"))
}

/// A whole number within a range.
///
/// # Errors
/// Anything else.
pub fn integer<T>(value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let digits = value.strip_prefix('-').unwrap_or(value).bytes().all(|b| b.is_ascii_digit());
    value
        .parse()
        .ok()
        .filter(|number| digits && range.contains(number))
        .ok_or_else(|| bad(value, &format!("a number from {} to {}", range.start(), range.end())))
}
