//! `soffio referee`.

use super::input::{Lines, excerpt};
use super::{Common, Failure};
use crate::engine::{self, Notation, Session};
use clap::Args;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct RefereeArgs {
    /// The games, one JSON object a line [default: standard input]
    #[arg(value_name = "FILE | -")]
    file: Option<String>,
}

/// A game to judge.
#[derive(Debug)]
struct GameLine {
    /// Where it starts; without it the start position.
    fen: Option<String>,
    /// Moves in PDN or Hub notation.
    moves: Vec<String>,
    /// Names of fields that are not looked at.
    unknown: Vec<String>,
}

/// Fields that go with a game in files of games; they are not looked at either, but nobody is surprised.
const COMPANIONS: [&str; 6] = ["variant", "plies", "result", "reason", "rules", "tags"];

pub(super) fn run(common: &Common<'_>, args: &RefereeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = engine::open(common.game()?);
    let mut lines = Lines::open(args.file.as_deref().unwrap_or("-"))?;
    let mut known: BTreeSet<_> = COMPANIONS.into_iter().map(str::to_owned).collect();
    let mut number = 0;
    while let Some(line) = lines.next() {
        number += 1;
        let report = line?.and_then(|text| read(&text)).and_then(|game| {
            for name in &game.unknown {
                if known.insert(name.clone()) {
                    warn(lines.name(), number, name);
                }
            }
            judge(session.as_mut(), &game)
        });
        let report = report.unwrap_or_else(|error| json!({ "error": error, "line": number }));
        writeln!(out, "{report}")?;
        if lines.waits() {
            out.flush()?;
        }
    }
    Ok(())
}

/// Says that a field is not looked at.
fn warn(file: &str, line: usize, name: &str) {
    let name = excerpt(name);
    // Whoever has closed standard error does not want to know.
    let _ = writeln!(io::stderr(), "soffio: {file}, line {line}: unknown field '{name}' is not looked at");
}

fn read(text: &str) -> Result<GameLine, String> {
    const WANTED: &str = "expected a JSON object such as {\"moves\": []}";
    let start = text.trim_start();
    if start.is_empty() {
        return Err(format!("empty line: {WANTED}"));
    }
    if !start.starts_with('{') {
        let column = text.chars().count() - start.chars().count() + 1;
        let found = excerpt(start.trim_end());
        return Err(format!("bad JSON, column {column}: found '{found}', {WANTED}"));
    }
    let Fields(fields) = serde_json::from_str(text).map_err(|error| syntax(text, &error))?;
    game(fields)
}

/// A syntax error in words. Its columns are bytes; ours are characters, and never beyond the line.
fn syntax(text: &str, error: &serde_json::Error) -> String {
    let bytes = text.as_bytes().get(..error.column().saturating_sub(1)).unwrap_or(text.as_bytes());
    let column = String::from_utf8_lossy(bytes).chars().count() + 1;
    if error.is_eof() {
        return format!("bad JSON, column {}: the line ends within the object", text.chars().count() + 1);
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    format!("bad JSON, column {column}: {message}")
}

/// The fields of an object in order, those of the same name too.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

/// The game that the fields of an object make.
fn game(fields: Vec<(String, Value)>) -> Result<GameLine, String> {
    let (mut fen, mut moves, mut unknown) = (None, None, Vec::new());
    for (name, value) in fields {
        let twice = match name.as_str() {
            "fen" => fen.replace(read_fen(value)?).is_some(),
            "moves" => moves.replace(read_moves(value)?).is_some(),
            _ => {
                unknown.push(name.clone());
                false
            }
        };
        if twice {
            return Err(format!("field '{name}' stands there twice"));
        }
    }
    let alike = |name: &&String| ["fen", "moves"].contains(&name.trim().to_lowercase().as_str());
    if let Some(name) = unknown.iter().find(alike) {
        return Err(format!("unknown field '{name}': expected 'fen' or 'moves'"));
    }
    let moves = moves.ok_or_else(|| match unknown[..] {
        [] => "no field 'moves'".to_owned(),
        _ => format!("no field 'moves', but '{}'", excerpt(&unknown.join("', '"))),
    })?;
    Ok(GameLine { fen: fen.flatten(), moves, unknown })
}

/// The value of `fen`: a text, or null for the start.
fn read_fen(value: Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(fen) => Ok(Some(fen)),
        other => Err(format!("field 'fen' is not a text: {}", excerpt(&other.to_string()))),
    }
}

/// The value of `moves`: a list of texts.
fn read_moves(value: Value) -> Result<Vec<String>, String> {
    let Value::Array(moves) = value else {
        return Err(format!("field 'moves' is not a list: {}", excerpt(&value.to_string())));
    };
    let texts = (1..).zip(moves).map(|(ply, mv)| match mv {
        Value::String(text) => Ok(text),
        other => Err(format!("move {ply} of 'moves' is not a text: {}", excerpt(&other.to_string()))),
    });
    texts.collect()
}

/// Plays until the game ends; the moves after that are not looked at.
fn judge(session: &mut dyn Session, game: &GameLine) -> Result<Value, String> {
    match &game.fen {
        Some(fen) => session.set_fen(fen).map_err(|error| error.to_string())?,
        None => session.set_start(),
    }
    for (ply, mv) in (1..).zip(&game.moves) {
        if session.verdict().is_some() {
            break;
        }
        if let Err(error) = session.play(mv, Notation::Pdn) {
            return Ok(json!({ "error": error.to_string(), "ply": ply }));
        }
    }
    let verdict = session.verdict();
    Ok(json!({
        "plies": session.plies(),
        "result": verdict.map(|verdict| verdict.result()),
        "reason": verdict.map(|verdict| verdict.reason.to_string()),
    }))
}
