//! The handshake.

use super::lab::Lab;
use super::lines::Words;
use super::talk::{HANDSHAKE, PATIENCE};
use super::{Check, Outcome, Trouble};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    Check::must("handshake", 4, handshake).anew().vital(),
    Check::must("variant", 6, variant).anew().vital(),
    Check::must("init", 4, init).anew().vital(),
    Check::must("init-again", 4, init_again),
    Check::must("hub-again", 4, hub_again),
    Check::must("without-waiting", 3, without_waiting).anew(),
    Check::should("handshake-pace", 1, pace).anew(),
];

/// Section 4: `hub` is answered by `id`, a `param` line for each parameter, and `wait`, soon enough for py-draughts.
fn handshake(lab: &mut Lab<'_>) -> Outcome {
    lab.shake_hands()?;
    match lab.lines_of("id").count() {
        1 => Ok(()),
        found => Err(lab.talk.trouble("one 'id' line before 'wait'", &format!("{found}"))),
    }
}

/// Section 6: the rule set is among the values of `variant`, under one of its names.
fn variant(lab: &mut Lab<'_>) -> Outcome {
    lab.shake_hands()?;
    match lab.variant()? {
        Some(_) => Ok(()),
        None => Err(lab.talk.oddity("a parameter 'variant'", "none: it is taken to play this game")),
    }
}

/// Section 4: after the parameters are set, `init` is answered by `ready`.
fn init(lab: &mut Lab<'_>) -> Outcome {
    lab.shake_hands()?;
    lab.configure()
}

/// Section 3: `init` may be repeated, as the lidraughts site does after a change of the hash size.
fn init_again(lab: &mut Lab<'_>) -> Outcome {
    lab.talk.send("init");
    lab.talk.until("ready", HANDSHAKE).map(drop)
}

/// Section 3: `hub` may be repeated; the parameters are the same and tell what was set.
fn hub_again(lab: &mut Lab<'_>) -> Outcome {
    let names = |lab: &Lab<'_>| {
        let words = lab.lines_of("param").filter_map(|line| Words::parse(line).ok());
        words.filter_map(|words| words.get("name").map(str::to_owned)).collect::<Vec<_>>()
    };
    let before = names(lab);
    lab.shake_hands()?;
    let after = names(lab);
    if before == after {
        return Ok(());
    }
    let join = |names: &[String]| names.join(" ");
    Err(lab
        .talk
        .trouble(&format!("the parameters '{}' again", join(&before)), &format!("'{}'", join(&after))))
}

/// Section 3: lines may be sent without waiting for answers, as the lidraughts site does.
fn without_waiting(lab: &mut Lab<'_>) -> Outcome {
    let settings = lab.settings();
    lab.talk.send("hub");
    settings.iter().for_each(|line| lab.talk.send(line));
    lab.talk.send("init");
    lab.talk.until("wait", HANDSHAKE)?;
    lab.talk.until("ready", HANDSHAKE)?;
    let start = lab.start_line();
    lab.talk.search(&[&start, "level depth=2", "go think"], PATIENCE).map(drop)
}

/// Section 1: lines come apart, or py-draughts does not see that `wait` has come.
fn pace(lab: &mut Lab<'_>) -> Outcome {
    const LEAST: Duration = Duration::from_micros(500);
    lab.talk.send("hub");
    let lines = lab.talk.until("wait", HANDSHAKE)?;
    let gaps = lines.windows(2).map(|pair| pair[1].at.saturating_duration_since(pair[0].at));
    let together = gaps.filter(|gap| *gap < LEAST).count();
    // A busy machine may deliver a few lines late, together with the next.
    if together <= lines.len() / 4 {
        return Ok(());
    }
    let came = format!("{together} of {} lines together with the line before", lines.len());
    Err(Trouble::Wrong(format!(
        "sent 'hub'; expected 2 ms or more between lines, for py-draughts; came {came}"
    )))
}
