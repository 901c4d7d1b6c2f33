//! A conversation while a search is under way.

use super::lexer::{Command, quoted};
use crate::engine::{Info, Outcome, Session};
use crate::protocol::input::{BadLine, Event, Inbox};
use crate::protocol::output::Output;
use crate::search::Control;
use std::io;
use std::time::{Duration, Instant};

/// Least time between `info` lines; what comes faster is replaced by what follows.
const INFO_GAP: Duration = Duration::from_millis(10);
/// How long a search may take to stop at the end of the input before it is left behind.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A conversation during a search.
pub(super) struct Watch<'a> {
    inbox: &'a mut Inbox,
    output: &'a mut Output,
    control: &'a Control,
    started: Instant,
    /// The pause before the last lines, by the time of the search.
    pause: fn(Duration) -> Duration,
    /// News that came too soon after other news.
    held: Option<Info>,
    /// The last news written.
    told: Option<Info>,
    /// Whether a line waits for the end of the search: all later ones wait behind it.
    leaving: bool,
    /// Whether the input has ended, and with it the conversation.
    ended: bool,
    /// When to leave a search behind that does not stop; set at the end of the input.
    deadline: Option<Instant>,
}

impl<'a> Watch<'a> {
    /// The search began at `started`; `pause` is the pause before its last lines.
    pub(super) fn new(
        inbox: &'a mut Inbox,
        output: &'a mut Output,
        control: &'a Control,
        started: Instant,
        pause: fn(Duration) -> Duration,
    ) -> Self {
        Self {
            inbox,
            output,
            control,
            started,
            pause,
            held: None,
            told: None,
            leaving: false,
            ended: false,
            deadline: None,
        }
    }

    /// Waits for the end of the search; gives its session back, or `None` when the conversation is over.
    pub(super) fn run(mut self) -> io::Result<Option<Box<dyn Session>>> {
        loop {
            let patience = self.patience();
            // Lines that wait for the end of this search are not to be met before.
            let event =
                if self.leaving { self.inbox.wait_new(patience) } else { self.inbox.wait_for(patience) };
            match event {
                Some(Event::Info(info)) => self.news(info)?,
                Some(Event::Line(line)) => self.line(line)?,
                Some(Event::Done(session, outcome)) => {
                    self.done(&outcome)?;
                    return Ok(Some(session).filter(|_| !self.ended));
                }
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
        self.held.as_ref().map(|_| INFO_GAP.saturating_sub(self.output.quiet_for()))
    }

    fn news(&mut self, info: Info) -> io::Result<()> {
        self.held = Some(info);
        if self.output.quiet_for() >= INFO_GAP { self.release() } else { Ok(()) }
    }

    /// Writes the news held back, if they are any: not the same again at a later time.
    fn release(&mut self) -> io::Result<()> {
        let told = self.told.take();
        let is_new =
            |info: &Info| told.as_ref().is_none_or(|told| *told != Info { time: told.time, ..info.clone() });
        let Some(info) = self.held.take().filter(is_new) else {
            self.told = told;
            return Ok(());
        };
        self.output.line(&info_line(&info))?;
        self.told = Some(info);
        Ok(())
    }

    /// As Scan: `ping`, `ponder-hit` and `stop` are served, any other line ends the search and is obeyed after it.
    fn line(&mut self, line: Result<String, BadLine>) -> io::Result<()> {
        if self.leaving {
            self.inbox.put_off(Event::Line(line));
            return Ok(());
        }
        let command = line.as_ref().ok().and_then(|line| Command::parse(line).ok());
        match command.map(|command| command.name) {
            Some("ping") => return self.output.line("pong"),
            Some("ponder-hit") => self.control.ponder_hit(),
            Some("stop") => self.control.stop(),
            _ => {
                self.control.stop();
                self.leaving = true;
                self.inbox.put_back(Event::Line(line));
            }
        }
        Ok(())
    }

    /// The last news say where the search stood at its end.
    fn done(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.held = outcome.best.is_some().then(|| outcome.info.clone());
        let pause = (self.pause)(self.started.elapsed());
        self.output.rest(pause);
        self.release()?;
        self.output.rest(pause);
        self.output.line(&done_line(outcome))
    }
}

/// In the order that clients match, each part always present but the rate, which needs a time.
fn info_line(info: &Info) -> String {
    let seconds = info.time.as_secs_f64();
    let rate = if seconds < 0.001 {
        String::new()
    } else {
        format!(" nps={:.2}", info.nodes as f64 / seconds / 1e6)
    };
    format!(
        "info depth={} mean-depth={:.1} score={} nodes={} time={seconds:.3}{rate} pv={}",
        info.depth,
        info.mean_depth,
        info.score,
        info.nodes,
        quoted(&info.pv.join(" "))
    )
}

fn done_line(outcome: &Outcome) -> String {
    match (&outcome.best, &outcome.ponder) {
        (Some(best), Some(ponder)) => format!("done move={best} ponder={ponder}"),
        (Some(best), None) => format!("done move={best}"),
        (None, _) => "done".to_owned(),
    }
}
