//! An engine in a process of its own: lines to it and from it, none of which can block for ever.

use super::input::{BadLine, read_line};
use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait to be read; an engine that writes faster waits itself.
const WAITING: usize = 256;
/// How long a process whose output has ended may take to end itself, before it is ended.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How often a waiting process is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What starts a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file, or a name for the system to search.
    pub path: PathBuf,
    /// The arguments.
    pub args: Vec<OsString>,
    /// The working directory; `None` is that of this process.
    pub dir: Option<PathBuf>,
}

/// A line that an engine has written, or the end of its output.
#[derive(Debug)]
pub struct Arrival {
    /// When it was read.
    pub at: Instant,
    /// The line; `None` is the end.
    pub line: Option<Result<String, BadLine>>,
}

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// What is sent here is written by a thread: an engine that does not read cannot block us.
    input: Option<Sender<String>>,
    output: Receiver<Arrival>,
    /// Whether it has been ended: its id may be another's by now.
    killed: bool,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(program: &Program) -> io::Result<Self> {
        let mut command = Command::new(&program.path);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if log::log_enabled!(log::Level::Debug) { Stdio::inherit() } else { Stdio::null() });
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        // A group of its own: ctrl-C at the terminal is for the runner, which then ends its engines in good order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (input, lines) = channel();
        let (arrivals, output) = sync_channel(WAITING);
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = Self { child, input: Some(input), output, killed: false };
        let (stdin, stdout) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        thread::Builder::new().name("to engine".into()).spawn(move || write_lines(stdin, &lines))?;
        thread::Builder::new().name("from engine".into()).spawn(move || read_lines(stdout, &arrivals))?;
        log::debug!("process {} started: {}", process.child.id(), program.path.display());
        Ok(process)
    }

    /// Writes a line. An engine that is gone is noticed by its output.
    pub fn send(&mut self, line: &str) {
        log::trace!("{} < {line}", self.child.id());
        if let Some(input) = &self.input {
            // The writer ends when the engine no longer reads; the end of the output tells of it.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, waited for until `deadline`; `None` when there is none by then.
    pub fn receive(&mut self, deadline: Instant) -> Option<Arrival> {
        let patience = deadline.saturating_duration_since(Instant::now());
        let arrival = match self.output.recv_timeout(patience) {
            Ok(arrival) => arrival,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Arrival { at: Instant::now(), line: None },
        };
        match &arrival.line {
            Some(Ok(line)) => log::trace!("{} > {line}", self.child.id()),
            Some(Err(bad)) => log::trace!("{} > {bad}", self.child.id()),
            None => log::debug!("{} has closed its output", self.child.id()),
        }
        Some(arrival)
    }

    /// How the process ended, after its output has ended; `None` if it had to be killed.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let status = self.wait(LAST_BREATH);
        self.kill();
        status
    }

    /// Closes the engine's input and gives it `patience` to end, which it should at the end of its input.
    pub fn close(&mut self, patience: Duration) {
        self.input = None;
        let deadline = Instant::now() + patience;
        // What it still writes must be taken, or it may wait for us for ever.
        while Instant::now() < deadline
            && self.receive(deadline).is_some_and(|arrival| arrival.line.is_some())
        {}
        self.wait(deadline.saturating_duration_since(Instant::now()));
        self.kill();
    }

    /// Ends the engine's input, behind what was sent before; its output can still be read.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// How the process has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }

    /// Ends the process at once, and on Unix what it has started too, also when it has ended itself.
    fn kill(&mut self) {
        if std::mem::replace(&mut self.killed, true) {
            return;
        }
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // There may be nobody left.
            let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
        }
        // It may have ended by itself in the meantime.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes what comes, until the engine reads no more or nobody sends any more.
fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes on every line until the end.
pub(super) fn read_lines(output: impl Read, arrivals: &SyncSender<Arrival>) {
    let mut output = BufReader::new(output);
    loop {
        let line = read_line(&mut output).unwrap_or(None);
        let ended = line.is_none();
        if arrivals.send(Arrival { at: Instant::now(), line }).is_err() || ended {
            return;
        }
    }
}
