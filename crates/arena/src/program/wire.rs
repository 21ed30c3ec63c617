//! Pipes that can be hung up.
//!
//! Whoever reads from a pipe waits until everybody who could write to it is gone. A process that a program has left behind,
//! and that nobody can find or may kill, would keep a thread of the arena waiting for ever. So a thread that waits for
//! a pipe waits for a second one too, the cord, whose other end is closed when the program is let go.

use std::io::{self, PipeReader, Read, Write};
use std::sync::Arc;

/// The arena's end of a pipe to or from a program. To read or write here takes no longer than the cord is held.
pub(super) struct Wire<P> {
    pipe: P,
    cord: Arc<PipeReader>,
}

#[derive(Clone, Copy)]
enum Wish {
    Read,
    Write,
}

#[cfg(unix)]
impl<P: std::os::fd::AsFd> Wire<P> {
    pub(super) fn new(pipe: P, cord: Arc<PipeReader>) -> io::Result<Wire<P>> {
        // A program can fill or empty its end between a look at the pipe and the use of it.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Wire { pipe, cord })
    }

    /// Waits until the wish can be granted. False if the cord was let go.
    fn wait(&self, wish: Wish) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, poll};

        let flags = match wish {
            Wish::Read => PollFlags::IN,
            Wish::Write => PollFlags::OUT,
        };
        let mut both = [PollFd::new(&self.pipe, flags), PollFd::new(&*self.cord, PollFlags::IN)];
        rustix::io::retry_on_intr(|| poll(&mut both, None))?;
        Ok(both[1].revents().is_empty())
    }
}

#[cfg(not(unix))]
impl<P> Wire<P> {
    pub(super) fn new(pipe: P, cord: Arc<PipeReader>) -> io::Result<Wire<P>> {
        Ok(Wire { pipe, cord })
    }

    /// Nothing is known here of what a pipe is ready for, so whoever waits for one waits as long as it takes.
    fn wait(&self, wish: Wish) -> io::Result<bool> {
        let _ = (wish, &self.cord);
        Ok(true)
    }
}

/// What a wire needs of its pipe, apart from reading or writing.
#[cfg(unix)]
pub(super) use std::os::fd::AsFd as Pipe;

/// What a wire needs of its pipe, apart from reading or writing.
#[cfg(not(unix))]
pub(super) trait Pipe {}

#[cfg(not(unix))]
impl<P> Pipe for P {}

impl<P: Pipe + Read> Read for Wire<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.wait(Wish::Read)? {
            match self.pipe.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return done,
            }
        }
        Ok(0)
    }
}

impl<P: Pipe + Write> Write for Wire<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while self.wait(Wish::Write)? {
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
    fn whoever_waits_for_a_pipe_is_freed_when_the_cord_is_let_go() {
        let (cord, held) = io::pipe().unwrap();
        let cord = Arc::new(cord);
        let (never_written, _writer) = io::pipe().unwrap();
        let (_reader, never_read) = io::pipe().unwrap();
        let mut reading = Wire::new(never_written, cord.clone()).unwrap();
        let mut writing = Wire::new(never_read, cord).unwrap();
        let reads = thread::spawn(move || reading.read(&mut [0; 8]).unwrap());
        let writes = thread::spawn(move || writing.write_all(&[0; 1 << 20]).unwrap_err().kind());
        drop(held);
        assert_eq!(reads.join().unwrap(), 0);
        assert_eq!(writes.join().unwrap(), io::ErrorKind::BrokenPipe);
    }
}
