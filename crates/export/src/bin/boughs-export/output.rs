//! Standard output and the spinner on standard error.

use std::io::{self, ErrorKind, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::failure::Failure;

/// Time between two turns of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// Writes a text to standard output. A closed pipe is an error in one sentence.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    told(io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()))
}

/// The failure of a write to standard output.
pub(crate) fn told(written: io::Result<()>) -> Result<(), Failure> {
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::new("standard output was closed before the result was written"),
        _ => Failure::new(format!("standard output cannot be written: {error}")),
    })
}

/// A spinner with the current step, on a terminal only. It disappears when it is dropped.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::new_spinner().with_finish(ProgressFinish::AndClear);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(TICK);
    bar
}
