//! What is found of a position or a move, and how files of it are read.

use crate::eval::Odds;
use crate::score::Score;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read};

/// The longest line that can be a record, in bytes.
const LONGEST: u64 = 1 << 20;

/// A position of a list, or the position before a move of a game; as JSON an object on one line. Moves are in Hub notation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The number of the position or of the game in the input, from 1.
    pub game: usize,
    /// The id of the rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// Moves of the game before it.
    pub ply: usize,
    /// The move of the game; `None` for a position of a list.
    pub played: Option<String>,
    /// The best move; `None` without a legal one.
    pub best: Option<String>,
    /// In men from the side to move, two decimals; 100 less 1/100 a ply for a forced win.
    pub score: f64,
    /// Plies to the end of the game, if it is forced; negative if the side to move loses.
    pub win_in: Option<i32>,
    /// What the score says about the result.
    pub odds: Chances,
    /// In plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time of the search, three decimals.
    pub seconds: f64,
    /// The line of best play.
    pub pv: Vec<String>,
    /// With several lines: all of them, best first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<Variation>,
    /// What the move of the game has cost, in permille of a point; only for moves. `None` where nothing follows that could
    /// say so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loss: Option<u32>,
    /// `?!`, `?` or `??` for a move that has cost much.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<String>,
}

/// One of several best lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// As in [`Record`].
    pub score: f64,
    /// As in [`Record`].
    pub win_in: Option<i32>,
    /// As in [`Record`].
    pub odds: Chances,
    /// The line of best play, which begins with its move.
    pub pv: Vec<String>,
}

/// The chances of the side to move, in permille; they add up to 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl Chances {
    /// What a score says.
    pub fn of(odds: Odds, score: Score) -> Self {
        let [win, draw, loss] = odds.permille(score);
        Self { win, draw, loss }
    }
}

/// A score in men.
pub(super) fn men(score: Score) -> f64 {
    f64::from(score.value()) / 100.0
}

/// Plies to a forced end, with the sign of who wins.
pub(super) fn win_in(score: Score) -> Option<i32> {
    let plies = score.plies_to_end()? as i32;
    Some(if score.is_win() { plies } else { -plies })
}

impl Record {
    /// The line of JSON, with its end.
    pub fn line(&self) -> String {
        // Numbers and texts alone are always written.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Where it stands in its file: records come in this order.
    pub const fn place(&self) -> (usize, usize) {
        (self.game, self.ply)
    }
}

/// The records of a file, with what is wrong with a line.
pub struct Records<R> {
    input: R,
    line: usize,
}

impl<R: BufRead> Records<R> {
    /// The records of an input.
    pub const fn new(input: R) -> Self {
        Self { input, line: 0 }
    }

    /// The line of the last record, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The next line, its record and its length in bytes; `None` at the end.
    ///
    /// # Errors
    /// The line is none, or has been cut off.
    pub fn read(&mut self) -> io::Result<Option<Result<(Record, usize), String>>> {
        let mut bytes = Vec::new();
        self.line += 1;
        (&mut self.input).take(LONGEST).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.last() != Some(&b'\n') {
            return Ok(Some(Err("the line is cut off".to_owned())));
        }
        let record = serde_json::from_slice::<Record>(&bytes);
        Ok(Some(record.map(|record| (record, bytes.len())).map_err(|error| format!("no record: {error}"))))
    }
}
