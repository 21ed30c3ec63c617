//! The choices worth examining: of the legal actions those that good players choose, in one order.
//!
//! A player's actions on a day are ordered: first trees are completed, then trees grow, the large ones before the
//! small, then seeds are thrown; actions of one kind are ordered by cell. This order is the cheapest, because the
//! cost of a tree depends on the number of trees of its new size, and it leaves one way to play a day instead of all
//! permutations.

use boughs_games::photosynthesis::{Action, Cell, DAYS, Position, TALL, cells};

/// A place in the order of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DayOrder(u16);

/// The day from which trees are completed.
const FIRST_COMPLETION: u8 = 11;
/// The last day on which a seed is thrown.
const LAST_SEED: u8 = 19;

/// The kinds of actions in their order: completing a tree, growing one of size 2, 1 and 0, throwing a seed.
const COMPLETE: u32 = 0;
const SEED: u32 = 4;

impl DayOrder {
    fn new(kind: u32, cell: Cell) -> DayOrder {
        DayOrder((kind * 64 + cell.bit().trailing_zeros() + 1) as u16)
    }

    /// The place of an action, which must be legal.
    pub(super) fn of(position: &Position, player: usize, action: Action) -> DayOrder {
        match action {
            Action::Wait | Action::Map(_) | Action::Disqualified => DayOrder::default(),
            Action::Complete(cell) => DayOrder::new(COMPLETE, cell),
            Action::Grow(cell) => {
                let size = (0..TALL).find(|&size| position.trees_of_size(player, size) & cell.bit() != 0);
                DayOrder::new(TALL as u32 - size.unwrap_or(0) as u32, cell)
            }
            Action::Seed { to, .. } => DayOrder::new(SEED, to),
        }
    }

    /// The cells on which an action of a kind comes after this place.
    fn still(self, kind: u32) -> u64 {
        let begin = (kind * 64) as u16;
        match self.0.checked_sub(begin) {
            None | Some(0) => u64::MAX,
            Some(past) => u64::MAX.checked_shl(u32::from(past)).unwrap_or(0),
        }
    }
}

/// Appends the choices of a player who has come to this place today. There is always at least one.
pub(super) fn choices(position: &Position, player: usize, so_far: DayOrder, out: &mut Vec<Action>) {
    let day = position.day();
    if day >= FIRST_COMPLETION {
        out.extend(cells(position.completable(player) & so_far.still(COMPLETE)).map(Action::Complete));
    }
    // A tree that cannot be completed in time does not grow.
    for size in (0..TALL).rev().filter(|&size| usize::from(day) + TALL - size < usize::from(DAYS)) {
        let kind = (TALL - size) as u32;
        out.extend(cells(position.growable_from(player, size) & so_far.still(kind)).map(Action::Grow));
    }
    let seeds = out.len();
    if day <= LAST_SEED && position.trees_of_size(player, 0) == 0 && so_far.still(SEED) == u64::MAX {
        out.extend(cells(position.seedbed(player)).map(|to| position.sow(player, to)));
    }
    // A seed is free, so a player who can throw one has no reason to sleep.
    if out.len() == seeds {
        out.push(Action::Wait);
    }
}
