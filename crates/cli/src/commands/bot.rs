//! `boughs bot`: an agent as a program that plays in matches, here or elsewhere.

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use boughs::notation::find_move;
use boughs::{Agent, Budget, Information, Rng, Turn};
use boughs_games::{Listed, Visitor};

use crate::args;
use crate::failure::Failure;
use crate::output::print;

/// Longer than the moves of any game.
const LONGEST_LINE: u64 = 1 << 20;

/// Play a game over standard input and output, by the lines of docs/PROTOCOL.md
///
/// Any program that speaks these lines can let it play: 'boughs match' with 'cmd:boughs bot ...', or a referee of your own.
/// The tree is kept from turn to turn. After each move the playouts made stand on standard error, as [PDATA] rollouts = N.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  printf 'playouts 1000\\nready\\nmoves 4 4\\ngo\\n' | boughs bot connect4 2>/dev/null"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    #[command(flatten)]
    agent: args::Agent,
    /// How long before the end of its time it stops thinking, for the way of the answer
    #[arg(long, value_name = "TIME", default_value = "2ms", value_parser = args::duration)]
    margin: Duration,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.game.visit(Play(&self))
    }
}

struct Play<'a>(&'a Args);

impl Visitor for Play<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Play(args) = self;
        if G::INFORMATION != Information::Perfect {
            return Err(Failure::new(format!(
                "in {} players know or choose things in secret, which these lines would tell; let agents play it, as in 'boughs match {} mcts worlds'",
                G::NAME,
                G::NAME
            )));
        }
        let mut bot = Bot {
            agent: args.agent.spec::<G>()?.build(start.clone())?,
            start,
            played: Vec::new(),
            told: Vec::new(),
            limit: Limit::Playouts(1_000),
            margin: args.margin,
            rng: Rng::new(args.agent.seed, 0),
        };
        let mut input = io::stdin().lock();
        let mut line = String::new();
        loop {
            line.clear();
            let read = input.by_ref().take(LONGEST_LINE).read_line(&mut line);
            match read.map_err(|error| Failure::new(format!("the input cannot be read: {error}")))? {
                0 => return Ok(()),
                _ if !bot.hear(line.trim())? => return Ok(()),
                _ => {}
            }
        }
    }
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
            Limit::Time(time) => match asked.checked_add(time.saturating_sub(self.margin)) {
                Some(deadline) => Budget::until(deadline),
                // More time than there is ends with a number of playouts.
                None => Budget::iterations(u64::from(u32::MAX)),
            },
            Limit::Playouts(playouts) => Budget::iterations(playouts),
        };
        if !matches!(self.agent.position().turn(), Turn::Player(_)) {
            return Err(Failure::new("a move was asked for where there is none; tell it the moves so far first"));
        }
        let report = self.agent.search(budget.early_stop(false), &mut |_| ())?;
        tell_rollouts(report.iterations);
        let position = self.agent.position();
        // A deadline may come before the first playout.
        let best = report.best_action().or_else(|| position.random_action(&mut self.rng, &mut Vec::new()));
        let best = best.ok_or_else(|| Failure::new(format!("{} gives no legal move here", G::NAME)))?;
        Ok(position.action_text(best) + "\n")
    }
}

/// Says how much was searched, in the form that matches collect.
fn tell_rollouts(playouts: u64) {
    // Where nobody reads it, nothing is lost.
    let _ = writeln!(io::stderr(), "[PDATA] rollouts = {playouts}");
}

/// Reads a time in milliseconds.
fn milliseconds(text: &str) -> Result<Duration, Failure> {
    let time = text.trim().parse::<f64>().ok().and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok());
    time.ok_or_else(|| wrong(&format!("time {text}"), "should be a number of milliseconds"))
}

fn wrong(line: &str, fault: &str) -> Failure {
    Failure::new(format!("the line '{line}' {fault}; docs/PROTOCOL.md has all lines"))
}
