//! Commands for a person and for scripts, as Stockfish has them.

use super::tongue::{refusal, unknown};
use super::{Conversation, NOTATION, Step, words};
use crate::engine::{Session, bench};
use crate::error::excerpt;
use crate::movegen::Perft;
use crate::notation::HubNumbering;
use crate::protocol::talk::Talk;
use crate::protocol::watch;
use crate::search::Control;
use std::io;
use std::time::Instant;

const HELP: &str = "\
position startpos|fen FEN [moves MOVE ...]    sets the position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [mate N]
   [infinite] [ponder] [searchmoves MOVE ...]
stop   ponderhit   isready   ucinewgame   uci   quit
setoption name NAME [value VALUE]             uci lists the options; UCI_Variant is the rule set

d              the board and its FEN
moves          the legal moves
eval           the terms of the score
perft N        counts the leaves at a depth; go perft N tells them below each move
bench          nodes of fixed searches in this rule set
flip           turns the board round and changes colours
help           this text
protocol.md describes all this in full.";

/// What work found, or nothing if it was stopped.
type Found<T> = io::Result<Option<T>>;

impl Conversation {
    /// Obeys what is no command of UCI.
    pub(super) fn obey_console(&mut self, command: &str, rest: &[&str]) -> io::Result<Step> {
        match (command, rest) {
            ("perft", &[depth]) => match words::perft_depth(Some(depth)) {
                Ok(depth) => self.perft(depth),
                Err(error) => self.refuse(error),
            },
            ("perft", _) => self.refuse("perft: expected a depth"),
            ("d" | "moves" | "eval" | "bench" | "flip" | "help", &[stray, ..]) => {
                self.refuse(format!("unknown argument '{}': {command} takes none", excerpt(stray)))
            }
            ("d", _) => self.show(),
            ("moves", _) => self.say(&self.session.legal_moves(NOTATION).join(" ")),
            ("eval", _) => self.print(&self.session.eval().to_string()),
            ("bench", _) => self.bench(),
            ("flip", _) => self.flip(),
            ("help", _) => self.print(HELP),
            (word, _) => self.refuse(unknown(word)),
        }
    }

    fn print(&mut self, text: &str) -> io::Result<Step> {
        text.split('\n').try_for_each(|line| self.output.line(line))?;
        Ok(Step::Next)
    }

    fn show(&mut self) -> io::Result<Step> {
        let diagram = self.session.diagram();
        self.print(diagram.trim_end())?;
        self.say(&format!("Fen: {}", self.session.fen()))?;
        match self.session.verdict() {
            Some(verdict) => self.say(&format!("{} ({})", verdict.result(), verdict.reason)),
            None => Ok(Step::Next),
        }
    }

    /// Work with the session that takes time.
    fn work<T: Send>(&mut self, work: impl FnOnce(&dyn Session, &Control) -> T + Send) -> Found<T> {
        let tongue = self.tongue();
        let session: &mut dyn Session = self.session.as_mut();
        watch::work(&mut self.inbox, &mut self.output, &tongue, move |control| work(session, control))
    }

    fn stopped(&mut self) -> io::Result<Step> {
        self.say(&refusal("stopped"))
    }

    fn perft(&mut self, depth: u32) -> io::Result<Step> {
        let counted = self.work(|session, control| session.perft(&perft(control), depth))?;
        match counted {
            Some(count) => self.say(&count.to_string()),
            None => self.stopped(),
        }
    }

    /// In the form of Stockfish.
    pub(super) fn divide(&mut self, depth: u32) -> io::Result<Step> {
        if depth == 0 {
            return self.say("Nodes searched: 1");
        }
        let Some(counts) = self.work(|session, control| session.divide(&perft(control), depth))? else {
            return self.stopped();
        };
        for (mv, count) in &counts {
            self.say(&format!("{mv}: {count}"))?;
        }
        self.say("")?;
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        self.say(&format!("Nodes searched: {total}"))
    }

    fn bench(&mut self) -> io::Result<Step> {
        let started = Instant::now();
        let searched = self.work(|session, control| bench::nodes(session.game().clone(), 0, control))?;
        let Some(nodes) = searched else { return self.stopped() };
        let seconds = started.elapsed().as_secs_f64();
        self.say(&format!("{nodes} nodes {:.0} nps", nodes as f64 / seconds))
    }

    /// The same position for the other side.
    fn flip(&mut self) -> io::Result<Step> {
        let text = self.session.hub(HubNumbering::Standard);
        let (turn, squares) = text.split_at_checked(1).unwrap_or((&text, ""));
        let flipped: String = turn.chars().chain(squares.chars().rev()).map(other_colour).collect();
        match self.session.set_hub(&flipped, "", HubNumbering::Standard) {
            Ok(()) => self.show(),
            Err(error) => self.refuse(error),
        }
    }
}

fn perft(control: &Control) -> Perft<'_> {
    Perft { stop: Some(control.switch()), ..Perft::default() }
}

/// A letter of a Hub position for the other side.
fn other_colour(letter: char) -> char {
    match letter {
        'w' => 'b',
        'b' => 'w',
        'W' => 'B',
        'B' => 'W',
        'p' => 'q',
        'q' => 'p',
        other => other,
    }
}
