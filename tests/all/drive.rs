//! Drives the real binary as its clients do: over pipes, line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for anything, on a machine that has more to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// A command of the binary, in an environment without preferences.
pub fn soffio(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soffio"));
    command.args(args).env_remove("SOFFIO_VARIANT").env_remove("SOFFIO_LOG");
    command
}

/// Runs a command with `input` on standard input to its end.
pub fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = soffio(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // A command that has seen enough closes its end.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Standard output of a command that succeeds and has nothing to say on standard error.
pub fn done(args: &[&str], input: &str) -> String {
    let output = run(args, input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{args:?}: {} {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and standard error of a command that fails.
pub fn failed(args: &[&str], input: &str) -> (i32, String) {
    let output = run(args, input.as_bytes());
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// An engine under way.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    /// Starts the binary.
    pub fn start(args: &[&str]) -> Self {
        Self::spawn(soffio(args))
    }

    pub fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Self { stdin: child.stdin.take(), child, lines }
    }

    /// An engine that has been set up for a rule set.
    pub fn ready(variant: &str) -> Self {
        let mut engine = Self::start(&["hub", "-v", variant]);
        engine.send("set-param name=tt-size value=16");
        engine.send("init");
        assert_eq!(engine.line(), "ready");
        engine
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// Sends lines, one after the other without waiting.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send(&lines.join("\n"));
    }

    /// The next line and when it came.
    pub fn timed(&mut self) -> (Instant, String) {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the engine is silent"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
        }
    }

    pub fn line(&mut self) -> String {
        self.timed().1
    }

    /// All lines up to one that begins with the word, included.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        self.timed_until(word).into_iter().map(|(_, line)| line).collect()
    }

    pub fn timed_until(&mut self, word: &str) -> Vec<(Instant, String)> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.timed());
            let last = lines.last().unwrap();
            if last.1.split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// What a line is answered with before the next `pong`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("ping");
        let mut lines = self.until("pong");
        lines.pop();
        lines
    }

    /// The message of the one `error` line that answers a line.
    pub fn refusal(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        let message = lines[0].strip_prefix("error message=\"").and_then(|rest| rest.strip_suffix('"'));
        message.unwrap_or_else(|| panic!("{line}: {lines:?}")).to_owned()
    }

    /// Checks that a line is passed over in silence.
    pub fn quiet(&mut self, line: &str) {
        let lines = self.ask(line);
        assert!(lines.is_empty(), "{line}: {lines:?}");
    }

    /// Searches the position with the level set and gives the lines of it.
    pub fn go(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.until("done")
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process; gives how long that took.
    pub fn exit(mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, start.elapsed());
            }
            assert!(start.elapsed() < PATIENCE, "the engine does not end");
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn quit(mut self) {
        self.send("quit");
        assert_eq!(self.exit().0.code(), Some(0));
    }

    /// Peak memory of the process so far, in KiB; `None` where the system does not say.
    pub fn peak_memory(&self) -> Option<u64> {
        let mut status = String::new();
        let path = format!("/proc/{}/status", self.child.id());
        std::fs::File::open(path).ok()?.read_to_string(&mut status).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Gone already unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The arguments of an answer, split as pydraughts does: at blanks outside quotes, then into exactly two at `=`.
pub fn arguments(line: &str) -> Vec<(String, String)> {
    let mut pieces = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => pieces.push(String::new()),
            c => pieces.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted, "{line}");
    let pairs = pieces.into_iter().skip(1).map(|piece| {
        let sides: Vec<_> = piece.split('=').collect();
        assert_eq!(sides.len(), 2, "{piece} in {line}");
        (sides[0].to_owned(), sides[1].to_owned())
    });
    pairs.collect()
}

/// An argument of an answer.
pub fn argument(line: &str, name: &str) -> Option<String> {
    arguments(line).into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Checks an `info` line against what the lidraughts site matches, and gives its score:
/// `^info depth=(\d+) mean-depth=\S+ score=(\S+) nodes=(\d+) (time=\S+ )?(nps=\S+ )?pv="?[0-9xX\- ]+"?`.
pub fn check_info(line: &str) -> f64 {
    assert!(line.starts_with("info "), "{line}");
    let pairs = arguments(line);
    let names: Vec<_> = pairs.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "nps").collect();
    assert_eq!(names, ["depth", "mean-depth", "score", "nodes", "time", "pv"], "{line}");
    let value = |name: &str| argument(line, name).unwrap();
    assert!(value("depth").parse::<u32>().is_ok() && value("nodes").parse::<u64>().is_ok(), "{line}");
    for real in ["mean-depth", "time", "score"] {
        assert!(value(real).parse::<f64>().is_ok(), "{line}");
    }
    let pv = value("pv");
    assert!(!pv.is_empty() && pv.chars().all(|c| c.is_ascii_digit() || "x- ".contains(c)), "{line}");
    assert_eq!(line.contains("pv=\""), pv.contains(' '), "quotes only where they must be: {line}");
    value("score").parse().unwrap()
}
