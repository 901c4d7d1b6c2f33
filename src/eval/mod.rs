//! Hand-made evaluation: quiet positions only, 1/100 man, from the side to move, the same for both colours.

mod masks;
mod weights;

use crate::board::Side;
use crate::position::Position;
use crate::rules::{Game, Rules, Word};
use crate::score::Score;
use weights::Weights;

/// An evaluation made ready for a game.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
}

impl Evaluator {
    /// The evaluation of a game; `R` must be its kernel.
    pub fn new<R: Rules>(game: &Game) -> Self {
        Self { weights: Weights::of(game) }
    }

    /// The evaluation of a position, from the side to move.
    #[inline]
    pub fn score<R: Rules>(&self, position: &Position<Word<R>>) -> Score {
        let mut sum = 0;
        self.each_term::<R>(position, |_, value| sum += value);
        Score::eval(if position.turn == Side::White { sum } else { -sum })
    }

    /// Passes each term, from White, to `add`.
    #[inline(always)]
    fn each_term<R: Rules>(&self, position: &Position<Word<R>>, mut add: impl FnMut(&'static str, i32)) {
        let w = &self.weights;
        let [white, black] = Side::BOTH.map(|side| position.material(side));
        add("men", w.man * (white.0 as i32 - black.0 as i32));
        add("kings", w.king * (white.1 as i32 - black.1 as i32));
        let [white, black] = Side::BOTH.map(|side| masks::advance::<R>(position.men(side), side));
        add("advance", w.advance * (white - black));
    }
}

/// The evaluation of a position.
pub fn evaluate<R: Rules>(game: &Game, position: &Position<Word<R>>) -> Score {
    Evaluator::new::<R>(game).score::<R>(position)
}

/// The terms of the evaluation with their names, from the side to move; their sum is [`evaluate`], but for the limits of
/// the band of evaluations.
pub fn terms<R: Rules>(game: &Game, position: &Position<Word<R>>) -> Vec<(&'static str, Score)> {
    let sign = if position.turn == Side::White { 1 } else { -1 };
    let mut terms = Vec::new();
    Evaluator::new::<R>(game)
        .each_term::<R>(position, |name, value| terms.push((name, Score::new(sign * value))));
    terms
}
