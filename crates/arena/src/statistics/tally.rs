//! How games and pairs of games ended.

use serde::Serialize;

/// How a game for two ended for one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// The other got more.
    Loss,
    /// Both got the same.
    Draw,
    /// The other got less.
    Win,
}

impl Outcome {
    /// Of who got `own` where the other got `other`.
    pub fn of(own: f64, other: f64) -> Outcome {
        match () {
            () if own > other => Outcome::Win,
            () if own < other => Outcome::Loss,
            () => Outcome::Draw,
        }
    }

    /// As the other sees it.
    pub fn turned(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// How many games ended how.
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
    /// All of them.
    pub fn count(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half of one for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of draws, where there are games.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.count() > 0).then(|| self.draws as f64 / self.count() as f64)
    }
}

/// How many pairs of games brought 0, 1/2, 1, 3/2 and 2 points: the pentanomial counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// All of them.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// The points they brought.
    pub fn points(self) -> f64 {
        self.0.iter().zip(0u32..).map(|(&count, halves)| count as f64 * f64::from(halves) / 2.0).sum()
    }

    /// How many of the five kinds there are: of one kind alone nobody can tell how pairs differ.
    pub(super) fn kinds(self) -> usize {
        self.0.iter().filter(|&&count| count > 0).count()
    }

    /// The mean over all pairs of a function of the share of the points they brought; there is at least one pair.
    pub(super) fn mean_of(self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 =
            self.0.iter().zip(0u32..).map(|(&count, halves)| count as f64 * of(f64::from(halves) / 4.0)).sum();
        sum / self.count() as f64
    }

    /// As the other sees them.
    pub fn turned(self) -> Pairs {
        let mut counts = self.0;
        counts.reverse();
        Pairs(counts)
    }
}

/// All that happened between two contestants, as the first of them sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Every game.
    pub games: Games,
    /// Pairs of which both games were played.
    pub pairs: Pairs,
}

impl Tally {
    /// Counts a game that is in no pair, or not yet: [`Tally::add_pair`] counts its games itself.
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

    /// As the other sees it.
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
