//! The cores that a contestant thinks on.

/// Calls `action` on these cores, or on any if there are none. Threads that it starts stay on the cores.
///
/// A thread may run where the thread may that has started it, so the calling thread moves to the cores for a moment
/// only.
#[cfg(target_os = "linux")]
pub(crate) fn on_cores<T>(cores: &[usize], action: impl FnOnce() -> T) -> T {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let before = match cores {
        [] => None,
        _ => sched_getaffinity(None).ok(),
    };
    let mut wanted = CpuSet::new();
    cores.iter().filter(|&&core| core < CpuSet::MAX_CPU).for_each(|&core| wanted.set(core));
    if before.is_some() {
        // If the system refuses, any core will do.
        _ = sched_setaffinity(None, &wanted);
    }
    let result = action();
    if let Some(before) = before {
        _ = sched_setaffinity(None, &before);
    }
    result
}

/// Calls `action`. Cores cannot be chosen here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn on_cores<T>(_: &[usize], action: impl FnOnce() -> T) -> T {
    action()
}

/// Returns the cores this process may run on.
#[cfg(target_os = "linux")]
pub(crate) fn cores_here() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
}

/// Returns no cores: the system does not tell them.
#[cfg(not(target_os = "linux"))]
pub(crate) fn cores_here() -> Vec<usize> {
    Vec::new()
}

/// Returns the number of cores of a table for contestants with this number of threads. One side thinks while the other
/// waits, so they share cores. A program may think while it waits, so with programs they do not.
pub(crate) fn cores_a_table(threads: usize, has_programs: bool) -> usize {
    threads.max(1) * if has_programs { 2 } else { 1 }
}

/// Returns the cores of each table and each of its two sides, or no cores at all if there are too few for all tables.
pub(crate) fn share(cores: &[usize], tables: usize, threads: usize, has_programs: bool) -> Vec<[Vec<usize>; 2]> {
    let each = cores_a_table(threads, has_programs);
    if cores.len() < tables * each {
        return vec![Default::default(); tables];
    }
    let sides = |own: &[usize]| match has_programs {
        true => [own[..each / 2].to_vec(), own[each / 2..].to_vec()],
        false => [own.to_vec(), own.to_vec()],
    };
    cores.chunks_exact(each).take(tables).map(sides).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_cores_of_their_own_and_agents_those_of_the_table() {
        let cores: Vec<usize> = (10..16).collect();
        assert_eq!(share(&cores, 3, 1, true), [[vec![10], vec![11]], [vec![12], vec![13]], [vec![14], vec![15]]]);
        assert_eq!(
            share(&cores, 2, 3, false),
            [[vec![10, 11, 12], vec![10, 11, 12]], [vec![13, 14, 15], vec![13, 14, 15]]]
        );
    }

    #[test]
    fn where_cores_are_too_few_no_table_has_any() {
        let none: [Vec<usize>; 2] = Default::default();
        assert_eq!(share(&[0, 1], 2, 1, true), [none.clone(), none.clone()]);
        assert_eq!(share(&[], 1, 1, false), [none]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_stay_where_they_were_started() {
        let all = cores_here();
        let last = all[all.len() - 1];
        let seen = on_cores(&[last], || std::thread::spawn(cores_here)).join().expect("a thread");
        assert_eq!(seen, [last]);
        assert_eq!(cores_here(), all);
    }
}
