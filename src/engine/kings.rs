//! How often in a row each side has moved one king, as stated with a position (Frisian Art. 17).

use super::PositionError;
use crate::bits::Bits;
use crate::board::{Board, Side};
use crate::error::excerpt;
use crate::notation::{HubNumbering, KingMoves, squares};
use crate::position::Position;
use crate::referee::{Clock, State};
use crate::rules::{Game, Rules, Word};

/// Most moves in a row that can be stated: one more is never legal.
const MOST: u8 = 3;

/// Reads `W32=2 B5=1`: the side, the square of the king and the number of its moves, each side at most once. A king of
/// `position` must stand there.
pub(super) fn read<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    numbering: HubNumbering,
    text: &str,
) -> Result<[KingMoves; 2], PositionError> {
    let mut kings = [KingMoves::default(); 2];
    for part in text.split_whitespace() {
        let bad =
            || PositionError::Kings(format!("bad king moves '{}': expected such as W32=2", excerpt(part)));
        let side = Side::BOTH.into_iter().find(|side| part.starts_with(side.letter())).ok_or_else(bad)?;
        let (square, count) = part.get(1..).and_then(|rest| rest.split_once('=')).ok_or_else(bad)?;
        let square = numbering.parse_move_square(game, square).map_err(|_| bad())?;
        let count = count.parse().ok().filter(|count| *count <= MOST).ok_or_else(bad)?;
        if kings[side as usize].square.is_some() {
            return Err(PositionError::Kings(format!("king moves of {} are given twice", side.name())));
        }
        if count != 0 && !game.draws.king_limit {
            return Err(PositionError::Kings(
                "king moves are counted, which this game does not limit".to_owned(),
            ));
        }
        king::<R>(game, position, side, Some(square))?;
        kings[side as usize] = KingMoves { count, square: Some(square) };
    }
    Ok(kings)
}

/// The counters of a state.
pub(super) fn of<R: Rules>(state: &State<R>) -> [KingMoves; 2] {
    let layout = const { &R::Board::LAYOUT };
    state.clock.king_runs().map(|(bit, count)| match count {
        0 => KingMoves::default(),
        _ => KingMoves { count, square: Some(layout.square_of[bit as usize] as usize) },
    })
}

/// The state in which the kings have moved so often. Where the rules do not limit kings, or not those of a side without
/// men, it does not matter.
pub(super) fn state<R: Rules>(
    game: &Game,
    position: Position<Word<R>>,
    moves: [KingMoves; 2],
) -> Result<State<R>, PositionError> {
    let mut runs = [(0, 0); 2];
    for side in Side::BOTH {
        let KingMoves { count, square } = moves[side as usize];
        if count != 0 && game.draws.king_limit && position.men(side).any() {
            runs[side as usize] = (king::<R>(game, &position, side, square)?, count);
        }
    }
    Ok(State { position, clock: Clock::with_king_runs(runs) })
}

/// The bit of the king that is meant: the one named, or the only one.
fn king<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    side: Side,
    square: Option<usize>,
) -> Result<u8, PositionError> {
    let kings = position.kings(side);
    let name = side.name();
    let Some(square) = square else {
        return match kings.count() {
            1 => Ok(kings.lowest() as u8),
            n => Err(PositionError::Kings(format!("king moves of {name} must name one of its {n} kings"))),
        };
    };
    let bit = R::Board::LAYOUT.bit_of[square];
    if kings.meets(Word::<R>::bit(bit as usize)) {
        Ok(bit)
    } else {
        let square = squares::square_text(game, square);
        Err(PositionError::Kings(format!("king moves of {name} name {square}, where it has no king")))
    }
}
