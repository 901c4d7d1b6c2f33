//! Hub, version 2: the protocol of Scan, as its clients speak it. `protocol.md` is the specification.

mod client;
mod console;
mod level;
mod lexer;
mod params;
mod tongue;

use super::client::{Client, Fault, Needs};
use super::input::Inbox;
use super::log::Log;
use super::output::Output;
use super::settings::{Settings, load_weights};
use super::talk::{self, Talk};
use super::watch::{self, Hold, Plan};
use super::{Desk, Protocol};
use crate::engine::{Notation, Session};
use crate::error::excerpt;
use crate::search::Limits;
use level::Level;
use lexer::{Command, quoted};
use std::io;
use std::time::{Duration, Instant};
use tongue::HubTongue;

/// The Hub protocol.
#[derive(Clone, Copy, Debug)]
pub struct Hub;

/// Pause between lines of the handshake. py-draughts waits on the pipe but reads through a buffer, and is stuck when two
/// lines reach it together, so a client gets time to read each.
const GAP: Duration = Duration::from_millis(30);

/// Pause before the last lines of a search of so much time, for a client that may be py-draughts: as long as a busy machine
/// may take to wake it, but no more than half a short search.
fn pause(search: Duration) -> Duration {
    (search / 2).clamp(Duration::from_millis(5), Duration::from_millis(25))
}

/// For any other client.
fn no_pause(_: Duration) -> Duration {
    Duration::ZERO
}

impl Protocol for Hub {
    fn name(&self) -> &'static str {
        "hub"
    }
    fn run(&self, desk: Desk) -> io::Result<()> {
        Conversation::new(desk).hold()
    }
    fn connect(&self, needs: &Needs) -> Result<Box<dyn Client>, Fault> {
        client::connect(needs)
    }
}

/// What a `go` is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// To play; a single legal move is answered at once.
    Think,
    /// To think on the opponent's time until `ponder-hit`.
    Ponder,
    /// To learn the score; a single legal move is searched too.
    Analyze,
}

type Step = talk::Step<Mode>;

/// A conversation between searches.
struct Conversation {
    inbox: Inbox,
    output: Output,
    session: Box<dyn Session>,
    settings: Settings,
    level: Level,
    log: Log,
    /// Whether a person listens: moves and positions without a command are taken then.
    console: bool,
    /// The pause before the last lines of a search. py-draughts sets no parameters, so a client that does needs none.
    pause: fn(Duration) -> Duration,
}

impl Conversation {
    fn new(desk: Desk) -> Self {
        let Desk { inbox, output, log, session, terminal } = desk;
        let settings = Settings::new(session.game().clone());
        let level = Level::default();
        Self { inbox, output, session, settings, level, log, console: terminal, pause }
    }
}

impl Talk for Conversation {
    type Go = Mode;

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn refuse(&mut self, error: impl std::fmt::Display) -> io::Result<Step> {
        self.say(&format!("error message={}", quoted(&error.to_string())))
    }

    fn obey(&mut self, line: &str) -> io::Result<Step> {
        if let Some(step) = self.obey_console(line)? {
            return Ok(step);
        }
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => return self.refuse(error),
        };
        let done = match command.name {
            "hub" => return self.introduce(),
            "init" => return self.init(),
            "ping" => return self.say("pong"),
            "quit" => return Ok(Step::Quit),
            "go" => return Ok(Step::Go(mode(&command))),
            "stop" | "ponder-hit" => Ok(()),
            "new-game" => {
                self.session.new_game();
                Ok(())
            }
            "set-param" => self.set_param(&command),
            "pos" => self.set_position(&command),
            "level" => self.set_level(&command),
            unknown => Err(format!("unknown command '{}'; help lists the commands", excerpt(unknown))),
        };
        match done {
            Ok(()) => Ok(Step::Next),
            Err(error) => self.refuse(error),
        }
    }

    /// The level counts for one search.
    fn search(mut self, mode: Mode) -> io::Result<Option<Self>> {
        let started = Instant::now();
        self.prepare()?;
        self.session.set_options(&self.settings.options(mode == Mode::Analyze));
        let limits = Limits { started: Some(started), ..self.limits(mode) };
        let tongue = HubTongue {
            pause: self.pause,
            numbered: limits.multipv > 1,
            odds: self.settings.show_odds.then(|| self.session.odds()),
        };
        let notation = Notation::Hub(self.settings.numbering);
        let plan = Plan { limits, notation, ponder: mode == Mode::Ponder, hold: Hold::No };
        let session = watch::search(self.session, plan, &mut self.inbox, &mut self.output, &tongue)?;
        Ok(session.map(|session| Self { session, level: Level::default(), ..self }))
    }
}

impl Conversation {
    fn say(&mut self, line: &str) -> io::Result<Step> {
        self.output.line(line)?;
        Ok(Step::Next)
    }

    fn introduce(&mut self) -> io::Result<Step> {
        let version = env!("CARGO_PKG_VERSION");
        let id = format!("id name=Soffio version={version} author=\"the Soffio authors\" country=Italy");
        let lines = std::iter::once(id).chain(params::declare(&self.settings));
        for line in lines.chain(["wait".to_owned()]) {
            self.output.rest(GAP);
            self.output.line(&line)?;
        }
        Ok(Step::Next)
    }

    fn init(&mut self) -> io::Result<Step> {
        self.prepare()?;
        self.output.rest(GAP);
        self.say("ready")
    }

    /// Makes the session ready to search with the parameters as they are. A hash table that cannot be had is told of, and
    /// the smaller one is used.
    fn prepare(&mut self) -> io::Result<()> {
        if let Err(error) = self.settings.prepare(self.session.as_mut()) {
            self.output.rest(GAP);
            self.refuse(format!("parameter 'tt-size': {error}"))?;
        }
        match self.settings.load_tables(self.session.as_mut()) {
            Ok(None) => {}
            Ok(Some(found)) => {
                self.output.rest(GAP);
                self.say(&format!("info message={}", quoted(&found)))?;
            }
            Err(error) => {
                self.output.rest(GAP);
                self.refuse(format!("parameter 'egdb-dir': {error}"))?;
            }
        }
        Ok(())
    }

    /// Takes effect at once. Other rules begin a game of their own: at the start, without a level.
    fn set_param(&mut self, command: &Command<'_>) -> Result<(), String> {
        let name = command.value("name").map_err(|e| e.to_string())?.ok_or("missing name")?;
        let value = command.value("value").map_err(|e| e.to_string())?;
        let value = value.ok_or_else(|| format!("parameter '{}': missing value", excerpt(name)))?;
        let ready = match name {
            "log-file" => {
                self.log.open(value).map_err(|error| format!("cannot open '{}': {error}", excerpt(value)))
            }
            "weights" => load_weights(self.session.as_mut(), value),
            _ => Ok(()),
        };
        ready.map_err(|error| format!("parameter '{name}': {error}"))?;
        params::set(&mut self.settings, name, value)?;
        self.pause = no_pause;
        if self.settings.apply(&mut self.session) {
            self.level = Level::default();
        }
        Ok(())
    }

    /// A bad position leaves position and level as they were; a bad move leaves the moves before it played.
    fn set_position(&mut self, command: &Command<'_>) -> Result<(), String> {
        let position = command.value("pos").map_err(|e| e.to_string())?;
        let moves = command.value("moves").map_err(|e| e.to_string())?.unwrap_or("");
        let kings = command.value("wolf").map_err(|e| e.to_string())?.unwrap_or("");
        if position.is_none_or(|_| command.has("start")) && command.has("wolf") {
            return Err("bad position: wolf= needs pos=, without start".to_owned());
        }
        match position {
            Some(position) if !command.has("start") => self
                .session
                .set_hub(position, kings, self.settings.numbering)
                .map_err(|error| error.to_string())?,
            None if command.has("pos") => return Err("bad position: missing value of 'pos'".to_owned()),
            _ => self.session.set_start(),
        }
        self.level = Level::default();
        let notation = Notation::Hub(self.settings.numbering);
        for (number, text) in (1..).zip(moves.split_whitespace()) {
            self.session.play(text, notation).map_err(|error| format!("move {number}: {error}"))?;
        }
        Ok(())
    }

    fn set_level(&mut self, command: &Command<'_>) -> Result<(), String> {
        let (session, notation) = (&self.session, Notation::Hub(self.settings.numbering));
        let read = |text: &str| session.translate(text, notation, Notation::HUB);
        self.level.add(command, read).map_err(|error| format!("bad level: {error}"))
    }

    fn limits(&self, mode: Mode) -> Limits {
        let mut limits = self.level.limits();
        limits.instant_single = mode != Mode::Analyze;
        // The answer is due at the end of the time, not the end of the search.
        limits.move_time = limits.move_time.map(|time| time.saturating_sub((self.pause)(time)));
        if self.console && mode == Mode::Think && self.level.is_open() {
            limits.move_time = Some(talk::PATIENCE);
        }
        limits.multipv = self.level.multipv().unwrap_or(self.settings.multipv);
        let numbering = Notation::Hub(self.settings.numbering);
        let spelt = |mv: &String| self.session.translate(mv, Notation::HUB, numbering).ok();
        limits.searchmoves = self.level.searchmoves().iter().filter_map(spelt).collect();
        limits
    }
}

fn mode(command: &Command<'_>) -> Mode {
    if command.has("ponder") {
        Mode::Ponder
    } else if command.has("analyze") {
        Mode::Analyze
    } else {
        Mode::Think
    }
}
