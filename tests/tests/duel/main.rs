//! Two agents play any game against each other, at as much time or as many playouts a move as they are given.

mod referee;
mod tally;

use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use boughs::AgentSpec;
use boughs_games::{Listed, Visitor, visit};

use referee::{Duel, Limit};
use tally::Tally;

/// How often a long duel says how it goes.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// Two agents, separated by a space.
fn agents(text: &str) -> [AgentSpec; 2] {
    let [first, second] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("two agents are needed, separated by a space: '{text}'")
    };
    [first, second].map(|text| {
        let mut agent: AgentSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        // Agents without a tree have no such key.
        _ = agent.set("memory", "64M");
        agent
    })
}

/// What an environment variable says, if it is set.
fn variable<T: FromStr<Err: Display>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

/// Runs the duel that the environment asks for in a game, and prints how it goes.
struct Run;

impl Visitor for Run {
    type Output = ();
    fn visit<G: Listed>(self, start: G) {
        let limit = match (variable("TIME"), variable("PLAYOUTS")) {
            (Some(milliseconds), _) => Limit::Time(Duration::from_millis(milliseconds)),
            (None, playouts) => Limit::Playouts(playouts.unwrap_or(5_000)),
        };
        let opening: String = variable("OPENING").unwrap_or_else(|| "0".into());
        let (least, most) = opening.split_once('-').unwrap_or((&opening, &opening));
        let games = variable("GAMES").unwrap_or(400u64);
        let duel = Duel {
            agents: agents(&variable::<String>("DUEL").unwrap_or_else(|| "mcts mcts".into())),
            limits: [limit; 2],
            rounds: games.div_ceil(start.players() as u64),
            opening: [least, most].map(|plies| plies.parse().expect("OPENING is a number of plies, or two: 4-8")),
            seed: variable("SEED").unwrap_or(1),
        };
        let [first, second] = &duel.agents;
        println!("{}, {first} against {second}, {limit:?} a move, {opening} random plies first", G::NAME);
        println!("results are those of the first agent, +- 95 % intervals");
        let started = Instant::now();
        let say = |tally: &Tally| {
            println!("{tally}, {:.1} games/s", tally.games() as f64 / started.elapsed().as_secs_f64());
        };
        let said = Mutex::new(started);
        let tally = duel.play(&start, |tally| {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.elapsed() >= SIGN_OF_LIFE {
                *said = Instant::now();
                say(tally);
            }
        });
        say(&tally);
    }
}

/// `GAME=connect4 DUEL="mcts:solver=on mcts" GAMES=400 TIME=20 OPENING=4-8 cargo test --release -p boughs-tests --test duel
/// -- --ignored --nocapture`: `TIME` in milliseconds, or `PLAYOUTS`, a move; `SEED` for other games.
#[test]
#[ignore = "plays thousands of games and checks nothing"]
fn duel() {
    let game: String = variable("GAME").unwrap_or_else(|| "connect4".into());
    visit(&game, Run).unwrap_or_else(|error| panic!("{error}"));
}
