//! Scores: 1/100 man, from the side to move, in bands that do not overlap.
//!
//! | band                 | meaning                                         |
//! |----------------------|-------------------------------------------------|
//! | `|s| < 8000`         | an evaluation                                   |
//! | `9000 - n`           | a win that an endgame table promises, seen at ply `n` |
//! | `10_000 - n`         | a forced end of the game in `n` plies            |
//!
//! Losses are the negatives. A distance is at most [`Score::MAX_PLIES`].

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score in 1/100 man, from the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// First value beyond the evaluations.
const EVAL_END: i32 = 8_000;
/// Middle of the band of endgame tables.
const TABLE: i32 = 9_000;
/// A win in 0 plies.
const WIN: i32 = 10_000;

impl Score {
    /// A draw, and an even position.
    pub const DRAW: Self = Self(0);
    /// Beyond all scores.
    pub const INFINITE: Self = Self(WIN + 1);
    /// The greatest evaluation.
    pub const EVAL_MAX: Self = Self(EVAL_END - 1);
    /// The greatest distance, in plies, that a decided score can express.
    pub const MAX_PLIES: u32 = 499;

    /// A score of so many 1/100 man.
    pub const fn new(value: i32) -> Self {
        Self(value)
    }
    /// An evaluation: `value` held within the band of evaluations.
    pub const fn eval(value: i32) -> Self {
        if value >= EVAL_END {
            Self::EVAL_MAX
        } else if value <= -EVAL_END {
            Self(1 - EVAL_END)
        } else {
            Self(value)
        }
    }
    /// The side to move wins in `plies`.
    pub const fn win_in(plies: u32) -> Self {
        Self(WIN - plies as i32)
    }
    /// The side to move loses in `plies`.
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - WIN)
    }
    /// An endgame table says that the side to move wins; the table was asked `plies` from the root.
    pub const fn table_win(plies: u32) -> Self {
        Self(TABLE - plies as i32)
    }
    /// The negative of [`Score::table_win`].
    pub const fn table_loss(plies: u32) -> Self {
        Self(plies as i32 - TABLE)
    }

    /// The number of 1/100 man.
    pub const fn value(self) -> i32 {
        self.0
    }
    /// Whether it is a win, exact or by an endgame table.
    pub const fn is_win(self) -> bool {
        self.0 >= EVAL_END
    }
    /// Whether it is a loss, exact or by an endgame table.
    pub const fn is_loss(self) -> bool {
        self.0 <= -EVAL_END
    }
    /// Whether it is a win or a loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }
    /// The distance of a forced end of the game, in plies; `None` for evaluations and endgame tables.
    pub const fn plies_to_end(self) -> Option<u32> {
        let plies = WIN - self.0.abs();
        if plies >= 0 && plies <= Self::MAX_PLIES as i32 { Some(plies as u32) } else { None }
    }
    /// The score as a transposition table keeps it: distances count from the position, not from the root, which is
    /// `ply` plies away.
    pub const fn to_table(self, ply: u32) -> Self {
        self.move_horizon(ply as i32)
    }
    /// The inverse of [`Score::to_table`].
    pub const fn from_table(self, ply: u32) -> Self {
        self.move_horizon(-(ply as i32))
    }

    const fn move_horizon(self, by: i32) -> Self {
        if self.is_win() {
            Self(self.0 + by)
        } else if self.is_loss() {
            Self(self.0 - by)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, by: i32) -> Self {
        Self(self.0 + by)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, by: i32) -> Self {
        Self(self.0 - by)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// In men, two decimals: `99.93` is a win in 7 plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", size / 100, size % 100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_in_men() {
        let texts = [0, 5, -5, -123, 4000].map(|value| Score::new(value).to_string());
        assert_eq!(texts, ["0.00", "0.05", "-0.05", "-1.23", "40.00"]);
        assert_eq!(Score::win_in(7).to_string(), "99.93");
        assert_eq!(Score::loss_in(0).to_string(), "-100.00");
        assert_eq!(Score::table_win(2).to_string(), "89.98");
    }

    #[test]
    fn bands_do_not_overlap() {
        for plies in [0, 1, Score::MAX_PLIES] {
            assert_eq!(Score::win_in(plies).plies_to_end(), Some(plies));
            assert_eq!(Score::loss_in(plies).plies_to_end(), Some(plies));
            assert_eq!(Score::table_win(plies).plies_to_end(), None);
            assert!(Score::table_win(plies).is_win() && Score::table_loss(plies).is_loss());
            assert!(Score::table_win(0) < Score::win_in(Score::MAX_PLIES));
        }
        assert!(!Score::eval(1_000_000).is_decided() && !Score::eval(-1_000_000).is_decided());
        assert!(Score::EVAL_MAX < Score::table_win(Score::MAX_PLIES));
    }

    #[test]
    fn tables_keep_distances_from_the_position() {
        for score in [Score::win_in(9), Score::loss_in(12), Score::new(37), Score::table_loss(9)] {
            assert_eq!(score.to_table(5).from_table(5), score);
        }
        assert_eq!(Score::win_in(9).to_table(5), Score::win_in(4));
        assert_eq!(Score::loss_in(9).to_table(5), Score::loss_in(4));
        assert_eq!(Score::new(37).to_table(5), Score::new(37));
    }
}
