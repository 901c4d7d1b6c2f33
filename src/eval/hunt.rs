//! The hunt of several flying kings for a lone one. Nothing but kings is left, so that material, mobility and distance
//! say little: what counts is who has the main road (the diagonal through a1), from which a lone king is not to be
//! driven, and into how few squares it is shut. The way to win on 64 squares is Petrov's triangle: a king on the main
//! road, another in the middle beside it.

use super::masks;
use crate::bits::Bits;
use crate::board::{Board, Cells, Dirs, Side, for_each_direction, slide, squares, step_back};
use crate::position::Position;
use crate::rules::{Rules, Word};

/// For a square that the lone king can safely go to, and for one that it can safely reach in two moves.
const NEAR: i32 = -12;
const FAR: i32 = -8;
/// For the main road.
const ROAD: i32 = 20;
/// For a hunter in the middle beside the main road.
const TRIANGLE: i32 = 40;
/// For a hunter's distance from the middle, in the units of [`masks::eccentricity`].
const ECCENTRICITY: i32 = -4;
/// What is left of an advantage when the lone king has the main road, as a divisor.
const ESCAPED: i32 = 8;

/// Fewest kings that catch a lone one off the main road: three on boards of 64 squares, four on larger ones.
const fn hunters<R: Rules>() -> u32 {
    if R::Board::LAYOUT.width <= 8 { 3 } else { 4 }
}

/// Whether a game has such hunts: flying kings that capture along diagonals only, on a square board.
const fn applies<R: Rules>() -> bool {
    let layout = R::Board::LAYOUT;
    R::MOVES.king_slides
        && R::MOVES.king_jumps_afar
        && R::MOVES.king_quiet.same(Dirs::DIAGONAL)
        && R::MOVES.king_capture.same(Dirs::DIAGONAL)
        && matches!(layout.cells, Cells::Dark)
        && layout.width == layout.height
}

/// A hunt for a lone king.
pub(super) struct Hunt<R: Rules> {
    /// Whose kings hunt.
    hunters: Side,
    kings: Word<R>,
    /// Where the lone king can be in one move and not be taken, and in one or two.
    near: Word<R>,
    far: Word<R>,
    /// Whether the lone king stands on the main road, or is about to.
    escaped: bool,
}

impl<R: Rules> Hunt<R> {
    /// The hunt that a position is, if it is one.
    #[inline]
    pub fn of(position: &Position<Word<R>>) -> Option<Self> {
        if !const { applies::<R>() } || position.occupied() != position.kings {
            return None;
        }
        let least = const { hunters::<R>() };
        let hunters = match Side::BOTH.map(|side| position.side(side).count()) {
            [kings, 1] if kings >= least => Side::White,
            [1, kings] if kings >= least => Side::Black,
            _ => return None,
        };
        Some(Self::new(position, hunters))
    }

    fn new(position: &Position<Word<R>>, hunters: Side) -> Self {
        let (kings, lone) = (position.side(hunters), position.side(hunters.other()));
        let attacked = attacked::<R>(kings);
        let near = reach::<R>(kings, lone.lowest()).minus(attacked);
        let far = near.iter().fold(near, |far, square| far | reach::<R>(kings, square).minus(attacked));
        let road = masks::main_road::<R>();
        let escaped = lone.meets(road) || position.turn != hunters && near.meets(road);
        Self { hunters, kings, near, far, escaped }
    }

    /// Passes the terms, from the hunters, to `add`; a king is worth `king`.
    #[inline]
    pub fn each_term(&self, king: i32, mut add: impl FnMut(&'static str, i32)) {
        let kings = self.kings;
        let sign = if self.hunters == Side::White { 1 } else { -1 };
        let mut add = |name, value: i32| add(name, sign * value);
        add("kings", king * (kings.count() as i32 - 1));
        add("cage", NEAR * self.near.count() as i32 + FAR * self.far.minus(self.near).count() as i32);
        add("main road", ROAD * i32::from(kings.meets(masks::main_road::<R>())));
        add("triangle", TRIANGLE * i32::from(kings.meets(masks::beside_main_road::<R>())));
        add("hunters", ECCENTRICITY * kings.iter().map(masks::eccentricity::<R>).sum::<i32>());
    }

    /// What is left of the hunters' advantage.
    pub fn scaled(&self, sum: i32) -> i32 {
        if self.escaped { sum / ESCAPED } else { sum }
    }
}

/// The squares that a king on `from` can go to, past `kings` alone.
#[inline]
fn reach<R: Rules>(kings: Word<R>, from: usize) -> Word<R> {
    let mut reach = Word::<R>::EMPTY;
    for_each_direction!(R::MOVES.king_quiet, D => {
        reach |= slide::<R::Board, D>(from, kings).0;
    });
    reach
}

/// The squares on which `kings` could take a piece: one of them sees the square, and what lies behind is empty.
#[inline]
fn attacked<R: Rules>(kings: Word<R>) -> Word<R> {
    let empty = squares::<R::Board>().minus(kings);
    let mut attacked = Word::<R>::EMPTY;
    for king in kings.iter() {
        for_each_direction!(R::MOVES.king_capture, D => {
            attacked |= slide::<R::Board, D>(king, kings).0 & step_back::<R::Board, D>(empty);
        });
    }
    attacked
}
