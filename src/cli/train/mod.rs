//! `soffio train`: what makes an evaluation out of games.

mod export;
mod fit;
mod selfplay;
mod stats;

use super::{Common, Either, Failure};
use clap::Subcommand;
use std::io::Write;

#[derive(Debug, Subcommand)]
pub(super) enum Train {
    /// Play games of the engine against itself and keep their quiet positions
    #[command(
        after_help = "Example: soffio train selfplay -v russian --games 20000 --seed 7 --out russian.games\n\
        The same command goes on with a file that is there, after any end; with more --games too. A game depends on its\n\
        number and on what the first line of the file says: not on --threads, nor on --games."
    )]
    Selfplay(selfplay::SelfplayArgs),
    /// Fit the weights of the evaluation to games
    #[command(
        after_help = "Example: soffio train fit -v russian russian.games --out russian.gz --plot loss.svg"
    )]
    Fit(fit::FitArgs),
    /// Check a file of weights and say what it is; copy it to where the program embeds it
    #[command(
        after_help = "Example: soffio train export -v russian russian.gz --out data/weights/russian.gz\n\
        A file is refused if it is damaged or for another rule set; without one it is the weights that the program carries."
    )]
    Export(Either<export::ExportArgs>),
    /// What is in files of games: results, lengths, material, and the results of the positions of each score
    #[command(after_help = "Example: soffio train stats --json russian.games more.games\n\
        The last table counts positions by score, in men from the side to move, with the results of their games from there.")]
    Stats(Either<stats::StatsArgs>),
}

pub(super) fn run<'a>(
    common: &impl Fn(bool) -> Common<'a>,
    what: &Train,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match what {
        Train::Selfplay(args) => selfplay::run(&common(false), args, out),
        Train::Fit(args) => fit::run(&common(false), args, out),
        Train::Export(of) => export::run(&common(of.json), &of.args, out),
        Train::Stats(of) => stats::run(&common(of.json), &of.args, out),
    }
}
