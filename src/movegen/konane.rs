//! Hawaiian checkers: each side removes one stone, then stones jump straight on and may stop after any jump.

use super::capture::jump_off;
use super::{Receiver, empty};
use crate::bits::Bits;
use crate::board::{Board, Dirs, Layout, Turn, for_each_direction, step};
use crate::position::{Move, Position};
use crate::rules::{Rules, Word};

/// The squares from which the first stone may be taken: a8, d5, e4 and h1 (BK 94).
const fn first_removals(layout: &Layout) -> u128 {
    let (mut set, mut i) = (0, 0);
    while i < 4 {
        let file = [0, 3, 4, 7][i];
        if let Some(square) = layout.square_at(file, 7 - file) {
            set |= 1 << layout.bit_of[square];
        }
        i += 1;
    }
    set
}

/// The stones that may be removed, if this is one of the two opening removals.
fn removals<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Option<Word<R>> {
    let free = empty::<R>(position);
    let own = position.side(T::SIDE);
    match free.count() {
        0 => Some(own & Word::<R>::from_u128(const { first_removals(&R::Board::LAYOUT) })),
        1 => {
            let mut near = Word::<R>::EMPTY;
            for_each_direction!(Dirs::ORTHOGONAL, D => {
                near |= step::<R::Board, D>(free);
            });
            Some(own & near)
        }
        _ => None,
    }
}

/// Hands all moves to `receiver`.
pub(super) fn generate<R: Rules, T: Turn>(position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
    if let Some(stones) = removals::<R, T>(position) {
        for captured in stones.singles() {
            let stone = captured.lowest() as u8;
            receiver.other::<T>(Move { captured, from: stone, to: stone, promotes: false });
        }
        return;
    }
    let (own, enemy) = (position.side(T::SIDE), position.side(<T::Other as Turn>::SIDE));
    let free = empty::<R>(position);
    for_each_direction!(R::MOVES.man_capture, D => {
        for from in (own & jump_off::<R, D>(enemy, free)).iter() {
            let mut captured = Word::<R>::EMPTY;
            let mut over = step::<R::Board, D>(Word::<R>::bit(from)) & enemy;
            let mut land = step::<R::Board, D>(over) & free;
            while land.any() {
                captured |= over;
                receiver.other::<T>(Move { captured, from: from as u8, to: land.lowest() as u8, promotes: false });
                over = step::<R::Board, D>(land) & enemy;
                land = step::<R::Board, D>(over) & free;
            }
        }
    });
}

/// The number of moves: all stones jump on in step.
pub(super) fn count<R: Rules, T: Turn>(position: &Position<Word<R>>) -> u64 {
    if let Some(stones) = removals::<R, T>(position) {
        return u64::from(stones.count());
    }
    let free = empty::<R>(position);
    let (own, enemy) = (position.side(T::SIDE), position.side(<T::Other as Turn>::SIDE));
    let mut total = 0;
    for_each_direction!(R::MOVES.man_capture, D => {
        let mut stones = own & jump_off::<R, D>(enemy, free);
        while stones.any() {
            total += u64::from(stones.count());
            stones = step::<R::Board, D>(step::<R::Board, D>(stones)) & jump_off::<R, D>(enemy, free);
        }
    });
    total
}
