//! Perft suites: text files of positions with their counts. A line is `FEN ; CONVENTION ; DEPTH NODES`; empty lines and
//! lines that begin with `#` are comments.

use std::fmt;

/// What a count counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// Captures with the same start, end, captured set and promotion are one move ([`super::Perft`]'s default).
    Drop,
    /// Captures of the same pieces in another order are counted separately ([`super::Perft::keep_duplicates`]).
    Keep,
    /// Every route of a capture is counted, however little it differs: as some programs do, Soffio not. Such rows are
    /// kept for comparison with their source.
    Paths,
}

impl Convention {
    /// All conventions.
    pub const ALL: [Self; 3] = [Self::Drop, Self::Keep, Self::Paths];

    /// The word that stands for it in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Keep => "keep",
            Self::Paths => "paths",
        }
    }
}

/// One count of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuiteRow<'a> {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The position, as yet unread.
    pub fen: &'a str,
    /// What is counted.
    pub convention: Convention,
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaves; published counts go beyond 64 bits.
    pub nodes: u128,
}

/// Why a line is not a row of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there instead.
    pub found: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, found } = self;
        write!(f, "line {line}, column {column}: expected {expected}, found '{found}'")
    }
}

impl std::error::Error for SuiteError {}

/// The rows of a suite, in order.
///
/// # Errors
/// The first line that is neither a row nor a comment, with the column of the offending word.
pub fn read_suite(text: &str) -> Result<Vec<SuiteRow<'_>>, SuiteError> {
    text.lines()
        .enumerate()
        .filter(|(_, content)| !content.trim().is_empty() && !content.starts_with('#'))
        .map(|(index, content)| read_row(index + 1, content))
        .collect()
}

fn read_row(line: usize, content: &str) -> Result<SuiteRow<'_>, SuiteError> {
    let error = |rest: &str, expected: &'static str| {
        let column = content.chars().count() - rest.chars().count() + 1;
        let found = rest.split(';').next().unwrap_or("").trim().to_owned();
        SuiteError { line, column, expected, found }
    };
    let (fen, rest) =
        content.split_once(';').ok_or_else(|| error(content, "FEN ; CONVENTION ; DEPTH NODES"))?;
    let rest = rest.trim_start();
    let (name, counts) = rest.split_once(';').ok_or_else(|| error(rest, "CONVENTION ; DEPTH NODES"))?;
    let convention = Convention::ALL
        .into_iter()
        .find(|convention| convention.name() == name.trim())
        .ok_or_else(|| error(rest, "drop, keep or paths"))?;
    let counts = counts.trim_start();
    let (depth, nodes) = counts.split_once(' ').ok_or_else(|| error(counts, "DEPTH NODES"))?;
    Ok(SuiteRow {
        line,
        fen: fen.trim(),
        convention,
        depth: depth.parse().map_err(|_| error(counts, "a depth"))?,
        nodes: nodes.trim().parse().map_err(|_| error(nodes.trim_start(), "a number of nodes"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_comments() {
        let text = "# counts\n\nW:W31-50:B1-20 ; drop ; 3 658\nB:W1:B2;keep;1 76309690522352444005\n";
        let rows = read_suite(text).unwrap();
        assert_eq!(
            rows[0],
            SuiteRow { line: 3, fen: "W:W31-50:B1-20", convention: Convention::Drop, depth: 3, nodes: 658 }
        );
        assert_eq!((rows[1].convention, rows[1].nodes), (Convention::Keep, 76_309_690_522_352_444_005));
    }

    #[test]
    fn errors_name_line_and_column() {
        let error = |text| read_suite(text).unwrap_err().to_string();
        assert_eq!(
            error("W:W1:B2"),
            "line 1, column 1: expected FEN ; CONVENTION ; DEPTH NODES, found 'W:W1:B2'"
        );
        assert_eq!(error("#\nF ; all ; 1 7"), "line 2, column 5: expected drop, keep or paths, found 'all'");
        assert_eq!(error("F ; drop ; one 7"), "line 1, column 12: expected a depth, found 'one 7'");
        assert_eq!(error("F ; drop ; 1"), "line 1, column 12: expected DEPTH NODES, found '1'");
        assert_eq!(error("F ; drop ; 1 x"), "line 1, column 14: expected a number of nodes, found 'x'");
        assert_eq!(
            error("F ; drop 1 7"),
            "line 1, column 5: expected CONVENTION ; DEPTH NODES, found 'drop 1 7'"
        );
    }
}
