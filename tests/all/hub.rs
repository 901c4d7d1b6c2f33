//! The Hub protocol: what a client may rely on, point by point.

use crate::drive::{Engine, argument, arguments, check_info, soffio};
use soffio::rules::RULE_SETS;
use std::time::{Duration, Instant};

const START: &str = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

/// A position string: the side to move and pieces on numbered squares.
pub fn position(turn: char, squares: usize, pieces: &[(usize, char)]) -> String {
    let mut all = vec!['e'; squares];
    pieces.iter().for_each(|&(square, piece)| all[square - 1] = piece);
    [turn].into_iter().chain(all).collect()
}

fn handshake(engine: &mut Engine) -> Vec<(Instant, String)> {
    engine.send("hub");
    engine.timed_until("wait")
}

fn gaps(lines: &[(Instant, String)]) -> Vec<Duration> {
    let mut gaps: Vec<_> = lines.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    gaps.sort();
    gaps
}

#[test]
fn lines_come_one_by_one() {
    let mut engine = Engine::start(&["hub"]);
    let gaps_of_handshake = gaps(&handshake(&mut engine));
    // A busy machine may show some together; most it does not.
    assert!(
        gaps_of_handshake[gaps_of_handshake.len() / 2] >= Duration::from_millis(2),
        "{gaps_of_handshake:?}"
    );
    engine.send("init");
    assert_eq!(engine.line(), "ready");
    let before_done = |engine: &mut Engine| {
        let gaps = (0..9).map(|_| {
            engine.send_all(&["pos", "level depth=3", "go"]);
            let lines = engine.timed_until("done");
            assert!(lines.len() >= 2);
            lines[lines.len() - 1].0 - lines[lines.len() - 2].0
        });
        let mut gaps: Vec<_> = gaps.collect();
        gaps.sort();
        gaps
    };
    let held_back = before_done(&mut engine);
    assert!(held_back[4] >= Duration::from_micros(1500), "{held_back:?}");
    engine.send("set-param name=threads value=1");
    let at_once = before_done(&mut engine);
    assert!(at_once[4] < Duration::from_micros(1500), "a client that sets parameters can read: {at_once:?}");
    engine.quit();
}

#[test]
fn declarations() {
    let mut engine = Engine::start(&["hub"]);
    let lines: Vec<_> = handshake(&mut engine).into_iter().map(|(_, line)| line).collect();
    let id = &lines[0];
    assert!(id.starts_with("id name=Soffio version="), "{id}");
    assert!(argument(id, "author").is_some_and(|author| author.contains(' ')), "a quoted single word: {id}");
    let mut names = Vec::new();
    for line in &lines[1..lines.len() - 1] {
        let pairs = arguments(line);
        let keys: Vec<_> = pairs.iter().map(|(key, _)| key.as_str()).collect();
        assert!(line.starts_with("param name="), "{line}");
        match argument(line, "type").unwrap().as_str() {
            "enum" => {
                assert_eq!(keys, ["name", "value", "type", "values"]);
                assert!(line.ends_with('"'), "values come last: {line}");
                let values = argument(line, "values").unwrap();
                assert!(values.split(' ').any(|value| Some(value) == argument(line, "value").as_deref()));
            }
            "int" => assert_eq!(keys, ["name", "value", "type", "min", "max"]),
            "bool" | "string" => assert_eq!(keys, ["name", "value", "type"]),
            other => panic!("{other}"),
        }
        names.push(argument(line, "name").unwrap());
    }
    assert_eq!(names[..6], ["variant", "rule", "numbering", "threads", "tt-size", "clear-hash"]);
    assert_eq!(
        names[6..],
        [
            "ponder",
            "multipv",
            "skill",
            "seed",
            "contempt",
            "overhead",
            "log-file",
            "show-odds",
            "weights",
            "egdb-dir",
            "egdb-pieces",
            "egdb-cache"
        ]
    );
    assert!(
        lines[1].starts_with(
            "param name=variant value=italian type=enum values=\"normal killer bt frisian losing "
        )
    );
    engine.quit();
}

#[test]
fn every_variant_is_declared_and_accepted() {
    let mut engine = Engine::start(&["hub"]);
    let line = handshake(&mut engine).swap_remove(1).1;
    let declared: Vec<_> = argument(&line, "values").unwrap().split(' ').map(str::to_owned).collect();
    for set in RULE_SETS {
        assert!(declared.iter().any(|name| name == set.id), "{}", set.id);
    }
    for name in &declared {
        engine.quiet(&format!("set-param name=variant value={name}"));
        engine.quiet("pos");
    }
    assert_eq!(
        engine.refusal("set-param name=variant value=chess"),
        "parameter 'variant': unknown variant 'chess': see `soffio rules` for the list"
    );
    engine.quit();
}

#[test]
fn the_default_variant() {
    let declared = |engine: &mut Engine| argument(&handshake(engine)[1].1, "value").unwrap();
    let mut command = soffio(&["hub"]);
    command.env("SOFFIO_VARIANT", "international");
    assert_eq!(declared(&mut Engine::spawn(command)), "normal");
    assert_eq!(declared(&mut Engine::start(&["-v", "bt"])), "bt");
    let mut ruled = Engine::start(&["-v", "italian", "--rule", "repetition=4"]);
    assert_eq!(argument(&handshake(&mut ruled)[2].1, "value").unwrap(), "repetition:4");
}

#[test]
fn info_and_done() {
    for (variant, levels) in [("italian", 7), ("international", 5), ("turkish", 4), ("frisian", 4)] {
        let mut engine = Engine::ready(variant);
        engine.send("pos");
        engine.send(&format!("level depth={levels}"));
        let lines = engine.go("go think");
        let (done, infos) = lines.split_last().unwrap();
        infos.iter().for_each(|line| assert!(check_info(line).abs() < 80.0));
        let last = infos.last().unwrap();
        assert_eq!(argument(last, "depth"), Some(levels.to_string()), "{last}");
        let names: Vec<_> = arguments(done).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["move", "ponder"], "{done}");
        assert_eq!(argument(last, "pv").unwrap().split(' ').next(), argument(done, "move").as_deref());
        engine.quit();
    }
}

#[test]
fn forced_moves_have_a_score_and_ends_have_none() {
    let mut engine = Engine::ready("italian");
    for go in ["go think", "go analyze", "go"] {
        // The man on the edge has one move.
        engine.send(&format!("pos pos={}", position('W', 32, &[(17, 'w'), (4, 'b')])));
        engine.send("level depth=6");
        let lines = engine.go(go);
        assert!(lines.len() >= 2, "{lines:?}");
        lines[..lines.len() - 1].iter().for_each(|line| assert!(check_info(line) <= 100.0));
    }
    // White has no piece: bare `done`, and nothing before it.
    engine.send(&format!("pos pos={}", position('W', 32, &[(1, 'b')])));
    assert_eq!(engine.go("go"), ["done"]);
    engine.quit();
}

#[test]
fn a_win_in_sight_is_99() {
    let mut engine = Engine::ready("italian");
    // White takes the last piece.
    engine.send(&format!("pos pos={}", position('W', 32, &[(18, 'b'), (22, 'w')])));
    engine.send("level depth=4");
    let lines = engine.go("go analyze");
    assert_eq!(argument(&lines[lines.len() - 2], "score").unwrap(), "99.99", "{lines:?}");
    engine.quit();
}

#[test]
fn a_game_that_is_drawn_is_played_on() {
    let mut engine = Engine::ready("italian");
    // Kings to and fro: the position has stood three times.
    let position = position('W', 32, &[(1, 'B'), (32, 'W')]);
    let moves = "32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1";
    engine.quiet(&format!("pos pos={position} moves=\"{moves}\""));
    engine.send("level depth=5");
    let lines = engine.go("go think");
    assert!(lines.last().unwrap().starts_with("done move="), "{lines:?}");
    assert!(lines.len() >= 2);
    engine.quit();
}

#[test]
fn levels_add_up_until_the_search() {
    let mut engine = Engine::ready("italian");
    engine.send_all(&["pos", "level depth=9", "level handicap=3", "level infinite", "level move-time=60"]);
    engine.send_all(&["set-param name=eval value=pattern", "set-param name=threads value=1"]);
    let lines = engine.go("go analyze");
    assert_eq!(argument(&lines[lines.len() - 2], "depth").unwrap(), "9", "{lines:?}");
    // The level is spent: the same `go` searches until it is stopped.
    engine.send("go analyze");
    engine.send("ping");
    engine.until("pong");
    engine.send("stop");
    let deep = engine.until("done");
    assert_ne!(argument(&deep[deep.len() - 2], "depth").unwrap(), "1");
    // And `pos` forgets it, while a bad `pos` does not.
    engine.send_all(&["level depth=1", "pos", "level nodes=3000"]);
    let lines = engine.go("go");
    assert_eq!(argument(&lines[lines.len() - 2], "nodes").unwrap(), "3000", "{lines:?}");
    engine.send("level depth=2");
    assert!(engine.refusal("pos pos=We").contains("2 characters"));
    let lines = engine.go("go");
    assert_eq!(argument(&lines[lines.len() - 2], "depth").unwrap(), "2", "{lines:?}");
    engine.quit();
}

#[test]
fn clocks_that_have_run_out_are_answered_at_once() {
    let mut engine = Engine::ready("international");
    for level in
        ["time=0.1 inc=-0.1", "time=-5", "time=0", "move-time=0", "move-time=-1", "time=0 inc=0 moves=1"]
    {
        engine.send_all(&["pos", &format!("level {level}")]);
        let start = Instant::now();
        let lines = engine.go("go think");
        assert!(start.elapsed() < Duration::from_secs(2), "{level}: {:?}", start.elapsed());
        assert!(lines.last().unwrap().starts_with("done move="), "{level}: {lines:?}");
        assert!(lines.len() >= 2, "{level}: {lines:?}");
    }
    engine.quit();
}

#[test]
fn times_are_kept() {
    let mut engine = Engine::ready("international");
    let took = |engine: &mut Engine, level: &str| {
        engine.send_all(&["pos", level]);
        let start = Instant::now();
        engine.go("go think");
        start.elapsed().as_secs_f64()
    };
    let fixed = took(&mut engine, "level move-time=0.3");
    assert!((0.25..0.6).contains(&fixed), "{fixed}");
    let clock = took(&mut engine, "level time=3 inc=0");
    assert!(clock < 1.5, "{clock}");
    let last = took(&mut engine, "level time=0.5 moves=1");
    assert!(last < 0.7, "{last}");
    engine.quit();
}

#[test]
fn idle_commands_are_passed_over() {
    let mut engine = Engine::ready("italian");
    for line in ["stop", "ponder-hit", "set-param name=book value=false", "set-param name=bb-size value=4"] {
        engine.quiet(line);
        engine.quiet(line);
    }
    engine.quiet("level handicap=2 ply=7");
    engine.quiet("pos nonsense=1 flag");
    engine.quiet("new-game");
    engine.quit();
}

#[test]
fn handshakes_can_be_repeated() {
    let mut engine = Engine::start(&["hub"]);
    let first: Vec<_> = handshake(&mut engine).into_iter().map(|(_, line)| line).collect();
    for _ in 0..2 {
        engine.send("init");
        assert_eq!(engine.line(), "ready");
        engine.quiet("new-game");
        let again: Vec<_> = handshake(&mut engine).into_iter().map(|(_, line)| line).collect();
        assert_eq!(again, first);
    }
    engine.quiet("set-param name=tt-size value=14");
    engine.send("init");
    assert_eq!(engine.line(), "ready");
    engine.quit();
}

#[test]
fn ping_is_answered_during_a_search() {
    let mut engine = Engine::ready("international");
    engine.send_all(&["pos", "level infinite", "go analyze"]);
    for _ in 0..3 {
        engine.send("ping");
        let lines = engine.until("pong");
        assert!(lines.iter().all(|line| !line.starts_with("done")), "{lines:?}");
    }
    engine.send("stop");
    assert!(engine.until("done").last().unwrap().starts_with("done move="));
    engine.quit();
}

#[test]
fn stop_is_heard_at_once() {
    let mut engine = Engine::ready("international");
    let times = (0..5).map(|_| {
        engine.send_all(&["pos", "go analyze", "ping"]);
        engine.until("pong");
        std::thread::sleep(Duration::from_millis(60));
        let start = Instant::now();
        engine.send("stop");
        engine.until("done");
        start.elapsed()
    });
    let best = times.min().unwrap();
    assert!(best < Duration::from_millis(50), "{best:?}");
    engine.quit();
}

#[test]
fn other_commands_end_the_search_and_wait_for_it() {
    let mut engine = Engine::ready("italian");
    engine.send_all(&["pos", "go analyze", "ping"]);
    engine.until("pong");
    engine.send_all(&["hub", "ping", "pos", "level depth=3", "go", "init", "nonsense"]);
    let done = engine.until("done");
    assert!(done.iter().all(|line| line.starts_with("info ") || line.starts_with("done ")), "{done:?}");
    let hub = engine.until("wait");
    assert!(hub[0].starts_with("id "));
    assert_eq!(engine.line(), "pong");
    assert!(engine.until("done").last().unwrap().starts_with("done move="));
    assert_eq!(engine.line(), "ready");
    assert!(engine.line().contains("unknown command 'nonsense'"));
    // An empty line ends a search too, as with Scan.
    engine.send_all(&["pos", "go analyze", ""]);
    engine.until("done");
    assert_eq!(engine.line(), "error message=\"missing command\"");
    engine.quit();
}

#[test]
fn quit_and_the_end_of_the_input_end_a_search() {
    for closing in [true, false] {
        let mut engine = Engine::ready("international");
        engine.send_all(&["pos", "go analyze", "ping"]);
        engine.until("pong");
        if closing {
            engine.close();
        } else {
            engine.send("quit");
        }
        let (status, time) = engine.exit();
        assert_eq!(status.code(), Some(0));
        assert!(time < Duration::from_millis(1500), "{time:?}");
    }
    let mut idle = Engine::ready("italian");
    idle.close();
    assert_eq!(idle.exit().0.code(), Some(0));
}

#[test]
fn pondering() {
    let mut engine = Engine::ready("international");
    // On the opponent's time the clock does not count.
    engine.send_all(&["pos", "level move-time=0.05", "go ponder"]);
    std::thread::sleep(Duration::from_millis(200));
    engine.send("ping");
    let lines = engine.until("pong");
    assert!(lines.iter().all(|line| !line.starts_with("done")), "{lines:?}");
    // The time has been used when the hit comes: the answer is due.
    let start = Instant::now();
    engine.send("ponder-hit");
    assert!(engine.until("done").last().unwrap().starts_with("done move="));
    assert!(start.elapsed() < Duration::from_secs(1));
    // A miss is a stop, and the next search is a new one.
    engine.send_all(&["pos", "level time=60", "go ponder", "ping"]);
    engine.until("pong");
    engine.send_all(&["stop", "stop", "ponder-hit"]);
    engine.until("done");
    engine.send_all(&["pos moves=\"32-28\"", "level depth=3"]);
    assert!(engine.go("go think").last().unwrap().starts_with("done move="));
    engine.quit();
}

#[test]
fn positions_and_moves() {
    let mut engine = Engine::ready("italian");
    let fen = |engine: &mut Engine| engine.ask("fen").remove(0);
    engine.quiet("pos start moves=22-18");
    let after = fen(&mut engine);
    assert!(after.starts_with("B:W18,21,23"), "{after}");
    // A bad position leaves the former one.
    for (bad, why) in [
        ("pos pos=Wwwe", "bad position: 4 characters, but this board needs 33"),
        ("pos pos=\"\"", "bad position: 0 characters, but this board needs 33"),
        ("pos pos", "bad position: missing value of 'pos'"),
        (
            "pos pos=Wweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeb",
            "bad position: square 1 has a man on its promotion row; square 32 has a man on its promotion row",
        ),
        ("pos pos=Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeew", "bad position: Black is not to move and has no pieces"),
        (
            "pos pos=Xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeew",
            "bad position, column 1: found 'X' instead of the side to move, W or B",
        ),
        ("pos pos=a pos=b", "'pos' is given twice"),
    ] {
        assert_eq!(engine.refusal(bad), why);
        assert_eq!(fen(&mut engine), after);
    }
    // A bad move leaves those before it.
    assert_eq!(engine.refusal("pos moves=\"22-18 11-15 1-2 3-4\""), "move 3: illegal move '1-2'");
    assert!(fen(&mut engine).starts_with("W:W18,21,23"));
    assert!(engine.refusal("pos moves=\"22-\"").starts_with("move 1: bad move '22-', column 4"));
    engine.quiet(&format!("pos pos={START} moves=\"22-18 11-14 18x11x14\""));
    engine.quit();
}

#[test]
fn captures_are_read_in_any_order_and_written_ascending() {
    let mut engine = Engine::ready("international");
    let position = position('W', 50, &[(28, 'w'), (23, 'b'), (13, 'b'), (48, 'w'), (5, 'b')]);
    engine.send(&format!("pos pos={position}"));
    engine.send("level depth=2");
    assert_eq!(argument(engine.go("go").last().unwrap(), "move").unwrap(), "28x8x13x23");
    engine.quiet(&format!("pos pos={position} moves=28x8x23x13"));
    engine.quit();
}

#[test]
fn numberings() {
    let mut engine = Engine::ready("russian");
    let start = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
    assert!(engine.refusal(&format!("pos pos={start} moves=10-14")).contains("illegal move '10-14'"));
    engine.quiet("set-param name=numbering value=pydraughts");
    engine.quiet(&format!("pos pos={start} moves=10-14"));
    assert!(engine.ask("fen")[0].starts_with("B:W18,21,"), "c3-d4 is played");
    engine.quiet("set-param name=variant value=english");
    engine.quiet(&format!("pos pos={start} moves=11-15"));
    assert!(engine.ask("fen")[0].starts_with("W:W21,"), "the string is turned round");
    engine.quit();
}

#[test]
fn parameters_take_effect_at_once() {
    let mut engine = Engine::ready("italian");
    engine.quiet("pos moves=22-18");
    // The same rules again change nothing; others begin at their start.
    engine.quiet("set-param name=variant value=dama");
    assert!(engine.ask("fen")[0].starts_with("B:W18,"));
    engine.quiet("set-param name=rule value=\"repetition=4\"");
    assert!(engine.ask("fen")[0].starts_with("W:W21,"));
    engine.quiet("set-param name=variant value=frisian");
    assert!(engine.ask("fen")[0].starts_with("W:W31,"));
    engine.quiet("set-param name=variant value=english");
    engine.quiet("set-param name=rule value=first:white");
    assert!(engine.ask("fen")[0].starts_with("W:"));
    engine.quiet("set-param name=rule value=\"\"");
    assert!(engine.ask("fen")[0].starts_with("B:"));
    for (line, why) in [
        ("set-param", "missing name"),
        ("set-param name=threads", "parameter 'threads': missing value"),
        ("set-param value=1", "missing name"),
        (
            "set-param name=threads value=0",
            "parameter 'threads': bad value '0': expected a number from 1 to 256",
        ),
        ("set-param name=ponder value=no", "parameter 'ponder': bad value 'no': expected true or false"),
        ("set-param name=rule value=x=1", "stray '=', column 28: a name is due"),
    ] {
        assert_eq!(engine.refusal(line), why);
    }
    engine.quit();
}

/// The lidraughts site's extension: which king has moved how often in a row (Frisian).
#[test]
fn king_moves_with_a_position() {
    let mut engine = Engine::ready("frisian");
    let position = position('W', 50, &[(28, 'W'), (45, 'w'), (5, 'B'), (16, 'b')]);
    engine.quiet(&format!("pos pos={position}"));
    assert!(engine.ask("moves")[0].contains("28-"));
    engine.quiet(&format!("pos pos={position} wolf=\"W28=2 B5=1\" moves=\"28-32\""));
    engine.quiet(&format!("pos pos={position} wolf=\"W28=3\""));
    assert_eq!(engine.ask("moves"), ["45-40"]);
    assert!(engine.refusal(&format!("pos pos={position} wolf=\"W28=4\"")).contains("bad king moves 'W28=4'"));
    for (wolf, why) in [
        ("W29=1", "name 29, where it has no king"),
        ("W29=0", "name 29, where it has no king"),
        ("W5=1", "name 5, where it has no king"),
        ("W28=1 W28=2", "king moves of White are given twice"),
        (&"W28=x".repeat(9999), "..."),
    ] {
        let refusal = engine.refusal(&format!("pos pos={position} wolf=\"{wolf}\""));
        assert!(refusal.contains(why) && refusal.len() < 200, "{refusal}");
    }
    for line in ["pos wolf=\"W28=1\"".to_owned(), format!("pos start pos={position} wolf=\"W28=1\"")] {
        assert_eq!(engine.refusal(&line), "bad position: wolf= needs pos=, without start");
    }
    engine.quit();
    let mut italian = Engine::ready("italian");
    let position = self::position('W', 32, &[(18, 'W'), (30, 'w'), (5, 'b')]);
    assert!(italian.refusal(&format!("pos pos={position} wolf=W18=1")).contains("stray"));
    assert!(italian.refusal(&format!("pos pos={position} wolf=\"W18=1\"")).contains("does not limit"));
    italian.quit();
}

/// What is written is read back as the same state: the tired king stays tired.
#[test]
fn king_moves_are_part_of_a_fen() {
    let mut engine = Engine::ready("frisian");
    let position = position('W', 50, &[(28, 'W'), (45, 'w'), (5, 'B'), (16, 'b')]);
    engine.quiet(&format!("pos pos={position} moves=\"28-33 5-10 33-39 10-5 39-33\""));
    let fen = engine.ask("fen").remove(0);
    assert_eq!(fen, "B:WK33,45:BK5,16:+25+333");
    engine.ask("W:WK1:B2");
    engine.ask(&format!("fen {fen}"));
    assert_eq!(engine.ask("fen"), [fen]);
    engine.ask("help");
    engine.ask("5-10");
    assert_eq!(engine.ask("moves"), ["45-40"]);
    // A man's move begins anew.
    engine.ask("45-40");
    assert_eq!(engine.ask("fen"), ["B:WK33,40:BK10,16:+310+0"]);
    engine.quit();
}

#[test]
fn lines_that_are_no_commands() {
    let mut engine = Engine::ready("italian");
    for (line, why) in [
        ("", "missing command"),
        ("  \t ", "missing command"),
        ("foo", "unknown command 'foo'; help lists the commands"),
        ("set NAME VALUE", "unknown command 'set'; help lists the commands"),
        ("pos moves=\"22-18", "unterminated quote, column 11"),
        ("pos = x", "stray '=', column 5: a name is due"),
        ("pos \"x\"", "stray quote, column 5: a quote opens after '=' and closes before a blank"),
        ("level depth=", "missing value of 'depth', column 13"),
        ("level depth=\u{1}", "control character U+0001, column 13"),
        (
            "level move-time=abc",
            "bad level: bad number 'abc' for 'move-time': expected seconds, at most 1000000000",
        ),
        ("level time=nan", "bad level: bad number 'nan' for 'time': expected seconds, at most 1000000000"),
        (
            "level depth=-1",
            "bad level: bad number '-1' for 'depth': expected a whole number, at most 4294967295",
        ),
        (
            "level nodes=99999999999999999999",
            "bad level: bad number '99999999999999999999' for 'nodes': expected a whole number, at most 18446744073709551615",
        ),
        (
            "level time=1e300",
            "bad level: bad number '1e300' for 'time': expected seconds, at most 1000000000",
        ),
    ] {
        assert_eq!(engine.refusal(line), why, "{line}");
    }
    let long = "x".repeat(1 << 19);
    for line in ["A", "set-param name=A", "set-param name=threads value=A", "set-param name=rule value=A"]
        .into_iter()
        .chain([
            "set-param name=variant value=A",
            "level depth=A",
            "pos moves=A",
            "pos pos=A",
            "show A",
            "pos A=",
        ])
    {
        let refusal = engine.refusal(&line.replace('A', &long));
        assert!(refusal.len() < 250, "{line}: {refusal}");
    }
    engine.send_bytes(b"po\xffs\nping\n");
    assert_eq!(engine.line(), "error message=\"bad line: byte 3 is not UTF-8\"");
    assert_eq!(engine.line(), "pong");
    engine.send_bytes(&vec![b'x'; 3 << 20]);
    engine.send_bytes(b"\r\nping\r\n");
    assert_eq!(engine.line(), "error message=\"bad line: longer than 1048576 bytes\"");
    assert_eq!(engine.line(), "pong");
    engine.quit();
}

#[test]
fn a_person_finds_help() {
    let mut engine = Engine::start(&[]);
    let before = engine.refusal("22-18");
    assert!(before.starts_with("unknown command '22-18'"), "moves are for people: {before}");
    assert!(engine.ask("help").len() > 10);
    assert!(engine.ask("show").concat().contains("White to move"));
    assert!(engine.ask("1. 22-18 11-14").last().unwrap().contains("White to move"));
    assert!(engine.ask("moves").concat().contains("18x11"));
    assert!(engine.ask("undo").last().unwrap().contains("Black to move"));
    assert!(engine.ask("W:WK31:BK5").last().unwrap().contains("White to move"));
    assert_eq!(engine.ask("fen"), ["W:WK31:BK5"]);
    assert_eq!(engine.refusal("undo"), "nothing to take back");
    assert_eq!(engine.refusal("fen W:W99"), "impossible position: square 99 is off the board");
    assert_eq!(engine.refusal("22-18"), "illegal move '22-18'");
    for word in ["help", "show", "moves", "undo", "eval"] {
        let why = format!("unknown argument 'x y': {word} takes none");
        assert_eq!(engine.refusal(&format!("{word} x y")), why);
    }
    assert!(engine.ask("eval").last().unwrap().starts_with("score "));
    engine.quiet("");
    engine.quit();
}

/// `protocol.md` shows what is said.
#[test]
fn the_examples_of_the_specification_are_real() {
    let text = include_str!("../../protocol.md");
    for (dialect, least) in [("hub", 5), ("uci", 3)] {
        let blocks: Vec<_> = text.split(&format!("```{dialect}\n")).skip(1).collect();
        assert!(blocks.len() > least);
        for block in blocks {
            let mut engine = Engine::start(&[dialect]);
            let mut ahead = None;
            for line in block.split("```").next().unwrap().lines() {
                match line.split_once(' ').unwrap_or((line, "")) {
                    (">", sent) => engine.send(sent),
                    ("<", shown) => ahead = expect(&mut engine, ahead, shown),
                    _ => panic!("{line}"),
                }
            }
            assert_eq!(ahead, None);
        }
    }
}

/// Reads what is shown, from the line `ahead` on; `...` stands for anything. An `info` line stands for any
/// number of them, of which one fits; then the line after them is read already, and given back. Other lines may have
/// `info` lines before them, as a search goes on.
fn expect(engine: &mut Engine, ahead: Option<String>, shown: &str) -> Option<String> {
    let fits = |answer: &str| match shown.split_once("...") {
        Some((start, end)) => {
            answer.strip_prefix(start).is_some_and(|rest| rest.ends_with(end.trim_end_matches("...")))
        }
        None => answer == shown,
    };
    let is_news = |line: &str| line.starts_with("info ") && !line.starts_with("info string");
    let of_search = is_news(shown);
    let mut found = false;
    let mut answer = ahead.unwrap_or_else(|| engine.line());
    while is_news(&answer) {
        found |= fits(&answer);
        answer = engine.line();
    }
    assert!(if of_search { found } else { fits(&answer) }, "shown: {shown}\nanswered: {answer}");
    of_search.then_some(answer)
}

/// The score in the console's `eval` says which evaluation there is.
#[test]
fn weights_are_chosen() {
    let mut engine = Engine::ready("italian");
    let mut terms = |param: &str| {
        engine.send(param);
        engine.send("eval");
        engine.until("score").join("\n")
    };
    let embedded = terms("stop");
    let hand_made = terms("set-param name=weights value=none");
    assert!(embedded.contains("patterns") && !hand_made.contains("patterns"), "{embedded} {hand_made}");
    assert_eq!(terms("set-param name=weights value=\"\""), embedded);
    let refused = terms("set-param name=weights value=/no/such/file");
    assert!(
        refused.starts_with("error message=\"parameter 'weights': cannot read '/no/such/file': "),
        "{refused}"
    );
    assert!(refused.contains("patterns"));
    let foreign = terms("set-param name=weights value=Cargo.toml");
    assert!(
        foreign.starts_with("error message=\"parameter 'weights': 'Cargo.toml': damaged weights: "),
        "{foreign}"
    );
    engine.quit();
}
