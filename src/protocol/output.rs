//! Lines out, each written and flushed by itself.

use super::log::Log;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Where a protocol writes.
pub struct Output {
    writer: Box<dyn Write>,
    log: Log,
    last: Option<Instant>,
}

impl Output {
    /// An output to `writer`.
    pub fn new(writer: Box<dyn Write>) -> Self {
        Self { writer, log: Log::default(), last: None }
    }

    /// The same, with lines written down in `log`.
    pub fn with_log(self, log: Log) -> Self {
        Self { log, ..self }
    }

    /// Writes a line, which has no end of its own, in one piece.
    ///
    /// # Errors
    /// If nobody reads.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        self.writer.write_all(&bytes)?;
        self.writer.flush()?;
        self.last = Some(Instant::now());
        self.log.said(text);
        Ok(())
    }

    /// How long ago the last line was written.
    pub fn quiet_for(&self) -> Duration {
        self.last.map_or(Duration::MAX, |last| last.elapsed())
    }

    /// Waits until the last line is `gap` old.
    pub fn rest(&self, gap: Duration) {
        let left = gap.saturating_sub(self.quiet_for());
        if !left.is_zero() {
            thread::sleep(left);
        }
    }
}
