//! `soffio egdb probe`.

use super::super::input::{Lines, each_fen};
use super::super::{Common, Failure};
use super::{ProbeArgs, failed};
use crate::egdb::{Answer, Job, Oracle, Value};
use crate::engine::{self, Session};
use serde_json::json;
use std::io::{self, Write};

/// Bytes of blocks that are kept.
const CACHE: u64 = 64 << 20;

pub(super) fn run(common: &Common<'_>, args: &ProbeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = engine::open(common.game()?);
    let job = Job { directory: args.dir.clone(), pieces: args.pieces, memory: CACHE };
    let mut oracle = session.workshop().map_err(failed)?.oracle(&job).map_err(failed)?;
    if args.expect {
        return compare(session.as_mut(), oracle.as_mut(), &args.fen, out);
    }
    if args.fen != "-" {
        session.set_fen(&args.fen)?;
        let answer = oracle.ask(&session.setup()).map_err(failed)?;
        return Ok(write(common, session.as_ref(), &answer, out)?);
    }
    each_fen(common.json, session.as_mut(), out, |session, out| match oracle.ask(&session.setup()) {
        Ok(answer) => write(common, session, &answer, out).map(Ok),
        Err(error) => Ok(Err(error.to_string())),
    })
}

fn write(
    common: &Common<'_>,
    session: &dyn Session,
    answer: &Answer,
    out: &mut impl Write,
) -> io::Result<()> {
    let Answer { value, mtc, dtw } = answer;
    if common.json {
        let fen = session.fen();
        return writeln!(
            out,
            "{}",
            json!({"fen": fen, "value": value.map(Value::name), "mtc": mtc, "dtw": dtw})
        );
    }
    write!(out, "{}", value.map_or("unknown", Value::name))?;
    for (name, plies) in [("mtc", mtc), ("dtw", dtw)] {
        plies.map_or(Ok(()), |plies| write!(out, " {name} {plies}"))?;
    }
    writeln!(out)
}

/// Compares with the lines of a file.
fn compare(
    session: &mut dyn Session,
    oracle: &mut dyn Oracle,
    file: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (mut checked, mut wrong, mut left_out) = (0, 0, 0);
    for (line, number) in Lines::open(file)?.zip(1..) {
        let line = line?.map_err(failed)?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = |why: String| failed(format!("{file}, line {number}: {why}"));
        let (fen, wanted) =
            line.split_once('\t').ok_or_else(|| bad("expected FEN, a tab and a value".to_owned()))?;
        session.set_fen(fen).map_err(|error| bad(error.to_string()))?;
        let answer = oracle.ask(&session.setup()).map_err(failed)?;
        let found = match wanted.parse::<u16>() {
            Ok(_) => answer.mtc.map(|plies| plies.to_string()),
            Err(_) => answer.value.map(|value| value.name().to_owned()),
        };
        let Some(found) = found else {
            left_out += 1;
            continue;
        };
        checked += 1;
        if found != wanted {
            wrong += 1;
            writeln!(out, "{file}, line {number}: {fen} is {found}, not {wanted}")?;
        }
    }
    writeln!(out, "{checked} checked, {wrong} wrong, {left_out} left out")?;
    if wrong > 0 { Err(Failure::Negative) } else { Ok(()) }
}
