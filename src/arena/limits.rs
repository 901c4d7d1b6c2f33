//! Limits of a contestant and the clock that the runner keeps for it.

use super::words::{WordError, count, number};
use crate::search::{ClockLimit, Limits};
use serde::Serialize;
use std::time::Duration;

/// Longest time understood, in seconds.
const LONGEST: f64 = 1e8;
/// How long an answer may take beyond a fixed time a move, unless somebody says otherwise: an engine that uses up its
/// time, as it should, is not punished for the way of its answer.
const MOVE_TIME_MARGIN: Duration = Duration::from_millis(50);
/// How long a search without a limit of time may take before the engine counts as stalled.
const STALL: Duration = Duration::from_secs(60);
/// How much longer an answer is waited for than it may take, so that one that was in time can arrive.
const POST: Duration = Duration::from_millis(20);

/// A chess clock: `MOVES/BASE+INC`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeControl {
    /// Moves that `base` must last for before it is given again; `None` is the whole game.
    pub moves: Option<u32>,
    /// Time at the beginning.
    pub base: Duration,
    /// Added for each move.
    pub inc: Duration,
}

/// What limits the searches of a contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Allowance {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Time a move.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
    /// How far a time may be overstepped; `None` is 50 ms with a time a move, and nothing with a clock.
    pub margin: Option<Duration>,
    /// How long a search without a limit of time may take.
    pub stall: Option<Duration>,
}

impl Allowance {
    /// The keys that [`Allowance::set`] knows.
    pub const KEYS: [&'static str; 6] = ["tc", "st", "nodes", "depth", "timemargin", "stall"];

    /// Takes a word; `false` if the key is not one of ours.
    ///
    /// # Errors
    /// A value that its key cannot have.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, WordError> {
        match key {
            "tc" => self.clock = read_clock(value)?,
            "st" => self.move_time = Some(seconds(key, value)?),
            "nodes" => self.nodes = Some(count(key, value)?),
            "depth" => self.depth = Some(count(key, value)?),
            "timemargin" => {
                self.margin = Some(Duration::from_secs_f64(number(key, value)?.min(LONGEST) / 1000.0))
            }
            "stall" => self.stall = Some(seconds(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether nothing limits a search.
    pub fn is_open(&self) -> bool {
        self.clock.is_none() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Whether time is a limit; an answer that is late is a loss on time then, else the engine has stalled.
    pub fn has_time(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// In words, as PDN's `TimeControl` and the tables show it.
    pub fn describe(&self) -> String {
        let clock = self.clock.map(|TimeControl { moves, base, inc }| {
            let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
            let inc = if inc.is_zero() { String::new() } else { format!("+{}", inc.as_secs_f64()) };
            format!("{moves}{}{inc}", base.as_secs_f64())
        });
        let parts = [
            clock,
            self.move_time.map(|time| format!("{} s/move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// `MOVES/TIME+INC`, with TIME in seconds or `M:S`; `inf` is no clock.
fn read_clock(text: &str) -> Result<Option<TimeControl>, WordError> {
    if text == "inf" {
        return Ok(None);
    }
    let bad =
        || WordError::bad("tc", text, "[MOVES/]SECONDS[+INCREMENT] or [MOVES/]MINUTES:SECONDS[+INCREMENT]");
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(count("tc", moves).map_err(|_| bad())?), rest),
        None => (None, text),
    };
    let (base, inc) = rest.split_once('+').unwrap_or((rest, "0"));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => {
            let minutes: f64 = number("tc", minutes).map_err(|_| bad())?;
            minutes * 60.0 + number("tc", rest).map_err(|_| bad())?
        }
        None => number("tc", base).map_err(|_| bad())?,
    };
    let inc = number("tc", inc).map_err(|_| bad())?;
    if base > LONGEST || inc > LONGEST || base + inc <= 0.0 {
        return Err(bad());
    }
    let (base, inc) = (Duration::from_secs_f64(base), Duration::from_secs_f64(inc));
    Ok(Some(TimeControl { moves, base, inc }))
}

/// A time of more than nothing.
fn seconds(key: &str, value: &str) -> Result<Duration, WordError> {
    let time = number(key, value)?;
    if time > 0.0 && time <= LONGEST {
        Ok(Duration::from_secs_f64(time))
    } else {
        Err(WordError::bad(key, value, "seconds, more than 0"))
    }
}

/// The clock of one side in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    allowance: Allowance,
    left: Duration,
    /// Moves until the base time is given again.
    moves: Option<u32>,
}

impl Clock {
    /// A clock at the beginning of a game. The increment of the first move is on it already, as in fastchess.
    pub fn new(allowance: Allowance) -> Self {
        let left = allowance.clock.map_or(Duration::ZERO, |clock| clock.base + clock.inc);
        Self { allowance, left, moves: allowance.clock.and_then(|clock| clock.moves) }
    }

    /// What the next search may use.
    pub fn limits(&self) -> Limits {
        let clock = self.allowance.clock.map(|clock| ClockLimit {
            time: self.left,
            inc: clock.inc,
            moves: self.moves,
        });
        let Allowance { depth, nodes, move_time, .. } = self.allowance;
        Limits { depth, nodes, move_time, clock, ..Limits::default() }
    }

    /// How long an answer is waited for. Whether it is in time is for [`Clock::spend`].
    pub fn timeout(&self) -> Duration {
        self.patience().or(self.allowance.stall).unwrap_or(STALL) + POST
    }

    /// The longest time that is still in time.
    fn patience(&self) -> Option<Duration> {
        let margin = |default| self.allowance.margin.unwrap_or(default);
        let clock = self.allowance.clock.map(|_| self.left + margin(Duration::ZERO));
        let fixed = self.allowance.move_time.map(|time| time + margin(MOVE_TIME_MARGIN));
        [clock, fixed].into_iter().flatten().min()
    }

    /// Counts an answer that took `time`; `false` if the flag has fallen.
    pub fn spend(&mut self, time: Duration) -> bool {
        if self.patience().is_some_and(|patience| time > patience) {
            return false;
        }
        if let Some(clock) = self.allowance.clock {
            self.left = self.left.saturating_sub(time) + clock.inc;
            self.moves = self.moves.map(|moves| moves - 1);
            if self.moves == Some(0) {
                self.left += clock.base;
                self.moves = clock.moves;
            }
        }
        true
    }

    /// What the clock shows, if there is one.
    pub fn left(&self) -> Option<Duration> {
        self.allowance.clock.map(|_| self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(words: &[(&str, &str)]) -> Allowance {
        let mut allowance = Allowance::default();
        words.iter().for_each(|(key, value)| assert!(allowance.set(key, value).unwrap()));
        allowance
    }
    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_controls() {
        let clock = |text| read_clock(text).unwrap();
        let tc = |moves, base, inc| Some(TimeControl { moves, base: ms(base), inc: ms(inc) });
        assert_eq!(clock("1+0.01"), tc(None, 1000, 10));
        assert_eq!(clock("40/1:30+0.5"), tc(Some(40), 90_000, 500));
        assert_eq!(clock("0.5"), tc(None, 500, 0));
        assert_eq!(clock("inf"), None);
        for bad in ["", "0", "x", "1+", "+1", "0/1", "1/", "1:x", "1+-1", "1e99", "1/2/3"] {
            let error = read_clock(bad).unwrap_err().to_string();
            assert!(error.starts_with(&format!("bad value '{bad}' of 'tc': expected [MOVES/]")), "{error}");
        }
        assert_eq!(allowance(&[("tc", "40/60+0.6"), ("nodes", "5")]).describe(), "40/60+0.6, 5 nodes");
    }

    #[test]
    fn the_clock_runs_and_the_flag_falls() {
        let mut clock = Clock::new(allowance(&[("tc", "2/1+0.1")]));
        assert_eq!(clock.left(), Some(ms(1100)), "the first increment is there");
        assert!(clock.spend(ms(300)));
        assert_eq!((clock.left(), clock.moves), (Some(ms(900)), Some(1)));
        assert!(clock.spend(ms(900)));
        assert_eq!((clock.left(), clock.moves), (Some(ms(1100)), Some(2)), "the base time comes again");
        assert_eq!(clock.limits().clock, Some(ClockLimit { time: ms(1100), inc: ms(100), moves: Some(2) }));
        assert_eq!(clock.timeout(), ms(1100) + POST);
        assert!(!clock.spend(ms(1101)));
        let mut clock = Clock::new(allowance(&[("tc", "1"), ("timemargin", "20")]));
        assert!(clock.spend(ms(1020)));
        assert_eq!(clock.left(), Some(ms(0)));
        assert!(!clock.spend(ms(21)));
    }

    #[test]
    fn times_a_move() {
        let mut clock = Clock::new(allowance(&[("st", "0.1")]));
        assert!(clock.spend(ms(150)) && !clock.spend(ms(151)));
        let mut strict = Clock::new(allowance(&[("st", "0.1"), ("timemargin", "1")]));
        assert!(strict.spend(ms(101)) && !strict.spend(ms(102)));
        let mut strictest = Clock::new(allowance(&[("st", "0.1"), ("timemargin", "0")]));
        assert!(strictest.spend(ms(100)) && !strictest.spend(ms(101)));
        let mut nodes = Clock::new(allowance(&[("nodes", "10")]));
        assert!(nodes.spend(ms(1_000_000)), "without a time there is no flag");
        assert_eq!(nodes.limits(), Limits { nodes: Some(10), ..Limits::default() });
    }
}
