//! Speed of move generation: perft from the start position of every rule set, one thread, no hash table, the last ply
//! counted without being made. Every count is asserted.
//!
//! `cargo bench` runs all; `cargo bench -- italian russian` the named ones; `cargo bench -- --runs 9` more often. Printed
//! are the median and the best of the runs, in million leaves a second, and nanoseconds a leaf.

use soffio::movegen::Perft;
use soffio::notation::fen;
use soffio::rules::{Game, RULE_SETS, Rules, Visitor};
use std::time::Instant;

/// Depth and leaves of each rule set; the counts are those of tests/data/perft.
const COUNTS: &[(&str, u32, u64)] = &[
    ("italian", 11, 81_647_058),
    ("italian-flying", 10, 17_743_874),
    ("italian-free", 10, 17_762_771),
    ("checkers", 11, 85_242_128),
    ("english", 11, 85_242_128),
    ("czech", 11, 84_967_210),
    ("corner", 14, 18_330_215),
    ("one-way", 13, 35_294_527),
    ("parachute", 14, 13_505_151),
    ("gothic", 5, 10_043_928),
    ("turkish", 7, 10_782_308),
    ("alquerque", 16, 870_742_192),
    ("hawaiian", 9, 4_633_660),
    ("international", 9, 41_022_423),
    ("russian", 10, 22_444_032),
    ("canadian", 8, 31_839_056),
    ("sri-lankan", 8, 31_839_056),
    ("thai", 9, 114_530_830),
    ("brazilian", 10, 21_560_022),
    ("dameo", 5, 275_931_640),
    ("spanish", 11, 81_383_200),
    ("argentinian", 10, 17_734_382),
    ("killer", 9, 41_022_423),
    ("frisian", 9, 15_605_069),
    ("frysk", 8, 20_147_712),
    ("pool", 10, 22_435_955),
    ("spantsireti", 9, 37_612_172),
    ("armenian", 5, 6_280_482),
    ("croda", 5, 3_624_616),
];

struct Run<'a> {
    game: &'a Game,
    depth: u32,
}

impl Visitor for Run<'_> {
    type Output = (u64, f64);
    fn visit<R: Rules>(self) -> (u64, f64) {
        let position = fen::start::<R>(self.game);
        let start = Instant::now();
        let leaves = Perft::default().count::<R>(&position, self.depth);
        (leaves, start.elapsed().as_secs_f64())
    }
}

fn main() {
    let mut runs = 5;
    let mut names = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--runs" => runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(runs),
            "--bench" => {}
            name => names.push(name.to_owned()),
        }
    }
    println!(
        "{:<16} {:>5} {:>12} {:>14} {:>12} {:>8}",
        "rule set", "depth", "leaves", "Mleaves/s med", "best", "ns/leaf"
    );
    for set in RULE_SETS {
        let Some(&(_, depth, expected)) = COUNTS.iter().find(|(id, ..)| *id == set.id) else { continue };
        if !names.is_empty() && !names.iter().any(|name| name == set.id) {
            continue;
        }
        let game = Game::new(set);
        let mut seconds: Vec<f64> = (0..runs.max(1))
            .map(|_| {
                let (leaves, seconds) = game.kernel().visit(Run { game: &game, depth });
                assert_eq!(leaves, expected, "{} at depth {depth}", set.id);
                seconds
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let rate = |seconds: f64| expected as f64 / seconds / 1e6;
        let (median, best) = (seconds[seconds.len() / 2], seconds[0]);
        println!(
            "{:<16} {depth:>5} {expected:>12} {:>14.1} {:>12.1} {:>8.2}",
            set.id,
            rate(median),
            rate(best),
            1e9 * median / expected as f64
        );
    }
}
