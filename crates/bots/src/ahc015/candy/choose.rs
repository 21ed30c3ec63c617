//! Which tilt to play: every pair of tilts before what comes after, by sequential halving.

use boughs_games::ahc015::{CELLS, Step, Tilt};

use super::turn::Turn;
use crate::ahc015::batch::{Tilts, WIDTH, worth_of_square};
use crate::ahc015::layout::Layout;

impl Turn<'_> {
    /// Puts every pair of tilts before the plan and before the rule, and finds the best of them.
    pub(super) fn choose(&mut self, layout: Layout, plan: &Tilts) -> (Tilts, Vec<(Step, u64, f64)>) {
        let mut arms: Vec<Tilts> = vec![*plan];
        for first in Tilt::ALL {
            for second in Tilt::ALL {
                let mut arm = *plan;
                arm[self.now] = first;
                if self.now + 1 < CELLS - 1 {
                    arm[self.now + 1] = second;
                }
                let mut other = arm;
                layout.continue_plan(&mut other, &self.flavours, self.now, self.now + 2, self.position.leans());
                for arm in [arm, other] {
                    if !arms.contains(&arm) {
                        arms.push(arm);
                    }
                }
            }
        }
        let worth = worth_of_square(self.position);
        let (mut playouts, mut means) = ([0; 4], [f64::NEG_INFINITY; 4]);
        let mut totals: Vec<(u64, u64)> = vec![(0, 0); arms.len()];
        let rounds = arms.len().next_power_of_two().trailing_zeros().max(1);
        let begin = self.spent().min(0.95);
        for round in 1..=rounds {
            if !self.has_room(arms.len()) {
                break;
            }
            let end = begin + (1.0 - begin) * f64::from(round) / f64::from(rounds);
            let (sums, blocks) = self.play_until(&arms, end);
            for ((total, sum), arm) in totals.iter_mut().zip(sums).zip(&arms) {
                *total = (total.0 + sum, total.1 + blocks * WIDTH as u64);
                playouts[arm[self.now].index()] += blocks * WIDTH as u64;
            }
            let mean = |place: usize| totals[place].0 as f64 / totals[place].1 as f64;
            let mut round_means = [f64::NEG_INFINITY; 4];
            for (place, arm) in arms.iter().enumerate() {
                let best = &mut round_means[arm[self.now].index()];
                *best = best.max(mean(place) * worth);
            }
            means.iter_mut().zip(round_means).filter(|(_, new)| new.is_finite()).for_each(|(mean, new)| *mean = new);
            let mut order: Vec<usize> = (0..arms.len()).collect();
            order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            order.truncate(arms.len().div_ceil(2));
            (arms, totals) = order.into_iter().map(|place| (arms[place], totals[place])).unzip();
            if arms.iter().all(|arm| arm[self.now] == arms[0][self.now]) {
                break;
            }
        }
        let children = Tilt::ALL.into_iter().filter(|tilt| playouts[tilt.index()] > 0);
        let child = |tilt: Tilt| (Step::Tilt(tilt), playouts[tilt.index()], means[tilt.index()]);
        (arms[0], children.map(child).collect())
    }
}
