//! What a score says about the result of a game.

use crate::score::Score;

/// The chances of a win and of a loss as logistic functions of the score, in 1/100 man: W = 1 / (1 + exp((even - x) / spread)), L
/// the same of -x, and the rest is a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The score at which a win is as likely as not. It is not negative: wins and losses together are no more than all.
    pub even: f32,
    /// The score by which the odds change e-fold.
    pub spread: f32,
}

impl Odds {
    /// Without games to measure at: round numbers for games that are drawn more often than not, with a man ahead an even
    /// chance to win.
    pub const UNMEASURED: Self = Self { even: 100.0, spread: 50.0 };

    /// The chances of a win, a draw and a loss at a score that is not decided, in 1/100 man.
    pub fn chances(self, score: f32) -> [f32; 3] {
        let chance = |x: f32| 1.0 / (1.0 + ((self.even - x) / self.spread).exp());
        let (win, loss) = (chance(score), chance(-score));
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// The same in permille, which add up to 1000. What is decided is certain.
    pub fn permille(self, score: Score) -> [u32; 3] {
        if score.is_decided() {
            return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let [win, _, loss] = self.chances(score.value() as f32);
        let permille = |chance: f32| (chance * 1000.0).round() as u32;
        let win = permille(win);
        let loss = permille(loss).min(1000 - win);
        [win, 1000 - win - loss, loss]
    }

    /// The odds under which the games of `samples` are likeliest: scores in 1/100 man with the result, 0, 1/2 or 1, from the
    /// same side.
    pub fn of_games(samples: &[(f32, f32)]) -> Self {
        let loss = |odds: Self| {
            let each = |&(score, result): &(f32, f32)| {
                let [win, draw, loss] = odds.chances(score);
                let chance = if result > 0.5 {
                    win
                } else if result < 0.5 {
                    loss
                } else {
                    draw
                };
                -f64::from(chance.max(1e-4).ln())
            };
            samples.iter().map(each).sum::<f64>()
        };
        let mut odds = Self::UNMEASURED;
        for _ in 0..6 {
            odds.even = least(0.0, 600.0, |even| loss(Self { even, ..odds }));
            odds.spread = least(5.0, 600.0, |spread| loss(Self { spread, ..odds }));
        }
        odds
    }

    /// The words that the note of a file of weights holds; [`Odds::of_note`] reads them.
    pub fn note(self) -> String {
        format!("even={:.1} spread={:.1}", self.even, self.spread)
    }

    /// The odds in the note of a file of weights, if they are there.
    pub fn of_note(note: &str) -> Option<Self> {
        let number = |name: &str| {
            let word = note.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
            word.parse::<f32>().ok().filter(|value| value.is_finite() && *value >= 0.0)
        };
        let spread = number("spread").filter(|spread| *spread > 0.0)?;
        Some(Self { even: number("even")?, spread })
    }
}

/// Where a function with one valley has its bottom, by golden sections.
fn least(mut low: f32, mut high: f32, of: impl Fn(f32) -> f64) -> f32 {
    for _ in 0..20 {
        let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
        if of(a) < of(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn chances_add_up_and_mirror() {
        let odds = Odds::UNMEASURED;
        assert_eq!(odds.permille(Score::DRAW), [119, 762, 119]);
        assert_eq!(odds.permille(Score::new(100)), [500, 482, 18]);
        assert_eq!(odds.permille(Score::EVAL_MAX), [1000, 0, 0]);
        assert_eq!(odds.permille(Score::win_in(9)), [1000, 0, 0]);
        assert_eq!(odds.permille(Score::loss_in(9)), [0, 0, 1000]);
        for odds in [odds, Odds { even: 0.0, spread: 80.0 }] {
            for value in (-900..900).step_by(7) {
                let [win, draw, loss] = odds.permille(Score::new(value));
                assert_eq!(win + draw + loss, 1000);
                let [other_win, _, other_loss] = odds.permille(Score::new(-value));
                assert!(win.abs_diff(other_loss) <= 1 && loss.abs_diff(other_win) <= 1, "{value}");
            }
        }
    }

    #[test]
    fn odds_are_found_in_games() {
        let mut rng = Rng::new(3);
        let truth = Odds { even: 140.0, spread: 60.0 };
        let mut game = || {
            let score = rng.below(601) as f32 - 300.0;
            let [win, draw, _] = truth.chances(score);
            let chance = rng.below(1 << 20) as f32 / (1 << 20) as f32;
            let result = if chance < win {
                1.0
            } else if chance < win + draw {
                0.5
            } else {
                0.0
            };
            (score, result)
        };
        let games: Vec<_> = (0..40_000).map(|_| game()).collect();
        let found = Odds::of_games(&games);
        assert!(
            (found.even - truth.even).abs() < 5.0 && (found.spread - truth.spread).abs() < 4.0,
            "{found:?}"
        );
    }

    #[test]
    fn notes_are_read_back() {
        let odds = Odds { even: 87.5, spread: 42.0 };
        let note = format!("positions=3 scale=100.0 {} loss=0.5", odds.note());
        assert_eq!(Odds::of_note(&note), Some(odds));
        for bad in ["", "even=3", "spread=4", "even=x spread=4", "even=1 spread=0", "even=-1 spread=3"] {
            assert_eq!(Odds::of_note(bad), None, "{bad}");
        }
    }
}
