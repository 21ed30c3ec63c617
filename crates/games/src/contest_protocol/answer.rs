//! Parts of an answer, one line of a player: numbers and messages, as both official referees read them.

/// The white space of the official referees' regular expressions.
pub(crate) const WHITE_SPACE: [char; 6] = [' ', '\t', '\n', '\x0b', '\x0c', '\r'];

/// Longest message that is shown whole, in characters.
const LONGEST: usize = 48;
/// Length to which a longer message is cut before the dots.
const CUT: usize = 46;

/// A number as an official referee reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// At most 2^31 - 1.
    Fits(u32),
    /// A larger number, which the official referees cannot hold.
    TooLarge,
}

/// Reads a number after one space. Returns it with the rest of the text, or `None` if there is no such number.
pub(crate) fn read_number(text: &str) -> Option<(Number, &str)> {
    let text = text.strip_prefix(' ')?;
    let (digits, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let number = match digits.parse() {
        Ok(number) if number <= i32::MAX as u32 => Number::Fits(number),
        Err(_) if digits.is_empty() => Number::Fits(0),
        _ => Number::TooLarge,
    };
    Some((number, rest))
}

/// Returns true if a command can end before this text: it is empty or begins with white space.
pub(crate) fn ends_command(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(WHITE_SPACE)
}

/// Removes spaces and control characters at both ends, as Java's `trim` does.
pub(crate) fn trim_control(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// The message of an answer as the viewer of the contest shows it: trimmed, and cut if it is long.
pub(crate) fn shown_message(text: &str) -> String {
    let message = trim_control(text);
    match message.chars().count() {
        0..=LONGEST => message.to_string(),
        _ => message.chars().take(CUT).chain("...".chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_after_one_space() {
        for (text, number, rest) in [
            (" 5", Number::Fits(5), ""),
            (" 007 8", Number::Fits(7), " 8"),
            (" 000x", Number::Fits(0), "x"),
            (" 2147483647", Number::Fits(i32::MAX as u32), ""),
            (" 2147483648", Number::TooLarge, ""),
            (" 99999999999999999999999", Number::TooLarge, ""),
        ] {
            assert_eq!(read_number(text), Some((number, rest)), "{text}");
        }
        for text in ["", " ", "5", "  5", "\t5", " +1", " -1", " x", " ٣"] {
            assert_eq!(read_number(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_long_message_is_cut() {
        assert_eq!(shown_message(&"é".repeat(48)), "é".repeat(48));
        assert_eq!(shown_message(&"é".repeat(49)), "é".repeat(46) + "...");
        assert_eq!(shown_message(" \t ho  ho\r"), "ho  ho");
    }
}
