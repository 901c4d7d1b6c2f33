//! `soffio bench`: the signature. A change that is not meant to change the search leaves it as it is.

use super::usage::number;
use super::{Common, Failure};
use crate::board::Cells;
use crate::engine::{self, Notation, Session};
use crate::rng::Rng;
use crate::rules::Game;
use crate::search::{Control, Limits};
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// Plies of the openings before the positions searched: the start, and one each of these lengths.
const OPENINGS: [usize; 3] = [0, 10, 24];
/// Seed of the openings.
const SEED: u64 = 1;
/// Entries of the hash table, as a binary logarithm: small, so that making it takes no time.
const HASH: u32 = 18;

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
        let depth = depth(&game) + args.deeper;
        let nodes = search(game, depth);
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

/// Depth of the searches of a game, in plies: less where there are more moves, so that each takes a fraction of a second.
fn depth(game: &Game) -> u32 {
    let layout = game.set.kernel.layout();
    match layout.cells {
        Cells::All if game.moves.lines => 6,
        Cells::All if game.moves.konane => 10,
        Cells::All => 8,
        Cells::Dark if layout.squares > 50 => 10,
        Cells::Dark if layout.squares > 32 => 11,
        _ => 12,
    }
}

/// The nodes of the searches of a game.
fn search(game: Game, depth: u32) -> u64 {
    let mut session = engine::open(game);
    session.set_hash(HASH);
    let mut rng = Rng::new(SEED);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    OPENINGS
        .iter()
        .map(|&plies| {
            open(session.as_mut(), plies, &mut rng);
            session.new_game();
            session.search(&limits, Notation::HUB, &Control::new(), &mut |_| {}).info.nodes
        })
        .sum()
}

/// Plays random moves from the start, fewer if the game ends.
fn open(session: &mut dyn Session, plies: usize, rng: &mut Rng) {
    session.set_start();
    for _ in 0..plies {
        let moves = session.legal_moves(Notation::HUB);
        if moves.is_empty() {
            return;
        }
        let mv = &moves[rng.below(moves.len())];
        if session.play(mv, Notation::HUB).is_err() || session.verdict().is_some() {
            session.undo();
            return;
        }
    }
}
