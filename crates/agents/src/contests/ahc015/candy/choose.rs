//! The choice of a tilt by sequential halving: every pair of tilts, followed by a plan or by its rule.

use std::cmp::Ordering;

use boughs_games::ahc015::{CELLS, Step, Tilt};

use super::turn::PlanSearch;
use crate::contests::ahc015::batch::{Tilts, WIDTH, worth_of_square};
use crate::contests::ahc015::layout::Layout;

/// The number of arms without room for all: the first plan, and each tilt followed by its rule.
const FEW: usize = 5;

/// An arm of the bandit: a plan that begins with a certain pair of tilts.
struct Arm {
    /// The index of the plan it goes on with.
    of: usize,
    tilts: Tilts,
    playouts: u64,
    sum: u64,
}

impl Arm {
    fn mean(&self) -> f64 {
        self.sum as f64 / self.playouts.max(1) as f64
    }
}

/// The choice of a turn.
pub(super) struct Chosen {
    /// The tilt to play.
    pub(super) tilt: Tilt,
    /// The plans to go on with, which begin with that tilt; the best first.
    pub(super) plans: Vec<(Layout, Tilts)>,
    /// The playouts and the worth of each tilt.
    pub(super) children: Vec<(Step, u64, f64)>,
}

impl PlanSearch<'_> {
    /// Finds the best arm by sequential halving.
    pub(super) fn choose(&mut self, plans: &[(Layout, Tilts)]) -> Chosen {
        let mut arms = self.beginnings(plans);
        // Without room for all arms a few are examined well.
        let count = if self.affordable() < arms.len() { FEW.min(self.affordable()).max(1) } else { arms.len() };
        let mut left: Vec<usize> = (0..count.min(arms.len())).collect();
        let rounds = left.len().next_power_of_two().trailing_zeros().max(1);
        let begin = self.spent().min(0.95);
        for round in 1..=rounds {
            if !self.has_room(left.len()) {
                break;
            }
            let end = begin + (1.0 - begin) * f64::from(round) / f64::from(rounds);
            let tilts: Vec<Tilts> = left.iter().map(|&place| arms[place].tilts).collect();
            let (sums, blocks) = self.play_until(&tilts, end);
            for (&place, sum) in left.iter().zip(sums) {
                arms[place].sum += sum;
                arms[place].playouts += blocks * WIDTH as u64;
            }
            left.sort_by(|&a, &b| arms[b].mean().total_cmp(&arms[a].mean()));
            left.truncate(left.len().div_ceil(2));
            if left.iter().all(|&place| arms[place].tilts[self.now] == arms[left[0]].tilts[self.now]) {
                break;
            }
        }
        if self.budget.most_iterations().is_none() {
            self.look_once(&mut arms);
        }
        self.chosen(&arms, left[0], plans)
    }

    /// Plays each tilt that was not examined once, so that the report says something about all of them; in late turns
    /// that takes no time. It does not change the choice.
    fn look_once(&mut self, arms: &mut [Arm]) {
        let mut missing = Vec::new();
        for tilt in Tilt::ALL {
            let of_tilt = || (0..arms.len()).filter(|&place| arms[place].tilts[self.now] == tilt);
            if of_tilt().all(|place| arms[place].playouts == 0) {
                missing.extend(of_tilt().next());
            }
        }
        if missing.is_empty() {
            return;
        }
        let tilts: Vec<Tilts> = missing.iter().map(|&place| arms[place].tilts).collect();
        for sums in self.play(&tilts, 1) {
            for (&place, sum) in missing.iter().zip(sums) {
                arms[place].sum += sum;
                arms[place].playouts += WIDTH as u64;
            }
        }
    }

    fn chosen(&self, arms: &[Arm], best: usize, plans: &[(Layout, Tilts)]) -> Chosen {
        let tilt = arms[best].tilts[self.now];
        let better = |one: &&Arm, other: &&Arm| {
            (one.playouts, one.mean()).partial_cmp(&(other.playouts, other.mean())).unwrap_or(Ordering::Equal)
        };
        let of_plan = |of: usize| arms.iter().filter(|arm| arm.of == of && arm.tilts[self.now] == tilt).max_by(better);
        let mut kept = vec![(plans[arms[best].of].0, arms[best].tilts)];
        for of in (0..plans.len()).filter(|&of| of != arms[best].of) {
            kept.extend(of_plan(of).map(|arm| (plans[of].0, arm.tilts)));
        }
        let worth = worth_of_square(self.position);
        let child = |tilt: Tilt| {
            let of_tilt = || arms.iter().filter(|arm| arm.playouts > 0 && arm.tilts[self.now] == tilt);
            let mean = of_tilt().max_by(better)?.mean() * worth;
            Some((Step::Tilt(tilt), of_tilt().map(|arm| arm.playouts).sum(), mean))
        };
        Chosen { tilt, plans: kept, children: Tilt::ALL.into_iter().filter_map(child).collect() }
    }

    /// All arms: every pair of tilts, followed by each plan and by its rule. The first plan itself comes first, and
    /// then each tilt followed by its rule.
    fn beginnings(&self, plans: &[(Layout, Tilts)]) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut add = |of: usize, tilts: Tilts| {
            if arms.iter().all(|arm| arm.tilts != tilts) {
                arms.push(Arm { of, tilts, playouts: 0, sum: 0 });
            }
        };
        for (of, &(layout, plan)) in plans.iter().enumerate() {
            add(of, plan);
            for tilt in Tilt::ALL {
                let mut by_rule = plan;
                by_rule[self.now] = tilt;
                layout.continue_plan(&mut by_rule, &self.flavours, self.now, self.now + 1, self.position.leans());
                add(of, by_rule);
            }
            for pair in 0..16 {
                let mut by_plan = plan;
                by_plan[self.now] = Tilt::ALL[pair / 4];
                by_plan[(self.now + 1).min(CELLS - 1)] = Tilt::ALL[pair % 4];
                let mut by_rule = by_plan;
                layout.continue_plan(&mut by_rule, &self.flavours, self.now, self.now + 2, self.position.leans());
                add(of, by_plan);
                add(of, by_rule);
            }
        }
        arms
    }
}
