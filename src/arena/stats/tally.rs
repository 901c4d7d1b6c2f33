//! Counts of results, all from the first engine's view.

use std::ops::AddAssign;

/// The result of one game from the first engine's view; in rising order of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It lost: 0 points.
    Loss,
    /// Half a point.
    Draw,
    /// It won: 1 point.
    Win,
}

/// Independent observations in `N` classes of evenly spaced scores from 0 to 1: 3 for games, 5 for pairs.
///
/// An observation is `(N - 1) / 2` games.
pub trait Sample<const N: usize> {
    /// How many observations fell into each class, by rising score.
    fn counts(&self) -> [u64; N];
}

/// Wins, draws and losses of single games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won by the first engine.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first engine.
    pub losses: u64,
}

impl Tally {
    /// Counts one more game.
    pub fn record(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, in 0..=1; none without games.
    pub fn score(&self) -> Option<f64> {
        ratio(self.points(), self.games())
    }

    /// Draws per game, in 0..=1; none without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws as f64, self.games())
    }

    /// The same games from the other engine's view.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Sample<3> for Tally {
    fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games that scored 0, 1/2, 1, 3/2 and 2 points of 2; the middle class holds a win and a loss as well as
/// two draws. Reported as `Ptnml(0-2)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair; the order of its games does not matter.
    pub fn record(&mut self, one: Outcome, other: Outcome) {
        self.0[one as usize + other as usize] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games, two a pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Points: 1 for a won game, 1/2 for a drawn one.
    pub fn points(&self) -> f64 {
        (0..5).map(|class| class as f64 * self.0[class] as f64 / 2.0).sum()
    }

    /// Points per game, in 0..=1; none without pairs.
    pub fn score(&self) -> Option<f64> {
        ratio(self.points(), self.games())
    }

    /// Pairs that ended 1-1 per pair, in 0..=1; none without pairs. This, not the ratio of drawn games, is what
    /// fastchess and fishtest report as the draw ratio of a match of pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.0[2] as f64, self.pairs())
    }

    /// Won pairs per lost pair, from 0 to infinity; none if no pair was decided.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost, won] = [self.0[0] + self.0[1], self.0[3] + self.0[4]];
        (lost + won > 0).then_some(won as f64 / lost as f64)
    }

    /// The same pairs from the other engine's view.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([e, d, c, b, a])
    }
}

impl Sample<5> for Pentanomial {
    fn counts(&self) -> [u64; 5] {
        self.0
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }
}

/// Pairs of games with the two kinds of 1-1 apart: many won and lost pairs speak of unbalanced ballots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// Two losses: 0 of 2 points.
    pub ll: u64,
    /// A loss and a draw, in any order: 1/2 point.
    pub ld: u64,
    /// A win and a loss, in any order: 1 point.
    pub wl: u64,
    /// Two draws: 1 point.
    pub dd: u64,
    /// A win and a draw, in any order: 3/2 points.
    pub wd: u64,
    /// Two wins: 2 points.
    pub ww: u64,
}

impl PairTally {
    /// Counts one more pair; the order of its games does not matter.
    pub fn record(&mut self, one: Outcome, other: Outcome) {
        use Outcome::{Draw, Loss, Win};
        let count = match (one.min(other), one.max(other)) {
            (Loss, Loss) => &mut self.ll,
            (Loss, Draw) => &mut self.ld,
            (Loss, Win) => &mut self.wl,
            (Draw, Draw) => &mut self.dd,
            (Draw, Win) => &mut self.wd,
            _ => &mut self.ww,
        };
        *count += 1;
    }

    /// The pairs by their score.
    pub fn pentanomial(&self) -> Pentanomial {
        Pentanomial([self.ll, self.ld, self.wl + self.dd, self.wd, self.ww])
    }

    /// The games of the pairs.
    pub fn tally(&self) -> Tally {
        Tally {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: 2 * self.dd + self.wd + self.ld,
            losses: 2 * self.ll + self.ld + self.wl,
        }
    }

    /// Pairs won and lost per pair drawn twice, from 0 to infinity; none if there is neither.
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        (self.wl + self.dd > 0).then_some(self.wl as f64 / self.dd as f64)
    }

    /// The same pairs from the other engine's view.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { ll: self.ww, ld: self.wd, wd: self.ld, ww: self.ll, ..self }
    }
}

impl Sample<5> for PairTally {
    fn counts(&self) -> [u64; 5] {
        self.pentanomial().0
    }
}

impl AddAssign for PairTally {
    fn add_assign(&mut self, other: Self) {
        self.ll += other.ll;
        self.ld += other.ld;
        self.wl += other.wl;
        self.dd += other.dd;
        self.wd += other.wd;
        self.ww += other.ww;
    }
}

fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::*;

    const OUTCOMES: [Outcome; 3] = [Loss, Draw, Win];

    /// Every ordered pair of outcomes once, and win-win twice more.
    fn all_pairs() -> (Tally, Pentanomial, PairTally) {
        let (mut games, mut pairs, mut split) =
            (Tally::default(), Pentanomial::default(), PairTally::default());
        let every = OUTCOMES.into_iter().flat_map(|one| OUTCOMES.map(|other| (one, other)));
        for (one, other) in every.chain([(Win, Win); 2]) {
            games.record(one);
            games.record(other);
            pairs.record(one, other);
            split.record(one, other);
        }
        (games, pairs, split)
    }

    #[test]
    fn three_ways_to_count_agree() {
        let (games, pairs, split) = all_pairs();
        assert_eq!(pairs, Pentanomial([1, 2, 3, 2, 3]));
        assert_eq!(split, PairTally { ll: 1, ld: 2, wl: 2, dd: 1, wd: 2, ww: 3 });
        assert_eq!(split.pentanomial(), pairs);
        assert_eq!(split.tally(), games);
        assert_eq!(games, Tally { wins: 10, draws: 6, losses: 6 });
        assert_eq!((games.games(), pairs.games(), pairs.pairs()), (22, 22, 11));
        assert_eq!((games.points(), pairs.points()), (13.0, 13.0));
        assert_eq!(games.score(), pairs.score());
        assert_eq!(games.draw_ratio(), Some(6.0 / 22.0));
        assert_eq!(pairs.draw_ratio(), Some(3.0 / 11.0));
        assert_eq!(pairs.pairs_ratio(), Some(5.0 / 3.0));
        assert_eq!(split.wl_dd_ratio(), Some(2.0));
    }

    #[test]
    fn the_other_view_mirrors_the_counts() {
        let (games, pairs, split) = all_pairs();
        assert_eq!(split.flipped().pentanomial(), pairs.flipped());
        assert_eq!(split.flipped().tally(), games.flipped());
        assert_eq!(split.flipped().flipped(), split);
        assert_eq!(pairs.flipped().counts(), [3, 2, 3, 2, 1]);
        assert_eq!(games.flipped().counts(), [10, 6, 6]);
    }

    #[test]
    fn counts_add_up() {
        let (games, pairs, split) = all_pairs();
        let (mut twice_games, mut twice_pairs, mut twice_split) = all_pairs();
        twice_games += games;
        twice_pairs += pairs;
        twice_split += split;
        assert_eq!(twice_games, twice_split.tally());
        assert_eq!(twice_pairs, twice_split.pentanomial());
        assert_eq!(twice_pairs, Pentanomial([2, 4, 6, 4, 6]));
    }

    #[test]
    fn ratios_at_the_edges() {
        assert_eq!(Tally::default().score(), None);
        assert_eq!(Tally::default().draw_ratio(), None);
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(Pentanomial([0, 0, 7, 0, 0]).pairs_ratio(), None);
        assert_eq!(Pentanomial([0, 0, 7, 1, 0]).pairs_ratio(), Some(f64::INFINITY));
        assert_eq!(PairTally::default().wl_dd_ratio(), None);
        assert_eq!(PairTally { wl: 1, ..Default::default() }.wl_dd_ratio(), Some(f64::INFINITY));
    }
}
