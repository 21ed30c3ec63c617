//! A folder for results. Its files are complete at any time, even if the program is killed.

use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A folder that can be written to.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if there is none. A folder that takes no files is an error here, before any work is done.
    pub(crate) fn at(path: &Path) -> Result<Folder, Failure> {
        let fault = |error| cannot("used as a folder", path, error);
        fs::create_dir_all(path).map_err(fault)?;
        tempfile::tempfile_in(path).map_err(fault)?;
        Ok(Folder(path.to_path_buf()))
    }

    /// The path of a file of the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Locks a file for this program until the returned handle is dropped. Returns `None` if another program has the
    /// lock. The lock is on a file beside it that stays: with a removed lock file, one program could hold the old file
    /// and another a new one.
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

    /// Writes a file beside its place and then moves it there in one step.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let (part, whole) = (self.path(&format!("{name}.part")), self.path(name));
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &whole));
        written.map_err(|error| cannot("written", &whole, error))
    }

    /// Writes files, and returns their paths as text.
    pub(crate) fn write_all(&self, files: Vec<boughs_pages::File>) -> Result<Vec<String>, Failure> {
        let write = |file: &boughs_pages::File| {
            self.write(&file.name, &file.text)?;
            Ok(self.path(&file.name).display().to_string())
        };
        files.iter().map(write).collect()
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
