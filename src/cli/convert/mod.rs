//! `soffio convert`: games and positions from one format to another, one at a time.

mod read;
mod write;

use super::games::{Problem, Rulebook, Start, set_up, walk};
use super::{Common, Failure, progress};
use clap::{Args, ValueEnum};
use read::{Origin, Record, Source};
use std::io::{BufWriter, Write};
use write::Writer;

#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// The format to read
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Format,
    /// The format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// Which positions of a game to write, where positions are written
    #[arg(long, value_enum, default_value_t = Positions::All)]
    positions: Positions,
    /// The games or positions [default: standard input]
    #[arg(value_name = "FILE | -")]
    file: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// PDN: games with tags, comments and variations
    Pdn,
    /// A FEN a line
    Fen,
    /// A Hub position string a line
    Hub,
    /// A JSON object a line, as `referee` reads them
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Positions {
    /// The first, and the one after each move
    All,
    /// The one before the first move
    Start,
    /// The one after the last move
    End,
}

/// Most bytes that wait to be written.
const BUFFER: usize = 1 << 16;

pub(super) fn run(common: &Common<'_>, args: &ConvertArgs, out: &mut impl Write) -> Result<(), Failure> {
    let file = args.file.as_deref().unwrap_or("-");
    let mut rulebook = Rulebook::new(common)?;
    let mut source = Source::open(args.from, file)?;
    let mut writer = Writer::new(BufWriter::with_capacity(BUFFER, out), args.to, args.positions);
    let (mut games, mut bad) = (0usize, 0usize);
    while let Some(found) = source.next() {
        games += 1;
        let done = found?.and_then(|mut record| convert(&mut rulebook, &mut record, &mut writer));
        match done {
            Ok(()) => writer.end_game()?,
            Err(problem) => {
                bad += 1;
                writer.drop_game();
                progress::line(&problem.line(source.name(), games));
            }
        }
        if source.waits() {
            writer.flush()?;
        }
    }
    writer.flush()?;
    if let Some(words) = writer.left_out() {
        progress::line(&format!("soffio: {words}"));
    }
    match bad {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{bad} of {games} games were not converted"))),
    }
}

/// Plays a game through and writes it.
fn convert<W: Write>(
    rulebook: &mut Rulebook,
    record: &mut Record,
    writer: &mut Writer<W>,
) -> Result<(), Problem> {
    let table = rulebook
        .table(&record.game, record.rules.as_ref())
        .map_err(|error| Problem::new(record.place, error))?;
    let start = match &record.origin {
        Origin::Tags => Start::Tags,
        Origin::Fen(fen) => Start::Fen(fen, record.place),
        Origin::Hub(text) => Start::Hub(text, record.place),
    };
    let rules = table.session.game().clone();
    let stated = |mut problem: Problem| {
        if !table.stated {
            problem.what += &format!(" (taken for {}: neither -v nor a tag names the rules)", rules.set.id);
        }
        problem
    };
    set_up(table.session, &record.game, start).map_err(stated)?;
    let fen = (!matches!(start, Start::Tags) || record.game.fen().is_some()).then(|| table.session.fen());
    writer.begin_game(table.session);
    walk(table.session, table.side, &mut record.game.items, writer).map_err(stated)?;
    writer
        .game(&mut record.game, &rules, fen.as_deref(), table.session)
        .map_err(|what| Problem::new(record.place, what))
}
