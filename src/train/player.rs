//! One game of the engine against itself, for the kernel of its rules.

use super::record::{End, Played, Record};
use super::selfplay::{Player, Terms};
use crate::board::Side;
use crate::movegen::can_capture;
use crate::notation::fen;
use crate::position::{Move, Position};
use crate::referee::Referee;
use crate::rng::Rng;
use crate::rules::{Game, Rules, Word};
use crate::score::Score;
use crate::search::{Control, Limits, Outcome, Searcher, Table, Task};
use std::sync::Arc;

/// Entries of the hash table, as a binary logarithm: enough for a game at some thousand nodes a move, quick to empty.
const HASH: u32 = 16;

/// Openings are drawn until one is within the band of scores, in 1/100 man. It is twice as wide after every few draws,
/// for games in which one side begins with much the better of it, and the last draw is taken as it is.
const BAND: i32 = 150;
const DRAWS_A_BAND: u32 = 8;
const MOST_DRAWS: u32 = 64;

/// After the opening one move in so many is drawn by lot, within so many plies.
const RANDOM_SHARE: usize = 20;
const RANDOM_PLIES: usize = 30;
/// A move by lot that changes the score by more than this, in 1/100 man, has decided the game rather than what stood on
/// the board before it: the positions before it are not kept.
const BLUNDER: i32 = 100;

/// Where no man has moved and nothing was captured for so many plies, positions are not kept: they are much the same.
const SHUFFLING: u16 = 20;

/// A side whose scores are at least so good, in 1/100 man, for so many searches in a row, of both sides, has won.
const WINNING: i32 = 1_500;
const WINNING_SEARCHES: u32 = 6;
/// A game that lasts so many plies beyond its opening is drawn.
const MOST_PLIES: usize = 250;

/// A player of both sides, with the memory that it uses again for every game.
pub(super) struct Typed<'a, R: Rules> {
    terms: &'a Terms,
    game: Arc<Game>,
    start: Position<Word<R>>,
    control: &'a Control,
    limits: Limits,
    searcher: Searcher<R>,
    table: Table,
}

impl<'a, R: Rules> Typed<'a, R> {
    /// A player of the kernel `R`. When `control` is stopped, so is the game.
    pub fn new(terms: &'a Terms, control: &'a Control) -> Self {
        Self {
            terms,
            game: Arc::new(terms.game.clone()),
            start: fen::start::<R>(&terms.game),
            control,
            limits: Limits { nodes: Some(terms.nodes), ..Limits::default() },
            searcher: Searcher::new(),
            table: Table::new(HASH),
        }
    }

    /// Searches the position at hand; `None` if it is over, or was stopped.
    fn search(&mut self, referee: &Referee<R>) -> Option<Outcome<Word<R>>> {
        let task = Task { model: self.terms.weights.as_ref(), ..Task::new(referee, &self.limits) };
        let outcome = self.searcher.search(&task, &self.table, self.control, &mut |_| {});
        (!self.control.is_stopped() && outcome.best.is_some()).then_some(outcome)
    }

    /// An opening, and the search of its last position if there was one.
    fn opening(&mut self, rng: &mut Rng) -> (Referee<R>, Option<Outcome<Word<R>>>) {
        let mut draw = 0;
        loop {
            draw += 1;
            let referee = self.random_plies(rng);
            let over = referee.verdict().is_some();
            let found = if over { None } else { self.search(&referee) };
            let band = BAND << ((draw - 1) / DRAWS_A_BAND);
            let even = |score: Score| !score.is_decided() && score.value().abs() <= band;
            let fits = found.as_ref().is_some_and(|outcome| even(outcome.info.score));
            if fits || draw == MOST_DRAWS || self.control.is_stopped() {
                return (referee, found);
            }
        }
    }

    /// Plays as many random plies as the lot says, fewer if the game ends.
    fn random_plies(&self, rng: &mut Rng) -> Referee<R> {
        let (least, most) = (*self.terms.plies.start(), *self.terms.plies.end());
        let plies = least + rng.below((most - least + 1) as usize) as u32;
        let mut referee = Referee::new(Arc::clone(&self.game), self.start);
        for _ in 0..plies {
            if referee.verdict().is_some() {
                break;
            }
            let moves = referee.legal_moves();
            referee.play(&moves[rng.below(moves.len())]);
        }
        referee
    }
}

impl<R: Rules> Player for Typed<'_, R> {
    fn play(&mut self, number: u64) -> Option<Played> {
        let mut rng = self.terms.lot(number);
        self.searcher.new_game();
        self.table.clear();
        let (referee, mut found) = self.opening(&mut rng);
        let mut course = Course::new(referee);
        loop {
            if self.control.is_stopped() {
                return None;
            }
            if let Some((winner, end)) = course.ending() {
                return Some(course.played(winner, end));
            }
            let moves = course.referee.legal_moves();
            match &moves[..] {
                // Where there is nothing to choose, and the position is not kept, there is nothing to search for.
                [only] if only.is_capture() && !R::MOVES.konane => {
                    found = None;
                    course.referee.play(only);
                    continue;
                }
                [_, _, ..] if course.is_random(&mut rng) => {
                    found = None;
                    course.play_random(&moves[rng.below(moves.len())]);
                    continue;
                }
                _ => {}
            }
            let searched = found.take().or_else(|| self.search(&course.referee));
            let Some(Outcome { best: Some(best), info, .. }) = searched else { return None };
            course.take(info.score);
            if course.proved.is_none() {
                course.referee.play(&best);
            }
        }
    }
}

/// A game in progress.
struct Course<R: Rules> {
    referee: Referee<R>,
    /// Plies of the opening.
    opening: usize,
    positions: Vec<Record>,
    /// The last score, from White, in 1/100 man.
    score: i32,
    /// Moves by lot have been played since the last score.
    random: bool,
    /// Scores in a row that were winning for one side, from White.
    winning: u32,
    /// The winner, once a score has proved it.
    proved: Option<Side>,
}

impl<R: Rules> Course<R> {
    fn new(referee: Referee<R>) -> Self {
        let opening = referee.plies();
        Self { referee, opening, positions: Vec::new(), score: 0, random: false, winning: 0, proved: None }
    }

    /// Whether the next move is drawn by lot.
    fn is_random(&self, rng: &mut Rng) -> bool {
        self.referee.plies() < self.opening + RANDOM_PLIES && rng.below(RANDOM_SHARE) == 0
    }

    fn play_random(&mut self, mv: &Move<Word<R>>) {
        self.referee.play(mv);
        self.random = true;
    }

    /// Takes note of the score of the position at hand.
    fn take(&mut self, score: Score) {
        let turn = self.referee.position().turn;
        let from_white = if turn == Side::White { score.value() } else { -score.value() };
        self.judge_random(from_white);
        let state = self.referee.state();
        if state.clock.reversible < SHUFFLING && is_quiet::<R>(&state.position) {
            self.positions.push(Record::new::<R>(&state.position, score.value()));
        }
        let winning = from_white.abs() >= WINNING;
        let same = self.winning > 0 && (from_white > 0) == (self.score > 0);
        self.winning = match (winning, same) {
            (true, true) => self.winning + 1,
            (true, false) => 1,
            _ => 0,
        };
        self.score = from_white;
        if score.is_decided() {
            self.proved = Some(if score.is_win() { turn } else { turn.other() });
        }
    }

    /// Forgets the positions before moves by lot that have turned the game. `score` is from White.
    fn judge_random(&mut self, score: i32) {
        if self.random && (score - self.score).abs() > BLUNDER {
            self.positions.clear();
        }
        self.random = false;
    }

    /// The winner and why, if the game is over. All that decides the result of a game is here.
    fn ending(&self) -> Option<(Option<Side>, End)> {
        if let Some(verdict) = self.referee.verdict() {
            return Some((verdict.winner, End::Rule(verdict.reason)));
        }
        if let Some(winner) = self.proved {
            return Some((Some(winner), End::Proved));
        }
        if self.winning >= WINNING_SEARCHES {
            let winner = if self.score > 0 { Side::White } else { Side::Black };
            return Some((Some(winner), End::Score));
        }
        (self.referee.plies() >= self.opening + MOST_PLIES).then_some((None, End::Length))
    }

    /// The game that ended so.
    fn played(mut self, winner: Option<Side>, end: End) -> Played {
        self.judge_random(match winner {
            Some(Side::White) => Score::win_in(0).value(),
            Some(Side::Black) => Score::loss_in(0).value(),
            None => 0,
        });
        let plies = self.referee.plies().min(u16::MAX.into()) as u16;
        Played { winner, end, plies, positions: self.positions }
    }
}

/// Whether neither side could capture if it were to move. Where every move is a capture all positions are taken.
fn is_quiet<R: Rules>(position: &Position<Word<R>>) -> bool {
    let passed = Position { turn: position.turn.other(), ..*position };
    R::MOVES.konane || !can_capture::<R>(position) && !can_capture::<R>(&passed)
}
