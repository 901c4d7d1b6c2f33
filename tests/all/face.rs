//! One object-safe face of the library for all kernels, so that tests are compiled once and not once for each kernel.
//! Positions go in and out as setups, moves as coordinates or text.

use crate::slow::{Slow, SlowMove};
use soffio::bits::Bits;
use soffio::board::Board;
use soffio::movegen::{self, Perft};
use soffio::notation::moves::{self, MoveError, Style};
use soffio::notation::squares;
use soffio::position::{Move, Position, Setup, SetupError};
use soffio::referee::{Referee, Verdict};
use soffio::rules::{Game, Kernel, Rules, Visitor, Word};
use soffio::train::Record;
use std::marker::PhantomData;
use std::sync::Arc;

/// What the generator says about a position.
pub struct Findings {
    /// In the order of generation; the captured pieces sorted.
    pub moves: Vec<SlowMove>,
    /// Where each move leads, and the key of that position.
    pub after: Vec<(Setup, u64)>,
    /// The captures with the captured pieces in order.
    pub routes: Vec<SlowMove>,
    pub count: u64,
    pub can_move: bool,
    pub can_capture: bool,
    /// The captures alone, and whether quiet moves are legal too.
    pub captures: Vec<SlowMove>,
    pub quiet_too: bool,
}

pub trait Face: Sync {
    fn slow(&self) -> Slow;
    fn squares(&self) -> usize;
    fn check(&self, setup: &Setup) -> Result<(), SetupError>;
    fn key(&self, setup: &Setup) -> u64;
    fn find(&self, setup: &Setup) -> Findings;
    fn count(&self, setup: &Setup) -> u64;
    fn perft(&self, setup: &Setup, depth: u32, keep_duplicates: bool) -> u64;
    /// The legal moves in a notation, sorted as strings.
    fn texts(&self, game: &Game, setup: &Setup, style: Style) -> Vec<String>;
    /// The captured squares of a move given in any notation, ascending numbers, and whether it promotes.
    fn parse(&self, game: &Game, setup: &Setup, text: &str) -> Result<(Vec<usize>, bool), MoveError>;
    fn referee(&self, game: &Arc<Game>, setup: &Setup) -> Box<dyn Table>;
}

/// A legal move of a game under way.
#[derive(Clone, Debug)]
pub struct Choice {
    /// In Hub notation.
    pub text: String,
    /// Whether a king moves.
    pub king: bool,
    pub capture: bool,
    pub promotes: bool,
}

/// A game under way.
pub trait Table {
    fn legal(&self) -> Vec<Choice>;
    /// Plays a move given in any notation.
    fn play(&mut self, text: &str) -> Result<(), String>;
    fn verdict(&self) -> Option<Verdict>;
    fn setup(&self) -> Setup;
    fn copy(&self) -> Box<dyn Table>;
}

/// The face of a kernel.
pub fn face(kernel: Kernel) -> Box<dyn Face> {
    struct Open;
    impl Visitor for Open {
        type Output = Box<dyn Face>;
        fn visit<R: Rules>(self) -> Box<dyn Face> {
            Box::new(Of::<R>(PhantomData))
        }
    }
    kernel.visit(Open)
}

/// The face of the rules `R`, which need not be a kernel of the table.
pub struct Of<R>(pub PhantomData<R>);

impl<R: Rules> Of<R> {
    fn position(&self, setup: &Setup) -> Position<Word<R>> {
        setup.check::<R>().unwrap_or_else(|error| panic!("{error:?}"))
    }
}

fn coordinates<R: Rules>(slow: &Slow, mv: &Move<Word<R>>) -> SlowMove {
    let layout = const { &R::Board::LAYOUT };
    let square = |bit: usize| slow.square(layout.square_of[bit] as usize);
    let mut captured: Vec<_> = mv.captured.iter().map(square).collect();
    captured.sort();
    SlowMove { from: square(mv.from as usize), to: square(mv.to as usize), captured, promotes: mv.promotes }
}

impl<R: Rules> Face for Of<R> {
    fn slow(&self) -> Slow {
        Slow::of(R::MOVES, &R::Board::LAYOUT)
    }
    fn squares(&self) -> usize {
        R::Board::LAYOUT.squares
    }
    fn check(&self, setup: &Setup) -> Result<(), SetupError> {
        setup.check::<R>().map(|_| ())
    }
    fn key(&self, setup: &Setup) -> u64 {
        self.position(setup).key()
    }
    fn find(&self, setup: &Setup) -> Findings {
        let (slow, position) = (self.slow(), self.position(setup));
        assert_eq!(Setup::of::<R>(&position).check::<R>(), Ok(position), "a position gives itself back");
        let record = Record::new::<R>(&position, -7);
        assert_eq!(
            (record.position::<R>(), record.score),
            (position, -7),
            "a record gives the position back"
        );
        let squares = setup.pieces.iter().fold(0, |all, (square, ..)| all | 1 << square);
        assert_eq!(record.white | record.black, squares, "records are by square index");
        let moves = movegen::legal_moves::<R>(&position);
        let after = moves.iter().map(|mv| position.make(mv)).map(|next| (Setup::of::<R>(&next), next.key()));
        let layout = const { &R::Board::LAYOUT };
        let routes = if R::MOVES.konane { Vec::new() } else { movegen::routes::<R>(&position) };
        let ordered = routes.iter().map(|route| {
            assert_eq!((route.landings.len(), route.landings.last()), (route.over.len(), Some(&route.mv.to)));
            let over = route.over.iter().map(|&bit| slow.square(layout.square_of[bit as usize] as usize));
            SlowMove { captured: over.collect(), ..coordinates::<R>(&slow, &route.mv) }
        });
        let mut captures = Vec::new();
        let quiet_too = movegen::captures::<R>(&position, &mut captures);
        Findings {
            after: after.collect(),
            captures: captures.iter().map(|mv| coordinates::<R>(&slow, mv)).collect(),
            quiet_too,
            routes: ordered.collect(),
            moves: moves.iter().map(|mv| coordinates::<R>(&slow, mv)).collect(),
            count: movegen::count::<R>(&position),
            can_move: movegen::can_move::<R>(&position),
            can_capture: movegen::can_capture::<R>(&position),
        }
    }
    fn count(&self, setup: &Setup) -> u64 {
        movegen::count::<R>(&self.position(setup))
    }
    fn perft(&self, setup: &Setup, depth: u32, keep_duplicates: bool) -> u64 {
        Perft { keep_duplicates, ..Perft::default() }.count::<R>(&self.position(setup), depth)
    }
    fn texts(&self, game: &Game, setup: &Setup, style: Style) -> Vec<String> {
        let position = self.position(setup);
        let legal = movegen::legal_moves::<R>(&position);
        let mut texts = moves::write_all::<R>(game, &position, &legal, style);
        texts.sort();
        texts
    }
    fn parse(&self, game: &Game, setup: &Setup, text: &str) -> Result<(Vec<usize>, bool), MoveError> {
        let position = self.position(setup);
        let mv = moves::parse::<R>(game, &position, &movegen::legal_moves::<R>(&position), text)?;
        let layout = const { &R::Board::LAYOUT };
        let number = |bit: usize| squares::number(game, layout.square_of[bit] as usize);
        let mut captured: Vec<_> = mv.captured.iter().map(number).collect();
        captured.sort_unstable();
        Ok((captured, mv.promotes))
    }
    fn referee(&self, game: &Arc<Game>, setup: &Setup) -> Box<dyn Table> {
        Box::new(Referee::<R>::new(game.clone(), self.position(setup)))
    }
}

impl<R: Rules> Table for Referee<R> {
    fn legal(&self) -> Vec<Choice> {
        let legal = self.legal_moves();
        let texts = moves::write_all::<R>(self.game(), self.position(), &legal, Style::Hub);
        let king = |mv: &Move<Word<R>>| self.position().kings.meets(Bits::bit(mv.from as usize));
        let choice = |(mv, text): (&Move<Word<R>>, String)| Choice {
            text,
            king: king(mv),
            capture: mv.is_capture(),
            promotes: mv.promotes,
        };
        legal.iter().zip(texts).map(choice).collect()
    }
    fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = moves::parse::<R>(self.game(), self.position(), &self.legal_moves(), text);
        mv.map(|mv| self.play(&mv)).map_err(|error| error.to_string())
    }
    fn verdict(&self) -> Option<Verdict> {
        self.verdict()
    }
    fn setup(&self) -> Setup {
        Setup::of::<R>(self.position())
    }
    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
