//! Positions in which programs go wrong, each with all its legal moves.

use crate::conformance::records;
use crate::face::face;
use crate::slow::{Slow, SlowMove, Square};
use crate::support::{game, setup};
use serde::Deserialize;
use soffio::notation::squares;
use soffio::rules::Game;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Trap {
    trap: usize,
    variant: String,
    fen: String,
    /// Start and end of each move, `=K` if it promotes, in the square names of the FEN.
    legal: Vec<String>,
    /// Paths of captures with the captured pieces in order: `47x20x3x17 takes 33,9,K12`.
    #[serde(default)]
    routes: Vec<String>,
}

/// A move as the traps write it.
fn text(game: &Game, slow: &Slow, algebraic: bool, mv: &SlowMove) -> String {
    let name = |square: Square| {
        let index = slow.index(square);
        if algebraic { squares::name(game, index) } else { squares::number(game, index).to_string() }
    };
    let sign = if mv.captured.is_empty() { '-' } else { 'x' };
    format!("{}{sign}{}{}", name(mv.from), name(mv.to), if mv.promotes { "=K" } else { "" })
}

#[test]
fn traps_have_exactly_these_moves() {
    let traps: Vec<Trap> = records("traps.jsonl");
    assert!(traps.iter().map(|trap| trap.trap).eq(1..=90));
    for Trap { trap, variant, fen, legal, routes } in traps {
        let game = game(&variant);
        let (face, position) = (face(game.kernel()), setup(&game, &fen));
        let algebraic = fen.contains(|c: char| c.is_ascii_lowercase());
        let moves = face.find(&position).moves;
        let got: BTreeSet<_> = moves.iter().map(|mv| text(&game, &face.slow(), algebraic, mv)).collect();
        assert!(got.iter().eq(legal.iter().collect::<BTreeSet<_>>()), "trap {trap}: {got:?}");
        for route in routes {
            let (path, victims) = route.split_once(" takes ").unwrap();
            let victim = |name: &str| {
                let index = squares::parse_square(&game, name.trim_start_matches('K')).unwrap();
                squares::number(&game, index)
            };
            let mut want: Vec<_> = victims.split(',').map(victim).collect();
            want.sort_unstable();
            let (captured, _) =
                face.parse(&game, &position, path).unwrap_or_else(|error| panic!("trap {trap}: {error}"));
            assert_eq!(captured, want, "trap {trap}: {route}");
        }
    }
}
