//! The standard error of a program that another program starts: a named pipe, which the arena reads at once. Where the
//! system has none, there are no notes.

#[cfg(unix)]
pub(crate) use self::unix::NotePipe;

#[cfg(unix)]
mod unix {
    use std::convert::Infallible;
    use std::fs::{File, OpenOptions};
    use std::io::{self, PipeWriter};
    use std::path::Path;
    use std::process::Command;
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    use crossbeam::channel::{Receiver, bounded};
    use parking_lot::Mutex;

    use crate::program::notes::{NoteBuffer, Notes, take_notes};
    use crate::program::pipe::Pipe;

    /// Time in which programs that still write may end, and the longest wait for the thread that reads.
    const ENDING: Duration = Duration::from_millis(500);

    /// A named pipe that takes notes. The thread that reads it ends when this is dropped.
    pub(crate) struct NotePipe {
        notes: Arc<Mutex<NoteBuffer>>,
        /// Keeps the pipe open until the programs have begun to write.
        writer: Option<File>,
        hang_up: PipeWriter,
        /// Closed when the thread ends.
        ended: Receiver<Infallible>,
    }

    impl NotePipe {
        /// Makes the pipe.
        pub(crate) fn at(path: &Path) -> io::Result<NotePipe> {
            let made = Command::new("mkfifo").arg(path).output()?;
            if !made.status.success() {
                return Err(io::Error::other(String::from_utf8_lossy(&made.stderr).trim().to_string()));
            }
            // Opening one end waits for the other, and opening both at once does not.
            let both = OpenOptions::new().read(true).write(true).open(path)?;
            let reader = File::open(path)?;
            let writer = OpenOptions::new().write(true).open(path)?;
            drop(both);
            let (hung_up, hang_up) = io::pipe()?;
            let reader = Pipe::new(reader, Arc::new(hung_up))?;
            let notes = Arc::new(Mutex::new(NoteBuffer::default()));
            let (running, ended) = bounded(0);
            let taken = notes.clone();
            let read = move || {
                take_notes(reader, &taken);
                drop::<crossbeam::channel::Sender<Infallible>>(running);
            };
            thread::Builder::new().name("boughs-notes".to_string()).spawn(read)?;
            Ok(NotePipe { notes, writer: Some(writer), hang_up, ended })
        }

        /// Gives the programs that write to the pipe a moment to end. No further one can begin.
        pub(crate) fn wait_for_end(&mut self) {
            self.writer = None;
            // Those that go on are killed.
            _ = self.ended.recv_timeout(ENDING);
        }

        /// Returns the notes, once the programs have ended.
        pub(crate) fn finish(mut self) -> Notes {
            self.wait_for_end();
            drop(self.hang_up);
            _ = self.ended.recv_timeout(ENDING);
            self.notes.lock().notes()
        }
    }
}

/// Notes that are not taken.
#[cfg(not(unix))]
pub(crate) struct NotePipe;

#[cfg(not(unix))]
impl NotePipe {
    pub(crate) fn at(_: &std::path::Path) -> std::io::Result<NotePipe> {
        Ok(NotePipe)
    }

    pub(crate) fn wait_for_end(&mut self) {}

    pub(crate) fn finish(self) -> super::Notes {
        super::Notes::default()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;
    use std::time::{Duration, Instant};

    use super::NotePipe;

    #[test]
    fn a_program_that_stays_behind_keeps_no_game_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        let pipe = NotePipe::at(&path).unwrap();
        let mut writer = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        writer.write_all(b"hello\n[PDATA] rollouts = 3\n").unwrap();
        let begun = Instant::now();
        let notes = pipe.finish();
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
        assert_eq!((notes.text.lines().next(), notes.columns.get("rollouts")), (Some("hello"), Some(&3.0)));
        assert!(NotePipe::at(&path).is_err(), "there is such a file already");
    }
}
