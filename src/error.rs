//! What all error messages share: quotations.

/// Longest quotation in a message, in characters.
const LONGEST: usize = 40;

/// `text` made fit for one line of a message: control characters escaped, cut if long.
pub fn excerpt(text: &str) -> String {
    let mut short = String::new();
    for character in text.chars().take(LONGEST) {
        if character == '\'' {
            short.push(character);
        } else {
            short.extend(character.escape_debug());
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_short_lines() {
        assert_eq!(excerpt("a\nb'"), "a\\nb'");
        assert_eq!(excerpt(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(excerpt(&"x".repeat(50)), format!("{}...", "x".repeat(40)));
    }
}
