//! What a move has cost: the share of the point that the mover could expect before it and cannot after it.
//!
//! The expectation of a side is its chance to win and half of that to draw ([`crate::eval::Odds`]), in permille. A move
//! loses the mover's expectation in the position less the one that the other side leaves him in the position after it;
//! the move that the search has chosen loses nothing. That an ahead side wins more slowly is no loss.

use super::record::Chances;
use std::fmt;

/// A move that has cost something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: 50 permille or more.
    Inaccuracy,
    /// `?`: 100 permille or more.
    Mistake,
    /// `??`: 200 permille or more.
    Blunder,
}

impl Mark {
    /// All marks, the lightest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// What a move that has lost so many permille deserves.
    pub fn of(loss: u32) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| loss >= mark.least())
    }

    /// The least loss that deserves it, in permille.
    pub const fn least(self) -> u32 {
        match self {
            Self::Inaccuracy => 50,
            Self::Mistake => 100,
            Self::Blunder => 200,
        }
    }

    /// As PDN writes it behind a move.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its numeric annotation glyph.
    pub const fn nag(self) -> u16 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The share of the point that a side can expect, in permille.
pub const fn expectation(chances: Chances) -> u32 {
    chances.win + chances.draw / 2
}

/// What a move has lost, from the mover's expectation before it and the other side's after it, in permille.
pub(super) const fn loss(before: u32, after: u32) -> u32 {
    (before + after).saturating_sub(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let marks = [0, 49, 50, 99, 100, 199, 200, 1000].map(|loss| Mark::of(loss).map_or("", Mark::text));
        assert_eq!(marks, ["", "", "?!", "?!", "?", "?", "??", "??"]);
        assert_eq!((loss(500, 500), loss(500, 1000), loss(400, 550), loss(1000, 0)), (0, 500, 0, 0));
        assert_eq!(expectation(Chances { win: 500, draw: 301, loss: 199 }), 650);
    }
}
