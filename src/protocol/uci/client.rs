//! The client side of UCI, for engines that mean by it what `protocol.md` says.

use crate::board::Side;
use crate::error::excerpt;
use crate::protocol::client::{Answer, Client, Fault, Identity, Needs, Quirks, Report};
use crate::protocol::record::Record;
use crate::protocol::settings::rules_of;
use crate::protocol::wire::{Flood, Wire};
use crate::score::Score;
use crate::search::{ClockLimit, Limits};
use std::time::{Duration, Instant};

/// A UCI engine.
pub struct UciClient {
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
    let mut client = UciClient {
        wire: Wire::start(needs)?,
        identity: Identity::default(),
        quirks: needs.quirks.clone(),
        record: Record::new(needs.game.clone(), needs.quirks.clone(), |session, _| session.fen()),
    };
    match client.get_ready(needs) {
        Ok(()) => Ok(Box::new(client)),
        Err(fault @ (Fault::Aborted | Fault::Start(_))) => Err(fault),
        Err(fault) => Err(Fault::Start(fault.to_string())),
    }
}

impl UciClient {
    fn get_ready(&mut self, needs: &Needs) -> Result<(), Fault> {
        self.wire.send("uci");
        let lines = self.wire.await_start("uciok")?;
        let mut variants = Vec::new();
        for line in &lines {
            if let Some(name) = line.strip_prefix("id name ") {
                self.identity.name = name.trim().to_owned();
                self.wire.name = self.identity.name.clone();
            }
            if let Some((name, vars)) = declared(line) {
                if name == "UCI_Variant" {
                    variants = vars;
                }
                self.identity.params.push(name);
            }
        }
        self.choose_variant(needs, &variants)?;
        for (name, value) in &needs.params {
            if !self.declares(name) {
                self.warn(format!("it declares no option '{name}'"));
            }
            self.set_option(name, value);
        }
        self.wire.send("isready");
        for line in self.wire.await_start("readyok")? {
            if line.starts_with("info string error") {
                self.warn(format!("it answers {}", excerpt(&line)));
            }
        }
        Ok(())
    }

    fn warn(&mut self, warning: String) {
        self.identity.warnings.push(warning);
    }

    fn declares(&self, name: &str) -> bool {
        self.identity.params.iter().any(|param| param.eq_ignore_ascii_case(name))
    }

    /// A button is pushed by an empty value.
    fn set_option(&mut self, name: &str, value: &str) {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.wire.send(&format!("setoption name {name}{value}"));
    }

    /// Tells the engine the rule set, by the name it has for it, and the options.
    fn choose_variant(&mut self, needs: &Needs, variants: &[String]) -> Result<(), Fault> {
        let known: Vec<&str> = variants.iter().map(String::as_str).collect();
        let (name, warning) = needs.variant(&known)?;
        warning.into_iter().for_each(|warning| self.warn(warning));
        name.iter().for_each(|name| self.set_option("UCI_Variant", name));
        let rules = rules_of(&needs.game);
        if self.declares("Rule") {
            self.set_option("Rule", if rules.is_empty() { "<empty>" } else { &rules });
        } else if !rules.is_empty() {
            self.warn(format!("it cannot be told the rules {rules}"));
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.wire.settle((!self.quirks.no_ping).then_some(("isready", "readyok")))
    }

    fn send_position(&mut self) {
        let (base, moves) = self.record.told();
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        self.wire.send(&format!("position fen {base}{moves}"));
    }

    /// The move of a `bestmove` line.
    fn read_best(&self, line: &str) -> Result<String, Fault> {
        let mv = line.split_ascii_whitespace().nth(1).filter(|word| *word != "(none)");
        self.record.read(mv.ok_or_else(|| Fault::Malformed(format!("'{}'", excerpt(line))))?)
    }
}

impl Client for UciClient {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn new_game(&mut self, fen: Option<&str>) -> Result<(), Fault> {
        self.record.begin(fen)?;
        self.wire.send("ucinewgame");
        self.settle()
    }

    fn play(&mut self, mv: &str) -> Result<(), Fault> {
        self.record.play(mv)
    }

    fn go(&mut self, limits: &Limits, timeout: Duration) -> Result<Answer, Fault> {
        self.settle()?;
        self.send_position();
        let line = go_line(&self.quirks, limits, self.record.turn());
        let asked = Instant::now();
        self.wire.send(&line);
        let deadline = asked + timeout;
        let mut report = Report::default();
        let mut flood = Flood::default();
        loop {
            let (line, at) = self.wire.line(deadline, &mut flood)?;
            match line.split_ascii_whitespace().next() {
                Some("info") => read_info(&line, &mut report),
                Some("bestmove") => {
                    let mv = self.read_best(&line)?;
                    return Ok(Answer { mv, report, time: at.saturating_duration_since(asked) });
                }
                _ => {}
            }
            if line.starts_with("info string error") {
                log::warn!("{}: {line}", self.identity.name);
            }
        }
    }

    fn stop(&mut self, patience: Duration) -> Result<(), Fault> {
        self.wire.send("stop");
        self.wire.lines_until("bestmove", patience).map(drop)
    }

    fn quit(&mut self) {
        self.wire.leave("quit");
    }
}

/// The name of an option that a line declares, and the values of a combo.
fn declared(line: &str) -> Option<(String, Vec<String>)> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let vars = rest.split(" var ").skip(1).map(|var| var.trim().to_owned());
    Some((name.trim().to_owned(), vars.collect()))
}

/// Takes over what an `info` line says of the best line; what cannot be read stays as it was.
fn read_info(line: &str, report: &mut Report) {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let end = words.iter().position(|word| ["pv", "string"].contains(word)).unwrap_or(words.len());
    let words = words.get(..end).unwrap_or_default();
    let after = |name: &str, by: usize| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + by).copied()
    };
    if after("multipv", 1).is_some_and(|number| number != "1") {
        return;
    }
    if let Some(depth) = after("depth", 1).and_then(|text| text.parse().ok()) {
        report.depth = Some(depth);
    }
    if let Some(nodes) = after("nodes", 1).and_then(|text| text.parse().ok()) {
        report.nodes = Some(nodes);
    }
    let value = after("score", 2).and_then(|text| text.parse::<i32>().ok());
    let score = match (after("score", 1), value) {
        (Some("cp"), Some(value)) => Some(Score::new(value.clamp(-10_000, 10_000))),
        (Some("mate"), Some(moves)) => Some(mate(moves)),
        _ => None,
    };
    report.score = score.or(report.score);
}

/// A forced end in so many moves of the winner; a loss if negative.
fn mate(moves: i32) -> Score {
    let plies = moves.unsigned_abs().saturating_mul(2).min(Score::MAX_PLIES);
    if moves > 0 { Score::win_in(plies.saturating_sub(1)) } else { Score::loss_in(plies) }
}

/// The `go` line of some limits.
fn go_line(quirks: &Quirks, limits: &Limits, turn: Side) -> String {
    let millis = |time: Duration| {
        let whole = if quirks.whole_seconds { 1000 * time.as_secs().max(1) } else { 0 };
        if whole > 0 { u128::from(whole) } else { time.as_millis() }
    };
    let mut line = String::from("go");
    let mut add = |name: &str, value: String| line.push_str(&format!(" {name} {value}"));
    limits.depth.iter().for_each(|depth| add("depth", depth.to_string()));
    limits.nodes.iter().for_each(|nodes| add("nodes", nodes.to_string()));
    limits.move_time.iter().for_each(|&time| add("movetime", millis(time).to_string()));
    if let Some(ClockLimit { time, inc, moves }) = limits.clock {
        let (clock, bonus) = if turn == Side::White { ("wtime", "winc") } else { ("btime", "binc") };
        add(clock, millis(time).to_string());
        if !quirks.no_increment && !inc.is_zero() {
            add(bonus, millis(inc).to_string());
        }
        moves.iter().for_each(|moves| add("movestogo", moves.to_string()));
    }
    if line == "go" { line + " infinite" } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        let option = "option name UCI_Variant type combo default italian var italian var one-way";
        let (name, vars) = declared(option).unwrap();
        assert_eq!((name.as_str(), vars), ("UCI_Variant", vec!["italian".to_owned(), "one-way".to_owned()]));
        let (name, vars) = declared("option name Skill Level type spin default 20 min 1 max 20").unwrap();
        assert_eq!((name.as_str(), vars.len()), ("Skill Level", 0));
        assert_eq!(declared("option name"), None);
    }

    #[test]
    fn reports() {
        let mut report = Report::default();
        let mut hear = |line: &str| {
            read_info(line, &mut report);
            report.clone()
        };
        let whole = Report { depth: Some(7), score: Some(Score::new(-12)), nodes: Some(900) };
        assert_eq!(hear("info depth 7 seldepth 9 multipv 1 score cp -12 nodes 900 pv 32-28"), whole);
        for strange in [
            "info depth x score cp high nodes -1",
            "info",
            "info score",
            "info string depth 9",
            "info multipv 2 depth 9 score cp 5",
        ] {
            assert_eq!(hear(strange), whole, "{strange}");
        }
        assert_eq!(hear("info score mate 3").score, Some(Score::win_in(5)));
        assert_eq!(hear("info score mate -2").score, Some(Score::loss_in(4)));
        assert_eq!(hear("info score mate 2147483647").score, Some(Score::win_in(Score::MAX_PLIES - 1)));
        assert_eq!(hear("info score mate 0").score, Some(Score::loss_in(0)));
    }

    #[test]
    fn limits() {
        let ms = Duration::from_millis;
        let clock = |time, inc, moves| Limits {
            clock: Some(ClockLimit { time: ms(time), inc: ms(inc), moves }),
            ..Limits::default()
        };
        let plain = Quirks::default();
        let whole = Quirks { whole_seconds: true, ..Quirks::default() };
        let bare = Quirks { no_increment: true, ..Quirks::default() };
        for (quirks, limits, side, line) in [
            (&plain, Limits::default(), Side::White, "go infinite"),
            (
                &plain,
                Limits { depth: Some(3), nodes: Some(70), ..Limits::default() },
                Side::White,
                "go depth 3 nodes 70",
            ),
            (&plain, Limits { move_time: Some(ms(50)), ..Limits::default() }, Side::White, "go movetime 50"),
            (&plain, clock(61_000, 1_000, Some(40)), Side::White, "go wtime 61000 winc 1000 movestogo 40"),
            (&plain, clock(400, 0, None), Side::Black, "go btime 400"),
            (&bare, clock(61_000, 1_000, None), Side::Black, "go btime 61000"),
            (&whole, clock(61_900, 1_500, None), Side::White, "go wtime 61000 winc 1000"),
        ] {
            assert_eq!(go_line(quirks, &limits, side), line);
        }
    }
}
