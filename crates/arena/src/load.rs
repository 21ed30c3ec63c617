//! The load of the machine while games are played, and the share of other processes in it.

use std::fs;
use std::time::Instant;

use serde::Serialize;

/// The load of the machine over some time, in cores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Load {
    /// Number of busy cores.
    pub busy: f64,
    /// Number of cores that this process and its programs kept busy.
    pub own: f64,
    /// Number of cores of the machine.
    pub cores: usize,
}

/// Measures the load from its creation on.
pub struct LoadMeter {
    began: Instant,
    /// Counters at the beginning; `None` if the system does not have them.
    before: Option<Ticks>,
}

/// Time on cores, in the system's hundredths of a second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ticks {
    busy: u64,
    all: u64,
    own: u64,
}

impl LoadMeter {
    /// Begins a measurement.
    pub fn new() -> LoadMeter {
        LoadMeter { began: Instant::now(), before: Ticks::now() }
    }

    /// Returns the load since the beginning; `None` if the system does not tell it, and for less than half a second,
    /// for which the system's clock is too coarse.
    pub fn read(&self) -> Option<Load> {
        let (before, now) = (self.before?, Ticks::now()?);
        let cores = boughs::run::cores();
        (self.began.elapsed().as_millis() >= 500 && now.all > before.all).then(|| now.since(before, cores))
    }
}

impl Default for LoadMeter {
    fn default() -> LoadMeter {
        LoadMeter::new()
    }
}

impl Load {
    /// Returns true if other processes took so much that results may suffer, because searches waited for a core.
    pub fn is_disturbed(&self) -> bool {
        self.busy > 0.95 * self.cores as f64 && self.busy - self.own > 0.1 * self.cores as f64
    }
}

impl Ticks {
    fn now() -> Option<Ticks> {
        let (busy, all) = machine(&fs::read_to_string("/proc/stat").ok()?)?;
        Some(Ticks { busy, all, own: process(&fs::read_to_string("/proc/self/stat").ok()?)? })
    }

    fn since(self, before: Ticks, cores: usize) -> Load {
        let share = |ticks: u64| ticks as f64 / (self.all - before.all) as f64 * cores as f64;
        let own = share(self.own.saturating_sub(before.own));
        Load { busy: share(self.busy.saturating_sub(before.busy)).max(own), own, cores }
    }
}

/// Reads the busy time and the whole time of all cores from the first line of `/proc/stat`. Time that a host took away
/// counts as busy.
fn machine(stat: &str) -> Option<(u64, u64)> {
    let numbers: Vec<u64> =
        stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().map_while(|word| word.parse().ok()).collect();
    // The time of guests is part of the time of users.
    let all: u64 = numbers.iter().take(8).sum();
    let idle = numbers.get(3)? + numbers.get(4)?;
    Some((all - idle, all))
}

/// Reads the time of this process and of the children that it has waited for.
fn process(stat: &str) -> Option<u64> {
    // The name of the program stands in parentheses and may contain any character.
    let words: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    words.get(11..15)?.iter().map(|word| word.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_of_the_system_are_read() {
        assert_eq!(machine("cpu  10 20 30 400 50 1 2 3 4 5\ncpu0 1 1 1 1\n"), Some((66, 516)));
        assert_eq!(machine("nothing"), None);
        let stat = "17 (a) b) S 1 1 1 0 -1 0 0 0 0 0 100 20 3 4 20 0 1 0";
        assert_eq!(process(stat), Some(127));
        assert_eq!(process("17"), None);
    }

    #[test]
    fn the_load_is_in_cores() {
        let before = Ticks { busy: 0, all: 0, own: 0 };
        let load = Ticks { busy: 150, all: 200, own: 100 }.since(before, 2);
        assert_eq!(load, Load { busy: 1.5, own: 1.0, cores: 2 });
        assert!(!load.is_disturbed() && Load { busy: 1.95, ..load }.is_disturbed());
    }
}
