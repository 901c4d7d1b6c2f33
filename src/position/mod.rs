//! Positions: where the pieces stand and who moves. Immutable; a move makes a new one.

mod hash;
mod setup;

pub use setup::{Fault, Kind, Setup, SetupError};

use crate::bits::Bits;
use crate::board::Side;

/// A position on a board whose bits are a `B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    /// The pieces of each side, indexed by [`Side`].
    pub pieces: [B; 2],
    /// The kings of both sides. In parachute checkers a man on its own promotion square is a parachutist.
    pub kings: B,
    /// The side to move.
    pub turn: Side,
}

/// A move: a quiet move, a whole capture or, in Konane, the removal of an own stone (`from == to`, itself captured).
/// Two captures with the same start, end, captured set and promotion are the same move, whatever their path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move<B> {
    /// The captured pieces; empty for a quiet move.
    pub captured: B,
    /// The bit the piece leaves. In a linear move the rear man of the line.
    pub from: u8,
    /// The bit it reaches; the same as `from` in a capture that comes back to its start.
    pub to: u8,
    /// Whether a man becomes a king.
    pub promotes: bool,
}

impl<B: Bits> Move<B> {
    /// Whether it captures.
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        self.captured.any()
    }
}

impl<B: Bits> Position<B> {
    /// The pieces of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> B {
        self.pieces[side as usize]
    }
    /// The men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> B {
        self.side(side).minus(self.kings)
    }
    /// The kings of a side.
    #[inline(always)]
    pub fn kings(&self, side: Side) -> B {
        self.side(side) & self.kings
    }
    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.pieces[0] | self.pieces[1]
    }
    /// Men and kings of a side.
    pub fn material(&self, side: Side) -> (u32, u32) {
        (self.men(side).count(), self.kings(side).count())
    }

    /// The position after `mv`, which must be legal here.
    #[inline(always)]
    pub fn make(&self, mv: &Move<B>) -> Self {
        let (us, them) = (self.turn as usize, self.turn.other() as usize);
        let (from, to) = (B::bit(mv.from as usize), B::bit(mv.to as usize));
        let mut pieces = self.pieces;
        // Captured pieces first: where they are lifted at once, the capture may end on the square of one of them.
        pieces[us] = pieces[us].minus(mv.captured) ^ from ^ to;
        pieces[them] = pieces[them].minus(mv.captured);
        let mut kings = self.kings.minus(mv.captured);
        if kings.meets(from) {
            kings = kings ^ from ^ to;
        }
        if mv.promotes {
            kings |= to;
        }
        Self { pieces, kings, turn: self.turn.other() }
    }
}

const _: () = assert!(size_of::<Move<u64>>() == 16 && size_of::<Move<u128>>() == 32);
