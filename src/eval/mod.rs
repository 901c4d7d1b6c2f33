//! Hand-made evaluation: for positions without captures, 1/100 man, the same for both colours.
//!
//! A term is a weight times a count; counts come from whole-board operations, and only kings are looked at one by one.

mod hunt;
mod masks;
mod weights;

use crate::bits::Bits;
use crate::board::{
    Black, Board, Dirs, Side, Turn, White, for_each_direction, slide, squares, step, step_back,
};
use crate::movegen;
use crate::position::Position;
use crate::rules::{Game, Goal, Rules, Word, directions};
use crate::score::Score;
use hunt::Hunt;
use weights::Weights;

/// An evaluation made ready for a game.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    goal: Goal,
}

/// With so many pieces or fewer of both sides, kings are driven.
const ENDING: u32 = 8;

impl Evaluator {
    /// The evaluation of a game; `R` must be its kernel.
    pub fn new<R: Rules>(game: &Game) -> Self {
        Self { weights: Weights::of(game), goal: game.set.goal }
    }

    /// The evaluation of a position, from the side to move.
    #[inline]
    pub fn score<R: Rules>(&self, position: &Position<Word<R>>) -> Score {
        let hunt = self.hunt::<R>(position);
        let mut sum = 0;
        self.each_term::<R>(position, hunt.as_ref(), |_, value| sum += value);
        let sum = self.scaled::<R>(position, hunt.as_ref(), sum);
        Score::eval(if position.turn == Side::White { sum } else { -sum })
    }

    /// The hunt for a lone king that a position is, if it is one.
    #[inline(always)]
    fn hunt<R: Rules>(&self, position: &Position<Word<R>>) -> Option<Hunt<R>> {
        if self.goal == Goal::LastMove { Hunt::of(position) } else { None }
    }

    /// Passes each term, from White, to `add`.
    #[inline(always)]
    fn each_term<R: Rules>(
        &self,
        position: &Position<Word<R>>,
        hunt: Option<&Hunt<R>>,
        mut add: impl FnMut(&'static str, i32),
    ) {
        let w = &self.weights;
        let turn = if position.turn == Side::White { 1 } else { -1 };
        add("turn", w.turn * turn);
        if const { R::MOVES.konane } {
            return add("mobility", w.mobility * konane_mobility::<R>(position));
        }
        if let Some(hunt) = hunt {
            let sign = if hunt.hunters == Side::White { 1 } else { -1 };
            return hunt.each_term(w.king, |name, value| add(name, sign * value));
        }
        let [white, black] = [Counts::of::<R, White>(position), Counts::of::<R, Black>(position)];
        add("men", w.man * (white.men - black.men));
        add("kings", w.king * (white.kings - black.kings));
        add("first king", w.first_king * (white.kings.min(1) - black.kings.min(1)));
        add("advance", w.advance * (white.advance - black.advance));
        add("back rank", w.back_rank * (white.back_rank - black.back_rank));
        add("centre", w.centre * (white.centre - black.centre));
        add("edge", w.edge * (white.edge - black.edge));
        add("support", w.support * (white.support - black.support));
        add("balance", w.balance * (white.skew - black.skew));
        add("mobility", w.mobility * (white.mobility - black.mobility));
        add("runaway", w.runaway * (white.runaway - black.runaway));
        if position.kings.any() {
            let [white, black] = [king_mobility::<R, White>(position), king_mobility::<R, Black>(position)];
            add("king mobility", w.king_mobility * (white - black));
            add("drive", w.drive * drive::<R>(position));
        }
    }

    /// Makes little of an advantage that hardly wins: `sum` from White. Few pieces cannot catch a flying king, and with
    /// as many kings on both sides a man is not much (Scan's eval.cpp).
    #[inline]
    fn scaled<R: Rules>(&self, position: &Position<Word<R>>, hunt: Option<&Hunt<R>>, sum: i32) -> i32 {
        if let Some(hunt) = hunt {
            return hunt.scaled(sum);
        }
        if !(R::MOVES.king_slides && R::MOVES.king_jumps_afar)
            || self.goal != Goal::LastMove
            || position.kings.is_empty()
        {
            return sum;
        }
        let ahead = if sum > 0 { Side::White } else { Side::Black };
        let ((men, kings), (other_men, other_kings)) =
            (position.material(ahead), position.material(ahead.other()));
        let elusive = const { R::MOVES.king_capture.same(Dirs::DIAGONAL) };
        if elusive && other_kings > 0 && men + kings <= 3 {
            sum / 8
        } else if kings == other_kings && men.abs_diff(other_men) <= 1 {
            sum / 2
        } else {
            sum
        }
    }
}

/// What is counted for each side.
struct Counts {
    men: i32,
    kings: i32,
    advance: i32,
    back_rank: i32,
    centre: i32,
    edge: i32,
    support: i32,
    skew: i32,
    mobility: i32,
    runaway: i32,
}

impl Counts {
    #[inline(always)]
    fn of<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Self {
        let side = T::SIDE;
        let (men, kings) = (position.men(side), position.kings(side));
        let empty = squares::<R::Board>().minus(position.occupied());
        let count = |set: Word<R>| set.count() as i32;
        let mut mobility = 0;
        let mut support = 0;
        for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
            mobility += count(men & step_back::<R::Board, D>(empty));
            support += count(men & step::<R::Board, D>(men));
        });
        let free = men.minus(shadow::<R, T::Other>(position.side(side.other())));
        Self {
            men: count(men),
            kings: count(kings),
            advance: masks::advance::<R>(men, side),
            back_rank: count(men & masks::back_rank::<R>(side)),
            centre: count(men & masks::centre::<R>()),
            edge: count(men & masks::edge::<R>()),
            support,
            skew: -(count(men & masks::left::<R>()) - count(men & masks::right::<R>())).abs(),
            mobility,
            runaway: if free.any() { masks::advance::<R>(free, side) } else { 0 },
        }
    }
}

/// The squares that the men of `T` would cover on their way on: what stands there is not past them.
#[inline(always)]
fn shadow<R: Rules, T: Turn>(pieces: Word<R>) -> Word<R> {
    let mut shadow = pieces;
    for _ in 1..const { R::Board::LAYOUT.height } {
        let mut next = Word::<R>::EMPTY;
        for_each_direction!(directions::<R, T>(ahead::<R>()), D => {
            next |= step::<R::Board, D>(shadow);
        });
        shadow |= next & squares::<R::Board>();
    }
    shadow
}

/// The directions in which White's men come nearer to promotion.
const fn ahead<R: Rules>() -> Dirs {
    use crate::board::{N, NE, NW};
    R::MOVES.man_quiet.both(Dirs::of(&[N, NE, NW]))
}

/// How many squares the kings of `T` can go to.
#[inline]
fn king_mobility<R: Rules, T: Turn>(position: &Position<Word<R>>) -> i32 {
    let occupied = position.occupied();
    let empty = squares::<R::Board>().minus(occupied);
    let kings = position.kings(T::SIDE);
    let mut total = 0;
    if const { R::MOVES.king_slides } {
        for king in kings.iter() {
            for_each_direction!(R::MOVES.king_quiet, D => {
                total += slide::<R::Board, D>(king, occupied).0.count();
            });
        }
    } else {
        for_each_direction!(R::MOVES.king_quiet, D => {
            total += (kings & step_back::<R::Board, D>(empty)).count();
        });
    }
    total as i32
}

/// Helps the side that has more pieces to win: its opponent's kings belong at the edge, and its own near them. From White.
fn drive<R: Rules>(position: &Position<Word<R>>) -> i32 {
    let [white, black] = Side::BOTH.map(|side| position.side(side).count());
    if white + black > ENDING || white == black {
        return 0;
    }
    let strong = if white > black { Side::White } else { Side::Black };
    let hunted = position.kings(strong.other());
    let mut total = 0;
    for weak in hunted.iter() {
        total += masks::eccentricity::<R>(weak);
        for king in position.kings(strong).iter() {
            total -= masks::distance::<R>(king, weak);
        }
    }
    if strong == Side::White { total } else { -total }
}

/// The difference of the numbers of moves in Konane, from White.
fn konane_mobility<R: Rules>(position: &Position<Word<R>>) -> i32 {
    let [white, black] = Side::BOTH.map(|turn| movegen::count::<R>(&Position { turn, ..*position }) as i32);
    white - black
}

/// The evaluation of a position, from the side to move.
pub fn evaluate<R: Rules>(game: &Game, position: &Position<Word<R>>) -> Score {
    Evaluator::new::<R>(game).score::<R>(position)
}

/// The terms of the evaluation with their names, from the side to move. Their sum is [`evaluate`] unless that had to be
/// brought into the band of evaluations.
pub fn terms<R: Rules>(game: &Game, position: &Position<Word<R>>) -> Vec<(&'static str, Score)> {
    let evaluator = Evaluator::new::<R>(game);
    let sign = if position.turn == Side::White { 1 } else { -1 };
    let hunt = evaluator.hunt::<R>(position);
    let mut terms = Vec::new();
    let mut sum = 0;
    evaluator.each_term::<R>(position, hunt.as_ref(), |name, value| {
        sum += value;
        terms.push((name, Score::new(sign * value)));
    });
    terms.push(("scaling", Score::new(sign * (evaluator.scaled::<R>(position, hunt.as_ref(), sum) - sum))));
    terms
}
