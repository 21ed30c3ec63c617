//! Sizes of memory: their text, and the default for a search. The prefetch instruction.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub use boughs_core::prefetch;

const GIB: usize = 1 << 30;

/// The default memory of a tree: 1 GiB, or a quarter of the memory available to this process if that is less. The
/// system is asked once, because that takes a tenth of a millisecond and default settings are made often.
pub fn default_memory() -> usize {
    /// 0 before the system was asked.
    static MEMORY: AtomicUsize = AtomicUsize::new(0);
    let known = MEMORY.load(Relaxed);
    if known > 0 {
        return known;
    }
    let limits = [limit_of_process(), limit_of_container(), memory_of_machine()];
    let quarter = limits.into_iter().flatten().min().map(|bytes| bytes / 4);
    let memory = quarter.unwrap_or(GIB).min(GIB);
    MEMORY.store(memory, Relaxed);
    memory
}

/// Half of the limit on addresses: the other half is for code, stacks and the allocator, which reserves 64 MiB of
/// addresses for a thread and uses little of it.
fn limit_of_process() -> Option<usize> {
    Some(limit_on_addresses()? / 2)
}

/// The limit on the addresses of this process (`ulimit -v`) in bytes, under Linux.
pub fn limit_on_addresses() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The limit of the control group of this process, under Linux.
fn limit_of_container() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse().ok();
    read("/sys/fs/cgroup/memory.max").or_else(|| read("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
}

/// The memory of the machine, under Linux.
fn memory_of_machine() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Reads a size such as `64M`, `1.5G`, `300K` or `4096` (bytes); units are powers of 1024, `iB` and `B` may follow.
///
/// # Errors
/// One sentence that names the text and examples of a size.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let wrong = || format!("'{text}' is not a memory size such as 64M, 1.5G or 4096");
    let lower = text.to_ascii_lowercase();
    let plain = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let (number, unit) = match plain.char_indices().last() {
        Some((at, unit @ ('k' | 'm' | 'g' | 't'))) => (&plain[..at], 10 * (1 + "kmgt".find(unit).unwrap_or(0))),
        _ => (plain, 0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << unit) as f64;
    if number.is_finite() && bytes >= 0.0 && bytes < isize::MAX as f64 { Ok(bytes as usize) } else { Err(wrong()) }
}

/// Writes a size so that [`parse_size`] reads the same bytes back.
pub fn write_size(bytes: usize) -> String {
    let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
    let whole = units.into_iter().find(|(shift, _)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    whole.map_or(bytes.to_string(), |(shift, unit)| format!("{}{unit}", bytes >> shift))
}

/// The memory that a search may take beside its trees, however little they have.
const ALWAYS_BESIDE: usize = 64 << 20;

/// The fault of a search that takes `beside` bytes beside its trees of `memory` bytes, if that is too much: more than
/// the trees, and more than a little. `smaller` names the options that make it less.
pub fn fault_beside(beside: usize, memory: usize, smaller: &str) -> Option<String> {
    (beside > memory.max(ALWAYS_BESIDE)).then(|| {
        let [beside, memory] = [beside.div_ceil(1 << 20).saturating_mul(1 << 20), memory].map(write_size);
        format!(
            "this search may take {beside} of memory beside its tree, more than memory={memory}; make {smaller} \
             smaller, or try memory={beside}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_they_are_written() {
        for bytes in [0, 1, 1000, 1024, 64 << 20, 3 << 29, GIB, 5 << 40] {
            assert_eq!(parse_size(&write_size(bytes)), Ok(bytes));
        }
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("300kb"), Ok(300 << 10));
        for wrong in ["", "M", "-1M", "nan", "1e300", "12x", "é", "inf"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_default_is_between_a_little_and_a_gibibyte() {
        assert!((1 << 20..=GIB).contains(&default_memory()));
    }
}
