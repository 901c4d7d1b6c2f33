//! A position as somebody states it, unchecked, and the check that says everything that is wrong with it.

use super::Position;
use crate::bits::Bits;
use crate::board::{Board, Side};
use crate::rules::{Promotion, Rules, promotion_squares};
use std::fmt;

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A man.
    Man,
    /// A king.
    King,
    /// A parachutist: a man that stands on its own promotion rank and can only jump off it.
    Parachutist,
}

/// A stated position. Squares are indices from 0, row by row from the top left of the unmirrored board; an index may
/// be off the board and squares may be named twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub turn: Side,
    /// The pieces in the order stated.
    pub pieces: Vec<(usize, Side, Kind)>,
}

/// One reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The square index is not on the board.
    OffBoard,
    /// Another piece stands there already.
    Occupied,
    /// A man on its promotion square.
    ManOnPromotionSquare,
    /// The game has no kings.
    NoKings,
    /// The game has no parachutists.
    NoParachutists,
    /// A parachutist away from its promotion rank.
    ParachutistOffRank,
}

/// All reasons why a position is impossible, each with the square index and the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<(Fault, usize, Side, Kind)>);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "is off the board",
            Self::Occupied => "has two pieces",
            Self::ManOnPromotionSquare => "has a man on its promotion row",
            Self::NoKings => "has a king, and this game has none",
            Self::NoParachutists => "has a parachutist, and this game has none",
            Self::ParachutistOffRank => "has a parachutist away from its promotion row",
        })
    }
}

impl Setup {
    /// The position, or every reason why there can be none.
    ///
    /// # Errors
    /// Lists each fault with its square; the number of pieces is not limited and a side may be empty.
    pub fn check<R: Rules>(&self) -> Result<Position<<R::Board as Board>::Bits>, SetupError> {
        let layout = const { &R::Board::LAYOUT };
        let promotion = [promotion_squares::<R>(Side::White), promotion_squares::<R>(Side::Black)];
        let mut pieces = [0u128; 2];
        let mut kings = 0u128;
        let mut faults = Vec::new();
        for &(square, side, kind) in &self.pieces {
            let mut fault = |fault| faults.push((fault, square, side, kind));
            if square >= layout.squares {
                fault(Fault::OffBoard);
                continue;
            }
            let bit = 1 << layout.bit_of[square];
            if (pieces[0] | pieces[1]) & bit != 0 {
                fault(Fault::Occupied);
                continue;
            }
            let promotes = promotion[side as usize] & bit != 0 && R::MOVES.promotion != Promotion::Never;
            match kind {
                Kind::Man if promotes => fault(Fault::ManOnPromotionSquare),
                Kind::King if R::MOVES.promotion == Promotion::Never => fault(Fault::NoKings),
                Kind::Parachutist if !R::MOVES.has_parachutists() => fault(Fault::NoParachutists),
                Kind::Parachutist if !promotes => fault(Fault::ParachutistOffRank),
                _ => {}
            }
            pieces[side as usize] |= bit;
            if kind == Kind::King {
                kings |= bit;
            }
        }
        if faults.is_empty() {
            let narrow = <R::Board as Board>::Bits::from_u128;
            Ok(Position { pieces: pieces.map(narrow), kings: narrow(kings), turn: self.turn })
        } else {
            Err(SetupError(faults))
        }
    }

    /// The pieces of a position, White's first, each side by square index.
    pub fn of<R: Rules>(position: &Position<<R::Board as Board>::Bits>) -> Self {
        let layout = const { &R::Board::LAYOUT };
        let mut pieces = Vec::new();
        for side in Side::BOTH {
            let parachutists = if R::MOVES.has_parachutists() { promotion_squares::<R>(side) } else { 0 };
            for bit in position.side(side).iter() {
                let kind = if position.kings.meets(Bits::bit(bit)) {
                    Kind::King
                } else if parachutists >> bit & 1 != 0 {
                    Kind::Parachutist
                } else {
                    Kind::Man
                };
                pieces.push((layout.square_of[bit] as usize, side, kind));
            }
        }
        Self { turn: position.turn, pieces }
    }
}
