//! Bytes as a PDN file: no panic, faults in one line each with a place, and what is read is written so that it is read
//! again as it was. With a nightly toolchain and cargo-fuzz:
//!
//! ```text
//! cargo +nightly fuzz run pdn -- -runs=100000 -max_len=1024 -seed=8
//! ```

#![no_main]

use libfuzzer_sys::fuzz_target;
use soffio::notation::pdn::{Reader, write};

fuzz_target!(|bytes: &[u8]| {
    let mut found = 0;
    for entry in Reader::new(bytes) {
        found += 1;
        match entry {
            Err(fault) => {
                let text = fault.to_string();
                assert!(fault.line > 0 && fault.column > 0 && fault.game > 0, "{text}");
                assert!(!text.contains(char::is_control), "{text:?}");
            }
            // An unknown move, `-`, would be taken for part of a square before it.
            Ok(game) if game.moves().any(|mv| mv.text.starts_with('-')) => {}
            Ok(game) => {
                let _ = (game.rule_set(), game.outcome(), game.fen());
                let written = write(&game);
                let again: Vec<_> = Reader::new(written.as_bytes()).collect();
                match &again[..] {
                    [Ok(again)] => assert_eq!(write(again), written),
                    other => panic!("{written:?} is read as {other:?}"),
                }
            }
        }
    }
    assert!(found <= bytes.len() + 1);
});
