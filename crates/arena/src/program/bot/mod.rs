//! A running program: questions, answers and its end.

mod converse;

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use boughs::StopFlag;
use crossbeam::channel::{Receiver, RecvTimeoutError};

use self::converse::Unasked;
use super::io_threads::IoThreads;
use super::line_io::{HeldLine, IoEvent, MOST_EARLY, Message};
use super::notes::Notes;
use super::process::{FIRST_PAUSE, LONGEST_PAUSE, Process};
use crate::contestant::Program;
use crate::record::Fault;

/// Time in which a program that has closed a pipe may end, so that its exit status is known.
const ENDING: Duration = Duration::from_millis(200);

/// Time between two looks at the stop flag while an answer is awaited.
const GLANCE: Duration = Duration::from_millis(50);

/// Number of bytes that a program may leave unread, beside those that the system keeps in the pipe.
const MOST_UNREAD: usize = 1 << 20;

/// Longest time to wait for an answer. A longer limit is cut to it.
const LONGEST_ANSWER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A program to start, its cores, and its limit.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Program,
    /// Cores that the program is held to, where the system can do that; empty for any cores.
    pub cores: &'a [usize],
    /// Time for an answer, or for a whole case, which the program is told by its environment.
    pub time: Option<Duration>,
}

/// A running program. Dropping it kills the program with all its descendants.
///
/// ```
/// use boughs_arena::{Bot, Contestant, Launch};
/// use std::time::Duration;
///
/// # #[cfg(unix)] {
/// let Ok(Contestant::Program(program)) = "cmd:cat".parse() else { panic!("a program") };
/// let mut bot = Bot::start(&Launch { program: &program, cores: &[], time: None }).unwrap();
/// let (answer, took) = bot.ask("hello", Duration::from_secs(10)).unwrap();
/// assert_eq!(answer, "hello");
/// assert!(took < Duration::from_secs(10));
/// let notes = bot.finish(Duration::from_secs(10));
/// assert_eq!(notes.text, "");
/// # }
/// ```
pub struct Bot {
    process: Process,
    io: IoThreads,
    stop: StopFlag,
    /// Lines that came before their question, if they are kept.
    early: Option<VecDeque<HeldLine>>,
    /// The lines of an answer that did not become whole, or that nothing asked for.
    unfinished: Vec<String>,
    /// True once the program has closed its output after a line without its end, which was taken for a whole one.
    has_closed: bool,
}

impl Bot {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Fault::NotStarted`], with one sentence about the reason and the cure.
    pub fn start(launch: &Launch<'_>) -> Result<Bot, Fault> {
        let (process, pipes) = Process::start(launch)?;
        match IoThreads::start(pipes) {
            Ok(io) => Ok(Bot {
                process,
                io,
                stop: StopFlag::default(),
                early: None,
                unfinished: Vec::new(),
                has_closed: false,
            }),
            Err(error) => Err(Fault::NotStarted(format!(
                "the system gives no more threads or files ({error}); play fewer games at a time"
            ))),
        }
    }

    /// Ends every wait for an answer when `stop` is raised. The answer passes for late then.
    pub fn stopped_by(self, stop: StopFlag) -> Bot {
        Bot { stop, ..self }
    }

    /// Takes a line that comes before its question for the answer to it.
    pub fn keeping_lines(self) -> Bot {
        Bot { early: Some(VecDeque::new()), ..self }
    }

    /// Tells the program one or more lines that want no answer. Does not wait until they are read.
    ///
    /// # Errors
    /// [`Fault::Deaf`] if a mebibyte is waiting to be read. A program that has ended is noticed by the next question.
    pub fn tell(&mut self, lines: &str) -> Result<(), Fault> {
        self.send(lines, false)
    }

    /// Tells the program one or more lines and waits for one line of answer. Returns the answer without its end, and
    /// the time from before the first byte was written until the whole answer had been read.
    ///
    /// # Errors
    /// If there is no line in time, or a line came before the question and [early lines are not
    /// kept](Bot::keeping_lines). After an error the only thing to do is to [finish](Bot::finish).
    pub fn ask(&mut self, lines: &str, allowed: Duration) -> Result<(String, Duration), Fault> {
        let (mut answer, took) = self.ask_lines(lines, 1, allowed)?;
        Ok((answer.pop().unwrap_or_default(), took))
    }

    /// Asks for an answer of `count` lines.
    ///
    /// # Errors
    /// Fails as [`ask`](Bot::ask) does.
    pub fn ask_lines(
        &mut self,
        lines: &str,
        count: usize,
        allowed: Duration,
    ) -> Result<(Vec<String>, Duration), Fault> {
        self.converse(lines, (count, Unasked::AreFaults), allowed, |answer| answer.len() == count)
    }

    /// Asks for an answer that ends with an empty line, after at least one other. The answer has no empty line. Empty
    /// lines before the question do not matter.
    ///
    /// # Errors
    /// Fails as [`ask`](Bot::ask) does.
    pub fn ask_paragraph(&mut self, lines: &str, allowed: Duration) -> Result<(Vec<String>, Duration), Fault> {
        let is_empty = |line: &String| line.trim().is_empty();
        let is_whole = |answer: &mut Vec<(String, Duration)>| match &answer[..] {
            [.., (text, _), (end, _)] => is_empty(end) && !is_empty(text),
            _ => false,
        };
        let (mut answer, took) = self.converse(lines, (MOST_EARLY, Unasked::MayBeEmpty), allowed, is_whole)?;
        answer.retain(|line| !is_empty(line));
        Ok((answer, took))
    }

    /// Waits for a line that the program writes by itself.
    ///
    /// # Errors
    /// If there is no line in time. After an error the only thing to do is to [finish](Bot::finish).
    pub fn next_line(&mut self, allowed: Duration) -> Result<String, Fault> {
        let begun = Instant::now();
        self.next_line_while(&mut || begun.elapsed() < allowed)
    }

    /// Waits for a line that the program writes by itself, as long as `goes_on` says so. What it writes last needs no
    /// newline.
    ///
    /// # Errors
    /// Fails as [`next_line`](Bot::next_line) does.
    pub(crate) fn next_line_while(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<String, Fault> {
        if let Some(line) = self.early.as_mut().and_then(VecDeque::pop_front) {
            return Ok(line.text());
        }
        if self.has_closed {
            return Err(self.why_closed());
        }
        let begun = Instant::now();
        loop {
            match self.next_event(Instant::now() + GLANCE) {
                Ok(IoEvent::Line { line, .. }) => return Ok(line.text()),
                // A program that writes need not read.
                Ok(IoEvent::Asked(_) | IoEvent::InputClosed) => {}
                Ok(IoEvent::Endless) => return Err(Fault::Flooded),
                Ok(IoEvent::OutputClosed(Some(rest))) => {
                    self.has_closed = true;
                    return Ok(rest.text());
                }
                Ok(IoEvent::OutputClosed(None)) => return Err(self.why_closed()),
                Err(RecvTimeoutError::Disconnected) => return Err(self.why_deaf()),
                Err(RecvTimeoutError::Timeout) if !self.stop.is_raised() && goes_on() => {}
                Err(RecvTimeoutError::Timeout) => return Err(self.why_late(begun, begun.elapsed())),
            }
        }
    }

    /// Asks for a line that `is_last` knows, and skips the lines before it, those before the question too.
    ///
    /// # Errors
    /// Fails as [`ask`](Bot::ask) does.
    pub fn ask_until(
        &mut self,
        lines: &str,
        allowed: Duration,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<(String, Duration), Fault> {
        let is_whole = |answer: &mut Vec<(String, Duration)>| {
            answer.retain(|(line, _)| is_last(line.trim()));
            !answer.is_empty()
        };
        let (mut answer, took) = self.converse(lines, (1, Unasked::AreSkipped), allowed, is_whole)?;
        Ok((answer.pop().unwrap_or_default().trim().to_string(), took))
    }

    /// The lines that came instead of an answer to the last question: those of an answer that has no end, or a line
    /// that came before the question. Empty if there is an answer.
    pub(crate) fn unfinished(&self) -> &[String] {
        &self.unfinished
    }

    /// Takes no more notes.
    pub(crate) fn end_notes(&mut self) {
        self.io.end_notes();
    }

    /// Returns true if the program ends by itself within `patience`. Its further lines are dropped.
    pub(crate) fn ends_within(&mut self, patience: Duration) -> bool {
        wait_for_end(&mut self.process, self.io.events(), patience)
    }

    /// Ends the program: closes its standard input, and kills what has not ended within `patience`. Returns its notes.
    pub fn finish(self, patience: Duration) -> Notes {
        let Bot { mut process, mut io, .. } = self;
        io.close_input();
        wait_for_end(&mut process, io.events(), patience);
        process.end();
        io.end()
    }

    /// Waits for the next event, until the deadline or the stop.
    fn next_event(&self, deadline: Instant) -> Result<IoEvent, RecvTimeoutError> {
        loop {
            let glance = Instant::now() + GLANCE;
            match self.io.events().recv_deadline(deadline.min(glance)) {
                Err(RecvTimeoutError::Timeout) if glance < deadline && !self.stop.is_raised() => {}
                event => return event,
            }
        }
    }

    /// Sends lines to the thread that writes them.
    fn send(&mut self, lines: &str, is_question: bool) -> Result<(), Fault> {
        let mut text = lines.to_string();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if self.io.unwritten() + text.len() > MOST_UNREAD {
            return Err(self.why_deaf());
        }
        self.io.send(Message { text, is_question });
        Ok(())
    }

    /// The fault of a program that has closed its output.
    fn why_closed(&mut self) -> Fault {
        self.how_it_ended(ENDING).unwrap_or_else(|| Fault::Exited("it closed its standard output".to_string()))
    }

    /// The fault of a program that takes no more input.
    fn why_deaf(&mut self) -> Fault {
        self.how_it_ended(ENDING).unwrap_or(Fault::Deaf)
    }

    /// The fault of a program whose answer is not there in time.
    fn why_late(&mut self, begun: Instant, allowed: Duration) -> Fault {
        let after = begun.elapsed();
        self.how_it_ended(Duration::ZERO).unwrap_or(match self.io.unwritten() {
            0 => Fault::Late { after, allowed },
            _ => Fault::Deaf,
        })
    }

    /// Returns the fault of a program that ends within `patience`.
    fn how_it_ended(&mut self, patience: Duration) -> Option<Fault> {
        let has_ended = wait_for_end(&mut self.process, self.io.events(), patience);
        let status = has_ended.then(|| self.process.end())?;
        Some(Fault::Exited(status.map_or_else(|| "it has gone".to_string(), |status| status.to_string())))
    }
}

/// Waits until a process has ended, at most for `patience`, and drops its further lines. Returns true if the process
/// has ended.
fn wait_for_end(process: &mut Process, events: &Receiver<IoEvent>, patience: Duration) -> bool {
    let begun = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        if process.has_ended() {
            return true;
        }
        let left = patience.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return false;
        }
        match events.recv_timeout(pause.min(left)) {
            Ok(IoEvent::OutputClosed(_)) => pause = FIRST_PAUSE,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => pause = (2 * pause).min(LONGEST_PAUSE),
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(pause.min(left));
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
        }
    }
}
