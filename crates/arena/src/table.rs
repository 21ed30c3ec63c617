//! Where games are played: seats, who has them, and what is written down of a game.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use boughs::notation::play_moves;
use boughs::{Agent, Game, Information, MAX_PLAYERS, Rng, StopFlag, Turn};
use boughs_bots::BotSpec;
use boughs_games::{Listed, Visitor, visit};

use crate::cores::on_cores;
use crate::opening::random_opening;
use crate::plan::{Conditions, Openings, Planned, Stream};
use crate::playing::{Break, Counts, Player, Playing};
use crate::program::{Bot, Launch, Notes};
use crate::speech::Speech;
use crate::{ArenaError, Clock, Contestant, Ending, Record};

/// Most memory for the tree of an agent that does not say otherwise. It does not depend on how many games are played at once,
/// so that results do not either.
const MEMORY: &str = "256M";

/// How long a program may take to end by itself when the game is over.
const FAREWELL: Duration = Duration::from_millis(500);

/// A place where games are played one after the other. Its agents are used again and again.
pub(crate) trait Table {
    /// How many players sit at it.
    fn players(&self) -> usize;

    /// Plays a game. `None` if it was interrupted.
    fn play(&mut self, planned: &Planned, stop: &StopFlag) -> Result<Option<Record>, ArenaError>;
}

/// Sets up a table for a match; `cores` has those for each side, where they have some of their own.
pub(crate) fn table(conditions: &Conditions, cores: [Vec<usize>; 2]) -> Result<Box<dyn Table>, ArenaError> {
    struct SetUp<'c>(&'c Conditions, [Vec<usize>; 2]);

    impl Visitor for SetUp<'_> {
        type Output = Result<Box<dyn Table>, ArenaError>;
        fn visit<G: Listed>(self, start: G) -> Self::Output {
            let SetUp(conditions, cores) = self;
            Ok(Box::new(Seats::new(start, conditions.clone(), cores)?))
        }
    }

    visit(&conditions.game, SetUp(conditions, cores)).map_err(|error| ArenaError(error.to_string()))?
}

/// A table for one game.
struct Seats<G: Game> {
    start: G,
    conditions: Conditions,
    /// Positions that listed openings lead to, with their moves.
    openings: Vec<(G, Vec<String>)>,
    /// By contestant and seat, as they are needed.
    agents: BTreeMap<(usize, usize), Box<dyn Agent<G>>>,
    cores: [Vec<usize>; 2],
}

impl<G: Listed> Seats<G> {
    fn new(start: G, conditions: Conditions, cores: [Vec<usize>; 2]) -> Result<Seats<G>, ArenaError> {
        let is_open = G::INFORMATION == Information::Perfect;
        if conditions.has_programs() && !is_open && start.official(Rng::new(0, 0)).is_none() {
            return Err(ArenaError(format!(
                "in {} players know or choose things in secret, which the line protocol would tell everybody; programs play games in \
                 which everything is open, and those that have lines of a contest",
                G::NAME
            )));
        }
        let mut seats = Seats { start, conditions, openings: Vec::new(), agents: BTreeMap::new(), cores };
        seats.read_openings()?;
        for contestant in 0..seats.conditions.contestants.len() {
            // An agent that does not go with the game is noticed before the first game.
            if let Some(spec) = seats.conditions.contestants[contestant].agent() {
                let agent = on_cores(&seats.cores[0], || build(spec, seats.start.clone()))?;
                seats.agents.insert((contestant, 0), agent);
            }
        }
        Ok(seats)
    }

    fn read_openings(&mut self) -> Result<(), ArenaError> {
        let Openings::Listed { lines, .. } = &self.conditions.openings else { return Ok(()) };
        for (line, moves) in lines.iter().enumerate() {
            let mut position = self.start.clone();
            let fault = |what: String| ArenaError(format!("opening {}, {what}", line + 1));
            let actions = play_moves(&mut position, moves).map_err(|error| fault(error.to_string()))?;
            if position.turn() == Turn::Over {
                return Err(fault("the game is over after its moves; leave some of them out".to_string()));
            }
            self.openings.push((position, texts(&self.start, &actions)));
        }
        Ok(())
    }

    /// What a round begins with.
    fn opening(&self, round: u64) -> (G, Vec<String>) {
        let mut rng = self.conditions.stream(round, Stream::Opening);
        match self.conditions.openings {
            Openings::Start => (self.start.clone(), Vec::new()),
            Openings::Random(least, most) => random_opening(&self.start, [least, most], &mut rng),
            Openings::Listed { .. } => self.openings[(round % self.openings.len().max(1) as u64) as usize].clone(),
        }
    }
}

fn texts<G: Game>(start: &G, actions: &[G::Action]) -> Vec<String> {
    let mut position = start.clone();
    let text = |&action: &G::Action| {
        let text = position.action_text(action);
        position.apply(action);
        text
    };
    actions.iter().map(text).collect()
}

fn build<G: Game>(spec: &BotSpec, position: G) -> Result<Box<dyn Agent<G>>, ArenaError> {
    let mut spec = spec.clone();
    if !spec.to_string().contains("memory=") {
        // Agents without a tree have no such key.
        _ = spec.set("memory", MEMORY);
    }
    spec.build(position).map_err(|error| ArenaError(error.to_string()))
}

impl<G: Listed> Table for Seats<G> {
    fn players(&self) -> usize {
        self.start.players()
    }

    fn play(&mut self, planned: &Planned, stop: &StopFlag) -> Result<Option<Record>, ArenaError> {
        let (began, started) = (SystemTime::now(), Instant::now());
        let (position, opening) = self.opening(planned.round);
        let mut imagination = self.conditions.stream(planned.round, Stream::Searches);
        let seeds = imagination.bits();
        let luck = self.conditions.stream(planned.round, Stream::Chance);
        let contestants = &self.conditions.contestants;
        let has_programs = planned.seats.iter().any(|&who| matches!(contestants[who], Contestant::Program(_)));
        // Where nobody has to be told anything, there is nothing for a referee to do.
        let speech = match has_programs {
            true => Speech::of(&self.start, &opening, Rng::new(seeds, u64::MAX))?,
            false => Speech::Plain,
        };
        let mut players = Vec::with_capacity(planned.seats.len());
        for seat in 0..planned.seats.len() {
            let seed = seeds ^ (planned.number_in_match * MAX_PLAYERS as u64 + seat as u64);
            players.push(self.seat(planned, (seat, seed), &position, speech.greets(), stop)?);
        }
        let mut game = Playing {
            conditions: &self.conditions,
            planned,
            stop,
            position,
            moves: opening.clone(),
            clocks: vec![Clock::default(); planned.seats.len()],
            counts: vec![Counts::default(); planned.seats.len()],
            faults: Vec::new(),
            remarks: vec![String::new(); planned.seats.len()],
            players,
            speech,
            luck,
            imagination,
        };
        let ending = match game.greet().and_then(|()| game.play()) {
            Ok(ending) => ending,
            Err(Break::Lost { seat, fault }) if !stop.is_raised() => Ending::Forfeit(vec![(seat, fault)]),
            // An answer nobody waited for any more is no fault.
            Err(Break::Lost { .. } | Break::Interrupted) => return Ok(None),
        };
        let rewards = game.rewards(&ending);
        let counted = game.counted(&ending);
        let Playing { moves, clocks, players, speech, remarks, .. } = game;
        let mut notes = self.take_leave(planned, players, &speech, &rewards);
        for (notes, counted) in notes.iter_mut().zip(counted) {
            notes.columns.extend(counted);
        }
        for (notes, remarks) in notes.iter_mut().zip(remarks) {
            if !remarks.is_empty() && !notes.text.is_empty() && !notes.text.ends_with('\n') {
                notes.text.push('\n');
            }
            notes.text += &remarks;
        }
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
}

impl<G: Listed> Seats<G> {
    /// Gives a seat to a contestant, whose searches have this seed. Where programs are not greeted the lines are those of a contest,
    /// which takes a line too many for the next answer. A program that is not there, or may not be run, loses no game: who named it has to know.
    fn seat(
        &mut self,
        planned: &Planned,
        (seat, seed): (usize, u64),
        position: &G,
        greets: bool,
        stop: &StopFlag,
    ) -> Result<Player<G>, ArenaError> {
        let contestant = planned.seats[seat];
        let cores = &self.cores[planned.sides[seat]][..];
        match &self.conditions.contestants[contestant] {
            Contestant::Agent(spec) | Contestant::Odds(_, spec) => {
                let mut agent = match self.agents.remove(&(contestant, seat)) {
                    Some(agent) => agent,
                    None => on_cores(cores, || build(spec, position.clone()))?,
                };
                agent.begin(position.clone(), seed);
                Ok(Player::Agent(agent))
            }
            named @ Contestant::Program(program) => {
                let bot = Bot::start(&Launch { program, cores });
                let bot = bot.map_err(|fault| ArenaError(format!("{named} {fault}")))?.stopped_by(stop.clone());
                Ok(Player::Bot(Box::new(if greets { bot } else { bot.keeping_lines() })))
            }
        }
    }

    /// Ends what programs were started, and keeps agents for the next game. Returns what the programs have said.
    fn take_leave(
        &mut self,
        planned: &Planned,
        players: Vec<Player<G>>,
        speech: &Speech<G>,
        rewards: &[f64],
    ) -> Vec<Notes> {
        let mut notes = vec![Notes::default(); planned.seats.len()];
        for (seat, player) in players.into_iter().enumerate() {
            match player {
                Player::Agent(agent) => _ = self.agents.insert((planned.seats[seat], seat), agent),
                Player::Bot(mut bot) => {
                    speech.take_leave(&mut bot, rewards);
                    notes[seat] = bot.finish(FAREWELL);
                }
            }
        }
        notes
    }
}
