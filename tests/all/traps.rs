//! Positions in which programs go wrong, each with all its legal moves.

use crate::conformance::records;
use crate::face::{Table, face};
use crate::slow::{Slow, SlowMove, Square};
use crate::support::{game, named, setup};
use serde::Deserialize;
use soffio::board::Side;
use soffio::notation::{Style, squares};
use soffio::position::{Kind, Setup};
use soffio::referee::{Reason, Verdict};
use soffio::rules::{Game, Promotion, RULE_SETS};
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Trap {
    trap: usize,
    variant: String,
    fen: String,
    /// Start and end of each move, `=K` if it promotes, in the square names of the FEN.
    legal: Vec<String>,
    /// Paths of captures with the captured pieces in order: `47x20x3x17 takes 33,9,K12`.
    #[serde(default)]
    routes: Vec<String>,
}

/// A move as the traps write it.
fn text(game: &Game, slow: &Slow, algebraic: bool, mv: &SlowMove) -> String {
    let name = |square: Square| {
        let index = slow.index(square);
        if algebraic { squares::name(game, index) } else { squares::number(game, index).to_string() }
    };
    let sign = if mv.captured.is_empty() { '-' } else { 'x' };
    format!("{}{sign}{}{}", name(mv.from), name(mv.to), if mv.promotes { "=K" } else { "" })
}

#[test]
fn traps_have_exactly_these_moves() {
    let traps: Vec<Trap> = records("traps.jsonl");
    assert!(traps.iter().map(|trap| trap.trap).eq(1..=90));
    for Trap { trap, variant, fen, legal, routes } in traps {
        let game = game(&variant);
        let (face, position) = (face(game.kernel()), setup(&game, &fen));
        let algebraic = fen.contains(|c: char| c.is_ascii_lowercase());
        let moves = face.find(&position).moves;
        let got: BTreeSet<_> = moves.iter().map(|mv| text(&game, &face.slow(), algebraic, mv)).collect();
        assert!(got.iter().eq(legal.iter().collect::<BTreeSet<_>>()), "trap {trap}: {got:?}");
        for route in routes {
            let (path, victims) = route.split_once(" takes ").unwrap();
            let victim = |name: &str| {
                let index = squares::parse_square(&game, name.trim_start_matches('K')).unwrap();
                squares::number(&game, index)
            };
            let mut want: Vec<_> = victims.split(',').map(victim).collect();
            want.sort_unstable();
            let (captured, _) =
                face.parse(&game, &position, path).unwrap_or_else(|error| panic!("trap {trap}: {error}"));
            assert_eq!(captured, want, "trap {trap}: {route}");
        }
    }
}

/// A game played from a position, judged after the last move.
fn played(name: &str, fen: &str, moves: &[&str]) -> (Box<dyn Table>, Option<Verdict>) {
    let game = named(name);
    let mut table = face(game.kernel()).referee(&game, &setup(&game, fen));
    for text in moves {
        table.play(text).unwrap_or_else(|error| panic!("{name} {fen}: {error}"));
    }
    let verdict = table.verdict();
    (table, verdict)
}

fn won(winner: Side, reason: Reason) -> Option<Verdict> {
    Some(Verdict { winner: Some(winner), reason })
}

/// The legal moves, sorted and joined.
fn legal(table: &dyn Table) -> String {
    let mut texts: Vec<_> = table.legal().into_iter().map(|choice| choice.text).collect();
    texts.sort();
    texts.join(" ")
}

#[test]
fn breakthrough_is_won_by_a_king_that_stays() {
    for square in ["7-1", "7-2"] {
        assert_eq!(played("breakthrough", "W:W7:B45", &[square]).1, won(Side::White, Reason::Breakthrough));
    }
    let (table, verdict) = played("breakthrough", "W:W13:B9,10,36", &[]);
    assert_eq!((legal(&*table).as_str(), verdict), ("13x15x9x10", None));
    assert_eq!(played("breakthrough", "W:W13:B9,10,36", &["13x15"]).1, None);
    // A side without a move loses there too.
    assert_eq!(played("breakthrough", "W:W6:B1", &[]).1, won(Side::Black, Reason::NoMoves));
}

#[test]
fn misere_games_are_won_without_a_move() {
    assert_eq!(played("antidraughts", "W:W6:B1", &[]).1, won(Side::White, Reason::NoMoves));
    assert_eq!(played("international", "W:W6:B1", &[]).1, won(Side::Black, Reason::NoMoves));
    let (table, _) = played("anti-russian", "W:Wh6:Bg7,h8", &[]);
    assert_eq!(legal(&*table), "12x3x8");
    assert!(table.legal()[0].promotes);
    for id in ["anti-italian", "anti-english", "anti-brazilian", "anti-russian", "antidraughts"] {
        assert_eq!(played(id, "W:W:B5", &[]).1, won(Side::White, Reason::NoMoves), "{id}");
        assert_eq!(played(id, "B:W29:B", &[]).1, won(Side::Black, Reason::NoMoves), "{id}");
    }
}

/// Nowhere may a man stand where it would have become a king, but on the last rank of corner checkers.
#[test]
fn men_on_promotion_squares_are_refused() {
    for set in RULE_SETS {
        let game = game(set.id);
        let (face, slow) = (face(game.kernel()), face(game.kernel()).slow());
        let never = slow.rules.promotion == Promotion::Never;
        for side in Side::BOTH {
            for square in 0..face.squares() {
                let setup = Setup { turn: side, pieces: vec![(square, side, Kind::Man)] };
                let (file, rank) = slow.square(square);
                let last = if side == Side::White || set.id == "one-way" { slow.height - 1 } else { 0 };
                let promotes = match (set.id, side) {
                    ("corner", Side::White) => [(0, 6), (1, 7)].contains(&(file, rank)),
                    ("corner", Side::Black) => [(7, 1), (6, 0)].contains(&(file, rank)),
                    _ => rank == last,
                };
                assert_eq!(face.check(&setup).is_err(), promotes && !never, "{} {square}", set.id);
            }
        }
    }
}

/// Frisian Art. 17: three quiet moves in a row with the same king while its side has a man.
#[test]
fn frisian_kings_tire() {
    for id in ["frisian", "frysk", "frisian/one-king-each=official", "frysk/one-king-each=official"] {
        let fen = "W:WK50,K49,26:BK5,K2";
        let idle = ["5-10", "10-5", "5-10", "10-5", "5-10", "10-5"];
        let run = |king: &[&str]| -> Vec<String> {
            king.iter().zip(idle).flat_map(|(white, black)| [white.to_string(), black.to_owned()]).collect()
        };
        let after = |fen: &str, king: &[&str]| {
            let moves = run(king);
            played(id, fen, &moves.iter().map(String::as_str).collect::<Vec<_>>()).0
        };
        let may = |table: &dyn Table, from: &str| {
            table.legal().iter().any(|choice| choice.text.starts_with(&format!("{from}-")))
        };
        let tired = after(fen, &["50-44", "44-50", "50-44"]);
        assert!(!may(&*tired, "44") && may(&*tired, "49") && may(&*tired, "26"));
        assert!(may(&*after(fen, &["50-44", "44-50"]), "50"));
        // The other king's move, a man's move, starts the count anew; and then it runs to three again.
        assert!(may(&*after(fen, &["50-44", "44-50", "50-44", "49-43"]), "44"));
        assert!(may(&*after(fen, &["50-44", "44-50", "50-44", "26-21"]), "44"));
        let again = after(fen, &["50-44", "26-21", "44-50", "50-44", "44-50"]);
        assert!(!may(&*again, "50"));
        // Without a man there is no limit.
        assert!(may(&*after("W:WK50,K49:BK5,K2", &["50-44", "44-50", "50-44"]), "44"));
    }
}

/// A tired king may capture, and is fresh after it; it is so too when its side loses its last man.
#[test]
fn frisian_kings_recover() {
    let fen = "W:WK50,26:BK5,K2";
    let tired = ["50-44", "5-10", "44-50", "10-5", "50-44"];
    let bait = [&tired[..], &["5-28"]].concat();
    let (table, _) = played("frisian", fen, &bait);
    assert!(legal(&*table).split(' ').all(|text| text.starts_with("44x")), "{}", legal(&*table));
    // Black's king comes to the file of the man on 26 and takes it.
    let taken = ["49-43", "5-10", "43-49", "1-6", "49-43", "6x36x26"];
    let (table, _) = played("frisian", "W:WK49,26:BK5,K1", &taken);
    assert!(table.legal().iter().any(|choice| choice.text.starts_with("43-")), "{}", legal(&*table));
}

#[test]
fn hawaiian_opening() {
    let (start, _) = played("hawaiian", &game("hawaiian").start_fen(), &[]);
    assert_eq!(legal(&*start), "1x1x1 28x28x28 37x37x37 64x64x64"); // a8, d5, e4, h1
    let after = |moves: &[&str]| legal(&*played("hawaiian", &game("hawaiian").start_fen(), moves).0);
    assert_eq!(after(&["a8"]), "2x2x2 9x9x9"); // b8, a7
    assert_eq!(after(&["d5"]), "20x20x20 27x27x27 29x29x29 36x36x36"); // d6, c5, e5, d4
    assert_eq!(after(&["d5", "d4"]), "12x28x20 26x28x27 30x28x29"); // d7, b5, f5 to d5
    assert_eq!(after(&["d5", "c5"]), "12x28x20 30x28x29 44x28x36"); // d7, f5, d3 to d5
}

/// A stone may stop or go straight on; it never turns.
#[test]
fn hawaiian_jumps_go_straight_on() {
    let (table, _) = played("hawaiian", "W:Wd1:Bd2,d4,c3,e3,a8", &[]);
    assert_eq!(legal(&*table), "60x28x36x52 60x44x52");
}

#[test]
fn alquerque_opening() {
    let start = game("alquerque").start_fen();
    let after = |moves: &[&str]| legal(&*played("alquerque", &start, moves).0);
    assert_eq!(after(&[]), "14-13 17-13 18-13 19-13"); // d3, b2, c2, d2 to c3
    assert_eq!(after(&["d3-c3"]), "12x14x13"); // b3xd3
    assert_eq!(after(&["b2-c3"]), "9x17x13"); // d4xb2
    assert_eq!(legal(&*played("alquerque", "W:Wd3:Ba5", &[]).0), "14-13 14-15 14-9"); // no diagonals from d3
}

/// Two captures with the same ends: PDN needs the path, Hub lists the victims.
#[test]
fn ambiguous_captures_are_told_apart() {
    let (game, fen) = (game("international"), "W:WK47:B14,19,29,31,42");
    let (face, position) = (face(game.kernel()), setup(&game, fen));
    assert_eq!(face.texts(&game, &position, Style::Hub), ["47x36x14x29x31x42", "47x36x19x29x31x42"]);
    let paths = ["47x38x20x9x36", "47x38x24x13x36"];
    assert_eq!(face.texts(&game, &position, Style::Pdn), paths);
    assert_eq!(face.parse(&game, &position, paths[0]), Ok((vec![14, 29, 31, 42], false)));
    assert_eq!(face.parse(&game, &position, paths[1]), Ok((vec![19, 29, 31, 42], false)));
    assert_eq!(face.parse(&game, &position, "47x36x31x42x14x29"), Ok((vec![14, 29, 31, 42], false)));
    for bad in ["47x36", "47x24x36", "47x33x24x13x36"] {
        assert!(face.parse(&game, &position, bad).is_err(), "{bad}");
    }
}

#[test]
fn starts_and_signs_of_pdn() {
    for id in ["spanish", "portuguese", "argentinian"] {
        assert_eq!(game(id).start_fen(), "W:W1-12:B21-32");
    }
    assert_eq!(game("italian").start_fen(), "W:W21-32:B1-12");
    let russian = game("russian");
    let (face, position) = (face(russian.kernel()), setup(&russian, "W:Wc3:Bd4,a7"));
    assert_eq!(face.texts(&russian, &position, Style::Pdn), ["c3:e5"]);
    for text in ["c3:e5", "c3xe5", "22x15"] {
        assert_eq!(face.parse(&russian, &position, text), Ok((vec![18], false)), "{text}");
    }
}

/// A man that becomes a king by a capture has ended its move, even where a king could go on.
#[test]
fn a_new_king_stops() {
    for (id, fen, moves) in [
        ("czech", "W:Wd6:Be7,g7", "10x3x7"),
        ("thai", "W:Wd6:Be7,g7", "10x3x7"),
        ("english", "W:Wd6:Be7,g7", "10x3x7"),
    ] {
        assert_eq!(legal(&*played(id, fen, &[]).0), moves, "{id}");
    }
}

/// A whole file of own men: each may jump to the front, and each leaves another position.
#[test]
fn dameo_lines() {
    let (table, _) = played("dameo", "W:Wc1,c2,c3:Bh7", &[]);
    let front: Vec<_> =
        legal(&*table).split(' ').filter(|text| text.ends_with("-35")).map(str::to_owned).collect();
    assert_eq!(front, ["43-35", "51-35", "59-35"]);
}
