//! `soffio problems`: what is solved, and how a file is read.

use crate::drive::{done, failed, run};
use serde_json::Value;

/// Won by a capture, drawn with a king each, lost by a man against a king that takes it.
const ENGLISH: &str = r#"[
    {"id": "won", "fen": "W:WK14,K15:BK10", "result": "1-0", "moves": "", "source": "own"},
    {"id": "drawn", "fen": "B:WK32:BK1", "result": "1/2-1/2"},
    {"id": "lost", "fen": "B:WK14,K15,K32:BK5", "result": "1-0"},
    {"id": "not so", "fen": "W:WK32:BK1", "result": "0-1"}
]"#;

fn problems(args: &str, input: &str) -> String {
    let args: Vec<_> = "problems -".split(' ').chain(args.split_whitespace()).collect();
    done(&args, input)
}

#[test]
fn results_are_told_from_scores() {
    let text = problems("-v english --nodes 1000,20000", ENGLISH);
    assert_eq!(text, "1000 nodes: 3 of 4 solved\n20000 nodes: 3 of 4 solved\n");
    let turned = ENGLISH.replace("1-0", "x").replace("0-1", "1-0").replace('x', "0-1");
    let text = problems("-v english --nodes 1000 --winner black --threads 2", &turned);
    assert_eq!(text, "1000 nodes: 3 of 4 solved\n");
}

#[test]
fn moves_are_compared() {
    let lines = r#"{"fen": "W:W28,33:B22,18", "moves": "1. 28x17 18-23", "set": "a"}
        {"fen": "W:W28,33:B22,18", "moves": "28-17", "set": "b", "result": "0-1"}"#;
    let text = problems("-v international --nodes 500 --json", lines);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let keys: Vec<_> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["set", "id", "fen", "limit", "solved", "best", "score", "depth", "nodes"]);
    assert_eq!((&lines[0]["solved"], &lines[0]["best"]), (&Value::from(true), &Value::from("28x17x22")));
    assert_eq!(lines[2].to_string(), r#"{"variant":"international","limit":500,"solved":2,"of":2}"#);
    let by_result = problems("-v international --nodes 500 --by result", &lines_with_result());
    assert_eq!(by_result, "500 nodes: 0 of 1 solved\n");
}

fn lines_with_result() -> String {
    r#"{"fen": "W:W28,33:B22", "moves": "28x17", "result": "0-1"}"#.to_owned()
}

#[test]
fn bad_problems_are_named() {
    for (input, error) in [
        (r#"{"fen": "W:W99:B1", "result": "1-0"}"#, "impossible position: square 99 is off the board"),
        (r#"{"fen": "W:W31:B1", "result": "*"}"#, "bad result '*': expected 1-0, 0-1 or 1/2-1/2"),
        (r#"{"fen": "W:W31:B1", "moves": "1. 1-99"}"#, "bad move '1-99', "),
    ] {
        let (code, text) = failed(&["problems", "-v", "international", "-"], input);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with(&format!("-: problem 1 is left out: {error}")), "{input}: {text}");
        assert_eq!((code, lines[1]), (1, "soffio: -: no problem can be read"));
    }
    let (code, text) = failed(&["problems", "-"], "[{}]");
    assert!(code == 1 && text.starts_with("soffio: -: missing field `fen`"), "{text}");
    let good = r#"{"fen": "W:W31:B1,2", "result": "0-1"} {"fen": "W", "result": "0-1"}"#;
    let output = run(&["problems", "-v", "international", "--nodes", "9", "-"], good.as_bytes());
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().ends_with(" of 1 solved\n"), "the others are counted");
}
