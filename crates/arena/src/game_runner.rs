//! Games one after the other: seats, openings, and the record of each game.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use boughs::memory::{default_memory, write_size};
use boughs::{Agent, DelayMeter, GameFacts, Information, MAX_PLAYERS, Rng, Session, StopFlag};
use boughs_agents::AgentSpec;
use boughs_games::{StartedGame, start};

use crate::cores::on_cores;
use crate::opening::Opening;
use crate::plan::{Conditions, Limit, Openings, Planned, Stream};
use crate::program::{Bot, Edition, Launch, Notes};
use crate::protocol::Protocol;
use crate::running_game::{Abort, Participant, RunningGame, Seat};
use crate::{ArenaError, Contestant, Ending, Record};

/// Memory limit of an agent's tree, where its spec has none: 256M, or less if the process may have less than 4 GiB. It
/// is the same for any number of games at a time, so that results are too.
fn memory() -> String {
    write_size(default_memory() / 4)
}

/// Time in which a program has to end by itself after a game.
const FAREWELL: Duration = Duration::from_millis(500);

/// Plays the games of a contest one after the other. Its agents are used again and again.
pub(crate) struct GameRunner<'c> {
    start: StartedGame,
    conditions: &'c Conditions,
    /// Listed openings, if there are any.
    listed: Vec<Opening>,
    /// Agents that wait for their next game, by contestant and seat.
    agents: BTreeMap<(usize, usize), Box<dyn Agent>>,
    /// Cores of each side; empty for any cores.
    cores: [Vec<usize>; 2],
    /// The delays on the cores of each side, from the first game with a limit in time.
    meters: Option<[DelayMeter; 2]>,
}

impl<'c> GameRunner<'c> {
    /// Prepares the openings and the agents of a contest. Each side plays on its `cores`, or on any if there are none.
    ///
    /// # Errors
    /// If there is no such game, or a contestant or an opening does not go with it.
    pub(crate) fn new(conditions: &'c Conditions, cores: [Vec<usize>; 2]) -> Result<GameRunner<'c>, ArenaError> {
        let start = start(&conditions.game)?;
        let StartedGame { entry, position } = &start;
        let is_open = position.facts().information == Information::Perfect;
        if conditions.has_programs() && !is_open && entry.referee(&**position, Rng::new(0, 0)).is_none() {
            return Err(ArenaError::new(format!(
                "in {} players know or choose things in secret, which the line protocol would tell everybody; programs \
                 play games in which everything is open, and those that have lines of a contest",
                entry.name
            )));
        }
        Opening::check_length(&**position, &conditions.openings)?;
        let listed = Opening::listed(&**position, &conditions.openings)?;
        let mut agents = BTreeMap::new();
        for (contestant, named) in conditions.contestants.iter().enumerate() {
            if let Some(protocol) = named.protocol() {
                protocol.check(&start)?;
            }
            // Building one agent of each contestant finds those that do not go with the game before the first game.
            if let Contestant::Unknown(_, fault) = named {
                return Err(fault.clone().into());
            }
            if let Some(spec) = named.agent() {
                agents.insert((contestant, 0), on_cores(&cores[0], || build(spec, &**position))?);
            }
        }
        Ok(GameRunner { start, conditions, listed, agents, cores, meters: None })
    }

    /// Number of players of the game.
    pub(crate) fn players(&self) -> usize {
        self.start.position.players()
    }

    /// The edition of source files that play: the sites of contests with a referee take an older one.
    pub(crate) fn edition(&self) -> Edition {
        let referee = self.start.entry.referee(&*self.start.position, Rng::new(0, 0));
        if referee.is_some() { Edition::E2021 } else { Edition::E2024 }
    }

    /// The constants of the game.
    pub(crate) fn facts(&self) -> GameFacts {
        self.start.position.facts()
    }

    /// Plays a game. Returns `None` if it was interrupted.
    ///
    /// # Errors
    /// If an agent or a program cannot be started.
    pub(crate) fn play(&mut self, planned: &Planned, stop: &StopFlag) -> Result<Option<Record>, ArenaError> {
        let (began, started) = (SystemTime::now(), Instant::now());
        let Opening { position, moves: opening } = self.opening(planned.round);
        let mut guesses = self.conditions.stream(planned.round, Stream::Searches);
        let seeds = guesses.bits();
        let chance = self.conditions.stream(planned.round, Stream::Chance);
        let protocol = self.protocol(planned, &opening, seeds)?;
        let mut participants = Vec::with_capacity(planned.seats.len());
        for seat in 0..planned.seats.len() {
            let seed = seeds ^ (planned.number_in_match * MAX_PLAYERS as u64 + seat as u64);
            participants.push(self.participant(planned, (seat, seed), &*position, protocol.greets(), stop)?);
        }
        if self.meters.is_none() && matches!(self.conditions.limit, Limit::Time(_)) {
            self.meters = Some(meters(&self.cores));
        }
        let game = StartedGame { entry: self.start.entry, position };
        let mut game = RunningGame::new(
            (self.conditions, planned, stop),
            game,
            opening.clone(),
            (participants, protocol),
            (chance, guesses),
        )
        .with_meters(self.meters.clone());
        let ending = match game.greet().and_then(|()| game.play()) {
            Ok(ending) => ending,
            Err(Abort::Lost { seat, fault }) if !stop.is_raised() => Ending::Forfeit(vec![(seat, fault)]),
            // After the stop an answer is no longer waited for, so that a late one is no fault.
            Err(Abort::Lost { .. } | Abort::Interrupted) => return Ok(None),
        };
        let rewards = game.rewards(&ending);
        let columns = game.columns(&ending);
        let RunningGame { moves, seats, protocol, .. } = game;
        let clocks = seats.iter().map(|seat| seat.clock).collect();
        let mut notes = self.close(planned, seats, &protocol, &rewards);
        notes.iter_mut().zip(columns).for_each(|(notes, columns)| notes.columns.extend(columns));
        Ok(Some(Record {
            number: planned.number,
            round: planned.round,
            seats: planned.seats.clone(),
            seed: self.conditions.seed,
            moves: moves[opening.len()..].to_vec(),
            opening,
            rewards,
            ending,
            clocks,
            notes: notes.iter().map(|notes| notes.text.clone()).collect(),
            columns: notes.into_iter().map(|notes| notes.columns).collect(),
            began: began.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64()),
            took: started.elapsed(),
        }))
    }

    /// Returns the opening of a round.
    fn opening(&self, round: u64) -> Opening {
        let start = &*self.start.position;
        match self.conditions.openings {
            Openings::Start => Opening::start(start),
            Openings::Random(least, most) => {
                Opening::random(start, [least, most], &mut self.conditions.stream(round, Stream::Opening))
            }
            Openings::Listed { .. } => self.listed[(round % self.listed.len().max(1) as u64) as usize].clone(),
        }
    }

    /// Chooses the protocol of a game. Only programs need the referee of a contest.
    fn protocol(&self, planned: &Planned, opening: &[String], seeds: u64) -> Result<Protocol, ArenaError> {
        let contestants = &self.conditions.contestants;
        let has_programs = planned.seats.iter().any(|&who| matches!(contestants[who], Contestant::Program(_)));
        match has_programs {
            true => Protocol::of(&self.start, opening, Rng::new(seeds, u64::MAX)),
            false => Ok(Protocol::Plain),
        }
    }

    /// Gives a seat to its contestant, whose searches have this seed.
    ///
    /// A contest's protocol has no greeting and takes a line too many for the next answer. A program that is not there,
    /// or may not be run, ends the contest with an error and loses no game: its user has to know.
    fn participant(
        &mut self,
        planned: &Planned,
        (seat, seed): (usize, u64),
        position: &dyn Session,
        greets: bool,
        stop: &StopFlag,
    ) -> Result<Participant, ArenaError> {
        let contestant = planned.seats[seat];
        let cores = &self.cores[planned.sides[seat]][..];
        match &self.conditions.contestants[contestant] {
            Contestant::Agent(spec) | Contestant::Odds(_, spec) => {
                let mut agent = match self.agents.remove(&(contestant, seat)) {
                    Some(agent) => agent,
                    None => on_cores(cores, || build(spec, position))?,
                };
                agent.begin(position, seed)?;
                Ok(Participant::Agent(agent))
            }
            Contestant::Unknown(_, fault) => Err(fault.clone().into()),
            named @ Contestant::Program(program) => {
                let bot = Bot::start(&Launch { program, cores, time: self.conditions.limit.time() });
                let bot = bot.map_err(|fault| ArenaError::new(format!("{named} {fault}")))?.stopped_by(stop.clone());
                if let Some(protocol) = named.protocol() {
                    return Ok(Participant::Engine(protocol.engine(bot, self.start.clone())));
                }
                Ok(Participant::Program(Box::new(if greets { bot } else { bot.keeping_lines() })))
            }
        }
    }

    /// Ends the programs of a game and keeps its agents for the next one. Returns the notes of each seat, with the
    /// referee's remarks at the end.
    fn close(&mut self, planned: &Planned, seats: Vec<Seat>, protocol: &Protocol, rewards: &[f64]) -> Vec<Notes> {
        let close = |(place, seat): (usize, Seat)| {
            let mut notes = match seat.participant {
                Participant::Agent(agent) => {
                    self.agents.insert((planned.seats[place], place), agent);
                    Notes::default()
                }
                Participant::Program(mut bot) => {
                    protocol.close(&mut bot, rewards);
                    bot.finish(FAREWELL)
                }
                Participant::Engine(player) => player.finish(FAREWELL),
            };
            if !seat.remarks.is_empty() && !notes.text.is_empty() && !notes.text.ends_with('\n') {
                notes.text.push('\n');
            }
            notes.text += &seat.remarks;
            notes
        };
        seats.into_iter().enumerate().map(close).collect()
    }
}

/// Starts a meter on the cores of each side. Sides that share their cores share a meter, which so leaves out the
/// searches of both, those of programs too.
fn meters([first, second]: &[Vec<usize>; 2]) -> [DelayMeter; 2] {
    let meter = on_cores(first, DelayMeter::start);
    let other = if first == second { meter.clone() } else { on_cores(second, DelayMeter::start) };
    [meter, other]
}

/// Builds an agent with the memory limit of the arena, unless its spec has one.
fn build(spec: &AgentSpec, position: &dyn Session) -> Result<Box<dyn Agent>, ArenaError> {
    let mut spec = spec.clone();
    if !spec.to_string().contains("memory=") {
        // Agents without a tree have no such key.
        _ = spec.set("memory", &memory());
    }
    Ok(crate::files::build(&spec, position)?)
}
