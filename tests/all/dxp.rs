//! DXP over real sockets: the engine in both roles against a hand-made other side and against a second Soffio, with cut
//! connections, messages in pieces and garbage; and DXP engines in matches.

use crate::drive::{Engine, done, failed, run};
use serde_json::Value;
use soffio::engine::{self, Notation, Session};
use soffio::rng::Rng;
use soffio::rules::{Game, find};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

/// The other side of a conversation.
struct Peer(TcpStream);

impl Peer {
    fn connect(address: &str) -> Self {
        Self::new(TcpStream::connect(address).unwrap())
    }

    fn accept(listener: &TcpListener) -> Self {
        Self::new(listener.accept().unwrap().0)
    }

    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    fn send(&mut self, text: &str) {
        self.0.write_all(format!("{text}\0").as_bytes()).unwrap();
    }

    /// The next message; `None` at the end.
    fn next(&mut self) -> Option<String> {
        let mut text = Vec::new();
        let mut byte = [0];
        loop {
            match self.0.read(&mut byte) {
                Ok(0) => return None,
                Ok(_) if byte[0] == 0 => return Some(String::from_utf8(text).unwrap()),
                Ok(_) => text.push(byte[0]),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next message but chat.
    fn hear(&mut self) -> String {
        loop {
            let text = self.next().expect("the connection is open");
            if !text.starts_with('C') {
                return text;
            }
        }
    }

    /// Asks for a game, with the engine on a side, and hears yes.
    fn begin(&mut self, side: char, minutes: u32, moves: u32) {
        self.send(&format!("R01{:32}{side}{minutes:03}{moves:03}A", "Test"));
        let answer = self.hear();
        assert!(answer.starts_with("ASoffio ") && answer.len() == 34 && answer.ends_with('0'), "{answer}");
    }
}

fn follower(args: &[&str]) -> (Engine, String) {
    let mut engine = Engine::start(&[&["dxp", "--listen", "127.0.0.1:0", "--nodes", "300"], args].concat());
    let line = engine.line();
    let address = line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
    (engine, address)
}

fn session() -> Box<dyn Session> {
    engine::open(Game::new(find("international").unwrap()))
}

/// Plays a move as DXP says it.
fn play(session: &mut dyn Session, text: &str) {
    assert!(text.starts_with('M'), "{text}");
    let field = |at: usize| text[at..at + 2].parse::<u32>().unwrap();
    let captured: Vec<u32> = (0..field(9) as usize).map(|index| field(11 + 2 * index)).collect();
    let mut mv = format!("{}{}{}", field(5), if captured.is_empty() { '-' } else { 'x' }, field(7));
    captured.iter().for_each(|square| mv.push_str(&format!("x{square}")));
    session.play(&mv, Notation::HUB).unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// A legal move by chance, as DXP says it.
fn random_move(session: &mut dyn Session, rng: &mut Rng) -> Option<String> {
    let moves = session.legal_moves(Notation::HUB);
    let mv = moves.get(rng.below(moves.len().max(1)))?.clone();
    session.play(&mv, Notation::HUB).unwrap();
    let squares: Vec<u32> = mv.split(['-', 'x']).map(|square| square.parse().unwrap()).collect();
    let captured: String = squares[2..].iter().map(|square| format!("{square:02}")).collect();
    Some(format!("M0000{:02}{:02}{:02}{captured}", squares[0], squares[1], squares.len() - 2))
}

/// Plays a whole game against an engine; the engine has the last word. Gives it.
fn game(peer: &mut Peer, mut engine_to_move: bool, rng: &mut Rng) -> String {
    let mut session = session();
    loop {
        if engine_to_move {
            let text = peer.hear();
            if text.starts_with('E') {
                peer.send("E00");
                return text;
            }
            play(&mut *session, &text);
        } else if session.verdict().is_some() {
            peer.send("E10");
            assert_eq!(peer.hear(), "E00");
            return "ours".to_owned();
        } else {
            let text = random_move(&mut *session, rng).unwrap();
            peer.send(&text);
        }
        engine_to_move = !engine_to_move;
    }
}

#[test]
fn games_in_a_row_as_follower() {
    let (mut engine, address) = follower(&[]);
    let mut rng = Rng::new(7);
    for _ in 0..2 {
        let mut peer = Peer::connect(&address);
        assert!(engine.line().starts_with("connected: 127.0.0.1:"));
        for number in 1..=2 {
            let side = ['W', 'Z'][number % 2];
            peer.begin(side, 5, 0);
            assert!(engine.line().starts_with(&format!("game {number}: ")));
            game(&mut peer, side == 'W', &mut rng);
            let line = engine.line();
            assert!(line.starts_with(&format!("game {number}: ")) && line.contains(" plies"), "{line}");
        }
    }
}

#[test]
fn messages_in_pieces_and_together() {
    let (_engine, address) = follower(&[]);
    let mut peer = Peer::connect(&address);
    peer.0.set_nodelay(true).unwrap();
    for byte in format!("R01{:32}W005000A\0", "Slow").bytes() {
        peer.0.write_all(&[byte]).unwrap();
        thread::sleep(Duration::from_millis(2));
    }
    assert!(peer.hear().ends_with('0'));
    let mut session = session();
    play(&mut *session, &peer.hear());
    let reply = random_move(&mut *session, &mut Rng::new(1)).unwrap();
    peer.0.write_all(format!("Chello\0\0C\0{reply}\0Cbye\0").as_bytes()).unwrap();
    loop {
        match peer.next().unwrap() {
            text if text.starts_with('C') => assert_eq!(text, "Cerror: empty message"),
            text => break play(&mut *session, &text),
        }
    }
}

#[test]
fn a_cut_connection_is_not_the_end() {
    let (mut engine, address) = follower(&[]);
    for _ in 0..3 {
        let mut peer = Peer::connect(&address);
        peer.begin('W', 5, 0);
        assert!(peer.hear().starts_with('M'));
        drop(peer);
        engine.line();
        assert_eq!(engine.line(), "game 1: White against Test, 5 min");
        assert_eq!(engine.line(), "game 1: *, the connection is cut, 1 plies");
    }
    // During a search, with half a message.
    let (mut engine, address) = follower_without_limit();
    let mut peer = Peer::connect(&address);
    peer.begin('W', 100, 0);
    peer.0.write_all(b"M00").unwrap();
    let cut = Instant::now();
    drop(peer);
    while engine.line() != "game 1: *, the connection is cut, 0 plies" {}
    assert!(cut.elapsed() < Duration::from_secs(5), "a search goes on for nobody");
    Peer::connect(&address).begin('W', 1, 0);
}

fn follower_without_limit() -> (Engine, String) {
    let mut engine = Engine::start(&["dxp", "--listen", "127.0.0.1:0", "--hash", "1"]);
    let address = engine.line().strip_prefix("listening on ").unwrap().to_owned();
    (engine, address)
}

#[test]
fn what_comes_during_a_search() {
    let (_engine, address) = follower_without_limit();
    let mut peer = Peer::connect(&address);
    peer.begin('W', 100, 0);
    let asked = Instant::now();
    peer.send("Cthinking?");
    peer.send("M0000192300");
    assert_eq!(peer.next().as_deref(), Some("Cerror: a move out of turn"));
    peer.send(&format!("R01{:32}W005000A", "Test"));
    assert!(peer.hear().ends_with('2'), "a game is on");
    peer.send("B009W");
    assert_eq!(peer.hear(), "K2");
    peer.send("B001W");
    assert_eq!(peer.hear(), "K0");
    peer.send("E21");
    assert_eq!(peer.hear(), "E01");
    assert_eq!(peer.next(), None, "the other side wants no other game");
    assert!(asked.elapsed() < Duration::from_secs(10));
}

#[test]
fn going_back() {
    let (_engine, address) = follower(&[]);
    let mut peer = Peer::connect(&address);
    peer.begin('Z', 5, 0);
    let mut moves = vec!["M0000322800".to_owned()];
    for _ in 0..2 {
        let mut session = session();
        moves.iter().for_each(|text| play(&mut *session, text));
        peer.send(moves.last().unwrap());
        let answer = peer.hear();
        play(&mut *session, &answer);
        moves.push(answer);
        moves.push(random_move(&mut *session, &mut Rng::new(3)).unwrap());
    }
    moves.truncate(2);
    peer.send("B002W");
    assert_eq!(peer.hear(), "K0");
    // On from there, with another move.
    let mut session = session();
    moves.iter().for_each(|text| play(&mut *session, text));
    peer.send(&random_move(&mut *session, &mut Rng::new(4)).unwrap());
    play(&mut *session, &peer.hear());
}

#[test]
fn garbage_ends_a_connection_and_nothing_else() {
    let (mut engine, address) = follower(&[]);
    let mut rng = Rng::new(99);
    let mut peer = Peer::connect(&address);
    let reader = peer.0.try_clone().unwrap();
    let mut reader = Peer(reader);
    let answers = thread::spawn(move || std::iter::from_fn(|| reader.next()).count());
    let mut garbage: Vec<u8> = (0..200_000).map(|_| rng.next_u64() as u8).collect();
    garbage.extend([0; 40]);
    // The engine may have closed its end by then.
    let _ = peer.0.write_all(&garbage);
    assert!(answers.join().unwrap() <= 32);
    Peer::connect(&address).begin('W', 5, 0);
    // A megabyte without an end.
    let (_engine, address) = follower(&[]);
    let mut peer = Peer::connect(&address);
    peer.0.write_all(&vec![b'M'; 3 << 20]).unwrap();
    peer.send("");
    peer.begin('W', 5, 0);
    engine.close();
}

#[test]
fn two_engines() {
    for (asker, other) in [("--connect", "follower"), ("--listen", "initiator")] {
        let role = if asker == "--connect" { "follower" } else { "initiator" };
        let listen = ["--role", role, "--games", "3", "--side", "black", "--once"];
        let (mut listener, address) = follower(&listen);
        let mut connector = vec!["dxp", "--connect", &address, "--nodes", "400", "--games", "3"];
        if other == "initiator" {
            connector.extend(["--role", "follower"]);
        }
        let report = done(&connector, "");
        let mut lines = Vec::new();
        let (asked, followed) = loop {
            lines.push(listener.line());
            let ends = lines.iter().filter(|line| line.ends_with(" plies")).count();
            let tally = lines.iter().any(|line| line.starts_with("3 games: "));
            if ends == 3 && (tally || role == "follower") {
                let own = report.lines().map(str::to_owned).collect::<Vec<_>>();
                break if role == "follower" { (own, lines) } else { (lines, own) };
            }
        };
        let results = |lines: &[String]| {
            let ends = lines.iter().filter(|line| line.ends_with(" plies"));
            ends.map(|line| line.split([',', ':']).nth(1).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(results(&asked), results(&followed));
        assert_eq!(results(&asked).len(), 3);
        assert!(asked.last().unwrap().starts_with("3 games: "), "{asked:?}");
        assert_eq!(listener.exit().0.code(), Some(0));
    }
}

/// An initiator against somebody who is not as he should be.
#[test]
fn an_initiator_that_is_let_down() {
    let try_with = |act: fn(&mut Peer)| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let other = thread::spawn(move || {
            let mut peer = Peer::accept(&listener);
            let asked = peer.hear();
            assert!(asked.starts_with("R01Soffio ") && asked.ends_with("Z007050A"), "{asked}");
            act(&mut peer);
        });
        let args = ["dxp", "--connect", &address, "--minutes", "7", "--moves", "50", "--nodes", "300"];
        let end = failed(&args, "");
        other.join().unwrap();
        end
    };
    let (code, error) = try_with(|peer| peer.send(&format!("A{:32}2", "Shy")));
    assert_eq!((code, error.as_str()), (1, "soffio: 1 games have not been played\n"));
    let (code, error) = try_with(|_| {});
    assert_eq!((code, error.as_str()), (1, "soffio: 1 games have not been played\n"));
    let (code, error) = try_with(|peer| {
        peer.send(&format!("A{:32}0", "Brief"));
        assert!(peer.hear().starts_with('M'));
    });
    assert_eq!((code, error.as_str()), (1, "soffio: game 1: *, the connection is cut, 1 plies\n"));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (code, error) = failed(&["dxp", "--connect", &closed], "");
    assert!(code == 1 && error.starts_with(&format!("soffio: {closed}: ")), "{error}");
}

#[test]
fn other_boards_are_refused() {
    let (code, error) = failed(&["match", "--compliance", "proto=dxp"], "");
    assert_eq!(
        (code, error.as_str()),
        (2, "soffio: --compliance \"proto=dxp\": the checks are for Hub engines\n")
    );
    let (code, error) = failed(&["dxp", "-v", "italian"], "");
    assert_eq!(code, 2);
    assert_eq!(
        error,
        "soffio: DXP plays on the 50 squares of the 10x10 board, and italian has 32: give -v international\n"
    );
    let mut engine = Engine::start(&[]);
    engine.send("dxp");
    assert!(engine.line().starts_with("error: DXP plays on the 50 squares"));
    let (code, error) = failed(&["dxp", "--fen", "W:W99"], "");
    assert!(code == 1 && error.starts_with("soffio: impossible position"), "{error}");
}

/// The summary of a match that is played to its end.
fn summary(engines: &[&str], rest: &[&str]) -> Value {
    let mut args = vec!["match", "-v", "international", "--json", "-"];
    engines.iter().for_each(|engine| args.extend(["--engine", engine]));
    args.extend(rest);
    let output = run(&args, b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {} {errors}", output.status);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {args:?} {errors}"))
}

const FAULTS: [&str; 7] =
    ["time_losses", "illegal", "malformed", "crashes", "early_exits", "stalls", "floods"];

/// Checks that no engine was at fault, and gives the number of games.
fn sound(summary: &Value) -> u64 {
    for engine in summary["engines"].as_array().unwrap() {
        let faults = FAULTS.iter().filter(|name| engine[**name].as_u64().unwrap_or(0) > 0);
        assert_eq!(faults.count(), 0, "{summary}");
    }
    let ends = summary["ends"].to_string();
    assert!(!ends.contains("resignation") && !ends.contains("crash") && !ends.contains("exit"), "{ends}");
    summary["games"].as_u64().unwrap()
}

#[test]
fn matches_between_dialects() {
    let engines = [
        "name=dxp proto=dxp tc=60 option.nodes=300 option.hash=1",
        "name=hub nodes=300 option.tt-size=16",
        "name=other proto=dxp tc=60 args='dxp --once --listen {addr} --nodes 200 --hash 1'",
    ];
    let summary = summary(&engines, &["--rounds", "2", "--concurrency", "2", "--maxmoves", "60"]);
    assert_eq!(sound(&summary), 12);
}

#[test]
fn matches_with_engines_that_run_already() {
    let (_engine, address) = follower(&["--hash", "1"]);
    let running = format!("name=running proto=dxp addr={address} tc=60+1");
    let hub = "name=hub nodes=300 option.tt-size=16";
    let rest = ["--rounds", "2", "--maxmoves", "40"];
    assert_eq!(sound(&summary(&[&running, hub], &rest)), 4);
    assert_eq!(sound(&summary(&[hub, &running], &rest)), 4, "and once more");
}

#[test]
fn matches_with_engines_that_ask() {
    let file = std::env::temp_dir().join(format!("soffio-dxp-{}.fen", std::process::id()));
    std::fs::write(&file, "W:W31-50:B1-20\n").unwrap();
    let openings = format!("file={}", file.display());
    let asker = "name=asker proto=dxp connects=on asks=on tc=300 option.nodes=300 option.hash=1";
    let hub = "name=hub nodes=300 option.tt-size=16";
    let rest = ["--rounds", "2", "--maxmoves", "40", "--openings", &openings];
    let summary = summary(&[asker, hub], &rest);
    assert_eq!(sound(&summary), 4);
    std::fs::remove_file(file).unwrap();
}

/// An engine with one trick: what it answers to the first move or game.
fn with_trick(act: fn(&mut Peer)) -> Value {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut peer = Peer::new(stream.unwrap());
            while let Some(text) = peer.next() {
                match text.chars().next() {
                    Some('R') => {
                        peer.send(&format!("A{:32}0", "Tricky"));
                        act(&mut peer);
                    }
                    Some('E') => peer.send("E00"),
                    _ => {}
                }
            }
        }
    });
    let tricky = format!("name=tricky proto=dxp addr={address} tc=60");
    let rest = ["--rounds", "1", "--openings", "file=builtin plies=2"];
    summary(&["name=good nodes=100 option.tt-size=16", &tricky], &rest)
}

#[test]
fn faults_have_names() {
    let ends = |act| with_trick(act)["ends"].clone();
    let illegal = ends(|peer| peer.send("M0000010600"));
    assert_eq!(illegal.as_object().unwrap().keys().collect::<Vec<_>>(), ["illegal move"], "{illegal}");
    let resigned = ends(|peer| peer.send("E10"));
    assert_eq!(resigned.as_object().unwrap().keys().collect::<Vec<_>>(), ["resignation"], "{resigned}");
    let left = ends(|peer| peer.0.shutdown(std::net::Shutdown::Both).unwrap());
    assert_eq!(left.as_object().unwrap().keys().collect::<Vec<_>>(), ["early exit"], "{left}");
    // It chats, wants to go back, says nonsense, confirms twice; and then gives up.
    let odd = ends(|peer| {
        ["Chello", "B001W", "X", "E", "A", "K0", "E10"].iter().for_each(|text| peer.send(text));
        assert_eq!(peer.hear(), "K2");
    });
    assert_eq!(odd.as_object().unwrap().keys().collect::<Vec<_>>(), ["resignation"], "{odd}");
}

#[test]
fn engines_that_do_not_get_ready_are_named() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let good = "name=good nodes=1";
    for (engine, variant, why) in [
        (format!("name=bad proto=dxp tc=60 patience=1 addr={closed}"), "international", closed.as_str()),
        ("name=bad proto=dxp tc=60".to_owned(), "italian", "DXP plays on the 50 squares"),
        ("name=bad proto=dxp tc=60 option.fly=1".to_owned(), "international", "it has ended: exit status: 2"),
    ] {
        let (code, error) = failed(&["match", "-v", variant, "--engine", good, "--engine", &engine], "");
        assert_eq!(code, 1, "{error}");
        assert!(error.contains(&format!("engine 'bad' does not start: {why}")), "{error}");
    }
}

/// The examples of protocol.md: `>` is sent to a follower, `<` is its answer, `...` stands for anything.
#[test]
fn the_examples_are_real() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md")).unwrap();
    let mut lines = 0;
    for example in text.split("```dxp\n").skip(1) {
        let (_engine, address) = follower(&[]);
        let mut peer = Peer::connect(&address);
        for line in example.split("```").next().unwrap().lines() {
            match line.split_at(2) {
                ("> ", text) => peer.send(text),
                ("< ", wanted) => {
                    let answer = peer.next().unwrap();
                    let fits = match wanted.split_once("...") {
                        // Within a quotation the points are what they are.
                        Some((before, after)) if !before.contains('\'') => {
                            answer.starts_with(before) && answer.ends_with(after)
                        }
                        _ => answer == wanted,
                    };
                    assert!(fits, "{answer} instead of {wanted}");
                }
                _ => panic!("{line}"),
            }
            lines += 1;
        }
    }
    assert!(lines > 10, "{lines} lines");
}
