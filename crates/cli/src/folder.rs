//! A folder for results, whose files are whole at any time, even if the program is killed.

use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A folder that can be written to.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder where there is none, and makes sure that it takes files before anything is worked out for it.
    pub(crate) fn at(path: &Path) -> Result<Folder, Failure> {
        let fault = |error| cannot("used as a folder", path, error);
        fs::create_dir_all(path).map_err(fault)?;
        tempfile::tempfile_in(path).map_err(fault)?;
        Ok(Folder(path.to_path_buf()))
    }

    /// Where a file stands or will stand.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Keeps a file for this program as long as what is returned is kept; `None` if another program does. The lock is on a file
    /// beside it that stays there: one that was removed could be locked by one and made anew by another.
    pub(crate) fn lock(&self, name: &str) -> Result<Option<File>, Failure> {
        let path = self.path(&format!("{name}.lock"));
        let fault = |error| cannot("locked", &path, error);
        let file = File::create(&path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(fault(error)),
        }
    }

    /// Writes a file beside its place and then moves it there at once.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let (part, whole) = (self.path(&format!("{name}.part")), self.path(name));
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &whole));
        written.map_err(|error| cannot("written", &whole, error))
    }
}

fn cannot(what: &str, path: &Path, error: impl Display) -> Failure {
    Failure::new(format!("'{}' cannot be {what}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::at(&place.path().join("new/folder")).unwrap();
        folder.write("a.txt", "one").unwrap();
        folder.write("a.txt", "two").unwrap();
        assert_eq!(fs::read_to_string(folder.path("a.txt")).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Folder::at(file.path()).is_err());
    }
}
