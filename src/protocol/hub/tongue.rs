//! How Hub speaks of a search.

use super::lexer::{Command, quoted};
use crate::engine::{Info, Outcome};
use crate::eval::Odds;
use crate::protocol::input::BadLine;
use crate::protocol::watch::{Heard, Tongue};
use std::time::Duration;

/// Hub's words for a search.
pub(super) struct HubTongue {
    /// The pause before the last lines, by the time of the search.
    pub pause: fn(Duration) -> Duration,
    /// Whether `info` lines say which of the best lines they are.
    pub numbered: bool,
    /// What scores say about results, if chances are to be shown.
    pub odds: Option<Odds>,
}

impl Tongue for HubTongue {
    /// As Scan: `ping`, `ponder-hit` and `stop` are served, any other line ends the search and is obeyed after it.
    fn hear(&self, line: &Result<String, BadLine>) -> Heard {
        let command = line.as_ref().ok().and_then(|line| Command::parse(line).ok());
        match command.map(|command| command.name) {
            Some("ping") => Heard::Aside(Some("pong".to_owned())),
            Some("ponder-hit") => Heard::PonderHit,
            Some("stop") => Heard::Stop,
            _ => Heard::Command,
        }
    }

    /// In the order that clients match, each part always present but the rate, which needs a time.
    fn info(&self, info: &Info) -> String {
        let seconds = info.time.as_secs_f64();
        let rate = if seconds < 0.001 {
            String::new()
        } else {
            format!(" nps={:.2}", info.nodes as f64 / seconds / 1e6)
        };
        let number = if self.numbered { format!(" multipv={}", info.multipv) } else { String::new() };
        let chances = self.odds.map_or_else(String::new, |odds| {
            let [win, draw, loss] = odds.permille(info.score);
            format!(" odds=\"{win} {draw} {loss}\"")
        });
        format!(
            "info depth={} mean-depth={:.1} score={} nodes={} time={seconds:.3}{rate} pv={}{number}{chances}",
            info.depth,
            info.mean_depth,
            info.score,
            info.nodes,
            quoted(&info.pv.join(" "))
        )
    }

    fn done(&self, outcome: &Outcome) -> Vec<String> {
        vec![match (&outcome.best, &outcome.ponder) {
            (Some(best), Some(ponder)) => format!("done move={best} ponder={ponder}"),
            (Some(best), None) => format!("done move={best}"),
            (None, _) => "done".to_owned(),
        }]
    }

    fn pause(&self, search: Duration) -> Duration {
        (self.pause)(search)
    }
}
