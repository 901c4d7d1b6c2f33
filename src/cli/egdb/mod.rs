//! `soffio egdb`.

mod probe;

use super::matches::interrupt;
use super::progress::{Progress, clock};
use super::usage::number;
use super::{Common, Either, Failure};
use crate::egdb::{Checked, Course, Job, MOST_PIECES, Metric, Stat, Workshop};
use crate::engine::{self, MAX_THREADS};
use crate::notation::fen;
use crate::rules::Game;
use clap::{Args, Subcommand};
use serde_json::json;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Pieces of the tables that are built or looked at if nothing is said.
const PIECES: usize = 4;
/// Memory that may be used if nothing is said, and the most that can be said, in MiB.
const MEMORY: u64 = 6144;
const MOST_MEMORY: u64 = 1 << 24;
/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug, Subcommand)]
pub(super) enum Egdb {
    /// Build the tables of all material up to a number of pieces
    #[command(after_help = "Example: soffio egdb build -v italian --pieces 5 --dir tables\n\
        The files of a game are in a directory of its own below --dir. After any end the same command goes on, also with\n\
        more --pieces.")]
    Build(Either<BuildArgs>),
    /// Derive the values again from those of their successors
    #[command(
        after_help = "Example: soffio egdb verify -v italian --pieces 5 --dir tables --sample 1000000\n\
        The exit code is 1 if a value is wrong."
    )]
    Verify(Either<VerifyArgs>),
    /// Wins, draws and losses of each material and side to move
    #[command(after_help = "Example: soffio egdb stats -v italian --pieces 3 --dir tables --json\n\
        Counts are for the side to move, over all placements; those with a capture are resolved and included. The longest\n\
        win is known where the dtw metric was built.")]
    Stats(Either<TableArgs>),
    /// Put the tables into one file, as the program carries it (data/egdb)
    #[command(
        after_help = "Example: soffio egdb bundle -v italian --pieces 4 --dir tables --out italian.egdb"
    )]
    Bundle(BundleArgs),
    /// The value of a position for the side to move, and how far the end is where that is known
    #[command(after_help = "Examples: soffio egdb probe -v english --dir tables W:WK1:BK13\n          \
        soffio egdb probe -v english --dir tables --json - < fens.txt\n\
        win, draw, loss, or unknown; then plies to the next conversion (mtc) and to the end (dtw). A line of a stream is\n\
        answered at once; a bad one with `error: ...` (JSON: error and line). With --expect lines of a file are compared: FEN,\n\
        a tab, and the value or the plies to conversion; the exit code is 1 if one is otherwise.")]
    Probe(Either<ProbeArgs>),
}

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The directory of tables
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Most pieces
    #[arg(long, value_name = "N", default_value_t = PIECES, value_parser = number(2..=MOST_PIECES))]
    pieces: usize,
}

#[derive(Debug, Args)]
pub(super) struct WorkArgs {
    #[command(flatten)]
    tables: TableArgs,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// Memory that values may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = MEMORY, value_parser = number(1..=MOST_MEMORY))]
    memory: u64,
}

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    work: WorkArgs,
    /// What to build: wld (win, draw, loss), and mtc (plies to the next conversion) or dtw (plies to the end) besides
    #[arg(long, value_name = "METRIC", default_value = "wld", value_parser = metric)]
    metric: Metric,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    work: WorkArgs,
    /// Of slices with more positions than this so many are looked at; 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=u64::MAX))]
    sample: u64,
    /// Seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    seed: u64,
}

#[derive(Debug, Args)]
pub(super) struct ProbeArgs {
    /// The position; `-` reads one a line from standard input and answers each with a line; with --expect a file
    #[arg(value_name = "FEN | - | FILE")]
    fen: String,
    /// The directory of tables
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Most pieces
    #[arg(long, value_name = "N", default_value_t = MOST_PIECES, value_parser = number(2..=MOST_PIECES))]
    pieces: usize,
    /// Compare with what the lines of a file say
    #[arg(long)]
    expect: bool,
}

#[derive(Debug, Args)]
pub(super) struct BundleArgs {
    #[command(flatten)]
    tables: TableArgs,
    /// The file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Reads the name of a metric.
fn metric(text: &str) -> Result<Metric, String> {
    let found = Metric::ALL.into_iter().find(|metric| metric.name() == text);
    found.ok_or_else(|| "expected wld, mtc or dtw".to_owned())
}

fn failed(error: impl fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

pub(super) fn run<'a>(
    common: &impl Fn(bool) -> Common<'a>,
    what: &Egdb,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match what {
        Egdb::Build(of) => build(&common(of.json), &of.args, out),
        Egdb::Verify(of) => check(&common(of.json), &of.args, out),
        Egdb::Stats(of) => stats(&common(of.json), &of.args, out),
        Egdb::Bundle(args) => bundle(&common(false), args),
        Egdb::Probe(of) => probe::run(&common(of.json), &of.args, out),
    }
}

/// Who works on the tables of the game.
fn workshop(common: &Common<'_>) -> Result<Box<dyn Workshop>, Failure> {
    engine::open(common.game()?).workshop().map_err(failed)
}

impl TableArgs {
    fn job(&self, memory: u64) -> Job {
        Job { directory: self.dir.clone(), pieces: self.pieces, memory: memory << 20 }
    }
}

impl WorkArgs {
    fn job(&self) -> Job {
        self.tables.job(self.memory)
    }

    /// Does work in so many threads while the progress is shown, and says what it came to.
    fn watch<T: Send>(
        &self,
        all: u64,
        work: impl FnOnce(Course<'_>) -> T + Send,
    ) -> Result<(T, Pace), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = pool.build().map_err(failed)?;
        let (abort, done) = (interrupt()?, AtomicU64::new(0));
        let ended = AtomicBool::new(false);
        let mut progress = Progress::new(usize::try_from(all).ok());
        let begun = Instant::now();
        let pace = || Pace { all, done: done.load(Relaxed), elapsed: begun.elapsed() };
        let result = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let course = Course { abort: &abort, done: &done };
                let result = pool.install(|| work(course));
                ended.store(true, Relaxed);
                result
            });
            while !ended.load(Relaxed) && !worker.is_finished() {
                std::thread::sleep(TICK);
                let pace = pace();
                progress.show(usize::try_from(pace.done).unwrap_or(usize::MAX), || pace.to_string());
            }
            worker.join()
        });
        let pace = pace();
        progress.end(&pace.to_string());
        result
            .map(|result| (result, pace))
            .map_err(|_| failed("the work was given up: a bug of this program"))
    }
}

/// How far it has come, and how fast.
struct Pace {
    all: u64,
    done: u64,
    elapsed: Duration,
}

impl Pace {
    /// Positions a second.
    fn speed(&self) -> f64 {
        self.done as f64 / self.elapsed.as_secs_f64().max(1e-3)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, done, elapsed } = self;
        let speed = self.speed();
        write!(f, "{done} of {all} positions in {}: {:.0} a second", clock(*elapsed), speed)?;
        let left = Duration::try_from_secs_f64((all.saturating_sub(*done) as f64 / speed).round());
        match left {
            Ok(left) if done < all => write!(f, ", {} left", clock(left)),
            _ => Ok(()),
        }
    }
}

fn build(common: &Common<'_>, args: &BuildArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (shop, job) = (workshop(common)?, args.work.job());
    let passes = if args.metric == Metric::Wld { 1 } else { 2 };
    let all = passes * shop.positions(job.pieces);
    let (built, pace) = args.work.watch(all, |course| shop.build(&job, args.metric, course))?;
    built.map_err(failed)?;
    let stats = shop.stats(&job).map_err(failed)?;
    // Each file is there once, for White to move.
    let files = stats.iter().filter(|stat| stat.turn == crate::board::Side::White);
    let (mut bytes, mut positions, mut slices) = (0, 0, 0);
    for stat in files {
        (bytes, positions, slices) = (bytes + stat.bytes, positions + stat.counts.total(), slices + 1);
    }
    let density = positions as f64 / bytes.max(1) as f64;
    if common.json {
        let seconds = pace.elapsed.as_secs_f64();
        let report = json!({"slices": slices, "positions": positions, "bytes": bytes, "seconds": seconds});
        return Ok(writeln!(out, "{report}")?);
    }
    Ok(writeln!(out, "{slices} slices, {positions} positions, {bytes} bytes: {density:.1} positions a byte")?)
}

fn check(common: &Common<'_>, args: &VerifyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (game, shop, job) = (common.game()?, workshop(common)?, args.work.job());
    let most = if args.sample == 0 { u64::MAX } else { args.sample };
    let mut list = Vec::new();
    let (done, _) = args.work.watch(shop.positions(job.pieces), |course| {
        shop.verify(&job, most, args.seed, course, &mut |checked| list.push(checked))
    })?;
    for checked in &list {
        out.write_all(checked_line(&game, checked, common.json).as_bytes())?;
    }
    done.map_err(failed)?;
    if list.iter().any(|checked| checked.wrong > 0) { Err(Failure::Negative) } else { Ok(()) }
}

fn checked_line(game: &Game, checked: &Checked, json: bool) -> String {
    let Checked { material, positions: (looked, all), wrong, example } = checked;
    let mut line = if json {
        let fen = example.as_ref().map(|(setup, ..)| fen::write(game, setup));
        json!({"slice": material.to_string(), "positions": all, "checked": looked, "wrong": wrong, "fen": fen})
            .to_string()
    } else {
        let example = example
            .as_ref()
            .map(|(setup, is, right)| (fen::write(game, setup), right.name(), is.name()))
            .map(|(fen, right, is)| format!(", as {fen}: {right} and not {is}"));
        format!("{material} {looked} of {all} positions, {wrong} wrong{}", example.unwrap_or_default())
    };
    line.push('\n');
    line
}

fn stats(common: &Common<'_>, args: &TableArgs, out: &mut impl Write) -> Result<(), Failure> {
    let game = common.game()?;
    let stats = workshop(common)?.stats(&args.job(0)).map_err(failed)?;
    if stats.is_empty() {
        let (dir, pieces) = (args.dir.display(), args.pieces);
        return Err(failed(format!("{dir}: no tables of this game with up to {pieces} pieces")));
    }
    let text = if common.json { json_of(&game, &stats) } else { table_of(&game, &stats) };
    Ok(out.write_all(text.as_bytes())?)
}

fn bundle(common: &Common<'_>, args: &BundleArgs) -> Result<(), Failure> {
    let bytes = workshop(common)?.bundle(&args.tables.job(0)).map_err(failed)?;
    std::fs::write(&args.out, bytes).map_err(|error| failed(format!("{}: {error}", args.out.display())))
}

fn json_of(game: &Game, stats: &[Stat]) -> String {
    let object = |stat: &Stat| {
        let [white_men, white_kings, black_men, black_kings] = stat.pieces;
        let (longest, fen) =
            stat.longest.as_ref().map(|(plies, setup)| (plies, fen::write(game, setup))).unzip();
        json!({
            "white_men": white_men, "white_kings": white_kings, "black_men": black_men, "black_kings": black_kings,
            "turn": stat.turn.letter().to_string(), "wins": stat.counts.wins, "draws": stat.counts.draws,
            "losses": stat.counts.losses, "longest": longest, "fen": fen, "bytes": stat.bytes,
        })
    };
    format!("{}\n", serde_json::Value::from(stats.iter().map(object).collect::<Vec<_>>()))
}

fn table_of(game: &Game, stats: &[Stat]) -> String {
    let mut text = "wm wk bm bk turn         wins        draws       losses      bytes  longest\n".to_owned();
    for stat in stats {
        let [wm, wk, bm, bk] = stat.pieces;
        let counts = &stat.counts;
        let _ = write!(text, "{wm:2} {wk:2} {bm:2} {bk:2} {:>4}", stat.turn.letter());
        let _ =
            write!(text, " {:12} {:12} {:12} {:10}", counts.wins, counts.draws, counts.losses, stat.bytes);
        match &stat.longest {
            Some((plies, setup)) => _ = writeln!(text, "  {plies:7} {}", fen::write(game, setup)),
            None => text.push_str("        -\n"),
        }
    }
    text
}
