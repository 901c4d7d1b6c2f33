//! `soffio perft --suite`: published counts, counted again.

use super::input::read_text;
use super::perft::PerftArgs;
use super::{Common, Failure};
use crate::engine::{self, Session};
use crate::movegen::{Convention, Perft, SuiteRow, read_suite};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Checks every row of a file within depth and budget.
pub(super) fn run(
    common: &Common<'_>,
    args: &PerftArgs,
    perft: Perft<'_>,
    file: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let text = read_text(file)?;
    let rows = read_suite(&text).map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
    let mut session = engine::open(common.game()?);
    let (mut checked, mut wrong) = (0, 0);
    for row in &rows {
        if let Some(reason) = left_out(args, row) {
            write_left_out(common, row, reason, out)?;
            continue;
        }
        let perft = Perft { keep_duplicates: row.convention == Convention::Keep, ..perft };
        let nodes = count(session.as_mut(), row, perft)
            .map_err(|error| Failure::Failed(format!("{file}: line {}: {error}", row.line)))?;
        let ok = u128::from(nodes) == row.nodes;
        checked += 1;
        wrong += usize::from(!ok);
        write_row(common, row, nodes, ok, out)?;
    }
    let skipped = rows.len() - checked;
    if !common.json {
        writeln!(out, "{checked} checked, {wrong} wrong, {skipped} left out")?;
    }
    out.flush()?;
    match (checked, wrong) {
        (0, _) if rows.is_empty() => Err(Failure::Failed(format!("{file}: no row to check"))),
        (0, _) => Err(Failure::Failed(format!(
            "{file}: nothing was checked: all rows are left out, {skipped} in number (see DEPTH and --budget)"
        ))),
        (_, 0) => Ok(()),
        _ => Err(Failure::Negative),
    }
}

/// Why a row is not checked, if it is not.
fn left_out(args: &PerftArgs, row: &SuiteRow<'_>) -> Option<&'static str> {
    if row.convention == Convention::Paths {
        Some("convention")
    } else if args.depth.is_some_and(|depth| row.depth > depth) {
        Some("depth")
    } else {
        (row.nodes > u128::from(args.budget)).then_some("budget")
    }
}

fn count(
    session: &mut dyn Session,
    row: &SuiteRow<'_>,
    perft: Perft<'_>,
) -> Result<u64, engine::PositionError> {
    if row.fen == "start" {
        session.set_start()
    } else {
        session.set_fen(row.fen)?
    }
    Ok(session.perft(&perft, row.depth))
}

/// What is known of a row before it is counted, as JSON. A count beyond 64 bits is a text.
fn as_json(row: &SuiteRow<'_>) -> Value {
    let SuiteRow { line, fen, convention, depth, nodes } = row;
    let expected = u64::try_from(*nodes).map_or_else(|_| Value::from(nodes.to_string()), Value::from);
    json!({ "line": line, "fen": fen, "convention": convention.name(), "depth": depth, "expected": expected })
}

/// In JSON a row that is left out has a line too; in text it is only counted.
fn write_left_out(
    common: &Common<'_>,
    row: &SuiteRow<'_>,
    reason: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    if !common.json {
        return Ok(());
    }
    let mut report = as_json(row);
    report["nodes"] = Value::Null;
    report["ok"] = Value::Null;
    report["left_out"] = reason.into();
    writeln!(out, "{report}")
}

fn write_row(
    common: &Common<'_>,
    row: &SuiteRow<'_>,
    nodes: u64,
    ok: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if common.json {
        let mut report = as_json(row);
        report["nodes"] = nodes.into();
        report["ok"] = ok.into();
        return writeln!(out, "{report}");
    }
    let SuiteRow { line, fen, convention, depth, nodes: expected } = row;
    let (verdict, name) = (if ok { "ok" } else { "mismatch" }, convention.name());
    write!(out, "{verdict} line {line} {name} depth {depth} nodes {nodes}")?;
    if ok { writeln!(out) } else { writeln!(out, " expected {expected} {fen}") }
}
