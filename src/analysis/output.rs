//! How records are written.

use super::annotate::Annotated;
use super::html::Html;
use super::run::Event;
use super::text::Text;
use std::io::{self, Write};

/// A form of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line a record, for people.
    Text,
    /// A line a record, for programs.
    Json,
    /// The games with marks, scores and best lines.
    Pdn,
    /// A page for browsers.
    Html,
}

/// Somebody who writes what is told.
pub struct Report {
    form: Form,
}

enum Form {
    Text(Box<Text>),
    Json,
    Pdn(Box<Annotated>),
    Html(Box<Html>),
}

impl Report {
    /// A report on an input of this name.
    pub fn new(format: Format, name: &str) -> Self {
        Self {
            form: match format {
                Format::Text => Form::Text(Box::default()),
                Format::Json => Form::Json,
                Format::Pdn => Form::Pdn(Box::default()),
                Format::Html => Form::Html(Box::new(Html::new(name))),
            },
        }
    }

    /// Writes what an event adds. Lines of text and JSON go out at once.
    ///
    /// # Errors
    /// Of `out`.
    pub fn hear(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match &mut self.form {
            Form::Json => {
                if let Event::Record(_, record) = event {
                    out.write_all(record.line().as_bytes())?;
                    out.flush()?;
                }
                Ok(())
            }
            Form::Text(text) => {
                text.hear(event, out)?;
                out.flush()
            }
            Form::Pdn(pdn) => pdn.hear(event, out),
            Form::Html(html) => html.hear(event, out),
        }
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Of `out`.
    pub fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        if let Form::Html(html) = self.form {
            html.finish(out)?;
        }
        out.flush()
    }
}
