//! Tunes the numbers of the tree search by SPSA (Spall 1992): two engines that differ by a random step in every number
//! play pairs of games, and the numbers move towards the winner.
//!
//! `cargo run --release --example spsa -- --variants italian,international --nodes 5000 --state spsa.json late:1
//! probcut_margin:3`
//!
//! A number is named with the step it is tried with (`soffio::search::Tunables` has the names). The state is written after
//! each iteration; the same command goes on from there. Every iteration prints the numbers as they stand.

use clap::Parser;
use serde::{Deserialize, Serialize};
use soffio::arena::contestant::Contestant;
use soffio::arena::openings::{Book, OpeningOptions};
use soffio::arena::runner::Match;
use soffio::arena::schedule::{Form, Schedule};
use soffio::rng::Rng;
use soffio::rules::{self, Game};
use soffio::search::Tunables;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Parser)]
struct Args {
    /// Numbers as NAME:STEP
    #[arg(required = true)]
    numbers: Vec<String>,
    /// The engine's program
    #[arg(long, default_value = "target/release/soffio")]
    engine: String,
    /// Rule sets, used in turn
    #[arg(long, value_delimiter = ',', default_value = "italian")]
    variants: Vec<String>,
    /// Nodes a move
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 16)]
    pairs: usize,
    #[arg(long, default_value_t = 200)]
    iterations: u64,
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// Steps that a clean win of all games moves a number by, at the beginning
    #[arg(long, default_value_t = 2.0)]
    rate: f64,
    /// Where the numbers are kept between iterations
    #[arg(long)]
    state: PathBuf,
}

/// A number that is tuned.
#[derive(Clone, Serialize, Deserialize)]
struct Number {
    name: String,
    step: f64,
    value: f64,
}

#[derive(Serialize, Deserialize)]
struct State {
    iteration: u64,
    numbers: Vec<Number>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let mut state = open(&args)?;
    while state.iteration < args.iterations {
        iterate(&args, &mut state)?;
        std::fs::write(&args.state, serde_json::to_string_pretty(&state)?)?;
        let numbers = state.numbers.iter().map(|number| format!("{} {:.2}", number.name, number.value));
        println!("{}: {}", state.iteration, numbers.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// The state of the file if there is one, else the defaults.
fn open(args: &Args) -> Result<State> {
    if Path::new(&args.state).exists() {
        return Ok(serde_json::from_str(&std::fs::read_to_string(&args.state)?)?);
    }
    let numbers = args.numbers.iter().map(|text| {
        let (name, step) = text.split_once(':').ok_or_else(|| format!("'{text}' is not NAME:STEP"))?;
        let value =
            *Tunables::default().get_mut(name).ok_or_else(|| format!("no number is called '{name}'"))?;
        Ok(Number { name: name.to_owned(), step: step.parse()?, value: f64::from(value) })
    });
    Ok(State { iteration: 0, numbers: numbers.collect::<Result<_>>()? })
}

/// One step of the numbers.
fn iterate(args: &Args, state: &mut State) -> Result<()> {
    state.iteration += 1;
    let mut rng = Rng::new(state.iteration);
    let shrunk = (state.iteration as f64).powf(-0.101);
    let signs: Vec<f64> = state.numbers.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
    let tries = [1.0, -1.0].map(|side| {
        let values = state.numbers.iter().zip(&signs).map(|(number, sign)| {
            let value = number.value + side * sign * (number.step * shrunk).max(0.5);
            format!("option.tune.{}={}", number.name, within(&number.name, value).round())
        });
        values.collect::<Vec<_>>().join(" ")
    });
    let result = play(args, state.iteration, &tries)?;
    let rate = args.rate * (1.0 + state.iteration as f64 / 20.0).powf(-0.602);
    for (number, sign) in state.numbers.iter_mut().zip(&signs) {
        number.value = within(&number.name, number.value + rate * number.step * sign * result);
    }
    Ok(())
}

fn within(name: &str, value: f64) -> f64 {
    let range = Tunables::TABLE.iter().find(|(known, ..)| *known == name).map(|(_, _, range)| range);
    range.map_or(value, |range| value.clamp(f64::from(*range.start()), f64::from(*range.end())))
}

/// The result of the first against the second, from -1 to 1.
fn play(args: &Args, iteration: u64, tries: &[String; 2]) -> Result<f64> {
    let variant = &args.variants[iteration as usize % args.variants.len()];
    let game = Game::new(rules::find(variant)?);
    let contestants = tries.iter().zip(["plus", "minus"]).map(|(options, name)| {
        let line = format!("cmd={} name={name} nodes={} {options}", args.engine, args.nodes);
        Contestant::parse(&line, &[])
    });
    let contest = Match {
        book: Book::load(&game, &OpeningOptions::default(), iteration)?,
        game,
        contestants: contestants.collect::<std::result::Result<_, _>>()?,
        schedule: Schedule::new(Form::RoundRobin, 2, args.pairs),
        rules: Default::default(),
        concurrency: args.concurrency,
        sprt: None,
    };
    let (standings, _) = contest.run::<()>(Vec::new(), &Arc::new(AtomicBool::new(false)), &mut |_| Ok(()));
    let json = standings.json(&["plus", "minus"], None);
    let count = |key: &str| json["engines"][0][key].as_f64().unwrap_or(0.0);
    let games = count("wins") + count("draws") + count("losses");
    if games == 0.0 {
        return Err("no game was played".into());
    }
    Ok((count("wins") - count("losses")) / games)
}
