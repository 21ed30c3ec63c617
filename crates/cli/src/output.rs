//! Standard output, written in one place. A closed pipe is an error in one sentence, not a panic.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstyle::Style;
use serde::Serialize;

use crate::failure::Failure;

/// Writes text to standard output and flushes it.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::new("standard output was closed before the result was written"),
        _ => Failure::new(format!("standard output cannot be written: {error}")),
    })
}

/// Writes a value as one line of JSON. Only the call of the serializer is compiled for each type.
#[inline]
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_line(serde_json::to_string(value))
}

fn print_line(text: serde_json::Result<String>) -> Result<(), Failure> {
    print(&(text? + "\n"))
}

/// Returns true if standard output is a terminal with colours and the user has not set `NO_COLOR`.
pub(crate) fn has_colours() -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    io::stdout().is_terminal() && set("NO_COLOR").is_none() && set("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Makes text bold if there are colours.
pub(crate) fn bold(text: &str) -> String {
    let style = if has_colours() { Style::new().bold() } else { Style::new() };
    format!("{style}{text}{style:#}")
}
