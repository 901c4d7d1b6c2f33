//! What is refused, and what stays.

use super::lab::Lab;
use super::talk::SEARCH;
use super::{Check, Outcome, Trouble};

pub(super) const CHECKS: &[Check] = &[
    Check::must("unknown-command", 10, |lab| lab.expect_error(&["no-such-command x=1"])),
    Check::must("bad-position", 4, bad_position),
    Check::must("illegal-move", 4, illegal_move),
    Check::must("missing-name", 10, |lab| lab.expect_error(&["set-param value=3"])),
    Check::should("empty-line", 10, |lab| lab.expect_error(&[""])),
    Check::should("unterminated-quote", 10, |lab| lab.expect_error(&["pos moves=\"1-2"])),
    Check::should("stray-equals", 10, |lab| lab.expect_error(&["level = 3"])),
    Check::should("stray-quote", 10, |lab| lab.expect_error(&["pos \"x\""])),
    Check::should("missing-value", 10, |lab| lab.expect_error(&["level depth="])),
    Check::should("bad-number", 10, bad_number),
    Check::should("argument-twice", 2, |lab| lab.expect_error(&["level depth=3 depth=4"])),
    Check::should("bad-parameter", 10, bad_parameter),
    Check::should("control-character", 10, |lab| lab.expect_error(&["pos \u{7}"])),
    Check::should("long-line", 1, |lab| lab.expect_error(&["x".repeat((1 << 20) + 1).as_str()])),
];

/// Section 4: a bad position is refused, and the one before stays.
fn bad_position(lab: &mut Lab<'_>) -> Outcome {
    let mut session = lab.session();
    let mv = session.legal_moves(lab.notation()).swap_remove(0);
    let line = format!("{} moves={mv}", lab.start_line());
    let string = session.hub(lab.numbering());
    let _ = session.play(&mv, lab.notation());
    let legal = session.legal_moves(lab.notation());
    let (short, long) = (&string[..string.len() - 1], format!("{string}e"));
    let strange = string.replacen('w', "x", 1);
    let turn = string.replacen(['W', 'B'], "X", 1);
    for bad in [short, &long, &strange, &turn, "W"] {
        lab.expect_error(&[&line, &format!("pos pos={bad}")])?;
        let (search, _) = lab.talk.search(&["level depth=2", "go think"], SEARCH)?;
        lab.expect_move(&search, &legal)?;
    }
    Ok(())
}

/// Section 4: an illegal move is refused, and the moves before it stay played.
fn illegal_move(lab: &mut Lab<'_>) -> Outcome {
    let mut session = lab.session();
    let moves = session.legal_moves(lab.notation());
    let _ = session.play(&moves[0], lab.notation());
    let legal = session.legal_moves(lab.notation());
    // The same move again is one of the opponent's, from a square that is empty now.
    let Some(illegal) = moves.iter().find(|mv| !legal.contains(mv)) else {
        return Err(Trouble::Moot("no move that becomes illegal".to_owned()));
    };
    let start = lab.start_line();
    for bad in [illegal.as_str(), "1-1000", "x"] {
        lab.expect_error(&[&format!("{start} moves=\"{} {bad} {}\"", moves[0], moves[0])])?;
        let (search, _) = lab.talk.search(&["level depth=2", "go think"], SEARCH)?;
        lab.expect_move(&search, &legal)?;
    }
    Ok(())
}

/// Section 10: what should be a number and is none.
fn bad_number(lab: &mut Lab<'_>) -> Outcome {
    for line in ["level depth=x", "level nodes=-1", "level move-time=soon", "level time=nan"] {
        lab.expect_error(&[line])?;
    }
    Ok(())
}

/// Section 10: a value that a parameter cannot have.
fn bad_parameter(lab: &mut Lab<'_>) -> Outcome {
    for (name, value) in [("threads", "many"), ("variant", "chess"), ("ponder", "perhaps")] {
        if lab.param(name).is_some() {
            lab.expect_error(&[&format!("set-param name={name} value={value}")])?;
        }
    }
    Ok(())
}
