//! What a person may say.

use super::super::Failure;
use super::super::input::named;
use super::{Colour, Table};
use crate::engine::Notation;
use crate::error::excerpt;
use crate::notation::pdn;
use crate::search::{Control, Options};
use clap::ValueEnum;
use std::fs::OpenOptions;
use std::io::Write;

/// The words, as `help` lists them.
const HELP: &str = "\
MOVE              play it: 22-18, 10x19, c3-d4, c3:e5 ...; `moves` lists what is legal
moves             the legal moves
hint              what the engine would play, at full strength
undo              take back your last move and the answer to it
go                let the engine move now; you play the other side from here
level [WORDS]     skill=1..20, time=SECONDS, nodes=N, depth=N; a number alone is a skill; nothing shows the level
new [FEN]         a new game
colour SIDE       be white, black or both
flip              turn the board round
show              the board again
fen               the position as FEN
score             the moves so far
resign            give up
save FILE         add the game to a PDN file
quit              leave";

impl Table {
    /// Does what a line says; `false` to leave.
    pub(super) fn hear(&mut self, line: &str, out: &mut impl Write) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let takes = ["level", "new", "colour", "color", "save"];
        let known = word.to_ascii_lowercase();
        let done = match known.as_str() {
            "" => Ok(()),
            "quit" | "exit" => return Ok(false),
            _ if !takes.contains(&known.as_str()) && !rest.is_empty() && is_word(&known) => {
                Err(format!("'{known}' stands alone, but '{}' follows it", excerpt(rest)))
            }
            "help" | "?" => return writeln!(out, "{HELP}").map(|()| true).map_err(Failure::from),
            "moves" => self.say(out, &self.session.legal_moves(Notation::Pdn).join(" "))?,
            "hint" => self.hint(out)?,
            "undo" => self.undo(out)?,
            "go" => self.go(out)?,
            "level" => self.set_level(rest, out)?,
            "new" => self.new_game(rest, out)?,
            "colour" | "color" => self.set_colour(rest, out)?,
            "flip" => {
                self.bottom = self.bottom.other();
                self.show(out).map(Ok)?
            }
            "show" => self.show(out).map(Ok)?,
            "fen" => self.say(out, &self.session.fen())?,
            "score" => {
                let text = pdn::write(&self.record());
                self.say(out, text.split_once("\n\n").map_or("", |(_, moves)| moves.trim_end()))?
            }
            "resign" => self.resign(out)?,
            "save" => self.save(rest, out)?,
            _ => self.try_move(line, out)?,
        };
        if let Err(error) = done {
            writeln!(out, "error: {error}")?;
        }
        Ok(true)
    }

    fn say(&self, out: &mut impl Write, text: &str) -> Result<Result<(), String>, Failure> {
        writeln!(out, "{text}")?;
        Ok(Ok(()))
    }

    /// What stands against a move now.
    fn closed(&self) -> Option<String> {
        let (outcome, why) = self.end()?;
        let result = outcome.text(false);
        Some(format!("the game is over, {result} ({why}): undo, new, save or quit"))
    }

    fn try_move(&mut self, line: &str, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        let looks_like_a_move = line.contains(|c: char| c.is_ascii_digit());
        if !looks_like_a_move {
            return Ok(Err(format!("'{}' is no move and no command: try moves or help", excerpt(line))));
        }
        if let Some(error) = self.closed() {
            return Ok(Err(error));
        }
        match self.session.translate(line, Notation::Pdn, Notation::Pdn) {
            Ok(text) => self.play(text, out).map(Ok),
            Err(error) => Ok(Err(format!("{error}; `moves` lists the legal ones"))),
        }
    }

    fn hint(&mut self, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if let Some(error) = self.closed() {
            return Ok(Err(error));
        }
        self.session.set_options(&Options::DEFAULT);
        let limits = self.level.limits();
        let found = self.session.search(&limits, Notation::Pdn, &Control::new(), &mut |_| {});
        let Some(best) = found.best else { return Ok(Err("there is no move".to_owned())) };
        let line = found.info.pv.join(" ");
        writeln!(out, "hint: {best} (score {}, depth {}: {line})", found.info.score, found.info.depth)?;
        Ok(Ok(()))
    }

    /// Takes back to the person's last turn.
    fn undo(&mut self, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if self.resigned.take().is_some() {
            return self.show(out).map(Ok);
        }
        let mine = |table: &Self| table.person.has(table.session.turn());
        let least = usize::from(!self.begins());
        if self.moves.len() <= least {
            return Ok(Err("there is no move of yours to take back".to_owned()));
        }
        loop {
            self.session.undo();
            self.moves.pop();
            if mine(self) || self.moves.is_empty() {
                break;
            }
        }
        self.show(out).map(Ok)
    }

    /// Whether the first move of the game is the person's.
    fn begins(&self) -> bool {
        let turn = self.session.turn();
        self.person.has(if self.moves.len() % 2 == 0 { turn } else { turn.other() })
    }

    fn go(&mut self, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if let Some(error) = self.closed() {
            return Ok(Err(error));
        }
        if self.person != Colour::Both {
            self.person = Colour::of(self.session.turn().other());
        }
        self.engine_move(out).map(Ok)
    }

    fn set_level(&mut self, words: &str, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        match self.level.change(words) {
            Ok(level) => {
                self.level = level;
                self.say(out, &format!("level {}", self.level))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn new_game(&mut self, fen: &str, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if fen.is_empty() {
            self.session.set_start();
        } else if let Err(error) = self.session.set_fen(fen) {
            return Ok(Err(error.to_string()));
        }
        self.session.new_game();
        self.moves.clear();
        self.fen = (!fen.is_empty()).then(|| self.session.fen());
        self.resigned = None;
        self.show(out).map(Ok)
    }

    fn set_colour(&mut self, text: &str, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        match Colour::from_str(text, true) {
            Ok(colour) => {
                self.person = colour;
                self.bottom = colour.bottom();
                self.say(out, &format!("you are {}", self.players()))
            }
            Err(_) => Ok(Err(format!("unknown colour '{}': expected white, black or both", excerpt(text)))),
        }
    }

    fn resign(&mut self, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if let Some(error) = self.closed() {
            return Ok(Err(error));
        }
        self.resigned = Some(self.session.turn());
        self.show(out).map(Ok)
    }

    fn save(&self, file: &str, out: &mut impl Write) -> Result<Result<(), String>, Failure> {
        if file.is_empty() {
            return Ok(Err("save where? expected the name of a file".to_owned()));
        }
        let opened = OpenOptions::new().create(true).append(true).open(file);
        let text = pdn::write(&self.record());
        match opened.and_then(|mut opened| opened.write_all(text.as_bytes())) {
            Ok(()) => self.say(out, &format!("saved to {file}")),
            Err(error) => Ok(Err(named(file, &error).to_string())),
        }
    }
}

/// Whether a word is a command.
fn is_word(word: &str) -> bool {
    HELP.lines().filter_map(|line| line.split(' ').next()).any(|known| known == word)
}
