//! `soffio match --compliance`: whether an engine keeps to the protocol.

use super::{Common, Failure};
use crate::arena::compliance;
use crate::arena::contestant::Contestant;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Checks an engine. A line a check as it ends, then one of totals; or JSON at `-`.
pub(super) fn run(
    common: &Common<'_>,
    words: &str,
    json: Option<&Path>,
    abort: &AtomicBool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let game = common.game()?;
    let contestant = Contestant::parse(words, &[])
        .map_err(|error| Failure::Usage(format!("--compliance \"{words}\": {error}")))?;
    if contestant.is_over_socket() {
        return Err(Failure::Usage(format!("--compliance \"{words}\": the checks are for Hub engines")));
    }
    let quiet = json.is_some_and(|path| path.as_os_str() == "-");
    let mut written = Ok(());
    let report = compliance::run(&contestant, &game, abort, &mut |finding| {
        if !quiet && written.is_ok() {
            // Each at once: a check may take seconds.
            written = writeln!(out, "{finding}").and_then(|()| out.flush());
        }
    });
    written?;
    let Some(report) = report else { return Err(Failure::Failed("interrupted".to_owned())) };
    let failed = |error: String| Failure::Failed(error);
    if let Some(path) = json {
        let text = serde_json::to_string(&report).map_err(|error| failed(error.to_string()))?;
        if quiet {
            writeln!(out, "{text}")?;
        } else {
            std::fs::write(path, text + "\n")
                .map_err(|error| failed(format!("{}: {error}", path.display())))?;
        }
    }
    if !quiet {
        writeln!(out, "{report}")?;
    }
    out.flush()?;
    if report.failed > 0 { Err(Failure::Negative) } else { Ok(()) }
}
