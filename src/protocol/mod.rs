//! Protocols: how programs and people talk to the engine over lines of text.
//!
//! A dialect is one file with one [`Protocol`] and one line in [`PROTOCOLS`]. The first word of the first line picks the
//! dialect; anything else is for the one that the command line names. What all dialects need is here too: lines in
//! ([`input`]), lines out ([`output`]), the loop that obeys them ([`talk`]), a search that runs while both go on ([`watch`])
//! and what may be chosen ([`settings`]).
//!
//! A dialect has two sides: the engine's ([`run`]) and that of a program that asks an engine for moves ([`client`]), which
//! runs in a process of its own ([`wire`]) and is told a game ([`record`]).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod client;
pub mod dxp;
pub mod hub;
pub mod input;
pub mod log;
pub mod output;
pub mod process;
pub mod record;
pub mod settings;
pub mod talk;
pub mod task;
pub mod uci;
pub mod watch;
pub mod wire;

use crate::engine::Session;
use crate::rules::Game;
use crate::search::Limits;
use client::{Client, Fault, Needs};
use input::{Event, Inbox};
use log::Log;
use output::Output;
use std::io::{self, Read, Write};

/// A dialect.
pub trait Protocol: Sync {
    /// The word that opens a conversation in it.
    fn name(&self) -> &'static str;
    /// Holds the conversation until `quit` or the end of the input. The line that opened it is the first in the inbox.
    ///
    /// # Errors
    /// If nobody reads any more, or if a search dies.
    fn run(&self, desk: Desk) -> io::Result<()>;
    /// Starts an engine that speaks it and gets it ready: the other side of the conversation.
    ///
    /// # Errors
    /// [`Fault::Start`] says why it did not get ready.
    fn connect(&self, needs: &Needs) -> Result<Box<dyn Client>, Fault>;
    /// Whether an engine that speaks it is met over a socket, and not over its input and output.
    fn is_over_socket(&self) -> bool {
        false
    }
    /// Whether an engine that speaks it can be held to these limits; most can to all.
    ///
    /// # Errors
    /// Says what is wrong, and what to do.
    fn check(&self, _limits: &Limits) -> Result<(), String> {
        Ok(())
    }
}

/// All dialects; the first is spoken when the first line opens none.
pub static PROTOCOLS: &[&dyn Protocol] = &[&hub::Hub, &uci::Uci, &dxp::Dxp];

/// What a protocol has before it.
pub struct Desk {
    /// Lines in.
    pub inbox: Inbox,
    /// Lines out.
    pub output: Output,
    /// Where lines in and out are written down.
    pub log: Log,
    /// The engine.
    pub session: Box<dyn Session>,
    /// Whether a person sits at a terminal.
    pub terminal: bool,
}

/// Talks until `quit` or the end of `input`, in the dialect that the first line opens, or else in `dialect`. At a
/// `terminal` a line of welcome comes first.
///
/// # Errors
/// If nobody reads `output` any more, or if a search dies.
pub fn run(
    game: Game,
    input: impl Read + Send + 'static,
    output: Box<dyn Write>,
    dialect: &str,
    terminal: bool,
) -> io::Result<()> {
    let log = Log::default();
    let mut output = Output::new(output).with_log(log.clone());
    if terminal {
        let version = env!("CARGO_PKG_VERSION");
        output.line(&format!("Soffio {version}, {}. Type help for help.", game.set.name))?;
    }
    let mut inbox = Inbox::new(input)?.with_log(log.clone());
    let first = inbox.wait();
    let protocol = opened_by(&first, dialect);
    inbox.put_back(first);
    protocol.map_or(Ok(()), |protocol| {
        protocol.run(Desk { inbox, output, log, session: crate::engine::open(game), terminal })
    })
}

/// The dialect that a first line opens, or else the one with this name.
fn opened_by(first: &Event, dialect: &str) -> Option<&'static dyn Protocol> {
    let word = match first {
        Event::Line(Ok(line)) => line.split_whitespace().next(),
        _ => None,
    };
    let named = |name| PROTOCOLS.iter().find(|protocol| Some(protocol.name()) == name);
    named(word).or_else(|| named(Some(dialect))).or(PROTOCOLS.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_picks_the_dialect() {
        let opened =
            |line: &str, dialect| opened_by(&Event::Line(Ok(line.to_owned())), dialect).map(Protocol::name);
        for protocol in PROTOCOLS {
            assert_eq!(opened(&format!(" {} ", protocol.name()), "hub"), Some(protocol.name()));
            assert_eq!(opened("help", protocol.name()), Some(protocol.name()));
        }
        assert_eq!(opened("", "?"), Some("hub"));
        assert_eq!(opened("hub", "uci"), Some("hub"));
        assert_eq!(opened_by(&Event::End, "uci").map(Protocol::name), Some("uci"));
    }
}
