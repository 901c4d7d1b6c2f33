//! A Hub engine with faults on purpose: an opponent for tests of match runners and other clients.
//!
//! `faulty [FAULT] [--after N] [--variant ID]`; `faulty --help` lists the faults. It plays all rule sets, legally and at
//! once: which of the legal moves is decided by the position alone. Its N-th `go` since the process began, over all its
//! games, goes wrong; before it, and after it if it lives, it plays well. Faults that are not about moves are there from
//! the start, as their descriptions say. It says what `protocol.md` says, with fewer parameters.

use clap::{Parser, ValueEnum, value_parser};
use soffio::engine::{self, Notation, Session};
use soffio::notation::{HubNumbering, squares};
use soffio::protocol::input::{Event, Inbox};
use soffio::protocol::output::Output;
use soffio::rng::Rng;
use soffio::rules::{self, Game, RULE_SETS, RuleSet};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// Pause between lines of an answer: some clients wait on the pipe but read through a buffer, and are stuck when two
/// lines reach them together.
const GAP: Duration = Duration::from_millis(5);
/// How far `slow` oversteps the time.
const LATE: Duration = Duration::from_millis(500);
/// Life of a deaf process, which does not notice that nobody needs it any more.
const DEAF: Duration = Duration::from_secs(600);
/// Length of an over-long line, in bytes: twice what Soffio reads.
const LONG: usize = 2 << 20;
/// What `wrong-handshake` says instead of its name.
const NONSENSE: &str = "id\nid name= =\nparam name=variant type= values=\"\n\n=wait\nuciok";
/// What a client should pass over: unknown lines, and `info` that says little.
const CHATTER: &str = "\nhmm\n# done\ndebug text=\"done move=1-1\"\ninfo\ninfo text=hmm\ninfo depth=1\n";
/// Rounds of it.
const ROUNDS: usize = 100;
const BAD_INFO: &str = "info depth=deep mean-depth=- score=nan nodes=-1 time=1,5 nps= pv=
info depth=99999999999999999999 mean-depth=1e999 score=+-3 nodes=1.5 time=inf pv=?
info depth=1 depth=2 score nodes==3 pv=\"
info =1 \"";
const NUMBERING: HubNumbering = HubNumbering::Standard;
const NOTATION: Notation = Notation::Hub(NUMBERING);

/// An engine that goes wrong on purpose, to test clients of Hub engines.
#[derive(Debug, Parser)]
#[command(name = "faulty")]
struct Cli {
    /// What goes wrong
    #[arg(value_enum, default_value = "none")]
    fault: Fault,
    /// Which `go` goes wrong, counted over all games of the process
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    after: u32,
    /// The rule set at the start: an id or alias from `soffio rules`
    #[arg(short = 'v', long, value_name = "ID", default_value = "italian", value_parser = rules::find)]
    variant: &'static RuleSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fault {
    /// Plays well
    None,
    /// Says one info line, then aborts (by a signal, where there are signals)
    Crash,
    /// Says one info line, then ends with exit code 0
    Exit,
    /// Says one info line, then ends with exit code 3
    ExitCode,
    /// Says nothing any more, not even pong, but reads on; quit and the end of the input end it
    Stall,
    /// Neither reads nor says anything any more, and must be killed; it ends by itself after ten minutes
    Deaf,
    /// Answers half a second after all its time (of the move or on the clock); serves ping meanwhile, but not stop
    Slow,
    /// Never answers, whether stop comes or not; from then on it serves ping and quit alone
    IgnoreStop,
    /// Answers a well-formed move that is not legal
    Illegal,
    /// Answers a move that is no move: `done move=xyzzy-99x`
    Malformed,
    /// Answers `done` without a move, though there are legal ones
    NoMove,
    /// Sends bytes that are not UTF-8, NULs included, and a line of 2 MiB, then the right answer
    Garbage,
    /// Sends info lines without end and without done; hears nothing but quit and the end of the input
    Flood,
    /// Sends hundreds of unknown and empty lines and odd but correct info lines, then the right answer
    Chatter,
    /// Answers `hub` with nonsense, then `wait`, and plays well
    WrongHandshake,
    /// Answers `hub`, but without `wait`
    NoWait,
    /// Does not answer `init`
    NoReady,
    /// Ends at once with exit code 1
    CrashOnStart,
    /// Aborts at `init`
    CrashOnInit,
    /// Answers well, but says the same done again after the next new-game
    LateDone,
    /// Says its done twice
    DoubleDone,
    /// Sends info lines with broken numbers and broken form, then the right answer
    BadInfo,
    /// Answers every set-param and pos with an error line, from the start, but obeys it
    ErrorLines,
    /// Ends in the middle of its done line, without a line end, with exit code 0
    Partial,
}

/// The arguments of a line by name; without a value it is empty.
type Arguments<'a> = BTreeMap<&'a str, &'a str>;

fn main() -> io::Result<()> {
    let cli = Cli::parse();
    if cli.fault == Fault::CrashOnStart {
        process::exit(1);
    }
    let session = engine::open(Game::new(cli.variant));
    let (inbox, output) = (Inbox::new(io::stdin())?, Output::new(Box::new(io::stdout())));
    Engine { cli, inbox, output, session, level: BTreeMap::new(), searches: 0, stale: None }.run()
}

struct Engine {
    cli: Cli,
    inbox: Inbox,
    output: Output,
    session: Box<dyn Session>,
    /// What the `level` lines say, by name.
    level: BTreeMap<String, f64>,
    /// Number of `go` so far.
    searches: u32,
    /// What `late-done` says after the next `new-game`.
    stale: Option<String>,
}

impl Engine {
    /// Talks until the process ends.
    fn run(mut self) -> io::Result<()> {
        loop {
            let line = match self.inbox.wait() {
                Event::Line(line) => line.unwrap_or_default(), // Refused as an empty one is.
                _ => return Ok(()),
            };
            let (word, arguments) = parse(&line);
            let done = match word {
                "quit" => return Ok(()),
                "hub" => Ok(self.introduce()?),
                "init" if self.cli.fault == Fault::CrashOnInit => process::abort(),
                "init" if self.cli.fault == Fault::NoReady => Ok(()),
                "init" => Ok(self.say("ready")?),
                "ping" => Ok(self.output.line("pong")?),
                "new-game" => Ok(self.stale.take().map_or(Ok(()), |done| self.say(&done))?),
                "go" => Ok(self.go(&arguments)?),
                "set-param" => self.set_param(&arguments),
                "pos" => self.set_position(&arguments),
                "level" => self.add_level(&arguments),
                "stop" | "ponder-hit" => Ok(()),
                _ => Err("unknown command".into()),
            };
            if let Err(error) = done {
                self.refuse(&error.to_string())?;
            } else if self.cli.fault == Fault::ErrorLines && matches!(word, "set-param" | "pos") {
                self.refuse(&format!("{word} is not to my liking"))?;
            }
        }
    }

    /// Says a line of an answer.
    fn say(&mut self, line: &str) -> io::Result<()> {
        self.output.rest(GAP);
        self.output.line(line)
    }

    fn refuse(&mut self, error: &str) -> io::Result<()> {
        let printable = error.replace(|c: char| c == '"' || c.is_control(), "?");
        self.output.line(&format!("error message=\"{printable}\""))
    }

    fn introduce(&mut self) -> io::Result<()> {
        if self.cli.fault == Fault::WrongHandshake {
            self.say(NONSENSE)?;
            return self.say("wait");
        }
        self.say("id name=Faulty version=1 author=\"the Soffio authors\" country=Italy")?;
        let names: Vec<_> = RULE_SETS.iter().flat_map(|set| [&[set.id], set.aliases].concat()).collect();
        let (id, names) = (self.session.game().set.id, names.join(" "));
        self.say(&format!("param name=variant value={id} type=enum values=\"{names}\""))?;
        self.say("param name=rule value=\"\" type=string")?;
        if self.cli.fault == Fault::NoWait { Ok(()) } else { self.say("wait") }
    }

    /// Other rules begin at their start; parameters that do not exist are passed over.
    fn set_param(&mut self, arguments: &Arguments<'_>) -> Result<(), Box<dyn Error>> {
        let id = self.session.game().set.id;
        let value = arguments.get("value").ok_or("missing value")?;
        let game = match *arguments.get("name").ok_or("missing name")? {
            "variant" if rules::find(value)?.id == id => return Ok(()),
            "variant" => Game::new(rules::find(value)?),
            "rule" => {
                let pairs: Vec<_> = value.split_whitespace().map(|pair| pair.replacen(':', "=", 1)).collect();
                Game::with_options(id, pairs.iter().map(String::as_str))?
            }
            _ => return Ok(()),
        };
        self.session = engine::open(game);
        self.level.clear();
        Ok(())
    }

    fn set_position(&mut self, arguments: &Arguments<'_>) -> Result<(), Box<dyn Error>> {
        match arguments.get("pos").filter(|_| !arguments.contains_key("start")) {
            Some(pos) => self.session.set_hub(pos, arguments.get("wolf").unwrap_or(&""), NUMBERING)?,
            None => self.session.set_start(),
        }
        self.level.clear();
        let mut moves = arguments.get("moves").unwrap_or(&"").split_whitespace();
        Ok(moves.try_for_each(|text| self.session.play(text, NOTATION))?)
    }

    fn add_level(&mut self, arguments: &Arguments<'_>) -> Result<(), Box<dyn Error>> {
        for (name, value) in arguments {
            if ["depth", "nodes", "moves", "move-time", "time", "inc"].contains(name) {
                let number = value.parse().ok().filter(|number: &f64| number.abs() < 1e9);
                let number = number.ok_or_else(|| format!("bad level: {name}={value}"))?;
                self.level.insert((*name).to_owned(), number);
            }
        }
        Ok(())
    }

    /// All the time that the level gives, for the move or on the clock.
    fn time(&self) -> Duration {
        let number = |name| self.level.get(name).copied().unwrap_or(0.0);
        // A client does not count the increment of this move as time on the clock, but it is.
        let seconds = number("move-time").max(number("time") + number("inc"));
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    fn go(&mut self, arguments: &Arguments<'_>) -> io::Result<()> {
        self.searches += 1;
        let fault = if self.searches == self.cli.after { self.cli.fault } else { Fault::None };
        let legal = self.session.legal_moves(NOTATION);
        let best = self.choose(&legal);
        let score = self.session.eval().score;
        let right = best.map_or_else(|| "done".to_owned(), |best| format!("done move={best}"));
        if let Some(best) = best {
            self.say(&format!("info depth=1 mean-depth=1.0 score={score} nodes=1 time=0.001 pv={best}"))?;
        }
        match fault {
            Fault::Crash => process::abort(),
            Fault::Exit => process::exit(0),
            Fault::ExitCode => process::exit(3),
            Fault::Stall => self.ignore(false)?,
            Fault::IgnoreStop => self.ignore(true)?,
            Fault::Deaf => {
                thread::sleep(DEAF);
                process::exit(0);
            }
            Fault::Flood => {
                // In a thread of its own: `quit` is heard also when nobody reads the flood.
                thread::spawn(|| while writeln!(io::stdout(), "info depth=1 score=0.00").is_ok() {});
                self.ignore(false)?;
            }
            _ => {}
        }
        let limited = !self.level.is_empty();
        if arguments.contains_key("ponder") || !limited {
            self.hold(limited)?;
        }
        match fault {
            Fault::Slow => self.dawdle(self.time() + LATE)?,
            Fault::Garbage => send(&garbage())?,
            Fault::Chatter => self.say(&CHATTER.repeat(ROUNDS))?,
            Fault::BadInfo => self.say(BAD_INFO)?,
            Fault::Partial => {
                send(b"done mo")?;
                process::exit(0);
            }
            Fault::LateDone => self.stale = Some(right.clone()),
            Fault::DoubleDone => self.say(&right)?,
            _ => {}
        }
        match fault {
            Fault::Illegal => self.say(&format!("done move={}", self.illegal(&legal)))?,
            Fault::Malformed => self.say("done move=xyzzy-99x")?,
            Fault::NoMove => self.say("done")?,
            _ => self.say(&right)?,
        }
        self.level.clear();
        Ok(())
    }

    /// The move to play: some legal one, the same whenever the position is the same.
    fn choose<'a>(&self, legal: &'a [String]) -> Option<&'a String> {
        let position = self.session.hub(NUMBERING);
        let seed = position.bytes().fold(0_u64, |seed, b| seed.wrapping_mul(31).wrapping_add(b.into()));
        legal.get(Rng::new(seed).below(legal.len().max(1)))
    }

    /// A move between two squares of the board that no legal move joins; if it can be, from where a legal one starts.
    fn illegal(&self, legal: &[String]) -> String {
        let ends = |text: &str| {
            let mut numbers = text.split(['-', 'x']).map_while(|number| number.parse::<usize>().ok());
            numbers.next().zip(numbers.next())
        };
        let from = legal.first().and_then(|text| ends(text)).map_or(1, |(from, _)| from);
        let mut squares = 1..=squares::count(self.session.game());
        let to = squares
            .find(|&to| to != from && legal.iter().all(|text| ends(text) != Some((from, to))))
            .unwrap_or(from);
        format!("{from}-{to}")
    }

    /// Serves `quit` and perhaps `ping`, and passes all else over, until the process ends.
    fn ignore(&mut self, serves_ping: bool) -> io::Result<()> {
        loop {
            match word(&self.inbox.wait()) {
                Some("ping") if serves_ping => self.output.line("pong")?,
                Some("quit") | None => process::exit(0),
                _ => {}
            }
        }
    }

    /// Waits for what ends a search that has no end of its own; in a `limited` one, `ponder-hit` does.
    fn hold(&mut self, limited: bool) -> io::Result<()> {
        loop {
            let event = self.inbox.wait();
            match word(&event) {
                Some("ping") => self.output.line("pong")?,
                Some("ponder-hit") if !limited => {}
                Some("stop" | "ponder-hit") => break,
                _ => break self.inbox.put_back(event), // It is obeyed after the answer.
            }
        }
        Ok(())
    }

    /// Lets time pass; what comes is obeyed later.
    fn dawdle(&mut self, time: Duration) -> io::Result<()> {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            let Some(event) = self.inbox.wait_new(Some(left)) else { continue };
            match word(&event) {
                Some("ping") => self.output.line("pong")?,
                Some("stop" | "ponder-hit") => {}
                Some("quit") | None => process::exit(0),
                Some(_) => self.inbox.put_off(event),
            }
        }
        Ok(())
    }
}

/// Bytes that are no text, and a line that is over-long.
fn garbage() -> Vec<u8> {
    let every: Vec<u8> = (0..=u8::MAX).collect();
    [&every, &b"info depth=\xff pv=\xc3\x28"[..], &[0; 100], &vec![b'x'; LONG], b""].join(&b'\n')
}

fn send(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()
}

/// The command of a line, empty if it is none; `None` at the end of the input.
fn word(event: &Event) -> Option<&str> {
    match event {
        Event::Line(line) => Some(line.as_ref().map_or("", |line| parse(line).0)),
        _ => None,
    }
}

/// The command of a line and its arguments. Unlike a real engine, it makes the best of a malformed line.
fn parse(line: &str) -> (&str, Arguments<'_>) {
    let cut = |text: &'_ str, at: &[char]| text.find(at).unwrap_or(text.len());
    let line = line.trim();
    let (word, mut rest) = line.split_at(cut(line, &[' ', '\t']));
    let mut arguments = Arguments::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return (word, arguments);
        }
        let (name, after) = rest.split_at(cut(rest, &[' ', '\t', '=']));
        let (value, after) = match after.trim_start().strip_prefix('=').map(str::trim_start) {
            None => ("", after),
            Some(after) => match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_at(cut(after, &[' ', '\t'])),
            },
        };
        arguments.insert(name, value);
        rest = after;
    }
}
