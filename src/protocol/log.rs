//! A file of all that is said, for finding out later who said what, and when.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Where lines in and out are written down, if anywhere. Clones share one file.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Option<File>>>);

impl Log {
    /// Writes to a file from now on, behind what is there already; an empty path is none.
    ///
    /// # Errors
    /// If it cannot be opened; what was written to before stays then.
    pub fn open(&self, path: &str) -> io::Result<()> {
        let file =
            if path.is_empty() { None } else { Some(File::options().create(true).append(true).open(path)?) };
        if let Ok(mut place) = self.0.lock() {
            *place = file;
        }
        Ok(())
    }

    /// A line that has come.
    pub fn heard(&self, line: &str) {
        self.write('>', line);
    }

    /// A line that goes.
    pub fn said(&self, line: &str) {
        self.write('<', line);
    }

    /// A line with the time, in UTC. A file that can no longer be written to is left.
    fn write(&self, sign: char, line: &str) {
        let Ok(mut place) = self.0.lock() else { return };
        let Some(file) = place.as_mut() else { return };
        let text = format!("{:.6} {sign} {line}\n", jiff::Timestamp::now());
        if let Err(error) = file.write_all(text.as_bytes()) {
            log::warn!("the log file is left: {error}");
            *place = None;
        }
    }
}
