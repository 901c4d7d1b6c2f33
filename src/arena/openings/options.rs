//! What `--openings` says.

use super::OpeningsError;
use super::official;
use crate::rules::Game;
use std::ops::RangeInclusive;

/// The options, in the order of the help.
pub(super) const KEYS: [&str; 7] = ["file", "order", "plies", "start", "band", "nodes", "barred"];

/// Most plies of an opening.
const PLIES: RangeInclusive<u64> = 0..=60;
/// Nodes of a search that judges a built-in opening.
const NODES: RangeInclusive<u64> = 1..=100_000_000;
/// Band of built-in openings, in 1/100 man.
const BAND: RangeInclusive<u16> = 1..=2_000;

/// Where openings come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Nobody has said: the official openings where there are any, else the built-in ones; the built-in ones also if any
    /// of their options is given.
    #[default]
    Unsaid,
    /// Made by rule.
    Builtin,
    /// The table of a federation.
    Official,
    /// A file of FENs or of moves; `-` is standard input.
    File(String),
}

/// The order openings are played in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Shuffled by the seed of the match.
    #[default]
    Random,
    /// As they stand; built-in ones by the texts of their moves.
    Sequential,
}

/// Which openings are played, in which order. `None` is the default of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningOptions {
    /// Where they come from.
    pub source: Source,
    /// In which order.
    pub order: Order,
    /// Plies of a built-in opening; most moves that are played of a line of a file.
    pub plies: Option<usize>,
    /// The number, from 1, of the opening that is played first: in the order chosen, so after shuffling.
    pub start: usize,
    /// How far the score of a built-in opening may be from 0, in 1/100 man; more where there are hardly any within it.
    pub band: Option<i32>,
    /// Nodes of the search that judges a built-in opening.
    pub nodes: Option<u64>,
    /// Whether official openings that the federation bars are played too.
    pub barred: bool,
}

impl Default for OpeningOptions {
    fn default() -> Self {
        Self {
            source: Source::default(),
            order: Order::default(),
            plies: None,
            start: 1,
            band: None,
            nodes: None,
            barred: false,
        }
    }
}

impl OpeningOptions {
    /// The options of pairs of key and value:
    ///
    /// | key      | value                                  | default                                     |
    /// |----------|----------------------------------------|---------------------------------------------|
    /// | `file`   | `builtin`, `official`, a path or `-`   | see [`Source::Unsaid`]                      |
    /// | `order`  | `random` or `sequential`               | `random`                                    |
    /// | `plies`  | 0 to 60                                | see [`super::default_plies`]; all of a file |
    /// | `start`  | a number from 1                        | 1                                           |
    /// | `band`   | 0.01 to 20 men (`builtin`)             | 0.5                                         |
    /// | `nodes`  | 1 to 100,000,000 (`builtin`)           | 10,000                                      |
    /// | `barred` | `yes` or `no` (`official`)             | `no`                                        |
    ///
    /// A file of the name `builtin` is `./builtin`.
    ///
    /// # Errors
    /// Names the key and the value at fault: a key that is unknown, stands twice or is of no use with this source, a value
    /// that cannot be.
    pub fn parse<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, OpeningsError> {
        let mut options = Self::default();
        let mut given: Vec<(&'static str, &str)> = Vec::new();
        for (name, value) in pairs {
            let Some(key) = KEYS.into_iter().find(|key| *key == name) else {
                return Err(OpeningsError::UnknownKey { key: name.to_owned(), value: value.to_owned() });
            };
            if given.iter().any(|(seen, _)| *seen == key) {
                return Err(OpeningsError::Twice { key, value: value.to_owned() });
            }
            given.push((key, value));
            options.set(Pair { key, value })?;
        }
        for (key, value) in given {
            if let Some(only) = options.useless(key) {
                return Err(OpeningsError::Useless { key, value: value.to_owned(), only });
            }
        }
        Ok(options)
    }

    fn set(&mut self, pair: Pair<'_>) -> Result<(), OpeningsError> {
        match pair.key {
            "file" => {
                self.source = match pair.value {
                    "" => return Err(pair.error("builtin, official or the name of a file".to_owned())),
                    "builtin" => Source::Builtin,
                    "official" => Source::Official,
                    file => Source::File(file.to_owned()),
                }
            }
            "order" => {
                self.order = pair.word([("random", Order::Random), ("sequential", Order::Sequential)])?
            }
            "plies" => self.plies = Some(pair.number(PLIES)? as usize),
            "start" => self.start = pair.number(1..=u64::from(u32::MAX))? as usize,
            "band" => self.band = Some(pair.hundredths(BAND)?),
            "nodes" => self.nodes = Some(pair.number(NODES)?),
            _ => self.barred = pair.word([("yes", true), ("no", false)])?,
        }
        Ok(())
    }

    /// The openings that an option is for, if it is of no use with this source.
    fn useless(&self, key: &str) -> Option<&'static str> {
        let useful = match key {
            "band" | "nodes" => matches!(self.source, Source::Unsaid | Source::Builtin),
            "plies" => self.source != Source::Official,
            "barred" => {
                self.source == Source::Official || self.source == Source::Unsaid && !self.asks_for_builtin()
            }
            _ => true,
        };
        match key {
            _ if useful => None,
            "barred" => Some("official openings"),
            "plies" => Some("built-in openings and files"),
            _ => Some("built-in openings"),
        }
    }

    /// Whether an option is given that only built-in openings have.
    fn asks_for_builtin(&self) -> bool {
        self.plies.is_some() || self.band.is_some() || self.nodes.is_some()
    }

    /// The source meant in a game; never [`Source::Unsaid`].
    pub fn source_for(&self, game: &Game) -> Source {
        match &self.source {
            Source::Unsaid if self.barred => Source::Official,
            Source::Unsaid if !self.asks_for_builtin() && official::has_table(game) => Source::Official,
            Source::Unsaid => Source::Builtin,
            said => said.clone(),
        }
    }
}

/// A key and its value.
#[derive(Clone, Copy)]
struct Pair<'a> {
    key: &'static str,
    value: &'a str,
}

impl Pair<'_> {
    fn error(self, expected: String) -> OpeningsError {
        OpeningsError::Value { key: self.key, value: self.value.to_owned(), expected }
    }

    fn word<T>(self, words: [(&str, T); 2]) -> Result<T, OpeningsError> {
        let expected = words.each_ref().map(|(word, _)| *word).join(" or ");
        let found = words.into_iter().find(|(word, _)| *word == self.value);
        found.map(|(_, meaning)| meaning).ok_or_else(|| self.error(expected))
    }

    fn number(self, range: RangeInclusive<u64>) -> Result<u64, OpeningsError> {
        let digits = !self.value.is_empty() && self.value.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.value.parse().ok().filter(|number| digits && range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| self.error(format!("a number from {least} to {most}")))
    }

    /// A decimal number of men as 1/100 man, rounded.
    fn hundredths(self, range: RangeInclusive<u16>) -> Result<i32, OpeningsError> {
        let plain = self.value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value = self.value.parse::<f64>().ok().filter(|_| plain).map(|men| (men * 100.0).round());
        let (least, most) = (f64::from(*range.start()), f64::from(*range.end()));
        let value = value.filter(|value| (least..=most).contains(value));
        let expected = || format!("a number of men from {} to {}", least / 100.0, most / 100.0);
        value.map(|value| value as i32).ok_or_else(|| self.error(expected()))
    }
}
