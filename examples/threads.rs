//! What a second thread is worth: nodes a second and time to a depth with one thread and with two, and what two searches
//! of one thread each do side by side, which no engine can beat.
//!
//! `cargo run --release --example threads -- --variants italian,english,international,turkish --seconds 0.5`
//!
//! A run searches the positions after some openings, each on an empty table; the depth of a position is the deepest that
//! one thread finishes in the time given. Runs alternate, and the medians of the ratios are printed: only a machine that
//! does nothing else gives figures worth quoting.

use clap::Parser;
use soffio::arena::openings::{Book, OpeningOptions};
use soffio::engine::{self, Notation, Session};
use soffio::rules::{self, Game};
use soffio::search::{Control, Limits};
use std::error::Error;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Args {
    #[arg(long, value_delimiter = ',', default_value = "italian,english,international,turkish")]
    variants: Vec<String>,
    /// Positions of a run
    #[arg(long, default_value_t = 10)]
    positions: usize,
    /// Time of one thread for a position, in seconds
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Runs
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Threads to compare with one
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Binary logarithm of the entries of the hash table
    #[arg(long, default_value_t = 22)]
    hash: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    println!(
        "variant | nodes/s of 1 | of {} | ratio | side by side | time to depth, ratio | nodes to depth, ratio",
        args.threads
    );
    for id in &args.variants {
        let game = Game::new(rules::find(id)?);
        let book = Book::load(&game, &OpeningOptions::default(), 1)?;
        let open = |index: usize| -> Result<Box<dyn Session>, Box<dyn Error>> {
            let mut session = engine::open(game.clone());
            session.set_hash(args.hash);
            book.ballot(index).set_up(session.as_mut())?;
            Ok(session)
        };
        let mut sessions = (0..args.positions).map(open).collect::<Result<Vec<_>, _>>()?;
        let limits = Limits { move_time: Some(Duration::from_secs_f64(args.seconds)), ..Limits::default() };
        let depths: Vec<u32> = sessions
            .iter_mut()
            .map(|session| search(session, &limits, 1).depth.saturating_sub(1).max(1))
            .collect();
        let mut rows = Vec::new();
        for _ in 0..args.runs {
            let [one, many] = [1, args.threads].map(|threads| run(&mut sessions, &depths, threads));
            let beside = std::thread::scope(|scope| {
                let copies: Vec<_> = (0..args.threads)
                    .map(|_| {
                        let (open, depths) = (&open, &depths);
                        scope.spawn(move || {
                            let mut sessions: Vec<_> =
                                (0..depths.len()).filter_map(|i| open(i).ok()).collect();
                            run(&mut sessions, depths, 1).0
                        })
                    })
                    .collect();
                copies.into_iter().filter_map(|copy| copy.join().ok()).sum::<f64>()
            });
            rows.push([
                one.0,
                many.0,
                many.0 / one.0,
                beside / one.0,
                one.1 / many.1,
                many.0 * many.1 / (one.0 * one.1),
            ]);
        }
        let [one, many, ratio, beside, time, nodes] = [0, 1, 2, 3, 4, 5].map(|column| median(&rows, column));
        println!(
            "{id} | {:.2} M | {:.2} M | {ratio:.2} | {beside:.2} | {time:.2} | {nodes:.2}",
            one / 1e6,
            many / 1e6
        );
    }
    Ok(())
}

fn search(session: &mut Box<dyn Session>, limits: &Limits, threads: usize) -> engine::Info {
    session.set_threads(threads);
    session.new_game();
    session.search(limits, Notation::HUB, &Control::new(), &mut |_| {}).info
}

/// Nodes a second, and seconds in all, of searches to these depths.
fn run(sessions: &mut [Box<dyn Session>], depths: &[u32], threads: usize) -> (f64, f64) {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (session, &depth) in sessions.iter_mut().zip(depths) {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let start = Instant::now();
        nodes += search(session, &limits, threads).nodes;
        seconds += start.elapsed().as_secs_f64();
    }
    (nodes as f64 / seconds, seconds)
}

fn median(rows: &[[f64; 6]], column: usize) -> f64 {
    let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
