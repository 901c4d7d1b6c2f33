//! `soffio analyze` and `soffio merge`.

use crate::drive::{done, failed, run, soffio};
use crate::support::Scratch;
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A game with a comment and a variation, one that is cut short by an impossible move, one that ends by rule, one of
/// another rule set, and a file with faults of its own.
const GAMES: &str = "[Event \"one\"]\n[White \"A <b>\"]\n[Result \"1-0\"]\n[GameType \"22\"]\n\n\
    1. 21-17 {mine} 12-15 2. 23-19 (2. 22-18 15-19) 11-14 3. 19x12 8x15 4. 28-23 1-0\n\n\
    [Event \"two\"]\n[GameType \"22\"]\n\n1. 22-18 10-13 2. 1-5 13-17 *\n\n\
    [Event \"three\"]\n[GameType \"22\"]\n[FEN \"W:W14,K30:B10\"]\n\n1. 14x5 1-0\n\n\
    [Event \"four\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n\n\
    [Event \"five\"]\n\n1. 21-17 {no end\n\n\
    [Event \"six\"]\n[GameType \"22\"]\n\n1. 21-17 12-15 2. 23-19 11-14 3. 19x12 8x15 4. 28-23 14-18 1/2-1/2\n";

const JSON: &str = "analyze --json --no-times --nodes 300";

fn args<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split(' ').chain(more.iter().copied()).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// The records and what is said, of input with faults.
fn analysed(line: &str, input: &str) -> (String, String) {
    let output = run(&args(line, &["-"]), input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn places(records: &[Value]) -> Vec<(u64, u64)> {
    records.iter().map(|record| (record["game"].as_u64().unwrap(), record["ply"].as_u64().unwrap())).collect()
}

#[test]
fn positions_give_a_record_each() {
    let input = "# a list\n\nW:W31,K32:B22\nB:W14,K15:B10\nW:WK18:BK1\n";
    let text = done(&args(JSON, &["-v", "italian", "-"]), input);
    let records = lines(&text);
    let keys: Vec<_> = records[0].as_object().unwrap().keys().map(String::as_str).collect();
    let wanted =
        ["game", "variant", "fen", "ply", "played", "best", "score", "win_in", "odds", "depth", "nodes"];
    assert_eq!(keys, [&wanted[..], &["seconds", "pv"]].concat());
    assert_eq!(places(&records), [(1, 0), (2, 0), (3, 0)]);
    for record in &records {
        let odds = &record["odds"];
        let sum: u64 = ["win", "draw", "loss"].iter().map(|key| odds[key].as_u64().unwrap()).sum();
        assert_eq!((sum, &record["played"], &record["seconds"]), (1000, &Value::Null, &Value::from(0.0)));
        assert_eq!(record["best"], record["pv"][0]);
        assert!(record["nodes"].as_u64().unwrap() <= 300 && record["score"].is_f64());
    }
    assert_eq!(records[0]["fen"], "W:W31,K32:B22");
    let by_time = done(&args("analyze --json --time 0.05 -", &[]), "W:W31,K32:B22\n");
    assert!(lines(&by_time)[0]["seconds"].as_f64().unwrap() > 0.03, "{by_time}");
}

#[test]
fn ends_are_exact() {
    // A capture that leaves nothing, and a side that cannot move.
    let records = lines(&done(&args(JSON, &["-"]), "W:W14:B10\nB:W10,13,K14:B5\n"));
    assert_eq!((&records[0]["win_in"], &records[0]["score"]), (&Value::from(1), &Value::from(99.99)));
    assert_eq!(records[0]["odds"].to_string(), r#"{"win":1000,"draw":0,"loss":0}"#);
    let text = done(&args("analyze --nodes 300 -", &[]), "W:W14:B10\n");
    assert!(text.starts_with("1 W:W14:B10") && text.trim_end().ends_with("14x5"), "{text}");
}

#[test]
fn games_give_a_record_a_move_and_faults_are_named() {
    let (text, told) = analysed(JSON, GAMES);
    let records = lines(&text);
    let mut wanted: Vec<_> = (0..7).map(|ply| (1, ply)).collect();
    wanted.extend([(2, 0), (2, 1), (3, 0), (4, 0), (4, 1), (4, 2), (4, 3)]);
    wanted.extend((0..8).map(|ply| (6, ply)));
    assert_eq!(places(&records), wanted);
    let faults: Vec<_> = told.lines().collect();
    assert_eq!(faults.len(), 2, "{told}");
    assert_eq!(faults[0], "standard input:11:19: game 2: illegal move '1-5'");
    assert!(faults[1].starts_with("standard input:26:10: game 5: the comment has no end"), "{told}");
    assert_eq!(
        (&records[10]["variant"], &records[10]["played"]),
        (&Value::from("english"), &Value::from("11-15"))
    );
    // A rule set that is named must be the one of the games.
    let (text, told) = analysed(&format!("{JSON} -v italian"), GAMES);
    assert_eq!(lines(&text).len(), 18);
    assert!(told.contains("game 4: the game is english, not italian"), "{told}");
}

#[test]
fn tags_say_who_begins() {
    let game = "[GameType \"21,W,8,8,N2,0\"]\n\n1. 22-18 11-15 *\n\n[GameType \"21\"]\n\n1. 11-15 22-18 *\n";
    let records = lines(&done(&args(JSON, &["-"]), game));
    let played: Vec<_> = records.iter().map(|record| record["played"].as_str().unwrap()).collect();
    assert_eq!(played, ["22-18", "11-15", "11-15", "22-18"]);
    // A game that names no rules gets those by which it was read.
    let pdn = done(&args("analyze --format pdn --nodes 1 -v english -", &[]), "1. 11-15 22-18 *\n");
    assert!(pdn.contains("[GameType \"21,B,8,8,N1,0\"]") && pdn.contains("1. 11-15"), "{pdn}");
}

#[test]
fn blunders_are_marked() {
    // White takes or gives a man away; the capture is forced and so costs nothing.
    let game = "[GameType \"21\"]\n[FEN \"W:W22,27,31:B6,10,18\"]\n\n1. 22x15 10x19 2. 27-24 19x28 *\n";
    let text = done(&args("analyze --json --nodes 3000 -", &[]), game);
    let marks: Vec<_> = lines(&text).iter().map(|record| record["mark"].clone()).collect();
    assert_eq!(marks, [Value::Null, Value::Null, Value::from("??"), Value::Null], "{text}");
    assert!(lines(&text)[2]["loss"].as_u64().unwrap() >= 200 && lines(&text)[0]["loss"] == 0);
    let pdn = done(&args("analyze --format pdn --nodes 3000 -", &[]), game);
    // Black begins in English draughts, so White's first move is the second of its pair.
    for part in ["1... 22x15 {", "27-24?? {", " (2... ", "19x28"] {
        assert!(pdn.contains(part), "{part}: {pdn}");
    }
}

#[test]
fn annotated_games_keep_what_they_had() {
    let (pdn, _) = analysed("analyze --format pdn --nodes 300", GAMES);
    for kept in
        ["{mine}", "(2. 22-18 15-19)", "[White \"A <b>\"]", "[FEN \"W:W14,K30:B10\"]", "2. 1-5 13-17 *"]
    {
        assert!(pdn.contains(kept), "{kept}: {pdn}");
    }
    let stated = Vec::from_iter(pdn.split('{').skip(1).filter(|text| text.starts_with(['+', '-'])));
    assert_eq!(stated.len(), 7 + 2 + 1 + 4 + 8);
    // It is PDN: what is read of it is the same.
    let (first, _) = analysed(JSON, GAMES);
    let again = run(&args(JSON, &["-"]), pdn.as_bytes());
    let first: Vec<_> = lines(&first).into_iter().map(|record| record["fen"].clone()).collect();
    let again = lines(&String::from_utf8(again.stdout).unwrap());
    assert_eq!(again.into_iter().map(|record| record["fen"].clone()).collect::<Vec<_>>(), first);
}

#[test]
fn records_depend_on_nothing_but_the_position() {
    let all = analysed(&format!("{JSON} --threads 1"), GAMES).0;
    assert_eq!(analysed(&format!("{JSON} --threads 3"), GAMES).0, all);
    let scratch = Scratch::new("analyze-shards");
    let games = scratch.file("games.pdn");
    fs::write(&games, GAMES).unwrap();
    let mut parts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let out = scratch.file(&part.replace('/', "of"));
        run(&args(JSON, &["--shard", part, "--out", &out, &games]), b"");
        parts.push(out);
    }
    let joined = done(&["merge", &parts[2], &parts[0], &parts[1]], "");
    assert_eq!(joined, all);
    // A report from the records is the one of the analysis.
    let records = scratch.file("all");
    fs::write(&records, &joined).unwrap();
    for format in ["pdn", "html", "text"] {
        let line = format!("analyze --format {format}");
        let direct = run(&args(&line, &["--nodes", "300", &games]), b"").stdout;
        let recalled = run(&args(&line, &["--records", &records, &games]), b"").stdout;
        assert!(direct == recalled && !direct.is_empty(), "{format}");
    }
    fs::write(&records, joined.replacen("\"ply\":3", "\"ply\":4", 1)).unwrap();
    let (code, text) = failed(&args("analyze", &["--records", &records, &games]), "");
    assert!(code == 1 && text.ends_with("line 4: expected the record of game 1, ply 3\n"), "{text}");
}

#[test]
fn what_does_not_belong_together_is_not_joined() {
    let scratch = Scratch::new("analyze-merge");
    let [one, two] = ["one", "two"].map(|name| scratch.file(name));
    let text = done(&args(JSON, &["-"]), "W:W31:B1\nW:W30:B1\n");
    fs::write(&one, &text).unwrap();
    let merge = |two: &str| failed(&["merge", &one, two], "");
    fs::write(&two, text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let (code, why) = merge(&two);
    assert!(code == 1 && why.contains("another file has the record too"), "{why}");
    fs::write(&two, &text[..text.len() - 9]).unwrap();
    let alone = || failed(&["merge", &two], "").1;
    assert!(alone().contains("two:2: the line is cut off"), "{}", alone());
    fs::write(&two, text.lines().rev().collect::<Vec<_>>().join("\n") + "\n").unwrap();
    assert!(alone().contains("two:2: the record does not stand in order"), "{}", alone());
    fs::write(format!("{one}.unfinished"), "x\n").unwrap();
    assert!(merge(&two).1.contains("one is not finished: run its analysis again with --resume"));
}

#[test]
fn a_file_cut_off_anywhere_is_gone_on_with() {
    let scratch = Scratch::new("analyze-resume");
    let [games, out] = ["games.pdn", "out"].map(|name| scratch.file(name));
    fs::write(&games, GAMES).unwrap();
    let resume = |more: &[&str]| run(&args(JSON, &[&["--out", &out, &games], more].concat()), b"");
    assert_eq!(resume(&[]).status.code(), Some(1));
    let whole = fs::read(&out).unwrap();
    assert!(!fs::exists(format!("{out}.unfinished")).unwrap());
    for cut in (0..whole.len()).step_by(731).chain([1, 9, whole.len() - 1, whole.len()]) {
        fs::write(&out, &whole[..cut]).unwrap();
        let output = resume(&["--resume"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(fs::read(&out).unwrap() == whole, "{cut}: {told}");
        // The faults of the input are told again.
        assert!(output.status.code() == Some(1) && told.lines().count() == 2, "{cut}: {told}");
    }
    // Nothing is overwritten, and nothing else gone on with.
    let output = resume(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("is there already"));
    fs::write(format!("{out}.unfinished"), "{\"other\":1}\n").unwrap();
    let told = String::from_utf8(resume(&["--resume"]).stderr).unwrap();
    assert!(told.contains("is another analysis"), "{told}");
    fs::remove_file(format!("{out}.unfinished")).unwrap();
    for other in ["no records\n", "no records"] {
        fs::write(&out, other).unwrap();
        assert_eq!(resume(&["--resume"]).status.code(), Some(1));
        assert_eq!(fs::read_to_string(&out).unwrap(), other);
    }
}

#[test]
fn a_killed_analysis_is_gone_on_with() {
    let scratch = Scratch::new("analyze-kill");
    let [games, out] = ["games.pdn", "out"].map(|name| scratch.file(name));
    let game = GAMES.split("\n\n[Event \"two\"]").next().unwrap().to_owned() + "\n\n";
    fs::write(&games, game.repeat(6)).unwrap();
    let line = args("analyze --json --no-times --nodes 20000 --out", &[&out, "--resume", &games]);
    let mut child = soffio(&line).stdin(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while fs::metadata(&out).map_or(0, |data| data.len()) < 1000 && start.elapsed() < Duration::from_secs(20)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = fs::read(&out).unwrap();
    assert!(begun.len() >= 1000 && fs::exists(format!("{out}.unfinished")).unwrap());
    // Other rules, or an input that has changed, make another analysis.
    let refused = |line: &[&str]| String::from_utf8(run(line, b"").stderr).unwrap();
    let ruled = refused(&[&line[..], &["--rule", "repetition=4"]].concat());
    assert!(ruled.contains("is another analysis"), "{ruled}");
    fs::write(&games, game.repeat(5)).unwrap();
    let changed = refused(&line);
    assert!(changed.contains("is another analysis"), "{changed}");
    assert_eq!(fs::read(&out).unwrap(), begun);
    fs::write(&games, game.repeat(6)).unwrap();
    done(&line, "");
    let all = fs::read(&out).unwrap();
    assert!(all.len() > begun.len() && !fs::exists(format!("{out}.unfinished")).unwrap());
    let single = done(&args("analyze --json --no-times --nodes 20000", &[&games]), "");
    assert_eq!(String::from_utf8(all).unwrap(), single);
}

#[test]
fn several_lines_and_shared_time() {
    let text = done(&args(JSON, &["--multipv", "3", "-"]), "W:W31,K32:B22\n");
    let record = &lines(&text)[0];
    let all = record["lines"].as_array().unwrap();
    assert_eq!((all.len(), &all[0]["pv"], &all[0]["score"]), (3, &record["pv"], &record["score"]));
    assert!(all[0]["pv"][0] != all[1]["pv"][0] && all[0]["score"].as_f64() >= all[1]["score"].as_f64());
    let scratch = Scratch::new("analyze-time");
    let file = scratch.file("fens");
    fs::write(&file, "W:W31,K32:B22\n".repeat(20)).unwrap();
    let start = Instant::now();
    let text = done(&args("analyze --json --total-time 0.6 --threads 2", &[&file]), "");
    assert_eq!(lines(&text).len(), 20);
    assert!(start.elapsed() < Duration::from_secs(6));
    let spent: f64 = lines(&text).iter().map(|record| record["seconds"].as_f64().unwrap()).sum();
    assert!(spent > 0.3, "{spent}");
}

#[test]
fn the_page_is_complete_in_itself() {
    let (page, _) = analysed("analyze --format html --nodes 300", GAMES);
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("class=\"game\"").count(), 5);
    assert_eq!(page.matches("<template data-board").count(), 2, "a board a rule set");
    for link in ["http:", "https:", "src=", "@import", "url("] {
        let named = page.matches(link).count()
            - page.matches("http://www.w3.org/2000/svg").count() * usize::from(link == "http:");
        assert_eq!(named, 0, "{link}");
    }
    assert!(!page.contains("A <b>") && page.contains("A &lt;b&gt;"), "names are escaped");
    assert!(
        page.contains("game 2: illegal move &#39;1-5&#39;") || page.contains("game 2: illegal move '1-5'")
    );
    let empty = done(&args("analyze --format html -", &[]), "");
    assert!(empty.contains("Analysis of standard input") && empty.trim_end().ends_with("</html>"));
}

#[test]
fn wrong_usage_is_refused() {
    for (line, why) in [
        ("analyze --total-time 3 -", "--total-time needs a file"),
        ("analyze --resume x", "--out"),
        ("analyze --out x --resume --format html x", "--resume goes on with JSON alone"),
        ("analyze --json --format pdn x", "ask for different things"),
        ("analyze --shard 3/2 x", "expected I/N"),
        ("analyze --time 0 x", "expected a number of seconds"),
        ("merge", "required"),
    ] {
        let (code, text) = failed(&args(line, &[]), "");
        assert!(code == 2 && text.contains(why) && text.lines().count() == 1, "{line}: {text}");
    }
    let (code, text) = failed(&["analyze", "/no/such/file"], "");
    assert!(code == 1 && text.starts_with("soffio: /no/such/file: "), "{text}");
}
