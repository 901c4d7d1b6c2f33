//! A distribution over `N` evenly spaced scores, and the normal distribution.

use super::Sample;

/// What stands for an empty class where every class needs a probability above 0; as in fishtest's `regularize`.
const PRIOR: f64 = 1e-3;

/// Probabilities of the scores 0, 1 / (N - 1), ..., 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classes<const N: usize> {
    /// They sum to 1.
    pub p: [f64; N],
}

impl<const N: usize> Classes<N> {
    /// The games of one observation.
    pub const GAMES: f64 = (N - 1) as f64 / 2.0;

    /// The score per game of a class.
    pub fn score(class: usize) -> f64 {
        class as f64 / (N - 1) as f64
    }

    /// One value for each score.
    pub fn map_scores(value: impl FnMut(f64) -> f64) -> [f64; N] {
        std::array::from_fn(Self::score).map(value)
    }

    /// The observed frequencies and the number of observations; none without any.
    pub fn observed(sample: &impl Sample<N>) -> Option<(Self, f64)> {
        Self::normalised(sample.counts().map(|count| count as f64))
    }

    /// The same, where a class without observations counts as a thousandth of one.
    pub fn regularised(sample: &impl Sample<N>) -> Option<(Self, f64)> {
        let counts = sample.counts().map(|count| count as f64);
        let any = counts.iter().any(|&count| count > 0.0);
        any.then(|| Self::normalised(counts.map(|count| if count > 0.0 { count } else { PRIOR }))).flatten()
    }

    fn normalised(weights: [f64; N]) -> Option<(Self, f64)> {
        let total: f64 = weights.iter().sum();
        (total > 0.0).then(|| (Self { p: weights.map(|weight| weight / total) }, total))
    }

    /// The expectation of the score.
    pub fn mean(&self) -> f64 {
        self.p.iter().enumerate().map(|(class, p)| p * Self::score(class)).sum()
    }

    /// The variance of the score of an observation.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.p.iter().enumerate().map(|(class, p)| p * (Self::score(class) - mean).powi(2)).sum()
    }
}

/// The probability that a standard normal variable is below `z`, to about 1e-15.
///
/// The series of Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004).
pub(super) fn normal_below(z: f64) -> f64 {
    // Here the distance to 0 or 1 is under 1e-15, and the series would need ever more terms.
    if z.abs() > 8.0 {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    0.5 + sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Tally};
    use super::*;

    #[test]
    fn normal_distribution_table() {
        // Abramowitz and Stegun, "Handbook of Mathematical Functions", table 26.1: P(x) to 15 places. The quantile
        // of 97.5 % is fastchess's constant (app/src/matchmaking/elo/elo.hpp).
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ];
        for (z, below) in table {
            assert!((normal_below(z) - below).abs() < 1e-14, "{z}");
            assert!((normal_below(-z) - (1.0 - below)).abs() < 1e-14, "-{z}");
        }
        assert!((normal_below(1.959_963_984_540_054) - 0.975).abs() < 1e-14);
        assert_eq!((normal_below(f64::INFINITY), normal_below(f64::NEG_INFINITY)), (1.0, 0.0));
        assert!((1.0 - normal_below(8.0)).abs() < 1e-14 && normal_below(-8.0).abs() < 1e-14);
    }

    #[test]
    fn moments() {
        let (fair, games) = Classes::observed(&Tally { wins: 1, draws: 2, losses: 1 }).unwrap();
        assert_eq!((fair.mean(), fair.variance(), games), (0.5, 0.125, 4.0));
        let (pairs, count) = Classes::observed(&Pentanomial([0, 0, 0, 2, 2])).unwrap();
        assert_eq!((pairs.mean(), pairs.variance(), count), (0.875, 0.015_625, 4.0));
        assert_eq!((Classes::<3>::GAMES, Classes::<5>::GAMES), (1.0, 2.0));
    }

    #[test]
    fn empty_classes_get_a_thousandth() {
        let (classes, total) = Classes::regularised(&Pentanomial([0, 0, 10, 0, 0])).unwrap();
        assert!((total - 10.004).abs() < 1e-12);
        assert!((classes.p[0] - 0.001 / 10.004).abs() < 1e-15);
        assert!(Classes::regularised(&Pentanomial::default()).is_none());
        assert!(Classes::observed(&Tally::default()).is_none());
    }
}
