//! Real PDN files, where they are at hand: the directory `pdn` of `$SOFFIO_SHARED`, or of `../shared` beside the crate.
//! Each file is read end to end and every game replayed. What fails is listed here with its reason; anything else is
//! a failure of the test. Without the directory the test says so and passes.

use crate::support::named;
use soffio::engine::{self, Notation, Session};
use soffio::notation::pdn::{Game, Item, Reader, write};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Why a game cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The position set up is impossible: a man on its promotion row, no pieces, or the side to move is left open.
    Position,
    /// The source says that the moves are not known.
    Unknown,
    /// No such move: a slip of the pen, or made up to test a parser.
    Illegal,
    /// A path that names another square than the standard wants.
    Path,
}
use Kind::{Illegal, Path as Course, Position, Unknown};

/// Files with games that cannot be replayed: how many of each kind.
const FAILURES: [(&str, &[(Kind, usize)]); 19] = [
    ("czech/pdn__mrcd2006.pdn", &[(Course, 1)]),
    ("english/pdn__beginner.pdn", &[(Position, 1)]),
    ("english/pdn__bridges.pdn", &[(Position, 1)]),
    ("english/pdn__goulds.pdn", &[(Position, 1)]),
    ("english/pdn__lpc.pdn", &[(Position, 4)]),
    ("international/horizon__aaaperft9.pdn", &[(Illegal, 1)]),
    ("international/pdn__PROF2.pdn", &[(Illegal, 1)]),
    ("international/pdn__fen.pdn", &[(Position, 1)]),
    ("russian/FAIL_pdn__abatsiev.pdn", &[(Unknown, 1)]),
    ("russian/hcheckers__draw2.pdn", &[(Illegal, 1)]),
    ("russian/hcheckers__draw745.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__example.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__fork_1_3.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__fork_inter_1_3.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__notation_comment.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__notation_simple.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__notation_strength.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__notation_undo1.pdn", &[(Illegal, 1)]),
    ("russian/shashkispark__notation_undo3.pdn", &[(Illegal, 1)]),
];

/// Files whose games are not those of their directory: here the first mover is at the bottom of the board and White.
const RULES: [(&str, &str); 4] = [
    ("english/lidraughts_american.pdn", "english/first=white"),
    ("russian/shashkispark__fork_inter_1.pdn", "international"),
    ("russian/shashkispark__fork_inter_1_3.pdn", "international"),
    ("russian/shashkispark__parse_simple.pdn", "english"),
];

/// The file whose site writes a capture of several pieces as several moves.
const SPLIT: &str = "english/lidraughts_american.pdn";

fn directory() -> Option<PathBuf> {
    let shared = match std::env::var_os("SOFFIO_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    Some(shared.join("pdn")).filter(|path| path.is_dir())
}

/// The PDN files below, by their path from there.
fn files(directory: &Path) -> Vec<String> {
    let entries = |path: &Path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries(directory)
        .filter(|path| path.is_dir())
        .flat_map(|path| entries(&path).collect::<Vec<_>>())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdn"))
        .map(|path| path.strip_prefix(directory).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    files.sort();
    files
}

/// Plays the main line; how many moves it has, or what fails and why.
fn replay(session: &mut dyn Session, game: &Game, split: bool) -> Result<usize, (Kind, String)> {
    match game.fen() {
        Some(fen) => session.set_fen(fen).map_err(|error| (Position, error.to_string()))?,
        None => session.set_start(),
    }
    let mut plies = 0;
    let mut items =
        game.items.iter().filter(|item| matches!(item, Item::Move(_) | Item::Setup(_))).peekable();
    while let Some(item) = items.next() {
        match item {
            Item::Setup(fen) => session.set_fen(fen).map_err(|error| (Position, error.to_string()))?,
            Item::Move(mv) => {
                let mut text = mv.text.clone();
                let mut played = session.play(&text, Notation::Pdn);
                while let (Err(_), true, Some(Item::Move(next))) = (&played, split, items.peek()) {
                    text = format!("{text}x{}", next.text.rsplit(['x', '-']).next().unwrap());
                    played = session.play(&text, Notation::Pdn);
                    items.next();
                }
                if let Err(error) = played {
                    return Err((kind(session, &text), format!("{}:{}: {error}", mv.line, mv.column)));
                }
                plies += 1;
            }
            _ => {}
        }
    }
    Ok(plies)
}

/// Why a move cannot be played: a path with another square is legal by its ends.
fn kind(session: &mut dyn Session, text: &str) -> Kind {
    let squares: Vec<&str> = text.split(['x', ':']).collect();
    if text == "-" {
        return Unknown;
    }
    match squares[..] {
        [from, _, .., to] if session.play(&format!("{from}x{to}"), Notation::Pdn).is_ok() => Course,
        _ => Illegal,
    }
}

#[test]
fn real_files_are_read_and_replayed() {
    let Some(directory) = directory() else {
        eprintln!("SKIPPED: no directory of real PDN files (set SOFFIO_SHARED)");
        return;
    };
    let (mut totals, mut unexplained) = ([0; 4], Vec::new());
    let start = Instant::now();
    for file in files(&directory) {
        let own = RULES.iter().find(|(name, _)| *name == file).map(|(_, rules)| *rules);
        let rules = own.unwrap_or(file.split('/').next().unwrap());
        let mut session = engine::open((*named(rules)).clone());
        let mut failures = BTreeMap::new();
        let (mut games, mut legal, mut plies) = (0, 0, 0);
        for found in Reader::new(BufReader::new(File::open(directory.join(&file)).unwrap())) {
            games += 1;
            let game = match found {
                Ok(game) => game,
                Err(fault) => {
                    unexplained.push(format!("{file}:{fault}"));
                    continue;
                }
            };
            match replay(&mut *session, &game, file == SPLIT) {
                Ok(played) => (legal, plies) = (legal + 1, plies + played),
                Err((kind, message)) => {
                    eprintln!("{file}: game {games}: {kind:?}: {message}");
                    *failures.entry(kind).or_insert(0) += 1;
                }
            }
            // What is written is the same game.
            let written = write(&game);
            let again =
                Reader::new(written.as_bytes()).next().unwrap().unwrap_or_else(|f| panic!("{file}: {f}"));
            assert_eq!(write(&again), written, "{file}");
            let texts = |game: &Game| game.moves().map(|mv| mv.text.clone()).collect::<Vec<_>>();
            assert_eq!((texts(&again), again.outcome()), (texts(&game), game.outcome()), "{file}");
        }
        eprintln!("{file}: {games} games, {legal} legal, {plies} plies");
        let expected = FAILURES.iter().find(|(name, _)| *name == file).map_or(&[][..], |(_, kinds)| kinds);
        if !failures.iter().map(|(kind, count)| (*kind, *count)).eq(expected.iter().copied()) {
            unexplained.push(format!("{file}: {failures:?} where {expected:?} is known"));
        }
        totals = [totals[0] + 1, totals[1] + games, totals[2] + legal, totals[3] + plies];
    }
    let [files, games, legal, plies] = totals;
    eprintln!("{files} files, {games} games, {legal} legal, {plies} plies, {:?}", start.elapsed());
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}
