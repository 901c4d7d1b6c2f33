//! Node counts: published ones and our own, for the rule sets and for boards beyond them.

use crate::face::{Face, Of, face};
use crate::slow::Slow;
use crate::support::{game, names, read, setup};
use rayon::prelude::*;
use soffio::board::{Dark8, Layout, Side};
use soffio::movegen::{Convention, SuiteRow, read_suite};
use soffio::position::{Kind, Setup};
use soffio::rules::{Brazilian, English, International, Kernel, Moves, RULE_SETS, Rules, Thai};
use std::marker::PhantomData;

/// Rows with more nodes are for `soffio perft --suite`.
const fn budget(convention: Convention) -> u128 {
    match convention {
        Convention::Drop => 50_000_000,
        Convention::Keep => 5_000_000,
        Convention::Paths => 200_000,
    }
}

fn within_budget<'a>(text: &'a str, name: &str) -> Vec<SuiteRow<'a>> {
    let mut rows = read_suite(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text.contains("\n# Source: "), "{name} names no source");
    rows.retain(|row| row.nodes <= budget(row.convention));
    assert!(rows.len() >= 3, "{name}");
    rows
}

fn nodes(face: &dyn Face, setup: &Setup, row: &SuiteRow) -> u64 {
    match row.convention {
        Convention::Drop => face.perft(setup, row.depth, false),
        Convention::Keep => face.perft(setup, row.depth, true),
        Convention::Paths => {
            let slow = face.slow();
            slow.perft(&slow.place(setup), row.depth, Slow::routes, false)
        }
    }
}

#[test]
fn every_rule_set_has_its_counts() {
    let ids: Vec<_> = RULE_SETS.iter().map(|set| set.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!(names("perft", "perft"), sorted);
    ids.par_iter().for_each(|id| {
        let (game, name) = (game(id), format!("perft/{id}.perft"));
        let text = read(&name);
        let rows = within_budget(&text, &name);
        assert!(rows.iter().any(|row| row.fen == game.start_fen()), "{name} leaves the start out");
        for row in rows {
            let got = nodes(&*face(game.kernel()), &setup(&game, row.fen), &row);
            assert_eq!(u128::from(got), row.nodes, "{name}, line {}", row.line);
        }
    });
}

soffio::boards! {
    /// 6x6.
    Dark6: u64 = Layout::dark(6, 6, 1);
    /// 14x14.
    Dark14: u128 = Layout::dark(14, 14, 1);
    /// 8 files by 10 ranks.
    Dark8x10: u64 = Layout::dark(8, 10, 1);
    /// 10 files by 8 ranks.
    Dark10x8: u64 = Layout::dark(10, 8, 1);
    /// 10 files by 11 ranks.
    Dark10x11: u64 = Layout::dark(10, 11, 1);
    /// 10 files by 12 ranks.
    Dark10x12: u128 = Layout::dark(10, 12, 1);
    /// 12 files by 10 ranks.
    Dark12x10: u128 = Layout::dark(12, 10, 1);
}

/// Declares rules on other boards, and the data file of each.
macro_rules! foreign_boards {
    ($($name:ident: $board:ty, $rules:ty, $file:literal;)*) => {
        $(#[derive(Clone, Copy, Debug, PartialEq)]
        struct $name;
        impl Rules for $name {
            type Board = $board;
            const MOVES: Moves = <$rules>::MOVES;
            const KERNEL: Kernel = <$rules>::KERNEL;
        })*

        #[test]
        fn foreign_boards_have_their_counts() {
            let files = [$($file),*];
            assert_eq!(names("perft/boards", "perft"), files);
            $(check_board(&Of::<$name>(PhantomData), $file);)*
        }
    };
}

foreign_boards! {
    English6x6: Dark6, English, "english-6x6";
    International10x11: Dark10x11, International, "international-10x11";
    International10x12: Dark10x12, International, "international-10x12";
    International10x8: Dark10x8, International, "international-10x8";
    International12x10: Dark12x10, International, "international-12x10";
    International14x14: Dark14, International, "international-14x14";
    International6x6: Dark6, International, "international-6x6";
    International8x10: Dark8x10, Brazilian, "international-8x10";
    ThaiTwelveMen: Dark8, Thai, "thai-12-men";
}

fn check_board(face: &dyn Face, file: &str) {
    let name = format!("perft/boards/{file}.perft");
    let text = read(&name);
    within_budget(&text, &name).par_iter().for_each(|row| {
        let got = nodes(face, &men_only(row.fen), row);
        assert_eq!(u128::from(got), row.nodes, "{name}, line {}", row.line);
    });
}

/// Reads `W:W13-18:B1-6`; the notation layer knows the boards of rule sets only.
fn men_only(fen: &str) -> Setup {
    let mut pieces = Vec::new();
    for list in fen.split(':').skip(1) {
        let side = if list.starts_with('W') { Side::White } else { Side::Black };
        let (first, last) = list[1..].split_once('-').unwrap();
        let numbers = first.parse::<usize>().unwrap()..=last.parse().unwrap();
        pieces.extend(numbers.map(|number| (number - 1, side, Kind::Man)));
    }
    Setup { turn: if fen.starts_with('W') { Side::White } else { Side::Black }, pieces }
}
