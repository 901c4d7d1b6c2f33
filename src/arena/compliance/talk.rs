//! The conversation with the engine: lines out, lines in, and what is said when other lines come than were expected.

use super::lab::Lab;
use super::lines::{Words, first_word, quote};
use super::{Check, Outcome, Trouble};
use crate::protocol::client::{FLOOD_BYTES, FLOOD_LINES};
use crate::protocol::process::{Process, Program};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an answer that takes no work may take before it counts as missing.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);
/// How long a search that should be short may take.
pub(super) const SEARCH: Duration = Duration::from_secs(8);
/// How long the handshake may take: py-draughts waits so long.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(10);
/// Waiting is done in pieces of this length, so that an interruption is noticed.
const SLICE: Duration = Duration::from_millis(50);
/// Lines quoted in a report, of those sent and those received.
const QUOTED: usize = 4;

/// All words that begin an answer. Scan tells what it loads with `init` lines.
const ANSWERS: [&str; 9] = ["id", "param", "wait", "init", "ready", "pong", "info", "done", "error"];

/// What is judged at the end.
pub(super) const CHECKS: &[Check] = &[
    Check::must("nothing-unasked", 5, nothing_unasked),
    Check::must("lines-are-text", 1, text),
    Check::should("known-answers", 5, known_answers),
];

/// Section 1: every line of the whole run was text, and not too long.
fn text(lab: &mut Lab<'_>) -> Outcome {
    match lab.talk.bad.first() {
        None => Ok(()),
        Some(bad) => Err(Trouble::Wrong(format!(
            "expected only lines of text; came {} others, the first: {bad}",
            lab.talk.bad.len()
        ))),
    }
}

/// Section 5: every line of the whole run began with the word of an answer; clients pass others over.
fn known_answers(lab: &mut Lab<'_>) -> Outcome {
    match lab.talk.unknown.first() {
        None => Ok(()),
        Some(line) => Err(Trouble::Wrong(format!(
            "expected only {} to begin lines; came {} others, the first {line}",
            ANSWERS.join(", "),
            lab.talk.unknown.len()
        ))),
    }
}

/// Section 5: between the checks nothing came that nobody had asked for.
fn nothing_unasked(lab: &mut Lab<'_>) -> Outcome {
    match lab.stray.first() {
        None => Ok(()),
        Some(stray) => Err(Trouble::Wrong(format!(
            "expected no line that answers nothing; came {}, the first {stray}",
            lab.stray.len()
        ))),
    }
}

/// A line from the engine.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// What it says.
    pub text: String,
    /// When it came.
    pub at: Instant,
}

/// A search that has ended.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The `info` lines.
    pub infos: Vec<Line>,
    /// The line that ended it.
    pub done: Line,
}

impl Search {
    /// The value of an argument in the last `info` line that has it.
    pub fn last<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.infos.iter().rev().find_map(|line| Words::parse(&line.text).ok()?.get(name)?.parse().ok())
    }
    /// Its move, if it gives one.
    pub fn best(&self) -> Option<String> {
        Words::parse(&self.done.text).ok()?.get("move").map(str::to_owned)
    }
}

/// Why no line has come.
#[derive(Clone, Debug)]
enum Silence {
    Timeout,
    Ended(String),
    Flood,
    Aborted,
}

/// A conversation. Without a process every question ends in trouble.
pub(super) struct Talk<'a> {
    process: Option<Process>,
    abort: &'a AtomicBool,
    /// What was sent since the last [`Talk::turn_page`], the last lines of it.
    sent: Vec<String>,
    /// What came since.
    came: Vec<String>,
    lines: usize,
    bytes: usize,
    /// Lines of the whole run that are no text, and why.
    bad: Vec<String>,
    /// Lines of the whole run that are no answers, quoted.
    unknown: Vec<String>,
}

impl<'a> Talk<'a> {
    /// No conversation yet.
    pub fn new(abort: &'a AtomicBool) -> Self {
        Self {
            process: None,
            abort,
            sent: Vec::new(),
            came: Vec::new(),
            lines: 0,
            bytes: 0,
            bad: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Begins with a new process.
    pub fn start(&mut self, program: &Program) -> Outcome {
        self.hang_up();
        let started = Process::start(program);
        let name = program.path.display();
        self.process =
            Some(started.map_err(|error| Trouble::Wrong(format!("cannot start {name}: {error}")))?);
        self.turn_page();
        Ok(())
    }

    /// Ends the process at once.
    pub fn hang_up(&mut self) {
        self.process = None;
    }

    /// Whether there is a process.
    pub fn is_open(&self) -> bool {
        self.process.is_some()
    }

    /// What was said so far is not quoted any more.
    pub fn turn_page(&mut self) {
        self.sent.clear();
        self.came.clear();
        (self.lines, self.bytes) = (0, 0);
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.sent.push(line.to_owned());
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    /// Sends several.
    pub fn send_all(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.send(line));
    }

    /// Ends the input of the engine.
    pub fn end_input(&mut self) {
        self.sent.push("(end of input)".to_owned());
        self.process.iter_mut().for_each(Process::close_input);
    }

    /// What is wrong, with what was said before.
    pub fn trouble(&self, expected: &str, came: &str) -> Trouble {
        Trouble::Wrong(self.tell(expected, came))
    }

    /// The same where it is not wrong, only not good.
    pub fn oddity(&self, expected: &str, came: &str) -> Trouble {
        Trouble::Odd(self.tell(expected, came))
    }

    fn tell(&self, expected: &str, came: &str) -> String {
        let first = self.sent.len().saturating_sub(QUOTED);
        let sent: Vec<_> = self.sent[first..].iter().map(|line| quote(line)).collect();
        let more = if first > 0 { "... " } else { "" };
        format!("sent {more}{}; expected {expected}; came {came}", sent.join(" "))
    }

    /// The last lines that came, quoted.
    fn recent(&self) -> String {
        let first = self.came.len().saturating_sub(QUOTED);
        let came: Vec<_> = self.came[first..].iter().map(|line| quote(line)).collect();
        if came.is_empty() { "nothing".to_owned() } else { came.join(" ") }
    }

    fn silence(&self, expected: &str, silence: Silence) -> Trouble {
        let why = match silence {
            Silence::Aborted => return Trouble::Aborted,
            Silence::Timeout => String::new(),
            Silence::Ended(how) => format!(", then its end: {how}"),
            Silence::Flood => ", far too many lines".to_owned(),
        };
        self.trouble(expected, &(self.recent() + &why))
    }

    /// The next line.
    fn next(&mut self, deadline: Instant) -> Result<Line, Silence> {
        let Some(process) = &mut self.process else { return Err(Silence::Ended("no process".to_owned())) };
        loop {
            if self.abort.load(Ordering::Relaxed) {
                return Err(Silence::Aborted);
            }
            let now = Instant::now();
            let Some(arrival) = process.receive(deadline.min(now + SLICE)) else {
                if now >= deadline {
                    return Err(Silence::Timeout);
                }
                continue;
            };
            let text = match arrival.line {
                Some(Ok(text)) => {
                    if !ANSWERS.contains(&first_word(&text)) {
                        self.unknown.push(quote(&text));
                    }
                    text
                }
                Some(Err(bad)) => {
                    self.bad.push(bad.to_string());
                    format!("({bad})")
                }
                None => {
                    let end = process.end().map_or("it had to be killed".to_owned(), |how| how.to_string());
                    self.process = None;
                    return Err(Silence::Ended(end));
                }
            };
            self.lines += 1;
            self.bytes += text.len();
            if self.lines > FLOOD_LINES || self.bytes > FLOOD_BYTES {
                return Err(Silence::Flood);
            }
            self.came.push(text.clone());
            return Ok(Line { text, at: arrival.at });
        }
    }

    /// The next line, whatever it says.
    pub fn any(&mut self, deadline: Instant, expected: &str) -> Result<String, Trouble> {
        self.next(deadline).map(|line| line.text).map_err(|silence| self.silence(expected, silence))
    }

    /// The lines up to one that begins with `word`, that one included. An `error` line ends it with trouble.
    pub fn until(&mut self, word: &str, patience: Duration) -> Result<Vec<Line>, Trouble> {
        let deadline = Instant::now() + patience;
        let expected = format!("'{word}' within {} s", patience.as_secs_f64());
        let mut lines = Vec::new();
        loop {
            let line = self.next(deadline).map_err(|silence| self.silence(&expected, silence))?;
            let found = first_word(&line.text).to_owned();
            lines.push(line);
            if found == word {
                return Ok(lines);
            }
            if found == "error" {
                return Err(self.trouble(&format!("'{word}'"), &self.recent()));
            }
        }
    }

    /// The rest of a search that is under way.
    pub fn finish(&mut self, patience: Duration) -> Result<Search, Trouble> {
        let mut lines = self.until("done", patience)?;
        let done = lines.pop().ok_or(Trouble::Aborted)?;
        lines.retain(|line| first_word(&line.text) == "info");
        Ok(Search { infos: lines, done })
    }

    /// Sends lines, the last of which begins a search, and waits for its end; with the seconds it took.
    pub fn search(&mut self, lines: &[&str], patience: Duration) -> Result<(Search, f64), Trouble> {
        self.turn_page();
        self.send_all(lines);
        let asked = Instant::now();
        let search = self.finish(patience)?;
        let time = search.done.at.saturating_duration_since(asked);
        Ok((search, time.as_secs_f64()))
    }

    /// The lines that come within a time; the end of the process is trouble.
    pub fn listen(&mut self, time: Duration) -> Result<Vec<String>, Trouble> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline) {
                Ok(line) => lines.push(line.text),
                Err(Silence::Timeout) => return Ok(lines),
                Err(other) => return Err(self.silence("it to go on", other)),
            }
        }
    }

    /// A search is under way: it must not end within a time.
    pub fn lasts(&mut self, time: Duration, why: &str) -> Outcome {
        let lines = self.listen(time)?;
        match lines.iter().find(|line| first_word(line) != "info") {
            None => Ok(()),
            Some(line) => Err(self.trouble(&format!("only 'info' lines, {why}"), &quote(line))),
        }
    }

    /// A line that ends the process: how it has ended within a time, once its output has.
    pub fn leaves(&mut self, patience: Duration) -> Result<ExitStatus, Trouble> {
        let deadline = Instant::now() + patience;
        let expected = format!("its end within {} s", patience.as_secs_f64());
        while let Some(process) = &mut self.process {
            // Looked at before `next` does, which kills what has closed its output and goes on.
            if let Some(status) = process.ended() {
                return Ok(status);
            }
            if Instant::now() >= deadline {
                break;
            }
            if self.abort.load(Ordering::Relaxed) {
                return Err(Trouble::Aborted);
            }
            if let Some(arrival) = process.receive(Instant::now() + SLICE / 10) {
                match arrival.line {
                    Some(line) => self.came.push(line.unwrap_or_else(|bad| format!("({bad})"))),
                    None => std::thread::sleep(SLICE / 10),
                }
            }
        }
        Err(self.trouble(&expected, &format!("{}, and it runs on", self.recent())))
    }
}
