//! How well the engine plays, and how long it may think.

use crate::search::{Limits, Options, SKILL_RANGE};
use std::fmt;
use std::time::Duration;

/// Longest time for a move, in seconds.
const LONGEST: f64 = 86400.0;

/// What it takes if nobody says anything.
const TIME: Duration = Duration::from_secs(1);

/// A level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    skill: u32,
    seed: u64,
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Level {
    pub(super) fn new(
        skill: u32,
        seed: u64,
        time: Option<Duration>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> Self {
        let time = time.or(if nodes.is_none() && depth.is_none() { Some(TIME) } else { None });
        Self { skill, seed, time, nodes, depth }
    }

    pub(super) fn skill(&self) -> u32 {
        self.skill
    }

    /// Changes it by words such as `skill=5 time=2`; a number alone is a skill. Limits that are not named are none, if
    /// one is.
    pub(super) fn change(&self, words: &str) -> Result<Self, String> {
        let mut level = self.clone();
        let (mut time, mut nodes, mut depth) = (None, None, None);
        for word in words.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or(("skill", word));
            match name {
                "skill" => level.skill = whole(value, *SKILL_RANGE.start(), *SKILL_RANGE.end())?,
                "time" => {
                    time = Some(seconds(value).map_err(|error| format!("bad time '{value}': {error}"))?)
                }
                "nodes" => nodes = Some(whole(value, 1, u64::MAX)?),
                "depth" => depth = Some(whole(value, 1, 99)?),
                _ => return Err(format!("unknown word '{word}': expected skill=, time=, nodes= or depth=")),
            }
        }
        if time.is_some() || nodes.is_some() || depth.is_some() {
            (level.time, level.nodes, level.depth) = (time, nodes, depth);
        }
        Ok(level)
    }

    pub(super) fn options(&self) -> Options {
        Options { skill: self.skill, seed: self.seed, ..Options::DEFAULT }
    }

    pub(super) fn limits(&self) -> Limits {
        let Self { time, nodes, depth, .. } = *self;
        Limits { move_time: time, nodes, depth, instant_single: true, ..Limits::default() }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skill={}", self.skill)?;
        self.time.map_or(Ok(()), |time| write!(f, " time={}", time.as_secs_f64()))?;
        self.nodes.map_or(Ok(()), |nodes| write!(f, " nodes={nodes}"))?;
        self.depth.map_or(Ok(()), |depth| write!(f, " depth={depth}"))
    }
}

fn whole<T: std::str::FromStr + PartialOrd + fmt::Display + Copy>(
    text: &str,
    least: T,
    most: T,
) -> Result<T, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && (least..=most).contains(number));
    number.ok_or_else(|| format!("bad number '{text}': expected a whole number from {least} to {most}"))
}

/// A time in seconds, more than 0 and a day at most.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = text.parse::<f64>().ok().filter(|number| plain && *number > 0.0 && *number <= LONGEST);
    number
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("expected seconds, more than 0 and up to {LONGEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_in_words() {
        let level = Level::new(20, 0, None, None, None);
        assert_eq!(level.to_string(), "skill=20 time=1");
        let changed = |words: &str| level.change(words).map(|level| level.to_string());
        assert_eq!(changed("5").unwrap(), "skill=5 time=1");
        assert_eq!(changed("nodes=1000").unwrap(), "skill=20 nodes=1000");
        assert_eq!(changed("skill=3 time=0.5 depth=4").unwrap(), "skill=3 time=0.5 depth=4");
        assert_eq!(changed("").unwrap(), "skill=20 time=1");
        assert_eq!(changed("21").unwrap_err(), "bad number '21': expected a whole number from 1 to 20");
        assert_eq!(
            changed("time=x").unwrap_err(),
            "bad time 'x': expected seconds, more than 0 and up to 86400"
        );
        assert!(changed("speed=1").unwrap_err().starts_with("unknown word 'speed=1'"));
    }
}
