//! One game between two engines: the board, the clocks and the rules are the runner's.

use super::adjudicate::{Decision, Judge, Rules};
use super::contestant::Contestant;
use super::limits::Clock;
use super::openings::Ballot;
use super::record::{End, Played};
use crate::board::Side;
use crate::engine::{self, Notation, Session};
use crate::protocol::client::{Answer, Client, Fault};
use crate::rules::Game;
use crate::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long an engine that is too late may take to end its search after `stop`, before it is ended itself.
const GRACE: Duration = Duration::from_secs(1);

/// An engine at the board, with its process while that is sound.
pub struct Seat<'a> {
    contestant: &'a Contestant,
    client: Option<Box<dyn Client>>,
}

/// How a game went.
#[derive(Debug)]
pub struct Course {
    /// The moves of the engines.
    pub moves: Vec<Played>,
    /// The winner.
    pub winner: Option<Side>,
    /// Why it ended.
    pub end: End,
    /// What was wrong, if an engine was at fault.
    pub fault: Option<String>,
    /// Whether the loser did not end its search when it was told to.
    pub ignored_stop: bool,
}

/// Why there was no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// It was given up, because nobody wants it any more.
    Aborted,
    /// An engine did not start or did not get ready: its name and why.
    NoStart(String),
}

impl<'a> Seat<'a> {
    /// A seat for an engine that is started when it is needed.
    pub fn new(contestant: &'a Contestant) -> Self {
        Self { contestant, client: None }
    }

    /// Ends the engine's process in good order.
    pub fn leave(&mut self) {
        self.client.iter_mut().for_each(|client| client.quit());
        self.client = None;
    }

    /// An engine ready for a new game. One that has died since the last is started again.
    fn ready(&mut self, game: &Game, fen: Option<&str>, abort: &Arc<AtomicBool>) -> Result<(), Fault> {
        if self.contestant.restart {
            self.leave();
        }
        if let Some(client) = &mut self.client {
            match client.new_game(fen) {
                Ok(()) => return Ok(()),
                Err(Fault::Aborted) => return Err(Fault::Aborted),
                Err(fault) => {
                    log::warn!("{} between two games: {fault}; it is started again", self.contestant.name)
                }
            }
            self.client = None;
        }
        let client = self.client.insert(self.contestant.start(game, abort)?);
        client.new_game(fen)
    }
}

/// The terms that all games of a match share.
pub struct Terms<'a> {
    /// The rules.
    pub game: &'a Game,
    /// What the runner decides by itself.
    pub rules: Rules,
    /// Ends all waiting.
    pub abort: &'a Arc<AtomicBool>,
}

/// Plays a game from a ballot; `seats` are White's and Black's. A fault of an engine ends the game by the rule for it.
///
/// # Errors
/// If the runner gives it up, or if it cannot begin.
pub fn play(terms: &Terms<'_>, ballot: &Ballot, seats: [&mut Seat<'_>; 2]) -> Result<Course, NoGame> {
    let mut table = Table::new(terms, seats);
    match table.begin(ballot).and_then(|()| table.run()) {
        Ok(end) => Ok(table.course(end)),
        Err(stop) if stop.fault == Fault::Aborted || is_shutdown(&stop.fault, terms.abort) => {
            Err(NoGame::Aborted)
        }
        Err(stop) if matches!(stop.fault, Fault::Start(_)) => Err(NoGame::NoStart(table.no_start(&stop))),
        Err(stop) => Ok(table.forfeit(&stop)),
    }
}

/// Whether an engine has left because everything is being ended: the signal may reach it a moment before us.
fn is_shutdown(fault: &Fault, abort: &AtomicBool) -> bool {
    const MOMENT: Duration = Duration::from_millis(100);
    if !matches!(fault, Fault::Crash(_) | Fault::Exit) {
        return false;
    }
    thread::sleep(MOMENT);
    abort.load(Ordering::Relaxed)
}

/// A fault, and whose it is.
struct Stop {
    side: Side,
    fault: Fault,
}

/// A game that ended by a rule.
type Finish = (Option<Side>, End);

struct Table<'a, 'b> {
    terms: &'a Terms<'a>,
    seats: [&'a mut Seat<'b>; 2],
    session: Box<dyn Session>,
    clocks: [Clock; 2],
    judge: Judge,
    moves: Vec<Played>,
}

impl<'a, 'b> Table<'a, 'b> {
    fn new(terms: &'a Terms<'a>, seats: [&'a mut Seat<'b>; 2]) -> Self {
        let clocks = [0, 1].map(|side: usize| Clock::new(seats[side].contestant.allowance));
        let session = engine::open(terms.game.clone());
        Self { terms, seats, session, clocks, judge: Judge::new(terms.rules, 0), moves: Vec::new() }
    }

    /// Sets up the ballot before both engines.
    fn begin(&mut self, ballot: &Ballot) -> Result<(), Stop> {
        let fen = ballot.fen.as_deref();
        for side in Side::BOTH {
            self.seats[side as usize]
                .ready(self.terms.game, fen, self.terms.abort)
                .map_err(|fault| Stop { side, fault: as_start(fault) })?;
        }
        // A ballot has been played through before.
        let placed = fen.map_or(Ok(()), |fen| self.session.set_fen(fen));
        placed.map_err(|error| Stop { side: Side::White, fault: Fault::Start(error.to_string()) })?;
        let first = self.session.turn();
        for mv in &ballot.moves {
            self.make(mv).map_err(|fault| Stop { side: first, fault: as_start(fault) })?;
        }
        self.judge = Judge::new(self.terms.rules, ballot.moves.len());
        Ok(())
    }

    /// Plays until a rule or a decision ends the game.
    fn run(&mut self) -> Result<Finish, Stop> {
        loop {
            if let Some(verdict) = self.session.verdict() {
                return Ok((verdict.winner, End::Rule(verdict.reason.to_string())));
            }
            if let Some(decision) = self.judge.decision() {
                return Ok(match decision {
                    Decision::Draw => (None, End::AdjudicatedDraw),
                    Decision::Length => (None, End::MoveLimit),
                    Decision::Win(side) => (Some(side), End::AdjudicatedWin),
                });
            }
            let side = self.session.turn();
            let answer = self.ask(side).map_err(|fault| Stop { side, fault })?;
            self.make(&answer.mv).map_err(|fault| Stop { side, fault })?;
            self.judge.hear(side, answer.report.score);
            self.note(side, &answer);
        }
    }

    /// A move of the engine to move, in time.
    fn ask(&mut self, side: Side) -> Result<Answer, Fault> {
        let clock = &mut self.clocks[side as usize];
        let client = self.seats[side as usize].client.as_mut().ok_or(Fault::Exit)?;
        let answer = client.go(&clock.limits(), clock.timeout())?;
        if clock.spend(answer.time) { Ok(answer) } else { Err(Fault::Late(answer.time)) }
    }

    fn note(&mut self, side: Side, answer: &Answer) {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.moves.push(Played {
            mv: answer.mv.clone(),
            ms: ms(answer.time),
            left: self.clocks[side as usize].left().map(ms),
            score: answer.report.score.map(Score::value),
            depth: answer.report.depth,
            nodes: answer.report.nodes,
        });
    }

    /// Makes a legal move on all boards. A capture that Hub cannot write so that it means one move alone is refused.
    fn make(&mut self, mv: &str) -> Result<(), Fault> {
        self.session.play(mv, Notation::HUB).map_err(|error| Fault::Malformed(error.to_string()))?;
        self.seats.iter_mut().filter_map(|seat| seat.client.as_mut()).try_for_each(|client| client.play(mv))
    }

    /// An engine that does not get ready gets a new process next time.
    fn no_start(&mut self, stop: &Stop) -> String {
        let seat = &mut self.seats[stop.side as usize];
        seat.client = None;
        format!("{} {}", seat.contestant.name, stop.fault)
    }

    fn course(&mut self, (winner, end): Finish) -> Course {
        Course { moves: std::mem::take(&mut self.moves), winner, end, fault: None, ignored_stop: false }
    }

    /// A game lost by a fault. An engine that is late is told to stop; one that cannot be trusted any more is ended.
    fn forfeit(&mut self, stop: &Stop) -> Course {
        let seat = &mut self.seats[stop.side as usize];
        let timed = seat.contestant.allowance.has_time();
        let mut ignored_stop = false;
        let sound = match (&stop.fault, &mut seat.client) {
            (Fault::Timeout, Some(client)) => {
                let stopped = client.stop(GRACE);
                ignored_stop = stopped == Err(Fault::Timeout);
                stopped.is_ok()
            }
            (Fault::Illegal(_) | Fault::Malformed(_) | Fault::Late(_) | Fault::GaveUp(_), Some(_)) => true,
            _ => false,
        };
        if !sound {
            seat.client = None;
        }
        let fault = format!("{}: {}", seat.contestant.name, stop.fault);
        log::warn!("{fault}");
        let end = end_of(&stop.fault, timed);
        Course { fault: Some(fault), ignored_stop, ..self.course((Some(stop.side.other()), end)) }
    }
}

/// What goes wrong before the first move is a failure to start.
fn as_start(fault: Fault) -> Fault {
    match fault {
        fault @ (Fault::Aborted | Fault::Start(_)) => fault,
        other => Fault::Start(other.to_string()),
    }
}

/// The rule by which a fault ends a game; `timed` says whether time was a limit.
fn end_of(fault: &Fault, timed: bool) -> End {
    match fault {
        // The last two end no game.
        Fault::Crash(_) | Fault::Start(_) | Fault::Aborted => End::Crash,
        Fault::Exit => End::EarlyExit,
        Fault::Late(_) => End::TimeForfeit,
        Fault::Timeout if timed => End::TimeForfeit,
        Fault::Timeout | Fault::Silent => End::Stall,
        Fault::Malformed(_) => End::MalformedAnswer,
        Fault::Illegal(_) => End::IllegalMove,
        Fault::GaveUp(_) => End::Resignation,
        Fault::Flood => End::Flood,
    }
}
