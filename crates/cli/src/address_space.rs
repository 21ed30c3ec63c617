//! The addresses of this process, where they are limited (`ulimit -v`).

/// Has the allocator of the C library reserve addresses once, instead of 64 MiB for each thread, if they are limited.
/// Otherwise it takes the addresses that the stacks of further threads need. The C library reads that setting when a
/// program starts, so the program starts anew in its place, once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn save() {
    use std::os::unix::process::CommandExt;

    const SETTING: &str = "MALLOC_ARENA_MAX";
    if std::env::var_os(SETTING).is_some() || boughs::memory::limit_on_addresses().is_none() {
        return;
    }
    let (Ok(program), mut words) = (std::env::current_exe(), std::env::args_os()) else { return };
    let mut again = std::process::Command::new(program);
    again.env(SETTING, "1").arg0(words.next().unwrap_or_default()).args(words);
    // It comes back only with an error, and then the program goes on as it is.
    let _ = again.exec();
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn save() {}
