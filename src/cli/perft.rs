//! `soffio perft`.

use super::usage::number;
use super::{Common, Failure, suite};
use crate::engine;
use crate::movegen::{HashTable, Perft};
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// Deepest count that can be asked for; no game of draughts is countable that deep.
const MAX_DEPTH: u32 = 99;
/// Most memory for a table of counts, in MiB.
const MAX_HASH: usize = 1 << 16;

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The position; - reads it from standard input [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Count below each move too: lines of a move in Hub notation and its count, sorted
    #[arg(long)]
    divide: bool,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = number(1..=engine::MAX_THREADS))]
    threads: usize,
    /// Memory for a table of counts; without it nothing is remembered
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, value_parser = number(1..=MAX_HASH))]
    hash: Option<usize>,
    /// Count captures of the same pieces in another order separately
    #[arg(long)]
    keep_duplicates: bool,
    /// Check the counts of a file, lines of `FEN ; drop or keep ; DEPTH NODES`; - is standard input. Fails if one is
    /// wrong or none was checked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "divide", "keep_duplicates"])]
    suite: Option<String>,
    /// Leave out rows of a suite with more nodes
    #[arg(long, value_name = "NODES", requires = "suite", default_value_t = 10_000_000, allow_negative_numbers = true,
        value_parser = number(0..=u64::MAX))]
    pub budget: u64,
    /// Plies, required unless --suite is given: then the greatest depth checked
    #[arg(value_name = "DEPTH", required_unless_present = "suite", allow_negative_numbers = true,
        value_parser = number(0..=MAX_DEPTH))]
    pub depth: Option<u32>,
}

pub(super) fn run(common: &Common<'_>, args: &PerftArgs, out: &mut impl Write) -> Result<(), Failure> {
    let table = args.hash.map(table).transpose()?;
    let perft = Perft {
        keep_duplicates: args.keep_duplicates,
        hash: table.as_ref(),
        parallel: args.threads > 1,
        stop: None,
    };
    if perft.parallel {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build_global();
        pool.map_err(|error| Failure::Failed(error.to_string()))?;
    }
    match &args.suite {
        Some(file) => suite::run(common, args, perft, file, out),
        None => single(common, args, perft, args.depth.unwrap_or(0), out),
    }
}

/// A table of counts.
fn table(mebibytes: usize) -> Result<HashTable, Failure> {
    let refused = || Failure::Failed(format!("--hash {mebibytes}: there is not so much memory"));
    HashTable::new(mebibytes).ok_or_else(refused)
}

fn single(
    common: &Common<'_>,
    args: &PerftArgs,
    perft: Perft<'_>,
    depth: u32,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let session = common.session(args.fen.as_deref())?;
    let start = Instant::now();
    // At depth 0 there is nothing to divide.
    let divided = if args.divide && depth > 0 { session.divide(&perft, depth) } else { Vec::new() };
    let nodes = match divided[..] {
        [] => session.perft(&perft, depth),
        _ => divided.iter().map(|(_, nodes)| nodes).sum(),
    };
    let seconds = start.elapsed().as_secs_f64();
    log::info!("{nodes} nodes in {seconds:.3} s");
    if common.json {
        let mut report = json!({
            "variant": session.game().set.id,
            "fen": session.fen(),
            "depth": depth,
            "nodes": nodes,
            "seconds": seconds,
        });
        if args.divide {
            let moves: Map<_, _> = divided.into_iter().map(|(mv, nodes)| (mv, Value::from(nodes))).collect();
            report["divide"] = Value::Object(moves);
        }
        return Ok(writeln!(out, "{report}")?);
    }
    for (mv, nodes) in divided {
        writeln!(out, "{mv} {nodes}")?;
    }
    Ok(writeln!(out, "{nodes}")?)
}
