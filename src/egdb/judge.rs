//! The value of a position by those of its successors, which other slices and parts know.

use super::material::Material;
use super::movement::Movement;
use super::shape::Shape;
use super::values::{Value, Values};
use crate::bits::Bits;
use crate::board::Side;
use crate::position::{Move, Position};
use crate::rules::draws::{Draws, OneEach};
use crate::rules::{Game, Goal};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What besides the movement rules decides games at once.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    goal: Goal,
    draws: Draws,
}

impl Ends {
    /// Those of a game.
    pub fn of(game: &Game) -> Self {
        Self { goal: game.set.goal, draws: game.draws }
    }

    /// Whether games with kings are over: there are no tables of such positions.
    pub fn with_a_king(&self) -> bool {
        self.goal == Goal::Breakthrough
    }

    /// What it means to have no move.
    #[inline(always)]
    pub fn no_moves(&self) -> Value {
        if self.goal == Goal::Misere { Value::Win } else { Value::Loss }
    }

    /// The value of a position that is over, whatever moves there may be.
    #[inline(always)]
    pub fn over<B: Bits>(&self, position: &Position<B>) -> Option<Value> {
        if position.side(position.turn).is_empty() {
            return Some(self.no_moves());
        }
        (self.with_a_king() && position.kings(position.turn.other()).any()).then_some(Value::Loss)
    }

    /// The value that the rules give to one piece each, if the side to move has a move and no capture.
    #[inline(always)]
    pub fn one_each<B: Bits>(&self, rules: &Movement<B>, position: &Position<B>) -> Option<Value> {
        if self.draws.one_each == OneEach::PlaysOn || position.occupied().count() != 2 {
            return None;
        }
        Some(match rules.count_out(position, &self.draws)? {
            None => Value::Draw,
            Some(side) if side == position.turn => Value::Win,
            Some(_) => Value::Loss,
        })
    }
}

/// A slice that is known.
#[derive(Debug)]
pub struct Slice<B: Bits> {
    /// Its index.
    pub shape: Arc<Shape<B>>,
    /// Its values.
    pub values: Values,
}

/// The slices that are known.
#[derive(Debug)]
pub struct Slices<B: Bits> {
    slots: Vec<Option<Arc<Slice<B>>>>,
    /// What ends games at once.
    pub ends: Ends,
    /// The movement rules.
    pub rules: Movement<B>,
}

impl<B: Bits> Slices<B> {
    /// None yet.
    pub fn new(game: &Game, rules: Movement<B>) -> Self {
        Self { slots: (0..Material::KEYS).map(|_| None).collect(), ends: Ends::of(game), rules }
    }

    /// Adds one.
    pub fn put(&mut self, slice: Slice<B>) {
        let key = slice.shape.material.key();
        self.slots[key] = Some(Arc::new(slice));
    }

    /// Takes one out.
    pub fn take(&mut self, material: Material) -> Option<Arc<Slice<B>>> {
        self.slots[material.key()].take()
    }

    /// One of them.
    #[inline(always)]
    pub fn get(&self, material: Material) -> Option<&Slice<B>> {
        self.slots[material.key()].as_deref()
    }

    /// The values of one of them, to be changed; `None` if it is not known or somebody else has it too.
    pub fn values_mut(&mut self, material: Material) -> Option<&mut Values> {
        Some(&mut Arc::get_mut(self.slots[material.key()].as_mut()?)?.values)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Slice<B>> {
        self.slots.iter().flatten().map(|slice| &**slice)
    }

    /// The value of a position with White to move; `None` if its slice is not known.
    #[inline(always)]
    pub fn value(&self, position: &Position<B>) -> Option<Value> {
        if let Some(value) = self.ends.over(position) {
            return Some(value);
        }
        let slice = self.get(Material::of(position)?)?;
        Some(slice.values.get(slice.shape.index(position)))
    }

    /// Goes through all moves of a position: hands what those that leave a part of a slice lead to, with White to move, to
    /// `outside`, and counts the others. Captures and promotions leave it, kings' quiet moves do not, and of those of men
    /// `stays` knows. What breaks off comes from `outside`.
    #[inline(always)]
    pub fn leaving<T>(
        &self,
        position: &Position<B>,
        moves: &[Move<B>],
        stays: impl Fn(&Position<B>) -> bool,
        mut outside: impl FnMut(&Position<B>) -> ControlFlow<T>,
    ) -> ControlFlow<T, usize> {
        let captures = moves.first().is_some_and(Move::is_capture);
        let mut inside = 0;
        for mv in moves {
            if !captures && position.kings.meets(B::bit(mv.from.into())) {
                inside += 1;
                continue;
            }
            let child = self.rules.turned_position(&position.make(mv));
            if !captures && !mv.promotes && stays(&child) {
                inside += 1;
            } else {
                outside(&child)?;
            }
        }
        ControlFlow::Continue(inside)
    }

    /// The value of a position with White to move by its successors alone; `None` if one of them is not known. `list` is
    /// cleared and used.
    #[inline(always)]
    pub fn judge(&self, position: &Position<B>, list: &mut Vec<Move<B>>) -> Option<Value> {
        list.clear();
        (self.rules.generate)(position, list);
        if list.is_empty() {
            return Some(self.ends.no_moves());
        }
        if !list[0].is_capture() {
            if let Some(value) = self.ends.one_each(&self.rules, position) {
                return Some(value);
            }
        }
        let mut best = Value::Loss;
        for mv in list.iter() {
            let child = self.rules.turned_position(&position.make(mv));
            best = best.max(-self.value(&child)?);
            if best == Value::Win {
                break;
            }
        }
        Some(best)
    }
}

/// The side that tables see to move.
pub const TURN: Side = Side::White;
