//! `soffio train fit`: from positions to weights.

use crate::board::Side;
use crate::cli::progress::line;
use crate::cli::{Common, Failure};
use crate::engine::{self, Session};
use crate::eval::Model;
use crate::eval::features::{GENERAL, Squares};
use crate::train::fit::{Progress, Samples, Settings, fit};
use crate::train::{Data, Record, Sample};
use clap::Args;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

/// Of the positions in the order of the files one block of so many in so many is held out.
const BLOCK: usize = 1000;
const HELD_OUT: usize = 20;
/// Scores beyond this are proofs, of which an evaluation has nothing to learn.
const DECIDED: i32 = 3000;

#[derive(Debug, Args)]
pub(in crate::cli) struct FitArgs {
    /// Files of `soffio train selfplay`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw the losses as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// How often all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 32768)]
    batch: usize,
    /// How far a weight moves in a step at the beginning, in 1/100 man
    #[arg(long, value_name = "X", default_value_t = 2.0)]
    rate: f32,
    /// Share of a pattern's weight that is lost in a step of rate 1
    #[arg(long, value_name = "X", default_value_t = 0.0005)]
    decay: f32,
    /// Gradient a position below which a weight hardly moves
    #[arg(long, value_name = "X", default_value_t = 0.00001)]
    rare: f32,
    /// Share of the game's result in the target; the rest is the score of the search
    #[arg(long, value_name = "X", default_value_t = 0.6)]
    result_share: f32,
    /// Score whose expected result is 0.731, in 1/100 man; by default the one that suits the scores of the files best
    #[arg(long, value_name = "X")]
    scale: Option<f32>,
    /// Seed of the order of the positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Fits weights and writes them.
pub(super) fn run(common: &Common<'_>, args: &FitArgs, out: &mut impl Write) -> Result<(), Failure> {
    let game = common.game()?;
    let session = engine::open(game);
    let (count, general) = session.features().ok_or_else(|| failed("this game has no learned evaluation"))?;
    let [samples, held_out] = load(session.as_ref(), &args.files)?;
    if samples.is_empty() || held_out.is_empty() {
        return Err(failed("too few games: at least 20 are needed"));
    }
    let settings = Settings {
        scale: args.scale.unwrap_or_else(|| samples.best_scale()),
        result_share: args.result_share,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        decay: args.decay,
        rare: args.rare,
        general,
        seed: args.seed,
    };
    line(&format!("{} positions, {} held out, scale {:.1}", samples.len(), held_out.len(), settings.scale));
    let mut weights = begin(count);
    let mut losses = Vec::new();
    fit(&samples, &held_out, &settings, &mut weights, &mut |progress| {
        line(&format!(
            "epoch {} loss {:.5} held out {:.5}",
            progress.epoch, progress.loss, progress.held_out
        ));
        losses.push(progress);
    });
    let last = losses.last().map_or(0.0, |progress| progress.held_out);
    let (positions, scale, odds) = (samples.len(), settings.scale, samples.odds().note());
    let note = format!("positions={positions} scale={scale:.1} {odds} loss={last:.5}");
    let model = Model::new(&weights, note);
    let file = model.write(session.game().set).map_err(failed)?;
    std::fs::write(&args.out, &file).map_err(|error| failed(format!("{}: {error}", args.out.display())))?;
    if let Some(path) = &args.plot {
        std::fs::write(path, plot(&losses))
            .map_err(|error| failed(format!("{}: {error}", path.display())))?;
    }
    for (name, [opening, ending]) in GENERAL.iter().zip(&weights) {
        writeln!(out, "{name}: {opening:.1} {ending:.1}")?;
    }
    Ok(writeln!(out, "held out: {last:.5}")?)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// Where a fit begins: a man is a man.
fn begin(count: usize) -> Vec<[f32; 2]> {
    let mut weights = vec![[0.0; 2]; count];
    for (name, weight) in GENERAL.iter().zip(&mut weights) {
        *weight = match *name {
            "men" => [100.0; 2],
            "kings" => [160.0; 2],
            _ => [0.0; 2],
        };
    }
    weights
}

/// The positions of the files: to learn from, and held out. The positions of a game stand together, so that whole games are
/// held out but for a few.
fn load(session: &dyn Session, files: &[PathBuf]) -> Result<[Samples; 2], Failure> {
    let (first, rest) = files.split_first().ok_or_else(|| failed("no files"))?;
    let rest: Vec<_> = rest.iter().map(PathBuf::as_path).collect();
    let data = Data::load(first.as_path(), &rest, &mut |_| {}).map_err(failed)?;
    let (has, needs) = (&data.header().variant, session.game().set.id);
    if has != needs {
        return Err(failed(format!("{}: games of {has}, not of {needs}", first.display())));
    }
    let mut parts = [Samples::new(), Samples::new()];
    let mut features = Vec::new();
    for place in 0..data.len() {
        let Sample { record, result, .. } = data.sample(place);
        let Record { white, black, kings, turn, score } = record;
        if i32::from(score).abs() >= DECIDED {
            continue;
        }
        features.clear();
        let opening = session.features_of(&Squares { white, black, kings, turn }, &mut features);
        let sign = if turn == Side::White { 1.0 } else { -1.0 };
        let part = &mut parts[usize::from(place / BLOCK % HELD_OUT == 0)];
        part.push(features.iter().copied(), opening, result, sign * f32::from(score));
    }
    Ok(parts)
}

/// The losses by epoch as SVG: black those of the positions learnt from, red those held out.
fn plot(losses: &[Progress]) -> String {
    let values = || losses.iter().flat_map(|progress| [progress.loss, progress.held_out]);
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let curve = |of: fn(&Progress) -> f64, colour: &str| {
        let points = losses.iter().enumerate().fold(String::new(), |mut text, (index, progress)| {
            let x = 60.0 + 520.0 * index as f64 / (losses.len() - 1).max(1) as f64;
            let y = 20.0 + 240.0 * (high - of(progress)) / (high - low).max(1e-9);
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        });
        format!("<polyline fill='none' stroke='{colour}' stroke-width='2' points='{}'/>\n", points.trim_end())
    };
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 600 300' font-family='sans-serif' font-size='12'>\n\
         <rect width='600' height='300' fill='white'/>\n\
         <path d='M60 20V260H580' fill='none' stroke='gray'/>\n\
         <text x='4' y='24'>{high:.4}</text><text x='4' y='264'>{low:.4}</text>\n\
         <text x='60' y='280'>epoch 1</text><text x='580' y='280' text-anchor='end'>{}</text>\n\
         <text x='320' y='295' text-anchor='middle'>loss: learnt from (black), held out (red)</text>\n{}{}</svg>\n",
        losses.len(),
        curve(|progress| progress.loss, "black"),
        curve(|progress| progress.held_out, "red"),
    )
}
