//! One decision in progress: its budget, and plans that are played out side by side.

use std::time::Instant;

use boughs::run::Pool;
use boughs::{Budget, Rng};
use boughs_games::ahc015::{Ahc015, CELLS};

use crate::contests::ahc015::batch::{Luck, Tilts, WIDTH, draw, play_out};

/// The most blocks between two looks at the budget.
const MOST_AT_ONCE: u64 = 64;

/// Pieces of work for each thread: enough of them even out threads of different speed.
const PIECES: usize = 4;

/// One decision in progress.
pub(super) struct PlanSearch<'t> {
    pub(super) position: &'t Ahc015,
    pub(super) now: usize,
    pub(super) flavours: [u8; CELLS],
    pub(super) pool: &'t Pool,
    pub(super) seed: u64,
    pub(super) budget: &'t Budget,
    pub(super) began: Instant,
    /// The most playouts that time and budget allow.
    pub(super) most: Option<u64>,
    /// The number of blocks of luck drawn so far.
    pub(super) blocks: u64,
    pub(super) playouts: u64,
    pub(super) rng: Rng,
}

impl PlanSearch<'_> {
    /// The share of the budget that is used up, from 0 to 1.
    pub(super) fn spent(&self) -> f64 {
        let playouts = self.most.map_or(0.0, |most| self.playouts as f64 / most.max(1) as f64);
        let time = self.budget.deadline().map_or(0.0, |deadline| {
            let all = deadline.saturating_duration_since(self.began).as_secs_f64();
            if all > 0.0 { self.began.elapsed().as_secs_f64() / all } else { 1.0 }
        });
        let stop = if self.budget.is_spent(self.playouts).is_some() { 1.0 } else { 0.0f64 };
        // Without a limit, 100,000 playouts suffice.
        let endless = self.most.is_none() && self.budget.deadline().is_none();
        let default = if endless { self.playouts as f64 / 1e5 } else { 0.0 };
        playouts.max(time).max(stop).max(default)
    }

    /// Plays plans out, all with the same luck. Returns the sum of squares of each plan for each block.
    pub(super) fn play(&mut self, plans: &[Tilts], blocks: u64) -> Vec<Vec<u64>> {
        let first = self.blocks;
        self.blocks += blocks;
        self.playouts += blocks * (plans.len() * WIDTH) as u64;
        let (board, now, flavours, seed) = (self.position.board_now(), self.now, &self.flavours, self.seed);
        let play = |luck: &mut Luck, block: u64| -> Vec<u64> {
            draw(luck, seed, block, now + 1);
            let sum = |plan| play_out(board, now, plan, flavours, luck).iter().map(|&sum| u64::from(sum)).sum();
            plans.iter().map(sum).collect()
        };
        let mut sums = vec![Vec::new(); blocks as usize];
        let at_once = sums.len().div_ceil(PIECES * self.pool.threads());
        let mut pieces: Vec<&mut [Vec<u64>]> = sums.chunks_mut(at_once).collect();
        self.pool.for_each(&mut pieces, &|piece, sums| {
            let mut luck = Box::new([[0; WIDTH]; CELLS]);
            for (block, sums) in (first + (piece * at_once) as u64..).zip(sums.iter_mut()) {
                *sums = play(&mut luck, block);
            }
        });
        sums
    }

    /// The blocks to play between two looks at the clock.
    pub(super) fn at_once(&self) -> u64 {
        self.pool.threads() as u64
    }

    /// The number of plans for which the playouts that are left suffice, each for one block.
    pub(super) fn affordable(&self) -> usize {
        let most = self.most;
        most.map_or(usize::MAX, |most| most.saturating_sub(self.playouts) as usize / WIDTH)
    }

    /// Returns true if the budget has room for this many plans, each for one block.
    pub(super) fn has_room(&self, plans: usize) -> bool {
        plans <= self.affordable() && self.spent() < 1.0
    }

    /// Plays plans out until this share of the budget is used up. Returns the sum of squares of each, and the number
    /// of blocks.
    pub(super) fn play_until(&mut self, plans: &[Tilts], end: f64) -> (Vec<u64>, u64) {
        let (mut sums, mut blocks) = (vec![0; plans.len()], 0);
        loop {
            let several = match (self.most, self.budget.deadline()) {
                (Some(most), None) => {
                    let left = ((end * most as f64) as u64).saturating_sub(self.playouts);
                    (left / (plans.len() * WIDTH) as u64).clamp(1, MOST_AT_ONCE)
                }
                _ => self.at_once(),
            };
            for block in self.play(plans, several) {
                sums.iter_mut().zip(block).for_each(|(sum, new)| *sum += new);
            }
            blocks += several;
            let step = (plans.len() * WIDTH) as u64;
            let room = self.most.is_none_or(|most| self.playouts + step <= (end * most as f64) as u64);
            if self.spent() >= end || !room {
                return (sums, blocks);
            }
        }
    }
}
