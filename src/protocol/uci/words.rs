//! The words of a UCI line.

use crate::error::excerpt;

/// The words of a line; there are none in an empty one.
///
/// # Errors
/// A control character.
pub(super) fn split(line: &str) -> Result<Vec<&str>, String> {
    let odd = (1..).zip(line.chars()).find(|(_, c)| c.is_control() && *c != '\t');
    match odd {
        Some((column, c)) => Err(format!("control character U+{:04X}, column {column}", u32::from(c))),
        None => Ok(line.split_ascii_whitespace().collect()),
    }
}

/// What `setoption` sets, and to what.
///
/// # Errors
/// If there is no name.
pub(super) fn option(line: &str) -> Result<(String, Option<&str>), String> {
    let rest = after(line, "setoption").and_then(|rest| after(rest, "name"));
    let rest = rest.ok_or("setoption: expected name NAME [value VALUE]")?;
    let mut name = Vec::new();
    let mut left = rest;
    let value = loop {
        let word = left.split_ascii_whitespace().next();
        match word {
            Some("value") => break after(left, "value"),
            Some(word) => {
                name.push(word);
                left = after(left, word).unwrap_or_default();
            }
            None => break None,
        }
    };
    if name.is_empty() {
        return Err("setoption: missing name".to_owned());
    }
    Ok((name.join(" "), value.map(str::trim)))
}

/// What follows a word at the beginning of a text.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_ascii_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest)
}

/// A whole number.
///
/// # Errors
/// A message that names `name`.
pub(super) fn number<T>(name: &str, text: Option<&str>) -> Result<T, String>
where
    T: std::str::FromStr,
{
    let text = text.ok_or_else(|| format!("missing value of '{name}'"))?;
    let plain = text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| plain);
    number.ok_or_else(|| format!("bad number '{}' for '{name}'", excerpt(text)))
}

/// A depth to count leaves at, in plies.
///
/// # Errors
/// As [`number`].
pub(super) fn perft_depth(text: Option<&str>) -> Result<u32, String> {
    /// Enough for any machine.
    const MOST: u32 = 99;
    let depth = number("perft", text)?;
    if depth <= MOST { Ok(depth) } else { Err(format!("bad number '{depth}' for 'perft': at most {MOST}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(split(" go\tdepth  3 "), Ok(vec!["go", "depth", "3"]));
        assert_eq!(split(""), Ok(vec![]));
        assert_eq!(split("go\u{7}"), Err("control character U+0007, column 3".to_owned()));
    }

    #[test]
    fn options() {
        let pair = |name: &str, value| Ok((name.to_owned(), value));
        assert_eq!(option("setoption name Hash value 16"), pair("Hash", Some("16")));
        assert_eq!(option(" setoption  name Skill   Level value  3 "), pair("Skill Level", Some("3")));
        assert_eq!(option("setoption name Clear Hash"), pair("Clear Hash", None));
        assert_eq!(
            option("setoption name Log File value /a b/value c"),
            pair("Log File", Some("/a b/value c"))
        );
        assert_eq!(option("setoption name Rule value"), pair("Rule", Some("")));
        for bad in ["setoption", "setoption Hash", "setoption name", "setoption name value 3"] {
            assert!(option(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(number("depth", Some("7")), Ok(7_u32));
        assert_eq!(number("wtime", Some("-7")), Ok(-7_i64));
        assert_eq!(number::<u32>("depth", None), Err("missing value of 'depth'".to_owned()));
        for bad in ["", "x", "-1", "+1", "1.5", "4294967296", "-"] {
            assert!(number::<u32>("depth", Some(bad)).is_err(), "{bad}");
        }
    }
}
