//! The hand-made evaluation: a term is a weight times a count; counts come from whole-board operations, and only kings are
//! looked at one by one.

use super::counts::{drive, king_mobility, shadow};
use super::masks;
use super::weights::Weights;
use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, for_each_direction, squares, step, step_back};
use crate::movegen;
use crate::position::Position;
use crate::rules::{Rules, Word, directions};

/// Passes each term, from White, to `add`.
#[inline(always)]
pub(super) fn each_term<R: Rules>(
    w: &Weights,
    position: &Position<Word<R>>,
    mut add: impl FnMut(&'static str, i32),
) {
    let turn = if position.turn == Side::White { 1 } else { -1 };
    add("turn", w.turn * turn);
    if const { R::MOVES.konane } {
        return add("mobility", w.mobility * konane_mobility::<R>(position));
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

/// The difference of the numbers of moves in Konane, from White.
fn konane_mobility<R: Rules>(position: &Position<Word<R>>) -> i32 {
    let [white, black] = Side::BOTH.map(|turn| movegen::count::<R>(&Position { turn, ..*position }) as i32);
    white - black
}
