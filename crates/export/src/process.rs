//! Programs that an export runs: compilers for a limited time, and none after the export was stopped.

use std::cell::RefCell;
use std::io::{ErrorKind, Read};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::fault::ExportError;

/// The time between two looks at a running program.
const LOOK: Duration = Duration::from_millis(5);

/// The most time for the output of a program that has ended.
const ENDING: Duration = Duration::from_secs(5);

/// True when exports have to end.
static STOPPED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The flag that ends the exports of this thread.
    static ENDS: RefCell<Ends> = RefCell::default();
}

/// A flag that ends the exports of one thread.
#[derive(Clone, Default)]
pub(crate) struct Ends(Arc<AtomicBool>);

impl Ends {
    /// Ends the exports of the thread that heeds this flag.
    pub(crate) fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Makes the exports of this thread end when the flag is raised.
    pub(crate) fn heed(&self) {
        ENDS.with(|ends| ends.replace(self.clone()));
    }
}

/// Ends every program that an export runs, and with it the export, from any thread.
pub fn stop() {
    STOPPED.store(true, Relaxed);
}

/// Returns true if the exports of this thread have to end.
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Relaxed) || ENDS.with(|ends| ends.borrow().0.load(Relaxed))
}

/// The compiler: what the variable RUSTC names, or `rustc`.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The linter of the same tools.
pub(crate) fn clippy() -> Command {
    Command::new("clippy-driver")
}

/// The package manager: what the variable CARGO names, or `cargo`.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a program to its end, and kills it and its own children after the limit.
pub(crate) fn output(command: &mut Command, limit: Duration) -> Result<Output, ExportError> {
    let name = command.get_program().to_string_lossy().into_owned();
    in_own_group(command);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
            let cure = match error.kind() {
                ErrorKind::NotFound => "install Rust, or put it in PATH",
                _ => "end other programs and try again",
            };
            ExportError::new(format!("'{name}' does not run: {error}; {cure}"))
        })?;
    let (out, errors) = (collected(child.stdout.take()), collected(child.stderr.take()));
    let since = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if !is_stopped() && since.elapsed() < limit => thread::sleep(LOOK),
            ended => {
                kill(&mut child);
                return Err(match ended {
                    Err(error) => ExportError::new(format!("'{name}' cannot be waited for: {error}; try again")),
                    Ok(_) if is_stopped() => ExportError::new("the export was stopped before its end"),
                    Ok(_) => ExportError::new(format!(
                        "'{name}' had not ended after {} s and was killed; try again when the machine is less busy",
                        limit.as_secs()
                    )),
                });
            }
        }
    };
    let text = |bytes: Receiver<Vec<u8>>| bytes.recv_timeout(ENDING).unwrap_or_default();
    Ok(Output { status, stdout: text(out), stderr: text(errors) })
}

/// Reads to the end on a thread of its own, so that a full pipe holds nothing up.
fn collected(from: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (to, bytes) = mpsc::channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut from) = from {
            // What was read before a fault is used.
            let _ = from.read_to_end(&mut all);
        }
        let _ = to.send(all);
    });
    bytes
}

/// Puts a program into a group of its own, so that its children can be killed with it.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Kills a program, and the programs that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // A group that is gone already has no program to kill.
        group.map(|group| kill_process_group(group, Signal::KILL));
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_killed_with_its_children() {
        let since = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 77.25 & sleep 77.25"]);
        let error = output(&mut command, Duration::from_millis(300)).expect_err("no end").to_string();
        assert!(error.starts_with("'sh' had not ended after 0 s and was killed; "), "{error}");
        assert!(since.elapsed() < Duration::from_secs(20));
        // A killed program may take a moment to go.
        let is_left = || {
            let listed = Command::new("sh").args(["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null"]).output();
            String::from_utf8_lossy(&listed.expect("a list").stdout).replace('\0', " ").contains("sleep 77.25 ")
        };
        assert!(
            (0..200).any(|_| !is_left() || {
                thread::sleep(LOOK);
                false
            }),
            "a child is left"
        );
    }

    #[test]
    fn much_output_is_collected() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2"]);
        let output = output(&mut command, Duration::from_secs(20)).expect("an end");
        assert_eq!((output.stdout.len(), output.stderr.len()), (300_000, 200_000));
    }
}
