//! A file of records that can be gone on with.
//!
//! While it grows, a file beside it, `FILE.unfinished`, says of what it is the analysis; when it is whole that file goes.

use super::record::Records;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of records under way.
#[derive(Debug)]
pub struct Journal {
    file: BufWriter<File>,
    marker: PathBuf,
    /// The place of its last record.
    last: Option<(usize, usize)>,
}

/// Why a file of records cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The system says so.
    Io(PathBuf, io::Error),
    /// It is there already.
    Exists(PathBuf),
    /// A line is not what it should be.
    Line(PathBuf, usize, String),
    /// It is the beginning of another analysis: its terms, and those asked for.
    Other(PathBuf, String, String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Exists(path) => write!(f, "{} is there already: --resume goes on with it", path.display()),
            Self::Line(path, line, why) => write!(f, "{}:{line}: {why}", path.display()),
            Self::Other(path, there, here) => {
                write!(f, "{} is another analysis: {there}, not {here}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}

/// The file that says that another one is not whole.
pub(super) fn marker(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    PathBuf::from(name)
}

impl Journal {
    /// Begins a file, or with `resume` goes on with it if it is there: a last line that was cut off is taken away. The
    /// terms of an unfinished one must be those with which it was begun.
    ///
    /// # Errors
    /// A file that cannot be used, and why; it stays as it is.
    pub fn open(path: &Path, terms: &str, resume: bool) -> Result<Self, JournalError> {
        let io = |error| JournalError::Io(path.to_owned(), error);
        let marker = marker(path);
        if !resume && path.exists() {
            return Err(JournalError::Exists(path.to_owned()));
        }
        if let Some(there) = fs::read_to_string(&marker).ok().filter(|there| resume && there.ends_with('\n'))
        {
            if there.trim_end() != terms {
                return Err(JournalError::Other(
                    path.to_owned(),
                    there.trim_end().to_owned(),
                    terms.to_owned(),
                ));
            }
        }
        let mark = || fs::write(&marker, format!("{terms}\n")).map_err(io);
        // A file must never look whole before it is; one that is there already may be somebody else's.
        if !path.exists() {
            mark()?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let (whole, last) = scan(path, &file)?;
        mark()?;
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(Self { file: BufWriter::new(file), marker, last })
    }

    /// The place of the last record it has, after which it goes on.
    pub const fn last(&self) -> Option<(usize, usize)> {
        self.last
    }

    /// Ends a file that is whole.
    ///
    /// # Errors
    /// Of the system.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::remove_file(&self.marker)
    }
}

/// Each line goes to the file at once.
impl Write for Journal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The length of the whole lines of a file and the place of the last record.
fn scan(path: &Path, file: &File) -> Result<(u64, Option<(usize, usize)>), JournalError> {
    let bad = |line, why| JournalError::Line(path.to_owned(), line, why);
    let mut records = Records::new(BufReader::new(file));
    let (mut whole, mut last) = (0, None);
    while let Some(read) = records.read().map_err(|error| JournalError::Io(path.to_owned(), error))? {
        let line = records.line();
        match read {
            Ok((record, length)) => {
                if last.is_some_and(|last| last >= record.place()) {
                    return Err(bad(line, "the record does not stand in order".to_owned()));
                }
                whole += length as u64;
                last = Some(record.place());
            }
            // What has been cut off is the end of the file.
            Err(_) if records.read().is_ok_and(|next| next.is_none()) && whole > 0 => break,
            Err(why) if whole == 0 && file.metadata().is_ok_and(|data| data.len() < FIRST) => {
                // The first line itself, if it begins as records do.
                return if begins(path) { Ok((0, None)) } else { Err(bad(line, why)) };
            }
            Err(why) => return Err(bad(line, why)),
        }
    }
    Ok((whole, last))
}

/// A first line that was cut off is shorter than this, in bytes.
const FIRST: u64 = 1 << 16;

/// Whether a file begins as one of records.
fn begins(path: &Path) -> bool {
    const HEAD: &str = "{\"game\":";
    let text = fs::read(path).unwrap_or_default();
    !text.contains(&b'\n') && (text.starts_with(HEAD.as_bytes()) || HEAD.as_bytes().starts_with(&text))
}
