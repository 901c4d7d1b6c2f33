//! `soffio moves`.

use super::input::each_fen;
use super::{Common, Failure};
use crate::engine::{self, Notation, Session};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    /// How to write the moves
    #[arg(long, value_enum, default_value_t = Style::Pdn)]
    notation: Style,
    /// The position; - reads one a line from standard input and answers each with a line [default: the start]
    #[arg(value_name = "FEN | -")]
    fen: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Style {
    /// As in PDN: 22-18, 10x19; c3-d4, c3:e5 where PDN is algebraic
    Pdn,
    /// Numbers, and the captured squares: 22-18, 10x19x14
    Hub,
}

pub(super) fn run(common: &Common<'_>, args: &MovesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let notation = match args.notation {
        Style::Pdn => Notation::Pdn,
        Style::Hub => Notation::HUB,
    };
    if args.fen.as_deref() != Some("-") {
        let session = common.session(args.fen.as_deref())?;
        return Ok(write(common, session.as_ref(), notation, out)?);
    }
    let mut session = engine::open(common.game()?);
    each_fen(common.json, session.as_mut(), out, |session, out| write(common, session, notation, out).map(Ok))
}

fn write(
    common: &Common<'_>,
    session: &dyn Session,
    notation: Notation,
    out: &mut impl Write,
) -> io::Result<()> {
    let moves = session.legal_moves(notation);
    if common.json {
        let variant = session.game().set.id;
        writeln!(out, "{}", json!({ "variant": variant, "fen": session.fen(), "moves": moves }))
    } else {
        writeln!(out, "{}", moves.join(" "))
    }
}
