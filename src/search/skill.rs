//! Levels below full strength, which err as people do: they look less far, misjudge positions, follow whims, and
//! overlook replies. All errors come from the position and a seed, so the same game is played again with the same seed.
//!
//! A player keeps its opinions while it thinks about a move, and has others at the next: a lasting opinion would keep
//! its pieces where it is best, and nothing that is won would get won. For the same reason it is only the men that are
//! misjudged.

use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Move, Position};
use std::ops::RangeInclusive;

/// Levels of skill; the last is full strength.
pub const SKILL_RANGE: RangeInclusive<u32> = 1..=20;

/// What holds a level back.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Most plies looked ahead, leaves apart.
    depth: u32,
    /// Most nodes searched.
    nodes: u64,
    /// At how many of 1000 moves it errs in the ways that follow.
    lapses: u32,
    /// Standard deviation of what a leaf is misjudged by, in 1/100 man.
    error: i32,
    /// Standard deviation of how much more a move to play is liked than its score says, in 1/100 man.
    whim: i32,
    /// How many of 1000 replies of the opponent are overlooked.
    blind: u32,
}

/// The levels from 1 on, without the last. Nodes grow by 45 % a level, errors shrink, and from level 10 on they come at
/// fewer moves, so that neighbours are about as far apart in strength (matches in the CHANGELOG).
const LEVELS: [Level; SKILL_RANGE.end().abs_diff(1) as usize] = [
    level(2, 60, 1000, 60, 20, 80),
    level(2, 90, 1000, 54, 18, 68),
    level(3, 130, 1000, 49, 16, 57),
    level(3, 180, 1000, 44, 15, 47),
    level(4, 260, 1000, 39, 13, 38),
    level(5, 380, 1000, 34, 11, 30),
    level(6, 560, 1000, 30, 10, 23),
    level(7, 810, 1000, 26, 9, 17),
    level(8, 1_200, 1000, 23, 8, 12),
    level(10, 1_700, 1000, 20, 6, 8),
    level(12, 2_500, 900, 17, 6, 4),
    level(14, 3_600, 800, 14, 5, 2),
    level(16, 5_200, 700, 12, 4, 0),
    level(18, 7_500, 600, 10, 3, 0),
    level(20, 10_900, 500, 9, 3, 0),
    level(24, 15_800, 400, 8, 2, 0),
    level(28, 22_900, 300, 7, 2, 0),
    level(32, 33_200, 200, 6, 2, 0),
    level(40, 48_200, 100, 6, 2, 0),
];

const fn level(depth: u32, nodes: u64, lapses: u32, error: i32, whim: i32, blind: u32) -> Level {
    Level { depth, nodes, lapses, error, whim, blind }
}

/// A player below full strength.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    level: Level,
    seed: u64,
}

impl Skill {
    /// The player of a level at a move that `seed` stands for; `None` is full strength.
    pub fn new(level: u32, seed: u64) -> Option<Self> {
        let index = level.max(*SKILL_RANGE.start()) - SKILL_RANGE.start();
        let mut level = *LEVELS.get(index as usize)?;
        let seed = mix(seed ^ (u64::from(index) << 56));
        if mix(seed) % 1000 >= u64::from(level.lapses) {
            (level.error, level.whim, level.blind) = (0, 0, 0);
        }
        Some(Self { level, seed })
    }

    /// Most plies of an iteration.
    pub fn depth(&self) -> u32 {
        self.level.depth
    }

    /// Most nodes of a search.
    pub fn nodes(&self) -> u64 {
        self.level.nodes
    }

    /// What tells this player's opinions from those of others.
    pub fn salt(&self) -> u64 {
        self.seed
    }

    /// What a leaf is misjudged by, in 1/100 man, from the side to move.
    pub fn error<B: Bits>(&self, position: &Position<B>) -> i32 {
        let men = Side::BOTH.map(|side| position.men(side));
        let men = Position { pieces: men, kings: B::EMPTY, turn: Side::White };
        let error = deviation(mix(men.key() ^ self.seed), self.level.error);
        if position.turn == Side::White { error } else { -error }
    }

    /// How much more a move at the root is liked than its score says, in 1/100 man.
    pub fn whim(&self, key: u64, code: u32) -> i32 {
        deviation(mix(key ^ self.seed ^ (u64::from(code) << 32)), self.level.whim)
    }

    /// Strikes out the replies that are overlooked; one is always seen.
    pub fn overlook<B: Bits>(&self, key: u64, replies: &mut Vec<Move<B>>) {
        let seed = mix(key ^ self.seed);
        let mut left = replies.len();
        replies.retain(|mv| {
            let place = u64::from(mv.from) << 8 | u64::from(mv.to);
            let seen = left == 1 || mix(seed ^ place << 40) % 1000 >= u64::from(self.level.blind);
            left -= usize::from(!seen);
            seen
        });
    }
}

/// Mixes 64 bits (the finisher of SplitMix64, as in [`crate::rng`]).
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number of about normal distribution around 0: the sum of four even ones (Irwin-Hall), in whole numbers, so that it
/// is the same on every machine.
fn deviation(random: u64, sigma: i32) -> i32 {
    /// The standard deviation of the sum of four numbers below 2^16: 2^16 / sqrt(3).
    const UNIT: i64 = 37_837;
    let sum: u64 = (0..4).map(|part| random >> (16 * part) & 0xffff).sum();
    ((sum as i64 - 2 * 0xffff) * i64::from(sigma) / UNIT) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_size_they_should_have() {
        let skill = Skill::new(1, 7).unwrap();
        let position = |key: u64| {
            let white = mix(key) >> 32;
            Position { pieces: [white, (mix(!key) >> 32) & !white], kings: 0, turn: Side::White }
        };
        let errors: Vec<_> = (0..10_000).map(|key| f64::from(skill.error(&position(key)))).collect();
        let mean = errors.iter().sum::<f64>() / 1e4;
        let sigma = (errors.iter().map(|error| error * error).sum::<f64>() / 1e4).sqrt();
        let wanted = f64::from(skill.level.error);
        assert!(mean.abs() < wanted * 0.05 && (sigma / wanted - 1.0).abs() < 0.05, "{mean} {sigma}");
        let one = position(5);
        assert_eq!(skill.error(&one), Skill::new(1, 7).unwrap().error(&one), "an opinion lasts");
        assert_ne!(skill.error(&one), Skill::new(1, 8).unwrap().error(&one));
        let other = Position { turn: Side::Black, ..one };
        assert_eq!(skill.error(&one), -skill.error(&other), "a side is better or worse, whoever is to move");
    }

    #[test]
    fn levels_only_get_better() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].depth <= pair[1].depth && pair[0].nodes < pair[1].nodes);
            assert!(pair[0].error >= pair[1].error && pair[0].whim >= pair[1].whim);
            assert!(pair[0].blind >= pair[1].blind && pair[0].lapses >= pair[1].lapses);
        }
        assert!(Skill::new(20, 1).is_none() && Skill::new(0, 1).is_some());
    }

    #[test]
    fn one_reply_is_always_seen() {
        let skill = Skill { level: Level { blind: 1000, ..LEVELS[0] }, seed: 3 };
        let mut replies: Vec<_> =
            (0..9).map(|to| Move::<u64> { captured: 0, from: 1, to, promotes: false }).collect();
        skill.overlook(1, &mut replies);
        assert_eq!(replies.len(), 1);
    }
}
