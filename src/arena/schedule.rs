//! Who plays whom, and when.

use serde::Serialize;

/// Games that each pair of engines plays from a ballot, the colours changed after the first.
pub const GAMES_A_PAIR: usize = 2;

/// The form of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// All games of a tournament by number: in each round every two engines that meet play a pair of games from the ballot
/// of the round.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

/// A game to be played; engines by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: usize,
    /// Its round, from 0; the number of its ballot too.
    pub round: usize,
    /// The engine with the white pieces.
    pub white: usize,
    /// The engine with the black pieces.
    pub black: usize,
}

impl Schedule {
    /// The games between `engines` engines.
    pub fn new(form: Form, engines: usize, rounds: usize) -> Self {
        let hosts = if form == Form::Gauntlet { 1 } else { engines };
        let pairings = (0..hosts).flat_map(|host| (host + 1..engines).map(move |guest| (host, guest)));
        Self { pairings: pairings.collect(), rounds }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.pairings.len() * self.rounds * GAMES_A_PAIR
    }

    /// A game by its number, below [`Schedule::games`]. The two games of a pair follow each other.
    pub fn fixture(&self, game: usize) -> Fixture {
        let pair = game / GAMES_A_PAIR;
        let (a, b) = self.pairings[pair % self.pairings.len()];
        let (white, black) = if game % GAMES_A_PAIR == 0 { (a, b) } else { (b, a) };
        Fixture { game, round: pair / self.pairings.len(), white, black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::new(Form::RoundRobin, 4, 3);
        assert_eq!(schedule.games(), 36);
        let mut met = BTreeMap::new();
        for game in 0..schedule.games() {
            let fixture = schedule.fixture(game);
            assert_eq!(fixture.round, game / 12);
            *met.entry((fixture.white, fixture.black)).or_insert(0) += 1;
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|&count| count == 3));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(Form::Gauntlet, 3, 2);
        let players: Vec<_> = (0..schedule.games()).map(|game| schedule.fixture(game)).collect();
        let colours: Vec<_> = players.iter().map(|f| (f.round, f.white, f.black)).collect();
        assert_eq!(colours[..4], [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0)]);
        assert_eq!(colours[4], (1, 0, 1));
    }
}
