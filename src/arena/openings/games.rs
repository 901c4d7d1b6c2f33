//! Openings from the games of a PDN file.

use super::files::replay;
use super::{Ballot, OpeningsError};
use crate::engine;
use crate::notation::pdn::Reader;
use crate::rules::{Game, RuleSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Whether a file is meant to hold games: by its name, as everybody calls them.
pub(super) fn is_pdn(file: &str) -> bool {
    let extension = Path::new(file).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"))
}

/// The beginnings of the games of a file, of `plies` moves or of all. Ballots are called by the file and the line where the
/// game begins.
///
/// # Errors
/// The first game that cannot be read, is of other rules or has an illegal move, as `file:line: reason`.
pub(super) fn read_file(game: &Game, file: &str, plies: Option<usize>) -> Result<Vec<Ballot>, OpeningsError> {
    let opened = File::open(file);
    let opened =
        opened.map_err(|error| OpeningsError::File { file: file.to_owned(), why: error.to_string() })?;
    read(game, file, BufReader::new(opened), plies)
}

fn read(
    game: &Game,
    file: &str,
    source: impl BufRead,
    plies: Option<usize>,
) -> Result<Vec<Ballot>, OpeningsError> {
    let mut session = engine::open(game.clone());
    let mut ballots = Vec::new();
    for read in Reader::new(source) {
        let read = read.map_err(|fault| OpeningsError::Game { file: file.to_owned(), fault })?;
        if let Some(other) = read.rule_set().filter(|set| !plays_alike(game, set)) {
            return Err(OpeningsError::OtherGame { found: other.id, wanted: game.set.id }.at(file, read.line));
        }
        let moves: Vec<_> = read.moves().map(|mv| mv.text.as_str()).collect();
        let ballot = replay(session.as_mut(), read.fen(), &moves, plies);
        let ballot = ballot.map_err(|error| error.at(file, read.line))?;
        ballots.push(Ballot { name: format!("{file}:{}", read.line), ..ballot });
    }
    Ok(ballots)
}

/// Whether games of a rule set are of this game: it is the same, or has the same GameType.
fn plays_alike(game: &Game, set: &RuleSet) -> bool {
    let number = |set: &RuleSet| {
        set.game_type.split(',').next().filter(|number| !number.is_empty()).map(str::to_owned)
    };
    set.id == game.set.id || number(set).is_some_and(|found| Some(found) == number(game.set))
}
