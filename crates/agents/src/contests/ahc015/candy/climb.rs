//! Plans by hill climbing: the first plan is that of a rule, and changes are kept if they win on new luck.

use boughs_games::ahc015::{CELLS, Tilt};

use super::turn::PlanSearch;
use crate::contests::ahc015::batch::{Tilts, WIDTH};
use crate::contests::ahc015::layout::Layout;

/// The rounds of changes: the number of plans, and the blocks of luck for each.
const ROUNDS: [(usize, u64); 3] = [(16, 2), (4, 8), (1, 24)];

impl PlanSearch<'_> {
    /// The best layout for each flavour that may be kept apart, with the plan of its rule. The best one for the case
    /// comes first.
    pub(super) fn choose_layouts(&mut self, end: f64) -> Vec<(Layout, Tilts)> {
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
            all = order.into_iter().map(|place| all[place]).collect();
            let most = [4, 2, 1][round as usize - 1];
            let mut counts = [0; 4];
            all.retain(|(layout, _)| {
                counts[usize::from(layout.apart)] += 1;
                counts[usize::from(layout.apart)] <= most
            });
        }
        let mut seen = [false; 4];
        all.retain(|(layout, _)| !std::mem::replace(&mut seen[usize::from(layout.apart)], true));
        all
    }

    /// Improves the plans in turn until the share of the budget is used up.
    pub(super) fn climb(&mut self, plans: &mut [(Layout, Tilts)], end: f64) {
        let cost: u64 = ROUNDS.iter().map(|&(plans, blocks)| (plans as u64 + 1) * blocks * WIDTH as u64).sum();
        let mut turns = (0..plans.len()).cycle();
        while self.spent() < end && self.most.is_none_or(|most| self.playouts + cost <= (end * most as f64) as u64) {
            let Some(which) = turns.next() else { return };
            self.improve(&mut plans[which].1);
        }
    }

    /// Tries changes of a plan, and keeps the best one if it wins in all rounds.
    fn improve(&mut self, plan: &mut Tilts) {
        let mut changed: Vec<Tilts> = (0..ROUNDS[0].0).map(|_| self.change(plan)).collect();
        for (round, &(_, blocks)) in ROUNDS.iter().enumerate() {
            changed.push(*plan);
            let mut sums = vec![0; changed.len()];
            for block in self.play(&changed, blocks) {
                sums.iter_mut().zip(block).for_each(|(sum, new)| *sum += new);
            }
            let mine = sums.pop().unwrap_or(0);
            changed.pop();
            let mut order: Vec<usize> = (0..changed.len()).filter(|&place| sums[place] > mine).collect();
            order.sort_by_key(|&place| std::cmp::Reverse(sums[place]));
            order.truncate(ROUNDS.get(round + 1).map_or(1, |&(plans, _)| plans));
            changed = order.into_iter().map(|place| changed[place]).collect();
        }
        if let Some(better) = changed.first() {
            *plan = *better;
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
