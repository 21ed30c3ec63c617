//! Standard output, written in one place. A closed pipe is an error in one sentence, not a panic. Text of others, which
//! may be anywhere in what is printed, cannot control the terminal.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anstyle::Style;
use boughs_arena::{harmless, is_active};
use serde::Serialize;

use crate::failure::Failure;

/// The styles of this program on a terminal with colours: none, bold, underlined, green, and no colour.
const STYLES: [&str; 5] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[4m", "\u{1b}[38;5;10m", "\u{1b}[39m"];

/// True once something was printed.
static HAS_PRINTED: AtomicBool = AtomicBool::new(false);

/// Returns true if something was printed, of which a part may not be written yet.
pub(crate) fn has_printed() -> bool {
    HAS_PRINTED.load(Relaxed)
}

/// Writes text to standard output and flushes it.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(&for_terminal(text))
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    HAS_PRINTED.store(true, Relaxed);
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => closed(),
        _ => Failure::new(format!("standard output cannot be written: {error}")),
    })
}

fn closed() -> Failure {
    Failure::new("standard output was closed before the result was written")
}

/// Fails if the reader of standard output has gone, which is known before anything is written.
#[cfg(unix)]
pub(crate) fn check_open() -> Result<(), Failure> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let out = io::stdout();
    let mut polled = [PollFd::new(&out, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    // A system that cannot tell leaves it to the next write.
    let is_known = poll(&mut polled, Some(&at_once)).is_ok();
    let has_gone = is_known && polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP);
    if has_gone { Err(closed()) } else { Ok(()) }
}

/// Leaves it to the next write, because the system does not tell.
#[cfg(not(unix))]
pub(crate) fn check_open() -> Result<(), Failure> {
    Ok(())
}

/// Writes a value as one line of JSON. Only the call of the serializer is compiled for each type.
#[inline(always)]
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_line(serde_json::to_string(value))
}

fn print_line(text: serde_json::Result<String>) -> Result<(), Failure> {
    write(&(escape_in_json(&text?) + "\n"))
}

/// Escapes the characters of a JSON text that a terminal obeys. The value is the same.
fn escape_in_json(text: &str) -> String {
    // They stand in strings only, and none needs more than four digits.
    let escaped = |c: char| if is_active(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    match text.contains(is_active) {
        true => text.chars().map(escaped).collect(),
        false => text.to_string(),
    }
}

/// Returns a text as a terminal may get it: with the styles of this program, if it has colours, and otherwise harmless.
pub(crate) fn for_terminal(text: &str) -> String {
    let styles = if has_colours() { &STYLES[..] } else { &[] };
    harmless_but_for(styles, text)
}

fn harmless_but_for(styles: &[&str], text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, from)) = rest.find('\u{1b}').map(|at| rest.split_at(at)) {
        let style = styles.iter().find(|style| from.starts_with(**style));
        out += &harmless(before);
        out += &style.map_or_else(|| harmless("\u{1b}"), |style| style.to_string());
        rest = &from[style.map_or(1, |style| style.len())..];
    }
    out + &harmless(rest)
}

/// Returns true if standard output is a terminal with colours and the user has not set `NO_COLOR`. Open MPI gives its
/// ranks terminals, wherever their output goes.
pub(crate) fn has_colours() -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let is_terminal = io::stdout().is_terminal() && set("OMPI_COMM_WORLD_RANK").is_none();
    is_terminal && set("NO_COLOR").is_none() && set("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Makes text bold if there are colours.
pub(crate) fn bold(text: &str) -> String {
    let style = if has_colours() { Style::new().bold() } else { Style::new() };
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_styles_of_this_program_reach_a_terminal() {
        let text = "\u{1b}[1mbold\u{1b}[0m \u{1b}[31mred\u{1b}]0;title\u{7} \u{9b}2J\n";
        let rest = "\\u{1b}[31mred\\u{1b}]0;title\\u{7} \\u{9b}2J\n";
        assert_eq!(harmless_but_for(&STYLES, text), format!("\u{1b}[1mbold\u{1b}[0m {rest}"));
        assert_eq!(harmless_but_for(&[], text), format!("\\u{{1b}}[1mbold\\u{{1b}}[0m {rest}"));
    }

    #[test]
    fn json_has_the_same_value_and_controls_no_terminal() {
        let value = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\n";
        let text = escape_in_json(&serde_json::to_string(value).unwrap());
        assert!(!text.contains(is_active), "{text:?}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
    }
}
