//! What all readers share: columns and quotations for error messages.

pub(super) use crate::error::excerpt;

/// The 1-based column, in characters, of the byte `offset` of `text`.
pub(super) fn column(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or(text).chars().count() + 1
}

/// The parts of `text` between separators, each with its byte offset.
pub(super) fn split_at_offsets(text: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    text.split(separator).map(move |part| {
        let at = offset;
        offset += part.len() + separator.len_utf8();
        (at, part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(column("äb", 2), 2);
        assert_eq!(column("ab", 9), 3);
        assert_eq!(split_at_offsets("a,,bc", ',').collect::<Vec<_>>(), [(0, "a"), (2, ""), (3, "bc")]);
    }
}
