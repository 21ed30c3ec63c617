//! A game in progress: the arena asks the player to move, and tells all participants of the answer.

mod result;
mod seat;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use boughs::{DelayMeter, Information, Rng, Session, StopFlag, TreeKind, Turn};
use boughs_games::{GameEntry, StartedGame};

use self::seat::search;
use crate::hidden_choices::with_choices_redrawn;
use crate::plan::{Conditions, Limit, Planned};
use crate::program::Bot;
use crate::program::plain::{self, Greeting};
use crate::protocol::{PATIENCE, Protocol};
use crate::{Ending, Fault};

pub(crate) use self::seat::{Answer, Participant, Seat};

/// The reason why a game did not come to its end.
pub(crate) enum Abort {
    /// The stop flag was raised.
    Interrupted,
    /// A participant lost by a fault.
    Lost { seat: usize, fault: Fault },
}

/// A game in progress.
pub(crate) struct RunningGame<'t> {
    conditions: &'t Conditions,
    planned: &'t Planned,
    stop: &'t StopFlag,
    /// The delays on the cores of each side, if agents have a limit in time.
    meters: Option<[DelayMeter; 2]>,
    entry: &'static GameEntry,
    position: Box<dyn Session>,
    /// All moves from the start of the game.
    pub(crate) moves: Vec<String>,
    pub(crate) seats: Vec<Seat>,
    /// Faults in a turn that goes on for the other players, by seat.
    faults: Vec<(usize, Fault)>,
    pub(crate) protocol: Protocol,
    /// Outcomes of chance.
    chance: Rng,
    /// Redrawn secret choices, and moves where a search found none.
    guesses: Rng,
}

impl<'t> RunningGame<'t> {
    /// A game from the position that its opening has led to. `chance` and `guesses` are its random numbers.
    pub(crate) fn new(
        (conditions, planned, stop): (&'t Conditions, &'t Planned, &'t StopFlag),
        StartedGame { entry, position }: StartedGame,
        opening: Vec<String>,
        (participants, protocol): (Vec<Participant>, Protocol),
        (chance, guesses): (Rng, Rng),
    ) -> RunningGame<'t> {
        let seats = participants.into_iter().map(Seat::of).collect();
        RunningGame {
            conditions,
            planned,
            stop,
            meters: None,
            entry,
            position,
            moves: opening,
            seats,
            faults: Vec::new(),
            protocol,
            chance,
            guesses,
        }
    }

    /// Widens the margins of agents by the delays on the cores of each side.
    pub(crate) fn with_meters(self, meters: Option<[DelayMeter; 2]>) -> RunningGame<'t> {
        RunningGame { meters, ..self }
    }

    /// Tells programs which game is played.
    pub(crate) fn greet(&mut self) -> Result<(), Abort> {
        let seats = self.seats.len();
        for (place, seat) in self.seats.iter_mut().enumerate() {
            if let Participant::Program(bot) = &mut seat.participant {
                let limit = self.conditions.limit;
                let greeting = Greeting { game: &self.conditions.game, seat: place, seats, limit };
                self.protocol.greet(bot, &greeting).map_err(|fault| Abort::Lost { seat: place, fault })?;
            }
            if let Participant::Engine(player) = &mut seat.participant {
                player.greet(self.conditions.limit).map_err(|fault| Abort::Lost { seat: place, fault })?;
            }
        }
        Ok(())
    }

    /// Plays the game to its end.
    pub(crate) fn play(&mut self) -> Result<Ending, Abort> {
        let facts = self.position.facts();
        let mut questions = 0;
        for _ in self.moves.len()..facts.max_plies as usize {
            let action = match self.position.turn() {
                Turn::Over => return Ok(self.ended()),
                Turn::Chance => self.position.chance(&mut self.chance),
                Turn::Player(_) if self.protocol.breaks_off(&*self.position, questions) => return Ok(Ending::Cut),
                Turn::Player(seat) => {
                    if self.stop.is_raised() {
                        return Err(Abort::Interrupted);
                    }
                    questions += 1;
                    Some(self.choose(seat).or_else(|abort| self.go_on_without(abort))?)
                }
            };
            let Some(action) = action else { return Ok(Ending::Cut) };
            self.moves.push(self.position.action_text(action));
            self.protocol.follow(&*self.position, action);
            self.position.apply(action);
            if facts.information == Information::Perfect {
                self.advance(action)?;
            }
        }
        Ok(if self.position.turn() == Turn::Over { self.ended() } else { Ending::Cut })
    }

    /// Returns the action that replaces the move of a loser, if the game goes on for the other players until their turn
    /// is complete.
    fn go_on_without(&mut self, abort: Abort) -> Result<u32, Abort> {
        let Abort::Lost { seat, fault } = abort else { return Err(abort) };
        if self.stop.is_raised() {
            return Err(Abort::Interrupted);
        }
        let Some(action) = self.protocol.disqualify(&*self.position, seat) else {
            return Err(Abort::Lost { seat, fault });
        };
        self.faults.push((seat, fault));
        Ok(action)
    }

    /// Returns the ending of a game that is over.
    fn ended(&self) -> Ending {
        match &self.faults[..] {
            [] => Ending::Over,
            faults => Ending::Forfeit(faults.to_vec()),
        }
    }

    /// The limit of a seat's next move. A contest allows more time for the first answer, to agents too.
    fn limit(&self, seat: usize) -> Limit {
        let contestant = &self.conditions.contestants[self.planned.seats[seat]];
        match self.conditions.limit.times(contestant.odds()) {
            Limit::Time(time) if self.seats[seat].clock.moves == 0 => {
                Limit::Time(time.max(self.protocol.first_answer()))
            }
            limit => limit,
        }
    }

    /// Asks a seat for its move and measures the time it takes.
    fn choose(&mut self, place: usize) -> Result<u32, Abort> {
        let limit = self.limit(place);
        let lost = |fault| Abort::Lost { seat: place, fault };
        let view = self.view_of(place);
        let Seat { participant, clock, .. } = &mut self.seats[place];
        let grace = self.conditions.grace;
        let meter = self.meters.as_ref().map(|meters| &meters[self.planned.sides[place]]);
        let answer = match participant {
            Participant::Agent(agent) => {
                let answer = search(&mut **agent, view.as_deref(), (limit, grace, meter), self.stop);
                if self.stop.is_raised() {
                    return Err(Abort::Interrupted);
                }
                answer.map_err(lost)?
            }
            Participant::Program(bot) => {
                let is_first = clock.moves == 0 && !self.protocol.greets();
                let ask = || self.protocol.ask(bot, (&*self.position, place), &self.moves, allowed(limit, grace));
                let answer = unmetered(meter, ask);
                answer.map_err(|fault| lost(if is_first { not_started(fault, bot, self.entry.name) } else { fault }))?
            }
            Participant::Engine(player) => {
                unmetered(meter, || player.ask(&self.moves, limit, allowed(limit, grace))).map_err(lost)?
            }
        };
        self.seats[place].count(&answer, limit, grace, self.moves.len() + 1).map_err(lost)?;
        // On a busy machine the deadline may come before the first playout.
        let action = answer.action.or_else(|| self.position.random_action(&mut self.guesses));
        action.ok_or_else(|| lost(Fault::Failed("it found no legal move".to_string())))
    }

    /// Returns the position as the agent in a seat may see it; `None` if everything is open, and for a program.
    fn view_of(&mut self, place: usize) -> Option<Box<dyn Session>> {
        let is_open = self.position.facts().information == Information::Perfect;
        let agent = self.conditions.contestants[self.planned.seats[place]].agent().filter(|_| !is_open)?;
        let knows_all = agent.settings().is_some_and(|settings| settings.tree == TreeKind::Plain);
        Some(match knows_all {
            true => with_choices_redrawn(&*self.position, place, &mut self.guesses),
            false => self.position.clone(),
        })
    }

    /// Tells agents of a move that all players see.
    fn advance(&mut self, action: u32) -> Result<(), Abort> {
        for (place, seat) in self.seats.iter_mut().enumerate() {
            if let Participant::Agent(agent) = &mut seat.participant {
                let advanced = agent.advance(action);
                advanced.map_err(|error| Abort::Lost { seat: place, fault: Fault::Failed(error.to_string()) })?;
            }
        }
        Ok(())
    }
}

/// The time that a program has for its answer.
fn allowed(limit: Limit, grace: Duration) -> Duration {
    match limit {
        Limit::Time(time) => time.saturating_add(grace),
        Limit::Playouts(_) => PATIENCE,
    }
}

/// Asks a program. The meter, which the other side may share, counts nothing while the program uses the cores.
fn unmetered<T>(meter: Option<&DelayMeter>, ask: impl FnOnce() -> T) -> T {
    if let Some(meter) = meter {
        meter.asked(Instant::now());
    }
    let answer = ask();
    if let Some(meter) = meter {
        meter.answered(None);
    }
    answer
}

/// Turns the end or the silence of a program before its first answer, in a contest, into the reason why it did not
/// start.
fn not_started(fault: Fault, bot: &mut Bot, game: &str) -> Fault {
    match fault {
        Fault::Exited(status) => Fault::NotStarted(format!("it ended before its first answer ({status})")),
        Fault::Late { .. } if plain::is_spoken_by(bot) => Fault::NotStarted(plain::instead_of_contest(game)),
        Fault::Illegal(answer) if plain::check_ready(&answer).is_ok() => {
            Fault::NotStarted(plain::instead_of_contest(game))
        }
        other => other,
    }
}
