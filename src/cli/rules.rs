//! `soffio rules`.

use super::words::{DrawRule, describe, draws};
use super::{Common, Failure};
use crate::engine;
use crate::notation::squares;
use crate::rules::{Game, RuleOption};
use serde_json::{Value, json};
use std::io::{self, Write};

pub(super) fn run(common: &Common<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let games = common.games()?;
    if !common.json && games.len() > 1 {
        write_cells(["id", "name", "board", "n", "first", "aliases"], out)?;
    }
    for game in &games {
        if common.json {
            writeln!(out, "{}", as_json(game))?;
        } else if let [game] = &games[..] {
            write_one(game, out)?;
        } else {
            write_row(game, out)?;
        }
    }
    Ok(())
}

/// A row of the table.
fn write_row(game: &Game, out: &mut impl Write) -> io::Result<()> {
    let set = game.set;
    let layout = set.kernel.layout();
    let board = format!("{}x{}", layout.width, layout.height);
    let (squares, aliases) = (layout.squares.to_string(), set.aliases.join(" "));
    write_cells([set.id, set.name, &board, &squares, game.first.name(), &aliases], out)
}

/// The cells of a line of the table: id, name, board, number of squares, first mover, aliases.
fn write_cells(cells: [&str; 6], out: &mut impl Write) -> io::Result<()> {
    let [id, name, board, squares, first, aliases] = cells;
    let row = format!("{id:<17}{name:<36}{board:<7}{squares:<4}{first:<7}{aliases}");
    writeln!(out, "{}", row.trim_end())
}

fn write_one(game: &Game, out: &mut impl Write) -> io::Result<()> {
    let set = game.set;
    writeln!(out, "{} ({})", set.name, set.id)?;
    if !set.aliases.is_empty() {
        writeln!(out, "Also: {}.", set.aliases.join(", "))?;
    }
    if !set.game_type.is_empty() {
        writeln!(out, "PDN GameType: {}.", set.game_type)?;
    }
    for line in describe(game) {
        writeln!(out, "{line}")?;
    }
    for option in set.options {
        let chosen = game.chosen.iter().find(|(name, _)| *name == option.name).map_or("", |(_, value)| value);
        writeln!(
            out,
            "Option: --rule {}={} ({}); here {chosen}.",
            option.name,
            values(option).join("|"),
            option.about
        )?;
    }
    writeln!(out, "Sources: {}.", set.sources)
}

fn values(option: &RuleOption) -> Vec<&'static str> {
    option.values.iter().map(|value| value.name).collect()
}

fn as_json(game: &Game) -> Value {
    let set = game.set;
    let layout = set.kernel.layout();
    let first_square = squares::name(game, squares::index(game, 1).unwrap_or(0));
    let options: Vec<_> = set
        .options
        .iter()
        .zip(&game.chosen)
        .map(|(option, (_, chosen))| {
            json!({ "name": option.name, "about": option.about, "values": values(option), "chosen": chosen })
        })
        .collect();
    let draws: Vec<_> = draws(&game.draws)
        .into_iter()
        .map(|DrawRule { reason, count, words }| json!({ "reason": reason, "count": count, "words": words }))
        .collect();
    json!({
        "id": set.id,
        "name": set.name,
        "aliases": set.aliases,
        "gametype": (!set.game_type.is_empty()).then_some(set.game_type),
        "board": {
            "width": layout.width,
            "height": layout.height,
            "squares": layout.squares,
            "mirrored": set.numbering.mirrored(),
        },
        "first_mover": game.first.name().to_ascii_lowercase(),
        "start_fen": engine::open(game.clone()).fen(),
        "numbering": { "square_1": first_square, "algebraic": set.algebraic },
        "options": options,
        "draws": draws,
        "sources": set.sources,
    })
}
