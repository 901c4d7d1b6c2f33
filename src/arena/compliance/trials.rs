//! Short searches of the sample, made once; several checks look at what came.

use super::Trouble;
use super::lab::Lab;
use super::lines::quote;
use super::sample::Place;
use super::talk::{SEARCH, Search};
use crate::engine::Session;

/// After so many searches that came to nothing no more are tried.
const MOST_FAULTS: usize = 3;

/// After so many searches a new game begins: not after each, as some clear a large table.
const A_GAME: usize = 9;

/// The level of these searches: two limits at once, for games with very wide trees.
const LEVEL: &str = "level depth=4 nodes=4000";

/// A search of a position.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// The position.
    pub place: Place,
    /// Whether it was given without what went before.
    pub alone: bool,
    /// The `pos` line.
    pub sent: String,
    /// The answer.
    pub search: Result<Search, Trouble>,
}

impl Trial {
    /// The moves that may be played.
    pub fn legal(&self) -> &[String] {
        if self.alone { &self.place.legal_alone } else { &self.place.legal }
    }

    /// The position, ready to play on.
    pub fn session(&self, lab: &Lab<'_>) -> Box<dyn Session> {
        let mut session = lab.session();
        if self.alone {
            // It was read before, when the sample was drawn.
            let _ = session.set_hub(&self.place.hub, "", lab.numbering());
        } else {
            for mv in &self.place.moves {
                let _ = session.play(mv, lab.notation());
            }
        }
        session
    }

    /// What is wrong with it.
    pub fn trouble(&self, expected: &str, came: &str) -> Trouble {
        Trouble::Wrong(format!(
            "sent {} '{LEVEL}' 'go think'; expected {expected}; came {came}",
            quote(&self.sent)
        ))
    }
}

/// The `pos` line of a position.
pub(super) fn pos_line(lab: &Lab<'_>, place: &Place, alone: bool) -> String {
    match (alone, &place.moves[..]) {
        (true, _) => format!("pos pos={}", place.hub),
        (false, []) => lab.start_line(),
        (false, [mv]) => format!("{} moves={mv}", lab.start_line()),
        (false, moves) => format!("{} moves=\"{}\"", lab.start_line(), moves.join(" ")),
    }
}

/// The searches; made now if no check has asked for them before.
pub(super) fn trials(lab: &mut Lab<'_>) -> Result<Vec<Trial>, Trouble> {
    if lab.trials.is_none() {
        let made = make(lab)?;
        lab.trials = Some(made);
    }
    Ok(lab.trials.clone().unwrap_or_default())
}

fn make(lab: &mut Lab<'_>) -> Result<Vec<Trial>, Trouble> {
    let mut trials = Vec::new();
    let places = lab.sample().places;
    for (place, alone) in places.iter().flat_map(|place| [(place, false), (place, true)]) {
        let sent = pos_line(lab, place, alone);
        let search = attempt(lab, &sent, trials.len() % A_GAME == 0);
        match search {
            Err(Trouble::Aborted) => return Err(Trouble::Aborted),
            Err(_) => lab.talk.hang_up(),
            Ok(_) => {}
        }
        trials.push(Trial { place: place.clone(), alone, sent, search });
        if trials.iter().filter(|trial| trial.search.is_err()).count() >= MOST_FAULTS {
            break;
        }
    }
    Ok(trials)
}

fn attempt(lab: &mut Lab<'_>, pos: &str, ends_game: bool) -> Result<Search, Trouble> {
    lab.make_ready()?;
    let (search, _) = lab.talk.search(&[pos, LEVEL, "go think"], SEARCH)?;
    if ends_game {
        lab.talk.send("new-game");
    }
    // What an engine says too much must not be taken for the answer to the next question.
    lab.settle("a search")?;
    Ok(search)
}
