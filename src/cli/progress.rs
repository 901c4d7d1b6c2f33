//! A line on standard error that shows how far a long command has come.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal to redraw it on.
const INTERVAL: Duration = Duration::from_secs(30);

/// A bar on a terminal, else a line now and then.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    next: Instant,
}

impl Progress {
    /// For so many steps, or for as many as it takes.
    pub(super) fn new(steps: Option<usize>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(steps.map(|steps| steps as u64), target);
            let known = "{elapsed} [{bar:20}] {eta} left  {msg}";
            let template = if steps.is_some() { known } else { "{elapsed}  {msg}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Self { bar, next: Instant::now() + INTERVAL }
    }

    /// Shows that `done` steps are done, with a few words.
    pub(super) fn show(&mut self, done: usize, words: impl Fn() -> String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(done as u64);
                bar.set_message(words());
            }
            None if Instant::now() >= self.next => {
                self.next = Instant::now() + INTERVAL;
                line(&words());
            }
            None => {}
        }
    }

    /// Says something that stays.
    pub(super) fn say(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.println(words),
            None => line(words),
        }
    }

    /// Ends it with a last line.
    pub(super) fn end(&self, words: &str) {
        self.clear();
        line(words);
    }

    /// Ends it and leaves nothing behind.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line on standard error.
pub(super) fn line(words: &str) {
    // Where standard error is closed nobody wants to know.
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// `1:02:03`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_off_a_clock() {
        assert_eq!(clock(Duration::from_secs(3_723)), "1:02:03");
    }
}
