//! The position key: the whole position mixed by two wide multiplications. A key costs about as much as two table
//! look-ups, needs no tables, and cannot drift from the position, so none is carried along by `make`.

use super::Position;
use crate::bits::Bits;

/// The two halves of the 128-bit product of `a` and `b`, folded (the mixing step of wyhash, Wang Yi 2019).
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

// Odd constants without structure: the first hexadecimal digits of pi.
const PI: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

impl<B: Bits> Position<B> {
    /// A 64-bit key of pieces and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let low = |set: B| set.to_u128() as u64;
        let high = |set: B| (set.to_u128() >> 64) as u64;
        let [white, black] = self.pieces;
        let mut key = fold(low(white) ^ PI[0], low(black) ^ PI[1]);
        if B::WIDTH > 64 {
            key ^= fold(high(white) ^ PI[2], high(black) ^ PI[3]).rotate_left(32);
            key = fold(key ^ PI[1], high(self.kings) ^ PI[0]);
        }
        fold(key ^ PI[2] ^ ((self.turn as u64) << 63), low(self.kings) ^ PI[3])
    }
}
