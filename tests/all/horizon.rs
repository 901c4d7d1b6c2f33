//! The horizon: the search does not lose material where a plain minimax shows a move that keeps it.

use soffio::bits::Bits;
use soffio::movegen;
use soffio::notation::fen;
use soffio::position::Position;
use soffio::referee::Referee;
use soffio::rng::Rng;
use soffio::rules::{
    Brazilian, Dameo, English, Frisian, Game, International, Italian, Rules, Russian, Spanish, Thai, Turkish,
    Word, find,
};
use soffio::search::{Control, Limits, Searcher, Table, Task};
use std::sync::Arc;

/// Depths of the search, in plies: shallow, so that much happens beyond them.
const DEPTHS: [u32; 4] = [1, 2, 3, 4];
/// A loss must last for so many plies beyond the depth: what comes back is none.
const BEYOND: u32 = 3;
/// Games walked for each rule set.
const GAMES: usize = 150;
/// Of so many positions one may be a sacrifice.
const SACRIFICES: usize = 20;
/// Worth more than all material.
const END: i32 = 1000;

/// The material of the side to move less that of the other, in men, for a king worth so many.
fn balance<B: Bits>(position: &Position<B>, king: i32) -> i32 {
    let worth = |side| {
        let (men, kings) = position.material(side);
        men as i32 + king * kings as i32
    };
    worth(position.turn) - worth(position.turn.other())
}

/// The balance that comes of `depth` plies of all moves and of captures after them; who cannot move has lost. A window
/// is all that it has in common with the search.
fn minimax<R: Rules>(position: &Position<Word<R>>, king: i32, depth: u32, alpha: i32, beta: i32) -> i32 {
    let moves = movegen::legal_moves::<R>(position);
    if moves.is_empty() {
        return -END;
    }
    if depth == 0 && !moves[0].is_capture() {
        return balance(position, king);
    }
    let mut best = alpha;
    for mv in &moves {
        let below = depth.saturating_sub(1);
        best = best.max(-minimax::<R>(&position.make(mv), king, below, -beta, -best));
        if best >= beta {
            break;
        }
    }
    best
}

/// How much the move `index` loses against the best, by a minimax of `depth` plies.
fn loss<R: Rules>(position: &Position<Word<R>>, index: usize, king: i32, depth: u32) -> i32 {
    let moves = movegen::legal_moves::<R>(position);
    let worth = |mv| -minimax::<R>(&position.make(mv), king, depth - 1, -END, END);
    moves.iter().map(worth).max().unwrap() - worth(&moves[index])
}

/// Searches positions of seeded random games to fixed depths. A move is wrong if it loses by a minimax of the same depth
/// and by deeper ones, both for pieces of equal worth and for kings that are dear: a man for a promotion is no loss.
fn keeps_material<R: Rules>(id: &str) {
    let game = Arc::new(Game::new(find(id).unwrap()));
    let (mut rng, mut tested, mut wrong) = (Rng::new(23), 0, Vec::new());
    let (mut table, control, mut searcher) = (Table::new(12), Control::new(), Searcher::<R>::new());
    for _ in 0..GAMES {
        let mut referee = Referee::<R>::new(game.clone(), fen::start::<R>(&game));
        let end = 4 + rng.below(70);
        while referee.verdict().is_none() && referee.plies() < end {
            let moves = referee.legal_moves();
            referee.play(&moves[rng.below(moves.len())]);
        }
        let (moves, position) = (referee.legal_moves(), *referee.position());
        // Who is far behind or ahead may give material with good reason.
        if referee.verdict().is_some() || moves.len() > 24 || balance(&position, 1).abs() > 2 {
            continue;
        }
        if (0..moves.len()).all(|index| loss::<R>(&position, index, 1, 3) == 0) {
            continue;
        }
        // Without its history, so that repetitions and counts are no reason either.
        let referee = Referee::<R>::new(game.clone(), position);
        for depth in DEPTHS {
            tested += 1;
            table.clear();
            searcher.new_game();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let outcome = searcher.search(&Task::new(&referee, &limits), &table, &control, &mut |_| {});
            let index = moves.iter().position(|&mv| Some(mv) == outcome.best).unwrap();
            let loses = |plies| [1, 3].iter().all(|&king| loss::<R>(&position, index, king, plies) > 0);
            if (depth..=depth + BEYOND).all(loses) {
                wrong.push((depth, fen::of_position::<R>(&game, &position)));
            }
        }
    }
    // A sacrifice for the position is rare, but no fault.
    assert!(
        tested >= 10 && wrong.len() * SACRIFICES <= tested,
        "{id}: {} of {tested}: {wrong:?}",
        wrong.len()
    );
}

#[test]
fn the_search_keeps_its_material() {
    keeps_material::<Italian>("italian");
    keeps_material::<English>("english");
    keeps_material::<Russian>("russian");
    keeps_material::<Brazilian>("brazilian");
    keeps_material::<Spanish>("spanish");
    keeps_material::<International>("international");
    keeps_material::<Frisian>("frisian");
    keeps_material::<Turkish>("turkish");
    keeps_material::<Thai>("thai");
    keeps_material::<Dameo>("dameo");
}
