//! What a match is made of: who meets whom, under which conditions, and what each of its games begins with.

use std::fmt;
use std::time::Duration;

use boughs::Rng;
use boughs_bots::BotSpec;
use serde::Serialize;

use crate::Contestant;

/// More games than anybody waits for. Their numbers leave room to count with.
pub const MOST_GAMES: u64 = 1 << 48;

/// The conditions of a match or a tournament: all that its games depend on but their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The game with its options, as in `hex:size=7`.
    pub game: String,
    /// Who plays.
    pub contestants: Vec<Contestant>,
    /// Who meets whom, by their place among the contestants.
    pub pairings: Vec<[usize; 2]>,
    /// How long a move may take.
    pub limit: Limit,
    /// How much later than that an answer may come before it loses.
    pub grace: Duration,
    /// The same for programs.
    pub program_grace: Duration,
    /// What games begin with.
    pub openings: Openings,
    /// From which all randomness comes.
    pub seed: u64,
}

/// How long a contestant thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This long.
    Time(Duration),
    /// So many playouts.
    Playouts(u64),
}

impl Limit {
    /// So many times as much, and one playout at least.
    pub(crate) fn times(self, odds: f64) -> Limit {
        match self {
            Limit::Time(time) => {
                Limit::Time(Duration::try_from_secs_f64(time.as_secs_f64() * odds).unwrap_or(Duration::MAX))
            }
            Limit::Playouts(playouts) => Limit::Playouts(((playouts as f64 * odds).round() as u64).max(1)),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(time) => write!(f, "{time:?}"),
            Limit::Playouts(playouts) => write!(f, "{playouts} playouts"),
        }
    }
}

/// What games begin with before anybody chooses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Openings {
    /// The start of the game.
    Start,
    /// Random moves, at least and at most so many.
    Random(u32, u32),
    /// Moves, one line of them a round, from the first again after the last.
    Listed {
        /// Where they stand.
        #[serde(skip)]
        file: String,
        /// The lines.
        lines: Vec<String>,
    },
}

/// One game of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its number.
    pub number: u64,
    /// Its round: the games of a round differ in nothing but the seats.
    pub round: u64,
    /// Which pairing it belongs to.
    pub pairing: usize,
    /// Who has each seat, by their place among the contestants.
    pub seats: Vec<usize>,
    /// Which of the two of the pairing that is.
    pub sides: Vec<usize>,
    /// What its number is in a match of its pairing alone, which has the same game there.
    pub number_in_match: u64,
}

/// What a stream of random numbers is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Opening,
    Chance,
    Searches,
}

impl Conditions {
    /// How many games a round of one pairing has in a game for so many players. In a game for two or more the first contestant
    /// has each seat once and the second all others; in a game for one each plays alone once.
    pub fn games_a_round(players: usize) -> u64 {
        players.max(2) as u64
    }

    /// A game by its number, which has to be below [`MOST_GAMES`]. Numbers go through a round of all pairings before the next
    /// one begins, so a match can be made longer, and at every moment all pairings have played about as much.
    pub fn planned(&self, number: u64, players: usize) -> Planned {
        let games = Conditions::games_a_round(players);
        let pairings = self.pairings.len() as u64;
        let (round, pairing, game) =
            (number / (games * pairings), (number / games % pairings) as usize, (number % games) as usize);
        let sides: Vec<usize> = match players {
            1 => vec![game],
            _ => (0..players).map(|seat| usize::from(seat != game)).collect(),
        };
        let seats = sides.iter().map(|&side| self.pairings[pairing][side]).collect();
        Planned { number, round, pairing, seats, sides, number_in_match: round * games + game as u64 }
    }

    /// How many games so many rounds have.
    pub fn games(&self, rounds: u64, players: usize) -> u64 {
        let games_a_round = self.pairings.len() as u64 * Conditions::games_a_round(players);
        rounds.saturating_mul(games_a_round).min(MOST_GAMES)
    }

    /// The conditions of a match of one pairing alone.
    pub fn meeting(&self, pairing: usize) -> Conditions {
        let contestants = self.pairings[pairing].map(|contestant| self.contestants[contestant].clone());
        Conditions { contestants: contestants.to_vec(), pairings: vec![[0, 1]], ..self.clone() }
    }

    /// Everything the games depend on, as JSON that is written in one way only; and the version of Boughs.
    pub fn text(&self) -> String {
        let mut text = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.game,
            "contestants": self.contestants.iter().map(Contestant::to_string).collect::<Vec<_>>(),
            "pairings": self.pairings,
            "grace_ms": self.grace.as_secs_f64() * 1e3,
            "openings": self.openings,
            "seed": self.seed,
        });
        match self.limit {
            Limit::Time(time) => text["time_ms"] = (time.as_secs_f64() * 1e3).into(),
            Limit::Playouts(playouts) => text["playouts"] = playouts.into(),
        }
        if self.program_grace != self.grace {
            text["program_grace_ms"] = (self.program_grace.as_secs_f64() * 1e3).into();
        }
        text.to_string()
    }

    /// How many threads the contestant with the most of them has. Programs are taken to have one.
    pub fn threads(&self) -> usize {
        let threads = |contestant: &Contestant| match contestant.agent().map_or(1, BotSpec::threads) {
            0 => boughs::cores(),
            threads => threads,
        };
        self.contestants.iter().map(threads).max().unwrap_or(1)
    }

    /// Whether one of the contestants is a program.
    pub fn has_programs(&self) -> bool {
        self.contestants.iter().any(|contestant| matches!(contestant, Contestant::Program(_)))
    }

    /// Random numbers that all games of a round have in common.
    pub(crate) fn stream(&self, round: u64, stream: Stream) -> Rng {
        Rng::new(self.seed, 3 * round + stream as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(pairings: &[[usize; 2]]) -> Conditions {
        Conditions {
            game: "connect4".into(),
            contestants: vec!["mcts".parse().expect("an agent"); 3],
            pairings: pairings.to_vec(),
            limit: Limit::Playouts(10),
            grace: Duration::ZERO,
            program_grace: Duration::ZERO,
            openings: Openings::Start,
            seed: 1,
        }
    }

    #[test]
    fn odds_are_times_and_playouts_of_which_there_is_one_at_least() {
        assert_eq!(Limit::Time(Duration::from_millis(20)).times(0.5), Limit::Time(Duration::from_millis(10)));
        assert_eq!([0.01, 0.25, 8.0].map(|odds| Limit::Playouts(10).times(odds)), [1, 3, 80].map(Limit::Playouts));
    }

    #[test]
    fn in_a_round_the_first_has_each_seat_once() {
        let seats = |players| -> Vec<Vec<usize>> {
            let games = Conditions::games_a_round(players);
            (0..games).map(|number| conditions(&[[0, 1]]).planned(number, players).seats).collect()
        };
        assert_eq!(seats(1), [[0], [1]]);
        assert_eq!(seats(2), [[0, 1], [1, 0]]);
        assert_eq!(seats(3), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }

    #[test]
    fn all_pairings_play_a_round_before_the_next_begins() {
        let plan = conditions(&[[0, 1], [0, 2], [1, 2]]);
        let at = |number| {
            let Planned { round, pairing, seats, .. } = plan.planned(number, 2);
            (round, pairing, seats)
        };
        assert_eq!(at(0), (0, 0, vec![0, 1]));
        assert_eq!(at(3), (0, 1, vec![2, 0]));
        assert_eq!(at(4), (0, 2, vec![1, 2]));
        assert_eq!(at(6), (1, 0, vec![0, 1]));
        assert_eq!(plan.games(2, 2), 12);
    }
}
