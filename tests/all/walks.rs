//! Seeded random walks through every kernel, option kernels included: the fast generator against the slow one, and what
//! must hold of any generator.

use crate::face::{Face, Findings, face};
use crate::slow::{Place, Slow, SlowMove};
use crate::support::{all_games, setup};
use rayon::prelude::*;
use soffio::board::Side;
use soffio::position::{Kind, Setup};
use soffio::rng::Rng;
use soffio::rules::{Kernel, Promotion};
use std::collections::{BTreeSet, HashMap};

const WALKS_FROM_START: usize = 40;
const LONGEST_WALK: usize = 120;
const SCATTERED_SETUPS: usize = 1000;
const WALK_FROM_SETUP: usize = 5;

#[test]
fn fast_and_slow_generators_agree() {
    let games = all_games();
    Kernel::ALL.into_par_iter().for_each(|kernel| {
        let starts: BTreeSet<_> = games
            .iter()
            .filter(|game| game.kernel() == kernel)
            .map(|game| (game.set.id, game.start_fen()))
            .collect();
        assert!(!starts.is_empty(), "no rule set or option uses {kernel:?}");
        let mut walker = Walker::new(kernel);
        for (id, fen) in &starts {
            let game = games.iter().find(|game| game.set.id == *id && game.kernel() == kernel).unwrap();
            for _ in 0..WALKS_FROM_START.div_ceil(starts.len()) {
                walker.walk(setup(game, fen), LONGEST_WALK);
            }
        }
        for _ in 0..SCATTERED_SETUPS {
            let setup = walker.scattered();
            walker.walk(setup, WALK_FROM_SETUP);
        }
    });
}

pub struct Walker {
    kernel: Kernel,
    fast: Box<dyn Face>,
    slow: Slow,
    rng: Rng,
    /// What stands behind each key seen.
    keys: HashMap<u64, Identity>,
}

/// The side to move; for each piece its square, whether it is White's, whether it is a king.
type Identity = (Side, BTreeSet<(usize, bool, bool)>);

impl Walker {
    pub fn new(kernel: Kernel) -> Self {
        let fast = face(kernel);
        Self { kernel, slow: fast.slow(), fast, rng: Rng::new(7), keys: HashMap::new() }
    }

    fn walk(&mut self, mut setup: Setup, plies: usize) {
        for _ in 0..plies {
            let mut after = self.check(&setup);
            if after.is_empty() {
                return;
            }
            setup = after.swap_remove(self.rng.below(after.len())).0;
        }
    }

    /// Checks everything about a position and returns those that follow.
    pub fn check(&mut self, setup: &Setup) -> Vec<(Setup, u64)> {
        let context = format!("{:?} {setup:?}", self.kernel);
        let place = self.slow.place(setup);
        let found = self.fast.find(setup);
        let want = self.slow.moves(&place);
        let got: BTreeSet<_> = found.moves.iter().cloned().collect();
        assert_eq!(got, want, "{context}");
        assert_eq!(got.len(), found.moves.len(), "a move is listed twice: {context}");
        assert_eq!(found.count, found.moves.len() as u64, "{context}");
        assert_eq!(found.can_move, !got.is_empty(), "{context}");
        let jumps = |mv: &SlowMove| !mv.captured.is_empty() && mv.captured != [mv.from];
        assert_eq!(found.can_capture, got.iter().any(jumps), "{context}");
        let (captures, quiet): (Vec<_>, Vec<_>) = found.moves.iter().partition(|mv| !mv.captured.is_empty());
        assert!(captures.into_iter().eq(&found.captures), "{context}");
        assert!(found.quiet_too || quiet.is_empty(), "{context}");
        assert!(
            !found.quiet_too
                || found.captures.is_empty()
                || !quiet.is_empty()
                || self.slow.rules.has_parachutists(),
            "{context}"
        );
        self.check_routes(&found, &place, &context);
        for (mv, (after, key)) in found.moves.iter().zip(&found.after) {
            assert_eq!(self.slow.place(after), self.slow.make(&place, mv), "{mv:?} {context}");
            self.check_key(after, *key, &context);
        }
        self.check_turned_round(setup, found.count, &context);
        found.after
    }

    /// Routes are the captures in every order of the captured pieces, each once.
    fn check_routes(&self, found: &Findings, place: &Place, context: &str) {
        if self.slow.rules.konane {
            return;
        }
        let mut want = self.slow.ordered_moves(place);
        want.retain(|mv| !mv.captured.is_empty());
        let got: BTreeSet<_> = found.routes.iter().cloned().collect();
        assert_eq!(got, want, "{context}");
        assert_eq!(got.len(), found.routes.len(), "a route is listed twice: {context}");
    }

    /// Different positions have different keys; equal ones the same, however they came about.
    fn check_key(&mut self, setup: &Setup, key: u64, context: &str) {
        assert_eq!(self.fast.key(setup), key, "to {setup:?} from {context}");
        let pieces = setup
            .pieces
            .iter()
            .map(|&(square, side, kind)| (square, side == Side::White, kind == Kind::King));
        let identity = (setup.turn, pieces.collect::<BTreeSet<_>>());
        let known = self.keys.entry(key).or_insert_with(|| identity.clone());
        assert_eq!(*known, identity, "two positions share a key");
    }

    /// Neither side has an advantage in the rules: turned by 180 degrees with the colours exchanged, the position has as
    /// many moves.
    fn check_turned_round(&self, setup: &Setup, count: u64, context: &str) {
        if self.slow.rules.same_way {
            return;
        }
        let last = self.fast.squares() - 1;
        let pieces = setup.pieces.iter().map(|&(square, side, kind)| (last - square, side.other(), kind));
        let turned = Setup { turn: setup.turn.other(), pieces: pieces.collect() };
        assert_eq!(self.fast.count(&turned), count, "{context}");
    }

    /// A few to many pieces anywhere, from men only to kings only.
    fn scattered(&mut self) -> Setup {
        let squares = self.fast.squares();
        let rules = &self.slow.rules;
        let king_odds = if rules.promotion == Promotion::Never { 0 } else { self.rng.below(4) };
        let mut setup = Setup { turn: Side::BOTH[self.rng.below(2)], pieces: Vec::new() };
        for side in Side::BOTH {
            for _ in 0..=self.rng.below(squares / 4) {
                let kind = match self.rng.below(3) < king_odds {
                    true => Kind::King,
                    false if rules.has_parachutists() && self.rng.below(2) == 0 => Kind::Parachutist,
                    false => Kind::Man,
                };
                setup.pieces.push((self.rng.below(squares), side, kind));
                if self.fast.check(&setup).is_err() {
                    setup.pieces.pop();
                }
            }
        }
        setup
    }
}
