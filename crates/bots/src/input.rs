//! Standard input, read by its own thread, so that a reader can stop waiting at a deadline.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

/// Bytes that were read at once, and when.
type Piece = (Vec<u8>, Instant);

/// The input so far.
pub struct Input {
    pieces: Receiver<io::Result<Piece>>,
    /// The current piece.
    piece: Vec<u8>,
    /// The time at which it was read.
    arrived: Instant,
    /// The number of its bytes that were read.
    read: usize,
    deadline: Option<Instant>,
}

/// The most pieces that wait to be read. It bounds the memory for an endless input.
const MOST_PIECES: usize = 64;

impl Input {
    /// The standard input of the program.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn standard() -> io::Result<Input> {
        let (sender, pieces) = sync_channel(MOST_PIECES);
        thread::Builder::new().name("input".into()).spawn(move || listen(&mut io::stdin().lock(), &sender))?;
        Ok(Input { pieces, piece: Vec::new(), arrived: Instant::now(), read: 0, deadline: None })
    }

    /// The time at which the last bytes arrived. The reader may have waited for a core since then.
    pub fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Sets the deadline of reads. A read that waits longer is an error of the kind [`TimedOut`](ErrorKind::TimedOut).
    pub fn wait_until(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Puts a line back, to be read next.
    pub fn put_back(&mut self, line: &str) {
        let rest = self.piece.split_off(self.read);
        self.piece = [line.as_bytes(), b"\n", &rest].concat();
        self.read = 0;
    }

    /// Waits for the next piece.
    fn next_piece(&self) -> Result<io::Result<Piece>, RecvTimeoutError> {
        match self.deadline {
            Some(deadline) => self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.pieces.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }
}

/// Hands over the input as it comes, until it ends or the reader is gone.
fn listen(input: &mut impl BufRead, pieces: &SyncSender<io::Result<Piece>>) {
    loop {
        let piece = match input.fill_buf() {
            Ok([]) => return,
            Ok(bytes) => Ok((bytes.to_vec(), Instant::now())),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let length = piece.as_ref().map_or(0, |(bytes, _)| bytes.len());
        input.consume(length);
        if pieces.send(piece).is_err() || length == 0 {
            return;
        }
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.piece.len() {
            let piece = match self.next_piece() {
                Ok(piece) => piece?,
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => (Vec::new(), Instant::now()),
            };
            ((self.piece, self.arrived), self.read) = (piece, 0);
        }
        Ok(&self.piece[self.read..])
    }

    fn consume(&mut self, length: usize) {
        self.read = (self.read + length).min(self.piece.len());
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_comes_is_read_and_what_does_not_is_waited_for_until_the_deadline() {
        let (sender, pieces) = sync_channel(MOST_PIECES);
        let mut input = Input { pieces, piece: Vec::new(), arrived: Instant::now(), read: 0, deadline: None };
        listen(&mut &b"one\ntwo"[..], &sender);
        let before = Instant::now();
        let mut line = String::new();
        input.read_line(&mut line).expect("a line");
        input.put_back("zero");
        for expected in ["zero\n", "two"] {
            input.wait_until(Some(Instant::now() + Duration::from_millis(1)));
            line.clear();
            let read = input.read_line(&mut line);
            assert_eq!((line.as_str(), read.is_err()), (expected, expected == "two"));
        }
        assert!(input.arrived() <= before, "the time of a piece is not the time at which it is looked at");
        drop(sender);
        assert_eq!(input.fill_buf().expect("the end"), b"");
    }
}
