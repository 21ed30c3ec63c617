//! How much processor time this process has used.

/// Processor time of all threads so far in seconds; `None` where the system does not tell.
pub(crate) fn seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let used = clock_gettime(ClockId::ProcessCPUTime);
        Some(used.tv_sec as f64 + used.tv_nsec as f64 / 1e9)
    }
    #[cfg(not(unix))]
    None
}
