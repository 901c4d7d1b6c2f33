//! The file of the distances of a slice.
//!
//! It is framed as that of values is; between header and checksum stand an index of 32-bit words, the place of each block
//! in bytes and then where the data end, and the blocks: the low bytes of the distances of [`BLOCK`] positions, then the high
//! bytes, deflated.

use super::code::BLOCK;
use super::distance::{Distances, NEVER};
use super::file::{Fault, FileError, Header, Identity, Metric, frame, header_of_line, unframe};
use super::judge::Slice;
use super::{Material, Value, pack};
use crate::bits::Bits;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A header is not longer than this.
const LONGEST: u64 = 1 << 12;

/// The bytes of the file of the distances of a slice.
///
/// # Errors
/// If the header cannot be written, or it is too large.
pub fn pack<B: Bits>(
    slice: &Slice<B>,
    distances: &[u16],
    metric: Metric,
    identity: &Identity,
) -> Result<Vec<u8>, Fault> {
    let counts = pack::count(slice);
    let header = Header {
        identity: identity.clone(),
        metric,
        material: slice.shape.material.digits(),
        positions: slice.shape.size,
        wins: counts.wins,
        draws: counts.draws,
        losses: counts.losses,
        longest: longest(slice, distances),
    };
    let blocks: Result<Vec<_>, _> = distances.par_chunks(BLOCK as usize).map(deflate).collect();
    let blocks = blocks.map_err(Fault::System)?;
    let (mut index, mut data) = (Vec::new(), Vec::new());
    let place = |data: &Vec<u8>| u32::try_from(data.len()).map_err(|_| Fault::Size);
    for block in blocks {
        index.extend(place(&data)?.to_le_bytes());
        data.extend(block);
    }
    index.extend(place(&data)?.to_le_bytes());
    frame(&header, &[&index, &data]).map_err(|error| Fault::Header(error.to_string()))
}

/// The greatest distance of a win and the first position that has it.
fn longest<B: Bits>(slice: &Slice<B>, distances: &[u16]) -> Option<(u32, u64)> {
    let wins = distances
        .par_iter()
        .enumerate()
        .filter(|(index, distance)| **distance != NEVER && slice.values.get(*index as u64) == Value::Win);
    let found = wins.map(|(index, &distance)| (distance, std::cmp::Reverse(index as u64))).max();
    found.map(|(distance, std::cmp::Reverse(index))| (distance.into(), index))
}

fn deflate(block: &[u16]) -> std::io::Result<Vec<u8>> {
    let low = block.iter().map(|distance| *distance as u8);
    let high = block.iter().map(|distance| (distance >> 8) as u8);
    let planes: Vec<u8> = low.chain(high).collect();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&planes)?;
    encoder.finish()
}

/// The distances in a file, which must be whole and of this game, slice and metric.
///
/// # Errors
/// Names the file and says what is wrong.
pub fn read(
    path: &Path,
    identity: &Identity,
    material: Material,
    metric: Metric,
) -> Result<(Header, Distances), FileError> {
    let bytes = fs::read(path).map_err(|error| FileError::system(path, error))?;
    parse(&bytes)
        .and_then(|(header, distances)| {
            let is = (&header.identity, header.material(), header.metric);
            if is == (identity, material, metric) {
                return Ok((header, distances));
            }
            let words = |(identity, material, metric): (&Identity, Material, Metric)| {
                format!("{} {material} {}", identity.directory(), metric.name())
            };
            Err(Fault::Foreign(words(is), words((identity, material, metric))))
        })
        .map_err(|fault| FileError { path: path.to_owned(), fault })
}

/// The distance of one position in a file of this game, slice and metric. A block alone is read, and checked by its own
/// checksum.
///
/// # Errors
/// Names the file and says what is wrong.
pub fn look_up(
    path: &Path,
    identity: &Identity,
    material: Material,
    metric: Metric,
    index: u64,
) -> Result<u16, FileError> {
    let system = |error| Fault::System(error);
    let read = || {
        let mut file = BufReader::new(File::open(path).map_err(system)?);
        let mut line = Vec::new();
        (&mut file).take(LONGEST).read_until(b'\n', &mut line).map_err(system)?;
        let header = header_of_line(&line)?;
        if (&header.identity, header.material(), header.metric) != (identity, material, metric) {
            return Err(Fault::Foreign(header.identity.directory(), identity.directory()));
        }
        let (block, rest) = (index / BLOCK, (index % BLOCK) as usize);
        let size = (header.positions.checked_sub(block * BLOCK).ok_or(Fault::Size)?).min(BLOCK) as usize;
        let start = line.len() as u64;
        let mut places = [0; 8];
        file.seek(SeekFrom::Start(start + 4 * block)).map_err(system)?;
        file.read_exact(&mut places).map_err(system)?;
        let place = |at: usize| u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|byte| places[at + byte])));
        let (from, to) = (place(0), place(4));
        let data = start + 4 * (header.positions.div_ceil(BLOCK) + 1);
        file.seek(SeekFrom::Start(data + from)).map_err(system)?;
        let mut planes = vec![0; 2 * size];
        let code = (&mut file).take(to.saturating_sub(from));
        ZlibDecoder::new(code).read_exact(&mut planes).map_err(|_| Fault::Codes)?;
        let low = planes.get(rest).copied().ok_or(Fault::Size)?;
        Ok(u16::from_le_bytes([low, planes[size + rest]]))
    };
    read().map_err(|fault| FileError { path: path.to_owned(), fault })
}

fn parse(bytes: &[u8]) -> Result<(Header, Distances), Fault> {
    let (header, start, end) = unframe(bytes)?;
    let blocks = header.positions.div_ceil(BLOCK) as usize;
    let body = &bytes[start..end];
    let (index, data) = body.split_at_checked(4 * (blocks + 1)).ok_or(Fault::Size)?;
    let places: Vec<_> = index
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
        .collect();
    let mut distances = vec![NEVER; header.positions as usize];
    distances.par_chunks_mut(BLOCK as usize).zip(places.par_windows(2)).try_for_each(|(block, place)| {
        let code = data.get(place[0]..place[1]).ok_or(Fault::Size)?;
        let mut planes = vec![0; 2 * block.len()];
        ZlibDecoder::new(code).read_exact(&mut planes).map_err(|_| Fault::Codes)?;
        let (low, high) = planes.split_at(block.len());
        for ((distance, &low), &high) in block.iter_mut().zip(low).zip(high) {
            *distance = u16::from_le_bytes([low, high]);
        }
        Ok(())
    })?;
    Ok((header, distances))
}
