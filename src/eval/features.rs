//! The features of the learned evaluation. The score is a sum of weights, one for each feature, times what the feature
//! counts; training reads the same features through the same function.
//!
//! Features are exactly opposite for both sides: the position with colours exchanged and turned by half a turn has the same
//! features with the sign turned.

use super::counts::{drive, king_mobility, shadow};
use super::{masks, patterns};
use crate::bits::Bits;
use crate::board::{Black, Board, Side, Turn, White, for_each_direction, squares, step_back};
use crate::position::Position;
use crate::rules::{Rules, Word, directions};

/// Names of the features that count something on the whole board, in the order of their indices.
pub const GENERAL: [&str; 11] = [
    "turn",
    "the move",
    "men",
    "kings",
    "first king",
    "second king",
    "mobility",
    "runaway",
    "balance",
    "king mobility",
    "drive",
];

/// The number of features of a kernel: the [`GENERAL`] ones, a king on each square, patterns.
pub const fn count<R: Rules>() -> usize {
    GENERAL.len() + R::Board::LAYOUT.squares + patterns::count::<R>()
}

/// The name of a feature for people.
pub fn name<R: Rules>(index: usize) -> &'static str {
    match index.checked_sub(GENERAL.len()) {
        None => GENERAL[index],
        Some(square) if square < const { R::Board::LAYOUT.squares } => "king squares",
        Some(_) => "patterns",
    }
}

/// Whether positions of a kernel have these features. In Konane there are no sides to speak of: all that counts is who can
/// move.
pub const fn applies<R: Rules>() -> bool {
    !R::MOVES.konane
}

/// A position by the indices of its squares ([`crate::position::Setup`]), as files of training data hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    /// White's pieces.
    pub white: u128,
    /// Black's pieces.
    pub black: u128,
    /// The kings of both sides.
    pub kings: u128,
    /// The side to move.
    pub turn: Side,
}

impl Squares {
    /// The squares of a position.
    pub fn of<R: Rules>(position: &Position<Word<R>>) -> Self {
        let layout = const { &R::Board::LAYOUT };
        let squares = |set: Word<R>| set.iter().fold(0, |sum, bit| sum | 1 << layout.square_of[bit]);
        let [white, black] = position.pieces.map(squares);
        Self { white, black, kings: squares(position.kings), turn: position.turn }
    }

    /// The position; squares off the board do not count.
    pub fn position<R: Rules>(&self) -> Position<Word<R>> {
        let layout = const { &R::Board::LAYOUT };
        let bits = |set: u128| {
            let bits =
                set.iter().filter(|&square| square < layout.squares).map(|square| layout.bit_of[square]);
            bits.fold(Word::<R>::EMPTY, |sum, bit| sum | Word::<R>::bit(bit as usize))
        };
        Position { pieces: [bits(self.white), bits(self.black)], kings: bits(self.kings), turn: self.turn }
    }
}

/// Pieces at the start, about: with so many a position is all opening.
pub const fn full<R: Rules>() -> i32 {
    (R::Board::LAYOUT.squares * 3 / 4) as i32
}

/// Passes the features of a position, from White, to `add`: index and value.
#[inline(always)]
pub fn each<R: Rules>(position: &Position<Word<R>>, mut add: impl FnMut(usize, i32)) {
    let turn = if position.turn == Side::White { 1 } else { -1 };
    let [white, black] = [Counts::of::<R, White>(position), Counts::of::<R, Black>(position)];
    let general = [
        turn,
        turn * the_move::<R>(position),
        white.men - black.men,
        white.kings - black.kings,
        white.kings.min(1) - black.kings.min(1),
        white.kings.min(2) - black.kings.min(2),
        white.mobility - black.mobility,
        white.runaway - black.runaway,
        white.balance - black.balance,
    ];
    for (index, value) in general.into_iter().enumerate() {
        add(index, value);
    }
    if position.kings.any() {
        add(9, king_mobility::<R, White>(position) - king_mobility::<R, Black>(position));
        add(10, drive::<R>(position));
        let layout = const { &R::Board::LAYOUT };
        for king in position.kings(Side::White).iter() {
            add(GENERAL.len() + layout.square_of[king] as usize, 1);
        }
        for king in position.kings(Side::Black).iter() {
            let square = layout.square_of[king] as usize;
            let seen = if R::MOVES.same_way { square } else { layout.squares - 1 - square };
            add(GENERAL.len() + seen, -1);
        }
    }
    let first = const { GENERAL.len() + R::Board::LAYOUT.squares };
    patterns::each::<R>(position, |index, value| add(first + index, value));
}

/// The opposition: 1 if the side to move has the move, -1 if it has not. It has it if an odd number of pieces stands in the
/// system of ranks that begins with its own first.
#[inline(always)]
fn the_move<R: Rules>(position: &Position<Word<R>>) -> i32 {
    let ranks = masks::every_other_rank::<R>(position.turn);
    if (position.occupied() & ranks).count() % 2 == 1 { 1 } else { -1 }
}

/// What is counted for each side.
struct Counts {
    men: i32,
    kings: i32,
    mobility: i32,
    runaway: i32,
    balance: i32,
}

impl Counts {
    #[inline(always)]
    fn of<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Self {
        let side = T::SIDE;
        let (men, kings) = (position.men(side), position.kings(side));
        let empty = squares::<R::Board>().minus(position.occupied());
        let count = |set: Word<R>| set.count() as i32;
        let mut mobility = 0;
        for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
            mobility += count(men & step_back::<R::Board, D>(empty));
        });
        let free = men.minus(shadow::<R, T::Other>(position.side(side.other())));
        Self {
            men: count(men),
            kings: count(kings),
            mobility,
            runaway: if free.any() { masks::advance::<R>(free, side) } else { 0 },
            balance: -(count(men & masks::left::<R>()) - count(men & masks::right::<R>())).abs(),
        }
    }
}
