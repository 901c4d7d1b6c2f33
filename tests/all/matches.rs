//! Matches through the binary: the same command gives the same games, whatever interrupts it; every fault of an engine
//! has its name.

use crate::drive::{failed, run, soffio};
use crate::support::Scratch;
use serde_json::Value;
use soffio::arena::openings::from_moves;
use soffio::engine::{self, Notation};
use soffio::notation::pdn::{Item, Outcome, Reader};
use soffio::rules::{Game, find};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// The engine with faults; `cargo test` builds examples first.
fn faulty() -> String {
    let name = format!("examples/faulty{}", std::env::consts::EXE_SUFFIX);
    let path = Path::new(env!("CARGO_BIN_EXE_soffio")).with_file_name(name);
    assert!(path.exists(), "{} is missing: `cargo build --release --example faulty`", path.display());
    path.to_str().unwrap().to_owned()
}

/// The summary of a match that is played to its end.
fn summary(args: &[&str]) -> Value {
    let output = run(&[&["match", "--json", "-"], args].concat(), b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {} {errors}", output.status);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {args:?} {errors}"))
}

/// The games of a record in order, without what the clock and the calendar have to do with.
fn games(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut games: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["game"].as_u64());
    for game in &mut games {
        game["date"] = Value::Null;
        game["moves"].as_array_mut().unwrap().iter_mut().for_each(|mv| mv["ms"] = Value::Null);
    }
    games
}

const TWO: [&str; 4] = ["--engine", "name=a nodes=400", "--engine", "name=b nodes=300 option.tt-size=10"];

#[test]
fn the_same_seed_gives_the_same_games() {
    let scratch = Scratch::new("same");
    let play = |file: &str, seed: &str, workers: &str| {
        let file = scratch.file(file);
        let rest = ["--rounds", "8", "--srand", seed, "--concurrency", workers, "--resume", &file];
        let summary = summary(&[&TWO, &rest[..]].concat());
        (games(&file), summary)
    };
    let (first, summary) = play("1", "5", "2");
    assert_eq!(first.len(), 16);
    assert_eq!((&summary["games"], &summary["variant"]), (&16.into(), &"italian".into()));
    assert_eq!(play("2", "5", "2"), (first.clone(), summary.clone()));
    assert_eq!(play("3", "5", "1"), (first.clone(), summary), "the number of workers does not matter");
    assert_ne!(play("4", "6", "2").0, first, "the seed does");
    for pair in first.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["white"], &pair[0]["black"]), (&pair[1]["black"], &pair[1]["white"]));
    }
}

#[test]
fn a_match_that_is_killed_goes_on() {
    let scratch = Scratch::new("killed");
    let (whole, broken) = (scratch.file("whole"), scratch.file("broken"));
    let (pdn, whole_pdn) = (scratch.file("broken.pdn"), scratch.file("whole.pdn"));
    let args = |record, pdn| {
        let rest = ["--rounds", "30", "--concurrency", "2", "--resume", record, "--pdnout", pdn];
        [&["match"], &TWO[..], &rest].concat()
    };
    let mut child = soffio(&args(&broken, &pdn)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while std::fs::read_to_string(&broken).map_or(0, |text| text.lines().count()) < 6 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games are played");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(&broken).len();
    assert!((5..60).contains(&before), "{before} games before the end");
    assert!(run(&args(&whole, &whole_pdn), b"").status.success());
    assert!(run(&args(&broken, &pdn), b"").status.success());
    assert_eq!(games(&broken), games(&whole));
    let count = |file: &str| std::fs::read_to_string(file).unwrap().matches("[Event ").count();
    assert_eq!((count(&pdn), count(&whole_pdn)), (60, 60));
    let other = failed(&[&args(&whole, &pdn)[..], &["--srand", "2"]].concat(), "");
    assert_eq!(
        other,
        (1, format!("soffio: {whole} is the record of another match: its srand is 1, not 2\n"))
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_in_good_order() {
    let scratch = Scratch::new("interrupt");
    let record = scratch.file("record");
    let mut args =
        vec!["match", "--engine", "name=a depth=3", "--engine", "name=b depth=3", "--rounds", "100000"];
    args.extend(["--resume", &record]);
    let child = soffio(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while std::fs::read_to_string(&record).map_or(0, |text| text.lines().count()) < 3 {
        thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let asked = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("soffio: interrupted after"), "{errors}");
    let tables = String::from_utf8(output.stdout).unwrap();
    assert!(tables.contains("a against b"), "{tables}");
    assert!(games(&record).len() >= 2);
}

/// What a match against an engine with a fault says of it: the counts that are not 0, and how games ended.
fn against(fault: &str, limits: &str, rounds: &str) -> (Vec<(String, u64)>, Value) {
    let engine = format!("cmd={} name=bad args='{fault}' {limits} patience=2 stall=1 restart=on", faulty());
    let good = format!("name=good {limits} timemargin=2000 stall=20");
    let args = ["--engine", &engine, "--engine", &good, "--rounds", rounds];
    let summary = summary(&args);
    let engines = summary["engines"].as_array().unwrap();
    let kinds =
        ["time_losses", "illegal", "malformed", "crashes", "exits", "stalls", "floods", "ignored_stops"];
    let counts = |engine: &Value| {
        let named = kinds.iter().map(|kind| ((*kind).to_owned(), engine[*kind].as_u64().unwrap()));
        named.filter(|(_, count)| *count > 0).collect::<Vec<_>>()
    };
    assert_eq!(counts(&engines[1]), [], "the good engine has no fault");
    (counts(&engines[0]), summary["ends"].clone())
}

#[test]
fn every_fault_has_its_name() {
    for (fault, limits, kinds, end) in [
        ("crash", "nodes=300", &["crashes"][..], "crash"),
        ("exit-code", "nodes=300", &["crashes"], "crash"),
        ("exit", "nodes=300", &["exits"], "early exit"),
        ("illegal", "nodes=300", &["illegal"], "illegal move"),
        ("malformed", "nodes=300", &["malformed"], "malformed answer"),
        ("no-move", "nodes=300", &["malformed"], "malformed answer"),
        ("flood", "nodes=300", &["floods"], "flood"),
        ("stall", "nodes=300", &["stalls", "ignored_stops"], "stall"),
        ("stall", "st=0.05", &["time_losses", "ignored_stops"], "time forfeit"),
        ("deaf", "nodes=300", &["stalls", "ignored_stops"], "stall"),
        ("slow", "st=0.02", &["time_losses"], "time forfeit"),
        ("slow", "tc=0.5+0.01", &["time_losses"], "time forfeit"),
    ] {
        let (counts, ends) = against(fault, limits, "1");
        let found: Vec<_> = counts.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(found, kinds, "{fault} {limits}: {counts:?} {ends}");
        assert_eq!(counts[0].1, 2, "{fault}: both games are played and lost: {counts:?}");
        assert_eq!(ends[end], 2, "{fault}: {ends}");
    }
}

#[test]
fn what_is_odd_but_no_fault_is_played_through() {
    for fault in ["none", "garbage", "chatter", "double-done", "bad-info", "error-lines"] {
        let (counts, _) = against(fault, "nodes=300", "1");
        assert_eq!(counts, [], "{fault}");
    }
}

#[test]
fn an_engine_that_does_not_start_is_named() {
    for (fault, why) in [
        ("crash-on-start", "does not start"),
        ("no-wait", "does not start: no 'wait' within 1 s"),
        ("no-ready", "does not start: no 'ready' within 1 s"),
    ] {
        let engine = format!("cmd={} name=bad args='{fault}' nodes=1 patience=1", faulty());
        let (code, error) = failed(&["match", "--engine", "name=good nodes=1", "--engine", &engine], "");
        assert_eq!(code, 1);
        assert!(error.starts_with(&format!("soffio: engine 'bad' {why}")), "{fault}: {error}");
    }
    let (code, error) =
        failed(&["match", "--engine", "name=a nodes=1", "--engine", "cmd=/no/such nodes=1"], "");
    assert_eq!(code, 1);
    assert!(error.starts_with("soffio: engine 'such' does not start: /no/such: "), "{error}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_starts_no_more_ends_the_match() {
    let scratch = Scratch::new("flaky");
    let (script, count, record) = (scratch.file("engine"), scratch.file("count"), scratch.file("record"));
    let soffio = env!("CARGO_BIN_EXE_soffio");
    let text = format!(
        "n=$(cat {count} 2>/dev/null || echo 0)\necho $((n+1)) > {count}\n[ $n -lt 2 ] && exec {soffio} hub\nexit 7\n"
    );
    std::fs::write(&script, text).unwrap();
    let flaky = format!("name=flaky cmd=sh args={script} nodes=50 restart=on");
    let args =
        ["match", "--engine", "name=good nodes=50", "--engine", &flaky, "--rounds", "5", "--resume", &record];
    let (code, error) = failed(&args, "");
    assert_eq!(code, 1);
    assert!(error.contains("soffio: engine flaky does not start: "), "{error}");
    assert_eq!(games(&record).len(), 1, "games that did not begin are not counted");
}

#[test]
fn what_an_engine_is_not_told_is_said() {
    let args = [
        "match",
        "--engine",
        "name=a depth=1 option.no-such=1",
        "--engine",
        "name=b depth=1 option.threads=x",
    ];
    let output = run(&[&args[..], &["--maxmoves", "3"]].concat(), b"");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("engine 'a': it declares no parameter 'no-such'\n"), "{errors}");
    assert!(errors.contains("engine 'b': it answers error message="), "{errors}");
}

#[test]
fn files_of_others_are_left_alone() {
    let scratch = Scratch::new("others");
    let (pdn, record) = (scratch.file("pdn"), scratch.file("record"));
    let limits = [&["match"], &TWO[..], &["--maxmoves", "3", "--resume", &record]].concat();
    assert!(run(&limits, b"").status.success());
    std::fs::write(&pdn, "precious").unwrap();
    let (code, error) = failed(&[&limits[..], &["--pdnout", &pdn]].concat(), "");
    assert_eq!((code, std::fs::read_to_string(&pdn).unwrap().as_str()), (1, "precious"), "{error}");
    std::fs::write(&pdn, "").unwrap();
    assert!(run(&[&limits[..], &["--pdnout", &pdn]].concat(), b"").status.success(), "an empty file is free");
    let twice = failed(&[&limits[..], &["--json", &record]].concat(), "");
    assert_eq!(twice, (2, format!("soffio: --json and --resume both name {record}\n")));
}

#[test]
fn a_test_ends_the_match() {
    let args = ["--engine", "name=strong nodes=2000", "--engine", "name=weak nodes=50", "--rounds", "300"];
    let test = ["--sprt", "elo0=0 elo1=50 alpha=0.05 beta=0.05 model=logistic", "--concurrency", "2"];
    let summary = summary(&[&args[..], &test].concat());
    assert_eq!(summary["sprt"]["verdict"], "H1");
    assert!(summary["llr"].as_f64() >= summary["sprt"]["upper"].as_f64());
    let games = summary["games"].as_u64().unwrap();
    assert!(games < 200 && games % 2 == 0, "{games} games");
}

#[test]
fn a_round_robin_has_a_cross_table() {
    let engines = ["name=a nodes=300", "name=b nodes=200", "name=c nodes=100", "name=d depth=1"];
    let args: Vec<_> = engines.iter().flat_map(|engine| ["--engine", engine]).collect();
    let rest = ["match", "-v", "brazilian", "--rounds", "2", "--concurrency", "2"];
    let output = run(&[&rest[..], &args].concat(), b"");
    let tables = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let cross = tables.split("\n\n").nth(1).unwrap();
    assert_eq!(cross.lines().count(), 5, "{tables}");
    for line in cross.lines().skip(1) {
        let cells: Vec<_> = line.split_whitespace().skip(2).collect();
        let points: f64 = cells.iter().filter_map(|cell| cell.split_once('/')?.0.parse::<f64>().ok()).sum();
        assert_eq!(cells.iter().filter(|cell| cell.ends_with("/4")).count(), 3, "{line}");
        assert!((0.0..=12.0).contains(&points));
    }
    let gauntlet = summary(&[&args[..], &["--tournament", "gauntlet"]].concat());
    let played: Vec<_> = gauntlet["engines"].as_array().unwrap().iter().map(games_of).collect();
    assert_eq!(played, [6, 2, 2, 2]);
}

fn games_of(engine: &Value) -> u64 {
    ["wins", "draws", "losses"].iter().map(|kind| engine[*kind].as_u64().unwrap()).sum()
}

#[test]
fn its_pdn_is_read_back() {
    let scratch = Scratch::new("pdn");
    for id in ["italian", "english", "russian", "international", "frisian", "dameo"] {
        let (pdn, record) = (scratch.file(&format!("{id}.pdn")), scratch.file(id));
        let args = ["-v", id, "--rounds", "2", "--pdnout", &pdn, "--resume", &record, "--maxmoves", "60"];
        summary(&[&TWO, &args[..]].concat());
        let text = std::fs::read(&pdn).unwrap();
        let records = games(&record);
        let mut read = Reader::new(&text[..]);
        for record in &records {
            let game = read.next().unwrap().unwrap();
            assert!(game.notes.is_empty(), "{id}: {:?}", game.notes);
            let texts: Vec<_> = game.moves().map(|mv| mv.text.as_str()).collect();
            let ballot = from_moves(&Game::new(find(id).unwrap()), game.fen(), &[], None).unwrap();
            let mut session = engine::open(Game::new(find(id).unwrap()));
            ballot.set_up(session.as_mut()).unwrap();
            texts.iter().for_each(|text| session.play(text, Notation::Pdn).unwrap());
            let moves = record["moves"].as_array().unwrap();
            assert_eq!(texts.len(), moves.len() + record["opening"].as_array().unwrap().len());
            let comments = game.items.iter().filter(|item| matches!(item, Item::Comment(_))).count();
            assert_eq!(comments, moves.len(), "{id}: a comment for each move of an engine");
            let outcome = match &record["winner"] {
                Value::Null => Outcome::Draw,
                winner if winner == "W" => Outcome::White,
                _ => Outcome::Black,
            };
            assert_eq!(game.outcome(), outcome);
            if let Some(verdict) = session.verdict() {
                assert_eq!(record["end"]["rule"], verdict.reason.to_string(), "{id}");
                assert_eq!(game.tag("Termination"), Some(&*verdict.reason.to_string()));
            }
        }
        assert!(read.next().is_none());
        let again = failed(&[&["match"], &TWO[..], &["-v", id, "--pdnout", &pdn]].concat(), "");
        assert_eq!(again.0, 1, "a file of games is not overwritten: {}", again.1);
    }
}

#[test]
fn games_are_adjudicated() {
    let limits = [&TWO[..], &["--rounds", "2"]].concat();
    let ends = |rest: &[&str]| summary(&[&limits, rest].concat())["ends"].clone();
    assert_eq!(ends(&["--maxmoves", "5"])["move limit"], 4);
    assert_eq!(ends(&["--draw", "movenumber=1 movecount=1 score=20"])["adjudicated draw"], 4);
    let resigned = ends(&["--resign", "movecount=1 score=0.01"]);
    assert_eq!(resigned["adjudicated win"], 4, "{resigned}");
}

/// What an engine is told, from a program that stands between it and the runner.
#[cfg(unix)]
#[test]
fn engines_are_told_what_they_understand() {
    let scratch = Scratch::new("quirks");
    let told = |id: &str, quirks: &str| {
        let log = scratch.file("log");
        let script = format!("tee {log} | {} hub", env!("CARGO_BIN_EXE_soffio"));
        let spied = format!("name=spied cmd=sh args='-c \"{script}\"' {quirks}");
        summary(&["-v", id, "--engine", &spied, "--engine", "name=other nodes=50", "--maxmoves", "40"]);
        std::fs::read_to_string(log).unwrap()
    };
    let plain = told("international", "depth=2 option.threads=1 option.no-such='a b'");
    for line in [
        "set-param name=variant value=international",
        "set-param name=threads value=1",
        "set-param name=no-such value=\"a b\"",
        "level depth=2",
        "go think",
    ] {
        assert!(plain.lines().any(|told| told == line), "{line}");
    }
    let start = format!("pos pos=W{}{}{} moves=", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert!(plain.lines().filter(|line| line.starts_with("pos ")).all(|line| line.starts_with(&start)));
    let long =
        plain.lines().filter(|line| line.starts_with("pos ")).map(|line| line.split(' ').count()).max();
    assert!(long > Some(40), "all moves are told: {long:?}");

    let tail = told("international", "depth=2 history=reversible");
    let long = tail.lines().filter(|line| line.starts_with("pos ")).map(|line| line.split(' ').count()).max();
    assert!(long < Some(30), "only king moves are: {long:?}");
    let bare = told("international", "depth=2 history=none");
    assert!(!bare.contains("moves="));

    let clock = told("international", "depth=2 tc=20/100+2 timemargin=5000");
    assert!(
        clock.contains("\nlevel depth=2 moves=20 time=100.000 inc=2.000\n"),
        "the increment is not yet added"
    );
    let whole = told("international", "depth=2 tc=100+0.5 seconds=whole timemargin=5000");
    assert!(
        whole.contains("\nlevel depth=2 time=100\n"),
        "{}",
        whole.lines().find(|l| l.starts_with("level")).unwrap()
    );
    let none = told("international", "depth=2 tc=100+2 inc=off timemargin=5000");
    assert!(none.contains("\nlevel depth=2 time=102.000\n"));
    let fixed = told("international", "st=0.01 nodes=50 timemargin=5000");
    assert!(fixed.contains("\nlevel nodes=50 move-time=0.010\n"));

    let turned = told("russian", "depth=1 numbering=pydraughts option.numbering=pydraughts");
    assert!(turned.contains("set-param name=numbering value=pydraughts"));
    let short = told("italian", "depth=1 captures=short");
    let parts = |log: &str| {
        let words = log.split([' ', '"']).filter(|word| word.contains('x') && !word.contains('='));
        words.map(|word| word.split('x').count()).collect::<Vec<_>>()
    };
    assert!(parts(&short).contains(&2) && !parts(&short).contains(&3), "{:?}", parts(&short));
    assert!(!parts(&told("italian", "depth=1 captures=path")).contains(&2));
}

/// At fixed nodes it does not matter in which dialect an engine is spoken to.
#[test]
fn dialects_give_the_same_games() {
    let scratch = Scratch::new("dialects");
    for variant in ["italian", "frisian", "russian", "turkish", "hawaiian", "parachute"] {
        let play = |file: &str, first: &str| {
            let file = scratch.file(&format!("{variant}-{file}"));
            let engines = ["--engine", first, "--engine", "name=b nodes=300 option.tt-size=16"];
            let args =
                ["-v", variant, "--rounds", "2", "--resume", &file, "--openings", "file=builtin plies=4"];
            let summary = summary(&[&engines[..], &args].concat());
            assert_eq!(summary["engines"][0]["crashes"], 0, "{summary}");
            games(&file)
        };
        let of = |games: Vec<Value>| {
            let told = |game: Value| {
                let moves = game["moves"].as_array().unwrap().clone();
                let moves =
                    moves.iter().map(|mv| (mv["move"].clone(), mv["nodes"].clone(), mv["depth"].clone()));
                (game["winner"].clone(), moves.collect::<Vec<_>>())
            };
            games.into_iter().map(told).collect::<Vec<_>>()
        };
        let hub = of(play("hub", "name=a nodes=400 option.tt-size=16"));
        let uci = of(play("uci", "name=a proto=uci nodes=400 option.Hash=1"));
        assert!(hub.len() == 4 && hub.iter().all(|(_, moves)| moves.len() > 5 && !moves[0].1.is_null()));
        assert_eq!(hub, uci, "{variant}");
    }
}

#[test]
fn openings_come_from_files() {
    let scratch = Scratch::new("openings");
    let (fens, record) = (scratch.file("a.fen"), scratch.file("record"));
    std::fs::write(&fens, "# two\nB:W18,24,27,28:B8,12,14\nW:W18,24,27,28:B8,12,14\n").unwrap();
    let openings = format!("file={fens} order=sequential start=2");
    let args = ["-v", "english", "--openings", &openings, "--rounds", "2", "--resume", &record];
    summary(&[&TWO, &args[..]].concat());
    let fens: Vec<_> = games(&record).iter().map(|game| game["fen"].as_str().unwrap().to_owned()).collect();
    assert!(fens[0].starts_with("W:") && fens[0] == fens[1] && fens[2].starts_with("B:"), "{fens:?}");

    let (pdn, record) = (scratch.file("a.pdn"), scratch.file("record2"));
    std::fs::write(&pdn, "[Event \"x\"]\n[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 22-17 1/2-1/2\n").unwrap();
    let openings = format!("file={pdn} plies=3");
    summary(&[&TWO[..], &["-v", "english", "--openings", &openings, "--resume", &record]].concat());
    assert_eq!(games(&record)[0]["opening"], serde_json::json!(["11-15", "23-19", "8-11"]));
}

#[test]
fn what_is_refused() {
    for (args, error) in [
        (&[][..], "a match needs two engines: give --engine twice or more"),
        (&["--engine", "nodes=1"], "a match needs two engines: give --engine twice or more"),
        (&["--engine", "nodes=1 x"], "--engine \"nodes=1 x\": 'x', column 9: expected KEY=VALUE"),
        (
            &["--engine", "name=a", "--engine", "name=b nodes=1"],
            "nothing limits 'a': give it tc=, st=, nodes= or depth=",
        ),
        (
            &["--each", "nodes=1", "--engine", "name=a", "--engine", "name=b", "--sprt", "elo0=5 elo1=5"],
            "--sprt \"elo0=5 elo1=5\": elo0=5 elo1=5; expected elo0 below elo1",
        ),
        (
            &["--each", "nodes=1", "--engine", "name=a", "--engine", "name=b", "--resign", "score=4"],
            "--resign \"score=4\": 'movecount=' is missing",
        ),
        (
            &["--each", "nodes=1", "--engine", "name=a", "--engine", "name=b", "--openings", "file=/no/such"],
            "/no/such: No such file or directory (os error 2)",
        ),
    ] {
        let (code, text) = failed(&[&["match"], args].concat(), "");
        assert!(code > 0);
        assert_eq!(text, format!("soffio: {error}\n"));
    }
}
