//! Batch analysis: positions or games in, a record for each position or move out, in the order of the input and in memory
//! for a few games.
//!
//! [`Source`] reads the input, [`analyse`] searches what it holds on several threads, [`Record`] is what is found, and
//! [`Format`] writes it as JSON lines, text, annotated PDN or an HTML report. [`Journal`] goes on with a file of records
//! that was cut off, [`merge()`] joins the files of several machines, and [`recall`] takes records for searches.
//!
//! Every position is searched by one thread that has forgotten everything before (`Session::new_game`), so that what is
//! found depends on the position and the game up to it alone: at fixed nodes or depth it is the same with any number of
//! threads or shards, and after any interruption. The game up to it counts, because repetitions do.

mod annotate;
mod html;
mod journal;
mod judge;
mod merge;
mod output;
mod record;
mod run;
mod source;
mod speech;
mod study;
mod text;

pub use journal::{Journal, JournalError};
pub use judge::{Mark, expectation};
pub use merge::{MergeError, merge};
pub use output::{Format, Report};
pub use record::{Chances, Record, Records, Variation};
pub use run::{Event, RecallError, analyse, recall};
pub use source::{Choice, Entry, Kind, Line, Part, Ply, Position, Source, Unit};
pub use study::{Clock, Settings};
