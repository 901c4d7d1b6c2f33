//! The client side of Hub.

use super::lexer::{Command, quoted};
use super::params::rules_of;
use crate::board::Side;
use crate::engine::{self, Notation, Session};
use crate::error::excerpt;
use crate::notation::MoveError;
use crate::position::{Kind, Setup};
use crate::protocol::client::{
    Answer, Captures, Client, FLOOD_BYTES, FLOOD_LINES, Fault, History, Identity, Needs, Quirks, Report,
    slices,
};
use crate::protocol::process::Process;
use crate::score::Score;
use crate::search::{ClockLimit, Limits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long an engine may take to leave after `quit`.
const LEAVE: Duration = Duration::from_secs(2);

/// A Hub engine.
pub struct HubClient {
    process: Process,
    identity: Identity,
    quirks: Quirks,
    patience: Duration,
    abort: Arc<AtomicBool>,
    /// The game so far.
    session: Box<dyn Session>,
    /// The position string that the engine is told.
    base: String,
    /// The moves that it is told after it.
    moves: Vec<String>,
}

/// Starts an engine and gets it ready.
///
/// # Errors
/// [`Fault::Start`] says why it did not get ready.
pub fn connect(needs: &Needs) -> Result<Box<dyn Client>, Fault> {
    let process = Process::start(&needs.program)
        .map_err(|error| Fault::Start(format!("{}: {error}", needs.program.path.display())))?;
    let mut client = HubClient {
        process,
        identity: Identity::default(),
        quirks: needs.quirks.clone(),
        patience: needs.patience,
        abort: Arc::clone(&needs.abort),
        session: engine::open(needs.game.clone()),
        base: String::new(),
        moves: Vec::new(),
    };
    match client.get_ready(needs) {
        Ok(()) => Ok(Box::new(client)),
        Err(fault @ (Fault::Aborted | Fault::Start(_))) => Err(fault),
        Err(fault) => Err(Fault::Start(fault.to_string())),
    }
}

impl HubClient {
    fn get_ready(&mut self, needs: &Needs) -> Result<(), Fault> {
        self.process.send("hub");
        let lines = self.await_start("wait")?;
        let declared: Vec<_> = lines.iter().filter_map(|line| Command::parse(line).ok()).collect();
        let mut variants = None;
        for line in &declared {
            match (line.name, word(line, "name")) {
                ("id", Some(name)) => {
                    self.identity.name = name.to_owned();
                    self.identity.version = word(line, "version").unwrap_or_default().to_owned();
                }
                ("param", Some(name)) => {
                    if name == "variant" {
                        variants = word(line, "values");
                    }
                    self.identity.params.push(name.to_owned());
                }
                _ => {}
            }
        }
        self.choose_variant(needs, variants)?;
        for (name, value) in &needs.params {
            if !self.declares(name) {
                self.warn(format!("it declares no parameter '{name}'"));
            }
            self.set_param(name, value);
        }
        self.process.send("init");
        for line in self.await_start("ready")? {
            if line.starts_with("error") {
                self.warn(format!("it answers {}", excerpt(&line)));
            }
        }
        Ok(())
    }

    fn warn(&mut self, warning: String) {
        self.identity.warnings.push(warning);
    }

    /// As [`Self::lines_until`], and says what has not come.
    fn await_start(&mut self, word: &str) -> Result<Vec<String>, Fault> {
        let patience = self.patience;
        self.lines_until(word, patience).map_err(|fault| match fault {
            Fault::Timeout => Fault::Start(format!("no '{word}' within {} s", patience.as_secs_f64())),
            other => other,
        })
    }

    fn declares(&self, name: &str) -> bool {
        self.identity.params.iter().any(|param| param == name)
    }

    fn set_param(&mut self, name: &str, value: &str) {
        self.process.send(&format!("set-param name={} value={}", quoted(name), quoted(value)));
    }

    /// Tells the engine the rule set, by the name it has for it, and the options.
    fn choose_variant(&mut self, needs: &Needs, variants: Option<&str>) -> Result<(), Fault> {
        let set = needs.game.set;
        let known: Vec<&str> = variants.unwrap_or_default().split_whitespace().collect();
        let own = || [set.id].into_iter().chain(set.aliases.iter().copied());
        let found = own().find(|name| known.contains(name));
        match (&needs.quirks.variant, found) {
            (Some(name), _) => {
                if !known.contains(&name.as_str()) {
                    self.warn(format!("'{name}' is none of its variants"));
                }
                self.set_param("variant", name);
            }
            (None, Some(name)) => self.set_param("variant", name),
            (None, None) if !known.is_empty() => {
                let known = known.join(" ");
                return Err(Fault::Start(format!("it does not play {}: its variants are {known}", set.id)));
            }
            (None, None) => self.warn(format!("it declares no variants, and is taken to play {}", set.id)),
        }
        if self.declares("rule") {
            self.set_param("rule", &rules_of(&needs.game));
        } else if !rules_of(&needs.game).is_empty() {
            self.warn(format!("it cannot be told the rules {}", rules_of(&needs.game)));
        }
        Ok(())
    }

    /// The lines before one whose first word is `word`.
    fn lines_until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        let mut flood = Flood::default();
        loop {
            let (line, _) = self.line(deadline, &mut flood)?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// The next line that is text, and when it came.
    fn line(&mut self, deadline: Instant, flood: &mut Flood) -> Result<(String, Instant), Fault> {
        let abort = Arc::clone(&self.abort);
        for slice in slices(deadline, &abort) {
            let Some(arrival) = self.process.receive(slice?) else { continue };
            match arrival.line {
                Some(Ok(line)) => {
                    flood.add(line.len())?;
                    return Ok((line, arrival.at));
                }
                Some(Err(bad)) => {
                    log::warn!("{}: {bad}", self.identity.name);
                    flood.add(1)?;
                }
                None => return Err(self.end()),
            }
        }
        Err(Fault::Timeout)
    }

    /// The output has ended: how did the process?
    fn end(&mut self) -> Fault {
        match self.process.end() {
            Some(status) if !status.success() => Fault::Crash(status.to_string()),
            _ => Fault::Exit,
        }
    }

    /// A move as this engine has it.
    fn spelt(&self, mv: &str) -> Result<String, MoveError> {
        let numbering = self.quirks.numbering;
        let form = match self.quirks.captures {
            Captures::Path => Notation::HubInOrder(numbering),
            Captures::Ascending | Captures::Short => Notation::Hub(numbering),
        };
        let text = self.session.translate(mv, Notation::HUB, form)?;
        let parts: Vec<_> = text.split('x').collect();
        Ok(match parts[..] {
            [from, to, _] if self.quirks.captures == Captures::Short => format!("{from}x{to}"),
            _ => text,
        })
    }

    /// What the engine is told begins here.
    fn rebase(&mut self) {
        self.base = self.session.hub(self.quirks.numbering);
        self.moves.clear();
    }

    fn send_position(&mut self) {
        let (base, moves) = (&self.base, self.moves.join(" "));
        let line = if moves.is_empty() {
            format!("pos pos={base}")
        } else {
            format!("pos pos={base} moves={}", quoted(&moves))
        };
        self.process.send(&line);
    }

    /// Makes sure that the engine has nothing more to say: what an answer may follow must come after this.
    fn settle(&mut self) -> Result<(), Fault> {
        if self.quirks.no_ping {
            let mut flood = Flood::default();
            while let Some(arrival) = self.process.receive(Instant::now()) {
                let Some(line) = arrival.line else { return Err(self.end()) };
                flood.add(line.map_or(1, |line| line.len()))?;
            }
            return Ok(());
        }
        self.process.send("ping");
        let stray = self.lines_until("pong", self.patience).map_err(|fault| match fault {
            Fault::Timeout => Fault::Silent,
            other => other,
        })?;
        stray.iter().for_each(|line| log::debug!("{}: stray line: {line}", self.identity.name));
        Ok(())
    }

    /// The move of a `done` line.
    fn read_done(&self, command: &Command<'_>, line: &str) -> Result<String, Fault> {
        let mv = word(command, "move").ok_or_else(|| Fault::Malformed(format!("'{}'", excerpt(line))))?;
        self.session.translate(mv, Notation::Hub(self.quirks.numbering), Notation::HUB).map_err(|error| {
            match error {
                MoveError::Illegal { .. } | MoveError::OffBoard { .. } => Fault::Illegal(error.to_string()),
                MoveError::Malformed { .. } | MoveError::Ambiguous { .. } => {
                    Fault::Malformed(error.to_string())
                }
            }
        })
    }
}

impl Client for HubClient {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        match fen {
            Some(fen) => self.session.set_fen(fen).map_err(|error| Fault::Start(error.to_string()))?,
            None => self.session.set_start(),
        }
        self.rebase();
        self.process.send("new-game");
        self.settle()
    }

    fn play(&mut self, mv: &str) -> Result<(), Fault> {
        let no_move = |error: MoveError| Fault::Malformed(error.to_string());
        let spelt = self.spelt(mv).map_err(no_move)?;
        let before = (self.quirks.history == History::Reversible).then(|| self.session.setup());
        self.session.play(mv, Notation::HUB).map_err(no_move)?;
        self.moves.push(spelt);
        match self.quirks.history {
            History::All => {}
            History::Reversible
                if before.is_some_and(|before| firm(&before) == firm(&self.session.setup())) => {}
            History::Reversible | History::None => self.rebase(),
        }
        Ok(())
    }

    fn go(&mut self, limits: &Limits, timeout: Duration) -> Result<Answer, Fault> {
        self.settle()?;
        self.send_position();
        self.process.send(&level(&self.quirks, limits));
        let asked = Instant::now();
        let deadline = asked + timeout;
        self.process.send("go think");
        let mut report = Report::default();
        let mut flood = Flood::default();
        loop {
            let (line, at) = self.line(deadline, &mut flood)?;
            let Ok(command) = Command::parse(&line) else {
                if line.trim_start().starts_with("done") {
                    return Err(Fault::Malformed(format!("'{}'", excerpt(&line))));
                }
                continue;
            };
            match command.name {
                "info" => read_info(&command, &mut report),
                "done" => {
                    let mv = self.read_done(&command, &line)?;
                    return Ok(Answer { mv, report, time: at.saturating_duration_since(asked) });
                }
                "error" => log::warn!("{}: {line}", self.identity.name),
                _ => {}
            }
        }
    }

    fn stop(&mut self, patience: Duration) -> Result<(), Fault> {
        self.process.send("stop");
        self.lines_until("done", patience).map(drop)
    }

    fn quit(&mut self) {
        self.process.send("quit");
        self.process.close(LEAVE);
    }
}

/// What no king move changes: the number of pieces, and where those stand that are no kings.
fn firm(setup: &Setup) -> (usize, Vec<(usize, Side)>) {
    let men = setup.pieces.iter().filter(|(_, _, kind)| *kind != Kind::King);
    (setup.pieces.len(), men.map(|&(index, side, _)| (index, side)).collect())
}

/// What has come since the question.
#[derive(Default)]
struct Flood {
    lines: usize,
    bytes: usize,
}

impl Flood {
    fn add(&mut self, bytes: usize) -> Result<(), Fault> {
        self.lines += 1;
        self.bytes += bytes;
        if self.lines > FLOOD_LINES || self.bytes > FLOOD_BYTES { Err(Fault::Flood) } else { Ok(()) }
    }
}

/// The value of an argument that is there once.
fn word<'a>(command: &Command<'a>, name: &str) -> Option<&'a str> {
    command.value(name).ok().flatten()
}

/// Takes over what an `info` line says; what cannot be read stays as it was.
fn read_info(command: &Command<'_>, report: &mut Report) {
    if let Some(depth) = word(command, "depth").and_then(|text| text.parse().ok()) {
        report.depth = Some(depth);
    }
    if let Some(nodes) = word(command, "nodes").and_then(|text| text.parse().ok()) {
        report.nodes = Some(nodes);
    }
    let men = word(command, "score").and_then(|text| text.parse::<f64>().ok());
    if let Some(men) = men.filter(|men| men.is_finite()) {
        report.score = Some(Score::new((men.clamp(-100.0, 100.0) * 100.0).round() as i32));
    }
}

/// The `level` line of some limits.
fn level(quirks: &Quirks, limits: &Limits) -> String {
    let seconds = |time: Duration| {
        if quirks.whole_seconds {
            time.as_secs().max(1).to_string()
        } else {
            format!("{:.3}", time.as_secs_f64())
        }
    };
    let mut line = String::from("level");
    let mut add = |name: &str, value: String| line.push_str(&format!(" {name}={value}"));
    limits.depth.iter().for_each(|depth| add("depth", depth.to_string()));
    limits.nodes.iter().for_each(|nodes| add("nodes", nodes.to_string()));
    limits.move_time.iter().for_each(|&time| add("move-time", seconds(time)));
    if let Some(ClockLimit { time, inc, moves }) = limits.clock {
        moves.iter().for_each(|moves| add("moves", moves.to_string()));
        // Hub counts the increment of this move as not yet added.
        let inc = if quirks.no_increment { Duration::ZERO } else { inc.min(time) };
        add("time", seconds(time - inc));
        let least = if quirks.whole_seconds { Duration::from_secs(1) } else { Duration::from_nanos(1) };
        if inc >= least {
            add("inc", seconds(inc));
        }
    }
    if line == "level" { line + " infinite" } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, find};

    #[test]
    fn levels() {
        let ms = Duration::from_millis;
        let clock = |time, inc, moves| Limits {
            clock: Some(ClockLimit { time: ms(time), inc: ms(inc), moves }),
            ..Limits::default()
        };
        let plain = Quirks::default();
        let whole = Quirks { whole_seconds: true, ..Quirks::default() };
        let bare = Quirks { no_increment: true, ..Quirks::default() };
        for (quirks, limits, line) in [
            (&plain, Limits::default(), "level infinite"),
            (
                &plain,
                Limits { depth: Some(3), nodes: Some(70), ..Limits::default() },
                "level depth=3 nodes=70",
            ),
            (&plain, Limits { move_time: Some(ms(50)), ..Limits::default() }, "level move-time=0.050"),
            (&plain, clock(61_000, 1_000, Some(40)), "level moves=40 time=60.000 inc=1.000"),
            (&plain, clock(400, 1_000, None), "level time=0.000 inc=0.400"),
            (&bare, clock(61_000, 1_000, None), "level time=61.000"),
            (&whole, clock(61_900, 1_500, None), "level time=60 inc=1"),
            (&whole, clock(900, 500, None), "level time=1"),
        ] {
            assert_eq!(level(quirks, &limits), line);
        }
    }

    #[test]
    fn reports() {
        let mut report = Report::default();
        let mut hear = |line: &str| {
            read_info(&Command::parse(line).unwrap(), &mut report);
            report.clone()
        };
        let whole = Report { depth: Some(7), score: Some(Score::new(-12)), nodes: Some(900) };
        assert_eq!(hear("info depth=7 mean-depth=8.1 score=-0.12 nodes=900 pv=32-28"), whole);
        assert_eq!(hear("info depth=x score=nan nodes=1.5"), whole, "what cannot be read changes nothing");
        assert_eq!(hear("info score=99.95").score, Some(Score::win_in(5)));
    }

    #[test]
    fn only_king_moves_leave_all_else_in_place() {
        let mut session = engine::open(Game::new(find("international").unwrap()));
        let mut reversible = |fen: &str, mv: &str| {
            session.set_fen(fen).unwrap();
            let before = firm(&session.setup());
            session.play(mv, Notation::HUB).unwrap();
            before == firm(&session.setup())
        };
        assert!(reversible("W:WK46,35:B5", "46-41"));
        for (fen, mv) in [("W:WK46,35:B5", "35-30"), ("W:W6:B5", "6-1"), ("W:WK46,35:B5,28", "46x10x28")] {
            assert!(!reversible(fen, mv), "{mv}");
        }
    }

    #[test]
    fn floods_are_seen() {
        let mut flood = Flood::default();
        (0..FLOOD_LINES).for_each(|_| flood.add(10).unwrap());
        assert_eq!(flood.add(10), Err(Fault::Flood));
        assert_eq!(Flood::default().add(FLOOD_BYTES + 1), Err(Fault::Flood));
    }
}
