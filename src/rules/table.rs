//! THE table of rule sets. A block is a kernel (movement rules on a board) and the rule sets that are played by it;
//! a kernel without rule sets serves an option of one. Section and source names are those of the rules of record: FMJD
//! "Annex 1" (2015), FRI the Official Rules for Frisian Draughts (2011), FID and FPD the Italian and Portuguese
//! federations, WCDF the English one, APCA American pool, CBD Brazil, BK n the rule page n of BrainKing, PDN 3.0.

use super::draws::{self, Draws, OneEach};
use super::presets::*;
use super::{
    Goal, Landing, Moves, Numbering, Parachutists, Promotion, PromotionSquares, Removal, RuleOption, RuleSet,
    Rules, Term, Visitor,
};
use crate::board::{
    Alquerque as AlquerqueBoard, Board, Dark8, Dark10, Dark10Wide, Dark10x8, Dark12, Dirs, E, Full8, Layout,
    N, NE, NW, Side, W,
};

/// Expands the table to the kernel types, `enum Kernel` with its dispatch, and `RULE_SETS`.
macro_rules! families {
    ($($(#[$doc:meta])* $kernel:ident: $board:ty = $moves:expr => [$($set:expr),* $(,)?];)*) => {
        $($(#[$doc])* #[derive(Clone, Copy, Debug, PartialEq)] pub struct $kernel;
        impl Rules for $kernel {
            type Board = $board;
            const MOVES: Moves = $moves;
            const KERNEL: Kernel = Kernel::$kernel;
        })*

        /// A kernel chosen at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel { $($(#[$doc])* $kernel),* }

        impl Kernel {
            /// All kernels, in the order of the table.
            pub const ALL: [Self; [$(stringify!($kernel)),*].len()] = [$(Self::$kernel),*];

            /// Runs `visitor` compiled for this kernel.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self { $(Self::$kernel => visitor.visit::<$kernel>()),* }
            }
            /// Its movement rules.
            pub const fn moves(self) -> Moves {
                match self { $(Self::$kernel => <$kernel as Rules>::MOVES),* }
            }
            /// Its board.
            pub const fn layout(self) -> Layout {
                match self { $(Self::$kernel => <$board as Board>::LAYOUT),* }
            }
        }

        /// All rule sets, in the order of the table.
        pub static RULE_SETS: &[RuleSet] = &[$($(RuleSet { kernel: Kernel::$kernel, ..$set },)*)*];
    };
}

/// The rule set all others are written as a difference from.
const ITALIAN_SET: RuleSet = RuleSet {
    id: "italian",
    name: "Italian draughts",
    aliases: &["dama", "dama-italiana", "fid"],
    game_type: "22,W,8,8,N2,1",
    kernel: Kernel::Italian,
    first: Side::White,
    start: "W21-32:B1-12",
    numbering: Numbering::TopMirrored,
    algebraic: false,
    capture_sign: 'x',
    goal: Goal::LastMove,
    draws: Draws::king_moves(80),
    options: &[REPETITION],
    sources: "FID Regolamento tecnico 2.3-6.10; draws: 3rd repetition and 40 moves each",
};
const INTERNATIONAL_SET: RuleSet = RuleSet {
    id: "international",
    name: "International draughts",
    aliases: &["normal", "standard", "10x10"],
    game_type: "20,W,10,10,N2,0",
    start: "W31-50:B1-20",
    numbering: Numbering::Top,
    draws: draws::FMJD,
    options: &[],
    sources: "FMJD Annex 1 (2015) 3.5-6.4",
    ..ITALIAN_SET
};
/// Eight by eight with algebraic names, White first.
const RUSSIAN_SET: RuleSet = RuleSet {
    id: "russian",
    name: "Russian draughts",
    aliases: &["shashki"],
    game_type: "25,W,8,8,A0,0",
    start: "W21-32:B1-12",
    algebraic: true,
    capture_sign: ':',
    draws: draws::FMJD64,
    sources: "Russian codex 2004 1.4.5-1.5.15; FMJD-64 7.2.3-7.2.8",
    ..INTERNATIONAL_SET
};
const CZECH_SET: RuleSet = RuleSet {
    id: "czech",
    name: "Czech draughts",
    aliases: &["ceska-dama"],
    game_type: "29,W,8,8,A0,0",
    capture_sign: 'x',
    draws: Draws::king_moves(30),
    sources: "Czech federation 2.1-4.14; BK 29; king-move count as Russian 7.2.5",
    ..RUSSIAN_SET
};
/// All 64 squares.
const TURKISH_SET: RuleSet = RuleSet {
    id: "turkish",
    name: "Turkish draughts",
    aliases: &["turkish-dama", "turk-damasi"],
    game_type: "30,W,8,8,A0,0",
    start: "W41-56:B9-24",
    draws: Draws { one_each: OneEach::Draw, ..Draws::king_moves(80) },
    options: &[ONE_EACH],
    sources: "BK 36; damaturk.com; damaakademisi.com 19b",
    ..CZECH_SET
};
const ENGLISH_SET: RuleSet = RuleSet {
    id: "english",
    name: "English draughts",
    aliases: &["american", "anglo-american", "american-checkers", "straight-checkers"],
    game_type: "21,B,8,8,N1,0",
    first: Side::Black,
    algebraic: false,
    draws: Draws::king_moves(80),
    options: &[FIRST_BLACK],
    sources: "WCDF 1.1-1.32",
    ..CZECH_SET
};
const SPANISH_SET: RuleSet = RuleSet {
    id: "spanish",
    name: "Spanish draughts",
    aliases: &["damas-espanolas"],
    game_type: "24,W,8,8,N1,1",
    start: "W1-12:B21-32",
    numbering: Numbering::BottomMirrored,
    draws: Draws::king_moves(40).with_endings(draws::THREE_KINGS_24),
    options: &[],
    sources: "FPD laws 3, 7 (same rules); 3K v 1K 12 moves",
    ..ITALIAN_SET
};
const POOL_SET: RuleSet = RuleSet {
    id: "pool",
    name: "American pool checkers",
    aliases: &["american-pool", "pool-checkers"],
    game_type: "23,B,8,8,N1,0",
    draws: Draws::king_moves(30).with_endings(draws::THREE_KINGS_26),
    options: &[],
    sources: "APCA rules 14-26; 3K v 1K 13 moves",
    ..ENGLISH_SET
};

families! {
    /// Italian (RULES 3.15): short king, a man may not take a king, quantity and quality.
    Italian: Dark8 = Moves {
        man_takes_king: false, // 5.3 b
        choice: &[Term::Count, Term::ByKing, Term::KingsTaken, Term::KingsFirst], // 6.6-6.9
        ..Moves::BASE
    } => [
        ITALIAN_SET,
        RuleSet {
            id: "anti-italian",
            name: "Losing Italian draughts",
            aliases: &["vinciperdi"],
            game_type: "",
            goal: Goal::Misere,
            draws: Draws::REPETITION,
            options: &[],
            sources: "Italian (FID) with the goal turned round",
            ..ITALIAN_SET
        },
    ];
    /// Italian draughts as the "Regras do Jogo Damas Italianas" have it: flying king, quantity alone.
    ItalianFlying: Dark8 = Moves { man_takes_king: false, choice: &[Term::Count], ..FLYING } => [
        RuleSet {
            id: "italian-flying",
            name: "Italian draughts with flying kings",
            aliases: &[],
            game_type: "",
            draws: Draws::king_moves(40).with_endings(draws::THREE_KINGS_40),
            sources: "\"Regras do Jogo Damas Italianas\"",
            ..CZECH_SET
        },
    ];
    /// Italian draughts as the "Reglas del Juego Damas Italianas" have it: quantity alone, men take kings.
    ItalianFree: Dark8 = Moves { choice: &[Term::Count], ..Moves::BASE } => [
        RuleSet {
            id: "italian-free",
            name: "Italian draughts by quantity alone",
            aliases: &[],
            game_type: "",
            options: &[REPETITION, RuleOption {
                name: "king",
                about: "whether a king's quiet move is one step or any distance",
                values: &[default("short"), value("long-quiet", |game| game.moves.king_slides = true)],
            }],
            sources: "\"Reglas del Juego Damas Italianas\"",
            ..ITALIAN_SET
        },
    ];
    /// `italian-free` with `king=long-quiet`.
    ItalianFreeLong: Dark8 = Moves { king_slides: true, ..ItalianFree::MOVES } => [];

    /// English (RULES 3.13): short king, free choice.
    English: Dark8 = Moves::BASE => [
        RuleSet {
            id: "checkers",
            name: "Checkers (house rules)",
            aliases: &["cardgames"],
            game_type: "",
            first: Side::White,
            draws: Draws { no_capture: 100, ..Draws::REPETITION },
            options: &[FIRST_WHITE],
            sources: "cardgames.io Checkers",
            ..ENGLISH_SET
        },
        ENGLISH_SET,
        RuleSet {
            id: "anti-english",
            name: "Losing English draughts",
            aliases: &["anti-checkers", "giveaway", "suicide-checkers"],
            game_type: "",
            goal: Goal::Misere,
            draws: Draws::REPETITION,
            options: &[],
            sources: "BK 8; everything2 Anti-Checkers",
            ..ENGLISH_SET
        },
    ];

    /// Czech (RULES 3.18): flying king, king first, free choice.
    Czech: Dark8 = CZECH => [
        CZECH_SET,
    ];
    /// Corner checkers (RULES 3.19): promotion in two corners.
    Corner: Dark8 = Moves { promotion_squares: PromotionSquares::Corner, ..CZECH } => [
        RuleSet {
            id: "corner",
            name: "Corner checkers",
            aliases: &["corner-checkers"],
            game_type: "",
            start: "Wc1,e1,g1,d2,f2,h2,e3,g3,f4,h4,g5,h6:Bb8,d8,f8,a7,c7,e7,b6,d6,a5,c5,b4,a3",
            sources: "BK 30",
            ..CZECH_SET
        },
    ];
    /// One-way checkers (RULES 3.20): both sides' men move up the board.
    OneWay: Dark8 = Moves { same_way: true, ..CZECH } => [
        RuleSet {
            id: "one-way",
            name: "One-way checkers",
            aliases: &["one-way-checkers"],
            game_type: "",
            start: "Wa1,c1,b2,d2,a3,c3,b4,d4,a5,c5,b6,d6:Be1,g1,f2,h2,e3,g3,f4,h4,e5,g5,f6,h6",
            options: &[RuleOption {
                name: "white",
                about: "which half of the board White starts on",
                values: &[default("left"), value("right", |game| {
                    game.start = "We1,g1,f2,h2,e3,g3,f4,h4,e5,g5,f6,h6:Ba1,c1,b2,d2,a3,c3,b4,d4,a5,c5,b6,d6";
                })],
            }],
            sources: "BK 31; which side is left: ppdf",
            ..CZECH_SET
        },
    ];
    /// Parachute checkers (RULES 3.21).
    Parachute: Dark8 = PARACHUTE => [
        RuleSet {
            id: "parachute",
            name: "Parachute checkers",
            aliases: &["parachute-checkers"],
            game_type: "",
            start: "Wa3,c3,e3,g3,b2,d2,f2,h2,Pb8,Pd8,Pf8,Ph8:Bb6,d6,f6,h6,a7,c7,e7,g7,Pa1,Pc1,Pe1,Pg1",
            options: &[RuleOption {
                name: "parachutist",
                about: "whether a parachutist's capture is compulsory",
                values: &[default("compulsory"), value("optional", |game| {
                    if let Parachutists::Some { compulsory, .. } = &mut game.moves.parachutists {
                        *compulsory = false;
                    }
                })],
            }, RuleOption {
                name: "landing",
                about: "whether a parachutist that has landed stops or goes on taking as a man",
                values: &[default("stop"), value("continue", |game| {
                    if let Parachutists::Some { goes_on, .. } = &mut game.moves.parachutists {
                        *goes_on = true;
                    }
                })],
            }],
            sources: "BK 32",
            ..CZECH_SET
        },
    ];
    /// `parachute` with `parachutist=optional`.
    ParachuteOptional: Dark8 =
        Moves { parachutists: Parachutists::Some { compulsory: false, goes_on: false }, ..PARACHUTE } => [];
    /// `parachute` with `landing=continue`.
    ParachuteContinue: Dark8 =
        Moves { parachutists: Parachutists::Some { compulsory: true, goes_on: true }, ..PARACHUTE } => [];
    /// `parachute` with `parachutist=optional` and `landing=continue`.
    ParachuteOptionalContinue: Dark8 =
        Moves { parachutists: Parachutists::Some { compulsory: false, goes_on: true }, ..PARACHUTE } => [];

    /// Gothic checkers (RULES 3.22).
    Gothic: Full8 = GOTHIC => [
        RuleSet {
            id: "gothic",
            name: "Gothic checkers",
            aliases: &["gothic-checkers"],
            game_type: "",
            start: "W49-64:B1-16",
            draws: Draws::king_moves(80),
            options: &[RuleOption {
                name: "men",
                about: "quiet moves of men in five directions, or diagonal with maximum capture",
                values: &[default("five"), value("diagonal", |game| {
                    game.moves.man_quiet = Dirs::DIAGONAL_AHEAD;
                    game.moves.choice = &[Term::Count];
                })],
            }],
            sources: "BK 35",
            ..TURKISH_SET
        },
    ];
    /// `gothic` with `men=diagonal`.
    GothicDiagonal: Full8 =
        Moves { man_quiet: Dirs::DIAGONAL_AHEAD, choice: &[Term::Count], ..GOTHIC } => [];

    /// Turkish (RULES 3.23).
    Turkish: Full8 = TURKISH => [
        TURKISH_SET,
    ];
    /// Armenian (RULES 3.24).
    Armenian: Full8 = ARMENIAN => [
        RuleSet {
            id: "armenian",
            name: "Armenian draughts",
            aliases: &["tama"],
            game_type: "",
            options: &[ONE_EACH, RuleOption {
                name: "removal",
                about: "whether captured pieces leave the board at once or at the end of the capture",
                values: &[default("at-once"), value("end", |game| game.moves.removal = Removal::AtEnd)],
            }],
            sources: "Wikipedia Armenian draughts; Ludii Tama",
            ..TURKISH_SET
        },
    ];
    /// `armenian` with `removal=end`.
    ArmenianEnd: Full8 = Moves { removal: Removal::AtEnd, ..ARMENIAN } => [];

    /// Alquerque (RULES 3.32).
    Alquerque: AlquerqueBoard = ALQUERQUE => [
        RuleSet {
            id: "alquerque",
            name: "Alquerque",
            aliases: &["quirkat"],
            game_type: "",
            start: "W14-25:B1-12",
            draws: Draws::REPETITION,
            options: &[RuleOption {
                name: "first-jump",
                about: "whether a capture may begin in any direction or forward and sideways only",
                values: &[default("any"), value("forward", |game| {
                    game.moves.man_first_capture = Dirs::of(&[N, NE, NW, E, W]);
                })],
            }],
            sources: "BK 53; Ludii",
            ..TURKISH_SET
        },
    ];
    /// `alquerque` with `first-jump=forward`.
    AlquerqueForward: AlquerqueBoard =
        Moves { man_first_capture: Dirs::of(&[N, NE, NW, E, W]), ..ALQUERQUE } => [];
    /// Hawaiian checkers (RULES 3.33).
    Hawaiian: Full8 = Moves {
        man_quiet: Dirs::NONE,
        man_capture: Dirs::ORTHOGONAL,
        removal: Removal::AtOnce,
        promotion: Promotion::Never,
        konane: true,
        ..Moves::BASE
    } => [
        RuleSet {
            id: "hawaiian",
            name: "Hawaiian checkers",
            aliases: &["konane"],
            game_type: "",
            first: Side::Black,
            start: concat!(
                "W2,4,6,8,9,11,13,15,18,20,22,24,25,27,29,31,34,36,38,40,41,43,45,47,50,52,54,56,57,59,61,63:",
                "B1,3,5,7,10,12,14,16,17,19,21,23,26,28,30,32,33,35,37,39,42,44,46,48,49,51,53,55,58,60,62,64"
            ),
            draws: Draws::NONE,
            options: &[],
            sources: "BK 94",
            ..TURKISH_SET
        },
    ];

    /// International (RULES 3.1) on 10x10, and the games with another goal.
    International: Dark10 = INTERNATIONAL => [
        INTERNATIONAL_SET,
        RuleSet {
            id: "breakthrough",
            name: "Breakthrough draughts",
            aliases: &["bt"],
            game_type: "",
            goal: Goal::Breakthrough,
            draws: Draws::NONE,
            sources: "lidraughts Breakthrough",
            ..INTERNATIONAL_SET
        },
        RuleSet {
            id: "antidraughts",
            name: "Antidraughts",
            aliases: &["losing", "anti-international"],
            game_type: "",
            goal: Goal::Misere,
            draws: Draws::REPETITION,
            sources: "lidraughts Antidraughts",
            ..INTERNATIONAL_SET
        },
    ];
    /// Russian (RULES 3.9).
    Russian: Dark8 = RUSSIAN => [
        RUSSIAN_SET,
        RuleSet {
            id: "anti-russian",
            name: "Losing Russian draughts",
            aliases: &["poddavki"],
            game_type: "",
            goal: Goal::Misere,
            draws: Draws::REPETITION,
            sources: "fpclub.eu poddavki",
            ..RUSSIAN_SET
        },
    ];
    /// Canadian and Sri Lankan (RULES 3.26): International on 12x12.
    Canadian: Dark12 = INTERNATIONAL => [
        RuleSet {
            id: "canadian",
            name: "Canadian draughts",
            aliases: &["12x12"],
            game_type: "27,W,12,12,N2,0",
            start: "W43-72:B1-30",
            sources: "FMJD Annex 1 on 12x12; PDN 3.0 GameType 27",
            ..INTERNATIONAL_SET
        },
        RuleSet {
            id: "sri-lankan",
            name: "Sri Lankan draughts",
            aliases: &["srilankan"],
            game_type: "",
            start: "W43-72:B1-30",
            numbering: Numbering::TopMirrored,
            sources: "FMJD Annex 1 on the mirrored 12x12 board",
            ..INTERNATIONAL_SET
        },
    ];
    /// Thai (RULES 3.25).
    Thai: Dark8 = THAI => [
        RuleSet {
            id: "thai",
            name: "Thai draughts",
            aliases: &["makhos"],
            game_type: "31,B,8,8,N2,0",
            start: "W25-32:B1-8",
            algebraic: false,
            draws: Draws::king_moves(80),
            options: &[FIRST_WHITE, RuleOption {
                name: "reverse",
                about: "whether a king may turn by 180 degrees in a capture",
                values: &[default("allowed"), value("forbidden", |game| game.moves.reversal = false)],
            }],
            sources: "PDN 3.0 GameType 31; mindsports; dctl",
            ..CZECH_SET
        },
    ];
    /// `thai` with `reverse=forbidden`.
    ThaiForward: Dark8 = Moves { reversal: false, ..THAI } => [];
    /// Brazilian and Philippine (RULES 3.7, 3.28): International on 8x8.
    Brazilian: Dark8 = INTERNATIONAL => [
        RuleSet {
            id: "brazilian",
            name: "Brazilian draughts",
            aliases: &["brasileiras"],
            game_type: "26,W,8,8,A0,0",
            draws: Draws::king_moves(40).with_endings(draws::CBD_ENDINGS),
            options: &[RuleOption {
                name: "draws",
                about: "the confederation's draw rules or those of FMJD-64",
                values: &[default("seed1"), value("idf64", |game| game.draws = draws::FMJD64)],
            }],
            sources: "CBD official rules; BK 120",
            ..CZECH_SET
        },
        RuleSet {
            id: "philippine",
            name: "Philippine draughts",
            aliases: &["derecha"],
            game_type: "",
            numbering: Numbering::TopMirrored,
            draws: draws::FMJD,
            sources: "Wikipedia; dctl: International on the mirrored 8x8 board",
            ..CZECH_SET
        },
        RuleSet {
            id: "anti-brazilian",
            name: "Losing Brazilian draughts",
            aliases: &["losing-brazilian"],
            game_type: "",
            goal: Goal::Misere,
            draws: Draws::REPETITION,
            sources: "Brazilian with the goal turned round",
            ..CZECH_SET
        },
    ];
    /// Spanish and Portuguese (RULES 3.16).
    Spanish: Dark8 = SPANISH => [
        SPANISH_SET,
        RuleSet {
            id: "portuguese",
            name: "Portuguese draughts",
            aliases: &["damas-classicas"],
            game_type: "28,W,8,8,N1,1",
            sources: "FPD laws 3, 7; 3K v 1K 12 moves",
            ..SPANISH_SET
        },
    ];
    /// Argentinian (RULES 3.17): Spanish with short landing.
    Argentinian: Dark8 = Moves { landing: Landing::Behind, ..SPANISH } => [
        RuleSet {
            id: "argentinian",
            name: "Argentinian draughts",
            aliases: &[],
            game_type: "",
            options: &[RuleOption {
                name: "landing",
                about: "whether a king lands directly behind the captured piece or anywhere",
                values: &[default("behind"), value("long", |game| game.moves.landing = Landing::Any)],
            }, RuleOption {
                name: "precedence",
                about: "among captures of the same number: most kings taken, or a capture by a king",
                values: &[default("count-kings"), value("king-first", |game| {
                    game.moves.choice = &[Term::Count, Term::ByKing];
                })],
            }],
            sources: "Wikipedia (older and current copies)",
            ..SPANISH_SET
        },
    ];
    /// `argentinian` with `precedence=king-first`.
    ArgentinianKingFirst: Dark8 =
        Moves { landing: Landing::Behind, choice: &[Term::Count, Term::ByKing], ..SPANISH } => [];
    /// `argentinian` with `landing=long` and `precedence=king-first`; `landing=long` alone is Spanish.
    ArgentinianLongKingFirst: Dark8 = Moves { choice: &[Term::Count, Term::ByKing], ..SPANISH } => [];

    /// Dameo (RULES 3.34): linear moves.
    Dameo: Full8 = Moves { king_quiet: Dirs::ALL, lines: true, ..CRODA } => [
        RuleSet {
            id: "dameo",
            name: "Dameo",
            aliases: &[],
            game_type: "",
            start: "W57-64,50-55,43-46:B1-8,10-15,19-22",
            draws: Draws::king_moves(80),
            options: &[],
            sources: "mindsports.net Dameo",
            ..TURKISH_SET
        },
    ];
    /// Croda (RULES 3.35).
    Croda: Full8 = CRODA => [
        RuleSet {
            id: "croda",
            name: "Croda",
            aliases: &[],
            game_type: "",
            start: "W41-64:B1-24",
            draws: Draws::king_moves(80),
            options: &[],
            sources: "di.fc.ul.pt/~jpn Croda",
            ..TURKISH_SET
        },
    ];

    /// Killer (RULES 3.2): International, but a king that takes a king last lands directly behind it.
    Killer: Dark10 = Moves { landing: Landing::BehindLastKing, ..INTERNATIONAL } => [
        RuleSet {
            id: "killer",
            name: "Killer draughts",
            aliases: &["killer-draughts"],
            game_type: "",
            draws: Draws::king_moves(50),
            sources: "mindsports Killer; Scan; draws: 25 moves each",
            ..INTERNATIONAL_SET
        },
    ];
    /// Frisian and Frysk! (RULES 3.3, 3.4).
    Frisian: Dark10Wide = FRISIAN => [
        RuleSet {
            id: "frisian",
            name: "Frisian draughts",
            aliases: &["friesian"],
            game_type: "40,W,10,10,N2,0",
            draws: draws::FRISIAN,
            options: &[ONE_KING_EACH],
            sources: "Official Rules for Frisian Draughts (2011) 9-21",
            ..INTERNATIONAL_SET
        },
        RuleSet {
            id: "frysk",
            name: "Frysk!",
            aliases: &["frysk!"],
            game_type: "",
            start: "W46-50:B1-5",
            draws: draws::FRISIAN,
            options: &[ONE_KING_EACH],
            sources: "lidraughts Frysk!",
            ..INTERNATIONAL_SET
        },
    ];
    /// Pool and Jamaican (RULES 3.11, 3.12): free choice, promotion where the capture ends.
    Pool: Dark8 = POOL => [
        POOL_SET,
        RuleSet {
            id: "jamaican",
            name: "Jamaican draughts",
            aliases: &[],
            game_type: "23,B,8,8,A1,1",
            numbering: Numbering::TopMirrored,
            algebraic: true,
            sources: "PDN 3.0 GameType 23; 3K v 1K 13 moves",
            ..POOL_SET
        },
    ];
    /// Spantsireti (RULES 3.10): Russian on 10x8.
    Spantsireti: Dark10x8 = RUSSIAN => [
        RuleSet {
            id: "spantsireti",
            name: "Spantsireti",
            aliases: &["spantsiretti", "80-squares"],
            game_type: "41,W,10,8,A0,0",
            start: "W26-40:B1-15",
            draws: Draws { endings: draws::SPANTSIRETI_ENDINGS, ..draws::FMJD64 },
            sources: "PDN 3.0 GameType 41; Russian rules on 80 squares",
            ..RUSSIAN_SET
        },
    ];
}
