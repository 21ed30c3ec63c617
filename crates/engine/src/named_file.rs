//! Files that a user names, opened for reading.
//!
//! A pipe gives its bytes as they come, and the first one may never come. So a thread opens and reads it, and the
//! reader looks at short intervals whether the program has [ended its waits](end_waits_if), such as after Ctrl-C.

use std::fs::{self, File};
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The time between two looks at the end of the waits.
const GLANCE: Duration = Duration::from_millis(20);

/// The most reads that the thread is ahead of the reader.
const AHEAD: usize = 16;

static IS_ENDED: OnceLock<fn() -> bool> = OnceLock::new();

/// The bytes of one read, or its error.
type Part = io::Result<Vec<u8>>;

/// A file that is read.
#[derive(Debug)]
pub struct NamedFile(Source);

#[derive(Debug)]
enum Source {
    Regular(File),
    Stream { parts: Receiver<Part>, part: Cursor<Vec<u8>> },
}

/// Ends every wait for a pipe, with an error, as soon as the function returns true. A later call has no effect.
pub fn end_waits_if(is_ended: fn() -> bool) {
    let _ = IS_ENDED.set(is_ended);
}

/// Returns true for a pipe and a device, whose bytes come once.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir())
}

/// Opens a file. This never waits for the other end of a pipe. The first read does, and has the error of a pipe that
/// cannot be opened.
///
/// # Errors
/// If the file cannot be opened.
pub fn open(path: &Path) -> io::Result<NamedFile> {
    if !is_stream(path) {
        return File::open(path).map(|file| NamedFile(Source::Regular(file)));
    }
    let (sender, parts) = sync_channel(AHEAD);
    let path = path.to_path_buf();
    let read = move || {
        let copied = File::open(path).and_then(|mut file| io::copy(&mut file, &mut Sent(&sender)));
        let _ = copied.map_err(|error| sender.send(Err(error)));
    };
    thread::Builder::new().name("boughs-file".into()).spawn(read)?;
    Ok(NamedFile(Source::Stream { parts, part: Cursor::default() }))
}

/// Reads the whole text of a file.
///
/// # Errors
/// If the file cannot be read, or is no UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    io::read_to_string(open(path)?)
}

impl Read for NamedFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Source::Regular(file) => file.read(into),
            Source::Stream { parts, part } => {
                let read = part.read(into)?;
                if read > 0 {
                    return Ok(read);
                }
                *part = Cursor::new(next(parts)?);
                part.read(into)
            }
        }
    }
}

/// Waits for the bytes of the next read. There are none at the end.
fn next(parts: &Receiver<Part>) -> Part {
    loop {
        if IS_ENDED.get().is_some_and(|is_ended| is_ended()) {
            // After the kind of errors that is called `Interrupted` a reader tries again.
            return Err(io::Error::other("interrupted before its end"));
        }
        match parts.recv_timeout(GLANCE) {
            Ok(part) => return part,
            Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Sends what is written to the reader.
struct Sent<'s>(&'s SyncSender<Part>);

impl Write for Sent<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(Ok(bytes.to_vec())).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
