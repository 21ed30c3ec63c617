//! Ctrl-C. Its effect depends on the current work of the program.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use boughs::StopFlag;

use crate::failure::Failure;

/// The effect of the next Ctrl-C.
#[derive(Clone)]
enum Then {
    /// Ends the program without a result.
    Fail,
    /// Ends the search, and its result is used. A second Ctrl-C ends the program.
    Stop(StopFlag),
    /// Ends the program with success.
    Leave,
}

static THEN: Mutex<Then> = Mutex::new(Then::Fail);

/// Begins to listen. At first Ctrl-C ends the program without a result.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(act).map_err(|error| Failure::new(format!("Ctrl-C cannot be listened for: {error}")))
}

/// Makes Ctrl-C raise the returned flag, and a second one end the program.
pub(crate) fn stops_search() -> StopFlag {
    let flag = StopFlag::default();
    set(Then::Stop(flag.clone()));
    flag
}

/// Makes Ctrl-C end the program with success.
pub(crate) fn leaves() {
    set(Then::Leave);
}

fn set(then: Then) {
    *THEN.lock().unwrap_or_else(PoisonError::into_inner) = then;
}

fn act() {
    let then = THEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match then {
        Then::Stop(flag) if !flag.is_raised() => flag.raise(),
        Then::Stop(_) | Then::Fail => {
            // The message goes below the line of progress.
            if io::stderr().is_terminal() {
                let _ = writeln!(io::stderr());
            }
            // The programs of a match would outlive this one.
            boughs_arena::kill_programs();
            let _ = Failure::new("interrupted before there was a result").tell();
            std::process::exit(2);
        }
        Then::Leave => {
            // The shell's prompt goes below that of the game.
            let _ = writeln!(io::stdout());
            std::process::exit(0);
        }
    }
}
