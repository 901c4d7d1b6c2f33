//! Every value again from its successors.

use super::judge::{Slice, Slices};
use super::solve::{CHUNK, Course, Stop};
use super::{Material, Value};
use crate::bits::Bits;
use crate::position::Position;
use crate::rng::Rng;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a check has found.
#[derive(Clone, Debug)]
pub struct Check<B> {
    /// Positions looked at.
    pub checked: u64,
    /// How many have another value than their successors give them.
    pub wrong: u64,
    /// One of these, with the value of the table and the right one.
    pub example: Option<(Position<B>, Value, Value)>,
}

/// Checks the values of a slice: of all positions, or if there are more than `most`, of whole chunks of them chosen by
/// `seed`.
///
/// # Errors
/// It was aborted, or a slice that moves lead to is not known.
pub fn verify<B: Bits>(
    slices: &Slices<B>,
    material: Material,
    most: u64,
    seed: u64,
    course: Course<'_>,
) -> Result<Check<B>, Stop> {
    let Some(Slice { shape, values }) = slices.get(material) else { return Err(Stop::Impossible(material)) };
    let chunks = shape.size.div_ceil(CHUNK);
    let wanted = most.div_ceil(CHUNK).min(chunks);
    let mut rng = Rng::new(seed ^ material.key() as u64);
    let numbers: Vec<u64> = match wanted {
        all if all == chunks => (0..chunks).collect(),
        some => (0..some).map(|_| rng.below(chunks as usize) as u64).collect(),
    };
    let (checked, wrong, example) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(None));
    numbers.into_par_iter().try_for_each_init(Vec::new, |moves, chunk| {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(shape.size);
        let size = range.end - range.start;
        let mut missing = false;
        shape.walk(range, |index, position| {
            let is = values.get(index);
            match slices.judge(position, moves) {
                Some(right) if right == is => {}
                Some(right) => {
                    wrong.fetch_add(1, Relaxed);
                    if let Ok(mut example) = example.lock() {
                        example.get_or_insert((*position, is, right));
                    }
                }
                None => missing = true,
            }
        });
        checked.fetch_add(size, Relaxed);
        course.add(size)?;
        if missing { Err(Stop::Impossible(material)) } else { Ok(()) }
    })?;
    let example = example.into_inner().unwrap_or_default();
    Ok(Check { checked: checked.into_inner(), wrong: wrong.into_inner(), example })
}
