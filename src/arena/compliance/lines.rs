//! Answers as clients read them: pydraughts splits at blanks outside quotes, and every piece into two at `=`.

use crate::error::excerpt;

/// The first word of a line; empty if there is none.
pub(super) fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// A line for a report: in quotes, and cut where it is long.
pub(super) fn quote(line: &str) -> String {
    /// A position and a few moves.
    const LONGEST: usize = 160;
    let mut text: String = line.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if line.chars().nth(LONGEST).is_some() {
        text.push_str("...");
    }
    format!("'{text}'")
}

/// The arguments of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    /// Names, values, and whether the value was quoted.
    pub pairs: Vec<(String, String, bool)>,
}

impl Words {
    /// Takes an answer apart.
    ///
    /// # Errors
    /// What a client would stumble over, in words.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut pieces = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' | '\t' if !quoted => pieces.push(String::new()),
                _ => {}
            }
            if let (Some(piece), true) = (pieces.last_mut(), quoted || !matches!(c, ' ' | '\t')) {
                piece.push(c);
            }
        }
        if quoted {
            return Err("a quote that is not closed".to_owned());
        }
        let pieces = pieces.iter().skip(1).filter(|piece| !piece.is_empty());
        Ok(Self { pairs: pieces.map(|piece| pair(piece)).collect::<Result<_, _>>()? })
    }

    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(found, ..)| found == name).map(|(_, value, _)| value.as_str())
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.pairs.iter().map(|(name, ..)| name.as_str()).collect()
    }
}

/// `NAME=VALUE`, the value bare or in quotes.
fn pair(piece: &str) -> Result<(String, String, bool), String> {
    let shown = excerpt(piece);
    let Some((name, value)) = piece.split_once('=') else { return Err(format!("'{shown}' without '='")) };
    if name.is_empty() || value.is_empty() || name.contains('"') {
        return Err(format!("'{shown}' with one side of '=' alone"));
    }
    if value.contains('=') {
        return Err(format!("'{shown}' with two '='"));
    }
    match value.strip_prefix('"') {
        None if value.contains('"') => Err(format!("'{shown}' with a stray quote")),
        None => Ok((name.to_owned(), value.to_owned(), false)),
        Some(rest) => match rest.strip_suffix('"') {
            Some(value) if !value.contains('"') => Ok((name.to_owned(), value.to_owned(), true)),
            _ => Err(format!("'{shown}' with a stray quote")),
        },
    }
}

/// A move with its captured squares ascending, as they are compared: `28x8x23x13` is `28x8x13x23`.
pub(super) fn ascending(mv: &str) -> String {
    let parts: Vec<&str> = mv.split('x').collect();
    let captured: Option<Vec<u32>> = parts.iter().skip(2).map(|square| square.parse().ok()).collect();
    match (&parts[..], captured) {
        ([from, to, ..], Some(mut captured)) if !captured.is_empty() => {
            captured.sort_unstable();
            let captured: Vec<_> = captured.iter().map(u32::to_string).collect();
            format!("{from}x{to}x{}", captured.join("x"))
        }
        _ => mv.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_split_as_clients_split_them() {
        let words = Words::parse("param name=variant value=\"\" values=\"a b\"").unwrap();
        assert_eq!(words.names(), ["name", "value", "values"]);
        assert_eq!((words.get("values"), words.get("value"), words.get("x")), (Some("a b"), Some(""), None));
        assert!(words.pairs[2].2 && !words.pairs[0].2);
        assert_eq!(Words::parse("done").unwrap().pairs, []);
        for (line, error) in [
            ("info pv=\"1-2", "a quote that is not closed"),
            ("id name=a author", "'author' without '='"),
            ("id name=", "'name=' with one side of '=' alone"),
            ("id name = a", "'name' without '='"),
            ("param name=rule value=a=b", "'value=a=b' with two '='"),
            ("id name=a\"b\"", "'name=a\"b\"' with a stray quote"),
            ("id name=\"a\"b", "'name=\"a\"b' with a stray quote"),
        ] {
            assert_eq!(
                Words::parse(line).map_err(|error| error.replace("\\\"", "\"")),
                Err(error.into()),
                "{line}"
            );
        }
    }

    #[test]
    fn moves_are_compared_with_captures_ascending() {
        assert_eq!(ascending("28x8x23x13"), "28x8x13x23");
        for same in ["32-28", "28x8", "28x8x13x23", "28x28x28", "x", "axb", "28x8xx"] {
            assert_eq!(ascending(same), same);
        }
    }
}
