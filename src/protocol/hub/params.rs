//! The parameters that Hub clients may set.

use super::lexer::quoted;
use crate::engine::{HASH_RANGE, MAX_THREADS};
use crate::error::excerpt;
use crate::notation::HubNumbering;
use crate::rules::{self, Game, RULE_SETS, RuleSet};
use std::ops::RangeInclusive;

/// Names that clients have for rule sets, and the ids they stand for. The first name of an id is the one declared as the
/// value of `variant`. (They are aliases too; what is special is that clients look for them.)
const CLIENT_NAMES: [(&str, &str); 7] = [
    ("normal", "international"),
    ("killer", "killer"),
    ("bt", "breakthrough"),
    ("frisian", "frisian"),
    ("losing", "antidraughts"),
    ("standard", "international"),
    ("frysk!", "frysk"),
];

/// The values of the parameters.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub game: Game,
    /// Threads of a search.
    pub threads: usize,
    /// Binary logarithm of the entries of the hash table.
    pub tt_size: u32,
    /// Whether the client ponders.
    pub ponder: bool,
    /// Numbers of 8x8 boards.
    pub numbering: HubNumbering,
}

/// One parameter.
struct Param {
    name: &'static str,
    /// What a `param` line says after the name.
    declare: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// All parameters, in the order declared: `variant` comes first, and before `rule`, whose values depend on it.
const PARAMS: [Param; 6] = [
    Param { name: "variant", declare: declare_variant, set: set_variant },
    Param {
        name: "rule",
        declare: |settings| format!("value={} type=string", quoted(&rules_of(&settings.game))),
        set: set_rule,
    },
    Param {
        name: "numbering",
        declare: |settings| {
            let value = NUMBERINGS.iter().find(|(_, numbering)| *numbering == settings.numbering);
            let value = value.map_or("standard", |(name, _)| name);
            format!("value={value} type=enum values=\"standard pydraughts\"")
        },
        set: set_numbering,
    },
    Param {
        name: "threads",
        declare: |settings| format!("value={} type=int min=1 max={MAX_THREADS}", settings.threads),
        set: |settings, value| {
            settings.threads = integer(value, 1..=MAX_THREADS)?;
            Ok(())
        },
    },
    Param {
        name: "tt-size",
        declare: |settings| {
            let (min, max) = (HASH_RANGE.start(), HASH_RANGE.end());
            format!("value={} type=int min={min} max={max}", settings.tt_size)
        },
        set: |settings, value| {
            settings.tt_size = integer(value, HASH_RANGE)?;
            Ok(())
        },
    },
    Param {
        name: "ponder",
        declare: |settings| format!("value={} type=bool", settings.ponder),
        set: |settings, value| {
            settings.ponder = value.parse().map_err(|_| bad(value, "true or false"))?;
            Ok(())
        },
    },
];

const NUMBERINGS: [(&str, HubNumbering); 2] =
    [("standard", HubNumbering::Standard), ("pydraughts", HubNumbering::Pydraughts)];

impl Settings {
    /// The defaults, for a game.
    pub fn new(game: Game) -> Self {
        Self { game, threads: 1, tt_size: 22, ponder: false, numbering: HubNumbering::Standard }
    }

    /// The `param` lines.
    pub fn declare(&self) -> Vec<String> {
        PARAMS.iter().map(|param| format!("param name={} {}", param.name, (param.declare)(self))).collect()
    }

    /// Sets a parameter; one that does not exist is passed over, as clients expect.
    ///
    /// # Errors
    /// A message that names parameter and value; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(param) = PARAMS.iter().find(|param| param.name == name) else { return Ok(()) };
        (param.set)(self, value).map_err(|error| format!("parameter '{name}': {error}"))
    }
}

/// Whether two games are the same rules.
pub fn same_game(a: &Game, b: &Game) -> bool {
    (a.set.id, &a.chosen) == (b.set.id, &b.chosen)
}

/// The name declared for a rule set.
fn client_name(set: &RuleSet) -> &'static str {
    CLIENT_NAMES.iter().find(|(_, id)| *id == set.id).map_or(set.id, |(name, _)| name)
}

fn declare_variant(settings: &Settings) -> String {
    let mut names: Vec<&str> = CLIENT_NAMES.iter().map(|(name, _)| *name).collect();
    for set in RULE_SETS {
        if !names.contains(&set.id) {
            names.push(set.id);
        }
    }
    format!("value={} type=enum values=\"{}\"", client_name(settings.game.set), names.join(" "))
}

/// Another rule set comes with its rules at their defaults; the same one keeps them.
fn set_variant(settings: &mut Settings, value: &str) -> Result<(), String> {
    let set = rules::find(value).map_err(|error| error.to_string())?;
    if set.id != settings.game.set.id {
        settings.game = Game::new(set);
    }
    Ok(())
}

/// `NAME=VALUE ...`, or with `:` for `=`: the form in which it is declared, as clients split declarations at `=`.
fn set_rule(settings: &mut Settings, value: &str) -> Result<(), String> {
    let pairs: Vec<String> = value.split_whitespace().map(|pair| pair.replacen(':', "=", 1)).collect();
    settings.game = Game::with_options(settings.game.set.id, pairs.iter().map(String::as_str))
        .map_err(|error| error.to_string())?;
    Ok(())
}

/// The rules that are not at their defaults.
pub fn rules_of(game: &Game) -> String {
    let default = Game::new(game.set).chosen;
    let changed = game.chosen.iter().filter(|choice| !default.contains(choice));
    changed.map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(" ")
}

fn set_numbering(settings: &mut Settings, value: &str) -> Result<(), String> {
    let found = NUMBERINGS.iter().find(|(name, _)| *name == value);
    settings.numbering = found.ok_or_else(|| bad(value, "standard or pydraughts"))?.1;
    Ok(())
}

fn bad(value: &str, expected: &str) -> String {
    format!("bad value '{}': expected {expected}", excerpt(value))
}

fn integer<T>(value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let digits = value.bytes().all(|b| b.is_ascii_digit());
    value
        .parse()
        .ok()
        .filter(|number| digits && range.contains(number))
        .ok_or_else(|| bad(value, &format!("a number from {} to {}", range.start(), range.end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(id: &str) -> Settings {
        Settings::new(Game::new(rules::find(id).unwrap()))
    }

    #[test]
    fn client_names_are_names() {
        for (name, id) in CLIENT_NAMES {
            assert_eq!(rules::find(name).unwrap().id, id);
        }
        assert_eq!(client_name(settings("international").game.set), "normal");
        assert_eq!(client_name(settings("frysk").game.set), "frysk!");
    }

    /// What draughtsnet and pydraughts read: the name first, the values last, two sides to every `=`.
    #[test]
    fn declarations_are_what_clients_can_read() {
        let mut settings = settings("argentinian");
        settings.set("rule", "landing=long precedence=king-first").unwrap();
        let lines = settings.declare();
        assert_eq!(lines[1], "param name=rule value=\"landing:long precedence:king-first\" type=string");
        assert_eq!(lines[3], format!("param name=threads value=1 type=int min=1 max={MAX_THREADS}"));
        assert!(
            lines[0].starts_with("param name=variant value=argentinian type=enum values=\"normal killer bt ")
        );
        for line in lines {
            let pieces = line.split('"').step_by(2).flat_map(str::split_whitespace).skip(1);
            assert!(pieces.clone().all(|piece| piece.matches('=').count() == 1), "{line}");
            assert_eq!(line.matches('=').count(), pieces.count(), "{line}");
        }
    }

    #[test]
    fn values_are_checked() {
        let mut settings = settings("italian");
        settings.set("no-such", "thing").unwrap();
        settings.set("rule", "repetition:4").unwrap();
        settings.set("variant", "italian").unwrap();
        assert_eq!(rules_of(&settings.game), "repetition:4", "the same variant keeps its rules");
        settings.set("variant", "bt").unwrap();
        assert_eq!((settings.game.set.id, rules_of(&settings.game)), ("breakthrough", String::new()));
        settings.set("threads", "2").unwrap();
        settings.set("ponder", "true").unwrap();
        settings.set("numbering", "pydraughts").unwrap();
        assert_eq!(
            (settings.threads, settings.ponder, settings.numbering),
            (2, true, HubNumbering::Pydraughts)
        );
        for (name, value, error) in [
            (
                "variant",
                "chess",
                "parameter 'variant': unknown variant 'chess': see `soffio rules` for the list",
            ),
            ("rule", "x=1", "parameter 'rule': unknown rule 'x': breakthrough has no options"),
            ("rule", "x", "parameter 'rule': bad rule 'x': expected NAME=VALUE"),
            ("numbering", "", "parameter 'numbering': bad value '': expected standard or pydraughts"),
            ("ponder", "yes", "parameter 'ponder': bad value 'yes': expected true or false"),
        ] {
            assert_eq!(settings.set(name, value).unwrap_err(), error);
        }
        for bad in ["0", "-1", "+2", "1.0", "x", "", "99999999999999999999"] {
            assert!(
                settings.set("threads", bad).unwrap_err().contains("expected a number from 1 to"),
                "{bad}"
            );
            assert!(settings.set("tt-size", bad).is_err());
        }
        assert_eq!((settings.threads, settings.tt_size), (2, 22));
    }
}
