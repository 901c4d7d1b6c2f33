//! Malformed input by the hundred thousand: each line is refused with one clear message, nothing is taken for something
//! else, nothing hangs, and memory stays where it was.

use crate::drive::Engine;
use soffio::engine::{self, Notation};
use soffio::rng::Rng;
use soffio::rules::{Game, RULE_SETS};
use std::panic::{AssertUnwindSafe, catch_unwind};

const LINES: usize = 100_000;
/// Lines between two pings: the answers are read before more is written.
const BATCH: usize = 500;

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> &'a str {
    list[rng.below(list.len())]
}

/// Random characters, among them those that mean something.
fn noise(rng: &mut Rng, most: usize) -> String {
    const LETTERS: &[char] = &[
        'W', 'B', 'w', 'b', 'e', 'K', 'P', ':', ',', '-', 'x', '1', '9', '0', 'a', 'h', '.', '?', '+', 'é',
        '\u{2028}',
    ];
    (0..rng.below(most + 1)).map(|_| LETTERS[rng.below(LETTERS.len())]).collect()
}

/// A position string of italian draughts with one thing wrong.
fn bad_position(rng: &mut Rng) -> String {
    let mut squares: Vec<char> = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww".chars().collect();
    let at = rng.below(32);
    match rng.below(6) {
        0 => drop(squares.remove(at)),
        1 => squares.insert(at, 'w'),
        2 => squares[at] = ['x', 'E', '1', 'K', 'p', 'q', 'é'][rng.below(7)],
        3 => squares[rng.below(4)] = 'w',
        4 => squares[28 + rng.below(4)] = 'b',
        _ => {
            return format!(
                "{}{}",
                pick(rng, &["w", "b", "X", "0", "?"]),
                squares.iter().collect::<String>()
            );
        }
    }
    format!("{}{}", pick(rng, &["W", "B"]), squares.iter().collect::<String>())
}

/// A line that is malformed by the way it is made.
fn bad_line(rng: &mut Rng) -> Vec<u8> {
    let number = pick(
        rng,
        &["", "-", "x", "nan", "inf", "1e99", "99999999999999999999", "0x10", "1,5", "--1", "é", "1 000"],
    );
    let name = pick(rng, &["depth", "nodes", "moves", "move-time", "time", "inc"]);
    let text = match rng.below(13) {
        0 => pick(rng, &["", " ", "\t", " \t \r"]).to_owned(),
        1 => format!("q{}", noise(rng, 30).replace(['=', '"'], "")),
        2 => format!("pos pos={}\"", noise(rng, 9).replace('"', "")),
        3 => format!("{} moves=\"{}", pick(rng, &["pos", "level", "go", "ping"]), noise(rng, 20)),
        4 => format!("{} ={}", pick(rng, &["pos", "level", "set-param"]), noise(rng, 5)),
        5 => format!("level {name}=\"{number}\""),
        6 => format!("level {name} {name}=1"),
        7 => format!("pos pos={}", bad_position(rng)),
        8 => format!(
            "pos moves=\"22-18 {}\"",
            pick(
                rng,
                &["1-2", "18-22", "11x20", "22-18", "99-1", "-", "x", "a1a1a1", "8-", "1--2", "5x5x5x5"]
            )
        ),
        9 => format!(
            "set-param name={} value={}",
            pick(rng, &["threads", "tt-size", "ponder", "variant", "rule", "numbering"]),
            pick(rng, &["-1", "é", "99999999999999999999", "999", "x", "1.5", "W:"])
        ),
        10 => pick(
            rng,
            &[
                "set-param",
                "set-param name=",
                "set-param name=threads",
                "set-param value=3",
                "pos pos",
                "pos pos=a pos=b",
            ],
        )
        .to_owned(),
        11 => format!("pos pos={}\u{7}", noise(rng, 5)),
        _ => {
            let mut bytes = noise(rng, 10).into_bytes();
            bytes.extend([0xff, b'1']);
            return bytes;
        }
    };
    text.into_bytes()
}

#[test]
fn malformed_lines_are_refused() {
    let mut engine = Engine::ready("italian");
    engine.quiet("pos moves=22-18");
    let mut rng = Rng::new(1);
    let mut peak = None;
    for batch in 0..LINES / BATCH {
        let mut bytes = Vec::new();
        let mut lines = Vec::new();
        for _ in 0..BATCH {
            let line = bad_line(&mut rng);
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
            lines.push(line);
        }
        if batch % 50 == 0 {
            bytes.extend(vec![b'w'; 2 << 20]);
            bytes.push(b'\n');
            lines.push(b"a line that is too long".to_vec());
        }
        bytes.extend(b"ping\n");
        engine.send_bytes(&bytes);
        let answers = engine.until("pong");
        for (line, answer) in lines.iter().zip(&answers) {
            let line = String::from_utf8_lossy(line);
            let message = answer.strip_prefix("error message=\"").and_then(|rest| rest.strip_suffix('"'));
            assert!(message.is_some_and(|m| !m.is_empty() && !m.contains('"')), "{line:?}: {answer}");
        }
        assert_eq!(answers.len(), lines.len() + 1);
        match peak {
            // What the first lines need, all may need.
            _ if batch < 10 => peak = engine.peak_memory(),
            Some(before) => {
                let now = engine.peak_memory().unwrap();
                assert!(now < before + 8 * 1024, "memory grows: {before} to {now} KiB");
            }
            None => {}
        }
    }
    // Still there, where the last good `pos` before a bad move has led.
    assert!(engine.ask("fen")[0].contains("W18,21,23"));
    engine.quit();
}

#[test]
fn malformed_lines_end_searches_like_any_other() {
    let mut engine = Engine::ready("italian");
    let mut rng = Rng::new(2);
    for _ in 0..40 {
        engine.send_all(&["pos", "go analyze"]);
        let mut line = bad_line(&mut rng);
        line.push(b'\n');
        engine.send_bytes(&line);
        assert!(engine.until("done").last().unwrap().starts_with("done move="));
        assert!(engine.line().starts_with("error message="));
    }
    engine.quit();
}

/// Damages a text in one to three places.
fn damage(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(letters.len().max(1));
        let with = noise(rng, 2);
        match rng.below(3) {
            0 if !letters.is_empty() => drop(letters.remove(at)),
            1 if !letters.is_empty() => drop(letters.splice(at..=at, with.chars())),
            _ => drop(letters.splice(at..at, with.chars())),
        }
    }
    letters.into_iter().collect()
}

/// FEN and moves: no panic; an error names what is wrong; what is accepted reads back as the same.
#[test]
fn damaged_positions_and_moves() {
    let mut rng = Rng::new(3);
    let rounds = LINES / RULE_SETS.len() / 2;
    for set in RULE_SETS {
        let mut session = engine::open(Game::new(set));
        let start = session.fen();
        let moves = [session.legal_moves(Notation::Pdn), session.legal_moves(Notation::HUB)].concat();
        for _ in 0..rounds {
            let fen = if rng.below(8) == 0 { noise(&mut rng, 40) } else { damage(&mut rng, &start) };
            let read = catch_unwind(AssertUnwindSafe(|| session.set_fen(&fen)));
            match read.unwrap_or_else(|_| panic!("{} {fen:?}", set.id)) {
                Ok(()) => {
                    let written = session.fen();
                    session.set_fen(&written).unwrap();
                    assert_eq!(session.fen(), written, "{} {fen}", set.id);
                    assert_eq!(written[..1], fen.trim()[..1], "{fen}");
                }
                Err(error) => check_message(&error.to_string()),
            }
        }
        session.set_start();
        for _ in 0..rounds {
            let good = moves[rng.below(moves.len())].clone();
            let text = if rng.below(8) == 0 { noise(&mut rng, 12) } else { damage(&mut rng, &good) };
            let played = catch_unwind(AssertUnwindSafe(|| session.play(&text, Notation::Pdn)));
            match played.unwrap_or_else(|_| panic!("{} {text:?}", set.id)) {
                Ok(()) => assert!(session.undo() && session.fen() == start),
                Err(error) => check_message(&error.to_string()),
            }
        }
    }
}

fn check_message(message: &str) {
    assert!(message.len() > 10 && message.len() < 2000 && !message.contains(char::is_control), "{message:?}");
}

/// A UCI line that is refused, whatever the position and the options are.
fn bad_uci_line(rng: &mut Rng) -> Vec<u8> {
    let number =
        pick(rng, &["", "x", "nan", "1e9", "99999999999999999999", "0x10", "1,5", "--1", "é", "+3", "-"]);
    let name =
        pick(rng, &["depth", "nodes", "movetime", "wtime", "btime", "winc", "movestogo", "mate", "perft"]);
    let text = match rng.below(12) {
        0 => format!("q{}", noise(rng, 30)),
        1 => format!("go {name} {number}"),
        2 => format!("go {name} 3 {name} 4"),
        3 => format!("go depth 3 z{}", noise(rng, 9)),
        4 => format!(
            "go searchmoves {}",
            pick(rng, &["", "depth 3", "1-1", "0000", "e2e4", "99-1", "x", "5x5x5x5"])
        ),
        5 => format!(
            "position {}",
            pick(rng, &["", "x", "fen", "startpos x", "startpos fen W", "moves 22-18"])
        ),
        6 => format!("position fen {}", noise(rng, 20).replace(['W', 'B', '?'], "z")),
        7 => format!("position fen {}", pick(rng, &["W:W99:B1", "W:W1:B2", "X:W22:B1", "W:W22,22:B1"])),
        8 => {
            let mv =
                pick(rng, &["1-2", "18-22", "11x20", "99-1", "-", "x", "a1a1a1", "8-", "1--2", "5x5x5x5"]);
            format!("position startpos moves {mv}")
        }
        9 => format!(
            "setoption name {} value {}",
            pick(rng, &["Threads", "Hash", "Ponder", "MultiPV", "UCI_Variant", "Rule", "Contempt", "Speed"]),
            pick(rng, &["-501", "é", "99999999999999999999", "99999", "x", "1.5", "W:"])
        ),
        10 => pick(
            rng,
            &["setoption", "setoption x", "setoption name", "setoption name Threads", "perft", "d d"],
        )
        .to_owned(),
        _ => {
            let mut bytes = noise(rng, 10).into_bytes();
            bytes.extend(if rng.below(2) == 0 { &[0xff, b'1'][..] } else { &[7] });
            return bytes;
        }
    };
    text.into_bytes()
}

/// A UCI line that may mean something, and then something small.
fn odd_uci_line(rng: &mut Rng) -> String {
    const MOVES: [&str; 8] = ["22-18", "10-14", "18x11x14", "7x14x11", "21-17", "1-2", "c3-d4", "23-19"];
    let line = match rng.below(12) {
        0 => format!("go depth {}", rng.below(4)),
        1 => format!("go nodes {} searchmoves {}", rng.below(300), pick(rng, &MOVES)),
        2 => pick(rng, &["go infinite", "go", "go ponder depth 3", "go ponder wtime 10 btime 10"]).to_owned(),
        3 => pick(rng, &["stop", "ponderhit", "isready", "ucinewgame", "uci", "", "debug on"]).to_owned(),
        4 | 5 => {
            let moves: Vec<_> = (0..rng.below(5)).map(|_| pick(rng, &MOVES)).collect();
            format!("position startpos moves {}", moves.join(" "))
        }
        6 => {
            let id = RULE_SETS[rng.below(RULE_SETS.len())].id;
            format!("setoption name UCI_Variant value {id}")
        }
        7 => format!(
            "setoption name {} value {}",
            pick(rng, &["MultiPV", "Hash", "Threads"]),
            1 + rng.below(3)
        ),
        8 => pick(rng, &["d", "moves", "eval", "flip", "perft 2", "go perft 2", "help"]).to_owned(),
        9 => pick(rng, &["perft 3", "go perft 3", "perft 100"]).to_owned(),
        10 => format!("position fen {}", pick(rng, &["W:W21,KA1:BK3", "B:W30:B1,2,K9", "W:WK1:BK32"])),
        _ => format!("setoption name UCI_ShowWDL value {}", rng.below(2) == 0),
    };
    // A depth of more digits would be counted for ever, with nobody to stop it.
    let whole = line.contains("perft") || rng.below(3) != 0;
    if whole { line } else { damage(rng, &line).replace(['\n', '\r'], "") }
}

#[test]
fn uci_lines() {
    let mut engine = Engine::start(&["uci"]);
    let mut rng = Rng::new(4);
    for _ in 0..LINES / 2 / BATCH {
        let lines: Vec<_> = (0..BATCH).map(|_| bad_uci_line(&mut rng)).collect();
        let mut bytes = lines.join(&b'\n');
        bytes.extend(b"\nisready\n");
        engine.send_bytes(&bytes);
        let answers = engine.until("readyok");
        for (line, answer) in lines.iter().zip(&answers) {
            let line = String::from_utf8_lossy(line);
            let error = answer.strip_prefix("info string error: ");
            assert!(error.is_some_and(|error| error.len() < 2000), "{line:?}: {answer}");
        }
        assert_eq!(answers.len(), lines.len() + 1);
    }
    for _ in 0..LINES / 2 / BATCH {
        let lines: Vec<_> = (0..BATCH).map(|_| odd_uci_line(&mut rng)).collect();
        assert!(!lines.iter().any(|line| line.trim() == "quit"));
        engine.send(&(lines.join("\n") + "\nstop\nposition startpos\nperft 1"));
        // The number that answers the last line, behind all else.
        engine.send("setoption name Nobody");
        let end = "info string error: unknown option 'Nobody'";
        while engine.line() != end {}
    }
    engine.quit();
}
