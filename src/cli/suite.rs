//! `soffio perft --suite`: published counts, counted again.

use super::perft::PerftArgs;
use super::{Common, Failure};
use crate::engine::{self, Session};
use crate::movegen::{Convention, Perft, SuiteRow, read_suite};
use serde_json::json;
use std::io::{self, Read, Write};

/// Checks every row of a file within depth and budget.
pub(super) fn run(
    common: &Common,
    args: &PerftArgs,
    perft: Perft<'_>,
    file: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let text = read(file).map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
    let rows = read_suite(&text).map_err(|error| Failure::Failed(format!("{file}: {error}")))?;
    let depth = args.depth.unwrap_or(u32::MAX);
    let mut session = engine::open(common.game()?);
    let (mut checked, mut wrong) = (0, 0);
    let countable = |row: &&SuiteRow<'_>| {
        row.depth <= depth && row.nodes <= u128::from(args.budget) && row.convention != Convention::Paths
    };
    for row in rows.iter().filter(countable) {
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
    if wrong == 0 { Ok(()) } else { out.flush().map_err(Failure::Io).and(Err(Failure::Negative)) }
}

fn read(file: &str) -> io::Result<String> {
    if file == "-" {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        Ok(text)
    } else {
        std::fs::read_to_string(file)
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

fn write_row(
    common: &Common,
    row: &SuiteRow<'_>,
    nodes: u64,
    ok: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let SuiteRow { line, fen, convention, depth, nodes: expected } = row;
    if common.json {
        // A checked row is within the budget, which fits.
        let expected = u64::try_from(*expected).unwrap_or(u64::MAX);
        let convention = convention.name();
        let report = json!({ "line": line, "fen": fen, "convention": convention, "depth": depth,
            "expected": expected, "nodes": nodes, "ok": ok });
        return writeln!(out, "{report}");
    }
    let (verdict, name) = (if ok { "ok" } else { "mismatch" }, convention.name());
    write!(out, "{verdict} line {line} {name} depth {depth} nodes {nodes}")?;
    if ok { writeln!(out) } else { writeln!(out, " expected {expected} {fen}") }
}
