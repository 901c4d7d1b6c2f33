//! The two sides, as values and as types.

/// White moves up the board (towards rank 8), Black down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White; `1-0` means that White wins, in every game.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
    /// `W` or `B`, as FEN and Hub write it.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'B',
        }
    }
    /// `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// The side to move as a type, so that one generator body compiles to straight code for either colour.
pub trait Turn: Copy + 'static {
    /// The side.
    const SIDE: Side;
    /// The opponent.
    type Other: Turn;
}

/// White as a type.
#[derive(Clone, Copy, Debug)]
pub struct White;
/// Black as a type.
#[derive(Clone, Copy, Debug)]
pub struct Black;

impl Turn for White {
    const SIDE: Side = Side::White;
    type Other = Black;
}
impl Turn for Black {
    const SIDE: Side = Side::Black;
    type Other = White;
}
