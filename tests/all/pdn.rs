//! PDN: every quirk by an example, what is written is read back, and damaged files by the hundred thousand.

use soffio::engine::{self, Notation, Session};
use soffio::notation::pdn::{self, Fault, Game, Item, Move, Number, Outcome, Reader, What};
use soffio::rng::Rng;
use soffio::rules::{self, RULE_SETS};
use std::io::{self, BufRead, BufReader, Read};

const DAMAGED: usize = 100_000;
const WALK: usize = 60;

fn read(text: &str) -> Vec<Result<Game, Fault>> {
    Reader::new(text.as_bytes()).collect()
}

fn one(text: &str) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// A line of play in short: moves with numbers and glyphs, comments in braces, variations in parentheses.
fn short(items: &[Item]) -> String {
    let words = items.iter().map(|item| match item {
        Item::Move(mv) => {
            let dots = |number: Number| if number.dots { "..." } else { "." };
            let number = mv.number.map(|n| format!("{}{}", n.value, dots(n))).unwrap_or_default();
            mv.nags.iter().fold(number + &mv.text, |text, nag| format!("{text}${nag}"))
        }
        Item::Comment(text) => format!("{{{text}}}"),
        Item::Variation(items) => format!("({})", short(items)),
        Item::Setup(fen) => format!("/{fen}/"),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Every game in short: tags, moves, result; a fault as it is written.
fn shorts(text: &str) -> Vec<String> {
    let game = |game: Game| {
        let tags: Vec<_> = game.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let result = game.result.as_deref().unwrap_or("none");
        format!("{}|{}|{result}", tags.join(","), short(&game.items))
    };
    read(text).into_iter().map(|found| found.map_or_else(|fault| fault.to_string(), game)).collect()
}

fn notes(game: &Game) -> Vec<String> {
    game.notes.iter().map(Fault::to_string).collect()
}

#[test]
fn moves_in_every_form() {
    for (text, want) in [
        ("1. 32-28 19-23 2. 28x19 14x23", "1.32-28 19-23 2.28x19 14x23"),
        ("1.32-28 19-23 2.28:19 14:23", "1.32-28 19-23 2.28:19 14:23"),
        ("01. 32-28 01... 19-23", "1.32-28 1...19-23"),
        ("1. ... 9-13 2. 22-18", "1...9-13 2.22-18"),
        ("1… 9-13 2.. 10-14", "1...9-13 2...10-14"),
        ("... 9-13", "9-13"),
        ("1 32-28 19-23 2 28x19", "1.32-28 19-23 2.28x19"),
        ("32-28\n19-23\r\n28x19\r14x23", "32-28 19-23 28x19 14x23"),
        ("5.\n15-24 27-20", "5.15-24 27-20"),
        ("1. 1- 7 8 -12 2. 27x 9 3 x 14", "1.1-7 8-12 2.27x9 3x14"),
        ("1. 28 x 19 x 10 c3 : e5", "1.28x19x10 c3:e5"),
        ("1. 32–28 19—23 2. 28×19", "1.32-28 19-23 2.28x19"),
        ("1. c3-d4 B6-A5 2. d4xb6xd8 a3b4", "1.c3-d4 B6-A5 2.d4xb6xd8 a3b4"),
        ("1. d5 d5xd5", "1.d5 d5xd5"),
        ("1. 3228 1823", "1.32-28 18-23"),
        ("1. 32-28 41. - -", "1.32-28 41.- -"),
        ("1. 33-28x19", "1.33-28x19"),
        ("1. 32-28! 19-23? 2. 28x19!! 14x23??", "1.32-28$1 19-23$2 2.28x19$3 14x23$4"),
        ("1. 32-28!? 19-23?! 2. 28x19 ! 14x23(?)", "1.32-28$5 19-23$6 2.28x19$1 14x23$2"),
        ("1. 32-28(!?!!!) $5 19-23 $902", "1.32-28$5$5 19-23$902"),
        ("1. 32-28 {why} $1", "1.32-28$1 {why}"),
        ("1. 27-20* {28-19 loses} 2. 4-8", "1.27-20$7 {28-19 loses} 2.4-8"),
        ("1. 22-17 8-12 2. 27-20 * {so} 3. 4-8", "1.22-17 8-12 2.27-20$7 {so} 3.4-8"),
        ("1. 32-28 /FEN \"W:W31 :B20\"/ 2. 31-26", "1.32-28 /W:W31:B20/ 2.31-26"),
    ] {
        assert_eq!(short(&one(text).items), want, "{text}");
    }
}

#[test]
fn comments_and_variations() {
    for (text, want) in [
        ("1. 32-28 { a  b\n\n c } 19-23 {}", "1.32-28 {a  b c} 19-23 {}"),
        ("{before} 1. 32-28 ; rest } of line\n19-23", "{before} 1.32-28 {rest } of line} 19-23"),
        ("% nothing {\n1. 32-28 % ( nothing\n%\n19-23", "1.32-28 19-23"),
        ("1. 32-28 {%eval 0.1} 19-23 [%clk 0:01:02] *", "1.32-28 {%eval 0.1} 19-23 {[%clk 0:01:02]}"),
        ("1. 32-28 {[%clock w0:10:00 B0:10:00]} 18-22", "1.32-28 {[%clock w0:10:00 B0:10:00]} 18-22"),
        ("1. 32-28 { nested { comment } } 19-23", "1.32-28 {nested { comment }} 19-23"),
        ("1. 32-28 {:-{ } 19-23 {b}", "1.32-28 {:-{} 19-23 {b}"),
        ("1. 32-28 {&#123;&#125; &#38;#125; &#39;} 19-23", "1.32-28 {{} &#125; &#39;} 19-23"),
        (
            "32-28 19-23 (18-23 38-32 (37-32? 23-29!) 12-18) 28x19",
            "32-28 19-23 (18-23 38-32 (37-32$2 23-29$1) 12-18) 28x19",
        ),
        ("1. 32-28 ((1. 33-28)(1. 34-29)) ( ) 1... 19-23", "1.32-28 ((1.33-28) (1.34-29)) 1...19-23"),
        ("1. 32-28 (1. 33-28 1-0 {x}) 19-23", "1.32-28 (1.33-28 {1-0} {x}) 19-23"),
        ("1. 32-28 (1. 33-28*) 19-23", "1.32-28 (1.33-28$7) 19-23"),
    ] {
        assert_eq!(short(&one(text).items), want, "{text}");
    }
}

#[test]
fn tags_in_every_form() {
    for (text, want) in [
        ("[Event \"a\"][Site \"b\"] 32-28", "Event=a,Site=b|32-28|none"),
        ("[ Event   \"a\" ]\n[FEN \"W:W31 :\n B20.\"]\n*", "Event=a,FEN=W:W31:B20.||*"),
        ("[White \"a \\\" b\"] 32-28", "White=a \" b|32-28|none"),
        ("[White \"The \"Big\" One\"]\n32-28", "White=The \"Big\" One|32-28|none"),
        ("[White \"C:\\\"]\n[Black \"a\\\\\"]\n32-28", "White=C:\\,Black=a\\|32-28|none"),
        ("[Event \"a\"]\n[Event \"b\"]\n32-28", "Event=a,Event=b|32-28|none"),
        ("{c} [Event \"a\"] {d}\n\n[Site \"b\"]\n32-28 *", "Event=a,Site=b|{c} {d} 32-28|*"),
        ("[Dati \"69\u{b0}\"]\n[Анно \"2005\"]\n32-28 *", "Dati=69\u{b0},Анно=2005|32-28|*"),
        ("\u{feff}[Event \"a\"]\n\u{feff}32-28 *", "Event=a|32-28|*"),
    ] {
        let game = one(text);
        assert_eq!(shorts(text), [want], "{text}");
        let strange: Vec<_> =
            notes(&game).into_iter().filter(|note| !note.ends_with("without a result")).collect();
        assert_eq!(strange, [""; 0], "{text}");
    }
    let latin = Reader::new(&b"[Dati \"69\xb0\"]\n32-28 *"[..]).next().unwrap().unwrap();
    assert_eq!(latin.tag("dati"), Some("69\u{b0}"));
    assert_eq!(latin.fen(), None);
}

#[test]
fn tags_out_of_order_are_noted() {
    for (text, want, note) in [
        (
            "[Result 1-0]\n32-28 1-0",
            "Result=1-0|32-28|1-0",
            "1:1: game 1: bad tag '[Result 1-0]': expected quotes round its value",
        ),
        (
            "[Event]\n32-28 *",
            "Event=|32-28|*",
            "1:1: game 1: bad tag '[Event]': expected quotes round its value",
        ),
        (
            "[Event \"a]\n32-28 *",
            "Event=a|32-28|*",
            "1:1: game 1: bad tag '[Event \\\"a]': expected a quote behind its value",
        ),
        (
            "[Event \"a\n[Site \"b\"]\n*",
            "Event=a,Site=b||*",
            "1:1: game 1: bad tag '[Event \\\"a': expected a quote behind its value",
        ),
        (
            "[Event \"a\"\n32-28 *",
            "Event=a|32-28|*",
            "1:1: game 1: bad tag '[Event \\\"a\\\"': expected ']' behind its value",
        ),
    ] {
        assert_eq!(shorts(text), [want], "{text}");
        assert_eq!(notes(&one(text)), [note], "{text}");
    }
}

#[test]
fn where_games_end() {
    for (text, want) in [
        ("", &[][..]),
        (" \n\n% nothing\n", &[]),
        ("*", &[]),
        ("3\n1\n[Ident \"a\"]\n1. 32-28", &["Ident=a|1.32-28|none"]),
        ("32-28 1-0 19-23 0-1", &["|32-28|1-0", "|19-23|0-1"]),
        ("32-28 1-0 {so} *\n[Event \"a\"] 33-28 2-0", &["|32-28 {so}|1-0", "Event=a|33-28|2-0"]),
        ("32-28 * 1-0\n33-28 *", &["|32-28|1-0", "|33-28|*"]),
        ("32-28 * {next} 33-28 *", &["|32-28|*", "|{next} 33-28|*"]),
        ("1. 32-28 19-23\n[Event \"a\"] 33-28", &["|1.32-28 19-23|none", "Event=a|33-28|none"]),
        ("1. 32-28* 19-23*\n1. 33-28 18-22*", &["|1.32-28$7 19-23|*", "|1.33-28 18-22|*"]),
        ("[FEN \"W:W1:B\"]\n1-0\n\n[FEN \"W:W2:B\"]\n0-1", &["FEN=W:W1:B||1-0", "FEN=W:W2:B||0-1"]),
        ("[FEN \"W:W1:B\"]\n\n[FEN \"W:W2:B\"]", &["FEN=W:W1:B||none", "FEN=W:W2:B||none"]),
        ("[Event \"a\"]\n{no moves}\n[Event \"b\"]", &["Event=a|{no moves}|none", "Event=b||none"]),
        ("1. 2-0", &[]),
        (
            "32-28 1/2-1/2\n32-28 1 - 0\n32-28 5-5\n32-28 0-0\n32-28 12-0",
            &["|32-28|1/2-1/2", "|32-28|1-0", "|32-28|5-5", "|32-28|0-0", "|32-28|12-0"],
        ),
        ("[Result \"4-6\"] 4-6 32-28 4-6", &["Result=4-6|4-6 32-28|4-6"]),
        ("32-28 4-6", &["|32-28 4-6|none"]),
        ("[Event \"a\"]\n33-28 ½-½", &["Event=a|33-28|½-½"]),
    ] {
        assert_eq!(shorts(text), want, "{text}");
    }
}

#[test]
fn faults_cost_one_game() {
    let next = "\n[Event \"b\"]\n33-28 *";
    for (text, want) in [
        ("32-28 19=23", "1:7: game 1: '19=23' is no move, move number, result, tag or comment"),
        (
            "[A \"b\"]\n\n \u{e9}32-28 resigns!",
            "3:2: game 1: '\u{e9}32-28' is no move, move number, result, tag or comment",
        ),
        ("32-28 \"x\"", "1:7: game 1: '\\\"x\\\"' is no move, move number, result, tag or comment"),
        ("32-28 32", "|32-28|none"),
        ("32-28 99999999999.", "1:7: game 1: '99999999999' is no move, move number, result, tag or comment"),
        ("32-28 1234-5", "1:7: game 1: '1234-5' is no move, move number, result, tag or comment"),
        ("32-28 28x", "1:7: game 1: '28x' is no move, move number, result, tag or comment"),
        ("32-28 m1-a2", "1:7: game 1: 'm1-a2' is no move, move number, result, tag or comment"),
        ("32-28 /XY 3/", "1:7: game 1: '/XY' is no move, move number, result, tag or comment"),
        ("32-28 (19-23 {a}", "1:7: game 1: the variation has no end: expected ')'"),
        ("32-28 {19-23\n", "1:7: game 1: the comment has no end: expected '}'"),
    ] {
        let found = shorts(&format!("{text}{next}"));
        assert_eq!(found[0], want, "{text}");
        assert_eq!(found[1..], ["Event=b|33-28|*"], "{text}");
    }
    // Without an empty line a tag is part of the comment.
    assert_eq!(shorts("32-28 {19-23\n[Event \"b\"] } 1-0"), ["|32-28 {19-23 [Event \"b\"]}|1-0"]);
    assert_eq!(shorts("32-28 {"), ["1:7: game 1: the comment has no end: expected '}'"]);
    let deep = format!("32-28 {}{}", "(1-6 ".repeat(101), ")".repeat(101));
    assert_eq!(shorts(&deep), ["1:507: game 1: variations are nested more than 100 deep"]);
    // Games are counted, also those that are lost.
    let many = "32-28 *\n[A \"b\"] x\n[A \"c\"] 32-28 *\n[A \"d\"] ?x";
    let found = shorts(many);
    assert_eq!(found[1], "2:9: game 2: 'x' is no move, move number, result, tag or comment");
    assert_eq!(found[3], "4:10: game 4: 'x' is no move, move number, result, tag or comment");
    assert_eq!(found.len(), 4);
}

#[test]
fn what_is_read_over_is_noted() {
    for (text, want) in [
        ("32-28", &["1:6: game 1: the game ends without a result"][..]),
        ("[Result \"1-0\"] 32-28 0-1", &["1:22: game 1: the result is '0-1' here and '1-0' in the tag"]),
        ("[Result \"1-0\"] 32-28 2-0", &[]),
        ("[Result \"1-0\"] 32-28 *", &[]),
        (
            "32-28 ) 19-23 } ] *",
            &["1:7: game 1: stray ')'", "1:15: game 1: stray '}'", "1:17: game 1: stray ']'"],
        ),
        ("$3 32-28 $ *", &["1:1: game 1: stray '$3'", "1:10: game 1: stray '$'"]),
    ] {
        assert_eq!(notes(&one(text)), want, "{text}");
    }
}

#[test]
fn long_games_are_refused_and_skipped() {
    let long = format!("[Event \"a\"]\n32-28 {{{}}}\n[Event \"b\"]\n33-28 *", "long ".repeat(50));
    for text in [long.clone(), long.replace("long long", "long\nlong")] {
        let found: Vec<_> = Reader::new(text.as_bytes()).with_limit(200).collect();
        assert_eq!(found[0].as_ref().unwrap_err().what, What::TooLong(200), "{text}");
        assert!(
            found[0].as_ref().unwrap_err().to_string().ends_with("game 1: the game is longer than 200 bytes")
        );
        assert_eq!(found[1].as_ref().unwrap().tag("Event"), Some("b"));
        assert_eq!(found.len(), 2);
    }
    // Many short ones are not.
    let many = "[Event \"a\"]\n32-28 *\n\n".repeat(100);
    assert_eq!(Reader::new(many.as_bytes()).with_limit(30).filter(Result::is_ok).count(), 100);
}

/// A source that fails after some bytes.
struct Failing<'a>(&'a [u8]);
impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk\nis gone")),
            bytes => Ok(bytes),
        }
    }
}

#[test]
fn sources_that_fail() {
    let found: Vec<_> = Reader::new(BufReader::new(Failing(b"32-28 *\n33-28"))).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    let fault = found[1].as_ref().unwrap_err().to_string();
    assert_eq!(fault, "2:1: game 2: cannot read on: the disk\\nis gone");
    let wide: Vec<_> = Reader::new(&b"\xff\xfe3\x002\x00"[..]).collect();
    assert_eq!(wide.len(), 1);
    assert_eq!(wide[0].as_ref().unwrap_err().what, What::Utf16);
}

#[test]
fn places_of_moves() {
    let game = one("[A \"é\"]\n\t{é é} 32-28\n  19-23 {a\nb} 28x19 *");
    let places: Vec<_> = game.moves().map(|mv| (mv.line, mv.column)).collect();
    assert_eq!(places, [(2, 8), (3, 3), (4, 4)]);
    assert_eq!((game.line, read("\n\n32-28")[0].as_ref().unwrap().line), (1, 3));
}

#[test]
fn results_and_what_they_mean() {
    use Outcome::{Black, BothLost, Draw, Unknown, White};
    for (text, want) in [
        ("1-0", Some(White)),
        ("2-0", Some(White)),
        ("0-1", Some(Black)),
        ("0-2", Some(Black)),
        ("1-1", Some(Draw)),
        ("1/2-1/2", Some(Draw)),
        ("½-½", Some(Draw)),
        ("0.5-0.5", Some(Draw)),
        ("4-6", Some(Black)),
        ("1 1/2 - 1/2", Some(White)),
        ("0-0", Some(BothLost)),
        ("*", Some(Unknown)),
        ("", None),
        ("?", None),
        ("1+ - 1-", None),
        ("nan-inf", None),
    ] {
        assert_eq!(Outcome::of(text), want, "{text}");
    }
    for outcome in [White, Draw, Black, BothLost, Unknown] {
        for international in [true, false] {
            assert_eq!(Outcome::of(outcome.text(international)), Some(outcome));
        }
    }
    assert_eq!(one("[Result \"0-1\"] 32-28 *").outcome(), Black);
    assert_eq!(one("[Result \"0-1\"] 32-28 1-0").outcome(), White);
    assert_eq!(one("[Result \"?\"] 32-28").outcome(), Unknown);
    let mut game = Game::of(&rules::Game::new(rules::find("international").unwrap()));
    game.set_outcome(Draw);
    assert_eq!((game.tag("Result"), game.result.as_deref()), (Some("1-1"), Some("1-1")));
    let mut game = Game::of(&rules::Game::new(rules::find("killer").unwrap()));
    game.set_outcome(Draw);
    assert_eq!((game.tag("Result"), game.tag("Variant")), (Some("1/2-1/2"), Some("killer")));
}

#[test]
fn the_written_form() {
    let mut game = one(
        "[Round \"2\"]\n[Annotator \"a \\\"b\\\"\"]\n[GameType \"21\"]\n[FEN \"W:W22:B9\"]\n[Event \"x\"]\n\
         1... 22-18! {a} (22-17 {&} 9-13) 9-14 $5$902 (2. 18x9)\n2. 18x9 1-0",
    );
    game.items[1] = Item::Comment(" a } b\n{&#38;c ".to_owned());
    let want = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"2\"]\n[White \"?\"]\n[Black \"?\"]\n\
                [Result \"1-0\"]\n[GameType \"21\"]\n[FEN \"W:W22:B9\"]\n[Annotator \"a \\\"b\\\"\"]\n\n\
                1... 22-18! {a &#125; b &#123;&#38;#38;c} (1... 22-17 {&} 2. 9-13) 2. 9-14!?\n\
                $902 (2. 18x9) 18x9 1-0\n\n";
    assert_eq!(pdn::write(&game), want);
    let Item::Comment(text) = &one(want).items[1] else { panic!() };
    assert_eq!(text, "a } b {&#38;c");
    for (tags, want) in [
        ("", "1. 9-13 22-18 *"),
        ("[FEN \"B:W22:B9\"]", "1... 9-13 2. 22-18 *"),
        ("[GameType \"21\"][FEN \"B:W22:B9\"]", "1. 9-13 22-18 *"),
        ("[GameType \"21,W,8,8,N2,0\"][FEN \"B:W22:B9\"]", "1... 9-13 2. 22-18 *"),
        ("[Variant \"anti-english\"][FEN \"B:W22:B9\"]", "1. 9-13 22-18 *"),
        ("[Result \"1 1/2 - 1/2\"]", "1. 9-13 22-18 1-0"),
        ("[Result \"4-6\"]", "1. 9-13 22-18 4-6"),
        ("[Result \"1-0\"] {moves behind} 9-13 22-18 * {so}", "{moves behind} 1. 9-13 22-18 {so} 1-0"),
    ] {
        let moves = if tags.contains("9-13") { "" } else { "9-13 22-18" };
        let written = pdn::write(&one(&format!("{tags} {moves}")));
        assert_eq!(written.trim_end().lines().last(), Some(want), "{tags}");
    }
}

#[test]
fn positions_are_set_up_as_pdn_names_squares() {
    for (id, fen, want) in [
        ("italian", "B:W21,K22:B1", "B:W21,K22:B1"),
        ("russian", "W:W22,K29:B4", "W:Wc3,Ka1:Bh8"),
        ("frisian", "W:WK5,45:B2,K46:+0+35", "W:WK5,45:B2,K46:+0+35"),
        ("parachute", "W:WP1,K29:BP30", "W:WPb8,Ka1:BPc1"),
        ("russian", "not read", "not read"),
    ] {
        let rules = rules::Game::new(rules::find(id).unwrap());
        let mut game = Game::of(&rules);
        game.set_fen(&rules, fen);
        assert_eq!((game.fen(), game.tag("SetUp")), (Some(want), Some("1")));
    }
}

/// The same without move numbers, which the writer sets itself.
fn without_numbers(items: &[Item]) -> String {
    let plain = |item: &Item| match item {
        Item::Move(mv) => Item::Move(Move { number: None, ..mv.clone() }),
        other => other.clone(),
    };
    let words = items.iter().map(|item| match item {
        Item::Variation(items) => format!("({})", without_numbers(items)),
        other => short(&[plain(other)]),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A comment with what may stand in one.
fn comment(rng: &mut Rng) -> Item {
    const WORDS: [&str; 22] = [
        "{",
        "}",
        "&#125;",
        "&#38;",
        "&",
        "(",
        ")",
        "[Event",
        "\"x\"]",
        "%",
        "; 1-0",
        "*",
        "1.",
        "32-28",
        "  ",
        "è",
        "\\",
        "0.35/12",
        "1.2s",
        "$5",
        "!",
        "une-phrase-plus-longue",
    ];
    let words: Vec<_> = (0..rng.below(30)).map(|_| WORDS[rng.below(WORDS.len())]).collect();
    Item::Comment(words.join(" ").trim().to_owned())
}

/// A seeded game with comments, glyphs and variations, in half of the cases from a position on the way.
fn random_game(session: &mut dyn Session, rng: &mut Rng) -> Game {
    session.set_start();
    let mut game = Game::of(session.game());
    if rng.below(2) == 0 {
        for _ in 0..rng.below(30) {
            let moves = session.legal_moves(Notation::Pdn);
            if !moves.is_empty() {
                session.play(&moves[rng.below(moves.len())], Notation::Pdn).unwrap();
            }
        }
        let fen = session.fen();
        game.set_fen(session.game(), &fen);
        session.set_fen(game.fen().unwrap()).unwrap();
        assert_eq!(session.fen(), fen);
    }
    let outcomes = [Outcome::White, Outcome::Draw, Outcome::Black, Outcome::BothLost, Outcome::Unknown];
    game.set_outcome(outcomes[rng.below(outcomes.len())]);
    game.set_tag("White", ["?", "a \"quoted\" \\ name\\", "Дамир", ""][rng.below(4)]);
    for _ in 0..WALK {
        let moves = session.legal_moves(Notation::Pdn);
        if moves.is_empty() {
            break;
        }
        let mut pick = || Move {
            text: moves[rng.below(moves.len())].clone(),
            nags: (0..rng.below(3) * rng.below(2)).map(|_| rng.below(12) as u16).collect(),
            ..Move::default()
        };
        let (mv, other) = (pick(), pick());
        session.play(&mv.text, Notation::Pdn).unwrap();
        game.items.push(Item::Move(mv));
        match rng.below(6) {
            0 | 1 => game.items.push(comment(rng)),
            2 => {
                let inner = Item::Variation(vec![comment(rng), Item::Move(other.clone())]);
                game.items.push(Item::Variation(vec![Item::Move(other), comment(rng), inner]));
            }
            _ => {}
        }
    }
    game
}

/// Plays a game; the FEN at its end.
fn replay(session: &mut dyn Session, game: &Game) -> String {
    match game.fen() {
        Some(fen) => session.set_fen(fen).unwrap(),
        None => session.set_start(),
    }
    for mv in game.moves() {
        session.play(&mv.text, Notation::Pdn).unwrap_or_else(|error| panic!("{error}"));
    }
    session.fen()
}

#[test]
fn written_games_are_read_back() {
    let mut rng = Rng::new(20);
    for set in RULE_SETS {
        let mut session = engine::open(rules::Game::new(set));
        let (mut games, mut ends, mut text) = (Vec::new(), Vec::new(), String::new());
        for _ in 0..12 {
            let game = random_game(&mut *session, &mut rng);
            ends.push(session.fen());
            text += &pdn::write(&game);
            games.push(game);
        }
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            assert!(line.chars().count() <= 80 && !line.starts_with(' ') && !line.ends_with(' '), "{line:?}");
        }
        let source: Box<dyn BufRead> = Box::new(BufReader::with_capacity(7, text.as_bytes()));
        let again: Vec<Game> =
            Reader::new(source).map(|found| found.unwrap_or_else(|f| panic!("{f}"))).collect();
        assert_eq!(again.len(), games.len(), "{}", set.id);
        for ((game, read), end) in games.iter().zip(&again).zip(&ends) {
            assert_eq!(read.tags, game.tags);
            assert_eq!(without_numbers(&read.items), without_numbers(&game.items));
            assert_eq!((&read.result, read.outcome()), (&game.result, game.outcome()));
            assert_eq!(notes(read), [""; 0]);
            assert_eq!(read.rule_set().map(|set| set.id), Some(set.id));
            assert_eq!(replay(&mut *session, read), *end, "{}", set.id);
            assert_eq!(pdn::write(read), pdn::write(game));
        }
    }
}

/// Reads damaged text: no panic, faults in one line each, and what is read is written so that it is read again.
fn survives(bytes: &[u8]) -> [usize; 2] {
    let mut counts = [0; 2];
    for found in Reader::new(bytes) {
        counts[usize::from(found.is_ok())] += 1;
        match found {
            Err(fault) => {
                let text = fault.to_string();
                assert!(
                    fault.line > 0 && fault.column > 0 && fault.game > 0 && !text.contains(char::is_control)
                );
            }
            // An unknown move, `-`, would be taken for part of a square before it.
            Ok(game) if game.moves().any(|mv| mv.text.starts_with('-')) => {}
            Ok(game) => {
                let written = pdn::write(&game);
                assert_eq!(pdn::write(&one(&written)), written, "{:?}", String::from_utf8_lossy(bytes));
            }
        }
    }
    assert!(counts[0] + counts[1] <= bytes.len() + 1);
    counts
}

#[test]
fn damaged_files_are_survived() {
    const GOOD: [&str; 4] = [
        "[Event \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n[FEN \"W:W31:B\n20.\"]\n\n1. 32-28! {a {b} c} 19-23 (1... 18-23 $5) 1-0\n",
        "{x}\r\n[A \"\"][B \"c\"]\r\n; d\n1... 1- 7 2. 3x 9* c3d4 ((4-5) 6:7 *) 1/2-1/2 *\n% e\n1. 3228 *",
        "1. /FEN \"B:W1:B2\"/ a1xb2:c3 [%clk 1] (!?) - 2… 5 - 6 × 7 0-0\n\n[Event \"\u{e9}\"]\n{f\n\ng&#125;} 2-0 {h}",
        "[Result \"4-6\"]\n[Round 3]\n12-18 4-6\n\n[FEN \"W:W1:B\"]\n\n[FEN \"W:W2:B\"]\n1. 33-28 19-23* 2. 5-10 * 3. 7-8",
    ];
    const PIECES: [&str; 28] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\\",
        "*",
        "-",
        "x",
        ":",
        ".",
        "1",
        "$",
        "%",
        ";",
        "!",
        "\n",
        "\r",
        " ",
        "/",
        "\u{feff}",
        "é",
        "1-0",
        "[Event \"",
        "\n\n",
        "&#38;",
    ];
    let mut rng = Rng::new(21);
    let mut counts = [0; 2];
    for _ in 0..DAMAGED {
        let mut bytes = GOOD[rng.below(GOOD.len())].as_bytes().to_vec();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() + 1);
            let to = (at + rng.below(12)).min(bytes.len());
            match rng.below(5) {
                0 => drop(bytes.drain(at..to)),
                1 => drop(bytes.splice(at..at, PIECES[rng.below(PIECES.len())].bytes())),
                2 => drop(bytes.splice(at..to, GOOD[rng.below(GOOD.len())].bytes().skip(to).take(9))),
                3 => bytes.insert(at, rng.next_u64() as u8),
                _ => drop(bytes.splice(at..to, PIECES[rng.below(PIECES.len())].bytes())),
            }
        }
        let found = survives(&bytes);
        counts = [counts[0] + found[0], counts[1] + found[1]];
    }
    assert!(counts.iter().all(|count| *count > DAMAGED / 10), "{counts:?}");
}

/// Text made to be slow for a reader that looks far ahead or back; one that does takes minutes here.
#[test]
fn nothing_takes_long() {
    const PATTERNS: [&str; 24] = [
        "(", ")", "{", "}", "[", "[a]", "[a \"", "[a \"]", "[a]{}", "[a]\n\n", "\"", "\" ", "*", "* ", "1. ",
        "$1", "{}$1", "{{}", "x", "1- 7 ", "1 - ", "a1 - x ", "; \n", "/FEN ",
    ];
    for pattern in PATTERNS {
        let text = pattern.repeat(pdn::LIMIT / 2 / pattern.len());
        for text in [format!("1. 32-28 {text}"), format!("[A \"{text}\"] 32-28 {{{text}"), text] {
            for found in Reader::new(text.as_bytes()) {
                let length =
                    found.map_or_else(|fault| fault.to_string().len(), |game| pdn::write(&game).len());
                assert!(length > 0);
            }
        }
    }
}
