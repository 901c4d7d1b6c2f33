//! Values, and slices full of them.

use std::ops::{AddAssign, Neg};

/// What perfect play makes of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Value {
    /// Nobody can force a win.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
    /// The other side wins.
    Loss = 2,
}

impl Value {
    /// By its number; 3 is none, and read as a draw.
    #[inline(always)]
    pub fn of(number: u64) -> Self {
        match number & 3 {
            1 => Self::Win,
            2 => Self::Loss,
            _ => Self::Draw,
        }
    }

    /// The better one for the side to move.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        match (self, other) {
            (Self::Win, _) | (_, Self::Win) => Self::Win,
            (Self::Draw, _) | (_, Self::Draw) => Self::Draw,
            _ => Self::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Win => "win",
            Self::Loss => "loss",
        }
    }
}

impl Neg for Value {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }
}

/// How many positions have each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Wins for the side to move.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl Counts {
    /// Counts one.
    #[inline(always)]
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Values of positions a word.
pub const A_WORD: u64 = 32;

/// The values of a slice, two bits each.
#[derive(Clone, Debug, Default)]
pub struct Values {
    words: Vec<u64>,
}

impl Values {
    /// So many draws.
    pub fn draws(size: u64) -> Self {
        Self { words: vec![0; size.div_ceil(A_WORD) as usize] }
    }

    /// The value of a position.
    #[inline(always)]
    pub fn get(&self, index: u64) -> Value {
        Value::of(self.words[(index / A_WORD) as usize] >> (2 * (index % A_WORD)))
    }

    /// The words, to be filled: the first position in the lowest two bits.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}
