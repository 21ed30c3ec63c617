//! Text of others: the words of a program, a log, a store or a file. Shown as it is, it could move the cursor of a
//! terminal, set its title, answer in the user's name, or turn the text around it.

/// Returns a text that a terminal shows and does not obey. Control characters, and characters that change the direction
/// of text, become escapes such as `\u{1b}`. Newlines and tabs stay, and a carriage return before a newline goes.
///
/// ```
/// assert_eq!(boughs_arena::harmless("1\t\u{1b}[2Jé\r\n"), "1\t\\u{1b}[2Jé\n");
/// ```
pub fn harmless(text: &str) -> String {
    escaped(&text.replace("\r\n", "\n"), |c| is_active(c) && !matches!(c, '\n' | '\t'))
}

/// Returns a text as [`harmless`] does, on one line.
///
/// ```
/// assert_eq!(boughs_arena::harmless_line("one\ntwo \u{202e}"), "one\\ntwo \\u{202e}");
/// ```
pub fn harmless_line(text: &str) -> String {
    escaped(text, is_active)
}

/// Returns true for a character that a terminal obeys instead of showing it.
pub fn is_active(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // Separators of lines and paragraphs break a line in some terminals.
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_escaped(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left_and_all_else_stays() {
        let active: String = (0..=0x10_ffff).filter_map(char::from_u32).filter(|&c| is_active(c)).collect();
        assert!(active.contains(['\0', '\u{7}', '\u{1b}', '\u{7f}', '\u{9b}', '\u{9d}', '\u{202e}', '\u{2069}']));
        for text in [harmless(&active), harmless_line(&active)] {
            assert!(!text.chars().any(|c| is_active(c) && !matches!(c, '\n' | '\t')), "{text:?}");
        }
        let shown = "é e\u{301} 漢字 🌱 'quoted' \"too\" C:\\bots";
        assert_eq!([harmless(shown), harmless_line(shown)], [shown, shown]);
        assert_eq!(harmless(&harmless(&active)), harmless(&active), "once is enough");
    }
}
