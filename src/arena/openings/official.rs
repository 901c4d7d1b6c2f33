//! The tables of federations, from which openings are drawn by lot.

use super::files::replay;
use super::{Ballot, OpeningsError};
use crate::board::Side;
use crate::engine;
use crate::rules::Game;

/// A federation's openings.
struct Table {
    /// Who draws them; names of ballots begin with it.
    name: &'static str,
    /// The rule sets they are played in by default.
    variants: &'static [&'static str],
    /// Who moves first in them. Where the other side does, the board is turned round.
    first: Side,
    /// The name of the file, for messages.
    file: &'static str,
    /// Lines `NUMBER|MOVES|MARK`; lines that begin with `#` are comments.
    text: &'static str,
}

/// The mark of a ballot that is not played.
const BARRED: &str = "barred";

/// English draughts are checkers with other draw rules, whoever moves first. The losing game is another game: there it
/// means nothing that an opening is held to be even. So it is with Italian draughts and their kin by quantity alone or
/// with flying kings.
static TABLES: [Table; 2] = [
    Table {
        name: "FID",
        variants: &["italian"],
        first: Side::White,
        file: "italian.txt",
        text: include_str!("data/italian.txt"),
    },
    Table {
        name: "ACF",
        variants: &["english", "checkers"],
        first: Side::Black,
        file: "english.txt",
        text: include_str!("data/english.txt"),
    },
];

fn table(game: &Game) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.variants.contains(&game.set.id))
}

/// Whether a game has official openings.
pub(super) fn has_table(game: &Game) -> bool {
    table(game).is_some()
}

/// The official openings of a game in the order of their numbers, those that the federation bars if `barred`.
pub(super) fn ballots(game: &Game, barred: bool) -> Result<Vec<Ballot>, OpeningsError> {
    let Some(table) = table(game) else {
        let known: Vec<_> = TABLES.iter().flat_map(|table| table.variants).copied().collect();
        return Err(OpeningsError::NoTable { variant: game.set.id, known: known.join(", ") });
    };
    let mut session = engine::open(game.clone());
    let mut ballots = Vec::new();
    for (number, line) in (1..).zip(table.text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        let mut fields = line.split('|');
        let [id, moves, mark] = std::array::from_fn(|_| fields.next().unwrap_or(""));
        if mark == BARRED && !barred {
            continue;
        }
        let moves: Vec<_> = moves.split_whitespace().map(|text| table.turned(game, text)).collect();
        let moves: Vec<_> = moves.iter().map(String::as_str).collect();
        let mut ballot =
            replay(session.as_mut(), None, &moves, None).map_err(|error| error.at(table.file, number))?;
        ballot.name = match mark {
            "" => format!("{} {id}", table.name),
            mark => format!("{} {id} ({mark})", table.name),
        };
        ballots.push(ballot);
    }
    Ok(ballots)
}

impl Table {
    /// A move of the table as it is in the game.
    fn turned(&self, game: &Game, text: &str) -> String {
        if game.first == self.first {
            return text.to_owned();
        }
        let last = game.set.kernel.layout().squares;
        let turn = |square: &str| match square.parse::<usize>() {
            Ok(number) if number <= last => (last + 1 - number).to_string(),
            _ => square.to_owned(),
        };
        text.split('-').map(turn).collect::<Vec<_>>().join("-")
    }
}
