//! Every counter of every rule set: the game goes on until the last ply but one and ends with the last.

use crate::face::face;
use crate::script::Script;
use crate::support::{game, game_with, named};
use soffio::board::Side;
use soffio::referee::{Reason, Verdict};
use soffio::rules::{Game, Goal, RULE_SETS};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Two kings and a man each, in no ending of any rule set.
const SIX: &str = "WKc1,Ke1,{h}2:BK{f}{8},Kd{8},a{7}";

/// Games by name, separated by blanks.
fn games(names: &str) -> impl Iterator<Item = Arc<Game>> {
    names.split(' ').map(named)
}

/// All rule sets that play for a count of quiet king moves, but the Russian family.
const KING_MOVES: [(&str, usize); 5] = [
    (
        "italian italian/repetition=4 italian-free italian-free/repetition=4 english gothic thai dameo croda \
         turkish turkish/one-against-one=king-wins armenian armenian/one-against-one=king-wins",
        80,
    ),
    ("czech corner one-way parachute", 30),
    ("international canadian sri-lankan philippine killer", 50),
    ("italian-flying brazilian spanish portuguese argentinian", 40),
    ("pool jamaican", 30),
];

#[test]
fn quiet_king_moves_are_counted() {
    for (ids, plies) in KING_MOVES {
        for game in games(ids) {
            let from = |turn: &str, pieces: &str| Script::new(&game, &format!("{turn}:{pieces}"));
            from("W", SIX).draws(&format!("K{plies}"), Reason::KingMoves);
            from("W", SIX).draws(&format!("K{} G", plies - 1), Reason::KingMoves);
            // White's man moves at the last moment.
            from("B", SIX).draws(&format!("K{} M K{plies}", plies - 1), Reason::KingMoves);
            from("W", SIX).draws(&format!("K20 C K{plies}"), Reason::KingMoves);
            from("W", "WKa1,Kc1,c{7}:BK{h}{8},K{f}{8},{h}4")
                .draws(&format!("K4 P K{plies}"), Reason::KingMoves);
        }
    }
}

#[test]
fn plies_without_a_capture_are_counted() {
    let checkers = game("checkers");
    let six = Script::new(&checkers, &format!("W:{SIX}"));
    six.draws("K100", Reason::NoCapture);
    six.draws("K99 G", Reason::NoCapture);
    six.draws("K30 M K69", Reason::NoCapture);
    six.draws("K30 C K100", Reason::NoCapture);
    Script::new(&checkers, "W:WKa1,Kc1,c7:BK{h}4,K{h}{8},{h}2").draws("K4 P K95", Reason::NoCapture);
}

#[test]
fn games_without_a_count_go_on() {
    for game in games("antidraughts anti-english anti-italian anti-brazilian anti-russian frisian frysk") {
        Script::new(&game, &format!("W:{SIX}")).ends("K2 A8", None);
        let kings = Script::new(&game, "W:WKa1,Kc1:BK{h}{8},K{f}{8}");
        kings.ends("K130", None);
    }
}

/// FMJD 6.3 and 6.4.
#[test]
fn international_endings() {
    for game in games("international canadian sri-lankan philippine") {
        let from = |start: &str| Script::new(&game, start);
        for start in [
            "W:WKa1,Kc1,Ke1:BKa{7}",
            "W:WKa1,Kc1,{h}2:BKa{7}",
            "W:WKa1,e1,g1:BKa{7}",
            "B:WKa1:BKa{7},Kb{8},Kd{8}",
        ] {
            from(start).draws("K32", Reason::Ending);
        }
        from("W:WKa1,Kc1,Ke1:BKa{7}").draws("K31 G", Reason::Ending);
        for start in [
            "W:WKa1,Kc1:BKa{7}",
            "W:WKa1,{h}2:BKa{7}",
            "W:WKa1:BKa{7}",
            "W:WKa1:BKa{7},Kb{8}",
            "W:WKa1:BKa{7},a5",
        ] {
            from(start).draws("K10", Reason::Ending);
        }
        // Man moves and promotions do not interrupt it; captures lead from one class to another.
        from("W:WKa1,e1,g1:BKa{7}").draws("K10 M K21", Reason::Ending);
        from("W:WKa1,g1,c{7}:BKa{7}").draws("K10 P K21", Reason::Ending);
        from("W:WKa1,c{7}:BKa3").draws("K4 P K5", Reason::Ending);
        from("W:WKa1,Kc1,Ke1,Kg1:BKa{7}").draws("K1 C K32", Reason::Ending);
        from("W:WKa1,Kc1,Ke1:BKa{7}").draws("K27 C K10", Reason::Ending);
        // Four against one, two against two, three men against a king are no endings.
        from("W:WKa1,Kc1,Ke1,Kg1:BKa{7}").draws("K50", Reason::KingMoves);
        from("W:WKa1,Kc1:BKa{7},Kb{8}").draws("K50", Reason::KingMoves);
        from("W:Wa1,c1,e1:BKa{7}").ends("A12", None);
    }
    for start in ["W:WKa1,Kc1,Ke1:BKa{7}", "W:WKa1,Kc1:BKa{7}", "W:WKa1:BKa{7}"] {
        Script::new(&game("killer"), start).draws("K50", Reason::KingMoves);
    }
}

/// The confederation's endings of Brazilian draughts.
#[test]
fn brazilian_endings() {
    let brazilian = game("brazilian");
    let from = |start: &str| Script::new(&brazilian, start);
    for start in [
        "W:WKa1,Kc1:BKa{7},Kb{8}",
        "W:WKa1,Kc1:BKa{7}",
        "W:WKa1:BKa{7},Kb{8}",
        "W:WKa1,Kc1:BKa{7},a5",
        "W:WKa1,{h}2:BKa{7},Kb{8}",
        "W:WKa1:BKa{7}",
        "W:WKa1:BKa{7},a5",
        "W:WKa1,{h}2:BKa{7}",
    ] {
        from(start).draws("K10", Reason::Ending);
    }
    // Another composition of the same class starts the count anew.
    from("W:WKa1,Kc1:BKa{7},{h}2").draws("K5 P K10", Reason::Ending);
    from("W:WKa1,Kc1:BKa{7},a5").draws("K5 M K4", Reason::Ending);
    from("W:WKa1,Kc1:BKa{7},Kb{8}").draws("K4 C K10", Reason::Ending);
    for start in [
        "W:WKa1,Kc1,Ke1:BKa{7}",
        "W:WKa1,e1,g1:BKa{7}",
        "W:WKa1,{h}2:BKa{7},a5",
        "W:WKa1,Kc1,Ke1:BKa{7},Kb{8}",
    ] {
        from(start).draws("K40", Reason::KingMoves);
    }
}

fn russian_family() -> [Arc<Game>; 3] {
    [game("russian"), game_with("brazilian", &["draws=idf64"]), game("spantsireti")]
}

/// FMJD-64 7.2.4 to 7.2.6 and 7.2.8.
#[test]
fn russian_endings() {
    for game in russian_family() {
        let from = |start: &str| Script::new(&game, start);
        for start in ["W:WKa3,Kc1,Ke1:BKa{7}", "W:WKa3:BKa{7},Kb{8},Kd{8}", "W:WKa3,Kc1,Ke1,Kg1:BKa{7}"] {
            from(start).draws("O30", Reason::Ending);
        }
        // The count is tied to the number of kings.
        from("W:WKa3,Kc1,Ke1,Kg1:BKa{7}").draws("O9 C O30", Reason::Ending);
        from("W:WKa3,Kc1,Ke1,c7:BK{h}4").draws("O20 P O30", Reason::Ending);
        // Four or five pieces, six or seven.
        for start in [
            "W:WKa1,Kc1:BKa{7},Kb{8}",
            "W:WKa1,Kc1,Ke1:BKa{7},Kb{8}",
            "W:WKa1,{h}2:BKa{7},Kb{8}",
            "W:WKa1,Kc1,{h}2:BKa{7},Kb{8}",
            "W:WKa1,{h}2:BKa{7},a5",
        ] {
            from(start).draws("K60", Reason::Ending);
        }
        from("W:WKa3,e1,g1:BKa{7}").draws("O60", Reason::Ending);
        from("W:WKa3,Kc1,Ke1,{h}2:BKa{7}").draws("K60", Reason::Ending);
        from("W:WKa1,Kc1,Ke1:BKa{7},Kb{8},Kd{8}").draws("K120", Reason::Ending);
        from("W:WKa1,Kc1,Ke1,{h}2:BKa{7},Kb{8},Kd{8}").draws("K120", Reason::Ending);
        from("W:WKa1,e1,g1:BKa{7},Kb{8},a5").draws("K119 G", Reason::Ending);
        // Another composition starts the count anew.
        from("W:WKa1,a7:BK{h}4,Kd{8}").draws("K20 P K60", Reason::Ending);
        from("W:WKa1,Kc1,c7:BK{h}4,K{h}{8},{h}2").draws("K20 P K120", Reason::Ending);
        from("W:WKa1,Kc1,Ke1:BKa{7},Kb{8},Kd{8}").draws("K10 C K60", Reason::Ending);
        from("W:WKa1,Kc1,Ke1,Kg1:BKa{7},Kb{8},Kd{8},K{f}{8}").draws("K10 C K120", Reason::Ending);
        // At most two pieces against a lone king.
        for start in ["W:WKa3,Kc1:BKa{7}", "W:WKa3,{h}2:BKa{7}", "W:WKa3:BKa{7}", "W:WKa3:BKa{7},Kb{8}"] {
            from(start).draws("K10", Reason::Ending);
        }
        from("W:WKa5,c7:BKa3").draws("K4 P K5", Reason::Ending);
        from("W:WKa3,Kc1,Ke1:BKa{7}").draws("O9 C K10", Reason::Ending);
    }
}

/// FMJD-64 7.2.5: with eight pieces or more.
#[test]
fn russian_king_moves() {
    for game in russian_family() {
        let eight = "WKa1,Kc1,Ke1,{h}2:BKa{7},Kb{8},Kd{8},a5";
        Script::new(&game, &format!("W:{eight}")).draws("K30", Reason::KingMoves);
        Script::new(&game, &format!("W:{eight}")).draws("K29 G", Reason::KingMoves);
        Script::new(&game, &format!("B:{eight}")).draws("K29 M K30", Reason::KingMoves);
        // Man moves keep it off for longer than an ending of fewer pieces would last.
        let long = "K29 M K29 M K29 M K29 M K30";
        Script::new(&game, &format!("B:{eight}")).draws(long, Reason::KingMoves);
        Script::new(&game, "W:WKa1,Kc1,Ke1,{h}2,{h}4:BKa{7},Kb{8},Kd{8},a5").draws("K30", Reason::KingMoves);
    }
}

/// FMJD-64 7.2.7: the lone king holds the main road. Spantsireti's board has none.
#[test]
fn russian_main_road() {
    for game in &russian_family()[..2] {
        let from = |start: &str| Script::new(game, start);
        for start in
            ["W:WKa3,Kc1,Ke1:BKd4", "W:WKa3,Kc1,{h}2:BKd4", "W:WKa3,e1,g1:BKd4", "B:WKd4:BKb{8},Kd{8},Kf{8}"]
        {
            from(start).draws("R10", Reason::Ending);
        }
        // It is broken by leaving the road and counts from the position that holds it again.
        from("W:WKa3,Kc1,Ke1:BKd4").draws("R9 O2 R11", Reason::Ending);
        from("W:WKa3,Kc1,Ke1:BKa{7}").draws("O5 R11", Reason::Ending);
        // It suspends no other count.
        from("W:WKa3,Kc1,Ke1:BKd4").draws("R9 O2 R8 O2 R8 O1", Reason::Ending);
        from("W:WKa3,e1,g1:BKd4").draws("R9 O2 R8 O2 R8 O2 R8 O2 R8 O2 R8 O1", Reason::Ending);
        // Four against one do not fall under it.
        from("W:WKa3,Kc1,Ke1,Kh2:BKd4").draws("R11 K19", Reason::Ending);
    }
    Script::new(&game("spantsireti"), "W:WKa3,Kc1,Ke1:BKd4").draws("R12 K18", Reason::Ending);
}

/// Three kings against one, exactly.
#[test]
fn three_kings_against_one() {
    for (ids, plies, king_moves) in [
        ("spanish portuguese argentinian", 24, 40),
        ("pool jamaican", 26, 30),
        ("italian-flying", 40, 40), // and the ending names the reason
    ] {
        for game in games(ids) {
            let from = |start: &str| Script::new(&game, start);
            from("W:WKa3,Kc1,Ke1:BKa{7}").draws(&format!("K{plies}"), Reason::Ending);
            from("W:WKa3:BKa{7},Kb{8},Kd{8}").draws(&format!("K{} G", plies - 1), Reason::Ending);
            from("W:WKa3,Kc1,Ke1,Kg1:BKa{7}").draws(&format!("K5 C K{plies}"), Reason::Ending);
            for start in [
                "W:WKa3,Kc1:BKa{7}",
                "W:WKa3,Kc1,Ke1,Kg1:BKa{7}",
                "W:WKa3,Kc1,Ke1:BKa{7},Kb{8}",
                "W:WKa3,Kc1,{h}2:BKa{7}",
            ] {
                from(start).draws(&format!("K{king_moves}"), Reason::KingMoves);
            }
        }
    }
}

/// Art. 21 as automatic play has it, and as written.
#[test]
fn frisian_endings() {
    for id in ["frisian", "frysk"] {
        let (automatic, official) = (game(id), game_with(id, &["one-king-each=official"]));
        for game in [&automatic, &official] {
            let from = |start: &str| Script::new(game, start);
            from("W:WKa1,Kc1:BKa{7}").draws("K14", Reason::Ending);
            from("W:WKa1:BKa{7},Kb{8}").draws("K13 G", Reason::Ending);
            from("W:WKa1,Kc1,Ke1:BKa{7}").draws("K5 C K14", Reason::Ending);
            from("W:WKa1,Kc1,Ke1:BKa{7}").ends("K60", None);
            from("W:WKa1,{h}2:BKa{7}").ends("K3 A12", None);
        }
        Script::new(&automatic, "W:WKa1:BKa{7}").draws("K4", Reason::Ending);
        Script::new(&automatic, "W:WKa1:BKa{7}").draws("K3 G", Reason::Ending);
        Script::new(&automatic, "W:WKa1,Kc1:BKa{7}").draws("K3 C K4", Reason::Ending);
        Script::new(&official, "W:WKa1:BKa{7}").draws("K1", Reason::Ending);
        Script::new(&official, "W:WKa1,Kc1:BKa{7}").draws("K3 C", Reason::Ending);
        Script::new(&official, "W:WKa1:BKa{7}").ends("G", None);
        let taken = Verdict { winner: Some(Side::Black), reason: Reason::NoMoves };
        Script::new(&official, "W:WKa1:BKa{7}").ends("G C", Some(taken));
    }
}

#[test]
fn one_against_one() {
    for id in ["turkish", "armenian"] {
        let (draw, king_wins) = (game(id), game_with(id, &["one-against-one=king-wins"]));
        for (game, man_loses) in [(&draw, false), (&king_wins, true)] {
            let from = |start: &str| Script::new(game, start);
            from("W:WKa1:BKb8").draws("K1", Reason::OneAgainstOne);
            from("W:Wd3:Bf6").draws("M1", Reason::OneAgainstOne);
            from("W:WKa1,Kb1:BKh8").draws("K3 C", Reason::OneAgainstOne);
            for (start, king) in
                [("W:WKa1:Bf6", Side::White), ("B:WKa1:Bf6", Side::White), ("W:Wd3:BKh8", Side::Black)]
            {
                let winner = Some(king).filter(|_| man_loses);
                from(start).ends("A1", Some(Verdict { winner, reason: Reason::OneAgainstOne }));
            }
            // Not while the side to move can capture, and not of the start position.
            from("W:WKb2:BKd4").ends("G", None);
            from("W:WKa1:BKb8").verdicts(&[], None, "start");
            // Not with another piece.
            from("W:WKa1,Kb1:BKh8").ends("K6", None);
        }
    }
}

#[test]
fn repetitions_are_counted() {
    let options = [
        ("italian", &["repetition=4"][..]),
        ("italian-free", &["repetition=4"]),
        ("brazilian", &["draws=idf64"]),
        ("frisian", &["one-king-each=official"]),
        ("frysk", &["one-king-each=official"]),
        ("turkish", &["one-against-one=king-wins"]),
        ("armenian", &["one-against-one=king-wins"]),
    ];
    let all = RULE_SETS.iter().map(|set| (set.id, &[][..])).chain(options);
    let mut tested = BTreeSet::new();
    for (id, options) in all {
        let game = game_with(id, options);
        let times = match (game.set.goal, options) {
            _ if id == "hawaiian" => continue,
            (Goal::Breakthrough, _) => continue,
            (_, ["repetition=4"]) => 4,
            _ => 3,
        };
        let kings = id != "alquerque";
        let starts: &[(&str, bool)] = match id {
            "alquerque" => &[("W:Wc1,e1:Bc5,e5", false)],
            // Men step sideways and so come back as kings do.
            "turkish" | "armenian" | "gothic" => &[("W:WKa1,Kc1:BKb8,Kd8", true), ("W:Wd3,g3:Bd6,g6", false)],
            _ => &[("W:WKa1,Kc1:BK{h}{8},K{f}{8}", kings)],
        };
        for (start, kings) in starts {
            let script = Script::new(&game, start);
            let cycle = script.cycle(&*script.table(), *kings, |_| true);
            let moves: Vec<String> = cycle.iter().cycle().take(4 * (times - 1)).cloned().collect();
            let drawn = Verdict { winner: None, reason: Reason::Repetition };
            script.verdicts(&moves, Some(drawn), "repetition");
        }
        tested.insert(id);
    }
    assert_eq!(tested.len(), RULE_SETS.len() - 2);
}

/// Frisian: the king that moved last and how often in a row are part of the position.
#[test]
fn frisian_king_moves_tell_positions_apart() {
    for game in games("frisian frysk") {
        let script = Script::new(&game, "W:WKa1,Kc1,{h}2:BK{f}{8},Kd{8}");
        let table = script.table();
        let first = script.cycle(&*table, true, |_| true);
        let mover = first[0].split('-').next().unwrap();
        let second = script.cycle(&*table, true, |choice| !choice.text.starts_with(mover));
        // The pieces stand as at first after 4, 8, 12 and 16 plies; what is the same for the third time is the position
        // after the first move.
        let moves: Vec<String> =
            [&first, &second, &first, &second, &first].into_iter().flatten().cloned().collect();
        script.verdicts(&moves[..16], None, "pieces repeat");
        let drawn = Verdict { winner: None, reason: Reason::Repetition };
        script.verdicts(&moves[..17], Some(drawn), "positions repeat");
    }
}

/// When several reasons hold, the order of the checks decides.
#[test]
fn the_first_reason_counts() {
    let no_moves = Some(Verdict { winner: Some(Side::White), reason: Reason::NoMoves });
    // Black's king goes to and fro between a1 and b2 until it is on a1 and White's king steps from a3 to b2.
    for (id, king, plies) in [("czech", "b2", 30), ("english", "a1", 80), ("checkers", "a1", 100)] {
        let shut_in = format!("B:WKa3,b4,c1,d2,e1,Kh2,Kh6:BK{king},c3");
        let script = Script::new(&game(id), &shut_in).still(&["21"]);
        script.ends(&format!("K{} B", plies - 1), no_moves);
    }
    // Repetition before endings: the position after two plies stands again after six and ten. Other kings make the
    // cycle, or a position would stand for the third time a ply earlier.
    let script = Script::new(&game("brazilian"), "W:WKc1,Ke1:BK{f}{8},Kd{8}");
    let mut moves = script.moves("K2");
    let mut table = script.table();
    moves.iter().for_each(|text| table.play(text).unwrap());
    let moved: Vec<_> = moves.iter().map(|text| text.split('-').next_back().unwrap().to_owned()).collect();
    let cycle = script.cycle(&*table, true, |choice| !moved.iter().any(|to| choice.text.starts_with(to)));
    moves.extend(cycle.iter().chain(&cycle).cloned());
    script.verdicts(
        &moves,
        Some(Verdict { winner: None, reason: Reason::Repetition }),
        "repetition and ending",
    );
    // Breakthrough before the opponent's lack of moves.
    let breakthrough = game("breakthrough");
    let won = Verdict { winner: Some(Side::White), reason: Reason::Breakthrough };
    Script::new(&breakthrough, "W:Wc9:B").ends("P", Some(won));
}

/// No verdict on a start position but the lack of a move.
#[test]
fn starts_are_not_judged() {
    for set in RULE_SETS {
        let game = game(set.id);
        let start = crate::support::setup(&game, &game.start_fen());
        assert_eq!(face(game.kernel()).referee(&game, &start).verdict(), None, "{}", set.id);
        if game.moves.konane {
            continue;
        }
        let winner = if set.goal == Goal::Misere { Side::White } else { Side::Black };
        let lost = Verdict { winner: Some(winner), reason: Reason::NoMoves };
        Script::new(&game, "W:W:Bc3").verdicts(&[], Some(lost), "no piece");
    }
}
