//! The weights of the evaluation, by game.

use crate::rules::{Game, Goal};

/// Weights in 1/100 man.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// The side to move.
    pub turn: i32,
    pub man: i32,
    pub king: i32,
    /// The first king is worth so much more.
    pub first_king: i32,
    /// A rank that a man has advanced.
    pub advance: i32,
    /// A man on the back rank.
    pub back_rank: i32,
    /// A man in the centre.
    pub centre: i32,
    /// A man on an edge file.
    pub edge: i32,
    /// A man with another behind it.
    pub support: i32,
    /// A man more in one half of the board than in the other.
    pub balance: i32,
    /// A step that a man can make, captures aside.
    pub mobility: i32,
    /// A rank that a man has advanced with no enemy before it.
    pub runaway: i32,
    /// A square that a king can go to.
    pub king_mobility: i32,
    /// A unit of [`drive`](super::drive).
    pub drive: i32,
}

/// Italian, English and other games with short kings.
const SHORT: Weights = Weights {
    turn: 3,
    man: 100,
    king: 165,
    first_king: 20,
    advance: 4,
    back_rank: 16,
    centre: 0,
    edge: 0,
    support: 6,
    balance: 3,
    mobility: 6,
    runaway: 6,
    king_mobility: 0,
    drive: 2,
};
/// Games with flying kings on 10x10 and larger boards.
const FLYING: Weights = Weights {
    turn: 2,
    man: 100,
    king: 200,
    first_king: 150,
    advance: 3,
    back_rank: 8,
    centre: 3,
    edge: -2,
    support: 4,
    balance: 3,
    mobility: 3,
    runaway: 6,
    king_mobility: 2,
    drive: 2,
};
/// Games with flying kings on small boards.
const FLYING_SMALL: Weights = Weights {
    turn: 5,
    man: 100,
    king: 200,
    first_king: 150,
    advance: 6,
    back_rank: 30,
    centre: 6,
    edge: 12,
    support: 18,
    balance: 10,
    mobility: 18,
    runaway: 4,
    king_mobility: 1,
    drive: 4,
};
/// Turkish
const TURKISH: Weights = Weights {
    turn: 27,
    man: 100,
    king: 150,
    first_king: 560,
    advance: 15,
    back_rank: 0,
    centre: -27,
    edge: 80,
    support: 22,
    balance: 9,
    mobility: 22,
    runaway: 20,
    king_mobility: 10,
    drive: 6,
};
const NOTHING: Weights = Weights {
    turn: 0,
    man: 0,
    king: 0,
    first_king: 0,
    advance: 0,
    back_rank: 0,
    centre: 0,
    edge: 0,
    support: 0,
    balance: 0,
    mobility: 0,
    runaway: 0,
    king_mobility: 0,
    drive: 0,
};
/// Losing games: fewer pieces are better, and pieces that can move are wanted to give themselves away.
const LOSING: Weights = Weights { man: -30, king: -20, mobility: 8, advance: 2, ..NOTHING };
/// A king wins at once.
const BREAKTHROUGH: Weights = Weights { advance: 6, runaway: 25, back_rank: 15, ..FLYING };
/// Moves are all that matters.
const KONANE: Weights = Weights { turn: 0, mobility: 30, ..NOTHING };

impl Weights {
    /// The weights of a game.
    pub fn of(game: &Game) -> Self {
        match game.set.goal {
            _ if game.moves.konane => KONANE,
            Goal::Misere => LOSING,
            Goal::Breakthrough => BREAKTHROUGH,
            Goal::LastMove if game.moves.king_jumps_afar => match game.set.kernel.layout() {
                layout if layout.cells != crate::board::Cells::Dark => TURKISH,
                layout if layout.squares <= 40 => FLYING_SMALL,
                _ => FLYING,
            },
            Goal::LastMove => SHORT,
        }
    }
}
