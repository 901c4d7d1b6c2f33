//! The parameters that Hub clients may set.

use super::lexer::quoted;
use crate::engine::{HASH_RANGE, MAX_THREADS};
use crate::notation::HubNumbering;
use crate::protocol::settings::{
    EGDB_CACHE, EGDB_PIECES, MAX_LINES, MAX_OVERHEAD, MAX_SEED, Settings, bad, boolean, integer, rules_of,
};
use crate::rules::{RULE_SETS, RuleSet};
use crate::search::{CONTEMPT_RANGE, SKILL_RANGE};

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

/// One parameter.
struct Param {
    name: &'static str,
    /// What a `param` line says after the name.
    declare: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

/// All parameters, in the order declared: `variant` comes first, and before `rule`, whose values depend on it.
const PARAMS: [Param; 18] = [
    Param { name: "variant", declare: declare_variant, set: Settings::set_variant },
    Param {
        name: "rule",
        declare: |settings| format!("value={} type=string", quoted(&rules_of(&settings.game))),
        set: Settings::set_rules,
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
        name: "clear-hash",
        declare: |_| "value=false type=bool".to_owned(),
        set: |settings, value| {
            settings.clear_hash = boolean(value)?;
            Ok(())
        },
    },
    Param {
        name: "ponder",
        declare: |settings| format!("value={} type=bool", settings.ponder),
        set: |settings, value| {
            settings.ponder = boolean(value)?;
            Ok(())
        },
    },
    Param {
        name: "multipv",
        declare: |settings| format!("value={} type=int min=1 max={MAX_LINES}", settings.multipv),
        set: |settings, value| {
            settings.multipv = integer(value, 1..=MAX_LINES)?;
            Ok(())
        },
    },
    Param {
        name: "skill",
        declare: |settings| {
            let (min, max) = (SKILL_RANGE.start(), SKILL_RANGE.end());
            format!("value={} type=int min={min} max={max}", settings.skill)
        },
        set: |settings, value| {
            settings.skill = integer(value, SKILL_RANGE)?;
            Ok(())
        },
    },
    Param {
        name: "seed",
        declare: |settings| format!("value={} type=int min=0 max={MAX_SEED}", settings.seed),
        set: |settings, value| {
            settings.seed = integer(value, 0..=MAX_SEED)?;
            Ok(())
        },
    },
    Param {
        name: "contempt",
        declare: |settings| {
            let (min, max) = (CONTEMPT_RANGE.start(), CONTEMPT_RANGE.end());
            format!("value={} type=int min={min} max={max}", settings.contempt)
        },
        set: |settings, value| {
            settings.contempt = integer(value, CONTEMPT_RANGE)?;
            Ok(())
        },
    },
    Param {
        name: "overhead",
        declare: |settings| format!("value={} type=int min=0 max={MAX_OVERHEAD}", settings.overhead),
        set: |settings, value| {
            settings.overhead = integer(value, 0..=MAX_OVERHEAD)?;
            Ok(())
        },
    },
    Param {
        name: "log-file",
        declare: |settings| {
            // Clients split declarations at `=`.
            let path = settings.log_file.replace('=', "?");
            format!("value={} type=string", quoted(&path))
        },
        set: |settings, value| {
            settings.log_file = value.to_owned();
            Ok(())
        },
    },
    Param {
        name: "show-odds",
        declare: |settings| format!("value={} type=bool", settings.show_odds),
        set: |settings, value| {
            settings.show_odds = boolean(value)?;
            Ok(())
        },
    },
    Param {
        name: "weights",
        declare: |settings| format!("value={} type=string", quoted(&settings.weights.replace('=', "?"))),
        // The session has taken them.
        set: |settings, value| {
            settings.weights = value.to_owned();
            Ok(())
        },
    },
    Param {
        name: "egdb-dir",
        declare: |settings| format!("value={} type=string", quoted(&settings.egdb_dir.replace('=', "?"))),
        set: |settings, value| {
            settings.set_egdb_dir(value);
            Ok(())
        },
    },
    Param {
        name: "egdb-pieces",
        declare: |settings| {
            let (min, max) = (EGDB_PIECES.start(), EGDB_PIECES.end());
            format!("value={} type=int min={min} max={max}", settings.egdb_pieces)
        },
        set: |settings, value| {
            settings.egdb_pieces = integer(value, EGDB_PIECES)?;
            settings.egdb_due = true;
            Ok(())
        },
    },
    Param {
        name: "egdb-cache",
        declare: |settings| {
            let (min, max) = (EGDB_CACHE.start(), EGDB_CACHE.end());
            format!("value={} type=int min={min} max={max}", settings.egdb_cache)
        },
        set: |settings, value| {
            settings.egdb_cache = integer(value, EGDB_CACHE)?;
            settings.egdb_due = true;
            Ok(())
        },
    },
];

const NUMBERINGS: [(&str, HubNumbering); 2] =
    [("standard", HubNumbering::Standard), ("pydraughts", HubNumbering::Pydraughts)];

/// Parameters that begin so are numbers of the tree search; they are not declared.
const TUNE: &str = "tune.";

/// The `param` lines.
pub fn declare(settings: &Settings) -> Vec<String> {
    PARAMS.iter().map(|param| format!("param name={} {}", param.name, (param.declare)(settings))).collect()
}

/// Sets a parameter; one that does not exist is passed over, as clients expect.
///
/// # Errors
/// A message that names parameter and value; nothing has changed then.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    if let Some(number) = name.strip_prefix(TUNE) {
        return settings.tune(number, value).map_err(|error| format!("parameter '{name}': {error}"));
    }
    let Some(param) = PARAMS.iter().find(|param| param.name == name) else { return Ok(()) };
    (param.set)(settings, value).map_err(|error| format!("parameter '{name}': {error}"))
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

fn set_numbering(settings: &mut Settings, value: &str) -> Result<(), String> {
    let found = NUMBERINGS.iter().find(|(name, _)| *name == value);
    settings.numbering = found.ok_or_else(|| bad(value, "standard or pydraughts"))?.1;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{self, Game};

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
        set(&mut settings, "rule", "landing=long precedence=king-first").unwrap();
        let lines = declare(&settings);
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
        set(&mut settings, "no-such", "thing").unwrap();
        set(&mut settings, "rule", "repetition:4").unwrap();
        set(&mut settings, "variant", "italian").unwrap();
        assert_eq!(rules_of(&settings.game), "repetition:4", "the same variant keeps its rules");
        set(&mut settings, "variant", "bt").unwrap();
        assert_eq!((settings.game.set.id, rules_of(&settings.game)), ("breakthrough", String::new()));
        set(&mut settings, "threads", "2").unwrap();
        set(&mut settings, "ponder", "true").unwrap();
        set(&mut settings, "numbering", "pydraughts").unwrap();
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
            assert_eq!(set(&mut settings, name, value).unwrap_err(), error);
        }
        for bad in ["0", "-1", "+2", "1.0", "x", "", "99999999999999999999"] {
            assert!(
                set(&mut settings, "threads", bad).unwrap_err().contains("expected a number from 1 to"),
                "{bad}"
            );
            assert!(set(&mut settings, "tt-size", bad).is_err());
        }
        assert_eq!((settings.threads, settings.tt_size), (2, 22));
    }
}
