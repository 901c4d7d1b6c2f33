//! Lines in, each checked before anybody looks at it, and the queue in which a protocol meets them and its search.

use super::log::Log;
use crate::engine::{Info, Outcome, Session};
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Longest line read, in bytes: a game of 10,000 moves fits many times. What is longer is skipped, not kept.
pub const LONGEST_LINE: usize = 1 << 20;
/// Events that may wait; a client that writes faster waits itself.
const WAITING: usize = 64;

/// Why a line is not text that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLine {
    /// Not UTF-8: the position of the first bad byte, from 1.
    NotText(usize),
    /// Longer than [`LONGEST_LINE`].
    TooLong,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText(at) => write!(f, "bad line: byte {at} is not UTF-8"),
            Self::TooLong => write!(f, "bad line: longer than {LONGEST_LINE} bytes"),
        }
    }
}

impl std::error::Error for BadLine {}

/// What a protocol waits for.
pub enum Event {
    /// A line without its end.
    Line(Result<String, BadLine>),
    /// The input has ended.
    End,
    /// News of the search.
    Info(Info),
    /// The search has ended and gives its session back.
    Done(Box<dyn Session>, Outcome),
    /// The search has died.
    Lost,
}

/// The events of a protocol, in order.
pub struct Inbox {
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    /// Events put off, in order.
    queue: VecDeque<Event>,
    log: Log,
}

impl Inbox {
    /// An inbox that a new thread fills with the lines of `input`.
    ///
    /// # Errors
    /// If there can be no thread.
    pub fn new(input: impl Read + Send + 'static) -> std::io::Result<Self> {
        let (sender, events) = sync_channel(WAITING);
        let lines = sender.clone();
        thread::Builder::new()
            .name("input".into())
            .spawn(move || read_lines(BufReader::new(input), &lines))?;
        Ok(Self { events, sender, queue: VecDeque::new(), log: Log::default() })
    }

    /// The same, with lines written down in `log` when they are met.
    pub fn with_log(self, log: Log) -> Self {
        Self { log, ..self }
    }

    /// The next event; those put off come first. Waits for it.
    pub fn wait(&mut self) -> Event {
        self.wait_for(None).unwrap_or(Event::End)
    }

    /// As [`Inbox::wait`], but gives `None` after `patience`.
    pub fn wait_for(&mut self, patience: Option<Duration>) -> Option<Event> {
        self.queue.pop_front().or_else(|| self.wait_new(patience))
    }

    /// The next new event, whatever has been put off; `None` after `patience`.
    pub fn wait_new(&mut self, patience: Option<Duration>) -> Option<Event> {
        let event = match patience.map(|patience| self.events.recv_timeout(patience)) {
            None => self.events.recv().unwrap_or(Event::End),
            Some(Ok(event)) => event,
            Some(Err(RecvTimeoutError::Timeout)) => return None,
            Some(Err(RecvTimeoutError::Disconnected)) => Event::End,
        };
        match &event {
            Event::Line(Ok(line)) => self.log.heard(line),
            Event::Line(Err(bad)) => self.log.heard(&format!("({bad})")),
            _ => {}
        }
        Some(event)
    }

    /// Puts an event off, behind those put off before.
    pub fn put_off(&mut self, event: Event) {
        self.queue.push_back(event);
    }

    /// Puts an event back, before all others.
    pub fn put_back(&mut self, event: Event) {
        self.queue.push_front(event);
    }

    /// Where a search reports.
    pub fn sender(&self) -> SyncSender<Event> {
        self.sender.clone()
    }
}

/// What some programs put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Sends every line until the input ends or nobody listens any more.
fn read_lines(mut input: impl BufRead, lines: &SyncSender<Event>) {
    let mut first = true;
    while let Ok(Some(mut line)) = read_line(&mut input) {
        if let (true, Ok(text)) = (std::mem::take(&mut first), &mut line) {
            if text.starts_with(BYTE_ORDER_MARK) {
                text.remove(0);
            }
        }
        if lines.send(Event::Line(line)).is_err() {
            return;
        }
    }
    // A reader that is gone needs no notice.
    let _ = lines.send(Event::End);
}

/// The next line without `\n` or `\r\n`, or `None` at the end of the input. Never holds more than [`LONGEST_LINE`].
pub(super) fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    let mut limited = input.take(LONGEST_LINE as u64 + 1);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    } else if bytes.len() > LONGEST_LINE {
        skip_line(input)?;
        return Ok(Some(Err(BadLine::TooLong)));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| BadLine::NotText(error.utf8_error().valid_up_to() + 1))))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let held = input.fill_buf()?;
        if held.is_empty() {
            return Ok(());
        }
        let end = held.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(held.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<Result<String, BadLine>> {
        std::iter::from_fn(|| read_line(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn line_ends() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(lines(b"hub\r\n\ninit\nquit"), [ok("hub"), ok(""), ok("init"), ok("quit")]);
        assert_eq!(lines(b"a\rb\n"), [ok("a\rb")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn lines_that_are_not_text() {
        assert_eq!(lines(b"ab\xff\nx\n"), [Err(BadLine::NotText(3)), Ok("x".to_owned())]);
        let mut long = vec![b'a'; LONGEST_LINE];
        long.extend(b"\nb\n");
        assert_eq!(lines(&long)[0].as_ref().map(String::len), Ok(LONGEST_LINE));
        long.insert(0, b'a');
        assert_eq!(lines(&long), [Err(BadLine::TooLong), Ok("b".to_owned())]);
        assert_eq!(lines(&vec![b'a'; 3 * LONGEST_LINE]), [Err(BadLine::TooLong)]);
    }
}
