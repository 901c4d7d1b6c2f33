//! `soffio show` and `soffio eval`.

use super::{Common, Failure};
use crate::score::Score;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The position; - reads it from standard input [default: the start]
    #[arg(value_name = "FEN")]
    fen: Option<String>,
    /// Write the drawing to a file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The position; - reads it from standard input [default: the start]
    #[arg(value_name = "FEN")]
    fen: Option<String>,
}

pub(super) fn run(common: &Common, args: &ShowArgs, out: &mut impl Write) -> Result<(), Failure> {
    let session = common.session(args.fen.as_deref())?;
    if let Some(file) = &args.svg {
        std::fs::write(file, session.svg()).map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
    }
    let diagram = session.diagram();
    if common.json {
        let (variant, turn) = (session.game().set.id, session.turn().name().to_ascii_lowercase());
        let report = json!({ "variant": variant, "fen": session.fen(), "turn": turn, "diagram": diagram });
        return Ok(writeln!(out, "{report}")?);
    }
    if args.svg.is_none() {
        writeln!(out, "{}", diagram.trim_end())?;
    }
    Ok(())
}

pub(super) fn eval(common: &Common, args: &EvalArgs, out: &mut impl Write) -> Result<(), Failure> {
    let session = common.session(args.fen.as_deref())?;
    let evaluation = session.eval();
    if !common.json {
        return Ok(writeln!(out, "{evaluation}")?);
    }
    let men = |score: Score| f64::from(score.value()) / 100.0;
    let terms: Map<_, _> =
        evaluation.terms.iter().map(|(name, value)| ((*name).to_owned(), Value::from(men(*value)))).collect();
    let (variant, score) = (session.game().set.id, men(evaluation.score));
    let report = json!({ "variant": variant, "fen": session.fen(), "terms": terms, "score": score });
    Ok(writeln!(out, "{report}")?)
}
