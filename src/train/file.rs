//! Files of games: the header, the reader, the writer.

use super::record::{HEAD, Played, TAIL, record_bytes};
use crate::error::excerpt;
use crate::rules::Game;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a file begins with, and the version of the format.
const MAGIC: &str = "soffio games ";
const VERSION: &str = "1";
/// Longest header, in bytes.
const LONGEST: u64 = 4096;

/// What the games of a file have in common; two files of equal headers hold the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The id of the rule set.
    pub variant: String,
    /// All its options, as `NAME=VALUE`.
    pub rules: Vec<String>,
    /// Squares of its board.
    pub squares: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Seed of the games.
    pub seed: u64,
    /// Least and most plies of an opening.
    pub plies: (u32, u32),
    /// Which learned weights the evaluation had ([`Model::fingerprint`](crate::eval::Model::fingerprint)); none is the
    /// hand-made evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
}

impl Header {
    /// Its line, with the end of line.
    pub(super) fn line(&self) -> String {
        // Strings and numbers can always be written.
        format!("{MAGIC}{VERSION} {}\n", serde_json::to_string(self).unwrap_or_default())
    }

    /// The game that was played.
    ///
    /// # Errors
    /// This program has no such rule set or option, or it has another board.
    pub fn game(&self) -> Result<Game, String> {
        let rules = self.rules.iter().map(String::as_str);
        let game = Game::with_options(&self.variant, rules).map_err(|error| error.to_string())?;
        let (squares, variant) = (game.set.kernel.layout().squares, &self.variant);
        if squares != self.squares {
            return Err(format!("{variant} has {squares} squares, not {}", self.squares));
        }
        Ok(game)
    }

    /// Reads its line, without the end of line.
    fn parse(line: &str) -> Result<Self, Fault> {
        let Some(rest) = line.strip_prefix(MAGIC) else { return Err(Fault::NoGames) };
        let (version, json) = rest.split_once(' ').unwrap_or((rest, ""));
        if version != VERSION {
            return Err(Fault::Version(excerpt(version)));
        }
        let header: Self =
            serde_json::from_str(json).map_err(|error| Fault::Header(excerpt(&error.to_string())))?;
        header.game().map_err(Fault::Header)?;
        Ok(header)
    }

    fn evaluation(&self) -> String {
        self.weights
            .as_ref()
            .map_or_else(|| "hand-made".to_owned(), |weights| format!("of weights {weights}"))
    }

    /// How it differs from `wanted`, in the game that is played or in anything.
    fn difference(&self, wanted: &Self, in_game: bool) -> Option<String> {
        let game = [
            ("variant", self.variant.clone(), wanted.variant.clone()),
            ("rules", self.rules.join(" "), wanted.rules.join(" ")),
        ];
        let play = [
            ("nodes", self.nodes.to_string(), wanted.nodes.to_string()),
            ("seed", self.seed.to_string(), wanted.seed.to_string()),
            ("plies", format!("{:?}", self.plies), format!("{:?}", wanted.plies)),
            ("evaluation", self.evaluation(), wanted.evaluation()),
        ];
        let mut fields = game.into_iter().chain(play.into_iter().filter(|_| !in_game));
        let (name, is, want) = fields.find(|(_, is, want)| is != want)?;
        Some(format!("its {name} is {is}, not {want}"))
    }
}

/// What is wrong with a file of games, and where.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The byte, from 0.
    pub offset: u64,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    System(io::Error),
    /// Not a file of games.
    NoGames,
    Version(String),
    Header(String),
    /// The file ends within a game, or within the header.
    Torn(Option<u64>),
    Damaged(u64, &'static str),
    /// A file of other games than those to be added.
    Foreign(String),
}

impl FileError {
    fn new(path: &Path, offset: u64, fault: Fault) -> Self {
        Self { path: path.to_owned(), offset, fault }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        let offset = self.offset;
        match &self.fault {
            Fault::System(error) => error.fmt(f),
            Fault::NoGames => write!(f, "byte {offset}: not a file of training games"),
            Fault::Version(version) => write!(f, "byte {offset}: format '{version}', expected {VERSION}"),
            Fault::Header(why) => write!(f, "byte {offset}: bad header: {why}"),
            Fault::Torn(None) => write!(f, "byte {offset}: the file ends within its header"),
            Fault::Torn(Some(game)) => write!(f, "byte {offset}: the file ends within game {game}"),
            Fault::Damaged(game, what) => write!(f, "byte {offset}: game {game} is damaged: {what}"),
            Fault::Foreign(difference) => write!(f, "a file of other games: {difference}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Reads the games of a file one by one. After an error it gives nothing more.
#[derive(Debug)]
pub struct Reader<I = BufReader<File>> {
    path: PathBuf,
    input: I,
    header: Header,
    /// Where the next game begins.
    offset: u64,
    games: u64,
    ended: bool,
    block: Vec<u8>,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or is not one of games of a rule set that this program knows.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| FileError::new(path, 0, Fault::System(error)))?;
        Self::new(path, BufReader::with_capacity(1 << 16, file))
    }
}

impl<I: BufRead> Reader<I> {
    /// Reads the header of what `input` has to say; `path` is what errors call it.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn new(path: impl AsRef<Path>, mut input: I) -> Result<Self, FileError> {
        let path = path.as_ref().to_owned();
        let fail = |offset, fault| Err(FileError::new(&path, offset, fault));
        let mut line = Vec::new();
        if let Err(error) = (&mut input).take(LONGEST).read_until(b'\n', &mut line) {
            return fail(0, Fault::System(error));
        }
        let offset = line.len() as u64;
        if let Some(line) = line.strip_suffix(b"\n") {
            let text = String::from_utf8_lossy(line);
            return match Header::parse(&text) {
                Ok(header) => {
                    Ok(Self { path, input, header, offset, games: 0, ended: false, block: Vec::new() })
                }
                Err(fault) => fail(0, fault),
            };
        }
        let known = line.len().min(MAGIC.len());
        let ours = line[..known] == MAGIC.as_bytes()[..known] && offset < LONGEST;
        if ours { fail(offset, Fault::Torn(None)) } else { fail(0, Fault::NoGames) }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Refuses a file of another rule set, or with other options.
    ///
    /// # Errors
    /// Says what is different from `first`.
    pub fn expect_game_of(&self, first: &Header) -> Result<(), FileError> {
        let foreign = |difference| Err(FileError::new(&self.path, 0, Fault::Foreign(difference)));
        self.header.difference(first, true).map_or(Ok(()), foreign)
    }

    /// Where the next game begins, in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads a block; `Ok(None)` at the end.
    fn read(&mut self) -> Result<Option<Played>, (u64, Fault)> {
        let at = self.offset;
        let system = |error| (at, Fault::System(error));
        self.block.clear();
        let had = (&mut self.input).take(HEAD as u64).read_to_end(&mut self.block).map_err(system)?;
        if had == 0 {
            return Ok(None);
        }
        let &[low, high, ..] = &self.block[..] else { return Err((at, Fault::Torn(Some(self.games)))) };
        let count = usize::from(u16::from_le_bytes([low, high]));
        let rest = count * record_bytes(self.header.squares) + TAIL;
        let more = (&mut self.input).take(rest as u64).read_to_end(&mut self.block).map_err(system)?;
        if had < HEAD || more < rest {
            return Err((at, Fault::Torn(Some(self.games))));
        }
        let game = Played::from_bytes(self.games, self.header.squares, &self.block)
            .map_err(|what| (at, Fault::Damaged(self.games, what)))?;
        self.offset += self.block.len() as u64;
        self.games += 1;
        Ok(Some(game))
    }
}

impl<I: BufRead> Iterator for Reader<I> {
    type Item = Result<Played, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read().map_err(|(offset, fault)| FileError::new(&self.path, offset, fault));
        self.ended = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

/// Adds games to the end of a file. Each is written at once.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    squares: usize,
    /// Games in the file.
    games: u64,
    /// Where the next game begins.
    offset: u64,
}

impl Writer {
    /// Opens a file to go on after its last complete game; what is left of a torn one is cut off. A file that is not
    /// there is made, and an empty one, or one that was torn within this header, begins anew. `earlier` hears the games
    /// that are there.
    ///
    /// # Errors
    /// The file has another header, is damaged, or the system refuses; it stays as it was.
    pub fn open(
        path: impl AsRef<Path>,
        header: &Header,
        earlier: &mut dyn FnMut(Played),
    ) -> Result<Self, FileError> {
        let path = path.as_ref().to_owned();
        let system = |error| FileError::new(&path, 0, Fault::System(error));
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(system)?;
        let line = header.line();
        let (mut games, mut offset) = (0, 0);
        if !begins(&mut file, line.as_bytes()).map_err(system)? {
            let mut reader = Reader::new(&path, BufReader::with_capacity(1 << 16, &file))?;
            if let Some(difference) = reader.header.difference(header, false) {
                return Err(FileError::new(&path, 0, Fault::Foreign(difference)));
            }
            for game in &mut reader {
                match game {
                    Ok(game) => earlier(game),
                    Err(FileError { fault: Fault::Torn(_), .. }) => break,
                    Err(error) => return Err(error),
                }
            }
            (games, offset) = (reader.games, reader.offset);
        }
        let mut writer = Self { path, file, squares: header.squares, games, offset };
        writer.cut().map_err(|error| writer.fault(error))?;
        if offset == 0 {
            writer.append(line.as_bytes())?;
        }
        Ok(writer)
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The system refuses; what was written of the game is taken away again, if the system allows that.
    pub fn add(&mut self, game: &Played) -> Result<(), FileError> {
        self.append(&game.to_bytes(self.games, self.squares))?;
        self.games += 1;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        if let Err(error) = self.file.write_all(bytes) {
            // The first error is the one to tell.
            let _ = self.cut();
            return Err(self.fault(error));
        }
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Ends the file after the last complete game.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.offset)?;
        self.file.seek(SeekFrom::Start(self.offset)).map(drop)
    }

    fn fault(&self, error: io::Error) -> FileError {
        FileError::new(&self.path, self.offset, Fault::System(error))
    }
}

/// Whether a file has nothing but the beginning of `line`; it is read from its start again.
fn begins(file: &mut File, line: &[u8]) -> io::Result<bool> {
    let mut start = Vec::new();
    (&mut *file).take(line.len() as u64).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(start.len() < line.len() && line.starts_with(&start))
}
