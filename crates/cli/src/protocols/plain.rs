//! The plain lines of docs/PROTOCOL.md.

use std::time::{Duration, Instant};

use boughs::{Agent, Budget, Information, Rng, Turn};
use boughs_bots::{Lines, Setup, budget, choose};
use boughs_games::StartedGame;

use super::failure;
use crate::args;
use crate::failure::Failure;
use crate::output::print;

/// The usual margin, for the way of an answer.
pub(super) const MARGIN: Duration = Duration::from_millis(2);

/// Returns true for the first line of this protocol.
pub(super) fn is_first(line: &str) -> bool {
    line.split(' ').next() == Some("game")
}

/// Plays until the input ends.
pub(super) fn play(game: &StartedGame, setup: &Setup<'_>, lines: &mut Lines) -> Result<(), Failure> {
    let name = game.entry.name;
    if game.position.facts().information != Information::Perfect {
        return Err(Failure::new(format!(
            "in {name} players know or choose things in secret, which these lines would tell; let agents play it, as \
             in 'boughs match {name} mcts determinization'"
        )));
    }
    let mut bot = Bot {
        game,
        setup,
        agent: (setup.build)(&*game.position)?,
        played: Vec::new(),
        told: Vec::new(),
        limit: Limit::Playouts(1_000),
        answered: setup.began,
        rng: Rng::new(setup.seed, 0),
    };
    while let Some(line) = lines.next_line().map_err(failure)? {
        let asked = lines.input.arrived().max(bot.answered);
        if !bot.hear(line.trim(), asked)? {
            break;
        }
    }
    Ok(())
}

/// The limit of a move.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Playouts(u64),
}

struct Bot<'a> {
    setup: &'a Setup<'a>,
    game: &'a StartedGame,
    agent: Box<dyn Agent>,
    /// The moves that led to the agent's position.
    played: Vec<String>,
    /// The moves of the last `moves` line.
    told: Vec<String>,
    limit: Limit,
    /// The time of the last answer. No question is asked before it.
    answered: Instant,
    rng: Rng,
}

impl Bot<'_> {
    /// Does what a line says that arrived at this time. Returns false after the last line.
    fn hear(&mut self, line: &str, asked: Instant) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "game" => self.check_game(rest)?,
            "time" => self.limit = Limit::Time(milliseconds(rest)?),
            "playouts" => self.limit = Limit::Playouts(args::whole(1u64)(rest).map_err(|fault| wrong(line, &fault))?),
            "ready" => print("ready\n")?,
            "moves" => self.told = rest.split_whitespace().map(str::to_string).collect(),
            "go" => {
                // The time that the agent needs to follow the moves is no delay of the machine.
                self.setup.meter.asked(asked);
                self.follow()?;
                let answer = self.answer(asked)?;
                print(&answer)?;
                self.answered = Instant::now();
            }
            "end" => return Ok(false),
            // Other lines are news that the bot does not need.
            _ => {}
        }
        Ok(true)
    }

    /// Checks that the referee plays the game of the bot. It may know the game by a name that is none here, and leave
    /// out the options.
    fn check_game(&self, told: &str) -> Result<(), Failure> {
        let name = self.game.entry.name;
        let is_other_board = |board: &str| told.contains(':') && board != self.game.position.board();
        match boughs_games::start(told) {
            Ok(other) if other.entry.name != name || is_other_board(&other.position.board()) => Err(Failure::new(
                format!("the referee plays {told}, and this bot another game or size; start it by 'boughs bot {told}'"),
            )),
            _ => Ok(()),
        }
    }

    /// Brings the agent to the current position. The tree is kept if the moves continue from the agent's position.
    fn follow(&mut self) -> Result<(), Failure> {
        if !self.told.starts_with(&self.played) {
            self.agent.reset(&*self.game.position)?;
            self.played.clear();
        }
        for text in &self.told[self.played.len()..] {
            let position = self.agent.position();
            let action = position.find_move(text).ok_or_else(|| {
                Failure::new(format!(
                    "'{text}' is not a legal move after '{}'; is the game {}?",
                    self.played.join(" "),
                    self.game.entry.name
                ))
            })?;
            self.agent.advance(action)?;
            self.played.push(text.clone());
        }
        Ok(())
    }

    fn answer(&mut self, asked: Instant) -> Result<String, Failure> {
        let deadline = match self.limit {
            Limit::Time(time) => {
                // The referee may tell a time that is shorter than the margin, and half of it is left for a search.
                let least = self.setup.margin.min(time / 2);
                asked.checked_add(time.saturating_sub(self.setup.meter.margin(least, time)))
            }
            Limit::Playouts(_) => None,
        };
        let budget = match self.limit {
            Limit::Time(_) => budget(deadline),
            Limit::Playouts(playouts) => Budget::iterations(playouts),
        };
        if !matches!(self.agent.position().turn(), Turn::Player(_)) {
            return Err(Failure::new("a move was asked for where there is none; tell it the moves so far first"));
        }
        // A search that begins after its deadline tells no delay of the machine.
        let deadline = deadline.filter(|&deadline| Instant::now() < deadline);
        let choice = choose(self.game.entry.name, &mut *self.agent, budget, &mut self.rng, &|_| true);
        let (best, playouts) = choice.map_err(failure)?;
        self.setup.meter.answered(deadline);
        self.setup.tell_rollouts(playouts);
        Ok(self.agent.position().action_text(best) + "\n")
    }
}

/// Reads a time in milliseconds.
fn milliseconds(text: &str) -> Result<Duration, Failure> {
    args::milliseconds_of(text).ok_or_else(|| wrong(&format!("time {text}"), "should be a number of milliseconds"))
}

fn wrong(line: &str, fault: &str) -> Failure {
    Failure::new(format!("the line '{line}' {fault}; docs/PROTOCOL.md has all lines"))
}
