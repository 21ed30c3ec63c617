//! Random actions, picked from sets and not from lists: any legal one, or one that is not foolish.

use boughs::Rng;

use super::action::Action;
use super::cell::{Cell, TALL, cells, rays, widened};
use super::position::Position;

/// The day from which every tall tree is completed.
const HARVEST: u8 = 17;
/// How many tall trees a player has before they complete one earlier.
const TALL_TREES: u32 = 6;
/// The last day on which trees grow.
const LAST_GROWTH: u8 = 21;
/// The last day on which a seed is thrown.
const LAST_SEED: u8 = 18;

/// What a player may do who is not foolish. At most one of the sets has a cell; if none has, they sleep.
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
    /// Any legal action of a player, each as likely as the other.
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

    /// An action of a player who completes trees when they have many or when the end is near, else grows a tree, one of
    /// the largest they can, else throws a seed that costs nothing to where none of their trees is next to it, nor
    /// shades it on any day if that can be had, else sleeps; of several each as likely as the other.
    ///
    /// The days and numbers in it are those that won most games against others of its kind.
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

    /// Appends all that [`sensible_action`](Position::sensible_action) picks from.
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

    /// The good cells for a seed: where none of the player's trees is next to it, nor shades it on any day if that can be had.
    #[inline]
    pub fn seedbed(&self, player: usize) -> u64 {
        let awake = |size: usize| self.trees[player][size] & !self.dormant;
        let reached = widened(widened(awake(2) | widened(awake(3))));
        let own = self.trees(player);
        let apart = reached & self.free() & !widened(own);
        let lit = apart & !rays(own);
        if lit != 0 { lit } else { apart }
    }

    /// Throws a seed at a cell of the [`seedbed`](Position::seedbed) from the smallest tree that reaches so far and is not small.
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
