//! Games of the engine against itself.
//!
//! A game depends on its number and on the [`Terms`] alone:
//!
//! - **Opening**: random moves, as many as is drawn from the range of plies. One after which the game is over, or after
//!   which the score of a search is beyond 1.5 men, is replaced by the next draw; the band is twice as wide after every 8
//!   draws, and the 64th is taken as it is.
//! - **Moves**: those of a search of so many nodes in one thread, which knows nothing from other games. Of the first 30
//!   plies after the opening one in 20 is drawn by lot instead.
//! - **End**: by the rules; or as soon as a search proves who wins; or when 6 searches in a row, whoever moves, find the
//!   same side 15 men ahead; or drawn after 250 plies.
//! - **Positions kept**: those that were searched after the opening in which neither side could capture (in Konane,
//!   where every move captures, all of them), and before which a man has moved or a piece was captured within 20 plies:
//!   kings that go to and fro would fill the file. If the score changes by more than a man at a move drawn by lot, the result of
//!   the game says nothing of the positions before it, and they are not kept.

use super::file::Header;
use super::player::Typed;
use super::record::{FNV, Played, fnv};
use crate::eval::Model;
use crate::rng::Rng;
use crate::rules::{Game, Rules, Visitor};
use crate::search::Control;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Stack of a worker, which must hold a search without optimisation.
const STACK: usize = 16 << 20;
/// How long an interrupt may go unseen.
const LOOK: Duration = Duration::from_millis(100);

/// What all games have in common.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rules.
    pub game: Game,
    /// Nodes of each search, at least 1.
    pub nodes: u64,
    /// Games of different seeds have nothing to do with each other.
    pub seed: u64,
    /// Plies of an opening; not empty.
    pub plies: RangeInclusive<u32>,
    /// The learned weights of the evaluation, of this rule set; `None` is the hand-made one.
    pub weights: Option<Arc<Model>>,
}

impl Terms {
    /// The header of a file of their games.
    pub fn header(&self) -> Header {
        let Self { game, nodes, seed, plies, weights } = self;
        Header {
            variant: game.set.id.to_owned(),
            rules: game.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            squares: game.set.kernel.layout().squares,
            nodes: *nodes,
            seed: *seed,
            plies: (*plies.start(), *plies.end()),
            weights: weights.as_ref().map(|model| model.fingerprint()),
        }
    }

    /// What decides all that is random in the game of this number.
    pub(super) fn lot(&self, number: u64) -> Rng {
        let terms = fnv(FNV, self.header().line().as_bytes());
        // A step of the generator between them: neighbouring numbers must have nothing in common.
        let mut rng = Rng::new(terms);
        Rng::new(rng.next_u64() ^ Rng::new(number).next_u64())
    }
}

/// The plies of an opening if nobody says: fewer on a small board, a few more on a large one.
pub fn default_plies(game: &Game) -> RangeInclusive<u32> {
    match game.set.kernel.layout().squares {
        ..=25 => 2..=8,
        26..=49 => 4..=12,
        _ => 4..=14,
    }
}

/// Plays games.
pub(super) trait Player {
    /// The game of this number; `None` if it was stopped.
    fn play(&mut self, number: u64) -> Option<Played>;
}

struct Open<'a>(&'a Terms, &'a Control);

impl<'a> Visitor for Open<'a> {
    type Output = Box<dyn Player + 'a>;
    fn visit<R: Rules>(self) -> Self::Output {
        Box::new(Typed::<R>::new(self.0, self.1))
    }
}

/// Why not all games were played.
#[derive(Debug)]
pub enum Stop<E> {
    /// `abort` was set.
    Aborted,
    /// There are no threads to be had.
    System(io::Error),
    /// Whoever heard of the games did not want any more.
    Heard(E),
}

impl<E: fmt::Display> fmt::Display for Stop<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborted => f.write_str("interrupted"),
            Self::System(error) => error.fmt(f),
            Self::Heard(error) => error.fmt(f),
        }
    }
}

/// Plays the games of these numbers, in so many threads, and tells of them in their order.
///
/// # Errors
/// Games after the last that was told of are lost.
pub fn run<E>(
    terms: &Terms,
    numbers: Range<u64>,
    threads: usize,
    abort: &AtomicBool,
    hear: &mut dyn FnMut(Played) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    let (next, control) = (AtomicU64::new(numbers.start), Control::new());
    thread::scope(|scope| {
        let (games, arrivals) = channel();
        let count = numbers.end.saturating_sub(numbers.start);
        for _ in 0..threads.min(usize::try_from(count).unwrap_or(usize::MAX)) {
            let (games, next, control) = (games.clone(), &next, &control);
            let work = move || work(terms, next, numbers.end, control, &games);
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            started.inspect_err(|_| control.stop()).map_err(Stop::System)?;
        }
        drop(games);
        let (mut wanted, mut early) = (numbers.start, BTreeMap::new());
        while wanted < numbers.end {
            match arrivals.recv_timeout(LOOK) {
                Ok((number, game)) => drop(early.insert(number, game)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if abort.load(Ordering::Relaxed) {
                control.stop();
                return Err(Stop::Aborted);
            }
            while let Some(game) = early.remove(&wanted) {
                hear(game).inspect_err(|_| control.stop()).map_err(Stop::Heard)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

/// Plays the next game as long as there is one.
fn work(terms: &Terms, next: &AtomicU64, end: u64, control: &Control, games: &Sender<(u64, Played)>) {
    let mut player = terms.game.kernel().visit(Open(terms, control));
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return;
        }
        let Some(game) = player.play(number) else { return };
        if games.send((number, game)).is_err() {
            return;
        }
    }
}
