//! Evaluation: both colours are alike, terms add up, and the signs are right.

use soffio::board::Board;
use soffio::eval::{Evaluator, Model, ModelError, Odds, embedded_weights, features};
use soffio::notation::fen;
use soffio::position::{Position, Setup};
use soffio::referee::Referee;
use soffio::rng::Rng;
use soffio::rules::{English, Game, International, RULE_SETS, Rules, Russian, Visitor, Word, find};
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

/// The board turned half round, with the colours changed; not turned if both sides move the same way.
fn turned<R: Rules>(position: &Position<Word<R>>) -> Position<Word<R>> {
    let mut setup = Setup::of::<R>(position);
    setup.turn = setup.turn.other();
    for (square, side, _) in &mut setup.pieces {
        let seen = if R::MOVES.same_way { *square } else { R::Board::LAYOUT.squares - 1 - *square };
        (*square, *side) = (seen, side.other());
    }
    setup.check::<R>().unwrap()
}

struct Symmetry(Game);
impl Visitor for Symmetry {
    type Output = ();
    fn visit<R: Rules>(self) {
        let game = Arc::new(self.0);
        let mut rng = Rng::new(5);
        let mut random = || rng.below(60) as f32 - 30.0;
        let weights: Vec<[f32; 2]> = (0..features::count::<R>()).map(|_| [random(), random()]).collect();
        let model = Arc::new(Model::new(&weights, String::new()));
        for model in [None, Some(model), embedded_weights::<R>(game.set)] {
            let evaluator = Evaluator::new::<R>(&game, model);
            walk::<R>(&game, |position| {
                let score = evaluator.score::<R>(position);
                let text = fen::of_position::<R>(&game, position);
                assert_eq!(score, evaluator.score::<R>(&turned::<R>(position)), "{} {text}", game.set.id);
                let sum: i32 = evaluator.terms::<R>(position).iter().map(|(_, value)| value.value()).sum();
                assert_eq!(score, Score::eval(sum), "{} {text}", game.set.id);
                assert!(!score.is_decided());
            });
        }
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
    score_with::<R>(&game, embedded_weights::<R>(game.set), text)
}

fn score_with<R: Rules>(game: &Game, model: Option<Arc<Model>>, text: &str) -> i32 {
    let evaluator = Evaluator::new::<R>(game, model);
    evaluator.score::<R>(&fen::position::<R>(game, text).unwrap()).value()
}

fn score_of(id: &str, text: &str) -> i32 {
    struct Score<'a>(&'a str, &'a str);
    impl Visitor for Score<'_> {
        type Output = i32;
        fn visit<R: Rules>(self) -> i32 {
            score::<R>(self.0, self.1)
        }
    }
    Game::new(find(id).unwrap()).kernel().visit(Score(id, text))
}

#[test]
fn more_is_better_but_in_losing_games() {
    assert!(score::<English>("english", "W:W21,22,23:B1,2") > 50);
    let losing = Game::new(find("anti-english").unwrap());
    assert!(score_with::<English>(&losing, None, "W:W21,22,23:B1,2") < 0);
    assert!(score::<English>("english", "W:WK15,22:B1") > 50);
}

#[test]
fn few_pieces_do_not_beat_a_flying_king() {
    assert!(score::<Russian>("russian", "W:WKa1,Kb2:BKh2") < 100);
    assert!(score::<Russian>("russian", "W:WKa1,Kb2,Kc1:Bh6") > 250);
    assert!(score::<International>("international", "W:WK46,K41,K47:BK50") < 150);
}

#[test]
fn a_lone_flying_king_is_lost_off_the_main_road() {
    for (id, ours, theirs, nobodys, taken) in [
        (
            "russian",
            "W:WKa1,Ka3,Ke1:BKb8",
            "W:WKb8,Ka3,Ke1:BKa1",
            "W:WKa3,Kb4,Ke1:BKb8",
            "B:WKa3,Kb4,Ke1:BKb8",
        ),
        ("pool", "W:WK29,K21,K30:BK1", "W:WK1,K21,K30:BK29", "W:WK21,K17,K30:BK1", "B:WK21,K17,K30:BK1"),
    ] {
        let score = |text| score_of(id, text);
        assert!(score(ours) > 200 && score(nobodys) > 150, "{id}");
        assert!((1..100).contains(&score(theirs)) && (-100..0).contains(&score(taken)), "{id}");
        assert!(score(ours) > score(nobodys), "{id}");
    }
}

#[test]
fn a_lone_flying_king_is_shut_in() {
    // The triangle of a1, c5 and d6 leaves the king on h4 fewer squares than three kings at the edge do.
    assert!(score_of("russian", "W:WKa1,Kc5,Kd6:BKh4") > score_of("russian", "W:WKa1,Ka3,Kb8:BKh4") + 50);
}

#[test]
fn a_lone_king_is_driven_to_the_edge() {
    let (edge, centre) = ("W:WK10,K11:BK2", "W:WK22,K23:BK14");
    assert!(score::<English>("english", edge) > score::<English>("english", centre));
    let (near, far) = ("W:WK10,K11:BK2", "W:WK29,K30:BK2");
    assert!(score::<English>("english", near) > score::<English>("english", far));
}

#[test]
fn files_of_weights_are_read_back_and_checked() {
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<R: Rules>(self) {
            let set = find("english").unwrap();
            let weights: Vec<[f32; 2]> =
                (0..features::count::<R>()).map(|i| [i as f32 / 16.0, -1.5]).collect();
            let model = Model::new(&weights, "a note".to_owned());
            let file = model.write(set).unwrap();
            let read = Model::read::<R>(set, &file).unwrap();
            assert_eq!((&read, read.note(), read.weights(3)), (&model, "a note", [3, -24]));
            assert_eq!(
                Model::read::<R>(find("italian").unwrap(), &file),
                Err(ModelError::Other("english".to_owned()))
            );
            for cut in [0, 1, 40, file.len() / 2, file.len() - 1] {
                let torn = Model::read::<R>(set, &file[..cut]);
                assert!(matches!(torn, Err(ModelError::Damaged(_))), "{cut}: {torn:?}");
            }
            let mut bad = file.clone();
            bad[file.len() / 2] ^= 16;
            assert!(Model::read::<R>(set, &bad).is_err());
            let few = Model::new(&weights[1..], String::new()).write(set).unwrap();
            let size = ModelError::Size(weights.len() - 1, weights.len());
            assert_eq!(Model::read::<R>(set, &few), Err(size));
        }
    }
    Game::new(find("english").unwrap()).kernel().visit(Check);
}

#[test]
fn every_rule_set_that_has_features_has_weights() {
    struct Has(Game);
    impl Visitor for Has {
        type Output = ();
        fn visit<R: Rules>(self) {
            let model = embedded_weights::<R>(self.0.set);
            assert_eq!(model.is_some(), features::applies::<R>(), "{}", self.0.set.id);
            if let Some(model) = model {
                assert!(Odds::of_note(model.note()).is_some(), "{}: {}", self.0.set.id, model.note());
            }
        }
    }
    for set in RULE_SETS {
        let game = Game::new(set);
        game.kernel().visit(Has(game));
    }
}
