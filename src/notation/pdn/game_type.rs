//! GameType tags (PDN 3.0): `TYPE,START,WIDTH,HEIGHT,NOTATION,INVERT`, such as `22,W,8,8,N2,1`; the type alone will do.
//!
//! START is the colour that moves first. NOTATION is `A` for names or `N` for numbers and the corner of a1 or square 1
//! as the first mover sees it: 0 bottom left, 1 bottom right, 2 top left, 3 top right. INVERT is 1 if the bottom left
//! corner is no playing square.

use super::super::squares::layout;
use crate::board::Side;
use crate::rules::{Game, Numbering, RULE_SETS, RuleSet, find};

/// Numbers that the standard does not give, and who does: lidraughts 96 to 98, hcheckers 43 to 45.
const PRIVATE: [(u32, &str); 6] = [
    (96, "breakthrough"),
    (97, "frysk"),
    (98, "antidraughts"),
    (43, "turkish"),
    (44, "armenian"),
    (45, "killer"),
];

/// The GameType of a game, if the standard has its rule set. START and NOTATION are those of the game with its options
/// and of the squares as this program names them, so that thai with White first is `31,W,8,8,N2,0`, and jamaican, whose
/// a1 is at White's left as everywhere here, `23,B,8,8,A3,1`.
pub fn text(game: &Game) -> Option<String> {
    let number = game.set.game_type_number()?;
    let layout = layout(game);
    let (letter, seen_by_white) = match (game.set.algebraic, game.set.numbering) {
        (true, _) => ('A', 0),
        (false, Numbering::Top | Numbering::TopMirrored) => ('N', 2),
        (false, Numbering::BottomMirrored) => ('N', 1),
    };
    // Seen from the other side left and right, top and bottom are exchanged.
    let corner = if game.first == Side::White { seen_by_white } else { 3 - seen_by_white };
    let inverted = u8::from(game.set.numbering.mirrored());
    let (first, width, height) = (game.first.letter(), layout.width, layout.height);
    Some(format!("{number},{first},{width},{height},{letter}{corner},{inverted}"))
}

/// The type number of a GameType text.
pub fn number(text: &str) -> Option<u32> {
    text.split(',').next()?.trim().parse().ok()
}

/// The side that a GameType says moves first; for a type alone the one of the standard's table.
pub fn first(text: &str) -> Option<Side> {
    let side = |text: &str| {
        let letter = text.split(',').nth(1)?.trim();
        Side::BOTH.into_iter().find(|side| letter.len() == 1 && letter.starts_with(side.letter()))
    };
    side(text).or_else(|| {
        let number = number(text)?;
        RULE_SETS
            .iter()
            .find(|set| set.game_type_number() == Some(number))
            .and_then(|set| side(set.game_type))
    })
}

/// The rule set that a GameType names: its type decides, and the board must not speak against it. Of the games of type
/// 23 pool has numbers and jamaican an inverted board; "unified" pool (`23,W,8,8,A0,0`) is none of ours. Some numbers in
/// use outside the standard are known too.
pub fn rule_set(text: &str) -> Option<&'static RuleSet> {
    if text.replace(' ', "") == "-1,W,12,12,N2,1" {
        return find("sri-lankan").ok(); // the standard's own tester has it
    }
    let number = number(text)?;
    let mut sets = RULE_SETS.iter().filter(|set| set.game_type_number() == Some(number));
    let first = match sets.next() {
        Some(first) => first,
        None => find(PRIVATE.iter().find(|(known, _)| *known == number)?.1).ok()?,
    };
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let same_board = |set: &RuleSet| {
        let layout = set.kernel.layout();
        let fits = |at: usize, size: usize| {
            let stated = fields.get(at).and_then(|text| text.parse::<usize>().ok());
            stated.is_none_or(|stated| stated == 0 || stated == size)
        };
        fits(2, layout.width) && fits(3, layout.height)
    };
    let same_squares = |set: &&RuleSet| {
        let (notation, inverted) = (fields.get(4), fields.get(5));
        notation.is_none_or(|text| text.starts_with('A') == set.algebraic)
            && inverted.is_none_or(|text| (*text == "1") == set.numbering.mirrored())
    };
    let others: Vec<_> = sets.collect();
    let found = match others[..] {
        [] => Some(first),
        _ => [first].into_iter().chain(others).find(same_squares),
    };
    found.filter(|set| same_board(set))
}

/// The rule set of a `Variant` tag: an id or alias, or one of several between slashes (`American/English`).
pub(super) fn of_variant(text: &str) -> Option<&'static RuleSet> {
    find(text).ok().or_else(|| text.split('/').find_map(|part| find(part).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_standard() {
        let mut named = 0;
        for set in RULE_SETS {
            let game = Game::new(set);
            let text = text(&game);
            assert_eq!(text.is_some(), !set.game_type.is_empty(), "{}", set.id);
            let Some(text) = text else { continue };
            let want = match set.id {
                "thai" => "31,W,8,8,N2,0",     // White first
                "jamaican" => "23,B,8,8,A3,1", // a1 at White's left
                _ => set.game_type,
            };
            assert_eq!(text, want, "{}", set.id);
            assert_eq!(rule_set(&text).map(|set| set.id), Some(set.id));
            assert_eq!(rule_set(set.game_type).map(|set| set.id), Some(set.id));
            assert_eq!(first(&text), Some(set.first));
            named += 1;
        }
        assert_eq!(named, 15);
        let english = Game::with_options("english", ["first=white"]).unwrap();
        assert_eq!(text(&english).unwrap(), "21,W,8,8,N2,0");
    }

    #[test]
    fn what_a_tag_names() {
        for (text, want) in [
            ("20", Some("international")),
            (" 20 ", Some("international")),
            ("20,W,10,10,N1,0", Some("international")),
            ("20,W,0,0,N,0", Some("international")),
            ("20,W,8,8,N2,0", None),
            ("22", Some("italian")),
            ("23", Some("pool")),
            ("23,B,8,8,N1,0", Some("pool")),
            ("23,B,8,8,A1,1", Some("jamaican")),
            ("23,W,8,8,A1,1", Some("jamaican")),
            ("23,W,8,8,A0,0", None),
            ("25,W,8,8,A0,0", Some("russian")),
            ("96", Some("breakthrough")),
            ("98", Some("antidraughts")),
            ("-1,W,12,12,N2,1", Some("sri-lankan")),
            ("0", None),
            ("50", None),
            ("", None),
            ("x", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(rule_set(text).map(|set| set.id), want, "{text}");
        }
        assert_eq!(
            (first("21"), first("22"), first("31")),
            (Some(Side::Black), Some(Side::White), Some(Side::Black))
        );
        assert_eq!((first("31,W"), first("21,X"), first("7")), (Some(Side::White), Some(Side::Black), None));
        assert_eq!(of_variant("American/English").map(|set| set.id), Some("english"));
        assert!(of_variant("chess").is_none());
    }
}
