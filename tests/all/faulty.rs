//! The engine with faults on purpose, `examples/faulty.rs`: it plays well but for its fault, and each fault shows itself as
//! its description says.

use crate::drive::{Engine, check_info};
use crate::support::game;
use soffio::engine::{self, Notation, Session};
use soffio::notation::{HubNumbering, MoveError};
use soffio::rules::{Game, RULE_SETS};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const NOTATION: Notation = Notation::Hub(HubNumbering::Standard);
/// Three searches of the start position; the second goes wrong.
const SECOND: [&str; 2] = ["--after", "2"];
const SCRIPT: &str = "\
pos start\nlevel depth=1\ngo think
pos start\nlevel depth=1\ngo think
stop\nnew-game\nping
pos start\nlevel depth=1\ngo think
quit
";

fn faulty(args: &[&str]) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_soffio")).parent().unwrap();
    let path = programs.join("examples").join(format!("faulty{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is missing: `cargo test` builds it, `cargo test --test all` alone does not; `cargo build --example faulty` \
         in the same profile does too",
        path.display()
    );
    let mut command = Command::new(path);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// Sends all of the input and then its end; gives all bytes of the output.
fn bytes(args: &[&str], input: &str) -> (Vec<u8>, ExitStatus) {
    let mut child = faulty(args).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
    // In a thread, as pipes hold little; an engine that has ended reads no more.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (output.stdout, output.status)
}

/// The same as lines.
fn lines(args: &[&str], input: &str) -> (Vec<String>, ExitStatus) {
    let (bytes, status) = bytes(args, input);
    (String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect(), status)
}

/// What a fault at the second search makes of the script.
fn second(fault: &str) -> (Vec<String>, ExitStatus) {
    lines(&[&[fault], &SECOND[..]].concat(), SCRIPT)
}

/// The `info` and `done` lines of a search that goes well.
fn well() -> [String; 2] {
    let (lines, _) = lines(&["none"], "level depth=1\ngo\nquit\n");
    check_info(&lines[0]);
    lines.try_into().unwrap()
}

#[cfg(unix)]
fn aborted(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some()
}
#[cfg(not(unix))]
fn aborted(status: ExitStatus) -> bool {
    !matches!(status.code(), Some(0..=3))
}

/// Plays on with the engine on both sides, for so many moves or to the end.
fn play(engine: &mut Engine, session: &mut dyn Session, most: usize) {
    let start = session.hub(HubNumbering::Standard);
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < most && session.verdict().is_none() {
        engine.send_all(&[&format!("pos pos={start} moves=\"{}\"", moves.join(" ")), "level nodes=1"]);
        let answer = engine.go("go think");
        assert_eq!(answer.len(), 2, "{answer:?}");
        let best = answer[1].strip_prefix("done move=").unwrap();
        assert!(session.legal_moves(NOTATION).iter().any(|legal| legal == best), "{answer:?}");
        assert!(answer[0].starts_with("info depth=1 ") && answer[0].ends_with(&format!(" pv={best}")));
        session.play(best, NOTATION).unwrap();
        moves.push(best.to_owned());
    }
}

#[test]
fn a_whole_game() {
    let mut engine = Engine::spawn(faulty(&["--variant", "russian"]));
    engine.send("hub");
    let hello = engine.until("wait");
    assert!(hello[0].starts_with("id name=Faulty "), "{hello:?}");
    assert!(hello[1].starts_with("param name=variant value=russian type=enum values=\""), "{hello:?}");
    engine.send_all(&["init", "new-game"]);
    assert_eq!(engine.line(), "ready");
    let mut session = engine::open(Game::clone(&game("russian")));
    play(&mut engine, &mut *session, 400);
    assert!(session.verdict().is_some());
    engine.quit();
}

#[test]
fn all_rule_sets() {
    let mut engine = Engine::spawn(faulty(&[]));
    for set in RULE_SETS {
        engine.send(&format!("set-param name=variant value={}", set.id));
        play(&mut engine, &mut *engine::open(Game::new(set)), 3);
        let (lines, _) = lines(&["illegal", "--after", "1", "-v", set.id], "level depth=1\ngo\nquit\n");
        let text = lines.last().unwrap().strip_prefix("done move=").unwrap();
        let played = engine::open(Game::new(set)).play(text, NOTATION);
        assert!(matches!(played, Err(MoveError::Illegal { .. })), "{}: {text}: {played:?}", set.id);
    }
    engine.quit();
}

#[test]
fn it_speaks_hub() {
    let mut engine = Engine::spawn(faulty(&["none", "--after", "1"]));
    engine.send_all(&["hub", "init"]);
    assert!(engine.until("ready").contains(&"wait".to_owned()));
    for line in ["stop", "ponder-hit", "new-game", "pos start moves = \"22-18 10-14\"", "level infinite"] {
        engine.quiet(line);
    }
    engine.quiet("set-param name=initial-time value=60");
    engine.quiet("set-param name=rule value=\"repetition:4\"");
    let refused = ["", "go-on", "set-param name=variant value=chess", "set-param value=1", "pos moves=22-23"];
    for line in refused.into_iter().chain(["pos pos=W", "level depth=x", "level time=nan"]) {
        assert!(!engine.refusal(line).is_empty(), "{line}");
    }
    // Without a limit a search ends by `stop` or by any other command.
    for (level, go, end) in
        [("", "go", "stop"), ("", "go think", "new-game"), ("level depth=1\n", "go ponder", "ponder-hit")]
    {
        engine.send_all(&[&format!("pos start\n{level}{go}"), "ping"]);
        assert_eq!(engine.until("pong").len(), 2, "{go}");
        engine.send(end);
        assert!(engine.line().starts_with("done move="), "{go}");
    }
    // Without a legal move there is none, and no fault is needed for that.
    engine.quiet(&format!("pos pos=Wb{}", "e".repeat(31)));
    engine.send("level depth=1");
    assert_eq!(engine.go("go"), ["done"]);
    engine.close();
    assert_eq!(engine.exit().0.code(), Some(0));
}

#[test]
fn faults_that_end_a_game() {
    let [info, done] = well();
    let begun = [&info, &done, &info];
    for (fault, code) in [("exit", 0), ("exit-code", 3), ("stall", 0)] {
        let (lines, status) = second(fault);
        assert!(lines.iter().eq(begun) && status.code() == Some(code), "{fault}: {lines:?} {status}");
    }
    let (lines, status) = second("crash");
    assert!(lines.iter().eq(begun) && aborted(status), "{lines:?} {status}");
    let (lines, status) = second("ignore-stop");
    assert_eq!(lines, [&info, &done, &info, "pong"]);
    assert_eq!(status.code(), Some(0));
    let (bytes, status) = bytes(&["partial", "--after", "2"], SCRIPT);
    assert_eq!(String::from_utf8(bytes).unwrap(), format!("{info}\n{done}\n{info}\ndone mo"));
    assert_eq!(status.code(), Some(0));
}

#[test]
fn faults_in_one_answer() {
    let [info, done] = well();
    let (info, done) = (info.as_str(), done.as_str());
    for (fault, answers) in [
        ("none", &[done][..]),
        ("illegal", &["done move=21-1"]),
        ("malformed", &["done move=xyzzy-99x"]),
        ("no-move", &["done"]),
        ("double-done", &[done, done]),
        ("late-done", &[done, done]), // The second one for `new-game`.
    ] {
        let (lines, status) = second(fault);
        assert_eq!(lines, [&[info, done, info], answers, &["pong", info, done]].concat(), "{fault}");
        assert_eq!(status.code(), Some(0));
    }
    let (lines, _) = lines(&["late-done", "--after", "1"], "level depth=1\ngo\nping\nnew-game\nquit\n");
    assert_eq!(lines, [info, done, "pong", done]);
    for (fault, least) in [("chatter", 500), ("bad-info", 4)] {
        let (lines, status) = second(fault);
        assert_eq!(lines[..3], [info, done, info], "{fault}");
        assert_eq!(lines[lines.len() - 4..], [done, "pong", info, done], "{fault}");
        let odd = &lines[3..lines.len() - 4];
        assert!(odd.len() >= least && odd.iter().all(|line| !line.starts_with("done")), "{fault}: {odd:?}");
        assert!(fault == "chatter" || odd.iter().all(|line| line.starts_with("info ")), "{odd:?}");
        assert_eq!(status.code(), Some(0));
    }
}

#[test]
fn garbage() {
    let [info, done] = well();
    let (bytes, status) = bytes(&["garbage", "--after", "2"], SCRIPT);
    let lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
    assert!(lines[..3] == [info.as_bytes(), done.as_bytes(), info.as_bytes()]);
    let end = [&done[..], "pong", &info, &done, ""].map(str::as_bytes);
    assert!(lines[lines.len() - end.len()..] == end);
    let odd = &lines[3..lines.len() - end.len()];
    assert!(odd.iter().any(|line| line.len() > 1 << 20));
    assert!(odd.iter().any(|line| line.contains(&0)));
    assert!(odd.iter().filter(|line| std::str::from_utf8(line).is_err()).count() >= 2);
    assert_eq!(status.code(), Some(0));
}

#[test]
fn faults_from_the_start() {
    let script = "hub\nping\ninit\nlevel depth=1\ngo\nquit\n";
    let [info, done] = well();
    let (hello, status) = lines(&["none"], script);
    assert_eq!(status.code(), Some(0));
    let wait = hello.iter().position(|line| line == "wait").unwrap();
    assert_eq!(hello[wait..], ["wait", "pong", "ready", &info, &done]);

    let (said, _) = lines(&["wrong-handshake"], script);
    let nonsense = said.iter().position(|line| line == "wait").unwrap();
    assert!(nonsense > 3 && said[..nonsense].iter().all(|line| !hello.contains(line)), "{said:?}");
    assert_eq!(said[nonsense..], hello[wait..], "it plays on");
    let without = |word: &str| hello.iter().filter(|line| *line != word).cloned().collect::<Vec<_>>();
    assert_eq!(lines(&["no-wait"], script).0, without("wait"));
    assert_eq!(lines(&["no-ready"], script).0, without("ready"));
    let (said, status) = lines(&["crash-on-start"], script);
    assert!(said.is_empty() && status.code() == Some(1), "{said:?} {status}");
    let (said, status) = lines(&["crash-on-init"], script);
    assert!(said == hello[..wait + 2] && aborted(status), "{said:?} {status}");

    let script = "set-param name=variant value=italian\npos start\nlevel depth=1\ngo\nquit\n";
    let (said, _) = lines(&["error-lines"], script);
    assert!(said[..2].iter().all(|line| line.starts_with("error message=\"")), "{said:?}");
    assert_eq!(said[2..], [info, done]);
}

#[test]
fn slow() {
    // The clock as Hub counts: without the increment of this move.
    for (level, time) in [("move-time=0.1", 600), ("time=0.1 inc=0.1", 700)] {
        let mut engine = Engine::spawn(faulty(&["slow", "--after", "1"]));
        let started = Instant::now();
        engine.send_all(&[&format!("level {level}"), "go think", "stop", "ping"]);
        assert_eq!(engine.until("pong").len(), 2, "{level}: info and pong");
        let (came, line) = engine.timed();
        assert!(line.starts_with("done move="), "{line}");
        assert!(came - started >= Duration::from_millis(time), "{level}: {:?}", came - started);
        engine.quit();
    }
}

#[test]
fn flood() {
    let mut engine = Engine::spawn(faulty(&["flood", "--after", "1"]));
    engine.send_all(&["level depth=1", "go think", "stop"]);
    for _ in 0..2000 {
        assert!(engine.line().starts_with("info depth=1 "));
    }
    engine.quit();
    // A client that does not read it can still end it.
    let mut child = faulty(&["flood", "--after", "1"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"level depth=1\ngo\n").unwrap();
    thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none());
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn deaf() {
    let mut child = faulty(&["deaf", "--after", "1"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = format!("level depth=1\ngo\n{}", "ping\n".repeat(100_000));
    let writer = thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let (mut info, mut rest) = (String::new(), String::new());
    stdout.read_line(&mut info).unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(!writer.is_finished(), "it reads on");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(writer.join().unwrap().is_err(), "it has read all");
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!((info.trim_end(), &rest[..]), (&well()[0][..], ""));
}
