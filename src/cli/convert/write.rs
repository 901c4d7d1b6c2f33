//! Games into every format.

use super::super::games::{Place, Walker};
use super::{Format, Positions};
use crate::engine::Session;
use crate::notation::HubNumbering;
use crate::notation::pdn::{self, Item, Outcome};
use crate::rules::Game;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes games; one that turns out to be wrong leaves no trace.
pub(super) struct Writer<W> {
    out: W,
    format: Format,
    positions: Positions,
    /// The text of the current game.
    text: String,
    left_out: LeftOut,
}

/// What the format has no place for.
#[derive(Default)]
struct LeftOut {
    comments: usize,
    glyphs: usize,
    variations: usize,
}

impl LeftOut {
    fn count(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Move(mv) => self.glyphs += mv.nags.len(),
                Item::Comment(_) => self.comments += 1,
                Item::Variation(_) => self.variations += 1,
                Item::Setup(_) => {}
            }
        }
    }
}

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W, format: Format, positions: Positions) -> Self {
        Self { out, format, positions, text: String::new(), left_out: LeftOut::default() }
    }

    /// Whether it writes positions.
    fn lists(&self) -> bool {
        matches!(self.format, Format::Fen | Format::Hub)
    }

    fn position(&mut self, session: &dyn Session) {
        self.text += &match self.format {
            Format::Hub => session.hub(HubNumbering::Standard),
            _ => session.fen(),
        };
        self.text.push('\n');
    }

    /// A game begins at the position of `session`.
    pub(super) fn begin_game(&mut self, session: &dyn Session) {
        if self.lists() && self.positions != Positions::End {
            self.position(session);
        }
    }

    /// A game has been played through; `fen` is where it began, if not at the start.
    pub(super) fn game(
        &mut self,
        game: &mut pdn::Game,
        rules: &Game,
        fen: Option<&str>,
        session: &dyn Session,
    ) -> Result<(), String> {
        match self.format {
            Format::Fen | Format::Hub if self.positions == Positions::End => self.position(session),
            Format::Fen | Format::Hub => {}
            Format::Pdn => {
                game.set_game(rules);
                if let Some(fen) = fen {
                    game.set_fen(rules, fen);
                }
                self.text = pdn::write(game);
            }
            Format::Json => {
                if game.items.iter().any(|item| matches!(item, Item::Setup(_))) {
                    return Err(
                        "a position is set up within the game, for which JSON has no place".to_owned()
                    );
                }
                self.left_out.count(&game.items);
                self.text = format!("{}\n", line(game, rules, fen));
            }
        }
        Ok(())
    }

    /// The game is right: it is written.
    pub(super) fn end_game(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    /// The game is wrong: it is forgotten.
    pub(super) fn drop_game(&mut self) {
        self.text.clear();
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// What has been left out of the games, in words.
    pub(super) fn left_out(&self) -> Option<String> {
        let LeftOut { comments, glyphs, variations } = self.left_out;
        let parts = [(comments, "comment"), (glyphs, "glyph"), (variations, "variation")];
        let parts: Vec<_> = parts.into_iter().filter(|(count, _)| *count > 0).collect();
        let words =
            parts.iter().map(|(count, name)| format!("{count} {name}{}", if *count == 1 { "" } else { "s" }));
        let words = words.collect::<Vec<_>>().join(", ");
        (!parts.is_empty()).then(|| format!("left out, as JSON lines have no place for them: {words}"))
    }
}

impl<W: Write> Walker for Writer<W> {
    fn before(&mut self, _: &dyn Session, _: Place, _: bool) {}

    fn reached(&mut self, session: &dyn Session) {
        if self.lists() && self.positions == Positions::All {
            self.position(session);
        }
    }
}

/// A game as an object.
fn line(game: &pdn::Game, rules: &Game, fen: Option<&str>) -> Value {
    let moves: Vec<_> = game.moves().map(|mv| mv.text.as_str()).collect();
    let result = match game.outcome() {
        Outcome::Unknown => Value::Null,
        outcome => outcome.text(false).into(),
    };
    let mut object = Map::new();
    object.insert("variant".to_owned(), rules.set.id.into());
    let standard = Game::new(rules.set).chosen;
    let options = rules.chosen.iter().filter(|option| !standard.contains(option));
    let options: Vec<_> = options.map(|(name, value)| format!("{name}={value}")).collect();
    if !options.is_empty() {
        object.insert("rules".to_owned(), json!(options));
    }
    if let Some(fen) = fen {
        object.insert("fen".to_owned(), fen.into());
    }
    object.insert("moves".to_owned(), json!(moves));
    object.insert("result".to_owned(), result);
    let tags = tags(game);
    if !tags.is_empty() {
        object.insert("tags".to_owned(), Value::Object(tags));
    }
    Value::Object(object)
}

/// The tags but the FEN; those of the same name in a list.
fn tags(game: &pdn::Game) -> Map<String, Value> {
    let mut tags = Map::new();
    for (name, value) in game.tags.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("FEN")) {
        match tags.get_mut(name) {
            None => {
                tags.insert(name.clone(), Value::from(value.as_str()));
            }
            Some(Value::Array(values)) => values.push(value.as_str().into()),
            Some(first) => *first = json!([first.take(), value]),
        }
    }
    tags
}
