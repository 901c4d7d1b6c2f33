//! `play`: games in the terminal, through pipes.

use crate::drive::{done, failed};
use crate::support::Scratch;
use soffio::notation::pdn::{Game, Outcome, Reader};
use soffio::rules::RULE_SETS;

fn play(args: &[&str], lines: &[&str]) -> Vec<String> {
    let output = done(&[&["play"], args].concat(), &(lines.join("\n") + "\n"));
    output.lines().map(str::to_owned).collect()
}

/// The lines that are no drawing of a board.
fn said(args: &[&str], lines: &[&str]) -> Vec<String> {
    let board = |line: &String| line.starts_with(' ') || line.ends_with(" to move");
    play(args, lines).into_iter().filter(|line| !board(line)).collect()
}

fn saved(file: &str) -> Vec<Game> {
    let text = std::fs::read_to_string(file).unwrap();
    Reader::new(text.as_bytes()).map(|found| found.unwrap_or_else(|fault| panic!("{fault}"))).collect()
}

#[test]
fn every_rule_set_is_played_and_saved() {
    let scratch = Scratch::new("play");
    for set in RULE_SETS {
        let file = scratch.file(&format!("{}.pdn", set.id));
        let args = ["-v", set.id, "--colour", "both", "--nodes", "50"];
        let save = format!("save {file}");
        let found = said(&args, &["go", "go", "go", "undo", "fen", "save /no/such/directory/x", &save]);
        assert_eq!(found.len(), 6, "{}: {found:?}", set.id);
        assert!(found[0].starts_with("1. ") && found[1].starts_with("1... ") && found[2].starts_with("2. "));
        assert!(found[4].starts_with("error: /no/such/directory/x: "), "{found:?}");
        assert_eq!(found[5], format!("saved to {file}"));
        let games = saved(&file);
        assert_eq!((games.len(), games[0].moves().count(), games[0].outcome()), (1, 2, Outcome::Unknown));
        assert_eq!(games[0].named_game().map(|game| game.set.id), Some(set.id));
        let fens = done(&["convert", "--from", "pdn", "--to", "fen", "--positions", "end", &file], "");
        assert_eq!(fens.trim_end(), found[3], "{}", set.id);
    }
}

#[test]
fn the_engine_answers() {
    let found = said(&["--nodes", "100"], &["22-18", "score", "undo", "score", "quit", "22-18"]);
    assert_eq!(found[0], "1. 22-18");
    assert!(found[1].starts_with("1... "), "{found:?}");
    assert_eq!(found[2], format!("1. 22-18 {} *", &found[1][5..]));
    assert_eq!(found[3..], ["*"]);
    // It begins where the person is the other side, also after a new game, and then nothing can be taken back.
    let found = said(&["--nodes", "100", "--colour", "black"], &["undo", "new"]);
    assert!(found[0].starts_with("1. ") && found[2].starts_with("1. ") && found.len() == 3, "{found:?}");
    assert_eq!(found[1], "error: there is no move of yours to take back");
    // At fixed nodes the same lines are the same game.
    let lines = ["22-18", "hint", "level skill=1 nodes=300", "moves", "go", "go"];
    assert_eq!(play(&["--nodes", "200"], &lines), play(&["--nodes", "200"], &lines));
}

#[test]
fn games_end() {
    let scratch = Scratch::new("ends");
    let file = scratch.file("games.pdn");
    let save = format!("save {file}");
    let lines =
        ["22x13", "9-13", "hint", &save, "undo", "new", "resign", "resign", &save, "new W:W9:B1", "fen"];
    let found = said(&["--fen", "W:W22:B18", "--nodes", "10"], &lines);
    let over = "error: the game is over, 1-0 (no-moves): undo, new, save or quit";
    let given_up = "error: the game is over, 0-1 (White resigns): undo, new, save or quit";
    assert_eq!(
        found,
        [
            "1. 22x13",
            "game over: 1-0 (no-moves)",
            over,
            over,
            &format!("saved to {file}"),
            "game over: 0-1 (White resigns)",
            given_up,
            &format!("saved to {file}"),
            "W:W9:B1",
        ]
    );
    let games = saved(&file);
    assert_eq!(games.iter().map(Game::outcome).collect::<Vec<_>>(), [Outcome::White, Outcome::Black]);
    assert_eq!((games[0].fen(), games[1].fen()), (Some("W:W22:B18"), None));
    assert_eq!((games[0].tag("White"), games[0].tag("Result")), (Some("Player"), Some("1-0")));
    assert!(games[0].tag("Black").unwrap().starts_with("Soffio "));
}

#[test]
fn bad_input_is_answered_in_a_line() {
    for (line, want) in [
        ("hello", "error: 'hello' is no move and no command: try moves or help"),
        (
            "22-19x",
            "error: bad move '22-19x', column 6: found 'x' instead of one and the same sign between all squares; `moves` lists the legal ones",
        ),
        ("22-26", "error: illegal move '22-26'; `moves` lists the legal ones"),
        ("level 21", "error: bad number '21': expected a whole number from 1 to 20"),
        ("level speed=1", "error: unknown word 'speed=1': expected skill=, time=, nodes= or depth="),
        ("new W:W99", "error: impossible position: square 99 is off the board"),
        ("colour green", "error: unknown colour 'green': expected white, black or both"),
        ("undo", "error: there is no move of yours to take back"),
        ("save", "error: save where? expected the name of a file"),
        ("flip it", "error: 'flip' stands alone, but 'it' follows it"),
    ] {
        assert_eq!(said(&["--nodes", "1"], &[line]), [want], "{line}");
    }
    assert_eq!(
        done(&["play", "--nodes", "1"], "\u{0}\u{1b}[A\n")
            .lines()
            .filter(|l| l.starts_with("error: "))
            .count(),
        1
    );
    assert_eq!(failed(&["play", "--fen", "W:W99"], "").0, 1);
    assert_eq!(failed(&["play", "--skill", "0"], "").0, 2);
    assert_eq!(failed(&["play", "--time", "0"], "").0, 2);
}

#[test]
fn words() {
    let help = said(&[], &["help"]);
    assert!(help.len() > 12 && help.iter().any(|line| line.starts_with("undo ")), "{help:?}");
    assert_eq!(
        said(&[], &["level", "level 5", "level time=0.2"]),
        ["level skill=20 time=1", "level skill=5 time=1", "level skill=5 time=0.2",]
    );
    assert_eq!(said(&["--skill", "3", "--depth", "2"], &["level"]), ["level skill=3 depth=2"]);
    let turned = play(&["-v", "english"], &["flip"]);
    assert_eq!((turned.len(), &turned[18][..9]), (38, "Black to "));
    // English: Black moves first and is at the bottom until the board is turned.
    assert!(turned[17].ends_with("h    g    f    e    d    c    b    a"));
    assert!(turned[36].ends_with("a    b    c    d    e    f    g    h"));
    assert_eq!(said(&[], &["moves"]), ["21-17 21-18 22-18 22-19 23-19 23-20 24-20"]);
    let hint = said(&["--nodes", "500"], &["hint", "fen"]);
    assert!(hint[0].starts_with("hint: 2") && hint[1].starts_with("W:W21,22,23,"), "{hint:?}");
}
