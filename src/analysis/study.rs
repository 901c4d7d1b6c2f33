//! The search of the positions of a game.

use super::judge;
use super::record::{Chances, Record, Variation, men, win_in};
use super::source::{Unit, session_for};
use super::{Mark, expectation};
use crate::engine::{HASH_RANGE, Info, Notation, Session};
use crate::referee::Verdict;
use crate::score::Score;
use crate::search::{Control, Limits};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Entries of the hash table where nobody says how many, as binary logarithms: within these, twice the nodes; without a
/// limit of nodes the larger one, 16 MiB.
const HASH: (u32, u32) = (10, 20);

/// How positions are searched.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// How many best lines to search for; 0 counts as 1.
    pub multipv: u32,
    /// Entries of the hash table of each thread, as a binary logarithm.
    pub hash: Option<u32>,
    /// Whether `seconds` are left at 0, so that records are the same each time.
    pub timeless: bool,
}

impl Settings {
    /// Entries of the hash table, as a binary logarithm. It depends on nothing that differs between machines.
    pub fn hash(&self) -> u32 {
        let fitting = match self.nodes {
            Some(nodes) => (nodes.max(1).ilog2() + 2).clamp(HASH.0, HASH.1),
            None => HASH.1,
        };
        self.hash.unwrap_or(fitting).clamp(*HASH_RANGE.start(), *HASH_RANGE.end())
    }
}

/// Time for all positions together, shared out as they are begun.
#[derive(Debug)]
pub struct Clock {
    end: Instant,
    /// Positions to come.
    left: AtomicUsize,
    threads: u32,
}

impl Clock {
    /// A clock that begins to run, for so many searches on so many threads.
    pub fn start(time: Duration, searches: usize, threads: usize) -> Self {
        let end = Instant::now() + time;
        Self { end, left: AtomicUsize::new(searches), threads: threads as u32 }
    }

    /// The time of the next search; a millisecond where none is left.
    fn next(&self) -> Duration {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        let left = left.unwrap_or(1).max(1) as u32;
        let time = self.end.saturating_duration_since(Instant::now());
        (time * self.threads.min(left) / left).max(Duration::from_millis(1))
    }
}

/// A position searched.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Without what the move has cost.
    pub record: Record,
    /// The expectation of the side to move, in permille; exact where the rules have ended the game.
    pub worth: u32,
    /// The other side's expectation after the move, where it had to be looked for.
    pub after: Option<u32>,
}

impl Found {
    /// The record with what its move has cost. `next` is the expectation of the other side after it.
    pub fn judged(self, next: Option<u32>) -> Record {
        let Self { mut record, worth, after } = self;
        if record.played.is_none() {
            return record;
        }
        record.loss = match after.or(next) {
            _ if record.played == record.best => Some(0),
            Some(after) => Some(judge::loss(worth, after)),
            None => None,
        };
        record.mark = record.loss.and_then(Mark::of).map(|mark| mark.text().to_owned());
        record
    }
}

/// Somebody who searches, with a session of its own.
pub(super) struct Analyst<'a> {
    settings: &'a Settings,
    clock: Option<&'a Clock>,
    control: &'a Control,
    session: Option<Box<dyn Session>>,
}

impl<'a> Analyst<'a> {
    pub fn new(settings: &'a Settings, clock: Option<&'a Clock>, control: &'a Control) -> Self {
        Self { settings, clock, control, session: None }
    }

    /// Searches positions of a unit; `None` if it was stopped.
    pub fn study(&mut self, unit: &Unit, positions: Range<usize>) -> Option<Vec<Found>> {
        let mut session = session_for(&unit.rules, &mut self.session);
        session.set_hash(self.settings.hash());
        let found = self.positions(session.as_mut(), unit, positions);
        self.session = Some(session);
        found
    }

    fn positions(
        &self,
        session: &mut dyn Session,
        unit: &Unit,
        positions: Range<usize>,
    ) -> Option<Vec<Found>> {
        unit.line.reach(session, positions.start).ok()?;
        let mut all = Vec::with_capacity(positions.len());
        for at in positions {
            let mut found = self.position(session, unit, at)?;
            let last = at + 1 == unit.line.moves.len();
            let step = unit.line.moves.get(at);
            // Nothing else looks at what comes after the last move, and before a position set up.
            let broken = unit.line.moves.get(at + 1).is_some_and(|next| next.setup.is_some());
            if step.is_some() && (last || broken) && found.record.played != found.record.best {
                found.after = Some(self.worth_after(session, &step?.text)?);
            }
            all.push(found);
            unit.line.step(session, at + 1).ok()?;
        }
        Some(all)
    }

    fn position(&self, session: &mut dyn Session, unit: &Unit, at: usize) -> Option<Found> {
        let text = unit.line.moves.get(at).map(|ply| ply.text.as_str());
        let played = text.and_then(|text| session.translate(text, Notation::Pdn, Notation::HUB).ok());
        let lines = self.search(session)?;
        let odds = session.odds();
        let (first, verdict) = (lines.first()?, session.verdict());
        let chances = Chances::of(odds, first.score);
        let variation = |info: &Info| Variation {
            score: men(info.score),
            win_in: win_in(info.score),
            odds: Chances::of(odds, info.score),
            pv: info.pv.clone(),
        };
        let seconds = (first.time.as_secs_f64() * 1000.0).round() / 1000.0;
        let record = Record {
            game: unit.number,
            variant: unit.rules.set.id.to_owned(),
            fen: session.fen(),
            ply: at,
            played,
            best: first.pv.first().cloned(),
            score: men(first.score),
            win_in: win_in(first.score),
            odds: chances,
            depth: first.depth,
            nodes: first.nodes,
            seconds: if self.settings.timeless { 0.0 } else { seconds },
            pv: first.pv.clone(),
            lines: if self.settings.multipv > 1 { lines.iter().map(variation).collect() } else { Vec::new() },
            loss: None,
            mark: None,
        };
        let worth = worth(session, verdict, chances);
        Some(Found { record, worth, after: None })
    }

    /// The expectation of the other side after a move, which is taken back.
    fn worth_after(&self, session: &mut dyn Session, text: &str) -> Option<u32> {
        session.play(text, Notation::Pdn).ok()?;
        let verdict = session.verdict();
        let score = if verdict.is_some() { Score::DRAW } else { self.search(session)?.first()?.score };
        let worth = worth(session, verdict, Chances::of(session.odds(), score));
        session.undo();
        Some(worth)
    }

    /// The best lines; `None` if the search was stopped. Without a legal move there is a line without moves.
    fn search(&self, session: &mut dyn Session) -> Option<Vec<Info>> {
        let Settings { depth, nodes, time, multipv, .. } = *self.settings;
        let limits = Limits {
            depth,
            nodes,
            move_time: self.clock.map(Clock::next).or(time),
            multipv: multipv.max(1),
            ..Limits::default()
        };
        session.new_game();
        let mut lines: Vec<Info> = Vec::new();
        let mut report = |info: &Info| {
            let place = info.multipv.max(1) as usize - 1;
            lines.truncate(info.lines.max(1) as usize);
            match lines.get_mut(place) {
                Some(line) => *line = info.clone(),
                None => lines.push(info.clone()),
            }
        };
        let outcome = session.search(&limits, Notation::HUB, self.control, &mut report);
        if self.control.is_stopped() {
            return None;
        }
        let mut first = outcome.info;
        if outcome.best.is_none() {
            let lost = session.verdict().and_then(|verdict| verdict.winner) != Some(session.turn());
            first.score = if lost { Score::loss_in(0) } else { Score::win_in(0) };
            first.pv.clear();
        }
        match lines.first_mut() {
            Some(line) => *line = first,
            None => lines.push(first),
        }
        Some(lines)
    }
}

/// The expectation of the side to move: by the rules, where they have ended the game, else by the search.
fn worth(session: &dyn Session, verdict: Option<Verdict>, chances: Chances) -> u32 {
    match verdict.map(|verdict| verdict.winner) {
        None => expectation(chances),
        Some(None) => 500,
        Some(Some(winner)) => 1000 * u32::from(winner == session.turn()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_the_nodes() {
        let hash = |nodes| Settings { nodes, ..Settings::default() }.hash();
        assert_eq!((hash(Some(1)), hash(Some(100_000)), hash(Some(1 << 40)), hash(None)), (10, 18, 20, 20));
    }

    #[test]
    fn a_clock_shares_its_time_out() {
        let clock = Clock::start(Duration::from_secs(100), 10, 2);
        let first = clock.next();
        assert!(first > Duration::from_secs(19) && first <= Duration::from_secs(20), "{first:?}");
        for _ in 0..8 {
            clock.next();
        }
        // The last position cannot use two threads.
        assert!(clock.next() <= Duration::from_secs(100) && clock.next() > Duration::from_secs(99));
        assert_eq!(Clock::start(Duration::ZERO, 1, 1).next(), Duration::from_millis(1));
    }
}
