//! Elo of a score, and what a match says of it.

use super::classes::{Classes, normal_below};
use super::{Model, Sample};

/// Normalised Elo per unit of (score - 1/2) / deviation: 800 / ln 10, so that it equals logistic Elo for small
/// differences without draws. Van den Bergh, "Comments on normalized Elo"; fishtest, `LLRcalc.py`.
pub(super) const NELO_PER_T: f64 = 347.435_585_522_601_46;
/// The quantile of a standard normal variable that 97.5 % are below: an interval of 95 % reaches so many standard
/// errors to each side.
const Z95: f64 = 1.959_963_984_540_054;

/// The expected score, in 0..=1, of a player who is `elo` stronger: 1 / (1 + 10^(-elo / 400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo difference at which `score` is expected: -400 log10(1 / score - 1); infinite at 0 and 1, none
/// outside 0..=1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    // Adding 0 turns the -0 of an even score into 0.
    (0.0..=1.0).contains(&score).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// The expected score at a normalised Elo difference: 1/2 + nelo x deviation x ln 10 / 800, held to 0..=1.
///
/// `deviation` is the standard deviation of the score of a game ([`Estimate::deviation`]).
pub fn score_of_nelo(nelo: f64, deviation: f64) -> f64 {
    (0.5 + nelo * deviation / NELO_PER_T).clamp(0.0, 1.0)
}

/// The normalised Elo difference of a score: (score - 1/2) / deviation x 800 / ln 10.
///
/// `deviation` is the standard deviation of the score of a game ([`Estimate::deviation`]); where it is 0 the answer
/// is infinite, and none for an even score.
pub fn nelo_of_score(score: f64, deviation: f64) -> Option<f64> {
    let nelo = (score - 0.5) / deviation * NELO_PER_T;
    (!nelo.is_nan()).then_some(nelo)
}

impl Model {
    /// The expected score, in 0..=1, at a difference of `elo` in this model; `deviation`, the standard deviation of
    /// the score of a game, matters to [`Model::Normalized`] only.
    pub fn score(self, elo: f64, deviation: f64) -> f64 {
        match self {
            Self::Logistic => score_of_elo(elo),
            Self::Normalized => score_of_nelo(elo, deviation),
        }
    }

    /// The difference in this model at which `score` is expected; `deviation` as in [`Model::score`]. See
    /// [`elo_of_score`] and [`nelo_of_score`] for the edges.
    pub fn elo(self, score: f64, deviation: f64) -> Option<f64> {
        match self {
            Self::Logistic => elo_of_score(score),
            Self::Normalized => nelo_of_score(score, deviation),
        }
    }
}

/// What a match says of the difference in strength, from the first engine's view. No number in it is NaN.
///
/// Errors are half the width of the interval of 95 % that the normal distribution gives, as in fastchess and in
/// fishtest (`stat_util.py`), without a prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Points per game, in 0..=1.
    pub score: f64,
    /// The standard deviation of the score of a game, in 0..=1/2 x sqrt(2); of pairs it is sqrt(2) times that of the
    /// pair's score per game, so that the ballots' bias is left out.
    pub deviation: f64,
    /// Logistic Elo, infinite if every point or none was won.
    pub elo: f64,
    /// The ends of the interval of 95 % of `elo`, low and high, either may be infinite; none where all observations
    /// are alike, since these say nothing of their spread.
    pub elo_interval: Option<(f64, f64)>,
    /// Half the width of that interval where both ends are finite.
    pub elo_error: Option<f64>,
    /// Normalised Elo; where all observations are alike it is infinite, and none if they are even.
    pub nelo: Option<f64>,
    /// Half the width of its interval of 95 %: it depends on the number of games alone; none where all observations
    /// are alike. Fishtest corrects it for skewness and kurtosis, which fastchess and this leave out.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the probability, in 0..=1, that the first engine is the stronger.
    pub los: f64,
}

impl Estimate {
    /// The estimate from games or pairs; none without any.
    pub fn of<const N: usize>(sample: &impl Sample<N>) -> Option<Self> {
        let (classes, total) = Classes::observed(sample)?;
        // From the counts, not from their shares, so that an even score is 1/2 to the last bit.
        let points: f64 =
            sample.counts().into_iter().zip(0..).map(|(count, class)| f64::from(class) * count as f64).sum();
        let score = points / ((N - 1) as f64 * total);
        let alike = classes.p.contains(&1.0);
        let variance = if alike { 0.0 } else { classes.variance() };
        let deviation = (variance * Classes::<N>::GAMES).sqrt();
        let standard_error = (variance / total).sqrt();
        let elo_interval = (!alike).then(|| interval(score, Z95 * standard_error));
        Some(Self {
            score,
            deviation,
            elo: elo_of_score(score)?,
            elo_interval,
            elo_error: elo_interval.map(|(low, high)| (high - low) / 2.0).filter(|error| error.is_finite()),
            nelo: nelo_of_score(score, deviation),
            nelo_error: (!alike).then(|| Z95 * NELO_PER_T / (total * Classes::<N>::GAMES).sqrt()),
            los: superiority(score, standard_error),
        })
    }
}

/// The Elo of a score less and more an error; what is beyond 0 or 1 is infinite.
fn interval(score: f64, error: f64) -> (f64, f64) {
    let elo = |score: f64| elo_of_score(score.clamp(0.0, 1.0)).unwrap_or(0.0);
    (elo(score - error), elo(score + error))
}

fn superiority(score: f64, standard_error: f64) -> f64 {
    if score == 0.5 { 0.5 } else { normal_below((score - 0.5) / standard_error) }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Tally};
    use super::*;

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-1000.0, -200.0, -3.5, 0.0, 1.0, 400.0, 2000.0] {
            let back = elo_of_score(score_of_elo(elo)).unwrap();
            assert!((back - elo).abs() < 1e-6, "{elo} {back}");
            for deviation in [0.1, 0.3, 0.5] {
                let score = score_of_nelo(elo / 10.0, deviation);
                assert!((nelo_of_score(score, deviation).unwrap() - elo / 10.0).abs() < 1e-9);
                assert_eq!(Model::Normalized.score(elo / 10.0, deviation), score);
            }
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert_eq!(Model::Logistic.elo(0.75, 0.1), elo_of_score(0.75));
        assert_eq!(Model::Normalized.elo(0.75, 0.1), nelo_of_score(0.75, 0.1));
    }

    #[test]
    fn normalised_elo_is_logistic_elo_for_small_differences_without_draws() {
        assert!((NELO_PER_T - 800.0 / 10f64.ln()).abs() < 1e-12);
        assert!((nelo_of_score(score_of_elo(1.0), 0.5).unwrap() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn scores_out_of_range_have_no_elo() {
        assert_eq!(elo_of_score(0.5), Some(0.0));
        assert!(elo_of_score(0.5).unwrap().is_sign_positive());
        assert_eq!(elo_of_score(1.0), Some(f64::INFINITY));
        assert_eq!(elo_of_score(0.0), Some(f64::NEG_INFINITY));
        assert_eq!([elo_of_score(-0.1), elo_of_score(1.1), elo_of_score(f64::NAN)], [None; 3]);
        assert_eq!([nelo_of_score(0.5, 0.0), nelo_of_score(1.0, 0.0)], [None, Some(f64::INFINITY)]);
        assert_eq!([score_of_nelo(5000.0, 0.5), score_of_nelo(-5000.0, 0.5)], [1.0, 0.0]);
    }

    #[test]
    fn nothing_played_says_nothing() {
        assert_eq!(Estimate::of(&Tally::default()), None);
        assert_eq!(Estimate::of(&Pentanomial::default()), None);
    }

    #[test]
    fn all_won_is_infinite() {
        for count in [1, 3, 7, 1000] {
            let estimate = Estimate::of(&Pentanomial([0, 0, 0, 0, count])).unwrap();
            assert_eq!((estimate.score, estimate.elo, estimate.los), (1.0, f64::INFINITY, 1.0));
            assert_eq!((estimate.elo_interval, estimate.elo_error, estimate.nelo_error), (None, None, None));
            assert_eq!(estimate.nelo, Some(f64::INFINITY));
            let lost = Estimate::of(&Tally { losses: count, ..Default::default() }).unwrap();
            assert_eq!((lost.score, lost.elo, lost.los), (0.0, f64::NEG_INFINITY, 0.0));
        }
    }

    #[test]
    fn all_drawn_is_even_with_unknown_spread() {
        let estimate = Estimate::of(&Pentanomial([0, 0, 3, 0, 0])).unwrap();
        assert_eq!((estimate.score, estimate.elo, estimate.los), (0.5, 0.0, 0.5));
        assert_eq!((estimate.nelo, estimate.elo_error, estimate.deviation), (None, None, 0.0));
    }

    #[test]
    fn an_even_match_is_even() {
        for pairs in [[3, 7, 5, 7, 3], [1, 0, 9, 2, 0], [10, 1, 13, 1, 10]] {
            let estimate = Estimate::of(&Pentanomial(pairs)).unwrap();
            assert_eq!(
                (estimate.score, estimate.elo, estimate.nelo, estimate.los),
                (0.5, 0.0, Some(0.0), 0.5)
            );
        }
    }

    #[test]
    fn an_interval_over_the_edge_is_infinite_at_that_end() {
        let estimate = Estimate::of(&Tally { wins: 9, draws: 0, losses: 1 }).unwrap();
        let (low, high) = estimate.elo_interval.unwrap();
        assert!(low.is_finite() && low < estimate.elo && high == f64::INFINITY);
        assert_eq!(estimate.elo_error, None);
    }

    #[test]
    fn the_other_view_changes_the_sign() {
        let pairs = Pentanomial([3, 20, 100, 31, 4]);
        let (one, other) = (Estimate::of(&pairs).unwrap(), Estimate::of(&pairs.flipped()).unwrap());
        assert!((one.elo + other.elo).abs() < 1e-9 && one.elo > 0.0);
        assert!((one.nelo.unwrap() + other.nelo.unwrap()).abs() < 1e-9);
        assert!((one.los + other.los - 1.0).abs() < 1e-12);
        assert!((one.elo_error.unwrap() - other.elo_error.unwrap()).abs() < 1e-9);
    }
}
