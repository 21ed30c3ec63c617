//! Counts of the results of games and of pairs of games.

use serde::Serialize;

/// The result of a game for two, from the view of one contestant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The other got the greater reward.
    Loss,
    /// Both got the same reward.
    Draw,
    /// The other got the smaller reward.
    Win,
}

impl Outcome {
    /// The outcome of a reward of `own` against `other`.
    pub fn of(own: f64, other: f64) -> Outcome {
        match () {
            () if own > other => Outcome::Win,
            () if own < other => Outcome::Loss,
            () => Outcome::Draw,
        }
    }

    /// The view of the other contestant.
    pub fn turned(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// Counts of games by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Games {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Games {
    /// Number of all games.
    pub fn count(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: one for a win, half of one for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of draws, if there are games.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.count() > 0).then(|| self.draws as f64 / self.count() as f64)
    }
}

/// Counts of pairs of games that brought 0, 1/2, 1, 3/2 and 2 points: the pentanomial counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Number of all pairs.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// The points of all pairs.
    pub fn points(self) -> f64 {
        self.0.iter().zip(0u32..).map(|(&count, halves)| count as f64 * f64::from(halves) / 2.0).sum()
    }

    /// Number of the five kinds that occur. Pairs of one kind alone do not tell how pairs differ.
    pub(super) fn kinds(self) -> usize {
        self.0.iter().filter(|&&count| count > 0).count()
    }

    /// The mean, over all pairs, of a function of a pair's share of the points. There is at least one pair.
    pub(super) fn mean_of(self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 =
            self.0.iter().zip(0u32..).map(|(&count, halves)| count as f64 * of(f64::from(halves) / 4.0)).sum();
        sum / self.count() as f64
    }

    /// The view of the other contestant.
    pub fn turned(self) -> Pairs {
        let mut counts = self.0;
        counts.reverse();
        Pairs(counts)
    }
}

/// All results between two contestants, from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All games.
    pub games: Games,
    /// Complete pairs.
    pub pairs: Pairs,
}

impl Tally {
    /// Counts a game that is in no pair, or not yet. [`Tally::add_pair`] counts its games itself.
    pub fn add_game(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.games.wins += 1,
            Outcome::Draw => self.games.draws += 1,
            Outcome::Loss => self.games.losses += 1,
        }
    }

    /// Counts two games with the same opening and luck, and the seats changed.
    pub fn add_pair(&mut self, pair: [Outcome; 2]) {
        pair.into_iter().for_each(|outcome| self.add_game(outcome));
        self.pairs.0[pair.map(|outcome| outcome as usize).iter().sum::<usize>()] += 1;
    }

    /// The view of the other contestant.
    pub fn turned(self) -> Tally {
        let Games { wins, draws, losses } = self.games;
        Tally { games: Games { wins: losses, draws, losses: wins }, pairs: self.pairs.turned() }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        let (games, other) = (&mut self.games, more.games);
        *games = Games {
            wins: games.wins + other.wins,
            draws: games.draws + other.draws,
            losses: games.losses + other.losses,
        };
        self.pairs.0.iter_mut().zip(more.pairs.0).for_each(|(count, more)| *count += more);
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn a_pair_counts_by_its_points_and_a_single_game_in_no_pair() {
        let mut tally = Tally::default();
        for pair in [[Win, Win], [Win, Loss], [Draw, Draw], [Loss, Draw]] {
            tally.add_pair(pair);
        }
        tally.add_game(Win);
        assert_eq!(tally.pairs, Pairs([0, 1, 2, 0, 1]));
        assert_eq!(tally.games, Games { wins: 4, draws: 3, losses: 2 });
        assert_eq!((tally.pairs.points(), tally.games.points()), (4.5, 5.5));
        assert_eq!(tally.games.draw_ratio(), Some(1.0 / 3.0));
    }

    #[test]
    fn turned_twice_is_as_before_and_points_are_shared() {
        let mut tally = Tally::default();
        tally.add_pair([Win, Draw]);
        tally.add_game(Loss);
        assert_eq!(tally.turned().turned(), tally);
        assert_eq!(tally.turned().games.points() + tally.games.points(), 3.0);
        assert_eq!(tally.turned().pairs, Pairs([0, 1, 0, 0, 0]));
    }

    #[test]
    fn who_gets_more_wins() {
        assert_eq!([Outcome::of(1.0, 0.0), Outcome::of(0.5, 0.5), Outcome::of(-3.0, 2.0)], [Win, Draw, Loss]);
    }
}
