//! The cores that `mpirun` has bound this process to.

use std::fs;

/// A sentence if this process may use fewer cores than its machine has, as far as the system tells.
pub(super) fn warning() -> Option<String> {
    let allowed = fs::read_to_string("/proc/self/status").ok()?;
    let allowed = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let online = fs::read_to_string("/sys/devices/system/cpu/online").ok()?;
    warning_of(count(allowed)?, count(&online)?)
}

fn warning_of(allowed: usize, online: usize) -> Option<String> {
    (allowed < online).then(|| {
        format!(
            "--threads 0 takes {allowed} of the {online} cores of this machine, because the rank is bound to them; \
             'mpirun --bind-to none' binds it to none"
        )
    })
}

/// The length of a list such as `0-3,8`.
fn count(list: &str) -> Option<usize> {
    let length = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first, last].map(|core| core.parse::<usize>().ok());
        last?.checked_sub(first?).map(|more| more + 1)
    };
    list.trim().split(',').map(length).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_that_is_bound_is_told() {
        assert_eq!([count("0"), count("0-3,8\n"), count("\t0-1,4-5"), count("all")], [Some(1), Some(5), Some(4), None]);
        assert_eq!(warning_of(64, 64), None);
        assert!(warning_of(1, 64).unwrap().starts_with("--threads 0 takes 1 of the 64 cores"));
    }
}
