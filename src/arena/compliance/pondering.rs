//! `go ponder` and `go analyze`.

use super::lab::{Lab, judge_time, least};
use super::levels::stop;
use super::talk::PATIENCE;
use super::{Check, Outcome};
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    Check::must("ponder-hit", 3, hit),
    Check::must("ponder-hit-clock", 3, hit_on_clock),
    Check::must("ponder-stop", 3, |lab| until_stop(lab, "level move-time=0.05", "go ponder")),
    Check::must("analyze-stop", 4, |lab| until_stop(lab, "level infinite", "go analyze")),
    Check::must("spare-stops", 4, spare_stops),
];

/// Longer than the times of these levels.
const WATCH: Duration = Duration::from_millis(250);
const SOON: f64 = 0.15;
const NEVER: f64 = 2.0;

/// Pondering, then `ponder-hit`: the seconds until `done`.
fn ponder(lab: &mut Lab<'_>, level: &str) -> Result<f64, super::Trouble> {
    let start = lab.start_line();
    lab.talk.turn_page();
    lab.talk.send_all(&[&start, level, "go ponder"]);
    lab.talk.lasts(WATCH, "as no limit of time holds before 'ponder-hit'")?;
    lab.talk.send("ponder-hit");
    let asked = Instant::now();
    let search = lab.talk.finish(PATIENCE)?;
    Ok(search.done.at.saturating_duration_since(asked).as_secs_f64())
}

/// Section 4: after `ponder-hit` the time counts from `go`; here it is used up.
fn hit(lab: &mut Lab<'_>) -> Outcome {
    let time = least(SOON, || ponder(lab, "level move-time=0.1"))?;
    judge_time(&lab.talk, time, SOON, NEVER, "'done'")
}

/// Section 4: the same on a clock, which holds after the hit.
fn hit_on_clock(lab: &mut Lab<'_>) -> Outcome {
    let time = least(0.6, || ponder(lab, "level time=0.6 inc=0"))?;
    judge_time(&lab.talk, time, 0.6, 0.6 + NEVER, "'done'")
}

/// Section 3: the search goes on until `stop`, whatever time it has.
fn until_stop(lab: &mut Lab<'_>, level: &str, go: &str) -> Outcome {
    let start = lab.start_line();
    let time = least(SOON, || {
        lab.talk.turn_page();
        lab.talk.send_all(&[&start, level, go]);
        lab.talk.lasts(WATCH, "until 'stop'")?;
        stop(lab)
    })?;
    judge_time(&lab.talk, time, SOON, NEVER, "'done'")
}

/// Section 4: `stop` and `ponder-hit` after the end of a search are passed over; clients send them too late.
fn spare_stops(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.send_all(&[&start, "level infinite", "go think"]);
    lab.talk.lasts(Duration::from_millis(50), "until 'stop'")?;
    stop(lab)?;
    lab.expect_silence(&["stop", "ponder-hit", "stop"])?;
    // The next search is not stopped by them.
    lab.talk.send_all(&[&start, "level infinite", "go think"]);
    lab.talk.lasts(WATCH, "as 'stop' came before 'go'")?;
    stop(lab).map(drop)
}
