//! The plan of a contest: its conditions, and the seats and random numbers of each game.

use std::fmt;
use std::time::Duration;

use boughs::Rng;
use boughs::notation::counted;
use boughs_agents::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::cores::cores_a_table;
use crate::pair_score::ONLY_FAULTS;
use crate::statistics::{Anchor, CrossTable, Estimate, Ratings};
use crate::{Contestant, PairScore};

/// Greatest number of games of a contest. It leaves room for sums of game numbers.
pub const MOST_GAMES: u64 = 1 << 48;

/// The grace of games that are no contest's.
const USUAL_GRACE: Duration = Duration::from_millis(50);

/// The conditions of a match or a tournament: everything its games depend on except their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The game with its options, as in `hex:size=7`, or a [`Referee`](crate::Referee), as in `cmd:./referee`.
    pub game: String,
    /// The contestants.
    pub contestants: Vec<Contestant>,
    /// The pairings: two places among the contestants each.
    pub pairings: Vec<[usize; 2]>,
    /// Limit of a move.
    pub limit: Limit,
    /// Grace: time after the limit in which an answer does not yet lose the game.
    pub grace: Duration,
    /// Openings of the games.
    pub openings: Openings,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// The limit of a move, or of a whole case of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A time.
    Time(Duration),
    /// A number of playouts.
    Playouts(u64),
}

impl Limit {
    /// The time, unless playouts are counted.
    pub(crate) fn time(self) -> Option<Duration> {
        match self {
            Limit::Time(time) => Some(time),
            Limit::Playouts(_) => None,
        }
    }

    /// The usual time after the limit in which an answer does not yet lose a game. A contest grants none. Playouts need
    /// none, and stores know them with the usual one.
    pub fn usual_grace(self, game: &str) -> Duration {
        match self {
            Limit::Time(_) if has_referee(game) => Duration::ZERO,
            Limit::Time(_) | Limit::Playouts(_) => USUAL_GRACE,
        }
    }

    /// Multiplies the limit. At least one playout is left.
    pub(crate) fn times(self, odds: f64) -> Limit {
        match self {
            Limit::Time(time) => {
                Limit::Time(Duration::try_from_secs_f64(time.as_secs_f64() * odds).unwrap_or(Duration::MAX))
            }
            Limit::Playouts(playouts) => Limit::Playouts(((playouts as f64 * odds).round() as u64).max(1)),
        }
    }
}

/// Returns true if programs play the game by the lines of a contest.
fn has_referee(game: &str) -> bool {
    boughs_games::start(game).is_ok_and(|game| game.entry.referee(&*game.position, Rng::new(0, 0)).is_some())
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(time) => write!(f, "{time:?}"),
            Limit::Playouts(playouts) => f.write_str(&counted(playouts, "playouts")),
        }
    }
}

/// The moves before the first choice of a contestant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Openings {
    /// The start of the game.
    Start,
    /// Random moves: the least and the greatest number of them.
    Random(u32, u32),
    /// Listed moves, one line a round. After the last line the first one follows.
    Listed {
        /// The file of the lines.
        #[serde(skip)]
        file: String,
        /// The lines.
        lines: Vec<String>,
    },
}

/// One game of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Number of the game, counted from 0.
    pub number: u64,
    /// Round of the game. The games of a round differ in nothing but the seats.
    pub round: u64,
    /// Place of its pairing.
    pub pairing: usize,
    /// The contestant of each seat, by place among the contestants.
    pub seats: Vec<usize>,
    /// The side of each seat: 0 for the first contestant of the pairing, 1 for the second.
    pub sides: Vec<usize>,
    /// Number of the same game in a match of its pairing alone.
    pub number_in_match: u64,
}

/// The use of a stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Opening,
    Chance,
    Searches,
}

impl Conditions {
    /// The results of all pairings, from the score of each.
    pub fn cross_table(&self, scores: &[PairScore]) -> CrossTable {
        let mut table = CrossTable::new(self.contestants.len());
        for (&[first, second], score) in self.pairings.iter().zip(scores) {
            table.add(first, second, score.tally());
        }
        table
    }

    /// The ratings by the score of each pairing. A contestant whose games all ended by faults has none.
    pub fn ratings(&self, scores: &[PairScore], anchor: Anchor) -> Ratings {
        let mut ratings = Ratings::of(&self.cross_table(scores), anchor);
        for rating in &mut ratings.table {
            let own = self.pairings.iter().zip(scores).filter(|(pairing, _)| pairing.contains(&rating.contestant));
            let played: Vec<&PairScore> =
                own.map(|(_, score)| score).filter(|it| it.tally().games.count() > 0).collect();
            if !played.is_empty() && played.iter().all(|score| score.has_only_faults()) {
                rating.elo = Estimate::Unknown { why: ONLY_FAULTS };
            }
        }
        ratings
    }

    /// Number of games that one pairing plays in a round, in a game for this number of players. In a game for two or
    /// more the first contestant has each seat once and the second all others. In a game for one each contestant plays
    /// once, alone.
    pub fn games_a_round(players: usize) -> u64 {
        players.max(2) as u64
    }

    /// Plans the game with this number, which has to be below [`MOST_GAMES`]. Numbers go through a round of all
    /// pairings before the next one begins. So a match can be made longer, and at every moment all pairings have played
    /// about as much.
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

    /// Number of games in this number of rounds.
    pub fn games(&self, rounds: u64, players: usize) -> u64 {
        let games_a_round = self.pairings.len() as u64 * Conditions::games_a_round(players);
        rounds.saturating_mul(games_a_round).min(MOST_GAMES)
    }

    /// Returns the conditions of a match of one pairing alone.
    pub fn meeting(&self, pairing: usize) -> Conditions {
        let contestants = self.pairings[pairing].map(|contestant| self.contestants[contestant].clone());
        Conditions { contestants: contestants.to_vec(), pairings: vec![[0, 1]], ..self.clone() }
    }

    /// Number of threads of the contestant with the most threads. Programs count as one thread.
    pub fn threads(&self) -> usize {
        let threads = |contestant: &Contestant| boughs::run::threads(contestant.agent().map_or(1, AgentSpec::threads));
        self.contestants.iter().map(threads).max().unwrap_or(1)
    }

    /// Number of cores that one game at a time needs, so that no search waits for a core.
    pub fn cores(&self) -> usize {
        cores_a_table(self.threads(), self.has_programs())
    }

    /// Returns true if one of the contestants is a program.
    pub fn has_programs(&self) -> bool {
        self.contestants.iter().any(|contestant| matches!(contestant, Contestant::Program(_)))
    }

    /// Returns a stream of random numbers that all games of a round share.
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
