//! Patterns: what stands on each of several overlapping windows of the board, men of either colour or nothing, read as a
//! number in base three (Letouzey's Scan, and Buro's Logistello before it).
//!
//! The windows follow from the geometry. Each belongs with its partner, where the opponent sees the same: the window turned
//! by half a turn, or in games whose sides move the same way the window itself. A window and its partner share weights,
//! with the colours exchanged and the sign turned, so that evaluations are exactly opposite for both sides.

use crate::bits::Bits;
use crate::board::Side;
use crate::board::{Board, Cells, Layout};
use crate::position::Position;
use crate::rules::{Rules, Word};

/// Most windows of a board, a pair counted once, and most squares of a window.
const MAX_WINDOWS: usize = 32;
const MAX_LENGTH: usize = 12;

/// A pair of windows.
#[derive(Clone, Copy)]
struct Window {
    mask: u128,
    partner: u128,
    /// Index of its first pattern.
    offset: usize,
}

/// The windows of a board.
struct Windows {
    list: [Window; MAX_WINDOWS],
    count: usize,
    /// Patterns of all windows.
    patterns: usize,
    turned: bool,
}

impl Windows {
    const fn of(layout: &Layout, same_way: bool) -> Self {
        let nothing = Window { mask: 0, partner: 0, offset: 0 };
        let windows = Self { list: [nothing; MAX_WINDOWS], count: 0, patterns: 0, turned: !same_way };
        match layout.cells {
            Cells::Dark => windows.cover(layout, 4, 4, 2),
            Cells::All | Cells::Alquerque => windows.cover(layout, 4, 2, 1).cover(layout, 2, 4, 1),
        }
    }

    /// Adds the windows of `width` by `height`, one every `stride` files; all ranks on boards of all squares.
    const fn cover(mut self, layout: &Layout, width: usize, height: usize, stride: usize) -> Self {
        let mut rank = 0;
        while rank + height <= layout.height {
            let mut file = 0;
            while file + width <= layout.width {
                self.add(layout, file, rank, width, height);
                file += if stride == 1 { width / 2 } else { stride };
            }
            rank += if stride == 1 { height / 2 } else { stride };
        }
        self
    }

    const fn add(&mut self, layout: &Layout, file: usize, rank: usize, width: usize, height: usize) {
        let (mut mask, mut partner, mut length, mut square) = (0, 0, 0, 0);
        while square < layout.squares {
            let (x, y) = layout.file_rank(square);
            if x >= file && x < file + width && y >= rank && y < rank + height {
                mask |= 1 << layout.bit_of[square];
                let other = if self.turned { layout.squares - 1 - square } else { square };
                partner |= 1 << layout.bit_of[other];
                length += 1;
            }
            square += 1;
        }
        assert!(length <= MAX_LENGTH);
        // Of two that belong together one stands for both.
        if mask <= partner {
            self.list[self.count] = Window { mask, partner, offset: self.patterns };
            self.count += 1;
            self.patterns += POWERS[length] as usize;
        }
    }
}

const POWERS: [u32; MAX_LENGTH + 1] = {
    let mut powers = [1; MAX_LENGTH + 1];
    let mut index = 1;
    while index <= MAX_LENGTH {
        powers[index] = powers[index - 1] * 3;
        index += 1;
    }
    powers
};

/// A set of a window's squares as a number whose digits in base three are 0 and 1: of `length` squares from the last, or
/// from the first if `length` is 0.
const fn ternary(length: usize) -> [u32; 1 << MAX_LENGTH] {
    let mut table = [0; 1 << MAX_LENGTH];
    let mut set = 0;
    while set < table.len() {
        let mut bit = 0;
        while bit < MAX_LENGTH {
            if set >> bit & 1 != 0 {
                if length == 0 {
                    table[set] += POWERS[bit];
                } else if bit < length {
                    table[set] += POWERS[length - 1 - bit];
                }
            }
            bit += 1;
        }
        set += 1;
    }
    table
}

static FORWARD: [u32; 1 << MAX_LENGTH] = ternary(0);
static BACKWARD_8: [u32; 1 << MAX_LENGTH] = ternary(8);

/// The windows of a kernel.
struct Of<R>(std::marker::PhantomData<R>);

impl<R: Rules> Of<R> {
    const WINDOWS: Windows = Windows::of(&R::Board::LAYOUT, R::MOVES.same_way);
}

/// The number of patterns of a kernel.
pub(super) const fn count<R: Rules>() -> usize {
    Of::<R>::WINDOWS.patterns
}

/// Passes the pattern of each window and of its partner to `add`: its index, and 1 from White or -1 from Black.
#[inline(always)]
pub(super) fn each<R: Rules>(position: &Position<Word<R>>, mut add: impl FnMut(usize, i32)) {
    let [white, black] = Side::BOTH.map(|side| position.men(side));
    let windows = const { &Of::<R>::WINDOWS };
    let backward = if windows.turned { &BACKWARD_8 } else { &FORWARD };
    for window in &windows.list[..windows.count] {
        let (mask, partner) = (Word::<R>::from_u128(window.mask), Word::<R>::from_u128(window.partner));
        let digits = |table: &[u32; 1 << MAX_LENGTH], men: Word<R>, squares: Word<R>| {
            table[men.extract(squares) as usize & ((1 << MAX_LENGTH) - 1)]
        };
        let ours = digits(&FORWARD, white, mask) + 2 * digits(&FORWARD, black, mask);
        let theirs = digits(backward, black, partner) + 2 * digits(backward, white, partner);
        add(window.offset + ours as usize, 1);
        add(window.offset + theirs as usize, -1);
    }
}
