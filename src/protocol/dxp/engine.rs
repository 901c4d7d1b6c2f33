//! The engine's side: games over a socket, as the follower or as the initiator.

use super::dialogue::{Dialogue, Due, NAME, Reaction, Tally, check_game, set_up};
use super::link::{self, Link};
use super::message::{GameReq, Message, Reason};
use super::{ADDRESS, RETRY};
use crate::board::Side;
use crate::engine::{self, Notation, Outcome, Session};
use crate::notation::HubNumbering;
use crate::protocol::input::{BadLine, Event, Inbox};
use crate::protocol::output::Output;
use crate::protocol::task;
use crate::rules::Game;
use crate::search::{Control, Limits};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many messages in a row may make no sense before the connection is closed.
const MOST_BAD: u32 = 32;

/// How games are played over DXP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Who connects to whom.
    pub place: Place,
    /// Who asks for games.
    pub role: Role,
    /// Limits of every search, besides the clock of the game.
    pub limits: Limits,
    /// Threads of the search.
    pub threads: usize,
    /// Size of the hash table, as the binary logarithm of the number of 16-byte entries; `None` is the usual.
    pub hash: Option<u32>,
    /// Whether the end of the first connection is the end.
    pub once: bool,
}

/// Who connects to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Others connect to this address of ours, one after the other.
    Listen(String),
    /// We connect to this address.
    Connect(String),
}

/// Who asks for games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The other side.
    Follower,
    /// We do.
    Initiator(Plan),
}

/// The games that an initiator asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many, with colours in turn.
    pub games: u32,
    /// Our side in the first.
    pub side: Side,
    /// Time of each side for a game.
    pub time: Duration,
    /// Moves of each side, after which a game may be ended; 0 is no limit.
    pub moves: u32,
    /// Where games begin; `None` is the start.
    pub fen: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            place: Place::Listen(ADDRESS.to_owned()),
            role: Role::Follower,
            limits: Limits::default(),
            threads: 1,
            hash: None,
            once: false,
        }
    }
}

/// Plays over DXP until there is nothing more to do; as a follower that listens, for ever. Says on `output` what goes on.
///
/// # Errors
/// What could not be done, for people.
pub fn serve(game: &Game, settings: &Settings, mut output: Output) -> io::Result<()> {
    check_game(game).map_err(io::Error::other)?;
    let mut session = ready(game, settings);
    match &settings.place {
        Place::Connect(address) => {
            let stream = link::connect(address, Instant::now() + RETRY, || false)
                .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
            converse(&mut session, settings, stream, &mut output)
        }
        Place::Listen(address) => {
            let listener = TcpListener::bind(address)
                .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
            output.line(&format!("listening on {}", listener.local_addr()?))?;
            loop {
                let (stream, from) = match listener.accept() {
                    // It was gone before we looked.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                    accepted => accepted?,
                };
                output.line(&format!("connected: {from}"))?;
                let done = converse(&mut session, settings, stream, &mut output);
                if settings.once {
                    return done;
                }
                if let Err(error) = done {
                    output.line(&error.to_string())?;
                    session = ready(game, settings);
                }
            }
        }
    }
}

fn ready(game: &Game, settings: &Settings) -> Box<dyn Session> {
    let mut session = engine::open(game.clone());
    session.set_threads(settings.threads);
    settings.hash.iter().for_each(|&size| session.set_hash(size));
    if let Err(error) = session.prepare() {
        log::warn!("{error}");
    }
    session
}

/// A conversation over one connection, to its end.
fn converse(
    session: &mut Box<dyn Session>,
    settings: &Settings,
    stream: TcpStream,
    output: &mut Output,
) -> io::Result<()> {
    let (link, frames) = Link::new(stream)?;
    let plan = match &settings.role {
        Role::Follower => None,
        Role::Initiator(plan) => Some(plan.clone()),
    };
    let dialogue = Dialogue::new(settings.limits.clone());
    let talk = Talk { dialogue, inbox: Inbox::new(frames)?, link, output, plan, bad: 0, gone: false };
    let idle = engine::open(session.game().clone());
    let conversation = Conversation { session: std::mem::replace(session, idle), talk };
    *session = conversation.run()?;
    Ok(())
}

/// A conversation between searches.
struct Conversation<'a> {
    session: Box<dyn Session>,
    talk: Talk<'a>,
}

/// All of a conversation but the game, which a search takes away.
struct Talk<'a> {
    dialogue: Dialogue,
    inbox: Inbox,
    link: Link,
    output: &'a mut Output,
    plan: Option<Plan>,
    /// Messages in a row that made no sense.
    bad: u32,
    /// Whether nothing can be sent any more.
    gone: bool,
}

/// Whether a conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// It does.
    On,
    /// It has ended.
    Over,
}

impl Conversation<'_> {
    /// Talks to the end and gives the session back.
    fn run(mut self) -> io::Result<Box<dyn Session>> {
        loop {
            let Self { session, talk } = &mut self;
            // What was put off during a search comes before the next.
            let next = match talk.inbox.wait_for(Some(Duration::ZERO)) {
                Some(event) => talk.take(&mut **session, event)?,
                None if talk.dialogue.is_idle() && talk.plan.is_some() => talk.ask(&mut **session)?,
                None => match talk.dialogue.due(&**session) {
                    Due::Think(limits) => {
                        self = self.think(limits)?;
                        Next::On
                    }
                    Due::End(reason) => {
                        let stop = talk.plan.is_some() && talk.games_left() == 0;
                        let reaction = talk.dialogue.end(&**session, reason, stop);
                        talk.react(&reaction)?
                    }
                    Due::Nothing => talk.listen(&mut **session)?,
                },
            };
            if next == Next::Over {
                break;
            }
        }
        self.talk.say_farewell()?;
        Ok(self.session)
    }

    /// Searches and sends the move found; a search that the other side has broken off leads to nothing.
    fn think(self, limits: Limits) -> io::Result<Self> {
        let started = Instant::now();
        let limits = Limits { started: Some(started), ..limits };
        let control = Arc::new(Control::new());
        let Self { session, mut talk } = self;
        task::start(session, limits, Notation::HUB, Arc::clone(&control), &talk.inbox)?;
        let found = talk.wait_for_search(&control);
        // An error must not leave a search behind.
        control.stop();
        let (session, outcome) = found?;
        let mut this = Self { session, talk };
        if outcome.is_none() {
            this.talk.dialogue.lose(started.elapsed());
        }
        if let Some(Outcome { best: Some(mv), info, .. }) = outcome {
            let decided = match info.score {
                // An endgame table does not count moves as the rules do: what it promises is not yet claimed.
                score if score.plies_to_end().is_none() => None,
                score if score.is_win() => Some(Reason::Won),
                score if score.is_loss() => Some(Reason::Lost),
                _ => None,
            };
            let message = this.talk.dialogue.moved(&mut *this.session, &mv, started.elapsed(), decided);
            this.talk.send(&message.map_err(io::Error::other)?);
        }
        Ok(this)
    }
}

impl Talk<'_> {
    /// Games of the plan that have not begun.
    fn games_left(&self) -> u32 {
        self.plan.as_ref().map_or(0, |plan| plan.games.saturating_sub(self.dialogue.tally.games))
    }

    /// Asks for the next game of the plan, if there is one.
    fn ask(&mut self, session: &mut dyn Session) -> io::Result<Next> {
        let games = self.dialogue.tally.games;
        let Some(plan) = self.plan.as_ref().filter(|plan| games < plan.games) else {
            return Ok(Next::Over);
        };
        let position = match &plan.fen {
            Some(fen) => {
                session.set_fen(fen).map_err(|error| io::Error::other(error.to_string()))?;
                Some(session.hub(HubNumbering::Standard))
            }
            None => None,
        };
        let asked = GameReq {
            name: NAME.to_owned(),
            follower: if games % 2 == 0 { plan.side.other() } else { plan.side },
            time: plan.time,
            moves: plan.moves,
            position,
        };
        set_up(session, &asked).map_err(io::Error::other)?;
        let message = self.dialogue.ask(asked);
        self.send(&message);
        Ok(Next::On)
    }

    /// Waits for what comes next.
    fn listen(&mut self, session: &mut dyn Session) -> io::Result<Next> {
        match self.inbox.wait_for(self.dialogue.patience()) {
            Some(event) => self.take(session, event),
            None if self.dialogue.give_up_waiting() => Ok(Next::On),
            None => Err(io::Error::new(io::ErrorKind::TimedOut, "no answer to the request for a game")),
        }
    }

    /// Answers a message, or the end of the connection.
    fn take(&mut self, session: &mut dyn Session, event: Event) -> io::Result<Next> {
        match event {
            Event::Line(line) => {
                let reaction = match self.read(line) {
                    Ok(message) => self.dialogue.hear(session, message),
                    Err(reaction) => reaction,
                };
                self.react(&reaction)
            }
            Event::End if self.dialogue.is_playing() => {
                let (game, plies) = (self.dialogue.tally.games, session.plies());
                let why = format!("game {game}: *, the connection is cut, {plies} plies");
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, why))
            }
            Event::End => Ok(Next::Over),
            // No search is under way.
            Event::Info(_) | Event::Done(..) | Event::Lost => Ok(Next::On),
        }
    }

    /// The message of a line, or what to do about one that is none.
    fn read(&mut self, line: Result<String, BadLine>) -> Result<Message, Reaction> {
        self.link.heard();
        let message = match line {
            Ok(text) => {
                log::trace!("dxp > {text}");
                Message::parse(&text).map_err(|error| Reaction::refuse_text(&text, &error.to_string()))
            }
            Err(error) => Err(Reaction::refuse(&error.to_string())),
        };
        match message {
            Ok(message) => {
                self.bad = 0;
                Ok(message)
            }
            Err(reaction) => {
                self.bad += 1;
                Err(Reaction { close: self.bad >= MOST_BAD, ..reaction })
            }
        }
    }

    /// Sends a message; that the other side is gone is the end of what it says.
    fn send(&mut self, message: &Message) {
        if let Err(error) = self.link.send(message) {
            log::debug!("{error}");
            self.gone = true;
            self.inbox.put_back(Event::End);
        }
    }

    /// Does what a message leads to.
    fn react(&mut self, reaction: &Reaction) -> io::Result<Next> {
        reaction.say.iter().try_for_each(|line| self.output.line(line))?;
        reaction.send.iter().for_each(|message| self.send(message));
        Ok(if reaction.close { Next::Over } else { Next::On })
    }

    /// Listens until the search has ended. It is broken off, and its outcome is nothing, when the other side ends the game,
    /// goes back or is gone; what it said is left to be heard.
    fn wait_for_search(&mut self, control: &Control) -> io::Result<(Box<dyn Session>, Option<Outcome>)> {
        let mut broken = false;
        loop {
            let event = self.inbox.wait_new(None).unwrap_or(Event::End);
            match event {
                Event::Done(session, outcome) => return Ok((session, (!broken).then_some(outcome))),
                Event::Lost => return Err(io::Error::other("the search has died")),
                Event::Info(_) => {}
                Event::Line(line) if !broken => {
                    let message = self.read(line.clone());
                    if matches!(message, Ok(Message::GameEnd { .. } | Message::BackReq { .. })) {
                        broken = true;
                        self.inbox.put_off(Event::Line(line));
                    } else {
                        let reaction =
                            message.map_or_else(|bad| bad, |message| self.dialogue.hear_aside(message));
                        broken = self.react(&reaction)? == Next::Over || self.gone;
                        if broken {
                            self.inbox.put_off(Event::End);
                        }
                    }
                }
                Event::Line(_) => self.inbox.put_off(event),
                Event::End => {
                    broken = true;
                    self.inbox.put_off(event);
                }
            }
            if broken {
                control.stop();
            }
        }
    }

    /// Says how the games of a plan went.
    fn say_farewell(&mut self) -> io::Result<()> {
        if self.plan.is_none() {
            return Ok(());
        }
        let left = self.games_left();
        let Tally { games, won, drawn, lost } = self.dialogue.tally;
        self.output.line(&format!("{games} games: {won} won, {drawn} drawn, {lost} lost"))?;
        match left {
            0 => Ok(()),
            left => Err(io::Error::other(format!("{left} games have not been played"))),
        }
    }
}
