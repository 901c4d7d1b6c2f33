//! From the values of a slice to the bytes of its file, and back.

use super::code::{ANY, BLOCK, CONTEXTS, TOKENS, Tokens, code_lengths};
use super::file::{Fault, Header, Identity, Metric, Table};
use super::judge::{Slice, Slices};
use super::shape::Shape;
use super::values::{A_WORD, Counts, Values};
use crate::bits::Bits;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Words of a block.
const WORDS: usize = (BLOCK / A_WORD) as usize;

/// How many positions of a slice have each value.
pub fn count<B: Bits>(slice: &Slice<B>) -> Counts {
    let blocks = slice.shape.size.div_ceil(BLOCK);
    let count = |block: u64| {
        let mut counts = Counts::default();
        let range = block * BLOCK..((block + 1) * BLOCK).min(slice.shape.size);
        range.for_each(|index| counts.add(slice.values.get(index)));
        counts
    };
    let sum = |mut a: Counts, b| {
        a += b;
        a
    };
    (0..blocks).into_par_iter().map(count).reduce(Counts::default, sum)
}

/// The bytes of the file of a slice.
///
/// # Errors
/// If its header cannot be written, or it is too large.
pub fn pack<B: Bits>(slice: &Slice<B>, identity: &Identity) -> Result<Vec<u8>, Fault> {
    let Slice { shape, values } = slice;
    let blocks = shape.size.div_ceil(BLOCK);
    let tokens: Vec<_> = (0..blocks)
        .into_par_iter()
        .map_init(
            || Vec::with_capacity(BLOCK as usize),
            |block: &mut Vec<u8>, number| {
                block.clear();
                let range = number * BLOCK..((number + 1) * BLOCK).min(shape.size);
                shape.walk(range, |index, position| {
                    let free = (shape.rules.can_capture)(position);
                    block.push(if free { ANY } else { values.get(index) as u8 });
                });
                Tokens::of(block)
            },
        )
        .collect();
    let mut counts = [[0; TOKENS]; CONTEXTS];
    tokens.iter().for_each(|tokens| tokens.count(&mut counts));
    let lengths = code_lengths(&counts);
    let (mut index, mut data) = (Vec::with_capacity(tokens.len() + 1), Vec::new());
    let place =
        |data: &Vec<u8>| u32::try_from(data.len()).ok().filter(|&place| place < 1 << 30).ok_or(Fault::Size);
    for tokens in &tokens {
        index.push(place(&data)? << 2 | u32::from(tokens.first));
        tokens.write(&lengths, &mut data);
    }
    index.push(place(&data)? << 2);
    let Counts { wins, draws, losses } = count(slice);
    let header = Header {
        identity: identity.clone(),
        metric: Metric::Wld,
        material: shape.material.digits(),
        positions: shape.size,
        wins,
        draws,
        losses,
        longest: None,
    };
    Table::bytes(&header, &lengths, &index, &data)
}

/// The values of a file; those of positions with a capture are found anew. All slices that captures lead to must be known.
///
/// # Errors
/// The file is damaged, or its sums are not those of its values.
pub fn unpack<B: Bits>(table: &Table, shape: Arc<Shape<B>>, known: &Slices<B>) -> Result<Slice<B>, Fault> {
    if table.header.positions != shape.size {
        return Err(Fault::Size);
    }
    let mut values = Values::draws(shape.size);
    let broken = AtomicBool::new(false);
    let blocks = values.words_mut().par_chunks_mut(WORDS).enumerate();
    blocks.for_each_init(Vec::new, |moves, (block, words)| {
        if table.read(block, words).is_none() {
            return broken.store(true, Relaxed);
        }
        let first = block as u64 * BLOCK;
        shape.walk(first..(first + BLOCK).min(shape.size), |index, position| {
            if (shape.rules.can_capture)(position) {
                let Some(value) = known.judge(position, moves) else { return broken.store(true, Relaxed) };
                let (word, shift) = (((index - first) / A_WORD) as usize, 2 * (index % A_WORD));
                words[word] = words[word] & !(3 << shift) | (value as u64) << shift;
            }
        });
    });
    let slice = Slice { shape, values };
    let sound = !broken.load(Relaxed) && count(&slice) == table.header.counts();
    if sound { Ok(slice) } else { Err(Fault::Checksum) }
}
