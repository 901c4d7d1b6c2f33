//! Evaluation: for positions without captures, 1/100 man, opposite for both colours. Learned weights ([`Model`]) where there
//! are any, else hand-made ones; lone kings are hunted by an evaluation of their own.

mod counts;
mod embedded;
pub mod features;
mod handmade;
mod hunt;
mod masks;
mod model;
mod odds;
mod patterns;
mod weights;

pub use embedded::{file as embedded_file, weights as embedded_weights};
pub use model::{Model, ModelError, SCALE, stage};
pub use odds::Odds;

use crate::bits::Bits;
use crate::board::{Dirs, Side};
use crate::position::Position;
use crate::rules::{Game, Goal, Rules, Word};
use crate::score::Score;
use hunt::Hunt;
use std::sync::Arc;
use weights::Weights;

/// An evaluation made ready for a game.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    goal: Goal,
    model: Option<Arc<Model>>,
}

impl Evaluator {
    /// The evaluation of a game by learned weights, or by hand-made ones; `R` must be its kernel.
    pub fn new<R: Rules>(game: &Game, model: Option<Arc<Model>>) -> Self {
        let model = model.filter(|_| const { features::applies::<R>() });
        Self { weights: Weights::of(game), goal: game.set.goal, model }
    }

    /// The evaluation of a position, from the side to move.
    #[inline]
    pub fn score<R: Rules>(&self, position: &Position<Word<R>>) -> Score {
        let hunt = self.hunt::<R>(position);
        let mut sum = 0;
        let mut add = |_, value: i32| sum += value;
        match (&hunt, &self.model) {
            (Some(hunt), _) => hunt.each_term(self.weights.king, add),
            (None, Some(model)) => add("", model.score::<R>(position)),
            (None, None) => handmade::each_term::<R>(&self.weights, position, add),
        }
        let sum = self.scaled::<R>(position, hunt.as_ref(), sum);
        Score::eval(if position.turn == Side::White { sum } else { -sum })
    }

    /// The terms of the evaluation with their names, from the side to move. Their sum is [`Evaluator::score`] unless that
    /// had to be brought into the band of evaluations.
    pub fn terms<R: Rules>(&self, position: &Position<Word<R>>) -> Vec<(&'static str, Score)> {
        let sign = if position.turn == Side::White { 1 } else { -1 };
        let hunt = self.hunt::<R>(position);
        let (mut terms, mut sum) = (Vec::new(), 0);
        let add = |name, value: i32| {
            sum += value;
            terms.push((name, Score::new(sign * value)));
        };
        match (&hunt, &self.model) {
            (Some(hunt), _) => hunt.each_term(self.weights.king, add),
            (None, Some(model)) => model.each_term::<R>(position, add),
            (None, None) => handmade::each_term::<R>(&self.weights, position, add),
        }
        let scaling = self.scaled::<R>(position, hunt.as_ref(), sum) - sum;
        terms.push(("scaling", Score::new(sign * scaling)));
        terms
    }

    /// The hunt for a lone king that a position is, if it is one.
    #[inline(always)]
    fn hunt<R: Rules>(&self, position: &Position<Word<R>>) -> Option<Hunt<R>> {
        if self.goal == Goal::LastMove { Hunt::of(position) } else { None }
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
