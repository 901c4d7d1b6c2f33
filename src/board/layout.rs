//! How squares are laid out in the bits of a word, computed at compile time.
//!
//! Boards of dark squares are padded with ghost bits so that every direction is one constant shift: the rows that
//! begin on the left edge are followed by `ghosts` unused bits, the others by `ghosts - 1` (dctl's and Scan's idea).
//! One ghost is enough for diagonal steps; two keep horizontal steps apart as well. The full 8x8 board has no room for
//! ghosts in 64 bits, so there a step masks the file it wraps into instead.

use super::direction::{Dirs, E, N, NE, NW, S, SE, SW, W};

/// Most bits of any layout.
pub const MAX_BITS: usize = 128;
/// Most squares of any board (14x14, in tests; 12x12 has 72).
pub const MAX_SQUARES: usize = 98;
/// Marks a bit that is no square in [`Layout::square_of`].
pub const NO_SQUARE: u8 = u8::MAX;

/// Which points of the rectangle are playing squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// The squares of the colour of a1.
    Dark,
    /// All squares.
    All,
    /// All points, but diagonal lines only through points of the colour of a1.
    Alquerque,
}

/// The geometry of a board. Square indices count from 0, row by row from the top (White sits at the bottom), left to
/// right; a1 is always a playing square. Boards whose lower *right* corner is a playing square are the mirror image,
/// which is a matter of numbering alone.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Files.
    pub width: usize,
    /// Ranks.
    pub height: usize,
    /// Which points are squares.
    pub cells: Cells,
    /// Number of squares.
    pub squares: usize,
    /// Number of bits used, ghosts between squares included.
    pub bits: usize,
    /// Bit distance of a step, by direction.
    pub shift: [i32; 8],
    /// What a step must be masked with, by direction; all ones where ghost bits do the work.
    pub guard: [u128; 8],
    /// The bits that are squares.
    pub all: u128,
    /// Bit of each square index.
    pub bit_of: [u8; MAX_SQUARES],
    /// Square index of each bit, or [`NO_SQUARE`].
    pub square_of: [u8; MAX_BITS],
}

impl Layout {
    /// A board of dark squares. `ghosts` is 1, or 2 where pieces also jump along files and ranks.
    pub const fn dark(width: usize, height: usize, ghosts: usize) -> Self {
        let half = width / 2 + ghosts - 1;
        let (near, far, file) = (half as i32, half as i32 + 1, 2 * half as i32 + 1);
        let rank = if ghosts > 1 { 1 } else { 0 };
        let mut layout = Self::empty(width, height, Cells::Dark);
        layout.shift = [-file, -near, rank, far, file, near, -rank, -far];
        let mut base = 0;
        let mut row = 0;
        while row < height {
            let left = (height - 1 - row) % 2 == 0; // does the row begin on the a-file?
            let mut x = 0;
            while x < width / 2 {
                layout.add(base + x);
                x += 1;
            }
            base += if left { half + 1 } else { half };
            row += 1;
        }
        layout
    }

    /// A board of all squares, `stride` bits a row; without a spare bit in a row, steps are masked.
    pub const fn full(width: usize, height: usize, stride: usize, cells: Cells) -> Self {
        let row_bits = stride as i32;
        let mut layout = Self::empty(width, height, cells);
        layout.shift = [-row_bits, 1 - row_bits, 1, row_bits + 1, row_bits, row_bits - 1, -1, -row_bits - 1];
        let (mut west_file, mut east_file, mut even) = (0u128, 0u128, 0u128);
        let mut row = 0;
        while row < height {
            west_file |= 1 << (row * stride);
            east_file |= 1 << (row * stride + width - 1);
            let mut x = 0;
            while x < width {
                layout.add(row * stride + x);
                if (x + height - 1 - row) % 2 == 0 {
                    even |= 1 << (row * stride + x);
                }
                x += 1;
            }
            row += 1;
        }
        if stride == width {
            let mut d = 0;
            while d < 8 {
                if Dirs::of(&[NE, E, SE]).has(d) {
                    layout.guard[d] = layout.all & !west_file;
                } else if Dirs::of(&[NW, W, SW]).has(d) {
                    layout.guard[d] = layout.all & !east_file;
                }
                d += 1;
            }
        }
        if matches!(cells, Cells::Alquerque) {
            let mut d = 0;
            while d < 8 {
                if Dirs::DIAGONAL.has(d) {
                    layout.guard[d] &= even;
                }
                d += 1;
            }
        }
        layout
    }

    const fn empty(width: usize, height: usize, cells: Cells) -> Self {
        Self {
            width,
            height,
            cells,
            squares: 0,
            bits: 0,
            shift: [0; 8],
            guard: [u128::MAX; 8],
            all: 0,
            bit_of: [0; MAX_SQUARES],
            square_of: [NO_SQUARE; MAX_BITS],
        }
    }

    const fn add(&mut self, bit: usize) {
        self.bit_of[self.squares] = bit as u8;
        self.square_of[bit] = self.squares as u8;
        self.squares += 1;
        self.all |= 1 << bit;
        self.bits = bit + 1;
    }

    /// The file (0 = a) and rank (0 = White's back rank) of a square index.
    pub const fn file_rank(&self, square: usize) -> (usize, usize) {
        match self.cells {
            Cells::Dark => {
                let half = self.width / 2;
                let rank = self.height - 1 - square / half;
                (2 * (square % half) + rank % 2, rank)
            }
            _ => (square % self.width, self.height - 1 - square / self.width),
        }
    }

    /// The square index on a file and rank, if that is a playing square of the board.
    pub const fn square_at(&self, file: usize, rank: usize) -> Option<usize> {
        if file >= self.width || rank >= self.height {
            return None;
        }
        let row = self.height - 1 - rank;
        match self.cells {
            Cells::Dark if file % 2 != rank % 2 => None,
            Cells::Dark => Some(row * (self.width / 2) + file / 2),
            _ => Some(row * self.width + file),
        }
    }

    /// The bits of a rank (0 = White's back rank).
    pub const fn rank_bits(&self, rank: usize) -> u128 {
        let mut set = 0;
        let mut square = 0;
        while square < self.squares {
            if self.file_rank(square).1 == rank {
                set |= 1 << self.bit_of[square];
            }
            square += 1;
        }
        set
    }

    /// The bits of the diagonal through a1.
    pub const fn main_diagonal(&self) -> u128 {
        let mut set = 0;
        let mut square = 0;
        while square < self.squares {
            let (file, rank) = self.file_rank(square);
            if file == rank {
                set |= 1 << self.bit_of[square];
            }
            square += 1;
        }
        set
    }

    /// The bit one step from `bit` in a direction, if that is a square.
    pub const fn neighbour(&self, bit: usize, direction: usize) -> Option<usize> {
        let target = bit as i32 + self.shift[direction];
        if target < 0 || target >= self.bits as i32 || self.shift[direction] == 0 {
            return None;
        }
        if (self.all & self.guard[direction]) >> target & 1 == 0 { None } else { Some(target as usize) }
    }

    /// The bits in a direction from `bit`, to the edge of the board.
    pub const fn ray(&self, bit: usize, direction: usize) -> u128 {
        let mut set = 0;
        let mut next = self.neighbour(bit, direction);
        while let Some(at) = next {
            set |= 1 << at;
            next = self.neighbour(at, direction);
        }
        set
    }
}

const _: () = assert!(N == 0 && S == 4 && NE == 1 && SW == 5 && E == 2 && W == 6 && SE == 3 && NW == 7);
