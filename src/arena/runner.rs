//! The match itself: workers that play, and a foreman that counts the games in their order.
//!
//! Games are handed out in order and played side by side, and are counted in order again, so that tables, files and a
//! sequential test do not depend on which game ends first.

use super::adjudicate::Rules;
use super::contestant::Contestant;
use super::game::{Course, NoGame, Seat, Terms, play};
use super::openings::{Ballot, Book};
use super::record::Record;
use super::schedule::{Fixture, Schedule};
use super::standings::Standings;
use super::stats::{Sprt, Verdict};
use crate::protocol::client::{Fault, Identity};
use crate::rules::Game;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often in a row an engine may fail to start before the match ends: its losses would say nothing of its strength.
const MOST_STARTS: u32 = 3;
/// How long to wait before the next attempt.
const BETWEEN_STARTS: Duration = Duration::from_millis(300);

/// A match.
pub struct Match {
    /// The rules.
    pub game: Game,
    /// The engines.
    pub contestants: Vec<Contestant>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub book: Book,
    /// What the runner decides by itself.
    pub rules: Rules,
    /// Games played side by side.
    pub concurrency: usize,
    /// What ends the match early: a test between the first two engines.
    pub sprt: Option<Sprt>,
}

/// What a match tells while it goes on.
pub enum News<'a> {
    /// A game has ended; they come as they end, and this is the time to keep them.
    Ended(&'a Record),
    /// A game is counted; they come in order. The tables hold it already.
    Counted(&'a Record, &'a Standings),
    /// An engine does not start any more, and why: the match cannot go on.
    Lost(&'a str),
}

impl Match {
    /// Starts every engine once, to see that all can play.
    ///
    /// # Errors
    /// The name of the first that cannot, and why.
    pub fn try_engines(&self, abort: &Arc<AtomicBool>) -> Result<Vec<Identity>, (String, Fault)> {
        let start = |contestant: &Contestant| {
            let mut client =
                contestant.start(&self.game, abort).map_err(|fault| (contestant.name.clone(), fault))?;
            let identity = client.identity().clone();
            client.quit();
            Ok(identity)
        };
        self.contestants.iter().map(start).collect()
    }

    /// Whether a record is of a game of this match, however many rounds it has.
    pub fn has(&self, record: &Record) -> bool {
        let &Record { game, round, white, black, .. } = record;
        let ballot = self.book.ballot(round);
        self.schedule.fixture(game) == Fixture { game, round, white, black }
            && (&ballot.fen, &ballot.moves) == (&record.fen, &record.opening)
    }

    /// Plays all games but those of `earlier`, until the last, the end of the test, or `abort`. `hear` may end it by an
    /// error. The tables are those of the games counted until then; after an interrupt they also have the games that had
    /// ended before earlier ones.
    pub fn run<E: Send>(
        &self,
        earlier: Vec<Record>,
        abort: &Arc<AtomicBool>,
        hear: &mut dyn FnMut(News<'_>) -> Result<(), E>,
    ) -> (Standings, Result<(), E>) {
        let games = self.schedule.games();
        let earlier = earlier.into_iter().filter(|record| record.game < games);
        let mut ended: BTreeMap<usize, Record> = earlier.map(|record| (record.game, record)).collect();
        let played: BTreeSet<usize> = ended.keys().copied().collect();
        let rest = (0..games).filter(|game| !played.contains(game)).map(|game| self.schedule.fixture(game));
        let rest = Mutex::new(rest);
        let mut standings = Standings::new(self.contestants.len());
        let mut done = self.count(&mut ended, &mut standings, hear);
        if matches!(done, Ok(false)) {
            thread::scope(|scope| {
                let (results, arrivals) = channel();
                for _ in 0..self.concurrency.min(games - played.len()) {
                    let (results, rest) = (results.clone(), &rest);
                    scope.spawn(move || self.work(rest, &results, abort));
                }
                drop(results);
                while matches!(done, Ok(false)) {
                    let Ok(arrival) = arrivals.recv() else { break };
                    done = match arrival {
                        Ok(record) => hear(News::Ended(&record)).and_then(|()| {
                            ended.insert(record.game, record);
                            self.count(&mut ended, &mut standings, hear)
                        }),
                        Err(why) => hear(News::Lost(&why)).map(|()| false),
                    };
                }
                // Ends the games in play.
                abort.store(true, Ordering::Relaxed);
            });
        }
        let mut left = ended.values();
        let done = match done {
            Ok(false) => left.try_for_each(|record| {
                standings.add(record);
                hear(News::Counted(record, &standings))
            }),
            other => other.map(drop),
        };
        (standings, done)
    }
}

impl Match {
    /// Counts the games that are next in order; whether the test has ended.
    fn count<E>(
        &self,
        ended: &mut BTreeMap<usize, Record>,
        standings: &mut Standings,
        hear: &mut dyn FnMut(News<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        while let Some(record) = ended.remove(&standings.games()) {
            standings.add(&record);
            hear(News::Counted(&record, standings))?;
            if self.verdict(standings) != Verdict::Running {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where the test stands.
    pub fn verdict(&self, standings: &Standings) -> Verdict {
        self.sprt.map_or(Verdict::Running, |sprt| sprt.status(&standings.pairs(0)))
    }

    /// Plays games while there are any.
    fn work(
        &self,
        rest: &Mutex<impl Iterator<Item = Fixture>>,
        results: &Sender<Result<Record, String>>,
        abort: &Arc<AtomicBool>,
    ) {
        let mut seats: Vec<_> = self.contestants.iter().map(Seat::new).collect();
        let terms = Terms { game: &self.game, rules: self.rules, abort };
        while !abort.load(Ordering::Relaxed) {
            let Some(fixture) = rest.lock().unwrap_or_else(PoisonError::into_inner).next() else { break };
            let ballot = self.book.ballot(fixture.round);
            let mut attempts = 0;
            let course = loop {
                attempts += 1;
                match play(&terms, &ballot, at_the_board(&mut seats, fixture)) {
                    // A machine may be short of something for a moment.
                    Err(NoGame::NoStart(_)) if attempts < MOST_STARTS => thread::sleep(BETWEEN_STARTS),
                    other => break other,
                }
            };
            let result = match course {
                Ok(course) => Ok(record(fixture, ballot, course)),
                Err(NoGame::NoStart(why)) => Err(why),
                Err(NoGame::Aborted) => break,
            };
            let over = result.is_err();
            if results.send(result).is_err() || over {
                break;
            }
        }
        seats.iter_mut().for_each(Seat::leave);
    }
}

/// The seats of White and Black. The engines that do not play rest: their processes end.
fn at_the_board<'a, 'b>(seats: &'a mut [Seat<'b>], fixture: Fixture) -> [&'a mut Seat<'b>; 2] {
    let Fixture { white, black, .. } = fixture;
    for (number, seat) in seats.iter_mut().enumerate() {
        if number != white && number != black {
            seat.leave();
        }
    }
    let (low, high) = seats.split_at_mut(white.max(black));
    if white < black { [&mut low[white], &mut high[0]] } else { [&mut high[0], &mut low[black]] }
}

fn record(fixture: Fixture, ballot: Ballot, course: Course) -> Record {
    let Fixture { game, round, white, black } = fixture;
    let Ballot { name, fen, moves: opening } = ballot;
    let Course { moves, winner, end, fault, ignored_stop } = course;
    let winner = winner.map(Into::into);
    let date = jiff::Timestamp::now().strftime("%Y.%m.%d").to_string();
    Record {
        game,
        round,
        white,
        black,
        date,
        ballot: name,
        fen,
        opening,
        moves,
        winner,
        end,
        fault,
        ignored_stop,
    }
}
