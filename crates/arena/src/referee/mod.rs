//! A game that another program knows: a referee by the protocols of cg-brutaltester, and programs that play.
//!
//! The arena gives a referee what either protocol needs, and tells them apart by its first line. In the older one
//! (`asked.rs`) the arena starts the players and does what the referee asks for. In the newer one (`relayed.rs`) the
//! referee starts the players by commands of the arena, which pass all lines on and measure times (`relay.rs`).

mod asked;
mod relay;
mod relayed;

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use boughs::StopFlag;

pub use self::relay::{RELAY, relay};
use crate::plan::{Planned, Stream};
use crate::program::{Bot, Edition, Launch, Notes};
use crate::{
    ArenaError, Clock, Conditions, Contestant, ContestantError, Ending, Fault, Limit, Openings, Program, Record,
};

/// Time in which a referee has to say something. In the newer protocol it says nothing before the end of the game, and
/// an answer of a player counts as well.
const PATIENCE: Duration = Duration::from_secs(600);

/// The most seats of a game.
const MOST_SEATS: usize = 8;

/// A referee, named by a line of text: `cmd:./referee`, or `3:cmd:./referee` for a game with three seats.
///
/// ```
/// use boughs_arena::Referee;
///
/// let referee: Referee = "3:cmd:java -jar referee.jar".parse().unwrap();
/// assert_eq!((referee.seats(), referee.to_string()), (3, "3:cmd:java -jar referee.jar".to_string()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Referee {
    seats: usize,
    program: Program,
}

impl Referee {
    /// Number of seats of the game.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The referee that a text names, if it names one and not a game of Boughs.
    pub fn of(game: &str) -> Option<Referee> {
        game.parse().ok()
    }

    /// The program that knows the game.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

impl fmt::Display for Referee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seats != 2 {
            write!(f, "{}:", self.seats)?;
        }
        Contestant::Program(self.program.clone()).fmt(f)
    }
}

impl FromStr for Referee {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Referee, ContestantError> {
        let fault = |why: String| Err(ContestantError::new(why));
        let (seats, command) = match text.split_once(':') {
            Some((seats, command)) if seats.starts_with(|c: char| c.is_ascii_digit()) => (seats.parse().ok(), command),
            _ => (Some(2), text),
        };
        let seats = match seats {
            Some(seats) if (2..=MOST_SEATS).contains(&seats) => seats,
            _ => return fault(format!("a referee has 2 to {MOST_SEATS} seats, as in '3:cmd:./referee'")),
        };
        if !command.starts_with("cmd:") {
            return fault(format!("'{command}' is no referee; write cmd: and its command, as in 'cmd:./referee'"));
        }
        match command.parse()? {
            Contestant::Program(program) => Ok(Referee { seats, program }),
            _ => fault(format!("'{command}' is no program")),
        }
    }
}

/// The games of a referee at one table.
pub(crate) struct RefereeTable<'c> {
    conditions: &'c Conditions,
    referee: Referee,
    /// The cores of each side.
    cores: [Vec<usize>; 2],
    /// The standard error of the referee in the last game.
    said: String,
}

/// A game to its end.
struct Played {
    /// The answers of all seats, in order.
    moves: Vec<String>,
    /// The faults of seats, by the arena and by the referee.
    faults: Vec<(usize, Fault)>,
    rewards: Vec<f64>,
    clocks: Vec<Clock>,
    notes: Vec<Notes>,
    /// The standard error of the referee.
    said: String,
}

/// The reason why there is no result.
enum NoResult {
    Interrupted,
    Error(ArenaError),
}

impl From<ArenaError> for NoResult {
    fn from(error: ArenaError) -> NoResult {
        NoResult::Error(error)
    }
}

impl<'c> RefereeTable<'c> {
    /// Checks that a contest can be played by a referee.
    ///
    /// # Errors
    /// If a contestant is no program, the limit is no time, or there are openings.
    pub(crate) fn new(
        conditions: &'c Conditions,
        referee: Referee,
        cores: [Vec<usize>; 2],
    ) -> Result<RefereeTable<'c>, ArenaError> {
        let knows_the_game =
            |named: &&Contestant| matches!(named, Contestant::Program(_)) && named.protocol().is_none();
        if let Some(named) = conditions.contestants.iter().find(|named| !knows_the_game(named)) {
            return Err(ArenaError::new(format!(
                "'{named}' does not know the game of a referee; name programs that play it, as in 'cmd:./bot'"
            )));
        }
        if let Limit::Playouts(_) = conditions.limit {
            return Err(ArenaError::new(
                "programs of a referee have a time for each answer and count no playouts; give --time instead of \
                 --iterations",
            ));
        }
        if conditions.openings != Openings::Start {
            return Err(ArenaError::new("a referee chooses the openings itself; leave --openings out"));
        }
        Ok(RefereeTable { conditions, referee, cores, said: String::new() })
    }

    pub(crate) fn seats(&self) -> usize {
        self.referee.seats
    }

    /// The edition of source files that play, which is that of the sites whose games have such referees.
    pub(crate) fn edition(&self) -> Edition {
        Edition::E2021
    }

    /// The standard error of the referee in the last game.
    pub(crate) fn said(&self) -> &str {
        &self.said
    }

    /// Plays a game. Returns `None` if it was interrupted.
    ///
    /// # Errors
    /// If the referee or a program cannot be started, or the referee does not do its part.
    pub(crate) fn play(&mut self, planned: &Planned, stop: &StopFlag) -> Result<Option<Record>, ArenaError> {
        let (began, started) = (SystemTime::now(), Instant::now());
        let result = match self.result(planned, stop) {
            Ok(_) | Err(_) if stop.is_raised() => return Ok(None),
            Err(NoResult::Interrupted) => return Ok(None),
            Err(NoResult::Error(error)) => return Err(error),
            Ok(result) => result,
        };
        self.said = result.said;
        // Who errs loses, unless the referee says otherwise.
        let best = result.rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut faults = result.faults;
        faults.retain(|&(seat, _)| result.rewards[seat] < best);
        Ok(Some(Record {
            number: planned.number,
            round: planned.round,
            seats: planned.seats.clone(),
            seed: self.conditions.seed,
            opening: Vec::new(),
            moves: result.moves,
            rewards: result.rewards,
            ending: if faults.is_empty() { Ending::Over } else { Ending::Forfeit(faults) },
            clocks: result.clocks,
            notes: result.notes.iter().map(|notes| notes.text.clone()).collect(),
            columns: result.notes.into_iter().map(|notes| notes.columns).collect(),
            began: began.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64()),
            took: started.elapsed(),
        }))
    }

    fn result(&self, planned: &Planned, stop: &StopFlag) -> Result<Played, NoResult> {
        // Referees keep seeds in signed numbers, some of 32 bits.
        let seed = self.conditions.stream(planned.round, Stream::Chance).bits() >> 33;
        let relays = relayed::Relays::new(self.conditions, planned)?;
        let program = self.referee.program.with_arguments(&relays.arguments(seed));
        let mut referee = self.start(&program, &[], stop)?;
        let seats = planned.seats.len();
        // A referee of the newer protocol does not read this.
        referee
            .tell(&format!("###Seed {seed}\n###Start {seats}"))
            .map_err(|fault| self.complaint(&fault.to_string(), None))?;
        match relays.wait_for_line(&mut referee) {
            Ok(line) if line.starts_with("###") => self.do_what_it_asks(referee, line, planned, stop),
            Ok(line) => self.read_scores(referee, line, relays, planned, stop),
            Err(_) if stop.is_raised() => Err(NoResult::Interrupted),
            Err(fault) => {
                let notes = referee.finish(Duration::ZERO);
                self.check_start(&relays, planned)?;
                Err(self.complaint(&(without_result(&fault) + &relays.silence()), Some(&notes)).into())
            }
        }
    }

    fn start(&self, program: &Program, cores: &[usize], stop: &StopFlag) -> Result<Bot, ArenaError> {
        let bot = Bot::start(&Launch { program, cores, time: self.conditions.limit.time() });
        let named = Contestant::Program(program.clone());
        Ok(bot.map_err(|fault| ArenaError::new(format!("{named} {fault}")))?.stopped_by(stop.clone()).keeping_lines())
    }

    /// The error of a referee that does not do its part.
    fn complaint(&self, does: &str, notes: Option<&Notes>) -> ArenaError {
        let last = notes.and_then(|notes| notes.text.lines().map(str::trim).rfind(|line| !line.is_empty()));
        let said = last.map_or(String::new(), |last| format!(", and said last '{}'", crate::plain::shown(last)));
        ArenaError::new(format!("the referee {}: it {does}{said}", self.referee))
    }
}

/// The fault of a referee from which a line was expected, as the rest of a sentence.
fn without_result(fault: &Fault) -> String {
    match fault {
        Fault::Exited(status) => format!("ended without a result ({status})"),
        Fault::Late { .. } => format!("said nothing for {} minutes", PATIENCE.as_secs() / 60),
        other => other.to_string(),
    }
}

/// Adds a remark of the referee to the notes of a seat.
fn remark(notes: &mut String, says: &str) {
    if !notes.is_empty() && !notes.ends_with('\n') {
        notes.push('\n');
    }
    *notes += &format!("[referee] {says}\n");
}

/// The reward of each place of a game for this many: 1 for the first, 0 for the last.
fn reward_of_place(place: f64, seats: usize) -> f64 {
    1.0 - place / (seats - 1) as f64
}

/// The rewards where this seat has lost and no order of the others is known.
fn rewards_without(loser: usize, seats: usize) -> Vec<f64> {
    // The others share the places before the last one.
    let rest = reward_of_place((seats - 2) as f64 / 2.0, seats);
    (0..seats).map(|seat| if seat == loser { 0.0 } else { rest }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_referee_is_named_by_its_command_and_perhaps_its_seats() {
        for text in ["cmd:./referee", "3:cmd:java -jar 'the referee.jar'"] {
            assert_eq!(Referee::of(text).map(|referee| referee.to_string()).as_deref(), Some(text));
        }
        for (text, says) in [
            ("./referee", "is no referee; write cmd:"),
            ("9:cmd:./referee", "2 to 8 seats"),
            ("1:cmd:./referee", "2 to 8 seats"),
            ("cmd:", "no command after 'cmd:'"),
        ] {
            let fault = text.parse::<Referee>().expect_err(text).to_string();
            assert!(fault.contains(says), "{text}: {fault}");
        }
        assert_eq!(Referee::of("hex:size=7"), None);
    }

    #[test]
    fn places_are_rewards() {
        assert_eq!([0.0, 0.5, 1.0].map(|place| reward_of_place(place, 2)), [1.0, 0.5, 0.0]);
        assert_eq!(rewards_without(1, 2), [1.0, 0.0]);
        assert_eq!(rewards_without(0, 3), [0.0, 0.75, 0.75]);
    }
}
