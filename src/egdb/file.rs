//! A slice in a file.
//!
//! | part | what |
//! |---|---|
//! | a line | `soffio-egdb 1 ` and the header as JSON |
//! | code lengths | a byte for each token in each context (`wld` only) |
//! | index | for each block a word: its place in the data in bytes, times 4, and its first value; then where the data end |
//! | data | the blocks, then some zeros |
//! | checksum | CRC-32 of all that comes before |
//!
//! Words are little-endian, of 32 bits.

use super::code::{BLOCK, BLOCK_WORDS, CONTEXTS, Decoder, Lengths, PADDING, TOKENS};
use super::{Counts, Material};
use crate::error::excerpt;
use crate::rules::Game;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a file of a table begins with.
const MAGIC: &str = "soffio-egdb ";
/// The format.
const VERSION: &str = "1";

/// What the numbers of a table mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Win, draw or loss.
    Wld,
    /// Plies to the next conversion, a man's move or a capture.
    Mtc,
    /// Plies to the end of the game.
    Dtw,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Wld, Self::Mtc, Self::Dtw];

    /// Its name, which is the ending of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wld => "wld",
            Self::Mtc => "mtc",
            Self::Dtw => "dtw",
        }
    }
}

/// The game of a table: the rule set, and what else decides about values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The rule set.
    pub variant: String,
    /// Options that are not at their default and matter, as `name=value`.
    pub rules: Vec<String>,
}

impl Identity {
    /// That of a game. Options that leave moves and immediate ends alone do not matter.
    pub fn of(game: &Game) -> Self {
        let plain = Game::new(game.set);
        let same = game.moves == plain.moves && game.draws.one_each == plain.draws.one_each;
        let chosen = game.chosen.iter().zip(&plain.chosen).filter(|(choice, usual)| !same && choice != usual);
        let rules = chosen.map(|((name, value), _)| format!("{name}={value}")).collect();
        Self { variant: game.set.id.to_owned(), rules }
    }

    /// The name of the directory of its files.
    pub fn directory(&self) -> String {
        self.rules.iter().fold(self.variant.clone(), |name, rule| format!("{name}+{rule}"))
    }
}

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game.
    #[serde(flatten)]
    pub identity: Identity,
    /// What the numbers mean.
    pub metric: Metric,
    /// Men and kings of the side to move, men and kings of the other.
    pub material: [u8; 4],
    /// Placements.
    pub positions: u64,
    /// Wins for the side to move.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// The greatest distance of a win, in plies, and the first position that has it (`mtc` and `dtw` only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<(u32, u64)>,
}

impl Header {
    /// How many positions have each value.
    pub fn counts(&self) -> Counts {
        Counts { wins: self.wins, draws: self.draws, losses: self.losses }
    }

    /// The material.
    pub fn material(&self) -> Material {
        let [men, kings, other_men, other_kings] = self.material;
        Material { men: [men, other_men], kings: [kings, other_kings] }
    }
}

/// What is wrong with a file.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Fault {
    /// The system's word.
    System(io::Error),
    /// It is not a table.
    NoTable,
    /// Another format.
    Version(String),
    /// The header cannot be read.
    Header(String),
    /// It is shorter than its header says, or longer.
    Size,
    /// The checksum is not that of its contents.
    Checksum,
    /// It is a table of something else: what it has, and what was wanted.
    Foreign(String, String),
    /// The codes make no sense.
    Codes,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.fault {
            Fault::System(error) => error.fmt(f),
            Fault::NoTable => write!(f, "not an endgame table"),
            Fault::Version(version) => write!(f, "table format '{version}', expected {VERSION}"),
            Fault::Header(why) => write!(f, "bad header: {why}"),
            Fault::Size => write!(f, "truncated, or longer than it should be"),
            Fault::Checksum => write!(f, "damaged: the checksum does not agree"),
            Fault::Foreign(is, wanted) => write!(f, "a table of {is}, not of {wanted}"),
            Fault::Codes => write!(f, "damaged: no such codes"),
        }
    }
}

impl std::error::Error for FileError {}

impl FileError {
    /// An error of the system.
    pub fn system(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), fault: Fault::System(error) }
    }
}

/// The contents of a file with a header, the bytes in between and a checksum.
pub(super) fn frame(header: &Header, parts: &[&[u8]]) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = format!("{MAGIC}{VERSION} {}\n", serde_json::to_string(header)?).into_bytes();
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    Ok(bytes)
}

/// The checksum that the bytes of a file should end with. (That of all its bytes would be the same for every sound file.)
pub fn checksum_of_rest(bytes: &[u8]) -> u32 {
    checksum(&bytes[..bytes.len().saturating_sub(4)])
}

/// CRC-32.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Takes a frame apart: the header, and where what follows begins and ends.
pub(super) fn unframe(bytes: &[u8]) -> Result<(Header, usize, usize), Fault> {
    let start = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
    let header = header_of_line(&bytes[..start])?;
    let Some(last) = bytes.len().checked_sub(4).filter(|&last| last >= start) else {
        return Err(Fault::Size);
    };
    if bytes[last..] != checksum_of_rest(bytes).to_le_bytes() {
        return Err(Fault::Checksum);
    }
    Ok((header, start, last))
}

/// The header in the first line of a file.
pub(super) fn header_of_line(line: &[u8]) -> Result<Header, Fault> {
    let Some(rest) = line.strip_prefix(MAGIC.as_bytes()) else { return Err(Fault::NoTable) };
    let Some(line) = rest.strip_suffix(b"\n") else { return Err(Fault::Size) };
    let line = String::from_utf8_lossy(line);
    let (version, json) = line.split_once(' ').unwrap_or((&line, ""));
    if version != VERSION {
        return Err(Fault::Version(excerpt(version)));
    }
    serde_json::from_str(json).map_err(|error| Fault::Header(excerpt(&error.to_string())))
}

/// The header of the bytes of a file, which must be whole.
///
/// # Errors
/// Says what is wrong.
pub fn header(bytes: &[u8]) -> Result<Header, Fault> {
    unframe(bytes).map(|(header, ..)| header)
}

/// Writes a file so that it is there as a whole or not at all.
///
/// # Errors
/// Names the file that the system refuses.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let temporary = path.with_extension("part");
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| FileError::system(path, error))
}

/// A table of wins, draws and losses as it stands in a file.
#[derive(Debug)]
pub struct Table {
    /// Its header.
    pub header: Header,
    decoder: Decoder,
    /// For each block its place in the data in bytes, times 4, and its first value; then where the data end.
    index: Vec<u32>,
    data: Vec<u8>,
}

impl Table {
    /// The bytes of a file with these blocks.
    ///
    /// # Errors
    /// If the header cannot be written.
    pub fn bytes(header: &Header, lengths: &Lengths, index: &[u32], data: &[u8]) -> Result<Vec<u8>, Fault> {
        let lengths: Vec<u8> = lengths.iter().flatten().copied().collect();
        let index: Vec<u8> = index.iter().flat_map(|word| word.to_le_bytes()).collect();
        frame(header, &[&lengths, &index, data, &[0; PADDING]])
            .map_err(|error| Fault::Header(error.to_string()))
    }

    /// Reads a file, and checks that it is whole and of this game.
    ///
    /// # Errors
    /// Names the file and says what is wrong.
    pub fn open(path: &Path, identity: &Identity) -> Result<Self, FileError> {
        let bytes = fs::read(path).map_err(|error| FileError::system(path, error))?;
        Self::parse(&bytes)
            .and_then(|table| match &table.header {
                header if header.identity != *identity => {
                    Err(Fault::Foreign(header.identity.directory(), identity.directory()))
                }
                header if Some(format!("{}.wld", header.material())) != file_name(path) => {
                    Err(Fault::Foreign(format!("slice {}", header.material()), "that name".to_owned()))
                }
                _ => Ok(table),
            })
            .map_err(|fault| FileError { path: path.to_owned(), fault })
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let (header, start, end) = unframe(bytes)?;
        let blocks = header.positions.div_ceil(BLOCK) as usize;
        let (codes, words) = (CONTEXTS * TOKENS, 4 * (blocks + 1));
        if header.metric != Metric::Wld || end - start < codes + words + PADDING {
            return Err(Fault::Size);
        }
        let mut lengths = [[0; TOKENS]; CONTEXTS];
        for (length, &byte) in lengths.iter_mut().flatten().zip(&bytes[start..start + codes]) {
            *length = byte;
        }
        let decoder = Decoder::new(&lengths).ok_or(Fault::Codes)?;
        let (words, data) = bytes[start + codes..end].split_at(words);
        let index: Vec<_> = words
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        let ascend = index.windows(2).all(|pair| pair[0] >> 2 <= pair[1] >> 2);
        if !ascend || index[blocks] as usize >> 2 != data.len() - PADDING {
            return Err(Fault::Size);
        }
        Ok(Self { header, decoder, index, data: data.to_vec() })
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.index.len() - 1
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.data.len() + 4 * self.index.len()
    }

    /// Reads a block into words; what lies beyond the slice's end is left alone. `None` if the data are damaged.
    #[inline]
    pub fn read(&self, block: usize, words: &mut [u64]) -> Option<()> {
        let (entry, next) = (*self.index.get(block)?, *self.index.get(block + 1)?);
        let size = (self.header.positions - block as u64 * BLOCK).min(BLOCK);
        let code = self.data.get((entry >> 2) as usize..)?;
        debug_assert!(words.len() <= BLOCK_WORDS);
        self.decoder.read((entry & 3) as u8, code, entry >> 2 == next >> 2, size, words)
    }
}

/// The last part of a path.
fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}
