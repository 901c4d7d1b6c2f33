//! Square numbers and names, between a rule set's own and the indices used inside.
//!
//! Indices count row by row from the top left of the unmirrored board, where a1 is a playing square. A mirrored board is
//! the same board with the files reflected, which happens here and nowhere else.

use crate::board::{Cells, Layout};
use crate::rules::{Game, Numbering};

/// Why a text is no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareError {
    /// Neither a number nor a letter with a number.
    Malformed,
    /// A number or a name, but of no playing square of this board.
    OffBoard,
}

/// The board of a game.
pub(super) fn layout(game: &Game) -> Layout {
    game.set.kernel.layout()
}

/// Squares in a row.
fn row_length(layout: &Layout) -> usize {
    if layout.cells == Cells::Dark { layout.width / 2 } else { layout.width }
}

/// The place, from 0, of an index in the numbering, or the index of a place: both are the same exchange.
fn exchange(game: &Game, place: usize) -> Option<usize> {
    let layout = layout(game);
    if place >= layout.squares {
        return None;
    }
    let length = row_length(&layout);
    let (row, x) = (place / length, place % length);
    Some(match game.set.numbering {
        Numbering::Top => place,
        Numbering::TopMirrored => row * length + (length - 1 - x),
        Numbering::BottomMirrored => (layout.height - 1 - row) * length + x,
    })
}

/// Number of squares of the board; numbers run from 1 to this.
pub fn count(game: &Game) -> usize {
    layout(game).squares
}

/// The number of a square index in the rule set's own numbering. An index off the board gives a number off the board
/// (the index plus 1, and 0 for `usize::MAX`), so that a faulty [`Setup`](crate::position::Setup) can be told.
pub fn number(game: &Game, index: usize) -> usize {
    exchange(game, index).unwrap_or(index).wrapping_add(1)
}

/// The square index of a number from 1, in the rule set's own numbering; `None` off the board.
pub fn index(game: &Game, number: usize) -> Option<usize> {
    exchange(game, number.checked_sub(1)?)
}

/// The inverse of [`number`], also for numbers off the board.
pub(super) fn stated_index(game: &Game, number: usize) -> usize {
    index(game, number).unwrap_or(number.wrapping_sub(1))
}

/// The algebraic name of a square index, a1 at White's left; on mirrored boards 1 of the Italian numbering is a8. An
/// index off the board gives its number.
pub fn name(game: &Game, index: usize) -> String {
    let layout = layout(game);
    if index >= layout.squares {
        return number(game, index).to_string();
    }
    let (file, rank) = layout.file_rank(index);
    let file = if game.set.numbering.mirrored() { layout.width - 1 - file } else { file };
    format!("{}{}", file_letter(file), rank + 1)
}

/// The letter of a file, 0 = a.
pub(super) fn file_letter(file: usize) -> char {
    (b'a'..=b'z').nth(file).map_or('?', char::from)
}

/// A square index as the game's PDN writes it: an algebraic name or a number.
pub fn square_text(game: &Game, index: usize) -> String {
    if game.set.algebraic { name(game, index) } else { number(game, index).to_string() }
}

/// How squares are numbered in Hub lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HubNumbering {
    /// The rule set's own numbers, in position strings and in moves.
    #[default]
    Standard,
    /// As the client pydraughts has it: moves of russian, brazilian and turkish count rows from White's side (a1 = 1),
    /// english position strings are turned round with the colours swapped, and all else is standard.
    Pydraughts,
}

impl HubNumbering {
    /// Whether move squares are counted from White's side.
    fn flips_moves(self, game: &Game) -> bool {
        self == Self::Pydraughts && ["russian", "brazilian", "turkish"].contains(&game.set.id)
    }
    /// Whether position strings are turned round with the colours swapped.
    pub(super) fn turns_positions(self, game: &Game) -> bool {
        self == Self::Pydraughts && game.set.id == "english"
    }
    /// The number of a square index in the text of a move.
    pub fn move_number(self, game: &Game, index: usize) -> usize {
        number(game, if self.flips_moves(game) { flipped(game, index) } else { index })
    }
    /// Reads a square of a move: as [`parse_square`], but numbers are those of [`Self::move_number`].
    ///
    /// # Errors
    /// As [`parse_square`].
    pub fn parse_move_square(self, game: &Game, text: &str) -> Result<usize, SquareError> {
        let index = parse_square(game, text)?;
        let numeric = text.starts_with(|c: char| c.is_ascii_digit());
        Ok(if numeric && self.flips_moves(game) { flipped(game, index) } else { index })
    }
}

/// The square index with the rows counted from the other side.
fn flipped(game: &Game, index: usize) -> usize {
    let layout = layout(game);
    let length = row_length(&layout);
    let row = index / length;
    (layout.height - 1).checked_sub(row).map_or(index, |row| row * length + index % length)
}

/// Reads a number (leading zeros allowed) or an algebraic name (any case) to a square index. Both are read in every
/// game; on the board of 10 files by 8 ranks `k` is another letter for the file `j`, as Russian books have it.
///
/// # Errors
/// Tells a text that is no square at all from a square that this board does not have.
pub fn parse_square(game: &Game, text: &str) -> Result<usize, SquareError> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SquareError::Malformed);
    }
    let value = digits.parse::<usize>().map_err(|_| SquareError::OffBoard);
    let mut letters = text.chars().take_while(char::is_ascii_alphabetic);
    match (letters.next(), letters.next()) {
        (None, _) => index(game, value?).ok_or(SquareError::OffBoard),
        (Some(letter), None) => named(game, letter, value?).ok_or(SquareError::OffBoard),
        _ => Err(SquareError::Malformed),
    }
}

/// The square index of a file letter and a rank from 1.
fn named(game: &Game, letter: char, rank: usize) -> Option<usize> {
    let layout = layout(game);
    let mut file = usize::from((letter.to_ascii_lowercase() as u8).checked_sub(b'a')?);
    if (layout.width, layout.height, file) == (10, 8, 10) {
        file = 9;
    }
    let file = if game.set.numbering.mirrored() { (layout.width - 1).checked_sub(file)? } else { file };
    layout.square_at(file, rank.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RULE_SETS, find};

    fn game(id: &str) -> Game {
        Game::new(find(id).unwrap())
    }

    #[test]
    fn numbers_and_names_are_bijections() {
        for set in RULE_SETS {
            let game = Game::new(set);
            let mut seen = vec![false; count(&game)];
            for at in 0..count(&game) {
                let number = number(&game, at);
                assert!(!std::mem::replace(&mut seen[number - 1], true), "{} {number}", set.id);
                assert_eq!(index(&game, number), Some(at));
                assert_eq!(parse_square(&game, &format!("0{number}")), Ok(at));
                let name = name(&game, at);
                assert_eq!(parse_square(&game, &name), Ok(at), "{} {name}", set.id);
                assert_eq!(parse_square(&game, &name.to_uppercase()), Ok(at));
                let (file, rank) = layout(&game).file_rank(at);
                let own =
                    file_letter(if set.numbering.mirrored() { layout(&game).width - 1 - file } else { file });
                assert_eq!(name, format!("{own}{}", rank + 1));
            }
            for off in [0, count(&game) + 1, usize::MAX] {
                assert_eq!(index(&game, off), None);
                assert_eq!(number(&game, stated_index(&game, off)), off);
            }
        }
    }

    /// RULES 2.2.
    #[test]
    fn known_squares() {
        for (id, pairs) in [
            ("international", &[(1, "b10"), (5, "j10"), (6, "a9"), (46, "a1"), (50, "i1")][..]),
            ("canadian", &[(1, "b12"), (6, "l12"), (7, "a11"), (67, "a1"), (72, "k1")]),
            ("english", &[(1, "b8"), (4, "h8"), (5, "a7"), (29, "a1"), (32, "g1"), (20, "h4")]),
            ("thai", &[(1, "b8"), (32, "g1")]),
            ("italian", &[(1, "a8"), (4, "g8"), (5, "b7"), (9, "a6"), (29, "b1"), (30, "d1"), (32, "h1")]),
            ("spanish", &[(1, "h1"), (4, "b1"), (5, "g2"), (8, "a2"), (20, "b5"), (24, "a6"), (23, "c6")]),
            ("portuguese", &[(29, "g8"), (30, "e8"), (32, "a8")]),
            ("spantsireti", &[(1, "b8"), (5, "j8"), (36, "a1"), (40, "i1")]),
            ("turkish", &[(1, "a8"), (64, "h1"), (57, "a1")]),
            ("alquerque", &[(1, "a5"), (25, "e1")]),
        ] {
            let game = game(id);
            for &(number, name) in pairs {
                assert_eq!(index(&game, number), parse_square(&game, name).ok(), "{id} {number} {name}");
            }
        }
    }

    #[test]
    fn what_is_no_square() {
        use SquareError::{Malformed, OffBoard};
        let english = game("english");
        for (text, want) in [
            ("", Malformed),
            ("a", Malformed),
            ("aa1", Malformed),
            ("1a", Malformed),
            ("+1", Malformed),
            ("a1b", Malformed),
            ("é1", Malformed),
            ("0", OffBoard),
            ("33", OffBoard),
            ("99999999999999999999999", OffBoard),
            ("a99999999999999999999999", OffBoard),
            ("a2", OffBoard),
            ("a0", OffBoard),
            ("a9", OffBoard),
            ("i1", OffBoard),
            ("k1", OffBoard),
        ] {
            assert_eq!(parse_square(&english, text), Err(want), "{text}");
        }
        assert_eq!(parse_square(&game("italian"), "a1"), Err(OffBoard));
        let wide = game("spantsireti");
        assert_eq!(parse_square(&wide, "k2"), parse_square(&wide, "j2"));
        assert!(parse_square(&game("international"), "k1").is_err());
        assert_eq!(number(&game("canadian"), parse_square(&game("canadian"), "K1").unwrap()), 72);
    }
}
