//! `soffio problems`: how many problems of a file the engine solves with so many nodes.

use super::input::read_text;
use super::usage::number;
use super::{Common, Failure, progress};
use crate::engine::{self, HASH_RANGE, MAX_THREADS, Notation, Outcome, Session};
use crate::rules::Game;
use crate::score::Score;
use crate::search::{Control, Limits};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::io::Write;

/// Least score of a position that is won, and greatest of one that is drawn, in 1/100 man.
const WON: i32 = 80;
const DRAWN: i32 = 30;

#[derive(Debug, Args)]
pub(super) struct ProblemsArgs {
    /// Problems: a JSON array of objects, or one a line, with `fen`, and `moves` or `result`; - is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Nodes of a search; of several numbers, each is tried
    #[arg(long, value_name = "N,N...", value_delimiter = ',', default_value = "100000", allow_negative_numbers = true,
        value_parser = number(1..=u64::MAX))]
    nodes: Vec<u64>,
    /// What solves a problem [default: move where there are moves, else result]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Who has won where the result is 1-0: in some collections of English draughts it is Black
    #[arg(long, value_enum, value_name = "SIDE", default_value = "white")]
    winner: Winner,
    /// Problems that are searched at a time, each in one thread [default: one a processor]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number(1..=MAX_THREADS))]
    threads: Option<usize>,
    /// The hash table of each search has 2^n entries of 16 bytes
    #[arg(long, value_name = "n", default_value_t = 22, allow_negative_numbers = true,
        value_parser = number(HASH_RANGE))]
    tt_size: u32,
}

/// What solves a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// The first of its moves is found
    Move,
    /// The score is 0.80 or more for the winner, or within 0.30 in a draw
    Result,
}

/// Who has won where the result is 1-0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Winner {
    White,
    Black,
}

/// A problem as it stands in a file; other fields are passed over.
#[derive(Clone, Debug, Deserialize)]
struct Problem {
    fen: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    set: String,
    #[serde(default)]
    result: String,
    #[serde(default)]
    moves: String,
}

/// What a problem asks for.
enum Solution {
    /// The move, in Hub notation.
    Move(String),
    /// The side to move wins (1), loses (-1) or draws (0).
    Result(i32),
}

impl Solution {
    fn is_found(&self, outcome: &Outcome) -> bool {
        let score = outcome.info.score.value();
        match self {
            Self::Move(mv) => outcome.best.as_ref() == Some(mv),
            Self::Result(0) => score.abs() <= DRAWN,
            Self::Result(sign) => score * sign >= WON,
        }
    }
}

pub(super) fn run(common: &Common<'_>, args: &ProblemsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let game = common.game()?;
    let problems = read(&read_text(&args.file)?).map_err(|error| args.failure(&error))?;
    let mut session = engine::open(game.clone());
    let (mut sound, mut solutions) = (Vec::new(), Vec::new());
    for (number, problem) in (1..).zip(&problems) {
        match args.solution(session.as_mut(), problem) {
            Ok(solution) => {
                sound.push(problem);
                solutions.push(solution);
            }
            Err(why) => progress::line(&format!("{}: problem {number} is left out: {why}", args.file)),
        }
    }
    if sound.is_empty() {
        return Err(args.failure("no problem can be read"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Failure::Failed(error.to_string()))?;
    for &nodes in &args.nodes {
        let outcomes: Vec<Outcome> = pool.install(|| {
            sound
                .par_iter()
                .map_init(|| args.session(&game), |session, problem| search(session.as_mut(), problem, nodes))
                .collect()
        });
        let found: Vec<_> =
            solutions.iter().zip(&outcomes).map(|(solution, outcome)| solution.is_found(outcome)).collect();
        let (solved, of) = (found.iter().filter(|&&found| found).count(), found.len());
        if !common.json {
            writeln!(out, "{nodes} nodes: {solved} of {of} solved")?;
            out.flush()?;
            continue;
        }
        for ((problem, outcome), found) in sound.iter().zip(&outcomes).zip(found) {
            let Problem { id, set, fen, .. } = problem;
            let (best, info) = (&outcome.best, &outcome.info);
            let line = json!({
                "set": set, "id": id, "fen": fen, "limit": nodes, "solved": found, "best": best,
                "score": men(info.score), "depth": info.depth, "nodes": info.nodes,
            });
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", json!({ "variant": game.set.id, "limit": nodes, "solved": solved, "of": of }))?;
        out.flush()?;
    }
    Ok(())
}

impl ProblemsArgs {
    fn failure(&self, why: &str) -> Failure {
        Failure::Failed(format!("{}: {why}", self.file))
    }

    fn session(&self, game: &Game) -> Box<dyn Session> {
        let mut session = engine::open(game.clone());
        session.set_hash(self.tt_size);
        session
    }

    /// What a problem asks for.
    fn solution(&self, session: &mut dyn Session, problem: &Problem) -> Result<Solution, String> {
        session.set_fen(&problem.fen).map_err(|error| error.to_string())?;
        let first = problem.moves.split_whitespace().find(|word| !word.ends_with('.'));
        let by_move = self.by.map_or(first.is_some(), |by| by == By::Move);
        if by_move {
            let mv = first.ok_or("it has no moves")?;
            let mv =
                session.translate(mv, Notation::Pdn, Notation::HUB).map_err(|error| error.to_string())?;
            return Ok(Solution::Move(mv));
        }
        let white = match (problem.result.as_str(), self.winner) {
            ("1/2-1/2", _) => 0,
            ("1-0", Winner::White) | ("0-1", Winner::Black) => 1,
            ("0-1", Winner::White) | ("1-0", Winner::Black) => -1,
            (other, _) => return Err(format!("bad result '{other}': expected 1-0, 0-1 or 1/2-1/2")),
        };
        Ok(Solution::Result(if session.turn() == crate::board::Side::White { white } else { -white }))
    }
}

/// The problems of a file: an array, or an object a line.
fn read(text: &str) -> Result<Vec<Problem>, String> {
    let values = serde_json::Deserializer::from_str(text);
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    values.into_iter().collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// A search that knows of no other.
fn search(session: &mut dyn Session, problem: &Problem, nodes: u64) -> Outcome {
    // It has been read before.
    let _ = session.set_fen(&problem.fen);
    session.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    session.search(&limits, Notation::HUB, &Control::new(), &mut |_| {})
}

fn men(score: Score) -> f64 {
    f64::from(score.value()) / 100.0
}
