//! What is said while a search goes on.

use super::lab::Lab;
use super::levels::stop;
use super::lines::{Words, ascending, first_word, quote};
use super::moves::ended;
use super::sample::Decided;
use super::talk::{HANDSHAKE, Line, SEARCH, Search};
use super::trials::{Trial, pos_line};
use super::{Check, Outcome, Trouble};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    Check::must("info-keys", 5, keys),
    Check::must("info-numbers", 5, numbers),
    Check::must("info-before-done", 5, before_done),
    Check::should("single-move-score", 5, single_move_score),
    Check::should("info-complete", 5, complete),
    Check::must("info-pv", 5, line_of_play),
    Check::should("info-pv-move", 5, begins_with_move),
    Check::must("info-score", 5, score_bounds),
    Check::must("score-of-the-end", 5, score_of_the_end),
    Check::should("info-pace", 1, pace).anew(),
    Check::must("one-done", 4, one_done),
    Check::should("single-move", 4, single_move),
    Check::must("single-move-analyzed", 4, single_move_analyzed),
];

/// The arguments of an `info` line, in order; any may be left out.
const KEYS: [&str; 7] = ["depth", "mean-depth", "score", "nodes", "time", "nps", "pv"];

/// Every `info` line of the sample.
fn for_each(lab: &mut Lab<'_>, mut judge: impl FnMut(&Trial, &str, &Words) -> Outcome) -> Outcome {
    for (trial, search) in ended(lab)? {
        for line in &search.infos {
            // Lines that cannot be read are the matter of one check alone.
            if let Ok(words) = Words::parse(&line.text) {
                judge(&trial, &line.text, &words)?;
            }
        }
    }
    Ok(())
}

/// Section 5: `info` lines can be read; their arguments are known, come once, and in order.
fn keys(lab: &mut Lab<'_>) -> Outcome {
    for (trial, search) in ended(lab)? {
        for Line { text, .. } in &search.infos {
            let words =
                Words::parse(text).map_err(|error| trial.trouble(&format!("no {error}"), &quote(text)))?;
            let places: Option<Vec<_>> =
                words.names().iter().map(|name| KEYS.iter().position(|key| key == name)).collect();
            if !places.is_some_and(|places| places.is_sorted_by(|a, b| a < b)) {
                return Err(trial.trouble(&format!("{}, in this order", KEYS.join(" ")), &quote(text)));
            }
        }
    }
    Ok(())
}

/// Section 5: `depth` and `nodes` are whole numbers, the others but `pv` decimal ones, and only `score` is below 0.
fn numbers(lab: &mut Lab<'_>) -> Outcome {
    for_each(lab, |trial, line, words| {
        for (name, value, _) in &words.pairs {
            let real = value.parse::<f64>().ok().filter(|number| number.is_finite());
            let plain = value.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
            let fine = match name.as_str() {
                "depth" | "nodes" => value.parse::<u64>().is_ok(),
                "score" => plain && real.is_some(),
                "mean-depth" | "time" | "nps" => plain && real.is_some_and(|number| number >= 0.0),
                _ => true,
            };
            if !fine {
                return Err(trial.trouble(&format!("a number for '{name}'"), &quote(line)));
            }
        }
        Ok(())
    })
}

/// Section 5: at least one `info` line with a score comes before `done`; draughtsnet cannot do without.
fn before_done(lab: &mut Lab<'_>) -> Outcome {
    scored(lab, false)
}

/// Section 5: so it is when there is a single move, and nothing to search; Scan says its `pv` alone then.
fn single_move_score(lab: &mut Lab<'_>) -> Outcome {
    scored(lab, true)
}

fn scored(lab: &mut Lab<'_>, single: bool) -> Outcome {
    for (trial, search) in ended(lab)? {
        if (trial.legal().len() == 1) == single && search.last::<f64>("score").is_none() {
            return Err(trial.trouble("an 'info' line with 'score=' before 'done'", &came(&search)));
        }
    }
    Ok(())
}

/// The end of a search, quoted.
fn came(search: &Search) -> String {
    let info = search.infos.last().map(|line| quote(&line.text) + " ").unwrap_or_default();
    info + &quote(&search.done.text)
}

/// Section 5: all arguments are there, `nps` excepted; the lidraughts site matches no other lines.
fn complete(lab: &mut Lab<'_>) -> Outcome {
    for_each(lab, |trial, line, words| {
        let missing: Vec<_> =
            KEYS.into_iter().filter(|key| *key != "nps" && words.get(key).is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(trial.trouble(&format!("also {} in each 'info' line", missing.join(", ")), &quote(line)))
    })
}

/// Section 5: `pv` is a line of legal moves from the position.
fn line_of_play(lab: &mut Lab<'_>) -> Outcome {
    for (trial, search) in ended(lab)? {
        for Line { text, .. } in &search.infos {
            let words = Words::parse(text).ok();
            let Some(pv) = words.as_ref().and_then(|words| words.get("pv")) else { continue };
            let mut session = trial.session(lab);
            for mv in pv.split_whitespace().map(ascending) {
                let legal = session.legal_moves(lab.notation()).contains(&mv);
                if !legal || session.play(&mv, lab.notation()).is_err() {
                    return Err(
                        trial.trouble(&format!("legal moves in 'pv', not {}", quote(&mv)), &quote(text))
                    );
                }
            }
        }
    }
    Ok(())
}

/// Section 5: the last line of play begins with the move that is made.
fn begins_with_move(lab: &mut Lab<'_>) -> Outcome {
    for (trial, search) in ended(lab)? {
        let Some(pv) = search.last::<String>("pv") else { continue };
        if pv.split_whitespace().next() != search.best().as_deref() {
            return Err(trial.trouble("the move of 'done' first in the last 'pv'", &came(&search)));
        }
    }
    Ok(())
}

/// Section 5: scores are within -100 and 100 men; those beyond 80 and 90 say who wins.
fn score_bounds(lab: &mut Lab<'_>) -> Outcome {
    for_each(lab, |trial, line, words| {
        let score = words.get("score").and_then(|text| text.parse::<f64>().ok());
        if score.is_none_or(|score| score.abs() <= 100.0) {
            return Ok(());
        }
        Err(trial.trouble("a score within -100 and 100", &quote(line)))
    })
}

/// Section 5: the score is that of the side to move: who wins at once is not lost, and who must lose at once has not won.
fn score_of_the_end(lab: &mut Lab<'_>) -> Outcome {
    let decided = lab.sample().decided;
    for Decided { place, wins } in &decided {
        let line = pos_line(lab, place, true);
        // `think` need not search a single move.
        let (search, _) = lab.talk.search(&[&line, "level depth=6", "go analyze"], SEARCH)?;
        let (expected, sign) = if *wins {
            ("a score above 80, as there is a move that wins", 1.0)
        } else {
            ("a score below -80, as every move loses", -1.0)
        };
        match search.last::<f64>("score").map(|score| score * sign) {
            Some(score) if score > 80.0 => {}
            // An engine may see little; it must not see the opposite.
            Some(score) if score >= -80.0 => return Err(lab.talk.oddity(expected, &came(&search))),
            _ => return Err(lab.talk.trouble(expected, &came(&search))),
        }
        lab.settle("score-of-the-end")?;
    }
    if decided.is_empty() { Err(Trouble::Moot("no end of a game in the sample".to_owned())) } else { Ok(()) }
}

/// Section 1: there is a pause between the last `info` and `done`, or py-draughts waits for ever. It sets no parameters.
fn pace(lab: &mut Lab<'_>) -> Outcome {
    const LEAST: Duration = Duration::from_micros(500);
    const SEARCHES: usize = 12;
    lab.shake_hands()?;
    lab.talk.send("init");
    lab.talk.until("ready", HANDSHAKE)?;
    let mut together = 0;
    for _ in 0..SEARCHES {
        let (search, _) = lab.talk.search(&["pos", "level depth=3", "go think"], SEARCH)?;
        let gap = search.infos.last().map(|info| search.done.at.saturating_duration_since(info.at));
        together += usize::from(gap.is_some_and(|gap| gap < LEAST));
    }
    // A busy machine may deliver a few lines late, together with the next.
    if together <= SEARCHES / 4 {
        return Ok(());
    }
    Err(Trouble::Wrong(format!(
        "after {SEARCHES} searches without 'set-param' expected 2 ms or more between the last 'info' and 'done', for \
         py-draughts; came {together} pairs together"
    )))
}

/// Section 4: a `go` has one `done`.
fn one_done(lab: &mut Lab<'_>) -> Outcome {
    let start = lab.start_line();
    for (level, mode) in
        [("level depth=3", "go think"), ("level depth=3", "go analyze"), ("level move-time=0.05", "go")]
    {
        lab.talk.search(&[&start, level, mode], SEARCH)?;
        let more = lab.talk.listen(Duration::from_millis(200))?;
        if let Some(line) = more.first() {
            return Err(lab.talk.trouble("nothing after 'done'", &quote(line)));
        }
    }
    Ok(())
}

const NO_SINGLE: &str = "no position with a single move in the sample";

/// Section 4: `go think` answers a single legal move at once, also without a limit.
fn single_move(lab: &mut Lab<'_>) -> Outcome {
    let single = lab.sample().single;
    for place in &single {
        let line = pos_line(lab, place, true);
        let (search, _) = lab.talk.search(&[&line, "level infinite", "go think"], SEARCH)?;
        lab.expect_move(&search, &place.legal_alone)?;
        lab.settle("single-move")?;
    }
    if single.is_empty() { Err(Trouble::Moot(NO_SINGLE.to_owned())) } else { Ok(()) }
}

/// Section 4: `go analyze` searches a single legal move too.
fn single_move_analyzed(lab: &mut Lab<'_>) -> Outcome {
    let single = lab.sample().single;
    let Some(place) = single.first() else { return Err(Trouble::Moot(NO_SINGLE.to_owned())) };
    let line = pos_line(lab, place, true);
    lab.talk.send_all(&[&line, "go analyze"]);
    let early = lab.talk.listen(Duration::from_millis(200))?;
    if early.iter().all(|line| first_word(line) != "done") {
        return stop(lab).map(drop);
    }
    // Near the end of a game all may have been searched.
    let depth = |line: &String| Words::parse(line).ok()?.get("depth")?.parse::<u32>().ok();
    if early.iter().filter_map(depth).any(|depth| depth > 0) {
        return Ok(());
    }
    Err(lab.talk.oddity("a search until 'stop'", "'done' at once"))
}
