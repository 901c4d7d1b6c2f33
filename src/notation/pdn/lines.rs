//! The lines of a source, one at a time, as text.

use std::io::{self, BufRead, ErrorKind};

/// Reads lines that end with a line feed, a carriage return or both.
pub(super) struct Lines<R> {
    source: R,
    raw: Vec<u8>,
    /// The current line, without its end.
    pub text: String,
    /// Its number, from 1; 0 before the first.
    pub number: usize,
    /// Most bytes of a line.
    limit: usize,
    /// Whether the line before ended with a carriage return, of which a line feed is a part.
    returned: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A line.
    Line,
    /// A line with more bytes than the limit; its text is left out.
    TooLong,
    /// UTF-16, by its byte order mark.
    Utf16,
    /// Nothing.
    End,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R, limit: usize) -> Self {
        Self { source, raw: Vec::new(), text: String::new(), number: 0, limit, returned: false }
    }

    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Bytes of the current line.
    pub fn bytes(&self) -> usize {
        self.raw.len()
    }

    /// Goes to the next line; at the end the last one stays.
    pub fn advance(&mut self) -> io::Result<Next> {
        let mut too_long = false;
        let mut anything = false;
        loop {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                break;
            }
            if std::mem::take(&mut self.returned) && buffer.first() == Some(&b'\n') {
                self.source.consume(1);
                continue;
            }
            if !std::mem::replace(&mut anything, true) {
                self.raw.clear();
                self.text.clear();
            }
            let end = buffer.iter().position(|&byte| byte == b'\n' || byte == b'\r');
            let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
            too_long |= self.raw.len() + part.len() > self.limit;
            if !too_long {
                self.raw.extend_from_slice(part);
            }
            self.returned = end.and_then(|at| buffer.get(at)) == Some(&b'\r');
            let consumed = part.len() + usize::from(end.is_some());
            self.source.consume(consumed);
            if end.is_some() {
                break;
            }
        }
        if !anything {
            return Ok(Next::End);
        }
        self.number += 1;
        if too_long {
            self.raw.clear();
            return Ok(Next::TooLong);
        }
        if self.number == 1 && (self.raw.starts_with(&[0xff, 0xfe]) || self.raw.starts_with(&[0xfe, 0xff])) {
            return Ok(Next::Utf16);
        }
        self.decode();
        Ok(Next::Line)
    }

    /// A line that is not UTF-8 is taken for Latin-1, in which every byte is the character of its number.
    fn decode(&mut self) {
        match std::str::from_utf8(&self.raw) {
            Ok(text) => {
                let marked = text.strip_prefix('\u{feff}').filter(|_| self.number == 1);
                self.text.push_str(marked.unwrap_or(text));
            }
            Err(_) => self.text.extend(self.raw.iter().map(|&byte| char::from(byte))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(bytes: &[u8], limit: usize) -> Vec<(Next, String)> {
        let mut found = Vec::new();
        for capacity in [1, 2, 3, 100] {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes), limit);
            let mut these = Vec::new();
            loop {
                let next = lines.advance().unwrap();
                let text = if next == Next::End { String::new() } else { lines.text.clone() };
                these.push((next, text));
                if matches!(next, Next::End | Next::Utf16) {
                    break;
                }
                assert_eq!(lines.number, these.len());
            }
            assert!(found.is_empty() || found == these, "the size of the buffer matters");
            found = these;
        }
        found
    }
    fn texts(bytes: &[u8]) -> Vec<String> {
        let mut found = all(bytes, 100);
        assert_eq!(found.pop().unwrap().0, Next::End);
        found.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn line_ends_of_every_system() {
        assert_eq!(texts(b"a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(texts(b"\n\r\n\r\ra\r\n"), ["", "", "", "", "a"]);
        assert_eq!(texts(b""), [""; 0]);
        assert_eq!(texts(b"\r"), [""]);
    }

    #[test]
    fn encodings() {
        assert_eq!(texts(b"\xef\xbb\xbfa\n\xef\xbb\xbfb"), ["a", "\u{feff}b"]);
        assert_eq!(texts("\u{448}\u{b0}\n".as_bytes()), ["\u{448}\u{b0}"]);
        assert_eq!(texts(b"69\xb0 \xe9\n"), ["69\u{b0} \u{e9}"]);
        assert_eq!(all(b"\xff\xfe[\0", 9).pop().unwrap().0, Next::Utf16);
    }

    #[test]
    fn a_long_line_is_skipped() {
        let found = all(b"abcd\nabcde\nab", 4);
        let kinds: Vec<_> = found.iter().map(|(next, text)| (*next, text.as_str())).collect();
        assert_eq!(kinds, [(Next::Line, "abcd"), (Next::TooLong, ""), (Next::Line, "ab"), (Next::End, "")]);
    }
}
