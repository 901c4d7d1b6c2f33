//! A conversation while a search is under way, in any dialect.

use super::input::{BadLine, Event, Inbox};
use super::output::Output;
use super::task;
use crate::engine::{Info, Notation, Outcome, Session};
use crate::search::{Control, Limits};
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Least time between `info` lines; what comes faster is replaced by what follows.
const INFO_GAP: Duration = Duration::from_millis(10);
/// How long a search may take to stop at the end of the input before it is left behind.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// What a line means while a search is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is answered at once, with a line or nothing, and the search goes on.
    Aside(Option<String>),
    /// The opponent has played the move expected.
    PonderHit,
    /// The search is to end.
    Stop,
    /// The search is to end, and the line is obeyed after it.
    Command,
    /// The same, and it ends the conversation.
    Quit,
}

/// How a dialect speaks of a search.
pub trait Tongue {
    /// What a line means.
    fn hear(&self, line: &Result<String, BadLine>) -> Heard;
    /// The line for news of the search.
    fn info(&self, info: &Info) -> String;
    /// The lines for its end.
    fn done(&self, outcome: &Outcome) -> Vec<String>;
    /// The pause before each of the last lines of a search that took so long.
    fn pause(&self, _search: Duration) -> Duration {
        Duration::ZERO
    }
}

/// Until when the end of a search is kept to itself, if the search ends before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It is told at once.
    No,
    /// Until it is stopped, or is no longer on the opponent's time.
    PonderHit,
    /// Until it is stopped.
    Stop,
}

/// A search to begin.
pub struct Plan {
    /// What ends it; `started` is set.
    pub limits: Limits,
    /// How moves are written.
    pub notation: Notation,
    /// Whether it is on the opponent's time.
    pub ponder: bool,
    /// Until when its end is kept back.
    pub hold: Hold,
}

/// Searches with `session` and listens; gives the session back, or `None` when the conversation ended meanwhile.
///
/// # Errors
/// If nobody reads any more, or if the search dies or cannot begin.
pub fn search(
    session: Box<dyn Session>,
    plan: Plan,
    inbox: &mut Inbox,
    output: &mut Output,
    tongue: &dyn Tongue,
) -> io::Result<Option<Box<dyn Session>>> {
    let Plan { limits, notation, ponder, hold } = plan;
    let control = Arc::new(Control::new());
    if ponder {
        control.start_pondering();
    }
    let started = limits.started.unwrap_or_else(Instant::now);
    task::start(session, limits, notation, Arc::clone(&control), inbox)?;
    let watch = Watch {
        inbox,
        output,
        control: &control,
        tongue,
        started,
        hold,
        gathered: Vec::new(),
        held: Vec::new(),
        told: Vec::new(),
        ending: None,
        leaving: false,
        ended: false,
        deadline: None,
    };
    watch.run()
}

/// How often work is looked at that does not tell of its end.
const LOOK: Duration = Duration::from_millis(5);
/// How long work may go on when the conversation is over.
const LAST_WORK: Duration = Duration::from_secs(60);
/// Commands that may wait for work to end. When there are more nothing is heard any more, not even that it is to stop: then
/// it is given so long.
const MOST_WAITING: usize = 1000;
const LONGEST_DEAF: Duration = Duration::from_secs(1);

/// Does what is no search and takes time, and listens; `work` sees by the control that it is to stop. Commands wait for
/// its end. Gives what it has found, or `None` if it has been stopped.
///
/// # Errors
/// If nobody reads any more, or if the work dies or cannot begin.
pub fn work<T: Send>(
    inbox: &mut Inbox,
    output: &mut Output,
    tongue: &dyn Tongue,
    work: impl FnOnce(&Control) -> T + Send,
) -> io::Result<Option<T>> {
    let control = Control::new();
    let mut waiting = Vec::new();
    let found = thread::scope(|scope| {
        let builder = thread::Builder::new().name("work".into()).stack_size(task::STACK);
        let worker = builder.spawn_scoped(scope, || work(&control))?;
        let heard = attend(inbox, output, tongue, &control, &mut waiting, || worker.is_finished());
        if heard.is_err() {
            control.stop();
        }
        let found = worker.join().map_err(|_| io::Error::other("the work has died"))?;
        heard.map(|()| found)
    });
    waiting.into_iter().rev().for_each(|event| inbox.put_back(event));
    Ok(Some(found?).filter(|_| !control.is_stopped()))
}

/// Listens until work has ended or is to stop.
fn attend(
    inbox: &mut Inbox,
    output: &mut Output,
    tongue: &dyn Tongue,
    control: &Control,
    waiting: &mut Vec<Event>,
    has_ended: impl Fn() -> bool,
) -> io::Result<()> {
    let (mut deadline, mut deaf) = (None, None);
    while !control.is_stopped() && !has_ended() {
        if waiting.len() > MOST_WAITING {
            if deaf.get_or_insert_with(Instant::now).elapsed() >= LONGEST_DEAF {
                control.stop();
            }
            thread::sleep(LOOK);
            continue;
        }
        let Some(event) = inbox.wait_for(Some(LOOK)) else {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                control.stop();
            }
            continue;
        };
        let heard = match &event {
            Event::Line(line) => tongue.hear(line),
            Event::End => Heard::Quit,
            Event::Info(_) | Event::Done(..) | Event::Lost => Heard::Aside(None),
        };
        match heard {
            Heard::Aside(None) | Heard::PonderHit => {}
            Heard::Aside(Some(answer)) => output.line(&answer)?,
            Heard::Stop => control.stop(),
            Heard::Command | Heard::Quit => {
                waiting.push(event);
                if heard == Heard::Quit {
                    deadline.get_or_insert_with(|| Instant::now() + LAST_WORK);
                }
            }
        }
    }
    Ok(())
}

/// A conversation during a search.
struct Watch<'a> {
    inbox: &'a mut Inbox,
    output: &'a mut Output,
    control: &'a Control,
    tongue: &'a dyn Tongue,
    started: Instant,
    hold: Hold,
    /// News that are not complete: best lines from the first on.
    gathered: Vec<Info>,
    /// News that came too soon after other news.
    held: Vec<Info>,
    /// The last news written.
    told: Vec<Info>,
    /// The end of the search, if it has come.
    ending: Option<(Box<dyn Session>, Outcome)>,
    /// Whether a line waits for the end of the search: all later ones wait behind it.
    leaving: bool,
    /// Whether the input has ended, and with it the conversation.
    ended: bool,
    /// When to leave a search behind that does not stop; set at the end of the input.
    deadline: Option<Instant>,
}

impl Watch<'_> {
    /// Waits for the end of the search; gives its session back, or `None` when the conversation is over.
    fn run(mut self) -> io::Result<Option<Box<dyn Session>>> {
        loop {
            if let Some((session, outcome)) = self.ending.take_if(|_| !is_held(self.hold, self.control)) {
                self.done(&outcome)?;
                return Ok(Some(session).filter(|_| !self.ended));
            }
            let patience = self.patience();
            // Lines that wait for the end of this search are not to be met before.
            let event =
                if self.leaving { self.inbox.wait_new(patience) } else { self.inbox.wait_for(patience) };
            match event {
                Some(Event::Info(info)) => self.news(info)?,
                Some(Event::Line(line)) => self.line(line)?,
                Some(Event::Done(session, outcome)) => self.ending = Some((session, outcome)),
                Some(Event::Lost) => return Err(io::Error::other("the search has died")),
                Some(Event::End) => self.end(),
                None if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => return Ok(None),
                None => self.release()?,
            }
        }
    }

    /// The end of the input ends the search. What was said before it is still heard.
    fn end(&mut self) {
        self.control.stop();
        self.deadline = Some(Instant::now() + LAST_WAIT);
        if self.leaving {
            self.inbox.put_off(Event::End);
        } else {
            self.ended = true;
        }
    }

    /// How long to wait for the next event: forever, unless there is something to do by itself.
    fn patience(&self) -> Option<Duration> {
        if let Some(deadline) = self.deadline {
            return Some(deadline.saturating_duration_since(Instant::now()));
        }
        (!self.held.is_empty()).then(|| INFO_GAP.saturating_sub(self.output.quiet_for()))
    }

    fn news(&mut self, info: Info) -> io::Result<()> {
        if info.multipv == 1 {
            self.gathered.clear();
        }
        let complete = info.multipv == info.lines;
        self.gathered.push(info);
        if !complete {
            return Ok(());
        }
        self.held = std::mem::take(&mut self.gathered);
        if self.output.quiet_for() >= INFO_GAP { self.release() } else { Ok(()) }
    }

    /// Writes the news held back, if they are any: not the same again at a later time.
    fn release(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let same = |(told, held): (&Info, &Info)| *told == Info { time: told.time, ..held.clone() };
        if held.is_empty() || held.len() == self.told.len() && self.told.iter().zip(&held).all(same) {
            return Ok(());
        }
        held.iter().try_for_each(|info| self.output.line(&self.tongue.info(info)))?;
        self.told = held;
        Ok(())
    }

    fn line(&mut self, line: Result<String, BadLine>) -> io::Result<()> {
        if self.leaving {
            self.inbox.put_off(Event::Line(line));
            return Ok(());
        }
        match self.tongue.hear(&line) {
            Heard::Aside(answer) => return answer.map_or(Ok(()), |answer| self.output.line(&answer)),
            Heard::PonderHit => self.control.ponder_hit(),
            Heard::Stop => self.control.stop(),
            Heard::Command | Heard::Quit => {
                self.control.stop();
                self.leaving = true;
                self.inbox.put_back(Event::Line(line));
            }
        }
        Ok(())
    }

    /// The last news say where the search stood at its end; of several lines all are told once more before.
    fn done(&mut self, outcome: &Outcome) -> io::Result<()> {
        let pause = self.tongue.pause(self.started.elapsed());
        self.output.rest(pause);
        if self.held.len() > 1 {
            self.release()?;
        }
        self.held = outcome.best.iter().map(|_| outcome.info.clone()).collect();
        self.release()?;
        self.output.rest(pause);
        self.tongue.done(outcome).iter().try_for_each(|line| self.output.line(line))
    }
}

/// Whether the end of a search is to be kept back still.
fn is_held(hold: Hold, control: &Control) -> bool {
    !control.is_stopped()
        && match hold {
            Hold::No => false,
            Hold::PonderHit => control.is_pondering(),
            Hold::Stop => true,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_kept_back() {
        let control = Control::new();
        control.start_pondering();
        let held = || [Hold::No, Hold::PonderHit, Hold::Stop].map(|hold| is_held(hold, &control));
        assert_eq!(held(), [false, true, true]);
        control.ponder_hit();
        assert_eq!(held(), [false, false, true]);
        control.stop();
        assert_eq!(held(), [false; 3]);
    }
}
