//! The end of the conversation.

use super::lab::Lab;
use super::{Check, Outcome};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    Check::must("quit", 4, |lab| {
        lab.talk.send("quit");
        leaves(lab)
    }),
    Check::must("quit-during-search", 3, |lab| {
        search(lab)?;
        lab.talk.send("quit");
        leaves(lab)
    }),
    Check::must("end-of-input", 1, |lab| {
        lab.talk.end_input();
        leaves(lab)
    }),
    Check::must("end-of-input-during-search", 1, |lab| {
        search(lab)?;
        lab.talk.end_input();
        leaves(lab)
    }),
];

/// Starts a search without an end.
fn search(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    lab.talk.send_all(&[&start, "level infinite", "go think"]);
    lab.talk.lasts(Duration::from_millis(100), "until 'stop'")
}

/// Sections 1 and 4: the process ends with exit code 0, soon.
fn leaves(lab: &mut Lab<'_>) -> Outcome {
    const PATIENCE: Duration = Duration::from_secs(2);
    let status = lab.talk.leaves(PATIENCE)?;
    let trouble = lab.talk.trouble("exit code 0", &status.to_string());
    lab.talk.hang_up();
    if status.success() { Ok(()) } else { Err(trouble) }
}
