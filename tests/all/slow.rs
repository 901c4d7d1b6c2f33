//! An independent reference generator: coordinates, maps and recursion, written from the rules in words. It reads the
//! rules from [`Moves`] and shares nothing else with the fast generator. Being obvious is its only virtue.

use soffio::board::{Cells, Dirs, E, Layout, N, NE, NW, S, SE, SW, Side, W};
use soffio::position::{Kind, Setup};
use soffio::rules::{Landing, Moves, Parachutists, Promotion, PromotionSquares, Removal, Term};
use std::collections::{BTreeMap, BTreeSet};

/// File and rank, from 0; White sits at rank 0.
pub type Square = (i32, i32);

const COMPASS: [(usize, Square); 8] = [
    (N, (0, 1)),
    (NE, (1, 1)),
    (E, (1, 0)),
    (SE, (1, -1)),
    (S, (0, -1)),
    (SW, (-1, -1)),
    (W, (-1, 0)),
    (NW, (-1, 1)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub side: Side,
    pub king: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub turn: Side,
    pub pieces: BTreeMap<Square, Piece>,
}

/// A move; the captured pieces in the order in which they are jumped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlowMove {
    pub from: Square,
    pub to: Square,
    pub captured: Vec<Square>,
    pub promotes: bool,
}

/// The rules on a board.
pub struct Slow {
    pub rules: Moves,
    pub width: i32,
    pub height: i32,
    cells: Cells,
}

/// A capture under way. The piece in hand is off the board; the captured ones still stand on it.
#[derive(Clone)]
struct Journey {
    at: Square,
    taken: Vec<Square>,
    last: Option<Square>,
    king: bool,
    promoted: bool,
    parachutist: bool,
    over: bool,
}

impl Slow {
    pub fn of(rules: Moves, layout: &Layout) -> Self {
        let (width, height) = (layout.width as i32, layout.height as i32);
        Self { rules, width, height, cells: layout.cells }
    }

    pub fn has(&self, (file, rank): Square) -> bool {
        let inside = (0..self.width).contains(&file) && (0..self.height).contains(&rank);
        inside && (self.cells != Cells::Dark || (file + rank) % 2 == 0)
    }

    /// The place of a setup.
    pub fn place(&self, setup: &Setup) -> Place {
        let pieces = setup
            .pieces
            .iter()
            .map(|&(square, side, kind)| (self.square(square), Piece { side, king: kind == Kind::King }));
        Place { turn: setup.turn, pieces: pieces.collect() }
    }

    /// The square of an index that counts from the top left, row by row.
    pub fn square(&self, index: usize) -> Square {
        let mut rows = (0..self.height).rev().flat_map(|rank| (0..self.width).map(move |file| (file, rank)));
        rows.by_ref().filter(|&square| self.has(square)).nth(index).expect("a square of the board")
    }

    /// The inverse of [`Slow::square`].
    pub fn index(&self, square: Square) -> usize {
        (0..).find(|&index| self.square(index) == square).expect("an index")
    }

    /// The next square of the board in a direction; on dark squares files and ranks are walked two at a time.
    fn next(&self, (file, rank): Square, (dx, dy): Square) -> Option<Square> {
        let straight = dx == 0 || dy == 0;
        if self.cells == Cells::Alquerque && !straight && (file + rank) % 2 != 0 {
            return None;
        }
        let stride = if self.cells == Cells::Dark && straight { 2 } else { 1 };
        Some((file + stride * dx, rank + stride * dy)).filter(|&square| self.has(square))
    }

    /// The directions of a side, given White's.
    fn directions(&self, side: Side, white: Dirs) -> impl Iterator<Item = Square> + use<> {
        let turned = side == Side::Black && !self.rules.same_way;
        COMPASS
            .into_iter()
            .filter(move |&(name, _)| white.has(name))
            .map(move |(_, (dx, dy))| if turned { (dx, -dy) } else { (dx, dy) })
    }

    fn promotes_on(&self, side: Side, (file, rank): Square) -> bool {
        if self.rules.promotion == Promotion::Never {
            return false;
        }
        match self.rules.promotion_squares {
            PromotionSquares::LastRank => self.is_last_rank(side, rank),
            PromotionSquares::Corner if side == Side::White => [(0, 6), (1, 7)].contains(&(file, rank)),
            PromotionSquares::Corner => [(7, 1), (6, 0)].contains(&(file, rank)),
        }
    }

    fn is_last_rank(&self, side: Side, rank: i32) -> bool {
        rank == if side == Side::White || self.rules.same_way { self.height - 1 } else { 0 }
    }

    fn is_parachutist(&self, piece: Piece, at: Square) -> bool {
        self.rules.has_parachutists() && !piece.king && self.promotes_on(piece.side, at)
    }

    /// All legal moves; a capture by each route, however little they differ.
    pub fn routes(&self, place: &Place) -> Vec<SlowMove> {
        if self.rules.konane {
            return self.konane(place);
        }
        let mut best: Vec<Vec<u32>> = Vec::new();
        let mut moves = Vec::new();
        let mut compulsory = false;
        for (&from, &piece) in place.pieces.iter().filter(|(_, piece)| piece.side == place.turn) {
            let parachutist = self.is_parachutist(piece, from);
            let start = Journey {
                at: from,
                taken: Vec::new(),
                last: None,
                king: piece.king,
                promoted: false,
                parachutist,
                over: false,
            };
            let mut without = place.clone();
            without.pieces.remove(&from);
            let mut ends = Vec::new();
            self.follow(&without, &start, &mut ends);
            let optional = parachutist
                && matches!(self.rules.parachutists, Parachutists::Some { compulsory: false, .. });
            compulsory |= !ends.is_empty() && !optional;
            for end in ends {
                let key = self.key(place, piece, &end.taken);
                if key > best {
                    best = key;
                    moves.clear();
                } else if key < best {
                    continue;
                }
                let crowned = !end.king && self.promotes_on(piece.side, end.at);
                let promotes = end.promoted || crowned;
                moves.push(SlowMove { from, to: end.at, captured: end.taken, promotes });
            }
        }
        if !compulsory {
            moves.extend(self.quiet_moves(place));
        }
        moves
    }

    /// All legal moves; captures once for each order of the captured pieces.
    pub fn ordered_moves(&self, place: &Place) -> BTreeSet<SlowMove> {
        self.routes(place).into_iter().collect()
    }

    /// All legal moves; captures once, with the captured pieces sorted.
    pub fn moves(&self, place: &Place) -> BTreeSet<SlowMove> {
        let sorted = |mut mv: SlowMove| {
            mv.captured.sort();
            mv
        };
        self.routes(place).into_iter().map(sorted).collect()
    }

    /// The place after a move.
    pub fn make(&self, place: &Place, mv: &SlowMove) -> Place {
        let mut after = Place { turn: place.turn.other(), ..place.clone() };
        let mut piece = after.pieces.remove(&mv.from).expect("a piece on the square moved from");
        piece.king |= mv.promotes;
        for square in &mv.captured {
            after.pieces.remove(square);
        }
        if mv.captured != [mv.from] {
            after.pieces.insert(mv.to, piece); // and not where a stone is only taken off (Hawaiian)
        }
        after
    }

    /// Leaves at a depth, counted by the moves of `list`; `ends`: a place without moves above it is a leaf as well.
    pub fn perft<L>(&self, place: &Place, depth: u32, list: fn(&Self, &Place) -> L, ends: bool) -> u64
    where
        L: IntoIterator<Item = SlowMove>,
    {
        if depth == 0 {
            return 1;
        }
        let mut moves = list(self, place).into_iter().peekable();
        match depth {
            _ if moves.peek().is_none() => u64::from(ends),
            1 => moves.count() as u64,
            _ => moves.map(|mv| self.perft(&self.make(place, &mv), depth - 1, list, ends)).sum(),
        }
    }

    /// Adds all ways in which a capture can be played to its end.
    fn follow(&self, place: &Place, journey: &Journey, ends: &mut Vec<Journey>) {
        for landings in self.jumps(place, journey) {
            let on: Vec<_> = landings.iter().filter(|next| !self.jumps(place, next).is_empty()).collect();
            if on.is_empty() {
                ends.extend(self.final_landings(place, landings));
            } else {
                on.into_iter().for_each(|next| self.follow(place, next, ends));
            }
        }
    }

    /// The landings, nearest first, on which a capture may end.
    fn final_landings(&self, place: &Place, mut landings: Vec<Journey>) -> Vec<Journey> {
        let last_is_king = landings[0].taken.last().is_some_and(|over| place.pieces[over].king);
        if self.rules.landing == Landing::BehindLastKing && last_is_king {
            landings.truncate(1);
        }
        landings
    }

    /// The next jumps of a journey: for each piece that can be jumped the landings behind it, nearest first.
    fn jumps(&self, place: &Place, journey: &Journey) -> Vec<Vec<Journey>> {
        if journey.over {
            return Vec::new();
        }
        let side = place.turn;
        let directions: Vec<Square> = if journey.king {
            self.directions(Side::White, self.rules.king_capture).collect()
        } else if journey.parachutist {
            self.directions(side, Dirs::DIAGONAL_AHEAD).map(|(dx, dy)| (dx, -dy)).collect()
        } else {
            let first: Vec<_> = self.directions(side, self.rules.man_first_capture).collect();
            let may = |direction: &Square| !journey.taken.is_empty() || first.contains(direction);
            self.directions(side, self.rules.man_capture).filter(may).collect()
        };
        directions
            .into_iter()
            .filter(|&(dx, dy)| self.rules.reversal || journey.last != Some((-dx, -dy)))
            .map(|direction| self.jumps_towards(place, journey, direction))
            .filter(|landings| !landings.is_empty())
            .collect()
    }

    fn jumps_towards(&self, place: &Place, journey: &Journey, direction: Square) -> Vec<Journey> {
        let lifted =
            |square: &Square| self.rules.removal == Removal::AtOnce && journey.taken.contains(square);
        let empty = |square: Square| !place.pieces.contains_key(&square) || lifted(&square);
        let flies = journey.king && self.rules.king_jumps_afar;

        let mut over = self.next(journey.at, direction);
        while let Some(square) = over.filter(|&square| flies && empty(square)) {
            over = self.next(square, direction);
        }
        let Some(over) = over.filter(|&over| !empty(over) && self.may_take(place, journey, over)) else {
            return Vec::new();
        };

        let mut landings = Vec::new();
        let mut land = self.next(over, direction);
        while let Some(square) = land.filter(|&square| empty(square)) {
            landings.push(self.landed(place, journey, direction, over, square));
            let long = flies && self.rules.landing != Landing::Behind;
            land = if long { self.next(square, direction) } else { None };
        }
        landings
    }

    fn may_take(&self, place: &Place, journey: &Journey, over: Square) -> bool {
        let target = place.pieces[&over];
        let of_age = journey.king || journey.parachutist || self.rules.man_takes_king || !target.king;
        target.side != place.turn && !journey.taken.contains(&over) && of_age
    }

    fn landed(
        &self,
        place: &Place,
        journey: &Journey,
        direction: Square,
        over: Square,
        at: Square,
    ) -> Journey {
        let mut next = Journey { at, last: Some(direction), parachutist: false, ..journey.clone() };
        next.taken.push(over);
        let crowned = !journey.king && self.promotes_on(place.turn, at);
        match self.rules.promotion {
            Promotion::InPassing if crowned => (next.king, next.promoted) = (true, true),
            Promotion::Stops => next.over = crowned,
            _ => {}
        }
        if journey.parachutist && matches!(self.rules.parachutists, Parachutists::Some { goes_on: false, .. })
        {
            next.over = true;
        }
        next
    }

    /// What a capture is worth, term by term.
    fn key(&self, place: &Place, piece: Piece, taken: &[Square]) -> Vec<Vec<u32>> {
        let kings: Vec<u32> = taken.iter().map(|over| u32::from(place.pieces[over].king)).collect();
        let value = |term: &Term| match term {
            Term::Count => vec![taken.len() as u32],
            Term::ByKing => vec![u32::from(piece.king)],
            Term::KingsTaken => vec![kings.iter().sum()],
            Term::KingsFirst => kings.clone(),
            Term::Value => vec![kings.iter().map(|king| if *king == 1 { 199 } else { 100 }).sum()],
        };
        self.rules.choice.iter().map(value).collect()
    }

    fn quiet_moves(&self, place: &Place) -> Vec<SlowMove> {
        let mut moves = Vec::new();
        for (&from, &piece) in place.pieces.iter().filter(|(_, piece)| piece.side == place.turn) {
            let rests = self.rules.last_rank_rests && self.is_last_rank(piece.side, from.1);
            if self.is_parachutist(piece, from) || rests {
                continue;
            }
            let white = if piece.king { self.rules.king_quiet } else { self.rules.man_quiet };
            for direction in self.directions(piece.side, white) {
                let mut to = self.next(from, direction);
                if self.rules.lines && !piece.king {
                    while let Some(square) = to.filter(|to| place.pieces.get(to) == Some(&piece)) {
                        to = self.next(square, direction);
                    }
                }
                while let Some(square) = to.filter(|to| !place.pieces.contains_key(to)) {
                    let promotes = !piece.king && self.promotes_on(piece.side, square);
                    moves.push(SlowMove { from, to: square, captured: Vec::new(), promotes });
                    let slides = piece.king && self.rules.king_slides;
                    to = if slides { self.next(square, direction) } else { None };
                }
            }
        }
        moves
    }

    /// Two removals, then jumps straight on that may stop after each piece.
    fn konane(&self, place: &Place) -> Vec<SlowMove> {
        let own: Vec<Square> =
            place.pieces.iter().filter(|(_, piece)| piece.side == place.turn).map(|(at, _)| *at).collect();
        let missing: Vec<Square> = (0..self.width)
            .flat_map(|file| (0..self.height).map(move |rank| (file, rank)))
            .filter(|square| !place.pieces.contains_key(square))
            .collect();
        let remove = |at: &Square| SlowMove { from: *at, to: *at, captured: vec![*at], promotes: false };
        match missing[..] {
            [] => {
                let first = [(0, 7), (3, 4), (4, 3), (7, 0)];
                own.iter().filter(|at| first.contains(at)).map(remove).collect()
            }
            [(file, rank)] => {
                let beside = |at: &&Square| (at.0 - file).abs() + (at.1 - rank).abs() == 1;
                own.iter().filter(beside).map(remove).collect()
            }
            _ => own.iter().flat_map(|&from| self.straight_jumps(place, from)).collect(),
        }
    }

    fn straight_jumps(&self, place: &Place, from: Square) -> Vec<SlowMove> {
        let mut moves = Vec::new();
        for direction in self.directions(Side::White, Dirs::ORTHOGONAL) {
            let (mut at, mut captured) = (from, Vec::new());
            while let Some((over, to)) = self.next(at, direction).and_then(|over| {
                let enemy = place.pieces.get(&over)?.side != place.turn;
                let to = self.next(over, direction)?;
                (enemy && !place.pieces.contains_key(&to)).then_some((over, to))
            }) {
                captured.push(over);
                at = to;
                moves.push(SlowMove { from, to, captured: captured.clone(), promotes: false });
            }
        }
        moves
    }
}
