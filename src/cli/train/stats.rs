//! `soffio train stats`.

use super::super::progress::Progress;
use super::super::{Common, Failure};
use crate::train::{FileError, Header, Reader, Stats};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct StatsArgs {
    /// Files of `soffio train selfplay`, all of one rule set
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// A file, its header, and its games.
type Part = (PathBuf, Header, u64);

pub(super) fn run(common: &Common<'_>, args: &StatsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (stats, parts) = read(&args.files).map_err(|error| Failure::Failed(error.to_string()))?;
    // A variant that is named is meant; that of the environment is for commands that need one.
    if common.variant.is_some() {
        let (wanted, found) = (common.game()?.set.id, &parts[0].1.variant);
        if wanted != found {
            let file = parts[0].0.display();
            return Err(Failure::Failed(format!("{file}: its variant is {found}, not {wanted}")));
        }
    }
    if common.json {
        let mut report = json!({
            "variant": parts[0].1.variant,
            "rules": parts[0].1.rules,
            "files": parts.iter().map(describe).collect::<Vec<_>>(),
        });
        if let (Value::Object(all), Value::Object(counts)) = (&mut report, stats.json()) {
            all.extend(counts);
        }
        return Ok(writeln!(out, "{report}")?);
    }
    for (path, Header { variant, rules, nodes, seed, plies: (least, most), .. }, games) in &parts {
        let game = [std::slice::from_ref(variant), &rules[..]].concat().join(" ");
        let path = path.display();
        writeln!(
            out,
            "{path}: {game}, {nodes} nodes, seed {seed}, openings of {least} to {most} plies, {games} games"
        )?;
    }
    Ok(write!(out, "{stats}")?)
}

fn describe((path, Header { nodes, seed, plies: (least, most), .. }, games): &Part) -> Value {
    json!({ "file": path.display().to_string(), "nodes": nodes, "seed": seed, "plies": [least, most], "games": games })
}

/// Counts what is in all files, of which there is one at least.
fn read(files: &[PathBuf]) -> Result<(Stats, Vec<Part>), FileError> {
    let (mut stats, mut parts): (_, Vec<Part>) = (Stats::new(), Vec::new());
    let mut progress = Progress::new(None);
    for path in files {
        let reader = Reader::open(path)?;
        let header = reader.header().clone();
        if let Some((_, first, _)) = parts.first() {
            reader.expect_game_of(first)?;
        }
        let before = stats.games();
        for game in reader {
            stats.add(&game?);
            let games = stats.games();
            progress.show(0, || format!("{games} games"));
        }
        parts.push((path.clone(), header, stats.games() - before));
    }
    progress.clear();
    Ok((stats, parts))
}
