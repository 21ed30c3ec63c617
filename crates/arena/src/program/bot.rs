//! A program, as those see it who play with it.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use boughs::StopFlag;
use crossbeam::channel::{Receiver, RecvTimeoutError};

use super::attendants::Attendants;
use super::notes::Notes;
use super::process::{FIRST_PAUSE, LONGEST_PAUSE, Process};
use super::talk::{Event, Order};
use crate::contestant::Program;
use crate::record::Fault;

/// A question is written at once, unless what was told before it is still to be read.
const ASKING: Duration = Duration::from_secs(1);

/// A line that was read in time may be handed over a little later, on a busy machine.
const HANDOVER: Duration = Duration::from_millis(20);

/// A program that closes a pipe may be about to end, and is given this long to show it.
const ENDING: Duration = Duration::from_millis(200);

/// How often who waits for an answer looks whether anybody still wants it.
const GLANCE: Duration = Duration::from_millis(50);

/// How much a program may leave unread, beside what the system keeps for it in the pipe, in bytes.
const MOST_OWED: usize = 1 << 20;

/// More lines than these are not kept for questions still to come.
const MOST_EARLY: usize = 1_000;

/// No answer is waited for longer than that, whatever was allowed.
const LONGEST_ANSWER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What there is to say about how a program is started.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Program,
    /// The cores it is held to, where the system can do that; any if there are none.
    pub cores: &'a [usize],
}

/// A running program. It is killed when this is dropped, with all its descendants.
///
/// ```
/// use boughs_arena::{Bot, Contestant, Launch};
/// use std::time::Duration;
///
/// # #[cfg(unix)] {
/// let Ok(Contestant::Program(program)) = "cmd:cat".parse() else { panic!("a program") };
/// let mut bot = Bot::start(&Launch { program: &program, cores: &[] }).unwrap();
/// let (answer, took) = bot.ask("hello", Duration::from_secs(10)).unwrap();
/// assert_eq!(answer, "hello");
/// assert!(took < Duration::from_secs(10));
/// let notes = bot.finish(Duration::from_secs(10));
/// assert_eq!(notes.text, "");
/// # }
/// ```
pub struct Bot {
    process: Process,
    attendants: Attendants,
    stop: StopFlag,
    /// Lines that came before their question, where they are kept for it.
    early: Option<VecDeque<String>>,
}

impl Bot {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Fault::NotStarted`], with one sentence about why and what to do.
    pub fn start(launch: &Launch<'_>) -> Result<Bot, Fault> {
        let (process, pipes) = Process::start(launch.program, launch.cores)?;
        match Attendants::start(pipes) {
            Ok(attendants) => Ok(Bot { process, attendants, stop: StopFlag::default(), early: None }),
            Err(error) => Err(Fault::NotStarted(format!(
                "the system gives no more threads or files ({error}); play fewer games at a time"
            ))),
        }
    }

    /// The same program; nobody waits for its answers any more when `stop` is raised, and it passes for late then.
    pub fn stopped_by(self, stop: StopFlag) -> Bot {
        Bot { stop, ..self }
    }

    /// The same program; a line that comes before its question is the answer to it.
    pub fn keeping_lines(self) -> Bot {
        Bot { early: Some(VecDeque::new()), ..self }
    }

    /// Tells it something that wants no answer: one or more lines. Does not wait until they are read.
    ///
    /// # Errors
    /// [`Fault::Deaf`] if a mebibyte is waiting to be read. That a program has ended is noticed when it is asked.
    pub fn tell(&mut self, lines: &str) -> Result<(), Fault> {
        self.order(lines, false)
    }

    /// Tells it one or more lines, and waits for one line of answer. Gives the answer without its end, and the time from
    /// before the first byte was written until the whole answer had been read.
    ///
    /// # Errors
    /// Anything but a line in time, and a line that came before the question, unless [they are kept](Bot::keeping_lines). After an
    /// error there is nothing to do but to [finish](Bot::finish).
    pub fn ask(&mut self, lines: &str, allowed: Duration) -> Result<(String, Duration), Fault> {
        let (mut answer, took) = self.ask_lines(lines, 1, allowed)?;
        Ok((answer.pop().unwrap_or_default(), took))
    }

    /// The same, with an answer of so many lines.
    ///
    /// # Errors
    /// As [`ask`](Bot::ask).
    pub fn ask_lines(
        &mut self,
        lines: &str,
        count: usize,
        allowed: Duration,
    ) -> Result<(Vec<String>, Duration), Fault> {
        let allowed = allowed.min(LONGEST_ANSWER);
        let mut is_asked = false;
        let mut begun = Instant::now();
        let mut grace = ASKING;
        let mut answer = Vec::new();
        self.order(lines, true)?;
        if let Some(early) = &mut self.early {
            answer.extend(early.drain(..count.min(early.len())).map(|line| (line, Duration::ZERO)));
        }
        while !is_asked || answer.len() < count {
            match self.next_event(begun + allowed + grace) {
                Ok(Event::Asked(at)) => {
                    is_asked = true;
                    begun = at;
                    grace = HANDOVER;
                }
                Ok(Event::Line { text, at }) if is_asked => {
                    let after = at.duration_since(begun);
                    if after > allowed {
                        return Err(Fault::Late { after, allowed });
                    }
                    answer.push((String::from_utf8_lossy(&text).into_owned(), after));
                }
                Ok(Event::Line { text, .. }) => {
                    let line = String::from_utf8_lossy(&text).into_owned();
                    match &mut self.early {
                        Some(_) if answer.len() < count => answer.push((line, Duration::ZERO)),
                        Some(early) if early.len() < MOST_EARLY => early.push_back(line),
                        _ => return Err(Fault::Flooded),
                    }
                }
                Ok(Event::Endless) => return Err(Fault::Flooded),
                Ok(Event::Silent) => return Err(self.why_silent()),
                Ok(Event::Deaf) | Err(RecvTimeoutError::Disconnected) => return Err(self.why_deaf()),
                Err(RecvTimeoutError::Timeout) => return Err(self.why_late(begun, allowed)),
            }
        }
        let took = answer.last().map_or(Duration::ZERO, |&(_, after)| after);
        Ok((answer.into_iter().map(|(line, _)| line).collect(), took))
    }

    /// Lets it go: its standard input ends, and what has not ended within `patience` is killed. Gives what it said on standard
    /// error.
    pub fn finish(self, patience: Duration) -> Notes {
        let Bot { mut process, mut attendants, .. } = self;
        attendants.close();
        wait_for_end(&mut process, attendants.events(), patience);
        process.end();
        attendants.leave()
    }

    /// What happens next, until the deadline or until nobody wants to know.
    fn next_event(&self, deadline: Instant) -> Result<Event, RecvTimeoutError> {
        loop {
            let glance = Instant::now() + GLANCE;
            match self.attendants.events().recv_deadline(deadline.min(glance)) {
                Err(RecvTimeoutError::Timeout) if glance < deadline && !self.stop.is_raised() => {}
                event => return event,
            }
        }
    }

    fn order(&mut self, lines: &str, is_question: bool) -> Result<(), Fault> {
        let mut text = lines.to_string();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if self.attendants.owed() + text.len() > MOST_OWED {
            return Err(self.why_deaf());
        }
        self.attendants.order(Order { text, is_question });
        Ok(())
    }

    fn why_silent(&mut self) -> Fault {
        self.how_it_ended(ENDING).unwrap_or_else(|| Fault::Exited("it closed its standard output".to_string()))
    }

    fn why_deaf(&mut self) -> Fault {
        self.how_it_ended(ENDING).unwrap_or(Fault::Deaf)
    }

    fn why_late(&mut self, begun: Instant, allowed: Duration) -> Fault {
        let after = begun.elapsed();
        self.how_it_ended(Duration::ZERO).unwrap_or(match self.attendants.owed() {
            0 => Fault::Late { after, allowed },
            _ => Fault::Deaf,
        })
    }

    /// How it ended, if it does within this time.
    fn how_it_ended(&mut self, patience: Duration) -> Option<Fault> {
        let has_ended = wait_for_end(&mut self.process, self.attendants.events(), patience);
        let status = has_ended.then(|| self.process.end())?;
        Some(Fault::Exited(status.map_or_else(|| "it has gone".to_string(), |status| status.to_string())))
    }
}

/// Waits until a process has ended, and throws away what it still says. Says whether it has.
fn wait_for_end(process: &mut Process, events: &Receiver<Event>, patience: Duration) -> bool {
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
            Ok(Event::Silent) => pause = FIRST_PAUSE,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => pause = (2 * pause).min(LONGEST_PAUSE),
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(pause.min(left));
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
        }
    }
}
