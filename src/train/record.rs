//! A game as it is kept for training, and its bytes.
//!
//! # Format
//!
//! A file is a line of text, the header, and then one block a game, in the order of the games; numbers are
//! little-endian.
//!
//! The header is `soffio games 1 ` (the 1 is the version of the format) and a JSON object in one line: `variant`,
//! `rules` (`NAME=VALUE` of every option), `squares` (of the board), `nodes` (of each search), `seed`, and `plies` (least
//! and most plies of an opening).
//!
//! A block:
//!
//! | bytes | what |
//! |---|---|
//! | 2 | the number of positions |
//! | 2 | the number of plies played, the opening included |
//! | 1 | the winner: 0 none, 1 White, 2 Black |
//! | 1 | why it ended: the place in [`End::ALL`] |
//! | each 3 `n` + 3 | the positions |
//! | 4 | checksum: FNV-1a of the number of the game in the file, from 0, as 8 bytes, and of the block before it; 64 bits, the upper half xored onto the lower |
//!
//! A position, where `n` is the number of squares divided by 8, rounded up:
//!
//! | bytes | what |
//! |---|---|
//! | `n` | White's pieces: square index `i` (see [`Layout`](crate::board::Layout)) is bit `i % 8` of byte `i / 8` |
//! | `n` | Black's pieces |
//! | `n` | the kings of both |
//! | 1 | 0 if White is to move, 1 if Black is |
//! | 2 | the score in 1/100 man from the side to move, signed, in the bands of [`Score`](crate::score::Score) |

use crate::bits::Bits;
use crate::board::{Board, MAX_BITS, Side};
use crate::position::Position;
use crate::referee::Reason;
use crate::rules::{Rules, Word};
use std::fmt;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By a rule.
    Rule(Reason),
    /// The search has proved who wins.
    Proved,
    /// One side's scores were winning for long enough.
    Score,
    /// It was too long: a draw.
    Length,
}

impl End {
    /// All ends; the place here is the byte in a file, so new ones are added at the end.
    pub const ALL: [Self; 10] = [
        Self::Rule(Reason::Breakthrough),
        Self::Rule(Reason::NoMoves),
        Self::Rule(Reason::OneAgainstOne),
        Self::Rule(Reason::Repetition),
        Self::Rule(Reason::Ending),
        Self::Rule(Reason::KingMoves),
        Self::Rule(Reason::NoCapture),
        Self::Proved,
        Self::Score,
        Self::Length,
    ];

    /// The place in [`End::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&end| end == self).unwrap_or_default()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(reason) => reason.fmt(f),
            Self::Proved => f.write_str("proved"),
            Self::Score => f.write_str("score"),
            Self::Length => f.write_str("length"),
        }
    }
}

/// A position of a game and the score of its search. Sets of squares are by square index, bit 0 the first square of the
/// top row, whatever the numbering of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// White's pieces.
    pub white: u128,
    /// Black's pieces.
    pub black: u128,
    /// The kings of both.
    pub kings: u128,
    /// The side to move.
    pub turn: Side,
    /// In 1/100 man from the side to move, in the bands of [`Score`](crate::score::Score).
    pub score: i16,
}

/// A game that was played for training.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub end: End,
    /// Plies played, the opening included.
    pub plies: u16,
    /// The quiet positions, oldest first, at most 65535.
    pub positions: Vec<Record>,
}

/// The bytes of a game but for its positions: before them, and after them.
pub(super) const HEAD: usize = 6;
pub(super) const TAIL: usize = 4;

/// Bytes of a set of squares.
pub(super) const fn set_bytes(squares: usize) -> usize {
    squares.div_ceil(8)
}

/// Bytes of a position.
pub(super) const fn record_bytes(squares: usize) -> usize {
    3 * set_bytes(squares) + 3
}

impl Record {
    /// The record of a position of the kernel `R`. A score beyond 16 bits is held at the bound.
    pub fn new<R: Rules>(position: &Position<Word<R>>, score: i32) -> Self {
        let layout = const { &R::Board::LAYOUT };
        let by_square = |set: Word<R>| set.iter().fold(0, |all, bit| all | 1 << layout.square_of[bit]);
        let [white, black] = position.pieces.map(by_square);
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Self { white, black, kings: by_square(position.kings), turn: position.turn, score }
    }

    /// The position, for the kernel `R`, which must be that of the game: the sets must lie on its board.
    pub fn position<R: Rules>(&self) -> Position<Word<R>> {
        let layout = const { &R::Board::LAYOUT };
        let by_bit = |set: u128| {
            let bits = set.iter().fold(0, |all, square| all | 1 << layout.bit_of[square]);
            Word::<R>::from_u128(bits)
        };
        let pieces = [self.white, self.black].map(by_bit);
        Position { pieces, kings: by_bit(self.kings), turn: self.turn }
    }

    /// A 64-bit key of pieces and side to move.
    pub fn key(&self) -> u64 {
        let Self { white, black, kings, turn, .. } = *self;
        Position { pieces: [white, black], kings, turn }.key()
    }

    /// Appends its bytes but for the score, sets of so many.
    pub(super) fn write_board(&self, set: usize, bytes: &mut Vec<u8>) {
        for squares in [self.white, self.black, self.kings] {
            bytes.extend_from_slice(&squares.to_le_bytes()[..set]);
        }
        bytes.push(self.turn as u8);
    }

    /// The inverse of [`Record::write_board`].
    pub(super) fn of_board(set: usize, bytes: &[u8], score: i16) -> Self {
        let [white, black, kings] = [0, 1, 2].map(|index| {
            let mut wide = [0; MAX_BITS / 8];
            wide[..set].copy_from_slice(&bytes[index * set..][..set]);
            u128::from_le_bytes(wide)
        });
        let turn = if bytes[3 * set] == 0 { Side::White } else { Side::Black };
        Self { white, black, kings, turn, score }
    }

    /// Reads its bytes; `None` if they are none of a board of so many squares.
    fn read(squares: usize, bytes: &[u8]) -> Option<Self> {
        let set = set_bytes(squares);
        let &[.., turn, low, high] = bytes else { return None };
        if bytes.len() != record_bytes(squares) || turn > 1 {
            return None;
        }
        let record = Self::of_board(set, bytes, i16::from_le_bytes([low, high]));
        let Self { white, black, kings, .. } = record;
        let occupied = white | black;
        let fits = white & black == 0 && kings & !occupied == 0 && occupied >> squares == 0;
        fits.then_some(record)
    }
}

impl Played {
    /// What White has got: 1 for a win, 1/2 for a draw, 0 for a loss.
    pub fn points(&self) -> f32 {
        match self.winner {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        }
    }

    /// Its block, as the game of this number in a file of a board of so many squares. Positions beyond the 65535th are
    /// left out.
    pub(super) fn to_bytes(&self, number: u64, squares: usize) -> Vec<u8> {
        let count = self.positions.len().min(u16::MAX.into());
        let mut bytes = Vec::with_capacity(HEAD + count * record_bytes(squares) + TAIL);
        bytes.extend_from_slice(&(count as u16).to_le_bytes());
        bytes.extend_from_slice(&self.plies.to_le_bytes());
        bytes.push(self.winner.map_or(0, |side| 1 + side as u8));
        bytes.push(self.end.index() as u8);
        for record in &self.positions[..count] {
            record.write_board(set_bytes(squares), &mut bytes);
            bytes.extend_from_slice(&record.score.to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(number, &bytes).to_le_bytes());
        bytes
    }

    /// Reads a block of the right length.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn from_bytes(number: u64, squares: usize, bytes: &[u8]) -> Result<Self, &'static str> {
        let (body, tail) = bytes.split_at(bytes.len().saturating_sub(TAIL));
        if checksum(number, body).to_le_bytes() != tail {
            return Err("its checksum is wrong");
        }
        let &[_, _, low, high, winner, end, ref records @ ..] = body else { return Err("it is too short") };
        let winner = match winner {
            0 => None,
            1 => Some(Side::White),
            2 => Some(Side::Black),
            _ => return Err("it has an unknown winner"),
        };
        let end = *End::ALL.get(usize::from(end)).ok_or("it has an unknown end")?;
        let records = records.chunks(record_bytes(squares)).map(|bytes| Record::read(squares, bytes));
        let positions = records.collect::<Option<_>>().ok_or("it has an impossible position")?;
        Ok(Self { winner, end, plies: u16::from_le_bytes([low, high]), positions })
    }
}

/// The start of a hash.
pub(super) const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with a hash: FNV-1a (Fowler, Noll and Vo), 64 bits.
pub(super) fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn checksum(number: u64, body: &[u8]) -> u32 {
    let hash = fnv(fnv(FNV, &number.to_le_bytes()), body);
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(squares: usize) -> Record {
        let last = 1 << (squares - 1);
        Record { white: 5, black: 2 | last, kings: 4 | last, turn: Side::Black, score: -123 }
    }

    #[test]
    fn ends_have_their_bytes() {
        for (index, end) in End::ALL.into_iter().enumerate() {
            assert_eq!(end.index(), index);
        }
    }

    #[test]
    fn blocks_on_boards_of_all_sizes() {
        for squares in [25, 32, 40, 50, 64, 72] {
            let positions = vec![record(squares), Record { turn: Side::White, ..record(squares) }];
            for winner in [None, Some(Side::White), Some(Side::Black)] {
                let game = Played { winner, end: End::Proved, plies: 99, positions: positions.clone() };
                let bytes = game.to_bytes(7, squares);
                assert_eq!(bytes.len(), HEAD + 2 * record_bytes(squares) + TAIL);
                assert_eq!(Played::from_bytes(7, squares, &bytes), Ok(game));
                assert_eq!(Played::from_bytes(8, squares, &bytes), Err("its checksum is wrong"));
                for index in 0..bytes.len() {
                    let mut changed = bytes.clone();
                    changed[index] ^= 0x10;
                    assert!(Played::from_bytes(7, squares, &changed).is_err(), "byte {index}");
                }
            }
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let read = |record: Record| {
            let mut bytes = Vec::new();
            record.write_board(4, &mut bytes);
            bytes.extend_from_slice(&record.score.to_le_bytes());
            Record::read(30, &bytes)
        };
        let good = record(30);
        assert_eq!(read(good), Some(good));
        assert_eq!(read(Record { black: 1, ..good }), None, "two pieces on a square");
        assert_eq!(read(Record { kings: 8, ..good }), None, "a king where nothing stands");
        assert_eq!(read(Record { white: 1 << 30, kings: 0, ..good }), None, "off the board");
    }
}
