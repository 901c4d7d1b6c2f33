//! Joins files of records.

use super::journal::marker;
use super::record::{Record, Records};
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Why files cannot be joined.
#[derive(Debug)]
pub enum MergeError {
    /// One cannot be read.
    Io(PathBuf, io::Error),
    /// One is not finished.
    Unfinished(PathBuf),
    /// A line is at fault.
    Line(PathBuf, usize, String),
    /// The outcome cannot be written.
    Output(io::Error),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Unfinished(path) => {
                write!(f, "{} is not finished: run its analysis again with --resume", path.display())
            }
            Self::Line(path, line, why) => write!(f, "{}:{line}: {why}", path.display()),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MergeError {}

/// A file and its next record.
struct Part {
    path: PathBuf,
    records: Records<BufReader<File>>,
    next: Option<Record>,
}

impl Part {
    fn open(path: &Path) -> Result<Self, MergeError> {
        if marker(path).exists() {
            return Err(MergeError::Unfinished(path.to_owned()));
        }
        let file = File::open(path).map_err(|error| MergeError::Io(path.to_owned(), error))?;
        let mut part =
            Self { path: path.to_owned(), records: Records::new(BufReader::new(file)), next: None };
        part.advance()?;
        Ok(part)
    }

    /// Takes the next record and reads the one behind it.
    fn advance(&mut self) -> Result<Option<Record>, MergeError> {
        let read = self.records.read().map_err(|error| MergeError::Io(self.path.clone(), error))?;
        let read = read.transpose().map_err(|why| self.bad(why))?.map(|(record, _)| record);
        let place = |record: &Option<Record>| record.as_ref().map(Record::place);
        if read.is_some() && place(&read) <= place(&self.next) {
            return Err(self.bad("the record does not stand in order".to_owned()));
        }
        Ok(std::mem::replace(&mut self.next, read))
    }

    fn bad(&self, why: String) -> MergeError {
        MergeError::Line(self.path.clone(), self.records.line(), why)
    }
}

/// Writes the records of several files in the order of the input that they come from, which is what an analysis on one
/// machine would have written. One record of each file is in memory.
///
/// # Errors
/// A file that is not finished, has a line that is no record or one out of order, or a record that another file has too.
pub fn merge(paths: &[PathBuf], out: &mut dyn Write) -> Result<usize, MergeError> {
    let mut parts = paths.iter().map(|path| Part::open(path)).collect::<Result<Vec<_>, _>>()?;
    let (mut count, mut last) = (0, None);
    loop {
        let place = |part: &Part| part.next.as_ref().map(Record::place);
        let next = parts.iter_mut().filter(|part| part.next.is_some()).min_by_key(|part| place(part));
        let Some(part) = next else { return Ok(count) };
        if place(part) == last {
            return Err(part.bad("another file has the record too".to_owned()));
        }
        last = place(part);
        if let Some(record) = part.advance()? {
            out.write_all(record.line().as_bytes()).map_err(MergeError::Output)?;
            count += 1;
        }
    }
}
