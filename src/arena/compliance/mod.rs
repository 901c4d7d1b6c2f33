//! Whether a Hub engine does what `protocol.md` says: a table of checks, run one after the other against its process.
//!
//! A check is a function with a line in the list of its file (`lists`): it talks to the engine and returns what it has
//! found. Checks share a process that is ready to play; one that needs it, or follows a check that has found something,
//! gets a new one, so that a fault is told once and not by all that come after. What engines must do `Weight::Must`
//! fails them; where `protocol.md` asks for more than clients need, or than Scan does, `Weight::Should` only warns.

mod declarations;
mod errors;
mod lab;
mod leaving;
mod levels;
mod lines;
mod moves;
mod pondering;
mod queue;
mod sample;
mod searches;
mod settings;
mod start;
mod talk;
mod trials;

use super::contestant::Contestant;
use crate::rules::Game;
use lab::Lab;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// After so long no new check begins: an engine that lets each wait for its deadline could take many minutes.
const BUDGET: Duration = Duration::from_secs(150);

/// How a check has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be, or there is nothing to check in this game.
    Ok,
    /// Otherwise than is good, but not wrong.
    Warn,
    /// Wrong.
    Fail,
}

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub name: &'static str,
    /// How it has ended.
    pub verdict: Verdict,
    /// What was sent, what was expected and what came; empty if there is nothing to say.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Ok => "ok ",
            Verdict::Warn => "warn ",
            Verdict::Fail => "FAIL ",
        })?;
        f.write_str(self.name)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// All findings about an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What the engine calls itself, with its version; the name of the contestant if it does not say.
    pub engine: String,
    /// The id of the rule set.
    pub variant: &'static str,
    /// Number of checks that found all in order.
    pub passed: usize,
    /// Number of checks that found something wrong.
    pub failed: usize,
    /// Number of checks that warn.
    pub warned: usize,
    /// In the order of the checks.
    pub checks: Vec<Finding>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, variant, passed, failed, warned, .. } = self;
        write!(f, "{engine}, {variant}: {passed} passed, {failed} failed, {warned} warned")
    }
}

/// What it means when a check finds something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// A client cannot work with such an engine, or gets wrong results.
    Must,
    /// `protocol.md` says so, but good engines differ.
    Should,
}

/// What a check wants to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Process {
    /// One that is ready to play.
    Ready,
    /// One that has not been spoken to.
    New,
}

/// A check.
#[derive(Clone, Copy)]
struct Check {
    name: &'static str,
    /// The section of `protocol.md` it stands on.
    section: u32,
    weight: Weight,
    process: Process,
    /// Whether nothing else can be checked when it fails.
    vital: bool,
    run: fn(&mut Lab<'_>) -> Outcome,
}

impl Check {
    const fn must(name: &'static str, section: u32, run: fn(&mut Lab<'_>) -> Outcome) -> Self {
        Self { name, section, weight: Weight::Must, process: Process::Ready, vital: false, run }
    }
    const fn should(name: &'static str, section: u32, run: fn(&mut Lab<'_>) -> Outcome) -> Self {
        Self { weight: Weight::Should, ..Self::must(name, section, run) }
    }
    /// The same with a process that has not been spoken to.
    const fn anew(self) -> Self {
        Self { process: Process::New, ..self }
    }
    const fn vital(self) -> Self {
        Self { vital: true, ..self }
    }
}

/// What a check returns.
type Outcome = Result<(), Trouble>;

/// Why a check does not simply pass.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    /// Wrong; what was sent, expected, and came.
    Wrong(String),
    /// Not good.
    Odd(String),
    /// There is nothing to check, and why.
    Moot(String),
    /// Nobody wants to know any more.
    Aborted,
}

/// The checks, in the order in which they run: the handshake first, what was gathered on the way last.
fn lists() -> [&'static [Check]; 11] {
    [
        start::CHECKS,
        declarations::CHECKS,
        settings::CHECKS,
        levels::CHECKS,
        moves::CHECKS,
        searches::CHECKS,
        pondering::CHECKS,
        queue::CHECKS,
        errors::CHECKS,
        leaving::CHECKS,
        talk::CHECKS,
    ]
}

/// Runs all checks against an engine; `hear` gets each finding as it comes. Of the contestant's words those on limits and
/// on quirks other than the name of the variant and the square numbers mean nothing here. `None` if `abort` was set.
pub fn run(
    contestant: &Contestant,
    game: &Game,
    abort: &AtomicBool,
    hear: &mut dyn FnMut(&Finding),
) -> Option<Report> {
    let mut lab = Lab::new(contestant, game, abort);
    let begun = Instant::now();
    let mut checks = Vec::new();
    for check in lists().into_iter().flatten() {
        let finding = if begun.elapsed() < BUDGET {
            check.find(&mut lab)
        } else {
            let detail = format!("not run: the checks before it took more than {} s", BUDGET.as_secs());
            Finding { name: check.name, verdict: Verdict::Fail, detail }
        };
        if abort.load(Ordering::Relaxed) {
            return None;
        }
        hear(&finding);
        let lost = check.vital && finding.verdict == Verdict::Fail;
        checks.push(finding);
        if lost {
            break;
        }
    }
    let count = |verdict| checks.iter().filter(|finding| finding.verdict == verdict).count();
    Some(Report {
        engine: lab.engine(),
        variant: game.set.id,
        passed: count(Verdict::Ok),
        failed: count(Verdict::Fail),
        warned: count(Verdict::Warn),
        checks,
    })
}

impl Check {
    fn find(&self, lab: &mut Lab<'_>) -> Finding {
        let prepared = match self.process {
            Process::Ready => lab.make_ready(),
            Process::New => lab.start(),
        };
        let found = prepared.and_then(|()| (self.run)(lab));
        let in_order = matches!(found, Ok(()) | Err(Trouble::Moot(_)));
        let found = if in_order && self.process == Process::Ready && lab.talk.is_open() {
            lab.settle(self.name).and(found)
        } else {
            lab.talk.hang_up();
            found
        };
        let (verdict, detail) = match found {
            Ok(()) => (Verdict::Ok, String::new()),
            Err(Trouble::Moot(why)) => (Verdict::Ok, why),
            Err(Trouble::Wrong(what)) if self.weight == Weight::Must => (Verdict::Fail, self.cite(&what)),
            Err(Trouble::Wrong(what) | Trouble::Odd(what)) => (Verdict::Warn, self.cite(&what)),
            Err(Trouble::Aborted) => (Verdict::Fail, "interrupted".to_owned()),
        };
        let rest = if self.vital && verdict == Verdict::Fail { "; no other check is possible" } else { "" };
        Finding { name: self.name, verdict, detail: detail + rest }
    }

    fn cite(&self, what: &str) -> String {
        format!("{what} (protocol.md, section {})", self.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_names() {
        let names: Vec<_> = lists().into_iter().flatten().map(|check| check.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(names.iter().all(|name| plain(name)), "{names:?}");
        assert!(lists().into_iter().flatten().all(|check| (1..=12).contains(&check.section)));
    }
}
