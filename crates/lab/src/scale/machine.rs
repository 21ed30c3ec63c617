//! The machine of a measurement, described for the reader of the results.

use std::fmt;
use std::fs;

use serde::{Deserialize, Serialize};

use super::quota::quota;
use boughs::notation::counted;

/// A machine and its load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of its processor, where the system tells.
    pub processor: Option<String>,
    /// Its operating system and architecture.
    pub system: String,
    /// The number of cores that this process may run on.
    pub cores: usize,
    /// Processor time that its container may use, in cores, where that is limited.
    pub quota: Option<f64>,
    /// The average number of runnable threads in the last minute, where the system tells.
    pub load: Option<f64>,
}

impl Machine {
    /// This machine, now.
    pub fn here() -> Machine {
        let read = |file| fs::read_to_string(file).ok();
        Machine {
            processor: read("/proc/cpuinfo").and_then(|text| processor(&text)),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cores: boughs::run::cores(),
            quota: quota(),
            load: read("/proc/loadavg").and_then(|text| load(&text)),
        }
    }

    /// Returns true if it has a core for each of this number of threads.
    pub fn has_room_for(&self, threads: usize) -> bool {
        threads <= self.cores && self.quota.is_none_or(|quota| threads as f64 <= quota)
    }

    /// Returns true if other programs keep more than a quarter of it busy.
    pub fn is_busy(&self) -> bool {
        self.load.is_some_and(|load| load > self.cores as f64 / 4.0)
    }
}

impl Machine {
    /// Returns true for a machine of the same kind, with any load.
    pub(super) fn is_like(&self, other: &Machine) -> bool {
        Machine { load: other.load, ..self.clone() } == *other
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processor, system, cores, quota, load } = self;
        write!(f, "{}, {system}, {}", processor.as_deref().unwrap_or("unknown processor"), counted(cores, "cores"))?;
        if let Some(quota) = quota {
            write!(f, ", time for {quota} of them")?;
        }
        load.map_or(Ok(()), |load| write!(f, ", load {load} at the start"))
    }
}

/// Reads the name of the processor from the text of `/proc/cpuinfo`.
fn processor(text: &str) -> Option<String> {
    let (_, name) = text.lines().find(|line| line.starts_with("model name"))?.split_once(':')?;
    Some(name.trim().to_string())
}

/// Reads the load of the last minute from the text of `/proc/loadavg`.
fn load(text: &str) -> Option<f64> {
    text.split(' ').next()?.parse().ok().filter(|load: &f64| load.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system_are_read() {
        assert_eq!(processor("processor\t: 0\nmodel name\t: A Chip @ 2GHz\n").as_deref(), Some("A Chip @ 2GHz"));
        assert_eq!(processor("processor : 0\n"), None);
        assert_eq!(load("0.29 0.70 1.12 3/92 23238\n"), Some(0.29));
        assert_eq!(load("nan 1 2"), None);
    }

    #[test]
    fn threads_need_cores_and_time() {
        let machine = Machine { cores: 4, quota: Some(2.5), load: Some(1.0), ..Machine::default() };
        assert!(machine.has_room_for(2) && !machine.has_room_for(3));
        assert!(!Machine { quota: None, ..machine.clone() }.has_room_for(5));
        assert!(!machine.is_busy() && Machine { load: Some(1.1), ..machine }.is_busy());
    }
}
