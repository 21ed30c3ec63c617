//! How a duel stands.

use std::collections::BTreeMap;
use std::fmt;

use boughs::{Game, Rewards};

/// What came of the games of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Round {
    /// What the first agent got in each game it had a seat in, in the order of seats.
    first: Vec<f64>,
    /// What the second agent got in each game, on average of its seats.
    second: Vec<f64>,
    /// Games that the first agent won, drew and lost: got more than all others, as much as the best of them, or less.
    results: [u64; 3],
    /// Playouts of each agent.
    playouts: [u64; 2],
    /// Moves of each agent.
    moves: [u64; 2],
}

impl Round {
    /// Adds a game: what the first agent got, where it played, and what the second one got in each of its seats. Of a game
    /// for one each agent's comes alone, and they are compared.
    pub(crate) fn add(&mut self, first: Option<f64>, second: &[f64]) {
        self.first.extend(first);
        if let Some(best) = second.iter().copied().reduce(f64::max) {
            self.second.push(second.iter().sum::<f64>() / second.len() as f64);
            if let Some(first) = first.or(self.first.first().copied()) {
                self.results[(first <= best) as usize + (first < best) as usize] += 1;
            }
        }
    }

    /// Counts a move of an agent.
    pub(crate) fn count(&mut self, agent: usize, playouts: u64) {
        self.playouts[agent] += playouts;
        self.moves[agent] += 1;
    }

    /// What both agents got, on average.
    fn means(&self) -> [f64; 2] {
        [mean(&self.first), mean(&self.second)]
    }
}

/// What was played so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tally {
    rounds: BTreeMap<u64, Round>,
    players: usize,
    /// The game is for two and is won, drawn or lost, so that a share of the points is a difference in Elo.
    has_elo: bool,
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The mean of what was measured once a round, and the half width of its 95 % interval.
fn estimate(values: &[f64]) -> (f64, f64) {
    let (count, mean) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0).max(1.0) / count.max(1.0)).sqrt())
}

/// The difference in Elo at which this share of the points is expected.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    400.0 * (share / (1.0 - share)).log10()
}

impl Tally {
    /// Nothing was played yet.
    pub(crate) fn of<G: Game>(players: usize) -> Tally {
        Tally { rounds: BTreeMap::new(), players, has_elo: players == 2 && G::REWARDS == Rewards::WIN_DRAW_LOSS }
    }

    pub(crate) fn add(&mut self, number: u64, round: Round) {
        self.rounds.insert(number, round);
    }

    #[cfg(test)]
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Games won, drawn and lost by the first agent.
    fn results(&self) -> [u64; 3] {
        [0, 1, 2].map(|result| self.rounds.values().map(|round| round.results[result]).sum())
    }

    /// Games, or in a game for one pairs of games, that have a result.
    pub(crate) fn games(&self) -> u64 {
        self.results().iter().sum()
    }

    /// What both agents got, on average.
    pub(crate) fn means(&self) -> [f64; 2] {
        [0, 1].map(|agent| self.estimate(|round| round.means()[agent]).0)
    }

    fn estimate(&self, value: impl Fn(&Round) -> f64) -> (f64, f64) {
        estimate(&self.rounds.values().map(value).collect::<Vec<_>>())
    }

    /// The difference in strength, and the ends of its 95 % interval.
    fn elo(&self) -> [f64; 3] {
        let (share, width) = self.estimate(|round| round.means()[0]);
        [share, share - width, share + width].map(elo)
    }

    /// Playouts a move of each agent.
    fn playouts(&self) -> [f64; 2] {
        [0, 1].map(|agent| {
            let sum = |of: fn(&Round) -> [u64; 2]| self.rounds.values().map(|round| of(round)[agent]).sum::<u64>();
            sum(|round| round.playouts) as f64 / sum(|round| round.moves).max(1) as f64
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([wins, draws, losses], [first, second]) = (self.results(), self.means());
        let (difference, width) = self.estimate(|round| round.means()[0] - round.means()[1]);
        write!(f, "{} games: {wins} won, {draws} drawn, {losses} lost, ", self.games())?;
        write!(f, "mean {first:.4} against {second:.4}, {difference:+.4} +- {width:.4}, ")?;
        if self.has_elo {
            let [elo, low, high] = self.elo();
            write!(f, "Elo {elo:+.1} ({low:+.1} to {high:+.1}), ")?;
        }
        if self.players > 1 {
            f.write_str("by seat")?;
            for seat in 0..self.players {
                let (mean, width) = self.estimate(|round| round.first[seat]);
                write!(f, " {mean:.4} +- {width:.4},")?;
            }
        }
        let [first, second] = self.playouts();
        write!(f, " {first:.0} and {second:.0} playouts a move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::connect4::Connect4;

    /// A tally of pairs with so many points each, of two.
    fn tally(pairs: impl IntoIterator<Item = f64>) -> Tally {
        let mut tally = Tally::of::<Connect4>(2);
        for (number, points) in pairs.into_iter().enumerate() {
            let mut round = Round::default();
            let first = points.min(1.0);
            round.add(Some(first), &[1.0 - first]);
            round.add(Some(points - first), &[1.0 - points + first]);
            tally.add(number as u64, round);
        }
        tally
    }

    fn pairs(counts: [usize; 5]) -> impl Iterator<Item = f64> {
        counts.into_iter().enumerate().flat_map(|(points, count)| vec![points as f64 / 2.0; count])
    }

    #[test]
    fn the_interval_comes_from_the_variance_of_pairs() {
        // Shares of 0, 1/4, 1/2, 3/4 and 1 with a variance of 7.5 / 99: an error of sqrt(that / 100), and 1.96 of them.
        let [elo, low, high] = tally(pairs([10, 20, 40, 20, 10])).elo();
        assert!(elo.abs() < 1e-9 && (low + high).abs() < 1e-9 && (high - 37.65).abs() < 0.05, "{low} {high}");
        // Three quarters of the points are 191 Elo, whatever they are made of.
        assert!((tally(pairs([0, 0, 0, 5, 0])).elo()[0] - 190.85).abs() < 0.01);
        // Pairs that all end level leave no doubt, though their games may differ.
        assert_eq!(tally(pairs([0, 0, 9, 0, 0])).elo(), [0.0; 3]);
        assert_eq!(tally(pairs([0, 0, 0, 0, 3])).elo()[0], f64::INFINITY);
    }

    #[test]
    fn a_game_is_won_by_more_than_all_others_got() {
        let mut round = Round::default();
        round.add(Some(0.5), &[0.3, 0.2]);
        round.add(Some(0.4), &[0.4, 0.2]);
        round.add(Some(0.3), &[0.2, 0.5]);
        assert_eq!(round.results, [1, 1, 1]);
        assert!((round.means()[0] - 0.4).abs() < 1e-12 && (round.means()[1] - 0.3).abs() < 1e-12);
    }

    #[test]
    fn alone_the_higher_score_of_a_round_wins() {
        let mut round = Round::default();
        round.add(Some(800.0), &[]);
        round.add(None, &[600.0]);
        assert_eq!((round.results, round.means()), ([1, 0, 0], [800.0, 600.0]));
    }
}
