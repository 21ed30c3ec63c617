//! The results of several contestants among each other.

use std::collections::BTreeMap;

use super::{Outcome, Tally};

/// The results of several contestants among each other. Contestants are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrossTable {
    contestants: usize,
    /// Results of each two that have met, from the view of the lower number, which comes first.
    met: BTreeMap<(usize, usize), Tally>,
}

impl CrossTable {
    /// The empty table of this number of contestants.
    pub fn new(contestants: usize) -> CrossTable {
        CrossTable { contestants, met: BTreeMap::new() }
    }

    /// Number of contestants.
    pub fn contestants(&self) -> usize {
        self.contestants
    }

    /// Counts two games with the same opening and luck and the seats changed, from the view of `first`.
    ///
    /// # Panics
    ///
    /// If a contestant meets itself, or has no number of the table; so do the other functions.
    pub fn add_pair(&mut self, first: usize, second: usize, pair: [Outcome; 2]) {
        let (place, turned) = self.place(first, second);
        let pair = if turned { pair.map(Outcome::turned) } else { pair };
        self.met.entry(place).or_default().add_pair(pair);
    }

    /// Counts a game that is in no pair, or not yet, from the view of `first`.
    pub fn add_game(&mut self, first: usize, second: usize, outcome: Outcome) {
        let (place, turned) = self.place(first, second);
        self.met.entry(place).or_default().add_game(if turned { outcome.turned() } else { outcome });
    }

    /// Counts many games at once, from the view of `first`.
    pub fn add(&mut self, first: usize, second: usize, games: Tally) {
        let (place, turned) = self.place(first, second);
        *self.met.entry(place).or_default() += if turned { games.turned() } else { games };
    }

    /// All results between two contestants, from the view of `first`.
    pub fn between(&self, first: usize, second: usize) -> Tally {
        let (place, turned) = self.place(first, second);
        let tally = self.met.get(&place).copied().unwrap_or_default();
        if turned { tally.turned() } else { tally }
    }

    fn place(&self, first: usize, second: usize) -> ((usize, usize), bool) {
        assert!(first != second && first.max(second) < self.contestants, "{first} and {second} are two of the table");
        ((first.min(second), first.max(second)), first > second)
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn both_sides_see_the_same_games() {
        let mut table = CrossTable::new(3);
        table.add_pair(2, 0, [Win, Draw]);
        table.add_pair(0, 2, [Win, Win]);
        table.add_game(2, 0, Loss);
        assert_eq!(table.between(0, 2).pairs.0, [0, 1, 0, 0, 1]);
        assert_eq!(table.between(0, 2).games.wins, 3);
        assert_eq!(table.between(2, 0), table.between(0, 2).turned());
        assert_eq!(table.between(0, 1), Tally::default());
    }
}
