//! Published values.

use super::distance::{Known, measure};
use super::judge::{Slices, TURN};
use super::solve::{Course, solve};
use super::{Counts, Material, Metric, Movement, Value};
use crate::bits::Bits;
use crate::notation::fen;
use crate::referee::count_out_at_once;
use crate::rules::{English, Game, International, Rules, Russian, Word, find};
use std::sync::atomic::{AtomicBool, AtomicU64};

struct Solved<R: Rules> {
    game: Game,
    slices: Slices<Word<R>>,
    plies: Known,
}

impl<R: Rules> Solved<R> {
    fn new(variant: &str, pieces: usize, metric: Metric) -> Self {
        let game = Game::new(find(variant).unwrap());
        let mut slices = Slices::new(&game, Movement::of::<R>(count_out_at_once::<R>));
        let mut plies = Known::default();
        let course = Course { abort: &AtomicBool::new(false), done: &AtomicU64::new(0) };
        for material in (2..=pieces).flat_map(Material::all) {
            if material <= material.swapped() {
                solve(&mut slices, material, course).unwrap();
                if metric != Metric::Wld {
                    measure(&slices, &mut plies, material, metric, course).unwrap();
                }
            }
        }
        Self { game, slices, plies }
    }

    fn counts(&self, material: Material) -> (u64, u64, u64) {
        let slice = self.slices.get(material).unwrap();
        let mut counts = Counts::default();
        (0..slice.shape.size).for_each(|index| counts.add(slice.values.get(index)));
        (counts.wins, counts.draws, counts.losses)
    }

    /// The longest win in plies and how many positions have it.
    fn longest(&self, material: Material) -> (u16, usize) {
        let slice = self.slices.get(material).unwrap();
        let wins: Vec<_> = (0..slice.shape.size)
            .filter(|&index| slice.values.get(index) == Value::Win)
            .map(|index| self.plies.get(material).unwrap()[index as usize])
            .collect();
        let most = wins.iter().copied().max().unwrap();
        (most, wins.iter().filter(|&&plies| plies == most).count())
    }
}

fn material(men: u8, kings: u8, other_men: u8, other_kings: u8) -> Material {
    Material { men: [men, other_men], kings: [kings, other_kings] }
}

/// Published longest wins of international draughts in plies: white men, white kings, black men, black kings.
const LONGEST: &str = "1010:17 0110:7 1001:3 0101:3 2010:23 1110:11 0210:9 2001:7 1101:9 0201:7 1020:33 0120:27 1011:17 \
                       0111:9 1002:3";

#[test]
fn longest_wins_of_international() {
    let solved = Solved::<International>::new("international", 3, Metric::Dtw);
    for item in LONGEST.split_whitespace() {
        let (digits, plies) = item.split_once(':').unwrap();
        let digit: Vec<_> = digits.bytes().map(|digit| digit - b'0').collect();
        let (longest, _) = solved.longest(material(digit[0], digit[1], digit[2], digit[3]));
        assert_eq!(longest, plies.parse::<u16>().unwrap(), "{digits}");
    }
}

/// Published values and distances of up to 4 pieces; `tests/data/egdb` says where they come from.
#[test]
fn published_values_of_international() {
    let solved = Solved::<International>::new("international", 4, Metric::Wld);
    assert_eq!(solved.counts(material(1, 1, 1, 1)), (882_645, 3_568_953, 26_562));
    let values = include_str!("../../tests/data/egdb/international_values.tsv");
    let mut checked = 0;
    for line in values.lines().filter(|line| !line.starts_with('#')) {
        let (text, wanted) = line.split_once('\t').unwrap();
        let mut position = fen::position::<International>(&solved.game, text).unwrap();
        if position.occupied().count() > 4 {
            continue;
        }
        if position.turn != TURN {
            position = solved.slices.rules.turned_position(&position);
        }
        let found = solved.slices.value(&position).unwrap().name();
        assert_eq!(found, wanted, "{line}");
        checked += 1;
    }
    assert_eq!(checked, 46);
}

/// `tests/data/egdb/counts.txt`: all 2- and 3-piece material of english and russian.
#[test]
fn counts_are_those_of_the_list() {
    let english = Solved::<English>::new("english", 3, Metric::Dtw);
    let russian = Solved::<Russian>::new("russian", 3, Metric::Dtw);
    let text = include_str!("../../tests/data/egdb/counts.txt");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        let digit = |word: &str| word[2..].parse::<u8>().unwrap();
        let material = material(digit(words[1]), digit(words[2]), digit(words[3]), digit(words[4]));
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        let (counts, longest) = match words[0] {
            "english" => (english.counts(material), english.longest(material)),
            _ => (russian.counts(material), russian.longest(material)),
        };
        assert_eq!(counts, (number(6), number(8), number(10)), "{line}");
        let times: usize = words[13][1..].parse().unwrap();
        assert_eq!(longest, (number(12) as u16, times), "{line}");
        lines += 1;
    }
    assert_eq!(lines, 32);
}
