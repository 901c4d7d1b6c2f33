//! `soffio play`: a person plays against the engine in the terminal, or a script does through pipes.

mod level;
mod talk;

use super::input::Lines;
use super::usage::number;
use super::{Common, Failure};
use crate::board::Side;
use crate::engine::{self, MAX_THREADS, Notation, Session};
use crate::notation::diagram;
use crate::notation::pdn::{self, Item, Move, Outcome};
use crate::search::Control;
use clap::{Args, ValueEnum};
use level::Level;
use std::io::{IsTerminal, Write};
use std::time::Duration;

#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Who you are [default: the side that moves first]
    #[arg(long, value_enum, value_name = "SIDE")]
    colour: Option<Colour>,
    /// The position to start from
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// How well the engine plays, 1 to 20
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
        value_parser = number(crate::search::SKILL_RANGE))]
    skill: u32,
    /// Seconds it may take for a move [default: 1, without --nodes and --depth]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = level::seconds)]
    time: Option<Duration>,
    /// Nodes it may search for a move
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Plies it may look ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number(1..=99u32))]
    depth: Option<u32>,
    /// Threads it searches with
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = number(1..=MAX_THREADS))]
    threads: usize,
    /// Below skill 20: another seed plays other games
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
        value_parser = number(0..=u64::MAX))]
    seed: u64,
}

/// The sides that a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// White
    White,
    /// Black
    Black,
    /// Both: nothing is played unless you say `go`
    Both,
}

impl Colour {
    fn of(side: Side) -> Self {
        if side == Side::White { Self::White } else { Self::Black }
    }

    fn has(self, side: Side) -> bool {
        self == Self::Both || self == Self::of(side)
    }

    /// The side at the bottom of the board.
    fn bottom(self) -> Side {
        if self == Self::Black { Side::Black } else { Side::White }
    }
}

/// A game between a person and the engine.
struct Table {
    session: Box<dyn Session>,
    person: Colour,
    bottom: Side,
    level: Level,
    /// The moves, as PDN writes them.
    moves: Vec<String>,
    /// Where the game began, if not at the start position.
    fen: Option<String>,
    resigned: Option<Side>,
}

pub(super) fn run(common: &Common<'_>, args: &PlayArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = engine::open(common.game()?);
    if let Some(fen) = &args.fen {
        session.set_fen(fen)?;
    }
    session.set_threads(args.threads);
    // A table that fails to be as large as it might be is no reason not to play.
    let _ = session.prepare();
    let person = args.colour.unwrap_or_else(|| Colour::of(session.turn()));
    let mut table = Table {
        person,
        bottom: person.bottom(),
        level: Level::new(args.skill, args.seed, args.time, args.nodes, args.depth),
        moves: Vec::new(),
        fen: args.fen.is_some().then(|| session.fen()),
        resigned: None,
        session,
    };
    let prompt = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if prompt {
        writeln!(
            out,
            "{}: you are {}. Type a move, or help.",
            table.session.game().set.name,
            table.players()
        )?;
    }
    table.show(out)?;
    let mut lines = Lines::stdin();
    loop {
        table.answer(out)?;
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        match lines.next() {
            None => return Ok(()),
            Some(line) => match line? {
                Ok(text) if !table.hear(text.trim(), out)? => return Ok(()),
                Ok(_) => {}
                Err(error) => writeln!(out, "error: {error}")?,
            },
        }
    }
}

impl Table {
    /// Who the person is, in words.
    fn players(&self) -> &'static str {
        match self.person {
            Colour::White => "White",
            Colour::Black => "Black",
            Colour::Both => "both sides",
        }
    }

    /// How the game has ended, if it has: the result and why.
    fn end(&self) -> Option<(Outcome, String)> {
        if let Some(side) = self.resigned {
            let outcome = if side == Side::White { Outcome::Black } else { Outcome::White };
            return Some((outcome, format!("{} resigns", side.name())));
        }
        let verdict = self.session.verdict()?;
        Some((Outcome::of(verdict.result())?, verdict.reason.to_string()))
    }

    /// Draws the board, and says how the game ended if it is over.
    fn show(&self, out: &mut impl Write) -> Result<(), Failure> {
        write!(out, "{}", diagram::text_from(self.session.game(), &self.session.setup(), self.bottom))?;
        match self.end() {
            Some((outcome, why)) => Ok(writeln!(out, "game over: {} ({why})", outcome.text(false))?),
            None => Ok(()),
        }
    }

    /// Plays a legal move and shows it.
    fn play(&mut self, text: String, out: &mut impl Write) -> Result<(), Failure> {
        let number = self.next_number();
        if let Err(error) = self.session.play(&text, Notation::Pdn) {
            return Ok(writeln!(out, "error: {error}")?);
        }
        writeln!(out, "{number} {text}")?;
        self.moves.push(text);
        self.show(out)
    }

    /// The number of the next move: `3.`, or `3...` for the side that does not move first in this game.
    fn next_number(&self) -> String {
        let second = self.session.turn() != self.session.game().first;
        let began_second = (self.moves.len() % 2 == 1) != second;
        let number = (self.moves.len() + usize::from(began_second)) / 2 + 1;
        format!("{number}{}", if second { "..." } else { "." })
    }

    /// Lets the engine move if it is its turn.
    fn answer(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.end().is_some() || self.person.has(self.session.turn()) {
            return Ok(());
        }
        self.engine_move(out)
    }

    fn engine_move(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        out.flush()?;
        self.session.set_options(&self.level.options());
        let limits = self.level.limits();
        let found = self.session.search(&limits, Notation::Pdn, &Control::new(), &mut |_| {});
        match found.best {
            Some(best) => self.play(best, out),
            None => Ok(()),
        }
    }

    /// The game so far.
    fn record(&self) -> pdn::Game {
        let rules = self.session.game();
        let mut game = pdn::Game::of(rules);
        let engine = format!("Soffio {} (skill {})", env!("CARGO_PKG_VERSION"), self.level.skill());
        game.set_tag("Event", "Game in the terminal");
        game.set_tag("Date", &jiff::Zoned::now().strftime("%Y.%m.%d").to_string());
        for (tag, side) in [("White", Side::White), ("Black", Side::Black)] {
            game.set_tag(tag, if self.person.has(side) { "Player" } else { &engine });
        }
        if let Some(fen) = &self.fen {
            game.set_fen(rules, fen);
        }
        let moves = self.moves.iter().cloned();
        game.items = moves.map(|text| Item::Move(Move { text, ..Move::default() })).collect();
        game.set_outcome(self.end().map_or(Outcome::Unknown, |(outcome, _)| outcome));
        game
    }
}
