//! A question to a program and its answer.

use std::time::{Duration, Instant};

use crossbeam::channel::RecvTimeoutError;

use super::{Bot, LONGEST_ANSWER};
use crate::program::line_io::{IoEvent, MOST_EARLY};
use crate::record::Fault;

/// Time to write a question. It is written at once, unless earlier lines are still unread.
const ASKING: Duration = Duration::from_secs(1);

/// Time to hand over a line that was read in time, on a busy machine.
const HANDOVER: Duration = Duration::from_millis(20);

/// The fate of lines that come before a question.
#[derive(Clone, Copy)]
pub(super) enum Unasked {
    /// They are faults, unless they are kept for the questions to come.
    AreFaults,
    /// Empty ones are skipped, and others are faults.
    MayBeEmpty,
    AreSkipped,
}

impl Unasked {
    fn skips(self, line: &str) -> bool {
        match self {
            Unasked::AreFaults => false,
            Unasked::MayBeEmpty => line.trim().is_empty(),
            Unasked::AreSkipped => true,
        }
    }
}

/// The lines of an answer, each with the time after which it came.
type Answer = Vec<(String, Duration)>;

impl Bot {
    /// Asks for an answer of at most `most` lines, until it is whole.
    pub(super) fn converse(
        &mut self,
        lines: &str,
        (most, unasked): (usize, Unasked),
        allowed: Duration,
        mut is_whole: impl FnMut(&mut Answer) -> bool,
    ) -> Result<(Vec<String>, Duration), Fault> {
        let mut answer = Vec::new();
        let heard = self.hear(lines, (most, unasked), allowed.min(LONGEST_ANSWER), &mut answer, &mut is_whole);
        let took = answer.last().map_or(Duration::ZERO, |&(_, after)| after);
        let answer = answer.into_iter().map(|(line, _)| line).collect();
        match heard {
            Ok(()) => {
                self.unfinished.clear();
                Ok((answer, took))
            }
            Err(fault) => {
                self.unfinished = answer;
                Err(fault)
            }
        }
    }

    fn hear(
        &mut self,
        lines: &str,
        (most, unasked): (usize, Unasked),
        allowed: Duration,
        answer: &mut Answer,
        is_whole: &mut dyn FnMut(&mut Answer) -> bool,
    ) -> Result<(), Fault> {
        let mut is_asked = false;
        let mut begun = Instant::now();
        let mut grace = ASKING;
        self.send(lines, true)?;
        if let Some(early) = &mut self.early {
            answer.extend(early.drain(..most.min(early.len())).map(|line| (line.text(), Duration::ZERO)));
        }
        while !is_asked || !is_whole(answer) {
            match self.next_event(begun + allowed + grace) {
                Ok(IoEvent::Asked(at)) => {
                    is_asked = true;
                    begun = at;
                    grace = HANDOVER;
                }
                Ok(IoEvent::Line { line, at }) if is_asked => {
                    let after = at.duration_since(begun);
                    if after > allowed {
                        return Err(Fault::Late { after, allowed });
                    }
                    if answer.len() == most {
                        return Err(Fault::Flooded);
                    }
                    answer.push((line.text(), after));
                }
                Ok(IoEvent::Line { line, .. }) if unasked.skips(&line.text()) => {}
                Ok(IoEvent::Line { line, .. }) => match &mut self.early {
                    Some(_) if answer.len() < most => answer.push((line.text(), Duration::ZERO)),
                    Some(early) if early.len() < MOST_EARLY => early.push_back(line),
                    _ => {
                        *answer = vec![(line.text(), Duration::ZERO)];
                        return Err(Fault::Flooded);
                    }
                },
                Ok(IoEvent::Endless) => return Err(Fault::Flooded),
                Ok(IoEvent::OutputClosed(_)) => return Err(self.why_closed()),
                Ok(IoEvent::InputClosed) | Err(RecvTimeoutError::Disconnected) => return Err(self.why_deaf()),
                Err(RecvTimeoutError::Timeout) => return Err(self.why_late(begun, allowed)),
            }
        }
        Ok(())
    }
}
