//! How busy the machine was while games were played, and how much of that was for them.

use std::fs;
use std::time::Instant;

use serde::Serialize;

/// How busy the machine was over some time, in cores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Load {
    /// Cores that were busy, whoever kept them so.
    pub busy: f64,
    /// Cores that this process and the programs it has started kept busy.
    pub own: f64,
    /// Cores there are.
    pub cores: usize,
}

/// Measures the load from here on.
pub struct LoadMeter {
    began: Instant,
    /// Where the system tells.
    before: Option<Ticks>,
}

/// Time that went by on cores, in the hundredths of a second the system counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ticks {
    busy: u64,
    all: u64,
    own: u64,
}

impl LoadMeter {
    /// Begins to measure.
    pub fn new() -> LoadMeter {
        LoadMeter { began: Instant::now(), before: Ticks::now() }
    }

    /// The load since then; `None` where the system does not tell, and after less than half a second, which the system's
    /// clock is too coarse for.
    pub fn read(&self) -> Option<Load> {
        let (before, now) = (self.before?, Ticks::now()?);
        let cores = boughs::cores();
        (self.began.elapsed().as_millis() >= 500 && now.all > before.all).then(|| now.since(before, cores))
    }
}

impl Default for LoadMeter {
    fn default() -> LoadMeter {
        LoadMeter::new()
    }
}

impl Load {
    /// Whether others took so much that results may suffer: somebody waited for a core.
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

/// Busy time and all time of all cores, from the first line of `/proc/stat`. What a host took away counts as busy.
fn machine(stat: &str) -> Option<(u64, u64)> {
    let numbers: Vec<u64> =
        stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().map_while(|word| word.parse().ok()).collect();
    // Time for guests is in that of users too.
    let all: u64 = numbers.iter().take(8).sum();
    let idle = numbers.get(3)? + numbers.get(4)?;
    Some((all - idle, all))
}

/// The time of this process and of children that it has waited for.
fn process(stat: &str) -> Option<u64> {
    // The name of the program stands in parentheses and may hold anything.
    let words: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    words.get(11..15)?.iter().map(|word| word.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
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
