//! Sets of squares as numbers: the combinatorial number system (colexicographic order).
//!
//! The places `p1 < p2 < ... < pk` of a set among the squares it may stand on make the number `C(p1, 1) + C(p2, 2) + ...
//! + C(pk, k)`. Every number below `C(n, k)` is that of exactly one set of `k` out of `n`, and the sets whose greatest
//! place is below `m` are those with the numbers below `C(m, k)`.

use crate::bits::Bits;

/// Most members of a set.
pub const MOST: usize = 7;
/// One more than most squares.
const SQUARES: usize = 73;

/// `C(n, k)`.
static BINOMIALS: [[u32; MOST + 1]; SQUARES] = {
    let mut table = [[0; MOST + 1]; SQUARES];
    let mut n = 0;
    while n < SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of ways to choose `k` (up to [`MOST`]) out of `n` (up to 72).
#[inline(always)]
pub fn binomial(n: u32, k: usize) -> u32 {
    BINOMIALS[n as usize][k & 7]
}

/// The number of `set` among the sets of as many of the squares `free`, which hold it. Places count from the lowest bit,
/// or with `DOWN` from the highest.
#[inline(always)]
pub fn number<B: Bits, const DOWN: bool>(set: B, free: B) -> u32 {
    let (mut rest, mut sum, mut nth) = (set, 0, 0);
    while rest.any() {
        nth += 1;
        let bit = if DOWN { rest.highest() } else { rest.lowest() };
        rest = if DOWN { rest ^ B::bit(bit) } else { rest.without_lowest() };
        let below = free & B::below(bit);
        let place = if DOWN { free.count() - below.count() - 1 } else { below.count() };
        sum += binomial(place, nth);
    }
    sum
}

/// The set of `count` of the squares `free` with this number: the inverse of [`number`].
pub fn set<B: Bits, const DOWN: bool>(mut number: u32, count: usize, free: B) -> B {
    let size = free.count();
    let (mut places, mut place) = (0u128, size);
    for nth in (1..=count).rev() {
        place = (0..place).rev().find(|&place| binomial(place, nth) <= number).unwrap_or(0);
        number = number.saturating_sub(binomial(place, nth));
        places |= 1 << if DOWN { size - 1 - place } else { place };
    }
    B::from_u128(places).deposit(free)
}

/// All sets of `count` places out of `size`, by number, as words whose bit `p` is place `p`.
pub fn sets<B: Bits>(size: u32, count: usize) -> Vec<B> {
    let all = if size == 0 { B::EMPTY } else { B::below(size as usize - 1) | B::bit(size as usize - 1) };
    (0..binomial(size, count)).map(|number| set::<B, false>(number, count, all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bijective<const DOWN: bool>(free: u64) {
        for count in 0..4 {
            let mut sets: Vec<u64> = (0..binomial(free.count_ones(), count))
                .map(|at| {
                    let set = set::<u64, DOWN>(at, count, free);
                    assert_eq!((set & !free, set.count_ones() as usize), (0, count));
                    assert_eq!(number::<u64, DOWN>(set, free), at);
                    set
                })
                .collect();
            sets.sort_unstable();
            sets.dedup();
            assert_eq!(sets.len() as u32, binomial(free.count_ones(), count));
        }
    }

    #[test]
    fn numbers_and_sets_are_one_to_one() {
        for free in [0b1, 0b1011_0111, 0xffff, 0x8000_0000_0000_0f01] {
            bijective::<false>(free);
            bijective::<true>(free);
        }
        assert_eq!(binomial(72, 7), 1_473_109_704);
        assert_eq!(sets::<u64>(4, 2), [0b11, 0b101, 0b110, 0b1001, 0b1010, 0b1100]);
    }
}
