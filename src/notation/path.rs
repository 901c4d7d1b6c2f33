//! Paths of captures: whether the squares that a text names are a way to make a capture.

use crate::bits::Bits;
use crate::board::{Board, Layout, opposite};
use crate::movegen::Route;
use crate::position::{Move, Position};
use crate::rules::{Landing, Promotion, Removal, Rules, Word, promotion_squares};

/// The course of a jump straight on (Hawaiian checkers); a removal has none.
pub(super) fn straight_course<R: Rules>(mv: &Move<Word<R>>) -> Option<Route<Word<R>>> {
    let layout: &Layout = const { &R::Board::LAYOUT };
    let target = Word::<R>::bit(usize::from(mv.to));
    let direction = (0..8).find(|&d| R::Board::ray(d, usize::from(mv.from)).meets(target))?;
    let mut course = Route { mv: *mv, over: Vec::new(), landings: Vec::new() };
    let mut at = usize::from(mv.from);
    while at != usize::from(mv.to) {
        let over = layout.neighbour(at, direction)?;
        at = layout.neighbour(over, direction)?;
        course.over.push(over as u8);
        course.landings.push(at as u8);
    }
    Some(course)
}

/// Whether `path`, start and landings, is a spelling of a legal course: the same pieces in the same order. A flying
/// piece may have turned on other squares than those the course names, but where it goes straight on, the square
/// directly behind the captured piece must be given unless reading is `lenient`.
pub(super) fn follows<R: Rules>(
    position: &Position<Word<R>>,
    course: &Route<Word<R>>,
    path: &[u8],
    lenient: bool,
) -> bool {
    let [from, landings @ ..] = path else { return false };
    if landings == course.landings {
        return true;
    }
    if landings.len() != course.landings.len() || !R::MOVES.king_jumps_afar {
        return false;
    }
    let promotion = match R::MOVES.promotion {
        Promotion::InPassing => Word::<R>::from_u128(promotion_squares::<R>(position.turn)),
        _ => Word::<R>::EMPTY,
    };
    let mut leg = Leg::<R> {
        occupied: position.occupied().minus(Word::<R>::bit(usize::from(*from))),
        at: usize::from(*from),
        last: None,
        lenient,
    };
    let mut king = position.kings.meets(Word::<R>::bit(usize::from(*from)));
    for ((&over, &land), &named) in course.over.iter().zip(landings).zip(&course.landings) {
        if !king && land != named {
            return false;
        }
        if !leg.jump(usize::from(over), usize::from(land), king) {
            return false;
        }
        king |= promotion.meets(Word::<R>::bit(usize::from(land)));
    }
    true
}

/// A capture followed jump by jump.
struct Leg<R: Rules> {
    /// Pieces in the way, without the one that moves.
    occupied: Word<R>,
    /// Where it stands.
    at: usize,
    /// The piece jumped last and the direction.
    last: Option<(usize, usize)>,
    /// Whether a jump straight on may start anywhere.
    lenient: bool,
}

impl<R: Rules> Leg<R> {
    /// Jumps `over` a piece to `land`; says whether a piece that `flies` may do so and would be written so.
    fn jump(&mut self, over: usize, land: usize, flies: bool) -> bool {
        let layout: &Layout = const { &R::Board::LAYOUT };
        let (piece, target) = (Word::<R>::bit(over), Word::<R>::bit(land));
        let towards =
            |d: &usize| R::Board::ray(*d, self.at).meets(piece) && R::Board::ray(*d, over).meets(target);
        let Some(direction) = (0..8).find(towards) else { return false };
        if flies && !self.flies(direction, piece, over, land) {
            return false;
        }
        if let (true, Some((behind, last))) = (flies, self.last) {
            let far_on =
                last == direction && !self.lenient && layout.neighbour(behind, last) != Some(self.at);
            if far_on || (last == opposite(direction) && !R::MOVES.reversal) {
                return false;
            }
        }
        if matches!(R::MOVES.removal, Removal::AtOnce) {
            self.occupied = self.occupied.minus(piece);
        }
        self.at = land;
        self.last = Some((over, direction));
        true
    }

    /// Whether a flying king's way over the piece to the landing square is free and allowed.
    fn flies(&self, direction: usize, piece: Word<R>, over: usize, land: usize) -> bool {
        let ray = |from: usize| R::Board::ray(direction, from);
        let beyond = ray(over).minus(ray(land));
        let approach = ray(self.at).minus(ray(over) | piece);
        let near = const { &R::Board::LAYOUT }.neighbour(over, direction) == Some(land);
        R::MOVES.king_capture.has(direction)
            && !(approach | beyond).meets(self.occupied)
            && (near || !matches!(R::MOVES.landing, Landing::Behind))
    }
}
