//! A conversation between searches, in any dialect: one line after the other is obeyed.

use super::input::{Event, Inbox};
use std::fmt::Display;
use std::io;
use std::time::Duration;

/// How long the engine thinks for a person who has set no limit.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// What follows from a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<G> {
    /// The next line.
    Next,
    /// A search.
    Go(G),
    /// The end.
    Quit,
}

/// A conversation with its engine.
pub trait Talk: Sized {
    /// What a search is asked for.
    type Go;

    /// Where lines come from.
    fn inbox(&mut self) -> &mut Inbox;
    /// Obeys a line.
    ///
    /// # Errors
    /// If nobody reads any more.
    fn obey(&mut self, line: &str) -> io::Result<Step<Self::Go>>;
    /// Answers that a line was not understood; the session goes on.
    ///
    /// # Errors
    /// If nobody reads any more.
    fn refuse(&mut self, error: impl Display) -> io::Result<Step<Self::Go>>;
    /// Searches; `None` when the conversation ended meanwhile.
    ///
    /// # Errors
    /// If nobody reads any more, or if the search dies.
    fn search(self, go: Self::Go) -> io::Result<Option<Self>>;

    /// Holds the conversation to its end.
    ///
    /// # Errors
    /// If nobody reads any more, or if a search dies.
    fn hold(mut self) -> io::Result<()> {
        loop {
            let step = match self.inbox().wait() {
                Event::Line(Ok(line)) => self.obey(&line)?,
                Event::Line(Err(error)) => self.refuse(error)?,
                Event::End => Step::Quit,
                // No search is under way.
                Event::Info(_) | Event::Done(..) | Event::Lost => Step::Next,
            };
            match step {
                Step::Next => {}
                Step::Quit => return Ok(()),
                Step::Go(go) => match self.search(go)? {
                    Some(after) => self = after,
                    None => return Ok(()),
                },
            }
        }
    }
}
