//! Programs that tests start. Every wait for one has a limit, and none is left when its test ends.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait. A busy machine with one core needs a small part of it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The time between two looks at something that is waited for.
const PAUSE: Duration = Duration::from_millis(2);

/// The time in which a program ends its own programs before it is killed.
const FAREWELL: Duration = Duration::from_secs(10);

/// A command that starts with no signal ignored. The tests may run under `nohup` or in the background of a script, and
/// a child ignores the signals that its parent ignores.
pub(crate) fn heeding(program: impl AsRef<OsStr>) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Gives a command a pipe for its input and for each output.
pub(crate) fn piped(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped())
}

/// Waits until something is so, which a test that fails is told by.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        thread::sleep(PAUSE);
    }
}

/// Runs a task for each item, all at the same time: most of a task is waiting for a program.
pub(crate) fn side_by_side<T: Send>(items: impl IntoIterator<Item = T>, task: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        for item in items {
            scope.spawn(|| task(item));
        }
    });
}

/// Returns true if one of a hundred tries takes less than a limit. A busy machine delays most of them; what does not
/// keep its time is late in all.
pub(crate) fn within(limit: Duration, mut took: impl FnMut() -> Duration) -> bool {
    (0..100).any(|_| took() < limit)
}

/// Returns true if a task ends within a limit in one of a hundred tries.
pub(crate) fn ends_within(limit: Duration, mut task: impl FnMut()) -> bool {
    within(limit, || {
        let begun = Instant::now();
        task();
        begun.elapsed()
    })
}

/// A program under way, which is ended when this is dropped. It is also ended after [`PATIENCE`], and its output with
/// it, so that a test that reads the output does not wait longer either.
pub(crate) struct Running {
    child: Arc<Mutex<Child>>,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<BufReader<ChildStdout>>,
    pub(crate) errors: Option<ChildStderr>,
    /// The watch over the child ends when this is dropped.
    _watch: Sender<()>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Running {
        let mut child = command.spawn().expect("the program starts");
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (watch, ended) = channel();
        let (watched, words) = (child.clone(), format!("{command:?}"));
        thread::spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("given up after {PATIENCE:?}: {words}");
                end(&watched);
            }
        });
        Running { child, input, output: output.map(BufReader::new), errors, _watch: watch }
    }

    /// Writes to standard input.
    pub(crate) fn write(&mut self, text: &str) {
        self.input.as_mut().expect("an input").write_all(text.as_bytes()).expect("the program reads");
    }

    /// Writes a line to standard input.
    pub(crate) fn say(&mut self, line: &str) {
        self.write(&format!("{line}\n"));
    }

    /// Reads a line of standard output, which has one.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        let length = self.output.as_mut().expect("an output").read_line(&mut line).expect("text");
        assert!(length > 0, "the program ended before it wrote a line");
        line.truncate(line.trim_end().len());
        line
    }

    /// Returns true if the program has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.status().is_some()
    }

    fn status(&self) -> Option<ExitStatus> {
        lock(&self.child).try_wait().expect("the program is known")
    }

    /// Waits for the end of the program.
    pub(crate) fn wait(&self) -> ExitStatus {
        loop {
            if let Some(status) = self.status() {
                return status;
            }
            thread::sleep(PAUSE);
        }
    }

    /// Closes standard input, and returns the rest of the output after the end of the program.
    pub(crate) fn finish(mut self) -> Output {
        drop(self.input.take());
        let errors = self.errors.take();
        let errors = thread::spawn(move || read(errors));
        let stdout = read(self.output.take());
        Output { status: self.wait(), stdout, stderr: errors.join().expect("the errors are read") }
    }

    /// Kills the program.
    pub(crate) fn kill(&self) -> ExitStatus {
        lock(&self.child).kill().expect("the program is killed");
        self.wait()
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        lock(&self.child).id()
    }

    /// Sends a signal to the program, by its name without SIG.
    pub(crate) fn send(&self, signal: &str) {
        assert!(send(self.id(), signal).expect("kill runs").success(), "the program takes {signal}");
    }

    /// The processor time of the program so far, and zero where the system does not tell.
    pub(crate) fn worked(&self) -> Duration {
        worked(Path::new(&format!("/proc/{}/stat", self.id()))).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end(&self.child);
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    from.map(|mut from| from.read_to_end(&mut bytes).expect("a pipe is read"));
    bytes
}

/// Sends a signal to a process.
fn send(process: u32, signal: &str) -> io::Result<ExitStatus> {
    Command::new("kill").args(["-s", signal, &process.to_string()]).status()
}

/// Ends a program that runs, and before it the programs that it has started.
fn end(child: &Mutex<Child>) {
    let mut child = lock(child);
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    if cfg!(unix) {
        let _ = send(child.id(), "TERM");
        let begun = Instant::now();
        while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < FAREWELL {
            thread::sleep(PAUSE);
        }
    }
    // This fails if the program has ended.
    let _ = child.kill();
    let _ = child.wait();
}

/// The processor time in a file of Linux about a process or a thread; `None` without the file.
pub(crate) fn worked(stat: &Path) -> Option<Duration> {
    let stat = std::fs::read_to_string(stat).ok()?;
    let numbers = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
    // Hundredths of a second, for the program and for the system.
    Some(numbers.filter_map(|number| number.parse().ok()).map(|ticks: u64| Duration::from_millis(10 * ticks)).sum())
}
