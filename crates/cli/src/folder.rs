//! A folder for results. Its files are complete at any time, even if the program is killed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::named_file;

/// A folder that can be written to.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if there is none. A folder that does not take the files of these names is an error here, before
    /// any work is done.
    pub(crate) fn at(path: &Path, names: &[&str]) -> Result<Folder, Failure> {
        let fault = |error: io::Error| {
            let reason = named_file::reason(&error);
            Failure::new(format!("'{}' cannot be used as a folder: {reason}; name another folder", path.display()))
        };
        fs::create_dir_all(path).map_err(fault)?;
        tempfile::tempfile_in(path).map_err(fault)?;
        names.iter().try_for_each(|name| named_file::check(&path.join(name)))?;
        Ok(Folder(path.to_path_buf()))
    }

    /// The path of a file of the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes files, and returns their paths as text.
    pub(crate) fn write_all(&self, files: Vec<boughs_pages::File>) -> Result<Vec<String>, Failure> {
        let write = |file: &boughs_pages::File| {
            let path = self.path(&file.name);
            named_file::write(&path, &file.text)?;
            Ok(path.display().to_string())
        };
        files.iter().map(write).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Folder::at(file.path(), &[]).is_err());
    }
}
