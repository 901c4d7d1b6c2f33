//! Lines of text in, from a file or from standard input.

use super::Failure;
use crate::engine::Session;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Bytes read at once; more than the standard library keeps of standard input, so that nothing is kept there.
const BUFFER: usize = 1 << 16;

/// What standard input is called in messages.
const STDIN: &str = "standard input";

/// The lines of an input; one that is not UTF-8 gives a message instead.
pub(super) struct Lines {
    name: String,
    input: BufReader<Box<dyn Read>>,
}

impl Lines {
    /// The lines of standard input.
    pub(super) fn stdin() -> Self {
        Self::new(STDIN, Box::new(io::stdin()))
    }

    /// The lines of a file; `-` is standard input.
    pub(super) fn open(file: &str) -> Result<Self, Failure> {
        let (name, input) = open(file)?;
        Ok(Self { name, input })
    }

    fn new(name: &str, input: Box<dyn Read>) -> Self {
        Self { name: name.to_owned(), input: BufReader::with_capacity(BUFFER, input) }
    }

    /// The name of the input, for messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the next line has still to come: whoever writes it may be waiting for answers.
    pub(super) fn waits(&self) -> bool {
        !self.input.buffer().contains(&b'\n')
    }

    /// The one line there is; nothing at all is an empty line. Anything but blanks after it is refused.
    pub(super) fn only(mut self) -> Result<String, Failure> {
        let line = self.next().unwrap_or(Ok(Ok(String::new())))?;
        let line = line.map_err(|error| Failure::Failed(format!("{}, line 1: {error}", self.name)))?;
        let name = self.name.clone();
        for (number, rest) in (2..).zip(self) {
            let rest = rest?.unwrap_or_else(|error| error);
            if !rest.trim().is_empty() {
                let rest = excerpt(rest.trim());
                return Err(Failure::Failed(format!(
                    "{name}, line {number}: only one position is read here, and '{rest}' follows it"
                )));
            }
        }
        Ok(line)
    }
}

/// The name of a file for messages, and its bytes; `-` is standard input.
pub(super) fn open(file: &str) -> Result<(String, BufReader<Box<dyn Read>>), Failure> {
    let (name, input): (_, Box<dyn Read>) = match file {
        "-" => (STDIN, Box::new(io::stdin())),
        _ => (file, Box::new(File::open(file).map_err(|error| named(file, &error))?)),
    };
    Ok((name.to_owned(), BufReader::with_capacity(BUFFER, input)))
}

impl Iterator for Lines {
    type Item = Result<Result<String, String>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        match self.input.read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(named(&self.name, &error))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).map(str::to_owned);
        Some(Ok(text.map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to() + 1))))
    }
}

/// Answers each FEN of standard input at once; a bad one, or one that `answer` has no answer to, with what is wrong: as
/// `error: ...`, or in JSON with the number of its line.
pub(super) fn each_fen<W: Write>(
    json: bool,
    session: &mut dyn Session,
    out: &mut W,
    mut answer: impl FnMut(&dyn Session, &mut W) -> io::Result<Result<(), String>>,
) -> Result<(), Failure> {
    let mut lines = Lines::stdin();
    let mut number = 0;
    while let Some(line) = lines.next() {
        number += 1;
        let set = line?.and_then(|fen| session.set_fen(&fen).map_err(|error| error.to_string()));
        let answered = match set {
            Ok(()) => answer(session, out)?,
            Err(error) => Err(error),
        };
        match answered {
            Ok(()) => {}
            Err(error) if json => writeln!(out, "{}", json!({ "error": error, "line": number }))?,
            Err(error) => writeln!(out, "error: {error}")?,
        }
        if lines.waits() {
            out.flush()?;
        }
    }
    Ok(())
}

/// A failure of a file.
pub(super) fn named(file: &str, error: &io::Error) -> Failure {
    Failure::Failed(if file.is_empty() { format!("'': {error}") } else { format!("{file}: {error}") })
}

/// All of a text file, or of standard input for `-`.
pub(super) fn read_text(file: &str) -> Result<String, Failure> {
    let lines = Lines::open(file)?;
    let name = lines.name().to_owned();
    let mut text = String::new();
    for (number, line) in (1..).zip(lines) {
        text += &line?.map_err(|error| Failure::Failed(format!("{name}: line {number}: {error}")))?;
        text.push('\n');
    }
    Ok(text)
}

/// The beginning of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static [u8]) -> Lines {
        Lines::new("x", Box::new(text))
    }

    #[test]
    fn lines_end_as_they_may() {
        let all: Vec<_> = lines(b"a\r\n\nb\xff\nc").map(Result::unwrap).collect();
        assert_eq!(all, [Ok("a".into()), Ok("".into()), Err("byte 2 is not UTF-8".into()), Ok("c".into())]);
    }

    #[test]
    fn a_line_waits_until_it_is_whole() {
        let mut input = lines(b"a\nb\nc");
        assert!(input.waits());
        input.next();
        assert!(!input.waits());
        input.next();
        assert!(input.waits());
    }

    #[test]
    fn the_only_line() {
        assert_eq!(lines(b"a\n\n \n").only().unwrap(), "a");
        assert_eq!(lines(b"").only().unwrap(), "");
        let error = |text| lines(text).only().unwrap_err().to_string();
        assert_eq!(error(b"a\n\nb"), "x, line 3: only one position is read here, and 'b' follows it");
        assert_eq!(error(b"\xff"), "x, line 1: byte 1 is not UTF-8");
    }
}
