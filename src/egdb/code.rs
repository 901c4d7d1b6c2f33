//! The compression of values: runs, their lengths in classes, the classes in Huffman codes.
//!
//! A block is [`BLOCK`] positions. Those whose side to move can capture may be read as anything, since whoever looks values
//! up resolves captures first; each run goes on through them. The value of the first run stands in the index of blocks. A
//! run is a token: which of the two other values comes next (two runs never have the same), and the class of the run's
//! length, which is followed by the bits that the class leaves open. The code of a token depends on the value before.
//! A block of one value has no tokens.

use super::values::A_WORD;

/// Positions of a block.
pub const BLOCK: u64 = 1 << 14;
/// Words of a block.
pub const BLOCK_WORDS: usize = (BLOCK / A_WORD) as usize;
/// The value that may be read as anything.
pub const ANY: u8 = 3;
/// Zeros after the tokens of a file, so that a reader may look ahead.
pub const PADDING: usize = 8;

/// Classes of lengths: four to each power of two up to [`BLOCK`].
const CLASSES: usize = 4 * 13;
/// Tokens after a value: one of two values, and a class.
pub const TOKENS: usize = 2 * CLASSES;
/// What may come before a token: a value, or nothing at the start of a block.
pub const CONTEXTS: usize = 4;
const START: usize = 3;
/// Longest code in bits.
const LONGEST: u32 = 11;

/// The class of a length from 1 to [`BLOCK`], the number of bits after it, and these.
#[inline(always)]
fn class_of(length: u32) -> (usize, u32, u32) {
    let value = length - 1;
    if value < 4 {
        return (value as usize, 0, 0);
    }
    let bits = 29 - value.leading_zeros();
    ((4 * (bits + 1) + ((value >> bits) & 3)) as usize, bits, value & ((1 << bits) - 1))
}

/// The shortest length of a class, and how many bits come after it.
#[inline(always)]
fn class_base(class: usize) -> (u32, u32) {
    let class = class as u32;
    if class < 4 {
        return (class + 1, 0);
    }
    let bits = class / 4 - 1;
    (((4 + class % 4) << bits) + 1, bits)
}

/// Which of the other two values in the circle comes after one.
#[inline(always)]
fn choice(before: u8, value: u8) -> usize {
    usize::from((value + 2 - before) % 3)
}

/// The inverse of [`choice`].
#[inline(always)]
fn chosen(before: u8, choice: usize) -> u8 {
    (before + 1 + choice as u8) % 3
}

/// Calls `each` with the value and the length of each run of a block.
fn runs(values: &[u8], mut each: impl FnMut(u8, u32)) {
    let (mut value, mut length) = (ANY, 0);
    for &next in values {
        if next == ANY || next == value || value == ANY {
            length += 1;
            if value == ANY {
                value = next;
            }
        } else {
            each(value, length);
            (value, length) = (next, 1);
        }
    }
    each(if value == ANY { 0 } else { value }, length);
}

/// A block as tokens: the first value, and for each run its context, its token, the bits after it and their number. None
/// for a block of one value.
pub struct Tokens {
    /// The value of the first run.
    pub first: u8,
    list: Vec<(u8, u8, u8, u16)>,
}

impl Tokens {
    /// Those of a block of values 0 to 2 and [`ANY`].
    pub fn of(values: &[u8]) -> Self {
        let mut tokens = Self { first: ANY, list: Vec::new() };
        let mut before = ANY;
        runs(values, |value, length| {
            let (class, bits, rest) = class_of(length);
            let (context, token) = if before == ANY {
                tokens.first = value;
                (START, class)
            } else {
                (usize::from(before), choice(before, value) * CLASSES + class)
            };
            tokens.list.push((context as u8, token as u8, bits as u8, rest as u16));
            before = value;
        });
        if tokens.list.len() == 1 {
            tokens.list.clear();
        }
        tokens
    }

    /// Adds the tokens to a count.
    pub fn count(&self, counts: &mut Frequencies) {
        for &(context, token, ..) in &self.list {
            counts[usize::from(context)][usize::from(token)] += 1;
        }
    }

    /// Appends the code of the block to `out`.
    pub fn write(&self, lengths: &Lengths, out: &mut Vec<u8>) {
        let codes = lengths.map(|lengths| codes_of(&lengths));
        let (mut word, mut filled) = (0u64, 0);
        for &(context, token, bits, rest) in &self.list {
            let (context, token) = (usize::from(context), usize::from(token));
            word |= u64::from(codes[context][token]) << filled;
            filled += u32::from(lengths[context][token]);
            word |= u64::from(rest) << filled;
            filled += u32::from(bits);
            while filled >= 8 {
                out.push(word as u8);
                word >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            out.push(word as u8);
        }
    }
}

/// How often each token comes in each context.
pub type Frequencies = [[u64; TOKENS]; CONTEXTS];
/// The lengths of the codes of tokens, in bits; 0 for tokens that never come.
pub type Lengths = [[u8; TOKENS]; CONTEXTS];

/// The lengths of Huffman codes, none beyond `LONGEST`.
pub fn code_lengths(counts: &Frequencies) -> Lengths {
    counts.map(|counts| {
        let mut counts = counts;
        loop {
            let lengths = huffman(&counts);
            if lengths.iter().all(|&length| u32::from(length) <= LONGEST) {
                return lengths;
            }
            counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
        }
    })
}

fn huffman(counts: &[u64; TOKENS]) -> [u8; TOKENS] {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    let mut parents = vec![usize::MAX; TOKENS];
    let mut heap: BinaryHeap<_> =
        (0..TOKENS).filter(|&token| counts[token] > 0).map(|token| Reverse((counts[token], token))).collect();
    if heap.len() == 1 {
        // A code must have a length.
        return counts.map(|count| u8::from(count > 0));
    }
    while let (Some(Reverse((a, left))), Some(Reverse((b, right)))) = (heap.pop(), heap.pop()) {
        let parent = parents.len();
        parents.push(usize::MAX);
        (parents[left], parents[right]) = (parent, parent);
        if heap.is_empty() {
            break;
        }
        heap.push(Reverse((a + b, parent)));
    }
    std::array::from_fn(|token| {
        let (mut length, mut at) = (0, token);
        while parents[at] != usize::MAX {
            (length, at) = (length + 1, parents[at]);
        }
        length
    })
}

/// Canonical codes, first bit lowest.
fn codes_of(lengths: &[u8; TOKENS]) -> [u16; TOKENS] {
    let mut codes = [0; TOKENS];
    let mut next = 0u32;
    for length in 1..=LONGEST {
        for token in (0..TOKENS).filter(|&token| u32::from(lengths[token]) == length) {
            codes[token] = (next.reverse_bits() >> (32 - length)) as u16;
            next += 1;
        }
        next <<= 1;
    }
    codes
}

/// Reads blocks.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// By context and the next [`LONGEST`] bits: the token, and the length of its code.
    tables: Vec<[(u8, u8); 1 << LONGEST]>,
}

impl Decoder {
    /// With codes of these lengths; `None` if there are no such codes.
    pub fn new(lengths: &Lengths) -> Option<Self> {
        let mut tables = Vec::with_capacity(CONTEXTS);
        for lengths in lengths {
            let used = lengths.iter().filter(|&&length| length > 0);
            let room: u32 =
                used.clone().map(|&length| (1u32 << LONGEST).checked_shr(length.into()).unwrap_or(0)).sum();
            if room > 1 << LONGEST || used.clone().any(|&length| u32::from(length) > LONGEST) {
                return None;
            }
            let mut table = [(0, 1); 1 << LONGEST];
            for (token, code) in
                codes_of(lengths).into_iter().enumerate().filter(|(token, _)| lengths[*token] > 0)
            {
                let step = 1 << lengths[token];
                for at in (usize::from(code)..1 << LONGEST).step_by(step) {
                    table[at] = (token as u8, lengths[token]);
                }
            }
            tables.push(table);
        }
        Some(Self { tables })
    }

    /// Reads a block of `size` positions whose first value is `first` from its code, which [`PADDING`] follows, into
    /// words; `empty` says that it has no tokens. `None` if the code ends too early.
    #[inline]
    pub fn read(&self, first: u8, code: &[u8], empty: bool, size: u64, words: &mut [u64]) -> Option<()> {
        let size = size as u32;
        if empty {
            fill(words, 0, size, first);
            return Some(());
        }
        let (mut value, mut context, mut done, mut bit) = (first, START, 0, 0usize);
        while done < size {
            let next = code.get(bit / 8..bit / 8 + 8)?.try_into().ok()?;
            let word = u64::from_le_bytes(next) >> (bit % 8);
            let (token, length) = self.tables[context][word as usize & ((1 << LONGEST) - 1)];
            let token = usize::from(token);
            if context != START {
                value = chosen(value, token / CLASSES);
            }
            let (base, open) = class_base(token % CLASSES);
            let rest = (word >> length) as u32 & ((1 << open) - 1);
            let end = (done + base + rest).min(size);
            fill(words, done, end, value);
            (done, context) = (end, value.into());
            bit += usize::from(length) + open as usize;
        }
        Some(())
    }
}

/// Sets the positions from `start` to `end`.
#[inline(always)]
fn fill(words: &mut [u64], start: u32, end: u32, value: u8) {
    const LOW: u64 = 0x5555_5555_5555_5555;
    let pattern = LOW * u64::from(value);
    let (first, last) = ((start / 32) as usize, (end / 32) as usize);
    let from = u64::MAX << (2 * (start % 32));
    let until = (1u64 << (2 * (end % 32))) - 1;
    if first == last {
        let mask = from & until;
        if mask != 0 {
            words[first] = words[first] & !mask | pattern & mask;
        }
        return;
    }
    words[first] = words[first] & !from | pattern & from;
    words[first + 1..last].fill(pattern);
    if until != 0 {
        words[last] = words[last] & !until | pattern & until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn classes_cover_all_lengths() {
        for length in 1..=BLOCK as u32 {
            let (class, bits, rest) = class_of(length);
            assert_eq!(class_base(class), (length - rest, bits));
            assert!(class < CLASSES && rest < 1 << bits);
        }
    }

    #[test]
    fn blocks_come_back() {
        let mut rng = Rng::new(5);
        let mut blocks = vec![vec![2; 100], vec![ANY; 77], vec![1; BLOCK as usize]];
        for longest in [1, 3, 50, 900] {
            let mut block = Vec::new();
            while block.len() < BLOCK as usize {
                let value = rng.below(4) as u8;
                block.extend(vec![value; 1 + rng.below(longest)]);
            }
            block.truncate(BLOCK as usize);
            blocks.push(block);
        }
        let tokens: Vec<_> = blocks.iter().map(|block| Tokens::of(block)).collect();
        let mut counts = [[0; TOKENS]; CONTEXTS];
        tokens.iter().for_each(|tokens| tokens.count(&mut counts));
        let lengths = code_lengths(&counts);
        let decoder = Decoder::new(&lengths).unwrap();
        for (block, tokens) in blocks.iter().zip(&tokens) {
            let mut code = Vec::new();
            tokens.write(&lengths, &mut code);
            let empty = code.is_empty();
            code.extend([0; PADDING]);
            let mut words = [u64::MAX; BLOCK_WORDS];
            decoder.read(tokens.first, &code, empty, block.len() as u64, &mut words).unwrap();
            for (index, &value) in block.iter().enumerate() {
                let read = words[index / 32] >> (2 * (index % 32)) & 3;
                assert!(value == ANY || u64::from(value) == read, "{index}");
            }
        }
    }
}
