//! Legal moves of a position by the movement rules alone: the referee adds what history forbids (Frisian king limit).
//!
//! Quiet moves and "can anything capture" are found for all pieces at once by shifts of the whole board; single
//! pieces are looked at only where a capture exists.

mod capture;
mod count;
mod konane;
mod men;
mod perft;
mod quiet;
mod suite;

pub use capture::{COURSE_BUDGET, Route, routes};
pub use count::count;
pub use perft::{HashTable, Perft};
pub use suite::{Convention, SuiteError, SuiteRow, read_suite};

use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, squares};
use crate::position::{Move, Position};
use crate::rules::{Parachutists, Promotion, Rules, Word, promotion_squares};
use men::Jumps;

/// A list of moves, meant to be cleared and used again.
pub type MoveList<R> = Vec<Move<Word<R>>>;

/// Appends all legal moves to `list`, without duplicates, in an order that depends on the position alone.
pub fn generate<R: Rules>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    match position.turn {
        Side::White => generate_to::<R, White>(position, &mut Lister(list)),
        Side::Black => generate_to::<R, Black>(position, &mut Lister(list)),
    }
}

/// All legal moves, without duplicates.
pub fn legal_moves<R: Rules>(position: &Position<Word<R>>) -> MoveList<R> {
    let mut list = Vec::new();
    generate::<R>(position, &mut list);
    list
}

/// Appends all legal captures and returns whether quiet moves are legal too.
pub fn captures<R: Rules>(position: &Position<Word<R>>, list: &mut MoveList<R>) -> bool {
    match position.turn {
        Side::White => captures_to::<R, White>(position, &mut Lister(list)),
        Side::Black => captures_to::<R, Black>(position, &mut Lister(list)),
    }
}

/// Appends the quiet moves that the side not to move may have made last, promotions left out. `from` is where the piece
/// stood. Whether that side had to capture instead is for the caller to find out.
pub fn retractions<R: Rules>(position: &Position<Word<R>>, list: &mut MoveList<R>) {
    match position.turn {
        Side::White => quiet::retract::<R, Black>(position, list),
        Side::Black => quiet::retract::<R, White>(position, list),
    }
}

/// Whether the side to move can capture.
pub fn can_capture<R: Rules>(position: &Position<Word<R>>) -> bool {
    match position.turn {
        Side::White => capture::capturers::<R, White>(position).any(),
        Side::Black => capture::capturers::<R, Black>(position).any(),
    }
}

/// Whether the side to move has a legal move.
pub fn can_move<R: Rules>(position: &Position<Word<R>>) -> bool {
    count::<R>(position) != 0
}

/// What becomes of the moves as they are found. `T` is the side to move; sets are single bits.
trait Receiver<R: Rules> {
    /// A man's quiet move; in a linear move that of the rear man.
    fn step<T: Turn>(&mut self, from: Word<R>, to: Word<R>);
    /// A king's quiet move.
    fn king_move<T: Turn>(&mut self, from: Word<R>, to: Word<R>);
    /// A man's capture of the pieces `over`.
    fn jump<T: Turn>(&mut self, from: Word<R>, over: Word<R>, to: Word<R>);
    /// Any move.
    fn other<T: Turn>(&mut self, mv: Move<Word<R>>);
    /// The best captures of these pieces must be hunted.
    fn hunt<T: Turn>(&mut self, position: &Position<Word<R>>, capturers: Word<R>);
}

/// Puts moves into a list.
struct Lister<'a, R: Rules>(&'a mut MoveList<R>);

impl<R: Rules> Receiver<R> for Lister<'_, R> {
    #[inline(always)]
    fn step<T: Turn>(&mut self, from: Word<R>, to: Word<R>) {
        self.jump::<T>(from, Word::<R>::EMPTY, to);
    }
    #[inline(always)]
    fn king_move<T: Turn>(&mut self, from: Word<R>, to: Word<R>) {
        let (from, to) = (from.lowest() as u8, to.lowest() as u8);
        self.0.push(Move { captured: Word::<R>::EMPTY, from, to, promotes: false });
    }
    #[inline(always)]
    fn jump<T: Turn>(&mut self, from: Word<R>, over: Word<R>, to: Word<R>) {
        let promotes = promotion::<R, T>().meets(to);
        let (from, to) = (from.lowest() as u8, to.lowest() as u8);
        self.0.push(Move { captured: over, from, to, promotes });
    }
    #[inline(always)]
    fn other<T: Turn>(&mut self, mv: Move<Word<R>>) {
        self.0.push(mv);
    }
    #[inline(always)]
    fn hunt<T: Turn>(&mut self, position: &Position<Word<R>>, capturers: Word<R>) {
        capture::generate::<R, T>(position, capturers, self.0);
    }
}

/// Hands all legal moves to `receiver`.
#[inline(always)]
fn generate_to<R: Rules, T: Turn>(position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
    if captures_to::<R, T>(position, receiver) {
        quiet::generate::<R, T>(position, receiver);
    }
}

/// Hands all legal captures to `receiver` and returns whether quiet moves are legal too.
#[inline(always)]
fn captures_to<R: Rules, T: Turn>(position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) -> bool {
    if const { R::MOVES.konane } {
        konane::generate::<R, T>(position, receiver);
        return false;
    }
    if const { !men::applies::<R>() } {
        let capturers = capture::capturers::<R, T>(position);
        if capturers.any() {
            receiver.hunt::<T>(position, capturers);
        }
        return quiet_moves_allowed::<R, T>(position, capturers);
    }
    let jumps = Jumps::<R>::of::<T>(position);
    let others = capture::other_capturers::<R, T>(position);
    let capturers = others | jumps.capturers();
    if capturers.is_empty() {
        return true;
    }
    if others.any() || count::ranks_captured_kings::<R, T>(position) {
        receiver.hunt::<T>(position, capturers);
    } else {
        jumps.generate::<T>(position, receiver);
    }
    false
}

/// Whether quiet moves are legal beside the captures of `capturers`.
#[inline(always)]
fn quiet_moves_allowed<R: Rules, T: Turn>(position: &Position<Word<R>>, capturers: Word<R>) -> bool {
    match const { R::MOVES.parachutists } {
        Parachutists::Some { compulsory: false, .. } => {
            capturers.minus(parachutists::<R, T>(position)).is_empty()
        }
        _ => capturers.is_empty(),
    }
}

/// The promotion squares of the side `T`.
#[inline(always)]
fn promotion<R: Rules, T: Turn>() -> Word<R> {
    Word::<R>::from_u128(
        const { if matches!(R::MOVES.promotion, Promotion::Never) { 0 } else { promotion_squares::<R>(T::SIDE) } },
    )
}

/// The men of `T` that are parachutists.
#[inline(always)]
fn parachutists<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    if const { R::MOVES.has_parachutists() } {
        position.men(T::SIDE) & promotion::<R, T>()
    } else {
        Word::<R>::EMPTY
    }
}

/// The men of `T` that move as men.
#[inline(always)]
fn walkers<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    position.men(T::SIDE).minus(parachutists::<R, T>(position))
}

/// The empty squares.
#[inline(always)]
fn empty<R: Rules>(position: &Position<Word<R>>) -> Word<R> {
    squares::<R::Board>().minus(position.occupied())
}
