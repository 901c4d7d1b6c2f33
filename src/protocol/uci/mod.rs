//! UCI, the protocol of chess engines, for draughts. `protocol.md` says what is meant by moves and variants.

mod client;
mod console;
mod go;
mod options;
mod tongue;
mod words;

use super::client::{Client, Fault, Needs};
use super::input::Inbox;
use super::log::Log;
use super::output::Output;
use super::settings::load_weights;
use super::talk::{self, PATIENCE, Talk};
use super::watch::{self, Hold, Plan};
use super::{Desk, Protocol};
use crate::engine::{Notation, Session};
use crate::error::excerpt;
use crate::search::Limits;
use go::{Request, Search};
use options::{LOG_FILE, Options, WEIGHTS};
use std::fmt::Display;
use std::io;
use std::time::Instant;
use tongue::{UciTongue, refusal};

/// The UCI protocol.
#[derive(Clone, Copy, Debug)]
pub struct Uci;

impl Protocol for Uci {
    fn name(&self) -> &'static str {
        "uci"
    }
    fn run(&self, desk: Desk) -> io::Result<()> {
        Conversation::new(desk).hold()
    }
    fn connect(&self, needs: &Needs) -> Result<Box<dyn Client>, Fault> {
        client::connect(needs)
    }
}

/// How moves are written; all forms are read.
const NOTATION: Notation = Notation::HUB;

/// All commands.
const COMMANDS: [&str; 18] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "moves",
    "perft",
    "bench",
    "flip",
    "help",
];

type Step = talk::Step<Search>;

/// A conversation between searches.
struct Conversation {
    inbox: Inbox,
    output: Output,
    session: Box<dyn Session>,
    options: Options,
    log: Log,
    /// Whether a person sits at a terminal.
    terminal: bool,
}

impl Conversation {
    fn new(desk: Desk) -> Self {
        let Desk { inbox, output, log, session, terminal } = desk;
        let options = Options::new(session.game().clone());
        Self { inbox, output, session, options, log, terminal }
    }
}

impl Talk for Conversation {
    type Go = Search;

    fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    fn refuse(&mut self, error: impl Display) -> io::Result<Step> {
        self.say(&refusal(&error.to_string()))
    }

    fn obey(&mut self, line: &str) -> io::Result<Step> {
        let words = match words::split(line) {
            Ok(words) => words,
            Err(error) => return self.refuse(error),
        };
        let Some((&command, rest)) = words.split_first() else { return Ok(Step::Next) };
        let done = match command {
            "uci" => return self.introduce(),
            "isready" => return self.get_ready(),
            "quit" => return Ok(Step::Quit),
            "debug" | "register" | "stop" | "ponderhit" => Ok(()),
            "ucinewgame" => {
                self.session.new_game();
                Ok(())
            }
            "setoption" => self.set_option(line),
            "position" => self.set_position(rest).map_err(|error| format!("bad position: {error}")),
            "go" => match self.read_go(rest) {
                Ok(Request::Search(search)) => return Ok(Step::Go(search)),
                Ok(Request::Perft(depth)) => return self.divide(depth),
                Err(error) => Err(format!("bad go: {error}")),
            },
            _ => return self.obey_console(command, rest),
        };
        match done {
            Ok(()) => Ok(Step::Next),
            Err(error) => self.refuse(error),
        }
    }

    fn search(mut self, search: Search) -> io::Result<Option<Self>> {
        let started = Instant::now();
        self.prepare()?;
        let open = search.is_open();
        let Search { limits, ponder, infinite } = search;
        let analysis = infinite || self.options.analyse;
        self.session.set_options(&self.options.settings.options(analysis));
        let limits = Limits {
            started: Some(started),
            instant_single: !analysis,
            multipv: self.options.settings.multipv,
            move_time: limits.move_time.or((open && self.terminal).then_some(PATIENCE)),
            ..limits
        };
        let hold = match (infinite, ponder) {
            (true, _) => Hold::Stop,
            (false, true) => Hold::PonderHit,
            (false, false) => Hold::No,
        };
        let plan = Plan { limits, notation: NOTATION, ponder, hold };
        let tongue = self.tongue();
        let session = watch::search(self.session, plan, &mut self.inbox, &mut self.output, &tongue)?;
        Ok(session.map(|session| Self { session, ..self }))
    }
}

impl Conversation {
    fn say(&mut self, line: &str) -> io::Result<Step> {
        self.output.line(line)?;
        Ok(Step::Next)
    }

    fn tongue(&self) -> UciTongue {
        UciTongue { odds: self.options.show_wdl.then(|| self.session.odds()) }
    }

    fn introduce(&mut self) -> io::Result<Step> {
        self.say(concat!("id name Soffio ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Soffio authors")?;
        for line in self.options.declare() {
            self.say(&line)?;
        }
        self.say("uciok")
    }

    fn get_ready(&mut self) -> io::Result<Step> {
        self.prepare()?;
        self.say("readyok")
    }

    /// Makes the session ready to search. A hash table that cannot be had is told of, and the smaller one is used.
    fn prepare(&mut self) -> io::Result<()> {
        if let Err(error) = self.options.settings.prepare(self.session.as_mut()) {
            self.refuse(format!("option 'Hash': {error}"))?;
        }
        match self.options.settings.load_tables(self.session.as_mut()) {
            Ok(None) => {}
            Ok(Some(found)) => drop(self.say(&format!("info string {found}"))?),
            Err(error) => drop(self.refuse(format!("option 'EgdbPath': {error}"))?),
        }
        Ok(())
    }

    /// Takes effect at once. Other rules begin a game of their own, at the start.
    fn set_option(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = words::option(line)?;
        let (log, session) = (&self.log, &mut self.session);
        self.options.set(&name, value, |name, value| match name {
            LOG_FILE => log.open(value).map_err(|error| format!("cannot open '{}': {error}", excerpt(value))),
            WEIGHTS => load_weights(session.as_mut(), value),
            _ => Ok(()),
        })?;
        self.options.settings.apply(&mut self.session);
        Ok(())
    }

    /// A bad position leaves everything as it was; a bad move leaves the moves before it played.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let mut parts = words.splitn(2, |word| *word == "moves");
        let (position, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        match position {
            ["startpos"] => self.session.set_start(),
            ["startpos", stray, ..] => return Err(format!("'{}' after startpos", excerpt(stray))),
            ["fen"] => return Err("missing FEN".to_owned()),
            ["fen", fen @ ..] => self.session.set_fen(&fen.join(" ")).map_err(|error| error.to_string())?,
            _ => return Err("expected startpos or fen".to_owned()),
        }
        for (number, text) in (1..).zip(moves) {
            self.session.play(text, NOTATION).map_err(|error| format!("move {number}: {error}"))?;
        }
        Ok(())
    }

    fn read_go(&self, words: &[&str]) -> Result<Request, String> {
        let read = |text: &str| self.session.translate(text, NOTATION, NOTATION);
        go::parse(words, self.session.turn(), read)
    }
}
