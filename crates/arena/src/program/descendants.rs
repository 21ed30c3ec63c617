//! The descendants of a program, as far as the system tells.

use std::collections::BTreeSet;
use std::{fs, io};

use rustix::process::{Pid, Signal, kill_process};

/// The descendants that a look at all processes has found.
#[derive(Default)]
pub(super) struct Descendants {
    /// The living descendants, in any process group.
    pub(super) living: Vec<Pid>,
    /// True if the look may have missed a process that ended or became another program in that moment.
    pub(super) is_uncertain: bool,
}

/// A process, as `/proc` describes it.
struct Process {
    id: i32,
    parent: i32,
    /// Start of the process, in ticks since the system started.
    born: u64,
    /// True if the process is neither a zombie nor a thread of the system.
    is_alive: bool,
}

/// Looks for the living processes that descend from `ancestor`: those whose chain of parents leads there, those that
/// carry the mark in their environment, and the descendants of both. The ancestor is not among them.
///
/// A marked process is stopped the moment it is found. Otherwise it could start another one and end before it is
/// killed, and that one another, and so run away. The newest processes have the highest numbers as a rule and are
/// looked at first, for the same reason.
///
/// The chain breaks at a parent that has ended, and the mark is gone if a program has removed it. A process with
/// neither is not found. Nor is a chain of processes, each of which starts the next one and ends before the list of
/// processes is read.
pub(super) fn of(ancestor: Pid, mark: &str) -> Descendants {
    let mut found = Descendants::default();
    let eldest = process(ancestor.as_raw_pid()).map_or(0, |ancestor| ancestor.born);
    let mut family = BTreeSet::from([ancestor.as_raw_pid()]);
    let mut strangers = Vec::new();
    for id in newest_first() {
        let Some(process) = process(id) else {
            found.is_uncertain = true;
            continue;
        };
        if !process.is_alive || process.born < eldest || family.contains(&id) {
            continue;
        }
        let environment = fs::read(format!("/proc/{id}/environ"));
        if has_mark(&environment, mark) {
            family.insert(id);
            found.living.extend(Pid::from_raw(id).inspect(|&id| {
                // The process may have ended since the look.
                let _ = kill_process(id, Signal::STOP);
            }));
        } else {
            // The environment is empty while a process becomes another program. That of another user's process cannot
            // be read, and none of those is a descendant.
            found.is_uncertain |= match environment {
                Ok(environment) => environment.is_empty(),
                Err(error) => error.kind() != io::ErrorKind::PermissionDenied,
            };
            strangers.push(process);
        }
    }
    // One round for each generation.
    loop {
        let before = family.len();
        for &Process { id, parent, .. } in &strangers {
            if family.contains(&parent) && family.insert(id) {
                found.living.extend(Pid::from_raw(id));
            }
        }
        if family.len() == before {
            return found;
        }
    }
}

/// Returns the numbers of all processes, the highest first.
fn newest_first() -> Vec<i32> {
    let listed = fs::read_dir("/proc").into_iter().flatten();
    let mut ids: Vec<i32> = listed.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids
}

/// Reads `/proc` about a process.
fn process(id: i32) -> Option<Process> {
    /// The bit that Linux sets in the flags of its own threads.
    const OF_THE_SYSTEM: u64 = 0x0020_0000;

    // The name of the program stands in brackets and may be anything, brackets and newlines included.
    let stat = fs::read(format!("/proc/{id}/stat")).ok()?;
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let words: Vec<&str> = std::str::from_utf8(&stat[end + 1..]).ok()?.split_whitespace().collect();
    let number = |place: usize| words.get(place)?.parse::<u64>().ok();
    let is_alive = !matches!(words.first(), Some(&("Z" | "X"))) && number(6)? & OF_THE_SYSTEM == 0;
    Some(Process { id, parent: number(1)?.try_into().ok()?, born: number(19)?, is_alive })
}

/// Returns true if an environment has the mark.
fn has_mark(environment: &io::Result<Vec<u8>>, mark: &str) -> bool {
    let entries = environment.iter().flat_map(|entries| entries.split(|&byte| byte == 0));
    entries.into_iter().any(|entry| entry.starts_with(mark.as_bytes()))
}
