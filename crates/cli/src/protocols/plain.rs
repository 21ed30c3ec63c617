//! The plain lines of docs/PROTOCOL.md.

use std::time::{Duration, Instant};

use boughs::notation::find_move;
use boughs::{Agent, Budget, Information, Rng, Turn};
use boughs_games::Listed;

use super::{Lines, Setup, budget, choose, tell_rollouts};
use crate::args;
use crate::failure::Failure;
use crate::output::print;

/// Whether a line is the first of these.
pub(super) fn is_first(line: &str) -> bool {
    line.split(' ').next() == Some("game")
}

/// Plays until there is nothing more to hear.
pub(super) fn play<G: Listed>(start: G, setup: &Setup<'_>, lines: &mut Lines) -> Result<(), Failure> {
    if G::INFORMATION != Information::Perfect {
        return Err(Failure::new(format!(
            "in {} players know or choose things in secret, which these lines would tell; let agents play it, as in 'boughs match {} mcts worlds'",
            G::NAME,
            G::NAME
        )));
    }
    let mut bot = Bot {
        agent: setup.agent.player::<G>()?.build(start.clone())?,
        start,
        played: Vec::new(),
        told: Vec::new(),
        limit: Limit::Playouts(1_000),
        margin: setup.margin,
        rng: Rng::new(setup.agent.seed, 0),
    };
    while let Some(line) = lines.next()? {
        if !bot.hear(line.trim())? {
            break;
        }
    }
    Ok(())
}

/// What a move may take.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Playouts(u64),
}

struct Bot<G: Listed> {
    start: G,
    agent: Box<dyn Agent<G>>,
    /// The moves that led to the agent's position.
    played: Vec<String>,
    /// The moves it was told of last.
    told: Vec<String>,
    limit: Limit,
    margin: Duration,
    rng: Rng,
}

impl<G: Listed> Bot<G> {
    /// Does what a line says; whether there may be more of them.
    fn hear(&mut self, line: &str) -> Result<bool, Failure> {
        let asked = Instant::now();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "time" => self.limit = Limit::Time(milliseconds(rest)?),
            "playouts" => self.limit = Limit::Playouts(args::whole(1u64)(rest).map_err(|fault| wrong(line, &fault))?),
            "ready" => print("ready\n")?,
            "moves" => self.told = rest.split_whitespace().map(str::to_string).collect(),
            "go" => {
                self.follow()?;
                let answer = self.answer(asked)?;
                print(&answer)?;
            }
            "end" => return Ok(false),
            // What else is said, it need not know.
            _ => {}
        }
        Ok(true)
    }

    /// Brings the agent to where the game is, with its tree if the moves go on from where it was.
    fn follow(&mut self) -> Result<(), Failure> {
        if !self.told.starts_with(&self.played) {
            self.agent.reset(self.start.clone());
            self.played.clear();
        }
        for text in &self.told[self.played.len()..] {
            let position = self.agent.position();
            let action = find_move(position, text).ok_or_else(|| {
                Failure::new(format!(
                    "'{text}' is not a legal move after '{}'; is the game {}?",
                    self.played.join(" "),
                    G::NAME
                ))
            })?;
            self.agent.advance(action)?;
            self.played.push(text.clone());
        }
        Ok(())
    }

    fn answer(&mut self, asked: Instant) -> Result<String, Failure> {
        let budget = match self.limit {
            Limit::Time(time) => budget(asked.checked_add(time.saturating_sub(self.margin))),
            Limit::Playouts(playouts) => Budget::iterations(playouts),
        };
        if !matches!(self.agent.position().turn(), Turn::Player(_)) {
            return Err(Failure::new("a move was asked for where there is none; tell it the moves so far first"));
        }
        let (best, playouts) = choose(&mut *self.agent, budget, &mut self.rng, |_| true)?;
        tell_rollouts(playouts);
        Ok(self.agent.position().action_text(best) + "\n")
    }
}

/// Reads a time in milliseconds.
fn milliseconds(text: &str) -> Result<Duration, Failure> {
    let time = text.trim().parse::<f64>().ok().and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok());
    time.ok_or_else(|| wrong(&format!("time {text}"), "should be a number of milliseconds"))
}

fn wrong(line: &str, fault: &str) -> Failure {
    Failure::new(format!("the line '{line}' {fault}; docs/PROTOCOL.md has all lines"))
}
