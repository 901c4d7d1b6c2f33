//! Training data for evaluations: games of the engine against itself, the files that hold them, and what is in them.
//!
//! [`selfplay`] makes games, [`Reader`] gives them back, [`Data`] loads files for a fit and merges what stands in them more
//! than once, [`fit`] finds weights, [`Stats`] counts. The format of the files is said in [`record`].

mod data;
mod file;
pub mod fit;
mod player;
pub mod record;
pub mod selfplay;
mod stats;

pub use data::{Data, Sample};
pub use file::{FileError, Header, Reader, Writer};
pub use record::{End, Played, Record};
pub use stats::Stats;
