//! How pieces move, as data: the axes on which the games of the family differ.

use crate::board::Dirs;

/// The movement rules of a game. Directions are White's; Black's are the mirror image unless `same_way` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Quiet steps of a man.
    pub man_quiet: Dirs,
    /// Jumps of a man.
    pub man_capture: Dirs,
    /// Jumps of a man that may begin a capture; differs from `man_capture` in one reading of alquerque only.
    pub man_first_capture: Dirs,
    /// Quiet moves of a king.
    pub king_quiet: Dirs,
    /// Jumps of a king.
    pub king_capture: Dirs,
    /// Whether a king's quiet move slides over any number of empty squares.
    pub king_slides: bool,
    /// Whether a king jumps from any distance.
    pub king_jumps_afar: bool,
    /// Where a king that jumps from any distance may land.
    pub landing: Landing,
    /// Whether a man may capture a king.
    pub man_takes_king: bool,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Whether a capture may turn by 180 degrees; it can only matter where pieces are removed at once.
    pub reversal: bool,
    /// When a man that reaches a promotion square in a capture becomes a king.
    pub promotion: Promotion,
    /// The promotion squares.
    pub promotion_squares: PromotionSquares,
    /// The terms of the comparable key by which captures are chosen, first term first; empty: free choice.
    pub choice: &'static [Term],
    /// Linear moves: a line of men advances by its rear man jumping to the front (Dameo).
    pub lines: bool,
    /// Black's men move the same way as White's (One-way checkers).
    pub same_way: bool,
    /// Men that start on their own promotion rank and jump off it (Parachute checkers).
    pub parachutists: Parachutists,
    /// Konane: two opening removals, then jumps straight on with optional continuation; nothing else moves.
    pub konane: bool,
    /// A man on its last rank has no quiet move (alquerque, where men move sideways and never promote).
    pub last_rank_rests: bool,
}

/// Where a king that jumps from any distance may land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square behind the captured piece.
    Any,
    /// On the first square behind it.
    Behind,
    /// On any, but on the first square behind a king captured last.
    BehindLastKing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// After the whole capture; meanwhile they block and may not be jumped again.
    AtEnd,
    /// Each at once, so that lines open during the capture.
    AtOnce,
}

/// When a man that reaches a promotion square in a capture becomes a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// If the capture ends there; it goes on as a man while it can.
    AtEnd,
    /// At once, and the move is over.
    Stops,
    /// At once, and it goes on as a king if it can.
    InPassing,
    /// Never: there are no kings.
    Never,
}

/// The promotion squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionSquares {
    /// The last rank.
    LastRank,
    /// a7 and b8 for White, g1 and h2 for Black (Corner checkers).
    Corner,
}

/// One term of the key that chooses among captures; the greatest key wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The number of captured pieces.
    Count,
    /// 1 if a king captures.
    ByKing,
    /// The number of captured kings.
    KingsTaken,
    /// Kings met as early as possible: the sequence of captured pieces, king = 1, read as a binary number.
    KingsFirst,
    /// 100 a man and 199 a king: more than one man, less than two (Frisian).
    Value,
}

/// What a parachutist may and must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parachutists {
    /// The game has none.
    None,
    /// There are some.
    Some {
        /// Whether a parachutist's capture is compulsory.
        compulsory: bool,
        /// Whether it goes on capturing as a man after its jump.
        goes_on: bool,
    },
}

impl Moves {
    /// English draughts: short king, men forward only, free choice, promotion ends the move.
    pub const BASE: Self = Self {
        man_quiet: Dirs::DIAGONAL_AHEAD,
        man_capture: Dirs::DIAGONAL_AHEAD,
        man_first_capture: Dirs::ALL,
        king_quiet: Dirs::DIAGONAL,
        king_capture: Dirs::DIAGONAL,
        king_slides: false,
        king_jumps_afar: false,
        landing: Landing::Any,
        man_takes_king: true,
        removal: Removal::AtEnd,
        reversal: false,
        promotion: Promotion::Stops,
        promotion_squares: PromotionSquares::LastRank,
        choice: &[],
        lines: false,
        same_way: false,
        parachutists: Parachutists::None,
        konane: false,
        last_rank_rests: false,
    };

    /// Whether captures are chosen by a key in which `term` counts.
    pub const fn chooses_by(&self, term: Term) -> bool {
        let mut i = 0;
        while i < self.choice.len() {
            if self.choice[i] as u8 == term as u8 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether men can return to a position they have left without a promotion or a capture: they step sideways.
    pub const fn men_step_sideways(&self) -> bool {
        self.man_quiet.has(crate::board::E)
    }

    /// Whether there are parachutists.
    pub const fn has_parachutists(&self) -> bool {
        matches!(self.parachutists, Parachutists::Some { .. })
    }
}
