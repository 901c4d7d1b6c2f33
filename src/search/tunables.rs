//! The numbers of the tree search that matches have chosen, in one table, so that a tuner can try others.
//!
//! They are not part of what users see: Hub takes `set-param name=tune.NAME value=N` without declaring it, and
//! `examples/spsa.rs` plays matches with it.

use std::ops::RangeInclusive;

macro_rules! tunables {
    ($($(#[doc = $doc:literal])* $field:ident = $default:literal in $range:expr;)*) => {
        /// Numbers of the tree search. Depths are plies, margins 1/100 man.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tunables {
            $($(#[doc = $doc])* #[allow(missing_docs)] pub $field: i32,)*
        }

        impl Default for Tunables {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl Tunables {
            /// What matches have chosen.
            pub const DEFAULT: Self = Self { $($field: $default,)* };
            /// Names, defaults and ranges.
            pub const TABLE: &'static [(&'static str, i32, RangeInclusive<i32>)] =
                &[$((stringify!($field), $default, $range)),*];

            /// The number of this name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($field) => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

tunables! {
    /// ProbCut (Scan's): from this depth on a shallow search that beats beta by a margin stands for the whole.
    probcut_depth = 3 in 1..=100;
    /// Margin a ply of depth.
    probcut_margin = 10 in 1..=100;
    /// Depth of the shallow search, in percent of the depth.
    probcut_share = 40 in 0..=90;
    /// Late move reductions: from this depth on.
    late_depth = 3 in 1..=100;
    /// Moves from this index on lose a ply, in the principal variation.
    late_pv = 3 in 1..=100;
    /// The same elsewhere.
    late = 3 in 1..=100;
    /// Another ply beside the principal variation.
    very_late = 6 in 1..=100;
    /// Nodes of which the table has no move are searched a ply less deep, from this depth on.
    iir_depth = 4 in 1..=100;
    /// Quiet moves from an index plus depth squared on are left out beside the principal variation, up to this depth.
    prune_depth = 2 in 0..=10;
    /// The index.
    prune_index = 4 in 1..=40;
    /// How often on a line a leaf in which the opponent threatens to capture is searched a ply further.
    threats = 1 in 0..=4;
    /// Weight of the replies to the move before in the order, in percent.
    replies = 50 in 0..=400;
    /// What the history adds to the move that was best, a squared ply.
    bonus = 16 in 1..=100;
    /// At most.
    bonus_max = 1600 in 100..=8000;
}
