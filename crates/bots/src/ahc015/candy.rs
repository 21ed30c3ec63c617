//! The best agent for AHC015: it keeps a plan for the rest of the case, and improves it in every turn.
//!
//! A plan is a list of tilts, one for each candy to come. It does not look at the box, so it can be played on in many boxes at
//! once ([`batch`](super::batch)), with luck drawn anew; and since all flavours are known from the beginning, it is made for the
//! very case. It begins as the rule of solution 2 with the layout that suits the flavours best. Every turn, when the new candy
//! is seen, it is first changed here and there, and a change is kept if it is better on new luck. Then each pair of tilts is put
//! before what the plan and the rule say after that, and sequential halving (Karnin, Koren and Somekh 2013) finds the best of
//! them, all being compared on the same luck.

use std::time::Instant;

use boughs::spec::{Key, Spec, number};
use boughs::{Agent, Budget, MAX_THREADS, Rng, SearchError, StopReason, cores};
use boughs_games::ahc015::{Ahc015, CELLS, Step, Tilt};
use rayon::prelude::*;

use super::batch::{Luck, Tilts, WIDTH, draw, flavours, play_out, worth_of_square};
use super::layout::Layout;
use crate::OwnAgent;
use crate::decide::{self, Answer, Decide, Question};

/// Everything that can be set about the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Candy {
    /// How much of a turn goes to changes of the plan, in percent.
    pub climb: u32,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Candy {
    fn default() -> Candy {
        Candy { climb: 50, threads: 1, seed: 0 }
    }
}

impl Spec for Candy {
    const NAME: &'static str = "candy";
    const SUMMARY: &'static str =
        "improves a plan for the rest of the case in every turn, by playouts of many boxes at once";
    const KEYS: &'static [Key<Candy>] = &[
        Key {
            name: "climb",
            help: "percent of a turn that goes to changes of the plan",
            values: "a whole number from 0 to 95",
            get: |spec| spec.climb.to_string(),
            set: |spec, text| number(text, 0..=95).map(|climb| spec.climb = climb),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |spec| spec.threads.to_string(),
            set: |spec, text| number(text, 0..=MAX_THREADS).map(|threads| spec.threads = threads),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl OwnAgent for Candy {
    type Game = Ahc015;

    fn build(self, position: Ahc015) -> Result<Box<dyn Agent<Ahc015>>, SearchError> {
        decide::build(self, position)
    }
}

/// What is kept from turn to turn.
pub(crate) struct Mind {
    pool: Option<rayon::ThreadPool>,
    plan: Option<(Layout, Tilts)>,
}

impl Decide for Candy {
    type Mind = Mind;

    fn mind(&self) -> Result<Mind, SearchError> {
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| SearchError::Threads(error.to_string()))?;
        Ok(Mind { pool, plan: None })
    }

    fn forget(&self, mind: &mut Mind) {
        mind.plan = None;
    }

    fn decide(&self, mind: &mut Mind, question: &Question<'_, Ahc015>) -> Answer<Ahc015> {
        let position = question.position;
        let mut turn = Turn {
            position,
            now: position.come() - 1,
            flavours: flavours(position),
            pool: mind.pool.as_ref(),
            seed: question.seed,
            budget: question.budget,
            began: Instant::now(),
            blocks: 0,
            playouts: 0,
            rng: Rng::new(question.seed, u64::MAX),
        };
        if turn.now == CELLS - 1 {
            return Answer::by_rule(Step::Tilt(Tilt::Front));
        }
        let (layout, mut plan) = mind.plan.unwrap_or_else(|| turn.choose_layout(0.2));
        turn.climb(&mut plan, f64::from(self.climb) / 100.0);
        let (plan, children) = turn.choose(layout, &plan);
        mind.plan = Some((layout, plan));
        let best = Some(Step::Tilt(plan[turn.now]));
        let stop = turn.budget.is_spent(turn.playouts).unwrap_or(StopReason::Decided);
        Answer { best, children, iterations: turn.playouts, depth: 2, stop }
    }
}

/// One decision under way.
struct Turn<'t> {
    position: &'t Ahc015,
    now: usize,
    flavours: [u8; CELLS],
    pool: Option<&'t rayon::ThreadPool>,
    seed: u64,
    budget: &'t Budget,
    began: Instant,
    /// Blocks of luck that were drawn.
    blocks: u64,
    playouts: u64,
    rng: Rng,
}

/// Rounds of changes: how many plans, and on how many blocks of luck.
const ROUNDS: [(usize, u64); 3] = [(16, 2), (4, 8), (1, 24)];

impl Turn<'_> {
    /// How much of the budget is used up: 1 if all is.
    fn spent(&self) -> f64 {
        let playouts = self.budget.most_iterations().map_or(0.0, |most| self.playouts as f64 / most.max(1) as f64);
        let time = self.budget.deadline().map_or(0.0, |deadline| {
            let all = deadline.saturating_duration_since(self.began).as_secs_f64();
            if all > 0.0 { self.began.elapsed().as_secs_f64() / all } else { 1.0 }
        });
        let stop = if self.budget.is_spent(self.playouts).is_some() { 1.0 } else { 0.0f64 };
        // Without a limit, 100,000 playouts will do.
        let endless = self.budget.most_iterations().is_none() && self.budget.deadline().is_none();
        let default = if endless { self.playouts as f64 / 1e5 } else { 0.0 };
        playouts.max(time).max(stop).max(default)
    }

    /// Plays plans on, all with the same luck; the sums of squares of each, block by block.
    fn play(&mut self, plans: &[Tilts], blocks: u64) -> Vec<Vec<u64>> {
        let first = self.blocks;
        self.blocks += blocks;
        self.playouts += blocks * (plans.len() * WIDTH) as u64;
        let (board, now, flavours, seed) = (self.position.board_now(), self.now, &self.flavours, self.seed);
        let play = |luck: &mut Luck, block: u64| -> Vec<u64> {
            draw(luck, seed, block, now + 1);
            let sum = |plan| play_out(board, now, plan, flavours, luck).iter().map(|&sum| u64::from(sum)).sum();
            plans.iter().map(sum).collect()
        };
        let fresh = || Box::new([[0; WIDTH]; CELLS]);
        match self.pool {
            None => {
                let mut luck = fresh();
                (first..first + blocks).map(|block| play(&mut luck, block)).collect()
            }
            Some(pool) => pool.install(|| {
                (first..first + blocks).into_par_iter().map_init(fresh, |luck, block| play(luck, block)).collect()
            }),
        }
    }

    /// Blocks to play at once, between looks at the clock.
    fn at_once(&self) -> u64 {
        self.pool.map_or(1, |pool| pool.current_num_threads() as u64)
    }

    /// Whether the budget has room for so many plans, played on once side by side.
    fn has_room(&self, plans: usize) -> bool {
        let step = (plans * WIDTH) as u64;
        self.budget.most_iterations().is_none_or(|most| self.playouts + step <= most) && self.spent() < 1.0
    }

    /// Plays plans on until so much of the budget is used up; the sums of squares of each, and how many blocks.
    fn play_until(&mut self, plans: &[Tilts], end: f64) -> (Vec<u64>, u64) {
        let (mut sums, mut blocks) = (vec![0; plans.len()], 0);
        loop {
            let several = match (self.budget.most_iterations(), self.budget.deadline()) {
                (Some(most), None) => {
                    let left = ((end * most as f64) as u64).saturating_sub(self.playouts);
                    (left / (plans.len() * WIDTH) as u64).max(1)
                }
                _ => self.at_once(),
            };
            for block in self.play(plans, several) {
                sums.iter_mut().zip(block).for_each(|(sum, new)| *sum += new);
            }
            blocks += several;
            let step = (plans.len() * WIDTH) as u64;
            let room =
                self.budget.most_iterations().is_none_or(|most| self.playouts + step <= (end * most as f64) as u64);
            if self.spent() >= end || !room {
                return (sums, blocks);
            }
        }
    }

    /// The layout that suits the flavours best, and its rule's plan.
    fn choose_layout(&mut self, end: f64) -> (Layout, Tilts) {
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
    fn climb(&mut self, plan: &mut Tilts, end: f64) {
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
    fn change(&mut self, plan: &Tilts) -> Tilts {
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

    /// Puts every pair of tilts before the plan and before the rule, and finds the best of them.
    fn choose(&mut self, layout: Layout, plan: &Tilts) -> (Tilts, Vec<(Step, u64, f64)>) {
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
