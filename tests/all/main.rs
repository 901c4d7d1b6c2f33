//! Integration tests, one binary: rules, data files, public interfaces.

mod cli;
mod clients;
mod conformance;
mod counters;
mod drive;
mod eval;
mod face;
mod garbage;
mod hub;
mod layers;
mod odd;
mod options;
mod perft;
mod script;
mod search;
mod slow;
mod support;
mod traps;
mod walks;
