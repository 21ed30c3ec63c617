//! One game: who sits where thinks, and what comes of it is written down.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use boughs::notation::{find_move, legal_moves, play_moves};
use boughs::{Agent, AgentSpec, Budget, Game, Information, MAX_PLAYERS, Rng, StopFlag, TreeKind, Turn};
use boughs_bots::BotSpec;
use boughs_games::{Listed, Visitor, visit};

use crate::cores::on_cores;
use crate::opening::random_opening;
use crate::plan::{Conditions, Limit, Openings, Planned, Stream};
use crate::program::plain::{self, Greeting};
use crate::program::{Bot, Launch, Notes};
use crate::secrets::with_choices_redrawn;
use crate::{ArenaError, Clock, Contestant, Ending, Fault, Record};

/// Most memory for the tree of an agent that does not say otherwise. It does not depend on how many games are played at once,
/// so that results do not either.
const MEMORY: &str = "256M";

/// How long a program may take to come up, to take leave, and to answer where playouts are counted and not time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to end by itself when the game is over.
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

/// The board after each move of a game, and the first before any.
///
/// # Errors
/// If a move is not legal there.
pub fn boards(game: &str, moves: &[String]) -> Result<Vec<String>, ArenaError> {
    Ok(scenes(game, moves)?.into_iter().map(|scene| scene.board).collect())
}

/// A position as somebody sees it who looks on.
pub(crate) struct Scene {
    /// The board as text.
    pub(crate) board: String,
    /// Who acts there.
    pub(crate) turn: Turn,
}

/// What there is to see after each move of a game, and first before any.
pub(crate) fn scenes(game: &str, moves: &[String]) -> Result<Vec<Scene>, ArenaError> {
    struct Show<'m>(&'m [String]);

    impl Visitor for Show<'_> {
        type Output = Result<Vec<Scene>, ArenaError>;
        fn visit<G: Listed>(self, start: G) -> Self::Output {
            let scene = |position: &G| Scene { board: position.board(), turn: position.turn() };
            let mut position = start;
            let mut scenes = vec![scene(&position)];
            for text in self.0 {
                let action = find_move(&position, text).ok_or_else(|| {
                    ArenaError(format!("'{text}' is no legal move there, so the game is of other rules"))
                })?;
                position.apply(action);
                scenes.push(scene(&position));
            }
            Ok(scenes)
        }
    }

    visit(game, Show(moves)).map_err(|error| ArenaError(error.to_string()))?
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

/// Who has a seat in a game.
enum Player<G: Game> {
    Agent(Box<dyn Agent<G>>),
    Bot(Box<Bot>),
}

/// Why a game did not go on.
enum Break {
    Interrupted,
    Lost { seat: usize, fault: Fault },
}

impl<G: Listed> Seats<G> {
    fn new(start: G, conditions: Conditions, cores: [Vec<usize>; 2]) -> Result<Seats<G>, ArenaError> {
        if conditions.has_programs() && G::INFORMATION != Information::Perfect {
            return Err(ArenaError(format!(
                "in {} players know or choose things in secret, which the line protocol would tell everybody; programs play games in \
                 which everything is open",
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

/// A game under way.
struct Playing<'t, G: Game> {
    conditions: &'t Conditions,
    planned: &'t Planned,
    stop: &'t StopFlag,
    position: G,
    /// All moves from the start of the game.
    moves: Vec<String>,
    players: Vec<Player<G>>,
    clocks: Vec<Clock>,
    /// For what agents imagine of what they do not know.
    imagination: Rng,
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
        let mut players = Vec::with_capacity(planned.seats.len());
        for seat in 0..planned.seats.len() {
            let seed = seeds ^ (planned.number_in_match * MAX_PLAYERS as u64 + seat as u64);
            players.push(self.seat(planned, seat, &position, seed, stop)?);
        }
        let mut game = Playing {
            conditions: &self.conditions,
            planned,
            stop,
            position,
            moves: opening.clone(),
            clocks: vec![Clock::default(); planned.seats.len()],
            players,
            imagination,
        };
        let ending = match game.greet().and_then(|()| game.play()) {
            Ok(ending) => ending,
            Err(Break::Lost { seat, fault }) if !stop.is_raised() => Ending::Forfeit { seat, fault },
            // An answer nobody waited for any more is no fault.
            Err(Break::Lost { .. } | Break::Interrupted) => return Ok(None),
        };
        let rewards = game.rewards(&ending);
        let Playing { moves, clocks, players, .. } = game;
        let notes = self.take_leave(planned, players, &rewards);
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
    /// Gives a seat to a contestant. A program that is not there, or may not be run, loses no game: who named it has to know.
    fn seat(
        &mut self,
        planned: &Planned,
        seat: usize,
        position: &G,
        seed: u64,
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
                let bot = bot.map_err(|fault| ArenaError(format!("{named} {fault}")))?;
                Ok(Player::Bot(Box::new(bot.stopped_by(stop.clone()))))
            }
        }
    }

    /// Ends what programs were started, and keeps agents for the next game. Returns what the programs have said.
    fn take_leave(&mut self, planned: &Planned, players: Vec<Player<G>>, rewards: &[f64]) -> Vec<Notes> {
        let mut notes = vec![Notes::default(); planned.seats.len()];
        for (seat, player) in players.into_iter().enumerate() {
            match player {
                Player::Agent(agent) => _ = self.agents.insert((planned.seats[seat], seat), agent),
                Player::Bot(mut bot) => {
                    // Who does not listen any more has nothing to hear.
                    _ = bot.tell(&plain::end(rewards));
                    notes[seat] = bot.finish(FAREWELL);
                }
            }
        }
        notes
    }
}

impl<G: Listed> Playing<'_, G> {
    /// Tells programs what is played.
    fn greet(&mut self) -> Result<(), Break> {
        let seats = self.players.len();
        for seat in 0..seats {
            if let Player::Bot(bot) = &mut self.players[seat] {
                let greeting = Greeting { game: &self.conditions.game, seat, seats, limit: self.conditions.limit };
                let ready = bot.ask(&plain::greeting(&greeting), PATIENCE);
                let ready = ready.and_then(|(answer, _)| plain::check_ready(&answer));
                ready.map_err(|fault| Break::Lost { seat, fault: not_ready(fault) })?;
            }
        }
        Ok(())
    }

    fn play(&mut self) -> Result<Ending, Break> {
        let mut luck = self.conditions.stream(self.planned.round, Stream::Chance);
        let mut scratch = Vec::new();
        for _ in self.moves.len()..G::MAX_PLIES as usize {
            let action = match self.position.turn() {
                Turn::Over => return Ok(Ending::Over),
                Turn::Chance => self.position.chance(&mut luck, &mut scratch),
                Turn::Player(seat) => {
                    if self.stop.is_raised() {
                        return Err(Break::Interrupted);
                    }
                    Some(self.choose(seat)?)
                }
            };
            let Some(action) = action else { return Ok(Ending::Cut) };
            self.moves.push(self.position.action_text(action));
            self.position.apply(action);
            if G::INFORMATION == Information::Perfect {
                self.advance(action)?;
            }
        }
        Ok(if self.position.turn() == Turn::Over { Ending::Over } else { Ending::Cut })
    }

    /// The move of a seat, and the time it takes.
    fn choose(&mut self, seat: usize) -> Result<G::Action, Break> {
        let contestant = &self.conditions.contestants[self.planned.seats[seat]];
        let (limit, grace) = (self.conditions.limit.times(contestant.odds()), self.conditions.grace);
        let lost = |fault| Break::Lost { seat, fault };
        let allowed = match limit {
            Limit::Time(time) => time.saturating_add(grace),
            Limit::Playouts(_) => PATIENCE,
        };
        let (action, took, playouts) = match &mut self.players[seat] {
            Player::Agent(agent) => {
                if G::INFORMATION != Information::Perfect {
                    let sees_all = match contestant.agent().and_then(BotSpec::general) {
                        Some(AgentSpec::Mcts(settings)) => settings.tree == TreeKind::Plain,
                        _ => false,
                    };
                    agent.reset(match sees_all {
                        true => with_choices_redrawn(&self.position, seat, &mut self.imagination),
                        false => self.position.clone(),
                    });
                }
                let started = Instant::now();
                let budget = match limit {
                    Limit::Time(time) => Budget::time(time),
                    Limit::Playouts(playouts) => Budget::iterations(playouts),
                };
                let budget = budget.early_stop(false).or_stopped_by(self.stop.clone());
                let report = agent.search(budget, &mut |_| ());
                let took = started.elapsed();
                if self.stop.is_raised() {
                    return Err(Break::Interrupted);
                }
                let report = report.map_err(|error| lost(Fault::Failed(error.to_string())))?;
                if matches!(limit, Limit::Time(_)) && took > allowed {
                    self.clocks[seat].add(took, report.iterations);
                    return Err(lost(Fault::Late { after: took, allowed }));
                }
                // On a busy machine the deadline may come before the first playout.
                let best = report.best_action();
                let best = best.or_else(|| self.position.random_action(&mut self.imagination, &mut Vec::new()));
                let best = best.ok_or_else(|| lost(Fault::Failed("it found no legal move".to_string())))?;
                (best, took, report.iterations)
            }
            Player::Bot(bot) => {
                let (actions, texts): (Vec<_>, Vec<_>) = legal_moves(&self.position).into_iter().unzip();
                let (answer, took) = bot.ask(&plain::turn(&self.moves, &texts), allowed).map_err(lost)?;
                (actions[plain::chosen(&answer, &texts).map_err(lost)?], took, 0)
            }
        };
        self.clocks[seat].add(took, playouts);
        Ok(action)
    }

    /// Tells agents of a move everybody has seen.
    fn advance(&mut self, action: G::Action) -> Result<(), Break> {
        for (seat, player) in self.players.iter_mut().enumerate() {
            if let Player::Agent(agent) = player {
                agent.advance(action).map_err(|error| Break::Lost { seat, fault: Fault::Failed(error.to_string()) })?;
            }
        }
        Ok(())
    }

    /// What each seat gets: by a fault the least there is, and the others what is left, or the most there is.
    fn rewards(&self, ending: &Ending) -> Vec<f64> {
        let players = self.position.players();
        let rewards = |of: &dyn Fn(usize) -> f64| (0..players).map(of).collect();
        match (ending, G::REWARDS.bounds) {
            (Ending::Over, _) => rewards(&|seat| self.position.reward(seat)),
            (Ending::Forfeit { seat: loser, .. }, Some((least, most))) => rewards(&|seat| match G::REWARDS.sum {
                _ if seat == *loser => least,
                Some(sum) => (sum - least) / (players - 1).max(1) as f64,
                None => most,
            }),
            (Ending::Cut | Ending::Forfeit { .. }, _) => rewards(&|seat| self.position.cut_reward(seat)),
        }
    }
}

/// A fault of a program before the first move.
fn not_ready(fault: Fault) -> Fault {
    match fault {
        Fault::Exited(status) => Fault::NotStarted(format!("it ended before it was ready ({status})")),
        Fault::Late { .. } => Fault::NotStarted(format!("it did not say that it is ready within {PATIENCE:?}")),
        other => other,
    }
}
