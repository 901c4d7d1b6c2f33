//! `key=value` words on one line, as `--engine` and its like take them: `cmd=./scan args='hub --fast' nodes=1000`.
//! A value may stand in single or double quotes, which then may hold blanks; there is no escape.

use crate::error::excerpt;
use std::fmt;

/// A key and its value.
pub type Pair = (String, String);

/// Why a line of words, or one of them, is refused. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordError {
    /// A quote is opened here and not closed.
    OpenQuote(usize),
    /// A word without `=`, or with nothing before it.
    NoPair(String, usize),
    /// A control character within quotes.
    Control(usize),
    /// A key that is given twice.
    Twice(String),
    /// A key that means nothing here, and those that do.
    UnknownKey(String, String),
    /// A value that its key cannot have, and what it can.
    BadValue {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What may stand there.
        expected: String,
    },
    /// A key that must be there.
    Missing(&'static str),
    /// Something else, in words.
    Wrong(String),
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenQuote(column) => write!(f, "unterminated quote, column {column}"),
            Self::NoPair(word, column) => {
                write!(f, "'{}', column {column}: expected KEY=VALUE", excerpt(word))
            }
            Self::Control(column) => write!(f, "control character, column {column}"),
            Self::Twice(key) => write!(f, "'{}' is given twice", excerpt(key)),
            Self::UnknownKey(key, known) => write!(f, "unknown key '{}': it may be {known}", excerpt(key)),
            Self::BadValue { key, value, expected } => {
                write!(f, "bad value '{}' of '{key}': expected {expected}", excerpt(value))
            }
            Self::Missing(key) => write!(f, "'{key}=' is missing"),
            Self::Wrong(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for WordError {}

impl WordError {
    /// A [`WordError::BadValue`].
    pub fn bad(key: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::BadValue { key: key.to_owned(), value: value.to_owned(), expected: expected.into() }
    }
}

/// Splits a line at its blanks; quotes join what they enclose and are taken away. Each word comes with its column.
///
/// # Errors
/// A quote that is not closed.
pub fn split(line: &str) -> Result<Vec<(String, usize)>, WordError> {
    let mut words = Vec::new();
    let mut word: Option<(String, usize)> = None;
    let mut quote: Option<(char, usize)> = None;
    for (column, c) in (1..).zip(line.chars()) {
        match quote {
            Some((open, _)) if c == open => quote = None,
            _ if c.is_control() && (quote.is_some() || !c.is_whitespace()) => {
                return Err(WordError::Control(column));
            }
            Some(_) => word.get_or_insert_with(|| (String::new(), column)).0.push(c),
            None if c == '\'' || c == '"' => {
                quote = Some((c, column));
                word.get_or_insert_with(|| (String::new(), column));
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_with(|| (String::new(), column)).0.push(c),
        }
    }
    if let Some((_, column)) = quote {
        return Err(WordError::OpenQuote(column));
    }
    words.extend(word);
    Ok(words)
}

/// The pairs of a line, in order; no key comes twice.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn pairs(line: &str) -> Result<Vec<Pair>, WordError> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (word, column) in split(line)? {
        let (key, value) = word
            .split_once('=')
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| WordError::NoPair(word.clone(), column))?;
        if pairs.iter().any(|(other, _)| other == key) {
            return Err(WordError::Twice(key.to_owned()));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

/// A finite number that is not negative.
///
/// # Errors
/// Anything else.
pub fn number(key: &str, value: &str) -> Result<f64, WordError> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| WordError::bad(key, value, "a number that is not negative"))
}

/// A whole number of at least 1.
///
/// # Errors
/// Anything else.
pub fn count<T: std::str::FromStr + PartialOrd + From<u8>>(key: &str, value: &str) -> Result<T, WordError> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let count = value.parse().ok().filter(|count| digits && *count >= T::from(1));
    count.ok_or_else(|| WordError::bad(key, value, "a whole number from 1 on"))
}

/// One of a few names.
///
/// # Errors
/// Any other.
pub fn choice<T: Copy>(key: &str, value: &str, choices: &[(&str, T)]) -> Result<T, WordError> {
    let found = choices.iter().find(|(name, _)| *name == value);
    let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
    found.map(|(_, choice)| *choice).ok_or_else(|| WordError::bad(key, value, names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        let pairs = |line| pairs(line).map_err(|error| error.to_string());
        let own = |list: &[(&str, &str)]| {
            Ok(list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<Vec<_>>())
        };
        assert_eq!(
            pairs("cmd=./a  args='hub \"x\"' option.k=\"1 = 2\" name="),
            own(&[("cmd", "./a"), ("args", "hub \"x\""), ("option.k", "1 = 2"), ("name", "")])
        );
        assert_eq!(pairs("\"cmd=a b\""), own(&[("cmd", "a b")]));
        assert_eq!(pairs("  "), own(&[]));
        for (line, error) in [
            ("a='b", "unterminated quote, column 3"),
            ("a=1 bc", "'bc', column 5: expected KEY=VALUE"),
            ("=1", "'=1', column 1: expected KEY=VALUE"),
            ("a=1 a=2", "'a' is given twice"),
            ("a='1\nquit'", "control character, column 5"),
        ] {
            assert_eq!(pairs(line).unwrap_err(), error, "{line}");
        }
    }

    #[test]
    fn values() {
        assert_eq!(number("st", "0.1").unwrap(), 0.1);
        for bad in ["", "-1", "x", "inf", "nan"] {
            assert!(number("st", bad).is_err(), "{bad}");
        }
        assert_eq!(count::<u64>("nodes", "12").unwrap(), 12);
        for bad in ["", "0", "+1", "1.0", "99999999999999999999999"] {
            let error = count::<u64>("nodes", bad).unwrap_err().to_string();
            assert_eq!(error, format!("bad value '{bad}' of 'nodes': expected a whole number from 1 on"));
        }
        assert_eq!(
            choice("order", "x", &[("random", 1), ("sequential", 2)]).unwrap_err().to_string(),
            "bad value 'x' of 'order': expected random or sequential"
        );
    }
}
