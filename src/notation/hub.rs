//! Hub position strings: the side to move (`W` or `B`), then a character for each square in order of number.
//!
//! | character | stands for |
//! |---|---|
//! | `w` `b` | a man |
//! | `W` `B` | a king |
//! | `p` `q` | a white, a black parachutist (parachute checkers; Hub itself has no letter) |
//! | `e` | an empty square |
//!
//! Moves in Hub form are in [`moves`](super::moves). See [`HubNumbering`] for the variant that pydraughts speaks.

use super::fen::faults;
use super::squares::{HubNumbering, count, index, number};
use super::text::{column, excerpt};
use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Kind, Position, Setup};
use crate::rules::{Game, Goal, Rules, Word};
use std::fmt;

/// Why a position string is refused. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HubError {
    /// Not the length that this board needs.
    Length {
        /// Characters found.
        found: usize,
        /// Characters needed: the squares and the side to move.
        needed: usize,
    },
    /// A character that means nothing here.
    Letter {
        /// Where.
        column: usize,
        /// What stands there.
        found: String,
        /// What may.
        expected: &'static str,
    },
    /// The pieces cannot stand like this: all faults, each a clause.
    Impossible(Vec<String>),
    /// The side that is not to move has no piece.
    NoPieces(Side),
    /// The side to move has a king where that wins: its opponent could not have moved.
    Won(Side),
}

impl fmt::Display for HubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found, needed } => {
                write!(f, "bad position: {found} characters, but this board needs {needed}")
            }
            Self::Letter { column, found, expected } => {
                write!(f, "bad position, column {column}: found '{found}' instead of {expected}")
            }
            Self::Impossible(faults) => write!(f, "bad position: {}", faults.join("; ")),
            Self::NoPieces(side) => {
                write!(f, "bad position: {} is not to move and has no pieces", side.name())
            }
            Self::Won(side) => {
                write!(f, "bad position: {} is to move and has won by a king", side.name())
            }
        }
    }
}

impl std::error::Error for HubError {}

/// The pieces with letters.
const LETTERS: [(char, Side, Kind); 6] = [
    ('w', Side::White, Kind::Man),
    ('b', Side::Black, Kind::Man),
    ('W', Side::White, Kind::King),
    ('B', Side::Black, Kind::King),
    ('p', Side::White, Kind::Parachutist),
    ('q', Side::Black, Kind::Parachutist),
];

/// The letter of a piece, in position strings and diagrams.
pub fn letter(side: Side, kind: Kind) -> char {
    LETTERS.iter().find(|piece| (piece.1, piece.2) == (side, kind)).map_or('?', |piece| piece.0)
}

/// The piece of a letter.
fn piece(game: &Game, letter: char) -> Option<(Side, Kind)> {
    let &(_, side, kind) = LETTERS.iter().find(|piece| piece.0 == letter)?;
    (kind != Kind::Parachutist || game.moves.has_parachutists()).then_some((side, kind))
}

/// Reads a position string; the pieces are as stated, which [`Setup::check`] looks at.
///
/// # Errors
/// A string of the wrong length, or the first character that means nothing.
pub fn read_position(game: &Game, numbering: HubNumbering, text: &str) -> Result<Setup, HubError> {
    let squares = count(game);
    let length = text.chars().count();
    let turned = numbering.turns_positions(game);
    let own = |side: Side| if turned { side.other() } else { side };
    let mut letters = text.char_indices();
    let unknown = |at: usize, letter: char, expected: &'static str| HubError::Letter {
        column: column(text, at),
        found: excerpt(&letter.to_string()),
        expected,
    };
    let turn = match letters.next() {
        Some((_, 'W')) => own(Side::White),
        Some((_, 'B')) => own(Side::Black),
        Some((at, other)) => return Err(unknown(at, other, "the side to move, W or B")),
        None => return Err(HubError::Length { found: 0, needed: squares + 1 }),
    };
    let mut setup = Setup { turn, pieces: Vec::new() };
    for (place, (at, letter)) in letters.enumerate() {
        if letter == 'e' {
            continue;
        }
        let expected =
            if game.moves.has_parachutists() { "w, b, W, B, p, q or e" } else { "w, b, W, B or e" };
        let (side, kind) = piece(game, letter).ok_or_else(|| unknown(at, letter, expected))?;
        let number = if turned { squares.saturating_sub(place) } else { place + 1 };
        if let Some(index) = index(game, number) {
            setup.pieces.push((index, own(side), kind));
        }
    }
    if length != squares + 1 {
        return Err(HubError::Length { found: length, needed: squares + 1 });
    }
    Ok(setup)
}

/// Writes a position string. Pieces off the board are left out, and of two on a square the later one stands.
pub fn write_position(game: &Game, numbering: HubNumbering, setup: &Setup) -> String {
    let turned = numbering.turns_positions(game);
    let own = |side: Side| if turned { side.other() } else { side };
    let mut squares = vec!['e'; count(game)];
    for &(index, side, kind) in &setup.pieces {
        let place = number(game, index).wrapping_sub(1);
        let place = if turned { squares.len().wrapping_sub(1).wrapping_sub(place) } else { place };
        if let Some(square) = squares.get_mut(place) {
            *square = letter(own(side), kind);
        }
    }
    [own(setup.turn).letter()].into_iter().chain(squares).collect()
}

/// Reads a position string and checks it as Hub's `pos` does: besides what is impossible, the side that is not to move
/// must have a piece, and in breakthrough the side to move no king. `R` is the game's kernel.
///
/// # Errors
/// As [`read_position`], and every fault of an impossible position.
pub fn position<R: Rules>(
    game: &Game,
    numbering: HubNumbering,
    text: &str,
) -> Result<Position<Word<R>>, HubError> {
    let setup = read_position(game, numbering, text)?;
    let position = setup.check::<R>().map_err(|error| HubError::Impossible(faults(game, &error)))?;
    let waiting = position.turn.other();
    if position.side(waiting).is_empty() {
        return Err(HubError::NoPieces(waiting));
    }
    if game.set.goal == Goal::Breakthrough && position.kings(position.turn).any() {
        return Err(HubError::Won(position.turn));
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::super::{fen, moves};
    use super::*;
    use crate::movegen::legal_moves;
    use crate::rules::{RULE_SETS, Visitor, find};

    const BOTH: [HubNumbering; 2] = [HubNumbering::Standard, HubNumbering::Pydraughts];

    fn game(id: &str) -> Game {
        Game::new(find(id).unwrap())
    }

    struct Check<'a>(&'a Game, &'a str);
    impl Visitor for Check<'_> {
        type Output = Result<String, String>;
        fn visit<R: Rules>(self) -> Self::Output {
            let position =
                position::<R>(self.0, HubNumbering::Standard, self.1).map_err(|e| e.to_string())?;
            Ok(fen::of_position::<R>(self.0, &position))
        }
    }
    fn check(id: &str, text: &str) -> Result<String, String> {
        let game = game(id);
        game.kernel().visit(Check(&game, text))
    }

    #[test]
    fn start_positions_read_back() {
        for set in RULE_SETS {
            let game = Game::new(set);
            let setup = fen::parse(&game, &game.start_fen()).unwrap();
            for numbering in BOTH {
                let text = write_position(&game, numbering, &setup);
                let read = read_position(&game, numbering, &text).unwrap();
                assert_eq!(fen::write(&game, &read), fen::write(&game, &setup), "{}", set.id);
            }
        }
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert!(check("international", &start).unwrap().starts_with("W:W31,"));
        let start = format!("W{}{}{}", "w".repeat(12), "e".repeat(8), "b".repeat(12));
        assert!(check("spanish", &start).unwrap().starts_with("W:W1,"));
        let start = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        for (id, numbering, want) in [
            ("russian", HubNumbering::Pydraughts, &start),
            ("italian", HubNumbering::Pydraughts, &start),
            ("english", HubNumbering::Pydraughts, &start),
            ("english", HubNumbering::Standard, &start.replacen('W', "B", 1)),
        ] {
            let setup = fen::parse(&game(id), &game(id).start_fen()).unwrap();
            assert_eq!(write_position(&game(id), numbering, &setup), *want, "{id}");
        }
    }

    #[test]
    fn parachutists_have_letters() {
        let parachute = game("parachute");
        let setup = fen::parse(&parachute, "W:WP1,K5:BP29,9").unwrap();
        let text = write_position(&parachute, HubNumbering::Standard, &setup);
        assert_eq!(text, format!("WpeeeWeeeb{}qeee", "e".repeat(19)));
        assert_eq!(check("parachute", &text).unwrap(), "W:WP1,K5:B9,P29");
    }

    #[test]
    fn what_is_refused() {
        let men = |turn: &str| format!("{turn}b{}w", "e".repeat(30));
        for (text, want) in [
            ("", "bad position: 0 characters, but this board needs 33"),
            ("Wwwe", "bad position: 4 characters, but this board needs 33"),
            ("xx", "bad position, column 1: found 'x' instead of the side to move, W or B"),
            ("Wexe", "bad position, column 3: found 'x' instead of w, b, W, B or e"),
            ("We\u{fc}", "bad position, column 3: found '\u{fc}' instead of w, b, W, B or e"),
            ("Wp", "bad position, column 2: found 'p' instead of w, b, W, B or e"),
            (&format!("{}e", men("W")), "bad position: 34 characters, but this board needs 33"),
            (
                &format!("Ww{}b", "e".repeat(30)),
                "bad position: square 1 has a man on its promotion row; square 32 has a man on its promotion row",
            ),
            (&format!("W{}w", "e".repeat(31)), "bad position: Black is not to move and has no pieces"),
        ] {
            assert_eq!(check("italian", text).unwrap_err(), want, "{text}");
        }
        assert_eq!(
            check("breakthrough", &format!("WW{}bwe{}", "e".repeat(30), "e".repeat(16))).unwrap_err(),
            "bad position: White is to move and has won by a king"
        );
        assert!(check("breakthrough", &format!("BW{}bwe{}", "e".repeat(30), "e".repeat(16))).is_ok());
        assert!(check("international", &format!("WW{}bwe{}", "e".repeat(30), "e".repeat(16))).is_ok());
        assert!(check("italian", &format!("B{}w", "e".repeat(31))).is_ok());
        assert!(check("italian", &men("B")).is_ok());
    }

    struct PydraughtsMove<'a>(&'a Game, &'a str);
    impl Visitor for PydraughtsMove<'_> {
        type Output = String;
        fn visit<R: Rules>(self) -> String {
            let Self(game, text) = self;
            let position = fen::start::<R>(game);
            let legal = legal_moves::<R>(&position);
            let numbering = HubNumbering::Pydraughts;
            let mv = moves::parse_numbered::<R>(game, numbering, &position, &legal, text).unwrap();
            assert_eq!(moves::write_hub::<R>(game, numbering, &mv), text);
            moves::write::<R>(game, &position, &mv, moves::Style::Pdn)
        }
    }

    /// HUB.md section 4: c3-d4 is 10-14 there in russian; 22-18 in italian and 11-15 in english are standard.
    #[test]
    fn pydraughts_moves() {
        for (id, text, want) in [
            ("russian", "10-14", "c3-d4"),
            ("brazilian", "10-14", "c3-d4"),
            ("turkish", "17-25", "a3-a4"),
            ("italian", "22-18", "22-18"),
            ("english", "11-15", "11-15"),
        ] {
            let game = game(id);
            assert_eq!(game.kernel().visit(PydraughtsMove(&game, text)), want, "{id}");
        }
    }
}
