//! Unit tests that play out whole matches by seeded chance: does a test decide as surely as it was told to?

use super::classes::Classes;
use super::elo::NELO_PER_T;
use super::{Estimate, Model, Outcome, PairTally, Pentanomial, Sprt, SprtSettings, Verdict, elo_of_score};
use crate::rng::Rng;

/// A match never takes more pairs than this; the tests here take a few hundred.
const MOST_PAIRS: usize = 20_000;

/// Ballots of a kind: how often games are drawn, and which advantages the ballots give to one side.
///
/// An advantage of x Elo and a difference of y: a game is won with probability 1 / (1 + 10^((draw_elo - x - y) / 400)),
/// lost with 1 / (1 + 10^((draw_elo + x + y) / 400)) (BayesElo's model). The other game of the pair has -x.
struct Ballots {
    draw_elo: f64,
    /// Shares that sum to 1, and advantages in Elo.
    advantages: &'static [(f64, f64)],
}

/// As draughts matches may have them: level ballots with 90 % of draws; some lopsided ones among them, 78 %; many, some
/// of them lost, so that a pair is often won and lost, 55 %.
const BALLOTS: [Ballots; 3] = [
    Ballots { draw_elo: 510.0, advantages: &[(1.0, 0.0)] },
    Ballots { draw_elo: 400.0, advantages: &[(0.7, 0.0), (0.3, 250.0)] },
    Ballots { draw_elo: 330.0, advantages: &[(0.3, 0.0), (0.3, 150.0), (0.4, 450.0)] },
];

impl Ballots {
    /// Probabilities of loss, draw and win for an engine that is better by `elo` in all.
    fn game(&self, elo: f64) -> [f64; 3] {
        let [lost, won] =
            [elo, -elo].map(|against| 1.0 / (1.0 + 10f64.powf((self.draw_elo + against) / 400.0)));
        [lost, 1.0 - lost - won, won]
    }

    /// Probabilities of the pair's scores for an engine that is `elo` stronger.
    fn pair(&self, elo: f64) -> Classes<5> {
        let mut p = [0.0; 5];
        for &(share, advantage) in self.advantages {
            let (with, against) = (self.game(elo + advantage), self.game(elo - advantage));
            for one in 0..3 {
                for other in 0..3 {
                    p[one + other] += share * with[one] * against[other];
                }
            }
        }
        Classes { p }
    }

    /// A ballot played both ways by an engine that is `elo` stronger.
    fn play(&self, elo: f64, rng: &mut Rng) -> (Outcome, Outcome) {
        const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        let mut rest = uniform(rng);
        let ballot = self.advantages.iter().find(|&&(share, _)| {
            rest -= share;
            rest < 0.0
        });
        let &(_, advantage) = ballot.unwrap_or(&self.advantages[0]);
        let mut game = |advantage: f64| OUTCOMES[drawn(&self.game(elo + advantage), rng)];
        (game(advantage), game(-advantage))
    }

    /// The difference, in Elo of the model above, that makes `nelo` normalised Elo.
    fn elo_at(&self, nelo: f64) -> f64 {
        let (mut low, mut high) = (-2000.0, 2000.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            *(if nelo_of(&self.pair(middle)) < nelo { &mut low } else { &mut high }) = middle;
        }
        low
    }
}

fn nelo_of(pair: &Classes<5>) -> f64 {
    (pair.mean() - 0.5) / (2.0 * pair.variance()).sqrt() * NELO_PER_T
}

/// A number in 0..1.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn drawn<const N: usize>(p: &[f64; N], rng: &mut Rng) -> usize {
    let mut rest = uniform(rng);
    let found = p.iter().position(|p| {
        rest -= p;
        rest < 0.0
    });
    found.unwrap_or(N - 1)
}

/// Plays until the test decides; also the number of pairs.
fn play(test: &Sprt, pair: &Classes<5>, rng: &mut Rng) -> (Verdict, usize) {
    let mut played = Pentanomial::default();
    for pairs in 1..=MOST_PAIRS {
        played.0[drawn(&pair.p, rng)] += 1;
        let verdict = test.status(&played);
        if verdict != Verdict::Running {
            return (verdict, pairs);
        }
    }
    (Verdict::Running, MOST_PAIRS)
}

/// How many of so many matches end with `verdict`, and the mean number of pairs.
fn count(verdict: Verdict, matches: usize, test: &Sprt, pair: &Classes<5>, seed: u64) -> (usize, f64) {
    let mut rng = Rng::new(seed);
    let (mut found, mut pairs) = (0, 0);
    for _ in 0..matches {
        let (decided, length) = play(test, pair, &mut rng);
        assert_ne!(decided, Verdict::Running);
        found += usize::from(decided == verdict);
        pairs += length;
    }
    (found, pairs as f64 / matches as f64)
}

fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(SprtSettings { elo0, elo1, model, ..Default::default() }).unwrap()
}

/// One standard deviation of the number of successes in `trials` of probability `p`.
fn spread(trials: usize, p: f64) -> f64 {
    (trials as f64 * p * (1.0 - p)).sqrt()
}

#[test]
fn ballots_are_drawish_and_pairs_correlated() {
    for (ballots, draws) in BALLOTS.iter().zip([0.90, 0.78, 0.55]) {
        let (mut drawn_games, mut game_variance) = (0.0, 0.0);
        for &(share, advantage) in ballots.advantages {
            let game = ballots.game(advantage);
            drawn_games += share * game[1];
            game_variance += share * (game[0] + game[2]) / 4.0;
        }
        assert!((drawn_games - draws).abs() < 0.01, "{drawn_games}");
        let pair = ballots.pair(0.0);
        assert!((pair.p.iter().sum::<f64>() - 1.0).abs() < 1e-12 && (pair.mean() - 0.5).abs() < 1e-12);
        let level = ballots.advantages.len() == 1;
        assert!(level || 2.0 * pair.variance() < 0.95 * game_variance);
    }
}

#[test]
fn equal_engines_are_seldom_told_apart() {
    // The rate of false positives is alpha at most; 3.1 standard deviations leave a sound test 999 of 1000 seeds.
    const MATCHES: usize = 1000;
    let test = sprt(0.0, 50.0, Model::Normalized);
    let most = MATCHES as f64 * 0.05 + 3.1 * spread(MATCHES, 0.05);
    for (seed, ballots) in (1..).zip(&BALLOTS) {
        let (wrong, pairs) = count(Verdict::H1, MATCHES, &test, &ballots.pair(0.0), seed);
        assert!(wrong as f64 <= most, "{wrong} of {MATCHES}");
        // Wald's expected length: the mean ratio at the end over its drift, which is t^2 / 2 a pair; somewhat more as
        // the last pair oversteps the bound.
        let t = 50.0 / NELO_PER_T * 2f64.sqrt();
        let expected = (0.95 * test.lower() + 0.05 * test.upper()).abs() / (t * t / 2.0);
        assert!((0.95..1.2).contains(&(pairs / expected)), "{pairs} pairs, {expected} expected");
    }
}

#[test]
fn a_true_gain_is_seldom_missed() {
    const MATCHES: usize = 1000;
    let most = MATCHES as f64 * 0.05 + 3.1 * spread(MATCHES, 0.05);
    let ballots = &BALLOTS[1];
    let pair = ballots.pair(ballots.elo_at(50.0));
    let (wrong, _) = count(Verdict::H0, MATCHES, &sprt(0.0, 50.0, Model::Normalized), &pair, 11);
    assert!(wrong as f64 <= most, "{wrong} of {MATCHES}");
    let logistic = elo_of_score(pair.mean()).unwrap();
    let (wrong, _) = count(Verdict::H0, MATCHES, &sprt(0.0, logistic, Model::Logistic), &pair, 12);
    assert!(wrong as f64 <= most, "{wrong} of {MATCHES}");
}

#[test]
fn a_handicap_gets_the_right_verdict() {
    const MATCHES: usize = 100;
    for (seed, ballots) in (21..).zip(&BALLOTS) {
        for (nelo, right) in [(60.0, Verdict::H1), (-20.0, Verdict::H0)] {
            let pair = ballots.pair(ballots.elo_at(nelo));
            assert!((nelo_of(&pair) - nelo).abs() < 1e-6);
            let (found, _) = count(right, MATCHES, &sprt(0.0, 40.0, Model::Normalized), &pair, seed);
            assert!(found >= 95, "{found} of {MATCHES} are {right} at {nelo}");
            let logistic = elo_of_score(ballots.pair(ballots.elo_at(40.0)).mean()).unwrap();
            let (found, _) = count(right, MATCHES, &sprt(0.0, logistic, Model::Logistic), &pair, seed);
            assert!(found >= 95, "{found} of {MATCHES} are {right} at {nelo}, logistic");
        }
    }
}

#[test]
fn intervals_hold_the_truth_and_pairs_know_more_than_games() {
    const MATCHES: usize = 1000;
    let mut rng = Rng::new(31);
    for ballots in &BALLOTS {
        let elo = ballots.elo_at(30.0);
        let truth = ballots.pair(elo);
        let (logistic, mut held, mut nelo_held) = (elo_of_score(truth.mean()).unwrap(), 0, 0);
        for _ in 0..MATCHES {
            let mut pairs = PairTally::default();
            for _ in 0..200 {
                let (one, other) = ballots.play(elo, &mut rng);
                pairs.record(one, other);
            }
            let (estimate, of_games) = (Estimate::of(&pairs).unwrap(), Estimate::of(&pairs.tally()).unwrap());
            held += usize::from((estimate.elo - logistic).abs() <= estimate.elo_error.unwrap());
            nelo_held += usize::from((estimate.nelo.unwrap() - 30.0).abs() <= estimate.nelo_error.unwrap());
            let lopsided = ballots.advantages.len() > 2;
            assert!(!lopsided || estimate.elo_error.unwrap() < of_games.elo_error.unwrap());
        }
        let allowed = 3.3 * spread(MATCHES, 0.95);
        assert!((held as f64 - 0.95 * MATCHES as f64).abs() < allowed, "{held}");
        assert!((nelo_held as f64 - 0.95 * MATCHES as f64).abs() < allowed, "{nelo_held}");
    }
}
