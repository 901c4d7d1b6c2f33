//! Games from tokens.

use super::lexer::{Lexer, Place, Token};
use super::{Fault, Game, Item, Move, Number, Outcome, What};
use std::io::BufRead;

/// Most bytes of a game, unless [`Reader::with_limit`] sets others: 1 MiB.
pub const LIMIT: usize = 1 << 20;

/// Most variations within each other.
const DEEPEST: usize = 100;

/// Most notes of a game; more are dropped.
const MOST_NOTES: usize = 100;

/// Most tags of a game that may stand apart.
const MOST_TAGS: usize = 100;

/// How far back a mark looks for its move, in items.
const MARK_REACH: usize = 4;

/// Reads the games of a source one by one, in memory for one game. A game that cannot be read is an error; those that
/// follow are read all the same, from the next tag at the beginning of a line. After [`What::Unreadable`] and
/// [`What::Utf16`] nothing follows.
///
/// ```
/// let text = "[Event \"Genoa\"]\n1. 23-19 {a comment} 12-15 2. 28-23 1/2-1/2";
/// let game = soffio::notation::pdn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert_eq!(game.tag("Event"), Some("Genoa"));
/// assert_eq!(game.moves().map(|mv| mv.text.as_str()).collect::<Vec<_>>(), ["23-19", "12-15", "28-23"]);
/// ```
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// Games before the current one.
    count: usize,
    /// A token, or a fault, that belongs to the next game.
    pending: Option<Result<(Place, Token), What>>,
    /// Comments that do.
    carried: Vec<Item>,
}

impl<R: BufRead> Reader<R> {
    /// A reader with the limit [`LIMIT`].
    pub fn new(source: R) -> Self {
        Self { lexer: Lexer::new(source, LIMIT), count: 0, pending: None, carried: Vec::new() }
    }

    /// Sets the most bytes that a game, and a line, may have: it bounds the memory, of which a game takes up to 100
    /// times its text.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.lexer.set_limit(bytes);
        self
    }

    /// Games so far, those that could not be read included: behind a game, its number.
    pub const fn games(&self) -> usize {
        self.count
    }

    fn token(&mut self) -> Result<(Place, Token), What> {
        match self.pending.take() {
            Some(pending) => pending,
            None => self.lexer.next().map(|token| (self.lexer.place, token)),
        }
    }

    fn fault(&self, place: Place, what: What) -> Fault {
        Fault { line: place.line, column: place.column, game: self.count + 1, what }
    }

    /// Gives the current game up.
    fn fail(&mut self, what: What, begun: bool) -> Fault {
        let fault = self.fault(self.lexer.place, what);
        self.count += usize::from(begun);
        self.lexer.skip_to_tag();
        fault
    }

    /// Closes the current game before what comes next.
    fn close(&mut self, mut draft: Draft, next: Result<(Place, Token), What>) -> Result<Game, Fault> {
        if matches!(next, Ok((_, Token::Tag { .. } | Token::End)) | Err(_)) {
            draft.items.append(&mut draft.trailing);
        } else {
            self.carried = std::mem::take(&mut draft.trailing);
        }
        let end = next.as_ref().map_or(self.lexer.place, |(place, _)| *place);
        self.pending = Some(next);
        let result = draft.finish(end).map_err(|place| self.fault(place, What::OpenVariation));
        let notes = std::mem::take(&mut draft.notes);
        draft.game.notes = notes.into_iter().map(|(place, what)| self.fault(place, what)).collect();
        draft.game.items = draft.items;
        self.count += 1;
        result.map(|()| draft.game)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lexer.begin_game();
        let mut draft = Draft { items: std::mem::take(&mut self.carried), ..Draft::default() };
        loop {
            let (place, token) = match self.token() {
                Ok(found) => found,
                Err(what) if draft.closed.is_some() && draft.begun() => {
                    return Some(self.close(draft, Err(what)));
                }
                Err(what) => return Some(Err(self.fail(what, draft.begun()))),
            };
            match draft.take(place, self.lexer.gap, token) {
                Ok(None) => {}
                Ok(Some(token)) if draft.begun() => return Some(self.close(draft, Ok((place, token)))),
                Ok(Some(Token::End)) => {
                    self.pending = Some(Ok((place, Token::End)));
                    return None;
                }
                Ok(Some(token)) => {
                    // A result that belongs to nothing.
                    self.pending = Some(Ok((place, token)));
                    draft = Draft { items: draft.trailing, ..Draft::default() };
                }
                Err(what) => return Some(Err(self.fail(what, true))),
            }
        }
    }
}

/// A game in the making.
#[derive(Default)]
struct Draft {
    game: Game,
    /// The line of play that goes on.
    items: Vec<Item>,
    /// How many items, all comments, stand before the last tag.
    head: usize,
    /// The lines that it is a variation in, from the main line, and where it began.
    outer: Vec<(Vec<Item>, Place)>,
    /// The number before the next move.
    number: Option<Number>,
    /// The last number of the main line.
    last_number: u32,
    /// Whether the main line ends with a move marked `*`, which may be the end of the game.
    starred: bool,
    /// Where the result stands, once there is one: only comments belong to the game still.
    closed: Option<Place>,
    /// Whether that is a `*` that may have marked a move.
    star: bool,
    /// Comments behind the result.
    trailing: Vec<Item>,
    notes: Vec<(Place, What)>,
}

impl Draft {
    fn begun(&self) -> bool {
        !(self.game.tags.is_empty() && self.items.is_empty() && self.outer.is_empty())
    }

    /// Takes a token, or gives it back if it belongs to the next game. A `gap` is an empty line before it.
    fn take(&mut self, place: Place, gap: bool, token: Token) -> Result<Option<Token>, What> {
        if self.closed.is_some() && !self.reopens(&token) {
            return Ok(self.behind_result(place, token));
        }
        if self.starred && self.restarts(&token) {
            return Ok(Some(token));
        }
        self.starred &= matches!(token, Token::Comment(_) | Token::Nag(_) | Token::Tag { .. } | Token::End);
        match token {
            Token::End => return Ok(Some(Token::End)),
            Token::Tag { ref name, .. } if self.is_past(name, gap) => return Ok(Some(token)),
            Token::Tag { name, value, fault } => {
                if let Some(what) = fault {
                    self.note(place, what);
                }
                self.game.tags.push((name, value));
                self.head = self.items.len();
            }
            Token::Move(text) => {
                let (number, nags) = (self.number.take(), Vec::new());
                self.items.push(Item::Move(Move {
                    text,
                    number,
                    nags,
                    line: place.line,
                    column: place.column,
                }));
            }
            Token::Number(number) => self.take_number(number),
            Token::Dots => self.number = self.number.map(|number| Number { dots: true, ..number }),
            Token::Nag(nag) => self.mark(nag, place),
            Token::Comment(text) => self.items.push(Item::Comment(text)),
            Token::Open if self.outer.len() == DEEPEST => return Err(What::TooDeep(DEEPEST)),
            Token::Open => self.outer.push((std::mem::take(&mut self.items), place)),
            Token::Close => self.close_variation(place),
            Token::Star { attached } => self.take_star(attached, place),
            Token::Result(text) if self.outer.is_empty() => {
                self.game.result = Some(text);
                self.closed = Some(place);
            }
            Token::Result(text) => self.items.push(Item::Comment(text)),
            Token::Setup(fen) => self.items.push(Item::Setup(fen)),
            Token::Stray(sign) => self.note(place, What::Stray(sign)),
        }
        if self.game.line == 0 && self.begun() {
            self.game.line = place.line;
        }
        Ok(None)
    }

    fn note(&mut self, place: Place, what: What) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push((place, what));
        }
    }

    /// Whether a tag of this name belongs to another game. Comments may stand before tags and between them; one that comes
    /// again behind a comment or a `gap` begins a game.
    fn is_past(&self, name: &str, gap: bool) -> bool {
        let behind = self.items.get(self.head..).unwrap_or_default();
        let again = || self.game.tags.len() > MOST_TAGS || self.game.tag(name).is_some();
        !self.outer.is_empty()
            || !behind.iter().all(|item| matches!(item, Item::Comment(_)))
            || (gap || !behind.is_empty()) && again()
    }

    /// Whether a game begins with this number.
    fn restarts(&self, token: &Token) -> bool {
        matches!(token, Token::Number(Number { value: 1, dots: false })) && self.last_number > 0
    }

    /// Whether the `*` before has been a mark, since the numbers go on.
    fn reopens(&mut self, token: &Token) -> bool {
        let Token::Number(Number { value, dots }) = *token else { return false };
        let last = self.last_number;
        let goes_on = last > 0 && (value == last.saturating_add(1) && !dots || value == last && dots);
        let Some(place) = self.closed.filter(|_| self.star && goes_on) else { return false };
        (self.closed, self.star, self.game.result) = (None, false, None);
        self.mark(7, place);
        self.items.append(&mut self.trailing);
        true
    }

    /// A token behind the result.
    fn behind_result(&mut self, place: Place, token: Token) -> Option<Token> {
        match token {
            Token::Comment(text) => self.trailing.push(Item::Comment(text)),
            // `1-0 *`: a result and a separator.
            Token::Result(_) | Token::Star { .. } if !self.star => {}
            Token::Result(text) => {
                (self.game.result, self.closed, self.star) = (Some(text), Some(place), false);
            }
            Token::Nag(_) | Token::Dots | Token::Star { .. } => {}
            Token::Stray(sign) => self.note(place, What::Stray(sign)),
            Token::Close => self.note(place, What::Stray(")".to_owned())),
            token => return Some(token),
        }
        None
    }

    fn take_number(&mut self, number: Number) {
        self.number = Some(number);
        if self.outer.is_empty() {
            self.last_number = number.value;
        }
    }

    /// `*`: the end of the game, or the mark of an only move.
    fn take_star(&mut self, attached: bool, place: Place) {
        if attached || !self.outer.is_empty() {
            self.mark(7, place);
            self.starred = self.outer.is_empty();
        } else {
            self.game.result = Some("*".to_owned());
            (self.closed, self.star) = (Some(place), true);
        }
    }

    /// Marks the last move.
    fn mark(&mut self, nag: u16, place: Place) {
        let last = self.items.iter_mut().rev().take(MARK_REACH).find_map(|item| match item {
            Item::Move(mv) => Some(mv),
            _ => None,
        });
        match last {
            Some(mv) => mv.nags.push(nag),
            None => self.note(place, What::Stray(format!("${nag}"))),
        }
    }

    fn close_variation(&mut self, place: Place) {
        let Some((outer, _)) = self.outer.pop() else {
            return self.note(place, What::Stray(")".to_owned()));
        };
        self.number = None;
        let variation = std::mem::replace(&mut self.items, outer);
        if !variation.is_empty() {
            self.items.push(Item::Variation(variation));
        }
    }

    /// Settles the result of a game that ends here; if a variation is open, says where it began.
    fn finish(&mut self, end: Place) -> Result<(), Place> {
        if let Some(&(_, place)) = self.outer.last() {
            return Err(place);
        }
        let tag = self.game.tag("Result").map(str::to_owned).unwrap_or_default();
        if self.game.result.is_none() {
            self.result_from_moves(&tag);
        }
        let known = |text: &str| Outcome::of(text).filter(|found| *found != Outcome::Unknown);
        match &self.game.result {
            None => self.note(self.closed.unwrap_or(end), What::NoResult),
            Some(text) => {
                let differs = known(text).zip(known(&tag)).is_some_and(|(end, tag)| end != tag);
                let end_text = text.clone();
                if differs {
                    self.note(self.closed.unwrap_or(end), What::Results { end: end_text, tag });
                }
            }
        }
        Ok(())
    }

    /// What looked like a move or its mark is the result: `4-6` if the tag says so, or `*` behind the last move.
    fn result_from_moves(&mut self, tag: &str) {
        match self.items.last_mut() {
            Some(Item::Move(mv)) if mv.text == tag && Outcome::of(tag).is_some() => {
                self.items.pop();
                self.game.result = Some(tag.to_owned());
            }
            Some(Item::Move(mv)) if self.starred && mv.nags.last() == Some(&7) => {
                mv.nags.pop();
                self.game.result = Some("*".to_owned());
            }
            _ => {}
        }
    }
}
