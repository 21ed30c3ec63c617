//! The protocols of `boughs bot`: the plain lines of docs/PROTOCOL.md, and for a game of a contest also its own lines.
//! Those of programs that show boards are in folders of their own, `gtp/`, `ugi/` and `analysis/`.
//!
//! The lines of contests are read and written by the crate boughs-bots. A further contest is a file there and its line
//! in the list here.

pub(crate) mod analysis;
mod board_game;
mod events;
mod expected_line;
mod game_spec;
pub(crate) mod gtp;
mod plain;
pub(crate) mod ugi;

use std::env;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use boughs::{DelayMeter, Session};
use boughs_arena::{TIME_VARIABLE, harmless_line};
use boughs_bots::{Fault, Lines, Play, Setup};
use boughs_games::ahc015::Ahc015;
use boughs_games::green_circle::GreenCircle;
use boughs_games::photosynthesis::Photosynthesis;
use boughs_games::{NamedGame as _, StartedGame};

use crate::args;
use crate::failure::Failure;
use crate::ranks::Builder;

/// The protocol of a contest.
struct Contest {
    game: &'static str,
    /// The usual time for a case or an answer.
    time: Duration,
    /// The usual margin, for the way of the answer.
    margin: Duration,
    /// The usual margin is at most this part of the time, as a divisor.
    part: u32,
    play: Play,
}

const fn contest(game: &'static str, [time, margin]: [u64; 2], part: u32, play: Play) -> Contest {
    Contest { game, time: Duration::from_millis(time), margin: Duration::from_millis(margin), part, play }
}

/// All contests, with their times and margins in milliseconds, and the part of the time that a margin takes at most.
const CONTESTS: &[Contest] = &[
    contest(Ahc015::NAME, [2_000, 100], 20, boughs_bots::ahc015::play),
    contest(Photosynthesis::NAME, [100, 12], 2, boughs_bots::photosynthesis::play),
    contest(GreenCircle::NAME, [50, 10], 2, boughs_bots::green_circle::play),
];

/// The time for an answer in a game that programs play turn by turn by the lines of a contest.
pub(crate) fn time_of_an_answer(game: &str) -> Option<Duration> {
    let name = game.split(':').next().unwrap_or_default();
    let turn_by_turn = CONTESTS.iter().filter(|contest| contest.game != Ahc015::NAME);
    turn_by_turn.filter(|contest| contest.game.eq_ignore_ascii_case(name)).map(|contest| contest.time).next()
}

/// The limits of a bot. `None` stands for the time that an arena tells, or the usual one, and for the usual margin.
pub(crate) struct BotLimits {
    pub(crate) time: Option<Duration>,
    pub(crate) margin: Option<Duration>,
    /// The number of playouts of each answer in a contest, instead of its time.
    pub(crate) iterations: Option<u64>,
}

/// Plays a game over standard input and output. A game of a contest is played by the lines of the contest, unless the
/// first line is a plain one.
pub(crate) fn play(
    game: StartedGame,
    agent: &args::AgentArgs,
    limits: &BotLimits,
    builder: &Builder,
) -> Result<(), Failure> {
    let contest = CONTESTS.iter().find(|contest| contest.game == game.entry.name);
    let (meter, began) = (DelayMeter::start(), Instant::now());
    let (spec, seed, iterations) = (agent.lenient_spec(game.entry.name), agent.seed, limits.iterations);
    let build = |position: &dyn Session| builder.build(&spec, position);
    let (time, margin) = (Duration::ZERO, limits.margin.unwrap_or(plain::MARGIN));
    let plain = Setup { build: &build, seed, time, margin, meter, began, iterations, tell };
    let mut lines = Lines::standard().map_err(failure)?;
    let Some(contest) = contest else { return plain::play(&game, &plain, &mut lines) };
    let first = lines.next_line().map_err(failure)?;
    first.iter().for_each(|first| lines.put_back(first));
    if first.is_some_and(|first| plain::is_first(&first)) {
        return plain::play(&game, &plain, &mut lines);
    }
    if builder.has_ranks() {
        return Err(Failure::new(format!(
            "the lines of the contest tell positions of {} that other ranks cannot follow; leave --mpi out, or let it \
             play by the plain lines of docs/PROTOCOL.md",
            contest.game
        )));
    }
    let [time, margin] = contest.times(limits)?;
    (contest.play)(&mut lines, &Setup { time, margin, ..plain }).map_err(failure)
}

fn failure(fault: Fault) -> Failure {
    Failure::new(fault.to_string())
}

impl Contest {
    /// The time of a case or an answer, and the margin before its end. Plain lines tell the time themselves, so the
    /// variable of an arena is read for a contest's own lines only, and without a time in the command line.
    fn times(&self, limits: &BotLimits) -> Result<[Duration; 2], Failure> {
        let time = match limits.time {
            Some(time) => time,
            None => told_time()?.unwrap_or(self.time),
        };
        match limits.margin {
            Some(margin) if margin >= time => Err(Failure::new(format!(
                "--margin {margin:?} leaves nothing of a time of {time:?}; give a smaller one"
            ))),
            margin => Ok([time, margin.unwrap_or(self.margin.min(time / self.part))]),
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

/// Writes a line to standard error.
fn tell(line: &str) {
    // A closed standard error loses nothing that the game needs.
    let _ = writeln!(io::stderr(), "{}", harmless_line(line));
}
