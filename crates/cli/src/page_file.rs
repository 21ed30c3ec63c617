//! A page as a file, which replaces an older one at once when it is complete.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use boughs_pages::PageError;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file for a page that is not written yet. An existing file stays until the new page is complete.
pub(crate) struct PageFile {
    part: NamedTempFile,
    path: PathBuf,
}

impl PageFile {
    pub(crate) fn at(path: &Path) -> Result<PageFile, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let part = match path.is_dir() {
            true => Err(ErrorKind::IsADirectory.into()),
            false => new_in(folder),
        };
        Ok(PageFile { part: part.map_err(|error| unwritable(path, &error))?, path: path.to_path_buf() })
    }

    /// Writes the page.
    pub(crate) fn write(self, page: impl FnOnce(&mut dyn Write) -> Result<(), PageError>) -> Result<(), Failure> {
        let PageFile { part, path } = self;
        let mut out = BufWriter::new(part);
        page(&mut out)?;
        let part = out.into_inner().map_err(|error| unwritable(&path, error.error()))?;
        part.persist(&path).map_err(|error| unwritable(&path, &error.error))?;
        Ok(())
    }
}

/// Makes a file with the permissions of any other file. A temporary file would be readable by its owner only.
fn new_in(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("the page '{}' cannot be written ({error}); name another file", path.display()))
}
