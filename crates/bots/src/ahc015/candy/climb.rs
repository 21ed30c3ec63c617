//! The plan, and how it gets better: where it comes from, and changes that are kept if they win on new luck.

use boughs_games::ahc015::{CELLS, Tilt};

use super::turn::Turn;
use crate::ahc015::batch::{Tilts, WIDTH};
use crate::ahc015::layout::Layout;

/// Rounds of changes: how many plans, and on how many blocks of luck.
const ROUNDS: [(usize, u64); 3] = [(16, 2), (4, 8), (1, 24)];

impl Turn<'_> {
    /// The layout that suits the flavours best, and its rule's plan.
    pub(super) fn choose_layout(&mut self, end: f64) -> (Layout, Tilts) {
        let mut all: Vec<(Layout, Tilts)> = Layout::all()
            .into_iter()
            .map(|layout| {
                let mut plan = [Tilt::Front; CELLS];
                layout.continue_plan(&mut plan, &self.flavours, self.now, self.now, self.position.leans());
                (layout, plan)
            })
            .collect();
        for round in 1..=3 {
            if !self.has_room(all.len()) {
                break;
            }
            let plans: Vec<Tilts> = all.iter().map(|(_, plan)| *plan).collect();
            let (sums, _) = self.play_until(&plans, end * f64::from(round) / 3.0);
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by_key(|&place| std::cmp::Reverse(sums[place]));
            order.truncate(if round == 3 { 1 } else { all.len().div_ceil(3) });
            all = order.into_iter().map(|place| all[place]).collect();
        }
        all[0]
    }

    /// Changes the plan here and there.
    pub(super) fn climb(&mut self, plan: &mut Tilts, end: f64) {
        let cost: u64 = ROUNDS.iter().map(|&(plans, blocks)| (plans as u64 + 1) * blocks * WIDTH as u64).sum();
        while self.spent() < end
            && self.budget.most_iterations().is_none_or(|most| self.playouts + cost <= (end * most as f64) as u64)
        {
            let mut changed: Vec<Tilts> = (0..ROUNDS[0].0).map(|_| self.change(plan)).collect();
            for (round, &(_, blocks)) in ROUNDS.iter().enumerate() {
                changed.push(*plan);
                let mut sums = vec![0i64; changed.len()];
                let found = self.play(&changed, blocks);
                for block in &found {
                    sums.iter_mut().zip(block).for_each(|(sum, &new)| *sum += new as i64);
                }
                let mine = sums.pop().unwrap_or(0);
                changed.pop();
                let mut order: Vec<usize> = (0..changed.len()).filter(|&place| sums[place] > mine).collect();
                order.sort_by_key(|&place| std::cmp::Reverse(sums[place]));
                order.truncate(ROUNDS.get(round + 1).map_or(1, |&(plans, _)| plans));
                changed = order.into_iter().map(|place| changed[place]).collect();
                if changed.is_empty() {
                    break;
                }
            }
            if let Some(better) = changed.first() {
                *plan = *better;
            }
        }
    }

    /// The plan with a small change.
    pub(super) fn change(&mut self, plan: &Tilts) -> Tilts {
        let mut changed = *plan;
        let last = CELLS - 2;
        let turns = (last - self.now + 1) as u32;
        for _ in 0..8 {
            let place = self.now + self.rng.below(turns) as usize;
            match self.rng.below(4) {
                0 | 1 => changed[place] = Tilt::ALL[self.rng.below(4) as usize],
                2 => {
                    changed[place] = Tilt::ALL[self.rng.below(4) as usize];
                    let other = (place + 1 + self.rng.below(3) as usize).min(last);
                    changed[other] = Tilt::ALL[self.rng.below(4) as usize];
                }
                _ => changed.swap(place, (place + 1).min(last)),
            }
            if changed != *plan {
                break;
            }
        }
        changed
    }
}
