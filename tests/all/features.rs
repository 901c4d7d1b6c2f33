//! What a client may ask of a search beside its limits: several lines, chosen moves, weaker play, contempt, a log.

use crate::drive::{Engine, argument};
use crate::hub::position;
use soffio::engine::{self, Info, Notation, Outcome, Session};
use soffio::rules::{Game, find};
use soffio::search::{Bound, Control, Limits, Options};
use std::collections::HashSet;

fn session(id: &str, fen: &str) -> Box<dyn Session> {
    let mut session = engine::open(Game::new(find(id).unwrap()));
    session.set_hash(16);
    if !fen.is_empty() {
        session.set_fen(fen).unwrap();
    }
    session
}

fn search(session: &mut dyn Session, limits: &Limits) -> (Outcome, Vec<Info>) {
    let mut news = Vec::new();
    let outcome = session.search(limits, Notation::HUB, &Control::new(), &mut |info| news.push(info.clone()));
    (outcome, news)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn lines_are_told_together_and_in_order() {
    for id in ["italian", "international", "turkish", "hawaiian"] {
        let (outcome, news) = search(&mut *session(id, ""), &Limits { multipv: 3, ..depth(7) });
        let lines = news[0].lines as usize;
        assert_eq!(lines, session(id, "").legal_moves(Notation::HUB).len().min(3), "{id}");
        assert_eq!(news.len(), 7 * lines, "{id}");
        for group in news.chunks(lines) {
            assert!((1..).zip(group).all(|(rank, info)| info.multipv == rank && info.bound == Bound::Exact));
            assert!(group.windows(2).all(|pair| pair[0].score >= pair[1].score), "{id}: {group:?}");
            let moves: HashSet<_> = group.iter().map(|info| &info.pv[0]).collect();
            assert_eq!(moves.len(), lines, "each line begins with its own move");
        }
        let last = &news[news.len() - lines];
        assert_eq!((&outcome.best, last.score), (&last.pv.first().cloned(), outcome.info.score), "{id}");
        assert!(last.seldepth >= 7 && last.hashfull <= 1000);
    }
}

#[test]
fn the_second_line_is_the_best_of_the_others() {
    // A mate in one here is worth more than anything else; each line is searched as if alone.
    let fen = "W:W22,K30:B18,8";
    let mut session = session("english", fen);
    let (_, news) = search(&mut *session, &Limits { multipv: 2, ..depth(6) });
    let second = news.last().unwrap().clone();
    let others: Vec<_> = session.legal_moves(Notation::HUB);
    let first = &news[news.len() - 2].pv[0];
    let others: Vec<_> = others.into_iter().filter(|mv| mv != first).collect();
    if !others.is_empty() {
        session.new_game();
        let (alone, _) = search(&mut *session, &Limits { searchmoves: others, ..depth(6) });
        assert_eq!(alone.best.as_ref(), second.pv.first());
    }
}

#[test]
fn only_chosen_moves_are_played() {
    let mut session = session("italian", "");
    for mv in session.legal_moves(Notation::HUB) {
        let (outcome, news) = search(&mut *session, &Limits { searchmoves: vec![mv.clone()], ..depth(5) });
        assert_eq!(outcome.best.as_deref(), Some(&*mv));
        assert!(news.iter().all(|info| info.pv[0] == mv) && outcome.info.depth == 5);
    }
    let chosen = ["21-17", "21-17", "1-2", "24-20"].map(str::to_owned).to_vec();
    let (outcome, news) = search(&mut *session, &Limits { searchmoves: chosen, multipv: 9, ..depth(4) });
    assert!(["21-17", "24-20"].contains(&outcome.best.unwrap().as_str()));
    assert!(news.iter().all(|info| info.lines == 2), "twice is once, and what is illegal does not count");
}

#[test]
fn a_single_chosen_move_is_searched_all_the_same() {
    let limits = Limits { searchmoves: vec!["24-20".to_owned()], instant_single: true, ..depth(8) };
    assert_eq!(search(&mut *session("italian", ""), &limits).0.info.depth, 8);
}

#[test]
fn a_win_that_is_near_enough_ends_the_search() {
    // Two kings against one in a corner of English draughts.
    let fen = "W:WK6,K10:BK1";
    let limits = Limits { mate: Some(17), ..Limits::default() };
    let (outcome, _) = search(&mut *session("english", fen), &limits);
    assert!(outcome.info.score.is_win(), "{}", outcome.info.score);
    assert!(outcome.info.score.plies_to_end().is_some_and(|plies| plies <= 17), "{}", outcome.info.score);
}

/// All limits, with all that can be asked for: the same again from the same beginning.
#[test]
fn searches_are_repeated_exactly() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let chosen = ["23-20", "22-18", "21-17"].map(str::to_owned).to_vec();
    let full = Options::DEFAULT;
    for (limits, options) in [
        (depth(9), full.clone()),
        (nodes(20_000), full.clone()),
        (Limits { multipv: 4, ..nodes(20_000) }, full.clone()),
        (Limits { searchmoves: chosen.clone(), ..depth(9) }, full.clone()),
        (Limits { searchmoves: chosen, multipv: 2, ..nodes(9_000) }, full.clone()),
        (Limits { mate: Some(3), ..nodes(20_000) }, full.clone()),
        (depth(9), Options { contempt: 30, ..full.clone() }),
        (Limits::default(), Options { skill: 1, ..full.clone() }),
        (Limits { multipv: 2, ..Limits::default() }, Options { skill: 8, seed: 5, ..full.clone() }),
        (nodes(5_000), Options { skill: 15, contempt: -20, ..full }),
    ] {
        let run = || {
            let mut session = session("italian", "");
            session.set_options(&options);
            let mut told = Vec::new();
            // The second search goes on with what the first has learnt.
            for _ in 0..2 {
                let (outcome, news) = search(&mut *session, &limits);
                let telling =
                    |info: &Info| (info.depth, info.seldepth, info.score, info.nodes, info.pv.clone());
                told.push((outcome.best.clone(), outcome.ponder, telling(&outcome.info)));
                told.extend(news.iter().map(|info| (None, None, telling(info))));
                session.play(&outcome.best.unwrap(), Notation::HUB).unwrap();
            }
            told
        };
        assert_eq!(run(), run(), "{limits:?} {options:?}");
    }
}

#[test]
fn limits_of_nodes_are_exact() {
    for id in ["italian", "international", "dameo"] {
        for nodes in [1, 2, 100, 101, 4_097, 30_000] {
            for multipv in [1, 3] {
                let limits = Limits { nodes: Some(nodes), multipv, ..Limits::default() };
                assert_eq!(search(&mut *session(id, ""), &limits).0.info.nodes, nodes, "{id}");
            }
        }
    }
}

#[test]
fn weaker_levels_see_less_and_err_in_their_own_ways() {
    let best = |skill, seed, games| {
        let mut session = session("italian", "");
        session.set_options(&Options { skill, seed, ..Options::DEFAULT });
        (0..games).for_each(|_| session.new_game());
        search(&mut *session, &Limits::default()).0
    };
    let nodes = [1, 5, 10, 15, 19].map(|skill| best(skill, 0, 0).info.nodes);
    assert!(nodes.is_sorted(), "{nodes:?}");
    let moves = |outcomes: Vec<Outcome>| outcomes.into_iter().map(|o| o.best).collect::<HashSet<_>>();
    assert!(moves((0..20).map(|seed| best(1, seed, 0)).collect()).len() > 2, "seeds make games");
    assert!(moves((0..20).map(|games| best(1, 0, games)).collect()).len() > 2, "and so do new games");
}

/// White has a man less and could repeat for ever; what a draw is worth decides whether it does.
#[test]
fn contempt_decides_about_repetitions() {
    // Kings shuffle, all level. The position has stood twice; to go back repeats it.
    let mut session = session("english", "W:WK32,21,K1:BK5,13,K4");
    for mv in ["32-28", "4-8", "28-32", "8-4", "32-28", "4-8"] {
        session.play(mv, Notation::HUB).unwrap();
    }
    // One table for all: what is in it from a search with another contempt does not count.
    let mut choose = |contempt| {
        session.set_options(&Options { contempt, ..Options::DEFAULT });
        search(&mut *session, &depth(7)).0
    };
    let (avoids, seeks) = (choose(300), choose(-300));
    assert_ne!(avoids.best.as_deref(), Some("28-32"), "{}", avoids.info.score);
    assert_eq!(seeks.info.score.value(), 300, "a draw is worth 3 men to it: {:?}", seeks.info.pv);
    assert!(choose(0).info.score.value().abs() < 300);
}

#[test]
fn lines_of_a_client() {
    let mut engine = Engine::ready("italian");
    engine.send_all(&["set-param name=multipv value=3", "pos", "level depth=6"]);
    let lines = engine.go("go");
    let numbers: Vec<_> = lines.iter().filter_map(|line| argument(line, "multipv")).collect();
    assert_eq!(numbers.last().unwrap(), "1", "the best line comes last");
    assert!(lines.iter().filter(|line| line.starts_with("info")).all(|line| line.contains(" multipv=")));
    assert!(numbers.windows(3).any(|three| three == ["1", "2", "3"]), "{lines:?}");
    // A level overrules the parameter, and without it nothing is numbered.
    engine.send("level depth=6 multipv=1");
    assert!(engine.go("go").iter().all(|line| !line.contains("multipv")));
    engine.quit();
}

#[test]
fn chosen_moves_of_a_client() {
    let mut engine = Engine::ready("russian");
    engine.send_all(&[
        "set-param name=numbering value=pydraughts",
        "pos",
        "level depth=4 searchmoves=\"c3d4\"",
    ]);
    // A change of numbers does not change the moves.
    let lines = engine.go("go");
    assert_eq!(argument(lines.last().unwrap(), "move").unwrap(), "10-14", "{lines:?}");
    engine.send_all(&[
        "pos",
        "level depth=4 searchmoves=\"10-14\"",
        "set-param name=numbering value=standard",
    ]);
    let lines = engine.go("go");
    assert_eq!(argument(lines.last().unwrap(), "move").unwrap(), "22-18", "{lines:?}");
    assert_eq!(
        engine.refusal("level searchmoves=\"22-18 1-5\""),
        "bad level: 'searchmoves': illegal move '1-5'"
    );
    assert_eq!(engine.refusal("level searchmoves"), "bad level: missing value of 'searchmoves'");
    engine.quit();
}

#[test]
fn an_analysis_is_at_full_strength() {
    let mut engine = Engine::ready("italian");
    engine.send_all(&["set-param name=skill value=1", "set-param name=contempt value=400"]);
    engine.send_all(&["pos", "level depth=8"]);
    let lines = engine.go("go analyze");
    assert_eq!(argument(&lines[lines.len() - 2], "depth").unwrap(), "8");
    engine.send_all(&["pos", "level depth=8"]);
    let lines = engine.go("go think");
    assert_eq!(argument(&lines[lines.len() - 2], "depth").unwrap(), "2");
    let bare = position('W', 32, &[(4, 'B'), (32, 'W')]);
    engine.send_all(&[&format!("pos pos={bare}"), "level depth=8"]);
    let lines = engine.go("go analyze");
    let score: f64 = argument(&lines[lines.len() - 2], "score").unwrap().parse().unwrap();
    assert!(score.abs() < 1.0, "{lines:?}");
    engine.quit();
}

#[test]
fn what_is_said_is_logged() {
    let path = std::env::temp_dir().join(format!("soffio-log-{}", std::process::id()));
    let mut engine = Engine::ready("italian");
    engine.quiet(&format!("set-param name=log-file value=\"{}\"", path.display()));
    engine.send_all(&["pos moves=22-18", "level depth=3"]);
    engine.go("go");
    engine.refusal("level depth=x");
    let refused = engine.refusal("set-param name=log-file value=/no/such/folder/log");
    assert!(refused.starts_with("parameter 'log-file': cannot open '/no/such/folder/log': "), "{refused}");
    engine.quiet("set-param name=log-file value=\"\"");
    engine.quit();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let said: Vec<_> = text.lines().map(|line| line.split_once(' ').unwrap()).collect();
    for line in ["> pos moves=22-18", "> level depth=3", "> go", "> level depth=x", "> ping", "< pong"] {
        assert!(said.iter().any(|(_, said)| *said == line), "{line} in {text}");
    }
    assert!(said.iter().any(|(_, said)| said.starts_with("< done move=")), "{text}");
    assert!(said.iter().any(|(_, said)| said.starts_with("< error message=")), "{text}");
    assert!(
        said.iter().all(|(time, _)| time.ends_with('Z') && time.len() == "2026-01-01T00:00:00.000000Z".len())
    );
    assert!(said.is_sorted_by_key(|(time, _)| *time), "{text}");
}

#[test]
fn a_table_can_be_emptied() {
    let mut engine = Engine::ready("italian");
    let mut nodes = |before: &str| {
        engine.send_all(&[before, "pos", "level depth=9"]);
        let lines = engine.go("go analyze");
        argument(&lines[lines.len() - 2], "nodes").unwrap().parse::<u64>().unwrap()
    };
    let first = nodes("new-game");
    let known = nodes("stop");
    assert!(known < first / 2, "{known} {first}");
    let emptied = nodes("set-param name=clear-hash value=true");
    assert!(emptied > first / 2, "{emptied} {first}");
    engine.quit();
}
