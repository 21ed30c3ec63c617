//! A quick evaluation of positions: points, sun, the chances of trees to be completed, and the sun they will give.
//!
//! The terms and most of the weights are those that strong bots of the contest have published. Measurements here
//! found no better ones.

use boughs_games::photosynthesis::{DAYS, DIRECTIONS, Position, TALL};

/// The points that a sun is worth: a third at the end, more while there are days to spend it on.
const SUN: f32 = 0.33;
const SUN_OF_A_DAY: f32 = 0.01;
/// The points that a future sun is worth.
const LIGHT: f32 = 0.45;
/// The most turns of the sun that count.
const TURNS: f32 = 1.5;
/// The probability that a tree of each size is completed while there is time, and the points that completing costs: 4
/// sun.
const COMPLETED: [f32; TALL + 1] = [0.15, 0.3, 0.55, 0.9];
const COMPLETION: f32 = 1.33;
/// The share of the nutrients that will be left by then.
const NUTRIENTS: f32 = 0.5;

/// The player's worth minus the other player's, in points. The work is counting bits, for which most processors have
/// an instruction.
#[cfg_attr(feature = "crates", multiversion::multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt")))]
pub(super) fn value(position: &Position, player: usize) -> f32 {
    let left = DAYS - position.day().min(DAYS);
    let light = light(position, left);
    let worth = |player: usize| {
        let sun = f32::from(position.sun(player)) * (SUN + SUN_OF_A_DAY * f32::from(left));
        position.score(player) as f32 + sun + wood(position, player, left) + LIGHT * light[player]
    };
    worth(player) - worth(1 - player)
}

/// The sun that the trees will give each player if they stay as they are.
#[inline]
fn light(position: &Position, left: u8) -> [f32; 2] {
    let mut light = [0.0; 2];
    for ahead in 1..left.min(DIRECTIONS as u8 + 1) {
        let direction = usize::from((position.day() + ahead) % DIRECTIONS as u8);
        let income = position.income(direction);
        light[0] += f32::from(income[0]);
        light[1] += f32::from(income[1]);
    }
    // Trees change, so distant days count less.
    let turns = f32::from(left) / f32::from(left.clamp(1, DIRECTIONS as u8));
    light.map(|light| light * turns.min(TURNS))
}

/// The points that the trees may bring when they are completed, for those with enough time.
#[inline]
fn wood(position: &Position, player: usize, left: u8) -> f32 {
    let points = f32::from(position.nutrients()) * NUTRIENTS - COMPLETION;
    let richness = position.ground().by_bonus();
    let mut sum = 0.0;
    for (size, completed) in COMPLETED.into_iter().enumerate().filter(|&(size, _)| TALL - size < usize::from(left)) {
        let trees = position.trees_of_size(player, size);
        for (cells, bonus) in richness.into_iter().zip([0.0, 2.0, 4.0]) {
            sum += completed * (points + bonus).max(0.0) * (trees & cells).count_ones() as f32;
        }
    }
    sum
}
