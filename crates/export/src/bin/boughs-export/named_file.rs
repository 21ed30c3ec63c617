//! The file that the user names. A regular file is replaced at once when its new text is complete, and keeps its mode.
//! If a link is named, its target is written and the link stays. A device or a pipe is written to. A read-only file is
//! refused, for root too.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

use crate::failure::Failure;

/// Checks that a file can be written, which is known before the work that it takes to make the text.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    match target(path)? {
        Some(target) => tempfile::tempfile_in(folder_of(&target)).map(drop).map_err(|error| unwritable(path, &error)),
        None => Ok(()),
    }
}

/// Writes a whole text.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = match target(path)? {
        Some(target) => replace(&target, text),
        None => File::options().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written.map_err(|error| unwritable(path, &error))
}

/// Returns the regular file at a path, which may not exist yet; `None` for a device or a pipe.
fn target(path: &Path) -> Result<Option<PathBuf>, Failure> {
    let refused = |why: &str| Err(Failure::of_file(path, why));
    match fs::metadata(path) {
        Ok(file) if file.is_dir() => refused("it is a folder; name a file in it"),
        Ok(file) if !file.is_file() => Ok(None),
        Ok(file) if file.permissions().readonly() => refused("it is read-only; make it writable or name another file"),
        // In a folder of one's own one can replace a file that one may not write to.
        Ok(_) => File::options()
            .append(true)
            .open(path)
            .and_then(|_| fs::canonicalize(path))
            .map(Some)
            .map_err(|error| unwritable(path, &error)),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(unwritable(path, &error)),
        Err(_) if path.file_name().is_none() || path.to_string_lossy().ends_with(is_separator) => {
            refused("it is no name of a file; name a file")
        }
        Err(_) if !folder_of(path).is_dir() => {
            let folder = folder_of(path).display();
            refused(&format!("there is no folder '{folder}'; make it or name another file"))
        }
        Err(_) => Ok(Some(path.to_path_buf())),
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts a file with this text in the place of another one, with its mode. A new file has the mode of any other file; by
/// default a temporary file is readable by its owner only.
fn replace(target: &Path, text: &str) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".boughs-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(folder_of(target))?;
    if let Ok(before) = fs::metadata(target) {
        part.as_file().set_permissions(before.permissions())?;
    }
    part.write_all(text.as_bytes())?;
    part.persist(target).map(drop).map_err(|error| error.error)
}

/// The error of the system, without the path of a temporary file.
fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let reason = if error.get_ref().is_some() { io::Error::from(error.kind()).to_string() } else { error.to_string() };
    Failure::of_file(path, format!("{reason}; name another file"))
}
