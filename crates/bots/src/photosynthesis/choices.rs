//! What is worth looking at: of the legal actions those that good players choose, and of their orders one.
//!
//! What a player does on a day is done in one order: trees are completed, then grown, the large ones before the small, then
//! seeds are thrown; of a kind by the place of the cell. This is the cheapest order, since what a tree costs goes by how many
//! there are of its new size, and a day has one way to be played where it would have as many as there are permutations.

use boughs_games::photosynthesis::{Action, Cell, DAYS, Position, TALL, cells};

/// How far in the order of a day a player has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Step(u16);

/// The day from which trees are completed.
const FIRST_COMPLETION: u8 = 11;
/// The last day on which a seed is thrown for what may become of it.
const LAST_SEED: u8 = 19;

/// The kinds of actions in their order: completing a tree, growing one of size 2, 1 and 0, throwing a seed.
const COMPLETE: u32 = 0;
const SEED: u32 = 4;

impl Step {
    fn new(kind: u32, cell: Cell) -> Step {
        Step((kind * 64 + cell.bit().trailing_zeros() + 1) as u16)
    }

    /// The step of an action, which must be legal.
    pub(super) fn of(position: &Position, player: usize, action: Action) -> Step {
        match action {
            Action::Wait | Action::Map(_) | Action::Disqualified => Step::default(),
            Action::Complete(cell) => Step::new(COMPLETE, cell),
            Action::Grow(cell) => {
                let size = (0..TALL).find(|&size| position.trees_of_size(player, size) & cell.bit() != 0);
                Step::new(TALL as u32 - size.unwrap_or(0) as u32, cell)
            }
            Action::Seed { to, .. } => Step::new(SEED, to),
        }
    }

    /// The cells on which an action of a kind comes after this one.
    fn still(self, kind: u32) -> u64 {
        let begin = (kind * 64) as u16;
        match self.0.checked_sub(begin) {
            None | Some(0) => u64::MAX,
            Some(past) => u64::MAX.checked_shl(u32::from(past)).unwrap_or(0),
        }
    }
}

/// Appends what a player may choose who has come so far today; never nothing.
pub(super) fn choices(position: &Position, player: usize, so_far: Step, out: &mut Vec<Action>) {
    let day = position.day();
    if day >= FIRST_COMPLETION {
        out.extend(cells(position.completable(player) & so_far.still(COMPLETE)).map(Action::Complete));
    }
    // A tree that cannot be completed in time any more does not grow.
    for size in (0..TALL).rev().filter(|&size| usize::from(day) + TALL - size < usize::from(DAYS)) {
        let kind = (TALL - size) as u32;
        out.extend(cells(position.growable_from(player, size) & so_far.still(kind)).map(Action::Grow));
    }
    let seeds = out.len();
    if day <= LAST_SEED && position.trees_of_size(player, 0) == 0 && so_far.still(SEED) == u64::MAX {
        out.extend(cells(position.seedbed(player)).map(|to| position.sow(player, to)));
    }
    // A seed is free, so that whoever could throw one has no reason to sleep.
    if out.len() == seeds {
        out.push(Action::Wait);
    }
}
