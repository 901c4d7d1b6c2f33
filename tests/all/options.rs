//! Every value of every option: a position that tells it from the others. What the draw options do is tested with the
//! counters.

use crate::face::face;
use crate::support::{game_with, setup};
use crate::walks::Walker;
use soffio::notation::Style;
use soffio::rules::RULE_SETS;
use std::collections::BTreeSet;

/// A position and, for each choice of options, all legal moves in Hub notation.
struct Reading {
    variant: &'static str,
    fen: &'static str,
    moves: &'static [(&'static str, &'static str)],
}

const READINGS: &[Reading] = &[
    // A king's quiet move of any length; it still captures at close quarters only.
    Reading {
        variant: "italian-free",
        fen: "W:WK30:B2",
        moves: &[
            ("king=short", "30-26 30-27"),
            ("king=long-quiet", "30-16 30-17 30-20 30-21 30-23 30-26 30-27"),
        ],
    },
    Reading {
        variant: "italian-free",
        fen: "W:WK30:B20",
        moves: &[("king=short", "30-26 30-27"), ("king=long-quiet", "30-17 30-21 30-23 30-26 30-27")],
    },
    // The king takes d4 and turns round for b2, or the other way.
    Reading {
        variant: "thai",
        fen: "W:WKc3:Bb2,d4",
        moves: &[("reverse=allowed", "22x15x18x25 22x29x18x25"), ("reverse=forbidden", "22x15x18 22x29x25")],
    },
    Reading {
        variant: "one-way",
        fen: "start",
        moves: &[("white=left", "10-6 10-7 9-5 9-6"), ("white=right", "15x6x10")],
    },
    // The parachutist on b8 can take c7; once on d6 it stands before e7.
    Reading {
        variant: "parachute",
        fen: "W:WPb8,h2:Bc7,e7",
        moves: &[
            ("parachutist=compulsory landing=stop", "1x10x6"),
            ("parachutist=optional landing=stop", "1x10x6 28-24"),
            ("parachutist=compulsory landing=continue", "1x3x6x7"),
            ("parachutist=optional landing=continue", "1x3x6x7 28-24"),
        ],
    },
    // Another piece's capture is compulsory all the same.
    Reading {
        variant: "parachute",
        fen: "W:WPd8,c3:Bc7,d4",
        moves: &[
            ("parachutist=compulsory landing=stop", "22x15x18 2x9x6"),
            ("parachutist=optional landing=stop", "22x15x18 2x9x6"),
        ],
    },
    // Men's quiet moves, and the choice between one piece and two.
    Reading {
        variant: "gothic",
        fen: "W:Wd4:Bh7",
        moves: &[("men=five", "36-27 36-28 36-29 36-35 36-37"), ("men=diagonal", "36-27 36-29")],
    },
    Reading {
        variant: "gothic",
        fen: "W:Wd4:Bc5,e5,g7",
        moves: &[("men=five", "36x18x27 36x8x15x29"), ("men=diagonal", "36x8x15x29")],
    },
    // c2 stands behind; in the other position only the second jump goes backward.
    Reading {
        variant: "alquerque",
        fen: "W:Wc3:Bc2",
        moves: &[("first-jump=any", "13x23x18"), ("first-jump=forward", "13-12 13-14 13-7 13-8 13-9")],
    },
    Reading {
        variant: "alquerque",
        fen: "W:Wb2:Bb3,c3",
        moves: &[("first-jump=any", "17x19x12x13 17x9x13"), ("first-jump=forward", "17x19x12x13 17x9x13")],
    },
    // The vacated c3 lets the king take c2.
    Reading {
        variant: "armenian",
        fen: "W:WKa3:Bc3,f5,d6,c2",
        moves: &[
            ("removal=at-once", "41x59x20x30x43x51"),
            ("removal=end", "41x17x20x30x43 41x18x20x30x43 41x19x20x30x43"),
        ],
    },
    Reading {
        variant: "argentinian",
        fen: "W:WK1:B14",
        moves: &[("landing=behind", "1x19x14"), ("landing=long", "1x19x14 1x23x14 1x28x14 1x32x14")],
    },
    // The man can take a man or a king, the king a man.
    Reading {
        variant: "argentinian",
        fen: "W:W10,K32:B14,28,K13",
        moves: &[
            ("landing=behind precedence=count-kings", "10x17x13"),
            ("landing=behind precedence=king-first", "32x23x28"),
            ("landing=long precedence=count-kings", "10x17x13"),
            ("landing=long precedence=king-first", "32x19x28 32x23x28"),
        ],
    },
];

#[test]
fn options_change_the_legal_moves() {
    for Reading { variant, fen, moves } in READINGS {
        for (options, want) in *moves {
            let game = game_with(variant, &options.split(' ').collect::<Vec<_>>());
            let fen = if *fen == "start" { game.start_fen() } else { (*fen).to_owned() };
            let position = setup(&game, &fen);
            let texts = face(game.kernel()).texts(&game, &position, Style::Hub);
            assert_eq!(texts.join(" "), *want, "{variant} {options} {fen}");
            Walker::new(game.kernel()).check(&position);
        }
    }
}

#[test]
fn options_change_who_begins() {
    for (variant, option, first) in [
        ("english", "first=black", 'B'),
        ("english", "first=white", 'W'),
        ("checkers", "first=white", 'W'),
        ("checkers", "first=black", 'B'),
        ("thai", "first=white", 'W'),
        ("thai", "first=black", 'B'),
    ] {
        assert!(game_with(variant, &[option]).start_fen().starts_with(first), "{variant} {option}");
    }
}

/// The options there are, so that a new one is not forgotten here.
#[test]
fn every_option_is_known() {
    let tested: BTreeSet<_> = READINGS
        .iter()
        .flat_map(|reading| reading.moves.iter().map(move |(options, _)| (reading.variant, *options)))
        .flat_map(|(variant, options)| options.split(' ').map(move |option| format!("{variant} {option}")))
        .collect();
    const ELSEWHERE: [&str; 5] = ["first", "repetition", "draws", "one-king-each", "one-against-one"];
    for set in RULE_SETS {
        for option in set.options.iter().filter(|option| !ELSEWHERE.contains(&option.name)) {
            for value in option.values {
                let name = format!("{} {}={}", set.id, option.name, value.name);
                assert!(tested.contains(&name), "{name} is not tested");
            }
        }
    }
}
