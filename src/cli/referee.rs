//! `soffio referee`.

use super::{Common, Failure, lines};
use crate::engine::{self, Notation, Session};
use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

#[derive(Debug, Args)]
pub(super) struct RefereeArgs {
    /// The games, one JSON object a line [default: standard input]
    #[arg(value_name = "FILE | -")]
    file: Option<String>,
}

/// A game to judge. Whatever else stands in the object is not looked at.
#[derive(Debug, Deserialize)]
struct GameLine {
    /// Where it starts; without it the start position.
    fen: Option<String>,
    /// Moves in PDN or Hub notation.
    moves: Vec<String>,
}

pub(super) fn run(common: &Common, args: &RefereeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = engine::open(common.game()?);
    let input: Box<dyn BufRead> = match args.file.as_deref() {
        None | Some("-") => Box::new(io::stdin().lock()),
        Some(file) => {
            let opened = File::open(file).map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
            Box::new(BufReader::new(opened))
        }
    };
    for (number, line) in (1..).zip(lines(input)) {
        let report = line?.and_then(|text| read(&text)).and_then(|game| judge(session.as_mut(), &game));
        let report = report.unwrap_or_else(|error| json!({ "error": error, "line": number }));
        writeln!(out, "{report}")?;
    }
    Ok(())
}

fn read(text: &str) -> Result<GameLine, String> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("bad JSON, column {}: {message}", error.column())
    })
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
