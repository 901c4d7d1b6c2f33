//! Search: what it proves is true, what is won gets won, it keeps to its limits, and one thread is reproducible.

use soffio::bits::Bits;
use soffio::board::Side;
use soffio::engine::{self, Notation, Outcome, Session};
use soffio::notation::fen;
use soffio::referee::{Referee, State, times_stood};
use soffio::rng::Rng;
use soffio::rules::{
    English, Frisian, Game, Goal, Hawaiian, International, Italian, ParachuteOptional, RULE_SETS, Rules,
    Russian, Thai, Turkish, find,
};
use soffio::search::{ClockLimit, Control, Limits, Searcher, Table, Task};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn session(id: &str, position: &str) -> Box<dyn Session> {
    let mut session = engine::open(Game::new(find(id).unwrap()));
    session.set_hash(14);
    if !position.is_empty() {
        session.set_fen(position).unwrap();
    }
    session
}

fn think(session: &mut dyn Session, limits: &Limits) -> Outcome {
    session.search(limits, Notation::Pdn, &Control::new(), &mut |_| {})
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn every_game_keeps_to_a_number_of_nodes_and_repeats_itself() {
    for set in RULE_SETS {
        let mut first = session(set.id, "");
        let mut reports = 0;
        let outcome = first.search(&nodes(1500), Notation::Pdn, &Control::new(), &mut |_| reports += 1);
        assert_eq!(outcome.info.nodes, 1500, "{}", set.id);
        assert!(reports > 0 && first.legal_moves(Notation::Pdn).contains(&outcome.best.clone().unwrap()));
        let again = think(&mut *session(set.id, ""), &nodes(1500));
        first.new_game();
        let cleared = think(&mut *first, &nodes(1500));
        for other in [again, cleared] {
            assert_eq!((&other.best, &other.ponder), (&outcome.best, &outcome.ponder), "{}", set.id);
            assert_eq!((other.info.score, other.info.pv), (outcome.info.score, outcome.info.pv.clone()));
        }
    }
}

#[test]
fn no_time_and_no_nodes_still_give_a_move_and_a_score() {
    let clock = ClockLimit::default();
    for limits in [
        nodes(0),
        nodes(1),
        Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: Some(clock), ..Limits::default() },
        Limits { depth: Some(0), ..Limits::default() },
    ] {
        for id in ["italian", "international", "hawaiian", "dameo"] {
            let mut session = session(id, "");
            let mut reports = 0;
            let best = session.search(&limits, Notation::Pdn, &Control::new(), &mut |_| reports += 1).best;
            assert!(session.legal_moves(Notation::Pdn).contains(&best.unwrap()));
            assert!(reports > 0, "{id} {limits:?}");
        }
    }
}

#[test]
fn without_a_move_there_is_no_best_move() {
    for (id, position, text) in
        [("english", "W:WK29:B22,25,18", "-100.00"), ("anti-english", "W:W29:B25,22", "100.00")]
    {
        let outcome = think(&mut *session(id, position), &nodes(100));
        assert_eq!((outcome.best, outcome.info.score.to_string().as_str()), (None, text), "{id}");
    }
}

#[test]
fn a_single_move_is_answered_at_once_if_asked() {
    let mut session = session("english", "W:W29:B1,2,3");
    let limits = Limits { instant_single: true, ..Limits::default() };
    let outcome = think(&mut *session, &limits);
    assert_eq!((outcome.best.as_deref(), outcome.info.depth), (Some("29-25"), 6));
}

#[test]
fn a_single_move_has_the_score_of_its_search() {
    let quick = Limits { instant_single: true, ..Limits::default() };
    for (id, position) in
        [("italian", "W:W22:B18"), ("breakthrough", "W:W6:B9"), ("international", "W:W28:B22,12,1")]
    {
        let (mut session, mut reports) = (session(id, position), 0);
        let outcome = session.search(&quick, Notation::Pdn, &Control::new(), &mut |_| reports += 1);
        assert!(outcome.info.score.value() > 100 && reports == 1, "{id}: {}", outcome.info.score);
        assert!(outcome.info.nodes <= 3_000 && !outcome.info.pv.is_empty(), "{id}");
    }
}

/// A crowd of kings of both sides: many moves, and captures that branch.
const CROWD: &str = "W:WK31-50:BK1-20";

#[test]
fn stop_is_heard_at_once() {
    for (id, position) in [("international", CROWD), ("international", ""), ("dameo", ""), ("canadian", "")] {
        let mut session = session(id, position);
        session.set_threads(2);
        let control = Control::new();
        std::thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(60));
                let at = Instant::now();
                control.stop();
                at
            });
            let outcome = session.search(&Limits::default(), Notation::Pdn, &control, &mut |_| {});
            // Much more than it takes, for machines that are busy with other tests.
            assert!(stopper.join().unwrap().elapsed() < Duration::from_millis(1500), "{id} {position}");
            assert!(outcome.best.is_some());
        });
    }
}

#[test]
fn clocks_do_not_run_out() {
    for (time, inc, moves) in
        [(0, 0, None), (1, 0, Some(1)), (20, 0, None), (40, 10, Some(2)), (100, 0, None), (200, 50, Some(1))]
    {
        for (id, position) in [("italian", ""), ("international", CROWD), ("turkish", "")] {
            let ms = Duration::from_millis;
            let clock = Some(ClockLimit { time: ms(time), inc: ms(inc), moves });
            let mut session = session(id, position);
            session.prepare().unwrap();
            let start = Instant::now();
            think(&mut *session, &Limits { clock, ..Limits::default() });
            let slack = 1000; // for busy machines
            assert!(start.elapsed() < ms(time + slack), "{id} {time} {inc} {moves:?}");
        }
    }
}

#[test]
fn threads_give_a_legal_move_and_count_their_nodes() {
    let mut session = session("italian", "");
    session.set_threads(4);
    let outcome = think(&mut *session, &nodes(8000));
    assert!(session.legal_moves(Notation::Pdn).contains(&outcome.best.unwrap()));
    assert!((2000..=8000).contains(&outcome.info.nodes), "{}", outcome.info.nodes);
}

#[test]
fn pondering_ignores_the_clock_until_the_hit() {
    let mut session = session("italian", "");
    let control = Control::new();
    control.start_pondering();
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(80));
            control.ponder_hit();
        });
        let limits = Limits { move_time: Some(Duration::from_millis(5)), ..Limits::default() };
        session.search(&limits, Notation::Pdn, &control, &mut |_| {});
    });
    assert!(start.elapsed() >= Duration::from_millis(80));
}

/// Plays the engine against itself; the winner and the number of plies.
fn play_out(id: &str, position: &str, limits: &Limits) -> (Option<Side>, usize) {
    let mut session = session(id, position);
    loop {
        if let Some(verdict) = session.verdict() {
            return (verdict.winner, session.plies());
        }
        let best = think(&mut *session, limits).best.unwrap();
        session.play(&best, Notation::Pdn).unwrap();
    }
}

#[test]
fn what_is_won_gets_won() {
    for (id, position, winner) in [
        ("english", "W:WK1,K2:BK14", Side::White),
        ("italian", "B:WK1,K2,K3:BK18", Side::White),
        ("russian", "W:WKa1,Kb2:Bh6,a7", Side::White),
        ("international", "W:WK1,K2,K3,K4:BK46,31", Side::White),
        ("turkish", "B:WKa1,Kb1:Bh6", Side::White),
    ] {
        assert_eq!(play_out(id, position, &nodes(20_000)).0, Some(winner), "{id} {position}");
    }
}

/// Endings of a few kings against one, or what becomes them, that theory calls won: won before a count of the draw rules
/// runs out. In the hunts by three kings and four the main road is held by those who hunt.
#[test]
fn simple_endings_are_played_out() {
    for (id, position) in [
        ("russian", "W:WKa1,Kc1,Ke1:BKb8"),
        ("russian", "W:WKa1,Kc5,Kd6:BKh4"),
        ("brazilian", "W:WKa1,Kc1,Ke1:BKb8"),
        ("italian-flying", "W:WKa1,Kc1,Ke1:BKb8"),
        ("czech", "W:WKa1,Kc1,Ke1:BKb8"),
        ("spanish", "W:WK1,K2,K3:BK30"),
        ("international", "W:WK46,K47,K48,K49:BK3"),
        ("international", "W:W21,36:B15"),
        ("international", "W:W24,30:B11"),
        ("italian", "W:WK31,K32:BK1"),
        ("english", "W:WK31,K32:BK1"),
    ] {
        let (winner, plies) = play_out(id, position, &nodes(40_000));
        assert_eq!(winner, Some(Side::White), "{id} {position}: {plies} plies");
    }
}

/// The result of a position by trying everything, if it is decided within `depth` plies: plies to the end, negative for
/// a loss (`-1 - plies`), `None` if open or drawn. Repetitions and counts are the referee's.
fn brute_force<R: Rules>(game: &Game, state: &State<R>, keys: &mut Vec<u64>, depth: u32) -> Option<i32> {
    let goal = game.set.goal;
    if state.breakthrough(goal).is_some() {
        return Some(-1);
    }
    let mut moves = Vec::new();
    state.legal_moves(&game.draws, &mut moves);
    if moves.is_empty() {
        return Some(if goal == Goal::Misere { 0 } else { -1 });
    }
    let stood = times_stood(keys, state.clock.reversible);
    if keys.len() > 1 {
        if let Some(verdict) = state.count_out(&game.draws, stood) {
            return verdict.winner.map(|winner| if winner == state.position.turn { 0 } else { -1 });
        }
    }
    if depth == 0 {
        return None;
    }
    let (mut win, mut loss, mut open) = (None::<i32>, 0, false);
    for mv in &moves {
        let after = state.play(&game.draws, mv);
        keys.push(after.key(&game.draws));
        let reply = brute_force(game, &after, keys, depth - 1);
        keys.pop();
        match reply {
            None => open = true,
            Some(reply) if reply < 0 => win = Some(win.map_or(-reply, |best| best.min(-reply))),
            Some(reply) => loss = loss.max(reply + 1),
        }
    }
    win.or_else(|| (!open).then_some(-1 - loss))
}

/// Late positions of seeded random games: the search and the trial of all moves must agree on what is decided.
fn proofs_agree<R: Rules>(id: &str) {
    let game = Arc::new(Game::new(find(id).unwrap()));
    let (mut rng, mut decided) = (Rng::new(7), 0);
    let (mut table, control, mut searcher) = (Table::new(12), Control::new(), Searcher::<R>::new());
    for _ in 0..400 {
        if decided == 12 {
            return;
        }
        let mut referee = Referee::<R>::new(game.clone(), fen::start::<R>(&game));
        let mut states = Vec::new();
        while referee.verdict().is_none() && referee.plies() < 200 {
            states.push(referee.clone());
            let moves = referee.legal_moves();
            referee.play(&moves[rng.below(moves.len())]);
        }
        let back = 1 + rng.below(6);
        let Some(referee) = states.len().checked_sub(back).map(|index| &states[index]) else { continue };
        if referee.legal_moves().len() > 16 {
            continue;
        }
        // Only a position's own future counts, so that both sides see the same repetitions.
        let referee = Referee::<R>::new(game.clone(), *referee.position());
        let truth = brute_force(&game, referee.state(), &mut referee.keys().to_vec(), 4);
        table.clear();
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let score = searcher.search(&Task::new(&referee, &limits), &table, &control, &mut |_| {}).info.score;
        let position = fen::of_position::<R>(&game, referee.position());
        match (truth, score.plies_to_end()) {
            (Some(plies), found) => {
                decided += 1;
                let want = if plies >= 0 { plies } else { -1 - plies };
                assert_eq!((score.is_win(), found), (plies >= 0, Some(want as u32)), "{id} {position}");
            }
            (None, found) => assert!(found.is_none_or(|plies| plies > 4), "{id} {position}: {score}"),
        }
    }
    assert!(decided > 3, "{id}: {decided}");
}

#[test]
fn proofs_agree_with_brute_force() {
    proofs_agree::<Italian>("italian");
    proofs_agree::<English>("english");
    proofs_agree::<English>("anti-english");
    proofs_agree::<Russian>("russian");
    proofs_agree::<Russian>("anti-russian");
    proofs_agree::<International>("breakthrough");
    proofs_agree::<Frisian>("frysk");
    proofs_agree::<Turkish>("turkish");
    proofs_agree::<Hawaiian>("hawaiian");
    proofs_agree::<Thai>("thai");
}

/// Every ending of king against king in English draughts, by working back from the end: plies to the end, even for
/// losses, `None` for draws, by the bits of the two kings; the side to move is White.
#[test]
fn king_against_king_is_known_exactly() {
    let game = Arc::new(Game::new(find("english").unwrap()));
    let bits: Vec<u64> =
        soffio::board::squares::<<English as Rules>::Board>().iter().map(|i| 1 << i).collect();
    let position = |white: u64, black: u64, turn| soffio::position::Position::<u64> {
        pieces: [white, black],
        kings: white | black,
        turn,
    };
    let mut all = Vec::new();
    for &white in &bits {
        for &black in bits.iter().filter(|&&black| black != white) {
            all.extend(Side::BOTH.map(|turn| position(white, black, turn)));
        }
    }
    let mut known = std::collections::HashMap::new();
    for plies in 0i32.. {
        let news: Vec<_> = all
            .iter()
            .filter(|position| !known.contains_key(*position))
            .filter(|position| {
                let replies: Vec<Option<i32>> = soffio::movegen::legal_moves::<English>(position)
                    .iter()
                    .map(|mv| if mv.is_capture() { Some(0) } else { known.get(&position.make(mv)).copied() })
                    .collect();
                if plies % 2 == 1 {
                    replies.iter().flatten().any(|&reply| reply == plies - 1)
                } else {
                    replies.iter().all(|reply| reply.is_some_and(|plies| plies % 2 == 1))
                }
            })
            .copied()
            .collect();
        if plies > 2 && news.is_empty() {
            break;
        }
        known.extend(news.into_iter().map(|position| (position, plies)));
    }
    let wins = |side| known.iter().filter(|(p, plies)| p.turn == side && **plies % 2 == 1).count();
    assert_eq!((wins(Side::White), wins(Side::Black)), (230, 230), "the published number of wins");
    assert_eq!(known.values().filter(|plies| **plies % 2 == 1).max(), Some(&11), "the longest win");
    let (mut table, control, mut searcher) = (Table::new(14), Control::new(), Searcher::<English>::new());
    let mut rng = Rng::new(3);
    for _ in 0..60 {
        let position = all[rng.below(all.len())];
        let referee = Referee::<English>::new(game.clone(), position);
        let limits = Limits { depth: Some(14), ..Limits::default() };
        table.clear();
        let score = searcher.search(&Task::new(&referee, &limits), &table, &control, &mut |_| {}).info.score;
        let text = fen::of_position::<English>(&game, &position);
        assert_eq!(score.plies_to_end(), known.get(&position).map(|&plies| plies as u32), "{text}");
        assert_eq!(score.is_win(), known.get(&position).is_some_and(|plies| plies % 2 == 1), "{text}");
    }
}

#[test]
fn an_optional_capture_may_be_left() {
    // The parachutist could jump, but then it would be taken; the search must cope with both kinds of moves at once.
    let game = Arc::new(Game::with_options("parachute", ["parachutist=optional"]).unwrap());
    let referee = Referee::<ParachuteOptional>::new(game.clone(), fen::start::<ParachuteOptional>(&game));
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let outcome =
        Searcher::new().search(&Task::new(&referee, &limits), &Table::new(12), &Control::new(), &mut |_| {});
    assert_eq!(outcome.info.depth, 6);
}
