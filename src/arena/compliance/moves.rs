//! Positions and moves, given and answered.

use super::lab::Lab;
use super::lines::{Words, ascending, quote};
use super::sample::Place;
use super::talk::{SEARCH, Search};
use super::trials::{Trial, pos_line, trials};
use super::{Check, Outcome, Trouble};

pub(super) const CHECKS: &[Check] = &[
    Check::must("start-position", 4, start_position),
    Check::must("legal-after-moves", 8, |lab| legal(lab, false)),
    Check::must("legal-from-position", 7, |lab| legal(lab, true)),
    Check::must("done-arguments", 5, done_arguments),
    Check::must("ponder-move", 5, ponder_move),
    Check::should("moves-as-written", 8, as_written),
    Check::must("captures-in-any-order", 8, any_order),
    Check::must("no-legal-move", 5, no_legal_move),
];

/// Section 4: without `pos=`, with `start`, and as a string: the start position.
fn start_position(lab: &mut Lab<'_>) -> Outcome {
    let legal = lab.session().legal_moves(lab.notation());
    let start = lab.start_line();
    for line in ["pos", "pos start", &start] {
        let (search, _) = lab.talk.search(&[line, "level depth=2", "go"], SEARCH)?;
        lab.expect_move(&search, &legal)?;
    }
    Ok(())
}

/// Sections 7 and 8: the move of `done` is legal, in random positions of the game.
fn legal(lab: &mut Lab<'_>, alone: bool) -> Outcome {
    for trial in trials(lab)?.iter().filter(|trial| trial.alone == alone) {
        let search = trial.search.as_ref().map_err(Clone::clone)?;
        expect_legal(trial, search)?;
    }
    Ok(())
}

fn expect_legal(trial: &Trial, search: &Search) -> Outcome {
    match search.best() {
        Some(mv) if trial.legal().contains(&ascending(&mv)) => Ok(()),
        _ => {
            let legal = quote(&trial.legal().join(" "));
            Err(trial.trouble(&format!("one of {legal}"), &quote(&search.done.text)))
        }
    }
}

/// The searches of the sample that have ended.
pub(super) fn ended(lab: &mut Lab<'_>) -> Result<Vec<(Trial, Search)>, Trouble> {
    let trials = trials(lab)?.into_iter();
    let ended: Vec<_> = trials.filter_map(|trial| Some((trial.clone(), trial.search.ok()?))).collect();
    if ended.is_empty() {
        Err(Trouble::Moot("no search of the sample has ended".to_owned()))
    } else {
        Ok(ended)
    }
}

/// Section 5: `done` has `move`, then `ponder` or nothing, each with a value.
fn done_arguments(lab: &mut Lab<'_>) -> Outcome {
    for (trial, search) in ended(lab)? {
        let words = Words::parse(&search.done.text);
        let names = words.as_ref().map(Words::names);
        if !matches!(names.as_deref(), Ok(["move"] | ["move", "ponder"])) {
            return Err(trial.trouble("'done move=M' or 'done move=M ponder=P'", &quote(&search.done.text)));
        }
    }
    Ok(())
}

/// Section 5: the reply that is expected is legal after the move.
fn ponder_move(lab: &mut Lab<'_>) -> Outcome {
    let mut told = 0;
    for (trial, search) in ended(lab)? {
        let Some(mv) = search.best() else { continue };
        let words = Words::parse(&search.done.text).ok();
        let Some(ponder) = words.as_ref().and_then(|words| words.get("ponder")) else { continue };
        let mut session = trial.session(lab);
        if session.play(&ascending(&mv), lab.notation()).is_err() {
            continue; // Another check is about the move.
        }
        let legal = session.legal_moves(lab.notation());
        if !legal.contains(&ascending(ponder)) {
            let legal = quote(&legal.join(" "));
            return Err(trial.trouble(&format!("after the move one of {legal}"), &quote(&search.done.text)));
        }
        told += 1;
    }
    if told == 0 { Err(Trouble::Moot("the engine never names an answer".to_owned())) } else { Ok(()) }
}

/// Section 8: captured squares are written, ascending: py-draughts looks for the move in its own list.
fn as_written(lab: &mut Lab<'_>) -> Outcome {
    for (trial, search) in ended(lab)? {
        let Some(mv) = search.best() else { continue };
        if ascending(&mv) != mv {
            return Err(trial.trouble(&format!("'{}'", ascending(&mv)), &quote(&search.done.text)));
        }
    }
    Ok(())
}

/// Section 8: captured squares are read in any order.
fn any_order(lab: &mut Lab<'_>) -> Outcome {
    let places = lab.sample().places;
    let long = |place: &Place| place.legal_alone.iter().find(|mv| reversed(mv).is_some()).cloned();
    let cases: Vec<_> = places.iter().filter_map(|place| Some((place, long(place)?))).take(5).collect();
    for (place, mv) in &cases {
        let line = format!("{} moves={}", pos_line(lab, place, true), reversed(mv).unwrap_or_default());
        let mut session = lab.session();
        let _ = session.set_hub(&place.hub, "", lab.numbering());
        let _ = session.play(mv, lab.notation());
        let legal = session.legal_moves(lab.notation());
        let (search, _) = lab.talk.search(&[&line, "level depth=2", "go think"], SEARCH)?;
        if legal.is_empty() {
            expect_bare(lab, &search)?;
        } else {
            lab.expect_move(&search, &legal)?;
        }
        lab.settle("captures-in-any-order")?;
    }
    if cases.is_empty() {
        Err(Trouble::Moot("no capture of two pieces in the sample".to_owned()))
    } else {
        Ok(())
    }
}

/// A capture with its captured squares in the opposite order; `None` if that is the same.
fn reversed(mv: &str) -> Option<String> {
    let parts: Vec<&str> = mv.split('x').collect();
    let (ends, captured) = parts.split_at_checked(2)?;
    let turned: Vec<&str> = captured.iter().rev().copied().collect();
    (turned != captured).then(|| [ends, &turned].concat().join("x"))
}

/// Section 5: without a legal move `done` stands alone.
fn no_legal_move(lab: &mut Lab<'_>) -> Outcome {
    let mut lines: Vec<String> = lab.sample().ended.iter().map(|place| pos_line(lab, place, true)).collect();
    lines.extend(without_pieces(lab));
    for line in &lines {
        let (search, _) = lab.talk.search(&[line, "level depth=3", "go think"], SEARCH)?;
        expect_bare(lab, &search)?;
        lab.settle("no-legal-move")?;
    }
    Ok(())
}

fn expect_bare(lab: &Lab<'_>, search: &Search) -> Outcome {
    match search.done.text.trim() {
        "done" => Ok(()),
        other => Err(lab.talk.trouble("'done' alone, as there is no legal move", &quote(other))),
    }
}

/// The start position without the pieces of the side to move, if that is a position.
fn without_pieces(lab: &Lab<'_>) -> Option<String> {
    let mut session = lab.session();
    let start = session.hub(lab.numbering());
    let (turn, squares) = start.split_at_checked(1)?;
    let own = if turn == "W" { ['w', 'W', 'p'] } else { ['b', 'B', 'q'] };
    let emptied = turn.to_owned() + &squares.replace(own, "e");
    session.set_hub(&emptied, "", lab.numbering()).ok()?;
    session.legal_moves(lab.notation()).is_empty().then(|| format!("pos pos={emptied}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_turned_round() {
        assert_eq!(reversed("28x8x13x23").as_deref(), Some("28x8x23x13"));
        for same in ["32-28", "28x19x23", "28x28x28", "28x8"] {
            assert_eq!(reversed(same), None, "{same}");
        }
    }
}
