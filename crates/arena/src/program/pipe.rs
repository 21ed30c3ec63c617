//! Pipes that can be hung up.
//!
//! A read from a pipe waits until every process that could write to it is gone. A process that a program has left
//! behind, and that cannot be found or killed, would keep a thread of the arena waiting for ever. So a thread that
//! waits for a pipe waits for a second one too, the hang-up pipe, whose other end is closed when the program is let go.

use std::io::{self, PipeReader, Read, Write};
use std::sync::Arc;

/// The arena's end of a pipe to or from a program. Reads and writes end at the latest when the arena hangs up.
pub(super) struct Pipe<P> {
    pipe: P,
    hung_up: Arc<PipeReader>,
}

/// The use of a pipe that a thread waits for.
#[derive(Clone, Copy)]
enum Use {
    Read,
    Write,
}

#[cfg(unix)]
impl<P: std::os::fd::AsFd> Pipe<P> {
    pub(super) fn new(pipe: P, hung_up: Arc<PipeReader>) -> io::Result<Pipe<P>> {
        // A program can fill or empty its end between a look at the pipe and the use of it.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Pipe { pipe, hung_up })
    }

    /// Waits until the pipe can be used. Returns false if the arena has hung up.
    fn wait(&self, wanted: Use) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, poll};

        let flags = match wanted {
            Use::Read => PollFlags::IN,
            Use::Write => PollFlags::OUT,
        };
        let mut both = [PollFd::new(&self.pipe, flags), PollFd::new(&*self.hung_up, PollFlags::IN)];
        rustix::io::retry_on_intr(|| poll(&mut both, None))?;
        Ok(both[1].revents().is_empty())
    }
}

#[cfg(not(unix))]
impl<P> Pipe<P> {
    pub(super) fn new(pipe: P, hung_up: Arc<PipeReader>) -> io::Result<Pipe<P>> {
        Ok(Pipe { pipe, hung_up })
    }

    /// The system does not say if a pipe is ready, so a thread waits for as long as it takes.
    fn wait(&self, wanted: Use) -> io::Result<bool> {
        let _ = (wanted, &self.hung_up);
        Ok(true)
    }
}

/// A pipe of the system, which `poll` can wait for.
#[cfg(unix)]
use std::os::fd::AsFd as RawPipe;

/// A pipe of the system.
#[cfg(not(unix))]
pub(super) trait RawPipe {}

#[cfg(not(unix))]
impl<P> RawPipe for P {}

impl<P: RawPipe + Read> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.wait(Use::Read)? {
            match self.pipe.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return done,
            }
        }
        Ok(0)
    }
}

impl<P: RawPipe + Write> Write for Pipe<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while self.wait(Use::Write)? {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return done,
            }
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_thread_that_waits_for_a_pipe_is_freed_when_the_arena_hangs_up() {
        let (hung_up, hang_up) = io::pipe().unwrap();
        let hung_up = Arc::new(hung_up);
        let (never_written, _writer) = io::pipe().unwrap();
        let (_reader, never_read) = io::pipe().unwrap();
        let mut reading = Pipe::new(never_written, hung_up.clone()).unwrap();
        let mut writing = Pipe::new(never_read, hung_up).unwrap();
        let reads = thread::spawn(move || reading.read(&mut [0; 8]).unwrap());
        let writes = thread::spawn(move || writing.write_all(&[0; 1 << 20]).unwrap_err().kind());
        drop(hang_up);
        assert_eq!(reads.join().unwrap(), 0);
        assert_eq!(writes.join().unwrap(), io::ErrorKind::BrokenPipe);
    }
}
