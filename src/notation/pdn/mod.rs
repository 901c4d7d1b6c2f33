//! PDN files: games with tags, moves, comments and variations, as PDN 3.0 (github.com/wiegerw/pdn) defines them and as
//! they are met.
//!
//! [`Reader`] streams the games of any source, [`write()`] makes the strict text of one. Moves stay texts: what they mean
//! is for whoever has the position. [`game_type`] goes from rule sets to GameType tags and back.
//!
//! Read besides what the standard writes: results as separators or none at all, several games without tags; move numbers
//! in any form or none; blanks inside a move (`1- 7`), leading zeros, `:`, squares without a sign (`a3b4`, `3228`); moves
//! marked `!`, `(?)`, `$5`, and `*` for an only move; `;` and `%` comments, comments in comments on one line, clocks and
//! other annotations; tags in any language and order, twice, several on a line, over two lines, without their quotes or
//! bracket; UTF-8 with or without a byte order mark, or else, line by line, Latin-1; line ends of every system.
//!
//! What is read in spite of a fault is noted in [`Game::notes`]. What cannot be read is an error that costs one game:
//! the reader goes on at the next tag.

pub mod game_type;
mod lexer;
mod lines;
mod reader;
mod writer;

pub use reader::{LIMIT, Reader};
pub use writer::write;

use super::fen;
use crate::board::Side;
use crate::error::excerpt;
use crate::rules::{self, RuleSet};
use std::fmt;

/// The tags every game is written with, in this order, each with the value that says it is not known.
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game as a file has it.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Names and values, in the order of the file; a name may come twice.
    pub tags: Vec<(String, String)>,
    /// The main line with what stands between its moves.
    pub items: Vec<Item>,
    /// The result at the end of the moves, as it is written there; `None` if there is none.
    pub result: Option<String>,
    /// Faults that the reader has read over, in the order of the file, 100 at most.
    pub notes: Vec<Fault>,
    /// The line where it begins, from 1; 0 if it comes from no file.
    pub line: usize,
}

/// A part of a line of play.
#[derive(Clone, Debug)]
pub enum Item {
    /// A move.
    Move(Move),
    /// A comment, without its braces, on one line, without blanks at its ends.
    Comment(String),
    /// A side line: mostly instead of the move before it, in some files of the one behind it.
    Variation(Vec<Item>),
    /// A position set up in the midst of a game (`/FEN "W:W31:B20"/`): its FEN.
    Setup(String),
}

/// A move as it is written.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// Its text, without blanks.
    pub text: String,
    /// The move number before it, if there is one.
    pub number: Option<Number>,
    /// Numeric annotation glyphs, in order: 1 to 6 are `! ? !! ?? !? ?!`, 7 is an only move.
    pub nags: Vec<u16>,
    /// Its line in the file, from 1; 0 if it comes from no file.
    pub line: usize,
    /// Its column, in characters from 1; 0 if it comes from no file.
    pub column: usize,
}

/// A move number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The number.
    pub value: u32,
    /// Whether it has three dots: the second move of its pair follows.
    pub dots: bool,
}

/// What a result means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// White has won.
    White,
    /// A draw.
    Draw,
    /// Black has won.
    Black,
    /// Both sides have lost (`0-0`, "double forfeit"); older programs write it where no result is known.
    BothLost,
    /// Not known or not finished (`*`).
    Unknown,
}

/// Something wrong in a file, and where. It is written `LINE:COLUMN: game N: WHAT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The game, from 1; what stands before a game counts as the game's.
    pub game: usize,
    /// What is wrong.
    pub what: What,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The source cannot be read on, and why; nothing follows.
    Unreadable(String),
    /// The text is UTF-16; nothing follows.
    Utf16,
    /// The game has more bytes than this.
    TooLong(usize),
    /// Variations are nested more deeply than this.
    TooDeep(usize),
    /// A text that means nothing in PDN.
    Word(String),
    /// A comment has no end.
    OpenComment,
    /// A variation has no end.
    OpenVariation,
    /// Noted: a tag is not `[NAME "VALUE"]`.
    Tag {
        /// The tag as far as it has been read.
        text: String,
        /// What it lacks.
        lacks: &'static str,
    },
    /// Noted: a sign that belongs to nothing.
    Stray(String),
    /// Noted: the moves end without a result.
    NoResult,
    /// Noted: the result at the end is not the one in the tag.
    Results {
        /// The one at the end.
        end: String,
        /// The one in the tag.
        tag: String,
    },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "cannot read on: {}", excerpt(why)),
            Self::Utf16 => write!(f, "the text is UTF-16: expected UTF-8 or Latin-1"),
            Self::TooLong(limit) => write!(f, "the game is longer than {limit} bytes"),
            Self::TooDeep(limit) => write!(f, "variations are nested more than {limit} deep"),
            Self::Word(text) => {
                write!(f, "'{}' is no move, move number, result, tag or comment", excerpt(text))
            }
            Self::OpenComment => write!(f, "the comment has no end: expected '}}'"),
            Self::OpenVariation => write!(f, "the variation has no end: expected ')'"),
            Self::Tag { text, lacks } => write!(f, "bad tag '{}': expected {lacks}", excerpt(text)),
            Self::Stray(sign) => write!(f, "stray '{}'", excerpt(sign)),
            Self::NoResult => write!(f, "the game ends without a result"),
            Self::Results { end, tag } => {
                write!(f, "the result is '{}' here and '{}' in the tag", excerpt(end), excerpt(tag))
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, game, what } = self;
        write!(f, "{line}:{column}: game {game}: {what}")
    }
}

impl std::error::Error for Fault {}

impl Outcome {
    /// The meaning of a result text; `None` if it has none. White's points stand first in every game: `1-0` and `2-0` are
    /// his win, `1-1` and `1/2-1/2` draws; other counts of points (`4-6`, `1 1/2 - 1/2`) go to the side with more.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "*" {
            return Some(Self::Unknown);
        }
        let (white, black) = text.split_once('-')?;
        let (white, black) = (points(white)?, points(black)?);
        Some(match white.total_cmp(&black) {
            std::cmp::Ordering::Greater => Self::White,
            std::cmp::Ordering::Less => Self::Black,
            std::cmp::Ordering::Equal if white == 0.0 => Self::BothLost,
            std::cmp::Ordering::Equal => Self::Draw,
        })
    }

    /// The text of PDN: two points a game in `international` style, which PDN 3.0 wants of GameTypes 20 and 27, else one.
    pub fn text(self, international: bool) -> &'static str {
        match self {
            Self::White if international => "2-0",
            Self::Draw if international => "1-1",
            Self::Black if international => "0-2",
            Self::White => "1-0",
            Self::Draw => "1/2-1/2",
            Self::Black => "0-1",
            Self::BothLost => "0-0",
            Self::Unknown => "*",
        }
    }
}

/// A count of points: `2`, `1/2`, `1 1/2`, `0.5`.
fn points(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some((whole, part)) = text.rsplit_once(' ') {
        return Some(points(whole)? + points(part)?).filter(|_| part.contains('/'));
    }
    match text {
        "1/2" | "½" => Some(0.5),
        _ if text.bytes().all(|b| b.is_ascii_digit() || b == b'.') => text.parse().ok(),
        _ => None,
    }
}

impl Game {
    /// A game without moves of these rules, with all tags that every game has, a GameType where PDN gives one and a
    /// `Variant` with the rule set's id where it does not.
    pub fn of(game: &rules::Game) -> Self {
        let roster = ROSTER.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let kind = match game_type::text(game) {
            Some(text) => ("GameType".to_owned(), text),
            None => ("Variant".to_owned(), game.set.id.to_owned()),
        };
        Self { tags: roster.into_iter().chain([kind]).collect(), ..Self::default() }
    }

    /// The value of the first tag of this name, in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if there is one of this name, else behind the others.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, known)) => value.clone_into(known),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The FEN of the position it starts from, if that is set up.
    pub fn fen(&self) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(name, value)| name.eq_ignore_ascii_case("FEN") && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &Move> {
        self.items.iter().filter_map(|item| match item {
            Item::Move(mv) => Some(mv),
            _ => None,
        })
    }

    /// Sets the position up that it starts from, the tags `SetUp` and `FEN`. Squares get names in games that are written
    /// with names, as their numbers are counted from different corners by different programs.
    pub fn set_fen(&mut self, game: &rules::Game, text: &str) {
        let named = if game.set.algebraic { fen::parse(game, text).ok() } else { None };
        let text = named.map_or_else(|| text.to_owned(), |setup| fen::write_pdn(game, &setup));
        self.set_tag("FEN", &text);
        self.set_tag("SetUp", "1");
    }

    /// The result: what stands at the end, or in the tag where the end says nothing.
    pub fn outcome(&self) -> Outcome {
        let known = |text: &str| Outcome::of(text).filter(|found| *found != Outcome::Unknown);
        let end = self.result.as_deref().and_then(known);
        end.or_else(|| self.tag("Result").and_then(known)).unwrap_or(Outcome::Unknown)
    }

    /// Sets the result, at the end and in the tag, as the GameType wants it written.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        let number = self.tag("GameType").and_then(game_type::number);
        let text = outcome.text(matches!(number, Some(20 | 27)));
        self.set_tag("Result", text);
        self.result = Some(text.to_owned());
    }

    /// The rule set that its GameType or, without one, its `Variant` tag names.
    pub fn rule_set(&self) -> Option<&'static RuleSet> {
        match self.tag("GameType") {
            Some(text) => game_type::rule_set(text),
            None => self.tag("Variant").and_then(game_type::of_variant),
        }
    }

    /// The game that its tags name: that rule set, with the first mover that the GameType states where the rules leave that
    /// open (English and Thai draughts), and other options at their defaults.
    pub fn named_game(&self) -> Option<rules::Game> {
        let set = self.rule_set()?;
        let stated = self.tag("GameType").and_then(game_type::first).filter(|side| *side != set.first);
        let first = stated.map(|side| format!("first={}", side.name().to_ascii_lowercase()));
        let with_first = first.and_then(|option| rules::Game::with_options(set.id, [option.as_str()]).ok());
        Some(with_first.unwrap_or_else(|| rules::Game::new(set)))
    }

    /// Makes the tags name these rules, if they name others or none: by the GameType, or by `Variant` where there is none.
    pub fn set_game(&mut self, game: &rules::Game) {
        let named = self.named_game();
        if named.is_some_and(|named| named.set.id == game.set.id && named.first == game.first) {
            return;
        }
        match game_type::text(game) {
            Some(text) => self.set_tag("GameType", &text),
            None => {
                self.tags.retain(|(name, _)| !name.eq_ignore_ascii_case("GameType"));
                self.set_tag("Variant", game.set.id);
            }
        }
    }

    /// Who moves first in the game these tags name, when nothing is set up; White if they name none.
    fn first_mover(&self) -> Side {
        let stated = self.tag("GameType").and_then(game_type::first);
        stated.or_else(|| self.rule_set().map(|set| set.first)).unwrap_or(Side::White)
    }
}
