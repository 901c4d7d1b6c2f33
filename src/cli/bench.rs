//! `soffio bench`: the signature.

use super::usage::number;
use super::{Common, Failure};
use crate::engine::bench;
use crate::search::Control;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Search so many plies deeper; the signature is that of 0
    #[arg(long, value_name = "PLIES", default_value_t = 0, allow_negative_numbers = true,
        value_parser = number(0..=40u32))]
    deeper: u32,
}

pub(super) fn run(common: &Common<'_>, args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let games = common.games()?;
    let start = Instant::now();
    let mut variants = Map::new();
    let mut total = 0;
    for game in games {
        let id = game.set.id;
        let nodes = bench::nodes(game, args.deeper, &Control::new());
        total += nodes;
        variants.insert(id.to_owned(), Value::from(nodes));
        if !common.json {
            writeln!(out, "{id} {nodes}")?;
            out.flush()?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let nps = (total as f64 / seconds) as u64;
    log::info!("{seconds:.2} s, {nps} nodes a second");
    if common.json {
        let report = json!({ "nodes": total, "seconds": seconds, "nps": nps, "variants": variants });
        return Ok(writeln!(out, "{report}")?);
    }
    Ok(writeln!(out, "{total}")?)
}
