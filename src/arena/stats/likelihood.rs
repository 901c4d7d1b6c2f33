//! Maximum-likelihood distributions under a hypothesis, and the generalised log-likelihood ratio.
//!
//! A hypothesis says that a linear function `phi` of the score has expectation 0. The most likely distribution under
//! it, given observed frequencies p, is `p[i] / (1 + theta phi[i])`, where theta solves the "secular equation"
//! `sum p[i] phi[i] / (1 + theta phi[i]) = 0`: Van den Bergh, "Comparing the approximations for the generalized log
//! likelihood ratio of a multinomial distribution", proposition 1.1.

use super::classes::Classes;

/// Rounds of the fixed point for normalised Elo before it is taken as it is. Five are usual; hundreds are for samples
/// that no match gives, such as far more double wins than pairs of a win and a draw.
const MOST_ROUNDS: usize = 1000;
/// The fixed point is reached when no probability moves by more.
const SETTLED: f64 = 1e-9;

/// A distribution most likely under a hypothesis: the factors of the observed probabilities are 1 / (1 + excess).
#[derive(Clone, Copy, Debug)]
pub(super) struct Tilted<const N: usize> {
    excess: [f64; N],
}

impl<const N: usize> Tilted<N> {
    /// Expectation `score` of the score, strictly between 0 and 1. No class of `observed` is empty.
    pub fn to_score(observed: &Classes<N>, score: f64) -> Self {
        Self::solved(observed, Classes::<N>::map_scores(|a| a - score))
    }

    /// `(expectation - 1/2) / deviation = t`, for an observation; `t` is finite. No class of `observed` is empty.
    ///
    /// Van den Bergh, "Comments on normalized Elo", section 4.1: the condition, linear in the distribution but for the
    /// deviation, is made linear at the last guess.
    pub fn to_t_value(observed: &Classes<N>, t: f64) -> Self {
        let mut guess = with_t_value(t);
        let mut tilted = Self { excess: [0.0; N] };
        for _ in 0..MOST_ROUNDS {
            tilted = Self::solved(observed, linear_condition(&guess, t));
            let next = tilted.distribution(observed);
            let moved = guess.p.iter().zip(next.p).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
            guess = next;
            if moved < SETTLED {
                break;
            }
        }
        tilted
    }

    fn solved(observed: &Classes<N>, phi: [f64; N]) -> Self {
        let theta = secular_root(&observed.p, &phi);
        Self { excess: phi.map(|phi| theta * phi) }
    }

    fn distribution(&self, observed: &Classes<N>) -> Classes<N> {
        Classes { p: std::array::from_fn(|class| observed.p[class] / (1.0 + self.excess[class])) }
    }
}

/// The log-likelihood ratio of `second` to `first` per observation.
pub(super) fn log_ratio<const N: usize>(observed: &Classes<N>, first: &Tilted<N>, second: &Tilted<N>) -> f64 {
    (0..N).map(|class| observed.p[class] * (first.excess[class].ln_1p() - second.excess[class].ln_1p())).sum()
}

/// The function of the score whose expectation is 0 where `expectation - 1/2 = t x deviation`, with the deviation
/// replaced by its tangent at `guess`.
fn linear_condition<const N: usize>(guess: &Classes<N>, t: f64) -> [f64; N] {
    let (mean, deviation) = (guess.mean(), guess.variance().sqrt());
    Classes::<N>::map_scores(|a| a - 0.5 - t * deviation * (1.0 + ((a - mean) / deviation).powi(2)) / 2.0)
}

/// Some distribution without an empty class that has the t-value `t`.
///
/// From a guess that fulfils the condition the tangent always has both signs, hence a solution: a tangent lies above
/// the (concave) deviation, so that for t > 0 later guesses have a t-value of at least `t`, and the condition's
/// function is below 0 at score 0 and above 0 somewhere; for t < 0 the mirror image holds. From the uniform
/// distribution, the usual guess, it has not for differences of more than some 230 normalised Elo.
fn with_t_value<const N: usize>(t: f64) -> Classes<N> {
    // A share `end` at the good end, the rest alike everywhere: mean - 1/2 = end / 2, and the variance is
    // (1 - end) x uniform + end / 4 - end^2 / 4. The condition, squared, is a quadratic equation for `end`.
    let uniform = (N + 1) as f64 / (12 * (N - 1)) as f64;
    let (square, half) = (t * t, t * t * (0.25 - uniform));
    let end = 2.0 * (half + (half * half + (1.0 + square) * square * uniform).sqrt()) / (1.0 + square);
    let mut p = [(1.0 - end) / N as f64; N];
    p[if t > 0.0 { N - 1 } else { 0 }] += end;
    Classes { p }
}

/// Solves `sum p[i] phi[i] / (1 + theta phi[i]) = 0` between the poles around 0; `phi` has both signs and no `p` is 0.
///
/// The sum falls from infinity to minus infinity there, so Newton's step is taken where it stays between what is
/// known to be too low and too high, else the middle.
fn secular_root<const N: usize>(p: &[f64; N], phi: &[f64; N]) -> f64 {
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let most = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let poles = (-1.0 / most, -1.0 / least);
    let (mut low, mut high) = poles;
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (p, phi) in p.iter().zip(phi) {
            let term = phi / (1.0 + theta * phi);
            sum += p * term;
            slope -= p * term * term;
        }
        *(if sum > 0.0 { &mut low } else { &mut high }) = theta;
        let newton = theta - sum / slope;
        let inside = low < newton && newton < high;
        let next = if inside { newton } else { (low + high) / 2.0 };
        let step = (next - theta).abs();
        theta = next;
        // Newton's error after a step is of the order of its square over the distance to the pole.
        if step == 0.0 || inside && step <= 1e-7 * (theta - poles.0).min(poles.1 - theta) {
            break;
        }
    }
    theta
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Tally};
    use super::*;

    fn regularised(sample: Tally) -> Classes<3> {
        Classes::regularised(&sample).unwrap().0
    }

    /// The log-likelihood, per game, of the most likely wins, draws and losses with t-value `t`, found by narrowing
    /// down the share of draws: with it the condition leaves one choice, mean - 1/2 = t x deviation.
    fn best_by_search(observed: &Classes<3>, t: f64) -> f64 {
        let likelihood = |draws: f64| {
            let half_gain = t / (1.0 + t * t).sqrt() * (1.0 - draws).sqrt() / 2.0;
            let [losses, wins] = [-half_gain, half_gain].map(|gain| (1.0 - draws) / 2.0 + gain);
            if losses.min(wins) <= 0.0 {
                return f64::NEG_INFINITY;
            }
            observed.p[0] * losses.ln() + observed.p[1] * draws.ln() + observed.p[2] * wins.ln()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let third = (high - low) / 3.0;
            if likelihood(low + third) < likelihood(high - third) { low += third } else { high -= third }
        }
        likelihood((low + high) / 2.0)
    }

    #[test]
    fn no_distribution_with_the_t_value_is_more_likely() {
        let samples = [(300, 700, 200), (4250, 0, 0), (0, 16700, 0), (1, 0, 9), (3, 90, 20), (50, 900, 50)];
        for (wins, draws, losses) in samples {
            let observed = regularised(Tally { wins, draws, losses });
            for (t0, t1) in [(0.0, 0.03), (-0.2, 0.01), (0.5, 1.0), (-3.0, -1.0)] {
                let [first, second] = [t0, t1].map(|t| Tilted::to_t_value(&observed, t));
                let found = log_ratio(&observed, &first, &second);
                let expected = best_by_search(&observed, t1) - best_by_search(&observed, t0);
                assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{found} {expected}");
            }
        }
    }

    #[test]
    fn the_first_guess_has_the_t_value() {
        for t in [-8.0, -0.03, 0.0, 0.5, 8.0] {
            let (three, five) = (with_t_value::<3>(t), with_t_value::<5>(t));
            assert!(((three.mean() - 0.5) / three.variance().sqrt() - t).abs() < 1e-9);
            assert!(((five.mean() - 0.5) / five.variance().sqrt() - t).abs() < 1e-9);
            assert!(five.p.iter().all(|&p| p > 0.0) && (five.p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn hypotheses_are_fulfilled() {
        let samples =
            [[13, 37, 50, 25, 3], [0, 0, 9, 0, 0], [0, 0, 0, 0, 1], [5, 0, 0, 0, 5], [1, 90, 800, 110, 2]];
        for sample in samples {
            let (observed, _) = Classes::regularised(&Pentanomial(sample)).unwrap();
            for t in [-8.0, -1.0, -0.01, 0.0, 0.02, 0.7, 8.0] {
                let found = Tilted::to_t_value(&observed, t).distribution(&observed);
                assert!((found.p.iter().sum::<f64>() - 1.0).abs() < 1e-7, "{sample:?} {t}");
                assert!(((found.mean() - 0.5) / found.variance().sqrt() - t).abs() < 1e-6, "{sample:?} {t}");
            }
            for score in [0.001, 0.4, 0.5, 0.9, 0.999] {
                let found = Tilted::to_score(&observed, score).distribution(&observed);
                assert!((found.p.iter().sum::<f64>() - 1.0).abs() < 1e-7, "{sample:?} {score}");
                assert!((found.mean() - score).abs() < 1e-7, "{sample:?} {score}");
            }
        }
    }

    #[test]
    fn what_fulfils_the_hypothesis_stays_as_it_is() {
        let observed = regularised(Tally { wins: 30, draws: 100, losses: 30 });
        for tilted in [Tilted::to_score(&observed, 0.5), Tilted::to_t_value(&observed, 0.0)] {
            let found = tilted.distribution(&observed);
            assert!(found.p.iter().zip(observed.p).all(|(found, observed)| (found - observed).abs() < 1e-12));
        }
    }
}
