//! `getmove`: a search, its status line and its move.

use crate::board::{self, Board, CbMove, NOTATION, describe};
use crate::commands::Settings;
use crate::variant::Variant;
use soffio::engine::{self, Info, Notation, Outcome, Session};
use soffio::search::{ClockLimit, Control, Limits};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Stack of a searching thread, in bytes: GUIs give theirs much less than lines of play need.
const STACK: usize = 16 << 20;
/// How often the GUI's wish to have the move now is looked at.
const LOOK: Duration = Duration::from_millis(1);
/// Longest time understood, in seconds.
const LONGEST: f64 = 1e6;

/// How `getmove` says that a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Claim {
    /// It is a draw.
    Draw = 0,
    /// The side that moves wins.
    Win = 1,
    /// It loses.
    Loss = 2,
    /// Nobody knows.
    Unknown = 3,
}

/// A question of the GUI.
#[derive(Clone, Debug)]
pub struct Question {
    /// The position.
    pub board: Board,
    /// The side to move.
    pub color: i32,
    /// What limits the search.
    pub limits: Limits,
    /// Whether what was learnt before is to be forgotten.
    pub reset: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position after the move; `None` if there is none.
    pub after: Option<(Board, CbMove)>,
    /// What is claimed.
    pub claim: Claim,
    /// The last status line.
    pub status: String,
}

impl Answer {
    fn none(claim: Claim, status: impl Into<String>) -> Self {
        Self { after: None, claim, status: status.into() }
    }
}

/// The limits of `getmove`'s arguments: the average time in seconds, the flags and the packed clock. With a Fischer clock
/// the first counts for nothing: it is for engines that do not know of clocks.
pub fn limits(max_time: f64, info: i32, more_info: i32) -> Limits {
    let unit = match info >> 2 & 3 {
        1 => Some(1),
        2 => Some(10),
        3 => Some(100),
        _ => None,
    };
    if let Some(unit) = unit {
        let time = |field: i32| Duration::from_millis(unit * u64::from(field as u16));
        let clock = ClockLimit { time: time(more_info >> 16), inc: time(more_info), moves: None };
        return Limits { clock: Some(clock), instant_single: true, ..Limits::default() };
    }
    // Times that are not numbers, and those that are over, leave a moment.
    let seconds = if max_time > 0.0 { max_time.min(LONGEST) } else { 0.0 };
    let time = Duration::from_secs_f64(seconds).max(LOOK);
    Limits { move_time: Some(time), instant_single: true, ..Limits::default() }
}

/// The engine behind the library.
pub struct Player {
    session: Option<(Variant, Box<dyn Session>)>,
}

impl Player {
    /// Nobody has asked yet.
    pub const fn idle() -> Self {
        Self { session: None }
    }

    /// Finds a move. `stop` is asked every millisecond whether the move is wanted now; `tell` hears the status lines.
    pub fn think(
        &mut self,
        settings: &Settings,
        question: &Question,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&str),
    ) -> Answer {
        let variant = settings.variant;
        // Taken out, so that a search that dies takes its session with it.
        let session = self.session.take().filter(|(of, _)| *of == variant).map(|(_, session)| session);
        let session = session.map_or_else(|| variant.game().map(engine::open), Ok);
        let mut session = match session {
            Ok(session) => session,
            Err(error) => return Answer::none(Claim::Unknown, error),
        };
        session.set_threads(settings.threads);
        session.set_hash(settings.hash_size());
        if question.reset {
            session.new_game();
        }
        if let Err(error) = set_up(settings, question, &mut *session) {
            self.session = Some((variant, session));
            return Answer::none(Claim::Unknown, error);
        }
        let answer = answer(variant, &mut *session, &question.limits, stop, tell);
        self.session = Some((variant, session));
        answer
    }
}

/// Goes to the position of the question, by the moves of the game history where they lead there.
fn set_up(settings: &Settings, question: &Question, session: &mut dyn Session) -> Result<(), String> {
    let variant = settings.variant;
    let history = settings.history.as_deref().and_then(|history| replay(variant, history, session));
    let there = |session: &dyn Session| {
        board::turn(session) == question.color && board::of_session(variant, session) == question.board
    };
    if history.is_some() && there(session) {
        return Ok(());
    }
    let fen = board::fen(variant, &question.board, question.color)?;
    session.set_fen(&fen).map_err(|error| error.to_string())
}

/// Plays a game history: a position and quiet moves of kings. Moves are written with CheckerBoard's numbers; pydraughts
/// writes them as PDN does.
fn replay(variant: Variant, history: &str, session: &mut dyn Session) -> Option<()> {
    let mut words = history.split_whitespace();
    let (board, color) = board::read_fen(variant, words.next()?)?;
    session.set_fen(&board::fen(variant, &board, color).ok()?).ok()?;
    for word in words {
        let number = |text: &str| {
            let square = variant.numbered(text.parse().ok()?)?;
            Some(variant.own_number(square))
        };
        let own = word.split_once('-').and_then(|(from, to)| Some((number(from)?, number(to)?)));
        match own {
            Some((from, to)) => session.play(&format!("{from}-{to}"), Notation::HUB).ok()?,
            None => session.play(word, Notation::Pdn).ok()?,
        }
    }
    Some(())
}

fn answer(
    variant: Variant,
    session: &mut dyn Session,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Answer {
    if session.legal_moves(NOTATION).is_empty() {
        return Answer::none(Claim::Loss, "no legal moves in this position");
    }
    let outcome = match search(variant, session, limits, stop, tell) {
        Ok(outcome) => outcome,
        Err(error) => return Answer::none(Claim::Unknown, error),
    };
    let described = outcome.best.as_ref().and_then(|best| Some((best, describe(variant, session, best)?)));
    let Some((best, mv)) = described else {
        return Answer::none(Claim::Unknown, "no move found");
    };
    let status = status(variant, &outcome.info, Some(best));
    if let Err(error) = session.play(best, NOTATION) {
        return Answer::none(Claim::Unknown, error.to_string());
    }
    let score = outcome.info.score;
    // An endgame table does not count moves as the rules do: what it promises is not yet claimed.
    let counted = score.plies_to_end().is_some();
    let claim = match session.verdict() {
        Some(verdict) if verdict.winner.is_none() => Claim::Draw,
        _ if counted && score.is_win() => Claim::Win,
        _ if counted && score.is_loss() => Claim::Loss,
        _ => Claim::Unknown,
    };
    Answer { after: Some((board::of_session(variant, session), mv)), claim, status }
}

/// Searches in a thread of its own; this one listens to the GUI meanwhile.
fn search(
    variant: Variant,
    session: &mut dyn Session,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<Outcome, String> {
    let control = Control::new();
    let (news, arrivals) = channel::<Info>();
    thread::scope(|scope| {
        let control = &control;
        let work = move || {
            // A listener that is gone needs no news.
            let mut report = |info: &Info| drop(news.send(info.clone()));
            session.search(limits, NOTATION, control, &mut report)
        };
        let searching = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| format!("no thread to search in: {error}"))?;
        loop {
            match arrivals.recv_timeout(LOOK) {
                Ok(info) => tell(&status(variant, &info, None)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop() {
                control.stop();
            }
        }
        searching.join().map_err(|_| "the search has died".to_owned())
    })
}

/// A status line: the best move, time, depth in plies, value in 1/100 man from the side to move, nodes, and the line of
/// best play.
fn status(variant: Variant, info: &Info, best: Option<&String>) -> String {
    let pv: Vec<String> = info.pv.iter().map(|mv| short(variant, mv)).collect();
    let best = best.map(|mv| short(variant, mv)).or_else(|| pv.first().cloned()).unwrap_or_default();
    format!(
        "best:{best} time {:.2}s, depth {}, value {}, nodes {}, pv {}",
        info.time.as_secs_f64(),
        info.depth,
        info.score.value(),
        info.nodes,
        pv.join(" ")
    )
}

/// The first and the last square of a move, with CheckerBoard's numbers.
fn short(variant: Variant, mv: &str) -> String {
    let sign = if mv.contains('x') { 'x' } else { '-' };
    let mut numbers = mv
        .split(['-', 'x'])
        .map(|number| number.parse().map_or(0, |number| variant.square_number(variant.square(number))));
    let (from, to) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    format!("{from}{sign}{to}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::Instant;

    fn question(variant: Variant, fen: &str, limits: Limits) -> Question {
        let (board, color) = board::read_fen(variant, fen).unwrap();
        Question { board, color, limits, reset: false }
    }

    fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), instant_single: true, ..Limits::default() }
    }

    #[test]
    fn times() {
        let ms = Duration::from_millis;
        let time = |seconds| limits(seconds, 0, 0).move_time.unwrap();
        assert_eq!([time(1.5), time(0.0), time(-1.0), time(f64::NAN)], [ms(1500), ms(1), ms(1), ms(1)]);
        assert_eq!(time(f64::INFINITY), Duration::from_secs_f64(LONGEST));
        let clock = |unit: i32, left: i32, inc: i32| limits(1.0, 2 | unit << 2, left << 16 | inc).clock;
        let both = |time, inc| Some(ClockLimit { time: ms(time), inc: ms(inc), moves: None });
        assert_eq!(clock(1, 1000, 100), both(1000, 100));
        assert_eq!(clock(2, 6000, 50), both(60_000, 500));
        assert_eq!(clock(3, 0xffff, 0xffff), both(6_553_500, 6_553_500), "both are without a sign");
        assert_eq!(clock(0, 1, 1), None);
    }

    #[test]
    fn a_move() {
        let mut player = Player::idle();
        for variant in Variant::ALL {
            let start = variant.game().unwrap().start_fen();
            let mut session = engine::open(variant.game().unwrap());
            session.set_fen(&start).unwrap();
            let (board, color) = (board::of_session(variant, &*session), board::turn(&*session));
            let question = Question { board, color, limits: nodes(500), reset: true };
            let answer = player.think(&Settings::new(variant), &question, &|| false, &mut |_| {});
            let (after, mv) = answer.after.unwrap();
            assert_eq!(answer.claim, Claim::Unknown);
            assert!(answer.status.starts_with("best:"), "{}", answer.status);
            let mut expected = board;
            expected[mv.from.x as usize][mv.from.y as usize] = 0;
            expected[mv.to.x as usize][mv.to.y as usize] = mv.newpiece;
            assert_eq!(after, expected, "{variant:?}");
        }
    }

    #[test]
    fn ends() {
        let mut player = Player::idle();
        let mut claim = |fen: &str, history: Option<&str>| {
            let mut settings = Settings::new(Variant::Italian);
            settings.history = history.map(str::to_owned);
            let question = question(Variant::Italian, fen, nodes(2000));
            let answer = player.think(&settings, &question, &|| false, &mut |_| {});
            (answer.claim, answer.after.is_some())
        };
        assert_eq!(claim("W:W32:B14,K10,K3", None), (Claim::Unknown, true));
        assert_eq!(claim("W:W16:B12,7", None), (Claim::Loss, false));
        assert_eq!(claim("W:W2:B32", None), (Claim::Unknown, false), "an impossible position");
        // 79 king moves: whatever the next is, it is the last.
        let to_and_fro = format!("W:WK1:BK32{} 1-5 32-28 5-1", " 1-5 32-28 5-1 28-32".repeat(19));
        assert_eq!(claim("B:WK1:BK28", Some(&to_and_fro)), (Claim::Draw, true), "the history counts");
        assert_eq!(claim("B:WK1:BK28", Some("W:WK1:BK32 9-9")), (Claim::Unknown, true));
    }

    #[test]
    fn a_move_now() {
        let mut player = Player::idle();
        let start = Variant::Russian.game().unwrap().start_fen();
        let question = question(Variant::Russian, &start, limits(60.0, 0, 0));
        let asked = Instant::now();
        let wanted = Cell::new(None);
        let stop = || {
            let now = asked.elapsed() > Duration::from_millis(100);
            if now && wanted.get().is_none() {
                wanted.set(Some(Instant::now()));
            }
            now
        };
        let mut lines = 0;
        let answer = player.think(&Settings::new(Variant::Russian), &question, &stop, &mut |_| lines += 1);
        assert!(answer.after.is_some() && lines > 0);
        assert!(wanted.get().unwrap().elapsed() < Duration::from_millis(500));
    }
}
