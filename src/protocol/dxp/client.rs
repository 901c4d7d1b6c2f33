//! The client side of DXP: an engine that is started, or runs already, and is asked for its moves one game after the
//! other.

use super::ADDRESS;
use super::dialogue::{NAME, check_game, play, step_of, text_of};
use super::link::{self, Frames, Link, is_set};
use super::message::{Answer as Acceptance, BackAnswer, GameReq, Message, Reason, Step};
use crate::board::Side;
use crate::engine::{self, Session};
use crate::error::excerpt;
use crate::notation::HubNumbering;
use crate::protocol::client::{Answer, Client, FLOOD_LINES, Fault, Identity, Needs, Report, slices};
use crate::protocol::process::{Arrival, Process, Program, read_lines};
use crate::search::Limits;
use std::ffi::OsString;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Messages that may wait to be read; an engine that sends faster waits itself.
const WAITING: usize = 64;
/// How long the confirmation of GAMEEND is waited for: some programs send none.
const CONFIRMATION: Duration = Duration::from_secs(2);
/// How long an engine may take to end itself after its connection.
const LEAVE: Duration = Duration::from_millis(500);

/// A DXP engine.
struct DxpClient {
    link: Link,
    arrivals: Receiver<Arrival>,
    /// Its process, if we have started it.
    process: Option<Process>,
    identity: Identity,
    patience: Duration,
    abort: Arc<AtomicBool>,
    /// Whether the engine asks for the games.
    asks: bool,
    /// The game so far.
    session: Box<dyn Session>,
    /// The position before the last move, and that move: an engine that asks may mean this one.
    before: Option<(String, Step)>,
    /// The engine's side, from its first move of a game on.
    side: Option<Side>,
    /// The move that the engine has still to be told.
    pending: Option<Step>,
}

/// Starts an engine, or finds one that runs, and connects to it.
///
/// # Errors
/// [`Fault::Start`] says why there is no connection.
pub(super) fn connect(needs: &Needs) -> Result<Box<dyn Client>, Fault> {
    check_game(&needs.game).map_err(Fault::Start)?;
    let addr = &address(needs)?;
    let failed = |error: std::io::Error| Fault::Start(format!("{addr}: {error}"));
    let listener = needs.peer.listen.then(|| TcpListener::bind(addr)).transpose().map_err(failed)?;
    let mut process = if needs.peer.running { None } else { Some(start(needs, addr)?) };
    let deadline = Instant::now() + needs.patience;
    let mut ended = None;
    let stop = || {
        ended = process.as_mut().and_then(Process::ended);
        drain(process.as_mut());
        ended.is_some() || is_set(&needs.abort)
    };
    let stream = match &listener {
        Some(listener) => link::accept(listener, deadline, stop),
        None => link::connect(addr, deadline, stop),
    };
    let stream = stream.map_err(|error| match ended {
        _ if is_set(&needs.abort) => Fault::Aborted,
        Some(status) => Fault::Start(format!("it has ended: {status}")),
        None => failed(error),
    })?;
    let client = DxpClient::new(needs, stream, process).map_err(failed)?;
    Ok(Box::new(client))
}

/// The address of an engine: the one that is given; for a program that we start and tell it, one that is free.
fn address(needs: &Needs) -> Result<String, Fault> {
    let tells = |arg: &OsString| ["{addr}", "{port}"].iter().any(|word| arg.to_string_lossy().contains(word));
    let told = needs.peer.own || needs.program.args.iter().any(tells);
    match &needs.peer.addr {
        Some(addr) => Ok(addr.clone()),
        None if told => link::free_address().map_err(|error| Fault::Start(error.to_string())),
        None => Ok(ADDRESS.to_owned()),
    }
}

/// Starts an engine. This program is told the address, the rules and its parameters; to others `{addr}` in an argument is
/// the address and `{port}` its end.
fn start(needs: &Needs, addr: &str) -> Result<Process, Fault> {
    let Program { path, args, dir } = &needs.program;
    let args = if needs.peer.own {
        let place = if needs.peer.listen { "--connect" } else { "--listen" };
        let mut args = ["dxp", "--once", place, addr, "-v", needs.game.set.id].map(Into::into).to_vec();
        if needs.peer.asks {
            // It does not know how many games there will be.
            args.extend(["--role", "initiator", "--games", "1000000"].map(Into::into));
        } else {
            args.extend(["--role", "follower"].map(Into::into));
        }
        for (name, value) in &needs.game.chosen {
            args.extend(["--rule".into(), format!("{name}={value}").into()]);
        }
        for (name, value) in &needs.params {
            args.extend([format!("--{name}").into(), value.into()]);
        }
        args
    } else {
        let port = addr.rsplit(':').next().unwrap_or_default();
        let told = |arg: &OsString| arg.to_string_lossy().replace("{addr}", addr).replace("{port}", port);
        args.iter().map(|arg| told(arg).into()).collect()
    };
    let program = Program { path: path.clone(), args, dir: dir.clone() };
    Process::start(&program).map_err(|error| Fault::Start(format!("{}: {error}", path.display())))
}

/// Takes what an engine has written on its output, so that it need not wait for us.
fn drain(process: Option<&mut Process>) {
    let Some(process) = process else { return };
    while process.receive(Instant::now()).is_some_and(|arrival| arrival.line.is_some()) {}
}

impl DxpClient {
    fn new(needs: &Needs, stream: TcpStream, process: Option<Process>) -> std::io::Result<Self> {
        let (link, frames): (Link, Frames<TcpStream>) = Link::new(stream)?;
        let (sender, arrivals) = sync_channel(WAITING);
        thread::Builder::new().name("from engine".into()).spawn(move || read_lines(frames, &sender))?;
        let mut identity = Identity::default();
        if !needs.peer.own {
            let unheard = needs.params.iter().map(|(name, _)| format!("DXP cannot tell it '{name}'"));
            identity.warnings.extend(unheard);
            identity
                .warnings
                .push(format!("DXP does not tell it the rules: it is taken to play {}", needs.game.set.id));
        }
        Ok(Self {
            link,
            arrivals,
            process,
            identity,
            patience: needs.patience,
            abort: Arc::clone(&needs.abort),
            asks: needs.peer.asks,
            session: engine::open(needs.game.clone()),
            before: None,
            side: None,
            pending: None,
        })
    }

    fn send(&mut self, message: &Message) -> Result<(), Fault> {
        self.link.send(message).map_err(|_| self.end())
    }

    /// The connection has ended: how did the process?
    fn end(&mut self) -> Fault {
        match self.process.as_mut().map(Process::end) {
            Some(Some(status)) if !status.success() => Fault::Crash(status.to_string()),
            _ => Fault::Exit,
        }
    }

    /// The next message but chat, and when it came. What is none is passed over.
    fn receive(&mut self, deadline: Instant, count: &mut usize) -> Result<(Message, Instant), Fault> {
        let abort = Arc::clone(&self.abort);
        for slice in slices(deadline, &abort) {
            let arrival = match self.arrivals.recv_timeout(slice?.saturating_duration_since(Instant::now())) {
                Ok(arrival) => arrival,
                Err(RecvTimeoutError::Timeout) => {
                    drain(self.process.as_mut());
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
            };
            self.link.heard();
            *count += 1;
            if *count > FLOOD_LINES {
                return Err(Fault::Flood);
            }
            let parsed = match arrival.line {
                Some(Ok(text)) => {
                    log::trace!("dxp > {text}");
                    Message::parse(&text).map_err(|error| error.to_string())
                }
                Some(Err(bad)) => Err(bad.to_string()),
                None => return Err(self.end()),
            };
            match parsed {
                Ok(Message::Chat(text)) => log::info!("{}: chat: {}", self.identity.name, excerpt(&text)),
                // Nobody goes back in a match.
                Ok(Message::BackReq { .. }) => self.send(&Message::BackAcc(BackAnswer::Refused))?,
                Ok(message) => return Ok((message, arrival.at)),
                Err(error) => log::warn!("{}: {error}", self.identity.name),
            }
        }
        Err(Fault::Timeout)
    }

    /// Begins a game in which the engine is to move: asks for it, or waits until the engine does. Gives the time from
    /// which the engine's clock runs.
    fn begin(&mut self, limits: &Limits) -> Result<Instant, Fault> {
        let side = self.session.turn();
        let begun = if self.asks { self.be_asked(side) } else { self.ask(side, limits) };
        begun.map_err(|fault| match fault {
            Fault::Timeout => Fault::Start("no answer to the request for a game".to_owned()),
            other => other,
        })
    }

    fn ask(&mut self, side: Side, limits: &Limits) -> Result<Instant, Fault> {
        let time = limits.clock.map_or(Duration::ZERO, |clock| clock.time);
        let asked = GameReq {
            name: NAME.to_owned(),
            follower: side,
            // An increment, and what is beyond whole minutes, cannot be told.
            time: Duration::from_secs(60 * (time.as_secs() / 60).max(1)),
            moves: 0,
            position: (!self.is_start()).then(|| self.session.hub(HubNumbering::Standard)),
        };
        self.send(&Message::GameReq(asked))?;
        let (deadline, mut count) = (Instant::now() + self.patience, 0);
        loop {
            let (message, at) = self.receive(deadline, &mut count)?;
            match message {
                Message::GameAcc { name, answer: Acceptance::Accepted } => {
                    self.identity.name = name;
                    self.side = Some(side);
                    self.pending = None;
                    return Ok(at);
                }
                Message::GameAcc { answer, .. } => {
                    return Err(Fault::Start(format!("it refuses the game: code {}", answer as u8)));
                }
                // A late confirmation of the end of the last game.
                _ => {}
            }
        }
    }

    /// Whether what DXP calls the start position is on the board: 20 men each, White to move.
    fn is_start(&self) -> bool {
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        self.session.hub(HubNumbering::Standard) == start
    }

    /// Waits until the engine asks for a game, and says yes if it is the one to be played.
    fn be_asked(&mut self, side: Side) -> Result<Instant, Fault> {
        let (deadline, mut count) = (Instant::now() + self.patience, 0);
        let asked = loop {
            if let (Message::GameReq(asked), _) = self.receive(deadline, &mut count)? {
                break asked;
            }
        };
        self.identity.name.clone_from(&asked.name);
        let mut other = engine::open(self.session.game().clone());
        super::dialogue::set_up(&mut *other, &asked).map_err(Fault::Start)?;
        let position = other.hub(HubNumbering::Standard);
        let now = position == self.session.hub(HubNumbering::Standard);
        let pending = self.before.take().filter(|(before, _)| *before == position).map(|(_, step)| step);
        let fits = asked.follower != side && (now || pending.is_some());
        let answer = if fits { Acceptance::Accepted } else { Acceptance::NotThis };
        let asked_at = Instant::now();
        self.send(&Message::GameAcc { name: NAME.to_owned(), answer })?;
        if !fits {
            return Err(Fault::Start("it asks for another game than the next one of the match".to_owned()));
        }
        self.side = Some(side);
        self.pending = if now { None } else { pending };
        match self.pending.take() {
            Some(step) => {
                self.send(&Message::Move(step))?;
                Ok(Instant::now())
            }
            None => Ok(asked_at),
        }
    }

    /// Ends the game that is on, if one is. The engine has moved, so that it is for us to speak.
    fn close_game(&mut self, stop: bool) -> Result<(), Fault> {
        self.pending = None;
        if self.side.take().is_none() {
            return Ok(());
        }
        self.send(&Message::GameEnd { reason: Reason::Unknown, stop })?;
        let (deadline, mut count) = (Instant::now() + CONFIRMATION, 0);
        loop {
            match self.receive(deadline, &mut count) {
                Ok((Message::GameEnd { .. }, _)) => return Ok(()),
                Ok(_) => {}
                Err(Fault::Timeout) => {
                    log::debug!("{} does not confirm the end of a game", self.identity.name);
                    return Ok(());
                }
                Err(fault) => return Err(fault),
            }
        }
    }

    /// The engine has ended the game instead of moving.
    fn gave_up(&mut self, reason: Reason, stop: bool) -> Fault {
        self.side = None;
        let confirmed = self.send(&Message::GameEnd { reason: Reason::Unknown, stop });
        let says = match reason {
            Reason::Unknown => "without a reason",
            Reason::Lost => "and says that it has lost",
            Reason::Draw => "and says that it is a draw",
            Reason::Won => "and says that it has won",
        };
        confirmed.err().unwrap_or_else(|| Fault::GaveUp(format!("ends the game {says}")))
    }
}

impl Client for DxpClient {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        self.close_game(false)?;
        match fen {
            Some(fen) => self.session.set_fen(fen).map_err(|error| Fault::Start(error.to_string()))?,
            None => self.session.set_start(),
        }
        self.before = None;
        Ok(())
    }

    fn play(&mut self, mv: &str) -> Result<(), Fault> {
        let before = self.session.hub(HubNumbering::Standard);
        let mover = self.session.turn();
        let step =
            step_of(mv, 0).ok_or_else(|| Fault::Malformed(format!("no DXP move: '{}'", excerpt(mv))))?;
        play(&mut *self.session, &step).map_err(Fault::Malformed)?;
        if self.side.is_some_and(|side| side != mover) {
            self.pending = Some(step.clone());
        }
        self.before = Some((before, step));
        Ok(())
    }

    fn go(&mut self, limits: &Limits, timeout: Duration) -> Result<Answer, Fault> {
        drain(self.process.as_mut());
        let asked = match (self.side, self.pending.take()) {
            (None, _) => self.begin(limits)?,
            (Some(_), Some(step)) => {
                self.send(&Message::Move(step))?;
                Instant::now()
            }
            (Some(_), None) => Instant::now(),
        };
        let (deadline, mut count) = (asked + timeout, 0);
        loop {
            let (message, at) = self.receive(deadline, &mut count)?;
            match message {
                Message::Move(step) => {
                    let mv = text_of(&*self.session, &step).map_err(Fault::Illegal)?;
                    let time = at.saturating_duration_since(asked);
                    return Ok(Answer { mv, report: Report::default(), time });
                }
                Message::GameEnd { reason, stop } => return Err(self.gave_up(reason, stop)),
                other => log::warn!("{}: out of place: {other}", self.identity.name),
            }
        }
    }

    /// DXP cannot break off a search: what is left is to wait for its move.
    fn stop(&mut self, patience: Duration) -> Result<(), Fault> {
        let (deadline, mut count) = (Instant::now() + patience, 0);
        loop {
            match self.receive(deadline, &mut count)?.0 {
                Message::Move(_) => return Ok(()),
                Message::GameEnd { reason, stop } => return Err(self.gave_up(reason, stop)),
                _ => {}
            }
        }
    }

    fn quit(&mut self) {
        let started = self.process.is_some();
        if let Err(fault) = self.close_game(started) {
            log::debug!("{}: {fault}", self.identity.name);
        }
        self.link.close();
        if let Some(process) = &mut self.process {
            process.close(LEAVE);
        }
    }
}
