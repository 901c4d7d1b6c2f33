//! The rules of a game in words, from the data that plays them.

use crate::board::{Dirs, E, N, NE, S, SE};
use crate::notation::squares;
use crate::rules::draws::{Class, Draws, Ending, OneEach};
use crate::rules::{Game, Goal, Landing, Moves, Parachutists, Promotion, PromotionSquares, Removal, Term};

/// The rules, a sentence or two a line.
pub(super) fn describe(game: &Game) -> Vec<String> {
    let layout = game.set.kernel.layout();
    let mut lines = vec![
        format!(
            "Board: {}x{}, {} playing squares; square 1 is {}.",
            layout.width,
            layout.height,
            layout.squares,
            squares::name(game, squares::index(game, 1).unwrap_or(0))
        ),
        format!("Start: {}; {} moves first.", game.start_fen(), game.first.name()),
    ];
    lines.extend(if game.moves.konane { konane() } else { movement(&game.moves) });
    lines.push(goal(game.set.goal).to_owned());
    lines.extend(draws(&game.draws).into_iter().map(|draw| format!("Draw: {}.", draw.words)));
    if game.draws.king_limit {
        lines.push("A king may not make a fourth quiet move in a row while its side has a man.".to_owned());
    }
    lines
}

fn konane() -> Vec<String> {
    vec![
        "Opening: Black removes a stone of its own on a corner or in the centre, then White one next to the gap."
            .to_owned(),
        "Then only jumps straight on over single neighbouring stones, one or more, along a file or rank."
            .to_owned(),
    ]
}

fn movement(moves: &Moves) -> Vec<String> {
    let mut lines = vec![format!(
        "Man: steps {}; jumps {}{}.",
        directions(moves.man_quiet),
        directions(moves.man_capture),
        if moves.man_takes_king { "" } else { ", but not over kings" }
    )];
    if !moves.man_first_capture.both(moves.man_capture).same(moves.man_capture) {
        lines.push(format!("A man's capture begins {}.", directions(moves.man_first_capture)));
    }
    if moves.promotion != Promotion::Never {
        lines.push(king(moves));
    }
    lines.extend(promotion(moves));
    lines.push(capture(moves));
    lines.extend(peculiarities(moves));
    lines
}

fn king(moves: &Moves) -> String {
    let quiet = if moves.king_slides { "slides any distance" } else { "steps" };
    let jump = match (moves.king_jumps_afar, moves.landing) {
        (false, _) => "jumps next to it and lands directly behind",
        (true, Landing::Any) => "jumps from any distance and lands on any square behind",
        (true, Landing::Behind) => "jumps from any distance and lands directly behind",
        (true, Landing::BehindLastKing) => {
            "jumps from any distance and lands on any square behind, but directly behind a king taken last"
        }
    };
    let (quiet_dirs, jump_dirs) = (directions(moves.king_quiet), directions(moves.king_capture));
    format!("King: {quiet} {quiet_dirs}; {jump}, {jump_dirs}.")
}

fn promotion(moves: &Moves) -> Option<String> {
    let place = match moves.promotion_squares {
        PromotionSquares::LastRank => "its last rank",
        PromotionSquares::Corner => "one of the two squares next to the far corner",
    };
    let when = match moves.promotion {
        Promotion::Never => return None,
        Promotion::AtEnd => "if the capture ends there",
        Promotion::Stops => "and the capture is over",
        Promotion::InPassing => "and goes on as a king",
    };
    Some(format!("Promotion: on {place}; in a capture {when}."))
}

fn capture(moves: &Moves) -> String {
    let removal = match (moves.removal, moves.reversal) {
        (Removal::AtEnd, _) => "pieces leave the board after the whole capture",
        (Removal::AtOnce, true) => "pieces leave the board at once, and the capture may turn round",
        (Removal::AtOnce, false) => "pieces leave the board at once; it may not turn round",
    };
    let terms: Vec<_> = moves.choice.iter().map(|&term| choice(term)).collect();
    let choice = match terms[..] {
        [] => "free choice".to_owned(),
        _ => terms.join(", then "),
    };
    format!("Capture: compulsory; {choice}; {removal}.")
}

fn choice(term: Term) -> &'static str {
    match term {
        Term::Count => "as many pieces as possible",
        Term::ByKing => "with a king if possible",
        Term::KingsTaken => "as many kings as possible",
        Term::KingsFirst => "kings as early as possible",
        Term::Value => "the highest value (a king counts less than two men)",
    }
}

fn peculiarities(moves: &Moves) -> Vec<String> {
    let mut lines = Vec::new();
    if moves.lines {
        lines.push(
            "Linear moves: the rear man of a line of own men may move to the square before it.".to_owned(),
        );
    }
    if moves.same_way {
        lines.push("Both sides move up the board.".to_owned());
    }
    if moves.last_rank_rests {
        lines.push("A man on its last rank has no quiet move.".to_owned());
    }
    if let Parachutists::Some { compulsory, goes_on } = moves.parachutists {
        let duty = if compulsory { "compulsory" } else { "optional" };
        let after = if goes_on { "goes on taking as a man" } else { "stops" };
        lines.push(format!(
            "Parachutists: men on their own last rank have no quiet move; their capture is {duty}, and after it the man {after}."
        ));
    }
    lines
}

/// Directions in words, White's.
fn directions(dirs: Dirs) -> String {
    let groups = [
        (N, "forward"),
        (NE, "diagonally forward"),
        (E, "sideways"),
        (SE, "diagonally backward"),
        (S, "backward"),
    ];
    if dirs.same(Dirs::ALL) {
        return "in all eight directions".to_owned();
    }
    if dirs.same(Dirs::DIAGONAL) {
        return "diagonally".to_owned();
    }
    if dirs.same(Dirs::ORTHOGONAL) {
        return "along files and ranks".to_owned();
    }
    let words: Vec<_> = groups.iter().filter(|(d, _)| dirs.has(*d)).map(|(_, word)| *word).collect();
    words.join(", ")
}

fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::LastMove => "Goal: a side to move without a legal move loses.",
        Goal::Misere => "Goal: a side to move without a legal move wins.",
        Goal::Breakthrough => "Goal: the first king wins; a side to move without a legal move loses.",
    }
}

/// A draw rule.
pub(super) struct DrawRule {
    /// Its name in the output of `referee`.
    pub reason: &'static str,
    /// Its number: plies, or how often a position stands; 0 where there is none.
    pub count: u16,
    /// What it says.
    pub words: String,
}

/// The draw rules, in the order in which they are looked at.
pub(super) fn draws(draws: &Draws) -> Vec<DrawRule> {
    let mut rules = Vec::new();
    let mut add = |reason, count, words| rules.push(DrawRule { reason, count, words });
    match draws.one_each {
        OneEach::PlaysOn => {}
        OneEach::Draw => {
            add("one-against-one", 0, "one piece each and the side to move cannot capture".to_owned());
        }
        OneEach::KingWins => add(
            "one-against-one",
            0,
            "one piece each, of the same kind, and the side to move cannot capture; a king against a man wins"
                .to_owned(),
        ),
    }
    if draws.repetition != 0 {
        let times = draws.repetition;
        add(
            "repetition",
            times.into(),
            format!("the position stands {times} times with the same side to move"),
        );
    }
    if draws.lone_kings_draw {
        add("ending", 0, "one king each and neither can be taken now".to_owned());
    }
    for Ending { class, plies } in draws.endings {
        add("ending", *plies, format!("{plies} plies of {}", class_words(*class)));
    }
    if draws.king_moves != 0 {
        let plies = draws.king_moves;
        let only = match draws.king_moves_from {
            0 => String::new(),
            pieces => format!(", with kings on both sides and {pieces} or more pieces"),
        };
        add("king-moves", plies, format!("{plies} plies of quiet king moves only{only}"));
    }
    if draws.no_capture != 0 {
        let plies = draws.no_capture;
        add("no-capture", plies, format!("{plies} plies without a capture"));
    }
    rules
}

fn class_words(class: Class) -> String {
    match class {
        Class::Kings(1, least) => format!("1 king against {least} and nothing else"),
        Class::Kings(most, least) => format!("{most} kings against {least} and nothing else"),
        Class::AgainstLoneKing { min, max } if min == max => {
            format!("{min} pieces with at least a king against a lone king")
        }
        Class::AgainstLoneKing { max, .. } => {
            format!("at most {max} pieces with at least a king against a lone king")
        }
        Class::FewKings => "1 or 2 kings against 1 or 2 kings or a king and a man".to_owned(),
        Class::ManyKings => "3 or more kings without men against a lone king".to_owned(),
        Class::Balance { min, max } => format!("{min} to {max} pieces in all with kings on both sides"),
        Class::MainRoad => {
            "3 pieces with at least a king against a lone king on an a1-h8 that holds nothing else".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RULE_SETS, find};

    #[test]
    fn every_rule_set_has_words() {
        for set in RULE_SETS {
            let lines = describe(&Game::new(set));
            assert!(lines.len() >= 4 && lines.iter().all(|line| line.ends_with('.')), "{}", set.id);
        }
    }

    #[test]
    fn one_is_singular() {
        for set in RULE_SETS {
            let text = describe(&Game::new(set)).join("\n");
            for plural in ["kings", "pieces", "plies", "times"] {
                assert!(!format!(" {text}").contains(&format!(" 1 {plural}")), "{}: {text}", set.id);
            }
        }
    }

    #[test]
    fn words_say_what_the_data_say() {
        let text = |id: &str| describe(&Game::new(find(id).unwrap())).join("\n");
        let italian = text("italian");
        assert!(italian.contains("jumps diagonally forward, but not over kings."));
        assert!(italian.contains("as many pieces as possible, then with a king if possible"));
        assert!(italian.contains("Draw: 80 plies of quiet king moves only."));
        assert!(text("turkish").contains("steps forward, sideways"));
        assert!(text("frisian").contains("fourth quiet move"));
        assert!(text("hawaiian").contains("removes a stone"));
        assert!(text("antidraughts").contains("without a legal move wins"));
    }
}
