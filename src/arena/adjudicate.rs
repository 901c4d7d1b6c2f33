//! Ends of games that the runner decides by the scores of the engines, or by the length of the game.

use super::words::{Pair, WordError, choice, count, number};
use crate::board::Side;
use crate::score::Score;
use serde::Serialize;

/// Greatest score that makes sense, in men: more is a unit mistaken (fastchess counts hundredths).
const MOST_MEN: f64 = 20.0;

/// A draw by agreement: from move `from` on, both engines have seen at most `score` for `moves` moves each in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DrawRule {
    /// The first move of the game, from 1, after which it holds.
    pub from: u32,
    /// Moves of each side.
    pub moves: u32,
    /// Greatest score on either side, in 1/100 man.
    pub score: i32,
}

/// A win by resignation: the loser has seen `-score` or less for `moves` moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ResignRule {
    /// Moves in a row.
    pub moves: u32,
    /// Least score of the winner, in 1/100 man.
    pub score: i32,
    /// Whether the winner must have seen it as well.
    pub two_sided: bool,
}

impl DrawRule {
    /// The words of `--draw`: `movenumber=40 movecount=8 score=0.05`; score in men.
    ///
    /// # Errors
    /// The word that is wrong.
    pub fn parse(pairs: &[Pair]) -> Result<Self, WordError> {
        let (mut from, mut moves, mut score) = (1, None, None);
        for (key, value) in pairs {
            match key.as_str() {
                "movenumber" => from = count(key, value)?,
                "movecount" => moves = Some(count(key, value)?),
                "score" => score = Some(hundredths(key, value)?),
                _ => {
                    return Err(WordError::UnknownKey(
                        key.clone(),
                        "movenumber, movecount, score".to_owned(),
                    ));
                }
            }
        }
        let moves = moves.ok_or(WordError::Missing("movecount"))?;
        Ok(Self { from, moves, score: score.ok_or(WordError::Missing("score"))? })
    }
}

impl ResignRule {
    /// The words of `--resign`: `movecount=3 score=4 twosided=true`; score in men.
    ///
    /// # Errors
    /// The word that is wrong.
    pub fn parse(pairs: &[Pair]) -> Result<Self, WordError> {
        let (mut moves, mut score, mut two_sided) = (None, None, false);
        for (key, value) in pairs {
            match key.as_str() {
                "movecount" => moves = Some(count(key, value)?),
                "score" if hundredths(key, value)? == 0 => {
                    return Err(WordError::bad(key, value, "more than 0: at 0 both sides are lost"));
                }
                "score" => score = Some(hundredths(key, value)?),
                "twosided" => two_sided = choice(key, value, &[("true", true), ("false", false)])?,
                _ => return Err(WordError::UnknownKey(key.clone(), "movecount, score, twosided".to_owned())),
            }
        }
        let moves = moves.ok_or(WordError::Missing("movecount"))?;
        Ok(Self { moves, score: score.ok_or(WordError::Missing("score"))?, two_sided })
    }
}

fn hundredths(key: &str, value: &str) -> Result<i32, WordError> {
    let men = number(key, value)?;
    if men <= MOST_MEN {
        Ok((men * 100.0).round() as i32)
    } else {
        Err(WordError::bad(key, value, format!("men, at most {MOST_MEN}: 0.08 is 8 hundredths of a man")))
    }
}

/// What the runner decides by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rules {
    /// When it is a draw.
    pub draw: Option<DrawRule>,
    /// When it is a win.
    pub resign: Option<ResignRule>,
    /// After so many moves of each side it is a draw.
    pub max_moves: Option<u32>,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A draw by scores.
    Draw,
    /// A win by scores.
    Win(Side),
    /// A draw by length.
    Length,
}

/// Follows the scores of a game.
#[derive(Clone, Debug)]
pub struct Judge {
    rules: Rules,
    plies: u32,
    /// Moves in a row with a score that fits a draw, of each side.
    quiet: [u32; 2],
    /// Moves in a row in which a side has seen itself lost.
    lost: [u32; 2],
    /// And won.
    won: [u32; 2],
}

impl Judge {
    /// A judge of a game in which `plies` moves stand on the board already.
    pub fn new(rules: Rules, plies: usize) -> Self {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        Self { rules, plies, quiet: [0; 2], lost: [0; 2], won: [0; 2] }
    }

    /// Hears a move of `side` and the score that its engine gives it; `None` breaks all rows.
    pub fn hear(&mut self, side: Side, score: Option<Score>) {
        let at = side as usize;
        let value = score.map(Score::value);
        let follow = |row: &mut u32, holds: bool| *row = if holds { *row + 1 } else { 0 };
        self.plies = self.plies.saturating_add(1);
        if let Some(rule) = self.rules.draw {
            follow(&mut self.quiet[at], value.is_some_and(|value| value.abs() <= rule.score));
        }
        if let Some(rule) = self.rules.resign {
            follow(&mut self.lost[at], value.is_some_and(|value| value <= -rule.score));
            follow(&mut self.won[at], value.is_some_and(|value| value >= rule.score));
        }
    }

    /// What the game is now, if it is decided.
    pub fn decision(&self) -> Option<Decision> {
        let agreed = self
            .rules
            .draw
            .filter(|rule| self.plies / 2 >= rule.from && self.quiet.iter().all(|&row| row >= rule.moves));
        let lost = self.rules.resign.and_then(|rule| {
            Side::BOTH.into_iter().find(|&side| {
                let (own, other) = (side as usize, side.other() as usize);
                self.lost[own] >= rule.moves && (!rule.two_sided || self.won[other] >= rule.moves)
            })
        });
        match (lost, agreed) {
            (Some(loser), _) => Some(Decision::Win(loser.other())),
            (None, Some(_)) => Some(Decision::Draw),
            (None, None) => {
                self.rules.max_moves.filter(|&most| self.plies / 2 >= most).map(|_| Decision::Length)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::pairs;
    use super::*;

    /// The ply, from 1, at which scores given in turn decide, and how.
    fn decided(rules: Rules, scores: &[Option<i32>]) -> Option<(usize, Decision)> {
        let mut judge = Judge::new(rules, 0);
        (1..).zip(scores).find_map(|(ply, score)| {
            judge.hear(if ply % 2 == 1 { Side::White } else { Side::Black }, score.map(Score::new));
            judge.decision().map(|decision| (ply, decision))
        })
    }

    #[test]
    fn draws() {
        let rule = DrawRule::parse(&pairs("movenumber=3 movecount=2 score=0.1").unwrap()).unwrap();
        assert_eq!(rule, DrawRule { from: 3, moves: 2, score: 10 });
        let rules = Rules { draw: Some(rule), ..Rules::default() };
        assert_eq!(decided(rules, &[Some(10); 9]), Some((6, Decision::Draw)));
        assert_eq!(decided(rules, &[Some(11); 9]), None);
        let broken = [Some(0), Some(0), Some(0), Some(0), None, Some(0), Some(0), Some(0), Some(0)];
        assert_eq!(
            decided(rules, &broken),
            Some((9, Decision::Draw)),
            "a move without a score breaks the row"
        );
    }

    #[test]
    fn resignations() {
        let rule = |line: &str| ResignRule::parse(&pairs(line).unwrap()).unwrap();
        let one = Rules { resign: Some(rule("movecount=2 score=4")), ..Rules::default() };
        let lost = [Some(0), Some(-400), Some(0), Some(-401)];
        assert_eq!(decided(one, &lost), Some((4, Decision::Win(Side::White))));
        assert_eq!(decided(one, &lost.map(|s| s.map(|s| s / 2))), None);
        let two = Rules { resign: Some(rule("movecount=2 score=4 twosided=true")), ..Rules::default() };
        assert_eq!(decided(two, &lost), None);
        let agreed = [Some(400), Some(-400), Some(400), Some(-400)];
        assert_eq!(decided(two, &agreed), Some((4, Decision::Win(Side::White))));
    }

    #[test]
    fn length() {
        let rules = Rules { max_moves: Some(2), ..Rules::default() };
        assert_eq!(decided(rules, &[None; 9]), Some((4, Decision::Length)));
        let mut later = Judge::new(rules, 3);
        later.hear(Side::Black, None);
        assert_eq!(later.decision(), Some(Decision::Length));
    }

    #[test]
    fn what_is_refused() {
        for (line, error) in [
            ("movecount=2", "'score=' is missing"),
            ("score=1", "'movecount=' is missing"),
            (
                "movecount=2 score=600",
                "bad value '600' of 'score': expected men, at most 20: 0.08 is 8 hundredths of a man",
            ),
            ("movecount=0 score=1", "bad value '0' of 'movecount': expected a whole number from 1 on"),
        ] {
            assert_eq!(ResignRule::parse(&pairs(line).unwrap()).unwrap_err().to_string(), error);
            assert_eq!(DrawRule::parse(&pairs(line).unwrap()).unwrap_err().to_string(), error);
        }
        assert!(DrawRule::parse(&pairs("moves=2").unwrap()).is_err());
    }
}
