//! What stands on the board, by number and kind.

use super::combinations::MOST;
use crate::bits::Bits;
use crate::board::Side;
use crate::position::Position;
use std::fmt;

/// Most pieces of a table. A kind never has more than [`MOST`], as both sides have a piece.
pub const MOST_PIECES: usize = MOST + 1;

/// Men and kings of both sides: of the side to move first, which the tables see as White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Men of the side to move and of the other.
    pub men: [u8; 2],
    /// Kings of the side to move and of the other.
    pub kings: [u8; 2],
}

impl Material {
    /// Number of values of [`Material::key`].
    pub const KEYS: usize = 1 << 12;

    /// The material of a position; `None` if a kind has more pieces than a table may hold.
    #[inline(always)]
    pub fn of<B: Bits>(position: &Position<B>) -> Option<Self> {
        let (us, them) = (position.turn, position.turn.other());
        let count = |set: B| set.count() as u8;
        let men = [us, them].map(|side: Side| count(position.men(side)));
        let kings = [us, them].map(|side: Side| count(position.kings(side)));
        (men[0].max(men[1]).max(kings[0]).max(kings[1]) as usize <= MOST).then_some(Self { men, kings })
    }

    /// A number of its own below [`Material::KEYS`].
    #[inline(always)]
    pub fn key(self) -> usize {
        let digit = |count: u8| usize::from(count & 7);
        digit(self.men[0]) | digit(self.kings[0]) << 3 | digit(self.men[1]) << 6 | digit(self.kings[1]) << 9
    }

    /// The same with the other side to move.
    pub fn swapped(self) -> Self {
        Self { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Number of pieces.
    pub fn pieces(self) -> usize {
        self.men.iter().chain(&self.kings).map(|&count| usize::from(count)).sum()
    }

    /// Every material with so many pieces in all and at least one a side, in an order in which promotions lead back.
    pub fn all(pieces: usize) -> Vec<Self> {
        let mut list = Vec::new();
        let count = pieces as u8;
        for own in 1..count {
            for own_men in 0..=own {
                for men in 0..=count - own {
                    list.push(Self { men: [own_men, men], kings: [own - own_men, count - own - men] });
                }
            }
        }
        list.sort_by_key(|material| (material.men[0] + material.men[1], *material));
        list
    }

    /// The four digits of [`Material`]'s text: men, kings, men, kings.
    pub fn digits(self) -> [u8; 4] {
        [self.men[0], self.kings[0], self.men[1], self.kings[1]]
    }
}

/// Men and kings of the side to move, men and kings of the other: `1102`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits().iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_key_of_its_own() {
        let mut keys: Vec<_> = (2..=MOST_PIECES).flat_map(Material::all).map(Material::key).collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((keys.len(), keys.last() < Some(&Material::KEYS)), (all, true));
        assert_eq!(Material::all(2).len(), 4);
        assert_eq!(Material::all(3)[0].to_string(), "0102");
    }
}
