//! The weights of the learned evaluation, and the file that holds them.
//!
//! A file is gzip (which has a checksum) around a line of text, `soffio-weights 1 ID FEATURES NOTE...\n`, and the weights:
//! for each feature one for positions with many pieces and one for those with few, as little-endian 16-bit numbers in units
//! of 1/[`SCALE`] of 1/100 man, all of the first kind before all of the second.

use super::features;
use crate::bits::Bits;
use crate::position::Position;
use crate::rules::{RuleSet, Rules, Word};
use std::fmt;
use std::io::{Read, Write};

/// Units of a weight in 1/100 man.
pub const SCALE: i32 = 16;

const MAGIC: &str = "soffio-weights 1";

/// Weights by feature: opening and ending.
#[derive(Clone, PartialEq, Eq)]
pub struct Model {
    weights: Vec<[i16; 2]>,
    /// What the file says of itself.
    note: String,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({} features, {})", self.weights.len(), self.note)
    }
}

/// Why a file of weights is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// It cannot be unpacked, and why.
    Damaged(String),
    /// It is something else, of which this is the beginning.
    Foreign(String),
    /// It is for another rule set: its id.
    Other(String),
    /// The numbers of features that it has and that it should have.
    Size(usize, usize),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(why) => write!(f, "damaged weights: {why}"),
            Self::Foreign(text) => write!(f, "not a file of weights: it begins with '{text}'"),
            Self::Other(id) => write!(f, "weights for {id}"),
            Self::Size(has, needs) => write!(f, "weights of {has} features, but there are {needs}"),
        }
    }
}

impl std::error::Error for ModelError {}

impl Model {
    /// Weights by feature, opening and ending, in 1/100 man; a note for people.
    pub fn new(weights: &[[f32; 2]], note: String) -> Self {
        let round = |weight: f32| (weight * SCALE as f32).round() as i16; // Saturates.
        Self { weights: weights.iter().map(|pair| pair.map(round)).collect(), note }
    }

    /// What the file says of itself.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// A short text that tells these weights from others: 16 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let mix = |hash: u64, weight: i16| (hash ^ u64::from(weight as u16)).wrapping_mul(0x0100_0000_01b3);
        let hash =
            self.weights.iter().flatten().fold(0xcbf2_9ce4_8422_2325, |hash, &weight| mix(hash, weight));
        format!("{hash:016x}")
    }

    /// The weights of a feature.
    pub fn weights(&self, feature: usize) -> [i16; 2] {
        self.weights[feature]
    }

    /// The score of a position from White, in 1/100 man.
    #[inline(always)]
    pub fn score<R: Rules>(&self, position: &Position<Word<R>>) -> i32 {
        let (mut opening, mut ending) = (0, 0);
        let weights = self.weights.as_slice();
        features::each::<R>(position, |feature, value| {
            let [first, second] = weights[feature];
            opening += i32::from(first) * value;
            ending += i32::from(second) * value;
        });
        blend::<R>(position, opening, ending)
    }

    /// The sums of weights by kind of feature, from White, in 1/100 man; what rounding leaves goes to the last.
    pub fn each_term<R: Rules>(&self, position: &Position<Word<R>>, mut add: impl FnMut(&'static str, i32)) {
        let mut sums: Vec<(&str, [i32; 2])> = Vec::new();
        features::each::<R>(position, |feature, value| {
            let name = features::name::<R>(feature);
            if sums.last().is_none_or(|(last, _)| *last != name) {
                sums.push((name, [0; 2]));
            }
            if let Some((_, sum)) = sums.last_mut() {
                let [opening, ending] = self.weights[feature];
                sum[0] += i32::from(opening) * value;
                sum[1] += i32::from(ending) * value;
            }
        });
        let mut rest = self.score::<R>(position);
        for (index, &(name, [opening, ending])) in sums.iter().enumerate() {
            let term = if index + 1 == sums.len() { rest } else { blend::<R>(position, opening, ending) };
            rest -= term;
            add(name, term);
        }
    }

    /// Reads a file for a rule set.
    ///
    /// # Errors
    /// If it is damaged, or not for the rule set.
    pub fn read<R: Rules>(set: &RuleSet, file: &[u8]) -> Result<Self, ModelError> {
        let mut bytes = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(file);
        decoder.read_to_end(&mut bytes).map_err(|error| ModelError::Damaged(error.to_string()))?;
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let line = String::from_utf8_lossy(&bytes[..end.min(200)]).into_owned();
        let rest =
            line.strip_prefix(MAGIC).ok_or_else(|| ModelError::Foreign(crate::error::excerpt(&line)))?;
        let mut words = rest.trim().splitn(3, ' ');
        let (id, _, note) = (words.next().unwrap_or(""), words.next(), words.next().unwrap_or(""));
        if id != set.id {
            return Err(ModelError::Other(id.to_owned()));
        }
        let numbers = bytes.get(end + 1..).unwrap_or_default();
        let needs = features::count::<R>();
        if numbers.len() != needs * 4 {
            return Err(ModelError::Size(numbers.len() / 4, needs));
        }
        let (first, second) = numbers.split_at(needs * 2);
        let number = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
        let pairs = first.chunks_exact(2).zip(second.chunks_exact(2));
        let weights = pairs.map(|(a, b)| [number(a), number(b)]).collect();
        Ok(Self { weights, note: note.to_owned() })
    }

    /// The file of these weights.
    pub fn write(&self, set: &RuleSet) -> std::io::Result<Vec<u8>> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writeln!(encoder, "{MAGIC} {} {} {}", set.id, self.weights.len(), self.note)?;
        for phase in 0..2 {
            for pair in &self.weights {
                encoder.write_all(&pair[phase].to_le_bytes())?;
            }
        }
        encoder.finish()
    }
}

/// The share of the opening in a position's score: from 0 to 1, times [`features::full`].
#[inline(always)]
pub fn stage<R: Rules>(position: &Position<Word<R>>) -> i32 {
    (position.occupied().count() as i32).min(const { features::full::<R>() })
}

/// A score in 1/100 man of sums of weights.
#[inline(always)]
fn blend<R: Rules>(position: &Position<Word<R>>, opening: i32, ending: i32) -> i32 {
    let (stage, full) = (stage::<R>(position), const { features::full::<R>() });
    (opening * stage + ending * (full - stage)) / (full * SCALE)
}
