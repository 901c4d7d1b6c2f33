//! How long wins and losses take, given which positions are won and lost.
//!
//! Level by level: the positions that are `d` plies from the end tell their predecessors. A won position takes one ply more
//! than the nearest lost one that it leads to; a lost one, one more than the farthest, which is known when the last of its
//! moves has been told. In plies to conversion (MTC) a man's move or a capture counts as the end, so that kings' moves alone
//! stay inside; in plies to the end of the game (DTW) other slices say how far it is behind them.

use super::judge::{Slices, TURN};
use super::shape::{Cursor, Shape};
use super::solve::{Back, CHUNK, Course, Stop, part_pairs};
use super::{Material, Metric, Value};
use crate::bits::Bits;
use crate::position::{Move, Position};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering::Relaxed};

/// The distance of a draw.
pub const NEVER: u16 = u16::MAX;

/// What may still change a distance: of a lost position the number of moves inside that have not been told.
const MOST_INSIDE: u8 = 240;
/// Won, and a move inside may win sooner.
const WON: u8 = 250;
/// Nothing.
const FIXED: u8 = 251;

/// The distances of a slice in plies, by position.
pub type Distances = Vec<u16>;

/// The distances that are known.
#[derive(Debug, Default)]
pub struct Known {
    slices: HashMap<Material, Distances>,
}

impl Known {
    /// Adds those of a slice.
    pub fn put(&mut self, material: Material, distances: Distances) {
        self.slices.insert(material, distances);
    }

    /// Those of a slice.
    pub fn get(&self, material: Material) -> Option<&Distances> {
        self.slices.get(&material)
    }

    /// Forgets all but those wanted.
    pub fn retain(&mut self, wanted: impl Fn(Material) -> bool) {
        self.slices.retain(|&material, _| wanted(material));
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.slices.values().map(|distances| 2 * distances.len() as u64).sum()
    }

    /// The distance of a position with White to move; `None` if its slice is not known.
    fn of<B: Bits>(&self, slices: &Slices<B>, position: &Position<B>) -> Option<u16> {
        if slices.ends.over(position).is_some() {
            return Some(0);
        }
        let material = Material::of(position)?;
        let index = slices.get(material)?.shape.index(position);
        self.slices.get(&material)?.get(index as usize).copied()
    }
}

/// Finds the distances of the slices of a material and of the same with colours changed, whose values are known; for
/// [`Metric::Dtw`] so must be all that moves lead to, distances included. They are then known too.
///
/// # Errors
/// It was aborted, or something is missing.
pub fn measure<B: Bits>(
    slices: &Slices<B>,
    known: &mut Known,
    material: Material,
    metric: Metric,
    course: Course<'_>,
) -> Result<(), Stop> {
    let mut unit = vec![material];
    if material != material.swapped() {
        unit.push(material.swapped());
    }
    let shape = |material| slices.get(material).map(|slice| Arc::clone(&slice.shape));
    let shapes: Vec<_> = unit.iter().filter_map(|&material| shape(material)).collect();
    if shapes.len() < unit.len() {
        return Err(Stop::Impossible(material));
    }
    for shape in &shapes {
        known.put(shape.material, vec![NEVER; shape.size as usize]);
    }
    for pair in part_pairs(&shapes) {
        let halves: Vec<_> =
            pair.iter().map(|&(shape, part)| Half::new(Arc::clone(&shapes[shape]), part)).collect();
        let ruler = Ruler { slices, known, metric, halves: &halves, course, failed: AtomicBool::new(false) };
        ruler.begin()?;
        ruler.spread()?;
        if ruler.failed.load(Relaxed) {
            return Err(Stop::Impossible(material));
        }
        for half in halves {
            let first = half.shape.parts[half.part].first as usize;
            let Some(distances) = known.slices.get_mut(&half.shape.material) else { continue };
            for (distance, found) in distances[first..].iter_mut().zip(half.distances) {
                *distance = found.into_inner();
            }
        }
    }
    Ok(())
}

/// A part at work.
struct Half<B: Bits> {
    shape: Arc<Shape<B>>,
    part: usize,
    distances: Vec<AtomicU16>,
    open: Vec<AtomicU8>,
}

impl<B: Bits> Half<B> {
    fn new(shape: Arc<Shape<B>>, part: usize) -> Self {
        let size = shape.parts[part].size;
        let distances = (0..size).map(|_| AtomicU16::new(NEVER)).collect();
        let open = (0..size).map(|_| AtomicU8::new(FIXED)).collect();
        Self { shape, part, distances, open }
    }

    fn chunks(&self) -> u64 {
        (self.open.len() as u64).div_ceil(CHUNK)
    }

    fn range(&self, chunk: u64) -> std::ops::Range<u64> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.open.len() as u64)
    }

    /// A move from this position leads to one that is lost in `plies`. Whether it was news.
    fn can_win(&self, index: u64, plies: u16) -> bool {
        self.open[index as usize].load(Relaxed) == WON
            && self.distances[index as usize].fetch_min(plies + 1, Relaxed) > plies + 1
    }

    /// A move from this position leads to one that is won in `plies`. Whether it was the last one.
    fn one_less(&self, index: u64, plies: u16) -> bool {
        let less = |open| matches!(open, 1..=MOST_INSIDE).then(|| if open == 1 { FIXED } else { open - 1 });
        let open = self.open[index as usize].fetch_update(Relaxed, Relaxed, less);
        if open.is_ok() {
            self.distances[index as usize].fetch_max(plies + 1, Relaxed);
        }
        open == Ok(1)
    }
}

struct Ruler<'a, B: Bits> {
    slices: &'a Slices<B>,
    known: &'a Known,
    metric: Metric,
    halves: &'a [Half<B>],
    course: Course<'a>,
    failed: AtomicBool,
}

impl<B: Bits> Ruler<'_, B> {
    fn partner(&self, half: usize) -> &Half<B> {
        &self.halves[self.halves.len() - 1 - half]
    }

    /// What the moves that lead out say.
    fn begin(&self) -> Result<(), Stop> {
        for (number, half) in self.halves.iter().enumerate() {
            let first = half.shape.parts[half.part].first;
            let Some(slice) = self.slices.get(half.shape.material) else { continue };
            (0..half.chunks()).into_par_iter().try_for_each_init(Vec::new, |moves, chunk| {
                let mut cursor = Cursor::new(&half.shape, half.part);
                let range = half.range(chunk);
                cursor.seek(range.start);
                for index in range.clone() {
                    let value = slice.values.get(first + index);
                    if value != Value::Draw {
                        let (distance, open) = self.measure(number, &cursor.position(), value, moves);
                        half.distances[index as usize].store(distance, Relaxed);
                        half.open[index as usize].store(open, Relaxed);
                    }
                    cursor.advance();
                }
                self.course.add(range.end - range.start)
            })?;
        }
        Ok(())
    }

    /// The distance of a decided position by the moves that lead out, and what is open about it.
    fn measure(
        &self,
        half: usize,
        position: &Position<B>,
        value: Value,
        moves: &mut Vec<Move<B>>,
    ) -> (u16, u8) {
        moves.clear();
        (self.slices.rules.generate)(position, moves);
        let captures = moves.first().is_some_and(Move::is_capture);
        if moves.is_empty() || !captures && self.slices.ends.one_each(&self.slices.rules, position).is_some()
        {
            return (0, FIXED);
        }
        let mut distance = if value == Value::Win { NEVER } else { 0 };
        let outside = |child: &Position<B>| {
            let (Some(after), Some(plies)) = (self.slices.value(child), self.behind(child)) else {
                self.failed.store(true, Relaxed);
                return ControlFlow::Break((NEVER, FIXED));
            };
            match value {
                Value::Win if after == Value::Loss => distance = distance.min(plies.saturating_add(1)),
                Value::Loss => distance = distance.max(plies.saturating_add(1)),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        match self.slices.leaving(position, moves, |child| self.stays(half, child), outside) {
            ControlFlow::Break(failed) => failed,
            ControlFlow::Continue(0) => (distance, FIXED),
            ControlFlow::Continue(_) if value == Value::Win => (distance, WON),
            ControlFlow::Continue(inside) => (distance, inside.min(MOST_INSIDE.into()) as u8),
        }
    }

    /// Whether a man's move stays inside.
    fn stays(&self, half: usize, child: &Position<B>) -> bool {
        let partner = self.partner(half);
        self.metric == Metric::Dtw
            && partner.shape.men(child.men(TURN), child.men(TURN.other())).0 == partner.part
    }

    /// How far it is from a position outside.
    fn behind(&self, child: &Position<B>) -> Option<u16> {
        if self.metric == Metric::Dtw { self.known.of(self.slices, child) } else { Some(0) }
    }

    /// Goes back level by level.
    fn spread(&self) -> Result<(), Stop> {
        let farthest = |half: &Half<B>| {
            let all = half.distances.par_iter().map(|distance| distance.load(Relaxed));
            all.filter(|&distance| distance != NEVER).max().unwrap_or(0)
        };
        let last = AtomicU16::new(self.halves.iter().map(farthest).max().unwrap_or(0));
        let mut plies = 0;
        while plies <= last.load(Relaxed) {
            for number in 0..self.halves.len() {
                let chunks = (0..self.halves[number].chunks()).into_par_iter();
                chunks.try_for_each_init(Vec::new, |moves, chunk| {
                    if self.spread_chunk(number, chunk, plies, moves) {
                        last.fetch_max(plies + 1, Relaxed);
                    }
                    self.course.add(0)
                })?;
            }
            plies += 1;
        }
        Ok(())
    }

    /// Tells the predecessors of the positions of a chunk that are so many plies from the end; whether any listened.
    fn spread_chunk(&self, number: usize, chunk: u64, plies: u16, moves: &mut Vec<Move<B>>) -> bool {
        let half = &self.halves[number];
        let Some(slice) = self.slices.get(half.shape.material) else { return false };
        let first = half.shape.parts[half.part].first;
        let partner = self.partner(number);
        let mut cursor = Cursor::new(&half.shape, half.part);
        let mut back = Back::new(&partner.shape, partner.part);
        let mut heard = false;
        for index in half.range(chunk) {
            let at = index as usize;
            let waits = || matches!(half.open[at].load(Relaxed), 1..=MOST_INSIDE);
            if half.distances[at].load(Relaxed) != plies || waits() {
                continue;
            }
            let won = slice.values.get(first + index) == Value::Win;
            cursor.seek(index);
            let kings_only = self.metric == Metric::Mtc;
            back.each(&cursor, kings_only, moves, |index| {
                heard |= if won { partner.one_less(index, plies) } else { partner.can_win(index, plies) };
            });
        }
        heard
    }
}
