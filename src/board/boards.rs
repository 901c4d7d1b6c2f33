//! The boards in play.

use super::layout::{Cells, Layout, MAX_BITS};
use crate::bits::Bits;

/// A board: a layout and the word that holds it.
pub trait Board: Copy + Send + Sync + 'static {
    /// The bitboard word.
    type Bits: Bits;
    /// The geometry.
    const LAYOUT: Layout;
    /// The squares in a direction from a bit, to the edge of the board.
    fn ray(direction: usize, bit: usize) -> Self::Bits;
}

/// Declares boards with their ray tables, and refuses at compile time a word too narrow for the layout.
#[macro_export]
macro_rules! boards {
    ($($(#[$doc:meta])* $name:ident: $bits:ty = $layout:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;
        impl $crate::board::Board for $name {
            type Bits = $bits;
            const LAYOUT: $crate::board::Layout = $layout;
            #[inline(always)]
            fn ray(direction: usize, bit: usize) -> $bits {
                const LAYOUT: $crate::board::Layout = $layout;
                const SIZE: usize = <$bits>::BITS as usize;
                const _: () = assert!(LAYOUT.bits <= SIZE, "the word is too narrow for the layout");
                static RAYS: [[$bits; SIZE]; 8] = {
                    let mut rays = [[0; SIZE]; 8];
                    let mut square = 0;
                    while square < LAYOUT.squares {
                        let bit = LAYOUT.bit_of[square] as usize;
                        let mut d = 0;
                        while d < 8 {
                            rays[d][bit] = LAYOUT.ray(bit, d) as $bits;
                            d += 1;
                        }
                        square += 1;
                    }
                    rays
                };
                RAYS[direction & 7][bit & (SIZE - 1)]
            }
        }
    )*};
}

boards! {
    /// 8x8, 32 dark squares: 35 bits.
    Dark8: u64 = Layout::dark(8, 8, 1);
    /// 10x10, 50 dark squares: 54 bits.
    Dark10: u64 = Layout::dark(10, 10, 1);
    /// 10x10 with jumps along files and ranks (Frisian): 63 bits.
    Dark10Wide: u64 = Layout::dark(10, 10, 2);
    /// 12x12, 72 dark squares: 77 bits.
    Dark12: u128 = Layout::dark(12, 12, 1);
    /// 10 files by 8 ranks, 40 dark squares: 43 bits.
    Dark10x8: u64 = Layout::dark(10, 8, 1);
    /// 8x8, all 64 squares: 64 bits.
    Full8: u64 = Layout::full(8, 8, 8, Cells::All);
    /// 5x5 points with the lines of alquerque: 29 bits.
    Alquerque: u64 = Layout::full(5, 5, 6, Cells::Alquerque);
}

const _: () = assert!(MAX_BITS >= 128);

#[cfg(test)]
mod tests {
    use super::super::*;
    use crate::bits::Bits;

    /// Every step agrees with file and rank arithmetic, from every square, and never lands on a ghost by mistake.
    fn steps_agree<B: Board>(orthogonal: bool) {
        let layout = B::LAYOUT;
        assert_eq!(layout.all.count_ones() as usize, layout.squares);
        let stretch = if layout.cells == Cells::Dark { 2 } else { 1 };
        for square in 0..layout.squares {
            let bit = layout.bit_of[square] as usize;
            assert_eq!(layout.square_of[bit] as usize, square);
            let (file, rank) = layout.file_rank(square);
            assert_eq!(layout.square_at(file, rank), Some(square));
            let deltas = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
            for_each_direction!(Dirs::ALL, D => {
                let diagonal = Dirs::DIAGONAL.has(D);
                if diagonal || orthogonal {
                    let by = if diagonal { 1 } else { stretch };
                    let (dx, dy): (isize, isize) = deltas[D];
                    let to = (file.checked_add_signed(dx * by), rank.checked_add_signed(dy * by));
                    let mut want = match to {
                        (Some(f), Some(r)) => layout.square_at(f, r).map(|s| layout.bit_of[s] as usize),
                        _ => None,
                    };
                    if diagonal && layout.cells == Cells::Alquerque && (file + rank) % 2 != 0 {
                        want = None;
                    }
                    let got = step::<B, D>(B::Bits::bit(bit)) & squares::<B>();
                    assert_eq!(got.iter().next(), want, "square {square} direction {D}");
                    assert_eq!(layout.neighbour(bit, D), want);
                    if let Some(want) = want {
                        assert_eq!(step_back::<B, D>(B::Bits::bit(want)), B::Bits::bit(bit));
                        let free = slide::<B, D>(bit, B::Bits::bit(want));
                        assert_eq!(free, (B::Bits::EMPTY, Some(want)));
                    }
                    assert_eq!(slide::<B, D>(bit, B::Bits::EMPTY), (B::ray(D, bit), None));
                }
            });
        }
    }

    #[test]
    fn every_board_steps_as_on_paper() {
        steps_agree::<Dark8>(false);
        steps_agree::<Dark10>(false);
        steps_agree::<Dark10Wide>(true);
        steps_agree::<Dark12>(false);
        steps_agree::<Dark10x8>(false);
        steps_agree::<Full8>(true);
        steps_agree::<super::Alquerque>(true);
    }

    #[test]
    fn sizes_are_those_of_the_design() {
        let bits = [Dark8::LAYOUT.bits, Dark10::LAYOUT.bits, Dark10Wide::LAYOUT.bits, Dark12::LAYOUT.bits];
        assert_eq!(bits, [35, 54, 63, 77]);
    }
}
