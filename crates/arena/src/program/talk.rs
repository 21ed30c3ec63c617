//! The two threads that speak with a program: one writes what it is told, the other reads what it says.
//!
//! Both take the time themselves and put it beside what happened, so that a clock never runs while somebody waits for
//! a thread of the arena. What happened stands in one channel in the order it happened in. The writer puts in that
//! a question is about to be asked before it writes the first byte of it, so a line that stands before that was not an
//! answer to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender};

/// The longest line that is read, in bytes.
pub(super) const LONGEST_LINE: u64 = 64 << 10;

/// How much may have happened before anybody looks. Whoever writes more than that waits.
pub(super) const MOST_EVENTS: usize = 16;

/// What happens between the arena and a program.
pub(super) enum Event {
    /// A question is about to be written.
    Asked(Instant),
    /// A whole line was read, by this time.
    Line { text: Vec<u8>, at: Instant },
    /// A line got too long. No more will be read.
    Endless,
    /// There will be no more lines.
    Silent,
    /// Nothing more can be written.
    Deaf,
}

/// Something to be written.
pub(super) struct Order {
    pub(super) text: String,
    pub(super) is_question: bool,
}

/// Writes everything that is ordered, and takes what is written off what is `owed`, in bytes. Closes the pipe when nobody
/// can order any more.
pub(super) fn speak(mut pipe: impl Write, orders: &Receiver<Order>, owed: &AtomicUsize, events: &Sender<Event>) {
    for Order { text, is_question } in orders {
        // Nobody listens any more where sending fails; the program is still told what was ordered.
        if is_question {
            let _ = events.send(Event::Asked(Instant::now()));
        }
        if pipe.write_all(text.as_bytes()).is_err() {
            let _ = events.send(Event::Deaf);
            return;
        }
        owed.fetch_sub(text.len(), Relaxed);
    }
}

/// Reads lines until there are no more, or nobody listens.
pub(super) fn listen(pipe: impl Read, events: &Sender<Event>) {
    let mut lines = BufReader::new(pipe);
    loop {
        let mut text = Vec::new();
        // A pipe that cannot be read says as little as one that was closed.
        let _ = (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut text);
        let at = Instant::now();
        let event = match text.pop() {
            Some(b'\n') => {
                text.pop_if(|last| *last == b'\r');
                Event::Line { text, at }
            }
            Some(_) if text.len() as u64 + 1 == LONGEST_LINE => Event::Endless,
            _ => Event::Silent,
        };
        let is_last = !matches!(event, Event::Line { .. });
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam::channel::unbounded;

    /// What is heard when a program says this.
    fn heard(says: &[u8]) -> Vec<String> {
        let (sender, events) = unbounded();
        listen(says, &sender);
        drop(sender);
        let word = |event| match event {
            Event::Line { text, .. } => String::from_utf8_lossy(&text).into_owned(),
            Event::Endless => "(endless)".to_string(),
            Event::Silent => "(silent)".to_string(),
            Event::Asked(_) | Event::Deaf => unreachable!("only heard"),
        };
        events.iter().map(word).collect()
    }

    #[test]
    fn lines_end_with_a_newline_and_perhaps_a_carriage_return() {
        assert_eq!(heard(b"a1\nb 2\r\n\nc\rd\n"), ["a1", "b 2", "", "c\rd", "(silent)"]);
    }

    #[test]
    fn a_line_that_is_not_finished_is_none() {
        assert_eq!(heard(b"a1\nb2"), ["a1", "(silent)"]);
        assert_eq!(heard(b""), ["(silent)"]);
    }

    #[test]
    fn a_line_may_be_long_but_not_endless() {
        let longest = [vec![b'x'; LONGEST_LINE as usize - 1], vec![b'\n']].concat();
        assert_eq!(heard(&longest).len(), 2);
        assert_eq!(heard(&[vec![b'x'; LONGEST_LINE as usize], longest].concat()), ["(endless)"]);
    }

    #[test]
    fn bytes_that_are_no_text_do_not_matter() {
        assert_eq!(heard(b"a\0\xff1\n"), ["a\0\u{fffd}1", "(silent)"]);
    }
}
