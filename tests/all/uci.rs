//! The UCI dialect: what a client may rely on, point by point.

use crate::drive::{Engine, done, run};
use soffio::engine::{self, Notation};
use soffio::rules::{Game, RULE_SETS};
use std::time::{Duration, Instant};

const START: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

fn ready(variant: &str) -> Engine {
    let mut engine = Engine::start(&["uci", "-v", variant]);
    engine.send("setoption name Hash value 1");
    synchronize(&mut engine);
    engine
}

/// What has been said before the answer to `isready`.
fn synchronize(engine: &mut Engine) -> Vec<String> {
    engine.send("isready");
    let mut lines = engine.until("readyok");
    lines.pop();
    lines
}

fn ask(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    synchronize(engine)
}

/// The one error that answers a line.
fn refusal(engine: &mut Engine, line: &str) -> String {
    let lines = ask(engine, line);
    let error = lines.first().and_then(|line| line.strip_prefix("info string error: "));
    assert!(lines.len() == 1 && error.is_some(), "{line}: {lines:?}");
    error.unwrap().to_owned()
}

fn quiet(engine: &mut Engine, line: &str) {
    assert_eq!(ask(engine, line), [""; 0], "{line}");
}

/// The lines of a search.
fn search(engine: &mut Engine, go: &str) -> Vec<String> {
    engine.send(go);
    engine.until("bestmove")
}

/// What stands behind a word of a line.
fn word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

fn number(line: &str, name: &str) -> i64 {
    word(line, name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name}: {line}"))
}

/// The last line about a search, and its move.
fn result(lines: &[String]) -> (&str, &str) {
    let [.., info, best] = lines else { panic!("{lines:?}") };
    for line in &lines[..lines.len() - 1] {
        let names =
            ["info", "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"];
        let found: Vec<_> = line.split(' ').filter(|word| names.contains(word)).collect();
        assert_eq!(found, names, "{line}");
        assert!(!line.ends_with("pv") && !line.ends_with(' '), "{line}");
    }
    (info, word(best, "bestmove").unwrap())
}

#[test]
fn handshake() {
    // The first word opens it, whatever the program was started for.
    for args in [&[][..], &["hub"], &["uci"]] {
        let mut engine = Engine::start(args);
        engine.send("uci");
        let lines = engine.until("uciok");
        assert!(lines[0].starts_with("id name Soffio "), "{lines:?}");
        assert_eq!(lines[1], "id author the Soffio authors");
        let mut names = Vec::new();
        for line in &lines[2..lines.len() - 1] {
            let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
            let default = word(rest, "default").unwrap_or_default();
            match rest.split(' ').next().unwrap() {
                "spin" => {
                    let value = number(rest, "default");
                    assert!((number(rest, "min")..=number(rest, "max")).contains(&value), "{line}");
                }
                "check" => assert!(["true", "false"].contains(&default), "{line}"),
                "combo" => assert!(rest.split(" var ").skip(1).any(|var| var == default), "{line}"),
                "string" => assert_eq!(default, "<empty>", "{line}"),
                "button" => assert_eq!(rest, "button"),
                other => panic!("{other}"),
            }
            names.push(name);
        }
        for name in
            ["UCI_Variant", "Rule", "Threads", "Hash", "Clear Hash", "Ponder", "MultiPV", "Skill Level"]
        {
            assert!(names.contains(&name), "{name}");
        }
        for name in ["Contempt", "Move Overhead", "UCI_ShowWDL", "UCI_AnalyseMode", "Log File"] {
            assert!(names.contains(&name), "{name}");
        }
        engine.quit();
    }
    // Any line does for a program that was started for it.
    let mut engine = Engine::start(&["uci"]);
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
    engine.quit();
}

#[test]
fn all_rule_sets() {
    let mut engine = ready("italian");
    for set in RULE_SETS {
        quiet(&mut engine, &format!("setoption name UCI_Variant value {}", set.id));
        let mut session = engine::open(Game::new(set));
        quiet(&mut engine, "position startpos");
        for _ in 0..6 {
            let lines = search(&mut engine, "go depth 2");
            let (_, best) = result(&lines);
            assert!(session.legal_moves(Notation::HUB).iter().any(|mv| mv == best), "{}: {lines:?}", set.id);
            session.play(best, Notation::HUB).unwrap();
            quiet(&mut engine, &format!("position fen {}", session.fen()));
            assert!(ask(&mut engine, "d").contains(&format!("Fen: {}", session.fen())));
        }
    }
    engine.quit();
}

#[test]
fn limits_of_a_search() {
    let mut engine = ready("international");
    quiet(&mut engine, "position startpos moves 32-28 19-23 28x19x23 14x23");
    let lines = search(&mut engine, "go depth 5");
    let (info, _) = result(&lines);
    assert_eq!(number(info, "depth"), 5);
    assert!(number(info, "seldepth") >= 5 && number(info, "hashfull") <= 1000);
    let lines = search(&mut engine, "go nodes 5000");
    assert_eq!(number(result(&lines).0, "nodes"), 5000);
    for go in [
        "go movetime 200",
        "go wtime 20000 btime 10",
        "go wtime 3000 btime 9000 movestogo 10 winc 100 binc 0",
    ] {
        let started = Instant::now();
        search(&mut engine, go);
        let taken = started.elapsed();
        assert!(taken > Duration::from_millis(20) && taken < Duration::from_secs(10), "{go}: {taken:?}");
    }
    for go in ["go wtime 1 btime 1", "go wtime -100 winc 1000", "go movetime 0", "go nodes 0", "go depth 0"] {
        assert!(result(&search(&mut engine, go)).1.contains('-'), "{go}");
    }
    let chosen = search(&mut engine, "go depth 4 searchmoves 34-30 33-28");
    assert!(["34-30", "33-28"].contains(&result(&chosen).1), "{chosen:?}");
    // The side to move is Black.
    quiet(&mut engine, "position startpos moves 32-28");
    assert_eq!(refusal(&mut engine, "go wtime 100"), "bad go: 'btime' is missing, and Black is to move");
    result(&search(&mut engine, "go btime 100 wtime 999999"));
    engine.quit();
}

#[test]
fn scores() {
    let mut engine = ready("international");
    quiet(&mut engine, "position fen W:W32:B28");
    let lines = search(&mut engine, "go depth 3");
    let (info, best) = result(&lines);
    assert_eq!((best, word(info, "mate")), ("32x23x28", Some("1")), "{info}");
    assert!(!info.contains("wdl"));
    quiet(&mut engine, "setoption name UCI_ShowWDL value true");
    assert!(search(&mut engine, "go depth 3")[0].contains(" score mate 1 wdl 1000 0 0 nodes "));
    let lines = search(&mut engine, "go mate 3");
    assert_eq!(word(result(&lines).0, "mate"), Some("1"), "{lines:?}");
    // A man up is a hundred.
    quiet(&mut engine, "position fen W:W31,32,33,34,35,36,37,38,39,40,41:B6,7,8,9,10,11,12,13,14,15");
    let lines = search(&mut engine, "go depth 6");
    assert!((50..200).contains(&number(result(&lines).0, "cp")), "{lines:?}");
    // Without a move.
    quiet(&mut engine, "position fen W:W46:B41,37");
    assert_eq!(search(&mut engine, "go depth 6"), ["info depth 0 score mate 0", "bestmove (none)"]);
    engine.send_all(&["go infinite", "isready", "stop"]);
    assert_eq!(engine.until("bestmove").last().unwrap(), "bestmove (none)");
    quiet(&mut engine, "setoption name UCI_Variant value losing");
    quiet(&mut engine, "position fen W:W46:B41,37");
    assert_eq!(search(&mut engine, "go depth 6"), ["bestmove (none)"], "he who cannot move has won");
    engine.quit();
}

#[test]
fn several_lines() {
    let mut engine = ready("international");
    quiet(&mut engine, "setoption name MultiPV value 3");
    quiet(&mut engine, "position startpos");
    let lines = search(&mut engine, "go depth 5");
    let numbers: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth 5 ")).collect();
    let numbers: Vec<_> = numbers.into_iter().map(|line| number(line, "multipv")).take(3).collect();
    assert_eq!(numbers, [1, 2, 3], "{lines:?}");
    engine.quit();
}

#[test]
fn ends_are_kept_back_while_they_must() {
    let mut engine = ready("international");
    // One legal move, so that the search is over at once.
    quiet(&mut engine, "position fen W:W32,50:B28,1");
    engine.send_all(&["go ponder wtime 100000 btime 100000"]);
    assert!(engine.line().starts_with("info depth "));
    assert_eq!(synchronize(&mut engine), [""; 0]);
    engine.send("ponderhit");
    assert!(engine.until("bestmove").last().unwrap().starts_with("bestmove 32x23x28"));
    engine.send("go ponder movetime 10");
    std::thread::sleep(Duration::from_millis(50));
    assert!(synchronize(&mut engine).iter().all(|line| line.starts_with("info depth")));
    engine.send("stop");
    assert!(engine.until("bestmove").last().unwrap().starts_with("bestmove 32x23x28"));
    engine.send("go infinite depth 1");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("ponderhit");
    assert!(synchronize(&mut engine).iter().all(|line| line.starts_with("info depth")));
    engine.send("stop");
    assert!(engine.until("bestmove").last().unwrap().starts_with("bestmove 32x23x28"));
    // Stray ones are passed over.
    quiet(&mut engine, "stop");
    quiet(&mut engine, "ponderhit");
    engine.quit();
}

#[test]
fn lines_during_a_search() {
    let mut engine = ready("italian");
    quiet(&mut engine, "position startpos");
    engine.send_all(&["go infinite", "", "debug on", "isready", "fly", "go\u{7}"]);
    let lines = engine.until("readyok");
    assert!(lines.iter().all(|line| line.starts_with("info depth") || line == "readyok"), "{lines:?}");
    let mut errors = Vec::new();
    while errors.len() < 2 {
        errors.extend(Some(engine.line()).filter(|line| line.starts_with("info string")));
    }
    assert_eq!(errors[0], "info string error: unknown command 'fly'; help lists the commands");
    assert_eq!(errors[1], "info string error: control character U+0007, column 3");
    // A command ends it, and is obeyed after it.
    engine.send_all(&["position startpos moves 22-18", "moves"]);
    let lines = engine.until("bestmove");
    assert!(lines.last().unwrap().starts_with("bestmove "));
    assert!(engine.line().starts_with("10-13 10-14"));
    // So does the end of the input.
    engine.send("go infinite");
    engine.close();
    assert!(engine.until("bestmove").last().unwrap().starts_with("bestmove "));
    let (status, taken) = engine.exit();
    assert!(status.success() && taken < Duration::from_secs(5));
}

#[test]
fn lines_that_are_refused() {
    let mut engine = ready("italian");
    quiet(&mut engine, "position startpos moves 22-18");
    for (line, error) in [
        ("fly", "unknown command 'fly'; help lists the commands"),
        ("UCI", "unknown command 'UCI'; help lists the commands"),
        ("setoption", "setoption: expected name NAME [value VALUE]"),
        ("setoption name Speed value 3", "unknown option 'Speed'"),
        (
            "setoption name Threads value 0",
            "option 'Threads': bad value '0': expected a number from 1 to 256",
        ),
        (
            "setoption name UCI_Variant value chess",
            "option 'UCI_Variant': unknown variant 'chess': see `soffio rules` for the list",
        ),
        ("position", "bad position: expected startpos or fen"),
        ("position fen", "bad position: missing FEN"),
        ("position startpos 22-18", "bad position: '22-18' after startpos"),
        ("position fen W:W99:B1", "bad position: impossible position: square 99 is off the board"),
        ("go fast", "bad go: unknown argument 'fast'"),
        ("go depth x", "bad go: bad number 'x' for 'depth'"),
        ("go searchmoves 1-2", "bad go: 'searchmoves': illegal move '1-2'"),
        ("perft", "perft: expected a depth"),
        ("perft 100", "bad number '100' for 'perft': at most 99"),
        ("go perft x", "bad go: bad number 'x' for 'perft'"),
        ("d 3", "unknown argument '3': d takes none"),
    ] {
        assert_eq!(refusal(&mut engine, line), error, "{line}");
    }
    let moves = "B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    assert!(ask(&mut engine, "d").concat().contains(moves), "nothing of it took effect");
    // A bad move leaves those before it played.
    let error = refusal(&mut engine, "position startpos moves 23-19 1-2 22-18");
    assert_eq!(error, "bad position: move 2: illegal move '1-2'");
    assert!(ask(&mut engine, "d").concat().contains("W19,21,22,24"));
    let long = "x".repeat(1 << 19);
    for line in
        ["A", "setoption name A", "setoption name Rule value A", "position A", "position fen A", "go A"]
    {
        assert!(refusal(&mut engine, &line.replace('A', &long)).len() < 250, "{line}");
    }
    engine.quit();
}

#[test]
fn moves_in_all_forms() {
    let mut engine = ready("russian");
    for moves in [
        "22-18 9-13 18-14 10x17x14",
        "c3-d4 b6-a5 d4-c5 d6xb4",
        "c3d4 b6a5 d4c5 d6b4",
        "22-18 9-13 18-14 10:17",
    ] {
        quiet(&mut engine, &format!("position startpos moves {moves}"));
        assert!(ask(&mut engine, "d").concat().contains("Fen: W:"), "{moves}");
    }
    engine.quit();
}

#[test]
fn options_take_effect() {
    let mut engine = ready("italian");
    quiet(&mut engine, "position startpos moves 22-18");
    quiet(&mut engine, "setoption name UCI_Variant value italian");
    assert!(ask(&mut engine, "d").concat().contains("B:W18"), "the same rules keep the position");
    quiet(&mut engine, "setoption name uci_variant value normal");
    assert!(ask(&mut engine, "d").concat().contains(":B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"));
    quiet(&mut engine, "setoption name UCI_Variant value argentinian");
    quiet(&mut engine, "setoption name Rule value landing=long precedence:king-first");
    engine.send("uci");
    let lines = engine.until("uciok");
    let rule = "option name Rule type string default landing:long precedence:king-first";
    assert!(lines.iter().any(|line| line == rule), "{lines:?}");
    for line in
        ["Clear Hash", "Skill Level value 3", "Contempt value -10", "Move Overhead value 0", "Log File value"]
    {
        quiet(&mut engine, &format!("setoption name {line}"));
    }
    result(&search(&mut engine, "go depth 8"));
    engine.quit();
}

#[test]
fn a_log_is_kept() {
    let path = std::env::temp_dir().join(format!("soffio-uci-{}.log", std::process::id()));
    let mut engine = ready("italian");
    quiet(&mut engine, &format!("setoption name Log File value {}", path.display()));
    result(&search(&mut engine, "go depth 1"));
    engine.quit();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(text.contains("> go depth 1\n") && text.contains("< bestmove "), "{text}");
}

#[test]
fn the_console() {
    let mut engine = ready("italian");
    assert!(ask(&mut engine, "help").len() > 10);
    let shown = ask(&mut engine, "d");
    assert!(shown.contains(&"White to move".to_owned()) && shown.contains(&format!("Fen: {START}")));
    assert_eq!(ask(&mut engine, "moves"), ["21-17 21-18 22-18 22-19 23-19 23-20 24-20"]);
    assert!(ask(&mut engine, "eval").last().unwrap().starts_with("score "));
    // `isready` is answered while these are under way.
    for (line, count) in [("perft 6", "36473"), ("perft 0", "1")] {
        engine.send(line);
        assert_eq!(engine.line(), count);
    }
    engine.send("go perft 6");
    let divided = engine.until("Nodes");
    assert_eq!((divided.len(), &*divided[0]), (9, "21-17: 6600"));
    assert_eq!((&*divided[7], &*divided[8]), ("", "Nodes searched: 36473"));
    // The same position for the other side, and back.
    assert!(ask(&mut engine, "flip").contains(&format!("Fen: B{}", &START[1..])));
    quiet(&mut engine, "position fen W:W32,K5:B6,K9");
    assert!(ask(&mut engine, "flip").contains(&"Fen: B:WK24,27:B1,K28".to_owned()));
    assert!(ask(&mut engine, "flip").contains(&"Fen: W:WK5,32:B6,K9".to_owned()));
    quiet(&mut engine, "position fen W:W32:B28");
    assert!(ask(&mut engine, "flip").concat().contains("Fen: B:W5:B1"));
    engine.quit();
}

#[test]
fn bench_is_the_signature() {
    let mut engine = Engine::start(&["uci", "-v", "hawaiian"]);
    let text = done(&["bench", "-v", "hawaiian"], "");
    engine.send("bench");
    let line = engine.line();
    assert_eq!(line.split(' ').next(), text.lines().last(), "{line}");
    engine.quit();
}

#[test]
fn long_work_can_be_stopped() {
    let mut engine = ready("italian");
    for line in ["perft 99", "go perft 99"] {
        engine.send_all(&[line, "isready", "fly", "stop"]);
        assert_eq!(engine.line(), "readyok");
        assert!(engine.line().starts_with("info string error: unknown command"));
        assert_eq!(engine.line(), "info string error: stopped");
    }
    // Commands wait for its end, and so does the end of the conversation.
    engine.send_all(&["perft 7", "perft 3", "fly", "quit"]);
    assert!(engine.line().starts_with("info string error: unknown command"));
    assert_eq!([engine.line(), engine.line()], ["177532", "302"]);
    assert!(engine.exit().0.success());
    let output = run(&["uci"], b"go perft 7\nperft 2");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.ends_with("\n\nNodes searched: 177532\n49\n"), "{text}");
    // But not a flood of them.
    let output = run(&["uci"], format!("perft 99\n{}", "perft 1\n".repeat(1200)).as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("info string error: stopped\n7\n") && text.lines().count() == 1201, "{text}");
}

#[test]
fn weights_are_chosen() {
    let mut engine = ready("italian");
    assert!(ask(&mut engine, "eval").concat().contains("patterns"));
    quiet(&mut engine, "setoption name Weights value none");
    assert!(!ask(&mut engine, "eval").concat().contains("patterns"));
    let refused = ask(&mut engine, "setoption name Weights value Cargo.toml").concat();
    assert!(refused.contains("option 'Weights': 'Cargo.toml': damaged weights: "), "{refused}");
    quiet(&mut engine, "setoption name Weights value <empty>");
    assert!(ask(&mut engine, "eval").concat().contains("patterns"));
    engine.quit();
}
