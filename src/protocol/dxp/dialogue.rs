//! What an engine that speaks DXP has to do next: the state of a conversation without its socket, clock and search.

use super::message::{Answer, BackAnswer, GameReq, Message, Reason, Step};
use crate::board::Side;
use crate::engine::{Notation, Session};
use crate::notation::HubNumbering;
use crate::referee::Verdict;
use crate::rules::{Game, Goal};
use crate::search::{ClockLimit, Limits};
use std::time::Duration;

/// The name that we go by.
pub(super) const NAME: &str = concat!("Soffio ", env!("CARGO_PKG_VERSION"));
/// What a game of 0 minutes counts as: some clients round down what is less than one.
const UNDER_A_MINUTE: Duration = Duration::from_secs(30);

/// How long the answer to a request is waited for. A person may have to say yes.
const ANSWER: Duration = Duration::from_secs(60);
/// How long the confirmation of GAMEEND is: some programs send none.
const CONFIRMATION: Duration = Duration::from_secs(3);

/// Where a conversation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// No game.
    Idle,
    /// We have asked for a game and wait for the answer.
    Asked(GameReq),
    /// A game.
    Playing,
    /// We have ended a game and wait for the confirmation.
    Closing,
}

/// What a message leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reaction {
    /// What is to be sent, in order.
    pub send: Vec<Message>,
    /// What people are told, a line each.
    pub say: Vec<String>,
    /// Whether the other side wants no more games.
    pub close: bool,
}

impl Reaction {
    fn send(message: Message) -> Self {
        Self { send: vec![message], ..Self::default() }
    }

    fn say(text: String) -> Self {
        Self { say: vec![text], ..Self::default() }
    }

    /// The refusal of a text that is no message. Who asks for a game waits for an answer to that.
    pub fn refuse_text(text: &str, why: &str) -> Self {
        let mut refusal = Self::refuse(why);
        if text.starts_with('R') {
            refusal.send.insert(0, Message::GameAcc { name: NAME.to_owned(), answer: Answer::NotThis });
        }
        refusal
    }

    /// A refusal that both sides hear.
    pub fn refuse(why: &str) -> Self {
        Self { send: vec![Message::Chat(format!("error: {why}"))], ..Self::say(format!("refused: {why}")) }
    }
}

/// What we have to do without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing: the other side is to speak.
    Nothing,
    /// Find a move within these limits.
    Think(Limits),
    /// End the game, for this reason.
    End(Reason),
}

/// How the games of a conversation went, from our side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Games begun.
    pub games: u32,
    /// Games won, drawn and lost; what ended without a result is in none of them.
    pub won: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost.
    pub lost: u32,
}

/// An engine's side of a conversation.
#[derive(Debug)]
pub(super) struct Dialogue {
    state: State,
    /// The other program.
    opponent: String,
    /// Our side.
    side: Side,
    /// Our time for the whole game.
    time: Duration,
    /// Moves of each side, after which we end the game; 0 is no limit.
    moves: u32,
    /// The time that we had used before each ply of the game.
    used: Vec<Duration>,
    /// How the game ended, by the rules; we say so when we are to move.
    over: Option<Verdict>,
    /// What our last search said, if the game was decided then.
    decided: Option<Reason>,
    /// Limits of every search, besides the clock.
    limits: Limits,
    /// How the games went.
    pub tally: Tally,
}

impl Dialogue {
    /// A conversation that begins. `limits` hold for every search besides the clock of the game.
    pub fn new(limits: Limits) -> Self {
        Self {
            state: State::Idle,
            opponent: String::new(),
            side: Side::White,
            time: Duration::ZERO,
            moves: 0,
            used: Vec::new(),
            over: None,
            decided: None,
            limits,
            tally: Tally::default(),
        }
    }

    /// Asks for a game in which the other program plays `asked.follower`.
    pub fn ask(&mut self, asked: GameReq) -> Message {
        self.state = State::Asked(asked.clone());
        Message::GameReq(asked)
    }

    /// Whether no game is on and none is asked for.
    pub fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// How long what the other program owes us is waited for; `None` is for ever.
    pub fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Idle | State::Playing => None,
            State::Asked(_) => Some(ANSWER),
            State::Closing => Some(CONFIRMATION),
        }
    }

    /// Whether a game is on.
    pub fn is_playing(&self) -> bool {
        self.state == State::Playing
    }

    /// No more will come: a confirmation that is not there is done without. Gives `false` for a request without answer.
    pub fn give_up_waiting(&mut self) -> bool {
        let answered = !matches!(self.state, State::Asked(_));
        self.state = State::Idle;
        answered
    }

    /// What we have to do now.
    pub fn due(&self, session: &dyn Session) -> Due {
        if self.state != State::Playing || session.turn() != self.side {
            return Due::Nothing;
        }
        if let Some(verdict) = self.over.or_else(|| session.verdict()) {
            return Due::End(self.reason(&verdict));
        }
        let played = u32::try_from(session.plies()).unwrap_or(u32::MAX);
        if self.moves != 0 && played / 2 >= self.moves {
            return Due::End(self.decided.unwrap_or(Reason::Unknown));
        }
        let moves = (self.moves != 0).then(|| (self.moves - played / 2).max(1));
        let left = self.time.saturating_sub(self.used());
        let clock = ClockLimit { time: left, inc: Duration::ZERO, moves };
        Due::Think(Limits { clock: Some(clock), instant_single: true, ..self.limits.clone() })
    }

    /// The time that we have used.
    fn used(&self) -> Duration {
        self.used.last().copied().unwrap_or_default()
    }

    /// A search has led to nothing, and took so long.
    pub fn lose(&mut self, time: Duration) {
        if let Some(used) = self.used.last_mut() {
            *used += time;
        }
    }

    fn reason(&self, verdict: &Verdict) -> Reason {
        match verdict.winner {
            None => Reason::Draw,
            Some(winner) if winner == self.side => Reason::Won,
            Some(_) => Reason::Lost,
        }
    }

    /// We have found a move, in Hub notation, and it took so long: plays it and gives the message.
    ///
    /// # Errors
    /// Says why it is no move.
    pub fn moved(
        &mut self,
        session: &mut dyn Session,
        mv: &str,
        time: Duration,
        decided: Option<Reason>,
    ) -> Result<Message, String> {
        let seconds = u32::try_from(time.as_secs_f64().round() as u64).unwrap_or(u32::MAX);
        let step = step_of(mv, seconds).ok_or_else(|| format!("no DXP move: '{mv}'"))?;
        session.play(mv, Notation::HUB).map_err(|error| error.to_string())?;
        self.used.push(self.used() + time);
        self.over = self.over.or_else(|| session.verdict());
        self.decided = decided;
        Ok(Message::Move(step))
    }

    /// We end the game; `stop` says that we want no other.
    pub fn end(&mut self, session: &dyn Session, reason: Reason, stop: bool) -> Reaction {
        self.state = State::Closing;
        let say = self.count(session, reason, self.side);
        Reaction { send: vec![Message::GameEnd { reason, stop }], say: vec![say], close: false }
    }

    /// Counts a game that `by` has ended for a reason, and says how it went.
    fn count(&mut self, session: &dyn Session, reason: Reason, by: Side) -> String {
        let claimed = match reason {
            Reason::Unknown => None,
            Reason::Draw => Some(None),
            Reason::Won => Some(Some(by)),
            Reason::Lost => Some(Some(by.other())),
        };
        let verdict = self.over.or_else(|| session.verdict());
        let winner = claimed.or_else(|| verdict.map(|verdict| verdict.winner));
        match winner {
            Some(None) => self.tally.drawn += 1,
            Some(Some(side)) if side == self.side => self.tally.won += 1,
            Some(Some(_)) => self.tally.lost += 1,
            None => {}
        }
        let result = match winner {
            Some(None) => "1/2-1/2",
            Some(Some(Side::White)) => "1-0",
            Some(Some(Side::Black)) => "0-1",
            None => "*",
        };
        let why = verdict.map_or_else(
            || if by == self.side { "we end it" } else { "ended by the opponent" }.to_owned(),
            |verdict| verdict.reason.to_string(),
        );
        format!("game {}: {result}, {why}, {} plies", self.tally.games, session.plies())
    }

    /// Takes a message while we do not search.
    pub fn hear(&mut self, session: &mut dyn Session, message: Message) -> Reaction {
        match message {
            Message::Move(step) => self.hear_move(session, &step),
            Message::GameEnd { reason, stop } => self.hear_end(session, reason, stop),
            Message::BackReq { number, turn } => self.hear_back(session, number, turn),
            Message::GameReq(asked) if self.may_begin() => self.hear_request(session, &asked),
            Message::GameAcc { name, answer } => self.hear_answer(session, name, answer),
            other => self.hear_aside(other),
        }
    }

    /// Takes a message that needs no look at the game, as it comes while we search: everything but GAMEEND and BACKREQ,
    /// which end the search.
    pub fn hear_aside(&mut self, message: Message) -> Reaction {
        let acc = |answer| Reaction::send(Message::GameAcc { name: NAME.to_owned(), answer });
        match message {
            Message::Chat(text) => Reaction::say(format!("chat: {}", text.trim())),
            Message::GameReq(_) => Reaction {
                say: vec!["refused: a request for a game during a game".to_owned()],
                ..acc(Answer::NotThis)
            },
            Message::OtherVersion(version) => Reaction {
                say: vec![format!("refused: version '{version}' of the protocol")],
                ..acc(Answer::Version)
            },
            Message::Move(_) => Reaction::refuse("a move out of turn"),
            Message::BackAcc(_) => Reaction::say("an answer to nothing: BACKACC".to_owned()),
            Message::GameAcc { .. } => Reaction::say("an answer to nothing: GAMEACC".to_owned()),
            Message::GameEnd { .. } | Message::BackReq { .. } => Reaction::default(),
        }
    }

    /// Whether a request for a game is in place. One that comes while we wait for a confirmation is that too.
    fn may_begin(&self) -> bool {
        matches!(self.state, State::Idle | State::Closing)
    }

    fn hear_request(&mut self, session: &mut dyn Session, asked: &GameReq) -> Reaction {
        let answer = |answer| Message::GameAcc { name: NAME.to_owned(), answer };
        self.state = State::Idle;
        match set_up(session, asked) {
            Ok(()) => {
                let say = self.begin(session, &asked.name, asked.follower, asked);
                Reaction { send: vec![answer(Answer::Accepted)], say: vec![say], close: false }
            }
            Err(why) => {
                let chat = Message::Chat(format!("error: {why}"));
                Reaction {
                    send: vec![answer(Answer::NotThis), chat],
                    ..Reaction::say(format!("refused: {why}"))
                }
            }
        }
    }

    fn begin(&mut self, session: &mut dyn Session, opponent: &str, side: Side, asked: &GameReq) -> String {
        session.new_game();
        self.state = State::Playing;
        self.opponent = opponent.to_owned();
        self.side = side;
        self.time = if asked.time.is_zero() { UNDER_A_MINUTE } else { asked.time };
        self.moves = asked.moves;
        self.used = vec![Duration::ZERO];
        self.over = None;
        self.decided = None;
        self.tally.games += 1;
        let moves = match asked.moves {
            0 => String::new(),
            moves => format!(", {moves} moves"),
        };
        let (game, minutes) = (self.tally.games, self.time.as_secs_f64() / 60.0);
        format!("game {game}: {} against {opponent}, {minutes} min{moves}", side.name())
    }

    fn hear_answer(&mut self, session: &mut dyn Session, name: String, answer: Answer) -> Reaction {
        let State::Asked(asked) = &self.state else {
            return self.hear_aside(Message::GameAcc { name, answer });
        };
        let asked = asked.clone();
        self.state = State::Idle;
        if answer == Answer::Accepted {
            return match set_up(session, &asked) {
                Ok(()) => Reaction::say(self.begin(session, &name, asked.follower.other(), &asked)),
                Err(why) => Reaction { close: true, ..Reaction::refuse(&why) },
            };
        }
        let why = match answer {
            Answer::Version => "it speaks another version of DXP",
            Answer::NotThis => "it does not want this game",
            _ => "it does not want to play",
        };
        Reaction { close: true, ..Reaction::say(format!("{name} refuses: {why}")) }
    }

    fn hear_move(&mut self, session: &mut dyn Session, step: &Step) -> Reaction {
        match self.state {
            State::Playing if session.turn() != self.side => {}
            State::Playing => return Reaction::refuse("a move out of turn"),
            // What was under way when we ended the game.
            State::Closing => return Reaction::default(),
            State::Idle | State::Asked(_) => return Reaction::refuse("a move without a game"),
        }
        match play(session, step) {
            Ok(()) => {
                self.used.push(self.used());
                self.over = self.over.or_else(|| session.verdict());
                Reaction::default()
            }
            Err(why) => {
                // A game that goes on differently on two boards is none.
                let Reaction { mut send, mut say, .. } = Reaction::refuse(&why);
                let end = self.end(session, Reason::Unknown, false);
                send.extend(end.send);
                say.extend(end.say);
                Reaction { send, say, close: false }
            }
        }
    }

    fn hear_end(&mut self, session: &dyn Session, reason: Reason, stop: bool) -> Reaction {
        let state = std::mem::replace(&mut self.state, State::Idle);
        let reaction = match state {
            State::Playing => Reaction {
                send: vec![Message::GameEnd { reason: Reason::Unknown, stop }],
                ..Reaction::say(self.count(session, reason, self.side.other()))
            },
            State::Asked(_) => Reaction::say("the request is answered by GAMEEND".to_owned()),
            State::Idle | State::Closing => Reaction::default(),
        };
        Reaction { close: stop || matches!(state, State::Asked(_)), ..reaction }
    }

    /// Goes back to the position in which `turn` has its move of this number still to play.
    fn hear_back(&mut self, session: &mut dyn Session, number: u16, turn: Side) -> Reaction {
        let refuse = |why: &str| Reaction {
            say: vec![format!("refused: to go back, {why}")],
            ..Reaction::send(Message::BackAcc(BackAnswer::Refused))
        };
        if self.state != State::Playing {
            return refuse("no game is on");
        }
        let first = first_mover(session);
        let plies = session.plies();
        // The first move of a game has number 1, whoever makes it.
        let ply = 2 * (usize::from(number) - 1) + usize::from(turn == Side::Black);
        let Some(ply) = ply.checked_sub(usize::from(first == Side::Black)).filter(|ply| *ply <= plies) else {
            return refuse(&format!("move {number} of {} is none of this game", turn.name()));
        };
        while session.plies() > ply && session.undo() {}
        self.used.truncate(ply + 1);
        self.over = None;
        self.decided = None;
        Reaction {
            say: vec![format!("back to move {number} of {}", turn.name())],
            ..Reaction::send(Message::BackAcc(BackAnswer::Accepted))
        }
    }
}

/// Who moved first in this game.
fn first_mover(session: &dyn Session) -> Side {
    if session.plies() % 2 == 0 { session.turn() } else { session.turn().other() }
}

/// Whether a game can be played over DXP: its board must be the one of 50 squares.
///
/// # Errors
/// Says so, for people.
pub fn check_game(game: &Game) -> Result<(), String> {
    let layout = game.set.kernel.layout();
    if (layout.squares, layout.width, layout.height) == (50, 10, 10) {
        return Ok(());
    }
    Err(format!(
        "DXP plays on the 50 squares of the 10x10 board, and {} has {}: give -v international",
        game.set.id, layout.squares
    ))
}

/// Goes to the position that is asked for.
pub(super) fn set_up(session: &mut dyn Session, asked: &GameReq) -> Result<(), String> {
    match &asked.position {
        None => session.set_start(),
        Some(position) => {
            session.set_hub(position, "", HubNumbering::Standard).map_err(|error| error.to_string())?;
        }
    }
    // A losing game may be won at once.
    if session.legal_moves(Notation::HUB).is_empty() && session.game().set.goal != Goal::Misere {
        return Err("bad position: no legal move".to_owned());
    }
    Ok(())
}

/// Plays a move that the other side has sent.
pub(super) fn play(session: &mut dyn Session, step: &Step) -> Result<(), String> {
    let mv = text_of(session, step)?;
    session.play(&mv, Notation::HUB).map_err(|error| error.to_string())
}

/// The legal move that is meant, in Hub notation.
pub(super) fn text_of(session: &dyn Session, step: &Step) -> Result<String, String> {
    let Step { from, to, captured, .. } = step;
    let mut text = format!("{from}{}{to}", if captured.is_empty() { '-' } else { 'x' });
    captured.iter().for_each(|square| text.push_str(&format!("x{square}")));
    let found = session.translate(&text, Notation::HUB, Notation::HUB);
    // Some leave the captured squares out, where one capture alone goes from there to there.
    let short = || session.translate(&format!("{from}x{to}"), Notation::HUB, Notation::HUB);
    let found = if captured.is_empty() { found.or_else(|error| short().map_err(|_| error)) } else { found };
    found.map_err(|error| error.to_string())
}

/// A move in Hub notation as DXP says it.
pub(super) fn step_of(mv: &str, seconds: u32) -> Option<Step> {
    let mut squares = mv.split(['-', 'x']).map(|square| square.parse().ok());
    let (from, to) = (squares.next()??, squares.next()??);
    Some(Step { seconds, from, to, captured: squares.collect::<Option<_>>()? })
}
