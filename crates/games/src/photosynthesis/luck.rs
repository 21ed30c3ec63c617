//! Random actions, picked from sets instead of lists: any legal one, or a sensible one.

use boughs::Rng;

use super::action::Action;
use super::cell::{Cell, TALL, cells, rays, widened};
use super::position::Position;

/// The day from which every tall tree is completed.
const HARVEST: u8 = 17;
/// The number of tall trees from which a player completes one earlier.
const TALL_TREES: u32 = 6;
/// The last day on which trees grow.
const LAST_GROWTH: u8 = 21;
/// The last day on which a seed is thrown.
const LAST_SEED: u8 = 18;

/// The sensible actions of a player. At most one of the sets has a cell; if none has, the player sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sensible {
    /// Trees to complete.
    complete: u64,
    /// Trees to grow.
    grow: u64,
    /// Cells for a seed.
    sow: u64,
}

impl Position {
    /// Picks any legal action of a player, each equally likely.
    #[inline]
    pub fn uniform_action(&self, player: usize, rng: &mut Rng) -> Action {
        let (complete, grow) = (self.completable(player), self.growable(player));
        let (seeders, free) = (self.seeders(player), self.free());
        let mut seeds = 0;
        for (size, &trees) in seeders.iter().enumerate() {
            for from in cells(trees) {
                seeds += (from.within(size) & free).count_ones();
            }
        }
        let upright = (complete | grow).count_ones();
        let drawn = rng.below(1 + upright + seeds);
        if drawn < upright {
            return raise(complete, grow, rng);
        }
        let mut left = drawn - upright;
        for (size, &trees) in seeders.iter().enumerate() {
            for from in cells(trees) {
                let targets = from.within(size) & free;
                match left.checked_sub(targets.count_ones()) {
                    None => return Action::Seed { from, to: Cell::of_bit(rng.pick_bit(targets)) },
                    Some(rest) => left = rest,
                }
            }
        }
        Action::Wait
    }

    /// Picks a sensible action: completes a tree if the player has many or the end is near; else grows one of the
    /// largest trees that can grow; else throws a seed that costs nothing to a cell that is not next to own trees and
    /// that no own tree shades on any day, or only the former if there is no such cell; else sleeps. Equally good
    /// actions are equally likely.
    ///
    /// The days and numbers are those that won most games against other choices of them.
    #[inline]
    pub fn sensible_action(&self, player: usize, rng: &mut Rng) -> Action {
        let Sensible { complete, grow, sow } = self.sensible(player);
        if complete | grow != 0 {
            return raise(complete, grow, rng);
        }
        match sow {
            0 => Action::Wait,
            _ => self.sow(player, Cell::of_bit(rng.pick_bit(sow))),
        }
    }

    /// Appends all actions that [`sensible_action`](Position::sensible_action) picks from.
    pub fn sensible_actions(&self, player: usize, out: &mut Vec<Action>) {
        let Sensible { complete, grow, sow } = self.sensible(player);
        if complete | grow | sow == 0 {
            out.push(Action::Wait);
        }
        out.extend(cells(complete).map(Action::Complete));
        out.extend(cells(grow).map(Action::Grow));
        out.extend(cells(sow).map(|to| self.sow(player, to)));
    }

    #[inline]
    fn sensible(&self, player: usize) -> Sensible {
        let [seeds, _, _, tall] = self.trees[player];
        if self.day >= HARVEST || tall.count_ones() >= TALL_TREES {
            let complete = self.completable(player);
            if complete != 0 {
                return Sensible { complete, ..Sensible::default() };
            }
        }
        if self.day <= LAST_GROWTH {
            let mut sizes = (0..TALL).rev().map(|size| self.growable_from(player, size));
            let grow = sizes.find(|&trees| trees != 0).unwrap_or(0);
            if grow != 0 {
                return Sensible { grow, ..Sensible::default() };
            }
        }
        if seeds != 0 || self.day > LAST_SEED {
            return Sensible::default();
        }
        Sensible { sow: self.seedbed(player), ..Sensible::default() }
    }

    /// The good cells for a seed: not next to the player's trees, and if possible not in their shadow on any day.
    #[inline]
    pub fn seedbed(&self, player: usize) -> u64 {
        let awake = |size: usize| self.trees[player][size] & !self.dormant;
        let reached = widened(widened(awake(2) | widened(awake(3))));
        let own = self.trees(player);
        let apart = reached & self.free() & !widened(own);
        let lit = apart & !rays(own);
        if lit != 0 { lit } else { apart }
    }

    /// Throws a seed at a cell of the [`seedbed`](Position::seedbed), from a medium tree if one reaches the cell, else
    /// from a tall one.
    #[inline]
    pub fn sow(&self, player: usize, to: Cell) -> Action {
        let near = |size: usize| self.trees[player][size] & !self.dormant & to.within(size);
        let medium = near(2);
        let from = if medium != 0 { medium } else { near(3) };
        Action::Seed { from: Cell::of_bit(from.trailing_zeros()), to }
    }
}

/// Completes or grows one of the trees that can be completed or can grow.
#[inline]
fn raise(complete: u64, grow: u64, rng: &mut Rng) -> Action {
    let cell = Cell::of_bit(rng.pick_bit(complete | grow));
    if complete & cell.bit() != 0 { Action::Complete(cell) } else { Action::Grow(cell) }
}
