//! Playouts: by habits that cost little and are reasonable, or by a rule without random numbers.

use boughs::Rng;
use boughs_games::photosynthesis::{Action, Answer, Cell, DAYS, Position, TALL, cells};

/// A kind of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// The fast habit.
    Habit,
    /// The game's own light playout.
    Sensible,
    /// Any legal action.
    Uniform,
}

pub(super) const PLAYOUTS: [(&str, Playout); 3] =
    [("habit", Playout::Habit), ("sensible", Playout::Sensible), ("uniform", Playout::Uniform)];

/// The action of a player in a playout.
#[inline]
pub(super) fn act(playout: Playout, position: &Position, player: usize, rng: &mut Rng) -> Action {
    match playout {
        Playout::Habit => habit(position, player, rng),
        Playout::Sensible => position.sensible_action(player, rng),
        Playout::Uniform => position.uniform_action(player, rng),
    }
}

/// The day from which every tall tree is completed.
const HARVEST: u8 = 20;
/// The number of tall trees from which one is completed earlier.
const TALL_TREES: u32 = 5;
/// The last day on which a seed is thrown.
const LAST_SEED: u8 = 17;

/// The action by habit. A player with many tall trees, or near the end, completes one. Otherwise one of the largest
/// trees that can still be completed grows, or a seed is thrown that costs nothing.
#[inline]
fn habit(position: &Position, player: usize, rng: &mut Rng) -> Action {
    let day = position.day();
    if day >= HARVEST || position.trees_of_size(player, TALL).count_ones() >= TALL_TREES {
        let complete = position.completable(player);
        if complete != 0 {
            return Action::Complete(pick(complete, rng));
        }
    }
    for size in (0..TALL).rev() {
        let grow = position.growable_from(player, size);
        if grow != 0 && is_in_time(day, size) {
            return Action::Grow(pick(grow, rng));
        }
    }
    match seeds_for_nothing(position, player) {
        0 => Action::Wait,
        bed => position.sow(player, pick(bed, rng)),
    }
}

/// The action by rule. It is similar to the habit, but the richest tree is completed while the tall trees outnumber
/// the days before the twentieth, and otherwise the first suitable tree is taken.
pub(super) fn rule(position: &Position, player: usize) -> Action {
    let day = position.day();
    if position.trees_of_size(player, TALL).count_ones() + u32::from(day) > 20 {
        let rich = |cell: &Cell| position.ground().bonus(*cell);
        if let Some(cell) = cells(position.completable(player)).max_by_key(rich) {
            return Action::Complete(cell);
        }
    }
    let mut sizes = (0..TALL).rev().filter(|&size| is_in_time(day, size));
    if let Some(cell) = sizes.find_map(|size| cells(position.growable_from(player, size)).next()) {
        return Action::Grow(cell);
    }
    let seed = cells(seeds_for_nothing(position, player)).next();
    seed.map_or(Action::Wait, |to| position.sow(player, to))
}

/// Returns true if a tree of this size that grows today can be completed before the end.
fn is_in_time(day: u8, size: usize) -> bool {
    usize::from(day) + TALL - size < usize::from(DAYS)
}

/// The cells for a seed that costs nothing.
fn seeds_for_nothing(position: &Position, player: usize) -> u64 {
    let is_free = position.day() <= LAST_SEED && position.trees_of_size(player, 0) == 0;
    if is_free { position.seedbed(player) } else { 0 }
}

fn pick(set: u64, rng: &mut Rng) -> Cell {
    Cell::of_bit(rng.pick_bit(set))
}

/// The final scores of a game that both players play out by habit.
pub(super) fn play_out(mut position: Position, rng: &mut Rng) -> [i32; 2] {
    while !position.is_over() {
        let answers = [0, 1].map(|player| {
            let is_awake = !position.is_asleep(player);
            is_awake.then(|| Answer::Act(habit(&position, player, rng)))
        });
        position.resolve(answers);
    }
    position.final_scores()
}
