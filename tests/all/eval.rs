//! Evaluation: both colours are alike, terms add up, and the signs are right.

use soffio::board::Board;
use soffio::eval::{Evaluator, evaluate, terms};
use soffio::notation::fen;
use soffio::position::{Position, Setup};
use soffio::referee::Referee;
use soffio::rng::Rng;
use soffio::rules::{English, Game, RULE_SETS, Rules, Russian, Visitor, Word, find};
use soffio::score::Score;
use std::sync::Arc;

/// Positions of seeded random games.
fn walk<R: Rules>(game: &Arc<Game>, mut each: impl FnMut(&Position<Word<R>>)) {
    let mut rng = Rng::new(11);
    for _ in 0..6 {
        let mut referee = Referee::<R>::new(game.clone(), fen::start::<R>(game));
        while referee.verdict().is_none() && referee.plies() < 120 {
            each(referee.position());
            let moves = referee.legal_moves();
            referee.play(&moves[rng.below(moves.len())]);
        }
    }
}

/// The board turned half round, with the colours changed.
fn turned<R: Rules>(position: &Position<Word<R>>) -> Position<Word<R>> {
    let mut setup = Setup::of::<R>(position);
    setup.turn = setup.turn.other();
    for (square, side, _) in &mut setup.pieces {
        (*square, *side) = (R::Board::LAYOUT.squares - 1 - *square, side.other());
    }
    setup.check::<R>().unwrap()
}

struct Symmetry(Game);
impl Visitor for Symmetry {
    type Output = ();
    fn visit<R: Rules>(self) {
        let game = Arc::new(self.0);
        let evaluator = Evaluator::new::<R>(&game);
        walk::<R>(&game, |position| {
            let score = evaluator.score::<R>(position);
            let text = fen::of_position::<R>(&game, position);
            if !R::MOVES.same_way {
                assert_eq!(score, evaluator.score::<R>(&turned::<R>(position)), "{} {text}", game.set.id);
            }
            let sum: i32 = terms::<R>(&game, position).iter().map(|(_, value)| value.value()).sum();
            assert_eq!(score, Score::eval(sum), "{} {text}", game.set.id);
            assert!(!score.is_decided());
        });
    }
}

#[test]
fn both_colours_are_alike_and_terms_add_up() {
    for set in RULE_SETS {
        Game::new(set).kernel().visit(Symmetry(Game::new(set)));
    }
}

fn score<R: Rules>(id: &str, text: &str) -> i32 {
    let game = Game::new(find(id).unwrap());
    evaluate::<R>(&game, &fen::position::<R>(&game, text).unwrap()).value()
}

#[test]
fn more_is_better_but_in_losing_games() {
    assert!(score::<English>("english", "W:W21,22,23:B1,2") > 50);
    assert!(score::<English>("anti-english", "W:W21,22,23:B1,2") < 0);
    assert!(score::<English>("english", "W:WK15:B1") > 50);
}

#[test]
fn few_pieces_do_not_beat_a_flying_king() {
    assert!(score::<Russian>("russian", "W:WKa1,Kb2,Kc1:BKh2") < 150);
    assert!(score::<Russian>("russian", "W:WKa1,Kb2,Kc1:Bh6") > 400);
}

#[test]
fn a_lone_king_is_driven_to_the_edge() {
    let (edge, centre) = ("W:WK10,K11:BK2", "W:WK22,K23:BK14");
    assert!(score::<English>("english", edge) > score::<English>("english", centre));
    let (near, far) = ("W:WK10,K11:BK2", "W:WK29,K30:BK2");
    assert!(score::<English>("english", near) > score::<English>("english", far));
}
