//! Plays out positions of the endgame tables: those that are won against the longest defence, those that are drawn against
//! the engine without tables. The tables must have distances:
//!
//! ```text
//! soffio egdb build -v italian --pieces 5 --metric dtw --dir tables
//! cargo run --release --example endings -- italian tables 5 200 50
//! ```
//!
//! The arguments are the rule set, the directory, the pieces, how many positions of each kind, and ms a move.

use soffio::board::{MAX_SQUARES, Side};
use soffio::egdb::{Job, Oracle, Value};
use soffio::engine::{self, Notation, Session, Tables};
use soffio::position::{Kind, Setup};
use soffio::rng::Rng;
use soffio::rules::{Game, find};
use soffio::search::{Control, Limits};
use std::path::Path;
use std::time::Duration;

/// A game without end is one.
const MOST_PLIES: usize = 400;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, directory, pieces, wanted, ms] = &arguments[..] else {
        eprintln!("usage: endings VARIANT DIR PIECES POSITIONS MS");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<usize>().expect("a number");
    let (pieces, wanted, ms) = (number(pieces), number(wanted), number(ms));
    let game = Game::new(find(variant).expect("a rule set"));
    let mut table = Endings::new(&game, Path::new(directory), pieces, Duration::from_millis(ms as u64));
    let mut rng = Rng::new(1);
    let (mut won, mut drawn, mut left_out) = ([0; 3], [0; 3], 0);
    while won.iter().sum::<usize>() < wanted || drawn.iter().sum::<usize>() < wanted {
        let Some(fen) = table.draw_position(&mut rng, pieces) else { continue };
        let answer = table.oracle.ask(&table.engine.setup()).expect("whole tables");
        match answer.value {
            Some(Value::Win) if won.iter().sum::<usize>() < wanted => {
                if answer.dtw.is_none_or(|plies| plies > 80) {
                    left_out += 1;
                    continue;
                }
                let result = table.play(&fen, true);
                won[result] += 1;
                if result != 0 {
                    println!("not won: {fen} in {:?} plies", answer.dtw);
                }
            }
            Some(Value::Draw) if drawn.iter().sum::<usize>() < wanted => {
                let result = table.play(&fen, false);
                drawn[result] += 1;
                if result == 2 {
                    println!("lost: {fen}");
                }
            }
            _ => {}
        }
    }
    println!("won positions: won {}, drawn {}, lost {}; left out {left_out}", won[0], won[1], won[2]);
    println!("drawn positions: won {}, drawn {}, lost {}", drawn[0], drawn[1], drawn[2]);
}

struct Endings {
    engine: Box<dyn Session>,
    other: Box<dyn Session>,
    oracle: Box<dyn Oracle>,
    limits: Limits,
    squares: usize,
}

impl Endings {
    fn new(game: &Game, directory: &Path, pieces: usize, time: Duration) -> Self {
        let mut engine = engine::open(game.clone());
        let loading = engine
            .set_tables(Tables::Directory { path: directory, pieces, cache: 256 << 20 })
            .expect("tables");
        println!("{loading}");
        let job = Job { directory: directory.to_owned(), pieces, memory: 256 << 20 };
        let oracle = engine.workshop().map(|shop| shop.oracle(&job)).expect("tables").expect("tables");
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let squares = game.kernel().layout().squares.min(MAX_SQUARES);
        let mut other = engine::open(game.clone());
        other.set_tables(Tables::None).expect("nothing to read");
        Self { engine, other, oracle, limits, squares }
    }

    /// A random position with so many pieces; `None` if the pieces cannot stand so.
    fn draw_position(&mut self, rng: &mut Rng, pieces: usize) -> Option<String> {
        let mut setup = Setup { turn: Side::BOTH[rng.below(2)], pieces: Vec::new() };
        for _ in 0..pieces {
            let kind = if rng.below(2) == 0 { Kind::Man } else { Kind::King };
            setup.pieces.push((rng.below(self.squares), Side::BOTH[rng.below(2)], kind));
        }
        let fen = soffio::notation::fen::write(self.engine.game(), &setup);
        self.engine.set_fen(&fen).ok()?;
        self.engine.verdict().is_none().then_some(fen)
    }

    /// Plays a game in which the engine has the move; 0 won, 1 drawn, 2 lost.
    fn play(&mut self, fen: &str, longest: bool) -> usize {
        self.engine.new_game();
        self.engine.set_fen(fen).expect("it was set before");
        self.other.new_game();
        self.other.set_fen(fen).expect("it was set before");
        let side = self.engine.turn();
        for ply in 0..MOST_PLIES {
            if let Some(verdict) = self.engine.verdict() {
                return match verdict.winner {
                    Some(winner) if winner == side => 0,
                    None => 1,
                    Some(_) => 2,
                };
            }
            let mv = match ply % 2 {
                0 => think(self.engine.as_mut(), &self.limits),
                _ if longest => self.longest(),
                _ => think(self.other.as_mut(), &self.limits),
            };
            self.engine.play(&mv, Notation::HUB).expect("a legal move");
            self.other.play(&mv, Notation::HUB).expect("a legal move");
        }
        1
    }

    /// The move after which the game lasts longest.
    fn longest(&mut self) -> String {
        let moves = self.other.legal_moves(Notation::HUB);
        let length = |mv: &String| {
            self.other.play(mv, Notation::HUB).expect("a legal move");
            let answer = self.oracle.ask(&self.other.setup()).expect("whole tables");
            self.other.undo();
            match answer.value {
                Some(Value::Win) | None => answer.dtw.unwrap_or(0),
                _ => u16::MAX,
            }
        };
        let lengths: Vec<_> = moves.iter().map(length).collect();
        let best = lengths.iter().max().copied().unwrap_or(0);
        let at = lengths.iter().position(|&plies| plies == best).expect("there is a move");
        moves[at].clone()
    }
}

fn think(session: &mut dyn Session, limits: &Limits) -> String {
    let control = Control::new();
    control.reset();
    session.search(limits, Notation::HUB, &control, &mut |_| {}).best.expect("there is a move")
}
