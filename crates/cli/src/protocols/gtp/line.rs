//! One line of GTP, and the answer to it.

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// The number that the answer repeats, if the line begins with one.
    pub(super) id: String,
    /// The name of the command; empty in a line that has only a number.
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    /// The line after the name, with all spaces between its words.
    pub(super) rest: String,
}

/// Reads a line. Control characters and comments do not count. `None` if nothing is left.
pub(super) fn read(line: &str) -> Option<Command> {
    let text: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    let text = text.split('#').next().unwrap_or_default().trim();
    if text.is_empty() {
        return None;
    }
    let (first, after) = first_word(text);
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
    let (id, (name, rest)) = if is_number { (first, first_word(after)) } else { ("", (first, after)) };
    let arguments = rest.split_whitespace().map(str::to_string).collect();
    Some(Command { id: id.to_string(), name: name.to_string(), arguments, rest: rest.to_string() })
}

/// Splits a text that begins with no space after its first word.
fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Returns true for the comment by which a client interrupts a move.
pub(super) fn is_interrupt(line: Option<&str>) -> bool {
    line.unwrap_or_default().trim_start().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

/// Writes an answer. A text has no empty line, because that would end the answer. One that begins with a new line
/// begins below the mark, so that its first line stands above the others.
pub(super) fn answer(id: &str, answer: &Result<String, String>) -> String {
    let (mark, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let space = match lines.is_empty() {
        true => "",
        false if text.starts_with('\n') => " \n",
        false => " ",
    };
    format!("{mark}{id}{space}{}\n\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_id_a_name_and_arguments() {
        let command = |line| read(line).map(|Command { id, name, arguments, .. }| (id, name, arguments.join(",")));
        let of = |id: &str, name: &str, rest: &str| Some((id.to_string(), name.to_string(), rest.to_string()));
        assert_eq!(command("genmove b"), of("", "genmove", "b"));
        assert_eq!(command(" 12\tplay  w D4 # a comment"), of("12", "play", "w,D4"));
        assert_eq!(command("na\u{7}me\r"), of("", "name", ""));
        assert_eq!((command(""), command("  # nothing"), command("7 #")), (None, None, of("7", "", "")));
        assert_eq!(read("3 loadsgf  a  b.sgf 7 ").map(|command| command.rest).as_deref(), Some("a  b.sgf 7"));
    }

    #[test]
    fn an_answer_ends_with_an_empty_line_and_has_none_within() {
        assert_eq!(answer("", &Ok(String::new())), "=\n\n");
        assert_eq!(answer("3", &Ok("a\n\nb\n".to_string())), "=3 a\nb\n\n");
        assert_eq!(answer("3", &Ok("\na\nb".to_string())), "=3 \na\nb\n\n");
        assert_eq!(answer("", &Err("unknown command".to_string())), "? unknown command\n\n");
    }

    #[test]
    fn a_comment_interrupts() {
        assert!(is_interrupt(Some("# interrupt")) && is_interrupt(Some(" #interrupt ")));
        assert!(![Some("interrupt"), Some("# interrupted"), Some(""), None].into_iter().any(is_interrupt));
    }
}
