//! What the engine says of itself and of its parameters, as clients read it.

use super::lab::Lab;
use super::lines::{Words, quote};
use super::{Check, Outcome, Trouble};
use std::collections::BTreeSet;

pub(super) const CHECKS: &[Check] = &[
    Check::must("id", 5, id),
    Check::must("declarations-readable", 5, readable),
    Check::must("params-order", 5, order),
    Check::must("params-names", 5, names),
    Check::must("params-values", 5, values),
    Check::should("params-quotes", 2, quotes),
    Check::should("params-of-clients", 6, of_clients),
];

/// What is wrong with a line of the handshake.
fn trouble(line: &str, expected: &str) -> Trouble {
    Trouble::Wrong(format!("sent 'hub'; expected {expected}; came {}", quote(line)))
}

/// The `param` lines that can be read; another check is about those that cannot.
fn params(lab: &Lab<'_>) -> Vec<(String, Words)> {
    lab.lines_of("param").filter_map(|line| Some((line.to_owned(), Words::parse(line).ok()?))).collect()
}

/// Section 5: `id` tells the name of the engine.
fn id(lab: &mut Lab<'_>) -> Outcome {
    for line in lab.lines_of("id") {
        let words = Words::parse(line).map_err(|error| trouble(line, &format!("no {error}")))?;
        if words.get("name").is_none_or(str::is_empty) {
            return Err(trouble(line, "'id name=...'"));
        }
    }
    Ok(())
}

/// Section 5: pydraughts splits at blanks outside quotes and at `=`, into exactly two parts.
fn readable(lab: &mut Lab<'_>) -> Outcome {
    for line in lab.lines_of("param") {
        Words::parse(line).map_err(|error| trouble(line, &format!("no {error}")))?;
    }
    Ok(())
}

/// Section 5: `name`, `value`, `type`, then `min` and `max` or `values`: draughtsnet wants `name` first and `values` last.
fn order(lab: &mut Lab<'_>) -> Outcome {
    for (line, words) in params(lab) {
        let tail: &[&str] = match words.get("type") {
            Some("enum") => &["values"],
            Some("int" | "real") => &["min", "max"],
            _ => &[],
        };
        let wanted = [&["name", "value", "type"], tail].concat();
        if words.names() != wanted {
            return Err(trouble(&line, &format!("the arguments {}, in this order", wanted.join(" "))));
        }
    }
    Ok(())
}

/// Section 5: every parameter has a name of its own.
fn names(lab: &mut Lab<'_>) -> Outcome {
    let mut known = BTreeSet::new();
    for (line, words) in params(lab) {
        let name = words.get("name").unwrap_or_default().to_owned();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(trouble(&line, "a name that is one word"));
        }
        if !known.insert(name) {
            return Err(trouble(&line, "each name once"));
        }
    }
    Ok(())
}

/// Section 5: types are known, and a value is one of its type: in its range, or on its list.
fn values(lab: &mut Lab<'_>) -> Outcome {
    for (line, words) in params(lab) {
        let value = words.get("value").unwrap_or_default();
        let expected = match words.get("type") {
            Some("bool") => (!["true", "false"].contains(&value)).then_some("true or false"),
            Some("int") => (!within::<i64>(&words)).then_some("whole numbers, min <= value <= max"),
            Some("real") => (!within::<f64>(&words)).then_some("numbers, min <= value <= max"),
            Some("enum") => (!listed(&words)).then_some("a value among the values, each of them once"),
            Some("string") => None,
            _ => Some("a type that is bool, int, real, string or enum"),
        };
        if let Some(expected) = expected {
            return Err(trouble(&line, expected));
        }
    }
    Ok(())
}

fn within<T: std::str::FromStr + PartialOrd>(words: &Words) -> bool {
    let number = |name| words.get(name).and_then(|text| text.parse::<T>().ok());
    match (number("min"), number("value"), number("max")) {
        (Some(min), Some(value), Some(max)) => min <= value && value <= max,
        _ => false,
    }
}

fn listed(words: &Words) -> bool {
    let list: Vec<_> = words.get("values").unwrap_or_default().split_whitespace().collect();
    let each_once = list.iter().collect::<BTreeSet<_>>().len() == list.len();
    each_once && words.get("value").is_some_and(|value| list.contains(&value))
}

/// Section 2: values are quoted only where they must be: draughtsnet runs off the end of a single quoted word.
fn quotes(lab: &mut Lab<'_>) -> Outcome {
    for (line, words) in params(lab) {
        let needless = |value: &str| !value.is_empty() && !value.contains(char::is_whitespace);
        if let Some((name, ..)) = words.pairs.iter().find(|(_, value, quoted)| *quoted && needless(value)) {
            return Err(trouble(&line, &format!("no quotes around the single word of '{name}'")));
        }
    }
    Ok(())
}

/// Section 6: clients set `threads` and `tt-size`, and let an engine ponder only if it declares `ponder`.
fn of_clients(lab: &mut Lab<'_>) -> Outcome {
    let missing: Vec<_> =
        ["threads", "tt-size", "ponder"].into_iter().filter(|name| lab.param(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Trouble::Wrong(format!(
        "sent 'hub'; expected the parameters that clients set; came no {}",
        missing.join(", no ")
    )))
}
