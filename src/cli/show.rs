//! `soffio show` and `soffio eval`.

use super::input::named;
use super::{Common, Failure};
use crate::engine::Session;
use crate::notation::squares;
use crate::position::Kind;
use crate::score::Score;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The position; - reads it from standard input [default: the start]
    #[arg(value_name = "FEN")]
    fen: Option<String>,
    /// Write the drawing to a file, as SVG; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The position; - reads it from standard input [default: the start]
    #[arg(value_name = "FEN")]
    fen: Option<String>,
}

pub(super) fn run(common: &Common<'_>, args: &ShowArgs, out: &mut impl Write) -> Result<(), Failure> {
    if common.json && args.svg.as_deref() == Some("-") {
        return Err(Failure::Usage("--json and --svg - both ask for standard output".to_owned()));
    }
    let session = common.session(args.fen.as_deref())?;
    if let Some(file) = &args.svg {
        write_svg(session.as_ref(), file, out)?;
    }
    let diagram = session.diagram();
    if common.json {
        let (variant, turn) = (session.game().set.id, session.turn().name().to_ascii_lowercase());
        let report = json!({ "variant": variant, "fen": session.fen(), "turn": turn, "diagram": diagram });
        return Ok(writeln!(out, "{report}")?);
    }
    if args.svg.is_none() {
        writeln!(out, "{}", diagram.trim_end())?;
        for line in legend(session.as_ref()) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Writes the drawing; where it went to a file, standard error says so.
fn write_svg(session: &dyn Session, file: &str, out: &mut impl Write) -> Result<(), Failure> {
    let svg = session.svg();
    if file == "-" {
        return Ok(out.write_all(svg.as_bytes())?);
    }
    std::fs::write(file, svg).map_err(|error| named(file, &error))?;
    // The drawing is written, whether or not anybody hears of it.
    let _ = writeln!(io::stderr(), "soffio: wrote {file}");
    Ok(())
}

/// What a diagram does not say by itself.
fn legend(session: &dyn Session) -> Vec<String> {
    let game = session.game();
    let mut lines = Vec::new();
    if game.set.algebraic {
        let name = |number| squares::name(game, squares::index(game, number).unwrap_or(0));
        let (first, last, count) = (name(1), name(squares::count(game)), squares::count(game));
        lines.push(format!("Moves are written with files and ranks; square 1 is {first}, {count} is {last}"));
    }
    if session.setup().pieces.iter().any(|(_, _, kind)| *kind == Kind::Parachutist) {
        lines.push("p and q are parachutists, White's and Black's".to_owned());
    }
    lines
}

pub(super) fn eval(common: &Common<'_>, args: &EvalArgs, out: &mut impl Write) -> Result<(), Failure> {
    let session = common.session(args.fen.as_deref())?;
    let evaluation = session.eval();
    let [win, draw, loss] = session.odds().permille(evaluation.score);
    if !common.json {
        writeln!(out, "{evaluation}")?;
        return Ok(writeln!(out, "odds {win} {draw} {loss}")?);
    }
    let men = |score: Score| f64::from(score.value()) / 100.0;
    let terms: Map<_, _> =
        evaluation.terms.iter().map(|(name, value)| ((*name).to_owned(), Value::from(men(*value)))).collect();
    let (variant, score) = (session.game().set.id, men(evaluation.score));
    let report = json!({ "variant": variant, "fen": session.fen(), "terms": terms, "score": score,
        "odds": { "win": win, "draw": draw, "loss": loss } });
    Ok(writeln!(out, "{report}")?)
}
