//! Signals that end the program: Ctrl-C, SIGTERM, SIGHUP and SIGQUIT (Ctrl-\\). They do the same, and the exit code
//! tells them apart. Their effect depends on the current work of the program.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use boughs::StopFlag;

use crate::failure::Failure;
use crate::output::has_printed;

/// The number of the signal of Ctrl-C.
const CTRL_C: u8 = 2;

/// The exit code of a program that a signal has ended, less the number of the signal. Shells have the same.
const BY_SIGNAL: u8 = 128;

/// The time in which the same signal comes again from another sender: a terminal and a parent both send one.
const AGAIN: Duration = Duration::from_millis(100);

/// The effect of the next signal.
#[derive(Clone)]
enum Then {
    /// Ends the program without a result.
    Fail,
    /// Ends the work, and its result so far is used. A later signal ends the program.
    Stop(StopFlag),
    /// Ctrl-C ends a search within a game, which goes on. Another signal, or a second Ctrl-C, ends the program.
    Hurry(StopFlag),
    /// Ends the program without a word.
    Leave,
}

static THEN: Mutex<Then> = Mutex::new(Then::Fail);

/// The number of the signal that has ended the program's work; 0 without one.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// The last signal and its time.
static LAST: Mutex<Option<(u8, Instant)>> = Mutex::new(None);

/// Begins to listen. At first a signal ends the program without a result.
pub(crate) fn listen() -> Result<(), Failure> {
    boughs::named_file::end_waits_if(|| SIGNAL.load(Relaxed) != 0);
    listen_with(act).map_err(|error| Failure::new(format!("signals such as Ctrl-C cannot be listened for: {error}")))
}

/// Makes a signal raise the returned flag, and a second one end the program.
pub(crate) fn stops_search() -> StopFlag {
    let flag = StopFlag::default();
    set(Then::Stop(flag.clone()));
    flag
}

/// Makes Ctrl-C raise the returned flag, and every other signal end the program.
pub(crate) fn hurries_search() -> StopFlag {
    let flag = StopFlag::default();
    set(Then::Hurry(flag.clone()));
    flag
}

/// Makes a signal end the program without a word.
pub(crate) fn leaves() {
    set(Then::Leave);
}

/// The exit code of a program whose work was ended by a signal.
pub(crate) fn exit_code() -> Option<ExitCode> {
    match SIGNAL.load(Relaxed) {
        0 => None,
        signal => Some((BY_SIGNAL + signal).into()),
    }
}

fn set(then: Then) {
    *THEN.lock().unwrap_or_else(PoisonError::into_inner) = then;
}

/// Does what a signal does at the current work.
fn act(signal: u8) {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).replace((signal, Instant::now()));
    if last.is_some_and(|(other, time)| other == signal && time.elapsed() < AGAIN) {
        return;
    }
    let then = THEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match then {
        Then::Stop(flag) if !flag.is_raised() => {
            // The flag is raised after this, so a program that sees it ends with the code.
            SIGNAL.store(signal, Relaxed);
            flag.raise();
        }
        Then::Hurry(flag) if signal == CTRL_C && !flag.is_raised() => flag.raise(),
        Then::Stop(_) | Then::Fail => {
            // The message goes below the line of progress.
            if io::stderr().is_terminal() {
                let _ = writeln!(io::stderr());
            }
            let before = if has_printed() { "" } else { " before there was a result" };
            end(signal, Some(Failure::new(format!("interrupted{before}"))));
        }
        Then::Hurry(_) | Then::Leave => {
            // The shell's prompt goes below that of the game.
            let _ = writeln!(io::stdout());
            end(signal, None);
        }
    }
}

/// Ends the program, and before it the programs of a match, which would outlive it.
fn end(signal: u8, why: Option<Failure>) -> ! {
    boughs_arena::kill_programs();
    why.map(Failure::tell);
    std::process::exit(i32::from(BY_SIGNAL + signal))
}

/// Calls a function with the number of each signal, on a thread of its own.
#[cfg(unix)]
fn listen_with(act: fn(u8)) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    // A command under nohup outlives its terminal, and one that a script runs in the background its keys.
    let heeded = [SIGINT, SIGTERM, SIGQUIT, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(heeded)?;
    let listen = move || signals.forever().filter_map(|signal| u8::try_from(signal).ok()).for_each(act);
    std::thread::Builder::new().name("signals".into()).spawn(listen).map(drop)
}

/// Calls a function at each Ctrl-C, on a thread of its own.
#[cfg(not(unix))]
fn listen_with(act: fn(u8)) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || act(CTRL_C))
}

/// Returns true if this process ignores a signal. Only Linux tells, in `/proc`; elsewhere every signal is heeded.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
