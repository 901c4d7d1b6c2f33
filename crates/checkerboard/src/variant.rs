//! The games of CheckerBoard and their squares.

use soffio::rules::{Game, find};

/// A game of CheckerBoard, by its GameType number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// 21.
    English,
    /// 22.
    Italian,
    /// 24.
    Spanish,
    /// 25.
    Russian,
    /// 26.
    Brazilian,
    /// 29. CheckerBoard marks its numbers as to be checked, and they are not right there: see [`Variant::square_number`].
    Czech,
}

/// A square as CheckerBoard's boards have it, 0 to 7 each. The playing squares are those with an even sum; Black's men
/// start where `y` is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// The first index of a board.
    pub x: usize,
    /// The second.
    pub y: usize,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::English, Self::Italian, Self::Spanish, Self::Russian, Self::Brazilian, Self::Czech];

    /// Its number, as in PDN's GameType.
    pub const fn number(self) -> u32 {
        match self {
            Self::English => 21,
            Self::Italian => 22,
            Self::Spanish => 24,
            Self::Russian => 25,
            Self::Brazilian => 26,
            Self::Czech => 29,
        }
    }

    /// The id of its rule set.
    pub const fn id(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::Italian => "italian",
            Self::Spanish => "spanish",
            Self::Russian => "russian",
            Self::Brazilian => "brazilian",
            Self::Czech => "czech",
        }
    }

    /// The game of an id, alias or number of a rule set.
    pub fn named(name: &str) -> Option<Self> {
        let set = find(name).ok()?;
        Self::ALL.into_iter().find(|variant| variant.id() == set.id)
    }

    /// The game whose id is part of a file name: `soffio_russian.dll`.
    pub fn of_file(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Self::ALL.into_iter().find(|variant| name.contains(variant.id()))
    }

    /// The rules.
    ///
    /// # Errors
    /// The table of rule sets has no such game.
    pub fn game(self) -> Result<Game, String> {
        find(self.id()).map(Game::new).map_err(|error| error.to_string())
    }

    /// The square of a number from 1 to 32 of Soffio's notation, in which Black's men start on the low numbers (Spanish:
    /// White's).
    pub const fn square(self, number: usize) -> Square {
        let m = number.wrapping_sub(1) % 32;
        let (row, column) = (m / 4, m % 4);
        match self {
            Self::Italian => Square { x: 2 * column + row % 2, y: row },
            Self::Spanish => {
                let y = 7 - row;
                Square { x: 2 * (3 - column) + y % 2, y }
            }
            _ => Square { x: 2 * (3 - column) + row % 2, y: row },
        }
    }

    /// The number of a playing square in Soffio's notation.
    pub const fn own_number(self, square: Square) -> usize {
        let Square { x, y } = square;
        match self {
            Self::Italian => 1 + 4 * y + x / 2,
            Self::Spanish => 1 + 4 * (7 - y) + (7 - x) / 2,
            _ => 4 * (y + 1) - x / 2,
        }
    }

    /// The number of a playing square as CheckerBoard writes it in positions and moves. It is Soffio's but for Czech, where
    /// CheckerBoard counts from White's left corner (a1 = 1). There the GUI reads numbers otherwise than it writes them
    /// (two too high), so that it cannot use a list of moves: see [`crate::commands`].
    pub const fn square_number(self, square: Square) -> usize {
        match self {
            Self::Czech => 32 - (4 * square.y + square.x / 2),
            _ => self.own_number(square),
        }
    }

    /// The square of a number as CheckerBoard writes it.
    pub fn numbered(self, number: usize) -> Option<Square> {
        (1..=32).map(|own| self.square(own)).find(|square| self.square_number(*square) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_a_bijection() {
        for variant in Variant::ALL {
            let mut seen = Vec::new();
            for number in 1..=32 {
                let square = variant.square(number);
                assert_eq!((square.x + square.y) % 2, 0, "{variant:?} {number}");
                assert_eq!(variant.own_number(square), number, "{variant:?}");
                let written = variant.square_number(square);
                assert_eq!(variant.numbered(written), Some(square), "{variant:?}");
                seen.push(written);
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(1..=32), "{variant:?}");
            assert_eq!(variant.numbered(0).or(variant.numbered(33)), None);
        }
    }

    /// Corners by number, from CheckerBoard's header.
    #[test]
    fn corners() {
        let number = |variant: Variant, x, y| variant.square_number(Square { x, y });
        for (variant, corners) in [
            (Variant::English, [4, 29]),
            (Variant::Russian, [4, 29]),
            (Variant::Brazilian, [4, 29]),
            (Variant::Italian, [1, 32]),
            (Variant::Spanish, [32, 1]),
            (Variant::Czech, [32, 1]),
        ] {
            assert_eq!([number(variant, 0, 0), number(variant, 7, 7)], corners, "{variant:?}");
        }
    }

    #[test]
    fn names() {
        assert_eq!(Variant::named("25"), Some(Variant::Russian));
        assert_eq!(Variant::named("dama"), Some(Variant::Italian));
        assert_eq!(Variant::named("international"), None);
        assert_eq!(Variant::of_file("Soffio-Spanish64.dll"), Some(Variant::Spanish));
        assert_eq!(Variant::of_file("libsoffio_checkerboard.so"), None);
        for variant in Variant::ALL {
            let game = variant.game().unwrap();
            assert_eq!(game.set.game_type_number(), Some(variant.number()));
        }
    }
}
