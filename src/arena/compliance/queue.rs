//! Commands while a search is under way.

use super::lab::{Lab, judge_time, least};
use super::levels::stop;
use super::lines::{first_word, quote};
use super::talk::{PATIENCE, SEARCH};
use super::{Check, Outcome, Trouble};
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    Check::must("ping-during-search", 3, ping),
    Check::must("queued-search", 3, queued_search),
    Check::should("other-line-ends-search", 3, other_line),
];

/// Starts a search without an end.
fn begin(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.turn_page();
    lab.talk.send_all(&[&start, "level infinite", "go think"]);
    lab.talk.lasts(Duration::from_millis(100), "until 'stop'")
}

/// Section 3: `ping` is answered at once, and the search goes on.
fn ping(lab: &mut Lab<'_>) -> Outcome {
    const SOON: f64 = 0.15;
    let time = least(SOON, || {
        begin(lab)?;
        lab.talk.send("ping");
        let asked = Instant::now();
        let lines = lab.talk.until("pong", PATIENCE)?;
        let time = asked.elapsed().as_secs_f64();
        if lines.iter().any(|line| first_word(&line.text) == "done") {
            return Err(lab.talk.trouble("'pong' during the search", "'done' before it"));
        }
        lab.talk.lasts(Duration::from_millis(100), "as 'ping' ends no search")?;
        stop(lab)?;
        Ok(time)
    })?;
    judge_time(&lab.talk, time, SOON, 2.0, "'pong'")
}

/// Section 3: what comes during a search is obeyed after its `done`, in order.
fn queued_search(lab: &mut Lab<'_>) -> Outcome {
    let mut session = lab.session();
    let first = session.legal_moves(lab.notation());
    let line = format!("{} moves={}", lab.start_line(), first[0]);
    let _ = session.play(&first[0], lab.notation());
    let second = session.legal_moves(lab.notation());
    begin(lab)?;
    lab.talk.send_all(&[&line, "level depth=2", "go think"]);
    let search = lab.talk.finish(PATIENCE)?;
    lab.expect_move(&search, &first)?;
    let search = lab.talk.finish(SEARCH)?;
    lab.expect_move(&search, &second)
}

/// Section 3: any other line ends the search and is obeyed after it.
fn other_line(lab: &mut Lab<'_>) -> Outcome {
    begin(lab)?;
    lab.talk.send("no-such-command");
    lab.talk.finish(PATIENCE)?;
    let lines = lab.talk.listen(Duration::from_millis(200))?;
    match &lines[..] {
        [line] if first_word(line) == "error" => Ok(()),
        [] => Err(lab.talk.trouble("'done', then 'error message=...'", "no error")),
        [line, ..] => {
            Err(Trouble::Wrong(format!("expected 'done', then 'error message=...'; came {}", quote(line))))
        }
    }
}
