//! Levels: when searches from the start position end.

use super::lab::{Lab, judge_time, least};
use super::talk::{PATIENCE, SEARCH};
use super::{Check, Outcome, Trouble};
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    Check::must("depth", 9, depth),
    Check::must("nodes", 9, nodes),
    Check::must("move-time", 9, move_time),
    Check::should("short-move-time", 9, short_move_time),
    Check::must("clock", 9, |lab| on_clock(lab, "level time=0.8 inc=0.1", 0.9)),
    Check::must("clock-moves", 9, |lab| on_clock(lab, "level moves=4 time=0.8", 0.8)),
    Check::must("no-time-left", 9, no_time_left),
    Check::should("no-move-time-left", 9, no_move_time_left),
    Check::must("levels-combine", 9, combine),
    Check::must("last-value-counts", 9, last_value),
    Check::must("level-ends-with-search", 4, ends_with_search),
    Check::must("pos-forgets-level", 4, pos_forgets),
    Check::must("infinite-stop", 4, infinite),
];

/// How long a search that has no end is watched.
const WATCH: Duration = Duration::from_millis(250);
/// A stop is obeyed at once; a busy machine takes longer.
const SOON: f64 = 0.15;
/// A search that ends so late has not seen its limit.
const NEVER: f64 = 2.0;

/// A search from the start with a level; the seconds it took.
fn timed(lab: &mut Lab<'_>, level: &str) -> Result<f64, Trouble> {
    let start = lab.start_line();
    lab.talk.search(&[&start, level, "go think"], SEARCH).map(|(_, time)| time)
}

/// `stop`, and the seconds until `done`.
pub(super) fn stop(lab: &mut Lab<'_>) -> Result<f64, Trouble> {
    lab.talk.send("stop");
    let asked = Instant::now();
    let search = lab.talk.finish(PATIENCE)?;
    Ok(search.done.at.saturating_duration_since(asked).as_secs_f64())
}

/// Section 9: `depth` ends the search after this iteration.
fn depth(lab: &mut Lab<'_>) -> Outcome {
    const DEPTH: u32 = 4;
    let start = lab.start_line();
    let (search, _) = lab.talk.search(&[&start, &format!("level depth={DEPTH}"), "go think"], SEARCH)?;
    match search.last::<u32>("depth") {
        Some(depth) if depth > DEPTH => {
            Err(lab.talk.trouble(&format!("no iteration beyond {DEPTH}"), &format!("depth={depth}")))
        }
        _ => Ok(()),
    }
}

/// Section 9: `nodes` ends the search after so many.
fn nodes(lab: &mut Lab<'_>) -> Outcome {
    const NODES: u64 = 20_000;
    let start = lab.start_line();
    let (search, _) = lab.talk.search(&[&start, &format!("level nodes={NODES}"), "go think"], SEARCH)?;
    let Some(found) = search.last::<u64>("nodes") else { return Ok(()) };
    let (expected, came) = (format!("an end after {NODES} nodes"), format!("nodes={found}"));
    if found > 10 * NODES {
        return Err(lab.talk.trouble(&expected, &came));
    }
    // With several threads the number is for each of them.
    let threads = lab.param("threads").and_then(|words| words.get("value")?.parse::<u64>().ok()).unwrap_or(1);
    if found > threads * (NODES + NODES / 10) {
        return Err(lab.talk.oddity(&expected, &came));
    }
    Ok(())
}

/// Section 9: `move-time` is used up, and not exceeded by much.
fn move_time(lab: &mut Lab<'_>) -> Outcome {
    const TIME: f64 = 0.2;
    let time = least(TIME + 0.05, || timed(lab, &format!("level move-time={TIME}")))?;
    if time < TIME / 2.0 {
        return Err(lab.talk.oddity(&format!("a search of {TIME} s"), &format!("'done' after {time:.3} s")));
    }
    judge_time(&lab.talk, time, TIME + 0.1, TIME + NEVER, "'done'")
}

/// Section 12: short times are kept too.
fn short_move_time(lab: &mut Lab<'_>) -> Outcome {
    let time = least(0.03, || timed(lab, "level move-time=0.01"))?;
    judge_time(&lab.talk, time, 0.05, NEVER, "'done'")
}

/// Section 9: a move is made before the time on the clock is over.
fn on_clock(lab: &mut Lab<'_>, level: &str, total: f64) -> Outcome {
    let time = least(total, || timed(lab, level))?;
    judge_time(&lab.talk, time, total, total + NEVER, "'done'")
}

/// Section 9: with nothing or less on the clock the answer comes at once; lidraughts-bot sends such times.
fn no_time_left(lab: &mut Lab<'_>) -> Outcome {
    for level in ["level time=-0.2 inc=1", "level time=0.1 inc=-0.1", "level time=-1", "level time=0"] {
        // With the increment there are 0.8 s.
        let time = least(SOON, || timed(lab, level))?;
        judge_time(&lab.talk, time, if level.contains("inc=1") { 0.8 } else { SOON }, NEVER, "'done'")?;
    }
    Ok(())
}

/// Section 9: the same with a time for the move. Scan takes one of 0 or less for none.
fn no_move_time_left(lab: &mut Lab<'_>) -> Outcome {
    const ENOUGH: Duration = Duration::from_secs(1);
    let start = lab.start_line();
    for level in ["level move-time=-0.5", "level move-time=0"] {
        lab.talk.search(&[&start, level, "go think"], ENOUGH)?;
    }
    Ok(())
}

/// Section 9: values of several lines hold together, in any order.
fn combine(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    for levels in [
        ["level move-time=60", "level depth=3", "level nodes=100000000"],
        ["level nodes=3000", "level depth=60", "level move-time=60"],
        ["level depth=60 nodes=100000000", "level infinite", "level move-time=0.1"],
    ] {
        let [first, second, third] = levels;
        lab.talk.search(&[&start, first, second, third, "go think"], SEARCH)?;
    }
    Ok(())
}

/// Section 9: a later value replaces an earlier one.
fn last_value(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.search(&[&start, "level depth=60", "level depth=2", "go think"], SEARCH).map(drop)
}

/// Section 4: after `done` the level is empty, so that the next search runs until `stop`.
fn ends_with_search(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.search(&[&start, "level depth=1", "go think"], SEARCH)?;
    lab.talk.send("go think");
    lab.talk.lasts(WATCH, "as the level was emptied by the search before")?;
    stop(lab).map(drop)
}

/// Section 4: `pos` forgets the level.
fn pos_forgets(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.send_all(&["level depth=1", &start, "go think"]);
    lab.talk.lasts(WATCH, "as 'pos' forgets the level")?;
    stop(lab).map(drop)
}

/// Section 9: without a limit the search runs until `stop`, and ends then at once.
fn infinite(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    let time = least(SOON, || {
        lab.talk.turn_page();
        lab.talk.send_all(&[&start, "level infinite", "go think"]);
        lab.talk.lasts(WATCH, "until 'stop'")?;
        stop(lab)
    })?;
    judge_time(&lab.talk, time, SOON, NEVER, "'done'")
}
