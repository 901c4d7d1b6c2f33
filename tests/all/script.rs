//! Games by script: a seeded search for moves of given kinds, so that a counter can be run up to any ply without a
//! repetition, and what the referee says on the way.
//!
//! A script is a list of words, a letter and a number of plies: `K29 M K30` is 29 quiet king moves, a man move and 30
//! more. No position comes twice.
//!
//! - `K` a quiet king move, `M` a quiet man move, `P` one that promotes, `A` any quiet move but a promotion,
//! - `C` a capture of one piece, without promotion, after which the opponent cannot capture,
//! - `R` a quiet king move after which a lone king stands alone on the diagonal a1-h8, `O` one after which none does,
//! - `G` a quiet king move that lets the opponent capture, `B` one that leaves him without a move.

use crate::face::{Choice, Table, face};
use crate::slow::Slow;
use crate::support::unmirrored;
use soffio::board::Side;
use soffio::notation::fen;
use soffio::position::{Kind, Setup};
use soffio::referee::{Reason, Verdict};
use soffio::rng::Rng;
use soffio::rules::Game;
use std::collections::HashSet;
use std::sync::Arc;

/// Searches begun before a script is given up; each has its own seed and tries few positions, since a bad beginning is
/// quicker left than mended.
const MOST_STARTS: u64 = 200;

pub struct Script {
    pub game: Arc<Game>,
    slow: Slow,
    start: Setup,
    /// Squares whose pieces move in `B` alone, in Hub numbers.
    still: Vec<String>,
}

impl Script {
    /// Scripts from `start`, squares named as on the unmirrored board.
    pub fn new(game: &Arc<Game>, start: &str) -> Self {
        let slow = face(game.kernel()).slow();
        Self { game: game.clone(), slow, start: unmirrored(game, start), still: Vec::new() }
    }

    /// The same with pieces that stand still, by Hub number.
    pub fn still(self, squares: &[&str]) -> Self {
        Self { still: squares.iter().map(|&square| square.to_owned()).collect(), ..self }
    }

    pub fn table(&self) -> Box<dyn Table> {
        face(self.game.kernel()).referee(&self.game, &self.start)
    }

    /// A game that follows the script, in Hub notation.
    pub fn moves(&self, script: &str) -> Vec<String> {
        let kinds: Vec<char> = script
            .split(' ')
            .flat_map(|word| {
                let (kind, plies) = word.split_at(1);
                std::iter::repeat_n(kind.chars().next().unwrap(), plies.parse().unwrap_or(1))
            })
            .collect();
        for seed in 0..MOST_STARTS {
            let mut search = Search {
                script: self,
                seen: HashSet::from([fen::write(&self.game, &self.start)]),
                rng: Rng::new(seed),
                tries: 50 * kinds.len(),
                moves: Vec::new(),
            };
            if search.follow(&*self.table(), &kinds) {
                return search.moves;
            }
        }
        panic!("no game for {} {script} from {:?}", self.game.set.id, self.start);
    }

    /// Plays a script and demands that the game ends exactly after it, drawn for this reason.
    pub fn draws(&self, script: &str, reason: Reason) {
        self.ends(script, Some(Verdict { winner: None, reason }));
    }

    /// Plays a script and demands that no verdict falls before its end, and then this one.
    pub fn ends(&self, script: &str, want: Option<Verdict>) {
        let moves = self.moves(script);
        self.verdicts(&moves, want, script);
    }

    /// Plays moves and demands that no verdict falls before their end, and then this one.
    pub fn verdicts(&self, moves: &[String], want: Option<Verdict>, script: &str) {
        let context = format!("{} {script}", self.game.set.id);
        let mut table = self.table();
        for (ply, text) in moves.iter().enumerate() {
            assert_eq!(table.verdict(), None, "{context}: after {ply} plies of {moves:?}");
            table.play(text).unwrap_or_else(|error| panic!("{context}: {error}"));
        }
        assert_eq!(table.verdict(), want, "{context}: after {moves:?}");
    }

    /// Two quiet moves, one of each side, that can be taken back at once: the position comes back after four plies.
    pub fn cycle(&self, table: &dyn Table, kings: bool, fits: impl Fn(&Choice) -> bool) -> Vec<String> {
        let quiet = |choice: &Choice| !choice.capture && !choice.promotes && choice.king == kings;
        for first in table.legal().iter().filter(|choice| quiet(choice) && fits(choice)) {
            let mut halfway = table.copy();
            halfway.play(&first.text).unwrap();
            for second in halfway.legal().iter().filter(|choice| quiet(choice) && fits(choice)) {
                let moves = [&first.text, &second.text].map(String::clone);
                let back = [&first.text, &second.text].map(|text| taken_back(text));
                let all: Vec<String> = moves.into_iter().chain(back).collect();
                let mut around = table.copy();
                if all.iter().all(|text| around.play(text).is_ok()) {
                    assert_eq!(around.setup(), table.setup());
                    return all;
                }
            }
        }
        panic!("no way there and back for {} {:?}", self.game.set.id, table.legal())
    }
}

/// `32-28` to `28-32`.
fn taken_back(text: &str) -> String {
    let (from, to) = text.split_once('-').unwrap();
    format!("{to}-{from}")
}

struct Search<'a> {
    script: &'a Script,
    seen: HashSet<String>,
    rng: Rng,
    /// Positions that may still be tried.
    tries: usize,
    moves: Vec<String>,
}

impl Search<'_> {
    /// Depth-first, in random order; a position once seen is not tried again.
    fn follow(&mut self, table: &dyn Table, kinds: &[char]) -> bool {
        let Some((&kind, rest)) = kinds.split_first() else { return true };
        let mut choices: Vec<_> = table.legal().into_iter().filter(|choice| self.may(choice, kind)).collect();
        while !choices.is_empty() {
            let choice = choices.swap_remove(self.rng.below(choices.len()));
            let mut next = table.copy();
            next.play(&choice.text).unwrap();
            let setup = next.setup();
            if self.tries == 0 {
                return false;
            }
            self.tries -= 1;
            if !self.leads(&*next, &setup, kind) || !self.seen.insert(fen::write(&self.script.game, &setup)) {
                continue;
            }
            self.moves.push(choice.text);
            if self.follow(&*next, rest) {
                return true;
            }
            self.moves.pop();
        }
        false
    }

    fn may(&self, choice: &Choice, kind: char) -> bool {
        let from = choice.text.split(['-', 'x']).next().unwrap();
        let still = kind != 'B' && self.script.still.iter().any(|square| square == from);
        let quiet = !choice.capture && !choice.promotes;
        !still
            && match kind {
                'M' => quiet && !choice.king,
                'P' => choice.promotes && !choice.capture,
                'C' => choice.text.split('x').count() == 3 && !choice.promotes,
                'A' => quiet,
                'K' | 'R' | 'O' | 'G' | 'B' => quiet && choice.king,
                _ => panic!("no such kind of move: {kind}"),
            }
    }

    /// Whether the position reached is of the kind.
    fn leads(&self, next: &dyn Table, setup: &Setup, kind: char) -> bool {
        match kind {
            'R' => self.holds_road(setup),
            'O' => !self.holds_road(setup),
            'G' => next.legal().iter().any(|choice| choice.capture),
            'C' => next.legal().iter().all(|choice| !choice.capture),
            'B' => next.legal().is_empty(),
            _ => true,
        }
    }

    /// Whether one side has a lone king that stands alone on the diagonal a1-h8.
    fn holds_road(&self, setup: &Setup) -> bool {
        let on_road = |square: usize| {
            let (file, rank) = self.script.slow.square(square);
            file == rank
        };
        let road: Vec<_> = setup.pieces.iter().filter(|piece| on_road(piece.0)).collect();
        let of = |side: Side| setup.pieces.iter().filter(move |piece| piece.1 == side).count();
        matches!(road[..], [&(_, side, Kind::King)] if of(side) == 1)
    }
}
