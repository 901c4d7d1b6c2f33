//! The weights that the program carries, by rule set. Each file was made by the commands in `data/weights/README.md`.

use super::Model;
use crate::rules::{RuleSet, Rules};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

macro_rules! embedded {
    ($($id:literal),* $(,)?) => {
        const FILES: &[(&str, &[u8])] =
            &[$(($id, include_bytes!(concat!("../../data/weights/", $id, ".gz")))),*];
    };
}

embedded!(
    "alquerque",
    "anti-brazilian",
    "anti-english",
    "anti-italian",
    "anti-russian",
    "antidraughts",
    "argentinian",
    "armenian",
    "brazilian",
    "breakthrough",
    "canadian",
    "checkers",
    "corner",
    "croda",
    "czech",
    "dameo",
    "english",
    "frisian",
    "frysk",
    "gothic",
    "international",
    "italian",
    "italian-flying",
    "italian-free",
    "jamaican",
    "killer",
    "one-way",
    "parachute",
    "philippine",
    "pool",
    "portuguese",
    "russian",
    "spanish",
    "spantsireti",
    "sri-lankan",
    "thai",
    "turkish",
);

/// Weights that have been unpacked.
static UNPACKED: Mutex<BTreeMap<&str, Arc<Model>>> = Mutex::new(BTreeMap::new());

/// The file of a rule set, if there is one.
pub fn file(set: &RuleSet) -> Option<&'static [u8]> {
    FILES.iter().find(|(id, _)| *id == set.id).map(|(_, file)| *file)
}

/// The weights of a rule set whose kernel is `R`, if there are any.
pub fn weights<R: Rules>(set: &RuleSet) -> Option<Arc<Model>> {
    let (id, file) = (set.id, file(set)?);
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(model) = unpacked.get(id) {
        return Some(Arc::clone(model));
    }
    match Model::read::<R>(set, file) {
        Ok(model) => Some(Arc::clone(unpacked.entry(id).or_insert(Arc::new(model)))),
        Err(error) => {
            log::error!("the weights of {id} are not used: {error}");
            None
        }
    }
}
