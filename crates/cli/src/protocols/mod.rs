//! The protocols of `boughs bot`: the plain lines of docs/PROTOCOL.md, and for a game of a contest also its own lines.
//!
//! A further contest is a file here and its line in the list.

mod ahc015;
mod green_circle;
mod input;
mod photosynthesis;
mod plain;

use std::env;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, DelayMeter, Rng};
use boughs_arena::{TIME_VARIABLE, harmless_line};
use boughs_games::{FIRST_ANSWER, StartedGame};

use self::input::Input;
use crate::args;
use crate::failure::Failure;
use crate::line_reader::{Line, read_line};

/// The longest line in bytes. No protocol has a line this long.
const LONGEST_LINE: u64 = 1 << 20;

/// The agent and its times.
struct Setup<'a> {
    agent: &'a args::AgentArgs,
    /// Time for one case or one answer of a contest.
    time: Duration,
    /// The least time before the limit at which the search ends.
    margin: Duration,
    /// Measures how late the machine wakes threads, which makes the margin wider.
    meter: DelayMeter,
    /// The start of the program.
    began: Instant,
}

/// The margin in the plain lines, for the way of an answer.
const MARGIN: Duration = Duration::from_millis(2);

/// The protocol of a contest.
struct Contest {
    game: &'static str,
    /// The usual time for a case or an answer.
    time: Duration,
    /// The usual margin, for the way of the answer.
    margin: Duration,
    /// The usual margin is at most this part of the time, as a divisor.
    part: u32,
    /// Plays a game or a case, given its first line.
    play: fn(&str, &mut Lines, &Setup<'_>) -> Result<(), Failure>,
}

const fn contest(
    game: &'static str,
    [time, margin]: [u64; 2],
    part: u32,
    play: fn(&str, &mut Lines, &Setup<'_>) -> Result<(), Failure>,
) -> Contest {
    Contest { game, time: Duration::from_millis(time), margin: Duration::from_millis(margin), part, play }
}

/// All contests, with their times and margins in milliseconds, and the part of the time that a margin takes at most.
const CONTESTS: &[Contest] = &[
    contest(ahc015::GAME, [2_000, 100], 20, ahc015::play),
    contest(photosynthesis::GAME, [100, 12], 2, photosynthesis::play),
    contest(green_circle::GAME, [50, 10], 2, green_circle::play),
];

/// The time for an answer in a game that programs play turn by turn by the lines of a contest.
pub(crate) fn time_of_an_answer(game: &str) -> Option<Duration> {
    let name = game.split(':').next().unwrap_or_default();
    let turn_by_turn = CONTESTS.iter().filter(|contest| contest.game != ahc015::GAME);
    turn_by_turn.filter(|contest| contest.game.eq_ignore_ascii_case(name)).map(|contest| contest.time).next()
}

/// Plays a game over standard input and output. A game of a contest is played by the lines of the contest, unless the
/// first line is a plain one. `None` stands for the time that an arena tells, or the usual one, and for the usual
/// margin.
pub(crate) fn play(
    game: StartedGame,
    agent: &args::AgentArgs,
    [time, margin]: [Option<Duration>; 2],
) -> Result<(), Failure> {
    let contest = CONTESTS.iter().find(|contest| contest.game == game.entry.name);
    let (meter, began) = (DelayMeter::start(), Instant::now());
    let plain = Setup { agent, time: Duration::ZERO, margin: margin.unwrap_or(MARGIN), meter, began };
    let mut lines = Lines::new()?;
    let Some(contest) = contest else { return plain::play(&game, &plain, &mut lines) };
    match lines.next()? {
        Some(first) if plain::is_first(&first) => {
            lines.put_back(&first);
            plain::play(&game, &plain, &mut lines)
        }
        first => {
            let [time, margin] = contest.times(time, margin)?;
            (contest.play)(&first.unwrap_or_default(), &mut lines, &Setup { time, margin, ..plain })
        }
    }
}

impl Contest {
    /// The time of a case or an answer, and the margin before its end. Plain lines tell the time themselves, so the
    /// variable of an arena is read for a contest's own lines only, and without a time in the command line.
    fn times(&self, time: Option<Duration>, margin: Option<Duration>) -> Result<[Duration; 2], Failure> {
        let time = match time {
            Some(time) => time,
            None => told_time()?.unwrap_or(self.time),
        };
        match margin {
            Some(margin) if margin >= time => Err(Failure::new(format!(
                "--margin {margin:?} leaves nothing of a time of {time:?}; give a smaller one"
            ))),
            _ => Ok([time, margin.unwrap_or(self.margin.min(time / self.part))]),
        }
    }
}

/// Reads the time that an arena tells, if it tells one.
fn told_time() -> Result<Option<Duration>, Failure> {
    let Some(text) = env::var_os(TIME_VARIABLE) else { return Ok(None) };
    let text = text.to_string_lossy();
    let time = args::milliseconds_of(&text).filter(|time| !time.is_zero());
    time.map(Some).ok_or_else(|| {
        Failure::new(format!(
            "{TIME_VARIABLE} is '{text}', and should be a number of milliseconds above 0; correct it, or unset it"
        ))
    })
}

/// The deadlines of a player that answers turn by turn.
struct Turns {
    time: Duration,
    margin: Duration,
    meter: DelayMeter,
    began: Instant,
    /// The time of the last answer. No question is asked before it.
    answered: Instant,
    is_first: bool,
    /// Draws a move when there was no time for a playout.
    rng: Rng,
}

/// The least margin of the first answer. The start of the program counts for its time.
const FIRST_MARGIN: Duration = Duration::from_millis(200);

/// A first question that comes this soon was asked before the program started.
const START: Duration = Duration::from_millis(500);

impl Turns {
    fn new(setup: &Setup<'_>) -> Turns {
        let (&Setup { time, margin, began, .. }, rng) = (setup, Rng::new(setup.agent.seed, 0));
        Turns { time, margin, meter: setup.meter.clone(), began, answered: began, is_first: true, rng }
    }

    /// The deadline of the next turn, whose question arrived at this time; `None` if the time is longer than the clock
    /// can tell.
    fn next(&mut self, arrived: Instant) -> Option<Instant> {
        let asked = arrived.max(self.answered);
        self.meter.asked(asked);
        let (asked, time, margin) = match std::mem::take(&mut self.is_first) {
            true => {
                let asked = if asked.duration_since(self.began) < START { self.began } else { asked };
                (asked, self.time.max(FIRST_ANSWER), self.margin.max(FIRST_MARGIN))
            }
            false => (asked, self.time, self.margin),
        };
        asked.checked_add(time.saturating_sub(self.meter.margin(margin, time)))
    }

    /// Notes that a turn with this deadline has been answered.
    fn answered(&mut self, deadline: Option<Instant>) {
        self.answered = Instant::now();
        self.meter.answered(deadline);
    }
}

/// The budget until a deadline, or else a large number of playouts.
fn budget(deadline: Option<Instant>) -> Budget {
    deadline.map_or(Budget::iterations(u64::from(u32::MAX)), Budget::until)
}

/// Searches and returns the best of the actions that the referee offers, and the number of playouts.
fn choose(
    game: &str,
    agent: &mut dyn Agent,
    budget: Budget,
    rng: &mut Rng,
    is_offered: &dyn Fn(u32) -> bool,
) -> Result<(u32, u64), Failure> {
    let report = agent.search(budget.early_stop(false), &mut |_| ())?;
    let best = report.best.as_ref().map(|best| best.action);
    let ranked = best.into_iter().chain(report.children.iter().map(|child| child.action));
    let best = ranked.into_iter().find(|&action| is_offered(action));
    // The deadline may come before the first playout.
    let best = best.or_else(|| agent.position().random_action(rng).filter(|&any| is_offered(any)));
    let best = best.ok_or_else(|| Failure::new(format!("{game} gives no legal move here")))?;
    Ok((best, report.iterations))
}

fn unreadable(error: &io::Error) -> Failure {
    Failure::new(format!("the input cannot be read: {error}"))
}

/// The lines of standard input.
struct Lines {
    input: Input,
    /// The number of lines that were read.
    read: u64,
}

impl Lines {
    fn new() -> Result<Lines, Failure> {
        Ok(Lines { input: Input::standard().map_err(|error| unreadable(&error))?, read: 0 })
    }

    /// Puts a line back, to be read next.
    fn put_back(&mut self, line: &str) {
        self.input.put_back(line);
        self.read = self.read.saturating_sub(1);
    }

    /// The next line without its end, if there is one.
    fn next(&mut self) -> Result<Option<String>, Failure> {
        match read_line(&mut self.input, LONGEST_LINE).map_err(|error| unreadable(&error))? {
            Line::End => Ok(None),
            Line::TooLong => Err(Failure::new(format!("a line of input has more than {LONGEST_LINE} bytes"))),
            Line::Text(line) => {
                self.read += 1;
                Ok(Some(line.trim_end().to_string()))
            }
        }
    }
}

/// Writes a line to standard error.
fn tell(line: &str) {
    // A closed standard error loses nothing that the game needs.
    let _ = writeln!(io::stderr(), "{}", harmless_line(line));
}

/// Writes the number of playouts to standard error, in the form that matches collect.
fn tell_rollouts(playouts: u64) {
    tell(&format!("[PDATA] rollouts = {playouts}"));
}
