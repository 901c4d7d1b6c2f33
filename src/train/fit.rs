//! The fit: weights that predict the results of games best, by logistic regression (Adam, mini-batches).
//!
//! The prediction for a position is the logistic function of its score over a scale; the target is a mixture of the game's
//! result and of what the search thought. Sums are added up in an order that depends on the data alone, so that the same
//! data and settings give the same weights whatever the number of threads.

use crate::eval::Odds;
use rayon::prelude::*;

/// The positions to learn from: features with their values, position after position.
#[derive(Default)]
pub struct Samples {
    /// A feature's index in the low 24 bits, its value above.
    entries: Vec<u32>,
    /// Where the entries of each position begin, and of one more.
    starts: Vec<usize>,
    /// The share of the opening in each position, 0 to 1.
    opening: Vec<f32>,
    /// The result of each position's game, from White: 0, 1/2, 1.
    results: Vec<f32>,
    /// The score of the search, from White, in 1/100 man.
    scores: Vec<f32>,
}

impl Samples {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds a position: its features with values within ±127, the share of the opening, the result (0, 1/2 or 1) and the
    /// score (1/100 man), both from White.
    pub fn push(
        &mut self,
        features: impl IntoIterator<Item = (u32, i32)>,
        opening: f32,
        result: f32,
        score: f32,
    ) {
        let packed = features.into_iter().filter(|(_, value)| *value != 0);
        self.entries.extend(packed.map(|(index, value)| index | (value.clamp(-127, 127) as u32) << 24));
        self.starts.push(self.entries.len());
        self.opening.push(opening);
        self.results.push(result);
        self.scores.push(score);
    }

    /// Positions.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    fn entries(&self, sample: usize) -> impl Iterator<Item = (usize, f32)> {
        let entries = &self.entries[self.starts[sample]..self.starts[sample + 1]];
        entries.iter().map(|&entry| ((entry & 0xff_ffff) as usize, f32::from((entry >> 24) as u8 as i8)))
    }

    /// The score of a position in 1/100 man, from White.
    fn score(&self, sample: usize, weights: &[[f32; 2]]) -> f32 {
        let opening = self.opening[sample];
        let sum = self.entries(sample).map(|(index, value)| {
            let [first, second] = weights[index];
            value * (second + opening * (first - second))
        });
        sum.sum()
    }

    /// What a position should be worth, 0 to 1.
    fn target(&self, sample: usize, settings: &Settings) -> f32 {
        let thought = logistic(self.scores[sample] / settings.scale);
        settings.result_share * self.results[sample] + (1.0 - settings.result_share) * thought
    }

    /// What the scores of the search say about results: from up to 200,000 positions whose games all ended alike.
    pub fn odds(&self) -> Odds {
        let alike = self.scores.iter().zip(&self.results).map(|(score, result)| (*score, *result));
        let games: Vec<_> = alike.filter(|(_, result)| [0.0, 0.5, 1.0].contains(result)).collect();
        let step = (games.len() / 200_000).max(1);
        Odds::of_games(&games.into_iter().step_by(step).collect::<Vec<_>>())
    }

    /// The scale, in 1/100 man, at which the scores of the search predict the results best.
    pub fn best_scale(&self) -> f32 {
        let loss = |scale: f32| {
            let each = |(score, result): (&f32, &f32)| f64::from(loss(logistic(score / scale), *result));
            self.scores.iter().zip(&self.results).map(each).sum::<f64>()
        };
        let (mut low, mut high) = (20.0f32, 1000.0f32);
        for _ in 0..40 {
            let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
            if loss(a) < loss(b) { high = b } else { low = a }
        }
        (low + high) / 2.0
    }
}

/// How to fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Score that is worth 1/(1 + 1/e), in 1/100 man.
    pub scale: f32,
    /// How much of the target is the game's result; the rest is the score of the search.
    pub result_share: f32,
    /// How often all positions are gone through.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// How far a weight moves in a step at the beginning, in 1/100 man; it falls to nothing by a half cosine.
    pub rate: f32,
    /// How much of a pattern's weight is lost in a step of rate 1.
    pub decay: f32,
    /// Gradients a position well below this hardly move a weight: what is seen too rarely is not learnt.
    pub rare: f32,
    /// Features below this index are not subject to decay.
    pub general: usize,
    /// Seed of the order of the positions.
    pub seed: u64,
}

/// What an epoch has come to: mean losses on the positions learnt from and on those held out.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Epoch, from 1.
    pub epoch: u32,
    /// Mean cross entropy of the positions learnt from, as they were met.
    pub loss: f64,
    /// The same of the positions held out.
    pub held_out: f64,
}

/// Chunks of a batch whose sums are formed one by one: as many threads can be of use.
const CHUNKS: usize = 8;

/// Fits `weights` to the samples; `held_out` is only looked at. `report` hears of each epoch.
pub fn fit(
    samples: &Samples,
    held_out: &Samples,
    settings: &Settings,
    weights: &mut [[f32; 2]],
    report: &mut dyn FnMut(Progress),
) {
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut rng = crate::rng::Rng::new(settings.seed);
    let mut adam = Adam::new(weights.len());
    let batches = samples.len().div_ceil(settings.batch) as u32;
    for epoch in 1..=settings.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, rng.below(index + 1));
        }
        let mut total = 0.0;
        for (number, batch) in order.chunks(settings.batch).enumerate() {
            let done =
                f64::from((epoch - 1) * batches + number as u32) / f64::from(settings.epochs * batches);
            let rate = settings.rate * ((1.0 + (done * std::f64::consts::PI).cos()) / 2.0) as f32;
            total += step(samples, batch, settings, rate, &mut adam, weights);
        }
        report(Progress {
            epoch,
            loss: total / samples.len().max(1) as f64,
            held_out: mean_loss(held_out, settings, weights),
        });
    }
}

/// One step; gives the sum of the losses before it.
fn step(
    samples: &Samples,
    batch: &[u32],
    settings: &Settings,
    rate: f32,
    adam: &mut Adam,
    weights: &mut [[f32; 2]],
) -> f64 {
    let fixed: &[[f32; 2]] = weights;
    let size = batch.len().div_ceil(CHUNKS).max(1);
    let sums: Vec<(f64, Vec<[f32; 2]>)> = batch
        .par_chunks(size)
        .map(|chunk| {
            let mut gradient = vec![[0.0; 2]; fixed.len()];
            let losses = chunk.iter().map(|&sample| {
                let sample = sample as usize;
                let expected = logistic(samples.score(sample, fixed) / settings.scale);
                let target = samples.target(sample, settings);
                let (slope, opening) = (expected - target, samples.opening[sample]);
                for (index, value) in samples.entries(sample) {
                    gradient[index][0] += slope * value * opening;
                    gradient[index][1] += slope * value * (1.0 - opening);
                }
                f64::from(loss(expected, target))
            });
            (losses.sum(), gradient)
        })
        .collect();
    adam.step(&sums, batch.len() as f32, rate, settings, weights);
    sums.iter().map(|(loss, _)| loss).sum()
}

/// The optimiser (Kingma and Ba, "Adam", 2015, with the decay of Loshchilov and Hutter).
struct Adam {
    moments: Vec<[[f32; 2]; 2]>,
    steps: i32,
}

impl Adam {
    fn new(weights: usize) -> Self {
        Self { moments: vec![[[0.0; 2]; 2]; weights], steps: 0 }
    }

    fn step(
        &mut self,
        sums: &[(f64, Vec<[f32; 2]>)],
        count: f32,
        rate: f32,
        settings: &Settings,
        weights: &mut [[f32; 2]],
    ) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        self.steps += 1;
        let (a, b) = (1.0 - FIRST.powi(self.steps), 1.0 - SECOND.powi(self.steps));
        weights.par_iter_mut().zip(&mut self.moments).enumerate().for_each(|(index, (weight, moments))| {
            let decay = if index < settings.general { 0.0 } else { settings.decay * rate };
            for phase in 0..2 {
                let gradient = sums.iter().map(|(_, sum)| sum[index][phase]).sum::<f32>() / count;
                let [first, second] = &mut moments[phase];
                *first += (1.0 - FIRST) * (gradient - *first);
                *second += (1.0 - SECOND) * (gradient * gradient - *second);
                let change = *first / a / ((*second / b).sqrt() + settings.rare);
                weight[phase] -= rate * change + decay * weight[phase];
            }
        });
    }
}

/// The mean loss of the samples.
fn mean_loss(samples: &Samples, settings: &Settings, weights: &[[f32; 2]]) -> f64 {
    let each = |sample: usize| {
        let expected = logistic(samples.score(sample, weights) / settings.scale);
        f64::from(loss(expected, samples.target(sample, settings)))
    };
    let parts: Vec<f64> = (0..samples.len())
        .collect::<Vec<_>>()
        .par_chunks(1 << 14)
        .map(|chunk| chunk.iter().map(|&sample| each(sample)).sum())
        .collect();
    parts.iter().sum::<f64>() / samples.len().max(1) as f64
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a prediction and a target.
fn loss(expected: f32, target: f32) -> f32 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Positions of two features whose results follow known weights.
    fn samples(count: usize, seed: u64) -> Samples {
        let mut rng = Rng::new(seed);
        let mut samples = Samples::new();
        for _ in 0..count {
            let values = [rng.below(5) as i32 - 2, rng.below(5) as i32 - 2];
            let expected = logistic((100 * values[0] - 40 * values[1]) as f32 / 120.0);
            let wins = rng.below(1 << 20) as f32 / (1 << 20) as f32 <= expected;
            samples.push([(0, values[0]), (1, values[1])], 0.5, f32::from(u8::from(wins)), 0.0);
        }
        samples
    }

    #[test]
    fn finds_the_weights_and_always_the_same() {
        let settings = Settings {
            scale: 120.0,
            result_share: 1.0,
            epochs: 30,
            batch: 1000,
            rate: 3.0,
            decay: 0.0,
            rare: 1e-6,
            general: 0,
            seed: 1,
        };
        let fitted = |threads| {
            let mut weights = vec![[0.0; 2]; 2];
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut losses = Vec::new();
            pool.install(|| {
                fit(&samples(20_000, 1), &samples(2_000, 2), &settings, &mut weights, &mut |p| {
                    losses.push(p)
                });
            });
            assert!(losses.last().unwrap().held_out < losses[0].held_out);
            weights
        };
        let weights = fitted(1);
        for (weight, wanted) in weights.iter().zip([100.0, -40.0]) {
            assert!((weight.iter().sum::<f32>() / 2.0 - wanted).abs() < 6.0, "{weights:?}");
        }
        assert_eq!(weights, fitted(2));
    }
}
