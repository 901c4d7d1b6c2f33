//! The tables of a match: who has scored what against whom, and what went wrong.

use super::record::{End, Record};
use super::schedule::GAMES_A_PAIR;
use super::stats::{Estimate, Outcome, PairTally, Sprt, Tally, Verdict, summary};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What an engine has done wrong, in games lost by it; and how often it went on searching after `stop`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Flags fallen.
    pub time_losses: u64,
    /// Moves that are not legal.
    pub illegal: u64,
    /// Answers that are no move.
    pub malformed: u64,
    /// Processes that died.
    pub crashes: u64,
    /// Processes that left.
    pub exits: u64,
    /// No answer without a limit of time.
    pub stalls: u64,
    /// Output without end.
    pub floods: u64,
    /// Searches that `stop` did not end; these are not games of their own.
    pub ignored_stops: u64,
}

/// The name, for tables and JSON, and the number of each kind of fault.
type Counted = (&'static str, u64);

impl Faults {
    fn add(&mut self, end: &End, ignored_stop: bool) {
        let count = match end {
            End::TimeForfeit => &mut self.time_losses,
            End::IllegalMove => &mut self.illegal,
            End::MalformedAnswer => &mut self.malformed,
            End::Crash => &mut self.crashes,
            End::EarlyExit => &mut self.exits,
            End::Stall => &mut self.stalls,
            End::Flood => &mut self.floods,
            End::Rule(_) | End::Resignation | End::AdjudicatedDraw | End::AdjudicatedWin | End::MoveLimit => {
                return;
            }
        };
        *count += 1;
        self.ignored_stops += u64::from(ignored_stop);
    }

    /// All kinds.
    pub fn counts(&self) -> [Counted; 8] {
        [
            ("time_losses", self.time_losses),
            ("illegal", self.illegal),
            ("malformed", self.malformed),
            ("crashes", self.crashes),
            ("exits", self.exits),
            ("stalls", self.stalls),
            ("floods", self.floods),
            ("ignored_stops", self.ignored_stops),
        ]
    }
}

/// One engine's line of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    games: Tally,
    pairs: PairTally,
    faults: Faults,
}

/// The tables; engines are numbers in the order in which they were named.
#[derive(Clone, Debug)]
pub struct Standings {
    lines: Vec<Line>,
    /// What the first has scored against the second.
    cross: Vec<Vec<Tally>>,
    /// How games ended, by name.
    ends: BTreeMap<String, u64>,
    games: usize,
    /// The result of the first game of a pair, for its White, and the number of the pair.
    half: Option<(usize, Outcome)>,
}

impl Standings {
    /// Empty tables for `engines` engines.
    pub fn new(engines: usize) -> Self {
        Self {
            lines: vec![Line::default(); engines],
            cross: vec![vec![Tally::default(); engines]; engines],
            ends: BTreeMap::new(),
            games: 0,
            half: None,
        }
    }

    /// Counts a game. A pair is counted when its second game follows the first.
    pub fn add(&mut self, record: &Record) {
        let (white, black) = (record.white, record.black);
        let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][record.white_half_points()];
        for (own, other, outcome) in [(white, black, outcome), (black, white, flipped(outcome))] {
            self.lines[own].games.record(outcome);
            self.cross[own][other].record(outcome);
            if outcome == Outcome::Loss {
                self.lines[own].faults.add(&record.end, record.ignored_stop);
            }
        }
        *self.ends.entry(record.end.to_string()).or_default() += 1;
        let pair = record.game / GAMES_A_PAIR;
        if record.game % GAMES_A_PAIR == 0 {
            self.half = Some((pair, outcome));
        } else if let Some((_, first)) = self.half.take().filter(|(half, _)| *half == pair) {
            // White of this game was Black of the other.
            self.lines[white].pairs.record(flipped(first), outcome);
            self.lines[black].pairs.record(first, flipped(outcome));
        }
        self.games += 1;
    }

    /// Games counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The finished pairs of an engine.
    pub fn pairs(&self, engine: usize) -> PairTally {
        self.lines[engine].pairs
    }

    /// What an engine's results say of its strength against those that it met: by pairs once there is one.
    fn estimate(&self, engine: usize) -> Option<Estimate> {
        let line = &self.lines[engine];
        Estimate::of(&line.pairs).or_else(|| Estimate::of(&line.games))
    }

    /// One line on how the match of `games` games stands, from the first engine's view.
    pub fn progress(&self, games: Option<usize>, sprt: Option<&Sprt>) -> String {
        let first = &self.lines[0];
        let Tally { wins, draws, losses } = first.games;
        let all = games.map_or_else(String::new, |games| format!("/{games}"));
        let mut text = format!("{}{all} games, +{wins} ={draws} -{losses}", self.games);
        if let Some(Estimate { elo, elo_error, .. }) =
            self.estimate(0).filter(|_| first.pairs != PairTally::default())
        {
            text += &format!(", Elo {}", plus_minus(elo, elo_error));
        }
        if let Some(sprt) = sprt {
            text += &format!(", {}", summary::sprt(sprt, sprt.llr(&first.pairs)));
        }
        text
    }

    /// The table, the cross table where there are more than two engines, the statistics and the ends of games.
    pub fn tables(&self, names: &[&str], sprt: Option<&Sprt>) -> String {
        let mut order: Vec<_> = (0..names.len()).collect();
        let score = |engine: &usize| self.lines[*engine].games.score().unwrap_or(0.0);
        order.sort_by(|a, b| score(b).total_cmp(&score(a)));
        let mut text = self.ranking(names, &order);
        if names.len() > 2 {
            text += "\n";
            text += &self.cross_table(names, &order);
        } else {
            let first = &self.lines[0];
            text += &format!("\n{} against {}\n", names[0], names[1]);
            text += summary::pair_report(&first.pairs, &first.games, sprt).trim_end();
            text += "\n";
            if let Some(sprt) = sprt {
                text += match sprt.status(&first.pairs) {
                    Verdict::H0 => "SPRT: H0 is accepted\n",
                    Verdict::H1 => "SPRT: H1 is accepted\n",
                    Verdict::Running => "SPRT: undecided\n",
                };
            }
        }
        let ends: Vec<_> = self.ends.iter().map(|(end, count)| format!("{end} {count}")).collect();
        text += &format!("\nEnds: {}\n", ends.join(", "));
        for (engine, name) in names.iter().enumerate() {
            let faults = self.lines[engine].faults.counts();
            let told: Vec<_> = faults.iter().filter(|(_, count)| *count > 0).collect();
            let told: Vec<_> =
                told.iter().map(|(kind, count)| format!("{} {count}", kind.replace('_', " "))).collect();
            if !told.is_empty() {
                text += &format!("Faults of {name}: {}\n", told.join(", "));
            }
        }
        text
    }

    fn ranking(&self, names: &[&str], order: &[usize]) -> String {
        let head = ["", "engine", "games", "won", "drawn", "lost", "score", "Elo"].map(str::to_owned);
        let lines = (1..).zip(order).map(|(place, &engine)| {
            let tally = self.lines[engine].games;
            let elo = self.estimate(engine).map(|estimate| plus_minus(estimate.elo, estimate.elo_error));
            [
                place.to_string(),
                names[engine].to_owned(),
                tally.games().to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                tally.score().map_or_else(String::new, |score| format!("{:.1} %", score * 100.0)),
                elo.unwrap_or_default(),
            ]
            .to_vec()
        });
        columns(std::iter::once(head.to_vec()).chain(lines).collect())
    }

    /// Points of each engine against each other, both in the order of the table.
    fn cross_table(&self, names: &[&str], order: &[usize]) -> String {
        let mut head = vec![String::new(), "engine".to_owned()];
        head.extend((1..=order.len()).map(|place| place.to_string()));
        let lines = (1..).zip(order).map(|(place, &own)| {
            let mut line = vec![place.to_string(), names[own].to_owned()];
            line.extend(order.iter().map(|&other| {
                let tally = self.cross[own][other];
                if tally.games() == 0 {
                    "-".to_owned()
                } else {
                    format!("{}/{}", tally.points(), tally.games())
                }
            }));
            line
        });
        columns(std::iter::once(head).chain(lines).collect())
    }

    /// The summary as JSON. `score` is points a game, `elo` and `elo_error` logistic with half an interval of 95 %, null
    /// where there is none; `pentanomial` counts the pairs in which the first engine had 0, 1/2, 1, 3/2 and 2 points.
    pub fn json(&self, names: &[&str], sprt: Option<&Sprt>) -> Value {
        let engines = names.iter().enumerate().map(|(engine, name)| {
            let line = &self.lines[engine];
            let estimate = self.estimate(engine);
            let mut object = json!({
                "name": name,
                "wins": line.games.wins,
                "draws": line.games.draws,
                "losses": line.games.losses,
                "score": line.games.score(),
                "elo": estimate.map(|estimate| estimate.elo),
                "elo_error": estimate.and_then(|estimate| estimate.elo_error),
                "nelo": estimate.and_then(|estimate| estimate.nelo),
                "nelo_error": estimate.and_then(|estimate| estimate.nelo_error),
                "los": estimate.map(|estimate| estimate.los),
                "draw_ratio": line.games.draw_ratio(),
                "pentanomial": line.pairs.pentanomial().0,
            });
            for (kind, count) in line.faults.counts() {
                object[kind] = count.into();
            }
            object
        });
        let llr = sprt.map(|sprt| sprt.llr(&self.lines[0].pairs));
        let cross = names.iter().enumerate().map(|(own, _)| {
            let row = self.cross[own].iter().map(|tally| json!([tally.wins, tally.draws, tally.losses]));
            Value::from_iter(row)
        });
        json!({
            "games": self.games,
            "engines": engines.collect::<Value>(),
            "pentanomial": self.lines[0].pairs.pentanomial().0,
            "llr": llr,
            "sprt": sprt.map(|sprt| sprt_json(sprt, llr.unwrap_or(0.0))),
            "cross": cross.collect::<Value>(),
            "ends": self.ends,
        })
    }
}

fn sprt_json(sprt: &Sprt, llr: f64) -> Value {
    let settings = sprt.settings();
    json!({
        "elo0": settings.elo0,
        "elo1": settings.elo1,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "model": settings.model.to_string(),
        "lower": sprt.lower(),
        "upper": sprt.upper(),
        "verdict": sprt.verdict(llr).to_string(),
    })
}

const fn flipped(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss => Outcome::Win,
    }
}

fn plus_minus(elo: f64, error: Option<f64>) -> String {
    let error = error.map_or_else(String::new, |error| format!(" +/- {error:.1}"));
    format!("{elo:+.1}{error}")
}

/// Lines of cells as columns: the second, of names, to the left, all others to the right.
fn columns(lines: Vec<Vec<String>>) -> String {
    const NAMES: usize = 1;
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize, line: &Vec<String>| line.get(column).map_or(0, |cell| cell.chars().count());
    let widest = |column| lines.iter().map(|line| width(column, line)).max().unwrap_or(0);
    let widths: Vec<_> = (0..count).map(widest).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == NAMES { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::record::Winner;
    use super::*;

    /// A game of engines 0 and 1, of which the first has White in the even ones.
    fn game(number: usize, winner: Option<Winner>, end: End) -> Record {
        let [white, black] = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        Record {
            game: number,
            round: number / 2,
            white,
            black,
            date: String::new(),
            ballot: String::new(),
            fen: None,
            opening: Vec::new(),
            moves: Vec::new(),
            winner,
            end,
            fault: None,
            ignored_stop: false,
        }
    }

    fn rule() -> End {
        End::Rule("no-moves".to_owned())
    }

    #[test]
    fn pairs_are_seen_from_both_sides() {
        let mut standings = Standings::new(2);
        // The first engine wins as White and draws as Black, then loses twice.
        let results = [Some(Winner::W), None, Some(Winner::B), Some(Winner::W)];
        (0..).zip(results).for_each(|(number, winner)| standings.add(&game(number, winner, rule())));
        assert_eq!(standings.pairs(0).pentanomial().0, [1, 0, 0, 1, 0]);
        assert_eq!(standings.pairs(1).pentanomial().0, [0, 1, 0, 0, 1]);
        assert_eq!(
            standings.json(&["a", "b"], None)["cross"],
            json!([[[0, 0, 0], [1, 1, 2]], [[2, 1, 1], [0, 0, 0]]])
        );
    }

    #[test]
    fn halves_of_different_pairs_are_no_pair() {
        let mut standings = Standings::new(2);
        [0, 3, 4, 5].iter().for_each(|&number| standings.add(&game(number, None, rule())));
        assert_eq!((standings.games(), standings.pairs(0).dd), (4, 1));
    }

    #[test]
    fn faults_are_the_losers() {
        let mut standings = Standings::new(2);
        standings.add(&game(0, Some(Winner::W), End::TimeForfeit));
        standings.add(&Record { ignored_stop: true, ..game(1, Some(Winner::W), End::Stall) });
        let json = standings.json(&["a", "b"], None);
        let count = |engine: usize, kind: &str| json["engines"][engine][kind].as_u64();
        assert_eq!(
            (count(1, "time_losses"), count(0, "stalls"), count(0, "ignored_stops")),
            (Some(1), Some(1), Some(1))
        );
        assert_eq!((count(0, "time_losses"), count(1, "stalls")), (Some(0), Some(0)));
        let tables = standings.tables(&["a", "b"], None);
        assert!(
            tables.contains("Faults of a: stalls 1, ignored stops 1\nFaults of b: time losses 1\n"),
            "{tables}"
        );
    }

    #[test]
    fn without_games_there_is_nothing_to_say() {
        let json = Standings::new(2).json(&["a", "b"], None);
        assert_eq!((&json["games"], &json["engines"][0]["elo"]), (&json!(0), &Value::Null));
    }
}
