//! Endgame tables: what the commands say, what becomes of damaged files, and the values of every rule set against a
//! solver that knows nothing of slices, indices or going back.

use crate::drive::{failed, run};
use crate::support::{Scratch, all_games};
use serde_json::Value as Json;
use soffio::bits::Bits;
use soffio::board::{Side, squares};
use soffio::egdb::{Course, Job, Material, Metric, Oracle, Value, applies};
use soffio::engine::{self, Notation, Tables};
use soffio::movegen::{can_capture, legal_moves};
use soffio::position::{Position, Setup};
use soffio::referee::State;
use soffio::rules::{Game, Goal, Rules, Visitor, Word, find, promotion_squares};
use soffio::score::Score;
use soffio::search::{Control, Limits};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Runs `soffio egdb`, which may show its progress.
fn egdb(args: &[&str]) -> String {
    let output = run(&[&["egdb"], args].concat(), b"");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn build(scratch: &Scratch, variant: &str, pieces: &str, more: &[&str]) -> (String, String) {
    let dir = scratch.file("tables");
    let out = egdb(&[&["build", "-v", variant, "--pieces", pieces, "--dir", &dir], more].concat());
    (dir, out)
}

#[test]
fn built_checked_and_described() {
    let scratch = Scratch::new("egdb-commands");
    let (dir, out) = build(&scratch, "english", "3", &["--metric", "dtw", "--threads", "2"]);
    assert!(out.starts_with("16 slices, 199520 positions, "), "{out}");
    let checked = egdb(&["verify", "-v", "english", "--pieces", "3", "--dir", &dir]);
    assert!(
        checked.lines().count() == 16 && checked.lines().all(|line| line.ends_with(", 0 wrong")),
        "{checked}"
    );
    let sample = egdb(&["verify", "-v", "english", "--pieces", "3", "--dir", &dir, "--sample", "5000"]);
    assert!(sample.contains("0111 8192 of 26040 positions, 0 wrong"), "{sample}");
    let stats: Json =
        serde_json::from_str(&egdb(&["stats", "-v", "english", "--dir", &dir, "--json"])).unwrap();
    let kings = &stats[0];
    assert_eq!(
        (&kings["white_kings"], &kings["black_kings"], &kings["turn"]),
        (&1.into(), &1.into(), &"W".into())
    );
    assert_eq!((&kings["wins"], &kings["draws"], &kings["losses"]), (&230.into(), &654.into(), &108.into()));
    assert_eq!(kings["longest"], 11);
    let fen = kings["fen"].as_str().unwrap();
    assert_eq!(egdb(&["probe", "-v", "english", "--dir", &dir, fen]), "win dtw 11\n");
    assert_eq!(stats.as_array().unwrap().len(), 32);
}

#[test]
fn a_build_goes_on_where_it_ended() {
    let scratch = Scratch::new("egdb-resume");
    let (dir, first) = build(&scratch, "italian", "3", &[]);
    let read = |file: &str| fs::read(format!("{dir}/italian/{file}")).unwrap();
    let (whole, manifest) = (read("0201.wld"), read("manifest.json"));
    // As if it had been killed while it wrote the one file, and before it listed the other.
    fs::remove_file(format!("{dir}/italian/0201.wld")).unwrap();
    fs::write(format!("{dir}/italian/0201.part"), &whole[..100]).unwrap();
    let text = String::from_utf8(manifest.clone()).unwrap();
    let unlisted = text.replace("2001.wld", "2001.old");
    fs::write(format!("{dir}/italian/manifest.json"), unlisted).unwrap();
    assert_eq!(build(&scratch, "italian", "3", &[]).1, first);
    assert_eq!(read("0201.wld"), whole);
    assert!(String::from_utf8(read("manifest.json")).unwrap().contains("2001.wld"));
}

#[test]
fn wrong_files_are_refused_by_name() {
    let scratch = Scratch::new("egdb-wrong");
    let (dir, _) = build(&scratch, "italian", "2", &[]);
    build(&scratch, "english", "2", &[]);
    let path = format!("{dir}/italian/0101.wld");
    let whole = fs::read(&path).unwrap();
    let other = fs::read(format!("{dir}/english/0101.wld")).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    // A name as long as the other, so that the file is too.
    let texts = ["truncated", "damaged", "damaged", "truncated"];
    let versions = [&whole[..whole.len() - 9], &damaged, &other, &b"x"[..]];
    for (bytes, text) in versions.into_iter().zip(texts) {
        fs::write(&path, bytes).unwrap();
        for command in ["build", "verify", "probe"] {
            let mut args = vec!["egdb", command, "--dir", &dir];
            args.extend(if command == "probe" { ["W:WK1:BK32"].as_slice() } else { &["--pieces", "2"] });
            let (code, error) = failed(&args, "");
            assert!(code == 1 && error.contains("0101.wld: ") && error.contains(text), "{command}: {error}");
        }
    }
    // Not on the list, so that its own words count.
    fs::remove_file(format!("{dir}/italian/manifest.json")).unwrap();
    for (bytes, text) in [(&other[..], "a table of english, not of italian"), (b"x", "not an endgame table")]
    {
        fs::write(&path, bytes).unwrap();
        let (code, error) = failed(&["egdb", "build", "--pieces", "2", "--dir", &dir], "");
        assert!(code == 1 && error.contains("0101.wld: ") && error.contains(text), "{error}");
    }
}

#[test]
fn games_without_tables_are_refused_by_name() {
    for variant in ["frisian", "frysk", "hawaiian", "alquerque", "parachute"] {
        let (code, error) = failed(&["egdb", "build", "-v", variant, "--dir", "x"], "");
        assert!(
            code == 1 && error.starts_with(&format!("soffio: no endgame tables for {variant}: ")),
            "{error}"
        );
    }
}

/// All positions of two or three pieces, their successors, and their values by going over them until nothing changes.
struct Graph<R: Rules> {
    numbers: HashMap<Position<Word<R>>, usize>,
    positions: Vec<Position<Word<R>>>,
}

impl<R: Rules> Graph<R> {
    fn new(pieces: usize) -> Self {
        let mut graph = Self { numbers: HashMap::new(), positions: Vec::new() };
        let empty = Word::<R>::EMPTY;
        for turn in Side::BOTH {
            graph.place(Position { pieces: [empty; 2], kings: empty, turn }, 0, pieces);
        }
        graph
    }

    fn place(&mut self, position: Position<Word<R>>, from: usize, pieces: usize) {
        if Side::BOTH.iter().all(|&side| position.side(side).any()) {
            self.numbers.insert(position, self.positions.len());
            self.positions.push(position);
        }
        if pieces == 0 {
            return;
        }
        for bit in squares::<R::Board>().iter().filter(|&bit| bit >= from) {
            for side in Side::BOTH {
                let square = Word::<R>::bit(bit);
                let mut next = position;
                next.pieces[side as usize] |= square;
                if promotion_squares::<R>(side) >> bit & 1 == 0 {
                    self.place(next, bit + 1, pieces - 1);
                }
                next.kings |= square;
                self.place(next, bit + 1, pieces - 1);
            }
        }
    }

    /// The value of a position whose value does not depend on others.
    fn end(game: &Game, position: &Position<Word<R>>, moves: usize) -> Option<Value> {
        let (turn, goal) = (position.turn, game.set.goal);
        if goal == Goal::Breakthrough && position.kings(turn.other()).any() {
            return Some(Value::Loss);
        }
        if moves == 0 {
            return Some(if goal == Goal::Misere { Value::Win } else { Value::Loss });
        }
        if can_capture::<R>(position) {
            return None;
        }
        let verdict = State::<R>::new(*position).count_out(&game.draws, 1)?;
        Some(match verdict.winner {
            None => Value::Draw,
            Some(side) if side == turn => Value::Win,
            Some(_) => Value::Loss,
        })
    }

    fn solve(&self, game: &Game) -> Vec<Value> {
        let none = if game.set.goal == Goal::Misere { Value::Win } else { Value::Loss };
        // Of each position its value if it is over, and its successors; none stands for one without a piece to move.
        let edges: Vec<(Option<Value>, Vec<Option<usize>>)> = self
            .positions
            .iter()
            .map(|position| {
                let moves = legal_moves::<R>(position);
                let after = moves.iter().map(|mv| self.numbers.get(&position.make(mv)).copied());
                (Self::end(game, position, moves.len()), after.collect())
            })
            .collect();
        let mut values: Vec<Option<Value>> = edges.iter().map(|(end, _)| *end).collect();
        loop {
            let mut news = false;
            for (number, (_, after)) in edges.iter().enumerate() {
                if values[number].is_some() {
                    continue;
                }
                let of = |next: &Option<usize>| next.map_or(Some(none), |next| values[next]);
                let found = if after.iter().any(|next| of(next) == Some(Value::Loss)) {
                    Some(Value::Win)
                } else if after.iter().all(|next| of(next) == Some(Value::Win)) {
                    Some(Value::Loss)
                } else {
                    None
                };
                news |= found.is_some();
                values[number] = found;
            }
            if !news {
                return values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect();
            }
        }
    }
}

struct Compare<'a> {
    game: &'a Game,
    pieces: usize,
    oracle: &'a mut dyn Oracle,
}

impl Visitor for Compare<'_> {
    type Output = BTreeSet<Material>;
    fn visit<R: Rules>(self) -> Self::Output {
        let Self { game, pieces, oracle } = self;
        let graph = Graph::<R>::new(pieces);
        let values = graph.solve(game);
        let mut compared = BTreeSet::new();
        for (position, value) in graph.positions.iter().zip(values) {
            if game.set.goal == Goal::Breakthrough && position.kings(position.turn).any() {
                continue; // The game was over before.
            }
            let answer = oracle.ask(&Setup::of::<R>(position)).unwrap();
            assert_eq!(answer.value, Some(value), "{} {position:?}", game.set.id);
            compared.insert(Material::of(position).unwrap());
        }
        compared
    }
}

/// Builds the tables of a game, compares every value, and gives the number of materials.
fn compare(scratch: &Scratch, game: &Game, pieces: usize) -> usize {
    let shop = engine::open(game.clone()).workshop().unwrap();
    let job = Job { directory: scratch.file("tables").into(), pieces, memory: 1 << 24 };
    let course = Course { abort: &AtomicBool::new(false), done: &AtomicU64::new(0) };
    shop.build(&job, Metric::Wld, course).unwrap();
    let mut oracle = shop.oracle(&job).unwrap();
    game.kernel().visit(Compare { game, pieces, oracle: oracle.as_mut() }).len()
}

#[test]
fn two_pieces_of_every_rule_set() {
    let scratch = Scratch::new("egdb-two");
    for game in all_games().iter().filter(|game| applies(game).is_ok()) {
        let materials = if game.set.goal == Goal::Breakthrough { 2 } else { 4 };
        assert_eq!(compare(&scratch, game, 2), materials, "{}", game.set.id);
    }
}

/// The boards of 32 squares; larger ones take too long.
#[test]
fn three_pieces_of_small_boards() {
    let scratch = Scratch::new("egdb-three");
    let games = all_games();
    let small = |game: &Game| game.kernel().layout().squares == 32 && game.chosen.len() < 2;
    for game in games.iter().filter(|game| applies(game).is_ok() && small(game)) {
        assert_eq!(compare(&scratch, game, 3), 16, "{}", game.set.id);
    }
}

/// The score and the best move at a depth, with the tables that the program carries or without any.
fn searched(variant: &str, fen: &str, tables: Tables<'_>) -> (Score, String) {
    let mut session = engine::open(Game::new(find(variant).unwrap()));
    session.set_fen(fen).unwrap();
    session.set_tables(tables).unwrap();
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let outcome = session.search(&limits, Notation::HUB, &Control::new(), &mut |_| {});
    (outcome.info.score, outcome.best.unwrap())
}

#[test]
fn the_search_knows_what_the_tables_know() {
    // The longest win of a man and a king against a king: far beyond the depth searched.
    let won = "W:WK1,29:BK10";
    let (score, best) = searched("english", won, Tables::Embedded);
    assert!(score.is_win(), "{score}");
    assert!(!searched("english", won, Tables::None).0.is_decided());
    let mut session = engine::open(Game::new(find("english").unwrap()));
    session.set_fen(won).unwrap();
    session.play(&best, Notation::HUB).unwrap();
    let (score, _) = searched("english", &session.fen(), Tables::Embedded);
    assert!(score.is_loss(), "{best} keeps the win: {score}");
    // One king each in the open is drawn, whatever the evaluation says.
    assert_eq!(searched("english", "W:WK14:BK32", Tables::Embedded).0, Score::DRAW);
    // Five pieces: an exchange leads into the tables.
    let (score, _) = searched("english", "W:WK1,K2,K6:BK14,K32", Tables::Embedded);
    assert!(!score.is_loss(), "{score}");
}

#[test]
fn clients_are_told_what_is_there() {
    let scratch = Scratch::new("egdb-hub");
    let (dir, _) = build(&scratch, "italian", "3", &[]);
    let script = format!(
        "hub\nset-param name=egdb-dir value=\"{dir}\"\ninit\nset-param name=variant value=russian\ninit\n\
         set-param name=variant value=frisian\ninit\nquit\n"
    );
    let said = String::from_utf8(run(&["hub"], script.as_bytes()).stdout).unwrap();
    assert!(said.contains("\ninfo message=\"endgame tables up to 3 pieces: 16 slices, "), "{said}");
    assert!(said.contains("\ninfo message=\"no endgame tables of this game\"\n"), "{said}");
    assert!(
        said.contains("\nerror message=\"parameter 'egdb-dir': no endgame tables for frisian: "),
        "{said}"
    );
    std::fs::write(format!("{dir}/italian/0101.wld"), "x").unwrap();
    let script = format!("hub\nset-param name=egdb-dir value=\"{dir}\"\ninit\nquit\n");
    let said = String::from_utf8(run(&["hub"], script.as_bytes()).stdout).unwrap();
    assert!(said.contains("0101.wld: truncated"), "{said}");
}
