//! What several blocks of the table share: movement rules to start from, and options.

use super::draws::{self, OneEach};
use super::{Game, Landing, Moves, OptionValue, Parachutists, Promotion, Removal, RuleOption, Term};
use crate::board::{Dirs, E, N, NE, NW, Side, W};

/// Flying king, men capture forward: the Spanish, Czech and Thai families.
pub(super) const FLYING: Moves = Moves { king_slides: true, king_jumps_afar: true, ..Moves::BASE };
/// Flying king, men capture backward too, promotion where the capture ends: Pool; the base of International.
pub(super) const POOL: Moves = Moves { man_capture: Dirs::DIAGONAL, promotion: Promotion::AtEnd, ..FLYING };
/// International: Pool with the majority rule (FMJD 4.13).
pub(super) const INTERNATIONAL: Moves = Moves { choice: &[Term::Count], ..POOL };
/// Russian: free choice, promotion in passing (codex 2004, 1.5.15).
pub(super) const RUSSIAN: Moves = Moves { promotion: Promotion::InPassing, ..POOL };
/// Spanish and Portuguese: quantity, then quality (FPD).
pub(super) const SPANISH: Moves = Moves { choice: &[Term::Count, Term::KingsTaken], ..FLYING };
/// Czech: a king must capture if it can (CZ 4.14).
pub(super) const CZECH: Moves = Moves { choice: &[Term::ByKing], ..FLYING };
/// Frisian: eight directions of capture, the highest value, then the king (FRI 9-12).
pub(super) const FRISIAN: Moves = Moves {
    man_capture: Dirs::ALL,
    king_capture: Dirs::ALL,
    choice: &[Term::Value, Term::ByKing],
    ..INTERNATIONAL
};
/// Thai: short landing, pieces removed at once, a king may turn round.
pub(super) const THAI: Moves =
    Moves { landing: Landing::Behind, removal: Removal::AtOnce, reversal: true, ..FLYING };
/// Turkish: files and ranks, pieces removed at once, majority.
pub(super) const TURKISH: Moves = Moves {
    man_quiet: Dirs::of(&[N, E, W]),
    man_capture: Dirs::of(&[N, E, W]),
    king_quiet: Dirs::ORTHOGONAL,
    king_capture: Dirs::ORTHOGONAL,
    removal: Removal::AtOnce,
    promotion: Promotion::AtEnd,
    choice: &[Term::Count],
    ..FLYING
};
/// Armenian: Turkish with diagonal quiet moves and promotion in passing.
pub(super) const ARMENIAN: Moves = Moves {
    man_quiet: Dirs::of(&[N, NE, NW, E, W]),
    king_quiet: Dirs::ALL,
    promotion: Promotion::InPassing,
    ..TURKISH
};
/// Gothic: five directions for men, eight for the short king.
pub(super) const GOTHIC: Moves = Moves {
    man_quiet: Dirs::of(&[N, NE, NW, E, W]),
    man_capture: Dirs::of(&[N, NE, NW, E, W]),
    king_quiet: Dirs::ALL,
    king_capture: Dirs::ALL,
    ..Moves::BASE
};
/// Croda: a man steps ahead straight or diagonally, jumps along files and ranks; the king is a rook.
pub(super) const CRODA: Moves = Moves {
    man_quiet: Dirs::of(&[N, NE, NW]),
    man_capture: Dirs::ORTHOGONAL,
    king_quiet: Dirs::ORTHOGONAL,
    king_capture: Dirs::ORTHOGONAL,
    promotion: Promotion::AtEnd,
    choice: &[Term::Count],
    ..FLYING
};
/// Alquerque: no kings.
pub(super) const ALQUERQUE: Moves = Moves {
    man_quiet: Dirs::of(&[N, NE, NW, E, W]),
    man_capture: Dirs::ALL,
    removal: Removal::AtOnce,
    promotion: Promotion::Never,
    last_rank_rests: true,
    ..Moves::BASE
};
/// Parachute checkers: Czech with men that jump off their own promotion rank.
pub(super) const PARACHUTE: Moves =
    Moves { parachutists: Parachutists::Some { compulsory: true, goes_on: false }, ..CZECH };

/// A value of an option with its effect.
pub(super) const fn value(name: &'static str, apply: fn(&mut Game)) -> OptionValue {
    OptionValue { name, apply }
}
/// The default value of an option: it changes nothing.
pub(super) const fn default(name: &'static str) -> OptionValue {
    OptionValue { name, apply: |_| {} }
}
/// How often a position must stand.
pub(super) const REPETITION: RuleOption = RuleOption {
    name: "repetition",
    about: "how often a position must stand to be a draw",
    values: &[default("3"), value("4", |game| game.draws.repetition = 4)],
};
/// Who moves first, Black by default.
pub(super) const FIRST_BLACK: RuleOption = RuleOption {
    name: "first",
    about: "who moves first",
    values: &[default("black"), value("white", |game| game.first = Side::White)],
};
/// Who moves first, White by default.
pub(super) const FIRST_WHITE: RuleOption = RuleOption {
    name: "first",
    about: "who moves first",
    values: &[default("white"), value("black", |game| game.first = Side::Black)],
};
/// One piece each (Turkish, Armenian).
pub(super) const ONE_EACH: RuleOption = RuleOption {
    name: "one-against-one",
    about: "one piece each and no capture: drawn, or won by a king against a man",
    values: &[default("draw"), value("king-wins", |game| game.draws.one_each = OneEach::KingWins)],
};
/// One king each (Frisian Art. 21).
pub(super) const ONE_KING_EACH: RuleOption = RuleOption {
    name: "one-king-each",
    about: "one king each: drawn after two moves each, or at once unless a king can be taken now",
    values: &[
        default("two-moves"),
        value("official", |game| {
            game.draws.lone_kings_draw = true;
            game.draws.endings = draws::FRISIAN_OFFICIAL_ENDINGS;
        }),
    ],
};
