//! The lines to and from a program: one thread writes messages, another reads lines.
//!
//! Both threads read the clock themselves and put the time into the event, so that no clock runs while a thread of the
//! arena waits for another one. One channel has all events in their order. The writer adds an event before it writes
//! the first byte of a question, so a line that comes before that event is not an answer to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender};

/// Length of the longest line that is read, in bytes.
pub(super) const LONGEST_LINE: u64 = 64 << 10;

/// Greatest number of early lines that are kept for questions to come.
pub(super) const MOST_EARLY: usize = 1_000;

/// Greatest number of events in the channel. A program that writes more waits. There is room for more lines than are
/// kept, so that the lines before a question can be too many.
pub(super) const MOST_EVENTS: usize = MOST_EARLY + 16;

/// Greatest number of bytes of lines that are held for the arena, in the channel and as early lines together.
const MOST_HELD: usize = 1 << 20;

/// An event between the arena and a program.
pub(super) enum IoEvent {
    /// A question is about to be written, at this time.
    Asked(Instant),
    /// A whole line was read, by this time.
    Line { line: HeldLine, at: Instant },
    /// A line got too long, or too many bytes of lines are held. No further line will be read.
    Endless,
    /// The program has closed its output, perhaps after a line without its end.
    OutputClosed(Option<HeldLine>),
    /// The program does not take any input.
    InputClosed,
}

/// A line of a program. It counts among the bytes that are held until it is dropped.
pub(super) struct HeldLine {
    bytes: Vec<u8>,
    held: Arc<AtomicUsize>,
}

impl HeldLine {
    fn new(bytes: Vec<u8>, held: Arc<AtomicUsize>) -> HeldLine {
        held.fetch_add(bytes.len(), Relaxed);
        HeldLine { bytes, held }
    }

    /// The line as text. Bytes that are no text do not matter.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Drop for HeldLine {
    fn drop(&mut self) {
        self.held.fetch_sub(self.bytes.len(), Relaxed);
    }
}

/// A message to a program.
pub(super) struct Message {
    pub(super) text: String,
    pub(super) is_question: bool,
}

/// Writes messages and takes their length off the number of `unwritten` bytes. Closes the pipe after the last message.
pub(super) fn write_messages(
    mut pipe: impl Write,
    messages: &Receiver<Message>,
    unwritten: &AtomicUsize,
    events: &Sender<IoEvent>,
) {
    for Message { text, is_question } in messages {
        // Sending fails if the arena has let the program go; it still gets the rest of its messages.
        if is_question {
            let _ = events.send(IoEvent::Asked(Instant::now()));
        }
        if pipe.write_all(text.as_bytes()).is_err() {
            let _ = events.send(IoEvent::InputClosed);
            return;
        }
        unwritten.fetch_sub(text.len(), Relaxed);
    }
}

/// Reads lines until the pipe is closed or the arena has let the program go.
pub(super) fn read_lines(pipe: impl Read, events: &Sender<IoEvent>) {
    let mut lines = BufReader::new(pipe);
    let held = Arc::new(AtomicUsize::new(0));
    loop {
        let mut text = Vec::new();
        // A pipe that cannot be read is taken for closed.
        let _ = (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut text);
        let at = Instant::now();
        let event = match text.pop() {
            Some(b'\n') if held.load(Relaxed) + text.len() > MOST_HELD => IoEvent::Endless,
            Some(b'\n') => {
                text.pop_if(|last| *last == b'\r');
                IoEvent::Line { line: HeldLine::new(text, held.clone()), at }
            }
            Some(_) if text.len() as u64 + 1 == LONGEST_LINE => IoEvent::Endless,
            Some(last) => {
                text.push(last);
                IoEvent::OutputClosed(Some(HeldLine::new(text, held.clone())))
            }
            None => IoEvent::OutputClosed(None),
        };
        let is_last = !matches!(event, IoEvent::Line { .. });
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam::channel::unbounded;

    /// Returns the events of a program that writes these bytes, as text.
    fn heard(says: &[u8]) -> Vec<String> {
        let (sender, events) = unbounded();
        read_lines(says, &sender);
        drop(sender);
        let word = |event| match event {
            IoEvent::Line { line, .. } => line.text(),
            IoEvent::Endless => "(endless)".to_string(),
            IoEvent::OutputClosed(rest) => rest.map_or("(silent)".to_string(), |rest| format!("({})", rest.text())),
            IoEvent::Asked(_) | IoEvent::InputClosed => unreachable!("only heard"),
        };
        events.iter().map(word).collect()
    }

    #[test]
    fn lines_end_with_a_newline_and_perhaps_a_carriage_return() {
        assert_eq!(heard(b"a1\nb 2\r\n\nc\rd\n"), ["a1", "b 2", "", "c\rd", "(silent)"]);
    }

    #[test]
    fn a_line_that_is_not_finished_is_the_rest() {
        assert_eq!(heard(b"a1\nb2"), ["a1", "(b2)"]);
        assert_eq!(heard(b""), ["(silent)"]);
    }

    #[test]
    fn a_line_may_be_long_but_not_endless() {
        let longest = [vec![b'x'; LONGEST_LINE as usize - 1], vec![b'\n']].concat();
        assert_eq!(heard(&longest).len(), 2);
        assert_eq!(heard(&[vec![b'x'; LONGEST_LINE as usize], longest].concat()), ["(endless)"]);
    }

    #[test]
    fn lines_that_are_not_taken_hold_a_mebibyte_at_most() {
        let says = [vec![b'x'; LONGEST_LINE as usize - 2], vec![b'\n']].concat().repeat(99);
        let (sender, events) = unbounded();
        read_lines(&says[..], &sender);
        let heard: Vec<IoEvent> = events.try_iter().collect();
        assert!(heard.len() <= 18 && matches!(heard.last(), Some(IoEvent::Endless)), "{}", heard.len());
    }

    #[test]
    fn bytes_that_are_no_text_do_not_matter() {
        assert_eq!(heard(b"a\0\xff1\n"), ["a\0\u{fffd}1", "(silent)"]);
    }
}
