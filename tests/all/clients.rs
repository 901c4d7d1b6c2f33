//! The command sequences of the clients met in the wild, word by word, and what each reads of the answers.

use crate::drive::{Engine, argument, arguments, check_info, soffio};
use std::time::Duration;

const TEN: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// The answers to `go` as draughtsnet reads them: whole numbers, a score before `done`.
fn check_search(lines: &[String]) -> String {
    let (done, infos) = lines.split_last().unwrap();
    assert!(!infos.is_empty(), "{lines:?}");
    infos.iter().for_each(|line| assert!(check_info(line).abs() <= 100.0));
    argument(done, "move").unwrap_or_else(|| panic!("{lines:?}"))
}

#[test]
fn draughtsnet() {
    let mut engine = Engine::start(&["hub"]);
    engine.send("hub");
    let lines = engine.until("wait");
    // It reads the variants from what follows the last `=` of the line.
    let variant = lines.iter().find(|line| line.starts_with("param name=variant")).unwrap();
    assert!(variant.contains("type=enum"));
    let values = variant.rsplit('=').next().unwrap().replace('"', "");
    for needed in ["normal", "bt", "frisian", "losing"] {
        assert!(values.split(' ').any(|value| value == needed), "{needed}");
    }
    engine.send_all(&["set-param name=threads value=1", "set-param name=tt-size value=16"]);
    engine.send_all(&["set-param name=variant value=frisian", "set-param name=bb-size value=4", "init"]);
    assert_eq!(engine.line(), "ready");
    // A move job.
    engine.send("new-game");
    engine.send(&format!("pos pos={TEN} moves=\"32-28 19-23 28x19x23\""));
    engine.send_all(&["level handicap=6", "level ply=3", "level nodes=500", "set-param name=eval value=pst"]);
    engine.send_all(&["set-param name=book-margin value=4", "set-param name=book-ply value=0"]);
    engine.send_all(&["level depth=4", "level move-time=0.2"]);
    check_search(&engine.go("go think"));
    // An analysis job, from the last position back, with a spare stop after each.
    let moves = ["32-28", "19-23", "28x19x23", "14x23x19"];
    engine.send("new-game");
    for ply in (0..=moves.len()).rev() {
        match ply {
            0 => engine.send(&format!("pos pos={TEN}")),
            _ => engine.send(&format!("pos pos={TEN} moves=\"{}\"", moves[..ply].join(" "))),
        }
        engine.send_all(&["set-param name=eval value=pattern", "set-param name=book-ply value=0"]);
        engine.send_all(&["level move-time=4", "level nodes=5000"]);
        check_search(&engine.go("go analyze"));
        engine.send("stop");
    }
    engine.quit();
}

#[test]
fn lidraughts_bot() {
    for variant in ["normal", "bt", "losing", "frisian", "russian", "brazilian"] {
        let mut engine = Engine::start(&["hub"]);
        engine.send("hub");
        engine.until("wait").iter().for_each(|line| drop(arguments(line)));
        engine.send_all(&["set-param name=threads value=1", "set-param name=tt-size value=14"]);
        engine.send(&format!("set-param name=variant value={variant}"));
        engine.send_all(&["set-param name=initial-time value=60", "init"]);
        assert_eq!(engine.line(), "ready");
        engine.send_all(&["pos", "level move-time=0.05"]);
        let first = check_search(&engine.go("go think"));
        // The opponent thinks: a guess is pondered, and hit.
        engine.send("pos");
        engine.send_all(&["level time=2.5 inc=0.5", "go ponder", "ping"]);
        engine.until("pong");
        engine.send("ponder-hit");
        let answer = check_search(&engine.until("done"));
        // Missed: stop, a spare one, and a clock that has run into the negative.
        engine.send_all(&["pos", "level time=0.1 inc=-0.1", "go ponder", "stop", "stop"]);
        engine.until("done");
        engine.send(&format!("pos moves=\"{first}\""));
        engine.send("level time=0.1 inc=-0.1");
        check_search(&engine.go("go think"));
        assert!(!answer.is_empty());
        engine.quit();
    }
}

#[test]
fn lidraughts_site() {
    let mut engine = Engine::start(&["hub"]);
    // It does not wait for `wait` or `ready`.
    engine.send_all(&["hub", "set-param name=tt-size value=16", "set-param name=variant value=frisian"]);
    engine.send_all(&["set-param name=bb-size value=3", "init", "set-param name=threads value=1"]);
    engine.send(&format!("pos pos={TEN} moves=\"32-28\""));
    engine.send_all(&["level infinite", "go analyze"]);
    let lines = engine.until("ready");
    assert!(lines[0].starts_with("id ") && lines.iter().any(|line| line == "wait"));
    let mut infos = vec![engine.line()];
    engine.send("stop");
    infos.extend(engine.until("done"));
    check_search(&infos);
    engine.send("pos pos=WeeeeBeeeeeeeeeebeeeeeeeeeeeWeeeeeeeeeeeeeeeeweeeee wolf=\"W28=2 B5=1\"");
    engine.send_all(&["level move-time=0.1", "level depth=6"]);
    check_search(&engine.go("go analyze"));
    // A change of the hash table: a second `init`.
    engine.send_all(&["set-param name=tt-size value=15", "init"]);
    assert_eq!(engine.line(), "ready");
    engine.quit();
}

#[test]
fn pydraughts() {
    let mut engine = Engine::start(&["hub"]);
    engine.send("hub");
    engine.until("wait").iter().for_each(|line| drop(arguments(line)));
    engine.send_all(&["set-param name=book value=false", "set-param name=variant value=normal", "init"]);
    assert_eq!(engine.line(), "ready");
    for (pos, level) in [
        (format!("pos pos={TEN}"), "level move-time=0.05"),
        (format!("pos pos={TEN} moves=\"34-30\""), "level depth=3"),
        (format!("pos pos={TEN} moves=\"34-30 17-21\""), "level nodes=1000"),
        (format!("pos pos={TEN} moves=\"34-30 17-21\""), "level time=-0.4 inc=0.5"),
        (format!("pos pos={TEN} moves=\"34-30 17-21\""), "level time=1"),
    ] {
        engine.send_all(&[&pos, level]);
        let lines = engine.go("go think");
        check_search(&lines);
        assert!(lines.last().unwrap().starts_with("done move="), "the move comes first");
    }
    engine.send("ping");
    assert_eq!(engine.line(), "pong");
    engine.quit();
}

#[test]
fn py_draughts() {
    let mut command = soffio(&["hub"]);
    command.env("SOFFIO_VARIANT", "international");
    let mut engine = Engine::spawn(command);
    engine.send("hub");
    engine.until("wait");
    engine.send("init");
    assert_eq!(engine.line(), "ready");
    engine.send("new-game");
    for level in ["level move-time=0.1", "level depth=4"] {
        engine.send_all(&[&format!("pos pos={TEN}"), level]);
        check_search(&engine.go("go think"));
    }
    engine.quit();
}

/// The Hub GUI: parameters one by one, king moves since the last irreversible move, a search it thinks better of.
#[test]
fn hub_gui() {
    let mut engine = Engine::start(&["hub"]);
    engine.send("hub");
    let lines = engine.until("wait");
    assert!(lines.iter().any(|line| line.starts_with("param name=ponder ")), "else it never ponders");
    engine.send_all(&["set-param name=variant value=normal", "set-param name=ponder value=true", "init"]);
    assert_eq!(engine.line(), "ready");
    engine.send_all(&["new-game", &format!("pos pos={TEN}"), "level moves=75 time=600", "go think"]);
    engine.send("ping");
    engine.until("pong");
    engine.send("stop");
    check_search(&engine.until("done"));
    engine.send_all(&[
        "pos pos=WWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB moves=\"1-6 50-45 6-1 45-50\"",
    ]);
    engine.send_all(&["level infinite", "go analyze"]);
    std::thread::sleep(Duration::from_millis(50));
    engine.send("stop");
    check_search(&engine.until("done"));
    engine.quit();
}
