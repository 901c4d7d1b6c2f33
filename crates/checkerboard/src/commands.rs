//! `enginecommand`: what the GUI asks and sets in words.

use crate::board::{self, Board, CbMove, FREE, NOTATION, describe};
use crate::variant::{Square, Variant};
use soffio::engine::{self, HASH_RANGE, MAX_THREADS, Session};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Room for a reply, its zero included.
pub const REPLY: usize = 1024;
/// Moves for which CheckerBoard has room in its lists.
const MOST_MOVES: usize = 28;
/// The position that CheckerBoard asks about to see whether an engine has lists of moves.
const PROBE: &str = "B:W1:B";
/// The page of help, which stands beside the library.
const HELP: &str = "soffio.htm";

/// What has been set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game.
    pub variant: Variant,
    /// Memory for the hash table, in MiB.
    pub hash: u32,
    /// Threads of a search.
    pub threads: usize,
    /// Whether the scores of all moves are wanted.
    pub all_scores: bool,
    /// The position and the quiet king moves that led to the position of the next search: the rest of `set gamehist`.
    pub history: Option<String>,
    /// What is kept because the GUI asks for it again, and has no effect: there are no books and no tables yet.
    kept: BTreeMap<&'static str, String>,
}

/// Options without effect, with what they are until somebody sets them.
const KEPT: [(&str, &str); 9] = [
    ("book", "0"),
    ("bookfile", ""),
    ("dbmbytes", "0"),
    ("dbpath", ""),
    ("enable_mtc", "0"),
    ("enable_wld", "0"),
    ("max_dbpieces", "0"),
    ("mtcpath", ""),
    ("solve", "0"),
];

impl Settings {
    /// The settings of a library that has just been loaded.
    pub fn new(variant: Variant) -> Self {
        let kept = KEPT.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        Self { variant, hash: 64, threads: 1, all_scores: false, history: None, kept }
    }

    /// The size of the hash table as the engine has it: the binary logarithm of the number of 16-byte entries.
    pub const fn hash_size(&self) -> u32 {
        self.hash.ilog2() + 16
    }

    /// Obeys a command. `None` says that it is not known, or cannot be obeyed.
    pub fn command(&mut self, command: &str) -> Option<String> {
        let (word, rest) = split(command);
        match word {
            "name" => Some(format!("Soffio {} ({})", env!("CARGO_PKG_VERSION"), self.variant.id())),
            "about" => Some(self.about()),
            "help" => Some(HELP.to_owned()),
            "get" => self.get(rest),
            "set" => self.set(rest),
            _ => None,
        }
    }

    fn about(&self) -> String {
        format!(
            "Soffio {}\n\nA draughts engine for the whole family, here for the {} game.\nMIT or Apache-2.0.",
            env!("CARGO_PKG_VERSION"),
            self.variant.id()
        )
    }

    fn get(&self, what: &str) -> Option<String> {
        let (name, rest) = split(what);
        match name {
            "protocolversion" => Some("2".to_owned()),
            "gametype" => Some(self.variant.number().to_string()),
            "movelist" => self.move_list(rest),
            "hashsize" => Some(self.hash.to_string()),
            "searchthreads" => Some(self.threads.to_string()),
            "allscores" => Some(u8::from(self.all_scores).to_string()),
            _ => self.kept.get(name).cloned(),
        }
    }

    fn set(&mut self, what: &str) -> Option<String> {
        let (name, value) = split(what);
        match name {
            "gamehist" => {
                self.history = Some(value.to_owned());
                return Some("gamehist set".to_owned());
            }
            "gametype" => {
                self.variant = Variant::named(value)?;
                self.history = None;
            }
            "hashsize" => {
                const MOST: u32 = 1 << (*HASH_RANGE.end() - 16);
                self.hash = value.parse::<u32>().ok().filter(|size| (1..=MOST).contains(size))?;
            }
            "searchthreads" => {
                let threads = value.parse().ok();
                self.threads = threads.filter(|threads| (1..=MAX_THREADS).contains(threads))?;
            }
            "allscores" => self.all_scores = switch(value)?,
            _ => {
                let kept = self.kept.get_mut(name)?;
                match name {
                    "bookfile" | "dbpath" | "mtcpath" => {}
                    "book" => drop(value.parse::<u8>().ok().filter(|book| *book <= 3)?),
                    "dbmbytes" | "max_dbpieces" => drop(value.parse::<u32>().ok()?),
                    _ => drop(switch(value)?),
                }
                value.clone_into(kept);
            }
        }
        Some(format!("{name} set to {value}"))
    }

    /// The legal moves of a position, as CheckerBoard reads them: quiet moves by their squares, captures the other way
    /// round, as the examples of its documentation have them.
    ///
    /// Its own lists have no room for more than [`MOST_MOVES`]. A list that would be longer is cut, and ends with a comma:
    /// CheckerBoard offers these moves to people then, and takes the engine's move from what `getmove` says.
    fn move_list(&self, text: &str) -> Option<String> {
        if self.variant == Variant::Czech && text == PROBE {
            // CheckerBoard would read the numbers of a list two too high; it asks `islegal` instead.
            return None;
        }
        let (board, color) = board::read_fen(self.variant, text)?;
        if board.as_flattened().iter().all(|piece| piece & color == 0) {
            return Some("movelist 0".to_owned());
        }
        let mut session = open(self.variant, &board, color)?;
        let moves = list(self.variant, &mut *session)?;
        Some(write_list(self.variant, &moves))
    }

    /// The move from one square to another, by CheckerBoard's numbers, if there is one. Of several captures the first.
    pub fn legal_move(&self, board: &Board, color: i32, from: usize, to: usize) -> Option<CbMove> {
        let mut session = open(self.variant, board, color)?;
        let (from, to) = (self.variant.numbered(from)?, self.variant.numbered(to)?);
        let moves = list(self.variant, &mut *session)?;
        moves.into_iter().find(|mv| (mv.from, mv.to) == (from.into(), to.into()))
    }
}

/// A session at the position of a board.
fn open(variant: Variant, board: &Board, color: i32) -> Option<Box<dyn Session>> {
    let mut session = engine::open(variant.game().ok()?);
    session.set_fen(&board::fen(variant, board, color).ok()?).ok()?;
    Some(session)
}

/// The first word and the rest, without the blanks between.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// `0` or `1`.
fn switch(value: &str) -> Option<bool> {
    match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// The legal moves: quiet moves in the order of their squares, captures in the opposite order.
fn list(variant: Variant, session: &mut dyn Session) -> Option<Vec<CbMove>> {
    let moves = session.legal_moves(NOTATION);
    let moves: Option<Vec<_>> = moves.iter().map(|mv| describe(variant, session, mv)).collect();
    let mut moves = moves?;
    let number = |coor: board::Coor| number(variant, coor);
    moves.sort_by_key(|mv| (number(mv.from), number(mv.to)));
    if moves.first().is_some_and(|mv| mv.jumps > 0) {
        moves.reverse();
    }
    Some(moves)
}

fn number(variant: Variant, coor: board::Coor) -> usize {
    variant.square_number(Square { x: coor.x as usize, y: coor.y as usize })
}

fn write_list(variant: Variant, moves: &[CbMove]) -> String {
    let number = |coor| number(variant, coor);
    let texts = moves.iter().map(|mv| {
        let CbMove { jumps, oldpiece, newpiece, .. } = mv;
        let mut text = format!("{jumps},{oldpiece},{newpiece},{},{}", number(mv.from), number(mv.to));
        for jump in 0..*jumps as usize {
            let landing = mv.path.get(jump + 1).copied().unwrap_or(mv.to);
            let (captured, piece) = mv.del.get(jump).zip(mv.delpiece.get(jump)).unwrap_or((&mv.to, &FREE));
            // Writing to a string cannot fail.
            let _ = write!(text, ",{},{},{piece}", number(landing), number(*captured));
        }
        text + ";"
    });
    let room = REPLY - 1 - "movelist 28,,".len();
    let mut length = 0;
    let fit: Vec<String> = texts
        .take(MOST_MOVES)
        .take_while(|text| {
            length += text.len();
            length <= room
        })
        .collect();
    match fit.len() {
        0 => "movelist 0".to_owned(),
        count => {
            let open = if count < moves.len() { "," } else { "" };
            format!("movelist {count},{}{open}", fit.concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(variant: Variant, command: &str) -> Option<String> {
        Settings::new(variant).command(command)
    }

    /// The examples of CheckerBoard's documentation.
    #[test]
    fn published_move_lists() {
        let list = |fen: &str| ask(Variant::Italian, &format!("get movelist {fen}")).unwrap();
        assert_eq!(list("B:W31:B3"), "movelist 2,0,6,6,3,6;0,6,6,3,7;");
        assert_eq!(
            list("B:W11,13,19,21:B6,9"),
            "movelist 2,2,6,6,9,25,18,13,5,25,21,5;2,6,6,6,22,15,11,5,22,19,5;"
        );
    }

    #[test]
    fn the_probe() {
        for variant in Variant::ALL {
            let answer = ask(variant, "get movelist B:W1:B");
            let expected = (variant != Variant::Czech).then(|| "movelist 0".to_owned());
            assert_eq!(answer, expected, "{variant:?}");
        }
        assert_eq!(ask(Variant::Czech, "get movelist B:W2:B").as_deref(), Some("movelist 0"));
        // White's man on a1, 1 for CheckerBoard, goes to b2, which is 5.
        assert_eq!(ask(Variant::Czech, "get movelist W:W1:B32").as_deref(), Some("movelist 1,0,5,5,1,5;"));
        assert_eq!(ask(Variant::Italian, "get movelist W:W1:B32"), None, "an impossible position");
        assert_eq!(ask(Variant::Italian, "get movelist x"), None);
    }

    #[test]
    fn long_lists_are_cut() {
        let list = ask(Variant::Russian, "get movelist W:WK21,K29,K30,K31,K32:B2").unwrap();
        assert!(list.starts_with("movelist 28,0,9,9,"), "{list}");
        assert!(list.ends_with(";,") && list.matches(';').count() == 28 && list.len() < REPLY, "{list}");
    }

    #[test]
    fn what_is_asked_and_set() {
        let mut settings = Settings::new(Variant::Spanish);
        let mut ask = |command: &str| settings.command(command);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(ask("get gametype"), text("24"));
        assert_eq!(ask(" get  protocolversion "), text("2"));
        assert_eq!(ask("help"), text("soffio.htm"));
        assert!(ask("name").unwrap().starts_with("Soffio ") && ask("about").unwrap().contains('\n'));
        for (name, before, value) in [
            ("hashsize", "64", "128"),
            ("searchthreads", "1", "2"),
            ("allscores", "0", "1"),
            ("book", "0", "3"),
            ("bookfile", "", "C:\\my books\\b.odb"),
            ("dbmbytes", "0", "1000"),
            ("dbpath", "", "C:\\db files"),
            ("enable_mtc", "0", "1"),
            ("enable_wld", "0", "1"),
            ("max_dbpieces", "0", "8"),
            ("mtcpath", "", "D:\\mtc"),
            ("solve", "0", "1"),
        ] {
            assert_eq!(ask(&format!("get {name}")), text(before), "{name}");
            assert_eq!(ask(&format!("set {name} {value}")), Some(format!("{name} set to {value}")));
            assert_eq!(ask(&format!("get {name}")), text(value), "{name}");
        }
        for bad in
            ["set hashsize x", "set hashsize 0", "set book 4", "set solve 2", "set fly 1", "get fly", "x", ""]
        {
            assert_eq!(ask(bad), None, "{bad}");
        }
        assert_eq!(ask("get hashsize"), text("128"), "what is refused changes nothing");
        assert_eq!((ask("set gametype 25"), ask("get gametype")), (text("gametype set to 25"), text("25")));
        assert_eq!(ask("set gametype 20"), None);
        assert_eq!(ask("set gamehist W:W1:B32 1-5"), text("gamehist set"));
        assert_eq!(settings.history.as_deref(), Some("W:W1:B32 1-5"));
    }

    #[test]
    fn legal_moves_by_their_ends() {
        for variant in Variant::ALL {
            let session = engine::open(variant.game().unwrap());
            let (board, color) = (board::of_session(variant, &*session), board::turn(&*session));
            let settings = Settings::new(variant);
            let found: Vec<_> = (1..=32)
                .flat_map(|from| (1..=32).map(move |to| (from, to)))
                .filter_map(|(from, to)| settings.legal_move(&board, color, from, to))
                .collect();
            assert_eq!(found.len(), 7, "{variant:?}");
            assert!(found.iter().all(|mv| mv.jumps == 0 && mv.oldpiece == mv.newpiece));
            assert_eq!(settings.legal_move(&board, color, 0, 33), None);
        }
    }
}
