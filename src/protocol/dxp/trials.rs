//! Trials of a conversation without a socket: scripts, and messages by the hundred thousand.

use super::dialogue::{Dialogue, Due, Reaction, check_game, step_of};
use super::link::Frames;
use super::message::{Answer, BackAnswer, GameReq, LONGEST, Message, Reason};
use crate::board::Side;
use crate::engine::{self, Notation, Session};
use crate::rng::Rng;
use crate::rules::{Game, RULE_SETS, find};
use crate::search::Limits;
use std::io::Read;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const START: &str = "R01Test                            W005000A";

fn session(id: &str) -> Box<dyn Session> {
    engine::open(Game::new(find(id).unwrap()))
}

/// A conversation and what is said in it.
struct Trial {
    session: Box<dyn Session>,
    dialogue: Dialogue,
}

impl Trial {
    fn new(id: &str) -> Self {
        Self { session: session(id), dialogue: Dialogue::new(Limits::default()) }
    }

    fn react(&mut self, text: &str) -> Reaction {
        self.dialogue.hear(&mut *self.session, Message::parse(text).unwrap())
    }

    /// The messages that answer a message.
    fn hear(&mut self, text: &str) -> Vec<String> {
        self.react(text).send.iter().map(ToString::to_string).collect()
    }

    /// The code of the GAMEACC that answers a request.
    fn answer(&mut self, text: &str) -> char {
        let answers = self.hear(text);
        assert!(answers[0].starts_with("ASoffio "), "{answers:?}");
        answers[0].chars().last().unwrap()
    }

    fn due(&self) -> Due {
        self.dialogue.due(&*self.session)
    }

    /// The clock of the search that is due: its time, and the moves it must last for.
    fn clock(&self) -> (Duration, Option<u32>) {
        match self.due() {
            Due::Think(limits) => limits.clock.map(|clock| (clock.time, clock.moves)).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Makes our move, after so many seconds.
    fn play(&mut self, mv: &str, seconds: u64) -> String {
        let time = Duration::from_secs(seconds);
        self.dialogue.moved(&mut *self.session, mv, time, None).unwrap().to_string()
    }
}

#[test]
fn a_game_as_follower() {
    let mut trial = Trial::new("international");
    assert_eq!(trial.due(), Due::Nothing);
    assert_eq!(trial.answer(START), '0');
    assert_eq!(trial.clock(), (5 * MINUTE, None));
    assert_eq!(trial.play("32-28", 61), "M0061322800");
    assert_eq!(trial.due(), Due::Nothing);
    assert_eq!(trial.hear("M0003192300"), [""; 0]);
    assert_eq!(trial.clock(), (4 * MINUTE - Duration::from_secs(1), None));
    assert_eq!(trial.play("28x19x23", 0), "M000028190123");
    assert_eq!(trial.hear("M000014230119"), [""; 0]);
    assert_eq!(trial.hear("E10"), ["E00"]);
    assert_eq!(trial.dialogue.tally.won, 1);
    assert!(trial.dialogue.is_idle() && trial.due() == Due::Nothing);
    // The next game, on the other side, with a position and a number of moves.
    let position = format!("{}z{}w{}", "e".repeat(10), "e".repeat(20), "e".repeat(18));
    assert_eq!(trial.answer(&format!("R01Test{}Z000002BW{position}", " ".repeat(28))), '0');
    assert_eq!(trial.due(), Due::Nothing);
    trial.hear("M0000322700");
    assert_eq!(trial.clock(), (Duration::from_secs(30), Some(2)), "0 minutes are less than one");
    trial.play("11-17", 1);
    trial.hear("M0000272200");
    // 17-21 22-17 21x12x17
    assert_eq!(trial.clock().1, Some(1));
}

#[test]
fn ends_of_games() {
    let position = |squares: &[(usize, char)]| {
        let mut board = vec!['e'; 50];
        squares.iter().for_each(|&(square, piece)| board[square - 1] = piece);
        board.into_iter().collect::<String>()
    };
    let request = |follower: char, moves: u32, turn: char, squares: &[(usize, char)]| {
        format!("R01{:32}{follower}001{moves:03}B{turn}{}", "Test", position(squares))
    };
    // We are blocked: we have lost.
    let mut trial = Trial::new("international");
    assert_eq!(trial.answer(&request('Z', 0, 'W', &[(27, 'w'), (11, 'z'), (32, 'w'), (38, 'w')])), '0');
    trial.hear("M0000272200");
    assert_eq!(trial.play("11-17", 0), "M0000111700");
    trial.hear("M000022110117");
    assert_eq!(trial.due(), Due::End(Reason::Lost));
    let end = trial.dialogue.end(&*trial.session, Reason::Lost, false);
    assert_eq!(end.send[0].to_string(), "E10");
    assert_eq!(end.say, ["game 1: 1-0, no-moves, 3 plies"]);
    assert!(!trial.dialogue.is_idle());
    assert_eq!(trial.hear("E00"), [""; 0], "a confirmation is not confirmed");
    assert!(trial.dialogue.is_idle());
    // A draw that our own move has made is told when we are to move again, if the other side goes on.
    assert_eq!(trial.answer(&request('Z', 0, 'W', &[(47, 'W'), (4, 'Z')])), '0');
    for _ in 0..2 {
        trial.hear("M0000473600");
        trial.play("4-15", 0);
        trial.hear("M0000364700");
        trial.play("15-4", 0);
    }
    assert_eq!(trial.due(), Due::Nothing);
    trial.hear("M0000473600");
    assert_eq!(trial.due(), Due::End(Reason::Draw));
    trial.dialogue.end(&*trial.session, Reason::Draw, true);
    // A request is a confirmation too.
    assert_eq!(trial.answer(&request('W', 1, 'W', &[(46, 'W'), (5, 'z')])), '0');
    trial.play("46-41", 0);
    assert_eq!(trial.due(), Due::Nothing);
    trial.hear("M0000051000");
    assert_eq!(trial.due(), Due::End(Reason::Unknown), "all moves are played");
}

#[test]
fn going_back() {
    let mut trial = Trial::new("international");
    assert_eq!(trial.hear("B001W"), ["K2"], "no game");
    trial.hear(START);
    trial.play("32-28", 10);
    trial.hear("M0000192300");
    trial.play("28x19x23", 20);
    for bad in ["B003W", "B004W", "B999Z"] {
        assert_eq!(trial.hear(bad), ["K2"], "{bad}");
    }
    assert_eq!(trial.hear("B002Z"), ["K0"]);
    assert_eq!((trial.session.plies(), trial.due()), (3, Due::Nothing));
    assert_eq!(trial.hear("B002W"), ["K0"]);
    assert_eq!(trial.clock().0, 5 * MINUTE - Duration::from_secs(10), "and the time comes back");
    assert_eq!(trial.hear("B001W"), ["K0"]);
    assert_eq!((trial.session.plies(), trial.clock().0), (0, 5 * MINUTE));
    // Black moves first: the first move has number 1 too.
    let mut trial = Trial::new("international");
    let squares = format!("{}{}{}", "z".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_eq!(trial.answer(&format!("R01{:32}Z005000BZ{squares}", "Test")), '0');
    trial.play("19-23", 0);
    trial.hear("M0000322800");
    assert_eq!(trial.hear("B001W"), ["K2"]);
    assert_eq!(trial.hear("B002W"), ["K0"]);
    assert_eq!(trial.session.plies(), 1);
    assert_eq!(trial.hear("B001Z"), ["K0"]);
    assert_eq!(trial.session.plies(), 0);
}

#[test]
fn an_initiator() {
    let asked = |follower| GameReq { name: "me".into(), follower, time: MINUTE, moves: 0, position: None };
    let mut trial = Trial::new("international");
    trial.dialogue.ask(asked(Side::Black));
    assert_eq!(trial.hear("M0000322800"), ["Cerror: a move without a game"]);
    let accepted = format!("A{:32}0", "Other");
    assert_eq!(trial.react(&accepted).say, ["game 1: White against Other, 1 min"]);
    assert_eq!(trial.clock(), (MINUTE, None));
    assert_eq!(trial.react(&accepted).send, [], "an answer to nothing");
    trial.play("32-28", 0);
    assert_eq!(trial.react("E31").send, [Message::GameEnd { reason: Reason::Unknown, stop: true }]);
    assert_eq!(trial.dialogue.tally.lost, 1);
    for code in 1..=3 {
        trial.dialogue.ask(asked(Side::White));
        assert!(trial.react(&format!("A{:32}{code}", "Other")).close);
        assert!(trial.dialogue.is_idle());
    }
    trial.dialogue.ask(asked(Side::White));
    assert!(trial.react("E00").close);
    trial.dialogue.ask(asked(Side::White));
    assert!(trial.dialogue.patience().is_some() && !trial.dialogue.give_up_waiting());
}

#[test]
fn what_is_refused() {
    let mut trial = Trial::new("international");
    assert_eq!(trial.answer("R02anything"), '1');
    let men_on_their_last_row = format!("R01{:32}W005000BWw{}z", "Test", "e".repeat(48));
    assert_eq!(trial.answer(&men_on_their_last_row), '2');
    let nothing_to_move = format!("R01{:32}W005000BW{}z", "Test", "e".repeat(49));
    assert_eq!(trial.answer(&nothing_to_move), '2');
    assert_eq!(trial.answer(START), '0');
    assert_eq!(trial.answer(START), '2', "a game is on");
    assert_eq!(trial.hear("M0000192300"), ["Cerror: a move out of turn"]);
    trial.play("32-28", 0);
    assert_eq!(trial.hear("M0000203100"), ["Cerror: illegal move '20-31'", "E00"]);
    assert_eq!(trial.hear("M0000192300"), [""; 0], "what was under way");
    assert_eq!(trial.hear("Chello"), [""; 0]);
    for set in RULE_SETS {
        let ten = ["international", "breakthrough", "antidraughts", "killer", "frisian", "frysk"];
        let checked = check_game(&Game::new(set));
        assert_eq!(checked.is_ok(), ten.contains(&set.id), "{checked:?}");
    }
    assert_eq!(
        check_game(&Game::new(find("italian").unwrap())).unwrap_err(),
        "DXP plays on the 50 squares of the 10x10 board, and italian has 32: give -v international"
    );
}

const MESSAGES: usize = 100_000;

/// A message that may stand at this place of the conversation, or nearly.
fn message(rng: &mut Rng, session: &dyn Session) -> String {
    let side = |rng: &mut Rng| if rng.below(2) == 0 { Side::White } else { Side::Black };
    let message = match rng.below(12) {
        0 => {
            let position = (rng.below(2) == 0).then(|| {
                let letters = ['e', 'e', 'e', 'e', 'e', 'e', 'w', 'b', 'W', 'B'];
                let squares: String = (0..50).map(|_| letters[rng.below(letters.len())]).collect();
                format!("{}{squares}", side(rng).letter())
            });
            let (follower, moves) = (side(rng), [0, 0, 3, 75][rng.below(4)]);
            let time = MINUTE * rng.below(3) as u32;
            Message::GameReq(GameReq { name: "fuzz".into(), follower, time, moves, position })
        }
        1 => Message::GameAcc {
            name: "fuzz".into(),
            answer: [Answer::Accepted, Answer::Version, Answer::NotThis, Answer::Never][rng.below(4)],
        },
        2 if rng.below(8) == 0 => Message::GameEnd {
            reason: [Reason::Unknown, Reason::Lost, Reason::Draw, Reason::Won][rng.below(4)],
            stop: rng.below(2) == 0,
        },
        3 => Message::Chat("fuzz".into()),
        4 if rng.below(4) == 0 => Message::BackReq { number: 1 + rng.below(40) as u16, turn: side(rng) },
        5 => Message::BackAcc(
            [BackAnswer::Accepted, BackAnswer::Unsupported, BackAnswer::Refused][rng.below(3)],
        ),
        _ => {
            let moves = session.legal_moves(Notation::HUB);
            match moves.len() {
                0 => Message::Chat(String::new()),
                n => Message::Move(step_of(&moves[rng.below(n)], rng.below(10_000) as u32).unwrap()),
            }
        }
    };
    message.to_string()
}

/// Changes a message somewhere, as a bad line or a bad program does.
fn damage(rng: &mut Rng, text: &mut Vec<u8>) {
    for _ in 0..=rng.below(3) {
        let at = rng.below(text.len() + 1);
        match rng.below(5) {
            0 => text.truncate(at),
            1 => text.insert(at, rng.next_u64() as u8),
            2 => text.extend((0..rng.below(200)).map(|_| b'0')),
            _ if at == text.len() => {}
            3 => drop(text.remove(at)),
            _ => {
                text[at] =
                    [b'0', b'9', b'W', b'Z', b'e', b' ', 0, b'\n', 0xff, rng.next_u64() as u8][rng.below(10)]
            }
        }
    }
}

/// 100,000 messages, most of them damaged: no panic, and every answer is a message. Games are played meanwhile.
#[test]
fn messages_by_the_hundred_thousand() {
    let mut rng = Rng::new(20_261_130);
    let (mut bad, mut games) = (0, 0);
    for id in ["international", "frisian", "antidraughts", "breakthrough"] {
        let mut trial = Trial::new(id);
        for _ in 0..MESSAGES / 4 {
            let mut bytes = message(&mut rng, &*trial.session).into_bytes();
            if rng.below(3) == 0 {
                damage(&mut rng, &mut bytes);
            }
            let mut line = Vec::new();
            Frames(&bytes[..]).read_to_end(&mut line).unwrap();
            for text in line.split(|byte| *byte == b'\n') {
                let Ok(message) = Message::parse(&String::from_utf8_lossy(text)) else {
                    bad += 1;
                    continue;
                };
                let aside = rng.below(20) == 0;
                let reaction = if aside {
                    trial.dialogue.hear_aside(message)
                } else {
                    trial.dialogue.hear(&mut *trial.session, message)
                };
                check(&reaction);
            }
            go_on(&mut trial, &mut rng);
        }
        games += trial.dialogue.tally.games;
    }
    assert!(bad > MESSAGES / 10 && games > 100, "{bad} bad messages, {games} games");
}

fn check(reaction: &Reaction) {
    for message in &reaction.send {
        let text = message.to_string();
        assert!(text.len() <= LONGEST && Message::parse(&text).is_ok(), "{text}");
    }
}

/// Does what is due.
fn go_on(trial: &mut Trial, rng: &mut Rng) {
    match trial.due() {
        Due::Nothing => {}
        Due::End(reason) => check(&trial.dialogue.end(&*trial.session, reason, false)),
        Due::Think(_) => {
            let moves = trial.session.legal_moves(Notation::HUB);
            let mv = &moves[rng.below(moves.len())];
            let message = trial.dialogue.moved(&mut *trial.session, mv, Duration::from_secs(1), None);
            assert!(Message::parse(&message.unwrap().to_string()).is_ok());
        }
    }
}
