//! Integration tests, one binary: rules, data files, public interfaces.

mod conformance;
mod face;
mod layers;
mod perft;
mod slow;
mod support;
mod traps;
mod walks;
