//! The words of the command line: names, numbers, and what is wrong with them in one line.

use super::{Cli, Failure};
use crate::protocol::PROTOCOLS;
use clap::CommandFactory;
use clap::error::{Error, ErrorKind};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The variable that names a variant.
const VARIABLE: &str = "SOFFIO_VARIANT";

/// What is said below the options of `hub`.
pub(super) fn hub_help() -> String {
    let names: Vec<_> = PROTOCOLS.iter().map(|protocol| protocol.name()).collect();
    let (all, first) = (names.join(", "), names.first().copied().unwrap_or_default());
    format!(
        "Example: soffio hub -v russian\n\
         The first line picks the dialect: its name opens it, anything else is {first} already. Dialects: {all}.\n\
         In it, `help` lists the commands."
    )
}

/// Help and version are written here; anything else that the command line parser has to say becomes one line.
pub(super) fn failure(error: &Error) -> Failure {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return error.print().map_or_else(Failure::Output, |()| Failure::Help);
    }
    let rendered = error.to_string();
    let lines = rendered.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let text = lines.collect::<Vec<_>>().join(" ").replace(" tip: ", "; ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    Failure::Usage(format!("{text}; see `{} --help`", asked(std::env::args_os().skip(1))))
}

/// The command that a command line is about: `soffio perft`, `soffio train stats`, or `soffio` alone.
fn asked(arguments: impl Iterator<Item = std::ffi::OsString>) -> String {
    let (mut command, mut asked) = (Cli::command(), "soffio".to_owned());
    let mut value = false;
    for argument in arguments {
        let argument = argument.to_string_lossy();
        if let Some(found) = command.find_subcommand(argument.as_ref()).filter(|_| !value) {
            asked = format!("{asked} {argument}");
            command = found.clone();
        }
        value = ["-v", "--variant", "--rule"].contains(&argument.as_ref());
    }
    asked
}

/// A parser of whole numbers within a range.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// The variant that the environment names; an empty one is none.
pub(super) fn environment() -> Result<Option<String>, Failure> {
    let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else { return Ok(None) };
    let name = name.into_string();
    name.map(Some).map_err(|name| {
        Failure::Usage(format!("unknown variant '{}': {VARIABLE} is not UTF-8", name.to_string_lossy()))
    })
}

/// Refuses what [`Game::with_options`](crate::rules::Game::with_options) would put right in silence: blanks around names
/// and values, and a rule given twice with different values.
pub(super) fn check_names(variant: &str, rules: &[String]) -> Result<(), String> {
    if variant.trim() != variant {
        return Err(format!("bad variant '{variant}': blanks around the name"));
    }
    let pairs: Vec<_> = rules.iter().filter_map(|rule| rule.split_once('=')).collect();
    for (index, (name, value)) in pairs.iter().enumerate() {
        if name.trim() != *name || value.trim() != *value {
            return Err(format!("bad rule '{name}={value}': blanks around the name or the value"));
        }
        let earlier = pairs.iter().take(index).find(|(other, _)| other == name);
        if let Some((_, other)) = earlier.filter(|(_, other)| other != value) {
            return Err(format!("rule '{name}' is given twice, as '{other}' and as '{value}'"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_asked_for() {
        let asked = |line: &str| asked(line.split(' ').map(Into::into));
        assert_eq!(asked("perft x"), "soffio perft");
        assert_eq!(asked("-v hub moves a b"), "soffio moves");
        assert_eq!(asked("train -v train stats x"), "soffio train stats");
        assert_eq!(asked("fly"), "soffio");
    }

    #[test]
    fn numbers() {
        let read = number(0u32..=99);
        assert_eq!(read("07"), Ok(7));
        for bad in ["", "+1", "-1", "100", "1.5", "99999999999", "x"] {
            assert_eq!(read(bad), Err("expected a whole number from 0 to 99".to_owned()), "{bad}");
        }
    }
}
