//! What is written is read back: seeded walks and random positions in every rule set.

use super::moves::{self, Style};
use super::{HubNumbering, fen, hub, squares};
use crate::bits::Bits;
use crate::board::{Board, Side};
use crate::movegen::{legal_moves, routes};
use crate::position::{Kind, Move, Position, Setup};
use crate::rng::Rng;
use crate::rules::{
    Game, Landing, Promotion, RULE_SETS, Removal, Rules, Visitor, Word, find, promotion_squares,
};

/// Checks one position and gives its legal moves.
fn check<R: Rules>(game: &Game, position: &Position<Word<R>>, rng: &mut Rng) -> Vec<Move<Word<R>>> {
    let setup = Setup::of::<R>(position);
    let text = fen::write(game, &setup);
    assert_eq!(fen::position::<R>(game, &text), Ok(*position), "{text}");
    assert_eq!(fen::write(game, &fen::parse(game, &text).unwrap()), text);
    let legal = legal_moves::<R>(position);
    for style in [Style::Pdn, Style::Hub] {
        let texts = moves::write_all::<R>(game, position, &legal, style);
        for (mv, written) in legal.iter().zip(&texts) {
            let read = moves::parse::<R>(game, position, &legal, written);
            assert_eq!(read, Ok(meant::<R>(&legal, mv, style)), "{} {text} {written}", game.set.id);
        }
    }
    for numbering in [HubNumbering::Standard, HubNumbering::Pydraughts] {
        for mv in &legal {
            let shuffled = shuffle(&moves::write_hub::<R>(game, numbering, mv), rng);
            let read = moves::parse_numbered::<R>(game, numbering, position, &legal, &shuffled);
            assert_eq!(read, Ok(meant::<R>(&legal, mv, Style::Hub)), "{} {text} {shuffled}", game.set.id);
        }
    }
    legal
}

/// The move that the text of `mv` means: Hub has one text for two captures that differ in promotion alone.
fn meant<R: Rules>(legal: &[Move<Word<R>>], mv: &Move<Word<R>>, style: Style) -> Move<Word<R>> {
    let crowned = Move { promotes: true, ..*mv };
    if style == Style::Hub && legal.contains(&crowned) { crowned } else { *mv }
}

/// The captured squares of a Hub text in another order.
fn shuffle(text: &str, rng: &mut Rng) -> String {
    let mut parts: Vec<_> = text.split('x').collect();
    for at in (3..parts.len()).rev() {
        parts.swap(at, 2 + rng.below(at - 1));
    }
    parts.join("x")
}

/// A random position: up to a third of the squares taken, kings often.
fn random_position<R: Rules>(rng: &mut Rng) -> Position<Word<R>> {
    let layout = R::Board::LAYOUT;
    let mut position =
        Position { pieces: [Word::<R>::EMPTY; 2], kings: Word::<R>::EMPTY, turn: Side::BOTH[rng.below(2)] };
    for _ in 0..2 + rng.below(layout.squares / 3) {
        let side = Side::BOTH[rng.below(2)];
        let bit = layout.bit_of[rng.below(layout.squares)];
        let set = Word::<R>::bit(bit as usize);
        let crowning = promotion_squares::<R>(side) >> bit & 1 != 0;
        let kings = R::MOVES.promotion != Promotion::Never;
        if position.occupied().meets(set) {
            continue;
        }
        position.pieces[side as usize] |= set;
        if kings && (rng.below(3) == 0 || crowning && !R::MOVES.has_parachutists()) {
            position.kings |= set;
        }
    }
    position
}

struct Walk<'a>(&'a Game);
impl Visitor for Walk<'_> {
    type Output = [usize; 2];
    fn visit<R: Rules>(self) -> [usize; 2] {
        let game = self.0;
        let mut rng = Rng::new(game.set.id.bytes().map(u64::from).sum());
        let [mut positions, mut long] = [0, 0];
        let mut visit = |position: &Position<Word<R>>, rng: &mut Rng| {
            let legal = check::<R>(game, position, rng);
            positions += 1;
            let texts = moves::write_all::<R>(game, position, &legal, Style::Pdn);
            long += texts.iter().filter(|t| t.matches(game.set.capture_sign).count() > 1).count();
            legal
        };
        for _ in 0..8 {
            let mut position = fen::start::<R>(game);
            for _ in 0..80 {
                let legal = visit(&position, &mut rng);
                if legal.is_empty() {
                    break;
                }
                position = position.make(&legal[rng.below(legal.len())]);
            }
        }
        if !R::MOVES.konane {
            for _ in 0..400 {
                let position = random_position::<R>(&mut rng);
                assert!(position.occupied().minus(crate::board::squares::<R::Board>()).is_empty());
                visit(&position, &mut rng);
            }
        }
        [positions, long]
    }
}

#[test]
fn every_move_and_position_reads_back() {
    let mut long = 0;
    for set in RULE_SETS {
        let game = Game::new(set);
        let [positions, paths] = game.kernel().visit(Walk(&game));
        assert!(positions > 100, "{} {positions}", set.id);
        long += paths;
    }
    assert!(long > 100, "too few ambiguous captures to say anything: {long}");
}

#[test]
fn parachutists_keep_their_letter() {
    let game = Game::new(find("parachute").unwrap());
    let setup = fen::parse(&game, "W:WPb8,c3:BPa1").unwrap();
    assert!(setup.pieces.iter().filter(|piece| piece.2 == Kind::Parachutist).count() == 2);
    assert_eq!(fen::write(&game, &setup), "W:WP1,22:BP29");
}

/// All paths of the king on `at`, by trying every landing square; written as the standard asks, so that a jump straight
/// on starts directly behind the piece jumped last.
struct Paths<'a, R: Rules> {
    position: &'a Position<Word<R>>,
    path: Vec<u8>,
    over: Vec<usize>,
    found: Vec<(Vec<u8>, Word<R>)>,
}

impl<R: Rules> Paths<'_, R> {
    fn taken(&self) -> Word<R> {
        self.over.iter().fold(Word::<R>::EMPTY, |set, &bit| set | Word::<R>::bit(bit))
    }

    fn explore(&mut self, at: usize, last: Option<usize>) {
        let layout = R::Board::LAYOUT;
        let king = Word::<R>::bit(usize::from(self.path[0]));
        let at_once = R::MOVES.removal == Removal::AtOnce;
        let gone = if at_once { self.taken() } else { Word::<R>::EMPTY };
        let occupied = self.position.occupied().minus(king | gone);
        for direction in (0..8).filter(|&d| R::MOVES.king_capture.has(d)) {
            let straight = last == Some(direction);
            let behind = self.over.last().and_then(|&over| layout.neighbour(over, direction));
            if straight && behind != Some(at) || last == Some((direction + 4) % 8) && !R::MOVES.reversal {
                continue;
            }
            let mut over = layout.neighbour(at, direction);
            while let Some(next) = over.filter(|&next| !occupied.meets(Word::<R>::bit(next))) {
                over = layout.neighbour(next, direction);
            }
            let enemy = self.position.side(self.position.turn.other()).minus(self.taken());
            let Some(over) = over.filter(|&over| enemy.meets(Word::<R>::bit(over))) else { continue };
            let mut land = layout.neighbour(over, direction);
            while let Some(to) = land.filter(|&to| !occupied.meets(Word::<R>::bit(to))) {
                self.path.push(to as u8);
                self.over.push(over);
                let short = layout.neighbour(over, direction) == Some(to);
                let stops_short = R::MOVES.landing == Landing::BehindLastKing
                    && self.position.kings.meets(Word::<R>::bit(over));
                if short || !stops_short {
                    self.found.push((self.path.clone(), self.taken()));
                }
                self.explore(to, Some(direction));
                self.over.pop();
                self.path.pop();
                land = layout.neighbour(to, direction).filter(|_| R::MOVES.landing != Landing::Behind);
            }
        }
    }
}

struct EveryPath<'a>(&'a Game);
impl Visitor for EveryPath<'_> {
    type Output = [usize; 2];
    fn visit<R: Rules>(self) -> [usize; 2] {
        let (game, layout) = (self.0, R::Board::LAYOUT);
        let mut rng = Rng::new(7);
        let [mut others, mut refused] = [0, 0];
        for _ in 0..1500 {
            let mut position = Position { turn: Side::White, ..random_position::<R>(&mut rng) };
            let Some(king) = position.kings(Side::White).iter().next() else { continue };
            position.pieces[0] = Word::<R>::bit(king);
            let legal = legal_moves::<R>(&position);
            let routes = routes::<R>(&position);
            let mut paths =
                Paths::<R> { position: &position, path: vec![king as u8], over: vec![], found: vec![] };
            paths.explore(king, None);
            let text = |path: &[u8]| {
                let squares: Vec<_> = path
                    .iter()
                    .map(|&bit| squares::name(game, usize::from(layout.square_of[usize::from(bit)])))
                    .collect();
                squares.join("x")
            };
            let read = |path: &[u8]| moves::parse::<R>(game, &position, &legal, &text(path));
            let want = |path: &[u8]| {
                let (_, captured) = paths.found.iter().find(|(known, _)| known == path)?;
                let [from, to] = [path.first().copied()?, path.last().copied()?];
                legal.iter().find(|mv| (mv.from, mv.to, mv.captured) == (from, to, *captured))
            };
            for (path, _) in &paths.found {
                let Some(mv) = want(path) else { continue };
                assert_eq!(read(path), Ok(*mv), "{} {}", fen::of_position::<R>(game, &position), text(path));
                others += usize::from(!routes.iter().any(|route| path[1..] == route.landings));
                let mut wrong = path.clone();
                let at = 1 + rng.below(path.len() - 1);
                wrong[at] = layout.bit_of[rng.below(layout.squares)];
                if path.len() > 2 && want(&wrong).is_none() {
                    refused += usize::from(read(&wrong).is_err());
                    assert!(read(&wrong).is_err_and(|e| e.to_string().contains("illegal move")));
                }
            }
        }
        [others, refused]
    }
}

/// Flying kings: exactly the legal paths are read, those that the generator does not name too.
#[test]
fn every_path_of_a_king_is_read_and_no_other() {
    let mut unnamed = 0;
    for id in ["international", "frisian", "killer", "czech", "thai", "turkish", "argentinian"] {
        let game = Game::new(find(id).unwrap());
        let [others, refused] = game.kernel().visit(EveryPath(&game));
        assert!(refused > 20, "{id} {refused}");
        unnamed += others;
    }
    assert!(unnamed > 20, "{unnamed}");
}

struct Garbage<'a>(&'a Game);
impl Visitor for Garbage<'_> {
    type Output = usize;
    fn visit<R: Rules>(self) -> usize {
        const LETTERS: &[u8] = b"WBKPGHF?:,-x.+ eabhjk0189\xc3\xa9";
        let game = self.0;
        let mut rng = Rng::new(11);
        let start = fen::start::<R>(game);
        let legal = legal_moves::<R>(&start);
        let setup = Setup::of::<R>(&start);
        let mut good = moves::write_all::<R>(game, &start, &legal, Style::Pdn);
        good.extend([fen::write(game, &setup), hub::write_position(game, HubNumbering::Standard, &setup)]);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut bytes = good[rng.below(good.len())].clone().into_bytes();
            for _ in 0..=rng.below(3) {
                let (at, letter) = (rng.below(bytes.len()), LETTERS[rng.below(LETTERS.len())]);
                match rng.below(3) {
                    0 => bytes[at] = letter,
                    1 => bytes.insert(at, letter),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let results = [
                fen::position::<R>(game, &text).map(drop).map_err(|e| e.to_string()),
                hub::position::<R>(game, HubNumbering::Pydraughts, &text)
                    .map(drop)
                    .map_err(|e| e.to_string()),
                moves::parse::<R>(game, &start, &legal, &text).map(drop).map_err(|e| e.to_string()),
            ];
            for error in results.into_iter().filter_map(Result::err) {
                assert!(!error.contains('\n') && !error.is_empty());
                refused += 1;
            }
        }
        refused
    }
}

#[test]
fn garbage_is_refused_in_one_line() {
    for id in ["italian", "russian", "parachute", "hawaiian", "canadian"] {
        let game = Game::new(find(id).unwrap());
        assert!(game.kernel().visit(Garbage(&game)) > 4000);
    }
}
