//! Material classes of the draw rules.

use crate::bits::Bits;
use crate::board::{Board, Side};
use crate::position::Position;
use crate::rules::draws::Class;
use crate::rules::{Rules, Word};

/// What the classes look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    men: [u8; 2],
    kings: [u8; 2],
    /// Whether a side has a lone king that stands alone on the main diagonal.
    holds_road: [bool; 2],
}

impl Material {
    pub(super) fn of<R: Rules>(position: &Position<Word<R>>) -> Self {
        let road = Word::<R>::from_u128(const { R::Board::LAYOUT.main_diagonal() });
        let on_road = position.occupied() & road;
        let men = Side::BOTH.map(|side| position.men(side).count() as u8);
        let kings = Side::BOTH.map(|side| position.kings(side).count() as u8);
        let holds_road = Side::BOTH.map(|side| on_road.any() && on_road == position.side(side));
        Self { men, kings, holds_road }
    }

    fn pieces(&self, side: usize) -> u8 {
        self.men[side] + self.kings[side]
    }
    fn lone_king(&self, side: usize) -> bool {
        (self.men[side], self.kings[side]) == (0, 1)
    }
    /// Whether `side` has `min..=max` pieces with at least a king against a lone king.
    fn against_lone_king(&self, side: usize, min: u8, max: u8) -> bool {
        (min..=max).contains(&self.pieces(side)) && self.kings[side] > 0 && self.lone_king(1 - side)
    }
    /// Men and kings of each side as one number.
    fn composition(&self) -> u32 {
        u32::from_be_bytes([self.men[0], self.kings[0], self.men[1], self.kings[1]])
    }
}

/// Whether the class holds, and then what its count is tied to: a count goes on only while this number stays the same.
pub(super) fn tag(class: Class, material: &Material) -> Option<u32> {
    let either = |holds: &dyn Fn(usize) -> bool| holds(0) || holds(1);
    match class {
        Class::Kings(most, least) => {
            let holds = material.men == [0, 0]
                && either(&|side| (material.kings[side], material.kings[1 - side]) == (most, least));
            holds.then_some(0)
        }
        Class::AgainstLoneKing { min, max } => {
            either(&|side| material.against_lone_king(side, min, max)).then_some(0)
        }
        Class::FewKings => few_kings(material).then(|| material.composition()),
        Class::ManyKings => many_kings(material).map(u32::from),
        Class::Balance { min, max } => {
            let total = material.pieces(0) + material.pieces(1);
            let holds = (min..=max).contains(&total)
                && material.kings.iter().all(|&kings| kings > 0)
                && many_kings(material).is_none()
                && !either(&|side| material.against_lone_king(side, 1, 2));
            holds.then(|| material.composition())
        }
        Class::MainRoad => {
            either(&|side| material.against_lone_king(side, 3, 3) && material.holds_road[1 - side])
                .then_some(0)
        }
    }
}

/// 2K v 2K, 2K v K, 2K v K+M, K v K or K v K+M, either way round; pairs of (men, kings).
fn few_kings(material: &Material) -> bool {
    const CLASSES: [[(u8, u8); 2]; 5] =
        [[(0, 2), (0, 2)], [(0, 2), (0, 1)], [(0, 2), (1, 1)], [(0, 1), (0, 1)], [(0, 1), (1, 1)]];
    let side = |index: usize| (material.men[index], material.kings[index]);
    CLASSES.iter().any(|&[a, b]| (side(0), side(1)) == (a, b) || (side(0), side(1)) == (b, a))
}

/// The number of kings, if one side has three or more and no men against a lone king.
fn many_kings(material: &Material) -> Option<u8> {
    (0..2)
        .find(|&side| material.men[side] == 0 && material.kings[side] >= 3 && material.lone_king(1 - side))
        .map(|side| material.kings[side])
}
