//! Training games: the same command makes the same file, whatever interrupts it, and nothing but whole files is read.

use crate::drive::{done, failed, run, soffio};
use crate::support::{Scratch, all_games, game};
use serde_json::Value;
use soffio::bits::Bits;
use soffio::board::Side;
use soffio::rules::Game;
use soffio::train::selfplay::{self, Terms};
use soffio::train::{Data, End, Header, Played, Reader, Record, Stats, Writer};
use std::collections::HashMap;
use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

fn terms(game: &Arc<Game>, nodes: u64) -> Terms {
    Terms { game: Game::clone(game), nodes, seed: 3, plies: selfplay::default_plies(game), weights: None }
}

/// Games of the library.
fn play(terms: &Terms, games: u64, threads: usize) -> Vec<Played> {
    let mut played = Vec::new();
    selfplay::run(terms, 0..games, threads, &AtomicBool::new(false), &mut |game| {
        played.push(game);
        Ok::<_, ()>(())
    })
    .unwrap();
    played
}

fn write(file: &str, header: &Header, games: &[Played]) {
    let mut writer = Writer::open(file, header, &mut |_| panic!("a new file")).unwrap();
    games.iter().for_each(|game| writer.add(game).unwrap());
}

fn read(file: &str) -> Result<Vec<Played>, String> {
    Reader::open(file)
        .and_then(Iterator::collect)
        .map_err(|error: soffio::train::FileError| error.to_string())
}

/// Runs `soffio train selfplay` to its end.
fn selfplay(args: &[&str]) -> String {
    let output = run(&[&["train", "selfplay"], args].concat(), b"");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_rule_set_plays_and_is_read_back() {
    let scratch = Scratch::new("train-all");
    for game in all_games() {
        let terms = terms(&game, 30);
        let games = play(&terms, 2, 1);
        let file =
            scratch.file(&format!("{}{}", game.set.id, game.chosen.iter().map(|c| c.1).collect::<String>()));
        write(&file, &terms.header(), &games);
        assert_eq!(read(&file).as_ref(), Ok(&games), "{}", game.set.id);
        assert_eq!(terms.header().game().unwrap().chosen, game.chosen);
        assert!(games.iter().any(|game| !game.positions.is_empty()), "{} has positions", game.set.id);
        for record in games.iter().flat_map(|game| &game.positions) {
            assert!(record.white != 0 && record.black != 0 && record.white & record.black == 0);
        }
    }
}

#[test]
fn threads_do_not_matter() {
    for id in ["italian", "turkish"] {
        let terms = terms(&game(id), 60);
        let games = play(&terms, 9, 1);
        assert_eq!(play(&terms, 9, 3), games);
        assert_ne!(play(&Terms { seed: 4, ..terms.clone() }, 2, 1), games[..2], "another seed, other games");
        let different: HashMap<_, _> = games.iter().map(|game| (game.positions[0].key(), game)).collect();
        assert!(different.len() > 5, "games begin in different ways");
    }
}

#[test]
fn results_are_those_of_the_last_positions() {
    // A game that ends by a proof is won by the side whose last scores say so.
    let games = play(&terms(&game("english"), 300), 40, 2);
    let proved: Vec<_> = games.iter().filter(|game| game.end == End::Proved).collect();
    assert!(proved.len() > 5);
    let mut agree = 0;
    for game in &proved {
        let Some(last) = game.positions.last() else { continue };
        let winner = if last.score > 0 { last.turn } else { last.turn.other() };
        agree += usize::from(game.winner == Some(winner));
    }
    assert!(agree * 10 >= proved.len() * 9, "{agree} of {}", proved.len());
}

#[test]
fn positions_are_quiet() {
    let game = game("english");
    for record in play(&terms(&game, 50), 6, 1).iter().flat_map(|game| &game.positions) {
        for turn in Side::BOTH {
            let setup = setup(&Record { turn, ..*record });
            let findings = crate::face::face(game.kernel()).find(&setup);
            assert!(!findings.can_capture, "{record:?}");
        }
    }
}

/// The position of a record of a board without parachutists.
fn setup(record: &Record) -> soffio::position::Setup {
    use soffio::position::{Kind, Setup};
    let side = |squares: u128, side| {
        let king = |square: usize| record.kings >> square & 1 != 0;
        let kind = move |square| if king(square) { Kind::King } else { Kind::Man };
        squares.iter().map(move |square| (square, side, kind(square))).collect::<Vec<_>>()
    };
    let pieces = [side(record.white, Side::White), side(record.black, Side::Black)].concat();
    Setup { turn: record.turn, pieces }
}

#[test]
fn a_file_goes_on_after_a_cut_at_any_byte() {
    let scratch = Scratch::new("train-cut");
    let terms = terms(&game("italian"), 40);
    let games = play(&terms, 4, 1);
    let (whole, cut) = (scratch.file("whole"), scratch.file("cut"));
    write(&whole, &terms.header(), &games);
    let bytes = fs::read(&whole).unwrap();
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in (0..bytes.len()).filter(|length| length % 7 == 0 || *length < line + 40) {
        fs::write(&cut, &bytes[..length]).unwrap();
        let mut earlier = Vec::new();
        let mut writer = Writer::open(&cut, &terms.header(), &mut |game| earlier.push(game)).unwrap();
        assert_eq!((earlier.len() as u64, &earlier[..]), (writer.games(), &games[..earlier.len()]));
        games[earlier.len()..].iter().for_each(|game| writer.add(game).unwrap());
        assert_eq!(fs::read(&cut).unwrap(), bytes, "cut at {length}");
        // Who only reads is told that it is torn, unless the cut is between two games.
        fs::write(&cut, &bytes[..length]).unwrap();
        let read = read(&cut);
        if length < line {
            assert_eq!(read, Err(format!("{cut}: byte {length}: the file ends within its header")));
        } else if let Err(error) = read {
            assert!(error.contains("the file ends within game"), "{error}");
        } else {
            assert_eq!(read.unwrap(), earlier);
        }
    }
}

#[test]
fn foreign_and_damaged_files_are_refused() {
    let scratch = Scratch::new("train-foreign");
    let terms = terms(&game("italian"), 40);
    let file = scratch.file("f");
    write(&file, &terms.header(), &play(&terms, 3, 1));
    let bytes = fs::read(&file).unwrap();
    let refused = |content: &[u8], error: &str| {
        fs::write(&file, content).unwrap();
        assert_eq!(read(&file), Err(format!("{file}: {error}")));
        let opened = Writer::open(&file, &terms.header(), &mut |_| ()).unwrap_err().to_string();
        assert_eq!(opened, format!("{file}: {error}"));
        assert_eq!(fs::read(&file).unwrap(), content, "a file that is refused stays as it is");
    };
    refused(b"W:W1:B32\n", "byte 0: not a file of training games");
    refused(b"\0\xff", "byte 0: not a file of training games");
    refused(&[b'x'; 5000], "byte 0: not a file of training games");
    refused(b"soffio games 2 {}\n", "byte 0: format '2', expected 1");
    let header = |from: &str, to: &str| {
        let line = serde_json::to_string(&terms.header()).unwrap();
        format!("soffio games 1 {}\n", line.replace(from, to))
    };
    let chess = header("italian", "chess");
    refused(chess.as_bytes(), "byte 0: bad header: unknown variant 'chess': see `soffio rules` for the list");
    refused(header("32", "50").as_bytes(), "byte 0: bad header: italian has 32 squares, not 50");
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut damaged = bytes.clone();
    damaged[line + 9] ^= 1;
    refused(&damaged, &format!("byte {line}: game 0 is damaged: its checksum is wrong"));
    // A file of other games is a good file, but not to be gone on with.
    for (other, difference) in [
        (Terms { nodes: 41, ..terms.clone() }, "its nodes is 40, not 41"),
        (Terms { seed: 9, ..terms.clone() }, "its seed is 3, not 9"),
        (Terms { plies: 1..=2, ..terms.clone() }, "its plies is (4, 12), not (1, 2)"),
        (
            Terms { game: Game::clone(&game("english")), ..terms.clone() },
            "its variant is italian, not english",
        ),
    ] {
        fs::write(&file, &bytes).unwrap();
        let error = Writer::open(&file, &other.header(), &mut |_| ()).unwrap_err().to_string();
        assert_eq!(error, format!("{file}: a file of other games: {difference}"));
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn loaded_positions_stand_once() {
    let scratch = Scratch::new("train-load");
    let (a, b, other) = (scratch.file("a"), scratch.file("b"), scratch.file("c"));
    let (one, two) = (terms(&game("italian"), 40), Terms { seed: 8, ..terms(&game("italian"), 40) });
    let games = [play(&one, 30, 2), play(&two, 30, 2)];
    write(&a, &one.header(), &games[0]);
    write(&b, &two.header(), &games[1]);
    write(&other, &terms(&game("english"), 40).header(), &[]);
    let mut told = 0;
    let data = Data::load(&a, &[&b, &a], &mut |games| told = games).unwrap();
    assert_eq!((told, data.games()), (90, 90));
    // By hand.
    let mut found: HashMap<Record, (f64, u32)> = HashMap::new();
    for game in games[0].iter().chain(&games[1]).chain(&games[0]) {
        for record in &game.positions {
            let entry = found.entry(Record { score: 0, ..*record }).or_default();
            *entry = (entry.0 + f64::from(game.points()), entry.1 + 1);
        }
    }
    assert_eq!((data.len(), data.is_empty()), (found.len(), false));
    assert_eq!(data.positions(), found.values().map(|(_, count)| u64::from(*count)).sum::<u64>());
    assert_eq!(data.sample(0).record, games[0][0].positions[0]);
    for place in 0..data.len() {
        let sample = data.sample(place);
        let (points, count) = found[&Record { score: 0, ..sample.record }];
        assert_eq!(u32::from(sample.count), count);
        assert!((f64::from(sample.result) - points / f64::from(count)).abs() < 1e-5);
    }
    let mixed = Data::load(&a, &[&other], &mut |_| ()).unwrap_err().to_string();
    assert_eq!(mixed, format!("{other}: a file of other games: its variant is english, not italian"));
    let mut stats = Stats::new();
    games.iter().flatten().chain(&games[0]).for_each(|game| stats.add(game));
    assert_eq!(stats.json()["distinct"], data.len());
}

#[test]
fn the_command_plays_goes_on_and_counts() {
    let scratch = Scratch::new("train-command");
    let (one, two) = (scratch.file("one"), scratch.file("two"));
    let args = |file, threads| {
        ["--games", "20", "--nodes", "100", "--seed", "5", "--out", file, "--threads", threads]
    };
    let report = selfplay(&args(&one, "1"));
    assert!(report.starts_with(&format!("{one}: 20 games, ")), "{report}");
    selfplay(&args(&two, "2"));
    let whole = fs::read(&one).unwrap();
    assert_eq!(fs::read(&two).unwrap(), whole, "threads do not matter");
    fs::write(&two, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(selfplay(&args(&two, "2")).replace(&two, &one), report);
    assert_eq!(fs::read(&two).unwrap(), whole, "it goes on");
    // More games are the same file with more games, and a file that is done is left alone.
    let (more, first) = (scratch.file("more"), ["--games", "5", "--nodes", "100", "--seed", "5", "--out"]);
    selfplay(&[&first[..], &[&more]].concat());
    assert!(whole.starts_with(&fs::read(&more).unwrap()));
    selfplay(&args(&more, "2"));
    assert_eq!(fs::read(&more).unwrap(), whole);
    assert_eq!(selfplay(&args(&more, "2")).replace(&more, &one), report);

    let stats: Value = serde_json::from_str(&done(&["train", "stats", "--json", &one], "")).unwrap();
    let keys: Vec<_> = stats.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "variant",
            "rules",
            "files",
            "games",
            "results",
            "ends",
            "plies",
            "positions",
            "per_game",
            "distinct",
            "repeated",
            "turn",
            "kings",
            "material",
            "scores"
        ]
    );
    assert_eq!(
        (&stats["variant"], &stats["games"], &stats["files"][0]["seed"]),
        (&"italian".into(), &20.into(), &5.into())
    );
    let sum = |list: &Value, key: &str| {
        list.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>()
    };
    let positions = stats["positions"].as_u64().unwrap();
    assert!(positions > 200);
    assert_eq!(sum(&stats["scores"], "positions"), positions);
    assert_eq!(sum(&stats["material"], "white"), positions);
    let text = done(&["train", "stats", &one, &two], "");
    assert!(text.contains("games 40: White won "), "{text}");
}

#[test]
fn the_command_names_what_is_wrong() {
    let scratch = Scratch::new("train-wrong");
    let (file, other) = (scratch.file("f"), scratch.file("g"));
    let args = |seed| ["train", "selfplay", "--games", "2", "--nodes", "10", "--seed", seed, "--out", &file];
    assert!(run(&args("1"), b"").status.success());
    let error = |args: &[&str]| failed(args, "");
    assert_eq!(
        error(&args("2")),
        (1, format!("soffio: {file}: a file of other games: its seed is 1, not 2\n"))
    );
    let wanted = format!("soffio: {file}: its variant is italian, not english\n");
    assert_eq!(error(&["train", "stats", "-v", "english", &file]), (1, wanted));
    fs::write(&other, "{}\n").unwrap();
    let wanted = format!("soffio: {other}: byte 0: not a file of training games\n");
    assert_eq!(error(&["train", "stats", &file, &other]), (1, wanted));
    // Good blocks of games that this program does not play.
    let header = Reader::open(&file).unwrap().header().clone();
    let games: Vec<_> = read(&file).unwrap().into_iter().map(|game| Played { plies: 1, ..game }).collect();
    fs::remove_file(&file).unwrap();
    write(&file, &header, &games);
    let wanted = format!("soffio: {file}: its games are of another version of this program\n");
    assert_eq!(error(&args("1")), (1, wanted));
    for (args, text) in [
        (&["selfplay", "--games", "0", "--out", "x"][..], "--games <N>': expected a whole number from 1"),
        (
            &["selfplay", "--games", "1", "--out", "x", "--plies", "9-4"],
            "expected a whole number from 0 to 100, or two",
        ),
        (&["selfplay", "--games", "1"], "--out <FILE>"),
        (&["stats"], "<FILE>..."),
    ] {
        let (code, message) = error(&[&["train"], args].concat());
        assert_eq!(code, 2, "{message}");
        let command = format!("see `soffio train {} --help`\n", args[0]);
        assert!(message.contains(text) && message.ends_with(&command), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_games() {
    let scratch = Scratch::new("train-interrupt");
    let file = scratch.file("f");
    let args = ["train", "selfplay", "--games", "1000000", "--nodes", "50", "--threads", "2", "--out", &file];
    let mut child = soffio(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while fs::metadata(&file).map_or(0, |data| data.len()) < 5_000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games are played");
        thread::sleep(Duration::from_millis(2));
    }
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let status = child.wait().unwrap();
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
    let games = read(&file).unwrap().len();
    assert_eq!(status.code(), Some(1), "{errors}");
    let wanted = format!("soffio: interrupted after {games} games: the same command goes on with {file}\n");
    assert!(errors.ends_with(&wanted), "{errors}");
}

#[test]
fn weights_are_checked_and_put_in_their_place() {
    let scratch = Scratch::new("train-export");
    let (games, weights, copy) = (scratch.file("games"), scratch.file("weights"), scratch.file("copy"));
    for args in [
        &["train", "selfplay", "-v", "thai", "--games", "40", "--nodes", "20", "--out", &games][..],
        &["train", "fit", "-v", "thai", "--epochs", "1", &games, "--out", &weights],
    ] {
        assert!(run(args, b"").status.success());
    }
    let said = done(&["train", "export", "-v", "thai", "--json", &weights, "--out", &copy], "");
    let said: Value = serde_json::from_str(&said).unwrap();
    let file = fs::read(&weights).unwrap();
    assert_eq!((&said["variant"], &said["bytes"]), (&"thai".into(), &file.len().into()));
    assert!(said["note"].as_str().unwrap().contains(" even="), "{said}");
    assert_eq!(fs::read(&copy).unwrap(), file);
    let other = failed(&["train", "export", "-v", "czech", &weights], "");
    assert_eq!(other, (1, format!("soffio: {weights}: weights for thai\n")));
    fs::write(&copy, &file[..file.len() - 1]).unwrap();
    let (code, torn) = failed(&["train", "export", "-v", "thai", &copy], "");
    assert!(code == 1 && torn.starts_with(&format!("soffio: {copy}: damaged weights: ")), "{torn}");
    let none = failed(&["train", "export", "-v", "hawaiian"], "");
    assert_eq!(none, (1, "soffio: the program carries no weights for hawaiian\n".to_owned()));
    assert!(done(&["train", "export", "-v", "italian"], "").starts_with("italian: "));
}
