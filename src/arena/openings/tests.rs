use super::*;
use crate::engine;
use crate::rules::RULE_SETS;
use std::collections::HashSet;

fn game(id: &str) -> Game {
    Game::with_options(id, []).unwrap()
}

fn options(pairs: &[(&str, &str)]) -> OpeningOptions {
    OpeningOptions::parse(pairs.iter().copied()).unwrap()
}

fn load(id: &str, pairs: &[(&str, &str)], seed: u64) -> Book {
    Book::load(&game(id), &options(pairs), seed).unwrap_or_else(|error| panic!("{id}: {error}"))
}

fn load_error(id: &str, pairs: &[(&str, &str)]) -> String {
    Book::load(&game(id), &options(pairs), 1).err().unwrap().to_string()
}

/// The first ballots of a book.
fn ballots(book: &Book, count: usize) -> Vec<Ballot> {
    (0..count).map(|index| book.ballot(index)).collect()
}

/// The position after a ballot, which the game goes on from.
fn position(game: &Game, ballot: &Ballot) -> String {
    let mut session = engine::open(game.clone());
    ballot.set_up(session.as_mut()).unwrap_or_else(|error| panic!("{ballot:?}: {error}"));
    assert_eq!(session.verdict(), None, "{ballot:?}");
    session.fen()
}

fn positions(id: &str, ballots: &[Ballot]) -> HashSet<String> {
    ballots.iter().map(|ballot| position(&game(id), ballot)).collect()
}

#[test]
fn every_rule_set_has_built_in_openings() {
    for set in RULE_SETS {
        let game = Game::new(set);
        let book = Book::load(&game, &options(&[("file", "builtin"), ("nodes", "200")]), 7).unwrap();
        let found = ballots(&book, 6);
        let plies = default_plies(&game);
        assert!(found.iter().all(|ballot| ballot.fen.is_none() && ballot.moves.len() == plies));
        assert_eq!(positions(set.id, &found).len(), 6, "{}: {found:?}", set.id);
    }
}

#[test]
fn options_are_checked() {
    assert_eq!(options(&[]), OpeningOptions::default());
    let all = options(&[
        ("file", "builtin"),
        ("order", "sequential"),
        ("plies", "6"),
        ("start", "3"),
        ("band", "0.75"),
        ("nodes", "500"),
    ]);
    let expected = OpeningOptions {
        source: Source::Builtin,
        order: Order::Sequential,
        plies: Some(6),
        start: 3,
        band: Some(75),
        nodes: Some(500),
        barred: false,
    };
    assert_eq!(all, expected);
    assert_eq!(options(&[("file", "./builtin")]).source, Source::File("./builtin".to_owned()));
    assert!(options(&[("barred", "yes"), ("file", "official")]).barred);
    let error =
        |pairs: &[(&str, &str)]| OpeningOptions::parse(pairs.iter().copied()).unwrap_err().to_string();
    for (key, value, expected) in [
        ("file", "", "builtin, official or the name of a file"),
        ("order", "shuffled", "random or sequential"),
        ("plies", "-1", "a number from 0 to 60"),
        ("plies", "+1", "a number from 0 to 60"),
        ("start", "0", "a number from 1 to 4294967295"),
        ("band", "NaN", "a number of men from 0.01 to 20"),
        ("band", "0.001", "a number of men from 0.01 to 20"),
        ("nodes", "", "a number from 1 to 100000000"),
        ("barred", "true", "yes or no"),
    ] {
        let wanted = format!("bad opening option '{key}={value}': expected {expected}");
        assert_eq!(error(&[(key, value)]), wanted);
    }
    assert_eq!(
        error(&[("format", "pgn")]),
        "unknown opening option 'format=pgn': expected file, order, plies, start, band, nodes, barred"
    );
    assert_eq!(error(&[("plies", "1"), ("plies", "2")]), "opening option 'plies=2' stands twice");
    assert_eq!(
        error(&[("plies", "2"), ("file", "official")]),
        "opening option 'plies=2' is for built-in openings and files only"
    );
    assert_eq!(
        error(&[("band", "1"), ("file", "a.txt")]),
        "opening option 'band=1' is for built-in openings only"
    );
    assert_eq!(
        error(&[("barred", "no"), ("plies", "4")]),
        "opening option 'barred=no' is for official openings only"
    );
}

#[test]
fn sources_go_by_the_game() {
    let source = |id, pairs| options(pairs).source_for(&game(id));
    assert_eq!(source("italian", &[]), Source::Official);
    assert_eq!(source("checkers", &[("order", "sequential"), ("start", "9")]), Source::Official);
    assert_eq!(source("italian", &[("plies", "3")]), Source::Builtin);
    assert_eq!(source("anti-english", &[]), Source::Builtin);
    assert_eq!(source("russian", &[]), Source::Builtin);
    assert_eq!(source("italian", &[("file", "builtin")]), Source::Builtin);
    assert_eq!(source("italian", &[("file", "x"), ("plies", "3")]), Source::File("x".to_owned()));
    assert_eq!(
        load_error("russian", &[("barred", "yes")]),
        "opening option 'file=official': russian has no official openings; italian, english, checkers have"
    );
}

/// All ballots of the tables are played, and become Hub moves.
#[test]
fn official_openings() {
    let table = |id: &str, options: &[&str], pairs: &[(&str, &str)]| {
        let game = Game::with_options(id, options.iter().copied()).unwrap();
        let options = self::options(&[pairs, &[("order", "sequential")]].concat());
        let book = Book::load(&game, &options, 1).unwrap_or_else(|error| panic!("{id}: {error}"));
        let Ballots::Listed(ballots) = book.ballots else { panic!("{id}: made") };
        ballots.iter().for_each(|ballot| {
            position(&game, ballot);
        });
        assert!(ballots.iter().all(|ballot| ballot.moves.len() == 3));
        ballots
    };
    let line = |ballot: &Ballot| format!("{}: {}", ballot.name, ballot.moves.join(" "));
    let italian = table("italian", &[], &[]);
    assert_eq!(italian.len(), 174);
    assert_eq!(line(&italian[3]), "FID 4 (PARI): 21-17 10-13 17x10x13");
    let english = table("english", &[], &[("barred", "yes")]);
    assert_eq!(english.len(), 174);
    assert_eq!(line(&english[0]), "ACF 1: 9-13 21-17 5-9");
    assert_eq!(line(&english[2]), "ACF 3 (barred): 9-13 21-17 10-14");
    assert_eq!(line(&english[3]), "ACF 4: 9-13 22-17 13x22x17");
    assert_eq!(table("english", &[], &[]).len(), 156);
    let turned = table("checkers", &[], &[]);
    assert_eq!(line(&turned[0]), "ACF 1: 24-20 12-16 28-24");
    assert_eq!(turned, table("english", &["first=white"], &[]));
    assert_eq!(table("checkers", &["first=black"], &[]), table("english", &[], &[]));
}

#[test]
fn the_seed_and_the_number_make_the_ballot() {
    for pairs in [vec![("nodes", "200"), ("file", "builtin")], vec![]] {
        let book = load("italian", &pairs, 5);
        let found = ballots(&book, 40);
        let late = load("italian", &pairs, 5);
        assert_eq!(late.ballot(39), found[39], "whatever was asked for before");
        assert_eq!(ballots(&late, 40), found);
        let shared = load("italian", &pairs, 5);
        std::thread::scope(|scope| {
            for offset in 0..4 {
                let (shared, found) = (&shared, &found);
                scope.spawn(move || {
                    let indices = (offset..40).step_by(4).rev();
                    indices.for_each(|index| assert_eq!(shared.ballot(index), found[index]));
                });
            }
        });
        let later = load("italian", &[&pairs[..], &[("start", "11")]].concat(), 5);
        assert_eq!(ballots(&later, 30), found[10..]);
        assert_ne!(ballots(&load("italian", &pairs, 6), 40), found);
    }
}

/// The positions after every sequence of moves, counted without the code under test.
fn count_positions(game: &Game, plies: usize) -> usize {
    let mut lines = vec![Vec::new()];
    for _ in 0..plies {
        let next = |line: &Vec<String>| {
            let mut session = engine::open(game.clone());
            line.iter().for_each(|text| session.play(text, Notation::HUB).unwrap());
            let longer = session.legal_moves(Notation::HUB).into_iter();
            longer.map(|text| [line.clone(), vec![text]].concat()).collect::<Vec<_>>()
        };
        lines = lines.iter().flat_map(next).collect();
    }
    let ballots: Vec<_> =
        lines.into_iter().map(|moves| Ballot { name: String::new(), fen: None, moves }).collect();
    positions(game.set.id, &ballots).len()
}

#[test]
fn few_openings_are_all_found_and_begin_again() {
    for order in ["random", "sequential"] {
        let pairs = [("plies", "3"), ("band", "20"), ("nodes", "1"), ("order", order)];
        let book = load("italian", &pairs, 3);
        let count = count_positions(&game("italian"), 3);
        let found = ballots(&book, count);
        assert_eq!(positions("italian", &found).len(), count);
        assert_eq!(book.ballot(count), found[0]);
        assert_eq!(book.ballot(5 * count + 2), found[2]);
        assert_eq!(found.is_sorted_by_key(|ballot| &ballot.moves), order == "sequential");
        if order == "sequential" {
            assert_eq!(ballots(&load("italian", &pairs, 4), count), found);
        }
    }
    let seven = [("plies", "1"), ("start", "8"), ("file", "builtin")];
    assert_eq!(load_error("italian", &seven), "opening option 'start=8': there are 7 openings");
    assert_eq!(load("italian", &[("plies", "0")], 1).ballot(9).moves, [""; 0]);
}

#[test]
fn built_in_openings_are_in_the_band() {
    for (id, band) in [("italian", 30), ("turkish", 50), ("one-way", 1)] {
        let game = game(id);
        let book = load(id, &[("band", &format!("{}", f64::from(band) / 100.0)), ("nodes", "1000")], 2);
        let mut session = engine::open(game);
        session.set_hash(14);
        let mut outside = 0;
        for ballot in ballots(&book, 20) {
            ballot.set_up(session.as_mut()).unwrap();
            session.new_game();
            let limits = crate::search::Limits { nodes: Some(1000), ..Default::default() };
            let control = crate::search::Control::new();
            let score = session.search(&limits, Notation::HUB, &control, &mut |_| {}).info.score;
            assert!(ballot.name.ends_with(&format!(" ({score})")), "{ballot:?} {score}");
            outside += usize::from(score.value().abs() > band);
        }
        assert_eq!(outside > 0, id == "one-way", "{id}, {book}: a band of 0.01 has to be wider");
    }
}

#[test]
fn no_openings_where_all_games_are_over() {
    assert_eq!(load_error("hawaiian", &[("plies", "60"), ("nodes", "1")]), "built-in: 60 plies: no openings");
}

#[test]
fn files_of_positions_and_moves() {
    let text = "\u{feff}# openings\r\n\nW:W21-32:B1-12\r\n  c3-d4 b6-a5 d4-c5 d6:b4 a3:c5 \n\
                1. c3-d4 1... b6-a5 2.d4c5 d6b4\n22-18 9-13 18-14 10-17 21x14";
    let all = read(&game("russian"), "book.txt", text.as_bytes(), None).unwrap();
    let names: Vec<_> = all.iter().map(|ballot| ballot.name.as_str()).collect();
    assert_eq!(names, ["book.txt:3", "book.txt:4", "book.txt:5", "book.txt:6"]);
    let mut start = engine::open(game("russian"));
    assert_eq!((all[0].fen.clone(), all[0].moves.len()), (Some(start.fen()), 0));
    let moves = ["22-18", "9-13", "18-14", "10x17x14", "21x14x17"];
    assert_eq!((&all[1].fen, &all[1].moves[..]), (&None, &moves.map(str::to_owned)[..]));
    assert_eq!((&all[2].moves[..], &all[3].moves), (&all[1].moves[..4], &all[1].moves));
    all[3].set_up(start.as_mut()).unwrap();
    assert_eq!(start.plies(), 5);
    let short = read(&game("russian"), "book.txt", text.as_bytes(), Some(2)).unwrap();
    assert!(short[1..].iter().all(|ballot| ballot.moves == moves[..2]));
}

#[test]
fn bad_lines_are_named() {
    let error = |text: &[u8]| read(&game("english"), "b", text, None).unwrap_err().to_string();
    assert_eq!(
        error(b"W:W21-32:B1-12\n\nW:W99:B1\nx"),
        "b:3: impossible position: square 99 is off the board"
    );
    assert!(error(b"W21-32:B1-12").starts_with("b:1: bad FEN, column 1: "));
    assert_eq!(error(b"# ok\n11-15 23-18 1-2"), "b:2: ply 3: illegal move '1-2'");
    assert!(error(b"11-15 hello").starts_with("b:1: ply 2: bad move 'hello', column 1: "));
    assert_eq!(error(b"11-15 \xff"), "b:1: byte 7 is not UTF-8");
    assert_eq!(error(b"W:W:B1"), "b:1: the game is over (no-moves)");
    let missing = read_file(&game("english"), "no/such/file", None).unwrap_err().to_string();
    assert!(missing.starts_with("no/such/file: "), "{missing}");
    let empty = Book::of(Vec::new(), "b", &OpeningOptions::default(), 1).err().unwrap();
    assert_eq!(empty.to_string(), "b: no openings");
}

#[test]
fn openings_of_games() {
    let game = game("breakthrough");
    let error = from_moves(&game, Some("W:W6:B30"), &["6-1", "30-34"], None).unwrap_err();
    assert_eq!(error.to_string(), "the game is over after 1 ply (breakthrough)");
    let ballot = from_moves(&game, Some("W:W12:B31-34"), &["12-7", "31-36", "7-1"], Some(2)).unwrap();
    assert_eq!(ballot.fen.as_deref(), Some("W:W12:B31,32,33,34"));
    assert_eq!(ballot.moves, ["12-7", "31-36"]);
    let ballots = vec![Ballot { name: "game 1".to_owned(), ..ballot }];
    let book = Book::of(ballots, "games.pdn", &OpeningOptions::default(), 1).unwrap();
    assert_eq!((book.to_string(), book.ballot(7).name), ("games.pdn: 1 opening".into(), "game 1".into()));
}
