//! A process and all its descendants: they start and end together, and no zombie is left.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::RwLock;

use super::bot::Launch;
use super::plain;
use crate::record::Fault;

/// Environment variable that marks all descendants, see [`Process::end`].
const MARK: &str = "BOUGHS_BOT";

/// Environment variable that tells a program its limit in milliseconds: the time of an answer, or of a whole case.
pub const TIME: &str = "BOUGHS_TIME_MS";

/// Time to wait for a killed process. It is gone in a moment, unless the system holds it or it belongs to another user.
const DYING: Duration = Duration::from_secs(1);

/// Longest time to look for descendants.
#[cfg(unix)]
const CHASE: Duration = Duration::from_millis(300);

/// Greatest number of further looks after a look that found no descendant but may have missed one.
#[cfg(unix)]
const MOST_DOUBTS: u32 = 8;

/// True once [`kill_programs`] has been called.
static ENDED: RwLock<bool> = RwLock::new(false);

/// The first and the longest pause between two looks at a process that is expected to end. Each pause is twice as long
/// as the one before, so that the wait is not much longer than the process takes.
pub(super) const FIRST_PAUSE: Duration = Duration::from_micros(50);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// The arena's ends of the three pipes of a program.
pub(super) type ChildPipes = (ChildStdin, ChildStdout, ChildStderr);

/// The process of a program. It ends when this is dropped.
pub(super) struct Process {
    /// `None` once the process was waited for.
    child: Option<Child>,
    /// `MARK=value`, as in the environment.
    mark: String,
}

impl Process {
    /// Starts a program in its own process group, on its cores or, if there are none, on any.
    pub(super) fn start(launch: &Launch<'_>) -> Result<(Process, ChildPipes), Fault> {
        static STARTED: AtomicU64 = AtomicU64::new(0);

        let words = launch.program.words();
        let executable = launch.program.executable().ok_or_else(|| {
            Fault::NotStarted(format!("'{}' is a source file that was not compiled; compile it first", words[0]))
        })?;
        let time = launch.time.map(plain::milliseconds);
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let value = format!("{}-{}-{}", std::process::id(), STARTED.fetch_add(1, Relaxed), since_1970.as_nanos());
        let spawn = |path: &OsStr| {
            let mut command = Command::new(path);
            command.args(&words[1..]).env(MARK, &value);
            // The limit of a match in which this arena is a program itself is not the program's.
            match &time {
                Some(time) => command.env(TIME, time),
                None => command.env_remove(TIME),
            };
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            on_cores(launch.cores, || command.spawn())
        };
        // Held until the program runs, so that `kill_programs` sees it.
        let ended = ENDED.read();
        if *ended {
            return Err(Fault::NotStarted("this program is ending".to_string()));
        }
        let mut spawned = spawn(executable.as_os_str())?;
        if let (Err(error), Some(running)) = (&spawned, running_program(&words[0]))
            && error.kind() == io::ErrorKind::NotFound
        {
            spawned = spawn(running.as_os_str())?;
        }
        drop(ended);
        let mut child = spawned.map_err(|error| Fault::NotStarted(why_not_started(&words[0], &error)))?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let process = Process { child: Some(child), mark: format!("{MARK}={value}") };
        let ((input, output), errors) = pipes.ok_or_else(|| Fault::NotStarted("it has no pipes".to_string()))?;
        Ok((process, (input, output, errors)))
    }

    /// Kills the process and all its descendants. Returns its exit status, or `None` if it does not end within a
    /// second.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        let mut child = self.child.take()?;
        kill_family(&mut child, &self.mark);
        let killed = Instant::now();
        let mut pause = FIRST_PAUSE;
        while !has_ended(&mut child) {
            if killed.elapsed() > DYING {
                // A thread waits for its end, or it would be a zombie.
                let _ = thread::Builder::new().name("boughs-undertaker".to_string()).spawn(move || child.wait());
                return None;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
        child.wait().ok()
    }

    /// Returns true if the process has ended by itself. Its descendants may live on.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_none_or(has_ended)
    }
}

/// Kills all programs of this process and their descendants without waiting for them, and lets no further one start.
/// For a process that ends without dropping its [`Bot`](super::Bot)s. Under Linux only; elsewhere programs find their
/// standard input closed.
pub fn kill_programs() {
    // A start takes a moment, unless the system holds it.
    if let Some(mut ended) = ENDED.try_write_for(DYING) {
        *ended = true;
    }
    #[cfg(target_os = "linux")]
    {
        let own = rustix::process::getpid();
        let mark = format!("{MARK}={}-", std::process::id());
        let begun = Instant::now();
        while begun.elapsed() < CHASE {
            let Descendants { living, is_uncertain } = descendants_of(own, &mark);
            if living.is_empty() && !is_uncertain {
                return;
            }
            for process in living {
                // The process may have ended since the look.
                let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
            }
            thread::sleep(FIRST_PAUSE);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the path of the running executable, if it has this name.
pub(crate) fn running_program(name: &str) -> Option<PathBuf> {
    std::env::current_exe().ok().filter(|running| running.file_stem() == Some(name.as_ref()))
}

/// Writes one sentence about the reason why a program did not start, with the cure.
pub(crate) fn why_not_started(path: &str, error: &io::Error) -> String {
    let is_there = std::path::Path::new(path).exists();
    match error.kind() {
        // A name without a slash is looked for in the system's folders of programs only.
        io::ErrorKind::NotFound if is_there && !path.contains('/') => {
            format!(
                "there is no program '{path}' where the system looks for programs; write ./{path} for the one in this \
                 folder"
            )
        }
        io::ErrorKind::NotFound if is_there => {
            format!("the first line of '{path}' names a program that is not there; correct that line")
        }
        io::ErrorKind::NotFound => format!("there is no program '{path}'; write its path, as in ./bot"),
        io::ErrorKind::PermissionDenied => format!("'{path}' may not be run; chmod +x allows it for a file"),
        _ => format!("'{path}': {error}; check that it runs by itself"),
    }
}

/// Calls `start` in a thread held to these cores. A process that it starts is held to them from its first instruction
/// on, because programs look at their cores to decide on their number of threads.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn on_cores<T>(cores: &[usize], start: impl FnOnce() -> T) -> Result<T, Fault> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    if cores.is_empty() {
        return Ok(start());
    }
    let fault = |error: &dyn std::fmt::Display| {
        Fault::NotStarted(format!("it cannot be held to the cores {cores:?} ({error}); name cores that are there"))
    };
    let mut wanted = CpuSet::new();
    for &core in cores {
        if core >= CpuSet::MAX_CPU {
            return Err(fault(&"there is no such core"));
        }
        wanted.set(core);
    }
    let usual = sched_getaffinity(None).map_err(|error| fault(&error))?;
    sched_setaffinity(None, &wanted).map_err(|error| fault(&error))?;
    let started = start();
    // These cores were allowed before.
    let _ = sched_setaffinity(None, &usual);
    Ok(started)
}

/// Calls `start`. Programs cannot be held to cores here.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn on_cores<T>(_: &[usize], start: impl FnOnce() -> T) -> Result<T, Fault> {
    Ok(start())
}

/// Returns true if a process has ended. It is not waited for yet, so that no other process gets its number, which is
/// that of its group.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), look), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a process, its group, and under Linux every descendant that has left the group.
///
/// The group is stopped first, so that its processes can neither start nor leave others during the look. A descendant
/// outside of the group may have started others, so the look is repeated until it finds none, or it is clear that one
/// cannot be killed. Between a look and the signal a process could end and its number be given to another one. The
/// system gives out numbers in turn, so that would take thousands of new processes in a millisecond.
#[cfg(unix)]
fn kill_family(child: &mut Child, mark: &str) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};

    let begun = Instant::now();
    let group = Pid::from_child(child);
    // Signals fail if no process is left, as they should.
    let _ = kill_process_group(group, Signal::STOP);
    let mut doubts = 0;
    while begun.elapsed() < CHASE {
        let Descendants { living, is_uncertain } = descendants_of(group, mark);
        let _ = kill_process_group(group, Signal::KILL);
        for &descendant in &living {
            let _ = kill_process(descendant, Signal::KILL);
        }
        match (living.is_empty(), is_uncertain) {
            (true, false) => return,
            (true, true) if doubts == MOST_DOUBTS => return,
            (true, true) => doubts += 1,
            (false, _) => doubts = 0,
        }
        // A process that is dying, or becoming another program, needs a moment.
        thread::sleep(Duration::from_millis(1));
    }
}

/// Kills a process. Its descendants are not known here.
#[cfg(not(unix))]
fn kill_family(child: &mut Child, _: &str) {
    // This fails if the process has ended already.
    let _ = child.kill();
}

#[cfg(target_os = "linux")]
use super::descendants::{Descendants, of as descendants_of};

/// The descendants outside of the group, which are not known here.
#[cfg(all(unix, not(target_os = "linux")))]
#[derive(Default)]
struct Descendants {
    living: Vec<rustix::process::Pid>,
    is_uncertain: bool,
}

#[cfg(all(unix, not(target_os = "linux")))]
fn descendants_of(_: rustix::process::Pid, _: &str) -> Descendants {
    Descendants::default()
}
