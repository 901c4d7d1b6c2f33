//! Commands outside of searches: `ping`, parameters, and what has no answer.

use super::lab::{Lab, judge_time, least};
use super::lines::Words;
use super::talk::{PATIENCE, SEARCH};
use super::{Check, Outcome};
use std::time::Instant;

pub(super) const CHECKS: &[Check] = &[
    Check::must("ping", 4, ping),
    Check::must("idle-stop", 4, |lab| lab.expect_silence(&["stop", "stop"])),
    Check::must("idle-ponder-hit", 4, |lab| lab.expect_silence(&["ponder-hit"])),
    Check::must("new-game-silent", 4, |lab| lab.expect_silence(&["new-game"])),
    Check::must("pos-silent", 4, pos_silent),
    Check::must("level-silent", 9, |lab| {
        lab.expect_silence(&[
            "level depth=3 nodes=100",
            "level infinite",
            "level moves=10 time=5.5 inc=0.25",
            "pos",
        ])
    }),
    Check::must("set-param-declared", 6, declared),
    Check::must("unknown-parameter", 4, |lab| {
        lab.expect_silence(&["set-param name=initial-time value=60", "set-param name=no-such value=\"a b\""])
    }),
    Check::must("unknown-argument", 2, unknown_argument),
    Check::must("set-param-before-go", 6, before_go),
    Check::must("line-ends", 1, line_ends),
    Check::must("blanks", 2, blanks),
];

/// Section 4: `ping` is answered by `pong`, at once.
fn ping(lab: &mut Lab<'_>) -> Outcome {
    const SOON: f64 = 0.1;
    // Until it is known that it answers nobody must rely on it.
    lab.pings = false;
    let time = least(SOON, || {
        lab.talk.turn_page();
        lab.talk.send("ping");
        let asked = Instant::now();
        lab.talk.until("pong", PATIENCE)?;
        Ok(asked.elapsed().as_secs_f64())
    })?;
    lab.pings = true;
    judge_time(&lab.talk, time, SOON, 1.0, "'pong'")
}

/// Section 4: `pos` has no answer: the start position, a position, and moves.
fn pos_silent(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    let mv = lab.session().legal_moves(lab.notation()).swap_remove(0);
    lab.expect_silence(&["pos", "pos start", &start, &format!("{start} moves={mv}")])
}

/// Section 6: every parameter takes the value that it declares, without an answer.
fn declared(lab: &mut Lab<'_>) -> Outcome {
    let words: Vec<_> = lab.lines_of("param").filter_map(|line| Words::parse(line).ok()).collect();
    let lines: Vec<String> = words
        .iter()
        .filter_map(|words| {
            let (_, value, quoted) = words.pairs.iter().find(|(name, ..)| name == "value")?;
            let quote = if *quoted { "\"" } else { "" };
            Some(format!("set-param name={} value={quote}{value}{quote}", words.get("name")?))
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let silent = lab.expect_silence(&lines);
    // The declaration may be older than the settings of this run.
    lab.configure().and(silent)
}

/// Section 2: an argument that a command does not know is passed over: draughtsnet sends `handicap` and `ply`.
fn unknown_argument(lab: &mut Lab<'_>) -> Outcome {
    let start = format!("{} no-such=1", lab.start_line());
    lab.expect_silence(&[&start, "level handicap=6", "level ply=3 no-such"])?;
    lab.talk.search(&["level depth=2", "go think no-such"], SEARCH).map(drop)
}

/// Section 6: draughtsnet sets parameters between `pos` and `go`: position and level stay.
fn before_go(lab: &mut Lab<'_>) -> Outcome {
    let mut session = lab.session();
    let mv = session.legal_moves(lab.notation()).swap_remove(0);
    let line = format!("{} moves={mv}", lab.start_line());
    let mut lines = vec![line.as_str(), "level depth=3", "set-param name=eval value=pst"];
    let threads = lab.param("threads").and_then(|words| words.get("value").map(str::to_owned));
    let threads = threads.map(|value| format!("set-param name=threads value={value}"));
    lines.extend(threads.as_deref());
    lines.extend(["set-param name=book-ply value=0", "go think"]);
    let (search, _) = lab.talk.search(&lines, SEARCH)?;
    let _ = session.play(&mv, lab.notation());
    lab.expect_move(&search, &session.legal_moves(lab.notation()))
}

/// Section 1: a line may end with `\r\n`.
fn line_ends(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line() + "\r";
    let (search, _) = lab.talk.search(&[&start, "level depth=2\r", "go think\r"], SEARCH)?;
    let legal = lab.session().legal_moves(lab.notation());
    lab.expect_move(&search, &legal)
}

/// Section 2: blanks may stand around `=` and at the ends of a line, and quotes around a single word.
fn blanks(lab: &mut Lab<'_>) -> Outcome {
    let mut session = lab.session();
    let mv = session.legal_moves(lab.notation()).swap_remove(0);
    let start = format!(" pos  pos = {}  moves =\"{mv}\" ", session.hub(lab.numbering()));
    let (search, _) = lab.talk.search(&[&start, "\tlevel depth= 2", "go\tthink "], SEARCH)?;
    let _ = session.play(&mv, lab.notation());
    lab.expect_move(&search, &session.legal_moves(lab.notation()))
}
