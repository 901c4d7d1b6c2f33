//! How long to think.

use super::limits::{ClockLimit, Limits};
use std::time::Duration;

/// Moves that a whole game is taken to last for still, when the clock does not say.
const MOVES_LEFT: u32 = 28;
/// Kept back for the way of a move to the clock, beside the overhead: a share of the time left.
const OVERHEAD_SHARE: f64 = 0.01;
/// How many times the lag of the beginning is kept back for the end.
const LAGS: u32 = 2;
/// Thought on a clock that has run out, so that there is a score at least.
const LEAST: Duration = Duration::from_millis(2);
/// How far a search may go beyond its target when the best move is in doubt.
const HARD_FACTOR: f64 = 4.0;
/// No new iteration begins after this share of the target: it would hardly be finished.
const LAST_START: f64 = 0.6;

/// The times of one search, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// What a move should take; `None` is no aim.
    target: Option<Duration>,
    /// When to stop at once; `None` is never.
    pub hard: Option<Duration>,
}

impl Budget {
    /// `overhead` is kept back of a move's time on a clock. `lag` is how long it has taken to begin: on a busy machine the
    /// way of the answer takes as long, and is left as much time again.
    pub fn new(limits: &Limits, overhead: Duration, lag: Duration) -> Self {
        let back = LAGS * lag;
        let fixed = limits.move_time.map(|time| {
            let rest = (time / 20).min(Duration::from_millis(2));
            time.saturating_sub(rest.max(back)).max(time / 4)
        });
        let (target, clock) = match limits.clock {
            Some(clock) => {
                let (target, hard) = on_clock(&clock, overhead.max(back));
                (Some(target), Some(hard))
            }
            None => (None, None),
        };
        let hard = match (fixed, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { target, hard }
    }

    /// Whether to stop after an iteration that ended at `elapsed`. `doubt` scales the target: below 1 while the best move
    /// stays, above 1 after it has changed.
    pub fn is_spent(&self, elapsed: Duration, doubt: f64) -> bool {
        self.target.is_some_and(|target| elapsed >= target.mul_f64(LAST_START * doubt))
            || self.hard.is_some_and(|hard| elapsed >= hard)
    }
}

/// Target and hard limit. The increment of this move is not counted on: clocks differ in when they add it.
fn on_clock(clock: &ClockLimit, overhead: Duration) -> (Duration, Duration) {
    let usable = clock.time.saturating_sub(overhead + clock.time.mul_f64(OVERHEAD_SHARE));
    if usable < LEAST {
        return (LEAST, LEAST);
    }
    let moves = clock.moves.map_or(MOVES_LEFT, |moves| moves.clamp(1, MOVES_LEFT));
    // Each of the moves before the last brings an increment and costs an overhead.
    let gain = clock.inc.saturating_sub(overhead);
    let target = usable / moves + gain.mul_f64(f64::from(moves - 1) / f64::from(moves));
    let most = usable.mul_f64(if moves == 1 { 0.95 } else { 0.5 });
    (target.min(most), target.mul_f64(HARD_FACTOR).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn clock(time: u64, inc: u64, moves: Option<u32>) -> (Duration, Duration) {
        let ms = Duration::from_millis;
        on_clock(&ClockLimit { time: ms(time), inc: ms(inc), moves }, OVERHEAD)
    }

    #[test]
    fn never_plans_beyond_the_clock() {
        for time in [0, 1, 10, 31, 40, 100, 1_000, 60_000] {
            for inc in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let (target, hard) = clock(time, inc, moves);
                    assert!(target <= hard);
                    let room = Duration::from_millis(time.saturating_sub(30)).max(LEAST);
                    assert!(hard <= room, "{time} {inc} {moves:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_lasts() {
        // Always the hard limit, 200 moves, and the clock must never run out: 1 s and no increment.
        let mut left = Duration::from_secs(1);
        for _ in 0..200 {
            let (_, hard) = on_clock(&ClockLimit { time: left, ..ClockLimit::default() }, OVERHEAD);
            left = left.checked_sub(hard.max(LEAST)).unwrap_or_default();
        }
        assert!(left <= Duration::from_millis(40));
    }

    #[test]
    fn a_move_time_is_used() {
        let limits = Limits { move_time: Some(Duration::from_secs(1)), ..Limits::default() };
        let budget = Budget::new(&limits, OVERHEAD, Duration::ZERO);
        assert_eq!(budget.hard, Some(Duration::from_millis(998)));
        assert!(!budget.is_spent(Duration::from_millis(990), 1.0));
        let budget = |lag| Budget::new(&limits, OVERHEAD, Duration::from_millis(lag)).hard;
        assert_eq!(budget(20), Some(Duration::from_millis(960)), "a busy machine is slow to answer as well");
        assert_eq!(budget(9_000), Some(Duration::from_millis(250)));
    }
}
