//! DXP (DamExchange), version 01: games of international draughts over a socket, one message with a zero behind it at a
//! time. `protocol.md` is the specification; the messages are in [`message`].
//!
//! One side listens and the other connects; one side, the *initiator*, asks for games and the other, the *follower*, says
//! yes or no. [`serve`] plays either way.

mod client;
mod dialogue;
mod engine;
mod link;
pub mod message;
#[cfg(test)]
mod trials;

pub use dialogue::check_game;
pub use engine::{Place, Plan, Role, Settings, serve};

use super::client::{Client, Fault, Needs};
use super::input::Event;
use super::{Desk, Protocol};
use crate::search::Limits;
use std::io;
use std::time::Duration;

/// The DXP protocol.
#[derive(Clone, Copy, Debug)]
pub struct Dxp;

/// Where DXP programs listen if nobody says otherwise: the port is the one that the protocol has.
pub const ADDRESS: &str = "127.0.0.1:27531";

/// How long somebody is waited for who does not listen yet.
const RETRY: Duration = Duration::from_secs(10);

impl Protocol for Dxp {
    fn name(&self) -> &'static str {
        "dxp"
    }

    /// The conversation is over a socket; the line that opened it starts a follower at the usual address.
    fn run(&self, desk: Desk) -> io::Result<()> {
        let Desk { mut inbox, mut output, session, .. } = desk;
        if let Event::Line(Ok(line)) = inbox.wait() {
            if line.split_whitespace().nth(1).is_some() {
                return output.line("error: dxp takes no words here: see `soffio dxp --help`");
            }
        }
        match check_game(session.game()) {
            Ok(()) => serve(session.game(), &Settings::default(), output),
            Err(why) => output.line(&format!("error: {why}")),
        }
    }

    fn connect(&self, needs: &Needs) -> Result<Box<dyn Client>, Fault> {
        client::connect(needs)
    }

    fn is_over_socket(&self) -> bool {
        true
    }

    /// Minutes for a game are all that an engine can be told.
    fn check(&self, limits: &Limits) -> Result<(), String> {
        match limits.clock {
            Some(clock) if clock.time >= Duration::from_secs(60) => Ok(()),
            _ => Err("it speaks DXP, which knows minutes for a game only: give it tc=60 or more".to_owned()),
        }
    }
}
