//! The client side of Hub.

use super::lexer::{Command, quoted};
use crate::error::excerpt;
use crate::protocol::client::{Answer, Client, Fault, Identity, Needs, Quirks, Report};
use crate::protocol::record::Record;
use crate::protocol::settings::rules_of;
use crate::protocol::wire::{Flood, Wire};
use crate::score::Score;
use crate::search::{ClockLimit, Limits};
use std::time::{Duration, Instant};

/// A Hub engine.
pub struct HubClient {
    wire: Wire,
    identity: Identity,
    quirks: Quirks,
    record: Record,
}

/// Starts an engine and gets it ready.
///
/// # Errors
/// [`Fault::Start`] says why it did not get ready.
pub fn connect(needs: &Needs) -> Result<Box<dyn Client>, Fault> {
    let mut client = HubClient {
        wire: Wire::start(needs)?,
        identity: Identity::default(),
        quirks: needs.quirks.clone(),
        record: Record::new(needs.game.clone(), needs.quirks.clone(), |session, n| session.hub(n)),
    };
    match client.get_ready(needs) {
        Ok(()) => Ok(Box::new(client)),
        Err(fault @ (Fault::Aborted | Fault::Start(_))) => Err(fault),
        Err(fault) => Err(Fault::Start(fault.to_string())),
    }
}

impl HubClient {
    fn get_ready(&mut self, needs: &Needs) -> Result<(), Fault> {
        self.wire.send("hub");
        let lines = self.wire.await_start("wait")?;
        let declared: Vec<_> = lines.iter().filter_map(|line| Command::parse(line).ok()).collect();
        let mut variants = None;
        for line in &declared {
            match (line.name, word(line, "name")) {
                ("id", Some(name)) => {
                    self.identity.name = name.to_owned();
                    self.wire.name = name.to_owned();
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
        self.wire.send("init");
        for line in self.wire.await_start("ready")? {
            if line.starts_with("error") {
                self.warn(format!("it answers {}", excerpt(&line)));
            }
        }
        Ok(())
    }

    fn warn(&mut self, warning: String) {
        self.identity.warnings.push(warning);
    }

    fn declares(&self, name: &str) -> bool {
        self.identity.params.iter().any(|param| param == name)
    }

    fn set_param(&mut self, name: &str, value: &str) {
        self.wire.send(&format!("set-param name={} value={}", quoted(name), quoted(value)));
    }

    /// Tells the engine the rule set, by the name it has for it, and the options.
    fn choose_variant(&mut self, needs: &Needs, variants: Option<&str>) -> Result<(), Fault> {
        let known: Vec<&str> = variants.unwrap_or_default().split_whitespace().collect();
        let (name, warning) = needs.variant(&known)?;
        warning.into_iter().for_each(|warning| self.warn(warning));
        name.iter().for_each(|name| self.set_param("variant", name));
        if self.declares("rule") {
            self.set_param("rule", &rules_of(&needs.game));
        } else if !rules_of(&needs.game).is_empty() {
            self.warn(format!("it cannot be told the rules {}", rules_of(&needs.game)));
        }
        Ok(())
    }

    fn send_position(&mut self) {
        let (base, moves) = self.record.told();
        let line = if moves.is_empty() {
            format!("pos pos={base}")
        } else {
            format!("pos pos={base} moves={}", quoted(&moves))
        };
        self.wire.send(&line);
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.wire.settle((!self.quirks.no_ping).then_some(("ping", "pong")))
    }

    /// The move of a `done` line.
    fn read_done(&self, command: &Command<'_>, line: &str) -> Result<String, Fault> {
        let mv = word(command, "move").ok_or_else(|| Fault::Malformed(format!("'{}'", excerpt(line))))?;
        self.record.read(mv)
    }
}

impl Client for HubClient {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        self.record.begin(fen)?;
        self.wire.send("new-game");
        self.settle()
    }

    fn play(&mut self, mv: &str) -> Result<(), Fault> {
        self.record.play(mv)
    }

    fn go(&mut self, limits: &Limits, timeout: Duration) -> Result<Answer, Fault> {
        self.settle()?;
        self.send_position();
        self.wire.send(&level(&self.quirks, limits));
        let asked = Instant::now();
        let deadline = asked + timeout;
        self.wire.send("go think");
        let mut report = Report::default();
        let mut flood = Flood::default();
        loop {
            let (line, at) = self.wire.line(deadline, &mut flood)?;
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
        self.wire.send("stop");
        self.wire.lines_until("done", patience).map(drop)
    }

    fn quit(&mut self) {
        self.wire.leave("quit");
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
}
