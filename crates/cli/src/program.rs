//! The name of the program, which a user's own crate chooses, and the command line it was given.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

/// The name in help texts, where the program does not know its file.
const DEFAULT: &str = "boughs";

/// The name of the program: that of its file.
pub(crate) fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let file = std::env::args_os().next();
        let name = file.as_deref().and_then(|file| Path::new(file).file_stem()?.to_str());
        name.filter(|name| !name.is_empty()).unwrap_or(DEFAULT).to_string()
    })
}

/// A text with this program in place of `boughs` in the commands that it quotes.
pub(crate) fn with_name(text: &str) -> String {
    with_name_of(text, name())
}

fn with_name_of(text: &str, name: &str) -> String {
    let commands = ["boughs ", "boughs\n", "'boughs'"];
    commands.iter().fold(text.to_string(), |text, command| text.replace(command, &command.replace(DEFAULT, name)))
}

/// The words of the command line that the program was given, the name of the program first.
pub(crate) fn words() -> Vec<String> {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    [name().to_string()].into_iter().chain(words).collect()
}

/// The command line that the program was given.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| quoted(&word));
    [name().to_string()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it, with bytes that are no UTF-8 in the shell's own notation.
pub(crate) fn quoted(word: &OsStr) -> String {
    match word.to_str() {
        Some(text) => join(&[text.to_string()]),
        None => format!("$'{}'", word.as_encoded_bytes().escape_ascii()),
    }
}

/// Words as one line for a shell.
pub(crate) fn join(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_a_text_are_those_of_the_program() {
        assert_eq!(with_name_of("see 'boughs agents'", "stones"), "see 'stones agents'");
        assert_eq!(with_name_of("docs of boughs-games", "stones"), "docs of boughs-games");
    }
}
