//! What is in files of games.

use super::record::{End, Played, Record};
use crate::board::{MAX_SQUARES, Side};
use crate::score::Score;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::{self, Write};
use std::hash::{BuildHasherDefault, Hasher};

/// Width of a bucket of scores, in 1/100 man, and how many there are on each side of that around 0; the last takes all
/// that is beyond, and behind it is one for proved wins.
const WIDTH: i32 = 50;
const BUCKETS: i32 = 20;

/// Won, drawn, lost.
type Results = [u64; 3];

/// Counts of games and of their positions.
#[derive(Clone, Debug)]
pub struct Stats {
    games: u64,
    /// From White.
    results: Results,
    /// By the place in [`End::ALL`].
    ends: [u64; End::ALL.len()],
    /// Sum of the plies of the games, and the least and most.
    plies: u64,
    shortest: u16,
    longest: u16,
    positions: u64,
    white_to_move: u64,
    /// Positions by the number of White's pieces, of Black's, and of both.
    pieces: [[u64; MAX_SQUARES + 1]; 3],
    /// Positions without kings, with kings of one side, and of both.
    kings: [u64; 3],
    /// By score, worst first, from the side to move.
    scores: [Results; 2 * BUCKETS as usize + 3],
    keys: HashSet<u64, BuildHasherDefault<Plain>>,
}

impl Default for Stats {
    fn default() -> Self {
        Self::new()
    }
}

impl Stats {
    /// Of nothing.
    pub fn new() -> Self {
        Self {
            games: 0,
            results: [0; 3],
            ends: [0; End::ALL.len()],
            plies: 0,
            shortest: u16::MAX,
            longest: 0,
            positions: 0,
            white_to_move: 0,
            pieces: [[0; MAX_SQUARES + 1]; 3],
            kings: [0; 3],
            scores: [[0; 3]; 2 * BUCKETS as usize + 3],
            keys: HashSet::default(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Played) {
        self.games += 1;
        self.results[place(game.winner, Side::White)] += 1;
        self.ends[game.end.index()] += 1;
        self.plies += u64::from(game.plies);
        self.shortest = self.shortest.min(game.plies);
        self.longest = self.longest.max(game.plies);
        for record in &game.positions {
            self.add_position(record, game.winner);
        }
    }

    fn add_position(&mut self, record: &Record, winner: Option<Side>) {
        let Record { white, black, kings, turn, score } = *record;
        self.positions += 1;
        self.white_to_move += u64::from(turn == Side::White);
        for (counts, set) in self.pieces.iter_mut().zip([white, black, white | black]) {
            counts[(set.count_ones() as usize).min(MAX_SQUARES)] += 1;
        }
        let sides = usize::from(white & kings != 0) + usize::from(black & kings != 0);
        self.kings[sides] += 1;
        self.scores[(bucket(score.into()) + BUCKETS + 1) as usize][place(winner, turn)] += 1;
        self.keys.insert(record.key());
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Different positions; two of the same 64-bit key count as one.
    fn distinct(&self) -> u64 {
        self.keys.len() as u64
    }

    fn repeated(&self) -> u64 {
        self.positions - self.distinct()
    }

    /// The buckets with positions: their number, from the middle, and the results.
    fn buckets(&self) -> impl Iterator<Item = (i32, &Results)> {
        (-BUCKETS - 1..).zip(&self.scores).filter(|(_, results)| results.iter().any(|&count| count > 0))
    }

    /// The numbers of pieces that there are, with the positions in which White, Black, and both have so many.
    fn material(&self) -> impl Iterator<Item = (usize, [u64; 3])> {
        let counts = (0..=MAX_SQUARES).map(|pieces| (pieces, self.pieces.map(|counts| counts[pieces])));
        counts.filter(|(_, counts)| counts.iter().any(|&count| count > 0))
    }

    /// All of it, with the words of [`Stats`]' text.
    pub fn json(&self) -> Value {
        let [won, drawn, lost] = self.results;
        let ends = End::ALL.into_iter().zip(self.ends).filter(|&(_, count)| count > 0);
        let ends: Map<_, _> = ends.map(|(end, count)| (end.to_string(), count.into())).collect();
        let material = self.material().map(|(pieces, [white, black, both])| {
            json!({ "pieces": pieces, "white": white, "black": black, "both": both })
        });
        let scores = self.buckets().map(|(bucket, results)| {
            let [won, drawn, lost] = *results;
            json!({
                "score": label(bucket),
                "from": edge(bucket, -1),
                "to": edge(bucket, 1),
                "positions": results.iter().sum::<u64>(),
                "won": won, "drawn": drawn, "lost": lost,
                "expected": expected(results),
            })
        });
        let length = (self.games > 0).then(
            || json!({ "mean": ratio(self.plies, self.games), "least": self.shortest, "most": self.longest }),
        );
        json!({
            "games": self.games,
            "results": { "won": won, "drawn": drawn, "lost": lost, "expected": expected(&self.results) },
            "ends": ends,
            "plies": length,
            "positions": self.positions,
            "per_game": ratio(self.positions, self.games),
            "distinct": self.distinct(),
            "repeated": self.repeated(),
            "turn": { "white": self.white_to_move, "black": self.positions - self.white_to_move },
            "kings": { "none": self.kings[0], "one_side": self.kings[1], "both": self.kings[2] },
            "material": material.collect::<Vec<_>>(),
            "scores": scores.collect::<Vec<_>>(),
        })
    }
}

/// A line for each count, then the table of pieces and that of scores.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.results;
        let share = |count| percent(ratio(count, self.positions));
        writeln!(
            f,
            "games {}: White won {won}, drew {drawn}, lost {lost}; expected {}",
            self.games,
            percent(expected(&self.results))
        )?;
        let ends = End::ALL.into_iter().zip(self.ends).filter(|&(_, count)| count > 0);
        let ends: Vec<_> = ends.map(|(end, count)| format!("{end} {count}")).collect();
        writeln!(f, "ends: {}", ends.join(", "))?;
        if self.games > 0 {
            let mean = self.plies as f64 / self.games as f64;
            writeln!(f, "plies: {mean:.1} in the mean, {} to {}", self.shortest, self.longest)?;
        }
        let per_game = ratio(self.positions, self.games).unwrap_or_default();
        writeln!(
            f,
            "positions {}: {per_game:.1} a game; {} different, {} repeated; White to move in {}",
            self.positions,
            self.distinct(),
            share(self.repeated()),
            share(self.white_to_move)
        )?;
        let [none, one, both] = self.kings.map(share);
        writeln!(f, "kings: none in {none}, of one side in {one}, of both in {both}")?;
        writeln!(f, "\n{:>6} {:>11} {:>11} {:>11}", "pieces", "White", "Black", "both")?;
        for (pieces, [white, black, both]) in self.material() {
            writeln!(f, "{pieces:>6} {white:>11} {black:>11} {both:>11}")?;
        }
        let titles = ["positions", "won", "drawn", "lost", "expected"];
        write!(f, "\n{:>8}", "score")?;
        titles.iter().try_for_each(|title| write!(f, " {title:>11}"))?;
        f.write_char('\n')?;
        for (bucket, results) in self.buckets() {
            let [won, drawn, lost] = results;
            let (all, expected) = (results.iter().sum::<u64>(), percent(expected(results)));
            writeln!(f, "{:>8} {all:>11} {won:>11} {drawn:>11} {lost:>11} {expected:>11}", label(bucket))?;
        }
        Ok(())
    }
}

/// Where a result is counted that `side` has seen.
fn place(winner: Option<Side>, side: Side) -> usize {
    match winner {
        Some(winner) if winner == side => 0,
        None => 1,
        Some(_) => 2,
    }
}

/// The number of the bucket of a score; 0 is that around an even score.
fn bucket(score: i32) -> i32 {
    if Score::new(score).is_decided() {
        return score.signum() * (BUCKETS + 1);
    }
    let rounded = (score.abs() + WIDTH / 2) / WIDTH * score.signum();
    rounded.clamp(-BUCKETS, BUCKETS)
}

/// The middle of a bucket in men, or what is beyond the others.
fn label(bucket: i32) -> String {
    match bucket.abs() {
        number if number > BUCKETS => if bucket > 0 { "win" } else { "loss" }.to_owned(),
        BUCKETS => {
            format!("{}{}", if bucket > 0 { ">" } else { "<" }, edge(bucket, -bucket.signum()).unwrap_or(0.0))
        }
        _ => Score::new(bucket * WIDTH).to_string(),
    }
}

/// The lower (-1) or upper (1) edge of a bucket in men; `None` is without end, or no matter of men.
fn edge(bucket: i32, which: i32) -> Option<f64> {
    let open = bucket.abs() > BUCKETS || bucket == which * BUCKETS;
    (!open).then(|| f64::from(bucket * WIDTH + which * WIDTH / 2) / 100.0)
}

fn expected([won, drawn, lost]: &Results) -> Option<f64> {
    let all = won + drawn + lost;
    (all > 0).then(|| (*won as f64 + *drawn as f64 / 2.0) / all as f64)
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// Takes keys as they are: they are mixed already.
#[derive(Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = super::record::fnv(self.0, bytes);
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_of_scores() {
        let found = [0, 24, 25, -24, -25, 974, 975, 7_999, 8_000, -9_990].map(bucket);
        assert_eq!(found, [0, 0, 1, 0, -1, 19, 20, 20, 21, -21]);
        assert_eq!(
            [0, 1, -19, 20, -20, 21, -21].map(label),
            ["0.00", "0.50", "-9.50", ">9.75", "<-9.75", "win", "loss"]
        );
        assert_eq!(
            (edge(1, -1), edge(1, 1), edge(20, 1), edge(-20, 1)),
            (Some(0.25), Some(0.75), None, Some(-9.75))
        );
    }

    #[test]
    fn a_game_is_counted() {
        let record = Record { white: 3, black: 16, kings: 1, turn: Side::Black, score: -130 };
        let positions = vec![record, record, Record { turn: Side::White, score: 130, ..record }];
        let game = Played { winner: Some(Side::White), end: End::Proved, plies: 40, positions };
        let mut stats = Stats::new();
        stats.add(&game);
        let json = stats.json();
        assert_eq!(json["results"], json!({ "won": 1, "drawn": 0, "lost": 0, "expected": 1.0 }));
        assert_eq!(
            (&json["positions"], &json["distinct"], &json["repeated"]),
            (&3.into(), &2.into(), &1.into())
        );
        assert_eq!(json["kings"], json!({ "none": 0, "one_side": 3, "both": 0 }));
        assert_eq!(json["ends"], json!({ "proved": 1 }));
        assert_eq!(json["material"][0], json!({ "pieces": 1, "white": 0, "black": 3, "both": 0 }));
        let worst = &json["scores"][0];
        assert_eq!(
            (&worst["score"], &worst["lost"], &worst["expected"]),
            (&"-1.50".into(), &2.into(), &0.0.into())
        );
        assert!(stats.to_string().contains("White won 1, drew 0, lost 0; expected 100.0 %"));
    }
}
