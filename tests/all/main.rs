//! Integration tests, one binary: rules, data files, public interfaces.

mod cli;
mod clients;
mod compliance;
mod conformance;
mod counters;
mod drive;
mod eval;
mod face;
mod faulty;
mod garbage;
mod horizon;
mod hub;
mod layers;
mod matches;
mod odd;
mod options;
mod pdn;
mod pdn_files;
mod perft;
mod readme;
mod script;
mod search;
mod slow;
mod support;
mod traps;
mod walks;
