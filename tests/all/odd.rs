//! The Hub protocol: large tables, odd positions, and other spellings.

use crate::drive::Engine;
use crate::hub::position;
use std::time::{Duration, Instant};

#[test]
fn a_byte_order_mark_is_skipped() {
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"\xef\xbb\xbfhub\n");
    assert!(engine.until("wait")[0].starts_with("id "));
    engine.quit();
}

/// A large hash table costs no time: not at `init`, not at `new-game`, and not of the time of a move.
#[test]
fn a_large_hash_table_is_there_at_once() {
    let mut engine = Engine::start(&["hub"]);
    engine.send_all(&["set-param name=tt-size value=28", "level move-time=0.2"]);
    let start = Instant::now();
    engine.go("go think");
    engine.send_all(&["new-game", "level move-time=0.2"]);
    engine.go("go think");
    engine.send_all(&["set-param name=tt-size value=27", "init", "ping"]);
    engine.until("pong");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    engine.send_all(&["set-param name=tt-size value=28", "go analyze"]);
    engine.close();
    let (status, time) = engine.exit();
    assert_eq!(status.code(), Some(0));
    assert!(time < Duration::from_secs(1), "{time:?}");
}

/// With less address space than is asked for.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_refused() {
    let limited = |arguments: &str| {
        let mut command = std::process::Command::new("sh");
        let binary = env!("CARGO_BIN_EXE_soffio");
        command.args(["-c", &format!("ulimit -v 1000000 && exec '{binary}' {arguments}")]);
        command.env_remove("SOFFIO_VARIANT").env_remove("SOFFIO_LOG");
        command
    };
    let mut engine = Engine::spawn(limited("hub"));
    let why = "error message=\"parameter 'tt-size': no memory for a hash table of 2^30 entries: it has 2^";
    engine.send_all(&["set-param name=tt-size value=30", "init"]);
    assert!(engine.line().starts_with(why));
    assert_eq!(engine.line(), "ready");
    engine.send_all(&["new-game", "level depth=3"]);
    let lines = engine.go("go");
    assert!(lines.iter().all(|line| !line.starts_with("error")), "it is said once: {lines:?}");
    engine.send_all(&["set-param name=variant value=russian", "level depth=3"]);
    assert!(engine.go("go")[0].starts_with(why), "another table");
    engine.quit();
    let perft = limited("perft --hash 65536 3").output().unwrap();
    assert_eq!(perft.status.code(), Some(1));
    let errors = String::from_utf8(perft.stderr).unwrap();
    assert_eq!(errors, "soffio: --hash 65536: there is not so much memory\n");
}

#[test]
fn arguments_of_go_and_start() {
    let mut engine = Engine::ready("italian");
    engine.quiet("pos start pos=xx moves=22-18");
    assert!(engine.ask("fen")[0].starts_with("B:W18,"));
    for go in ["go foo", "go think foo=1", "go analyze think"] {
        engine.send("level depth=2");
        assert!(engine.go(go).last().unwrap().starts_with("done move="), "{go}");
    }
    // Pondering comes first: no limit of time holds.
    engine.send_all(&["level move-time=0.01", "go think analyze ponder"]);
    std::thread::sleep(Duration::from_millis(100));
    engine.send("ping");
    assert!(engine.until("pong").iter().all(|line| !line.starts_with("done")));
    engine.send("stop");
    engine.until("done");
    engine.quit();
}

#[test]
fn kings_in_breakthrough() {
    let mut engine = Engine::ready("breakthrough");
    let pieces = [(1, 'W'), (40, 'w'), (20, 'b')];
    let refusal = engine.refusal(&format!("pos pos={}", position('W', 50, &pieces)));
    assert_eq!(refusal, "bad position: White is to move and has won by a king");
    engine.quiet(&format!("pos pos={}", position('B', 50, &pieces)));
    engine.send("level depth=2");
    assert!(engine.go("go").last().unwrap().starts_with("done"));
    engine.quit();
}

/// What is read besides what is written.
#[test]
fn other_spellings_of_moves() {
    let mut engine = Engine::ready("international");
    let position = position('W', 50, &[(28, 'w'), (23, 'b'), (13, 'b'), (48, 'w'), (5, 'b')]);
    for text in ["28-8", "28-19-8", "28X8", "28:8", "028x08"] {
        engine.quiet(&format!("pos pos={position} moves={text}"));
    }
    assert!(engine.refusal(&format!("pos pos={position} moves=48x42")).contains("illegal move"));
    engine.quiet("set-param name=variant value=hawaiian");
    for text in ["28", "d5", "28-28", "d5-d5", "d5xd5", "28x28x28"] {
        engine.quiet(&format!("pos moves={text}"));
    }
    engine.quit();
}
