//! How an engine plays, beyond its limits: what it thinks of draws, and how well it is allowed to play.

use super::skill::{SKILL_RANGE, Skill};
use super::tunables::Tunables;
use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Move, Position};
use crate::score::Score;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Contempts, in 1/100 man.
pub const CONTEMPT_RANGE: RangeInclusive<i32> = -500..=500;

/// What a client may choose once for all searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The level of skill, within [`SKILL_RANGE`].
    pub skill: u32,
    /// How much less than 0 a draw is worth to the side that searches, in 1/100 man, within [`CONTEMPT_RANGE`]: a side
    /// with a positive contempt avoids draws.
    pub contempt: i32,
    /// Kept back of each move's time on a clock for its way there.
    pub overhead: Duration,
    /// Below full strength: games with another seed are others.
    pub seed: u64,
    /// Numbers of the tree search.
    pub tunables: Tunables,
}

impl Options {
    /// Full strength, a draw worth 0, and 30 ms kept back of a move.
    pub const DEFAULT: Self = Self {
        skill: *SKILL_RANGE.end(),
        contempt: 0,
        overhead: Duration::from_millis(30),
        seed: 0,
        tunables: Tunables::DEFAULT,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The options as the tree needs them.
#[derive(Clone, Debug, Default)]
pub(super) struct Manner {
    /// What a draw is worth to White and to Black.
    draws: [Score; 2],
    /// Mixed into the keys of the table, so that searches in different manners do not take each other's scores.
    pub salt: u64,
    /// Who plays, if not at full strength.
    pub skill: Option<Skill>,
}

impl Manner {
    /// The manner of a search by `side`, after so many other games and so many plies of this.
    pub fn new(options: &Options, side: Side, games: u64, plies: usize) -> Self {
        let contempt = options.contempt.clamp(*CONTEMPT_RANGE.start(), *CONTEMPT_RANGE.end());
        let mut draws = [Score::new(contempt); 2];
        draws[side as usize] = Score::new(-contempt);
        let white = i64::from(draws[0].value()) as u64;
        let skill = Skill::new(options.skill, options.seed << 32 ^ games << 16 ^ plies as u64);
        let salt = white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ skill.as_ref().map_or(0, Skill::salt);
        Self { draws, salt, skill }
    }

    /// What a leaf is held to be worth that is worth `score`, from the side to move.
    #[inline(always)]
    pub fn judge<B: Bits>(&self, score: Score, position: &Position<B>) -> Score {
        match &self.skill {
            None => score,
            Some(skill) => Score::eval(score.value() + skill.error(position)),
        }
    }

    /// Strikes out what is overlooked of the moves at `ply`: replies of the opponent.
    #[inline(always)]
    pub fn overlook<B: Bits>(&self, ply: usize, key: u64, moves: &mut Vec<Move<B>>) {
        if let Some(skill) = self.skill.as_ref().filter(|_| ply % 2 == 1) {
            skill.overlook(key, moves);
        }
    }

    /// How much a move at the root is liked beyond its score, in 1/100 man.
    pub fn whim(&self, key: u64, code: u32) -> i32 {
        self.skill.as_ref().map_or(0, |skill| skill.whim(key, code))
    }

    /// What a draw is worth to `turn`.
    #[inline(always)]
    pub fn draw(&self, turn: Side) -> Score {
        self.draws[turn as usize]
    }
}
