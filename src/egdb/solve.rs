//! Wins, draws and losses of a slice, by going back from what is decided.
//!
//! A part of a slice and the part that its moves lead back and forth to (the same leading ranks with colours changed) are
//! solved together. First each position is judged by the moves that leave them, captures among these; of the moves that
//! stay inside only the number is kept. Then, as long as there is news, lost positions make their predecessors won, and
//! won ones count down the moves that their predecessors have left to try; at zero these are lost. What is never reached is
//! drawn. A position with a capture is judged at the start for good, as captures are compulsory and leave the slice.

use super::judge::Slice;
use super::judge::{Slices, TURN};
use super::material::Material;
use super::shape::{Cursor, Shape};
use super::values::{A_WORD, Value, Values};
use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Move, Position};
use rayon::prelude::*;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// Positions of a chunk, which one thread walks through at a time.
pub const CHUNK: u64 = 1 << 12;
/// Words of values that are filled at a time.
const WORDS: usize = 1 << 10;

/// Drawn unless a move inside wins; it cannot be lost. From here to [`MOST_INSIDE`]: so many moves inside that have not
/// yet turned out to lose, and all others do.
const SAFE: u8 = 0;
const MOST_INSIDE: u8 = 240;
/// Decided, and whether the predecessors have been told.
const WON: u8 = 250;
const LOST: u8 = 251;
const NEW_WON: u8 = 252;
const NEW_LOST: u8 = 253;
/// Drawn for good.
const DRAWN: u8 = 254;

/// Why a slice was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody wanted to stop.
    Aborted,
    /// A slice that its moves lead to is not known, or a position has too many moves.
    Impossible(Material),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted => write!(f, "interrupted"),
            Self::Impossible(material) => write!(f, "slice {material} leads to slices that are not there"),
        }
    }
}

impl std::error::Error for Stop {}

/// What a long computation is told and tells: whether to stop, and how many positions are done.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Set to stop.
    pub abort: &'a AtomicBool,
    /// Positions done so far are added here.
    pub done: &'a AtomicU64,
}

impl Course<'_> {
    /// Counts positions; an error if it is time to stop.
    pub fn add(&self, positions: u64) -> Result<(), Stop> {
        self.done.fetch_add(positions, Relaxed);
        if self.abort.load(Relaxed) { Err(Stop::Aborted) } else { Ok(()) }
    }
}

/// Solves the slices of a material and of the same with colours changed; all that captures and promotions lead to must be
/// known. They are then known too.
///
/// # Errors
/// It was aborted, or something is missing; the slices are then of no use.
pub fn solve<B: Bits>(slices: &mut Slices<B>, material: Material, course: Course<'_>) -> Result<(), Stop> {
    let mut unit = vec![material];
    if material != material.swapped() {
        unit.push(material.swapped());
    }
    let shapes: Vec<_> = unit.iter().map(|&material| Arc::new(Shape::new(slices.rules, material))).collect();
    for shape in &shapes {
        slices.put(Slice { shape: Arc::clone(shape), values: Values::draws(shape.size) });
    }
    for pair in part_pairs(&shapes) {
        let halves: Vec<_> =
            pair.iter().map(|&(shape, part)| Half::new(Arc::clone(&shapes[shape]), part)).collect();
        let solver = Solver { slices, halves: &halves, course, failed: AtomicBool::new(false) };
        solver.judge_all()?;
        solver.spread()?;
        if solver.failed.load(Relaxed) {
            return Err(Stop::Impossible(material));
        }
        for half in &halves {
            half.store(slices);
        }
    }
    Ok(())
}

/// The parts that are solved together, as shape and part, in an order in which moves lead back.
pub(super) fn part_pairs<B: Bits>(shapes: &[Arc<Shape<B>>]) -> Vec<Vec<(usize, usize)>> {
    let partner = shapes.len() - 1;
    let mut parts: Vec<_> = (0..shapes[0].parts.len()).collect();
    parts.sort_by_key(|&part| std::cmp::Reverse(shapes[0].parts[part].lead.iter().sum::<u8>()));
    let mut pairs = Vec::new();
    for part in parts {
        let [own, other] = shapes[0].parts[part].lead;
        let mut pair = vec![(0, part)];
        if let Some(back) = shapes[partner].part([other, own]).filter(|&back| (partner, back) != (0, part)) {
            if partner == 0 && back < part {
                continue; // It came with the other.
            }
            pair.push((partner, back));
        }
        pairs.push(pair);
    }
    pairs
}

/// A part at work.
struct Half<B: Bits> {
    shape: Arc<Shape<B>>,
    part: usize,
    states: Box<[AtomicU8]>,
    /// By chunk: whether it may have news.
    news: Box<[AtomicBool]>,
}

impl<B: Bits> Half<B> {
    fn new(shape: Arc<Shape<B>>, part: usize) -> Self {
        let size = shape.parts[part].size;
        let states = (0..size).map(|_| AtomicU8::new(SAFE)).collect();
        let news = (0..size.div_ceil(CHUNK)).map(|_| AtomicBool::new(false)).collect();
        Self { shape, part, states, news }
    }

    /// The positions of a chunk.
    fn range(&self, chunk: usize) -> std::ops::Range<u64> {
        let first = chunk as u64 * CHUNK;
        first..(first + CHUNK).min(self.states.len() as u64)
    }

    #[inline(always)]
    fn has_news(&self, index: u64) {
        let flag = &self.news[(index / CHUNK) as usize];
        if !flag.load(Relaxed) {
            flag.store(true, Relaxed);
        }
    }

    /// A move from this position leads to one that is lost for the other side.
    #[inline(always)]
    fn can_win(&self, index: u64) {
        let state = &self.states[index as usize];
        let open = |state| (state <= MOST_INSIDE).then_some(NEW_WON);
        if state.load(Relaxed) <= MOST_INSIDE && state.fetch_update(Relaxed, Relaxed, open).is_ok() {
            self.has_news(index);
        }
    }

    /// A move from this position leads to one that is won for the other side.
    #[inline(always)]
    fn one_less(&self, index: u64) {
        let state = &self.states[index as usize];
        let less = |state| match state {
            SAFE => None,
            1 => Some(NEW_LOST),
            2..=MOST_INSIDE => Some(state - 1),
            _ => None,
        };
        if let Ok(1) = state.fetch_update(Relaxed, Relaxed, less) {
            self.has_news(index);
        }
    }

    /// Puts the values where other parts find them.
    fn store(&self, slices: &mut Slices<B>) {
        let part = &self.shape.parts[self.part];
        let Some(values) = slices.values_mut(self.shape.material) else { return };
        values.words_mut().par_chunks_mut(WORDS).enumerate().for_each(|(chunk, words)| {
            let first = (chunk * WORDS) as u64 * A_WORD;
            let end = first + words.len() as u64 * A_WORD;
            for index in first.max(part.first)..end.min(part.first + part.size) {
                let value = match self.states[(index - part.first) as usize].load(Relaxed) {
                    WON | NEW_WON => Value::Win,
                    LOST | NEW_LOST => Value::Loss,
                    _ => continue,
                };
                words[((index - first) / A_WORD) as usize] |= (value as u64) << (2 * (index % A_WORD));
            }
        });
    }
}

struct Solver<'a, B: Bits> {
    slices: &'a Slices<B>,
    /// One part, or one and its partner.
    halves: &'a [Half<B>],
    course: Course<'a>,
    failed: AtomicBool,
}

/// What a thread uses again and again.
struct Scratch<B: Bits> {
    moves: Vec<Move<B>>,
}

impl<B: Bits> Solver<'_, B> {
    /// The part that moves from `half` lead to.
    fn partner(&self, half: usize) -> &Half<B> {
        &self.halves[self.halves.len() - 1 - half]
    }

    /// Judges every position by the moves that lead out.
    fn judge_all(&self) -> Result<(), Stop> {
        for (number, half) in self.halves.iter().enumerate() {
            (0..half.news.len()).into_par_iter().try_for_each_init(
                || Scratch { moves: Vec::new() },
                |scratch, chunk| {
                    let mut cursor = Cursor::new(&half.shape, half.part);
                    let range = half.range(chunk);
                    cursor.seek(range.start);
                    let mut news = false;
                    for index in range.clone() {
                        let state = self.judge(number, &cursor.position(), scratch);
                        news |= state == NEW_WON || state == NEW_LOST;
                        half.states[index as usize].store(state, Relaxed);
                        cursor.advance();
                    }
                    half.news[chunk].store(news, Relaxed);
                    self.course.add(range.end - range.start)
                },
            )?;
        }
        Ok(())
    }

    /// The first state of a position.
    #[inline(always)]
    fn judge(&self, half: usize, position: &Position<B>, scratch: &mut Scratch<B>) -> u8 {
        let moves = &mut scratch.moves;
        moves.clear();
        (self.slices.rules.generate)(position, moves);
        let captures = moves.first().is_some_and(Move::is_capture);
        if moves.is_empty() {
            return fresh(self.slices.ends.no_moves());
        }
        if !captures {
            if let Some(value) = self.slices.ends.one_each(&self.slices.rules, position) {
                return fresh(value);
            }
        }
        let mut best = Value::Loss;
        let outside = |child: &Position<B>| {
            let Some(value) = self.slices.value(child) else {
                self.failed.store(true, Relaxed);
                return ControlFlow::Break(DRAWN);
            };
            best = best.max(-value);
            if best == Value::Win { ControlFlow::Break(NEW_WON) } else { ControlFlow::Continue(()) }
        };
        let inside = match self.slices.leaving(position, moves, |child| self.stays(half, child), outside) {
            ControlFlow::Break(state) => return state,
            ControlFlow::Continue(inside) => inside,
        };
        if inside > usize::from(MOST_INSIDE) {
            self.failed.store(true, Relaxed);
        }
        match (inside, best) {
            (0, value) => fresh(value),
            (_, Value::Draw) => SAFE,
            (inside, _) => inside as u8,
        }
    }

    /// Whether a position that a man's move leads to is of the partner.
    #[inline(always)]
    fn stays(&self, half: usize, child: &Position<B>) -> bool {
        let partner = self.partner(half);
        partner.shape.men(child.men(TURN), child.men(TURN.other())).0 == partner.part
    }

    /// Goes back from what is decided until there is no more news.
    fn spread(&self) -> Result<(), Stop> {
        loop {
            let mut any = false;
            for (number, half) in self.halves.iter().enumerate() {
                let chunks: Vec<_> =
                    (0..half.news.len()).filter(|&chunk| half.news[chunk].swap(false, Relaxed)).collect();
                any |= !chunks.is_empty();
                chunks.par_iter().try_for_each_init(
                    || Scratch { moves: Vec::new() },
                    |scratch, &chunk| {
                        self.spread_chunk(number, chunk, scratch);
                        self.course.add(0)
                    },
                )?;
            }
            if !any {
                return Ok(());
            }
        }
    }

    fn spread_chunk(&self, number: usize, chunk: usize, scratch: &mut Scratch<B>) {
        let half = &self.halves[number];
        let mut cursor = Cursor::new(&half.shape, half.part);
        let partner = self.partner(number);
        let mut back = Back::new(&partner.shape, partner.part);
        for index in half.range(chunk) {
            let state = &half.states[index as usize];
            let won = match state.load(Relaxed) {
                NEW_WON => true,
                NEW_LOST => false,
                _ => continue,
            };
            state.store(if won { WON } else { LOST }, Relaxed);
            cursor.seek(index);
            back.each(&cursor, false, &mut scratch.moves, |index| {
                if won { partner.one_less(index) } else { partner.can_win(index) }
            });
        }
    }
}

/// The state of a value that is known from the start.
fn fresh(value: Value) -> u8 {
    match value {
        Value::Win => NEW_WON,
        Value::Draw => DRAWN,
        Value::Loss => NEW_LOST,
    }
}

/// Finds predecessors in a part. Men move rarely, so what depends on them alone is kept.
pub(super) struct Back<'a, B: Bits> {
    shape: &'a Shape<B>,
    part: usize,
    pair: u64,
    /// Number of the first placement with the men of the position, seen from the part, and its squares without men.
    first: u64,
    free: B,
}

impl<'a, B: Bits> Back<'a, B> {
    /// Those in `part`.
    pub fn new(shape: &'a Shape<B>, part: usize) -> Self {
        Self { shape, part, pair: u64::MAX, first: 0, free: B::EMPTY }
    }

    /// Hands the numbers of the predecessors of a position to `tell`, or of those after which a king has moved. Some may
    /// have a capture, so that the move was not legal.
    #[inline(always)]
    pub fn each(
        &mut self,
        cursor: &Cursor<'_, B>,
        kings_only: bool,
        moves: &mut Vec<Move<B>>,
        mut tell: impl FnMut(u64),
    ) {
        let position = cursor.position();
        let shape = self.shape;
        if self.pair != cursor.pair() {
            self.pair = cursor.pair();
            let [own, other] = cursor.men().map(|set| shape.rules.turned(set));
            let (_, pair) = shape.men(other, own);
            self.first = u64::from(pair) * shape.rooms();
            self.free = shape.rules.squares.minus(own | other);
        }
        moves.clear();
        (shape.rules.retractions)(&position, moves);
        let [kings, others] = Side::BOTH.map(|side| position.kings(side));
        let kings = shape.rules.turned(kings);
        for mv in moves.iter() {
            let (from, to) = (B::bit(mv.from.into()), B::bit(mv.to.into()));
            if others.meets(to) {
                let others = shape.rules.turned(others ^ from ^ to);
                tell(self.first + shape.kings(others, kings, self.free));
                continue;
            }
            if kings_only {
                continue;
            }
            let mut before = position;
            before.pieces[TURN.other() as usize] ^= from | to;
            let before = shape.rules.turned_position(&Position { turn: TURN.other(), ..before });
            let (own, other) = (before.men(TURN), before.men(TURN.other()));
            let (part, pair) = shape.men(own, other);
            if part == self.part {
                let free = shape.rules.squares.minus(own | other);
                let kings = shape.kings(before.kings(TURN), before.kings(TURN.other()), free);
                tell(u64::from(pair) * shape.rooms() + kings);
            }
        }
    }
}
