//! The strict text of a game.

use super::lexer::{ESCAPES, is_move, is_result};
use super::{Game, Item, Move, Outcome, ROSTER};
use std::borrow::Cow;

/// Most characters of a line of moves.
const WIDTH: usize = 80;

/// Highest move number that a variation begins with.
const HIGHEST: u32 = 1_000_000;

/// Writes a game: its tags, an empty line, its moves, its result, an empty line.
///
/// - The seven tags that every game has stand first, with `?` where nothing is known, then GameType, Variant and FEN, then the
///   others in their order. The result at the end is that of the tag, if the game has none of its own.
/// - Lines of moves have at most 80 characters, unless a word is longer. A number stands before the first move and before
///   every move of the side that moves first in the game; a game that is set up with the other side to move begins
///   `1... `. A variation begins with the number it had, or that of the move it replaces.
/// - Glyphs 1 to 6 are written as `!` to `?!`. Braces in a comment are written `&#123;` and `&#125;` (and `&#38;` an `&`
///   that would be taken for the beginning of one), which [`Reader`](super::Reader) takes back; line ends in it are
///   blanks.
///
/// Moves are written as they are: whoever wants the standard's spelling asks a session for it.
pub fn write(game: &Game) -> String {
    let mut out = String::new();
    tags(game, &mut out);
    out.push('\n');
    let first = game.first_mover();
    let turn = game.fen().and_then(|fen| fen.trim_start().chars().next());
    let ply = u32::from(turn.is_some_and(|letter| letter == first.other().letter()));
    let mut moves = Wrapped { text: out, ..Wrapped::default() };
    moves.line(&game.items, ply, 0);
    moves.word(end(game));
    moves.flush();
    moves.text + "\n\n"
}

/// The result at the end: the game's own, or that of the tag, in a form that is read back.
fn end(game: &Game) -> &str {
    let known = |text: &&str| *text != "*" && Outcome::of(text).is_some();
    let own = game.result.as_deref().filter(known);
    match own.or_else(|| game.tag("Result").filter(known)) {
        Some(text) if is_result(text) || is_move(text) => text,
        Some(text) => Outcome::of(text).unwrap_or(Outcome::Unknown).text(false),
        None => "*",
    }
}

fn tags(game: &Game, out: &mut String) {
    const LEADING: [(&str, &str); 3] = [("GameType", ""), ("Variant", ""), ("FEN", "")];
    let clean = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "_");
    let tags: Vec<_> = game.tags.iter().map(|(name, value)| (clean(name), value.as_str())).collect();
    let mut tag = |name: &str, value: &str| *out += &format!("[{name} \"{}\"]\n", escape(value));
    let leading = ROSTER.into_iter().chain(LEADING);
    for (name, unknown) in leading.clone() {
        // What may be missing is missing when it is empty.
        let same = |tag: &&(String, &str)| {
            tag.0.eq_ignore_ascii_case(name) && !(tag.1.is_empty() && unknown.is_empty())
        };
        let mut found = tags.iter().filter(same).map(|tag| tag.1);
        match (name, found.next()) {
            ("Result", stated) => {
                tag(name, stated.filter(|text| Outcome::of(text).is_some()).unwrap_or(end(game)));
            }
            (_, Some(value)) => tag(name, value),
            (_, None) if unknown.is_empty() => {}
            (_, None) => tag(name, unknown),
        }
        found.for_each(|value| tag(name, value));
    }
    let led = |name: &str| leading.clone().any(|(known, _)| known.eq_ignore_ascii_case(name));
    let others = tags.iter().filter(|(name, _)| !name.is_empty() && !led(name));
    others.for_each(|(name, value)| tag(name, value));
}

/// The value of a tag, fit to stand between quotes.
fn escape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(if c.is_control() { ' ' } else { c });
    }
    text
}

/// A comment, fit to stand between braces.
fn escape_comment(text: &str) -> Cow<'_, str> {
    if !text.contains(['{', '}', '&', '\n', '\r']) {
        return Cow::Borrowed(text.trim());
    }
    let mut plain = String::with_capacity(text.len());
    for (at, c) in text.trim().char_indices() {
        let rest = text.trim().get(at..).unwrap_or("");
        match c {
            '\n' | '\r' => plain.push(' '),
            '{' => plain.push_str("&#123;"),
            '}' => plain.push_str("&#125;"),
            '&' if ESCAPES.iter().any(|(name, _)| rest.starts_with(name)) => plain.push_str("&#38;"),
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Text broken into lines.
#[derive(Default)]
struct Wrapped {
    text: String,
    /// Characters of the current line.
    column: usize,
    /// The last word, to which parentheses may be added.
    last: String,
    /// The parentheses that the next word begins with.
    open: String,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        self.flush();
        self.last = std::mem::take(&mut self.open) + word;
    }

    /// Writes the last word, on the next line if it does not fit.
    fn flush(&mut self) {
        let length = self.last.chars().count();
        if length == 0 {
            return;
        }
        if self.column > 0 {
            let breaks = self.column + 1 + length > WIDTH;
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.text.push_str(&self.last);
        self.column += length;
        self.last.clear();
    }

    /// Writes a line of play that begins at `ply`, the first of the game being 0, within so many others.
    fn line(&mut self, items: &[Item], mut ply: u32, depth: usize) {
        let mut before = ply;
        let mut first = true;
        for item in items {
            match item {
                Item::Move(mv) => {
                    self.mv(mv, ply, first);
                    (before, ply, first) = (ply, ply + 1, false);
                }
                Item::Comment(text) => self.comment(&escape_comment(text)),
                Item::Variation(items) => self.variation(items, before, depth),
                Item::Setup(fen) => self.word(&format!("/FEN \"{fen}\"/")),
            }
        }
    }

    fn variation(&mut self, items: &[Item], instead: u32, depth: usize) {
        self.flush();
        self.open.push('(');
        self.line(items, start(items, instead), depth + 1);
        // Empty ones leave no trace.
        if self.open.pop().is_none() {
            self.last.push(')');
        }
    }

    fn mv(&mut self, mv: &Move, ply: u32, first: bool) {
        const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
        let number = match ply % 2 {
            0 => format!("{}. ", ply / 2 + 1),
            _ if first => format!("{}... ", ply / 2 + 1),
            _ => String::new(),
        };
        let mark = |nag: &u16| MARKS.get(usize::from(*nag).wrapping_sub(1)).copied();
        let (attached, others) = match mv.nags.split_first() {
            Some((nag, others)) if mark(nag).is_some() => (mark(nag).unwrap_or(""), others),
            _ => ("", &mv.nags[..]),
        };
        self.word(&format!("{number}{}{attached}", mv.text));
        others.iter().for_each(|nag| self.word(&format!("${nag}")));
    }

    /// Writes a comment, broken at single blanks.
    fn comment(&mut self, text: &str) {
        let mut word = String::from("{");
        let mut signs = text.chars().peekable();
        let mut last = ' ';
        while let Some(c) = signs.next() {
            // A line should not begin with what begins a tag or, elsewhere, a comment.
            let breaks = |next: &char| !next.is_whitespace() && !matches!(next, '[' | '%' | ';');
            if c == ' ' && !last.is_whitespace() && signs.peek().is_some_and(breaks) {
                self.word(&word);
                word.clear();
            } else {
                word.push(c);
            }
            last = c;
        }
        word.push('}');
        self.word(&word);
    }
}

/// The ply that a variation begins at: its own number counts, and where that does not say whose move it is, the move that
/// it stands behind.
fn start(items: &[Item], instead: u32) -> u32 {
    let first = items.iter().find_map(|item| match item {
        Item::Move(mv) => Some(mv),
        _ => None,
    });
    let Some(number) = first.and_then(|mv| mv.number) else { return instead };
    let pair = number.value.clamp(1, HIGHEST).saturating_sub(1);
    if !number.dots && pair == instead / 2 { instead } else { pair * 2 + u32::from(number.dots) }
}
