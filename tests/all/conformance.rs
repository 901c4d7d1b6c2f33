//! Positions with all their legal moves, and whole games with their ends, from reference programs of their own; positions
//! from rule books and other programs' tests.

use crate::face::{Table, face};
use crate::support::{game, names, read, setup};
use crate::walks::Walker;
use rayon::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use soffio::notation::Style;
use soffio::rules::{RULE_SETS, RuleSet, find};
use std::collections::BTreeSet;

/// The records of a file with one JSON object a line.
pub fn records<T: DeserializeOwned>(path: &str) -> Vec<T> {
    let text = read(path);
    let record = |(index, line)| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{path}, line {}: {error}", index + 1))
    };
    text.lines().enumerate().map(record).collect()
}

#[derive(Deserialize)]
struct Listed {
    variant: String,
    fen: String,
    moves: Vec<String>,
}

/// The rule set whose file has the moves of `set`: its own, or that of a game that differs in its goal alone.
fn same_moves(set: &'static RuleSet, files: &[String]) -> &'static RuleSet {
    let fits = |other: &&RuleSet| (other.kernel, other.numbering) == (set.kernel, set.numbering);
    let has_file = |other: &&RuleSet| files.iter().any(|file| file == other.id);
    let mut others = RULE_SETS.iter().filter(fits).filter(has_file);
    if files.iter().any(|file| file == set.id) { set } else { others.next().expect("a file") }
}

#[test]
fn listed_positions_have_the_listed_moves() {
    let files = names("conformance", "jsonl");
    assert_eq!(files.len(), 33);
    RULE_SETS.par_iter().for_each(|set| {
        let game = game(set.id);
        let source = same_moves(set, &files).id;
        let listed: Vec<Listed> = records(&format!("conformance/{source}.jsonl"));
        assert!(listed.len() >= 240);
        let face = face(game.kernel());
        let mut walker = Walker::new(game.kernel());
        for Listed { variant, fen, moves } in listed {
            assert_eq!(variant, source);
            let position = setup(&game, &fen);
            assert_eq!(face.texts(&game, &position, Style::Hub), moves, "{} {fen}", set.id);
            walker.check(&position);
        }
    });
}

#[derive(Deserialize)]
struct Played {
    fen: String,
    moves: Vec<String>,
    plies: usize,
    result: Option<String>,
    reason: String,
}

/// Plays `moves` and says after which ply the game was over.
fn over_after(table: &mut dyn Table, moves: &[String]) -> Option<usize> {
    for (ply, text) in moves.iter().enumerate() {
        if table.verdict().is_some() {
            return Some(ply);
        }
        table.play(text).unwrap_or_else(|error| panic!("ply {}: {error}", ply + 1));
    }
    table.verdict().map(|_| moves.len())
}

#[test]
fn listed_games_end_as_listed() {
    let ids: Vec<_> = RULE_SETS.iter().map(|set| set.id).collect();
    ids.par_iter().for_each(|id| {
        let game = game(id);
        let games: Vec<Played> = records(&format!("games/{id}.jsonl"));
        assert!(games.len() >= 40);
        for Played { fen, moves, plies, result, reason } in games {
            let context = format!("{id} {fen} {moves:?}");
            assert_eq!(moves.len(), plies);
            let mut table = face(game.kernel()).referee(&game, &setup(&game, &fen));
            if reason == "illegal" {
                let (last, before) = moves.split_last().unwrap();
                assert_eq!(over_after(&mut *table, before), None, "{context}");
                assert!(table.play(last).is_err(), "{context}");
                continue;
            }
            assert_eq!(over_after(&mut *table, &moves), Some(plies), "{context}");
            let verdict = table.verdict().unwrap();
            assert_eq!(
                (Some(verdict.result()), verdict.reason.to_string()),
                (result.as_deref(), reason),
                "{context}"
            );
        }
    });
}

#[derive(Deserialize)]
struct Known {
    variant: String,
    name: String,
    fen: String,
    /// Start and end of each move.
    legal: Option<Vec<String>>,
    /// Each move with all squares it passes.
    legal_path: Option<Vec<String>>,
    /// Their number.
    count: Option<usize>,
}

/// `28x19x23` to `28x19`.
fn ends(text: &str) -> String {
    match text.split('x').collect::<Vec<_>>()[..] {
        [from, to, ..] => format!("{from}x{to}"),
        _ => text.to_owned(),
    }
}

#[test]
fn known_positions_have_the_known_moves() {
    let known: Vec<Known> = records("legal_moves.jsonl");
    assert_eq!(known.len(), 100);
    for Known { variant, name, fen, legal, legal_path, count } in known {
        let context = format!("{variant} {name} {fen}");
        let game = game(find(&variant).unwrap().id);
        let (face, position) = (face(game.kernel()), setup(&game, &fen));
        let texts = face.texts(&game, &position, Style::Hub);
        if let Some(legal) = &legal {
            let got: BTreeSet<_> = texts.iter().map(|text| ends(text)).collect();
            assert!(got.iter().eq(legal.iter().collect::<BTreeSet<_>>()), "{context}: {got:?}");
        }
        if let Some(paths) = &legal_path {
            assert_eq!(texts.len(), paths.len(), "{context}");
            let found: BTreeSet<_> =
                paths.iter().map(|path| face.parse(&game, &position, path).expect(&context)).collect();
            assert_eq!(
                found.len().max(1),
                paths.iter().filter(|p| p.contains('x')).count().max(1),
                "{context}"
            );
        }
        if let Some(count) = count {
            assert_eq!(texts.len(), count, "{context}");
        }
    }
}
