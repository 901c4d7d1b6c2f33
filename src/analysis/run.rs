//! All positions of an input, searched on several threads and told of in order.
//!
//! One thread reads ahead and cuts games into pieces of a few positions; workers search the pieces; each piece is
//! promised to the teller, who waits for them in the order of the input. How far the reader is ahead is bounded.

use super::record::{Record, Records};
use super::source::{Entry, Unit, session_for};
use super::study::{Analyst, Clock, Found, Settings};
use crate::engine::Session;
use crate::search::Control;
use std::fmt;
use std::io::{self, BufRead};
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Positions of a piece of a game.
const PIECE: usize = 8;
/// Entries of the input that are read ahead, and as many more for each thread.
const AHEAD: usize = 8;
/// Stack of a worker: a search goes deep.
const STACK: usize = 16 << 20;

/// What there is to tell, in the order of the input.
#[derive(Debug)]
pub enum Event<'a> {
    /// A fault of the input.
    Fault(&'a str),
    /// The next position or game begins.
    Begin(&'a Unit),
    /// A record of it.
    Record(&'a Unit, &'a Record),
    /// It is done.
    End(&'a Unit),
}

/// A piece of a game to search, and who waits for it.
struct Task {
    unit: Arc<Unit>,
    positions: Range<usize>,
    done: std::sync::mpsc::Sender<Vec<Found>>,
}

/// What the teller waits for.
enum Promise {
    Fault(String),
    Unit(Arc<Unit>, Vec<Receiver<Vec<Found>>>),
}

/// Searches everything behind `after`, the place of the last record that is known, and tells of it. `false` if the
/// `control` was stopped before the end; what has been told by then is right.
///
/// # Errors
/// Of `tell`, with which it ends.
pub fn analyse(
    input: impl Iterator<Item = Entry> + Send,
    settings: &Settings,
    clock: Option<&Clock>,
    threads: usize,
    after: Option<(usize, usize)>,
    control: &Control,
    tell: &mut dyn FnMut(Event<'_>) -> io::Result<()>,
) -> io::Result<bool> {
    let threads = threads.max(1);
    let (tasks, work) = sync_channel::<Task>(threads * 2);
    let (promises, promised) = sync_channel(AHEAD + threads);
    let work = Mutex::new(work);
    thread::scope(|scope| {
        // Whoever is left when the teller is gone sees it by the closed ends of its channels.
        let promised = promised;
        let work = &work;
        for _ in 0..threads {
            let worker = move || labour(work, Analyst::new(settings, clock, control));
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)?;
        }
        scope.spawn(move || read(input, after, &tasks, &promises));
        let told = told(&promised, after, tell);
        if !matches!(told, Ok(true)) {
            control.stop();
        }
        told
    })
}

/// Reads the input and hands it out, until nobody wants it.
fn read(
    input: impl Iterator<Item = Entry>,
    after: Option<(usize, usize)>,
    tasks: &SyncSender<Task>,
    promises: &SyncSender<Promise>,
) {
    for entry in input {
        let unit = match entry {
            Entry::Fault(why) => {
                if promises.send(Promise::Fault(why)).is_err() {
                    return;
                }
                continue;
            }
            Entry::Unit(unit) => Arc::new(unit),
        };
        let start = match after {
            Some((game, _)) if unit.number < game => continue,
            Some((game, ply)) if unit.number == game => ply + 1,
            _ => 0,
        };
        let pieces: Vec<_> = pieces(start..unit.records()).map(|positions| (positions, channel())).collect();
        let (pieces, waiting): (Vec<_>, Vec<_>) =
            pieces.into_iter().map(|(positions, (done, wait))| ((positions, done), wait)).unzip();
        if promises.send(Promise::Unit(Arc::clone(&unit), waiting)).is_err() {
            return;
        }
        for (positions, done) in pieces {
            if tasks.send(Task { unit: Arc::clone(&unit), positions, done }).is_err() {
                return;
            }
        }
    }
}

fn pieces(all: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = all.end;
    all.step_by(PIECE).map(move |start| start..end.min(start + PIECE))
}

fn labour(work: &Mutex<Receiver<Task>>, mut analyst: Analyst<'_>) {
    loop {
        let Ok(task) = work.lock().map(|work| work.recv()) else { return };
        let Ok(Task { unit, positions, done }) = task else { return };
        // A piece that was stopped is a promise that is not kept, and so the end.
        if let Some(found) = analyst.study(&unit, positions) {
            let _ = done.send(found);
        }
    }
}

/// Tells of what is found, in order; `false` if a promise was not kept.
fn told(
    promised: &Receiver<Promise>,
    after: Option<(usize, usize)>,
    tell: &mut dyn FnMut(Event<'_>) -> io::Result<()>,
) -> io::Result<bool> {
    for promise in promised {
        let (unit, waiting) = match promise {
            Promise::Fault(why) => {
                tell(Event::Fault(&why))?;
                continue;
            }
            Promise::Unit(unit, waiting) => (unit, waiting),
        };
        if after.is_none_or(|(game, _)| game != unit.number) {
            tell(Event::Begin(&unit))?;
        }
        let mut before: Option<Found> = None;
        for wait in waiting {
            let Ok(found) = wait.recv() else { return Ok(false) };
            for found in found {
                let next = found.worth;
                if let Some(before) = before.replace(found) {
                    tell(Event::Record(&unit, &before.judged(Some(next))))?;
                }
            }
        }
        if let Some(last) = before {
            tell(Event::Record(&unit, &last.judged(None)))?;
        }
        tell(Event::End(&unit))?;
    }
    Ok(true)
}

/// Why records do not fit an input.
#[derive(Debug)]
pub enum RecallError {
    /// Something cannot be read or written.
    Io(io::Error),
    /// A line of the records is not the one that belongs there, and why.
    Line(usize, String),
}

impl fmt::Display for RecallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Line(line, why) => write!(f, "line {line}: {why}"),
        }
    }
}

impl std::error::Error for RecallError {}

impl From<io::Error> for RecallError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Tells of an input as [`analyse`] does, with records that have been found before: there must be all of them, in order,
/// and no more.
///
/// # Errors
/// The first record that does not fit, and those of `tell`.
pub fn recall(
    input: impl Iterator<Item = Entry>,
    mut records: Records<impl BufRead>,
    tell: &mut dyn FnMut(Event<'_>) -> io::Result<()>,
) -> Result<(), RecallError> {
    let mut session: Option<Box<dyn Session>> = None;
    for entry in input {
        let unit = match entry {
            Entry::Fault(why) => {
                tell(Event::Fault(&why))?;
                continue;
            }
            Entry::Unit(unit) => unit,
        };
        let mut own = session_for(&unit.rules, &mut session);
        let bad = |line, why| RecallError::Line(line, why);
        tell(Event::Begin(&unit))?;
        unit.line.reach(own.as_mut(), 0).map_err(|why| bad(records.line(), why))?;
        for ply in 0..unit.records() {
            let read = records.read()?;
            let line = records.line();
            let missing = || bad(line, format!("expected the record of game {}, ply {ply}", unit.number));
            let (record, _) = read.ok_or_else(missing)?.map_err(|why| bad(line, why))?;
            if record.place() != (unit.number, ply) || record.fen != own.fen() {
                return Err(missing());
            }
            tell(Event::Record(&unit, &record))?;
            unit.line.step(own.as_mut(), ply + 1).map_err(|why| bad(line, why))?;
        }
        tell(Event::End(&unit))?;
        session = Some(own);
    }
    match records.read()? {
        None => Ok(()),
        Some(_) => Err(RecallError::Line(records.line(), "a record of nothing in the input".to_owned())),
    }
}
