//! What several tests need: the data files, all games with all their options, positions from text.

use crate::face::face;
use soffio::board::Side;
use soffio::notation::fen;
use soffio::position::{Kind, Setup};
use soffio::rules::{Game, RULE_SETS};
use std::path::PathBuf;
use std::sync::Arc;

/// The path of a data file.
pub fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// The text of a data file.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(data(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files of a data directory with an extension, by name without it, sorted.
pub fn names(directory: &str, extension: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(data(directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// The game of a rule set with all options at their defaults.
pub fn game(id: &str) -> Arc<Game> {
    game_with(id, &[])
}

pub fn game_with(id: &str, options: &[&str]) -> Arc<Game> {
    Arc::new(Game::with_options(id, options.iter().copied()).unwrap_or_else(|error| panic!("{error}")))
}

/// The game of an id, or of an id with an option: `italian/repetition=4`.
pub fn named(name: &str) -> Arc<Game> {
    match name.split_once('/') {
        Some((id, option)) => game_with(id, &[option]),
        None => game(name),
    }
}

/// Every rule set with every combination of its options.
pub fn all_games() -> Vec<Arc<Game>> {
    let mut games = Vec::new();
    for set in RULE_SETS {
        let mut choices: Vec<Vec<String>> = vec![Vec::new()];
        for option in set.options {
            let values = option.values.iter().map(|value| format!("{}={}", option.name, value.name));
            choices = values
                .flat_map(|value| {
                    choices.iter().map(move |choice| [&choice[..], std::slice::from_ref(&value)].concat())
                })
                .collect();
        }
        for choice in choices {
            games.push(game_with(set.id, &choice.iter().map(String::as_str).collect::<Vec<_>>()));
        }
    }
    games
}

/// A setup that notation reads and the rules of the game allow.
pub fn setup(game: &Game, text: &str) -> Setup {
    let setup = fen::parse(game, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    face(game.kernel()).check(&setup).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    setup
}

/// Reads `W:WKa1,h2:BKh8`, names counted on the unmirrored board whatever the numbering of the game: the same text fits
/// all boards that are large enough. `{8}` and `{7}` are the last rank and the one before, `{h}` the last file and `{f}`
/// the last but two.
pub fn unmirrored(game: &Game, text: &str) -> Setup {
    let slow = face(game.kernel()).slow();
    let file = |number: i32| char::from(b'a' + number as u8 - 1).to_string();
    let text = text.replace("{8}", &slow.height.to_string()).replace("{7}", &(slow.height - 1).to_string());
    let text = text.replace("{h}", &file(slow.width)).replace("{f}", &file(slow.width - 2));
    let mut setup = Setup { turn: Side::White, pieces: Vec::new() };
    for (part, list) in text.split(':').enumerate() {
        let side = if list.starts_with('W') { Side::White } else { Side::Black };
        if part == 0 {
            setup.turn = side;
        }
        for item in list[1..].split(',').filter(|item| !item.is_empty()) {
            let kind = if item.starts_with('K') { Kind::King } else { Kind::Man };
            let name = item.trim_start_matches('K');
            let square = (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1);
            setup.pieces.push((slow.index(square), side, kind));
        }
    }
    face(game.kernel()).check(&setup).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    setup
}

/// A directory of its own for a test.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soffio-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
