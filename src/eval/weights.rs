//! The weights of the evaluation, by game.

use crate::rules::{Game, Goal};

/// Weights in 1/100 man.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub man: i32,
    pub king: i32,
    /// For each rank a man has advanced.
    pub advance: i32,
}

impl Weights {
    pub fn of(game: &Game) -> Self {
        let king = if game.moves.king_slides { 300 } else { 140 };
        match game.set.goal {
            Goal::LastMove => Self { man: 100, king, advance: 3 },
            Goal::Misere => Self { man: -60, king: -100, advance: 0 },
            Goal::Breakthrough => Self { man: 100, king: 1000, advance: 8 },
        }
    }
}
