//! The command line: what may be typed, and who does it. Results go to standard output, everything else to standard
//! error; the exit code is 0 for done, 1 for failed, 2 for a wrong command line.

mod analyze;
mod bench;
mod check;
mod compliance;
mod convert;
mod dxp;
mod egdb;
mod games;
mod input;
mod manual;
mod matches;
mod moves;
mod perft;
mod play;
mod problems;
mod progress;
mod referee;
mod rules;
mod show;
mod suite;
mod train;
mod usage;
mod words;

use crate::engine::{self, Session};
use crate::protocol;
use crate::rules::{Game, RULE_SETS};
use clap::{Args, Parser, Subcommand};
use input::Lines;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// A draughts engine for the whole family: plays, analyses and referees 38 rule sets.
#[derive(Debug, Parser)]
#[command(
    name = "soffio",
    version,
    after_help = "\
Without a command it is the engine, on standard input and output: type help there.
The variant is an id or alias from `soffio rules`; without -v it is SOFFIO_VARIANT, and without that italian.

Example: soffio perft -v international 6"
)]
struct Cli {
    #[command(flatten)]
    engine: Engine,
    /// The rule set: an id or alias from `soffio rules`
    #[arg(short = 'v', long, value_name = "ID", global = true)]
    variant: Option<String>,
    /// A rule on which sources disagree; may be given several times, once a name; see `soffio rules -v ID`
    #[arg(long = "rule", value_name = "NAME=VALUE", global = true)]
    rules: Vec<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What the engine takes.
#[derive(Debug, Args)]
struct Engine {
    /// Known here so that it is refused with a reason: there is no JSON to write.
    #[arg(long, hide = true)]
    json: bool,
}

/// A command that writes text or JSON.
#[derive(Debug, Args)]
struct Either<A: Args> {
    #[command(flatten)]
    args: A,
    /// Write JSON: an object, or one a line
    #[arg(long)]
    json: bool,
}

/// No arguments of its own.
#[derive(Debug, Args)]
struct Nothing {}

/// What every command is told.
struct Common<'a> {
    variant: Option<&'a str>,
    rules: &'a [String],
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The engine on standard input and output; the first line picks the dialect
    #[command(after_help = usage::hub_help())]
    Hub(Engine),
    /// The same in the UCI dialect
    #[command(after_help = "Example: soffio uci -v international\n\
        In it, `help` lists the commands. protocol.md says how moves and positions are written.")]
    Uci(Engine),
    /// The engine over a socket, by DXP (DamExchange): international draughts and what else has its 50 squares
    #[command(
        after_help = "Examples: soffio dxp                    wait on 127.0.0.1:27531 and play whoever asks\n          \
        soffio dxp --connect localhost:27531 --games 2 --minutes 10\n\
        The rule set is that of -v or SOFFIO_VARIANT, else international; DXP does not say it to the other side. Colours,\n\
        time and moves are the initiator's to choose. A line for each connection, game and chat goes to standard output."
    )]
    Dxp(dxp::DxpArgs),
    /// Count the leaves of the game tree at a depth; the last line is the count
    #[command(
        override_usage = "soffio perft [OPTIONS] DEPTH\n       soffio perft [OPTIONS] --suite FILE [DEPTH]",
        after_help = "Examples: soffio perft -v frisian --divide 5\n          \
        soffio perft -v english --suite english.perft --budget 1000000"
    )]
    Perft(Either<perft::PerftArgs>),
    /// All legal moves, on one line
    #[command(after_help = "Examples: soffio moves W:W31,K32:B22\n          \
        soffio moves -v turkish --notation hub - < fens.txt\n\
        A line of a stream is answered at once; a bad one with `error: ...` (JSON: error and line), and the exit\n\
        code is 0 all the same.")]
    Moves(Either<moves::MovesArgs>),
    /// Say when and how games end: JSON lines {"fen": ..., "moves": [...]} in, one line each out
    #[command(after_help = "Example: echo '{\"moves\": [\"22-18\"]}' | soffio referee -\n\
        Every line is answered at once, always in JSON; a bad one with its error, and the exit code is 0 all the same.\n\
        Other fields of the object are not looked at: unknown ones are named on standard error, once each.")]
    Referee(Either<referee::RefereeArgs>),
    /// The rule sets; with -v one of them in words
    #[command(after_help = "Example: soffio rules -v italian\n\
        The list does not depend on SOFFIO_VARIANT.")]
    Rules(Either<Nothing>),
    /// Search fixed positions of all rule sets to a fixed depth; the last line is the node count, the signature
    #[command(after_help = "Example: soffio bench --json\n\
        The signature tells whether a change has changed the search: the same program counts the same nodes on every\n\
        machine. Before it stands a line `ID NODES` for each rule set: all of them, or that of -v (not SOFFIO_VARIANT).")]
    Bench(Either<bench::BenchArgs>),
    /// Draw the board with its square numbers
    #[command(after_help = "Example: soffio show -v brazilian W:Wc3,Kh2:Be5 --svg board.svg\n\
        w b are men, W B kings, p q parachutists, White's and Black's; an empty square shows its number.")]
    Show(Either<show::ShowArgs>),
    /// The terms of the score, in men from the side to move
    #[command(after_help = "Example: soffio eval W:W31,K32:B22")]
    Eval(Either<show::EvalArgs>),
    /// Count the problems of a file that are solved with so many nodes
    #[command(
        after_help = "Example: soffio problems -v international --nodes 100000,1000000 problems.json\n\
        A problem is a JSON object: {\"fen\": ..., \"moves\": \"32-28 19-23\"} asks for the first move, {\"fen\": ..., \"result\": \"1-0\"}\n\
        for the score; `id` and `set` may name it. JSON: a line a problem (set id fen limit solved best score depth nodes), then\n\
        one with variant limit solved of. Each search has one thread and a table of its own, so the answers are always the same."
    )]
    Problems(Either<problems::ProblemsArgs>),
    /// Analyse positions or games: a record for each position or move
    #[command(
        after_help = "Examples: soffio analyze games.pdn --time 1 --format html --out report.html\n          \
        soffio analyze -v russian --json --nodes 20000 - < fens.txt\n\
        JSON, an object a line: game variant fen ply played best score win_in odds depth nodes seconds pv, for moves of games loss and\n\
        mark, with --multipv lines. Moves are in Hub notation, scores in men from the side to move, odds and loss in permille.\n\
        Games are played by the rules their tags name, unless -v says which they must have. Every search has one thread and an\n\
        empty table of its own, so that at fixed nodes or depth the same input gives the same records, whatever --threads,\n\
        --shard and --resume. What cannot be read is told on standard error, the rest is done, and the exit code is 1."
    )]
    Analyze(Either<analyze::AnalyzeArgs>),
    /// Join the records of an analysis that was done in shares
    #[command(after_help = "Example: soffio merge part1.jsonl part2.jsonl --out games.jsonl\n\
        The outcome is what one analysis would have written; `soffio analyze --records` makes a report of it.")]
    Merge(analyze::MergeArgs),
    /// Convert games and positions between PDN, FEN, Hub strings and JSON lines
    #[command(after_help = "Examples: soffio convert --from pdn --to json games.pdn\n          \
        soffio convert --from pdn --to fen --positions end games.pdn\n\
        Without -v a game is of the rules that its GameType or Variant tag names. What cannot be converted is reported as\n\
        FILE:LINE:COLUMN: game N: WHAT on standard error, the rest is converted, and the exit code is 1. Blank lines are\n\
        passed over, and in lists of positions lines that begin with #.")]
    Convert(convert::ConvertArgs),
    /// List the problems of PDN files: syntax, positions, moves, results, tags
    #[command(after_help = "Example: soffio check games.pdn\n\
        A line FILE:LINE:COLUMN: game N: WHAT for each, then a summary; the exit code is 1 if there is any. With -v the\n\
        games are of that rule set, else of the one their tags name.\n\
        JSON: a line each with file line column game kind what, then one with files games plies problems faulty.")]
    Check(Either<check::CheckArgs>),
    /// Play against the engine in the terminal; `help` there lists the words
    #[command(after_help = "Examples: soffio play -v russian --colour black --skill 8\n          \
        printf 'moves\\n22-18\\nhint\\nsave game.pdn\\n' | soffio play --nodes 10000\n\
        A line is a move or a word. Each move is shown with its number and the board. At fixed nodes or depth the same lines\n\
        are answered by the same game. The exit code is 0 also where the engine has won.")]
    Play(play::PlayArgs),
    /// Play a match or a tournament between engines
    #[command(
        name = "match",
        after_help = "Example: soffio match -v english --engine \"name=new nodes=20000\" --engine \"cmd=./old nodes=20000\" \\\n           \
        --rounds 100 --concurrency 2 --sprt \"elo0=0 elo1=10\" --resume match.jsonl --pdnout games.pdn\n\
        With --compliance no games are played: the engine's answers are checked against protocol.md, and the exit code is 1\n\
        if something fails: soffio match -v international --compliance \"cmd=./scan args=hub dir=scan\"\n\
        All scores are in men, all times in seconds but timemargin. The tables go to standard output. Games are counted in\n\
        order: at fixed nodes or depth the same command gives the same games, whatever the concurrency, if the engines forget\n\
        what they know at new-game (else restart=on)."
    )]
    Match(Box<matches::MatchArgs>),
    /// Endgame tables: build them, check them, say what is in them
    #[command(after_help = "Examples: soffio egdb build -v english --pieces 5 --dir tables\n          \
        soffio egdb verify -v english --pieces 5 --dir tables\n          \
        soffio egdb stats -v english --pieces 4 --dir tables --json\n          \
        soffio egdb probe -v english --dir tables W:WK1:BK13")]
    Egdb {
        #[command(subcommand)]
        what: egdb::Egdb,
    },
    /// Games of the engine against itself, to fit evaluations to
    #[command(
        after_help = "Examples: soffio train selfplay -v italian --games 100000 --out italian.games\n          \
        soffio train stats italian.games"
    )]
    Train {
        #[command(subcommand)]
        what: train::Train,
    },
    /// Write the completions of a shell
    #[command(
        after_help = "Example: soffio completions bash > /usr/share/bash-completion/completions/soffio"
    )]
    Completions(manual::CompletionsArgs),
    /// Write the manual page
    #[command(after_help = "Example: soffio man > /usr/share/man/man1/soffio.1")]
    Man(Nothing),
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
    /// Help or the version was asked for, and written.
    Help,
    /// Standard output failed.
    Output(io::Error),
    /// The engine was cut off.
    Engine(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Failed(text) => f.write_str(text),
            Self::Negative | Self::Help => Ok(()),
            Self::Output(error) => write!(f, "standard output: {error}"),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
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
    let done = Cli::try_parse().map_err(|error| usage::failure(&error)).and_then(|cli| run(&cli));
    match done {
        Ok(()) | Err(Failure::Help) => ExitCode::SUCCESS,
        Err(Failure::Output(error) | Failure::Engine(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Negative) => ExitCode::FAILURE,
        Err(failure) => {
            // Where standard error is closed too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "soffio: {failure}");
            ExitCode::from(if matches!(failure, Failure::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let common = |json| Common { variant: cli.variant.as_deref(), rules: &cli.rules, json };
    let mut out = BufWriter::new(io::stdout());
    match &cli.command {
        None => engine(&common(cli.engine.json), "hub"),
        Some(_) if cli.engine.json => Err(Failure::Usage("--json stands after the command".to_owned())),
        Some(Command::Hub(args)) => engine(&common(args.json), "hub"),
        Some(Command::Uci(args)) => engine(&common(args.json), "uci"),
        Some(Command::Dxp(args)) => dxp::run(&common(false), args),
        Some(Command::Perft(of)) => perft::run(&common(of.json), &of.args, &mut out),
        Some(Command::Moves(of)) => moves::run(&common(of.json), &of.args, &mut out),
        Some(Command::Referee(of)) => referee::run(&common(of.json), &of.args, &mut out),
        Some(Command::Rules(of)) => rules::run(&common(of.json), &mut out),
        Some(Command::Bench(of)) => bench::run(&common(of.json), &of.args, &mut out),
        Some(Command::Problems(of)) => problems::run(&common(of.json), &of.args, &mut out),
        Some(Command::Show(of)) => show::run(&common(of.json), &of.args, &mut out),
        Some(Command::Eval(of)) => show::eval(&common(of.json), &of.args, &mut out),
        Some(Command::Analyze(of)) => analyze::run(&common(of.json), &of.args, &mut out),
        Some(Command::Merge(args)) => analyze::run_merge(args, &mut out),
        Some(Command::Convert(args)) => convert::run(&common(false), args, &mut out),
        Some(Command::Check(of)) => check::run(&common(of.json), &of.args, &mut out),
        Some(Command::Play(args)) => play::run(&common(false), args, &mut out),
        Some(Command::Match(args)) => matches::run(&common(false), args, &mut out),
        Some(Command::Egdb { what }) => egdb::run(&common, what, &mut out),
        Some(Command::Train { what }) => train::run(&common, what, &mut out),
        Some(Command::Completions(args)) => manual::completions(args, &mut out),
        Some(Command::Man(_)) => manual::man(&mut out),
    }?;
    Ok(out.flush()?)
}

/// The engine on standard input and output, in a dialect if the first line opens no other.
fn engine(common: &Common<'_>, dialect: &str) -> Result<(), Failure> {
    if common.json {
        return Err(Failure::Usage(
            "--json is for commands: the engine writes the lines of its dialect".to_owned(),
        ));
    }
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    protocol::run(common.game()?, io::stdin(), Box::new(io::stdout()), dialect, terminal)
        .map_err(Failure::Engine)
}

impl Common<'_> {
    /// The game that variant and rules name.
    fn game(&self) -> Result<Game, Failure> {
        self.game_or("italian")
    }

    /// The same, but another variant where none is named.
    fn game_or(&self, default: &str) -> Result<Game, Failure> {
        let environment = if self.variant.is_some() { None } else { usage::environment()? };
        let variant = self.variant.or(environment.as_deref()).unwrap_or(default);
        let origin = if environment.is_some() { " (the variant is that of SOFFIO_VARIANT)" } else { "" };
        usage::check_names(variant, self.rules)
            .and_then(|()| {
                let rules = self.rules.iter().map(String::as_str);
                Game::with_options(variant, rules).map_err(|error| error.to_string())
            })
            .map_err(|error| Failure::Usage(error + origin))
    }

    /// The games of a command that is about all of them unless `-v` names one.
    fn games(&self) -> Result<Vec<Game>, Failure> {
        match (self.variant, self.rules.first()) {
            (Some(_), _) => Ok(vec![self.game()?]),
            (None, Some(rule)) => {
                Err(Failure::Usage(format!("--rule {rule} needs a variant here: add -v ID")))
            }
            (None, None) => Ok(RULE_SETS.iter().map(Game::new).collect()),
        }
    }

    /// A session at the position of `fen`; `-` is the only line of standard input, `None` the start.
    fn session(&self, fen: Option<&str>) -> Result<Box<dyn Session>, Failure> {
        let mut session = engine::open(self.game()?);
        match fen {
            None => {}
            Some("-") => session.set_fen(&Lines::stdin().only()?)?,
            Some(fen) => session.set_fen(fen)?,
        }
        Ok(session)
    }
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
    fn numbers_have_the_type_of_their_field() {
        for line in ["bench --deeper 3", "perft --suite x --threads 2 --hash 1 --budget 5 3"] {
            Cli::try_parse_from(["soffio"].into_iter().chain(line.split(' '))).unwrap();
        }
    }
}
