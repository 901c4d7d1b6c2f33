//! Openings made by rule, for every rule set.
//!
//! Candidates are all sequences of a number of plies, each resulting position once. They are drawn without replacement:
//! at each ply one of the moves that still have something to give, by the seed; so a short search of a few of them is
//! all that the first hundred cost, and whoever goes on gets every one, where they are few. A position that many
//! orders of moves reach is likely to come early.
//!
//! A candidate is a ballot if no material is lost at once: if the score of a search of a few thousand nodes is in a band
//! around 0. How wide the band must be the first candidates show: it is doubled until at least one in eight of them is in
//! it. So games whose first player stands much better, or in which most first moves lose material, get the openings
//! that make them even, as far as there are any. Decided games are never taken. Nothing of this depends on how many
//! ballots are wanted: a ballot is a function of its number, the game, the options and the seed.

use super::{Ballot, Order};
use crate::engine::{self, Notation, Session};
use crate::movegen::Perft;
use crate::notation::HubNumbering;
use crate::rng::Rng;
use crate::rules::Game;
use crate::score::Score;
use crate::search::{Control, Limits};
use std::collections::{HashSet, VecDeque};

/// Nodes of the search that judges a candidate.
const NODES: u64 = 10_000;
/// Half width of the band, in 1/100 man.
const BAND: i32 = 50;
/// Entries of the hash table of that search, as a binary logarithm: as many as it needs, quick to clear.
const HASH: u32 = 14;
/// Candidates looked at to see how wide the band must be, and which share of them must be in it.
const PROBES: usize = 64;
const SHARE: usize = 8;
/// Games that end too soon before an opening is found, after which there is held to be none: nobody can look through all
/// games of sixty plies to see that they are over.
const DEAD_ENDS: usize = 10_000;
/// Sequences that make a choice of openings, and the plies within which so many are looked for.
const CHOICE: u64 = 1_000;
const PLIES: std::ops::RangeInclusive<u32> = 4..=12;

/// The plies of built-in openings: 4, or as many as it takes for 1,000 sequences (parachute: 6), but at most 12.
pub fn default_plies(game: &Game) -> usize {
    let session = engine::open(game.clone());
    let plies = PLIES.into_iter().find(|&plies| session.perft(&Perft::default(), plies) >= CHOICE);
    plies.unwrap_or(*PLIES.end()) as usize
}

/// How built-in openings are made; `None` is the default.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub plies: Option<usize>,
    pub band: Option<i32>,
    pub nodes: Option<u64>,
    pub order: Order,
}

/// The built-in openings of a game, one after the other.
pub(super) struct Builtin {
    judge: Judge,
    walk: Walk,
    /// Half width.
    band: i32,
    /// Candidates judged, but not yet told.
    ahead: VecDeque<Candidate>,
    told: usize,
}

/// An opening and its score, from the side to move after it.
struct Candidate {
    moves: Vec<String>,
    score: Score,
}

impl Builtin {
    pub fn new(game: &Game, recipe: Recipe, seed: u64) -> Self {
        let plies = recipe.plies.unwrap_or_else(|| default_plies(game));
        let mut judge = Judge::new(game, recipe.nodes.unwrap_or(NODES));
        let mut walk = Walk::new(plies, Some(Rng::new(seed)));
        let mut ahead: VecDeque<_> = std::iter::from_fn(|| walk.next(&mut judge)).take(PROBES).collect();
        let scores: Vec<_> = ahead.iter().map(|candidate| candidate.score).collect();
        let band = fitting(recipe.band.unwrap_or(BAND), &scores);
        if !scores.iter().any(|&score| holds(band, score)) {
            walk.over = true; // So far on all games are decided.
        } else if recipe.order == Order::Sequential {
            walk = Walk::new(plies, None);
            ahead.clear();
        }
        Self { judge, walk, band, ahead, told: 0 }
    }

    /// Plies of each opening.
    pub fn plies(&self) -> usize {
        self.walk.plies
    }

    /// The half width of the band of scores it takes, in 1/100 man.
    pub fn band(&self) -> i32 {
        self.band
    }
}

impl Iterator for Builtin {
    type Item = Ballot;

    fn next(&mut self) -> Option<Ballot> {
        loop {
            let candidate = self.ahead.pop_front().or_else(|| self.walk.next(&mut self.judge))?;
            if holds(self.band, candidate.score) {
                self.told += 1;
                let name = format!("built-in {} ({})", self.told, candidate.score);
                return Some(Ballot { name, fen: None, moves: candidate.moves });
            }
        }
    }
}

fn holds(band: i32, score: Score) -> bool {
    !score.is_decided() && score.value().abs() <= band
}

/// The least band for these scores: what is asked for or a double of it.
fn fitting(asked: i32, scores: &[Score]) -> i32 {
    let mut band = asked.max(1);
    let inside = |band| scores.iter().filter(|&&score| holds(band, score)).count();
    while inside(band) * SHARE < scores.len() && band < Score::EVAL_MAX.value() {
        band *= 2;
    }
    band
}

/// Says how good openings are.
struct Judge {
    session: Box<dyn Session>,
    limits: Limits,
}

impl Judge {
    fn new(game: &Game, nodes: u64) -> Self {
        let mut session = engine::open(game.clone());
        session.set_hash(HASH);
        Self { session, limits: Limits { nodes: Some(nodes), ..Limits::default() } }
    }

    /// The score of the position at hand.
    fn score(&mut self) -> Score {
        self.session.new_game();
        self.session.search(&self.limits, Notation::HUB, &Control::new(), &mut |_| {}).info.score
    }
}

/// Draws openings, each resulting position once.
struct Walk {
    plies: usize,
    /// Chooses the moves; without it they come in the order of their texts.
    rng: Option<Rng>,
    root: Branch,
    seen: HashSet<String>,
    /// Nothing more is to be found.
    over: bool,
}

impl Walk {
    fn new(plies: usize, rng: Option<Rng>) -> Self {
        Self { plies, rng, root: Branch::New, seen: HashSet::new(), over: false }
    }

    /// The next candidate; `None` if there is none left.
    fn next(&mut self, judge: &mut Judge) -> Option<Candidate> {
        while !self.over {
            let session = judge.session.as_mut();
            session.set_start();
            let mut draw = Draw { session, rng: &mut self.rng, moves: Vec::new(), dead_ends: 0 };
            self.over = !self.root.draw(&mut draw, self.plies);
            let moves = draw.moves;
            if !self.over && self.seen.insert(session.hub(HubNumbering::Standard)) {
                return Some(Candidate { moves, score: judge.score() });
            }
        }
        None
    }
}

/// An opening that is being drawn.
struct Draw<'a> {
    session: &'a mut dyn Session,
    rng: &'a mut Option<Rng>,
    /// The moves so far.
    moves: Vec<String>,
    /// Games that ended too soon.
    dead_ends: usize,
}

impl Draw<'_> {
    /// Plays a move, unless the game ends with it. A text that means two moves cannot be told to an engine, so it is not
    /// played either.
    fn goes_on_with(&mut self, text: &str) -> bool {
        if self.session.play(text, Notation::HUB).is_err() {
            return false;
        }
        self.moves.push(text.to_owned());
        if self.session.verdict().is_none() {
            return true;
        }
        self.dead_ends += 1;
        self.take_back();
        false
    }

    fn take_back(&mut self) {
        self.moves.pop();
        self.session.undo();
    }
}

/// The openings with a common beginning that have not been drawn yet.
enum Branch {
    /// All there are.
    New,
    /// Those with one of these moves next.
    Open(Vec<(String, Branch)>),
    /// None: it is an opening itself, and has been drawn.
    Drawn,
}

impl Branch {
    fn is_dry(&self) -> bool {
        match self {
            Self::New => false,
            Self::Open(next) => next.is_empty(),
            Self::Drawn => true,
        }
    }

    /// Draws an opening that is `plies` longer than the game so far, and plays it. `false` if none is found; then the
    /// game is as it was.
    fn draw(&mut self, draw: &mut Draw<'_>, plies: usize) -> bool {
        if plies == 0 {
            return !matches!(std::mem::replace(self, Self::Drawn), Self::Drawn);
        }
        if matches!(self, Self::New) {
            let legal = draw.session.legal_moves(Notation::HUB).into_iter();
            *self = Self::Open(legal.map(|text| (text, Self::New)).collect());
        }
        let Self::Open(next) = self else { return false };
        while !next.is_empty() && draw.dead_ends < DEAD_ENDS {
            let index = draw.rng.as_mut().map_or(0, |rng| rng.below(next.len()));
            let (text, branch) = &mut next[index];
            if draw.goes_on_with(text) {
                if branch.draw(draw, plies - 1) {
                    if branch.is_dry() {
                        next.remove(index);
                    }
                    return true;
                }
                draw.take_back();
            }
            next.remove(index);
        }
        false
    }
}
