//! A lock on a file: an empty file beside it, which keeps a second command from writing the same file.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A lock that this program holds. It ends, and its file goes, when this is dropped. A killed program leaves the file,
/// which the next one takes.
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a file. Returns `None` if another program has the lock.
    pub(crate) fn of(target: &Path) -> Result<Option<Lock>, Failure> {
        let mut name = target.file_name().unwrap_or(OsStr::new("")).to_os_string();
        name.push(".lock");
        let path = target.with_file_name(name);
        let fault = |error| {
            Failure::new(format!(
                "'{}' cannot be locked: {error}; name a file in another folder with --out",
                path.display()
            ))
        };
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(fault(error)),
            }
            // A program before may have removed the file between the two steps, and a third one may have made another.
            let lock = Lock { file, path: path.clone() };
            match lock.has_its_name() {
                true => return Ok(Some(lock)),
                false => drop(lock),
            }
        }
    }

    /// Returns true if the name leads to this file.
    fn has_its_name(&self) -> bool {
        let named = fs::symlink_metadata(&self.path);
        self.file.metadata().is_ok_and(|own| named.is_ok_and(|named| is_same(&own, &named)))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.has_its_name() {
            // A file that stays is taken by the next program.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens or makes the file of a lock, without following a link.
fn open(path: &Path) -> Result<File, Failure> {
    let foreign = || {
        Failure::new(format!(
            "'{}' is not a lock of this program, which is an empty file; move it away or name another file with --out",
            path.display()
        ))
    };
    let is_ours = |file: &Metadata| file.is_file() && file.len() == 0;
    if fs::symlink_metadata(path).is_ok_and(|file| !is_ours(&file)) {
        return Err(foreign());
    }
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32,
    );
    let opened = options.open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (found, file) = opened.map_err(|error: io::Error| {
        Failure::new(format!(
            "the lock '{}' cannot be made: {error}; name a file in another folder with --out",
            path.display()
        ))
    })?;
    // The look above was at the name, which may have changed.
    if is_ours(&found) { Ok(file) } else { Err(foreign()) }
}

/// Returns true if both are the same file.
#[cfg(unix)]
pub(crate) fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Returns true if both are the same file. Systems without inodes do not let go of the name of an open file.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::thread;

    use super::*;

    #[test]
    fn only_one_has_the_lock_though_its_file_comes_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("w.json");
        let is_held = AtomicBool::new(false);
        let take = || {
            let mut taken = 0;
            while taken < 100 {
                let Some(lock) = Lock::of(&target).unwrap_or_else(|fault| panic!("{fault:?}")) else { continue };
                assert!(!is_held.swap(true, SeqCst), "two have it");
                thread::yield_now();
                is_held.store(false, SeqCst);
                taken += 1;
                drop(lock);
            }
        };
        thread::scope(|scope| (0..4).for_each(|_| _ = scope.spawn(take)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
