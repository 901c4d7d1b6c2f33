//! Rule sets by name, their options, and the game that results.

use super::draws::Draws;
use super::{Kernel, Moves, RULE_SETS};
use crate::board::Side;
use crate::error::excerpt;
use std::fmt;

/// Everything about a game but its movement rules. One block of the table each.
#[derive(Clone, Copy, Debug)]
pub struct RuleSet {
    /// The name used on the command line and in files.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Other names that clients use; the GameType number is one more.
    pub aliases: &'static [&'static str],
    /// The PDN 3.0 GameType tag value, empty where the standard gives none.
    pub game_type: &'static str,
    /// The movement rules.
    pub kernel: Kernel,
    /// Who moves first.
    pub first: Side,
    /// The start position: a FEN without the side to move, in the rule set's own numbers or in algebraic names.
    pub start: &'static str,
    /// How squares are numbered.
    pub numbering: Numbering,
    /// Whether moves are written with algebraic names in PDN.
    pub algebraic: bool,
    /// What PDN writes between the squares of a capture.
    pub capture_sign: char,
    /// Who wins.
    pub goal: Goal,
    /// When it is a draw.
    pub draws: Draws,
    /// Points on which sources disagree, with the readings offered.
    pub options: &'static [RuleOption],
    /// Where the rules come from.
    pub sources: &'static str,
}

/// How squares are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Row by row from the top left; a1 is a playing square.
    Top,
    /// Row by row from the top left of the mirrored board, where h1 is a playing square (Italian: 1 = a8).
    TopMirrored,
    /// Row by row from the bottom right of the mirrored board (Spanish: 1 = h1).
    BottomMirrored,
}

impl Numbering {
    /// Whether the board is mirrored: its lower right corner is a playing square.
    pub const fn mirrored(self) -> bool {
        !matches!(self, Self::Top)
    }
}

/// What decides the game, besides draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A side to move without a legal move loses.
    LastMove,
    /// A side to move without a legal move wins (losing games).
    Misere,
    /// The first side with a king wins; a side without a legal move loses.
    Breakthrough,
}

/// A point on which sources disagree.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption {
    /// Its name, as in `--rule NAME=VALUE`.
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// The values, default first.
    pub values: &'static [OptionValue],
}

/// A value of an option and what it changes.
#[derive(Clone, Copy, Debug)]
pub struct OptionValue {
    /// The value.
    pub name: &'static str,
    /// Its effect on the game.
    pub apply: fn(&mut Game),
}

/// A rule set with its options chosen.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rule set.
    pub set: &'static RuleSet,
    /// The movement rules; always those of some kernel.
    pub moves: Moves,
    /// The draw rules.
    pub draws: Draws,
    /// Who moves first.
    pub first: Side,
    /// The start position: a FEN without the side to move.
    pub start: &'static str,
    /// The options chosen, in the order of the rule set's list.
    pub chosen: Vec<(&'static str, &'static str)>,
}

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// No rule set has this id or alias.
    UnknownVariant(String),
    /// Not of the form NAME=VALUE.
    Malformed(String),
    /// The rule set has no such option.
    UnknownOption {
        /// The rule set.
        variant: &'static str,
        /// The name given.
        name: String,
    },
    /// The option has no such value.
    UnknownValue {
        /// The option.
        option: &'static RuleOption,
        /// The value given.
        value: String,
    },
}

impl PartialEq for RuleOption {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
impl Eq for RuleOption {}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVariant(name) => {
                write!(f, "unknown variant '{}': see `soffio rules` for the list", excerpt(name))
            }
            Self::Malformed(text) => write!(f, "bad rule '{}': expected NAME=VALUE", excerpt(text)),
            Self::UnknownOption { variant, name } => {
                let name = excerpt(name);
                let known: Vec<_> = RULE_SETS
                    .iter()
                    .filter(|s| s.id == *variant)
                    .flat_map(|s| s.options)
                    .map(|o| o.name)
                    .collect();
                match known[..] {
                    [] => write!(f, "unknown rule '{name}': {variant} has no options"),
                    _ => write!(f, "unknown rule '{name}' for {variant}: expected {}", known.join(" or ")),
                }
            }
            Self::UnknownValue { option, value } => {
                let values: Vec<_> = option.values.iter().map(|v| v.name).collect();
                let value = excerpt(value);
                write!(f, "bad value '{value}' of rule '{}': expected {}", option.name, values.join(" or "))
            }
        }
    }
}

impl std::error::Error for RuleError {}

/// The rule set with this id, alias or GameType number; case and the choice of `-`, `_` or blank do not matter.
pub fn find(name: &str) -> Result<&'static RuleSet, RuleError> {
    let plain = |s: &str| s.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    let wanted = plain(name);
    RULE_SETS
        .iter()
        .find(|set| set.id == wanted)
        .or_else(|| RULE_SETS.iter().find(|set| set.names().any(|alias| plain(alias) == wanted)))
        .ok_or_else(|| RuleError::UnknownVariant(name.to_owned()))
}

impl RuleSet {
    /// The PDN GameType number, if the standard gives one.
    pub fn game_type_number(&self) -> Option<u32> {
        self.game_type.split(',').next().and_then(|n| n.parse().ok())
    }
    /// All names but the id: aliases, then the GameType number.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let number = self.game_type.split(',').next().filter(|n| !n.is_empty());
        self.aliases.iter().copied().chain(number)
    }
    /// The option with this name.
    pub fn option(&self, name: &str) -> Option<&'static RuleOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

impl Game {
    /// The rule set with every option at its default.
    pub fn new(set: &'static RuleSet) -> Self {
        let chosen = set.options.iter().map(|o| (o.name, o.values[0].name)).collect();
        Self { set, moves: set.kernel.moves(), draws: set.draws, first: set.first, start: set.start, chosen }
    }

    /// The game of a name and options written `NAME=VALUE`; later ones overrule earlier ones.
    pub fn with_options<'a>(
        name: &str,
        options: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, RuleError> {
        let set = find(name)?;
        let mut game = Self::new(set);
        for text in options {
            let (name, value) = text.split_once('=').ok_or_else(|| RuleError::Malformed(text.to_owned()))?;
            let (name, value) = (name.trim(), value.trim());
            let index = set
                .options
                .iter()
                .position(|o| o.name == name)
                .ok_or_else(|| RuleError::UnknownOption { variant: set.id, name: name.to_owned() })?;
            let option = &set.options[index];
            let found = option
                .values
                .iter()
                .find(|v| v.name == value)
                .ok_or_else(|| RuleError::UnknownValue { option, value: value.to_owned() })?;
            game.chosen[index].1 = found.name;
        }
        for (option, (_, value)) in set.options.iter().zip(game.chosen.clone()) {
            if let Some(found) = option.values.iter().find(|v| v.name == value) {
                (found.apply)(&mut game);
            }
        }
        Ok(game)
    }

    /// The start position as FEN.
    pub fn start_fen(&self) -> String {
        format!("{}:{}", self.first.letter(), self.start)
    }

    /// The kernel that plays these movement rules.
    pub fn kernel(&self) -> Kernel {
        let layout = self.set.kernel.layout();
        Kernel::ALL
            .into_iter()
            .find(|k| {
                k.moves() == self.moves && (k.layout().width, k.layout().bits) == (layout.width, layout.bits)
            })
            .unwrap_or(self.set.kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of options of every rule set has a kernel with exactly those movement rules.
    #[test]
    fn every_option_has_a_kernel() {
        for set in RULE_SETS {
            let mut combinations: Vec<Vec<String>> = vec![vec![]];
            for option in set.options {
                let pairs: Vec<_> =
                    option.values.iter().map(|v| format!("{}={}", option.name, v.name)).collect();
                combinations = combinations
                    .iter()
                    .flat_map(|c| pairs.iter().map(move |p| [c.clone(), vec![p.clone()]].concat()))
                    .collect();
            }
            for choice in combinations {
                let game = Game::with_options(set.id, choice.iter().map(String::as_str)).unwrap();
                assert_eq!(game.kernel().moves(), game.moves, "{} {choice:?}", set.id);
            }
        }
    }

    #[test]
    fn names_are_unique_and_found() {
        assert_eq!(RULE_SETS.len(), 38);
        for set in RULE_SETS {
            assert_eq!(find(set.id).unwrap().id, set.id);
            for alias in set.aliases {
                assert_eq!(find(alias).unwrap().id, set.id, "{alias}");
            }
        }
        for (alias, id) in [
            ("normal", "international"),
            ("Standard", "international"),
            ("bt", "breakthrough"),
            ("losing", "antidraughts"),
            ("frysk!", "frysk"),
            ("22", "italian"),
            ("23", "pool"),
            ("40", "frisian"),
            ("41", "spantsireti"),
            ("American Pool", "pool"),
        ] {
            assert_eq!(find(alias).unwrap().id, id);
        }
        assert_eq!(
            find("chess").unwrap_err().to_string(),
            "unknown variant 'chess': see `soffio rules` for the list"
        );
    }

    #[test]
    fn options_are_checked_by_name_and_value() {
        let error = |options: &[&str]| {
            Game::with_options("argentinian", options.iter().copied()).unwrap_err().to_string()
        };
        assert_eq!(error(&["landing"]), "bad rule 'landing': expected NAME=VALUE");
        assert_eq!(
            error(&["first=white"]),
            "unknown rule 'first' for argentinian: expected landing or precedence"
        );
        assert_eq!(error(&["landing=far"]), "bad value 'far' of rule 'landing': expected behind or long");
        let game = Game::with_options("argentinian", ["landing=long", "landing=behind"]).unwrap();
        assert_eq!(game.chosen, [("landing", "behind"), ("precedence", "count-kings")]);
    }
}
