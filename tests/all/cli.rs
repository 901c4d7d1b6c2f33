//! The command line: formats that scripts rely on, and answers to what is wrong.

use crate::drive::{done, failed, run, soffio};
use serde_json::Value;
use soffio::rules::RULE_SETS;
use std::process::Stdio;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn perft() {
    assert_eq!(done(&["perft", "5"], ""), "7361\n");
    assert_eq!(done(&["perft", "-v", "english", "6"], ""), "36768\n");
    assert_eq!(done(&["perft", "-v", "international", "4", "--threads", "2", "--hash", "1"], ""), "4265\n");
    assert_eq!(done(&["perft", "0"], ""), "1\n");
    // A position without moves has no leaf.
    assert_eq!(done(&["perft", "--fen", "W:W:B1", "3"], ""), "0\n");
    assert_eq!(done(&["perft", "--fen", "-", "1"], "W:W31:B5\n"), "2\n");
    let divided = done(&["perft", "-v", "english", "--divide", "3"], "");
    let lines: Vec<_> = divided.lines().collect();
    assert_eq!((lines[0], lines[6], lines[7]), ("10-14 40", "9-14 40", "302"));
    assert!(lines[..7].is_sorted());
}

#[test]
fn perft_json() {
    let report = json(&done(&["perft", "-v", "english", "--json", "--divide", "2"], ""));
    assert_eq!(keys(&report), ["variant", "fen", "depth", "nodes", "seconds", "divide"]);
    assert_eq!(
        (&report["variant"], &report["nodes"], &report["depth"]),
        (&"english".into(), &49.into(), &2.into())
    );
    assert_eq!(report["divide"]["9-14"], 7);
    assert_eq!(
        keys(&json(&done(&["perft", "--json", "1"], ""))),
        ["variant", "fen", "depth", "nodes", "seconds"]
    );
}

#[test]
fn perft_suites() {
    let rows = "# counts\nB:W21-32:B1-12 ; drop ; 4 1469\nstart ; keep ; 5 7361\nstart ; drop ; 9 3963680\n";
    let checked = done(&["perft", "-v", "english", "--suite", "-", "--budget", "10000"], rows);
    let lines = [
        "ok line 2 drop depth 4 nodes 1469",
        "ok line 3 keep depth 5 nodes 7361",
        "2 checked, 0 wrong, 1 left out",
    ];
    assert_eq!(checked.lines().collect::<Vec<_>>(), lines);
    assert!(
        done(&["perft", "-v", "english", "--suite", "-", "4"], rows)
            .ends_with("1 checked, 0 wrong, 2 left out\n")
    );
    let wrong = run(&["perft", "-v", "english", "--suite", "-"], b"start ; drop ; 2 50\n");
    assert_eq!((wrong.status.code(), wrong.stderr), (Some(1), Vec::new()));
    let report = String::from_utf8(wrong.stdout).unwrap();
    assert!(report.starts_with("mismatch line 1 drop depth 2 nodes 49 expected 50 start\n"), "{report}");
    let report = run(&["perft", "-v", "english", "--json", "--suite", "-"], b"start ; drop ; 2 50\n");
    let report = json(&String::from_utf8(report.stdout).unwrap());
    assert_eq!(keys(&report), ["line", "fen", "convention", "depth", "expected", "nodes", "ok"]);
    let (code, error) = failed(&["perft", "--suite", "-"], "start ; sometimes ; 1 7\n");
    assert_eq!(code, 1);
    assert!(error.starts_with("soffio: -: line 1, column 9: expected drop"), "{error}");
    assert!(
        failed(&["perft", "--suite", "-"], "W:W1 ; drop ; 1 7\n").1.contains("line 1: impossible position")
    );
    assert_eq!(failed(&["perft", "--suite", "/no/such/file"], "").0, 1);
}

#[test]
fn draw_rules_do_not_end_perft() {
    // A king wins a game of breakthrough, but not a count of moves; a tired Frisian king moves.
    let breakthrough = done(&["perft", "-v", "bt", "--fen", "W:WK1:B45", "1"], "");
    let international = done(&["perft", "-v", "normal", "--fen", "W:WK1:B45", "1"], "");
    assert_eq!(breakthrough, international);
    let tired = done(&["perft", "-v", "frisian", "--fen", "W:WK28,45:BK5,16:+0+328", "1"], "");
    let fresh = done(&["perft", "-v", "frisian", "--fen", "W:WK28,45:BK5,16", "1"], "");
    assert_eq!(tired, fresh);
    assert_eq!(done(&["moves", "-v", "frisian", "W:WK28,45:BK5,16:+0+328"], ""), "45-40\n");
}

#[test]
fn moves() {
    assert_eq!(done(&["moves"], ""), "21-17 21-18 22-18 22-19 23-19 23-20 24-20\n");
    assert_eq!(done(&["moves", "-v", "russian", "W:Wc3:Bd4"], ""), "c3:e5\n");
    assert_eq!(done(&["moves", "-v", "russian", "--notation", "hub", "W:Wc3:Bd4"], ""), "22x15x18\n");
    assert_eq!(done(&["moves", "-v", "thai", "W:Wc3:Bd4"], ""), "22x15\n");
    assert_eq!(done(&["moves", "W:W:B1"], ""), "\n");
    let stream = done(&["moves", "-"], "W:W31:B5\nW:W99\n\nW:WK1:B32\r\n");
    let lines: Vec<_> = stream.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], "31-27 31-28");
    assert_eq!(lines[1], "error: impossible position: square 99 is off the board");
    assert!(lines[2].starts_with("error: bad FEN, column 1"));
    let streamed = done(&["moves", "--json", "-"], "W:W31:B5\nx\n");
    let (good, bad) = streamed.split_once('\n').unwrap();
    assert_eq!(keys(&json(good)), ["variant", "fen", "moves"]);
    assert_eq!(json(bad)["line"], 2);
    let output = run(&["moves", "-"], b"\xff\nW:W31:B5");
    assert_eq!(output.stdout, b"error: byte 1 is not UTF-8\n31-27 31-28\n");
}

#[test]
fn referee() {
    let judge = |args: &[&str], line: &str| json(&done(&[&["referee"], args].concat(), &format!("{line}\n")));
    let open = judge(&["-"], r#"{"moves": ["22-18", "11-14", "18x11x14"]}"#);
    assert_eq!(open.to_string(), r#"{"plies":3,"result":null,"reason":null}"#);
    // Moves after the end are not looked at.
    let over =
        judge(&[], r#"{"fen": "W:W22:B18", "moves": ["22x13", "never", "played"], "variant": "chess"}"#);
    assert_eq!(over.to_string(), r#"{"plies":1,"result":"1-0","reason":"no-moves"}"#);
    let start = judge(&["-v", "antidraughts"], r#"{"fen": "W:W:B5", "moves": []}"#);
    assert_eq!(start.to_string(), r#"{"plies":0,"result":"1-0","reason":"no-moves"}"#);
    let illegal = judge(&[], r#"{"moves": ["22-18", "1-2"]}"#);
    assert_eq!(illegal.to_string(), r#"{"error":"illegal move '1-2'","ply":2}"#);
    let repeated = r#"{"fen": "W:WK32:BK1", "moves": ["32-28","1-5","28-32","5-1","32-28","1-5","28-32","5-1","32-28"]}"#;
    assert_eq!(judge(&[], repeated)["plies"], 8);
    assert_eq!(judge(&["--rule", "repetition=4"], repeated)["reason"], Value::Null);
    // The fourth quiet move of one king.
    let tired =
        r#"{"fen": "W:WK28,45:BK1,16", "moves": ["28-32","1-7","32-28","7-1","28-32","1-7","32-28"]}"#;
    let tired = judge(&["-v", "frisian"], tired);
    assert_eq!((keys(&tired), &tired["ply"]), (vec!["error", "ply"], &7.into()));
    for (bad, line) in
        [("{", 1), ("", 1), ("[]", 1), (r#"{"moves": [1]}"#, 1), (r#"{"fen": "W:W99", "moves": []}"#, 1)]
    {
        let report = judge(&[], bad);
        assert_eq!((keys(&report), &report["line"]), (vec!["error", "line"], &line.into()), "{bad}");
    }
    let several = done(&["referee"], "{}\n{\"moves\": []}\n");
    assert_eq!(several.lines().count(), 2);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(done(&["referee", file], "").lines().all(|line| line.contains("\"error\"")));
    assert_eq!(failed(&["referee", "/no/such/file"], "").0, 1);
}

#[test]
fn rules() {
    let table = done(&["rules"], "");
    assert_eq!(table.lines().count(), RULE_SETS.len());
    assert!(table.lines().zip(RULE_SETS).all(|(line, set)| line.starts_with(set.id)));
    assert!(done(&["rules", "-v", "italian"], "").contains("Capture: compulsory"));
    let all = done(&["rules", "--json"], "");
    assert_eq!(all.lines().count(), RULE_SETS.len());
    for line in all.lines() {
        let fields = [
            "id",
            "name",
            "aliases",
            "gametype",
            "board",
            "first_mover",
            "start_fen",
            "numbering",
            "options",
            "draws",
            "sources",
        ];
        assert_eq!(keys(&json(line)), fields);
    }
    let english = json(&done(&["rules", "-v", "english", "--json"], ""));
    assert_eq!((&english["first_mover"], &english["options"][0]["name"]), (&"black".into(), &"first".into()));
    assert!(english["start_fen"].as_str().unwrap().starts_with("B:W21,"));
}

#[test]
fn bench_is_a_signature() {
    let report = json(&done(&["bench", "--json", "-v", "italian"], ""));
    assert_eq!(keys(&report), ["nodes", "seconds", "nps", "variants"]);
    assert_eq!(report["nodes"], report["variants"]["italian"]);
    let text = done(&["bench", "-v", "italian"], "");
    assert_eq!(text.lines().last().unwrap(), report["nodes"].to_string(), "the same every time");
}

#[test]
fn show_and_eval() {
    let board = done(&["show"], "");
    assert!(board.contains("| 13 |") && board.ends_with("White to move\n"));
    let file = std::env::temp_dir().join(format!("soffio-show-{}.svg", std::process::id()));
    assert_eq!(done(&["show", "W:WK31:B5", "--svg", file.to_str().unwrap()], ""), "");
    assert!(std::fs::read_to_string(&file).unwrap().contains("</svg>"));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(keys(&json(&done(&["show", "--json"], ""))), ["variant", "fen", "turn", "diagram"]);
    assert!(done(&["eval"], "").lines().last().unwrap().starts_with("score "));
    let report = json(&done(&["eval", "--json", "-"], "W:W31,32:B5\n"));
    assert_eq!(keys(&report), ["variant", "fen", "terms", "score"]);
    assert!(report["score"].as_f64().unwrap() > 0.5, "a man more: {report}");
}

#[test]
fn what_is_wrong_is_named() {
    for (args, code, text) in [
        (
            &["perft", "-v", "chess", "3"][..],
            2,
            "soffio: unknown variant 'chess': see `soffio rules` for the list\n",
        ),
        (&["moves", "--rule", "x=1"], 2, "soffio: unknown rule 'x' for italian: expected repetition\n"),
        (&["moves", "--rule", "repetition"], 2, "soffio: bad rule 'repetition': expected NAME=VALUE\n"),
        (&["moves", "W:W1"], 1, "soffio: impossible position: square 1 has a man on its promotion row\n"),
        (&["moves", "W:Wzz"], 1, "soffio: bad FEN, column 4: found 'zz' instead of a square\n"),
        (&["show", "X"], 1, "soffio: bad FEN, column 1: found 'X' instead of the side to move, W or B\n"),
    ] {
        assert_eq!(failed(args, ""), (code, text.to_owned()), "{args:?}");
    }
    for args in [
        &["perft"][..],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "100"],
        &["perft", "--threads", "0", "1"],
        &["moves", "--notation", "san"],
        &["fly"],
        &["moves", "a", "b"],
        &["match"],
    ] {
        let (code, text) = failed(args, "");
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(text.starts_with("error: "), "{text}");
    }
}

#[test]
fn the_environment_names_the_variant() {
    let moves = |variant: &str, args: &[&str]| {
        let output = soffio(args).env("SOFFIO_VARIANT", variant).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(moves("russian", &["moves"]).1.starts_with("a3-b4"));
    assert!(moves("russian", &["moves", "-v", "english"]).1.starts_with("10-14"));
    assert!(moves("", &["moves"]).1.starts_with("21-17"));
    assert_eq!(moves("chess", &["hub"]).0, Some(2));
}

#[test]
fn help_has_examples() {
    for command in ["hub", "perft", "moves", "referee", "rules", "bench", "show", "eval"] {
        assert!(done(&[command, "--help"], "").contains("Example"), "{command}");
    }
    assert!(done(&["--version"], "").starts_with("soffio "));
}

/// A reader that goes away is no error.
#[test]
fn a_closed_pipe_is_silent() {
    let mut child = soffio(&["rules", "--json"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
