//! CheckerBoard's boards and moves, and the same in Soffio's words.

use crate::variant::{Square, Variant};
use soffio::engine::{Notation, Session};
use soffio::notation::HubNumbering;
use std::ffi::c_int;

/// White, as a colour and in a piece.
pub const WHITE: i32 = 1;
/// Black.
pub const BLACK: i32 = 2;
/// A man, in a piece.
pub const MAN: i32 = 4;
/// A king.
pub const KING: i32 = 8;
/// An empty square.
pub const FREE: i32 = 0;

/// A board: pieces by `x` and `y`.
pub type Board = [[c_int; 8]; 8];

/// `coor` of CheckerBoard's header.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coor {
    /// The first index.
    pub x: c_int,
    /// The second.
    pub y: c_int,
}

/// `CBmove` of CheckerBoard's header.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CbMove {
    /// Pieces captured.
    pub jumps: c_int,
    /// The piece on its last square.
    pub newpiece: c_int,
    /// The piece on its first square.
    pub oldpiece: c_int,
    /// The first square.
    pub from: Coor,
    /// The last square.
    pub to: Coor,
    /// Where it lands, from index 1 on; the last is `to`.
    pub path: [Coor; 12],
    /// The squares of the pieces captured, in order.
    pub del: [Coor; 12],
    /// Those pieces.
    pub delpiece: [c_int; 12],
}

impl From<Square> for Coor {
    fn from(square: Square) -> Self {
        Self { x: square.x as c_int, y: square.y as c_int }
    }
}

/// The letters of a Hub position with their pieces.
const LETTERS: [(char, i32); 5] =
    [('e', FREE), ('w', WHITE | MAN), ('W', WHITE | KING), ('b', BLACK | MAN), ('B', BLACK | KING)];

/// The position of a board as FEN, with Soffio's numbers.
///
/// # Errors
/// What is wrong with the board or the colour.
pub fn fen(variant: Variant, board: &Board, color: i32) -> Result<String, String> {
    let turn = match color {
        WHITE => 'W',
        BLACK => 'B',
        other => return Err(format!("bad colour {other}: expected 1 or 2")),
    };
    let mut sides = [String::new(), String::new()];
    for (x, column) in board.iter().enumerate() {
        for (y, &piece) in column.iter().enumerate() {
            let &(letter, _) = LETTERS
                .iter()
                .find(|(_, known)| *known == piece)
                .ok_or_else(|| format!("bad piece {piece} at {x},{y}"))?;
            if letter == 'e' {
                continue;
            }
            if (x + y) % 2 != 0 {
                return Err(format!("a piece at {x},{y}, which is no playing square"));
            }
            let side = &mut sides[usize::from(letter.eq_ignore_ascii_case(&'b'))];
            side.push_str(if side.is_empty() { "" } else { "," });
            side.push_str(if letter.is_uppercase() { "K" } else { "" });
            side.push_str(&variant.own_number(Square { x, y }).to_string());
        }
    }
    let [white, black] = sides;
    Ok(format!("{turn}:W{white}:B{black}"))
}

/// The board of a session.
pub fn of_session(variant: Variant, session: &dyn Session) -> Board {
    let mut board = Board::default();
    for (number, letter) in session.hub(HubNumbering::Standard).chars().enumerate().skip(1) {
        let Square { x, y } = variant.square(number);
        board[x][y] = LETTERS.iter().find(|(known, _)| *known == letter).map_or(FREE, |(_, piece)| *piece);
    }
    board
}

/// The colour to move in a session.
pub fn turn(session: &dyn Session) -> i32 {
    match session.turn() {
        soffio::board::Side::White => WHITE,
        soffio::board::Side::Black => BLACK,
    }
}

/// Reads a FEN with CheckerBoard's numbers: `B:W18,K20-22:B1`. Gives the board and the colour to move.
pub fn read_fen(variant: Variant, text: &str) -> Option<(Board, i32)> {
    let color = |letter: &str| match letter {
        "W" | "w" => Some(WHITE),
        "B" | "b" => Some(BLACK),
        _ => None,
    };
    let text = text.trim().trim_matches('"').trim_end_matches('.');
    let mut parts = text.split(':');
    let turn = color(parts.next()?)?;
    let mut board = Board::default();
    for part in parts {
        let (side, list) = part.split_at_checked(1)?;
        let side = color(side)?;
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (kind, range) = match item.strip_prefix(['K', 'k']) {
                Some(range) => (KING, range),
                None => (MAN, item),
            };
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
            if first > last || last > 32 {
                return None;
            }
            for number in first..=last {
                let Square { x, y } = variant.numbered(number)?;
                if board[x][y] != FREE {
                    return None;
                }
                board[x][y] = side | kind;
            }
        }
    }
    Some((board, turn))
}

/// The notation in which Soffio's moves are looked at here.
pub const NOTATION: Notation = Notation::HubInOrder(HubNumbering::Standard);

/// A legal move, [`NOTATION`], with all that CheckerBoard wants to know of it. The session stays where it is.
pub fn describe(variant: Variant, session: &mut dyn Session, mv: &str) -> Option<CbMove> {
    let numbers: Vec<usize> =
        mv.split(['-', 'x']).map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let (&from, &to, captured) = match numbers.as_slice() {
        [from, to, captured @ ..] => (from, to, captured),
        _ => return None,
    };
    let before = of_session(variant, session);
    session.play(mv, NOTATION).ok()?;
    let after = of_session(variant, session);
    session.undo();
    let (from, to) = (variant.square(from), variant.square(to));
    let captured: Vec<Square> = captured.iter().map(|&number| variant.square(number)).collect();
    let at = |board: &Board, square: Square| board[square.x][square.y];
    let mut described = CbMove {
        jumps: captured.len() as c_int,
        oldpiece: at(&before, from),
        newpiece: at(&after, to),
        from: from.into(),
        to: to.into(),
        ..CbMove::default()
    };
    let mut empty = before;
    empty[from.x][from.y] = FREE;
    let path = if captured.is_empty() { vec![to] } else { path(&empty, from, to, &captured)? };
    // Where it lands first has index 1, so that the twelfth capture has no place: no position of a game has one.
    for (place, square) in described.path.iter_mut().skip(1).zip(&path) {
        *place = (*square).into();
    }
    for (index, square) in captured.iter().enumerate().take(described.del.len()) {
        described.del[index] = (*square).into();
        described.delpiece[index] = at(&before, *square);
    }
    Some(described)
}

/// Where a capture lands after each piece, nearest squares first: a man has no choice, and to a king all do.
fn path(board: &Board, from: Square, to: Square, captured: &[Square]) -> Option<Vec<Square>> {
    let Some((&piece, rest)) = captured.split_first() else {
        return (from == to).then(Vec::new);
    };
    let step = direction(from, piece)?;
    // Nothing stands before the piece.
    if std::iter::successors(next(from, step), |&square| next(square, step))
        .take_while(|square| *square != piece)
        .any(|square| board[square.x][square.y] != FREE)
    {
        return None;
    }
    let behind = std::iter::successors(next(piece, step), |&square| next(square, step))
        .take_while(|square| board[square.x][square.y] == FREE);
    behind.into_iter().find_map(|landing| {
        let tail = path(board, landing, to, rest)?;
        Some([&[landing], &tail[..]].concat())
    })
}

/// The diagonal step from a square towards another, if they are on one diagonal.
fn direction(from: Square, to: Square) -> Option<(isize, isize)> {
    let dx = to.x as isize - from.x as isize;
    let dy = to.y as isize - from.y as isize;
    (dx.abs() == dy.abs() && dx != 0).then(|| (dx.signum(), dy.signum()))
}

/// The next square of a diagonal.
fn next(square: Square, (dx, dy): (isize, isize)) -> Option<Square> {
    let x = square.x.checked_add_signed(dx).filter(|x| *x < 8)?;
    let y = square.y.checked_add_signed(dy).filter(|y| *y < 8)?;
    Some(Square { x, y })
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::engine;

    fn session(variant: Variant, fen: &str) -> Box<dyn Session> {
        let mut session = engine::open(variant.game().unwrap());
        session.set_fen(fen).unwrap();
        session
    }

    #[test]
    fn positions_read_back() {
        for variant in Variant::ALL {
            let session = engine::open(variant.game().unwrap());
            let board = of_session(variant, &*session);
            // All games begin alike on CheckerBoard's board.
            assert_eq!([board[0][0], board[7][1], board[6][2], board[1][3]], [6, 6, 6, 0], "{variant:?}");
            assert_eq!([board[7][7], board[0][6], board[1][5], board[0][4]], [5, 5, 5, 0], "{variant:?}");
            let mut other = engine::open(variant.game().unwrap());
            other.set_fen(&fen(variant, &board, turn(&*session)).unwrap()).unwrap();
            assert_eq!(other.fen(), session.fen(), "{variant:?}");
        }
        let (board, color) = read_fen(Variant::Czech, "W:WK1,2-4:B32").unwrap();
        assert_eq!((board[7][7], board[5][7], board[1][7], board[0][0], color), (9, 5, 5, 6, WHITE));
    }

    #[test]
    fn what_is_no_position() {
        for bad in
            ["", "X:W1", "W", "W:X1", "W:W0", "W:W33", "W:W3-1", "W:Wa1", "W:W1,1", "W:W1-", "\u{e9}:W1"]
        {
            let read = read_fen(Variant::English, bad);
            assert!(read.is_none() || bad == "W", "{bad}: {read:?}");
        }
        let mut board = Board::default();
        assert!(fen(Variant::English, &board, 3).is_err());
        board[1][0] = WHITE | MAN;
        assert_eq!(
            fen(Variant::English, &board, WHITE).unwrap_err(),
            "a piece at 1,0, which is no playing square"
        );
        board[1][0] = 7;
        assert_eq!(fen(Variant::English, &board, WHITE).unwrap_err(), "bad piece 7 at 1,0");
    }

    #[test]
    fn a_capture_in_full() {
        let mut session = session(Variant::Italian, "B:W11,13,19,21:B6,9");
        let mv = session.legal_moves(NOTATION).into_iter().find(|mv| mv.starts_with("9x")).unwrap();
        let described = describe(Variant::Italian, &mut *session, &mv).unwrap();
        let square = |number| Coor::from(Variant::Italian.square(number));
        assert_eq!((described.jumps, described.oldpiece, described.newpiece), (2, 6, 6));
        assert_eq!([described.from, described.to], [square(9), square(25)]);
        assert_eq!(described.path[1..3], [square(18), square(25)]);
        assert_eq!(described.del[..2], [square(13), square(21)]);
        assert_eq!(described.delpiece[..3], [5, 5, 0]);
        assert_eq!(session.plies(), 0);
    }

    /// A Russian man that becomes a king on its way, and lands far behind the last piece.
    #[test]
    fn a_capture_by_a_new_king() {
        let variant = Variant::Russian;
        let mut session = session(variant, "W:Wc5:Bb6,d6,f6");
        for mv in session.legal_moves(NOTATION) {
            let described = describe(variant, &mut *session, &mv).unwrap();
            assert!(described.jumps >= 1, "{mv}");
            let last = described.path[described.jumps as usize];
            assert_eq!(last, described.to, "{mv}");
        }
    }
}
