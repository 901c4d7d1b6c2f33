//! Soffio as an engine of [CheckerBoard](https://github.com/eygilbert/CheckerBoard), version 2 of its interface: a library
//! with `getmove`, `enginecommand` and `islegal`, for one of six games at a time.
//!
//! The GUI's words are taken over here: a *board* is an array of pieces, a *gametype* is a PDN GameType number. What it
//! calls is in [`ffi`], all of it that is unsafe; behind that are the commands ([`commands`]), the search ([`player`]),
//! boards and moves ([`board`]), and the squares of each game ([`variant`]).

pub mod board;
pub mod commands;
pub mod ffi;
pub mod player;
pub mod variant;
