//! Commands for a person. They work in the same loop as Hub's; a move or a position without a command is understood at a
//! terminal and after `help`.

use super::{Conversation, Step};
use crate::engine::Notation;
use crate::error::excerpt;
use crate::protocol::talk::Talk;
use std::io;

const HELP: &str = "\
show          the board with its square numbers
fen [FEN]     the position as FEN, or a new position
moves         the legal moves
22-18 10x19   plays moves, in PDN or Hub notation; a FEN alone sets the position
undo          takes the last move back
go            thinks for 3 seconds, or as long as level says
eval          the terms of the score
help          this text
quit          ends; so does the end of the input

set-param name=variant value=russian          other rules; soffio rules lists them
pos [pos=POSITION] [moves=\"MOVE MOVE ...\"]    a Hub position; without one the start
level depth=N nodes=N move-time=S time=S inc=S moves=N multipv=N searchmoves=\"MOVE MOVE ...\"
go think|analyze|ponder    stop    ponder-hit    ping    new-game    hub    init
protocol.md describes the Hub commands in full.";

impl Conversation {
    /// Obeys a line for a person, if it is one.
    pub(super) fn obey_console(&mut self, line: &str) -> io::Result<Option<Step>> {
        let line = line.trim();
        let (word, rest) =
            line.split_once([' ', '\t']).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word, rest) {
            ("help", "") => {
                self.console = true;
                self.print(HELP).map(Some)
            }
            ("show", "") => self.show().map(Some),
            ("fen", "") => self.print(&self.session.fen()).map(Some),
            ("fen", fen) => self.set_fen(fen).map(Some),
            ("moves", "") => self.print(&self.session.legal_moves(Notation::Pdn).join(" ")).map(Some),
            ("undo", "") if self.session.undo() => {
                self.level.forget_moves();
                self.show().map(Some)
            }
            ("undo", "") => self.refuse("nothing to take back").map(Some),
            ("eval", "") => self.print(&self.session.eval().to_string()).map(Some),
            ("help" | "show" | "moves" | "undo" | "eval", rest) => {
                let rest = excerpt(rest);
                self.refuse(format!("unknown argument '{rest}': {word} takes none")).map(Some)
            }
            ("", _) if self.console => Ok(Some(Step::Next)),
            _ if self.console && line.starts_with("W:") | line.starts_with("B:") => {
                self.set_fen(line).map(Some)
            }
            _ if self.console && looks_like_moves(line) => self.play(line).map(Some),
            _ => Ok(None),
        }
    }

    fn print(&mut self, text: &str) -> io::Result<Step> {
        text.split('\n').try_for_each(|line| self.output.line(line))?;
        Ok(Step::Next)
    }

    /// The board, and how the game has ended if it has.
    fn show(&mut self) -> io::Result<Step> {
        let diagram = self.session.diagram();
        self.print(diagram.trim_end())?;
        match self.session.verdict() {
            Some(verdict) => self.print(&format!("{} ({})", verdict.result(), verdict.reason)),
            None => Ok(Step::Next),
        }
    }

    fn set_fen(&mut self, fen: &str) -> io::Result<Step> {
        match self.session.set_fen(fen) {
            Ok(()) => {
                self.level = super::Level::default();
                self.show()
            }
            Err(error) => self.refuse(error),
        }
    }

    /// Plays moves; their numbers may stand between them. Those before a bad one stay played.
    fn play(&mut self, line: &str) -> io::Result<Step> {
        self.level.forget_moves();
        for text in line.split_whitespace().filter(|text| !is_move_number(text)) {
            if let Err(error) = self.session.play(text, Notation::Pdn) {
                return self.refuse(error);
            }
        }
        self.show()
    }
}

/// Whether a line begins with a number or a square name, as no command does.
fn looks_like_moves(line: &str) -> bool {
    line.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with(|c: char| c.is_ascii_digit())
        && line.chars().take_while(char::is_ascii_alphabetic).count() < 2
}

/// Whether it is the number of a move: `12.`, `12...`.
fn is_move_number(text: &str) -> bool {
    text.ends_with('.') && text.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_commands() {
        for line in ["22-18", "c3d4", "1. 22-18", "5"] {
            assert!(looks_like_moves(line), "{line}");
        }
        for line in ["", "pos", "go 3", "é1", "a", "-"] {
            assert!(!looks_like_moves(line), "{line}");
        }
        assert!(is_move_number("12.") && is_move_number("3...") && !is_move_number("22-18"));
    }
}
