//! What is to be analysed: the positions of a list of FENs or the games of a PDN file, one by one.

use crate::engine::{self, Notation, Session};
use crate::error::excerpt;
use crate::notation::pdn;
use crate::rules::{Game, RuleSet};
use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

/// What an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A FEN a line; blank lines and lines that begin with `#` are skipped.
    Fen,
    /// Games.
    Pdn,
}

/// By which rules games are read.
#[derive(Clone, Debug)]
pub enum Choice {
    /// By these; a game whose tags name others is a fault.
    Fixed(Game),
    /// By those that the tags of a game name, else by these.
    Tagged(Game),
}

/// A share of an input: of every `of` positions or games the one with this number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 1 to `of`.
    pub number: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Part {
    /// Everything.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Whether the share holds a position or game, by its number from 1.
    pub const fn holds(self, number: usize) -> bool {
        number % self.of == self.number % self.of
    }
}

/// A position or a game of an input.
#[derive(Debug)]
pub struct Unit {
    /// Its number in the input, from 1.
    pub number: usize,
    /// By which rules it is played.
    pub rules: Arc<Game>,
    /// The moves that can be played.
    pub line: Line,
    /// The game as the file has it; `None` for a position alone.
    pub game: Option<Box<pdn::Game>>,
}

/// Where a game begins and how it goes on.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The FEN it begins with; `None` is the start of the game.
    pub start: Option<String>,
    /// The moves, all legal.
    pub moves: Vec<Ply>,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The FEN that is set up before it, in the midst of the game.
    pub setup: Option<String>,
    /// The move as the file writes it.
    pub text: String,
}

/// The place of a position in a [`Line`]: before so many moves. Behind the last there is one too.
pub type Position = usize;

impl Unit {
    /// How many records it gives: one for a position alone, one a move for a game.
    pub fn records(&self) -> usize {
        if self.game.is_some() { self.line.moves.len() } else { 1 }
    }
}

impl Line {
    /// Puts a session before the move `at`.
    ///
    /// # Errors
    /// Of a line that has not been played through before.
    pub fn reach(&self, session: &mut dyn Session, at: Position) -> Result<(), String> {
        begin(session, self.start.as_deref())?;
        for ply in self.moves.iter().take(at) {
            play(session, ply)?;
        }
        self.arrive(session, at)
    }

    /// The same, from the position before the move before.
    ///
    /// # Errors
    /// Of a line that has not been played through before.
    pub fn step(&self, session: &mut dyn Session, at: Position) -> Result<(), String> {
        let before = at.checked_sub(1).and_then(|before| self.moves.get(before));
        if let Some(ply) = before {
            session.play(&ply.text, Notation::Pdn).map_err(|error| error.to_string())?;
        }
        self.arrive(session, at)
    }

    /// Sets up what is set up before the move `at`.
    fn arrive(&self, session: &mut dyn Session, at: Position) -> Result<(), String> {
        match self.moves.get(at).and_then(|ply| ply.setup.as_deref()) {
            Some(fen) => begin(session, Some(fen)),
            None => Ok(()),
        }
    }
}

/// The session that is kept, if it plays by these rules, else a new one.
pub(super) fn session_for(rules: &Game, kept: &mut Option<Box<dyn Session>>) -> Box<dyn Session> {
    let kept = kept.take().filter(|session| same(session.game(), rules));
    kept.unwrap_or_else(|| engine::open(rules.clone()))
}

fn begin(session: &mut dyn Session, fen: Option<&str>) -> Result<(), String> {
    match fen {
        Some(fen) => session.set_fen(fen).map_err(|error| error.to_string()),
        None => {
            session.set_start();
            Ok(())
        }
    }
}

fn play(session: &mut dyn Session, ply: &Ply) -> Result<(), String> {
    if let Some(fen) = &ply.setup {
        begin(session, Some(fen))?;
    }
    session.play(&ply.text, Notation::Pdn).map_err(|error| error.to_string())
}

/// What comes next in an input.
#[derive(Debug)]
pub enum Entry {
    /// Something to analyse; of a game with a move that cannot be played, what stands before it.
    Unit(Unit),
    /// What is wrong with the input, as `FILE:LINE[:COLUMN: game N]: WHY`.
    Fault(String),
}

/// The positions or games of an input.
pub struct Source {
    name: String,
    part: Part,
    reader: Reader,
    rules: Rules,
    /// A fault in the game that has just been given.
    fault: Option<String>,
}

enum Reader {
    Fens { lines: Box<dyn BufRead + Send>, line: usize, count: usize },
    Games(Box<pdn::Reader<Box<dyn BufRead + Send>>>),
}

impl Source {
    /// A source of this `name`, which messages begin with. Without a `kind` the first line that is neither blank nor a
    /// comment decides: a FEN begins with a side and a colon or has a list of pieces.
    ///
    /// # Errors
    /// Of the input.
    pub fn new(
        name: &str,
        mut input: Box<dyn BufRead + Send>,
        kind: Option<Kind>,
        choice: Choice,
        part: Part,
    ) -> io::Result<Self> {
        let kind = match kind {
            Some(kind) => kind,
            None => {
                let (kind, begun) = recognise(&mut input)?;
                input = Box::new(Cursor::new(begun).chain(input));
                kind
            }
        };
        let reader = match kind {
            Kind::Fen => Reader::Fens { lines: input, line: 0, count: 0 },
            Kind::Pdn => Reader::Games(Box::new(pdn::Reader::new(input))),
        };
        Ok(Self { name: name.to_owned(), part, reader, rules: Rules::new(choice), fault: None })
    }

    fn game(&mut self, number: usize, game: pdn::Game) -> Entry {
        let Self { name, rules, .. } = self;
        let at = |place: &str, why: &str| format!("{name}:{place}: game {number}: {why}");
        let start = game.line.to_string();
        let (line, fault) = match rules.of(&game).and_then(|session| replay(session, &game)) {
            Ok(replayed) => replayed,
            Err(why) => return Entry::Fault(at(&start, &why)),
        };
        self.fault = fault.map(|(place, why)| at(&place, &why));
        let rules = Arc::clone(&rules.current);
        Entry::Unit(Unit { number, rules, line, game: Some(Box::new(game)) })
    }

    fn position(&mut self, number: usize, line: usize, text: &[u8]) -> Entry {
        let mut read = || -> Result<String, String> {
            let text = std::str::from_utf8(text)
                .map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))?;
            let fen = text.trim_start_matches('\u{feff}').trim();
            begin(self.rules.of_positions(), Some(fen)).map(|()| fen.to_owned())
        };
        match read() {
            Ok(fen) => {
                let line = Line { start: Some(fen), moves: Vec::new() };
                Entry::Unit(Unit { number, rules: Arc::clone(&self.rules.current), line, game: None })
            }
            Err(why) => Entry::Fault(format!("{}:{line}: {why}", self.name)),
        }
    }
}

impl Iterator for Source {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if let Some(fault) = self.fault.take() {
            return Some(Entry::Fault(fault));
        }
        loop {
            match &mut self.reader {
                Reader::Games(reader) => match reader.next()? {
                    Ok(game) => {
                        let number = reader.games();
                        if self.part.holds(number) {
                            return Some(self.game(number, game));
                        }
                    }
                    Err(fault) if self.part.holds(fault.game) => {
                        return Some(Entry::Fault(format!("{}:{fault}", self.name)));
                    }
                    Err(_) => {}
                },
                Reader::Fens { lines, line, count } => {
                    let mut text = Vec::new();
                    *line += 1;
                    match lines.read_until(b'\n', &mut text) {
                        Ok(0) => return None,
                        Ok(_) if is_skipped(&text) => continue,
                        Ok(_) => *count += 1,
                        Err(error) => {
                            let fault = format!("{}:{line}: cannot read on: {error}", self.name);
                            *lines = Box::new(io::empty());
                            return Some(Entry::Fault(fault));
                        }
                    }
                    let (line, number) = (*line, *count);
                    if self.part.holds(number) {
                        return Some(self.position(number, line, &text));
                    }
                }
            }
        }
    }
}

/// The rules of games, and a session for those of the last one.
struct Rules {
    choice: Choice,
    current: Arc<Game>,
    session: Option<Box<dyn Session>>,
}

impl Rules {
    fn new(choice: Choice) -> Self {
        let (Choice::Fixed(game) | Choice::Tagged(game)) = &choice;
        Self { current: Arc::new(game.clone()), choice, session: None }
    }

    /// A session for the rules of a game.
    fn of(&mut self, game: &pdn::Game) -> Result<&mut dyn Session, String> {
        let wanted = match (&self.choice, game.tag("GameType"), game.named_game()) {
            (Choice::Fixed(rules), _, Some(named)) if !plays_alike(rules, named.set) => {
                return Err(format!("the game is {}, not {}", named.set.id, rules.set.id));
            }
            (Choice::Tagged(_), Some(text), None) => {
                return Err(format!("GameType '{}' names no game that is known here", excerpt(text)));
            }
            (Choice::Tagged(_), _, Some(named)) => named,
            (Choice::Fixed(rules) | Choice::Tagged(rules), ..) => rules.clone(),
        };
        Ok(self.session(wanted))
    }

    /// A session for the rules of positions alone.
    fn of_positions(&mut self) -> &mut dyn Session {
        let (Choice::Fixed(rules) | Choice::Tagged(rules)) = &self.choice;
        self.session(rules.clone())
    }

    fn session(&mut self, wanted: Game) -> &mut dyn Session {
        if !same(&self.current, &wanted) {
            self.current = Arc::new(wanted);
        }
        let session = session_for(&self.current, &mut self.session);
        self.session.insert(session).as_mut()
    }
}

/// Whether rules are the same: within an input only rule sets and first movers differ.
fn same(one: &Game, other: &Game) -> bool {
    one.set.id == other.set.id && one.first == other.first
}

/// Whether games of a rule set are of this game: it is the same, or has the same GameType.
fn plays_alike(game: &Game, set: &RuleSet) -> bool {
    let number = set.game_type_number();
    set.id == game.set.id || (number.is_some() && number == game.set.game_type_number())
}

/// A place, `LINE:COLUMN`, and what is wrong there.
type Wrong = (String, String);

/// The moves that can be played, and why the next one cannot.
fn replay(session: &mut dyn Session, game: &pdn::Game) -> Result<(Line, Option<Wrong>), String> {
    let mut line = Line { start: game.fen().map(str::to_owned), moves: Vec::new() };
    begin(session, line.start.as_deref())?;
    let mut setup = None;
    for item in &game.items {
        match item {
            pdn::Item::Setup(fen) => setup = Some(fen.clone()),
            pdn::Item::Move(mv) => {
                let ply = Ply { setup: setup.take(), text: mv.text.clone() };
                if let Err(why) = play(session, &ply) {
                    return Ok((line, Some((format!("{}:{}", mv.line, mv.column), why))));
                }
                line.moves.push(ply);
            }
            _ => {}
        }
    }
    Ok((line, None))
}

/// What an input holds, and what has been read of it to know that.
fn recognise(input: &mut dyn BufRead) -> io::Result<(Kind, Vec<u8>)> {
    let mut begun = Vec::new();
    loop {
        let start = begun.len();
        if input.take(pdn::LIMIT as u64).read_until(b'\n', &mut begun)? == 0 {
            return Ok((Kind::Fen, begun));
        }
        let line = begun.get(start..).unwrap_or_default();
        if !is_skipped(line) {
            let kind = if is_fen(&String::from_utf8_lossy(line)) { Kind::Fen } else { Kind::Pdn };
            return Ok((kind, begun));
        }
    }
}

/// Whether a line of a list of FENs holds none.
fn is_skipped(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    line.is_empty() || line.starts_with(b"#")
}

/// Whether a line is meant as a FEN: it begins with a side and a colon, or has a list of pieces.
fn is_fen(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = numbered.len() < line.len() && numbered.starts_with('.');
    let begins_pdn = numbered || line.starts_with(['[', '{', '%', ';', '(']);
    !begins_pdn && (line.get(1..2) == Some(":") || [":W", ":B"].iter().any(|list| line.contains(list)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &'static str, part: Part) -> Vec<String> {
        let choice = Choice::Tagged(Game::with_options("italian", []).unwrap());
        let source = Source::new("x", Box::new(text.as_bytes()), None, choice, part).unwrap();
        let told = |entry| match entry {
            Entry::Unit(unit) => {
                let Unit { number, rules, line, game } = unit;
                format!("{number} {} {} {}", rules.set.id, line.moves.len(), game.is_some())
            }
            Entry::Fault(why) => why,
        };
        source.map(told).collect()
    }

    #[test]
    fn inputs_are_recognised() {
        for (text, kind) in [
            ("W:W31:B1", Kind::Fen),
            ("\u{feff}# x\n\n B:W31:B1", Kind::Fen),
            ("", Kind::Fen),
            ("[FEN \"W:W31:B1\"]", Kind::Pdn),
            ("1. 22-18", Kind::Pdn),
            ("{a W: b}", Kind::Pdn),
            ("1. 22-18 {x:W} 10-13 *", Kind::Pdn),
            (".:W31:B1", Kind::Fen),
        ] {
            assert_eq!(recognise(&mut text.as_bytes()).unwrap().0, kind, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_is_read() {
        let text =
            "[Event \"a\"]\n1. 22-18 9-99 *\n\n[GameType \"25\"]\n1. c3-d4 *\n\n[GameType \"7\"]\n1. 1-2 *\n";
        let want =
            ["1 italian 1 true", "x:2:10: game 1: bad move", "2 russian 1 true", "x:7: game 3: GameType '7'"];
        let found = entries(text, Part::ALL);
        assert!(
            found.len() == 4 && found.iter().zip(want).all(|(text, want)| text.starts_with(want)),
            "{found:?}"
        );
        assert_eq!(entries(text, Part { number: 2, of: 3 }), ["2 russian 1 true"]);
        let found = entries("W:W31:B1\n#\nW:W99:B1\nW:W30:B1\n", Part::ALL);
        assert_eq!(found[0], "1 italian 0 false");
        assert!(
            found[1].starts_with("x:3: impossible position") && found[2].starts_with("3 italian"),
            "{found:?}"
        );
    }
}
