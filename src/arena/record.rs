//! What is kept of a game, and the journal in which a match keeps its games: JSON lines, the first with the terms of the
//! match, then one a game in the order in which they ended.

use crate::board::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By a rule of the game; the referee's name for it.
    Rule(String),
    /// A flag fell.
    TimeForfeit,
    /// A move that is not legal.
    IllegalMove,
    /// An answer that is no move.
    MalformedAnswer,
    /// An engine ended the game in its own words.
    Resignation,
    /// An engine's process died.
    Crash,
    /// An engine's process left, or closed its output.
    EarlyExit,
    /// An engine without a limit of time did not answer.
    Stall,
    /// An engine wrote without end.
    Flood,
    /// A draw by the scores.
    AdjudicatedDraw,
    /// A win by the scores.
    AdjudicatedWin,
    /// A draw by the number of moves.
    MoveLimit,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule(name) => name,
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::MalformedAnswer => "malformed answer",
            Self::Resignation => "resignation",
            Self::Crash => "crash",
            Self::EarlyExit => "early exit",
            Self::Stall => "stall",
            Self::Flood => "flood",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::AdjudicatedWin => "adjudicated win",
            Self::MoveLimit => "move limit",
        })
    }
}

/// A move as it was played. Times in ms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// In Hub notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Time used.
    pub ms: u64,
    /// Left on the clock after the move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub left: Option<u64>,
    /// In 1/100 man, from the side that moves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// In plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodes: Option<u64>,
}

/// A game that was played to its end. Engines are numbers in the order in which they were named.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its number, from 0.
    pub game: usize,
    /// Its round, from 0.
    pub round: usize,
    /// Who had the white pieces.
    pub white: usize,
    /// Who had the black pieces.
    pub black: usize,
    /// The day on which it ended, by universal time, as PDN has it: `2026.11.30`.
    pub date: String,
    /// The name of its ballot.
    pub ballot: String,
    /// Where it began; `None` is the start of the game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fen: Option<String>,
    /// The moves of the ballot, in Hub notation.
    pub opening: Vec<String>,
    /// The moves of the engines.
    pub moves: Vec<Played>,
    /// The winner, `W` or `B`; `None` is a draw.
    pub winner: Option<Winner>,
    /// Why it ended.
    pub end: End,
    /// What was wrong, if an engine was at fault.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Whether the loser went on searching after it had been told to stop.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub ignored_stop: bool,
}

/// A winner, for files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    /// White.
    W,
    /// Black.
    B,
}

impl From<Side> for Winner {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::W,
            Side::Black => Self::B,
        }
    }
}

impl Record {
    /// Half points of White: 2, 1 or 0.
    pub fn white_half_points(&self) -> usize {
        match self.winner {
            Some(Winner::W) => 2,
            Some(Winner::B) => 0,
            None => 1,
        }
    }
}

/// A file of records that grows with the match.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The system says so.
    Io(PathBuf, io::Error),
    /// A line is not what it should be.
    Line(PathBuf, usize, String),
    /// It belongs to another match: what differs, there and here.
    Other(PathBuf, String, String, String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, line, error) => write!(f, "{}:{line}: {error}", path.display()),
            Self::Other(path, key, there, here) => {
                write!(
                    f,
                    "{} is the record of another match: its {key} is {there}, not {here}",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// Opens the journal of a match, or begins it if there is no such file; gives the games played so far. The terms must be
    /// those with which it was begun, but for the number of rounds, so that a match can be made longer, and every game one
    /// that `belongs`. A last line that was cut off is taken away: its game is played again.
    ///
    /// # Errors
    /// A file that cannot be used, and why; it stays as it is.
    pub fn open(
        path: &Path,
        terms: &Value,
        belongs: impl Fn(&Record) -> bool,
    ) -> Result<(Self, Vec<Record>), JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        if !file.metadata().map_err(io)?.is_file() {
            return Err(JournalError::Line(path.to_owned(), 1, NO_RECORD.to_owned()));
        }
        let mut reader = BufReader::new(&file);
        let (mut records, mut whole, mut line) = (Vec::<Record>::new(), 0, Vec::new());
        let mut known = BTreeSet::new();
        for number in 1.. {
            line.clear();
            let mut limited = (&mut reader).take(LONGEST_LINE);
            if limited.read_until(b'\n', &mut line).map_err(io)? == 0 || !line.ends_with(b"\n") {
                break;
            }
            let bad =
                |error: serde_json::Error| JournalError::Line(path.to_owned(), number, error.to_string());
            if number == 1 {
                let found: Value = serde_json::from_slice(&line).map_err(bad)?;
                if found.get(MATCH).is_none() {
                    return Err(JournalError::Line(path.to_owned(), 1, NO_RECORD.to_owned()));
                }
                same_terms(path, &found, terms)?;
            } else {
                let record: Record = serde_json::from_slice(&line).map_err(bad)?;
                if !belongs(&record) || !known.insert(record.game) {
                    let error = format!("game {} is none of this match, or comes twice", record.game);
                    return Err(JournalError::Line(path.to_owned(), number, error));
                }
                records.push(record);
            }
            whole += line.len() as u64;
        }
        if whole == 0 && !line.is_empty() {
            return Err(JournalError::Line(path.to_owned(), 1, NO_RECORD.to_owned()));
        }
        if line.len() as u64 == LONGEST_LINE {
            let error = format!("longer than {LONGEST_LINE} bytes");
            return Err(JournalError::Line(path.to_owned(), records.len() + 2, error));
        }
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut journal = Self { file, path: path.to_owned() };
        if whole == 0 {
            journal.line(terms)?;
        }
        Ok((journal, records))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), JournalError> {
        self.line(record)
    }

    /// Writes a line in one piece.
    fn line(&mut self, content: &impl Serialize) -> Result<(), JournalError> {
        let io = |error| JournalError::Io(self.path.clone(), error);
        let mut bytes = serde_json::to_vec(content).map_err(|error| io(error.into()))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(io)
    }
}

/// Longest line of a journal, in bytes: a game of 100,000 moves fits.
const LONGEST_LINE: u64 = 16 << 20;
/// What is said of other files.
const NO_RECORD: &str = "not the record of a match";
/// The key that the terms of every match have.
const MATCH: &str = "match";
/// The key of the terms that may change.
const ROUNDS: &str = "rounds";

fn same_terms(path: &Path, found: &Value, terms: &Value) -> Result<(), JournalError> {
    let nothing = serde_json::Map::new();
    let (found, terms) = (found.as_object().unwrap_or(&nothing), terms.as_object().unwrap_or(&nothing));
    let differs = |key: &&String| found.get(*key) != terms.get(*key) && key.as_str() != ROUNDS;
    let Some(key) = terms.keys().chain(found.keys()).find(differs) else { return Ok(()) };
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    Err(JournalError::Other(path.to_owned(), key.clone(), text(found.get(key)), text(terms.get(key))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(game: usize) -> Record {
        let moves = vec![
            Played {
                mv: "22-18".into(),
                ms: 12,
                left: Some(980),
                score: Some(-5),
                depth: Some(7),
                nodes: Some(900),
            },
            Played { mv: "11x18x14".into(), ms: 3, ..Played::default() },
        ];
        Record {
            game,
            round: 0,
            white: 1,
            black: 0,
            date: "2026.11.30".into(),
            ballot: "start".into(),
            fen: None,
            opening: vec!["21-17".into()],
            moves,
            winner: Some(Winner::B),
            end: if game == 0 { End::Rule("no-moves".into()) } else { End::TimeForfeit },
            fault: None,
            ignored_stop: game == 1,
        }
    }

    #[test]
    fn a_journal_is_read_back_without_its_torn_end() {
        let path = std::env::temp_dir().join(format!("soffio-journal-{}.jsonl", std::process::id()));
        let terms = json!({ "match": 1, "variant": "italian", "rounds": 1 });
        let open = |terms: &Value| Journal::open(&path, terms, |record| record.white < 2);
        let (mut journal, records) = open(&terms).unwrap();
        assert!(records.is_empty());
        [0, 1].iter().for_each(|&game| journal.add(&record(game)).unwrap());
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let (mut journal, records) = open(&json!({ "match": 1, "variant": "italian", "rounds": 5 })).unwrap();
        assert_eq!(records, [record(0)], "more rounds are the same match, and a torn line is no game");
        journal.add(&record(1)).unwrap();
        drop(journal);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(open(&terms).unwrap().1, [record(0), record(1)]);
        let other = open(&json!({ "match": 1, "variant": "english", "rounds": 1 })).unwrap_err().to_string();
        assert!(other.ends_with("its variant is \"italian\", not \"english\""), "{other}");
        let line = serde_json::to_string(&record(0)).unwrap() + "\n";
        let foreign = line.replace("\"white\":1", "\"white\":7");
        for (content, error) in [
            ("x", ":1: not the record of a match"),
            ("{}\nx\n", ":1: not the record of a match"),
            (&format!("{terms}\nx\n"), ":2: expected value at line 1 column 1"),
            (&format!("{terms}\n{line}{line}"), ":3: game 0 is none of this match, or comes twice"),
            (&format!("{terms}\n{foreign}"), ":2: game 0 is none of this match, or comes twice"),
        ] {
            std::fs::write(&path, content).unwrap();
            let found = open(&terms).unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
            assert_eq!(
                std::fs::read_to_string(&path).unwrap(),
                content,
                "a file that is refused stays as it is"
            );
        }
        std::fs::remove_file(&path).unwrap();
    }
}
