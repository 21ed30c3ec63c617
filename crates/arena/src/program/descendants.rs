//! Who descends from a program, as far as the system tells.

use std::collections::BTreeSet;
use std::{fs, io};

use rustix::process::{Pid, Signal, kill_process};

/// What a look at all processes has shown.
#[derive(Default)]
pub(super) struct Sighting {
    /// The descendants, wherever they have moved to.
    pub(super) living: Vec<Pid>,
    /// Whether somebody may have been missed, who ended or became another program in the moment of the look.
    pub(super) is_blurred: bool,
}

/// What `/proc` says of a process.
struct Process {
    id: i32,
    parent: i32,
    /// In ticks since the system started.
    born: u64,
    /// Neither a zombie nor a thread of the system.
    is_alive: bool,
}

/// Looks for the living processes that descend from `ancestor`: those whose chain of parents leads there, those that carry
/// the mark in their environment, and whoever descends from them. The ancestor is not among them.
///
/// Who carries the mark is stopped the moment it is found. Otherwise it could start another one and end before it is killed,
/// and that one another, and so run away. The newest have the highest numbers as a rule and are looked at first, for the
/// same reason.
///
/// The chain breaks where a parent has ended, and the mark is gone where somebody has removed it; who has done both is not
/// found. Nor is who starts another one and ends quicker than the list of processes is read, time after time.
pub(super) fn of(ancestor: Pid, mark: &str) -> Sighting {
    let mut sighting = Sighting::default();
    let eldest = process(ancestor.as_raw_pid()).map_or(0, |ancestor| ancestor.born);
    let mut family = BTreeSet::from([ancestor.as_raw_pid()]);
    let mut strangers = Vec::new();
    for id in newest_first() {
        let Some(process) = process(id) else {
            sighting.is_blurred = true;
            continue;
        };
        if !process.is_alive || process.born < eldest || family.contains(&id) {
            continue;
        }
        let environment = fs::read(format!("/proc/{id}/environ"));
        if has_mark(&environment, mark) {
            family.insert(id);
            sighting.living.extend(Pid::from_raw(id).inspect(|&id| {
                // It may have ended since.
                let _ = kill_process(id, Signal::STOP);
            }));
        } else {
            // It has none while it becomes another program. Other people's cannot be read, and they are none of ours.
            sighting.is_blurred |= match environment {
                Ok(environment) => environment.is_empty(),
                Err(error) => error.kind() != io::ErrorKind::PermissionDenied,
            };
            strangers.push(process);
        }
    }
    // A round for each generation.
    loop {
        let before = family.len();
        for &Process { id, parent, .. } in &strangers {
            if family.contains(&parent) && family.insert(id) {
                sighting.living.extend(Pid::from_raw(id));
            }
        }
        if family.len() == before {
            return sighting;
        }
    }
}

/// The numbers of all processes.
fn newest_first() -> Vec<i32> {
    let listed = fs::read_dir("/proc").into_iter().flatten();
    let mut ids: Vec<i32> = listed.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids
}

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

fn has_mark(environment: &io::Result<Vec<u8>>, mark: &str) -> bool {
    let entries = environment.iter().flat_map(|entries| entries.split(|&byte| byte == 0));
    entries.into_iter().any(|entry| entry.starts_with(mark.as_bytes()))
}
