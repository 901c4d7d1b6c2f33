//! The sequential probability ratio test.

use std::fmt;
use std::str::FromStr;

use super::Sample;
use super::classes::Classes;
use super::elo::{NELO_PER_T, score_of_elo};
use super::likelihood::{Tilted, log_ratio};

/// The largest Elo, of either sign, that a hypothesis may have: at more a score is 0 or 1 but for a hundred-thousandth.
pub const MAX_ELO: f64 = 2000.0;

/// In which Elo the hypotheses of a test are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Elo of the expected score alone; how long a test takes depends on the rate of draws and on the ballots.
    Logistic,
    /// Elo in units of the score's deviation, fastchess's default: how long a test takes depends on the hypotheses
    /// alone.
    #[default]
    Normalized,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for Model {
    type Err = ModelError;

    fn from_str(name: &str) -> Result<Self, ModelError> {
        [Self::Logistic, Self::Normalized]
            .into_iter()
            .find(|model| model.to_string() == name)
            .ok_or_else(|| ModelError(name.to_owned()))
    }
}

/// A name that is no [`Model`]'s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError(pub String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no Elo model; expected normalized or logistic", self.0)
    }
}

impl std::error::Error for ModelError {}

/// What a test is to decide, and how surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSettings {
    /// H0: the first engine is stronger by this much, in Elo of `model`, or less.
    pub elo0: f64,
    /// H1: it is stronger by this much or more; above `elo0`.
    pub elo1: f64,
    /// The probability, strictly between 0 and 1, that H1 is accepted at a true difference of `elo0`.
    pub alpha: f64,
    /// The probability, strictly between 0 and 1, that H0 is accepted at a true difference of `elo1`; `alpha + beta`
    /// is below 1.
    pub beta: f64,
    /// What the two differences mean.
    pub model: Model,
}

impl Default for SprtSettings {
    /// The usual test for a gain: 0 against 5 normalised Elo at 5 % each.
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized }
    }
}

/// Why [`SprtSettings`] make no test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SprtError {
    /// This bound is no number, or beyond [`MAX_ELO`].
    Elo(f64),
    /// `elo0` is not below `elo1`.
    Order {
        /// The bound of H0.
        elo0: f64,
        /// The bound of H1.
        elo1: f64,
    },
    /// `alpha` is not between 0 and 1.
    Alpha(f64),
    /// `beta` is not between 0 and 1.
    Beta(f64),
    /// `alpha + beta` is 1 or more, so that tossing a coin would do better.
    Sum(f64),
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elo(elo) => write!(f, "an SPRT bound of {elo} Elo; expected -{MAX_ELO} to {MAX_ELO}"),
            Self::Order { elo0, elo1 } => write!(f, "elo0={elo0} elo1={elo1}; expected elo0 below elo1"),
            Self::Alpha(alpha) => write!(f, "alpha={alpha}; expected a number between 0 and 1"),
            Self::Beta(beta) => write!(f, "beta={beta}; expected a number between 0 and 1"),
            Self::Sum(sum) => write!(f, "alpha + beta = {sum}; expected a sum below 1"),
        }
    }
}

impl std::error::Error for SprtError {}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Undecided: play on.
    Running,
    /// H0 is accepted: the first engine is not stronger by `elo1`.
    H0,
    /// H1 is accepted: it is stronger than by `elo0`.
    H1,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// A sequential test of H0 against H1, to be asked after each observation.
///
/// The generalised test (GSPRT) of fishtest and fastchess: what the hypotheses leave open, such as the rate of draws,
/// is taken at its most likely under each. As there, a class of results not yet seen counts as a thousandth of an
/// observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    settings: SprtSettings,
    lower: f64,
    upper: f64,
}

impl Sprt {
    /// A test with these settings.
    ///
    /// # Errors
    ///
    /// The first fault found in the settings.
    pub fn new(settings: SprtSettings) -> Result<Self, SprtError> {
        let SprtSettings { elo0, elo1, alpha, beta, .. } = settings;
        let probability = |p: f64| 0.0 < p && p < 1.0;
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| !(-MAX_ELO..=MAX_ELO).contains(elo)) {
            return Err(SprtError::Elo(elo));
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        if !probability(alpha) {
            return Err(SprtError::Alpha(alpha));
        }
        if !probability(beta) {
            return Err(SprtError::Beta(beta));
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Sum(alpha + beta));
        }
        Ok(Self { settings, lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() })
    }

    /// What the test was made from.
    pub fn settings(&self) -> &SprtSettings {
        &self.settings
    }

    /// At this log-likelihood ratio or less H0 is accepted: ln(beta / (1 - alpha)), below 0. Wald 1945.
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// At this log-likelihood ratio or more H1 is accepted: ln((1 - beta) / alpha), above 0. Wald 1945.
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// The generalised log-likelihood ratio (LLR) of H1 to H0 in nats; 0 for an empty sample, never NaN.
    ///
    /// Of pairs ([`super::Pentanomial`], [`super::PairTally`]) where there are pairs, else of games
    /// ([`super::Tally`]). The sources are at [`super`].
    pub fn llr<const N: usize>(&self, sample: &impl Sample<N>) -> f64 {
        let Some((observed, total)) = Classes::regularised(sample) else { return 0.0 };
        let [first, second] = [self.settings.elo0, self.settings.elo1].map(|elo| match self.settings.model {
            Model::Logistic => Tilted::to_score(&observed, score_of_elo(elo)),
            // The mean of several games deviates less than one game, by the root of their number.
            Model::Normalized => Tilted::to_t_value(&observed, elo / NELO_PER_T * Classes::<N>::GAMES.sqrt()),
        });
        total * log_ratio(&observed, &first, &second)
    }

    /// Where the test stands with these observations.
    pub fn status<const N: usize>(&self, sample: &impl Sample<N>) -> Verdict {
        self.verdict(self.llr(sample))
    }

    /// Where the test stands at this log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper {
            Verdict::H1
        } else if llr <= self.lower {
            Verdict::H0
        } else {
            Verdict::Running
        }
    }

    /// How much of the way to a bound a log-likelihood ratio has come: 1 at the upper, -1 at the lower bound.
    pub fn progress(&self, llr: f64) -> f64 {
        if llr >= 0.0 { llr / self.upper } else { -llr / self.lower }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PairTally, Pentanomial, Tally};
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(SprtSettings { elo0, elo1, model, ..Default::default() }).unwrap()
    }

    #[test]
    fn faulty_settings_are_named() {
        let good = SprtSettings::default();
        let fault = |settings| Sprt::new(settings).unwrap_err().to_string();
        assert_eq!(
            fault(SprtSettings { elo0: f64::NAN, ..good }),
            "an SPRT bound of NaN Elo; expected -2000 to 2000"
        );
        assert_eq!(
            Sprt::new(SprtSettings { elo1: f64::INFINITY, ..good }),
            Err(SprtError::Elo(f64::INFINITY))
        );
        assert_eq!(fault(SprtSettings { elo0: 5.0, ..good }), "elo0=5 elo1=5; expected elo0 below elo1");
        assert_eq!(fault(SprtSettings { alpha: 0.0, ..good }), "alpha=0; expected a number between 0 and 1");
        assert_eq!(fault(SprtSettings { beta: 1.0, ..good }), "beta=1; expected a number between 0 and 1");
        assert!(fault(SprtSettings { beta: f64::NAN, ..good }).starts_with("beta=NaN"));
        let half = SprtSettings { alpha: 0.5, beta: 0.5, ..good };
        assert_eq!(fault(half), "alpha + beta = 1; expected a sum below 1");
    }

    #[test]
    fn models_have_names() {
        for model in [Model::Logistic, Model::Normalized] {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        let error = "bayesian".parse::<Model>().unwrap_err();
        assert_eq!(error.to_string(), "`bayesian` is no Elo model; expected normalized or logistic");
    }

    #[test]
    fn verdicts_at_the_bounds() {
        let test = sprt(0.0, 5.0, Model::Normalized);
        assert_eq!(test.verdict(test.upper()), Verdict::H1);
        assert_eq!(test.verdict(test.lower()), Verdict::H0);
        assert_eq!(test.verdict(0.0), Verdict::Running);
        assert_eq!(
            (test.progress(test.upper()), test.progress(test.lower()), test.progress(0.0)),
            (1.0, -1.0, 0.0)
        );
    }

    #[test]
    fn an_empty_sample_says_nothing() {
        for model in [Model::Logistic, Model::Normalized] {
            let test = sprt(-3.0, 5.0, model);
            assert_eq!((test.llr(&Pentanomial::default()), test.llr(&Tally::default())), (0.0, 0.0));
            assert_eq!(test.status(&PairTally::default()), Verdict::Running);
        }
    }

    #[test]
    fn the_other_view_exchanges_the_hypotheses() {
        let pairs = Pentanomial([7, 40, 300, 55, 3]);
        for model in [Model::Logistic, Model::Normalized] {
            let (one, other) = (sprt(-2.0, 7.0, model), sprt(-7.0, 2.0, model));
            assert!((one.llr(&pairs) + other.llr(&pairs.flipped())).abs() < 1e-9);
        }
    }

    /// Samples of all kinds: long and short, with empty classes, one-sided.
    fn samples() -> impl Iterator<Item = Pentanomial> {
        const SIZES: [u64; 6] = [0, 0, 1, 5, 200, 1_000_000_000];
        (0..6usize.pow(5)).map(|mut index| {
            Pentanomial(std::array::from_fn(|_| {
                let size = SIZES[index % 6];
                index /= 6;
                size
            }))
        })
    }

    #[test]
    fn every_sample_has_a_ratio() {
        let bounds =
            [(-2000.0, 2000.0), (-5.0, 0.0), (0.0, 0.5), (0.0, 20.0), (100.0, 400.0), (-1500.0, -500.0)];
        for (elo0, elo1) in bounds {
            for model in [Model::Logistic, Model::Normalized] {
                let test = sprt(elo0, elo1, model);
                for pairs in samples().step_by(13) {
                    let llr = test.llr(&pairs);
                    assert!(llr.is_finite(), "{elo0} {elo1} {model} {pairs:?}");
                }
            }
        }
    }
}
