//! FEN: `TURN:COLOUR list:COLOUR list`, as PDN 3.0 defines it, with what is met in the wild.
//!
//! Written: White first, own numbers ascending, one by one, `K` for a king and `P` for a parachutist:
//! `W:W17,K22:B1,2`. An empty side is `W` or `B` alone. Frisian king-move counters that are not 0 follow as
//! lidraughts has them, Black's first, each with the square of the king: `:+0+328`.
//!
//! Read besides: Black first, a missing side, algebraic names (`Ka1`), ranges of numbers (`31-50`; `K5-10` are kings),
//! leading zeros, surrounding blanks, a dot at the end, and lidraughts' tail: move counters `:H0:F1` (whole numbers of up
//! to nine digits), which are ignored, and Frisian king-move counters `:+0+0`, Black's first; one that is not 0 names the
//! square of its king, as `+325`. A side whose list is missing has no pieces, as one whose list is empty: `W:W31` is
//! `W:W31:B`; one list at least must be there. A capital `K` or `P` is always a piece; files are better written small.
//! Ghost pieces (captured but not yet removed, lidraughts' `G` and `P`) and an open turn (`?`) are refused by name.

use super::squares::{self, SquareError, parse_square};
use super::text::{column, excerpt, split_at_offsets};
use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Fault, Kind, Position, Setup, SetupError};
use crate::rules::{Game, Rules, Word};
use std::fmt;

/// Why a FEN is refused. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Something else is expected here.
    Syntax {
        /// Where.
        column: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// It is understood, but cannot be had.
    Refused {
        /// Where.
        column: usize,
        /// What stands there.
        found: String,
        /// Why not.
        reason: String,
    },
    /// The pieces cannot stand like this: all faults, each a clause such as `square 33 is off the board`.
    Impossible(Vec<String>),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { column, found, expected } if found.is_empty() => {
                write!(f, "bad FEN, column {column}: found nothing instead of {expected}")
            }
            Self::Syntax { column, found, expected } => {
                write!(f, "bad FEN, column {column}: found '{found}' instead of {expected}")
            }
            Self::Refused { column, found, reason } => {
                write!(f, "bad FEN, column {column}: '{found}' {reason}")
            }
            Self::Impossible(faults) => write!(f, "impossible position: {}", faults.join("; ")),
        }
    }
}

impl std::error::Error for FenError {}

/// Most faults that a message names.
const MOST_FAULTS: usize = 20;

/// How often a side has moved one king quietly in a row (Frisian Art. 17).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KingMoves {
    /// Moves in a row, 0 to 3.
    pub count: u8,
    /// The index of the square of that king; always said if the count is not 0.
    pub square: Option<usize>,
}

/// Reads a FEN. The pieces are as stated: squares may be off the board or named twice, which [`Setup::check`] finds.
///
/// # Errors
/// Anything but the grammar above; king-move counters other than 0, for which there is [`parse_with_king_moves`].
pub fn parse(game: &Game, text: &str) -> Result<Setup, FenError> {
    let (setup, moves) = parse_with_king_moves(game, text)?;
    if moves.iter().any(|side| side.count != 0) {
        let at = text.rfind(":+").map_or(0, |at| at + 1);
        return Err(Reader { game, text }.refused(
            at,
            text.get(at..).unwrap_or(text).trim_end(),
            "has king-move counters, which cannot be taken over here",
        ));
    }
    Ok(setup)
}

/// As [`parse`], with the Frisian king-move counters of both sides, indexed by [`Side`].
///
/// # Errors
/// As [`parse`], but counters may be other than 0 in games with a king limit.
pub fn parse_with_king_moves(game: &Game, text: &str) -> Result<(Setup, [KingMoves; 2]), FenError> {
    let reader = Reader { game, text };
    let start = text.len() - text.trim_start().len();
    let body = text.trim();
    let body = body.strip_suffix('.').unwrap_or(body);
    let mut sections = split_at_offsets(body, ':').map(|(at, part)| (start + at, part));
    let (at, turn) = sections.next().unwrap_or((start, ""));
    let turn = reader.turn(at, turn)?;
    let mut setup = Setup { turn, pieces: Vec::new() };
    let mut king_moves = [KingMoves::default(); 2];
    let mut lists = [false; 2];
    let mut tail = false;
    for (at, section) in sections {
        if let Some(side) = side_of(section).filter(|_| !tail) {
            if std::mem::replace(lists.get_mut(side as usize).unwrap_or(&mut false), true) {
                return Err(reader.refused(at, section, "lists the same side again"));
            }
            reader.list(at + 1, section.get(1..).unwrap_or(""), side, &mut setup)?;
        } else if lists.contains(&true) && section.starts_with(['H', 'F', '+']) {
            tail = true;
            reader.tail(at, section, &mut king_moves)?;
        } else {
            return Err(reader.syntax(at, section, "a list of pieces that begins with W or B"));
        }
    }
    if !lists.contains(&true) {
        return Err(reader.syntax(start + body.len(), "", "':' and a list of pieces"));
    }
    Ok((setup, king_moves))
}

/// The side whose list of pieces this is.
fn side_of(section: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| section.starts_with(side.letter()))
}

/// Most digits of a move counter.
const COUNTER_DIGITS: usize = 9;

/// Reads the parts of one FEN; `at` is always the byte offset in the whole text.
struct Reader<'a> {
    game: &'a Game,
    text: &'a str,
}

impl Reader<'_> {
    fn syntax(&self, at: usize, found: &str, expected: &'static str) -> FenError {
        FenError::Syntax { column: column(self.text, at), found: excerpt(found), expected }
    }

    fn refused(&self, at: usize, found: &str, reason: impl Into<String>) -> FenError {
        FenError::Refused { column: column(self.text, at), found: excerpt(found), reason: reason.into() }
    }

    fn turn(&self, at: usize, turn: &str) -> Result<Side, FenError> {
        match turn {
            "W" => Ok(Side::White),
            "B" => Ok(Side::Black),
            "?" => {
                Err(self.refused(at, turn, "leaves the side to move open, and a position needs one: W or B"))
            }
            _ => Err(self.syntax(at, turn, "the side to move, W or B")),
        }
    }

    fn list(&self, at: usize, list: &str, side: Side, setup: &mut Setup) -> Result<(), FenError> {
        if list.is_empty() {
            return Ok(());
        }
        split_at_offsets(list, ',').try_for_each(|(offset, item)| self.item(at + offset, item, side, setup))
    }

    /// One piece or a range.
    fn item(&self, at: usize, item: &str, side: Side, setup: &mut Setup) -> Result<(), FenError> {
        let kind = self.kind(at, item)?;
        let prefix = usize::from(kind != Kind::Man);
        let (at, item) = (at + prefix, item.get(prefix..).unwrap_or(""));
        let Some((first, last)) = item.split_once('-') else {
            setup.pieces.push((self.square(at, item)?, side, kind));
            return Ok(());
        };
        let from = self.range_end(at, first)?;
        let to = self.range_end(at + first.len() + 1, last)?;
        if from > to {
            return Err(self.refused(at, item, "is a range that does not ascend"));
        }
        let squares = (from..=to).map(|number| (squares::stated_index(self.game, number), side, kind));
        setup.pieces.extend(squares);
        Ok(())
    }

    /// The kind of piece that an item begins with.
    fn kind(&self, at: usize, item: &str) -> Result<Kind, FenError> {
        let reason = match item.chars().next() {
            Some('K') => return Ok(Kind::King),
            Some('P') if self.game.moves.has_parachutists() => return Ok(Kind::Parachutist),
            Some('P') => {
                "has a P, for a parachutist, which this game has not, or a ghost king; a man is its square alone"
            }
            Some('G') => {
                "is a ghost man, taken but not removed; end the capture first (the file is a small g)"
            }
            _ => return Ok(Kind::Man),
        };
        Err(self.refused(at, item, reason))
    }

    /// Why a name or number is no square of this board.
    fn off_board(&self, text: &str) -> &'static str {
        match text.chars().next() {
            Some('K') => "is off the board; a king is one K and its square",
            Some('k') => "is off the board; a king is written with a capital K",
            Some('p') if self.game.moves.has_parachutists() => {
                "is off the board; a parachutist is written with a capital P"
            }
            _ => "is off the board",
        }
    }

    /// A square index; a number may be off the board.
    fn square(&self, at: usize, text: &str) -> Result<usize, FenError> {
        match parse_square(self.game, text) {
            Ok(index) => Ok(index),
            Err(SquareError::Malformed) => Err(self.syntax(at, text, "a square")),
            Err(SquareError::OffBoard) => match text.parse::<usize>() {
                Ok(number) => Ok(squares::stated_index(self.game, number)),
                Err(_) => Err(self.refused(at, text, self.off_board(text))),
            },
        }
    }

    /// An end of a range: a number on the board.
    fn range_end(&self, at: usize, text: &str) -> Result<usize, FenError> {
        match parse_square(self.game, text) {
            Err(SquareError::Malformed) => Err(self.syntax(at, text, "a number to end the range")),
            _ if text.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                Err(self.refused(at, text, "is algebraic; ranges are of numbers"))
            }
            Ok(index) => Ok(squares::number(self.game, index)),
            Err(SquareError::OffBoard) => Err(self.refused(at, text, "is off the board")),
        }
    }

    /// A section after the lists.
    fn tail(&self, at: usize, section: &str, moves: &mut [KingMoves; 2]) -> Result<(), FenError> {
        if let Some(counters) = section.strip_prefix('+') {
            let (black, white) = counters
                .split_once('+')
                .ok_or_else(|| self.syntax(at, section, "king-move counters such as +0+0"))?;
            *moves = [self.counter(at + black.len() + 2, white)?, self.counter(at + 1, black)?];
            return Ok(());
        }
        let digits = section.get(1..).unwrap_or("");
        if !(1..=COUNTER_DIGITS).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.syntax(at, section, "a move counter such as H0 or F1"));
        }
        Ok(())
    }

    /// A king-move counter: a digit, then the square of the king if it is known.
    fn counter(&self, at: usize, text: &str) -> Result<KingMoves, FenError> {
        let bad = || self.syntax(at, text, "a king-move counter, a digit from 0 to 3 and the king's square");
        let digit = text.chars().next().and_then(|c| c.to_digit(4)).ok_or_else(bad)?;
        let count = u8::try_from(digit).map_err(|_| bad())?;
        let square = text.get(1..).unwrap_or("");
        if count != 0 && !self.game.draws.king_limit {
            return Err(self.refused(at, text, "counts king moves, which this game does not limit"));
        }
        if square.is_empty() && count != 0 {
            return Err(self.refused(
                at,
                text,
                "counts moves of a king and does not name its square, as 325 does",
            ));
        }
        if square.is_empty() {
            return Ok(KingMoves { count, square: None });
        }
        match parse_square(self.game, square) {
            Ok(index) => Ok(KingMoves { count, square: Some(index) }),
            Err(SquareError::Malformed) => Err(bad()),
            Err(SquareError::OffBoard) => Err(self.refused(at + 1, square, "is off the board")),
        }
    }
}

/// Writes a FEN: White first, own numbers ascending, no ranges.
pub fn write(game: &Game, setup: &Setup) -> String {
    write_squares(game, setup, |index| squares::number(game, index).to_string())
}

/// As [`write()`], with squares as the game's PDN has them, names or numbers.
pub fn write_pdn(game: &Game, setup: &Setup) -> String {
    write_squares(game, setup, |index| squares::square_text(game, index))
}

fn write_squares(game: &Game, setup: &Setup, square: impl Fn(usize) -> String) -> String {
    let mut text = setup.turn.letter().to_string();
    for side in Side::BOTH {
        let mut pieces: Vec<_> = setup.pieces.iter().filter(|piece| piece.1 == side).collect();
        pieces.sort_by_key(|piece| squares::number(game, piece.0));
        let list: Vec<_> =
            pieces.iter().map(|piece| format!("{}{}", prefix(piece.2), square(piece.0))).collect();
        text = format!("{text}:{}{}", side.letter(), list.join(","));
    }
    text
}

/// As [`write()`], with the king-move counters of both sides behind, unless both are 0.
pub fn write_with_king_moves(game: &Game, setup: &Setup, moves: [KingMoves; 2]) -> String {
    let mut text = write(game, setup);
    if moves.iter().any(|side| side.count != 0) {
        for KingMoves { count, square } in moves.into_iter().rev() {
            let square = square.filter(|_| count != 0).map(|index| squares::number(game, index).to_string());
            text = format!(
                "{text}{}+{count}{}",
                if text.contains('+') { "" } else { ":" },
                square.unwrap_or_default()
            );
        }
    }
    text
}

/// What stands before the square of a piece.
fn prefix(kind: Kind) -> &'static str {
    match kind {
        Kind::Man => "",
        Kind::King => "K",
        Kind::Parachutist => "P",
    }
}

/// Reads a FEN and checks it; `R` is the game's kernel.
///
/// # Errors
/// As [`parse`]; every fault of an impossible position is named.
pub fn position<R: Rules>(game: &Game, text: &str) -> Result<Position<Word<R>>, FenError> {
    parse(game, text)?.check::<R>().map_err(|error| FenError::Impossible(faults(game, &error)))
}

/// The faults of a setup in words, with squares in the game's own text, each once; those beyond the first few
/// are counted.
pub fn faults(game: &Game, error: &SetupError) -> Vec<String> {
    let mut clauses = Vec::new();
    for (place, &(fault, index, ..)) in error.0.iter().enumerate() {
        if clauses.len() == MOST_FAULTS {
            clauses.push(format!("and {} more", error.0.len() - place));
            break;
        }
        let square = match fault {
            Fault::OffBoard => squares::number(game, index).to_string(),
            _ => squares::square_text(game, index),
        };
        let clause = format!("square {square} {fault}");
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    clauses
}

/// The position of a FEN with its pieces written back, `R` being the game's kernel.
pub fn of_position<R: Rules>(game: &Game, position: &Position<Word<R>>) -> String {
    write(game, &Setup::of::<R>(position))
}

/// The start position; `R` is the game's kernel. Every start position of the table is valid, which tests hold.
pub fn start<R: Rules>(game: &Game) -> Position<Word<R>> {
    position::<R>(game, &game.start_fen()).unwrap_or(Position {
        pieces: [Word::<R>::EMPTY; 2],
        kings: Word::<R>::EMPTY,
        turn: game.first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RULE_SETS, Visitor, find};

    fn game(id: &str) -> Game {
        Game::new(find(id).unwrap())
    }
    fn again(id: &str, fen: &str) -> String {
        let game = game(id);
        write(&game, &parse(&game, fen).unwrap())
    }
    fn error(id: &str, fen: &str) -> String {
        struct Read<'a>(&'a Game, &'a str);
        impl Visitor for Read<'_> {
            type Output = String;
            fn visit<R: Rules>(self) -> String {
                position::<R>(self.0, self.1).unwrap_err().to_string()
            }
        }
        let game = game(id);
        game.kernel().visit(Read(&game, fen))
    }

    struct Start<'a>(&'a Game);
    impl Visitor for Start<'_> {
        type Output = String;
        fn visit<R: Rules>(self) -> String {
            let position = start::<R>(self.0);
            assert!(position.side(Side::White).any() && position.side(Side::Black).any());
            assert!(
                R::MOVES.konane || position.side(Side::White).count() == position.side(Side::Black).count()
            );
            let fen = of_position::<R>(self.0, &position);
            assert_eq!(super::position::<R>(self.0, &fen), Ok(position));
            fen
        }
    }

    #[test]
    fn every_start_position_is_valid() {
        for set in RULE_SETS {
            let game = Game::new(set);
            let fen = game.kernel().visit(Start(&game));
            assert!(fen.starts_with(set.first.letter()), "{} {fen}", set.id);
        }
        let right = Game::with_options("one-way", ["white=right"]).unwrap();
        assert!(right.kernel().visit(Start(&right)).contains(":B9,"));
        let spanish = game("spanish");
        assert!(spanish.kernel().visit(Start(&spanish)).starts_with("W:W1,2,3"));
    }

    #[test]
    fn what_is_read() {
        for (id, fen, want) in [
            ("international", "B:BK22,5:WK3,12", "B:WK3,12:B5,K22"),
            ("international", "W:W48-50:BK5-7.", "W:W48,49,50:BK5,K6,K7"),
            ("international", " W:WK5:B ", "W:WK5:B"),
            ("international", "W:WK05", "W:WK5:B"),
            ("international", "W:W:B", "W:W:B"),
            ("international", "W:B:W", "W:W:B"),
            ("international", "W:W31,32:B1,2:H0:F1", "W:W31,32:B1,2"),
            ("frisian", "W:W31:B1:H12:F40:+0+0", "W:W31:B1"),
            ("russian", "W:WKa1,C3:Bh8", "W:W22,K29:B4"),
            ("italian", "W:Wa8,Kh1:B", "W:W1,K32:B"),
            ("canadian", "W:WKk1,K10,k3:B", "W:WK10,60,K72:B"),
            ("spantsireti", "W:Wk2:Bb8", "W:W35:B1"),
            ("parachute", "W:WPb8,Ka1:BPc1", "W:WP1,K29:BP30"),
            ("hawaiian", "B:W:B64", "B:W:B64"),
        ] {
            assert_eq!(again(id, fen), want, "{fen}");
        }
    }

    #[test]
    fn what_is_refused_and_where() {
        for (id, fen, want) in [
            ("italian", "", "bad FEN, column 1: found nothing instead of the side to move, W or B"),
            ("italian", "W", "bad FEN, column 2: found nothing instead of ':' and a list of pieces"),
            ("italian", "X:W1", "bad FEN, column 1: found 'X' instead of the side to move, W or B"),
            (
                "italian",
                "?:W1",
                "bad FEN, column 1: '?' leaves the side to move open, and a position needs one: W or B",
            ),
            (
                "italian",
                "W::W1",
                "bad FEN, column 3: found nothing instead of a list of pieces that begins with W or B",
            ),
            (
                "italian",
                "W:31-32:B1",
                "bad FEN, column 3: found '31-32' instead of a list of pieces that begins with W or B",
            ),
            ("italian", "W:W1:W2", "bad FEN, column 6: 'W2' lists the same side again"),
            ("italian", "W:W1:B2:B3", "bad FEN, column 9: 'B3' lists the same side again"),
            ("italian", "W:W1,,2", "bad FEN, column 6: found nothing instead of a square"),
            ("italian", "W:W1,2,:B5", "bad FEN, column 8: found nothing instead of a square"),
            ("italian", "W:W1, 2", "bad FEN, column 6: found ' 2' instead of a square"),
            ("italian", "W:WK", "bad FEN, column 5: found nothing instead of a square"),
            ("italian", "W:WKK1", "bad FEN, column 5: 'K1' is off the board; a king is one K and its square"),
            (
                "italian",
                "W:Wk31:B1",
                "bad FEN, column 4: 'k31' is off the board; a king is written with a capital K",
            ),
            (
                "parachute",
                "W:Wp31",
                "bad FEN, column 4: 'p31' is off the board; a parachutist is written with a capital P",
            ),
            (
                "italian",
                "W:W31:B5:H99999999999999999999999",
                "bad FEN, column 10: found 'H99999999999999999999999' instead of a move counter such as H0 or F1",
            ),
            (
                "frisian",
                "W:WK5:B2:+0+3",
                "bad FEN, column 13: '3' counts moves of a king and does not name its square, as 325 does",
            ),
            ("italian", "W:WKKK1", "bad FEN, column 5: found 'KK1' instead of a square"),
            ("italian", "W:Wb8", "bad FEN, column 4: 'b8' is off the board"),
            (
                "italian",
                "W:W99999999999999999999",
                "bad FEN, column 4: '99999999999999999999' is off the board",
            ),
            ("italian", "W:W1-4000000000", "bad FEN, column 6: '4000000000' is off the board"),
            ("italian", "W:W0-4", "bad FEN, column 4: '0' is off the board"),
            ("italian", "W:W5-4", "bad FEN, column 4: '5-4' is a range that does not ascend"),
            ("italian", "W:Wa8-4", "bad FEN, column 4: 'a8' is algebraic; ranges are of numbers"),
            ("italian", "W:W4-", "bad FEN, column 6: found nothing instead of a number to end the range"),
            ("italian", "W:W1-2-3", "bad FEN, column 6: found '2-3' instead of a number to end the range"),
            (
                "international",
                "W:WG5:B1",
                "bad FEN, column 4: 'G5' is a ghost man, taken but not removed; end the capture first (the file is a small g)",
            ),
            (
                "international",
                "W:W5:BP1",
                "bad FEN, column 7: 'P1' has a P, for a parachutist, which this game has not, or a ghost king; a man is its square alone",
            ),
            (
                "italian",
                "W:W1:B2:Hx",
                "bad FEN, column 9: found 'Hx' instead of a move counter such as H0 or F1",
            ),
            (
                "italian",
                "W:H0",
                "bad FEN, column 3: found 'H0' instead of a list of pieces that begins with W or B",
            ),
            (
                "frisian",
                "W:WK5:B2:+1",
                "bad FEN, column 10: found '+1' instead of king-move counters such as +0+0",
            ),
            (
                "frisian",
                "W:WK5:B2:+0+25",
                "bad FEN, column 10: '+0+25' has king-move counters, which cannot be taken over here",
            ),
            (
                "italian",
                "W:WK5:B2:+0+25",
                "bad FEN, column 13: '25' counts king moves, which this game does not limit",
            ),
            ("italian", "W:W\u{e9}", "bad FEN, column 4: found '\u{e9}' instead of a square"),
        ] {
            assert_eq!(error(id, fen), want, "{fen}");
        }
    }

    #[test]
    fn impossible_positions_say_everything() {
        assert_eq!(
            error("italian", "W:W33,4,4,0:B4,30,K1"),
            "impossible position: square 33 is off the board; square 4 has a man on its promotion row; \
             square 4 has two pieces; square 0 is off the board; square 30 has a man on its promotion row"
        );
        assert_eq!(
            error("russian", "W:Wb8:B"),
            "impossible position: square b8 has a man on its promotion row"
        );
        assert_eq!(
            error("hawaiian", "W:WKa1:B"),
            "impossible position: square a1 has a king, and this game has none"
        );
        assert!(error("parachute", "W:WPa1:B").contains("away from its promotion row"));
        let many: Vec<_> = (101..200).map(|number| number.to_string()).collect();
        let long = error("italian", &format!("W:W{}:B", many.join(",")));
        assert!(long.ends_with("square 120 is off the board; and 79 more"), "{long}");
    }

    #[test]
    fn frisian_counters() {
        let frisian = game("frisian");
        let (_, moves) = parse_with_king_moves(&frisian, "W:WK5:B2,K46:H0:F1:+346+25").unwrap();
        let at = |number| squares::index(&frisian, number);
        assert_eq!(moves, [KingMoves { count: 2, square: at(5) }, KingMoves { count: 3, square: at(46) }]);
        assert!(parse_with_king_moves(&frisian, "W:WK5:B2:+4+0").is_err());
        for fen in ["W:WK5,45:B2,K46:+346+25", "W:WK5,45:B2,K46:+0+35", "B:WK5,45:B2,K46:+146+0"] {
            let (setup, moves) = parse_with_king_moves(&frisian, fen).unwrap();
            assert_eq!(write_with_king_moves(&frisian, &setup, moves), fen);
        }
        let setup = parse(&frisian, "W:WK5:B2").unwrap();
        assert_eq!(write_with_king_moves(&frisian, &setup, [KingMoves::default(); 2]), "W:WK5:B2");
    }
}
