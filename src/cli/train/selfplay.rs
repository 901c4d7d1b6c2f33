//! `soffio train selfplay`.

use super::super::matches::interrupt;
use super::super::progress::{Progress, clock};
use super::super::usage::number;
use super::super::{Common, Failure};
use crate::board::Side;
use crate::engine::{self, MAX_THREADS};
use crate::protocol::settings::load_weights;
use crate::train::selfplay::{self, Stop, Terms};
use crate::train::{FileError, Played, Writer};
use clap::Args;
use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Most games of a file, most nodes of a search, and most plies of an opening.
const MOST_GAMES: u64 = 1_000_000_000;
const MOST_NODES: u64 = 1_000_000_000;
const MOST_PLIES: u32 = 100;

#[derive(Debug, Args)]
pub(in crate::cli) struct SelfplayArgs {
    /// Games in the file in the end
    #[arg(long, value_name = "N", value_parser = number(1..=MOST_GAMES))]
    games: u64,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number(1..=MOST_NODES))]
    nodes: u64,
    /// Seed of openings and of moves by lot; another seed gives other games
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// The file of the games: a new one, or one to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games side by side, each in one thread [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// Random plies at the start of a game: a number or a range, from which it is drawn [default: 4-12, on small boards
    /// 2-8, on large ones 4-14]
    #[arg(long, value_name = "PLIES", value_parser = plies)]
    plies: Option<RangeInclusive<u32>>,
    /// Weights of the evaluation: a file, or none for the hand-made one [default: the embedded ones]
    #[arg(long, value_name = "FILE|none", default_value = "", hide_default_value = true)]
    weights: String,
}

/// Reads `6` or `4-12`.
fn plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let read = number(0..=MOST_PLIES);
    match (read(least), read(most)) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err(format!("expected a whole number from 0 to {MOST_PLIES}, or two of them as 4-12")),
    }
}

pub(super) fn run(common: &Common<'_>, args: &SelfplayArgs, out: &mut impl Write) -> Result<(), Failure> {
    let game = common.game()?;
    let plies = args.plies.clone().unwrap_or_else(|| selfplay::default_plies(&game));
    let mut session = engine::open(game.clone());
    load_weights(session.as_mut(), &args.weights).map_err(failed)?;
    let weights = session.weights();
    let terms = Terms { game, nodes: args.nodes, seed: args.seed, plies, weights };
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(processors);
    let abort = interrupt()?;
    let (mut tally, mut first) = (Tally::default(), None);
    let mut writer = Writer::open(&args.out, &terms.header(), &mut |game| {
        tally.add(&game);
        first.get_or_insert(game);
    })
    .map_err(failed)?;
    if let Some(first) = &first {
        check_first(&terms, first, &abort, args)?;
    }
    let steps = usize::try_from(args.games).ok();
    let mut progress = Progress::new(steps);
    let pace = Pace { all: args.games, begun: Instant::now(), had: tally };
    let ended = selfplay::run(&terms, tally.games..args.games, threads, &abort, &mut |game| {
        writer.add(&game)?;
        tally.add(&game);
        let done = usize::try_from(tally.games).unwrap_or(usize::MAX);
        progress.show(done, || pace.words(&tally));
        Ok::<_, FileError>(())
    });
    progress.end(&pace.words(&tally));
    let file = args.out.display();
    match ended {
        Ok(()) => Ok(writeln!(out, "{file}: {tally}")?),
        Err(Stop::Aborted) => {
            let done = tally.games;
            Err(Failure::Failed(format!(
                "interrupted after {done} games: the same command goes on with {file}"
            )))
        }
        Err(error) => Err(failed(error)),
    }
}

fn failed(error: impl fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// Plays the first game of the file again: another program, or another evaluation, plays another one, and its games are
/// not mixed with these.
fn check_first(
    terms: &Terms,
    first: &Played,
    abort: &AtomicBool,
    args: &SelfplayArgs,
) -> Result<(), Failure> {
    let mut same = false;
    let again = selfplay::run(terms, 0..1, 1, abort, &mut |game| {
        same = game == *first;
        Ok::<_, FileError>(())
    });
    again.map_err(failed)?;
    let file = args.out.display();
    let other = || Failure::Failed(format!("{file}: its games are of another version of this program"));
    if same { Ok(()) } else { Err(other()) }
}

/// Counts of games.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// Games won by White, drawn, won by Black.
    results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &Played) {
        self.games += 1;
        self.positions += game.positions.len() as u64;
        let result = match game.winner {
            Some(Side::White) => 0,
            None => 1,
            Some(Side::Black) => 2,
        };
        self.results[result] += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, results: [won, drawn, lost] } = self;
        write!(f, "{games} games, {positions} positions, White won {won}, drew {drawn}, lost {lost}")
    }
}

/// How far it has come, and how fast.
struct Pace {
    /// Games wanted.
    all: u64,
    begun: Instant,
    /// What was there before.
    had: Tally,
}

impl Pace {
    fn words(&self, tally: &Tally) -> String {
        let elapsed = self.begun.elapsed().as_secs_f64().max(1e-3);
        let games = (tally.games - self.had.games) as f64 / elapsed;
        let positions = (tally.positions - self.had.positions) as f64 / elapsed;
        let left = self.all.saturating_sub(tally.games);
        let time = Duration::try_from_secs_f64((left as f64 / games).round()).unwrap_or_default();
        let left = if left > 0 && games > 0.0 { format!(", {} left", clock(time)) } else { String::new() };
        let all = self.all;
        format!("{tally} (of {all} games): {games:.1} games/s, {positions:.0} positions/s{left}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_a_number_or_a_range() {
        assert_eq!(plies("6"), Ok(6..=6));
        assert_eq!(plies("4-12"), Ok(4..=12));
        for bad in ["", "-", "4-", "12-4", "101", "4-5-6", "x"] {
            assert!(plies(bad).is_err(), "{bad}");
        }
    }
}
