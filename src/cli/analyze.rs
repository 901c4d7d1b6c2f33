//! `soffio analyze`: positions and games, searched one by one; and `soffio merge`.

use super::input::named;
use super::progress::Progress;
use super::usage::number;
use super::{Common, Failure};
use crate::analysis::{
    Choice, Clock, Entry, Event, Format, Journal, JournalError, Kind, MergeError, Part, RecallError, Records,
    Report, Settings, Source, analyse, merge, recall,
};
use crate::engine::{HASH_RANGE, MAX_THREADS};
use crate::search::Control;
use clap::{Args, ValueEnum};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Nodes of a search where nothing is said.
const NODES: u64 = 100_000;
/// Bytes read at once.
const BUFFER: usize = 1 << 16;
/// Most best lines, depth and seconds.
const MOST_LINES: u32 = 200;
const DEEPEST: u32 = 500;
const LONGEST: f64 = 1e8;

#[derive(Debug, Args)]
pub(super) struct AnalyzeArgs {
    /// FENs, one a line (blank lines and # comments are skipped), or PDN; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
    /// What the file holds [default: as its first line looks]
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<From>,
    /// What is written; --json is --format json
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<To>,
    /// Nodes of each search; without any limit 100000
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "N", value_parser = number(1..=DEEPEST))]
    depth: Option<u32>,
    /// Time of each search, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Time for everything, in seconds, shared out evenly; the input must be a file
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "time")]
    total_time: Option<Duration>,
    /// Best lines of each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=MOST_LINES))]
    multipv: u32,
    /// Positions that are searched at a time, each in one thread [default: one a processor]
    #[arg(long, value_name = "N", value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// The hash table of each thread has 2^n entries of 16 bytes [default: as fits the nodes, 20 at most]
    #[arg(long, value_name = "n", value_parser = number(HASH_RANGE))]
    tt_size: Option<u32>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the file of --out, if it is there: the same command takes up an analysis that was cut off
    #[arg(long, requires = "out")]
    resume: bool,
    /// Do a share of the work: of every N positions or games the Ith
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Part>,
    /// Write no times, so that the same analysis gives the same file
    #[arg(long)]
    no_times: bool,
    /// Search nothing: take the records of this file, which an analysis of the same input has written as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nodes", "depth", "time", "total_time", "multipv", "threads",
        "tt_size", "resume", "no_times"])]
    records: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Files of `soffio analyze --json --shard I/N`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// Positions
    Fen,
    /// Games
    Pdn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// A line a position or move, for people
    Text,
    /// An object a line
    Json,
    /// The games with marks, scores and best lines
    Pdn,
    /// A page for browsers, complete in itself
    Html,
}

/// A number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = text.parse::<f64>().ok().filter(|value| plain && *value > 0.0 && *value <= LONGEST);
    value.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// A share, `I/N`.
fn shard(text: &str) -> Result<Part, String> {
    let read = |text: &str| number(1..=1_000_000usize)(text).ok();
    let part =
        text.split_once('/').and_then(|(number, of)| Some(Part { number: read(number)?, of: read(of)? }));
    part.filter(|part| part.number <= part.of)
        .ok_or_else(|| "expected I/N with I from 1 to N, as 2/8".to_owned())
}

pub(super) fn run(common: &Common<'_>, args: &AnalyzeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let job = Job::new(common, args)?;
    let (input, read) = job.open()?;
    let mut desk = Desk::new(&job, read);
    match &args.records {
        Some(path) => {
            let file = File::open(path).map_err(|error| at(path, &error))?;
            let records = Records::new(BufReader::new(file));
            let mut sink = job.sink(out)?;
            let told = recall(input, records, &mut |event| desk.hear(&event, &mut sink));
            told.map_err(|error| match error {
                RecallError::Io(error) => job.output(error),
                error @ RecallError::Line(..) => Failure::Failed(format!("{}: {error}", path.display())),
            })?;
            desk.end(&mut sink).map_err(|error| job.output(error))?;
        }
        None => search(&job, input, &mut desk, out)?,
    }
    desk.verdict()
}

/// Searches everything and writes it.
fn search(job: &Job<'_>, input: Source, desk: &mut Desk, out: &mut impl Write) -> Result<(), Failure> {
    let args = job.args;
    let control = interrupt()?;
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let settings = job.settings();
    let mut sink = job.sink(out)?;
    let after = sink.last();
    let clock = match args.total_time {
        Some(time) => Some(Clock::start(time, job.count(after)?, threads)),
        None => None,
    };
    let mut tell = |event: Event<'_>| desk.hear(&event, &mut sink);
    let whole = analyse(input, &settings, clock.as_ref(), threads, after, &control, &mut tell);
    let whole = whole.map_err(|error| job.output(error))?;
    if !whole {
        sink.flush().map_err(|error| job.output(error))?;
        desk.progress.clear();
        let advice = match (&args.out, job.format) {
            (Some(path), To::Json) => {
                format!("with --resume the same command goes on with {}", path.display())
            }
            _ => "with --json --out FILE it could go on".to_owned(),
        };
        return Err(Failure::Failed(format!("interrupted: {advice}")));
    }
    desk.end(&mut sink).map_err(|error| job.output(error))?;
    sink.finish().map_err(|error| job.output(error))
}

pub(super) fn run_merge(args: &MergeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let failed = |error: MergeError| match error {
        MergeError::Output(error) => {
            args.out.as_ref().map_or(Failure::Output(io::Error::from(error.kind())), |path| at(path, &error))
        }
        error => Failure::Failed(error.to_string()),
    };
    let Some(path) = &args.out else {
        return merge(&args.files, out).map(|_| ()).map_err(failed);
    };
    if args.files.contains(path) {
        return Err(Failure::Usage(format!("{} is one of the files to join", path.display())));
    }
    let mut file = BufWriter::new(File::create(path).map_err(|error| at(path, &error))?);
    merge(&args.files, &mut file).map_err(failed)?;
    file.flush().map_err(|error| at(path, &error))
}

/// Ctrl-C ends the searches; a second one ends the program.
fn interrupt() -> Result<Arc<Control>, Failure> {
    let control = Arc::new(Control::new());
    let (switch, pressed) = (Arc::clone(&control), AtomicBool::new(false));
    let handler = move || {
        switch.stop();
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Failed(format!("no handler of ctrl-C: {error}")))?;
    Ok(control)
}

fn at(path: &std::path::Path, error: &io::Error) -> Failure {
    named(&path.display().to_string(), error)
}

/// What is asked for.
struct Job<'a> {
    args: &'a AnalyzeArgs,
    choice: Choice,
    format: To,
    /// The input, for messages.
    name: String,
}

impl<'a> Job<'a> {
    fn new(common: &Common<'_>, args: &'a AnalyzeArgs) -> Result<Self, Failure> {
        let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
        let format = match (args.format, common.json) {
            (Some(To::Json) | None, true) => To::Json,
            (Some(_), true) => return usage("--json and --format ask for different things"),
            (format, false) => format.unwrap_or(To::Text),
        };
        if args.resume && format != To::Json {
            return usage("--resume goes on with JSON alone: add --json");
        }
        if args.total_time.is_some() && args.file == "-" {
            return usage("--total-time needs a file: standard input cannot be counted before it is read");
        }
        let game = common.game()?;
        let fixed = common.variant.is_some() || !common.rules.is_empty();
        let choice = if fixed { Choice::Fixed(game) } else { Choice::Tagged(game) };
        let name = if args.file == "-" { "standard input".to_owned() } else { args.file.clone() };
        Ok(Self { args, choice, format, name })
    }

    fn settings(&self) -> Settings {
        let args = self.args;
        let unlimited = args.depth.is_none() && args.time.is_none() && args.total_time.is_none();
        Settings {
            depth: args.depth,
            nodes: args.nodes.or(unlimited.then_some(NODES)),
            time: args.time,
            multipv: args.multipv,
            hash: args.tt_size,
            timeless: args.no_times,
        }
    }

    /// What the analysis is of and how it is done, in one line: whoever goes on with it must ask for the same.
    fn terms(&self) -> String {
        let Self { args, choice, name, .. } = self;
        let (Choice::Fixed(game) | Choice::Tagged(game)) = choice;
        let Settings { depth, nodes, time, multipv, timeless, .. } = self.settings();
        let hash = self.settings().hash();
        let part = args.shard.unwrap_or(Part::ALL);
        let rules: Vec<_> = game.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let bytes = fs::metadata(&args.file).ok().filter(fs::Metadata::is_file).map(|data| data.len());
        let limits = serde_json::json!({
            "input": name, "bytes": bytes, "variant": game.set.id, "rules": rules, "shard": format!("{}/{}", part.number, part.of), "nodes": nodes,
            "depth": depth, "time": time.map(|time| time.as_secs_f64()), "multipv": multipv, "tt-size": hash,
            "times": !timeless,
        });
        limits.to_string()
    }

    /// The input, and how much of it has been read.
    fn open(&self) -> Result<(Source, Extent), Failure> {
        let Self { args, name, choice, .. } = self;
        let read = Arc::new(AtomicU64::new(0));
        let (input, size): (Box<dyn Read + Send>, _) = if args.file == "-" {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(&args.file).map_err(|error| named(&args.file, &error))?;
            let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|data| data.len());
            (Box::new(file), size)
        };
        let input = Counted { input, read: Arc::clone(&read) };
        let input: Box<dyn BufRead + Send> = Box::new(BufReader::with_capacity(BUFFER, input));
        let kind = args.from.map(|from| match from {
            From::Fen => Kind::Fen,
            From::Pdn => Kind::Pdn,
        });
        let part = args.shard.unwrap_or(Part::ALL);
        let source =
            Source::new(name, input, kind, choice.clone(), part).map_err(|error| named(name, &error))?;
        Ok((source, Extent { read, size }))
    }

    /// How many searches there will be behind a record.
    fn count(&self, after: Option<(usize, usize)>) -> Result<usize, Failure> {
        let units = self.open()?.0.filter_map(|entry| match entry {
            Entry::Unit(unit) => Some(unit),
            Entry::Fault(_) => None,
        });
        let left = |unit: crate::analysis::Unit| match after {
            Some((game, _)) if unit.number < game => 0,
            Some((game, ply)) if unit.number == game => unit.records().saturating_sub(ply + 1),
            _ => unit.records(),
        };
        Ok(units.map(left).sum())
    }

    fn sink<'b>(&self, out: &'b mut impl Write) -> Result<Sink<'b>, Failure> {
        let Some(path) = &self.args.out else { return Ok(Sink::Stream(Box::new(out))) };
        if self.format == To::Json && self.args.records.is_none() {
            let journal = Journal::open(path, &self.terms(), self.args.resume);
            return journal.map(Sink::Journal).map_err(|error| match error {
                error @ JournalError::Exists(_) => Failure::Usage(error.to_string()),
                error => Failure::Failed(error.to_string()),
            });
        }
        let file = File::create(path).map_err(|error| at(path, &error))?;
        Ok(Sink::Stream(Box::new(BufWriter::new(file))))
    }

    /// A failure to write.
    fn output(&self, error: io::Error) -> Failure {
        match &self.args.out {
            Some(path) => at(path, &error),
            None => Failure::Output(error),
        }
    }
}

/// How much of an input has been read, and how much there is, in bytes.
struct Extent {
    read: Arc<AtomicU64>,
    size: Option<u64>,
}

/// An input that counts what is read of it.
struct Counted {
    input: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Where results go.
enum Sink<'a> {
    Stream(Box<dyn Write + 'a>),
    Journal(Journal),
}

impl Sink<'_> {
    fn last(&self) -> Option<(usize, usize)> {
        match self {
            Self::Stream(_) => None,
            Self::Journal(journal) => journal.last(),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Stream(mut out) => out.flush(),
            Self::Journal(journal) => journal.finish(),
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(out) => out.write(bytes),
            Self::Journal(journal) => journal.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(out) => out.flush(),
            Self::Journal(journal) => journal.flush(),
        }
    }
}

/// Who hears what is found: writes it, shows how far it has come, and says what is wrong with the input.
struct Desk {
    report: Option<Report>,
    progress: Progress,
    input: Extent,
    records: usize,
    units: usize,
    faults: usize,
}

impl Desk {
    fn new(job: &Job<'_>, input: Extent) -> Self {
        let format = match job.format {
            To::Text => Format::Text,
            To::Json => Format::Json,
            To::Pdn => Format::Pdn,
            To::Html => Format::Html,
        };
        let progress = Progress::new(input.size.map(|size| size as usize));
        Self {
            report: Some(Report::new(format, &job.name)),
            progress,
            input,
            records: 0,
            units: 0,
            faults: 0,
        }
    }

    fn hear(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Fault(why) => {
                self.faults += 1;
                self.progress.say(why);
            }
            Event::Record(..) => self.records += 1,
            Event::End(_) => self.units += 1,
            Event::Begin(_) => {}
        }
        let (units, records) = (self.units, self.records);
        let read = self.input.read.load(Ordering::Relaxed) as usize;
        self.progress.show(read, || format!("{units} done, {records} records"));
        self.report.as_mut().map_or(Ok(()), |report| report.hear(event, out))
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.progress.clear();
        self.report.take().map_or(Ok(()), |report| report.finish(out))
    }

    /// The exit code: a fault of the input is a failure, although the rest has been done.
    fn verdict(&self) -> Result<(), Failure> {
        if self.faults == 0 { Ok(()) } else { Err(Failure::Negative) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_seconds() {
        assert_eq!(shard("2/8"), Ok(Part { number: 2, of: 8 }));
        for bad in ["", "2", "0/1", "3/2", "a/b", "1/0", "-1/2"] {
            assert_eq!(shard(bad), Err("expected I/N with I from 1 to N, as 2/8".to_owned()), "{bad}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "0", "-1", "nan", "1e3", "999999999999"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
