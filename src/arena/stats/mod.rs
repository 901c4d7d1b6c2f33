//! The statistics of a match: Elo with its error, likelihood of superiority, and the sequential test.
//!
//! Pure mathematics on counts. A match of pairs (each opening played twice with sides changed) is a
//! [`Pentanomial`] or a [`PairTally`], a match of single games a [`Tally`]; all are from the first engine's view.
//! Pairs are the better sample: the two games of an opening depend on each other, two pairs do not.
//!
//! Names, models and conventions are those of fastchess and of Stockfish's fishtest, so that figures can be
//! compared. Sources of the formulas:
//!
//! - Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945): the bounds;
//! - Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
//!   distribution", <https://www.cantate.be/Fishtest/comparing_approximations.pdf>: the ratio for logistic Elo;
//! - Van den Bergh, "Comments on normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>:
//!   normalised Elo and the ratio for it.

mod classes;
mod elo;
#[cfg(test)]
mod figures;
mod likelihood;
#[cfg(test)]
mod simulations;
mod sprt;
pub mod summary;
mod tally;

pub use elo::{Estimate, elo_of_score, nelo_of_score, score_of_elo, score_of_nelo};
pub use sprt::{MAX_ELO, Model, ModelError, Sprt, SprtError, SprtSettings, Verdict};
pub use tally::{Outcome, PairTally, Pentanomial, Sample, Tally};
