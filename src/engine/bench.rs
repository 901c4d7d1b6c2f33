//! The signature of the search: nodes of fixed searches. A change that is not meant to change the search leaves it as it
//! is.

use super::{Notation, Session};
use crate::board::Cells;
use crate::rng::Rng;
use crate::rules::Game;
use crate::search::{Control, Limits};

/// Plies of the openings before the positions searched: the start, and one each of these lengths.
const OPENINGS: [usize; 3] = [0, 10, 24];
/// Seed of the openings.
const SEED: u64 = 1;
/// Entries of the hash table, as a binary logarithm: small, so that making it takes no time.
const HASH: u32 = 18;

/// Nodes of the searches of a game in one thread, each `deeper` plies deeper than the signature's. Means nothing when
/// `control` has been stopped.
pub fn nodes(game: Game, deeper: u32, control: &Control) -> u64 {
    let limits = Limits { depth: Some(depth(&game) + deeper), ..Limits::default() };
    let mut session = super::open(game);
    session.set_hash(HASH);
    let mut rng = Rng::new(SEED);
    OPENINGS
        .iter()
        .map(|&plies| {
            begin(session.as_mut(), plies, &mut rng);
            session.new_game();
            session.search(&limits, Notation::HUB, control, &mut |_| {}).info.nodes
        })
        .sum()
}

/// Depth of the searches of a game, in plies: less where there are more moves, so that each takes a fraction of a second.
fn depth(game: &Game) -> u32 {
    let layout = game.set.kernel.layout();
    match layout.cells {
        Cells::All if game.moves.lines => 6,
        Cells::All if game.moves.konane => 10,
        Cells::All => 8,
        Cells::Dark if layout.squares > 50 => 10,
        Cells::Dark if layout.squares > 32 => 11,
        _ => 12,
    }
}

/// Plays random moves from the start, fewer if the game ends.
fn begin(session: &mut dyn Session, plies: usize, rng: &mut Rng) {
    session.set_start();
    for _ in 0..plies {
        let moves = session.legal_moves(Notation::HUB);
        if moves.is_empty() {
            return;
        }
        let mv = &moves[rng.below(moves.len())];
        if session.play(mv, Notation::HUB).is_err() || session.verdict().is_some() {
            session.undo();
            return;
        }
    }
}
