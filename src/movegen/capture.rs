//! Captures: a depth-first hunt from each piece that can capture, keeping the captures with the greatest key.

use super::{MoveList, empty, parachutists, promotion, walkers};
use crate::bits::Bits;
use crate::board::{
    Board, Dirs, MAX_SQUARES, Turn, for_each_direction, nearest, opposite, slide, step, step_back,
};
use crate::position::{Move, Position};
use crate::rules::{Landing, Parachutists, Promotion, Removal, Rules, Term, Word, directions};
use std::collections::{HashMap, HashSet};

/// A capture with its course: which pieces in which order, and the square after each jump. Where a flying piece could
/// have stopped on several squares without a turn, the square directly behind the captured piece is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route<B> {
    /// The move.
    pub mv: Move<B>,
    /// The bits of the captured pieces in order.
    pub over: Vec<u8>,
    /// The bit landed on after each jump; the last one is `mv.to`.
    pub landings: Vec<u8>,
}

/// Jumps of a man of `T`.
const fn man_directions<R: Rules, T: Turn>() -> Dirs {
    directions::<R, T>(R::MOVES.man_capture)
}
/// Jumps of a man of `T` that may begin a capture.
const fn first_directions<R: Rules, T: Turn>() -> Dirs {
    directions::<R, T>(R::MOVES.man_capture).both(directions::<R, T>(R::MOVES.man_first_capture))
}
/// Jumps of a parachutist of `T`: off its promotion rank.
const fn parachute_directions<R: Rules, T: Turn>() -> Dirs {
    directions::<R, T>(Dirs::DIAGONAL_AHEAD).mirrored()
}

/// The enemy pieces that a man of `T` may capture.
#[inline(always)]
pub(super) fn man_targets<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    let enemy = <T::Other as Turn>::SIDE;
    if const { R::MOVES.man_takes_king } { position.side(enemy) } else { position.men(enemy) }
}

/// The squares from which a short piece jumps in direction `D` over one of `targets` to one of `free`.
#[inline(always)]
pub(super) fn jump_off<R: Rules, const D: usize>(targets: Word<R>, free: Word<R>) -> Word<R> {
    step_back::<R::Board, D>(targets & step_back::<R::Board, D>(free))
}

/// The pieces of `T` that can capture, before any choice among captures.
#[inline(always)]
pub(super) fn capturers<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    let free = empty::<R>(position);
    let targets = man_targets::<R, T>(position);
    let mut found = Word::<R>::EMPTY;
    let mut from = Word::<R>::EMPTY;
    for_each_direction!(first_directions::<R, T>(), D => {
        from |= jump_off::<R, D>(targets, free);
    });
    found |= walkers::<R, T>(position) & from;
    found | other_capturers::<R, T>(position)
}

/// The kings and parachutists of `T` that can capture.
#[inline(always)]
pub(super) fn other_capturers<R: Rules, T: Turn>(position: &Position<Word<R>>) -> Word<R> {
    let free = empty::<R>(position);
    let enemy = position.side(<T::Other as Turn>::SIDE);
    let mut found = Word::<R>::EMPTY;
    if const { R::MOVES.has_parachutists() } {
        for_each_direction!(parachute_directions::<R, T>(), D => {
            found |= parachutists::<R, T>(position) & jump_off::<R, D>(enemy, free);
        });
    }
    let kings = position.kings(T::SIDE);
    if kings.is_empty() {
        return found;
    }
    if const { R::MOVES.king_jumps_afar } {
        for king in kings.iter() {
            if flying_king_captures::<R>(king, enemy, free, position.occupied()) {
                found |= Word::<R>::bit(king);
            }
        }
    } else {
        for_each_direction!(R::MOVES.king_capture, D => {
            found |= kings & jump_off::<R, D>(enemy, free);
        });
    }
    found
}

fn flying_king_captures<R: Rules>(at: usize, enemy: Word<R>, free: Word<R>, occupied: Word<R>) -> bool {
    for_each_direction!(R::MOVES.king_capture, D => {
        let blockers = R::Board::ray(D, at) & occupied;
        if blockers.any() {
            let over = Word::<R>::bit(nearest::<R::Board, D>(blockers)) & enemy;
            if step::<R::Board, D>(over).meets(free) {
                return true;
            }
        }
    });
    false
}

/// Appends the captures of `capturers` (all pieces that can capture, or those that can make the best ones).
pub(super) fn generate<R: Rules, T: Turn>(
    position: &Position<Word<R>>,
    capturers: Word<R>,
    list: &mut MoveList<R>,
) {
    let start = list.len();
    hunt::<R, T, _>(position, capturers, &mut Unique { list, start, piece: start, known: HashSet::new() });
}

/// All captures with their courses. Captures of the same pieces in another order are listed separately. In contrived
/// positions with more than [`COURSE_BUDGET`] jumps to look at, some courses may be missing.
pub fn routes<R: Rules>(position: &Position<Word<R>>) -> Vec<Route<Word<R>>> {
    let mut all = Courses { list: Vec::new(), known: HashSet::new() };
    match position.turn {
        crate::board::Side::White => {
            let capturers = capturers::<R, crate::board::White>(position);
            hunt::<R, crate::board::White, _>(position, capturers, &mut all);
        }
        crate::board::Side::Black => {
            let capturers = capturers::<R, crate::board::Black>(position);
            hunt::<R, crate::board::Black, _>(position, capturers, &mut all);
        }
    }
    all.list
}

/// Jumps that [`routes`] looks at before it gives up finding more.
pub const COURSE_BUDGET: u32 = 1 << 20;
/// Jumps of one piece after which positions within its capture are remembered, so that none is looked at twice: contrived
/// positions have billions of courses to a few thousand captures. Positions of play stay far below and pay nothing.
const MEMORY_FROM: u32 = 4096;

/// Receives captures as they are found.
trait Sink<B> {
    /// Whether each order of captured pieces counts, so that a position within a capture must be looked at again when it
    /// is reached in another way.
    const COURSES: bool;
    /// A piece begins to be looked at.
    fn next_piece(&mut self);
    /// A capture with a greater key than all before was found; those are void.
    fn clear(&mut self);
    /// A capture.
    fn push(&mut self, mv: Move<B>, trail: &Trail);
}

/// The course so far.
struct Trail {
    over: [u8; MAX_SQUARES],
    landings: [u8; MAX_SQUARES],
    jumps: usize,
}

/// Keeps one move of each start, end, captured set and promotion.
struct Unique<'a, B> {
    list: &'a mut Vec<Move<B>>,
    start: usize,
    piece: usize,
    /// The moves of the piece, once they are too many to be compared one by one.
    known: HashSet<Move<B>>,
}

/// As many moves of one piece are compared one by one.
const FEW: usize = 64;

impl<B: Bits> Unique<'_, B> {
    #[cold]
    fn is_new(&mut self, mv: Move<B>) -> bool {
        if self.known.is_empty() {
            self.known.extend(&self.list[self.piece..]);
        }
        self.known.insert(mv)
    }
}

impl<B: Bits> Sink<B> for Unique<'_, B> {
    const COURSES: bool = false;
    fn next_piece(&mut self) {
        self.piece = self.list.len();
        self.known.clear();
    }
    fn clear(&mut self) {
        self.list.truncate(self.start);
        self.piece = self.start;
        self.known.clear();
    }
    #[inline]
    fn push(&mut self, mv: Move<B>, _: &Trail) {
        let listed = &self.list[self.piece..];
        if if listed.len() < FEW { !listed.contains(&mv) } else { self.is_new(mv) } {
            self.list.push(mv);
        }
    }
}

/// Keeps one move of each start, end, order of captured pieces and promotion, with its course.
struct Courses<B> {
    list: Vec<Route<B>>,
    known: HashSet<(Move<B>, Vec<u8>)>,
}

impl<B: Bits> Sink<B> for Courses<B> {
    const COURSES: bool = true;
    fn next_piece(&mut self) {}
    fn clear(&mut self) {
        self.list.clear();
        self.known.clear();
    }
    fn push(&mut self, mv: Move<B>, trail: &Trail) {
        let over = trail.over[..trail.jumps].to_vec();
        if self.known.insert((mv, over.clone())) {
            self.list.push(Route { mv, over, landings: trail.landings[..trail.jumps].to_vec() });
        }
    }
}

/// One capture search. `T` moves; the piece in hand is off the board.
struct Hunt<'a, R: Rules, S> {
    sink: &'a mut S,
    enemy_kings: Word<R>,
    /// What the piece in hand may capture as a man, and as a king.
    targets: [Word<R>; 2],
    /// Empty squares, the start square included.
    free: Word<R>,
    /// Squares from which a man could jump, if the starts of all capturers were empty.
    jump_from: Word<R>,
    /// Pieces of both sides without the piece in hand.
    occupied: Word<R>,
    from: u8,
    by_king: bool,
    promoted: bool,
    best: u64,
    trail: Trail,
    /// Jumps looked at for the piece in hand.
    work: u32,
    /// Whether there were jumps from a square, by square, captured pieces, last direction and whether going straight on
    /// was tried: the board and the future depend on nothing else.
    memory: HashMap<(u8, Word<R>, u8, bool), bool>,
}

fn hunt<R: Rules, T: Turn, S: Sink<Word<R>>>(position: &Position<Word<R>>, capturers: Word<R>, sink: &mut S) {
    let enemy = <T::Other as Turn>::SIDE;
    let mut hunt = Hunt::<R, S> {
        sink,
        enemy_kings: position.kings(enemy),
        targets: [man_targets::<R, T>(position), position.side(enemy)],
        free: Word::<R>::EMPTY,
        occupied: Word::<R>::EMPTY,
        jump_from: Word::<R>::EMPTY,
        from: 0,
        by_king: false,
        promoted: false,
        best: 0,
        trail: Trail { over: [0; MAX_SQUARES], landings: [0; MAX_SQUARES], jumps: 0 },
        work: 0,
        memory: HashMap::new(),
    };
    for_each_direction!(man_directions::<R, T>(), D => {
        hunt.jump_from |= jump_off::<R, D>(hunt.targets[0], empty::<R>(position) | capturers);
    });
    let parachutists = parachutists::<R, T>(position);
    for from in capturers.iter() {
        let bit = Word::<R>::bit(from);
        hunt.sink.next_piece();
        if hunt.work > MEMORY_FROM {
            hunt.memory.clear();
        }
        hunt.work = if S::COURSES { hunt.work } else { 0 };
        hunt.from = from as u8;
        hunt.free = empty::<R>(position) | bit;
        hunt.occupied = position.occupied().minus(bit);
        hunt.by_king = position.kings.meets(bit);
        if hunt.by_king {
            hunt.king_jumps::<T>(from, Word::<R>::EMPTY, NO_DIRECTION, true);
        } else if parachutists.meets(bit) {
            hunt.parachutist_jumps::<T>(bit);
        } else {
            hunt.man_begins::<T>(bit);
        }
    }
}

/// No direction yet: the capture begins.
const NO_DIRECTION: usize = 8;

impl<R: Rules, S: Sink<Word<R>>> Hunt<'_, R, S> {
    /// The squares that can be landed on or crossed once `captured` have been jumped.
    #[inline(always)]
    fn free(&self, captured: Word<R>) -> Word<R> {
        match const { R::MOVES.removal } {
            Removal::AtEnd => self.free,
            Removal::AtOnce => self.free | captured,
        }
    }

    #[inline]
    fn man_begins<T: Turn>(&mut self, at: Word<R>) {
        for_each_direction!(first_directions::<R, T>(), D => {
            self.man_jump::<T, D>(at, Word::<R>::EMPTY);
        });
    }

    fn parachutist_jumps<T: Turn>(&mut self, at: Word<R>) {
        for_each_direction!(parachute_directions::<R, T>(), D => {
            let over = step::<R::Board, D>(at) & self.targets[1];
            let land = step::<R::Board, D>(over) & self.free;
            if land.any() {
                self.enter(over, land);
                let goes_on = matches!(R::MOVES.parachutists, Parachutists::Some { goes_on: true, .. });
                if !(goes_on && self.man_goes_on::<T>(land, over)) {
                    self.found(land.lowest(), over, false);
                }
                self.leave();
            }
        });
    }

    /// Follows all jumps of a man from `at`; says whether there is one.
    fn man_goes_on<T: Turn>(&mut self, at: Word<R>, captured: Word<R>) -> bool {
        if !at.meets(self.jump_from) {
            return false;
        }
        let place = (at.lowest() as u8, captured, NO_DIRECTION as u8, false);
        if let Some(jumped) = self.recall(place) {
            return jumped;
        }
        let mut jumped = false;
        for_each_direction!(man_directions::<R, T>(), D => {
            jumped |= self.man_jump::<T, D>(at, captured);
        });
        self.remember(place, jumped);
        jumped
    }

    /// What is known of a place within a capture. Counts the work.
    #[inline(always)]
    fn recall(&mut self, place: (u8, Word<R>, u8, bool)) -> Option<bool> {
        self.work += 1;
        if self.work < MEMORY_FROM { None } else { self.recall_slowly(place) }
    }

    #[cold]
    fn recall_slowly(&self, place: (u8, Word<R>, u8, bool)) -> Option<bool> {
        if S::COURSES || R::MOVES.chooses_by(Term::KingsFirst) {
            return (S::COURSES && self.work > COURSE_BUDGET).then_some(true);
        }
        self.memory.get(&place).copied()
    }

    #[inline(always)]
    fn remember(&mut self, place: (u8, Word<R>, u8, bool), jumped: bool) {
        if !S::COURSES && self.work >= MEMORY_FROM {
            self.memory.insert(place, jumped);
        }
    }

    #[inline]
    fn man_jump<T: Turn, const D: usize>(&mut self, at: Word<R>, captured: Word<R>) -> bool {
        let over = step::<R::Board, D>(at) & self.targets[0].minus(captured);
        let land = step::<R::Board, D>(over) & self.free(captured);
        if land.is_empty() {
            return false;
        }
        self.enter(over, land);
        let captured = captured | over;
        let crowned = land.meets(promotion::<R, T>());
        let ends = match const { R::MOVES.promotion } {
            Promotion::Stops => crowned || !self.man_goes_on::<T>(land, captured),
            Promotion::InPassing if crowned => {
                self.promoted = true;
                let goes_on = self.king_jumps::<T>(land.lowest(), captured, D, true);
                self.promoted = false;
                !goes_on
            }
            _ => !self.man_goes_on::<T>(land, captured),
        };
        if ends {
            self.found(land.lowest(), captured, crowned);
        }
        self.leave();
        true
    }

    /// Follows all jumps of a king from `at`, which it reached in direction `last`; says whether there is one.
    /// Without `straight` it does not go on in direction `last`: a nearer landing square does that.
    fn king_jumps<T: Turn>(&mut self, at: usize, captured: Word<R>, last: usize, straight: bool) -> bool {
        let place = (at as u8, captured, last as u8, straight);
        if let Some(jumped) = self.recall(place) {
            return jumped;
        }
        let mut jumped = false;
        let targets = self.targets[1].minus(captured);
        let free = self.free(captured);
        for_each_direction!(R::MOVES.king_capture, D => {
            let back = !R::MOVES.reversal && last == opposite(D);
            if !back && (straight || D != last) {
                if const { R::MOVES.king_jumps_afar } {
                    let occupied = match const { R::MOVES.removal } {
                        Removal::AtEnd => self.occupied,
                        Removal::AtOnce => self.occupied.minus(captured),
                    };
                    let blockers = R::Board::ray(D, at) & occupied;
                    if blockers.any() {
                        let over = nearest::<R::Board, D>(blockers);
                        let bit = Word::<R>::bit(over) & targets;
                        if step::<R::Board, D>(bit).meets(free) {
                            jumped = true;
                            let lands = slide::<R::Board, D>(over, occupied).0;
                            self.flying_king_lands::<T, D>(bit, lands, captured | bit);
                        }
                    }
                } else {
                    let over = step::<R::Board, D>(Word::<R>::bit(at)) & targets;
                    let land = step::<R::Board, D>(over) & free;
                    if land.any() {
                        jumped = true;
                        self.enter(over, land);
                        if !self.king_jumps::<T>(land.lowest(), captured | over, D, true) {
                            self.found(land.lowest(), captured | over, self.promoted);
                        }
                        self.leave();
                    }
                }
            }
        });
        self.remember(place, jumped);
        jumped
    }

    /// Goes on from each landing square behind `over`, or ends on them if none allows to go on.
    fn flying_king_lands<T: Turn, const D: usize>(
        &mut self,
        over: Word<R>,
        lands: Word<R>,
        captured: Word<R>,
    ) {
        let behind = nearest::<R::Board, D>(lands);
        let short = Word::<R>::bit(behind);
        let lands = if const { matches!(R::MOVES.landing, Landing::Behind) } { short } else { lands };
        let mut goes_on = false;
        for land in lands.iter() {
            self.enter(over, Word::<R>::bit(land));
            goes_on |= self.king_jumps::<T>(land, captured, D, land == behind);
            self.leave();
        }
        if goes_on {
            return;
        }
        let stops_short =
            const { matches!(R::MOVES.landing, Landing::BehindLastKing) } && over.meets(self.enemy_kings);
        for land in (if stops_short { short } else { lands }).iter() {
            self.enter(over, Word::<R>::bit(land));
            self.found(land, captured, self.promoted);
            self.leave();
        }
    }

    #[inline(always)]
    fn enter(&mut self, over: Word<R>, land: Word<R>) {
        self.trail.over[self.trail.jumps] = over.lowest() as u8;
        self.trail.landings[self.trail.jumps] = land.lowest() as u8;
        self.trail.jumps += 1;
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.trail.jumps -= 1;
    }

    /// A capture has ended on `to`.
    fn found(&mut self, to: usize, captured: Word<R>, promotes: bool) {
        let key = self.key(captured);
        if key < self.best {
            return;
        }
        if key > self.best {
            self.best = key;
            self.sink.clear();
        }
        let promotes = promotes && const { !matches!(R::MOVES.promotion, Promotion::Never) };
        self.sink.push(Move { captured, from: self.from, to: to as u8, promotes }, &self.trail);
    }

    /// The key that captures are chosen by: the terms in order, 16 bits each.
    #[inline(always)]
    fn key(&self, captured: Word<R>) -> u64 {
        let kings = (captured & self.enemy_kings).count();
        let mut key = 0;
        for term in const { R::MOVES.choice } {
            let value = match term {
                Term::Count => captured.count(),
                Term::ByKing => u32::from(self.by_king),
                Term::KingsTaken => kings,
                Term::KingsFirst => self.trail.over[..self.trail.jumps.min(16)]
                    .iter()
                    .zip((0..16).rev())
                    .filter(|&(&over, _)| self.enemy_kings.meets(Word::<R>::bit(over as usize)))
                    .map(|(_, place)| 1 << place)
                    .sum(),
                Term::Value => 100 * captured.count() + 99 * kings,
            };
            key = key << 16 | u64::from(value);
        }
        key
    }
}
