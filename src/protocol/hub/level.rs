//! The level: how long a search may take, gathered from `level` lines.

use super::lexer::{Command, LineError};
use crate::error::excerpt;
use crate::notation::MoveError;
use crate::search::{ClockLimit, Limits};
use std::fmt;
use std::time::Duration;

/// Longest time understood, in seconds (about 32 years); it keeps sums of times far from overflow.
const LONGEST: f64 = 1e9;
/// Time on a clock that names none, in seconds (Scan's default).
const DEFAULT_TIME: f64 = 30.0;

/// What the `level` lines so far say. Later lines add to earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<f64>,
    moves: Option<u32>,
    time: Option<f64>,
    inc: Option<f64>,
    multipv: Option<u32>,
    /// Moves to choose from, in Hub notation with standard numbers; empty is all.
    searchmoves: Vec<String>,
}

/// Why a `level` line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// The line is at fault.
    Line(LineError),
    /// An argument stands there without a value.
    NoValue(&'static str),
    /// Not a number of this kind.
    BadNumber {
        /// The argument.
        name: &'static str,
        /// What stands there.
        value: String,
        /// What should.
        expected: String,
    },
    /// Not a legal move, and why.
    BadMove(String),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::BadMove(why) => write!(f, "'searchmoves': {why}"),
            Self::NoValue(name) => write!(f, "missing value of '{name}'"),
            Self::BadNumber { name, value, expected } => {
                write!(f, "bad number '{}' for '{name}': expected {expected}", excerpt(value))
            }
        }
    }
}

impl std::error::Error for LevelError {}

impl From<LineError> for LevelError {
    fn from(error: LineError) -> Self {
        Self::Line(error)
    }
}

impl Level {
    /// Adds a `level` line; on an error nothing of it counts. Arguments that are not known are skipped. `read` gives a
    /// legal move in Hub notation with standard numbers.
    ///
    /// # Errors
    /// Numbers and moves that cannot be.
    pub fn add(
        &mut self,
        command: &Command<'_>,
        read: impl Fn(&str) -> Result<String, MoveError>,
    ) -> Result<(), LevelError> {
        let mut new = self.clone();
        set(&mut new.depth, integer(command, "depth", u32::MAX)?);
        set(&mut new.nodes, integer(command, "nodes", u64::MAX)?);
        set(&mut new.moves, integer(command, "moves", u32::MAX)?);
        set(&mut new.move_time, seconds(command, "move-time")?);
        set(&mut new.time, seconds(command, "time")?);
        set(&mut new.inc, seconds(command, "inc")?);
        set(&mut new.multipv, integer(command, "multipv", u32::MAX)?);
        if let Some(texts) = value(command, "searchmoves")? {
            let moves: Result<_, _> = texts.split_whitespace().map(read).collect();
            new.searchmoves = moves.map_err(|error| LevelError::BadMove(error.to_string()))?;
        }
        *self = new;
        Ok(())
    }

    /// Whether nothing ends a search at this level but `stop`.
    pub fn is_open(&self) -> bool {
        let choice = Self { multipv: self.multipv, searchmoves: self.searchmoves.clone(), ..Self::default() };
        *self == choice
    }

    /// Best lines to search, if it says so.
    pub fn multipv(&self) -> Option<u32> {
        self.multipv
    }

    /// The moves to choose from, in Hub notation with standard numbers; empty is all.
    pub fn searchmoves(&self) -> &[String] {
        &self.searchmoves
    }

    /// Forgets the moves to choose from: the position is another.
    pub fn forget_moves(&mut self) {
        self.searchmoves.clear();
    }

    /// What ends a search at this level. Depth and nodes of 0 count as 1.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            move_time: self.move_time.map(duration),
            clock: self.clock(),
            ..Limits::default()
        }
    }

    /// Hub counts the increment of a move as added before it: a client whose clock shows T sends `time` = T - `inc`.
    /// So the time at hand is the sum, which also makes sense of the negative times that late clocks bring.
    fn clock(&self) -> Option<ClockLimit> {
        if self.moves.is_none() && self.time.is_none() && self.inc.is_none() {
            return None;
        }
        let inc = self.inc.unwrap_or(0.0);
        Some(ClockLimit {
            time: duration(self.time.unwrap_or(DEFAULT_TIME) + inc),
            inc: duration(inc),
            moves: self.moves.filter(|&moves| moves > 0),
        })
    }
}

fn set<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}

/// No time is less than none.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::ZERO)
}

fn value<'a>(command: &Command<'a>, name: &'static str) -> Result<Option<&'a str>, LevelError> {
    match command.value(name)? {
        None if command.has(name) => Err(LevelError::NoValue(name)),
        value => Ok(value),
    }
}

fn integer<T: std::str::FromStr + fmt::Display>(
    command: &Command<'_>,
    name: &'static str,
    most: T,
) -> Result<Option<T>, LevelError> {
    let Some(text) = value(command, name)? else { return Ok(None) };
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.map(Some).ok_or_else(|| LevelError::BadNumber {
        name,
        value: text.to_owned(),
        expected: format!("a whole number, at most {most}"),
    })
}

/// Negative times are understood: clocks run out.
fn seconds(command: &Command<'_>, name: &'static str) -> Result<Option<f64>, LevelError> {
    let Some(text) = value(command, name)? else { return Ok(None) };
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let number = text.parse::<f64>().ok().filter(|number| plain && number.abs() <= LONGEST);
    number.map(Some).ok_or_else(|| LevelError::BadNumber {
        name,
        value: text.to_owned(),
        expected: format!("seconds, at most {LONGEST}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(lines: &[&str]) -> Level {
        let mut level = Level::default();
        for line in lines {
            level.add(&Command::parse(line).unwrap(), legal).unwrap();
        }
        level
    }
    fn legal(text: &str) -> Result<String, MoveError> {
        Ok(text.to_owned())
    }
    fn error(line: &str) -> String {
        Level::default().add(&Command::parse(line).unwrap(), legal).unwrap_err().to_string()
    }
    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn lines_add_up() {
        let level = level(&[
            "level depth=9 handicap=3",
            "level nodes=5000",
            "level move-time=0.5 depth=8",
            "level ply=1",
        ]);
        let limits = level.limits();
        assert_eq!(
            (limits.depth, limits.nodes, limits.move_time, limits.clock),
            (Some(8), Some(5000), Some(ms(500)), None)
        );
        assert!(!level.is_open() && Level::default().is_open());
        assert!(self::level(&["level infinite", "level ponder"]).is_open());
    }

    #[test]
    fn clocks() {
        let clock = |line| level(&[line]).limits().clock.map(|c| (c.time, c.inc, c.moves));
        assert_eq!(clock("level time=60 inc=1.5"), Some((ms(61_500), ms(1_500), None)));
        assert_eq!(clock("level moves=20"), Some((ms(30_000), ms(0), Some(20))));
        assert_eq!(clock("level moves=0 time=5"), Some((ms(5_000), ms(0), None)));
        assert_eq!(clock("level inc=2"), Some((ms(32_000), ms(2_000), None)));
        assert_eq!(clock("level time=0.5 inc=-0.5"), Some((ms(0), ms(0), None)));
        assert_eq!(clock("level time=-3"), Some((ms(0), ms(0), None)));
        assert_eq!(level(&["level move-time=-1"]).limits().move_time, Some(ms(0)));
        assert_eq!(level(&["level depth=0 nodes=0"]).limits().depth, Some(1));
    }

    #[test]
    fn numbers_that_cannot_be() {
        assert_eq!(
            error("level move-time=abc"),
            "bad number 'abc' for 'move-time': expected seconds, at most 1000000000"
        );
        for bad in ["nan", "inf", "-inf", "1e10", "1e999", "1,5", "--1", "\"\"", "1_0"] {
            assert!(error(&format!("level time={bad}")).starts_with("bad number"), "{bad}");
        }
        for bad in ["-1", "+1", "1.5", "4294967296", "x", "\"\"", "\" 1\""] {
            assert!(error(&format!("level depth={bad}")).starts_with("bad number"), "{bad}");
        }
        assert_eq!(
            error("level nodes=18446744073709551616"),
            "bad number '18446744073709551616' for 'nodes': expected a whole number, at most 18446744073709551615"
        );
        assert_eq!(
            error("level moves=4294967296"),
            "bad number '4294967296' for 'moves': expected a whole number, at most 4294967295"
        );
        assert!(error(&format!("level moves={}", "9".repeat(1 << 20))).len() < 200);
        assert_eq!(error("level depth"), "missing value of 'depth'");
        assert_eq!(error("level time=1 time=2"), "'time' is given twice");
        let mut level = level(&["level depth=3"]);
        assert!(level.add(&Command::parse("level depth=5 nodes=x").unwrap(), legal).is_err());
        assert_eq!(level.limits().depth, Some(3), "nothing of a bad line counts");
    }
}
