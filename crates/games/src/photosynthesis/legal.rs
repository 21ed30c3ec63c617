//! Legal actions: sets of trees that can act, and lists of all actions.

use super::action::Action;
use super::cell::{Cell, TALL, cells, in_spiral};
use super::position::{COMPLETION, Position};

impl Position {
    /// The trees of a player that can grow.
    #[inline]
    pub fn growable(&self, player: usize) -> u64 {
        self.growable_from(player, 0) | self.growable_from(player, 1) | self.growable_from(player, 2)
    }

    /// The trees of a player of one size that can grow.
    #[inline]
    pub fn growable_from(&self, player: usize, size: usize) -> u64 {
        if self.sun[player] >= self.cost(player, size + 1) { self.trees[player][size] & !self.dormant } else { 0 }
    }

    /// The trees of a player that can be completed.
    #[inline]
    pub fn completable(&self, player: usize) -> u64 {
        if self.sun[player] >= COMPLETION { self.trees[player][TALL] & !self.dormant } else { 0 }
    }

    /// The trees of a player, by size, that can throw a seed if there is a free cell near enough.
    #[inline]
    pub fn seeders(&self, player: usize) -> [u64; TALL + 1] {
        if self.sun[player] < self.cost(player, 0) {
            return [0; TALL + 1];
        }
        let [_, small, medium, tall] = self.trees[player];
        [0, small & !self.dormant, medium & !self.dormant, tall & !self.dormant]
    }

    /// Appends all legal actions of a player, as if it were the player's turn: waiting, then completions, growth and
    /// seeds.
    pub fn legal_actions(&self, player: usize, out: &mut Vec<Action>) {
        self.list(player, out, |_| ());
    }

    /// Appends all legal actions and hands each of the three groups to `arrange`. Before that they stand in the
    /// official referee's order before it shuffles: trees by their index, the seeds of a tree by coordinates.
    pub(super) fn list(&self, player: usize, out: &mut Vec<Action>, mut arrange: impl FnMut(&mut [Action])) {
        out.push(Action::Wait);
        let begin = out.len();
        out.extend(in_spiral(self.completable(player)).map(Action::Complete));
        arrange(&mut out[begin..]);
        let begin = out.len();
        out.extend(in_spiral(self.growable(player)).map(Action::Grow));
        arrange(&mut out[begin..]);
        let begin = out.len();
        let (seeders, free) = (self.seeders(player), self.free());
        for from in in_spiral(seeders[1] | seeders[2] | seeders[3]) {
            let targets = from.within(size_of(&seeders, from)) & free;
            out.extend(cells(targets).map(|to| Action::Seed { from, to }));
        }
        arrange(&mut out[begin..]);
    }
}

/// Finds the size of the tree on a cell.
#[inline]
fn size_of(trees: &[u64; TALL + 1], cell: Cell) -> usize {
    (1..=TALL).find(|&size| trees[size] & cell.bit() != 0).unwrap_or(0)
}
