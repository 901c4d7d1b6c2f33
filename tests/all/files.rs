//! `convert` and `check`: files of games and positions through the binary.

use crate::drive::{done, run};
use crate::support::Scratch;
use serde_json::Value;
use soffio::engine::{self, Notation};
use soffio::notation::HubNumbering;
use soffio::notation::pdn::{self, Item, Move, Outcome};
use soffio::rng::Rng;
use soffio::rules::{Game, RULE_SETS};

const ITALIAN: &str = "[Event \"Genoa\"]\n[GameType \"22\"]\n[Result \"1/2-1/2\"]\n\n\
    1. 23-19! {quiet} 12-15 (1... 10-13 2. 19-15) 2. 19x12 8x15 1/2-1/2\n";

const START: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

fn convert(from: &str, to: &str, more: &[&str], input: &str) -> String {
    done(&[&["convert", "--from", from, "--to", to], more].concat(), input)
}

/// Exit code, standard output and standard error.
fn outcome(args: &[&str], input: &str) -> (i32, String, String) {
    let output = run(args, input.as_bytes());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn pdn_becomes_what_the_standard_writes() {
    let written = convert("pdn", "pdn", &[], ITALIAN);
    let want = "[Event \"Genoa\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
        [Result \"1/2-1/2\"]\n[GameType \"22\"]\n\n\
        1. 23-19! {quiet} 12-15 (1... 10-13 2. 19-15) 2. 19x12 8x15 1/2-1/2\n\n";
    assert_eq!(written, want);
    // Moves are spelt anew, the GameType is that of -v, and a capture in parts becomes one.
    let english = "[GameType \"22\"]\n1. 11:15 23 - 19 *\n\n[Variant \"chess\"]\n1. 11-15 *";
    let bad = outcome(&["convert", "-v", "english", "--from", "pdn", "--to", "pdn"], english);
    assert_eq!(bad.0, 1);
    assert!(bad.1.contains("[GameType \"21,B,8,8,N1,0\"]") && bad.1.contains("1. 11-15 *"), "{}", bad.1);
    assert_eq!(
        bad.2,
        "standard input:2:4: game 1: illegal move '11:15'\nsoffio: 1 of 2 games were not converted\n"
    );
    let parts = "[FEN \"W:W22:B18,11\"] 1. 22x15 {on} 15x8 *";
    assert!(convert("pdn", "pdn", &["-v", "english"], parts).ends_with("\n\n1... 22x8 {on} *\n\n"));
}

#[test]
fn games_become_positions() {
    let all = convert("pdn", "fen", &[], ITALIAN);
    assert_eq!(all.lines().count(), 5);
    assert_eq!(all.lines().next(), Some(START), "{all}");
    let start = convert("pdn", "fen", &["--positions", "start"], ITALIAN);
    let end = convert("pdn", "fen", &["--positions", "end"], ITALIAN);
    assert_eq!((start.lines().next(), end.lines().next()), (all.lines().next(), all.lines().last()));
    let hub = convert("pdn", "hub", &["--positions", "end"], ITALIAN);
    assert_eq!(convert("hub", "fen", &[], &hub), end);
    assert_eq!(convert("fen", "hub", &[], &format!("# a list\n\n{end}")), hub);
}

#[test]
fn json_lines_are_those_of_referee() {
    let written = outcome(&["convert", "--from", "pdn", "--to", "json"], ITALIAN);
    assert_eq!(
        written.1,
        "{\"variant\":\"italian\",\"moves\":[\"23-19\",\"12-15\",\"19x12\",\"8x15\"],\"result\":\"1/2-1/2\",\
         \"tags\":{\"Event\":\"Genoa\",\"GameType\":\"22\",\"Result\":\"1/2-1/2\"}}\n"
    );
    assert_eq!(
        (written.0, written.2.as_str()),
        (0, "soffio: left out, as JSON lines have no place for them: 1 comment, 1 glyph, 1 variation\n")
    );
    assert_eq!(lines(&done(&["referee"], &written.1))[0]["plies"], 4);
    let back = convert("json", "pdn", &[], &written.1);
    assert!(back.contains("[Event \"Genoa\"]") && back.ends_with("1. 23-19 12-15 2. 19x12 8x15 1/2-1/2\n\n"));
    // A name that comes twice, an option, a position.
    let twice = "[Event \"a\"]\n[Event \"b\"]\n[GameType \"21,W,8,8,N2,0\"]\n[FEN \"W:W22:B9\"]\n22-18 0-1";
    let json = convert("pdn", "json", &[], twice);
    let object = &lines(&json)[0];
    assert_eq!(object["tags"]["Event"], serde_json::json!(["a", "b"]));
    assert_eq!(object["rules"], serde_json::json!(["first=white"]));
    assert_eq!((&object["fen"], &object["result"]), (&"W:W22:B9".into(), &"0-1".into()));
    assert_eq!(convert("pdn", "pdn", &[], twice), convert("json", "pdn", &[], &json));
}

#[test]
fn bad_records_are_named_and_the_rest_is_converted() {
    let fens = "W:W31:B5\nW:W99\n\nB:W31:B5\nW:W1:X\n";
    let (code, out, errors) = outcome(&["convert", "--from", "fen", "--to", "hub"], fens);
    assert_eq!((code, out.lines().count()), (1, 2));
    let errors: Vec<_> = errors.lines().collect();
    assert_eq!(
        errors[0],
        "standard input:2:1: game 2: impossible position: square 99 is off the board \
        (taken for italian: neither -v nor a tag names the rules)"
    );
    assert!(errors[1].starts_with("standard input:5:6: game 4: bad FEN, column 6: found 'X'"), "{errors:?}");
    assert_eq!(errors[2], "soffio: 2 of 4 games were not converted");
    let json = "{\"moves\": [\"22-18\", \"1-2\"], \"variant\": \"italian\"}\n{\"moves\": 5}\n{\"moves\": []}\nx\n\
        {\"moves\": [], \"variant\": \"chess\"}\n";
    let (code, out, errors) = outcome(&["convert", "--from", "json", "--to", "fen"], json);
    assert_eq!((code, out.as_str()), (1, format!("{START}\n").as_str()));
    let errors: Vec<_> = errors.lines().collect();
    assert_eq!(errors[0], "standard input:1:1: game 1: illegal move '1-2'");
    assert!(
        errors[1].starts_with("standard input:2:11: game 2: bad JSON: invalid type: integer `5`"),
        "{errors:?}"
    );
    assert!(errors[2].starts_with("standard input:4:1: game 4: bad JSON: expected value"), "{errors:?}");
    assert_eq!(
        errors[3],
        "standard input:5:1: game 5: unknown variant 'chess': see `soffio rules` for the list"
    );
    let unknown =
        outcome(&["convert", "--from", "pdn", "--to", "pdn"], "[GameType \"99\"]\n*\n\n33 x *\n[A \"b\"] *");
    assert_eq!(
        unknown.2.lines().collect::<Vec<_>>(),
        [
            "standard input:1:1: game 1: GameType '99' names no rule set known here: name one by -v",
            "standard input:4:4: game 2: 'x' is no move, move number, result, tag or comment",
            "soffio: 2 of 3 games were not converted",
        ]
    );
    assert_eq!(outcome(&["convert", "--from", "pdn", "--to", "pdn", "/no/such/file"], "").0, 1);
    assert_eq!(outcome(&["convert", "--from", "pdn", "--to", "png"], "").0, 2);
    assert_eq!(outcome(&["convert", "--from", "pdn", "--to", "fen", "--rule", "first=white"], "").0, 2);
}

/// A seeded game with all that PDN has and JSON has too.
fn random_game(set: &'static soffio::rules::RuleSet, rng: &mut Rng) -> (pdn::Game, String, String) {
    let mut session = engine::open(Game::new(set));
    let mut game = pdn::Game::of(session.game());
    game.set_tag("White", ["?", "a \"b\" \\", "Дамир"][rng.below(3)]);
    for _ in 0..rng.below(20) {
        let moves = session.legal_moves(Notation::Pdn);
        if !moves.is_empty() {
            session.play(&moves[rng.below(moves.len())], Notation::Pdn).unwrap();
        }
    }
    let fen = session.fen();
    game.set_fen(&Game::new(set), &fen);
    session.set_fen(&fen).unwrap();
    for _ in 0..rng.below(30) {
        let moves = session.legal_moves(Notation::Pdn);
        if moves.is_empty() {
            break;
        }
        let text = moves[rng.below(moves.len())].clone();
        session.play(&text, Notation::Pdn).unwrap();
        game.items.push(Item::Move(Move { text, ..Move::default() }));
    }
    game.set_outcome([Outcome::White, Outcome::Draw, Outcome::Black, Outcome::Unknown][rng.below(4)]);
    (game, session.fen(), session.hub(HubNumbering::Standard))
}

#[test]
fn every_rule_set_goes_round() {
    let mut rng = Rng::new(8);
    let (mut text, mut fens, mut all) = (String::new(), Vec::new(), Vec::new());
    for set in RULE_SETS {
        let mut own = (String::new(), String::new());
        for _ in 0..3 {
            let (game, fen, hub) = random_game(set, &mut rng);
            text += &pdn::write(&game);
            fens.push(fen.clone());
            own = (own.0 + &fen + "\n", own.1 + &hub + "\n");
        }
        all.push((set.id, own.0, own.1));
    }
    assert_eq!(convert("pdn", "pdn", &[], &text), text);
    let json = convert("pdn", "json", &[], &text);
    assert_eq!(convert("json", "pdn", &[], &json), text);
    assert_eq!(convert("json", "json", &[], &json), json);
    let ends = convert("pdn", "fen", &["--positions", "end"], &text);
    assert_eq!(ends.lines().collect::<Vec<_>>(), fens);
    for (id, fens, hubs) in all {
        let v = ["-v", id];
        // Hub strings have no Frisian counters; else they say the same.
        if !fens.contains(":+") {
            assert_eq!(convert("fen", "hub", &v, &fens), hubs, "{id}");
            assert_eq!(convert("hub", "fen", &v, &hubs), fens, "{id}");
        }
        let pdn = convert("fen", "pdn", &v, &fens);
        assert_eq!(convert("pdn", "fen", &[], &pdn), fens, "{id}");
        let json = convert("fen", "json", &v, &fens);
        assert_eq!(convert("json", "fen", &[], &json), fens, "{id}");
        assert_eq!(convert("json", "pdn", &[], &json), pdn, "{id}");
    }
}

#[test]
fn check_lists_what_is_wrong() {
    let good = "[Event \"a\"]\n[Site \"b\"]\n[Date \"2005.??.??\"]\n[Round \"1\"]\n[White \"c\"]\n[Black \"d\"]\n\
        [Result \"1-0\"]\n[GameType \"22\"]\n";
    let fine = format!("{good}1. 23-19 12-15 (1... 10-13 2. 19-15) 2. 19x12 1-0\n\n");
    assert_eq!(done(&["check", "-"], &fine), "1 file, 1 game, 3 plies: 0 problems, in 0 of them\n");
    for (text, want) in [
        (format!("{good}1. 23-19 12-16 2. 19x11 1-0"), vec!["9:19: game 1: illegal move '19x11'"]),
        (
            format!("{good}1. 23-19 (1. 23-20 1-2) 12-15 1-0"),
            vec!["9:20: game 1: illegal move '1-2', in a variation"],
        ),
        (
            format!("{good}[FEN \"W:W22:B18\"]\n1. 22x13 0-1"),
            vec![
                "10:4: game 1: the result is '0-1', but by the rules the game ends 1-0 (no-moves)",
                "10:10: game 1: the result is '0-1' here and '1-0' in the tag",
            ],
        ),
        (format!("{good}1. 23-19 12-15"), vec!["9:15: game 1: the game ends without a result"]),
        (
            format!("{good}[FEN \"W:W99:B1\"] *"),
            vec!["1:1: game 1: impossible position: square 99 is off the board"],
        ),
        (
            format!("{good}[FEN \"W:WK1:BK32\"]\n1-5 32-28 5-1 28-32 1-5 32-28 5-1 28-32 1-5 1-0"),
            vec!["10:41: game 1: by the rules the game was over before this move: 1/2-1/2 (repetition)"],
        ),
        (
            good.replace("2005.??.??", "1.1.05").replace("22", "22,B,8,8,N2,1")
                + "[Event \"x\"]\n[SetUp \"1\"]\n*",
            vec![
                "1:1: game 1: tag Event stands there more than once",
                "1:1: game 1: Date '1.1.05' is not YYYY.MM.DD, with ? where it is not known",
                "1:1: game 1: SetUp '1' without a FEN",
                "1:1: game 1: GameType '22,B,8,8,N2,1' says that Black moves first, which no rule of italian has",
            ],
        ),
        (
            "[Event \"x\"]\n[Result \"won\"]\n1. 22-18 }*".to_owned(),
            vec![
                "1:1: game 1: no tags Site, Date, Round, White, Black",
                "1:1: game 1: Result 'won' is no result",
                "1:1: game 1: no GameType",
                "3:10: game 1: stray '}'",
            ],
        ),
        (good.replace("22", "99") + "*", vec!["1:1: game 1: GameType '99' is not known here"]),
        (
            format!("{good}1. 22=18"),
            vec!["9:4: game 1: '22=18' is no move, move number, result, tag or comment"],
        ),
    ] {
        let (code, out, errors) = outcome(&["check", "-"], &text);
        assert_eq!((code, errors.as_str()), (1, ""), "{out}");
        let mut found: Vec<_> = out.lines().collect();
        let summary = found.pop().unwrap();
        let want: Vec<_> = want.iter().map(|line| format!("standard input:{line}")).collect();
        assert_eq!(found, want, "{text}");
        assert!(summary.contains("in 1 of them"), "{summary}");
    }
    let other = outcome(&["check", "-v", "russian", "--only", "game-type", "-"], &fine);
    assert_eq!(
        other.1.lines().next(),
        Some("standard input:1:1: game 1: GameType '22' is italian, not russian")
    );
}

#[test]
fn check_reads_several_files() {
    let scratch = Scratch::new("check");
    let (one, two) = (scratch.file("one.pdn"), scratch.file("two.pdn"));
    std::fs::write(&one, ITALIAN).unwrap();
    std::fs::write(&two, format!("{ITALIAN}\n[GameType \"22\"]\n1. 1-2 *\n")).unwrap();
    let args = ["check", "--json", "--only", "move,syntax", &one, &two];
    let (code, out, errors) = outcome(&args, "");
    let found = lines(&out);
    assert_eq!((code, errors.as_str(), found.len()), (1, "", 2));
    assert_eq!(
        found[0],
        serde_json::json!({ "file": two, "line": 8, "column": 4, "game": 2, "kind": "move", "what": "illegal move '1-2'" })
    );
    assert_eq!(
        found[1],
        serde_json::json!({ "files": 2, "games": 3, "plies": 8, "problems": 1, "faulty": 1 })
    );
    assert_eq!(outcome(&["check", "/no/such/file"], "").0, 1);
    assert_eq!(outcome(&["check"], "").0, 2);
}

/// Small games with what PDN has, damaged by a few strokes each.
fn damaged(games: usize) -> Vec<u8> {
    const GOOD: [&str; 4] = [
        "[Event \"a\"]\n[GameType \"22\"]\n1. 23-19! {a {b} c} 12-15 (1... 10-13 $5 2. 19-15 (2. 28-23)) 2. 19x12 8x15 1-0\n",
        "[GameType \"21,B,8,8,N1,0\"]\n[FEN \"W:W22,18:B11,K9.\"]\n18-14 9x18 22x15x8 [%clk 0:01] *\n",
        "[Result \"0-1\"]\r\n[GameType \"25\"]\r\n1. c3b4 /FEN \"W:Wc3:Bd4,f6\"/ c3:e5:g7 % x\r\n; y\r\n 0-1\r\n",
        "[Variant \"turkish\"]\n[Date \"2005.01.??\"]\n1. a3-a4 (1. b3b4) 1/2-1/2\n",
    ];
    const PIECES: [&str; 20] = [
        "{", "}", "(", ")", "[", "\"", "*", "-", "x", ":", "1", "99", "$", "%", ";", "\n", "\u{feff}", "é",
        "K", "/FEN ",
    ];
    let mut rng = Rng::new(88);
    let mut text = Vec::new();
    for _ in 0..games {
        let mut bytes = GOOD[rng.below(GOOD.len())].as_bytes().to_vec();
        for _ in 0..rng.below(4) {
            let at = rng.below(bytes.len() + 1);
            let to = (at + rng.below(6)).min(bytes.len());
            match rng.below(4) {
                0 => drop(bytes.drain(at..to)),
                1 => bytes.insert(at, rng.next_u64() as u8),
                2 => drop(bytes.splice(at..at, PIECES[rng.below(PIECES.len())].bytes())),
                _ => drop(bytes.splice(at..to, PIECES[rng.below(PIECES.len())].bytes())),
            }
        }
        text.append(&mut bytes);
        text.extend_from_slice(b"\n\n");
    }
    text
}

#[test]
fn a_hundred_thousand_damaged_games_are_survived() {
    let text = damaged(100_000);
    let checked = run(&["check", "-"], &text);
    let report = String::from_utf8(checked.stdout).unwrap();
    assert_eq!((checked.status.code(), checked.stderr.len()), (Some(1), 0));
    assert!(report.lines().all(|line| line.starts_with("standard input:") || line.starts_with("1 file, ")));
    let converted = run(&["convert", "--from", "pdn", "--to", "pdn"], &text);
    let errors = String::from_utf8(converted.stderr).unwrap();
    assert_eq!(converted.status.code(), Some(1));
    assert!(
        errors.lines().all(|line| line.starts_with("standard input:") || line.ends_with("not converted"))
    );
    assert!(errors.lines().count() > 10_000, "{}", errors.lines().count());
    // What comes out is right, whatever went in, and stays as it is.
    let again = run(&["convert", "--from", "pdn", "--to", "pdn"], &converted.stdout);
    let errors = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success(), "{}", errors.lines().take(5).collect::<Vec<_>>().join("\n"));
    assert!(again.stdout == converted.stdout);
    assert!(converted.stdout.len() > 1_000_000);
}
