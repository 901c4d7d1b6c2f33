//! Captures by men, all men at once.
//!
//! The squares from which a man could jump in a direction, `jump_off`, are found from the whole board. A set of men that
//! jump in one direction lands, as a set, two steps further; where it meets `jump_off` again, those men go on. Two
//! facts make this exact although the board changes during a capture:
//!
//! * A man that turns by 180 degrees would jump the piece it has just jumped, so that turn is left out. After the first
//!   jump the board itself forbids it: behind the jumped piece stands the man.
//! * The next square that the capture itself has changed is the start, and the third jump at the earliest can come back
//!   there, or to the first captured piece: on the eight lines of Frisian draughts, where those cases are told apart;
//!   diagonal jumps need four. Men that never move backward cannot come back at all.
//!
//! So captures of up to two jumps are counted by popcount, and men that can jump three times are left to the hunt unless
//! they never move backward. Different courses of these captures take different sets of pieces: no move counts twice.

use super::capture::{jump_off, man_targets};
use super::{Receiver, empty, promotion, walkers};
use crate::bits::Bits;
use crate::board::{
    Board, Cells, Dirs, S, SE, SW, Turn, White, for_each_direction, opposite, step, step_back,
};
use crate::position::Position;
use crate::rules::{Promotion, Rules, Term, Word, directions};

/// Whether a move's worth does not depend on the kinds of the captured pieces, men may begin with any jump and there
/// are no parachutists: what this module needs.
pub(super) const fn applies<R: Rules>() -> bool {
    let first = directions::<R, White>(R::MOVES.man_first_capture);
    let all = directions::<R, White>(R::MOVES.man_capture);
    !R::MOVES.has_parachutists() && first.both(all).same(all)
}

/// Whether the longest capture must be chosen.
pub(super) const fn majority<R: Rules>() -> bool {
    R::MOVES.chooses_by(Term::Count) || R::MOVES.chooses_by(Term::Value)
}

/// Whether men never capture backward.
const fn forward_only<R: Rules>() -> bool {
    directions::<R, White>(R::MOVES.man_capture).both(Dirs::of(&[S, SE, SW])).is_empty()
}

/// The sum of steps in three directions, as (files, ranks). A step along a file or rank of dark squares is two squares
/// long.
const fn sum<R: Rules>(directions: [usize; 3]) -> (i32, i32) {
    let long = if matches!(<R::Board as Board>::LAYOUT.cells, Cells::Dark) { 2 } else { 1 };
    let steps = [(0, long), (1, 1), (long, 0), (1, -1), (0, -long), (-1, -1), (-long, 0), (-1, 1)];
    let (mut files, mut ranks, mut i) = (0, 0, 0);
    while i < 3 {
        let (x, y) = steps[directions[i]];
        files += x;
        ranks += y;
        i += 1;
    }
    (files, ranks)
}

/// Whether three jumps in these directions end where they began.
const fn closes<R: Rules>(first: usize, second: usize, third: usize) -> bool {
    matches!(sum::<R>([first, second, third]), (0, 0))
}

/// Whether the third of three jumps in these directions would be over the first captured piece.
const fn meets_first<R: Rules>(first: usize, second: usize, third: usize) -> bool {
    let ((x, y), (dx, dy)) = (sum::<R>([first, second, third]), sum::<R>([second, second, opposite(second)]));
    x + dx == 0 && y + dy == 0
}

/// What the men of one side can capture.
#[derive(Clone, Copy)]
pub(super) struct Jumps<R: Rules> {
    men: Word<R>,
    targets: Word<R>,
    /// Squares from which a man could jump, by direction.
    by: [Word<R>; 8],
    /// The same in any direction.
    from: Word<R>,
    /// Squares from which a man that has landed there might go on.
    again: Word<R>,
}

impl<R: Rules> Jumps<R> {
    /// Looks at the men of `T`.
    #[inline(always)]
    pub(super) fn of<T: Turn>(position: &Position<Word<R>>) -> Self {
        let (targets, free) = (man_targets::<R, T>(position), empty::<R>(position));
        let (mut by, mut from) = ([Word::<R>::EMPTY; 8], Word::<R>::EMPTY);
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            by[D] = jump_off::<R, D>(targets, free);
            from |= by[D];
        });
        let again = match const { R::MOVES.promotion } {
            Promotion::Stops => from.minus(promotion::<R, T>()),
            Promotion::InPassing => from | promotion::<R, T>(),
            _ => from,
        };
        Self { men: walkers::<R, T>(position), targets, by, from, again }
    }

    /// The men that can capture.
    #[inline(always)]
    pub(super) fn capturers(&self) -> Word<R> {
        self.men & self.from
    }

    /// Where the pieces of `set` land that jump in direction `D`.
    #[inline(always)]
    fn land<const D: usize>(&self, set: Word<R>) -> Word<R> {
        two_steps::<R, D>(set & self.by[D])
    }

    /// The squares of `set` from which a man can jump in direction `D`.
    #[inline(always)]
    pub(super) fn jumpers<const D: usize>(&self, set: Word<R>) -> Word<R> {
        set & self.by[D]
    }

    /// The number of captures, and the men that must be hunted instead: with free choice beside those counted, under
    /// the majority rule in their place.
    #[inline(always)]
    pub(super) fn count<T: Turn>(&self) -> (u64, Word<R>) {
        let (mut jumpers, mut landed) = (0, Word::<R>::EMPTY);
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            jumpers += self.jumpers::<D>(self.men).count();
            landed |= self.land::<D>(self.men);
        });
        if !landed.meets(self.again) {
            return (u64::from(jumpers), Word::<R>::EMPTY);
        }
        // A copy, so that the common case above keeps all this in registers.
        let copy = *self;
        if const { forward_only::<R>() && !matches!(R::MOVES.promotion, Promotion::InPassing) } {
            (copy.count_forward::<T>(), Word::<R>::EMPTY)
        } else {
            copy.count_twice::<T>()
        }
    }

    /// Hands all captures to `receiver`; the men must be the only capturers.
    #[inline(always)]
    pub(super) fn generate<T: Turn>(&self, position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
        let mut landed = Word::<R>::EMPTY;
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            landed |= self.land::<D>(self.men);
        });
        if landed.meets(self.again) {
            self.generate_longer::<T>(position, receiver);
        } else {
            self.generate_singles::<T>(self.men, receiver);
        }
    }

    /// Captures of one jump of `men`, but not those after which they might go on.
    #[inline(always)]
    fn generate_singles<T: Turn>(&self, men: Word<R>, receiver: &mut impl Receiver<R>) {
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            for to in self.land::<D>(men).minus(self.again).singles() {
                let over = step_back::<R::Board, D>(to);
                receiver.jump::<T>(step_back::<R::Board, D>(over), over, to);
            }
        });
    }

    /// As [`Jumps::generate`], where some men might jump twice.
    #[inline(never)]
    fn generate_longer<T: Turn>(&self, position: &Position<Word<R>>, receiver: &mut impl Receiver<R>) {
        let hunted = self.thrice::<T>();
        if hunted.any() {
            // A crowning on the way may turn out to lead nowhere: then shorter captures are as good.
            let exact = const { !matches!(R::MOVES.promotion, Promotion::InPassing) };
            let all = const { majority::<R>() } && !exact;
            receiver.hunt::<T>(position, if all { self.capturers() } else { hunted });
            if const { majority::<R>() } {
                return;
            }
        }
        let men = self.men.minus(hunted);
        let mut doubles = false;
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), FIRST => {
            let first = self.land::<FIRST>(men) & self.again;
            if first.any() {
                for_each_direction!(directions::<R, T>(R::MOVES.man_capture), SECOND => {
                    if const { SECOND != opposite(FIRST) } {
                        for to in self.land::<SECOND>(first).singles() {
                            doubles = true;
                            let second = step_back::<R::Board, SECOND>(to);
                            let first = step_back::<R::Board, FIRST>(step_back::<R::Board, SECOND>(second));
                            receiver.jump::<T>(step_back::<R::Board, FIRST>(first), first | second, to);
                        }
                    }
                });
            }
        });
        if !(doubles && const { majority::<R>() }) {
            self.generate_singles::<T>(men, receiver);
        }
    }

    /// Captures of men that never go backward, of any length.
    #[inline(never)]
    fn count_forward<T: Turn>(&self) -> u64 {
        let mut ended = [0; LONGEST];
        self.follow::<T>(self.men, NO_DIRECTION, 0, &mut ended);
        if const { majority::<R>() } {
            ended.into_iter().rfind(|&count| count != 0).unwrap_or(0)
        } else {
            ended.iter().sum()
        }
    }

    /// Follows men that stand on `set` after `jumps` jumps, the last in direction `last`; counts the captures that end by
    /// their number of jumps less one.
    fn follow<T: Turn>(&self, set: Word<R>, last: usize, jumps: usize, ended: &mut [u64; LONGEST]) {
        if set.is_empty() || jumps >= LONGEST {
            return;
        }
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            if last != opposite(D) {
                let land = self.land::<D>(set);
                let again = land & self.again_after::<T, D>();
                ended[jumps] += u64::from(land.minus(again).count());
                self.follow::<T>(again, D, jumps + 1, ended);
            }
        });
    }

    /// Squares from which a man that has landed there in direction `LAST` might go on without turning back.
    #[inline(always)]
    fn again_after<T: Turn, const LAST: usize>(&self) -> Word<R> {
        if const { !directions::<R, T>(R::MOVES.man_capture).has(opposite(LAST)) } {
            return self.again;
        }
        let mut from = Word::<R>::EMPTY;
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), D => {
            if const { D != opposite(LAST) } {
                from |= self.by[D];
            }
        });
        match const { R::MOVES.promotion } {
            Promotion::Stops => from.minus(promotion::<R, T>()),
            Promotion::InPassing => from | promotion::<R, T>(),
            _ => from,
        }
    }

    /// Captures of one and two jumps; men that can jump three times or are crowned on the way are left to the hunt.
    #[inline(never)]
    fn count_twice<T: Turn>(&self) -> (u64, Word<R>) {
        let hunted = self.thrice::<T>();
        if const { majority::<R>() } && hunted.any() {
            let exact = const { !matches!(R::MOVES.promotion, Promotion::InPassing) };
            return (0, if exact { hunted } else { self.capturers() });
        }
        let men = self.men.minus(hunted);
        let (mut singles, mut doubles) = (0, 0);
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), FIRST => {
            let first = self.land::<FIRST>(men);
            singles += first.minus(self.again).count();
            let first = first & self.again;
            if first.any() {
                for_each_direction!(directions::<R, T>(R::MOVES.man_capture), SECOND => {
                    if const { SECOND != opposite(FIRST) } {
                        doubles += self.jumpers::<SECOND>(first).count();
                    }
                });
            }
        });
        let total = if const { majority::<R>() } && doubles != 0 { doubles } else { singles + doubles };
        (u64::from(total), hunted)
    }

    /// The men that can jump three times or are crowned on the way.
    #[inline(always)]
    fn thrice<T: Turn>(&self) -> Word<R> {
        let mut found = Word::<R>::EMPTY;
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), FIRST => {
            let first = self.land::<FIRST>(self.men) & self.again;
            if first.any() {
                let mut reach = Word::<R>::EMPTY;
                if const { matches!(R::MOVES.promotion, Promotion::InPassing) } {
                    reach = first & promotion::<R, T>();
                }
                for_each_direction!(directions::<R, T>(R::MOVES.man_capture), SECOND => {
                    if const { SECOND != opposite(FIRST) } {
                        let second = self.land::<SECOND>(first);
                        if second.any() {
                            reach |= two_back::<R, SECOND>(self.third::<T, FIRST, SECOND>(second));
                        }
                    }
                });
                found |= two_back::<R, FIRST>(reach);
            }
        });
        found
    }

    /// The squares of `second`, reached by jumps in directions `FIRST` and `SECOND`, from which men go on.
    #[inline(always)]
    fn third<T: Turn, const FIRST: usize, const SECOND: usize>(&self, second: Word<R>) -> Word<R> {
        let mut goes_on = Word::<R>::EMPTY;
        if const { matches!(R::MOVES.promotion, Promotion::InPassing) } {
            goes_on = second & promotion::<R, T>();
        }
        let second = match const { R::MOVES.promotion } {
            Promotion::Stops => second.minus(promotion::<R, T>()),
            _ => second,
        };
        for_each_direction!(directions::<R, T>(R::MOVES.man_capture), THIRD => {
            if const { THIRD != opposite(SECOND) && !meets_first::<R>(FIRST, SECOND, THIRD) } {
                goes_on |= self.jumpers::<THIRD>(second);
                if const { closes::<R>(FIRST, SECOND, THIRD) } {
                    goes_on |= second & step_back::<R::Board, THIRD>(self.targets);
                }
            }
        });
        goes_on
    }
}

/// Two steps in direction `D`.
#[inline(always)]
fn two_steps<R: Rules, const D: usize>(set: Word<R>) -> Word<R> {
    step::<R::Board, D>(step::<R::Board, D>(set))
}

/// Two steps against direction `D`.
#[inline(always)]
fn two_back<R: Rules, const D: usize>(set: Word<R>) -> Word<R> {
    step_back::<R::Board, D>(step_back::<R::Board, D>(set))
}

/// No jump yet.
const NO_DIRECTION: usize = 8;
/// More jumps than a man that never goes backward can make on any board: one a rank, and sideways ones between.
const LONGEST: usize = 32;
