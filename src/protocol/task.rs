//! A search in a thread of its own, so that its protocol can go on listening.

use super::input::{Event, Inbox};
use crate::engine::{Notation, Session};
use crate::search::{Control, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

/// Stack of a searching thread, in bytes: lines of play are as deep as the search.
pub(super) const STACK: usize = 16 << 20;

/// Starts a search and gives its session to it; it comes back with [`Event::Done`] after any number of
/// [`Event::Info`].
///
/// # Errors
/// If there can be no thread; the session is lost then.
pub fn start(
    mut session: Box<dyn Session>,
    limits: Limits,
    notation: Notation,
    control: Arc<Control>,
    inbox: &Inbox,
) -> std::io::Result<()> {
    let events = inbox.sender();
    let work = move || {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut report = |info: &_| {
                // The end of the input ends the listener first; the search learns of it by its control.
                let _ = events.send(Event::Info(Clone::clone(info)));
            };
            let outcome = session.search(&limits, notation, &control, &mut report);
            (session, outcome)
        }));
        let end = searched.map_or(Event::Lost, |(session, outcome)| Event::Done(session, outcome));
        let _ = events.send(end);
    };
    thread::Builder::new().name("search".into()).stack_size(STACK).spawn(work).map(drop)
}
