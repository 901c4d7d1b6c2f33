//! Games from files of every format, one at a time.

use super::super::Failure;
use super::super::games::{Place, Problem};
use super::super::input::{self, Lines};
use super::Format;
use crate::error::excerpt;
use crate::notation::pdn::{self, Item, Move, Outcome, Reader};
use crate::rules;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::{BufReader, Read};

/// A game as a file has it.
pub(super) struct Record {
    pub game: pdn::Game,
    /// The rules, if it names them otherwise than by tags.
    pub rules: Option<rules::Game>,
    pub origin: Origin,
    pub place: Place,
}

/// How it says where it starts.
pub(super) enum Origin {
    /// By its tags.
    Tags,
    /// By a FEN.
    Fen(String),
    /// By a Hub string.
    Hub(String),
}

/// The games of a file.
pub(super) enum Source {
    Pdn { name: String, reader: Box<Reader<BufReader<Box<dyn Read>>>> },
    Lines { lines: Lines, format: Format, number: usize },
}

impl Source {
    /// A file; `-` is standard input.
    pub(super) fn open(format: Format, file: &str) -> Result<Self, Failure> {
        if format == Format::Pdn {
            let (name, input) = input::open(file)?;
            return Ok(Self::Pdn { name, reader: Box::new(Reader::new(input)) });
        }
        Ok(Self::Lines { lines: Lines::open(file)?, format, number: 0 })
    }

    /// Its name, for messages.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Pdn { name, .. } => name,
            Self::Lines { lines, .. } => lines.name(),
        }
    }

    /// Whether the next line has still to come: whoever writes it may be waiting for answers.
    pub(super) fn waits(&self) -> bool {
        matches!(self, Self::Lines { lines, .. } if lines.waits())
    }
}

impl Iterator for Source {
    /// A game or what is wrong with it; a failure of the file is the last.
    type Item = Result<Result<Record, Problem>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Pdn { reader, .. } => Some(Ok(match reader.next()? {
                Ok(game) => {
                    let place = Place::line(game.line);
                    Ok(Record { game, rules: None, origin: Origin::Tags, place })
                }
                Err(fault) => Err(Problem::new(Place { line: fault.line, column: fault.column }, fault.what)),
            })),
            Self::Lines { lines, format, number } => loop {
                let line = match lines.next()? {
                    Ok(line) => line,
                    Err(failure) => return Some(Err(failure)),
                };
                *number += 1;
                let text = match line {
                    Ok(text) => text,
                    Err(error) => return Some(Ok(Err(Problem::new(Place::line(*number), error)))),
                };
                let mark = if *number == 1 { '\u{feff}' } else { ' ' };
                let rest = text.trim_start_matches(|c: char| c == mark || c.is_whitespace());
                if !rest.is_empty() && (*format == Format::Json || !rest.starts_with('#')) {
                    let column = text.chars().count() - rest.chars().count() + 1;
                    let place = Place { line: *number, column };
                    return Some(Ok(record(*format, rest.trim_end(), place)));
                }
            },
        }
    }
}

/// The game of a line.
fn record(format: Format, text: &str, place: Place) -> Result<Record, Problem> {
    let position = |origin| Record {
        game: pdn::Game { line: place.line, ..pdn::Game::default() },
        rules: None,
        origin,
        place,
    };
    match format {
        Format::Json => json(text, place),
        Format::Hub => Ok(position(Origin::Hub(text.to_owned()))),
        Format::Fen | Format::Pdn => Ok(position(Origin::Fen(text.to_owned()))),
    }
}

/// The fields of a game that are looked at.
#[derive(Deserialize)]
struct GameLine {
    variant: Option<String>,
    #[serde(default)]
    rules: Vec<String>,
    fen: Option<String>,
    moves: Vec<String>,
    result: Option<String>,
    #[serde(default)]
    tags: Map<String, Value>,
}

fn json(text: &str, place: Place) -> Result<Record, Problem> {
    let line: GameLine = serde_json::from_str(text).map_err(|error| {
        let bytes = text.as_bytes().get(..error.column().saturating_sub(1)).unwrap_or(text.as_bytes());
        let before = String::from_utf8_lossy(bytes).chars().count();
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        Problem::new(Place { column: place.column + before, ..place }, format!("bad JSON: {words}"))
    })?;
    let wrong = |what: String| Problem::new(place, what);
    let rules = line.variant.as_deref().map(|variant| {
        let options = line.rules.iter().map(String::as_str);
        rules::Game::with_options(variant, options).map_err(|error| wrong(error.to_string()))
    });
    let mut game =
        pdn::Game { line: place.line, tags: tags(line.tags).map_err(wrong)?, ..Default::default() };
    if let Some(text) = &line.result {
        set_result(&mut game, text).map_err(wrong)?;
    }
    let moves = line.moves.into_iter();
    game.items = moves
        .map(|text| Item::Move(Move { text, line: place.line, column: place.column, ..Move::default() }))
        .collect();
    let origin = line.fen.map_or(Origin::Tags, Origin::Fen);
    Ok(Record { game, rules: rules.transpose()?, origin, place })
}

/// Tags of an object: a text each, or a list of texts if a name comes more than once.
fn tags(map: Map<String, Value>) -> Result<Vec<(String, String)>, String> {
    let mut tags = Vec::new();
    for (name, value) in map {
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let Value::String(text) = value else {
                return Err(format!(
                    "tag '{}' is not a text: {}",
                    excerpt(&name),
                    excerpt(&value.to_string())
                ));
            };
            tags.push((name.clone(), text));
        }
    }
    Ok(tags)
}

/// Sets the result at the end; in the words of its tag, if that says the same.
fn set_result(game: &mut pdn::Game, text: &str) -> Result<(), String> {
    let Some(outcome) = Outcome::of(text) else {
        return Err(format!("bad result '{}': expected 1-0, 0-1, 1/2-1/2, 0-0 or *", excerpt(text)));
    };
    let tag = game.tag("Result").filter(|tag| Outcome::of(tag) == Some(outcome)).map(str::to_owned);
    game.result = Some(tag.unwrap_or_else(|| text.to_owned()));
    Ok(())
}
