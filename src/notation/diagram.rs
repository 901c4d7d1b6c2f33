//! Diagrams of a position, as text and as SVG: White at the bottom, files and ranks marked, square numbers on the
//! board, mirrored boards drawn mirrored.

use super::hub::letter;
use super::squares::{file_letter, layout, number};
use crate::board::Side;
use crate::board::{Cells, Layout};
use crate::position::{Kind, Setup};
use crate::rules::Game;

/// A board seen from White's side.
struct View<'a> {
    game: &'a Game,
    setup: &'a Setup,
    layout: Layout,
}

impl<'a> View<'a> {
    fn new(game: &'a Game, setup: &'a Setup) -> Self {
        Self { game, setup, layout: layout(game) }
    }

    /// The square index in a column from the left and a rank from 0, if that is a playing square.
    fn square(&self, column: usize, rank: usize) -> Option<usize> {
        let mirrored = self.game.set.numbering.mirrored();
        let file = if mirrored { (self.layout.width - 1).checked_sub(column)? } else { column };
        self.layout.square_at(file, rank)
    }

    /// What stands on a square index.
    fn piece(&self, index: usize) -> Option<(Side, Kind)> {
        let piece = self.setup.pieces.iter().find(|piece| piece.0 == index)?;
        Some((piece.1, piece.2))
    }

    /// The line that says who moves.
    fn caption(&self) -> String {
        format!("{} to move", self.setup.turn.name())
    }
}

/// Draws the board as text, White at the bottom. A playing square shows its piece (`w b W B`, parachutists `p q`) or, when empty, its number
/// in the rule set's own numbering; other squares are blank.
///
/// ```text
///     +----+----+----+
///   2 |    |  1 |    |
///     +----+----+----+
///   1 |  w |    |  3 |
///     +----+----+----+
///        a    b    c
/// White to move
/// ```
pub fn text(game: &Game, setup: &Setup) -> String {
    text_from(game, setup, Side::White)
}

/// As [`text`], as this side sees the board: it is at the bottom.
pub fn text_from(game: &Game, setup: &Setup, bottom: Side) -> String {
    let view = View::new(game, setup);
    let order =
        |count: usize, reversed: bool| move |place: usize| if reversed { count - 1 - place } else { place };
    let (width, height) = (view.layout.width, view.layout.height);
    let column = order(width, bottom == Side::Black);
    let rank = order(height, bottom == Side::White);
    let line = |cells: &mut dyn Iterator<Item = String>| cells.collect::<Vec<_>>().concat();
    let rule = format!("    {}+\n", "+----".repeat(width));
    let mut board = rule.clone();
    for rank in (0..height).map(rank) {
        let mut cells = (0..width).map(|place| format!("|{:>3} ", cell(&view, column(place), rank)));
        board += &format!("{:>3} {}|\n{rule}", rank + 1, line(&mut cells));
    }
    let files = line(&mut (0..width).map(|place| format!("{:>5}", file_letter(column(place)))));
    board + &format!("   {files}\n{}\n", view.caption())
}

/// The text of one square.
fn cell(view: &View<'_>, column: usize, rank: usize) -> String {
    match view.square(column, rank) {
        None => String::new(),
        Some(index) => match view.piece(index) {
            Some((side, kind)) => letter(side, kind).to_string(),
            None => number(view.game, index).to_string(),
        },
    }
}

/// Side of a square in an SVG diagram, in user units.
const SIZE: usize = 60;
/// Margin around the board, where files and ranks stand.
const MARGIN: usize = 30;

/// Draws the board as an SVG document, 60 units a square, without scripts, fonts or links.
pub fn svg(game: &Game, setup: &Setup) -> String {
    let view = View::new(game, setup);
    let (width, height) = (view.layout.width * SIZE + 2 * MARGIN, view.layout.height * SIZE + 2 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <title>{} ({}), {}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        view.game.set.name,
        view.game.set.id,
        view.caption()
    );
    for rank in (0..view.layout.height).rev() {
        for column in 0..view.layout.width {
            out += &svg_square(&view, column, rank);
        }
    }
    if view.layout.cells == Cells::Alquerque {
        out += &svg_lines(&view);
    }
    for rank in (0..view.layout.height).rev() {
        for column in 0..view.layout.width {
            out += &svg_content(&view, column, rank);
        }
    }
    out + &svg_margins(&view) + "</svg>\n"
}

/// The middle of a square index in the drawing of [`svg`], in its user units from the left and from the top.
pub fn place(game: &Game, index: usize) -> (usize, usize) {
    let layout = layout(game);
    let (file, rank) = layout.file_rank(index);
    let column = if game.set.numbering.mirrored() { layout.width - 1 - file } else { file };
    let row = layout.height - 1 - rank;
    (MARGIN + column * SIZE + SIZE / 2, MARGIN + row * SIZE + SIZE / 2)
}

/// The middle of a square.
fn centre(view: &View<'_>, column: usize, rank: usize) -> (usize, usize) {
    let row = view.layout.height - 1 - rank;
    (MARGIN + column * SIZE + SIZE / 2, MARGIN + row * SIZE + SIZE / 2)
}

fn svg_square(view: &View<'_>, column: usize, rank: usize) -> String {
    let (x, y) = centre(view, column, rank);
    let playing = view.square(column, rank).is_some();
    let chequered = view.layout.cells == Cells::Dark || (column + rank) % 2 == 0;
    let colour = match (playing, view.layout.cells) {
        (_, Cells::Alquerque) => "#f4ead5",
        (true, _) if chequered => "#c79a6b",
        (true, _) => "#dcbb92",
        (false, _) => "#f4ead5",
    };
    let (left, top) = (x - SIZE / 2, y - SIZE / 2);
    format!("<rect x=\"{left}\" y=\"{top}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{colour}\"/>\n")
}

/// The lines of the alquerque board.
fn svg_lines(view: &View<'_>) -> String {
    let mut lines = String::new();
    for rank in 0..view.layout.height {
        for column in 0..view.layout.width {
            let (x, y) = centre(view, column, rank);
            let mut to = vec![(column + 1, rank), (column, rank + 1)];
            if (column + rank) % 2 == 0 {
                to.push((column + 1, rank + 1));
                to.extend(column.checked_sub(1).map(|left| (left, rank + 1)));
            }
            for (column, rank) in to.into_iter().filter(|&(c, r)| view.square(c, r).is_some()) {
                let (to_x, to_y) = centre(view, column, rank);
                lines += &format!("<path d=\"M{x} {y}L{to_x} {to_y}\" stroke=\"#8a6a48\"/>\n");
            }
        }
    }
    lines
}

/// The number and the piece of a playing square.
fn svg_content(view: &View<'_>, column: usize, rank: usize) -> String {
    let Some(index) = view.square(column, rank) else { return String::new() };
    let (x, y) = centre(view, column, rank);
    let (left, top) = (x - SIZE / 2 + 9, y - SIZE / 2 + 12);
    let number = number(view.game, index);
    let mut out =
        format!("<text x=\"{left}\" y=\"{top}\" font-size=\"10\" fill=\"#3b2a18\">{number}</text>\n");
    if let Some((side, kind)) = view.piece(index) {
        let (fill, line) = match side {
            Side::White => ("#fdfbf6", "#222"),
            Side::Black => ("#222", "#fdfbf6"),
        };
        out += &format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"21\" fill=\"{fill}\" stroke=\"#555\" stroke-width=\"2\"/>\n"
        );
        out += &match kind {
            Kind::Man => {
                format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\" fill=\"none\" stroke=\"{line}\" opacity=\"0.4\"/>\n"
                )
            }
            Kind::King => format!(
                "<path transform=\"translate({x} {y})\" d=\"M-12 8V-8L-6 0 0 -10 6 0 12 -8V8Z\" fill=\"{line}\"/>\n"
            ),
            Kind::Parachutist => format!(
                "<path transform=\"translate({x} {y})\" d=\"M-12 -1A12 12 0 0 1 12 -1L0 12Z\" fill=\"{line}\"/>\n"
            ),
        };
    }
    out
}

/// Files, ranks and the side to move.
fn svg_margins(view: &View<'_>) -> String {
    let label = |x: usize, y: usize, text: String| {
        format!("<text x=\"{x}\" y=\"{y}\" font-size=\"14\" fill=\"#333\">{text}</text>\n")
    };
    let mut out = String::new();
    for column in 0..view.layout.width {
        let (x, y) = centre(view, column, 0);
        out += &label(x, y + SIZE / 2 + 18, file_letter(column).to_string());
    }
    for rank in 0..view.layout.height {
        let (_, y) = centre(view, 0, rank);
        out += &label(MARGIN / 2, y + 5, (rank + 1).to_string());
    }
    out + &label(MARGIN + view.layout.width * SIZE / 2, MARGIN - 10, view.caption())
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::rules::{RULE_SETS, find};

    fn drawn(id: &str, position: &str) -> (String, String) {
        let game = Game::new(find(id).unwrap());
        let setup = fen::parse(&game, position).unwrap();
        (text(&game, &setup), svg(&game, &setup))
    }

    #[test]
    fn a_normal_and_a_mirrored_board() {
        let (english, _) = drawn("english", "B:W21,K32:BK1,8");
        let lines: Vec<_> = english.lines().collect();
        assert_eq!(lines[0], "    +----+----+----+----+----+----+----+----+");
        assert_eq!(lines[1], "  8 |    |  B |    |  2 |    |  3 |    |  4 |");
        assert_eq!(lines[3], "  7 |  5 |    |  6 |    |  7 |    |  b |    |");
        assert_eq!(lines[11], "  3 |  w |    | 22 |    | 23 |    | 24 |    |");
        assert_eq!(lines[15], "  1 | 29 |    | 30 |    | 31 |    |  W |    |");
        assert_eq!(lines[17..], ["       a    b    c    d    e    f    g    h", "Black to move"]);
        let (italian, _) = drawn("italian", "W:W29:B1");
        assert!(italian.contains("  8 |  b |    |  2 |    |  3 |    |  4 |    |"));
        assert!(italian.contains("  1 |    |  w |    | 30 |    | 31 |    | 32 |"));
        let (spanish, _) = drawn("spanish", "W:W1:BK32");
        assert!(spanish.contains("  8 |  B |    | 31 |    | 30 |    | 29 |    |"));
        assert!(spanish.contains("  1 |    |  4 |    |  3 |    |  2 |    |  w |"));
        let (parachute, _) = drawn("parachute", "W:WP1:BP29");
        assert!(parachute.contains("  8 |    |  p |") && parachute.contains("  1 |  q |"));
    }

    #[test]
    fn from_the_other_side_the_board_is_turned() {
        let game = Game::new(find("english").unwrap());
        let setup = fen::parse(&game, "B:W21,K32:BK1,8").unwrap();
        let turned = text_from(&game, &setup, Side::Black);
        let lines: Vec<_> = turned.lines().collect();
        assert_eq!(lines[1], "  1 |    |  W |    | 31 |    | 30 |    | 29 |");
        assert_eq!(lines[15], "  8 |  4 |    |  3 |    |  2 |    |  B |    |");
        assert_eq!(lines[17..], ["       h    g    f    e    d    c    b    a", "Black to move"]);
    }

    #[test]
    fn every_game_is_drawn() {
        for set in RULE_SETS {
            let game = Game::new(set);
            let setup = fen::parse(&game, &game.start_fen()).unwrap();
            let board = layout(&game);
            let drawing = text(&game, &setup);
            assert_eq!(drawing.lines().count(), 2 * board.height + 3);
            let svg = svg(&game, &setup);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert_eq!(svg.matches("font-size=\"10\"").count(), board.squares);
            assert_eq!(svg.matches("r=\"21\"").count(), setup.pieces.len());
            assert_eq!(svg.matches("<rect").count(), board.width * board.height + 1);
            for (index, ..) in &setup.pieces {
                let (x, y) = place(&game, *index);
                assert!(svg.contains(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"21\"")), "{}", set.id);
            }
        }
    }
}
