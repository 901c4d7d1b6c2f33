//! The eight directions, White at the bottom of the board.

/// North: up the board, White's forward.
pub const N: usize = 0;
/// North-east.
pub const NE: usize = 1;
/// East: to White's right.
pub const E: usize = 2;
/// South-east.
pub const SE: usize = 3;
/// South: Black's forward.
pub const S: usize = 4;
/// South-west.
pub const SW: usize = 5;
/// West.
pub const W: usize = 6;
/// North-west.
pub const NW: usize = 7;

/// The opposite direction.
pub const fn opposite(direction: usize) -> usize {
    (direction + 4) % 8
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dirs(u8);

impl Dirs {
    /// No direction.
    pub const NONE: Self = Self(0);
    /// The two diagonals ahead of White.
    pub const DIAGONAL_AHEAD: Self = Self::of(&[NE, NW]);
    /// The four diagonals.
    pub const DIAGONAL: Self = Self::of(&[NE, NW, SE, SW]);
    /// The four lines of files and ranks.
    pub const ORTHOGONAL: Self = Self::of(&[N, E, S, W]);
    /// All eight directions.
    pub const ALL: Self = Self(0xff);

    /// The set of the directions listed.
    pub const fn of(list: &[usize]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < list.len() {
            set |= 1 << list[i];
            i += 1;
        }
        Self(set)
    }
    /// Whether `direction` is in the set.
    pub const fn has(self, direction: usize) -> bool {
        self.0 >> direction & 1 != 0
    }
    /// The directions in both sets.
    pub const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// Whether both sets are the same.
    pub const fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
    /// Whether no direction is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The set seen from the other side of the board: north and south change places, east and west stay.
    pub const fn mirrored(self) -> Self {
        let mut set = 0;
        let mut direction = 0;
        while direction < 8 {
            if self.has(direction) {
                set |= 1 << ((12 - direction) % 8);
            }
            direction += 1;
        }
        Self(set)
    }
}

/// Runs a block once for each direction of a constant set, with the direction as a constant, so that shifts are
/// immediate operands. Directions outside the set compile to nothing.
macro_rules! for_each_direction {
    ($set:expr, $d:ident => $body:block) => {{
        $crate::board::for_each_direction!(@one 0, $set, $d, $body);
        $crate::board::for_each_direction!(@one 1, $set, $d, $body);
        $crate::board::for_each_direction!(@one 2, $set, $d, $body);
        $crate::board::for_each_direction!(@one 3, $set, $d, $body);
        $crate::board::for_each_direction!(@one 4, $set, $d, $body);
        $crate::board::for_each_direction!(@one 5, $set, $d, $body);
        $crate::board::for_each_direction!(@one 6, $set, $d, $body);
        $crate::board::for_each_direction!(@one 7, $set, $d, $body);
    }};
    (@one $n:literal, $set:expr, $d:ident, $body:block) => {
        if const { $set.has($n) } {
            const $d: usize = $n;
            $body
        }
    };
}
pub(crate) use for_each_direction;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_swaps_north_and_south() {
        assert_eq!(Dirs::of(&[N, NE, W]).mirrored(), Dirs::of(&[S, SE, W]));
        assert_eq!(Dirs::ALL.mirrored(), Dirs::ALL);
        for d in 0..8 {
            assert_eq!(opposite(opposite(d)), d);
        }
    }
}
