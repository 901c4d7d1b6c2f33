//! The counters that end a game, as data. Numbers are plies; what each means exactly is said in the referee, which
//! alone applies them.

/// The draw rules of a game. A count of 0 means that the rule does not exist there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// A position that has stood this often is a draw.
    pub repetition: u8,
    /// Quiet king moves in a row.
    pub king_moves: u16,
    /// The king-move count holds only with kings on both sides and at least this many pieces.
    pub king_moves_from: u8,
    /// Plies without a capture.
    pub no_capture: u16,
    /// Material that draws after a number of plies.
    pub endings: &'static [Ending],
    /// What happens when each side has one piece and the side to move cannot capture.
    pub one_each: OneEach,
    /// One king each is drawn at once unless a king can be taken now (Frisian Art. 21).
    pub lone_kings_draw: bool,
    /// No more than three quiet moves in a row with the same king while its side has a man (Frisian Art. 17).
    pub king_limit: bool,
}

impl Draws {
    /// Threefold repetition and nothing else.
    pub const REPETITION: Self = Self {
        repetition: 3,
        king_moves: 0,
        king_moves_from: 0,
        no_capture: 0,
        endings: &[],
        one_each: OneEach::PlaysOn,
        lone_kings_draw: false,
        king_limit: false,
    };
    /// No draw rule at all.
    pub const NONE: Self = Self { repetition: 0, ..Self::REPETITION };

    /// Threefold repetition and `plies` quiet king moves.
    pub const fn king_moves(plies: u16) -> Self {
        Self { king_moves: plies, ..Self::REPETITION }
    }
    /// The same draw rules with material endings.
    pub const fn with_endings(self, endings: &'static [Ending]) -> Self {
        Self { endings, ..self }
    }
}

/// One piece each, and the side to move cannot capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneEach {
    /// The game goes on.
    PlaysOn,
    /// Drawn at once.
    Draw,
    /// Drawn at once, but a king wins against a man.
    KingWins,
}

/// A material class that draws when it has lasted `plies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The class.
    pub class: Class,
    /// How long it may last.
    pub plies: u16,
}

/// Most endings of a rule set (a size for counters).
pub const MAX_ENDINGS: usize = 5;

/// Material classes. "Either way round" throughout. What the count is tied to is said in square brackets: when that
/// changes, the count starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Exactly so many kings against so many, no men.
    Kings(u8, u8),
    /// `min..=max` pieces with at least a king against a lone king.
    AgainstLoneKing {
        /// Fewest pieces.
        min: u8,
        /// Most pieces.
        max: u8,
    },
    /// 2K v 2K, 2K v K, 2K v K+M, K v K or K v K+M [men and kings of each side] (CBD rules of Brazilian draughts).
    FewKings,
    /// Three or more kings without men against a lone king [number of kings] (fmjd64 7.2.4).
    ManyKings,
    /// `min..=max` pieces in all, kings on both sides, not [`Class::ManyKings`] and not at most two pieces against a
    /// lone king [men and kings of each side] (fmjd64 7.2.6).
    Balance {
        /// Fewest pieces.
        min: u8,
        /// Most pieces.
        max: u8,
    },
    /// Three pieces with at least a king against a lone king on the diagonal a1-h8 with nothing else on it
    /// (fmjd64 7.2.7).
    MainRoad,
}

const fn ending(class: Class, plies: u16) -> Ending {
    Ending { class, plies }
}

/// FMJD Annex 1 (2015), 6.3 and 6.4.
pub const FMJD_ENDINGS: &[Ending] = &[
    ending(Class::AgainstLoneKing { min: 3, max: 3 }, 32),
    ending(Class::AgainstLoneKing { min: 1, max: 2 }, 10),
];
/// FMJD-64 (IDF) 7.2.4 to 7.2.8, as lidraughts counts them.
pub const FMJD64_ENDINGS: &[Ending] = &[
    ending(Class::ManyKings, 30),
    ending(Class::Balance { min: 4, max: 5 }, 60),
    ending(Class::Balance { min: 6, max: 7 }, 120),
    ending(Class::MainRoad, 10),
    ending(Class::AgainstLoneKing { min: 1, max: 2 }, 10),
];
/// The same without the main road, which the 10x8 board does not have.
pub const SPANTSIRETI_ENDINGS: &[Ending] =
    &[FMJD64_ENDINGS[0], FMJD64_ENDINGS[1], FMJD64_ENDINGS[2], FMJD64_ENDINGS[4]];
/// CBD (Brazilian confederation): five moves each.
pub const CBD_ENDINGS: &[Ending] = &[ending(Class::FewKings, 10)];
/// Three kings against one: 20 moves each ("Regras do Jogo Damas Italianas").
pub const THREE_KINGS_40: &[Ending] = &[ending(Class::Kings(3, 1), 40)];
/// Three kings against one: 12 moves each (Spanish family).
pub const THREE_KINGS_24: &[Ending] = &[ending(Class::Kings(3, 1), 24)];
/// Three kings against one: 13 moves each (pool checkers).
pub const THREE_KINGS_26: &[Ending] = &[ending(Class::Kings(3, 1), 26)];
/// Frisian Art. 21: 2K v 1K seven moves each, 1K v 1K two moves each.
pub const FRISIAN_ENDINGS: &[Ending] = &[ending(Class::Kings(2, 1), 14), ending(Class::Kings(1, 1), 4)];
/// The same where one king each is judged at once.
pub const FRISIAN_OFFICIAL_ENDINGS: &[Ending] = &[FRISIAN_ENDINGS[0]];

/// Russian and other FMJD-64 games.
pub const FMJD64: Draws =
    Draws { king_moves: 30, king_moves_from: 8, ..Draws::REPETITION }.with_endings(FMJD64_ENDINGS);
/// International and its kin.
pub const FMJD: Draws = Draws::king_moves(50).with_endings(FMJD_ENDINGS);
/// Frisian and Frysk.
pub const FRISIAN: Draws = Draws { king_limit: true, ..Draws::REPETITION }.with_endings(FRISIAN_ENDINGS);
