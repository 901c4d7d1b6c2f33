//! Openings from files, and from moves that another reader has found.

use super::{Ballot, OpeningsError};
use crate::engine::{self, Notation, Session};
use crate::rules::Game;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// The openings of a file; `-` is standard input. See [`read`].
///
/// # Errors
/// As [`read`], and if the file cannot be opened.
pub fn read_file(game: &Game, file: &str, plies: Option<usize>) -> Result<Vec<Ballot>, OpeningsError> {
    if file == "-" {
        return read(game, "standard input", io::stdin(), plies);
    }
    let opened = File::open(file);
    let opened =
        opened.map_err(|error| OpeningsError::File { file: file.to_owned(), why: error.to_string() })?;
    read(game, file, opened, plies)
}

/// The openings of a text, one a line: a FEN, or moves from the start of the game as PDN or Hub write them, with move
/// numbers or without (`1. 11-15 23-19 2. 8-11`). No more than `plies` moves of a line are played. Blank lines and lines
/// that begin with `#` are skipped. Ballots are called by the file and the line: `book.txt:12`.
///
/// # Errors
/// The first line that is no opening, as `file:line: reason`; a failure to read.
pub fn read(
    game: &Game,
    name: &str,
    input: impl Read,
    plies: Option<usize>,
) -> Result<Vec<Ballot>, OpeningsError> {
    let mut session = engine::open(game.clone());
    let mut ballots = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(input).split(b'\n')) {
        let bytes =
            line.map_err(|error| OpeningsError::File { file: name.to_owned(), why: error.to_string() })?;
        let read = read_line(session.as_mut(), &bytes, plies).map_err(|error| error.at(name, number))?;
        ballots.extend(read.map(|ballot| Ballot { name: format!("{name}:{number}"), ..ballot }));
    }
    Ok(ballots)
}

fn read_line(
    session: &mut dyn Session,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<Option<Ballot>, OpeningsError> {
    let line = std::str::from_utf8(bytes)
        .map_err(|error| OpeningsError::Encoding { byte: error.valid_up_to() + 1 })?;
    // Windows programs write a byte order mark.
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if is_fen(line) {
        return replay(session, Some(line), &[], plies).map(Some);
    }
    let moves: Vec<_> = line.split_whitespace().map(without_number).filter(|word| !word.is_empty()).collect();
    replay(session, None, &moves, plies).map(Some)
}

/// Whether a line is meant as a FEN: it begins with a side and a colon, or has a list of pieces. Names of squares are
/// written small, so `b2:b4` is a move.
fn is_fen(line: &str) -> bool {
    line.get(1..2) == Some(":") || [":W", ":B"].iter().any(|list| line.contains(list))
}

/// A word without the number of a move before it: `12.11-15` and `12...11-15` are `11-15`.
fn without_number(word: &str) -> &str {
    match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    }
}

/// The opening that begins at `fen`, or at the start of the game, and goes on with no more than `plies` of `moves`, as PDN
/// or Hub write them. Its name is empty.
///
/// # Errors
/// Names the position or the move that cannot be, or the ply after which the game is over.
pub fn from_moves(
    game: &Game,
    fen: Option<&str>,
    moves: &[&str],
    plies: Option<usize>,
) -> Result<Ballot, OpeningsError> {
    replay(engine::open(game.clone()).as_mut(), fen, moves, plies)
}

/// As [`from_moves`], in a session that is at hand; it is left at the end of the opening.
///
/// # Errors
/// As [`from_moves`].
pub fn replay(
    session: &mut dyn Session,
    fen: Option<&str>,
    moves: &[&str],
    plies: Option<usize>,
) -> Result<Ballot, OpeningsError> {
    match fen {
        Some(fen) => session.set_fen(fen)?,
        None => session.set_start(),
    }
    let mut ballot = Ballot { name: String::new(), fen: fen.map(|_| session.fen()), moves: Vec::new() };
    check_goes_on(session)?;
    for text in moves.iter().take(plies.unwrap_or(usize::MAX)) {
        ballot.moves.push(play(session, text)?);
        check_goes_on(session)?;
    }
    Ok(ballot)
}

fn check_goes_on(session: &dyn Session) -> Result<(), OpeningsError> {
    match session.verdict() {
        Some(verdict) => Err(OpeningsError::Over { ply: session.plies(), verdict }),
        None => Ok(()),
    }
}

/// Plays a move of any notation and gives it as Hub writes it.
fn play(session: &mut dyn Session, text: &str) -> Result<String, OpeningsError> {
    let ply = session.plies() + 1;
    let at = |error| OpeningsError::Move { ply, error };
    let hub = session.translate(text, Notation::Pdn, Notation::HUB).map_err(at)?;
    session.play(text, Notation::Pdn).map_err(at)?;
    Ok(hub)
}
