//! Games of a match as PDN: a comment after each move of an engine says what it thought and took.
//!
//! `{+0.35/12 1.204s, 58.8s left, 20000 nodes}`: score in men from the side that has moved, depth in plies, time used, time
//! left on its clock after the move, and nodes; what is not known is left out. The moves of the ballot have none.

use super::limits::Allowance;
use super::record::{Played, Record, Winner};
use super::runner::Match;
use crate::engine::{self, Notation, Session};
use crate::notation::MoveError;
use crate::notation::pdn::{self, Game, Item, Move, Outcome};
use crate::score::Score;

/// A game as PDN text. Its tags name, besides what every game has: `Opening`, the ballot; `Termination`, why it ended; and
/// `TimeControl`, or one for each side where they differ.
///
/// # Errors
/// A move that is not legal where it stands: the record is none of this match.
pub fn text(contest: &Match, event: &str, record: &Record) -> Result<String, MoveError> {
    let mut game = Game::of(&contest.game);
    let name = |engine: usize| contest.contestants[engine].name.as_str();
    game.set_tag("Event", event);
    game.set_tag("Date", &record.date);
    game.set_tag("Round", &format!("{}.{}", record.round + 1, record.game + 1));
    game.set_tag("White", name(record.white));
    game.set_tag("Black", name(record.black));
    if let Some(fen) = &record.fen {
        game.set_fen(&contest.game, fen);
    }
    game.set_tag("Opening", &record.ballot);
    let limits = [record.white, record.black].map(|engine| contest.contestants[engine].allowance);
    let [white, black] = limits.map(|allowance: Allowance| allowance.describe());
    if white == black {
        game.set_tag("TimeControl", &white);
    } else {
        game.set_tag("WhiteTimeControl", &white);
        game.set_tag("BlackTimeControl", &black);
    }
    let end = record.end.to_string();
    game.set_tag("Termination", record.fault.as_ref().unwrap_or(&end));
    game.items = items(contest, record)?;
    game.set_outcome(match record.winner {
        Some(Winner::W) => Outcome::White,
        Some(Winner::B) => Outcome::Black,
        None => Outcome::Draw,
    });
    Ok(pdn::write(&game))
}

/// The moves, with their comments.
fn items(contest: &Match, record: &Record) -> Result<Vec<Item>, MoveError> {
    let mut session = engine::open(contest.game.clone());
    if let Some(fen) = &record.fen {
        // A ballot has been played through before; what does not fit shows itself by its moves.
        let _ = session.set_fen(fen);
    }
    let mut items = Vec::new();
    for mv in &record.opening {
        items.push(make(session.as_mut(), mv)?);
    }
    for played in &record.moves {
        items.push(make(session.as_mut(), &played.mv)?);
        items.push(Item::Comment(comment(played)));
    }
    Ok(items)
}

fn make(session: &mut dyn Session, mv: &str) -> Result<Item, MoveError> {
    let text = session.translate(mv, Notation::HUB, Notation::Pdn)?;
    session.play(mv, Notation::HUB)?;
    Ok(Item::Move(Move { text, ..Move::default() }))
}

fn comment(played: &Played) -> String {
    let seconds = |ms: u64| format!("{}.{:03}s", ms / 1000, ms % 1000);
    let score = played.score.map(|score| signed(Score::new(score)));
    let thought = match (score, played.depth) {
        (Some(score), Some(depth)) => format!("{score}/{depth} "),
        (Some(score), None) => format!("{score} "),
        (None, _) => String::new(),
    };
    let left = played.left.map_or_else(String::new, |left| format!(", {} left", seconds(left)));
    let nodes = played.nodes.map_or_else(String::new, |nodes| format!(", {nodes} nodes"));
    format!("{thought}{}{left}{nodes}", seconds(played.ms))
}

/// A score with its sign, whichever it is.
fn signed(score: Score) -> String {
    let text = score.to_string();
    if text.starts_with('-') { text } else { format!("+{text}") }
}
