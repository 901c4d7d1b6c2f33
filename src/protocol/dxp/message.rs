//! The messages of DXP (DamExchange, layer 2, version 01), from text and to text.
//!
//! | letter | message | then |
//! |---|---|---|
//! | `R` | GAMEREQ | version 2, name 32, follower's colour, minutes 3, moves 3, `A` or `B` with the side to move and 50 squares |
//! | `A` | GAMEACC | name 32, code |
//! | `M` | MOVE | seconds 4, from 2, to 2, number captured 2, captured squares of 2 |
//! | `E` | GAMEEND | reason, stop code |
//! | `C` | CHAT | text |
//! | `B` | BACKREQ | move number 3, side to move |
//! | `K` | BACKACC | code |
//!
//! Sides are `W` and `Z`; pieces `w z`, kings `W Z`, empty squares `e`. All text is ASCII, 127 characters at most.

use crate::board::Side;
use crate::error::excerpt;
use std::fmt;
use std::time::Duration;

/// Longest message, in characters.
pub const LONGEST: usize = 127;
/// Squares of the board.
pub const SQUARES: u8 = 50;
/// Most pieces that a move captures.
const MOST_CAPTURED: u8 = 20;
/// Length of a name; shorter ones are filled with blanks.
const NAME: usize = 32;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// GAMEREQ: the initiator wants a game.
    GameReq(GameReq),
    /// GAMEREQ of another version than 01, which may say anything.
    OtherVersion(String),
    /// GAMEACC: the follower answers.
    GameAcc {
        /// The follower's name.
        name: String,
        /// Its answer.
        answer: Answer,
    },
    /// MOVE.
    Move(Step),
    /// GAMEEND: instead of a move, and the confirmation of it.
    GameEnd {
        /// How it ended.
        reason: Reason,
        /// Whether the sender does not want another game.
        stop: bool,
    },
    /// CHAT.
    Chat(String),
    /// BACKREQ: the sender wants to go back to a position of this game.
    BackReq {
        /// The number of the move to be played there, from 1.
        number: u16,
        /// The side to move there.
        turn: Side,
    },
    /// BACKACC: the answer to it.
    BackAcc(BackAnswer),
}

/// What GAMEREQ asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReq {
    /// The initiator's name.
    pub name: String,
    /// The follower's side.
    pub follower: Side,
    /// Time of each side for the whole game. Written in whole minutes; fractions (`0.5`), which Scan takes, are read.
    pub time: Duration,
    /// Moves of each side, after which the game may be ended; 0 is no limit.
    pub moves: u32,
    /// The position as a Hub string, `W` and 50 squares; `None` is the start of the game.
    pub position: Option<String>,
}

/// How the follower answers GAMEREQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It plays.
    Accepted,
    /// It does not know this version of the protocol.
    Version,
    /// It does not play this game; another perhaps.
    NotThis,
    /// It does not play at all.
    Never,
}

/// A move as DXP says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Time used for it, in seconds; at most 9999 are written.
    pub seconds: u32,
    /// Its first square, 1 to 50.
    pub from: u8,
    /// Its last square, 1 to 50.
    pub to: u8,
    /// The captured squares, in any order. Some programs send none where `from` and `to` suffice.
    pub captured: Vec<u8>,
}

/// What GAMEEND says of the result, from its sender's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nothing; every confirmation says this.
    Unknown,
    /// The sender has lost.
    Lost,
    /// A draw.
    Draw,
    /// The sender has won.
    Won,
}

/// How BACKREQ is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackAnswer {
    /// Both go back.
    Accepted,
    /// The program cannot go back.
    Unsupported,
    /// It wants to go on.
    Refused,
}

/// Why a text is no message. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadMessage {
    /// There is nothing.
    Empty,
    /// Longer than [`LONGEST`]: its length.
    TooLong(usize),
    /// A character that is not ASCII or is a zero: its column.
    NotAscii(usize),
    /// The first character names no message.
    Unknown(char),
    /// A field is not as it should be, or missing.
    Field {
        /// The message.
        message: &'static str,
        /// Where the field begins.
        column: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty message"),
            Self::TooLong(length) => write!(f, "message of {length} characters: expected at most {LONGEST}"),
            Self::NotAscii(column) => write!(f, "message, column {column}: not ASCII"),
            Self::Unknown(letter) => {
                write!(
                    f,
                    "unknown message '{}': expected R, A, M, E, C, B or K",
                    excerpt(&letter.to_string())
                )
            }
            Self::Field { message, column, found, expected } => {
                write!(f, "{message}, column {column}: found '{}' instead of {expected}", excerpt(found))
            }
        }
    }
}

impl std::error::Error for BadMessage {}

/// What is left of a message while it is read.
struct Fields<'a> {
    message: &'static str,
    text: &'a str,
    /// Characters read so far; they are bytes, as all is ASCII.
    read: usize,
}

impl<'a> Fields<'a> {
    /// The next `length` characters, or those that there are.
    fn peek(&self, length: usize) -> &'a str {
        let rest = self.text.get(self.read..).unwrap_or_default();
        rest.get(..length).unwrap_or(rest)
    }

    /// The next `length` characters as `read` understands them.
    fn take<T>(
        &mut self,
        length: usize,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, BadMessage> {
        let found = self.peek(length);
        let value = if found.len() == length { read(found) } else { None };
        let bad = || BadMessage::Field {
            message: self.message,
            column: self.read + 1,
            found: found.to_owned(),
            expected,
        };
        let value = value.ok_or_else(bad)?;
        self.read += length;
        Ok(value)
    }

    fn number(&mut self, length: usize, expected: &'static str) -> Result<u32, BadMessage> {
        self.take(length, expected, digits)
    }

    fn name(&mut self) -> Result<String, BadMessage> {
        self.take(NAME, "a name of 32 characters", |text| Some(text.trim().to_owned()))
    }

    fn side(&mut self) -> Result<Side, BadMessage> {
        self.take(1, "W or Z", |text| match text {
            "W" => Some(Side::White),
            "Z" => Some(Side::Black),
            _ => None,
        })
    }

    fn square(&mut self) -> Result<u8, BadMessage> {
        self.take(2, "a square from 01 to 50", |text| {
            digits(text).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=SQUARES).contains(n))
        })
    }

    /// Blanks may follow a message, and nothing else.
    fn end(&mut self) -> Result<(), BadMessage> {
        let rest = self.peek(LONGEST);
        if rest.trim().is_empty() {
            return Ok(());
        }
        self.take(rest.len(), "the end of the message", |_| None)
    }
}

/// A number of digits alone.
fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Minutes in three characters, of which one may be a point.
fn minutes(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let minutes: f64 = text.parse().ok().filter(|_| plain)?;
    Duration::try_from_secs_f64(minutes * 60.0).ok()
}

/// Squares in DXP's letters, from or to Hub's.
fn exchanged(squares: &str, from: &str, to: &str) -> Option<String> {
    squares.chars().map(|letter| to.chars().nth(from.find(letter)?)).collect()
}

const DXP_LETTERS: &str = "wzWZe";
const HUB_LETTERS: &str = "wbWBe";

impl Message {
    /// Reads a message, which has no zero at its end.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn parse(text: &str) -> Result<Self, BadMessage> {
        if let Some(column) = text.chars().position(|c| !c.is_ascii() || c == '\0') {
            return Err(BadMessage::NotAscii(column + 1));
        }
        if text.len() > LONGEST {
            return Err(BadMessage::TooLong(text.len()));
        }
        let letter = text.chars().next().ok_or(BadMessage::Empty)?;
        let fields = |message| Fields { message, text, read: 1 };
        match letter {
            'R' => parse_game_req(fields("GAMEREQ")),
            'A' => parse_game_acc(fields("GAMEACC")),
            'M' => parse_move(fields("MOVE")),
            'E' => parse_game_end(fields("GAMEEND")),
            'C' => Ok(Self::Chat(text.get(1..).unwrap_or_default().to_owned())),
            'B' => parse_back_req(fields("BACKREQ")),
            'K' => parse_back_acc(fields("BACKACC")),
            other => Err(BadMessage::Unknown(other)),
        }
    }
}

fn parse_game_req(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let version = fields.take(2, "version 01", |text| Some(text.to_owned()))?;
    if version != "01" {
        return Ok(Message::OtherVersion(version));
    }
    let name = fields.name()?;
    let follower = fields.side()?;
    let time = fields.take(3, "minutes", minutes)?;
    let moves = fields.number(3, "a number of moves")?;
    let own = fields.take(1, "A or B", |text| match text {
        "A" => Some(false),
        "B" => Some(true),
        _ => None,
    })?;
    let position = if own {
        let turn = fields.side()?;
        let squares = fields.take(SQUARES.into(), "50 squares of w, z, W, Z and e", |squares| {
            exchanged(squares, DXP_LETTERS, HUB_LETTERS)
        })?;
        fields.end()?;
        Some(format!("{}{squares}", turn.letter()))
    } else {
        // Some send a position all the same, which then counts for nothing.
        None
    };
    Ok(Message::GameReq(GameReq { name, follower, time, moves, position }))
}

fn parse_game_acc(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let name = fields.name()?;
    let answer = fields.take(1, "a code from 0 to 3", |text| match text {
        "0" => Some(Answer::Accepted),
        "1" => Some(Answer::Version),
        "2" => Some(Answer::NotThis),
        "3" => Some(Answer::Never),
        _ => None,
    })?;
    fields.end()?;
    Ok(Message::GameAcc { name, answer })
}

fn parse_move(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let seconds = fields.number(4, "seconds")?;
    let (from, to) = (fields.square()?, fields.square()?);
    let count = fields.take(2, "a number of captures from 00 to 20", |text| {
        digits(text).filter(|count| *count <= MOST_CAPTURED.into())
    })?;
    let captured = (0..count).map(|_| fields.square()).collect::<Result<_, _>>()?;
    fields.end()?;
    Ok(Message::Move(Step { seconds, from, to, captured }))
}

fn parse_game_end(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let reason = fields.take(1, "a reason from 0 to 3", |text| match text {
        "0" => Some(Reason::Unknown),
        "1" => Some(Reason::Lost),
        "2" => Some(Reason::Draw),
        "3" => Some(Reason::Won),
        _ => None,
    })?;
    let stop = fields.take(1, "a stop code, 0 or 1", |text| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })?;
    fields.end()?;
    Ok(Message::GameEnd { reason, stop })
}

fn parse_back_req(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let number = fields.take(3, "a move number from 001", |text| {
        digits(text).and_then(|n| u16::try_from(n).ok()).filter(|n| *n > 0)
    })?;
    let turn = fields.side()?;
    fields.end()?;
    Ok(Message::BackReq { number, turn })
}

fn parse_back_acc(mut fields: Fields<'_>) -> Result<Message, BadMessage> {
    let answer = fields.take(1, "a code from 0 to 2", |text| match text {
        "0" => Some(BackAnswer::Accepted),
        "1" => Some(BackAnswer::Unsupported),
        "2" => Some(BackAnswer::Refused),
        _ => None,
    })?;
    fields.end()?;
    Ok(Message::BackAcc(answer))
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// Text made fit for a message: ASCII without control characters, `most` of them at most.
fn plain(text: &str, most: usize) -> String {
    let fit = |c: char| match c {
        c if c.is_control() => ' ',
        c if c.is_ascii() => c,
        _ => '?',
    };
    text.chars().map(fit).take(most).collect()
}

/// The text of the message. What does not fit a field is cut or held within it.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameReq(asked) => asked.fmt(f),
            Self::OtherVersion(version) => write!(f, "R{version}"),
            Self::GameAcc { name, answer } => {
                write!(f, "A{:32}{}", plain(name.trim_start(), NAME), *answer as u8)
            }
            Self::Move(step) => {
                let Step { seconds, from, to, captured } = step;
                write!(f, "M{:04}{from:02}{to:02}{:02}", seconds.min(&9999), captured.len())?;
                captured.iter().try_for_each(|square| write!(f, "{square:02}"))
            }
            Self::GameEnd { reason, stop } => write!(f, "E{}{}", *reason as u8, u8::from(*stop)),
            Self::Chat(text) => write!(f, "C{}", plain(text, LONGEST - 1)),
            Self::BackReq { number, turn } => write!(f, "B{:03}{}", number.min(&999), side_letter(*turn)),
            Self::BackAcc(answer) => write!(f, "K{}", *answer as u8),
        }
    }
}

impl fmt::Display for GameReq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, follower, time, moves, position } = self;
        let name = plain(name.trim_start(), NAME);
        let minutes = time.as_secs_f64() / 60.0;
        let minutes = minutes.round().clamp(0.0, 999.0);
        write!(f, "R01{name:32}{}{minutes:03}{:03}", side_letter(*follower), moves.min(&999))?;
        let Some(position) = position else { return f.write_str("A") };
        let (turn, squares) = position.split_at_checked(1).unwrap_or_default();
        let turn = if turn == "W" { Side::White } else { Side::Black };
        let squares = exchanged(squares, HUB_LETTERS, DXP_LETTERS).unwrap_or_default();
        write!(f, "B{}{squares}", side_letter(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn error(text: &str) -> String {
        Message::parse(text).unwrap_err().to_string()
    }

    /// The examples of the DamExchange pages.
    #[test]
    fn published_examples() {
        let asked = GameReq {
            name: "Tornado voor Windows 4.0".into(),
            follower: Side::White,
            time: 60 * MINUTE,
            moves: 65,
            position: None,
        };
        let quiet = Step { seconds: 12, from: 6, to: 11, captured: vec![] };
        let capture = Step { seconds: 12, from: 5, to: 25, captured: vec![22, 12, 23, 20] };
        for (text, message) in [
            ("R01Tornado voor Windows 4.0        W060065A", Message::GameReq(asked)),
            (
                "ATornado voor Windows 4.0        0",
                Message::GameAcc { name: "Tornado voor Windows 4.0".into(), answer: Answer::Accepted },
            ),
            ("M0012061100", Message::Move(quiet)),
            ("M001205250422122320", Message::Move(capture)),
            ("E00", Message::GameEnd { reason: Reason::Unknown, stop: false }),
            ("CWhat do you think about move 35?", Message::Chat("What do you think about move 35?".into())),
            ("B005Z", Message::BackReq { number: 5, turn: Side::Black }),
            ("K2", Message::BackAcc(BackAnswer::Refused)),
        ] {
            assert_eq!(Message::parse(text), Ok(message.clone()), "{text}");
            assert_eq!(message.to_string(), text);
        }
    }

    #[test]
    fn positions() {
        let squares = format!("{}{}{}WZ", "z".repeat(20), "e".repeat(10), "w".repeat(18));
        let text = format!("R01{:32}Z001000BZ{squares}", "DXP Client");
        let Ok(Message::GameReq(asked)) = Message::parse(&text) else { panic!("{text}") };
        let hub = format!("B{}{}{}WB", "b".repeat(20), "e".repeat(10), "w".repeat(18));
        assert_eq!(asked.position.as_deref(), Some(hub.as_str()));
        assert_eq!((asked.follower, asked.time, asked.moves), (Side::Black, MINUTE, 0));
        assert_eq!(Message::GameReq(asked).to_string(), text);
    }

    #[test]
    fn what_is_read_all_the_same() {
        let asked = |minutes: &str, tail: &str| {
            Message::parse(&format!("R01{:32}W{minutes}000A{tail}", "x")).map(|message| match message {
                Message::GameReq(asked) => asked.time,
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(asked("000", ""), Ok(Duration::ZERO));
        assert_eq!(asked("0.5", ""), Ok(MINUTE / 2));
        assert_eq!(asked("005", "We"), Ok(5 * MINUTE));
        assert!(asked("..1", "").is_err() && asked("-01", "").is_err() && asked("inf", "").is_err());
        assert_eq!(Message::parse("R02whatever"), Ok(Message::OtherVersion("02".into())));
        assert_eq!(Message::parse("E00 "), Ok(Message::GameEnd { reason: Reason::Unknown, stop: false }));
    }

    #[test]
    fn what_is_refused() {
        for (text, why) in [
            ("", "empty message"),
            ("x", "unknown message 'x': expected R, A, M, E, C, B or K"),
            ("M", "MOVE, column 2: found '' instead of seconds"),
            ("M00x1", "MOVE, column 2: found '00x1' instead of seconds"),
            ("M00010051", "MOVE, column 6: found '00' instead of a square from 01 to 50"),
            ("M0001015121", "MOVE, column 8: found '51' instead of a square from 01 to 50"),
            ("M0001010221", "MOVE, column 10: found '21' instead of a number of captures from 00 to 20"),
            ("M000101020199", "MOVE, column 12: found '99' instead of a square from 01 to 50"),
            ("M0001010200 x", "MOVE, column 12: found ' x' instead of the end of the message"),
            ("E4", "GAMEEND, column 2: found '4' instead of a reason from 0 to 3"),
            ("E0", "GAMEEND, column 3: found '' instead of a stop code, 0 or 1"),
            ("B000W", "BACKREQ, column 2: found '000' instead of a move number from 001"),
            ("B001B", "BACKREQ, column 5: found 'B' instead of W or Z"),
            ("Ashort0", "GAMEACC, column 2: found 'short0' instead of a name of 32 characters"),
            ("C\u{e9}", "message, column 2: not ASCII"),
        ] {
            assert_eq!(error(text), why, "{text}");
        }
        assert_eq!(error(&"C".repeat(128)), "message of 128 characters: expected at most 127");
        let bad = format!("R01{:32}W001000BWx{}", "x", "e".repeat(49));
        assert!(error(&bad).contains("instead of 50 squares of w, z, W, Z and e"));
    }

    #[test]
    fn what_is_written_fits() {
        let long = "n".repeat(99);
        let messages = [
            Message::Chat(format!("\u{e9}\n{long}{long}")),
            Message::GameAcc { name: format!(" {long}"), answer: Answer::Never },
            Message::Move(Step { seconds: 123_456, from: 1, to: 6, captured: vec![] }),
            Message::BackReq { number: u16::MAX, turn: Side::White },
        ];
        for message in messages {
            let text = message.to_string();
            assert!(text.len() <= LONGEST && Message::parse(&text).is_ok(), "{text}");
        }
    }
}
