//! The lines of an engine in another process, each within its time.

use super::client::{FLOOD_BYTES, FLOOD_LINES, Fault, Needs, slices};
use super::process::Process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long an engine may take to leave after it has been told to.
const LEAVE: Duration = Duration::from_secs(2);

/// Lines to an engine and from it.
pub struct Wire {
    process: Process,
    /// How long the engine may take to get ready.
    patience: Duration,
    abort: Arc<AtomicBool>,
    /// What to call the engine in the log.
    pub name: String,
}

impl Wire {
    /// Starts an engine.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(needs: &Needs) -> Result<Self, Fault> {
        let path = &needs.program.path;
        let process = Process::start(&needs.program)
            .map_err(|error| Fault::Start(format!("{}: {error}", path.display())))?;
        let name = path.display().to_string();
        Ok(Self { process, patience: needs.patience, abort: Arc::clone(&needs.abort), name })
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// The next line that is text, and when it came.
    ///
    /// # Errors
    /// If there is none by the deadline, or never, or too much of them.
    pub fn line(&mut self, deadline: Instant, flood: &mut Flood) -> Result<(String, Instant), Fault> {
        let abort = Arc::clone(&self.abort);
        for slice in slices(deadline, &abort) {
            let Some(arrival) = self.process.receive(slice?) else { continue };
            match arrival.line {
                Some(Ok(line)) => {
                    flood.add(line.len())?;
                    return Ok((line, arrival.at));
                }
                Some(Err(bad)) => {
                    log::warn!("{}: {bad}", self.name);
                    flood.add(1)?;
                }
                None => return Err(self.end()),
            }
        }
        Err(Fault::Timeout)
    }

    /// The lines before one whose first word is `word`.
    ///
    /// # Errors
    /// As [`Wire::line`].
    pub fn lines_until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        let mut flood = Flood::default();
        loop {
            let (line, _) = self.line(deadline, &mut flood)?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// As [`Wire::lines_until`] while the engine gets ready, and says what has not come.
    ///
    /// # Errors
    /// As [`Wire::line`].
    pub fn await_start(&mut self, word: &str) -> Result<Vec<String>, Fault> {
        let patience = self.patience;
        self.lines_until(word, patience).map_err(|fault| match fault {
            Fault::Timeout => Fault::Start(format!("no '{word}' within {} s", patience.as_secs_f64())),
            other => other,
        })
    }

    /// Makes sure that the engine has nothing more to say: what an answer may follow must come after this. An engine that
    /// does not answer `question` with `answer` is taken at its present word.
    ///
    /// # Errors
    /// If it is not there.
    pub fn settle(&mut self, exchange: Option<(&str, &str)>) -> Result<(), Fault> {
        let Some((question, answer)) = exchange else { return self.drain() };
        self.send(question);
        let stray = self.lines_until(answer, self.patience).map_err(|fault| match fault {
            Fault::Timeout => Fault::Silent,
            other => other,
        })?;
        stray.iter().for_each(|line| log::debug!("{}: stray line: {line}", self.name));
        Ok(())
    }

    /// Passes over what has come already.
    fn drain(&mut self) -> Result<(), Fault> {
        let mut flood = Flood::default();
        while let Some(arrival) = self.process.receive(Instant::now()) {
            let Some(line) = arrival.line else { return Err(self.end()) };
            flood.add(line.map_or(1, |line| line.len()))?;
        }
        Ok(())
    }

    /// The output has ended: how did the process?
    fn end(&mut self) -> Fault {
        match self.process.end() {
            Some(status) if !status.success() => Fault::Crash(status.to_string()),
            _ => Fault::Exit,
        }
    }

    /// Says a last word and gives the engine time to leave.
    pub fn leave(&mut self, word: &str) {
        self.send(word);
        self.process.close(LEAVE);
    }
}

/// What has come since a question.
#[derive(Default)]
pub struct Flood {
    lines: usize,
    bytes: usize,
}

impl Flood {
    /// Counts a line.
    ///
    /// # Errors
    /// If it is one too many.
    pub fn add(&mut self, bytes: usize) -> Result<(), Fault> {
        self.lines += 1;
        self.bytes += bytes;
        if self.lines > FLOOD_LINES || self.bytes > FLOOD_BYTES { Err(Fault::Flood) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floods_are_seen() {
        let mut flood = Flood::default();
        (0..FLOOD_LINES).for_each(|_| flood.add(10).unwrap());
        assert_eq!(flood.add(10), Err(Fault::Flood));
        assert_eq!(Flood::default().add(FLOOD_BYTES + 1), Err(Fault::Flood));
    }
}
