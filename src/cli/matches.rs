//! `soffio match`: engines against engines.

use super::progress::{Progress, line as tell};
use super::usage::number;
use super::{Common, Failure, compliance};
use crate::arena::adjudicate::{DrawRule, ResignRule, Rules};
use crate::arena::contestant::{self, Contestant};
use crate::arena::openings::{Book, OpeningOptions};
use crate::arena::pdn;
use crate::arena::record::{Journal, Record};
use crate::arena::runner::{Match, News};
use crate::arena::schedule::{Form, GAMES_A_PAIR, Schedule};
use crate::arena::standings::Standings;
use crate::arena::stats::{Sprt, SprtSettings, Verdict};
use crate::arena::words::{self, Pair, WordError};
use crate::protocol::client::{Fault, Identity};
use crate::rules::Game;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rounds when nobody says how many, with and without a test to end the match.
const ROUNDS: (usize, usize) = (1_000_000, 1);
/// Most games side by side.
const MOST_WORKERS: usize = 1024;

#[derive(Debug, Args)]
pub(super) struct MatchArgs {
    /// An engine, by words: cmd= (without it this program), name=, proto=hub|uci|dxp, args= (without it the dialect), dir=,
    /// option.NAME=VALUE, addr=HOST:PORT (dxp: where it waits; without cmd= it runs already), connects=on, asks=on,
    /// tc=[MOVES/]SECONDS[+INC], st=SECONDS, nodes=, depth=, timemargin=MS, stall=SECONDS, restart=on, patience=SECONDS;
    /// quirks: variant=NAME, numbering=pydraughts, seconds=whole, inc=off, history=reversible|none, captures=path|short,
    /// ping=off
    #[arg(long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Check one engine against protocol.md instead of playing: words as of --engine, of which those on limits and on
    /// quirks other than variant= and numbering= mean nothing; a line a check, then the totals
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["engines", "each", "rounds", "tournament", "openings",
        "sprt", "draw", "resign", "maxmoves", "concurrency", "pdnout", "resume", "event"])]
    compliance: Option<String>,
    /// Words for all engines; an engine's own override them
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// Pairs of games that every two engines play; without it 1, or with --sprt until the test ends
    #[arg(long, value_name = "N", value_parser = number(1..=100_000_000usize))]
    rounds: Option<usize>,
    /// Games from each ballot: always 2, with colours changed
    #[arg(long, value_name = "N", default_value_t = GAMES_A_PAIR, value_parser = number(GAMES_A_PAIR..=GAMES_A_PAIR))]
    games: usize,
    /// Who plays whom
    #[arg(long, value_name = "FORM", default_value = "roundrobin")]
    tournament: Tournament,
    /// Where games begin, by words: file=builtin|official|FILE (FENs, moves, or PDN), order=random|sequential, plies=,
    /// start=, for official ones barred=yes, for built-in ones band=MEN nodes=; without it the official table of the rule set or built-in ones
    #[arg(long, value_name = "WORDS", default_value = "")]
    openings: String,
    /// End the match by a sequential test: elo0= elo1= alpha= beta= model=normalized|logistic
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,
    /// Call games drawn by their scores: movenumber= movecount= score=MEN
    #[arg(long, value_name = "WORDS")]
    draw: Option<String>,
    /// Call games won by their scores: movecount= score=MEN twosided=true|false
    #[arg(long, value_name = "WORDS")]
    resign: Option<String>,
    /// Call a game drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = number(1..=100_000u32))]
    maxmoves: Option<u32>,
    /// Games side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=MOST_WORKERS))]
    concurrency: usize,
    /// Seed of the openings
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    srand: u64,
    /// Write the games as PDN; the file must be new, or of the match that goes on
    #[arg(long, value_name = "FILE")]
    pdnout: Option<PathBuf>,
    /// Write a summary as JSON; `-` is standard output, instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep a record of the games here, and go on with the match of the record if there is one
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// The name of the match in PDN
    #[arg(long, value_name = "NAME", default_value = "Soffio match")]
    event: String,
    /// Go on after a crash or stall with a new process: it is always so, and the word is taken for those who know it
    #[arg(long)]
    recover: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tournament {
    /// Everybody plays everybody
    #[value(name = "roundrobin")]
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

pub(super) fn run(common: &Common<'_>, args: &MatchArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(words) = &args.compliance {
        return compliance::run(common, words, args.json.as_deref(), &*interrupt()?, out);
    }
    args.check_files()?;
    let terms = Terms::read(common.game()?, args)?;
    let mut description = terms.describe(args);
    let contest = terms.contest(args)?;
    if let Some(path) = args.json.as_deref().filter(|path| path.as_os_str() != "-") {
        // What cannot be written is better known before the match.
        OpenOptions::new().append(true).create(true).open(path).map_err(|error| at(path, &error))?;
    }
    let abort = interrupt()?;
    let identities = contest.try_engines(&abort).map_err(|(name, fault)| match fault {
        Fault::Aborted => Failure::Failed("interrupted".to_owned()),
        fault => Failure::Failed(format!("engine '{name}' {fault}")),
    })?;
    for (contestant, identity) in contest.contestants.iter().zip(&identities) {
        identity
            .warnings
            .iter()
            .for_each(|warning| tell(&format!("engine '{}': {warning}", contestant.name)));
    }
    let identities = identities.iter().map(|Identity { name, version, .. }| format!("{name} {version}"));
    description["identities"] = identities.collect();
    let opened =
        args.resume.as_deref().map(|path| Journal::open(path, &description, |game| contest.has(game)));
    let (journal, earlier) = opened.transpose().map_err(failed)?.unzip();
    let earlier = earlier.unwrap_or_default();
    let games = args.pdnout.as_deref().map(|path| Games::create(path, &contest, &args.event, &earlier));
    let all = (args.sprt.is_none() || args.rounds.is_some()).then(|| contest.schedule.games());
    let mut desk = Desk {
        contest: &contest,
        args,
        journal,
        games: games.transpose()?,
        progress: Progress::new(all),
        all,
        repeats: false,
    };
    let (standings, ended) = contest.run(earlier, &abort, &mut |news| desk.hear(news));
    desk.close(&standings);
    report(&contest, args, &standings, out)?;
    ended?;
    let decided = contest.verdict(&standings) != Verdict::Running;
    if decided || standings.games() == contest.schedule.games() {
        return Ok(());
    }
    let advice = match &args.resume {
        Some(path) => format!("the same command goes on with {}", path.display()),
        None => "with --resume FILE it could go on".to_owned(),
    };
    Err(Failure::Failed(format!("interrupted after {} games: {advice}", standings.games())))
}

/// Ctrl-C ends a long command in good order; a second one ends the program, and leaves it to engines to see that.
pub(super) fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let abort = Arc::new(AtomicBool::new(false));
    let (switch, pressed) = (Arc::clone(&abort), AtomicBool::new(false));
    let handler = move || {
        switch.store(true, Ordering::Relaxed);
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Failed(format!("no handler of ctrl-C: {error}")))?;
    Ok(abort)
}

/// What the command line says of the match, checked.
struct Terms {
    game: Game,
    contestants: Vec<Contestant>,
    rounds: usize,
    openings: OpeningOptions,
    rules: Rules,
    sprt: Option<Sprt>,
}

impl Terms {
    fn read(game: Game, args: &MatchArgs) -> Result<Self, Failure> {
        let each = pairs("--each", &args.each)?;
        let parse =
            |line: &String| Contestant::parse(line, &each).map_err(|error| usage("--engine", line, &error));
        let contestants = args.engines.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        contestant::check(&contestants).map_err(|error| Failure::Usage(error.to_string()))?;
        let openings = pairs("--openings", &args.openings)?;
        let openings =
            OpeningOptions::parse(openings.iter().map(|(key, value)| (key.as_str(), value.as_str())))
                .map_err(|error| Failure::Usage(format!("--openings: {error}")))?;
        let sprt = args.sprt.as_deref().map(read_sprt).transpose()?;
        if sprt.is_some() && contestants.len() != 2 {
            return Err(Failure::Usage("--sprt is a test of two engines".to_owned()));
        }
        let rules = Rules {
            draw: args.draw.as_deref().map(|line| read("--draw", line, DrawRule::parse)).transpose()?,
            resign: args
                .resign
                .as_deref()
                .map(|line| read("--resign", line, ResignRule::parse))
                .transpose()?,
            max_moves: args.maxmoves,
        };
        let rounds = args.rounds.unwrap_or(if sprt.is_some() { ROUNDS.0 } else { ROUNDS.1 });
        Ok(Self { game, contestants, rounds, openings, rules, sprt })
    }

    /// What must be the same for a match to go on.
    fn describe(&self, args: &MatchArgs) -> Value {
        let engines = self.contestants.iter().map(|contestant| {
            let mut words: Vec<_> =
                contestant.words.iter().map(|(key, value)| format!("{key}={value}")).collect();
            words.sort_unstable();
            words
        });
        json!({
            "match": env!("CARGO_PKG_VERSION"),
            "variant": self.game.set.id,
            "rules": self.game.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
            "engines": engines.collect::<Vec<_>>(),
            "tournament": args.form(),
            "rounds": self.rounds,
            "openings": args.openings,
            "srand": args.srand,
            "adjudication": self.rules,
            "sprt": args.sprt,
        })
    }

    fn contest(self, args: &MatchArgs) -> Result<Match, Failure> {
        let book = Book::load(&self.game, &self.openings, args.srand).map_err(failed)?;
        log::info!("openings: {book}");
        Ok(Match {
            schedule: Schedule::new(args.form(), self.contestants.len(), self.rounds),
            game: self.game,
            contestants: self.contestants,
            book,
            rules: self.rules,
            concurrency: args.concurrency,
            sprt: self.sprt,
        })
    }
}

impl MatchArgs {
    /// No file is written to twice.
    fn check_files(&self) -> Result<(), Failure> {
        let files = [("--json", &self.json), ("--pdnout", &self.pdnout), ("--resume", &self.resume)];
        let given: Vec<_> =
            files.iter().filter_map(|(option, file)| Some((option, file.as_ref()?))).collect();
        for (index, (option, file)) in given.iter().enumerate() {
            let place = |file: &Path| file.canonicalize().or_else(|_| std::path::absolute(file)).ok();
            let same = given[..index].iter().find(|(_, other)| place(other) == place(file));
            if let Some((other, _)) = same {
                let file = file.display();
                return Err(Failure::Usage(format!("{other} and {option} both name {file}")));
            }
        }
        Ok(())
    }

    fn form(&self) -> Form {
        match self.tournament {
            Tournament::RoundRobin => Form::RoundRobin,
            Tournament::Gauntlet => Form::Gauntlet,
        }
    }
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

fn usage(option: &str, line: &str, error: &WordError) -> Failure {
    Failure::Usage(format!("{option} \"{line}\": {error}"))
}

fn pairs(option: &str, line: &str) -> Result<Vec<Pair>, Failure> {
    read(option, line, |pairs| Ok(pairs.to_vec()))
}

/// Reads the words of an option.
fn read<T>(option: &str, line: &str, parse: impl Fn(&[Pair]) -> Result<T, WordError>) -> Result<T, Failure> {
    words::pairs(line).and_then(|pairs| parse(&pairs)).map_err(|error| usage(option, line, &error))
}

fn read_sprt(line: &str) -> Result<Sprt, Failure> {
    const KEYS: &str = "elo0, elo1, alpha, beta, model";
    let number =
        |key: &str, value: &str| value.parse::<f64>().map_err(|_| WordError::bad(key, value, "a number"));
    let settings = read("--sprt", line, |pairs| {
        let mut settings = SprtSettings::default();
        for (key, value) in pairs {
            match key.as_str() {
                "elo0" => settings.elo0 = number(key, value)?,
                "elo1" => settings.elo1 = number(key, value)?,
                "alpha" => settings.alpha = number(key, value)?,
                "beta" => settings.beta = number(key, value)?,
                "model" => {
                    settings.model =
                        value.parse().map_err(|_| WordError::bad(key, value, "normalized or logistic"))?;
                }
                _ => return Err(WordError::UnknownKey(key.clone(), KEYS.to_owned())),
            }
        }
        Ok(settings)
    })?;
    Sprt::new(settings).map_err(|error| Failure::Usage(format!("--sprt \"{line}\": {error}")))
}

/// Where the news of a match go.
struct Desk<'a> {
    contest: &'a Match,
    args: &'a MatchArgs,
    journal: Option<Journal>,
    games: Option<Games>,
    progress: Progress,
    /// The number of games, if anybody knows.
    all: Option<usize>,
    /// Whether it has been said that there are no new openings.
    repeats: bool,
}

impl Desk<'_> {
    fn hear(&mut self, news: News<'_>) -> Result<(), Failure> {
        match news {
            News::Lost(why) => Err(Failure::Failed(format!("engine {why}; its games are not counted"))),
            News::Ended(record) => {
                self.journal.iter_mut().try_for_each(|journal| journal.add(record)).map_err(failed)
            }
            News::Counted(record, standings) => {
                let (all, sprt) = (self.all, self.contest.sprt.as_ref());
                self.progress.show(standings.games(), || standings.progress(all, sprt));
                let (contest, event) = (self.contest, &self.args.event);
                if let Some(fault) = &record.fault {
                    self.progress.say(&format!("game {}: {fault}", record.game + 1));
                }
                if !self.repeats && contest.book.repeats(record.round) {
                    self.repeats = true;
                    self.progress.say(&format!("from round {} on openings are repeated", record.round + 1));
                }
                self.games.iter_mut().try_for_each(|games| games.add(contest, event, record))
            }
        }
    }

    fn close(self, standings: &Standings) {
        self.progress.end(&standings.progress(self.all, self.contest.sprt.as_ref()));
    }
}

/// A file of games.
struct Games {
    path: PathBuf,
    file: File,
}

impl Games {
    /// A file that is new or empty, or has the games of the same match, which then are written again.
    fn create(path: &Path, contest: &Match, event: &str, earlier: &[Record]) -> Result<Self, Failure> {
        let found = match std::fs::read(path) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(at(path, &error)),
        };
        let first = earlier.iter().min_by_key(|record| record.game);
        let first = first.map(|record| pdn::text(contest, event, record)).transpose().map_err(failed)?;
        let known = first.is_some_and(|first| found.starts_with(first.as_bytes()));
        if !found.is_empty() && !known {
            return Err(Failure::Failed(format!(
                "{} is there already and has no games of this match: name another file",
                path.display()
            )));
        }
        let file = File::create(path).map_err(|error| at(path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    fn add(&mut self, contest: &Match, event: &str, record: &Record) -> Result<(), Failure> {
        let text = pdn::text(contest, event, record).map_err(failed)?;
        self.file.write_all(text.as_bytes()).map_err(|error| at(&self.path, &error))
    }
}

/// A failure of a file.
fn at(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}

/// Writes the tables, and the JSON where it is wanted.
fn report(
    contest: &Match,
    args: &MatchArgs,
    standings: &Standings,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let names: Vec<_> = contest.contestants.iter().map(|contestant| contestant.name.as_str()).collect();
    let sprt = contest.sprt.as_ref();
    let json = || {
        let mut json = standings.json(&names, sprt);
        json["variant"] = contest.game.set.id.into();
        json
    };
    match &args.json {
        Some(path) if path.as_os_str() == "-" => writeln!(out, "{}", json())?,
        path => {
            write!(out, "{}", standings.tables(&names, sprt))?;
            out.flush()?;
            if let Some(path) = path {
                std::fs::write(path, format!("{}\n", json())).map_err(|error| at(path, &error))?;
            }
        }
    }
    Ok(())
}
