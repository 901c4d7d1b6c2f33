//! What an engine in another process is told of a game: a position, and the moves since.

use super::client::{Captures, Fault, History, Quirks};
use crate::board::Side;
use crate::engine::{self, Notation, Session};
use crate::notation::{HubNumbering, MoveError};
use crate::position::{Kind, Setup};
use crate::rules::Game;

/// How a dialect writes positions.
type Write = fn(&dyn Session, HubNumbering) -> String;

/// The record of a game as an engine is told it.
pub struct Record {
    quirks: Quirks,
    write: Write,
    /// The game so far.
    session: Box<dyn Session>,
    /// The position that the engine is told.
    base: String,
    /// The moves that it is told after it.
    moves: Vec<String>,
}

impl Record {
    /// The start of a game, for an engine with these quirks, in a dialect that writes positions like this.
    pub fn new(game: Game, quirks: Quirks, write: Write) -> Self {
        let session = engine::open(game);
        Self { quirks, write, session, base: String::new(), moves: Vec::new() }
    }

    /// The position to tell, and the moves after it.
    pub fn told(&self) -> (&str, String) {
        (&self.base, self.moves.join(" "))
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.session.turn()
    }

    /// Begins at the position of a FEN, or at the start.
    ///
    /// # Errors
    /// If the position cannot be.
    pub fn begin(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        match fen {
            Some(fen) => self.session.set_fen(fen).map_err(|error| Fault::Start(error.to_string()))?,
            None => self.session.set_start(),
        }
        self.rebase();
        Ok(())
    }

    /// Adds a legal move in Hub notation with standard numbers.
    ///
    /// # Errors
    /// If it cannot be told to the engine; nothing has changed then.
    pub fn play(&mut self, mv: &str) -> Result<(), Fault> {
        let no_move = |error: MoveError| Fault::Malformed(error.to_string());
        let spelt = self.spell(mv).map_err(no_move)?;
        let before = (self.quirks.history == History::Reversible).then(|| self.session.setup());
        self.session.play(mv, Notation::HUB).map_err(no_move)?;
        self.moves.push(spelt);
        match self.quirks.history {
            History::All => {}
            History::Reversible
                if before.is_some_and(|before| firm(&before) == firm(&self.session.setup())) => {}
            History::Reversible | History::None => self.rebase(),
        }
        Ok(())
    }

    /// The move that the engine has answered, in Hub notation with standard numbers.
    ///
    /// # Errors
    /// If it is none, or not legal.
    pub fn read(&self, answer: &str) -> Result<String, Fault> {
        let read = self.session.translate(answer, Notation::Hub(self.quirks.numbering), Notation::HUB);
        read.map_err(|error| match error {
            MoveError::Illegal { .. } | MoveError::OffBoard { .. } => Fault::Illegal(error.to_string()),
            MoveError::Malformed { .. } | MoveError::Ambiguous { .. } => Fault::Malformed(error.to_string()),
        })
    }

    /// A move as this engine has it.
    fn spell(&self, mv: &str) -> Result<String, MoveError> {
        let numbering = self.quirks.numbering;
        let form = match self.quirks.captures {
            Captures::Path => Notation::HubInOrder(numbering),
            Captures::Ascending | Captures::Short => Notation::Hub(numbering),
        };
        let text = self.session.translate(mv, Notation::HUB, form)?;
        let parts: Vec<_> = text.split('x').collect();
        Ok(match parts[..] {
            [from, to, _] if self.quirks.captures == Captures::Short => format!("{from}x{to}"),
            _ => text,
        })
    }

    /// What the engine is told begins here.
    fn rebase(&mut self) {
        self.base = (self.write)(self.session.as_ref(), self.quirks.numbering);
        self.moves.clear();
    }
}

/// What no king move changes: the number of pieces, and where those stand that are no kings.
fn firm(setup: &Setup) -> (usize, Vec<(usize, Side)>) {
    let men = setup.pieces.iter().filter(|(_, _, kind)| *kind != Kind::King);
    (setup.pieces.len(), men.map(|&(index, side, _)| (index, side)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    fn record(quirks: Quirks, fen: &str) -> Record {
        let game = Game::new(find("international").unwrap());
        let mut record = Record::new(game, quirks, |session, _| session.fen());
        record.begin(Some(fen)).unwrap();
        record
    }

    #[test]
    fn only_king_moves_leave_all_else_in_place() {
        let reversible = |fen: &str, mv: &str| {
            let mut record = record(Quirks { history: History::Reversible, ..Quirks::default() }, fen);
            record.play(mv).unwrap();
            record.told().1 == mv
        };
        assert!(reversible("W:WK46,35:B5", "46-41"));
        for (fen, mv) in [("W:WK46,35:B5", "35-30"), ("W:W6:B5", "6-1"), ("W:WK46,35:B5,28", "46x10x28")] {
            assert!(!reversible(fen, mv), "{mv}");
        }
    }

    #[test]
    fn captures_as_engines_want_them() {
        for (captures, two, one) in [
            (Captures::Ascending, "32x12x18x28", "32x23x28"),
            (Captures::Path, "32x12x28x18", "32x23x28"),
            (Captures::Short, "32x12x18x28", "32x23"),
        ] {
            let told = |fen: &str, mv: &str| {
                let mut record = record(Quirks { captures, ..Quirks::default() }, fen);
                record.play(mv).unwrap();
                assert_eq!(record.told().0, fen);
                record.told().1
            };
            assert_eq!(told("W:W32:B18,28", "32x12x18x28"), two);
            assert_eq!(told("W:W32:B28", "32x23x28"), one);
        }
    }

    #[test]
    fn answers() {
        let record = record(Quirks::default(), "W:WK46,35:B5,28");
        assert_eq!(record.read("46x10"), Ok("46x10x28".to_owned()));
        assert!(matches!(record.read("35-30"), Err(Fault::Illegal(_))));
        assert!(matches!(record.read("hello"), Err(Fault::Malformed(_))));
    }
}
