//! The words of a Hub line.
//!
//! ```text
//! line     = command { blank argument }
//! argument = name | name "=" value          (blanks around "=" are allowed)
//! name     = bare
//! value    = bare | '"' { any character but '"' } '"'
//! bare     = one or more characters that are not blank, control, "=" or '"'
//! ```
//!
//! Nothing is repaired: a line that is not of this form is refused with the column (in characters, from 1).

use crate::error::excerpt;
use std::fmt;

/// A line taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The first word.
    pub name: &'a str,
    /// What follows, in order.
    arguments: Vec<Argument<'a>>,
}

/// A flag or a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument<'a> {
    name: &'a str,
    value: Option<&'a str>,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// Blanks only.
    Empty,
    /// A quote is opened here and not closed.
    OpenQuote(usize),
    /// A character that cannot stand here.
    Stray(char, usize),
    /// `=` without a value after it.
    NoValue(String, usize),
    /// A control character.
    Control(char, usize),
    /// An argument that is given twice.
    Twice(String),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("missing command"),
            Self::OpenQuote(column) => write!(f, "unterminated quote, column {column}"),
            Self::Stray('"', column) => {
                write!(f, "stray quote, column {column}: a quote opens after '=' and closes before a blank")
            }
            Self::Stray(character, column) => {
                write!(f, "stray '{character}', column {column}: a name is due")
            }
            Self::NoValue(name, column) => {
                write!(f, "missing value of '{}', column {column}", excerpt(name))
            }
            Self::Control(character, column) => {
                write!(f, "control character U+{:04X}, column {column}", u32::from(*character))
            }
            Self::Twice(name) => write!(f, "'{}' is given twice", excerpt(name)),
        }
    }
}

impl std::error::Error for LineError {}

impl<'a> Command<'a> {
    /// Takes a line apart.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn parse(line: &'a str) -> Result<Self, LineError> {
        if let Some((column, character)) = (1..).zip(line.chars()).find(|(_, c)| c.is_control() && *c != '\t')
        {
            return Err(LineError::Control(character, column));
        }
        let mut scanner = Scanner { line, rest: line };
        scanner.skip_blanks();
        if scanner.rest.is_empty() {
            return Err(LineError::Empty);
        }
        let name = scanner.bare()?;
        let mut arguments = Vec::new();
        scanner.boundary()?;
        while !scanner.rest.is_empty() {
            arguments.push(scanner.argument()?);
        }
        Ok(Self { name, arguments })
    }

    /// The value of an argument, if it is there with one.
    ///
    /// # Errors
    /// If it is there more than once.
    pub fn value(&self, name: &str) -> Result<Option<&'a str>, LineError> {
        let mut found = self.arguments.iter().filter(|argument| argument.name == name);
        let first = found.next();
        match found.next() {
            Some(_) => Err(LineError::Twice(name.to_owned())),
            None => Ok(first.and_then(|argument| argument.value)),
        }
    }

    /// Whether an argument is there, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|argument| argument.name == name)
    }
}

/// `text` as a value: in quotes only where it must be.
pub fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "=\"".contains(c));
    if plain { text.to_owned() } else { format!("\"{}\"", printable(text)) }
}

/// `text` without what would break a quoted value or a line.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => '?',
            c => c,
        })
        .collect()
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

fn is_bare(character: char) -> bool {
    !is_blank(character) && character != '=' && character != '"'
}

struct Scanner<'a> {
    line: &'a str,
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// The column of the next character; for errors alone, as it counts from the beginning.
    fn column(&self) -> usize {
        let before = self.line.len().saturating_sub(self.rest.len());
        self.line.get(..before).map_or(0, |text| text.chars().count()) + 1
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    /// Takes what `keep` allows.
    fn take(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn bare(&mut self) -> Result<&'a str, LineError> {
        match self.rest.chars().next() {
            Some(character) if !is_bare(character) => Err(LineError::Stray(character, self.column())),
            _ => Ok(self.take(is_bare)),
        }
    }

    /// Between arguments: blanks, or the end of the line.
    fn boundary(&mut self) -> Result<(), LineError> {
        match self.rest.chars().next() {
            Some(character) if !is_blank(character) => Err(LineError::Stray(character, self.column())),
            _ => {
                self.skip_blanks();
                Ok(())
            }
        }
    }

    fn argument(&mut self) -> Result<Argument<'a>, LineError> {
        let name = self.bare()?;
        let after_name = self.rest;
        self.skip_blanks();
        let Some(rest) = self.rest.strip_prefix('=') else {
            self.rest = after_name;
            self.boundary()?;
            return Ok(Argument { name, value: None });
        };
        self.rest = rest;
        self.skip_blanks();
        let value = self.value(name)?;
        self.boundary()?;
        Ok(Argument { name, value: Some(value) })
    }

    fn value(&mut self, name: &str) -> Result<&'a str, LineError> {
        let Some(quoted) = self.rest.strip_prefix('"') else {
            return match self.bare()? {
                "" => Err(LineError::NoValue(name.to_owned(), self.column())),
                value => Ok(value),
            };
        };
        let (value, rest) = quoted.split_once('"').ok_or_else(|| LineError::OpenQuote(self.column()))?;
        self.rest = rest;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn names_values_and_flags() {
        let command =
            Command::parse("\tpos pos=Wbe  start moves = \"32-28 19-23\" empty=\"\" x = 1 ").unwrap();
        assert_eq!(command.name, "pos");
        assert_eq!(command.value("pos"), Ok(Some("Wbe")));
        assert_eq!(command.value("moves"), Ok(Some("32-28 19-23")));
        assert_eq!(command.value("empty"), Ok(Some("")));
        assert_eq!(command.value("x"), Ok(Some("1")));
        assert!(command.has("start") && !command.has("stop"));
        assert_eq!((command.value("start"), command.value("stop")), (Ok(None), Ok(None)));
        assert_eq!(Command::parse("pos wolf=\"W32=2 B5=1\"").unwrap().value("wolf"), Ok(Some("W32=2 B5=1")));
    }

    #[test]
    fn nothing_is_repaired() {
        assert_eq!(error(""), "missing command");
        assert_eq!(error(" \t "), "missing command");
        assert_eq!(error("pos moves=\"1-2"), "unterminated quote, column 11");
        assert_eq!(error("= pos"), "stray '=', column 1: a name is due");
        assert_eq!(error("pos = x"), "stray '=', column 5: a name is due");
        assert_eq!(error("pos a=b=c"), "stray '=', column 8: a name is due");
        assert_eq!(error("pos a=\"b\"c"), "stray 'c', column 10: a name is due");
        assert_eq!(
            error("pos \"a\""),
            "stray quote, column 5: a quote opens after '=' and closes before a blank"
        );
        assert_eq!(
            error("pos é=b\"c\""),
            "stray quote, column 8: a quote opens after '=' and closes before a blank"
        );
        assert_eq!(error("pos a="), "missing value of 'a', column 7");
        assert_eq!(error("pos a=1\u{7}"), "control character U+0007, column 8");
        assert_eq!(
            Command::parse("level a=1 a=2").unwrap().value("a").unwrap_err().to_string(),
            "'a' is given twice"
        );
    }

    /// A mebibyte takes milliseconds.
    #[test]
    fn long_lines_are_read_in_one_go() {
        let start = std::time::Instant::now();
        let line = "pos".to_owned() + &" a=1".repeat(1 << 18);
        assert!(Command::parse(&line).unwrap().value("a").is_err());
        assert!(Command::parse(&"a= ".repeat(1 << 18)).is_err());
        assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}", start.elapsed());
        let long = format!("pos {}=", "x".repeat(1 << 20));
        assert!(error(&long).len() < 100);
    }

    #[test]
    fn quotes_only_where_they_must_be() {
        assert_eq!(quoted("31-26"), "31-26");
        assert_eq!(quoted("31-26 17-21"), "\"31-26 17-21\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a \"b\"\n"), "\"a 'b'?\"");
    }
}
