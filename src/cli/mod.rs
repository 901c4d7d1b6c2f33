//! The command line: what may be typed, and who does it. Results go to standard output, everything else to standard
//! error; the exit code is 0 for done, 1 for failed, 2 for a wrong command line.

mod bench;
mod moves;
mod perft;
mod referee;
mod rules;
mod show;
mod suite;
mod words;

use crate::engine::{self, Session};
use crate::protocol;
use crate::rules::{Game, RuleError};
use clap::{Args, Parser, Subcommand};
use std::fmt;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// A draughts engine for the whole family: plays, analyses and referees 38 rule sets.
#[derive(Debug, Parser)]
#[command(
    name = "soffio",
    version,
    disable_help_subcommand = true,
    after_help = "\
Without a command it is the engine, on standard input and output: type help there.
The variant is an id or alias from `soffio rules`; without -v it is SOFFIO_VARIANT, and without that italian.

Example: soffio perft -v international 6"
)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What every command takes.
#[derive(Debug, Args)]
struct Common {
    /// The rule set: an id or alias from `soffio rules`
    #[arg(short = 'v', long, value_name = "ID", global = true)]
    variant: Option<String>,
    /// A rule on which sources disagree; may be given several times
    #[arg(long = "rule", value_name = "NAME=VALUE", global = true)]
    rules: Vec<String>,
    /// Write JSON: an object, or one a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The engine on standard input and output; the first word picks the dialect
    #[command(after_help = "Example: soffio hub -v russian")]
    Hub,
    /// Count the leaves of the game tree at a depth; the last line is the count
    #[command(after_help = "Examples: soffio perft -v frisian --divide 5\n          \
        soffio perft -v english --suite english.perft --budget 1000000")]
    Perft(perft::PerftArgs),
    /// All legal moves, on one line
    #[command(after_help = "Examples: soffio moves W:W31,K32:B22\n          \
        soffio moves -v turkish --notation hub - < fens.txt")]
    Moves(moves::MovesArgs),
    /// Say when and how games end: JSON lines {"fen": ..., "moves": [...]} in, one line each out
    #[command(after_help = "Example: echo '{\"moves\": [\"22-18\"]}' | soffio referee -")]
    Referee(referee::RefereeArgs),
    /// The rule sets; with -v one of them in words
    #[command(after_help = "Example: soffio rules -v italian")]
    Rules,
    /// Search fixed positions of all rule sets to a fixed depth; the last line is the node count, the signature
    #[command(after_help = "Example: soffio bench --json")]
    Bench(bench::BenchArgs),
    /// Draw the board with its square numbers
    #[command(after_help = "Example: soffio show -v brazilian W:Wc3,Kh2:Be5 --svg board.svg")]
    Show(show::ShowArgs),
    /// The terms of the score, in men from the side to move
    #[command(after_help = "Example: soffio eval W:W31,K32:B22")]
    Eval(show::EvalArgs),
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// Something in the world is: a position, a file.
    Failed(String),
    /// It is done and was reported, and the answer is no.
    Negative,
    /// Standard output or input failed.
    Io(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Failed(text) => f.write_str(text),
            Self::Negative => Ok(()),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<engine::PositionError> for Failure {
    fn from(error: engine::PositionError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("SOFFIO_LOG", "off")).init();
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Negative) => ExitCode::FAILURE,
        Err(failure) => {
            // Where standard error is closed too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "soffio: {failure}");
            ExitCode::from(if matches!(failure, Failure::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let common = &cli.common;
    if matches!(cli.command, None | Some(Command::Hub)) {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        return Ok(protocol::run(common.game()?, io::stdin(), Box::new(io::stdout()), terminal)?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match &cli.command {
        None | Some(Command::Hub) => Ok(()),
        Some(Command::Perft(args)) => perft::run(common, args, &mut out),
        Some(Command::Moves(args)) => moves::run(common, args, &mut out),
        Some(Command::Referee(args)) => referee::run(common, args, &mut out),
        Some(Command::Rules) => rules::run(common, &mut out),
        Some(Command::Bench(args)) => bench::run(common, args, &mut out),
        Some(Command::Show(args)) => show::run(common, args, &mut out),
        Some(Command::Eval(args)) => show::eval(common, args, &mut out),
    }?;
    Ok(out.flush()?)
}

impl Common {
    /// The game that variant and rules name.
    fn game(&self) -> Result<Game, Failure> {
        let from_environment = || std::env::var("SOFFIO_VARIANT").ok().filter(|name| !name.is_empty());
        let variant = self.variant.clone().or_else(from_environment);
        let rules = self.rules.iter().map(String::as_str);
        Ok(Game::with_options(variant.as_deref().unwrap_or("italian"), rules)?)
    }

    /// A session at the position of `fen`; `-` is the first line of standard input, `None` the start.
    fn session(&self, fen: Option<&str>) -> Result<Box<dyn Session>, Failure> {
        let mut session = engine::open(self.game()?);
        match fen {
            None => {}
            Some("-") => {
                let line = lines(io::stdin().lock()).next().unwrap_or(Ok(Ok(String::new())))?;
                session.set_fen(&line.map_err(Failure::Failed)?)?;
            }
            Some(fen) => session.set_fen(fen)?,
        }
        Ok(session)
    }
}

/// The lines of an input; one that is not UTF-8 gives a message instead.
fn lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<Result<String, String>>> {
    std::iter::from_fn(move || {
        let mut bytes = Vec::new();
        match input.read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => {}
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).map(str::to_owned);
        Some(Ok(text.map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Example"), "{} has no example", command.get_name());
        }
    }

    #[test]
    fn lines_end_as_they_may() {
        let all: Vec<_> = lines(&b"a\r\n\nb\xff\nc"[..]).map(Result::unwrap).collect();
        assert_eq!(all, [Ok("a".into()), Ok("".into()), Err("byte 2 is not UTF-8".into()), Ok("c".into())]);
    }
}
