//! How much processor time this process has used.

/// Processor time of all running threads of this process in seconds, under Linux; `None` where it is not told.
pub(crate) fn seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end between being listed and being read.
        let Ok(text) = std::fs::read_to_string(task.ok()?.path().join("schedstat")) else { continue };
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    (nanoseconds > 0).then_some(nanoseconds as f64 / 1e9)
}
