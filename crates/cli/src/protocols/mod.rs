//! What `boughs bot` speaks: the plain lines of docs/PROTOCOL.md, and for a contest game also those of its contest.
//!
//! A further contest is a file here and its line in the list.

mod ahc015;
mod green_circle;
mod input;
mod photosynthesis;
mod plain;

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, Rng};
use boughs_games::{FIRST_ANSWER, Listed};

use self::input::Input;
use crate::args;
use crate::failure::Failure;

/// Longer than the lines of any protocol.
const LONGEST_LINE: u64 = 1 << 20;

/// Who plays, and how.
struct Setup<'a> {
    agent: &'a args::Agent,
    /// Time for all that a contest gives one time for.
    time: Duration,
    /// How long before the end of a time it stops thinking.
    margin: Duration,
    /// When the program began.
    began: Instant,
}

/// For the way of an answer in the plain lines.
const MARGIN: Duration = Duration::from_millis(2);

/// The protocol of a contest.
struct Contest {
    game: &'static str,
    /// What it gives one time for, a case or an answer: so much.
    time: Duration,
    /// How long before its end to stop thinking, for the way of the answer.
    margin: Duration,
    /// Plays, when the first line was read.
    play: fn(&str, &mut Lines, &Setup<'_>) -> Result<(), Failure>,
}

const fn contest(
    game: &'static str,
    [time, margin]: [u64; 2],
    play: fn(&str, &mut Lines, &Setup<'_>) -> Result<(), Failure>,
) -> Contest {
    Contest { game, time: Duration::from_millis(time), margin: Duration::from_millis(margin), play }
}

/// Each with its times in milliseconds.
const CONTESTS: &[Contest] = &[
    contest(ahc015::GAME, [1_900, 2], ahc015::play),
    contest(photosynthesis::GAME, [100, 12], photosynthesis::play),
    contest(green_circle::GAME, [50, 10], green_circle::play),
];

/// The time for an answer in a game that programs play by the lines of a contest, turn by turn.
pub(crate) fn time_of_an_answer(game: &str) -> Option<Duration> {
    let name = game.split(':').next().unwrap_or_default();
    let turn_by_turn = CONTESTS.iter().filter(|contest| contest.game != ahc015::GAME);
    turn_by_turn.filter(|contest| contest.game.eq_ignore_ascii_case(name)).map(|contest| contest.time).next()
}

/// Plays a game over standard input and output. A contest's game is played by its lines, unless the plain ones come. Time and margin
/// are the usual ones where none are given.
pub(crate) fn play<G: Listed>(
    start: G,
    agent: &args::Agent,
    [time, margin]: [Option<Duration>; 2],
) -> Result<(), Failure> {
    let contest = CONTESTS.iter().find(|contest| contest.game == G::NAME);
    let usual = contest.map_or([Duration::ZERO, MARGIN], |contest| [contest.time, contest.margin]);
    let setup = |[usual_time, usual_margin]: [Duration; 2]| Setup {
        agent,
        time: time.unwrap_or(usual_time),
        margin: margin.unwrap_or(usual_margin),
        began: Instant::now(),
    };
    let setup = setup(usual);
    if let (Some(margin), Some(_)) = (margin.filter(|&margin| margin >= setup.time), contest) {
        let time = setup.time;
        return Err(Failure::new(format!(
            "--margin {margin:?} leaves nothing of a time of {time:?}; give a smaller one"
        )));
    }
    let mut lines = Lines::new()?;
    let Some(contest) = contest else { return plain::play(start, &setup, &mut lines) };
    match lines.next()? {
        Some(first) if plain::is_first(&first) => {
            lines.put_back(&first);
            plain::play(start, &setup, &mut lines)
        }
        first => (contest.play)(&first.unwrap_or_default(), &mut lines, &setup),
    }
}

/// The time of a player who is asked turn by turn.
struct Turns {
    time: Duration,
    margin: Duration,
    began: Instant,
    is_first: bool,
    /// For what there was no time to think about.
    rng: Rng,
}

/// How long before the end of the first answer's time to stop: the start of the program belongs to it.
const FIRST_MARGIN: Duration = Duration::from_millis(200);

/// A question that is there so soon after the start was there before it.
const START: Duration = Duration::from_millis(500);

impl Turns {
    fn new(setup: &Setup<'_>) -> Turns {
        let (&Setup { time, margin, began, .. }, rng) = (setup, Rng::new(setup.agent.seed, 0));
        Turns { time, margin, began, is_first: true, rng }
    }

    /// When to stop thinking about the next turn, which was asked for then; `None` where there is more time than that.
    fn next(&mut self, asked: Instant) -> Option<Instant> {
        let (asked, time, margin) = match std::mem::take(&mut self.is_first) {
            true => {
                let asked = if asked.duration_since(self.began) < START { self.began } else { asked };
                (asked, self.time.max(FIRST_ANSWER), self.margin.max(FIRST_MARGIN))
            }
            false => (asked, self.time, self.margin),
        };
        asked.checked_add(time.saturating_sub(margin))
    }
}

/// What may be thought until then. More time than there is ends with a number of playouts.
fn budget(deadline: Option<Instant>) -> Budget {
    deadline.map_or(Budget::iterations(u64::from(u32::MAX)), Budget::until)
}

/// What an agent does in its position, of what is offered there, and how much it searched.
fn choose<G: Listed>(
    agent: &mut dyn Agent<G>,
    budget: Budget,
    rng: &mut Rng,
    is_offered: impl Fn(G::Action) -> bool,
) -> Result<(G::Action, u64), Failure> {
    let report = agent.search(budget.early_stop(false), &mut |_| ())?;
    let ranked = report.best_action().into_iter().chain(report.children.iter().map(|child| child.action));
    // A deadline may come before the first playout.
    let best = ranked.into_iter().find(|&action| is_offered(action));
    let best = best.or_else(|| agent.position().random_action(rng, &mut Vec::new()).filter(|&any| is_offered(any)));
    let best = best.ok_or_else(|| Failure::new(format!("{} gives no legal move here", G::NAME)))?;
    Ok((best, report.iterations))
}

fn unreadable(error: &io::Error) -> Failure {
    Failure::new(format!("the input cannot be read: {error}"))
}

/// The lines of standard input.
struct Lines {
    input: Input,
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
        let mut bytes = Vec::new();
        let length = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        match length.map_err(|error| unreadable(&error))? {
            0 => Ok(None),
            _ => {
                self.read += 1;
                Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_string()))
            }
        }
    }
}

/// Says something on standard error.
fn tell(line: &str) {
    // Where nobody reads it, nothing is lost.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says how much was searched, in the form that matches collect.
fn tell_rollouts(playouts: u64) {
    tell(&format!("[PDATA] rollouts = {playouts}"));
}
