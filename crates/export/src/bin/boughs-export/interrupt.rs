//! Signals that end an export and the programs that it runs: Ctrl-C, SIGTERM, SIGHUP and SIGQUIT (Ctrl-\\). A second
//! one ends the program at once.

use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::failure::Failure;

/// The number of the signal that has ended the export; 0 without one.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// Begins to listen. Before that a signal ends the program, as it does with every other one.
pub(crate) fn listen() -> Result<(), Failure> {
    listen_with(act).map_err(|error| Failure::new(format!("signals such as Ctrl-C cannot be listened for: {error}")))
}

/// Returns true if a signal has ended the export.
pub(crate) fn has_come() -> bool {
    SIGNAL.load(Relaxed) != 0
}

/// The exit code of a program that a signal has ended, which shells have too.
pub(crate) fn exit_code() -> Option<u8> {
    let signal = SIGNAL.load(Relaxed);
    (signal != 0).then_some(128 + signal)
}

/// The failure of an export that a signal has ended.
pub(crate) fn interrupted() -> Failure {
    Failure::new("interrupted before the file was written")
}

fn act(signal: u8) {
    let is_first = SIGNAL.swap(signal, Relaxed) == 0;
    boughs_export::stop();
    if !is_first {
        interrupted().tell();
        std::process::exit(128 + i32::from(signal));
    }
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
    ctrlc::set_handler(move || act(2))
}

/// Returns true if this process ignores a signal, as far as the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
