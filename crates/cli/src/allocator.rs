//! Settings of the allocator of the C library, which reads them when a program starts.

/// Has the allocator reserve addresses once, instead of 64 MiB for each thread, if those of this process are limited
/// (`ulimit -v`). Otherwise it takes the addresses that the stacks of further threads need.
pub(crate) fn save_addresses() {
    if boughs::memory::limit_on_addresses().is_some() {
        start_anew_with(("MALLOC_ARENA_MAX", "1"));
    }
}

/// Starts the program anew in its place with a setting, unless it has this setting.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn start_anew_with((setting, value): (&str, &str)) {
    use std::os::unix::process::CommandExt;

    if std::env::var_os(setting).is_some() {
        return;
    }
    let (Ok(program), mut words) = (std::env::current_exe(), std::env::args_os()) else { return };
    let mut again = std::process::Command::new(program);
    again.env(setting, value).arg0(words.next().unwrap_or_default()).args(words);
    // It comes back only with an error, and then the program goes on as it is.
    let _ = again.exec();
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn start_anew_with(_: (&str, &str)) {}
