//! The client side of a dialect: what a match runner asks of an engine in another process, in whatever words it speaks.

use super::process::Program;
use crate::notation::HubNumbering;
use crate::rules::Game;
use crate::score::Score;
use crate::search::Limits;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An engine and how it wants to be spoken to.
#[derive(Clone, Debug)]
pub struct Needs {
    /// The rules to play.
    pub game: Game,
    /// What starts it.
    pub program: Program,
    /// Parameters to set, names and values, in order.
    pub params: Vec<(String, String)>,
    /// Where it differs from other engines.
    pub quirks: Quirks,
    /// Where it is met, in a dialect that goes over a socket.
    pub peer: Peer,
    /// How long it may take to start and to get ready.
    pub patience: Duration,
    /// When this is set, all waiting ends with [`Fault::Aborted`].
    pub abort: Arc<AtomicBool>,
}

impl Needs {
    /// The name by which an engine is told the rule set, if it can be told, and what must be said about that; `known` are
    /// the names that it declares.
    ///
    /// # Errors
    /// If it does not play it.
    pub fn variant(&self, known: &[&str]) -> Result<(Option<String>, Option<String>), Fault> {
        let set = self.game.set;
        let found = [set.id].into_iter().chain(set.aliases.iter().copied()).find(|name| known.contains(name));
        match (&self.quirks.variant, found) {
            (Some(name), _) => {
                let strange = !known.contains(&name.as_str());
                Ok((Some(name.clone()), strange.then(|| format!("'{name}' is none of its variants"))))
            }
            (None, Some(name)) => Ok((Some(name.to_owned()), None)),
            (None, None) if known.is_empty() => {
                Ok((None, Some(format!("it declares no variants, and is taken to play {}", set.id))))
            }
            (None, None) => {
                let known = known.join(" ");
                Err(Fault::Start(format!("it does not play {}: its variants are {known}", set.id)))
            }
        }
    }
}

/// Where an engine differs from what the protocol says. The default is an engine that follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// Its own name of the rule set; `None` is found among the values that it declares.
    pub variant: Option<String>,
    /// Its square numbers.
    pub numbering: HubNumbering,
    /// Whether its times are whole seconds, at least 1.
    pub whole_seconds: bool,
    /// Whether it knows no increment: the time it is told then includes it.
    pub no_increment: bool,
    /// How much of the game it is told.
    pub history: History,
    /// How captures are written for it.
    pub captures: Captures,
    /// Whether it does not answer `ping`.
    pub no_ping: bool,
}

/// Where an engine is met that talks over a socket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// `HOST:PORT`; `None` is what the dialect chooses.
    pub addr: Option<String>,
    /// Whether the engine connects to us there, and not we to it.
    pub listen: bool,
    /// Whether the engine asks for the games, and not we.
    pub asks: bool,
    /// Whether the engine runs already, so that no program is started.
    pub running: bool,
    /// Whether the program is this one, which is told by its arguments what the dialect cannot say.
    pub own: bool,
}

/// How much of the game an engine is told with each position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum History {
    /// The first position and all moves.
    #[default]
    All,
    /// The position after the last capture or move of a man, and the king moves since.
    Reversible,
    /// The position alone; it cannot see repetitions then, nor (Frisian) how often a king has moved.
    None,
}

/// How captures are written for an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Captures {
    /// Captured squares ascending, as Scan writes them.
    #[default]
    Ascending,
    /// Captured squares in the order in which they are captured.
    Path,
    /// Ascending, but a single captured square is left out.
    Short,
}

/// What an engine says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name; empty if it gives none.
    pub name: String,
    /// Its version; empty if it gives none.
    pub version: String,
    /// The names of the parameters that it declares.
    pub params: Vec<String>,
    /// What it has not been told as it was meant: parameters that it does not declare, and errors that it answered.
    pub warnings: Vec<String>,
}

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be started or does not get ready, and why.
    Start(String),
    /// Its process ended by a signal or with an exit code that is not 0.
    Crash(String),
    /// Its process ended with exit code 0, or closed its output.
    Exit,
    /// It did not answer in time.
    Timeout,
    /// It does not even answer that it is there.
    Silent,
    /// It answered, but too late: the time it took.
    Late(Duration),
    /// Its answer is no move.
    Malformed(String),
    /// Its answer is no legal move.
    Illegal(String),
    /// It has ended the game in words that its dialect has for that; how.
    GaveUp(String),
    /// It wrote more than [`FLOOD_LINES`] lines or [`FLOOD_BYTES`] bytes for one answer.
    Flood,
    /// Nothing: the runner does not want the answer any more.
    Aborted,
}

/// Most lines that may come before an answer.
pub const FLOOD_LINES: usize = 100_000;
/// Most bytes that may come before an answer.
pub const FLOOD_BYTES: usize = 32 << 20;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(why) => write!(f, "does not start: {why}"),
            Self::Crash(status) => write!(f, "crashed: {status}"),
            Self::Exit => f.write_str("has left"),
            Self::Timeout => f.write_str("does not answer in time"),
            Self::Silent => f.write_str("does not answer ping"),
            Self::Late(time) => write!(f, "answers too late, after {:.3} s", time.as_secs_f64()),
            Self::Malformed(answer) => write!(f, "malformed answer: {answer}"),
            Self::Illegal(answer) | Self::GaveUp(answer) => f.write_str(answer),
            Self::Flood => f.write_str("floods its output"),
            Self::Aborted => f.write_str("aborted"),
        }
    }
}

impl std::error::Error for Fault {}

/// What an engine says of its move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// From the engine's side.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}

/// A move and what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move, legal, in Hub notation with standard numbers.
    pub mv: String,
    /// What the engine says of it.
    pub report: Report,
    /// From the command to the arrival of the answer, by our clock.
    pub time: Duration,
}

/// A conversation with an engine that has said that it is ready.
pub trait Client: Send {
    /// What it says of itself.
    fn identity(&self) -> &Identity;
    /// A new game from the position of a FEN, or from the start. Waits until the engine is ready for it.
    ///
    /// # Errors
    /// If it does not get ready.
    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Fault>;
    /// Somebody has made a move: legal, in Hub notation with standard numbers.
    ///
    /// # Errors
    /// If it cannot be told to the engine; nothing has changed then.
    fn play(&mut self, mv: &str) -> Result<(), Fault>;
    /// Asks for a move in the position reached and waits for it, `timeout` from the question on at most.
    ///
    /// # Errors
    /// What went wrong. After an answer that was no good the engine can be asked again, after a [`Fault::Timeout`] when
    /// [`Client::stop`] has succeeded, else never.
    fn go(&mut self, limits: &Limits, timeout: Duration) -> Result<Answer, Fault>;
    /// After a [`Fault::Timeout`]: tells the engine to stop and waits for the end of its search.
    ///
    /// # Errors
    /// If it does not end; the engine is lost then.
    fn stop(&mut self, patience: Duration) -> Result<(), Fault>;
    /// Ends the conversation and the process.
    fn quit(&mut self);
}

/// Waits in slices, so that `abort` is seen. The last is at the deadline: what has arrived by then is in time.
pub(super) fn slices(deadline: Instant, abort: &AtomicBool) -> impl Iterator<Item = Result<Instant, Fault>> {
    const SLICE: Duration = Duration::from_millis(50);
    let mut last = false;
    std::iter::repeat_with(move || {
        if abort.load(Ordering::Relaxed) {
            return Err(Fault::Aborted);
        }
        let now = Instant::now();
        if now < deadline {
            return Ok(deadline.min(now + SLICE));
        }
        if std::mem::replace(&mut last, true) { Err(Fault::Timeout) } else { Ok(now) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_at_the_deadline_or_by_abort() {
        let abort = AtomicBool::new(false);
        let past = Instant::now();
        let waits: Vec<_> = slices(past, &abort).take(3).collect();
        assert!(waits[0].is_ok(), "what is there already is looked at");
        assert_eq!(waits[1..], [Err(Fault::Timeout), Err(Fault::Timeout)]);
        let later = past + Duration::from_secs(60);
        assert!(slices(later, &abort).next().unwrap().unwrap() < later);
        abort.store(true, Ordering::Relaxed);
        assert_eq!(slices(later, &abort).next(), Some(Err(Fault::Aborted)));
    }
}
