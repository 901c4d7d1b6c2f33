//! The index of a slice: its placements, numbered from 0 without a gap.
//!
//! A slice is all placements of one material with White to move (with Black to move the board is turned round). It is made
//! of parts by the ranks of the most advanced man of each side. A move never takes the leading man back, so each part is
//! solved after those that its moves lead to. Within a part placements are numbered by the men of the side to move, the
//! other men, the kings of one side, the kings of the other; each by its number among the sets of squares that are left. The
//! kings that go through all their places first are those of the side with fewer kings, or as many and more men: next to each
//! other they have the same value most often, which makes files smaller than the other order (italian, 5 pieces: by 5 %).

use super::combinations::{binomial, number, set, sets};
use super::material::Material;
use super::movement::Movement;
use crate::bits::Bits;
use crate::board::Side;
use crate::position::Position;

/// Most ranks of a board.
const RANKS: usize = 12;
/// Marks leads that no placement has.
const NOWHERE: u8 = u8::MAX;

/// The squares of one side's men.
#[derive(Clone, Debug)]
struct Track<B> {
    /// All of them.
    squares: B,
    /// Those on ranks before each rank, as the men go.
    before: [B; RANKS + 1],
    /// How far each bit is, in ranks.
    rank: Vec<u8>,
}

impl<B: Bits> Track<B> {
    fn new(rules: &Movement<B>, side: Side) -> Self {
        let layout = rules.layout;
        let up = side == Side::White || rules.same_way;
        let men = layout.all & !rules.promotion[side as usize].to_u128();
        let (mut before, mut rank) = ([B::EMPTY; RANKS + 1], vec![0; B::WIDTH]);
        for far in 0..layout.height {
            let row = layout.rank_bits(if up { far } else { layout.height - 1 - far });
            for bit in (0..layout.bits).filter(|bit| row >> bit & 1 != 0) {
                rank[bit] = far as u8;
            }
            for later in &mut before[far + 1..] {
                *later |= B::from_u128(row & men);
            }
        }
        Self { squares: B::from_u128(men), before, rank }
    }

    /// The ranks that the most advanced of `count` men can stand on; 0 alone for no men.
    fn leads(&self, count: usize) -> Vec<usize> {
        let room = |rank: usize| self.before[rank + 1].count();
        let stands =
            |rank: &usize| room(*rank) as usize >= count && self.before[*rank + 1] != self.before[*rank];
        if count == 0 { vec![0] } else { (0..RANKS).filter(stands).collect() }
    }
}

/// A part of a slice: the placements with the leading men on two given ranks.
#[derive(Debug)]
pub struct Part {
    /// Ranks of the leading man of each side, from its own back rank; 0 without men.
    pub lead: [u8; 2],
    /// Number of the part's first placement in the slice.
    pub first: u64,
    /// How many placements there are.
    pub size: u64,
    /// The lowest number of a set of own men.
    low: u32,
    /// By the set of own men, from `low`: the number of men placements with an earlier one.
    offsets: Vec<u32>,
}

/// The numbering of the placements of one material.
#[derive(Debug)]
pub struct Shape<B: Bits> {
    /// The material.
    pub material: Material,
    /// Placements in all.
    pub size: u64,
    /// The parts, in the order of their placements.
    pub parts: Vec<Part>,
    part_of: [[u8; RANKS]; RANKS],
    tracks: [Track<B>; 2],
    /// The side whose kings come last, 0 for the side to move.
    inner: usize,
    /// Sets of places of each side's kings.
    kings: [Vec<B>; 2],
    /// Placements of kings with the same men.
    rooms: u64,
    /// The movement rules.
    pub rules: Movement<B>,
}

impl<B: Bits> Shape<B> {
    /// The numbering of a material with at most [`super::MOST_PIECES`] pieces.
    pub fn new(rules: Movement<B>, material: Material) -> Self {
        let tracks = Side::BOTH.map(|side| Track::new(&rules, side));
        let Material { men, kings } = material;
        let all = rules.layout.squares as u32;
        let free = all.saturating_sub(u32::from(men[0] + men[1]));
        let inner = usize::from((kings[0], men[1]) >= (kings[1], men[0]));
        let place = |side: usize| {
            let taken = if side == inner { u32::from(kings[1 - side]) } else { 0 };
            sets(free.saturating_sub(taken), kings[side].into())
        };
        let kings = [place(0), place(1)];
        let rooms = kings[0].len() as u64 * kings[1].len() as u64;
        let mut shape = Self {
            material,
            size: 0,
            parts: Vec::new(),
            part_of: [[NOWHERE; RANKS]; RANKS],
            tracks,
            inner,
            kings,
            rooms,
            rules,
        };
        for own in shape.tracks[0].leads(men[0].into()) {
            for other in shape.tracks[1].leads(men[1].into()) {
                shape.add_part([own, other]);
            }
        }
        shape
    }

    fn add_part(&mut self, lead: [usize; 2]) {
        let [own, other] = &self.tracks;
        let [men, other_men] = self.material.men.map(usize::from);
        let numbers = match men {
            0 => 0..1,
            _ => {
                let until = |rank: usize| binomial(own.before[rank].count(), men);
                until(lead[0])..until(lead[0] + 1)
            }
        };
        let mut offsets = vec![0];
        let mut pairs = 0;
        for number in numbers.clone() {
            let free = other.squares.minus(self.set_of_men(Side::White, number, men, own.squares));
            pairs += match other_men {
                0 => 1,
                _ => {
                    let until = |rank: usize| binomial((free & other.before[rank]).count(), other_men);
                    until(lead[1] + 1) - until(lead[1])
                }
            };
            offsets.push(pairs);
        }
        if pairs == 0 || self.rooms == 0 {
            return;
        }
        self.part_of[lead[0]][lead[1]] = self.parts.len() as u8;
        let size = u64::from(pairs) * self.rooms;
        let lead = lead.map(|rank| rank as u8);
        self.parts.push(Part { lead, first: self.size, size, low: numbers.start, offsets });
        self.size += size;
    }

    /// The number of the part with these leading ranks.
    pub fn part(&self, lead: [u8; 2]) -> Option<usize> {
        let [own, other] = lead.map(usize::from);
        Some(self.part_of[own][other]).filter(|&part| part != NOWHERE).map(usize::from)
    }

    /// The part that men of both sides belong to, and their number in it.
    #[inline(always)]
    pub fn men(&self, own: B, other: B) -> (usize, u32) {
        let [track, other_track] = &self.tracks;
        let Material { men: [_, count], .. } = self.material;
        let mut number_of_own = 0;
        let mut lead = [0; 2];
        if own.any() {
            lead[0] = usize::from(track.rank[own.lowest()]);
            number_of_own = number::<_, true>(own, track.squares);
        }
        let mut number_of_other = 0;
        if other.any() {
            let foremost = if self.rules.same_way { other.lowest() } else { other.highest() };
            lead[1] = usize::from(other_track.rank[foremost]);
            let free = other_track.squares.minus(own);
            number_of_other = if self.rules.same_way {
                number::<_, true>(other, free)
            } else {
                number::<_, false>(other, free)
            };
            number_of_other -= binomial((free & other_track.before[lead[1]]).count(), count.into());
        }
        let index = usize::from(self.part_of[lead[0]][lead[1]]);
        let part = &self.parts[index];
        (index, part.offsets[(number_of_own - part.low) as usize] + number_of_other)
    }

    /// The number of kings of both sides among those that `free`, the squares without men, leaves.
    #[inline(always)]
    pub fn kings(&self, own: B, other: B, free: B) -> u64 {
        let inner_sets = self.kings[self.inner].len() as u64;
        let (outer, inner) = if self.inner == 1 { (own, other) } else { (other, own) };
        let number_of_outer = u64::from(number::<_, false>(outer, free));
        number_of_outer * inner_sets + u64::from(number::<_, false>(inner, free.minus(outer)))
    }

    /// Placements of kings with the same men.
    #[inline(always)]
    pub fn rooms(&self) -> u64 {
        self.rooms
    }

    /// The number of a position of this material with White to move.
    #[inline(always)]
    pub fn index(&self, position: &Position<B>) -> u64 {
        let [own, other] = Side::BOTH.map(|side| position.men(side));
        let (part, pair) = self.men(own, other);
        let free = self.rules.squares.minus(own | other);
        let [own, other] = Side::BOTH.map(|side| position.kings(side));
        self.parts[part].first + u64::from(pair) * self.rooms + self.kings(own, other, free)
    }

    /// Walks through the positions with the numbers of a range, which ends at `size` at the latest.
    #[inline(always)]
    pub fn walk(&self, range: std::ops::Range<u64>, mut each: impl FnMut(u64, &Position<B>)) {
        let mut at = range.start;
        while at < range.end {
            let number = self.parts.partition_point(|part| part.first <= at) - 1;
            let part = &self.parts[number];
            let mut cursor = Cursor::new(self, number);
            cursor.seek(at - part.first);
            let end = range.end.min(part.first + part.size);
            while at < end {
                each(at, &cursor.position());
                at += 1;
                cursor.advance();
            }
        }
    }

    /// The set of men of a side with a number, counted as [`Shape::men`] does.
    fn set_of_men(&self, side: Side, number: u32, count: usize, free: B) -> B {
        if side == Side::White || self.rules.same_way {
            set::<_, true>(number, count, free)
        } else {
            set::<_, false>(number, count, free)
        }
    }

    /// The position with a number below `size`.
    pub fn position(&self, index: u64) -> Position<B> {
        let part = self.parts.partition_point(|part| part.first <= index) - 1;
        let mut cursor = Cursor::new(self, part);
        cursor.seek(index - self.parts[part].first);
        cursor.position()
    }
}

/// A placement of a part, for walking through them in order.
#[derive(Debug)]
pub struct Cursor<'a, B: Bits> {
    shape: &'a Shape<B>,
    part: &'a Part,
    pair: u64,
    outer_number: usize,
    inner_number: usize,
    men: [B; 2],
    kings: [B; 2],
}

impl<'a, B: Bits> Cursor<'a, B> {
    /// At the first placement of a part.
    pub fn new(shape: &'a Shape<B>, part: usize) -> Self {
        let empty = [B::EMPTY; 2];
        let part = &shape.parts[part];
        let mut cursor =
            Self { shape, part, pair: u64::MAX, outer_number: 0, inner_number: 0, men: empty, kings: empty };
        cursor.seek(0);
        cursor
    }

    /// Goes to a placement, by its number in the part.
    #[inline(always)]
    pub fn seek(&mut self, index: u64) {
        let (pair, rest) = (index / self.shape.rooms, index % self.shape.rooms);
        let inner_sets = self.shape.kings[self.shape.inner].len();
        let outer_number = rest as usize / inner_sets;
        self.inner_number = rest as usize % inner_sets;
        if pair != self.pair {
            self.pair = pair;
            self.place_men();
            self.outer_number = outer_number;
            self.place_outer_kings();
        } else if outer_number != self.outer_number {
            self.outer_number = outer_number;
            self.place_outer_kings();
        }
        self.place_inner_kings();
    }

    /// Goes to the next placement; after the last one it stays.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.inner_number += 1;
        if self.inner_number == self.shape.kings[self.shape.inner].len() {
            self.inner_number = 0;
            self.outer_number += 1;
            if self.outer_number == self.shape.kings[1 - self.shape.inner].len() {
                self.outer_number = 0;
                if (self.pair + 1) * self.shape.rooms >= self.part.size {
                    return;
                }
                self.pair += 1;
                self.place_men();
            }
            self.place_outer_kings();
        }
        self.place_inner_kings();
    }

    #[inline(never)]
    fn place_men(&mut self) {
        let Part { offsets, low, lead, .. } = self.part;
        let pair = self.pair as u32;
        let at = offsets.partition_point(|&offset| offset <= pair) - 1;
        let [track, other_track] = &self.shape.tracks;
        let [men, other_men] = self.shape.material.men.map(usize::from);
        let own = self.shape.set_of_men(Side::White, low + at as u32, men, track.squares);
        let free = other_track.squares.minus(own);
        let first = match other_men {
            0 => 0,
            _ => binomial((free & other_track.before[usize::from(lead[1])]).count(), other_men),
        };
        let other = self.shape.set_of_men(Side::Black, pair - offsets[at] + first, other_men, free);
        self.men = [own, other];
    }

    /// The squares without men.
    #[inline(always)]
    pub fn free(&self) -> B {
        self.shape.rules.squares.minus(self.men[0] | self.men[1])
    }

    #[inline(always)]
    fn place_outer_kings(&mut self) {
        let outer = 1 - self.shape.inner;
        self.kings[outer] = self.shape.kings[outer][self.outer_number].deposit(self.free());
    }

    #[inline(always)]
    fn place_inner_kings(&mut self) {
        let inner = self.shape.inner;
        let free = self.free().minus(self.kings[1 - inner]);
        self.kings[inner] = self.shape.kings[inner][self.inner_number].deposit(free);
    }

    /// Which placement of men it is.
    #[inline(always)]
    pub fn pair(&self) -> u64 {
        self.pair
    }

    /// Men of White, who is to move, and of Black.
    #[inline(always)]
    pub fn men(&self) -> [B; 2] {
        self.men
    }

    /// The position.
    #[inline(always)]
    pub fn position(&self) -> Position<B> {
        let pieces = [self.men[0] | self.kings[0], self.men[1] | self.kings[1]];
        Position { pieces, kings: self.kings[0] | self.kings[1], turn: Side::White }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{E, N, NE, NW, S, SE, SW, W};
    use crate::rules::{
        Corner, Dameo, English, International, OneWay, Rules, Russian, Spantsireti, Turkish, Word,
    };

    fn total<R: Rules>(pieces: usize) -> u64 {
        Material::all(pieces)
            .into_iter()
            .map(|material| Shape::new(Movement::of::<R>(|_, _| None), material).size)
            .sum()
    }

    /// Placements with both sides to move and no men on their promotion rank, less those of one side alone.
    #[test]
    fn totals_are_those_published() {
        let alone = |men: u32, all: u32, pieces: usize| {
            let sum =
                |k: usize| u64::from(binomial(men, k)) * u64::from(binomial(all - k as u32, pieces - k));
            2 * (0..=pieces).map(sum).sum::<u64>()
        };
        for (pieces, published) in [(2, 6_972), (3, 261_224), (4, 7_092_774), (5, 148_688_232)] {
            assert_eq!(total::<English>(pieces) + alone(28, 32, pieces), published);
        }
        for (pieces, published) in [(2, 17_685), (3, 1_074_760), (4, 47_955_250)] {
            assert_eq!(total::<International>(pieces) + alone(45, 50, pieces), published);
        }
        assert_eq!(alone(28, 32, 1), 120);
        assert_eq!(alone(45, 50, 1), 190);
    }

    fn bijective<R: Rules>(pieces: usize) {
        for material in Material::all(pieces) {
            let shape = Shape::new(Movement::of::<R>(|_, _| None), material);
            let mut index = 0;
            for part in 0..shape.parts.len() {
                let mut cursor = Cursor::new(&shape, part);
                for _ in 0..shape.parts[part].size {
                    let position = cursor.position();
                    assert_eq!(shape.index(&position), index, "{material} {position:?}");
                    assert_eq!(Material::of(&position), Some(material));
                    if index % 97 == 0 {
                        assert_eq!(shape.position(index), position);
                    }
                    index += 1;
                    cursor.advance();
                }
            }
            assert_eq!(index, shape.size);
        }
    }

    #[test]
    fn the_index_is_one_to_one() {
        bijective::<English>(2);
        bijective::<English>(3);
        bijective::<Russian>(2);
        bijective::<Corner>(3);
        bijective::<OneWay>(3);
        bijective::<International>(2);
        bijective::<Turkish>(2);
        bijective::<Spantsireti>(2);
        bijective::<Dameo>(2);
    }

    /// Turning the board is a bijection of the squares that turns every step round.
    fn turns<R: Rules>() {
        let rules = Movement::of::<R>(|_, _| None);
        let layout = rules.layout;
        assert_eq!(rules.turned(rules.squares), rules.squares);
        for bit in rules.squares.iter() {
            let there = rules.turned(Word::<R>::bit(bit)).lowest();
            assert_eq!(rules.turned(Word::<R>::bit(there)).lowest(), bit);
            for (direction, back) in [(N, S), (NE, SW), (E, W), (SE, NW), (S, N), (SW, NE), (W, E), (NW, SE)]
            {
                if layout.shift[direction] != 0 {
                    let steps = layout.neighbour(bit, direction);
                    let after = steps.map(|to| rules.turned(Word::<R>::bit(to)).lowest());
                    assert_eq!(layout.neighbour(there, back), after);
                }
            }
        }
    }

    #[test]
    fn boards_turn_round() {
        turns::<English>();
        turns::<International>();
        turns::<crate::rules::Frisian>();
        turns::<crate::rules::Canadian>();
        turns::<Spantsireti>();
        turns::<Turkish>();
    }
}
