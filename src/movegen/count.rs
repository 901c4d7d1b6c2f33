//! Counting legal moves without making a list: popcounts, and a hunt only for pieces that can jump twice or fly.

use super::capture::{self, jump_off, man_targets, other_capturers};
use super::quiet::{count_lines, king_targets, movers};
use super::{MoveList, empty, konane, promotion, quiet_moves_allowed, walkers};
use crate::bits::Bits;
use crate::board::{Black, Side, Turn, White, for_each_direction, step, step_back};
use crate::position::Position;
use crate::rules::{Promotion, Rules, Term, Word, directions};

/// The number of legal moves.
pub fn count<R: Rules>(position: &Position<Word<R>>) -> u64 {
    let mut scratch = Vec::new();
    match position.turn {
        Side::White => count_for::<R, White>(position, &mut scratch),
        Side::Black => count_for::<R, Black>(position, &mut scratch),
    }
}

/// The number of legal moves of `T`, whose turn it must be; `scratch` is cleared and used.
#[inline(always)]
pub(super) fn count_for<R: Rules, T: Turn>(position: &Position<Word<R>>, scratch: &mut MoveList<R>) -> u64 {
    if const { R::MOVES.konane } {
        return konane::count::<R, T>(position, scratch);
    }
    if const { !counts_in_parallel::<R>() } {
        let capturers = capture::capturers::<R, T>(position);
        let captures = if capturers.any() { hunted::<R, T>(position, capturers, scratch) } else { 0 };
        let quiet =
            if quiet_moves_allowed::<R, T>(position, capturers) { quiet::<R, T>(position) } else { 0 };
        return captures + quiet;
    }
    let men = walkers::<R, T>(position);
    let targets = man_targets::<R, T>(position);
    let free = empty::<R>(position);
    let mut jump_from = Word::<R>::EMPTY;
    for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
        jump_from |= jump_off::<R, D>(targets, free);
    });
    let others = other_capturers::<R, T>(position);
    if (others | (men & jump_from)).is_empty() {
        return quiet::<R, T>(position);
    }
    if others.any() || ranks_captured_kings::<R, T>(position) {
        return hunted::<R, T>(position, others | (men & jump_from), scratch);
    }
    captures_of_men::<R, T>(position, men, jump_from, scratch)
}

/// Whether captures by men are counted by popcount where none can go on: not where a first jump or parachutists are
/// special.
const fn counts_in_parallel<R: Rules>() -> bool {
    let first = directions::<R, White>(R::MOVES.man_first_capture);
    let all = directions::<R, White>(R::MOVES.man_capture);
    !R::MOVES.has_parachutists() && first.both(all).same(all)
}

/// Whether men must choose by the kind of the pieces they take, and there is a choice of kinds.
#[inline(always)]
fn ranks_captured_kings<R: Rules, T: Turn>(position: &Position<Word<R>>) -> bool {
    let by_kind = const {
        R::MOVES.man_takes_king && (R::MOVES.chooses_by(Term::KingsTaken) || R::MOVES.chooses_by(Term::Value))
    };
    by_kind && position.kings(<T::Other as Turn>::SIDE).any()
}

/// Captures where only men capture and all captured pieces count the same. `jump_from` are the squares from which a
/// man of `T` could jump. A man that has jumped can go on if its landing square is one of them: the piece it has jumped
/// cannot be meant, since behind that stands the man itself in `position`.
#[inline(always)]
fn captures_of_men<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    men: Word<R>,
    jump_from: Word<R>,
    scratch: &mut MoveList<R>,
) -> u64 {
    let targets = man_targets::<R, T>(position);
    let free = empty::<R>(position);
    let crown = promotion::<R, T>();
    let again = match const { R::MOVES.promotion } {
        Promotion::Stops => jump_from.minus(crown),
        Promotion::InPassing => jump_from | crown,
        _ => jump_from,
    };
    let mut twice = Word::<R>::EMPTY;
    for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
        let land = step::<R::Board, D>(step::<R::Board, D>(men) & targets) & free & again;
        twice |= step_back::<R::Board, D>(step_back::<R::Board, D>(land));
    });
    let mut total = 0;
    if !(twice.any() && const { R::MOVES.chooses_by(Term::Count) || R::MOVES.chooses_by(Term::Value) }) {
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            total += u64::from((men.minus(twice) & jump_off::<R, D>(targets, free)).count());
        });
    }
    if twice.any() {
        let longer =
            const { R::MOVES.chooses_by(Term::Count) && matches!(R::MOVES.promotion, Promotion::InPassing) };
        // With promotion in passing "again" may be a false alarm, so that single captures must be compared as well.
        total = if longer {
            hunted::<R, T>(position, men & jump_from, scratch)
        } else {
            total + hunted::<R, T>(position, twice, scratch)
        };
    }
    total
}

/// Captures of `capturers`, one by one.
#[inline(never)]
fn hunted<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    capturers: Word<R>,
    scratch: &mut MoveList<R>,
) -> u64 {
    scratch.clear();
    capture::generate::<R, T>(position, capturers, scratch);
    scratch.len() as u64
}

/// The number of quiet moves.
#[inline(always)]
fn quiet<R: Rules, T: Turn>(position: &Position<Word<R>>) -> u64 {
    let mut total = 0;
    for_each_direction!(directions::<R, T>(R::MOVES.man_quiet), D => {
        total += u64::from(movers::<R, T, D>(position).count());
        if const { R::MOVES.lines } {
            total += count_lines::<R, T, D>(position);
        }
    });
    let kings = position.kings(T::SIDE);
    if kings.any() {
        let free = empty::<R>(position);
        if const { R::MOVES.king_slides } {
            for king in kings.iter() {
                total += u64::from(king_targets::<R, T>(king, free).count());
            }
        } else {
            for_each_direction!(R::MOVES.king_quiet, D => {
                total += u64::from((kings & step_back::<R::Board, D>(free)).count());
            });
        }
    }
    total
}
