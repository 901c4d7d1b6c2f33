//! `soffio train export`.

use super::super::input::named;
use super::super::{Common, Failure};
use crate::engine::{self, Weights};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExportArgs {
    /// A file of `soffio train fit`; without it, the weights that the program carries
    file: Option<PathBuf>,
    /// Write the weights, once checked, to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Checks weights for the rule set, says what they are and puts them where they are wanted.
pub(super) fn run(common: &Common<'_>, args: &ExportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = engine::open(common.game()?);
    let id = session.game().set.id;
    let bytes = match &args.file {
        Some(path) => {
            let at = path.display().to_string();
            let bytes = std::fs::read(path).map_err(|error| named(&at, &error))?;
            session
                .set_weights(Weights::File(&bytes))
                .map_err(|error| Failure::Failed(format!("{at}: {error}")))?;
            bytes
        }
        None => crate::eval::embedded_file(session.game().set).unwrap_or_default().to_vec(),
    };
    let model = session.weights();
    let model = model.ok_or_else(|| Failure::Failed(format!("the program carries no weights for {id}")))?;
    if let Some(path) = &args.out {
        std::fs::write(path, &bytes).map_err(|error| named(&path.display().to_string(), &error))?;
    }
    let (note, fingerprint) = (model.note(), model.fingerprint());
    if common.json {
        let report = json!({ "variant": id, "bytes": bytes.len(), "fingerprint": fingerprint, "note": note });
        return Ok(writeln!(out, "{report}")?);
    }
    Ok(writeln!(out, "{id}: {} bytes, fingerprint {fingerprint}, {note}", bytes.len())?)
}
