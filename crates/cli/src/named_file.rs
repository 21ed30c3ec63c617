//! Files that a user names, all of which are written here.
//!
//! A regular file is replaced at once when its new text is complete, and keeps its mode. If a link is named, its target
//! is written and the link stays. A device or a pipe is written to, and a pipe without a reader is refused. A read-only
//! file is refused, for root too, and so is a file in a folder that does not exist. [`boughs::named_file`] opens files
//! for reading.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

use boughs::named_file::is_stream;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The most links that are followed to a file, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// A file that can be written, and is not written yet.
pub(crate) struct NamedFile {
    path: PathBuf,
    /// The file, unless it is regular. A pipe is open from the start, so that its reader waits for the text.
    stream: Option<File>,
}

/// The file that a path leads to.
enum Place {
    /// A regular file, or none yet. The path does not end in a link.
    Regular(PathBuf, Option<Metadata>),
    /// A device, a pipe, or a regular file that is the standard output too.
    Stream(File),
}

impl NamedFile {
    /// Checks that the file can be written. A regular file stays as it is until its new text is complete.
    pub(crate) fn at(path: &Path) -> Result<NamedFile, Failure> {
        let stream = match place(path)? {
            Place::Stream(stream) => Some(stream),
            Place::Regular(target, _) => {
                tempfile::tempfile_in(folder_of(&target)).map_err(|error| unwritable(path, &error))?;
                None
            }
        };
        Ok(NamedFile { path: path.to_path_buf(), stream })
    }

    /// Refuses to write over the store, which is open while the file is written.
    pub(crate) fn check_store(&self, store: Option<&Path>) -> Result<(), Failure> {
        let store = store.and_then(end_of);
        if store.is_some() && store == end_of(&self.path) {
            return Err(refused(&self.path, "it is the store too; name two files"));
        }
        Ok(())
    }

    /// Writes the file. It stays as it is if `write` fails.
    pub(crate) fn write<T>(self, write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>) -> Result<T, Failure> {
        let NamedFile { path, stream } = self;
        // The path may lead to another file than when it was checked.
        let place = stream.map_or_else(|| place(&path), |stream| Ok(Place::Stream(stream)))?;
        match place {
            Place::Stream(stream) => write_to(stream, &path, write).map(|(written, _)| written),
            Place::Regular(target, before) => {
                let part = part_of(&target, before.as_ref()).map_err(|error| unwritable(&path, &error))?;
                let (written, part) = write_to(part, &path, write)?;
                part.persist(&target).map_err(|error| unwritable(&path, &error.error))?;
                Ok(written)
            }
        }
    }

    /// Writes a whole text.
    pub(crate) fn write_text(self, text: &str) -> Result<(), Failure> {
        let path = self.path.clone();
        self.write(|out| out.write_all(text.as_bytes()).map_err(|error| unwritable(&path, &error)))
    }
}

/// Writes a whole text to a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    NamedFile { path: path.to_path_buf(), stream: None }.write_text(text)
}

/// Checks that a file can be written, unless it is a device or a pipe, whose reader would see its end.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    if is_stream(path) { Ok(()) } else { NamedFile::at(path).map(drop) }
}

/// Follows links to the regular file at their end, which may not exist yet. Anything else is an error.
pub(crate) fn regular(path: &Path) -> Result<PathBuf, Failure> {
    if !is_stream(path)
        && let Place::Regular(target, _) = place(path)?
    {
        return Ok(target);
    }
    Err(refused(path, "it is no regular file; name another file"))
}

fn write_to<W: Write, T>(
    file: W,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<(T, W), Failure> {
    let mut out = BufWriter::new(file);
    let written = write(&mut out)?;
    let file = out.into_inner().map_err(|error| unwritable(path, error.error()))?;
    Ok((written, file))
}

/// Finds the file that a path leads to.
fn place(path: &Path) -> Result<Place, Failure> {
    let failed = |error: io::Error| unwritable(path, &error);
    match fs::metadata(path) {
        Ok(file) if file.is_dir() => Err(refused(path, "it is a folder; name a file in it")),
        Ok(file) if !file.is_file() => open_stream(path).map(Place::Stream),
        Ok(file) if file.permissions().readonly() => {
            Err(refused(path, "it is read-only; make it writable or name another file"))
        }
        Ok(file) => match as_output(&file) {
            Some(output) => Ok(Place::Stream(output)),
            None => {
                // In a folder of one's own one can replace a file that one may not write to.
                File::options().append(true).open(path).map_err(failed)?;
                Ok(Place::Regular(fs::canonicalize(path).map_err(failed)?, Some(file)))
            }
        },
        Err(error) if error.kind() == ErrorKind::NotFound => new_place(path),
        Err(error) => Err(failed(error)),
    }
}

/// Opens a pipe or a device for writing.
#[cfg(unix)]
fn open_stream(path: &Path) -> Result<File, Failure> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;
    use std::os::unix::fs::OpenOptionsExt;

    // Otherwise opening a pipe waits for its reader.
    let opened = File::options().write(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(code) if code == Errno::NXIO.raw_os_error() => {
            refused(path, "no program reads from it; start one that does, or name another file")
        }
        _ => unwritable(path, &error),
    })?;
    let blocking = || fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK);
    blocking().map_err(|error| unwritable(path, &error.into()))?;
    Ok(file)
}

#[cfg(not(unix))]
fn open_stream(path: &Path) -> Result<File, Failure> {
    File::options().write(true).open(path).map_err(|error| unwritable(path, &error))
}

/// Finds the place of a file that does not exist yet.
fn new_place(path: &Path) -> Result<Place, Failure> {
    let target = end_of_links(path);
    let folder = folder_of(&target);
    if target.file_name().is_none() || target.to_string_lossy().ends_with(is_separator) {
        return Err(refused(path, "it is no name of a file; name a file"));
    }
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(refused(path, &format!("there is no folder '{folder}'; make it or name another file")));
    }
    Ok(Place::Regular(target, None))
}

/// Follows the links at the end of a path, whose target need not exist.
fn end_of_links(path: &Path) -> PathBuf {
    let next = |end: &PathBuf| fs::read_link(end).ok().map(|target| folder_of(end).join(target));
    let links = std::iter::successors(Some(path.to_path_buf()), next);
    links.take(MOST_LINKS).last().unwrap_or_else(|| path.to_path_buf())
}

/// Returns the absolute path of a file without links, if its folder exists.
fn end_of(path: &Path) -> Option<PathBuf> {
    let end = end_of_links(path);
    Some(fs::canonicalize(folder_of(&end)).ok()?.join(end.file_name()?))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the standard output if it is this file. A replaced file would lose what is printed.
#[cfg(unix)]
fn as_output(file: &Metadata) -> Option<File> {
    use std::os::fd::AsFd;
    let output = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    crate::lock::is_same(file, &output.metadata().ok()?).then_some(output)
}

#[cfg(not(unix))]
fn as_output(_: &Metadata) -> Option<File> {
    None
}

/// Makes a file beside the target, with the mode and the owner of the file that it will replace. A new file has the
/// mode of any other file; by default a temporary file is readable by its owner only.
fn part_of(target: &Path, before: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".boughs-").suffix(".part");
    #[cfg(unix)]
    if before.is_none() {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let part = builder.tempfile_in(folder_of(target))?;
    if let Some(before) = before {
        // Only root may give a file to another user. Its own user may give it to a group.
        #[cfg(unix)]
        let _ = {
            use std::os::unix::fs::MetadataExt;
            use std::os::unix::fs::fchown;
            let (user, group) = (Some(before.uid()), Some(before.gid()));
            fchown(part.as_file(), user, group).or_else(|_| fchown(part.as_file(), None, group))
        };
        part.as_file().set_permissions(before.permissions())?;
    }
    Ok(part)
}

/// The error of a file that cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    refused(path, &format!("{}; name another file", reason(error)))
}

/// Writes the error of a file without the path of a temporary file, which an error with more than the system's has.
pub(crate) fn reason(error: &io::Error) -> String {
    if error.get_ref().is_some() { io::Error::from(error.kind()).to_string() } else { error.to_string() }
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(format!("'{}' cannot be written: {why}", path.display()))
}
