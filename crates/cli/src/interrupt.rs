//! Ctrl-C: what it does depends on what the program is doing.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use boughs::StopFlag;

use crate::failure::Failure;

/// What the next Ctrl-C does.
#[derive(Clone)]
enum Then {
    /// Ends the program without a result.
    Fail,
    /// Ends the search, whose result is then used; once more ends the program.
    Stop(StopFlag),
    /// Ends the program, which has nothing left to say.
    Leave,
}

static THEN: Mutex<Then> = Mutex::new(Then::Fail);

/// Begins to listen. Until told otherwise Ctrl-C ends the program without a result.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(act).map_err(|error| Failure::new(format!("Ctrl-C cannot be listened for: {error}")))
}

/// From now on Ctrl-C raises the flag that is returned, and a second one ends the program.
pub(crate) fn stops_search() -> StopFlag {
    let flag = StopFlag::default();
    set(Then::Stop(flag.clone()));
    flag
}

/// From now on Ctrl-C ends the program as if that had been its end anyway.
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
            // What is shown of the progress stays behind.
            if io::stderr().is_terminal() {
                let _ = writeln!(io::stderr());
            }
            // Programs of a match end with it.
            boughs_arena::kill_programs();
            let _ = Failure::new("interrupted before there was a result").tell();
            std::process::exit(2);
        }
        Then::Leave => {
            // The prompt is left behind.
            let _ = writeln!(io::stdout());
            std::process::exit(0);
        }
    }
}
