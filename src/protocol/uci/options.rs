//! The options that UCI clients may set.

use crate::engine::{HASH_RANGE, MAX_THREADS};
use crate::error::excerpt;
use crate::protocol::settings::{
    EGDB_CACHE, EGDB_PIECES, MAX_LINES, MAX_OVERHEAD, MAX_SEED, Settings, bad, boolean, integer, rules_of,
};
use crate::rules::{Game, RULE_SETS};
use crate::search::{CONTEMPT_RANGE, SKILL_RANGE};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Binary logarithm of the entries of 16 bytes in a mebibyte.
const MEBIBYTE: u32 = 16;
/// Sizes of the hash table, in MiB.
const MEBIBYTES: RangeInclusive<u32> = 1..=1 << (*HASH_RANGE.end() - MEBIBYTE);
/// How an empty text is written.
const EMPTY: &str = "<empty>";

/// The values of the options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// What other dialects have too.
    pub settings: Settings,
    /// Whether searches are to find the truth, and not a move to play.
    pub analyse: bool,
    /// Whether scores come with chances.
    pub show_wdl: bool,
}

/// One option.
struct UciOption {
    name: &'static str,
    /// What an `option` line says after the name.
    declare: fn(&Options) -> String,
    /// Sets it; a button is given no value.
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// All options, in the order declared.
const OPTIONS: [UciOption; 18] = [
    UciOption {
        name: "UCI_Variant",
        declare: |options| {
            let vars: String = RULE_SETS.iter().map(|set| format!(" var {}", set.id)).collect();
            format!("combo default {}{vars}", options.settings.game.set.id)
        },
        set: |options, value| options.settings.set_variant(value),
    },
    UciOption {
        name: "Rule",
        declare: |options| string(&rules_of(&options.settings.game)),
        set: |options, value| options.settings.set_rules(value),
    },
    UciOption {
        name: "Threads",
        declare: |options| spin(options.settings.threads, 1..=MAX_THREADS),
        set: |options, value| put(&mut options.settings.threads, integer(value, 1..=MAX_THREADS)),
    },
    UciOption {
        name: "Hash",
        declare: |options| spin(1_u64 << options.settings.tt_size.saturating_sub(MEBIBYTE), MEBIBYTES),
        set: |options, value| {
            let size = integer(value, MEBIBYTES).map(|size| size.ilog2() + MEBIBYTE);
            put(&mut options.settings.tt_size, size)
        },
    },
    UciOption {
        name: CLEAR_HASH,
        declare: |_| "button".to_owned(),
        set: |options, _| put(&mut options.settings.clear_hash, Ok(true)),
    },
    UciOption {
        name: "Ponder",
        declare: |options| check(options.settings.ponder),
        set: |options, value| put(&mut options.settings.ponder, boolean(value)),
    },
    UciOption {
        name: "MultiPV",
        declare: |options| spin(options.settings.multipv, 1..=MAX_LINES),
        set: |options, value| put(&mut options.settings.multipv, integer(value, 1..=MAX_LINES)),
    },
    UciOption {
        name: "Skill Level",
        declare: |options| spin(options.settings.skill, SKILL_RANGE),
        set: |options, value| put(&mut options.settings.skill, integer(value, SKILL_RANGE)),
    },
    UciOption {
        name: "Skill Seed",
        declare: |options| spin(options.settings.seed, 0..=MAX_SEED),
        set: |options, value| put(&mut options.settings.seed, integer(value, 0..=MAX_SEED)),
    },
    UciOption {
        name: "Contempt",
        declare: |options| spin(options.settings.contempt, CONTEMPT_RANGE),
        set: |options, value| put(&mut options.settings.contempt, integer(value, CONTEMPT_RANGE)),
    },
    UciOption {
        name: "Move Overhead",
        declare: |options| spin(options.settings.overhead, 0..=MAX_OVERHEAD),
        set: |options, value| put(&mut options.settings.overhead, integer(value, 0..=MAX_OVERHEAD)),
    },
    UciOption {
        name: "UCI_AnalyseMode",
        declare: |options| check(options.analyse),
        set: |options, value| put(&mut options.analyse, boolean(value)),
    },
    UciOption {
        name: "UCI_ShowWDL",
        declare: |options| check(options.show_wdl),
        set: |options, value| put(&mut options.show_wdl, boolean(value)),
    },
    UciOption {
        name: LOG_FILE,
        declare: |options| string(&options.settings.log_file),
        set: |options, value| put(&mut options.settings.log_file, Ok(value.to_owned())),
    },
    UciOption {
        name: WEIGHTS,
        declare: |options| string(&options.settings.weights),
        set: |options, value| put(&mut options.settings.weights, Ok(value.to_owned())),
    },
    UciOption {
        name: "EgdbPath",
        declare: |options| string(&options.settings.egdb_dir),
        set: |options, value| {
            options.settings.set_egdb_dir(value);
            Ok(())
        },
    },
    UciOption {
        name: "EgdbPieces",
        declare: |options| spin(options.settings.egdb_pieces, EGDB_PIECES),
        set: |options, value| {
            options.settings.egdb_due = true;
            put(&mut options.settings.egdb_pieces, integer(value, EGDB_PIECES))
        },
    },
    UciOption {
        name: "EgdbCache",
        declare: |options| spin(options.settings.egdb_cache, EGDB_CACHE),
        set: |options, value| {
            options.settings.egdb_due = true;
            put(&mut options.settings.egdb_cache, integer(value, EGDB_CACHE))
        },
    },
];

const CLEAR_HASH: &str = "Clear Hash";
/// The option that says where lines are written down.
pub(super) const LOG_FILE: &str = "Log File";
/// The option that says where the weights of the evaluation come from.
pub(super) const WEIGHTS: &str = "Weights";

impl Options {
    /// The defaults, for a game.
    pub fn new(game: Game) -> Self {
        Self { settings: Settings::new(game), analyse: false, show_wdl: false }
    }

    /// The `option` lines.
    pub fn declare(&self) -> Vec<String> {
        OPTIONS
            .iter()
            .map(|option| format!("option name {} type {}", option.name, (option.declare)(self)))
            .collect()
    }

    /// Sets an option, whatever the case of its name; `before` is called with its own name and the value first.
    ///
    /// # Errors
    /// A message that names option and value; nothing has changed then.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        mut before: impl FnMut(&str, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        let option = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = option.ok_or_else(|| format!("unknown option '{}'", excerpt(name)))?;
        let name = option.name;
        let done = match value {
            None if name != CLEAR_HASH => Err("missing value".to_owned()),
            Some(value) if name == CLEAR_HASH => Err(bad(value, "none")),
            value => {
                let value = value.filter(|value| *value != EMPTY).unwrap_or_default();
                before(name, value).and_then(|()| (option.set)(self, value))
            }
        };
        done.map_err(|error| format!("option '{name}': {error}"))
    }
}

fn put<T>(place: &mut T, value: Result<T, String>) -> Result<(), String> {
    *place = value?;
    Ok(())
}

fn spin<T: Display, U: Display>(value: T, range: RangeInclusive<U>) -> String {
    format!("spin default {value} min {} max {}", range.start(), range.end())
}

fn check(value: bool) -> String {
    format!("check default {value}")
}

fn string(value: &str) -> String {
    format!("string default {}", if value.is_empty() { EMPTY } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    fn set(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
        options.set(name, Some(value), |_, _| Ok(()))
    }

    #[test]
    fn what_is_set_is_declared() {
        let mut options = Options::new(Game::new(find("argentinian").unwrap()));
        for (name, value, line) in [
            ("threads", "3", "option name Threads type spin default 3 min 1 max 256"),
            ("HASH", "100", "option name Hash type spin default 64 min 1 max 16384"),
            ("Hash", "1", "option name Hash type spin default 1 min 1 max 16384"),
            ("Rule", "landing=long", "option name Rule type string default landing:long"),
            ("rule", "<empty>", "option name Rule type string default <empty>"),
            ("skill level", "5", "option name Skill Level type spin default 5 min 1 max 20"),
            ("contempt", "-20", "option name Contempt type spin default -20 min -500 max 500"),
            ("ponder", "true", "option name Ponder type check default true"),
            ("UCI_ShowWDL", "true", "option name UCI_ShowWDL type check default true"),
        ] {
            set(&mut options, name, value).unwrap();
            assert!(options.declare().contains(&line.to_owned()), "{line}: {:#?}", options.declare());
        }
        set(&mut options, "uci_variant", "losing").unwrap();
        let variant = &options.declare()[0];
        assert!(variant.starts_with("option name UCI_Variant type combo default antidraughts var italian "));
        options.set("clear hash", None, |_, _| Ok(())).unwrap();
        assert!(options.settings.clear_hash);
    }

    #[test]
    fn values_are_checked() {
        let mut options = Options::new(Game::new(find("italian").unwrap()));
        for (name, value, error) in [
            ("Speed", "3", "unknown option 'Speed'"),
            ("threads", "0", "option 'Threads': bad value '0': expected a number from 1 to 256"),
            ("hash", "16385", "option 'Hash': bad value '16385': expected a number from 1 to 16384"),
            ("ponder", "yes", "option 'Ponder': bad value 'yes': expected true or false"),
            ("Clear Hash", "1", "option 'Clear Hash': bad value '1': expected none"),
            ("rule", "x=1", "option 'Rule': unknown rule 'x': italian has no rule 'x'"),
        ] {
            let refused = set(&mut options, name, value).unwrap_err();
            assert!(
                refused == error || name == "rule" && refused.starts_with("option 'Rule': "),
                "{refused}"
            );
        }
        let missing = options.set("threads", None, |_, _| Ok(())).unwrap_err();
        assert_eq!(missing, "option 'Threads': missing value");
    }
}
