//! Two agents play Connect Four against each other, at as many playouts a move as each is given.
//!
//! Games come in pairs: both begin with the same random moves, and the agents swap seats, so that an opening which favours
//! a side favours neither agent. The two games of a pair are alike, therefore the error of the result comes from how much
//! whole pairs differ (the pentanomial model), not from single games. Which games are played depends on the seed alone
//! where the agents have one thread.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use boughs::{Budget, Game, Rng, Search, Settings, Turn};
use boughs_games::connect4::Connect4;

/// Random moves a game begins with, at least and at most.
const OPENING: [u32; 2] = [4, 8];

/// How often a long duel says how it goes.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

struct Duel {
    agents: [Settings; 2],
    /// Playouts of a move of each agent.
    playouts: [u64; 2],
    pairs: u64,
    seed: u64,
}

impl Duel {
    fn of(agents: &str, playouts: [u64; 2], pairs: u64, seed: u64) -> Duel {
        let [first, second] = agents.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("two agents are needed, separated by a space: '{agents}'")
        };
        let agent = |text: &str| match text.parse::<Settings>() {
            Ok(settings) => Settings { memory: 64 << 20, ..settings },
            Err(error) => panic!("{error}"),
        };
        Duel { agents: [agent(first), agent(second)], playouts, pairs, seed }
    }

    /// Plays all pairs, on all cores where an agent takes one. `see` hears after each pair how it stands.
    fn play(&self, see: impl Fn(&Tally) + Sync) -> Tally {
        let alone = self.agents.iter().any(|agent| agent.threads != 1);
        let next = AtomicU64::new(0);
        let tally = Mutex::new(Tally::default());
        std::thread::scope(|scope| {
            for _ in 0..if alone { 1 } else { boughs::cores() } {
                scope.spawn(|| {
                    while let Some(pair) = Some(next.fetch_add(1, Relaxed)).filter(|pair| *pair < self.pairs) {
                        let points = [0, 1].map(|seat| self.game(pair, seat));
                        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                        tally.add(points);
                        see(&tally);
                    }
                });
            }
        });
        tally.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays one game, in which the first agent has this seat. Returns its half points: 2 for a win, 1 for a draw.
    fn game(&self, pair: u64, seat: usize) -> usize {
        let mut position = opening(&mut Rng::new(self.seed, pair));
        let mut searches = [0, 1].map(|agent| {
            // No two searches of a duel draw the same numbers.
            let seed = Rng::new(self.seed, pair).bits() ^ (2 * agent + seat) as u64;
            let settings = Settings { seed, ..self.agents[agent].clone() };
            Search::new(position, settings).expect("there is memory for a search")
        });
        while let Turn::Player(player) = position.turn() {
            let agent = usize::from(player != seat);
            let budget = Budget::iterations(self.playouts[agent]).early_stop(false);
            let action = searches[agent].run(budget).expect("a search ends").best_action().expect("there is a move");
            position.apply(action);
            searches.iter_mut().for_each(|search| search.advance(action).expect("the move is legal"));
        }
        (2.0 * position.reward(seat)) as usize
    }
}

/// A position after some random moves in which the game goes on.
fn opening(rng: &mut Rng) -> Connect4 {
    let [least, most] = OPENING;
    loop {
        let mut position = Connect4::default();
        let mut scratch = Vec::new();
        for _ in 0..least + rng.below(most - least + 1) {
            if let (Turn::Player(_), Some(action)) = (position.turn(), position.random_action(rng, &mut scratch)) {
                position.apply(action);
            }
        }
        if position.turn() != Turn::Over {
            return position;
        }
    }
}

/// What was played so far, from the first agent's side.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Pairs by their half points, from 0 to 4.
    pairs: [u64; 5],
}

impl Tally {
    fn add(&mut self, points: [usize; 2]) {
        for points in points {
            *[&mut self.losses, &mut self.draws, &mut self.wins][points] += 1;
        }
        self.pairs[points[0] + points[1]] += 1;
    }

    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of all points, and the standard error of it.
    fn score(&self) -> (f64, f64) {
        let pairs = self.pairs.iter().sum::<u64>().max(1) as f64;
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let sum = |(points, &count): (usize, &u64)| count as f64 * value(points as f64 / 4.0);
            self.pairs.iter().enumerate().map(sum).sum::<f64>() / pairs
        };
        let mean = mean_of(&|share| share);
        let variance = mean_of(&|share| (share - mean).powi(2));
        (mean, (variance / pairs).sqrt())
    }

    /// The difference in strength, and the ends of its 95 % interval.
    fn elo(&self) -> [f64; 3] {
        let (score, error) = self.score();
        [score, score - 1.96 * error, score + 1.96 * error].map(elo)
    }
}

/// The difference in Elo at which this share of the points is expected.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { wins, draws, losses, .. } = self;
        let [elo, low, high] = self.elo();
        write!(f, "{} games: {wins} won, {draws} drawn, {losses} lost, ", self.games())?;
        write!(f, "score {:.2} %, Elo {elo:+.1} ({low:+.1} to {high:+.1})", self.score().0 * 100.0)
    }
}

/// `DUEL="mcts mcts:mirrors=off,descents=1" GAMES=4000 PLAYOUTS=5000 cargo test --release -p boughs-tests --test duel -- --ignored --nocapture`
#[test]
#[ignore = "plays thousands of games and checks nothing"]
fn duel() {
    let agents = std::env::var("DUEL").unwrap_or_else(|_| "mcts mcts:mirrors=off,descents=1".into());
    let number = |name: &str, default: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} should be a whole number, not '{text}'")),
        Err(_) => default,
    };
    let (games, playouts) = (number("GAMES", 4_000), number("PLAYOUTS", 5_000));
    let duel = Duel::of(&agents, [playouts; 2], games.div_ceil(2), number("SEED", 1));
    let started = Instant::now();
    let speed = |tally: &Tally| tally.games() as f64 / started.elapsed().as_secs_f64();
    let said = Mutex::new(started);
    println!("{agents}, {playouts} playouts a move; results are those of the first, with 95 % intervals");
    let tally = duel.play(|tally| {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.elapsed() >= SIGN_OF_LIFE {
            *said = Instant::now();
            println!("{tally}, {:.1} games/s", speed(tally));
        }
    });
    println!("{tally}, {:.1} games/s", speed(&tally));
    println!("pairs with 0, 1/2, 1, 3/2 and 2 points: {:?}", tally.pairs);
}

#[test]
fn games_come_in_pairs_and_depend_on_nothing_but_the_seed() {
    let play = |seed| Duel::of("mcts:c=0.7 mcts", [60, 60], 12, seed).play(|_| {});
    let tally = play(1);
    assert_eq!((tally.games(), tally.pairs.iter().sum::<u64>()), (24, 12));
    assert_eq!(tally, play(1));
    assert!((2..10).any(|seed| play(seed) != tally), "the seed chooses the games");
}

#[test]
fn two_thousand_playouts_beat_ten_in_nearly_all_pairs() {
    let tally = Duel::of("mcts mcts", [2_000, 10], 10, 1).play(|_| {});
    assert!(tally.pairs[4] >= 8 && tally.pairs[..2] == [0, 0], "{tally} {:?}", tally.pairs);
    let swapped = Duel::of("mcts mcts", [10, 2_000], 10, 1).play(|_| {});
    assert!(swapped.pairs[0] >= 8 && swapped.pairs[3..] == [0, 0], "{swapped} {:?}", swapped.pairs);
}

#[test]
fn the_game_goes_on_after_an_opening() {
    for stream in 0..500 {
        let position = opening(&mut Rng::new(3, stream));
        let mut actions = Vec::new();
        position.actions(&mut actions);
        assert!(position.turn() != Turn::Over && !actions.is_empty());
    }
}

#[test]
fn the_interval_comes_from_the_variance_of_pairs() {
    let tally = |pairs| Tally { pairs, ..Tally::default() };
    // Shares of 0, 1/4, 1/2, 3/4 and 1 with a variance of 0.075: an error of sqrt(0.075 / 100), and 1.96 of them.
    let [elo, low, high] = tally([10, 20, 40, 20, 10]).elo();
    assert!(elo.abs() < 1e-9 && (low + high).abs() < 1e-9 && (high - 37.45).abs() < 0.05, "{low} {high}");
    // Three quarters of the points are 191 Elo, whatever they are made of.
    assert!((tally([0, 0, 0, 5, 0]).elo()[0] - 190.85).abs() < 0.01);
    // Pairs that all end level leave no doubt, though their games may differ.
    assert_eq!(tally([0, 0, 9, 0, 0]).elo(), [0.0; 3]);
    assert_eq!(tally([0, 0, 0, 0, 3]).elo()[0], f64::INFINITY);
}
