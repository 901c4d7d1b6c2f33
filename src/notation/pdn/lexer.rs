//! The tokens of a PDN text.

use super::lines::{Lines, Next};
use super::{Number, What};
use std::io::BufRead;

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

/// What a text is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A tag; what it lacks, if it is not in order, with its text.
    Tag {
        name: String,
        value: String,
        fault: Option<What>,
    },
    /// A move, without blanks.
    Move(String),
    Number(Number),
    /// Dots without a number.
    Dots,
    Nag(u16),
    Comment(String),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `*`; attached if it stands directly behind a move.
    Star {
        attached: bool,
    },
    Result(String),
    /// A position set up, its FEN.
    Setup(String),
    /// A sign without meaning.
    Stray(String),
    End,
}

/// Cuts a source into tokens.
pub(super) struct Lexer<R> {
    lines: Lines<R>,
    /// The byte in the line where the next token is looked for.
    at: usize,
    /// A byte of the line and its column, so that columns are counted once.
    mark: (usize, usize),
    /// Bytes of lines since the game began, and the most allowed.
    used: usize,
    limit: usize,
    /// Where in the line the last move or mark has ended.
    marked: Option<usize>,
    /// Where the last token, or what was wrong with it, begins.
    pub place: Place,
    /// Whether an empty line stands before it.
    pub gap: bool,
    /// Whether nothing follows.
    pub over: bool,
}

impl<R: BufRead> Lexer<R> {
    pub fn new(source: R, limit: usize) -> Self {
        let lines = Lines::new(source, limit);
        let (place, mark) = (Place::default(), (0, 1));
        Self { lines, at: 0, mark, used: 0, limit, marked: None, place, gap: false, over: false }
    }

    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.lines.set_limit(limit);
    }

    /// Counts the bytes of a game from here.
    pub fn begin_game(&mut self) {
        self.used = 0;
    }

    /// The next token; [`Token::End`] again and again at the end.
    pub fn next(&mut self) -> Result<Token, What> {
        let mut lines = 0;
        let marked = loop {
            let blanks = self.rest().len() - trim_start(self.rest()).len();
            let marked = self.marked.take().filter(|_| blanks == 0);
            self.at += blanks;
            match self.rest().chars().next() {
                None if !self.advance()? => {
                    self.place = self.here();
                    return Ok(Token::End);
                }
                None => lines += 1,
                Some('%') => self.at = self.lines.text.len(),
                Some(_) => break marked,
            }
        };
        self.gap = lines > 1;
        self.place = self.here();
        self.token(marked.is_some())
    }

    /// Goes to where the next line begins with a tag, from here on.
    pub fn skip_to_tag(&mut self) {
        let before = self.lines.text.get(..self.at).unwrap_or("");
        if before.trim().is_empty() && begins_tag(self.rest()) {
            return;
        }
        while !self.over {
            self.used = 0;
            if self.advance().is_ok() && begins_tag(self.rest()) {
                return;
            }
        }
    }

    fn rest(&self) -> &str {
        self.lines.text.get(self.at..).unwrap_or("")
    }

    fn here(&mut self) -> Place {
        let passed = self.lines.text.get(self.mark.0..self.at).unwrap_or("");
        self.mark = (self.at, self.mark.1 + passed.chars().count());
        Place { line: self.lines.number, column: self.mark.1 }
    }

    /// Goes to the next line; `false` if there is none.
    fn advance(&mut self) -> Result<bool, What> {
        if self.over {
            return Ok(false);
        }
        let next = self.lines.advance();
        self.over = !matches!(next, Ok(Next::Line | Next::TooLong));
        if matches!(next, Ok(Next::End)) {
            self.at = self.lines.text.len();
            return Ok(false);
        }
        (self.at, self.mark, self.marked) = (0, (0, 1), None);
        // The line may be the next game's, so it does not count yet.
        let before = self.used;
        self.used += self.lines.bytes() + 1;
        // A line that cannot be read is the one behind the last.
        let line = self.lines.number + usize::from(next.is_err());
        let what = match next {
            Ok(Next::Line) if before <= self.limit => return Ok(true),
            Ok(Next::Utf16) => What::Utf16,
            Ok(_) => What::TooLong(self.limit),
            Err(error) => What::Unreadable(error.to_string()),
        };
        self.place = Place { line, column: 1 };
        Err(what)
    }

    /// The token that begins here.
    fn token(&mut self, attached: bool) -> Result<Token, What> {
        let rest = self.rest();
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let token = match (first, second) {
            (Some('{'), _) => return self.comment(),
            (Some(';'), _) => {
                let text = rest.get(1..).unwrap_or("").trim().to_owned();
                self.at = self.lines.text.len();
                return Ok(Token::Comment(text));
            }
            (Some('['), Some('%')) => return Ok(self.bracket()),
            (Some('['), _) if begins_tag(rest) => return self.tag(),
            (Some('!' | '?'), _) => return Ok(self.strength(0)),
            (Some('('), Some('!' | '?')) if marks(rest.get(1..).unwrap_or("")).1.starts_with(')') => {
                return Ok(self.strength(1));
            }
            (Some('$'), _) => return Ok(self.nag()),
            (Some('/'), _) => return self.setup(),
            (Some('.' | '…'), _) => {
                self.at += rest.len() - rest.trim_start_matches(['.', '…']).len();
                return Ok(Token::Dots);
            }
            (Some('('), _) => Token::Open,
            (Some(')'), _) => Token::Close,
            (Some('*'), _) => Token::Star { attached },
            (Some(sign @ ('[' | ']' | '}')), _) => Token::Stray(sign.to_string()),
            _ => return self.word(),
        };
        self.at += 1;
        Ok(token)
    }

    /// A comment in braces. Its lines are joined by one blank. A comment in it ends with it, if on the same line.
    fn comment(&mut self) -> Result<Token, What> {
        let place = self.place;
        self.at += 1;
        let mut text = String::new();
        let mut blank = false;
        loop {
            let rest = self.rest();
            let end = comment_end(rest);
            let piece = rest.get(..end.unwrap_or(rest.len())).unwrap_or("").trim();
            blank |= piece.is_empty() && end.is_none() && self.at == 0;
            if !piece.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(piece);
            }
            if let Some(end) = end {
                self.at += end + 1;
                return Ok(Token::Comment(unescape_comment(text)));
            }
            // An empty line and a tag, and the brace has been forgotten.
            if !self.advance()? || (blank && begins_tag(self.rest())) {
                self.place = place;
                return Err(What::OpenComment);
            }
            blank &= self.rest().trim().is_empty();
        }
    }

    /// An annotation in brackets, outside of a comment: `[%clk 0:12:30]`.
    fn bracket(&mut self) -> Token {
        let rest = self.rest();
        let end = rest.find(']').map_or(rest.len(), |at| at + 1);
        let text = rest.get(..end).unwrap_or(rest).trim_end().to_owned();
        self.at += end;
        Token::Comment(text)
    }

    /// `!?` and the like, in parentheses of so many bytes.
    fn strength(&mut self, parenthesis: usize) -> Token {
        let (marks, _) = marks(self.rest().get(parenthesis..).unwrap_or(""));
        let nag = match marks.as_bytes() {
            b"!" => 1,
            b"?" => 2,
            [b'!', b'!', ..] => 3,
            [b'?', b'?', ..] => 4,
            [b'!', ..] => 5,
            _ => 6,
        };
        self.at += marks.len() + 2 * parenthesis;
        self.marked = Some(self.at);
        Token::Nag(nag)
    }

    fn nag(&mut self) -> Token {
        let digits = digits(self.rest().get(1..).unwrap_or(""));
        let token = digits.parse().map_or_else(|_| Token::Stray(format!("${digits}")), Token::Nag);
        self.at += 1 + digits.len();
        token
    }

    /// `/FEN "W:W31:B20"/`.
    fn setup(&mut self) -> Result<Token, What> {
        let rest = self.rest();
        let inside = rest.get(1..).and_then(|text| text.split_once('/')).map_or("", |(inside, _)| inside);
        let (word, fen) = inside.split_at_checked(3).unwrap_or((inside, ""));
        if !word.eq_ignore_ascii_case("FEN") {
            return Err(What::Word(rest.split_whitespace().next().unwrap_or(rest).to_owned()));
        }
        let fen = without_blanks(fen).trim_matches('"').to_owned();
        self.at += inside.len() + 2;
        Ok(Token::Setup(fen))
    }

    /// A move number, a move or a result.
    fn word(&mut self) -> Result<Token, What> {
        let rest = self.rest();
        let (word, behind) = rest.split_at(word_length(rest));
        let numeric = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
        if numeric && behind.starts_with(['.', '…']) {
            return self.number(word.len());
        }
        let (text, end) = joined(rest, word.len());
        let token = match text.as_str() {
            "-" | "--" => Token::Move(text),
            // A move without its sign, which the standard knows of.
            digits if numeric && (word.len(), digits.len()) == (4, 4) => {
                let (from, to) = digits.split_at_checked(2).unwrap_or((digits, ""));
                match format!("{from}-{to}") {
                    text if is_result(&text) => return Err(What::Word(digits.to_owned())),
                    text => Token::Move(text),
                }
            }
            digits if numeric && digits.len() == word.len() => return self.number(word.len()),
            _ if is_result(&text) => Token::Result(text),
            _ if is_move(&text) => Token::Move(text),
            _ => {
                let all = rest.split_whitespace().next().unwrap_or(rest);
                return Err(What::Word(if text.is_empty() { all.to_owned() } else { text }));
            }
        };
        self.at += end;
        self.marked = Some(self.at).filter(|_| matches!(token, Token::Move(_)));
        Ok(token)
    }

    /// A move number of so many digits, with its dots: `1`, `1.`, `1...`, `1. ...`.
    fn number(&mut self, length: usize) -> Result<Token, What> {
        let rest = self.rest();
        let (digits, mut behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let value = digits.parse().map_err(|_| What::Word(digits.to_owned()))?;
        let mut dots = 0;
        while let Some(next) = trim_start(behind).chars().next().filter(|c| matches!(c, '.' | '…')) {
            dots += if next == '…' { 3 } else { 1 };
            behind = trim_start(behind).strip_prefix(next).unwrap_or("");
        }
        self.at += rest.len() - behind.len();
        Ok(Token::Number(Number { value, dots: dots > 1 }))
    }

    fn tag(&mut self) -> Result<Token, What> {
        let rest = self.rest();
        let whole = rest.chars().take(60).collect::<String>();
        let inside = trim_start(rest.get(1..).unwrap_or(""));
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | ']');
        let (name, behind) = inside.split_at(inside.find(ends).unwrap_or(inside.len()));
        let (name, behind) = (name.to_owned(), trim_start(behind));
        let (value, lacks) = match behind.strip_prefix('"') {
            Some(string) => {
                self.at = self.lines.text.len() - string.len();
                self.string()?
            }
            None => {
                let (value, closed) = match behind.split_once(']') {
                    Some((value, _)) => (value, true),
                    None => (behind, false),
                };
                let value = value.trim_end().to_owned();
                let length = value.len();
                self.at = self.lines.text.len() - behind.len() + length;
                self.skip_past(if closed { "]" } else { "" });
                (value, Some("quotes round its value"))
            }
        };
        let value = if name.eq_ignore_ascii_case("FEN") { without_blanks(&value) } else { value };
        let fault = lacks.map(|lacks| What::Tag { text: whole.trim_end().to_owned(), lacks });
        Ok(Token::Tag { name, value, fault })
    }

    /// Goes behind the next `sign` of the line; stays if there is none.
    fn skip_past(&mut self, sign: &str) {
        if let Some(found) = self.rest().find(sign) {
            self.at += found + sign.len();
        }
    }

    /// The value of a tag from behind its first quote, and what the tag lacks. Quotes within it are tolerated: the last is
    /// the one before the bracket.
    fn string(&mut self) -> Result<(String, Option<&'static str>), What> {
        const QUOTE: &str = "a quote behind its value";
        let mut value = String::new();
        loop {
            let rest = self.rest();
            if let Some(end) = closing_quote(rest) {
                value.push_str(rest.get(..end).unwrap_or(rest));
                self.at += end;
                self.skip_past("]");
                return Ok((unescape(&value), None));
            }
            if let Some(end) = rest.rfind('"') {
                let (last, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
                value.push_str(last);
                // A backslash before the last quote is part of the value.
                let closed = trim_start(behind.get(1..).unwrap_or("")).starts_with(']');
                self.at += end + 1;
                self.skip_past("]");
                let lacks = if closed { None } else { Some("']' behind its value") };
                return Ok((unescape(&value), lacks));
            }
            if let Some(last) = rest.trim_end().strip_suffix(']') {
                value.push_str(last);
                self.at = self.lines.text.len();
                return Ok((unescape(&value), Some(QUOTE)));
            }
            value.push_str(rest.trim_end());
            if !self.advance()? || self.rest().trim().is_empty() || begins_tag(self.rest()) {
                return Ok((unescape(&value), Some(QUOTE)));
            }
            value.push(' ');
        }
    }
}

/// As `str::trim_start`, and byte order marks too, which joined files have within.
fn trim_start(text: &str) -> &str {
    let blanks = text.bytes().take_while(|byte| *byte == b' ').count();
    let rest = text.get(blanks..).unwrap_or("");
    match rest.bytes().next() {
        Some(byte) if byte.is_ascii_graphic() => rest,
        _ => rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}'),
    }
}

/// Whether a line, or the rest of one, begins with a tag.
fn begins_tag(line: &str) -> bool {
    let inside = trim_start(line).strip_prefix('[').map_or("", trim_start);
    inside.starts_with(char::is_alphabetic)
}

/// The bytes of the word that a text begins with.
fn word_length(text: &str) -> usize {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':');
    let length = text.bytes().take_while(plain).count();
    let rest = text.get(length..).unwrap_or("");
    length + rest.find(is_delimiter).unwrap_or(rest.len())
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '{' | '}' | '(' | ')' | '[' | ']' | ';' | '!' | '?' | '$' | '*' | '%' | '"' | '.' | '…'
        )
}

/// The digits that a text begins with.
fn digits(text: &str) -> &str {
    text.get(..text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()).unwrap_or("")
}

/// The marks `!` and `?` that a text begins with, and what follows.
fn marks(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(['!', '?']).len())
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

/// What stands between squares, as it is kept: typographers' signs are replaced.
fn sign(c: char) -> Option<char> {
    match c {
        '-' | 'x' | 'X' | ':' => Some(c),
        '×' => Some('x'),
        '‐' | '‑' | '–' | '—' | '−' => Some('-'),
        _ => None,
    }
}

/// A word with typographers' signs replaced.
fn plain(word: &str) -> String {
    match word.is_ascii() {
        true => word.to_owned(),
        false => word.chars().map(|c| sign(c).unwrap_or(c)).collect(),
    }
}

/// The word of so many bytes that `rest` begins with, signs replaced, joined with what blanks divide from it: `1- 7`,
/// `28 x 19`. And where it ends.
fn joined(rest: &str, mut end: usize) -> (String, usize) {
    let mut text = plain(rest.get(..end).unwrap_or(rest));
    loop {
        let behind = rest.get(end..).unwrap_or("");
        let next = trim_start(behind);
        if next.len() == behind.len() || !goes_on(&text, next) {
            return (text, end);
        }
        let length = word_length(next);
        text.push_str(&plain(next.get(..length).unwrap_or(next)));
        end += behind.len() - next.len() + length;
    }
}

/// Whether what stands behind a blank belongs to the move so far.
fn goes_on(text: &str, next: &str) -> bool {
    let starts_square = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_sign = |c| sign(c).is_some();
    if text.is_empty() || text.starts_with(is_sign) {
        return false;
    }
    if text.ends_with(is_sign) {
        return starts_square(next);
    }
    let Some((c, found)) = next.chars().next().and_then(|c| Some((c, sign(c)?))) else { return false };
    let after = next.get(c.len_utf8()..).map_or("", trim_start);
    (found != '-' || !text.contains(is_sign)) && starts_square(after)
}

/// Whether a word is the result of a game: points of which one side has none or both have the same. Other counts are
/// known by the tag alone.
pub(super) fn is_result(text: &str) -> bool {
    let Some((white, black)) = text.split_once('-') else { return false };
    match (white, black) {
        ("1/2", "1/2") | ("½", "½") => true,
        _ => {
            let points = |text: &str| (1..=2).contains(&text.len()) && digits(text).len() == text.len();
            points(white) && points(black) && (white == "0" || black == "0" || white == black)
        }
    }
}

/// Whether a word has the form of a move: squares with signs between them, which names of squares do without.
pub(super) fn is_move(text: &str) -> bool {
    let mut rest = text;
    loop {
        let named = rest.starts_with(|c: char| matches!(c.to_ascii_lowercase(), 'a'..='l'));
        let number = rest.get(usize::from(named)..).unwrap_or("");
        let length = digits(number).len();
        if !(1..=3).contains(&length) {
            return false;
        }
        rest = number.get(length..).unwrap_or("");
        let Some(next) = rest.chars().next() else { return named || text.len() > length };
        if matches!(next, '-' | 'x' | 'X' | ':') {
            rest = rest.get(1..).unwrap_or("");
        } else if !named {
            return false;
        }
    }
}

/// Where the comment that goes on with `rest` ends, if on this line.
fn comment_end(rest: &str) -> Option<usize> {
    let mut end = rest.find('}')?;
    let mut inner = rest.get(..end).unwrap_or("").matches('{').count();
    while inner > 0 {
        let behind = rest.get(end + 1..).unwrap_or("");
        match behind.find(['{', '}']) {
            Some(at) if behind.get(at..).is_some_and(|text| text.starts_with('}')) => end += at + 1,
            _ => break,
        }
        inner -= 1;
    }
    Some(end)
}

/// The quote that a bracket follows, if on this line.
fn closing_quote(text: &str) -> Option<usize> {
    let mut signs = text.char_indices();
    while let Some((at, c)) = signs.next() {
        match c {
            '\\' => drop(signs.next()),
            '"' if trim_start(text.get(at + 1..).unwrap_or("")).starts_with(']') => return Some(at),
            _ => {}
        }
    }
    None
}

/// Takes the backslashes before quotes and backslashes away.
fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        let escaped = if c == '\\' { signs.next_if(|next| matches!(next, '"' | '\\')) } else { None };
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

/// Characters that a comment cannot have, and how they are written instead.
pub(super) const ESCAPES: [(&str, &str); 3] = [("&#123;", "{"), ("&#125;", "}"), ("&#38;", "&")];

/// Undoes what the writer does to braces.
fn unescape_comment(text: String) -> String {
    if !text.contains("&#") {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("&#") {
        plain.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at..).unwrap_or("");
        let known = ESCAPES.iter().find_map(|(name, sign)| Some((rest.strip_prefix(name)?, *sign)));
        let (behind, sign) = known.unwrap_or((rest.get(2..).unwrap_or(""), "&#"));
        plain.push_str(sign);
        rest = behind;
    }
    plain.push_str(rest);
    plain
}
