//! What `go` asks for.

use super::words::{number, perft_depth};
use crate::board::Side;
use crate::error::excerpt;
use crate::notation::MoveError;
use crate::search::{ClockLimit, Limits};
use std::time::Duration;

/// What a `go` is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// To search.
    Search(Search),
    /// To count the leaves under each move at this depth.
    Perft(u32),
}

/// A search that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Search {
    /// What ends it.
    pub limits: Limits,
    /// Whether it is on the opponent's time, until `ponderhit`.
    pub ponder: bool,
    /// Whether its end is told after `stop` only.
    pub infinite: bool,
}

impl Search {
    /// Whether nothing ends it but `stop`.
    pub fn is_open(&self) -> bool {
        let Limits { depth, nodes, move_time, clock, mate, .. } = &self.limits;
        let limited =
            depth.is_some() || nodes.is_some() || move_time.is_some() || clock.is_some() || mate.is_some();
        !limited && !self.ponder && !self.infinite
    }
}

/// The words that a `go` line may have.
const WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Longest time understood, in milliseconds (about 32 years).
const LONGEST: i64 = 1_000_000_000_000;

/// The clocks, in milliseconds.
#[derive(Default)]
struct Clocks {
    times: [Option<i64>; 2],
    incs: [Option<i64>; 2],
    moves: Option<u32>,
}

/// Reads what stands behind `go`; `turn` is to move, and `read` gives a legal move in the notation of the search.
///
/// # Errors
/// What cannot be understood; nothing is passed over.
pub(super) fn parse(
    words: &[&str],
    turn: Side,
    read: impl Fn(&str) -> Result<String, MoveError>,
) -> Result<Request, String> {
    let mut search = Search::default();
    let mut clocks = Clocks::default();
    let mut perft = None;
    let mut seen = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if seen.contains(&word) {
            return Err(format!("'{word}' is given twice"));
        }
        let limits = &mut search.limits;
        match word {
            "depth" => limits.depth = Some(number::<u32>(word, words.next())?.max(1)),
            "nodes" => limits.nodes = Some(number::<u64>(word, words.next())?.max(1)),
            "movetime" => limits.move_time = Some(duration(millis(word, words.next())?)),
            "wtime" => clocks.times[0] = Some(millis(word, words.next())?),
            "btime" => clocks.times[1] = Some(millis(word, words.next())?),
            "winc" => clocks.incs[0] = Some(millis(word, words.next())?),
            "binc" => clocks.incs[1] = Some(millis(word, words.next())?),
            "movestogo" => clocks.moves = Some(number(word, words.next())?),
            "mate" => limits.mate = Some(plies(number(word, words.next())?)),
            "infinite" => search.infinite = true,
            "ponder" => search.ponder = true,
            "perft" => perft = Some(perft_depth(words.next())?),
            "searchmoves" => {
                while let Some(text) = words.next_if(|word| !WORDS.contains(word)) {
                    limits.searchmoves.push(read(text).map_err(|error| format!("'{word}': {error}"))?);
                }
                if limits.searchmoves.is_empty() {
                    return Err(format!("'{word}': no moves"));
                }
            }
            _ => return Err(format!("unknown argument '{}'", excerpt(word))),
        }
        seen.push(word);
    }
    if let Some(depth) = perft {
        return if seen.len() == 1 {
            Ok(Request::Perft(depth))
        } else {
            Err("'perft' stands alone".to_owned())
        };
    }
    search.limits.clock = clocks.of(turn)?;
    Ok(Request::Search(search))
}

impl Clocks {
    /// The clock of one side, if any is given.
    fn of(&self, side: Side) -> Result<Option<ClockLimit>, String> {
        let Self { times, incs, moves } = self;
        if moves.is_none() && [times, incs].iter().all(|clocks| clocks.iter().all(Option::is_none)) {
            return Ok(None);
        }
        let (own, inc, name) = match side {
            Side::White => (times[0], incs[0], "wtime"),
            Side::Black => (times[1], incs[1], "btime"),
        };
        let own = own.ok_or_else(|| format!("'{name}' is missing, and {} is to move", side.name()))?;
        Ok(Some(ClockLimit {
            time: duration(own),
            inc: duration(inc.unwrap_or(0)),
            moves: moves.filter(|&moves| moves > 0),
        }))
    }
}

fn millis(name: &str, text: Option<&str>) -> Result<i64, String> {
    let millis: i64 = number(name, text)?;
    if millis.abs() <= LONGEST { Ok(millis) } else { Err(format!("bad number '{millis}' for '{name}'")) }
}

/// No time is less than none: clocks run out.
fn duration(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

/// A win in so many moves of the winner, in plies.
fn plies(moves: u32) -> u32 {
    moves.max(1).saturating_mul(2) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Result<Request, String> {
        let words: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
        parse(&words, Side::White, |text| match text {
            "1-1" => Err(MoveError::Illegal { text: text.to_owned() }),
            _ => Ok(text.to_owned()),
        })
    }
    fn search(line: &str) -> Search {
        match go(line) {
            Ok(Request::Search(search)) => search,
            other => panic!("{line}: {other:?}"),
        }
    }
    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn limits() {
        assert!(search("").is_open() && !search("infinite").is_open() && !search("ponder").is_open());
        let limits = search("depth 0 nodes 12 movetime 500 mate 3 infinite ponder").limits;
        assert_eq!((limits.depth, limits.nodes), (Some(1), Some(12)));
        assert_eq!((limits.move_time, limits.mate, limits.clock), (Some(ms(500)), Some(5), None));
        let chosen = search("searchmoves 32-28 31-27 depth 3");
        assert_eq!((chosen.limits.searchmoves.len(), chosen.limits.depth), (2, Some(3)));
        assert_eq!(go("perft 5"), Ok(Request::Perft(5)));
    }

    #[test]
    fn clocks() {
        let clock = |line| search(line).limits.clock;
        let limit = |time, inc, moves| Some(ClockLimit { time: ms(time), inc: ms(inc), moves });
        assert_eq!(
            clock("wtime 60000 btime 50000 winc 1000 binc 2000 movestogo 40"),
            limit(60_000, 1_000, Some(40))
        );
        assert_eq!(clock("wtime -5 winc -3 movestogo 0"), limit(0, 0, None));
        let words = ["wtime", "1", "btime", "2", "binc", "3"];
        let black = parse(&words, Side::Black, |text| Ok(text.to_owned()));
        assert!(matches!(black, Ok(Request::Search(search)) if search.limits.clock == limit(2, 3, None)));
    }

    #[test]
    fn what_is_refused() {
        for (line, error) in [
            ("fast", "unknown argument 'fast'"),
            ("depth", "missing value of 'depth'"),
            ("depth x", "bad number 'x' for 'depth'"),
            ("depth -1", "bad number '-1' for 'depth'"),
            ("nodes 18446744073709551616", "bad number '18446744073709551616' for 'nodes'"),
            ("movetime 99999999999999", "bad number '99999999999999' for 'movetime'"),
            ("depth 1 depth 2", "'depth' is given twice"),
            ("searchmoves", "'searchmoves': no moves"),
            ("searchmoves 1-1", "'searchmoves': illegal move '1-1'"),
            ("btime 1000", "'wtime' is missing, and White is to move"),
            ("movestogo 5", "'wtime' is missing, and White is to move"),
            ("perft 100", "bad number '100' for 'perft': at most 99"),
            ("perft 3 depth 2", "'perft' stands alone"),
        ] {
            assert_eq!(go(line), Err(error.to_owned()), "{line}");
        }
    }
}
