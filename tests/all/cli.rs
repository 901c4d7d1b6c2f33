//! The command line: formats that scripts rely on, and answers to what is wrong.

use crate::drive::{Engine, done, failed, run, soffio};
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
    let (titles, rows) = table.split_once('\n').unwrap();
    assert!(titles.starts_with("id ") && titles.ends_with("aliases"), "{titles}");
    assert_eq!(rows.lines().count(), RULE_SETS.len());
    assert!(rows.lines().zip(RULE_SETS).all(|(line, set)| line.starts_with(set.id)));
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
    let name = file.to_str().unwrap();
    let output = run(&["show", "W:WK31:B5", "--svg", name], b"");
    assert_eq!((output.status.code(), output.stdout), (Some(0), Vec::new()));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("soffio: wrote {name}\n"));
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.ends_with("</svg>\n"));
    assert_eq!(done(&["show", "W:WK31:B5", "--svg", "-"], ""), svg, "standard output, not a file named -");
    assert_eq!(failed(&["show", "--json", "--svg", "-"], "").0, 2);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(keys(&json(&done(&["show", "--json"], ""))), ["variant", "fen", "turn", "diagram"]);
    let terms = done(&["eval"], "");
    let last: Vec<_> = terms.lines().rev().take(2).collect();
    assert!(last[0].starts_with("odds ") && last[1].starts_with("score "), "{terms}");
    let report = json(&done(&["eval", "--json", "-"], "W:W31,32:B5\n"));
    assert_eq!(keys(&report), ["variant", "fen", "terms", "score", "odds"]);
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
        &["xyz"],
        &["moves", "a", "b"],
    ] {
        let (code, text) = failed(args, "");
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(text.starts_with("soffio: ") && text.ends_with("--help`\n"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
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
    let output = soffio(&["moves"]).env("SOFFIO_VARIANT", "chess").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("'chess'") && error.ends_with("(the variant is that of SOFFIO_VARIANT)\n"),
        "{error}"
    );
}

#[test]
fn help_has_examples() {
    for command in ["hub", "perft", "moves", "referee", "rules", "bench", "show", "eval"] {
        assert!(done(&[command, "--help"], "").contains("Example"), "{command}");
    }
    for args in [&["help"][..], &["help", "perft"], &["perft", "-h"], &["-h"]] {
        assert!(done(args, "").contains("Usage:"), "{args:?}");
    }
    assert_eq!(failed(&["help", "fly"], "").0, 2);
    assert!(done(&["--version"], "").starts_with("soffio "));
    assert!(done(&["hub", "--help"], "").contains("first line picks the dialect"));
    assert!(!done(&["hub", "--help"], "").contains("--json"));
    assert!(done(&["perft", "--help"], "").contains("required unless --suite"));
    assert!(done(&["bench", "--help"], "").contains("The signature tells"));
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

/// A client that writes one line and waits for its answer.
#[test]
fn streams_answer_line_by_line() {
    let mut moves = Engine::start(&["moves", "-"]);
    let mut referee = Engine::start(&["referee", "-"]);
    for _ in 0..2 {
        moves.send("W:W31:B5");
        assert_eq!(moves.line(), "31-27 31-28");
        moves.send_bytes(b"x\nW:W3");
        assert!(moves.line().starts_with("error: bad FEN"), "though the next line has begun");
        moves.send("1:B5");
        assert_eq!(moves.line(), "31-27 31-28");
        referee.send("{\"moves\": []}");
        assert_eq!(referee.line(), r#"{"plies":0,"result":null,"reason":null}"#);
        referee.send("");
        assert!(referee.line().starts_with(r#"{"error":"empty line"#));
    }
    for mut engine in [moves, referee] {
        engine.close();
        assert_eq!(engine.exit().0.code(), Some(0), "errors are in the output");
    }
}

#[test]
fn referee_says_what_is_wrong() {
    for (line, text) in [
        ("", "empty line: expected a JSON object such as {\"moves\": []}"),
        (
            r#" ["W:W31:B5", []]"#,
            "bad JSON, column 2: found '[\"W:W31:B5\", []]', expected a JSON object such as {\"moves\": []}",
        ),
        (r#"{"moves": ["#, "bad JSON, column 12: the line ends within the object"),
        (r#"{"moves": [] "fen"}"#, "bad JSON, column 14: expected `,` or `}`"),
        (r#"{"moves": []} 7"#, "bad JSON, column 15: trailing characters"),
        ("{}", "no field 'moves'"),
        (r#"{"move": []}"#, "no field 'moves', but 'move'"),
        (r#"{"Moves": []}"#, "unknown field 'Moves': expected 'fen' or 'moves'"),
        (r#"{"FEN": "W:W31:B5", "moves": []}"#, "unknown field 'FEN': expected 'fen' or 'moves'"),
        (r#"{"moves": "22-18"}"#, "field 'moves' is not a list: \"22-18\""),
        (r#"{"moves": ["22-18", 7]}"#, "move 2 of 'moves' is not a text: 7"),
        (r#"{"fen": 7, "moves": []}"#, "field 'fen' is not a text: 7"),
        (r#"{"moves": [], "moves": []}"#, "field 'moves' stands there twice"),
    ] {
        let report = json(&done(&["referee", "-"], &format!("{line}\n")));
        assert_eq!((report["error"].as_str(), &report["line"]), (Some(text), &1.into()), "{line}");
    }
    // What goes with a game in files is passed over, anything else too, but not in silence.
    let games = "{\"moves\": [], \"plies\": 0, \"start\": 1}\n{\"moves\": [], \"start\": 1}\n";
    let output = run(&["referee", "--json"], games.as_bytes());
    assert_eq!(output.stdout, b"{\"plies\":0,\"result\":null,\"reason\":null}\n".repeat(2));
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert_eq!(warnings, "soffio: standard input, line 1: unknown field 'start' is not looked at\n");
}

#[test]
fn one_position_is_one_line() {
    for args in [&["show", "-"][..], &["eval", "-"], &["perft", "1", "--fen", "-"]] {
        let (code, text) = failed(args, "W:W31:B5\nW:W32:B5\n");
        let want =
            "soffio: standard input, line 2: only one position is read here, and 'W:W32:B5' follows it\n";
        assert_eq!((code, text.as_str()), (1, want), "{args:?}");
        done(args, "W:W31:B5\r\n\n \n");
    }
}

#[test]
fn suites_check_something() {
    let (code, error) = failed(&["perft", "--suite", "-"], "# nothing\n");
    assert_eq!((code, error.as_str()), (1, "soffio: -: no row to check\n"));
    let rows = "start ; drop ; 5 7361\nstart ; paths ; 1 7\nstart ; drop ; 40 76309690522352444005\n";
    let (code, error) = failed(&["perft", "--suite", "-", "--budget", "7"], rows);
    assert_eq!(code, 1);
    assert!(
        error.starts_with("soffio: -: nothing was checked: all rows are left out, 3 in number"),
        "{error}"
    );
    let report = done(&["perft", "--json", "--suite", "-"], rows);
    let lines: Vec<_> = report.lines().map(json).collect();
    assert_eq!((&lines[0]["ok"], &lines[0]["left_out"]), (&true.into(), &Value::Null));
    assert_eq!((&lines[1]["ok"], &lines[1]["left_out"]), (&Value::Null, &"convention".into()));
    assert_eq!(
        (&lines[2]["expected"], &lines[2]["left_out"]),
        (&"76309690522352444005".into(), &"budget".into())
    );
    let deep = done(&["perft", "--json", "--suite", "-", "1"], "start ; drop ; 1 7\nstart ; drop ; 2 49\n");
    assert_eq!(json(deep.lines().last().unwrap())["left_out"], "depth");
    let output = run(&["perft", "--suite", "-"], b"# \xc3\xa9\nstart \xff\n");
    assert_eq!(output.stderr, b"soffio: standard input: line 2: byte 7 is not UTF-8\n");
}

#[test]
fn names_are_taken_as_they_stand() {
    for (args, text) in [
        (&["moves", "-v", "russian "][..], "bad variant 'russian ': blanks around the name"),
        (
            &["moves", "--rule", "repetition =4"],
            "bad rule 'repetition =4': blanks around the name or the value",
        ),
        (
            &["moves", "--rule", "repetition=4", "--rule", "repetition=3"],
            "rule 'repetition' is given twice, as '4' and as '3'",
        ),
        (&["rules", "--rule", "repetition=4"], "--rule repetition=4 needs a variant here: add -v ID"),
        (&["bench", "--rule", "repetition=4"], "--rule repetition=4 needs a variant here: add -v ID"),
        (&["hub", "--json"], "--json is for commands: the engine writes the lines of its dialect"),
        (&["--json"], "--json is for commands: the engine writes the lines of its dialect"),
    ] {
        assert_eq!(failed(args, ""), (2, format!("soffio: {text}\n")), "{args:?}");
    }
    done(&["moves", "--rule", "repetition=4", "--rule", "repetition=4"], "");
    done(&["rules", "-v", "italian", "--rule", "repetition=4"], "");
}

#[test]
fn usage_errors_are_one_line() {
    let number = "expected a whole number from";
    for (args, text) in [
        (
            &["perft", "-1"][..],
            format!("invalid value '-1' for '[DEPTH]': {number} 0 to 99; see `soffio perft --help`"),
        ),
        (
            &["perft", "1", "--threads", "x"],
            format!("invalid value 'x' for '--threads <N>': {number} 1 to 256; see `soffio perft --help`"),
        ),
        (
            &["perft"],
            "the following required arguments were not provided: <DEPTH>; see `soffio perft --help`"
                .to_owned(),
        ),
        (&["xyz"], "unrecognized subcommand 'xyz'; see `soffio --help`".to_owned()),
    ] {
        assert_eq!(failed(args, ""), (2, format!("soffio: {text}\n")), "{args:?}");
    }
}

#[test]
fn files_are_named() {
    let directory = env!("CARGO_MANIFEST_DIR");
    for args in [
        &["referee", directory][..],
        &["perft", "--suite", directory],
        &["show", "--svg", directory],
        &["referee", "/no/such/file"],
        &["perft", "--suite", "/no/such/file"],
    ] {
        let (code, text) = failed(args, "");
        let name = args.last().unwrap();
        assert!(code == 1 && text.starts_with(&format!("soffio: {name}: ")), "{text}");
    }
}

#[test]
fn fens_say_why() {
    for (variant, fen, text) in [
        ("italian", "W:WKK31", "column 5: 'K31' is off the board; a king is one K and its square"),
        ("italian", "W:Wk31", "column 4: 'k31' is off the board; a king is written with a capital K"),
        (
            "italian",
            "W:WP31",
            "column 4: 'P31' has a P, for a parachutist, which this game has not, or a ghost king; a man is its square alone",
        ),
        (
            "frisian",
            "W:WK5:B2:+0+3",
            "column 13: '3' counts moves of a king and does not name its square, as 325 does",
        ),
    ] {
        let want = format!("soffio: bad FEN, {text}\n");
        assert_eq!(failed(&["moves", "-v", variant, fen], ""), (1, want), "{fen}");
    }
    assert_eq!(failed(&["moves", "W:W31:B5:H99999999999999999999999"], "").0, 1);
    assert_eq!(done(&["moves", "W:W31"], ""), "31-27 31-28\n", "a missing side is an empty one");
}

#[test]
fn diagrams_explain_themselves() {
    let board = done(&["show", "-v", "russian"], "");
    let last = board.lines().last().unwrap();
    assert_eq!(last, "Moves are written with files and ranks; square 1 is b8, 32 is g1");
    let board = done(&["show", "-v", "parachute", "W:WPb8:B"], "");
    assert!(board.ends_with("p and q are parachutists, White's and Black's\n"), "{board}");
    assert!(done(&["rules", "-v", "frisian"], "").contains("4 plies of 1 king against 1 and nothing else"));
}
