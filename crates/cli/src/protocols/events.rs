//! Lines that arrive while a search runs.
//!
//! Protocols of board games ask questions in the middle of a search: a line stops an analysis, and a comment may
//! interrupt a move. A thread of its own reads the lines. A search runs on a thread beside the one that waits for them.

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::thread;

use boughs::{Agent, Budget, Report, SearchError, StopFlag};
use boughs_bots::{Line, read_line};
use crossbeam::channel::{Receiver, bounded, select};

use crate::failure::Failure;

/// The longest line in bytes. A game of a thousand moves in JSON has a tenth of it.
const LONGEST_LINE: u64 = 1 << 20;

/// The most lines that are read before they are asked for.
const MOST_READ: usize = 16;

/// The most lines that wait for the end of a search, and their most bytes. No more are read before it ends.
const MOST_WAITING: usize = 256;
const MOST_BYTES: usize = 16 * LONGEST_LINE as usize;

/// The effect of a line that comes while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The line waits until the search is done.
    Waits,
    /// The search stops, and the line waits.
    Stops,
    /// The line is dealt with already.
    Done,
}

impl Effect {
    /// The effect of a line that stops a search, or waits.
    pub(crate) fn stopping(stops: bool) -> Effect {
        if stops { Effect::Stops } else { Effect::Waits }
    }
}

/// The lines of standard input, in order.
pub(crate) struct Events {
    lines: Receiver<io::Result<Line>>,
    /// Lines that came while a search ran.
    waiting: VecDeque<String>,
    /// A fault after those lines.
    fault: Option<Failure>,
    has_ended: bool,
}

impl Events {
    /// Starts to read standard input.
    pub(crate) fn standard() -> Result<Events, Failure> {
        let (sender, lines) = bounded(MOST_READ);
        let read = move || {
            let mut input = BufReader::new(io::stdin().lock());
            loop {
                let line = read_line(&mut input, LONGEST_LINE);
                let is_last = !matches!(line, Ok(Line::Text(_)));
                if sender.send(line).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("input".into())
            .spawn(read)
            .map_err(|error| Failure::new(format!("the system gives no thread that reads the input: {error}")))?;
        Ok(Events { lines, waiting: VecDeque::new(), fault: None, has_ended: false })
    }

    /// Waits for the next line. `None` at the end of the input.
    pub(crate) fn next(&mut self) -> Result<Option<String>, Failure> {
        if let Some(line) = self.waiting.pop_front() {
            return Ok(Some(line));
        }
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.has_ended {
            return Ok(None);
        }
        let line = self.lines.recv();
        self.text_of(line.unwrap_or(Ok(Line::End)))
    }

    /// Waits for the next line, or for the failure of another thread. `None` at the end of the input, whose fault
    /// [`fault`](Events::fault) tells.
    pub(crate) fn next_or_failure(&mut self, failed: &Receiver<Failure>) -> Result<Option<String>, Failure> {
        select! {
            recv(failed) -> failure => failure.map_or(Ok(None), Err),
            recv(self.lines) -> line => {
                let text = self.text_of(line.unwrap_or(Ok(Line::End)));
                Ok(text.unwrap_or_else(|fault| {
                    self.fault = Some(fault);
                    None
                }))
            }
        }
    }

    /// The fault that has ended the input, if there is one.
    pub(crate) fn fault(&mut self) -> Result<(), Failure> {
        self.fault.take().map_or(Ok(()), Err)
    }

    fn text_of(&mut self, line: io::Result<Line>) -> Result<Option<String>, Failure> {
        match line {
            Ok(Line::Text(text)) => return Ok(Some(text.trim_end_matches(['\n', '\r']).to_string())),
            Ok(Line::End) => {}
            Ok(Line::TooLong) => {
                return Err(Failure::new(format!("a line of the input has more than {LONGEST_LINE} bytes")));
            }
            Err(error) => return Err(Failure::new(format!("the input cannot be read: {error}"))),
        }
        self.has_ended = true;
        Ok(None)
    }

    /// Searches until the budget is spent, or a line has the effect that the search stops; `None` is the end of the
    /// input, and too many lines that wait. They are kept for [`next`](Events::next). `see` gets the report so far,
    /// twenty times a second.
    pub(crate) fn search(
        &mut self,
        agent: &mut dyn Agent,
        budget: Budget,
        effect: impl Fn(Option<&str>) -> Effect,
        see: &mut (dyn FnMut(&Report) + Send),
    ) -> Result<Report, Failure> {
        let flag = budget.stop_flag();
        let mut stops = self.has_ended && effect(None) == Effect::Stops;
        self.waiting.retain(|line| {
            let effect = effect(Some(line));
            stops |= effect == Effect::Stops;
            effect != Effect::Done
        });
        if stops {
            flag.raise();
        }
        let (done, is_done) = bounded::<()>(1);
        let searched: Result<Report, SearchError> = thread::scope(|scope| {
            let searcher = scope.spawn(move || {
                let report = agent.search(budget, see);
                // The waiting thread may be gone already.
                let _ = done.send(());
                report
            });
            self.listen(&is_done, &flag, effect);
            searcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        Ok(searched?)
    }

    /// Keeps the lines that come until a search is done, and stops it where one says so.
    fn listen(&mut self, is_done: &Receiver<()>, flag: &StopFlag, effect: impl Fn(Option<&str>) -> Effect) {
        while !self.has_ended && !self.is_full() {
            select! {
                recv(is_done) -> _ => return,
                recv(self.lines) -> line => {
                    let line = self.text_of(line.unwrap_or(Ok(Line::End))).unwrap_or_else(|fault| {
                        // It is told when its line would be read.
                        (self.fault, self.has_ended) = (Some(fault), true);
                        None
                    });
                    let effect = effect(line.as_deref());
                    if effect == Effect::Stops {
                        flag.raise();
                    }
                    self.waiting.extend(line.filter(|_| effect != Effect::Done));
                }
            }
        }
        // The line that stops an endless search may stand behind those that are read.
        if effect(None) == Effect::Stops {
            flag.raise();
        }
        let _ = is_done.recv();
    }

    /// Returns true if no further line may wait.
    fn is_full(&self) -> bool {
        self.waiting.len() >= MOST_WAITING || self.waiting.iter().map(String::len).sum::<usize>() >= MOST_BYTES
    }
}
