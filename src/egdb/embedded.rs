//! The tables that the program carries. `data/egdb/README.md` says how the files were made.
//!
//! A file is the files of some slices, one after the other, each after its size in bytes as a little-endian word of 32
//! bits.

use super::file::{Fault, Table};
use super::judge::Ends;
use super::movement::Movement;
use super::{Identity, Loading, Material, Prober};
use crate::bits::Bits;
use crate::rules::{Game, RULE_SETS, RuleSet};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

macro_rules! embedded {
    ($($id:literal),* $(,)?) => {
        const FILES: &[(&str, &[u8])] =
            &[$(($id, include_bytes!(concat!("../../data/egdb/", $id, ".egdb")))),*];
    };
}

embedded!("english", "italian");

/// Bytes of the cache: enough for all that a file has.
const CACHE: usize = 16 << 20;

/// Tables that have been made ready, by rule set.
static READY: Mutex<BTreeMap<&str, Arc<dyn Any + Send + Sync>>> = Mutex::new(BTreeMap::new());

/// The tables of a game with these movement rules, if there are any: those of a rule set that plays the same way to the same
/// end.
pub fn tables<B: Bits>(game: &Game, rules: Movement<B>) -> Option<Arc<Prober<B>>> {
    let same = |set: &&RuleSet| {
        let one_each = set.draws.one_each == game.draws.one_each;
        set.kernel == game.kernel() && set.goal == game.set.goal && one_each && !game.draws.king_limit
    };
    let carried = |set: &RuleSet| FILES.iter().find(|(id, _)| *id == set.id);
    let (set, &(id, file)) = RULE_SETS.iter().filter(same).find_map(|set| Some((set, carried(set)?)))?;
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = ready.get(id) {
        return Arc::clone(known).downcast().ok();
    }
    match read(&Game::new(set), rules, file) {
        Ok(prober) => {
            let prober = Arc::new(prober);
            ready.insert(id, Arc::clone(&prober) as _);
            Some(prober)
        }
        Err(fault) => {
            log::error!("the endgame tables of {id} are not used: {fault:?}");
            None
        }
    }
}

fn read<B: Bits>(game: &Game, rules: Movement<B>, mut file: &[u8]) -> Result<Prober<B>, Fault> {
    let mut list: Vec<(Material, Table)> = Vec::new();
    while let Some((size, rest)) = file.split_first_chunk() {
        let size = u32::from_le_bytes(*size) as usize;
        let (bytes, rest) = rest.split_at_checked(size).ok_or(Fault::Size)?;
        let table = Table::parse(bytes)?;
        if table.header.identity != Identity::of(game) {
            return Err(Fault::Foreign(table.header.identity.directory(), game.set.id.to_owned()));
        }
        list.push((table.header.material(), table));
        file = rest;
    }
    let pieces = list.iter().map(|(material, _)| material.pieces()).max().unwrap_or(0);
    let loading = Loading { pieces, ..Loading::default() };
    Ok(Prober::new(Ends::of(game), rules, list, loading, CACHE))
}

/// The bytes of a file of these.
///
/// # Errors
/// One is too large.
pub fn bundle(files: &[Vec<u8>]) -> Result<Vec<u8>, Fault> {
    let mut bundle = Vec::new();
    for file in files {
        let size = u32::try_from(file.len()).map_err(|_| Fault::Size)?;
        bundle.extend(size.to_le_bytes());
        bundle.extend(file);
    }
    Ok(bundle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{English, find};

    #[test]
    fn tables_are_there_and_shared() {
        let game = |id| Game::new(find(id).unwrap());
        let first = tables(&game("english"), Movement::of::<English>(|_, _| None)).unwrap();
        assert_eq!((first.loading().pieces, first.loading().slices), (4, 41));
        let again = tables(&game("checkers"), Movement::of::<English>(|_, _| None)).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert!(tables(&game("anti-english"), Movement::of::<English>(|_, _| None)).is_none());
        assert!(FILES.iter().map(|(_, file)| file.len()).sum::<usize>() < 3 << 20);
    }
}
