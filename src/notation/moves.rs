//! The text of moves.
//!
//! Hub writes numbers: `32-28`, and captures as start, end, then all captured squares ascending: `28x19x23`. PDN writes
//! start and end, and where that fits several legal captures the full path: the square after each jump - the square
//! of the turn, or without a turn the one directly behind the captured piece - and the last square (PDN 3.0).
//! The removals that open Hawaiian checkers are `d5xd5` in PDN and `28x28x28` in Hub.
//!
//! Reading takes either form in every game, as [`parse`] says.

use super::path::{follows, straight_course};
use super::squares::{HubNumbering, SquareError, square_text};
use super::text::{column, excerpt};
use crate::bits::Bits;
use crate::board::{Board, Layout};
use crate::movegen::{Route, legal_moves, routes};
use crate::position::{Move, Position};
use crate::rules::{Game, Removal, Rules, Word};
use std::cell::OnceCell;
use std::fmt;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As PDN files have it: the game's own square names and capture sign, and the path where it is needed.
    Pdn,
    /// As Hub has it: numbers, and the captured squares.
    Hub,
}

/// Why a text is not taken for a move. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not the form of a move.
    Malformed {
        /// The whole text.
        text: String,
        /// Where it goes wrong.
        column: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A square that this board does not have.
    OffBoard {
        /// The whole text.
        text: String,
        /// Where.
        column: usize,
        /// The square.
        found: String,
    },
    /// No legal move is written like this.
    Illegal {
        /// The whole text.
        text: String,
    },
    /// Several legal moves are.
    Ambiguous {
        /// The whole text.
        text: String,
        /// The moves it may be, written in full.
        candidates: Vec<String>,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { text, column, found, expected } => {
                write!(f, "bad move '{text}', column {column}: found ")?;
                match found.as_str() {
                    "" => write!(f, "nothing")?,
                    found => write!(f, "'{found}'")?,
                }
                write!(f, " instead of {expected}")
            }
            Self::OffBoard { text, column, found } => {
                write!(f, "bad move '{text}', column {column}: square '{found}' is off the board")
            }
            Self::Illegal { text } => write!(f, "illegal move '{text}'"),
            Self::Ambiguous { text, candidates } => {
                write!(f, "ambiguous move '{text}': it may be {}", candidates.join(" or "))
            }
        }
    }
}

impl std::error::Error for MoveError {}

/// Writes a move that is legal in `position`; `R` is the game's kernel.
pub fn write<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    mv: &Move<Word<R>>,
    style: Style,
) -> String {
    match style {
        Style::Hub => write_hub::<R>(game, HubNumbering::Standard, mv),
        Style::Pdn => Scribe::<R>::new(game, position, &legal_moves::<R>(position)).pdn(mv),
    }
}

/// Writes all moves of `legal`, the legal moves of `position`, in their order: as [`write()`], with the work shared.
pub fn write_all<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    legal: &[Move<Word<R>>],
    style: Style,
) -> Vec<String> {
    let scribe = Scribe::<R>::new(game, position, legal);
    legal
        .iter()
        .map(|mv| match style {
            Style::Hub => write_hub::<R>(game, HubNumbering::Standard, mv),
            Style::Pdn => scribe.pdn(mv),
        })
        .collect()
}

/// Writes a move in Hub form in either numbering; no position is needed.
pub fn write_hub<R: Rules>(game: &Game, numbering: HubNumbering, mv: &Move<Word<R>>) -> String {
    let number = |bit: u8| numbering.move_number(game, index::<R>(bit));
    let ends = [number(mv.from), number(mv.to)];
    if !mv.is_capture() {
        return ends.map(|n| n.to_string()).join("-");
    }
    let mut captured: Vec<_> = mv.captured.iter().map(|bit| number(bit as u8)).collect();
    captured.sort_unstable();
    ends.iter().chain(&captured).map(usize::to_string).collect::<Vec<_>>().join("x")
}

/// As [`write_hub`], but with the captured squares in the order of one way to make the capture, the first that the
/// generator finds.
pub fn write_hub_in_order<R: Rules>(
    game: &Game,
    numbering: HubNumbering,
    position: &Position<Word<R>>,
    mv: &Move<Word<R>>,
) -> String {
    let legal = [*mv];
    match Scribe::<R>::new(game, position, &legal).courses(mv).first() {
        Some(route) if mv.is_capture() => [mv.from, mv.to]
            .iter()
            .chain(&route.over)
            .map(|&bit| numbering.move_number(game, index::<R>(bit)).to_string())
            .collect::<Vec<_>>()
            .join("x"),
        _ => write_hub::<R>(game, numbering, mv),
    }
}

/// Reads a move: the one of `legal`, the legal moves of `position`, that `text` means; `R` is the game's kernel.
///
/// Squares are numbers, with leading zeros or not, or algebraic names in any case; between them stands `-`, `x` or `:`,
/// or nothing between names (`c3d4`). With `x` or `:` it must be a capture, with `-` it may be one (Thai PDN, many opening
/// tables). Accepted are start and end; a full path, needed or not; start, end and all captured squares in any order
/// (Hub); and in Hawaiian checkers a removal as one square, once, twice or three times.
///
/// - Start and end that fit several captures are ambiguous, unless one of them takes a single piece: then start and end
///   are its full path, and it is meant.
/// - A path must name exactly the square after each jump, and the one directly behind the piece where no turn is made.
/// - Of two captures that differ in promotion alone (Russian: one order of the same pieces passes the last row, the
///   other does not) start and end, and Hub, mean the promoting one; a full path can mean either.
/// - Squares that are the path of one move and Hub's list of another are ambiguous.
///
/// # Errors
/// Names the text, the column and the reason; candidates of an ambiguous text are listed as full paths.
pub fn parse<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    legal: &[Move<Word<R>>],
    text: &str,
) -> Result<Move<Word<R>>, MoveError> {
    parse_numbered::<R>(game, HubNumbering::Standard, position, legal, text)
}

/// As [`parse`], with numbers in the Hub numbering chosen.
///
/// # Errors
/// As [`parse`]; candidates are listed in the game's own squares.
pub fn parse_numbered<R: Rules>(
    game: &Game,
    numbering: HubNumbering,
    position: &Position<Word<R>>,
    legal: &[Move<Word<R>>],
    text: &str,
) -> Result<Move<Word<R>>, MoveError> {
    let spelling = Speller { game, numbering, text }.read::<R>()?;
    choose(&Scribe::<R>::new(game, position, legal), &spelling, text)
}

/// As [`parse`], but where a capture goes straight on, a path may name any square between the two pieces (`a1xf6xh8` for
/// `a1xe5xh8`). The standard calls that illegal; real files have it.
///
/// # Errors
/// As [`parse`].
pub fn parse_lenient<R: Rules>(
    game: &Game,
    position: &Position<Word<R>>,
    legal: &[Move<Word<R>>],
    text: &str,
) -> Result<Move<Word<R>>, MoveError> {
    let spelling = Speller { game, numbering: HubNumbering::Standard, text }.read::<R>()?;
    let scribe = Scribe::<R> { lenient: true, ..Scribe::new(game, position, legal) };
    choose(&scribe, &spelling, text)
}

/// The one move that is spelt.
fn choose<R: Rules>(
    scribe: &Scribe<'_, R>,
    spelling: &Spelling,
    text: &str,
) -> Result<Move<Word<R>>, MoveError> {
    let found = match spelling.squares[..] {
        [square] if R::MOVES.konane => scribe.between(square, square, spelling.capture),
        [from, to] => scribe.between(from, to, spelling.capture),
        _ => scribe.listed(spelling),
    };
    match found[..] {
        [] => Err(MoveError::Illegal { text: excerpt(text.trim()) }),
        [mv] => Ok(mv),
        _ => {
            let candidates = found.iter().map(|mv| scribe.full(mv)).collect();
            Err(MoveError::Ambiguous { text: excerpt(text.trim()), candidates })
        }
    }
}

/// The square index of a bit.
fn index<R: Rules>(bit: u8) -> usize {
    let layout: &Layout = const { &R::Board::LAYOUT };
    layout.square_of.get(usize::from(bit)).map_or(usize::MAX, |&index| usize::from(index))
}

/// What a text spells.
struct Spelling {
    /// The bits of the squares, at least one.
    squares: Vec<u8>,
    /// Whether `x` or `:` stands between them.
    capture: bool,
}

/// Reads the squares of a move text.
struct Speller<'a> {
    game: &'a Game,
    numbering: HubNumbering,
    text: &'a str,
}

impl Speller<'_> {
    fn malformed(&self, at: usize, found: &str, expected: &'static str) -> MoveError {
        let (text, found) = (excerpt(self.text.trim()), excerpt(found));
        MoveError::Malformed { text, column: column(self.text, at), found, expected }
    }

    fn read<R: Rules>(&self) -> Result<Spelling, MoveError> {
        let start = self.text.len() - self.text.trim_start().len();
        let body = self.text.trim();
        let mut spelling = Spelling { squares: Vec::new(), capture: false };
        let mut signs = body.match_indices(['-', 'x', 'X', ':']).map(|(at, sign)| (start + at, sign));
        let Some((_, first)) = signs.next() else {
            return self.unsigned::<R>(start, body);
        };
        spelling.capture = first != "-";
        if let Some((at, sign)) = signs.find(|&(_, sign)| (sign != "-") != spelling.capture) {
            return Err(self.malformed(at, sign, "one and the same sign between all squares"));
        }
        let mut at = start;
        for part in body.split(['-', 'x', 'X', ':']) {
            spelling.squares.push(self.square::<R>(at, part)?);
            at += part.len() + 1;
        }
        Ok(spelling)
    }

    /// Names without a sign between them.
    fn unsigned<R: Rules>(&self, start: usize, body: &str) -> Result<Spelling, MoveError> {
        let bytes = body.as_bytes();
        let pairs = bytes.iter().zip(bytes.iter().skip(1)).zip(1..);
        let cuts =
            pairs.filter(|((a, b), _)| a.is_ascii_digit() && b.is_ascii_alphabetic()).map(|(_, at)| at);
        let mut squares = Vec::new();
        let mut from = 0;
        for to in cuts.chain([body.len()]) {
            squares.push(self.square::<R>(start + from, body.get(from..to).unwrap_or(""))?);
            from = to;
        }
        if squares.len() < 2 && !R::MOVES.konane {
            return Err(self.malformed(start + body.len(), "", "'-' or 'x' and the square moved to"));
        }
        Ok(Spelling { squares, capture: false })
    }

    /// The bit of a square.
    fn square<R: Rules>(&self, at: usize, part: &str) -> Result<u8, MoveError> {
        let off_board = || {
            let (text, found) = (excerpt(self.text.trim()), excerpt(part));
            MoveError::OffBoard { text, column: column(self.text, at), found }
        };
        let layout: &Layout = const { &R::Board::LAYOUT };
        match self.numbering.parse_move_square(self.game, part) {
            Ok(index) => layout.bit_of.get(index).copied().ok_or_else(off_board),
            Err(SquareError::OffBoard) => Err(off_board()),
            Err(SquareError::Malformed) => Err(self.malformed(at, part, "a square")),
        }
    }
}

/// Finds and writes moves of one position.
struct Scribe<'a, R: Rules> {
    game: &'a Game,
    position: &'a Position<Word<R>>,
    legal: &'a [Move<Word<R>>],
    routes: OnceCell<Vec<Route<Word<R>>>>,
    /// Whether paths may name other squares than those directly behind a piece where no turn is made.
    lenient: bool,
}

impl<'a, R: Rules> Scribe<'a, R> {
    fn new(game: &'a Game, position: &'a Position<Word<R>>, legal: &'a [Move<Word<R>>]) -> Self {
        Self { game, position, legal, routes: OnceCell::new(), lenient: false }
    }

    /// The ways to make a capture.
    fn courses(&self, mv: &Move<Word<R>>) -> Vec<Route<Word<R>>> {
        if R::MOVES.konane {
            return straight_course::<R>(mv).into_iter().collect();
        }
        let all = self.routes.get_or_init(|| routes::<R>(self.position));
        all.iter().filter(|route| route.mv == *mv).cloned().collect()
    }

    fn square(&self, bit: u8) -> String {
        square_text(self.game, index::<R>(bit))
    }

    fn join(&self, squares: &[u8]) -> String {
        let texts: Vec<_> = squares.iter().map(|&bit| self.square(bit)).collect();
        texts.join(&self.game.set.capture_sign.to_string())
    }

    /// A move as PDN has it.
    fn pdn(&self, mv: &Move<Word<R>>) -> String {
        if !mv.is_capture() {
            return format!("{}-{}", self.square(mv.from), self.square(mv.to));
        }
        let same_ends = |other: &Move<Word<R>>| {
            other.is_capture() && (other.from, other.to) == (mv.from, mv.to) && other != mv
        };
        if self.legal.iter().any(same_ends) { self.full(mv) } else { self.join(&[mv.from, mv.to]) }
    }

    /// A move with its path: the first whose squares are not Hub's list for another move.
    fn full(&self, mv: &Move<Word<R>>) -> String {
        let paths: Vec<Vec<u8>> = self
            .courses(mv)
            .iter()
            .map(|course| [mv.from].into_iter().chain(course.landings.iter().copied()).collect())
            .collect();
        let clear = |path: &&Vec<u8>| self.by_captured(path).is_none_or(|other| other == *mv);
        match paths.iter().find(clear).or(paths.first()) {
            Some(path) => self.join(path),
            None if mv.is_capture() => self.join(&[mv.from, mv.to]),
            None => format!("{}-{}", self.square(mv.from), self.square(mv.to)),
        }
    }

    /// The moves that start and end may mean; one if it is clear.
    fn between(&self, from: u8, to: u8, capture: bool) -> Vec<Move<Word<R>>> {
        let fits = |mv: &&Move<Word<R>>| (mv.from, mv.to) == (from, to) && (mv.is_capture() || !capture);
        let found: Vec<_> = self.legal.iter().filter(fits).copied().collect();
        if let Some(single) = found.iter().find(|mv| mv.captured.count() == 1) {
            return vec![*single];
        }
        without_lesser(found)
    }

    /// The moves that three squares or more may mean; one if it is clear.
    fn listed(&self, spelling: &Spelling) -> Vec<Move<Word<R>>> {
        let hub = if spelling.capture { self.by_captured(&spelling.squares) } else { None };
        let mut found: Vec<_> = hub.into_iter().collect();
        found.extend(self.by_path(&spelling.squares).filter(|mv| Some(*mv) != hub));
        found
    }

    /// The move of which these are start, end and captured squares.
    fn by_captured(&self, squares: &[u8]) -> Option<Move<Word<R>>> {
        let [from, to, listed @ ..] = squares else { return None };
        let captured =
            listed.iter().fold(Word::<R>::EMPTY, |set, &bit| set | Word::<R>::bit(usize::from(bit)));
        if captured.count() as usize != listed.len() || listed.is_empty() {
            return None;
        }
        let fits = |mv: &&Move<Word<R>>| (mv.from, mv.to, mv.captured) == (*from, *to, captured);
        self.legal.iter().filter(fits).max_by_key(|mv| mv.promotes).copied()
    }

    /// The move of which this is the path.
    fn by_path(&self, path: &[u8]) -> Option<Move<Word<R>>> {
        let [from, .., to] = path else { return None };
        let stays = matches!(R::MOVES.removal, Removal::AtEnd) && to != from;
        if stays && self.position.occupied().meets(Word::<R>::bit(usize::from(*to))) {
            return None; // Hub's list: it ends with a captured square
        }
        let ends = |mv: &&Move<Word<R>>| {
            (mv.from, mv.to) == (*from, *to) && mv.captured.count() as usize + 1 == path.len()
        };
        let follows = |mv: &&Move<Word<R>>| {
            self.courses(mv).iter().any(|course| follows::<R>(self.position, course, path, self.lenient))
        };
        self.legal.iter().filter(ends).find(follows).copied()
    }
}

/// Of captures of the same pieces only those that promote.
fn without_lesser<B: Bits>(moves: Vec<Move<B>>) -> Vec<Move<B>> {
    let crowned = |mv: &Move<B>| moves.contains(&Move { promotes: true, ..*mv });
    moves.iter().filter(|mv| mv.promotes || !crowned(mv)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::rules::{Visitor, find};

    /// Reads each text in a position; gives back the move in Hub and PDN form, or the error.
    struct Read<'a>(&'a Game, &'a str, &'a [&'a str]);
    impl Visitor for Read<'_> {
        type Output = Vec<String>;
        fn visit<R: Rules>(self) -> Vec<String> {
            let Read(game, fen, texts) = self;
            let position = fen::position::<R>(game, fen).unwrap();
            let legal = legal_moves::<R>(&position);
            let read = |text: &&str| match parse::<R>(game, &position, &legal, text) {
                Ok(mv) => {
                    let [hub, pdn] = [Style::Hub, Style::Pdn].map(|s| write::<R>(game, &position, &mv, s));
                    format!("{hub} {pdn}")
                }
                Err(error) => error.to_string(),
            };
            texts.iter().map(read).collect()
        }
    }
    fn read(id: &str, fen: &str, texts: &[&str]) -> Vec<String> {
        let game = Game::new(find(id).unwrap());
        game.kernel().visit(Read(&game, fen, texts))
    }
    /// All texts are read to the same move.
    fn same(id: &str, fen: &str, want: &str, texts: &[&str]) {
        for (got, text) in read(id, fen, texts).iter().zip(texts) {
            assert_eq!(got, want, "{id} {fen} {text}");
        }
    }

    #[test]
    fn quiet_moves_and_short_forms() {
        let start = "W:W31-50:B1-20";
        same(
            "international",
            start,
            "32-28 32-28",
            &["32-28", " 32-28 ", "032-0028", "d4-e5", "D4E5", "d4e5"],
        );
        let start = "W:W21-32:B1-12";
        same("russian", start, "22-18 c3-d4", &["22-18", "c3-d4", "c3d4", "C3D4"]);
        same("italian", start, "22-18 22-18", &["22-18", "d3c4"]);
        same("spanish", "W:W1-12:B21-32", "11-15 11-15", &["11-15", "d3-c4"]);
        same("thai", "W:W18:B14", "18x9x14 18x9", &["18-9", "18x9", "18:9", "18X9", "d4-b6", "18x9x14"]);
        same("russian", "W:Wc3:Bd4", "22x15x18 c3:e5", &["c3:e5", "c3xe5", "c3-e5", "c3e5", "22x15x18"]);
    }

    /// RULES 2.5 and traps 116 and 117: the standard's own example.
    #[test]
    fn a_path_where_start_and_end_fit_twice() {
        let fen = "W:WK47:B14,19,29,31,42";
        let upper = "47x36x14x29x31x42 47x38x20x9x36";
        let lower = "47x36x19x29x31x42 47x38x24x13x36";
        same(
            "international",
            fen,
            upper,
            &["47x38x20x9x36", "47x36x42x14x31x29", "47:38:20:9:36", "47-38-20-9-36", "c1-e3-i7-g9-a3"],
        );
        same("international", fen, lower, &["47x38x24x13x36", "47x36x42x29x19x31"]);
        let ambiguous = "ambiguous move '47x36': it may be 47x38x20x9x36 or 47x38x24x13x36";
        let got = read("international", fen, &["47x36"]);
        assert!(got[0] == ambiguous || got[0].len() == ambiguous.len(), "{}", got[0]);
        for text in ["47x24x36", "47x33x24x13x36", "47x38x36", "47x38x24x14x36", "47x36x42", "47-36x42x29"] {
            let got = read("international", fen, &[text]);
            assert!(
                got[0].starts_with("illegal move '") || got[0].starts_with("bad move '"),
                "{text}: {}",
                got[0]
            );
        }
    }

    #[test]
    fn circular_and_needless_paths() {
        let fen = "W:WK18:B15,7,6,14";
        let texts = ["18x18", "18x11x2x9x18", "18x9x2x11x18", "18x18x6x7x14x15", "18x18x15x14x7x6"];
        same("english", fen, "18x18x6x7x14x15 18x18", &texts);
        same("english", "W:W23:B18,9", "23x5x9x18 23x5", &["23x14x5", "23x5", "23-14-5", "23x5x18x9"]);
        assert_eq!(read("english", "W:W23:B18,9", &["23x14"]), ["illegal move '23x14'"]);
    }

    #[test]
    fn new_kings_and_turns_of_180_degrees() {
        same("russian", "W:Wb6:Bc7,f6", "9x16x6x11 b6:g5", &["b6:d8:g5", "b6g5", "9x16x11x6"]);
        assert_eq!(read("russian", "W:Wb6:Bc7,f6", &["b6:e7:g5"]), ["illegal move 'b6:e7:g5'"]);
        same("thai", "W:WKc3:Bb2,d4", "22x15x18x25 22x15", &["c3xa1xe5", "22-29-15"]);
    }

    #[test]
    fn lenient_paths() {
        let game = Game::new(find("czech").unwrap());
        struct Lenient<'a>(&'a Game);
        impl Visitor for Lenient<'_> {
            type Output = ();
            fn visit<R: Rules>(self) {
                let position = fen::position::<R>(self.0, "B:W8,18,19,24:B2,12,13,K29").unwrap();
                let legal = legal_moves::<R>(&position);
                let strict = parse::<R>(self.0, &position, &legal, "a1xf6xh8");
                assert_eq!(strict.unwrap_err().to_string(), "illegal move 'a1xf6xh8'");
                for text in ["a1xf6xh8", "a1xe5xh8", "a1xh8"] {
                    assert_eq!(parse_lenient::<R>(self.0, &position, &legal, text), Ok(legal[0]));
                }
                assert!(parse_lenient::<R>(self.0, &position, &legal, "a1xc3xh8").is_err());
            }
        }
        game.kernel().visit(Lenient(&game));
    }

    #[test]
    fn hawaiian_moves() {
        let game = Game::new(find("hawaiian").unwrap());
        let start = &game.start_fen();
        same("hawaiian", start, "29x29x29 e5xe5", &[]);
        same("hawaiian", start, "28x28x28 d5xd5", &["d5", "28", "d5xd5", "d5-d5", "28x28x28", "d5xd5xd5"]);
        let fen = "B:W2,4,6,8,15,20,22:B1,3,21";
        same("hawaiian", fen, "21x19x20 e6xc6", &["e6xc6", "21x19x20", "e6-c6", "e6c6"]);
        assert_eq!(read("hawaiian", start, &["a1"]), ["illegal move 'a1'"]);
    }

    #[test]
    fn a_single_capture_is_its_own_path() {
        // Gothic men jump straight ahead, or sideways and then diagonally, to the same square.
        let fen = "W:Wd4:Bd5,c4,c5";
        same("gothic", fen, "36x20x28 d4xd6", &["d4xd6", "36x20x28"]);
        same("gothic", fen, "36x20x27x35 d4xb4xd6", &["d4xb4xd6", "36x20x35x27"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fen = "W:W31-50:B1-20";
        for (text, want) in [
            ("", "bad move '', column 1: found nothing instead of a square"),
            ("32", "bad move '32', column 3: found nothing instead of '-' or 'x' and the square moved to"),
            ("32-", "bad move '32-', column 4: found nothing instead of a square"),
            ("32--28", "bad move '32--28', column 4: found nothing instead of a square"),
            ("32 - 28", "bad move '32 - 28', column 1: found '32 ' instead of a square"),
            (" 32-y2", "bad move '32-y2', column 5: square 'y2' is off the board"),
            ("32-51", "bad move '32-51', column 4: square '51' is off the board"),
            ("0-0", "bad move '0-0', column 1: square '0' is off the board"),
            ("32x28", "illegal move '32x28'"),
            (
                "32-27x18",
                "bad move '32-27x18', column 6: found 'x' instead of one and the same sign between all squares",
            ),
            (
                "32-99999999999999999999",
                "bad move '32-99999999999999999999', column 4: square '99999999999999999999' is off the board",
            ),
            ("32-27", "32-27 32-27"),
            ("32-26", "illegal move '32-26'"),
            ("ß-ö", "bad move 'ß-ö', column 1: found 'ß' instead of a square"),
            ("*", "bad move '*', column 1: found '*' instead of a square"),
        ] {
            assert_eq!(read("international", fen, &[text]), [want], "{text}");
        }
    }
}
