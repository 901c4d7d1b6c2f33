//! The report as one HTML page that needs nothing else, and no network.
//!
//! The games are data in the page, one `script` element each; a short script draws the board, the graph, the moves and the
//! table of errors of the game chosen. The page is written game by game.

use super::judge::expectation;
use super::record::Record;
use super::run::Event;
use super::source::Unit;
use super::speech::Speaker;
use super::text::{number, title};
use crate::board::Side;
use crate::engine::Session;
use crate::notation::{diagram, squares};
use crate::position::{Kind, Setup};
use crate::rules::Game;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

const HEAD: &str = include_str!("head.html");
const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("body.html");
const SCRIPT: &str = include_str!("page.js");

/// Moves of a best line that are shown.
const LINE: usize = 12;

/// The writer of the page.
pub(super) struct Html {
    name: String,
    begun: bool,
    speaker: Speaker,
    /// The rule sets whose boards are in the page.
    boards: BTreeSet<&'static str>,
    positions: Vec<Value>,
    /// How many moves of the game have each mark.
    marks: [usize; 3],
    faults: Vec<String>,
}

impl Html {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            begun: false,
            speaker: Speaker::default(),
            boards: BTreeSet::new(),
            positions: Vec::new(),
            marks: [0; 3],
            faults: Vec::new(),
        }
    }

    pub fn hear(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        match event {
            Event::Fault(why) => self.faults.push((*why).to_owned()),
            Event::Begin(unit) => {
                (self.positions, self.marks) = (Vec::new(), [0; 3]);
                self.speaker.begin(unit);
                if self.boards.insert(unit.rules.set.id) {
                    out.write_all(board(&unit.rules).as_bytes())?;
                }
            }
            Event::Record(unit, record) => self.position(unit, record),
            Event::End(unit) => {
                self.end_position(unit);
                let marks = self.marks.map(|count| count.to_string()).join(" ");
                let name = title(unit).unwrap_or_else(|| "position".to_owned());
                let positions = std::mem::take(&mut self.positions);
                let data = json!({ "number": unit.number, "title": name, "rules": unit.rules.set.name,
                    "variant": unit.rules.set.id, "tags": tags(unit), "positions": positions });
                let (label, data) = (escape(&format!("{}. {name}", unit.number)), script(&data));
                writeln!(
                    out,
                    "<script type=\"application/json\" class=\"game\" data-title=\"{label}\" data-marks=\"{marks}\">{data}</script>"
                )?;
            }
        }
        Ok(())
    }

    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        if !self.faults.is_empty() {
            writeln!(out, "<section class=\"faults\"><h2>Not analysed</h2><ul>")?;
            for fault in &self.faults {
                writeln!(out, "<li>{}</li>", escape(fault))?;
            }
            writeln!(out, "</ul></section>")?;
        }
        writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>")
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let name = escape(&self.name);
        let (head, body) = (HEAD.replace("{NAME}", &name), BODY.replace("{NAME}", &name));
        write!(out, "{head}<style>\n{STYLE}</style>\n</head>\n{body}")
    }

    fn position(&mut self, unit: &Unit, record: &Record) {
        let Some(session) = self.speaker.session() else { return };
        let (mut data, number) = (drawn(session), number(unit, record.ply, session.turn()));
        let white = session.turn() == Side::White;
        let spoken = self.speaker.say(unit, record);
        if let Some(mark) = record.mark.as_deref() {
            let kind = super::Mark::ALL.iter().position(|known| known.text() == mark);
            kind.and_then(|kind| self.marks.get_mut(kind)).into_iter().for_each(|count| *count += 1);
        }
        let chance = expectation(record.odds);
        let pv: Vec<_> = spoken.pv.into_iter().take(LINE).collect();
        let more = [
            ("score", json!(record.score)),
            ("depth", json!(record.depth)),
            ("win_in", json!(record.win_in)),
            ("odds", json!([record.odds.win, record.odds.draw, record.odds.loss])),
            ("white", json!(if white { chance } else { 1000 - chance })),
            ("number", json!(number)),
            ("played", json!(spoken.played)),
            ("mark", json!(record.mark)),
            ("loss", json!(record.loss)),
            ("pv", json!(pv)),
            ("from", json!(record.played.as_deref().map(|mv| ends(&unit.rules, mv)))),
            ("best", json!(record.best.as_deref().map(|mv| ends(&unit.rules, mv)))),
        ];
        if let Some(data) = data.as_object_mut() {
            data.extend(more.map(|(key, value)| (key.to_owned(), value)));
        }
        self.positions.push(data);
    }

    /// The position behind the last move.
    fn end_position(&mut self, unit: &Unit) {
        let session = self.speaker.session().filter(|_| unit.game.is_some());
        self.positions.extend(session.map(drawn));
    }
}

/// A position: its FEN, who moves, and a letter for each square index.
fn drawn(session: &dyn Session) -> Value {
    let setup = session.setup();
    let mut letters = vec!['.'; squares::count(session.game())];
    for (index, side, kind) in &setup.pieces {
        let letter = match kind {
            Kind::Man => 'm',
            Kind::King => 'k',
            Kind::Parachutist => 'p',
        };
        let letter = if *side == Side::White { letter.to_ascii_uppercase() } else { letter };
        letters.get_mut(*index).into_iter().for_each(|place| *place = letter);
    }
    let letters: String = letters.into_iter().collect();
    json!({ "fen": session.fen(), "turn": session.turn().name(), "squares": letters })
}

/// The square indices of a move in Hub notation: from, and to.
fn ends(game: &Game, mv: &str) -> Vec<usize> {
    let numbers = mv.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse().ok());
    numbers.take(2).filter_map(|number| squares::index(game, number)).collect()
}

/// The board of a rule set without pieces, and where its squares are.
fn board(game: &Game) -> String {
    let svg = diagram::svg(game, &Setup { turn: game.first, pieces: Vec::new() });
    let places: Vec<_> = (0..squares::count(game)).map(|index| diagram::place(game, index)).collect();
    format!("<template data-board=\"{}\" data-places=\"{}\">{svg}</template>\n", game.set.id, json!(places))
}

fn tags(unit: &Unit) -> Value {
    unit.game.as_deref().map_or_else(|| json!([]), |game| json!(game.tags))
}

/// A text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that can stand in a `script` element.
fn script(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}
