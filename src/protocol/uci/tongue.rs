//! How UCI speaks of a search.

use super::{COMMANDS, words};
use crate::engine::{Info, Outcome};
use crate::error::excerpt;
use crate::eval::Odds;
use crate::protocol::input::BadLine;
use crate::protocol::watch::{Heard, Tongue};
use crate::score::Score;
use crate::search::Bound;

/// UCI's words for a search.
pub(super) struct UciTongue {
    /// What scores say about results, if chances are to be shown.
    pub odds: Option<Odds>,
}

impl Tongue for UciTongue {
    /// Commands but those about the search end it; what is none of them is refused at once.
    fn hear(&self, line: &Result<String, BadLine>) -> Heard {
        let words = match line {
            Ok(line) => words::split(line),
            Err(bad) => Err(bad.to_string()),
        };
        let first = words.map(|words| words.first().copied());
        match first {
            Ok(Some("isready")) => Heard::Aside(Some("readyok".to_owned())),
            Ok(Some("stop")) => Heard::Stop,
            Ok(Some("ponderhit")) => Heard::PonderHit,
            Ok(Some("quit")) => Heard::Quit,
            Ok(Some("debug" | "register") | None) => Heard::Aside(None),
            Ok(Some(word)) if COMMANDS.contains(&word) => Heard::Command,
            Ok(Some(word)) => Heard::Aside(Some(refusal(&unknown(word)))),
            Err(error) => Heard::Aside(Some(refusal(&error))),
        }
    }

    fn info(&self, info: &Info) -> String {
        let micros = info.time.as_micros().max(1);
        let rate = u128::from(info.nodes) * 1_000_000 / micros;
        let chances = self.odds.map_or_else(String::new, |odds| {
            let [win, draw, loss] = odds.permille(info.score);
            format!(" wdl {win} {draw} {loss}")
        });
        format!(
            "info depth {} seldepth {} multipv {} score {}{}{chances} nodes {} nps {rate} hashfull {} time {} pv {}",
            info.depth,
            info.seldepth,
            info.multipv,
            score(info.score),
            bound(info.bound),
            info.nodes,
            info.hashfull,
            info.time.as_millis(),
            info.pv.join(" ")
        )
    }

    /// A side that has lost because it cannot move is told so; that it has won cannot be said.
    fn done(&self, outcome: &Outcome) -> Vec<String> {
        let lost = outcome.best.is_none() && outcome.info.score.is_loss();
        let score = lost.then(|| format!("info depth 0 score {}", score(outcome.info.score)));
        let best = match (&outcome.best, &outcome.ponder) {
            (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
            (Some(best), None) => format!("bestmove {best}"),
            (None, _) => "bestmove (none)".to_owned(),
        };
        score.into_iter().chain([best]).collect()
    }
}

/// The answer to what is not understood.
pub(super) fn refusal(error: &str) -> String {
    format!("info string error: {error}")
}

/// What is said of a word that is no command.
pub(super) fn unknown(word: &str) -> String {
    format!("unknown command '{}'; help lists the commands", excerpt(word))
}

/// In 1/100 man, or in moves of the winner to a forced end.
fn score(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => format!("mate {}", plies.div_ceil(2)),
        Some(0) => "mate 0".to_owned(),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
        None => format!("cp {}", score.value()),
    }
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn scores() {
        let texts = [
            (Score::new(-35), "cp -35"),
            (Score::win_in(1), "mate 1"),
            (Score::win_in(2), "mate 1"),
            (Score::win_in(7), "mate 4"),
            (Score::loss_in(0), "mate 0"),
            (Score::loss_in(1), "mate -1"),
            (Score::loss_in(4), "mate -2"),
            (Score::table_win(2), "cp 8998"),
        ];
        texts.into_iter().for_each(|(value, text)| assert_eq!(score(value), text));
    }

    #[test]
    fn news() {
        let info = Info {
            multipv: 2,
            lines: 2,
            depth: 9,
            seldepth: 14,
            mean_depth: 10.0,
            score: Score::new(12),
            bound: Bound::Lower,
            hashfull: 7,
            nodes: 5000,
            time: Duration::from_millis(10),
            pv: vec!["32-28".to_owned(), "19x23x28".to_owned()],
        };
        assert_eq!(
            UciTongue { odds: Some(Odds::UNMEASURED) }.info(&info),
            "info depth 9 seldepth 14 multipv 2 score cp 12 lowerbound wdl 147 757 96 nodes 5000 nps 500000 \
             hashfull 7 time 10 pv 32-28 19x23x28"
        );
    }

    #[test]
    fn lines_during_a_search() {
        let hear = |line: &str| UciTongue { odds: None }.hear(&Ok(line.to_owned()));
        assert_eq!(hear(" isready"), Heard::Aside(Some("readyok".to_owned())));
        assert_eq!((hear("stop"), hear("ponderhit")), (Heard::Stop, Heard::PonderHit));
        assert_eq!((hear(""), hear("debug on")), (Heard::Aside(None), Heard::Aside(None)));
        assert_eq!((hear("position x"), hear("quit")), (Heard::Command, Heard::Quit));
        for bad in ["fly", "go\u{7}"] {
            assert!(matches!(hear(bad), Heard::Aside(Some(line)) if line.starts_with("info string error: ")));
        }
    }
}
