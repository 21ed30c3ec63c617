//! The best agent for AHC015: it keeps a plan for the rest of the case, and improves it in every turn.
//!
//! A plan is a list of tilts, one for each candy to come. It does not look at the box, so it can be played on in many boxes at
//! once ([`batch`](crate::ahc015::batch)), with luck drawn anew; and since all flavours are known from the beginning, it is made for the
//! very case. It begins as the rule of solution 2 with the layout that suits the flavours best. Every turn, when the new candy
//! is seen, it is first changed here and there, and a change is kept if it is better on new luck. Then each pair of tilts is put
//! before what the plan and the rule say after that, and sequential halving (Karnin, Koren and Somekh 2013) finds the best of
//! them, all being compared on the same luck. The last turns it looks ahead to the end (`exact.rs`) where there is time for it.

mod choose;
mod climb;
mod exact;
mod turn;

use std::time::Instant;

use boughs::spec::{Key, Spec, number};
use boughs::{Agent, MAX_THREADS, Rng, SearchError, StopReason, cores};
use boughs_games::ahc015::{Ahc015, CELLS, Step, Tilt};

use self::turn::Turn;
use crate::OwnAgent;
use crate::ahc015::batch::{Tilts, flavours};
use crate::ahc015::layout::Layout;
use crate::decide::{self, Answer, Decide, Question};

/// Everything that can be set about the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Candy {
    /// How much of a turn goes to changes of the plan, in percent.
    pub climb: u32,
    /// How many plans it keeps at most, each for a layout of its own.
    pub plans: u32,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Candy {
    fn default() -> Candy {
        Candy { climb: 80, plans: 1, threads: 1, seed: 0 }
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
            name: "plans",
            help: "plans that are kept, each with another flavour apart",
            values: "1, 2 or 3",
            get: |spec| spec.plans.to_string(),
            set: |spec, text| number(text, 1..=3).map(|plans| spec.plans = plans),
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
    /// The plans it has, the best first.
    plans: Vec<(Layout, Tilts)>,
    /// What case and what turn they are for.
    made_for: Option<([u8; CELLS], usize)>,
    /// How many candies of playouts fall in a second, as far as that was seen.
    speed: Option<f64>,
}

impl Decide for Candy {
    type Mind = Mind;

    fn mind(&self) -> Result<Mind, SearchError> {
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| SearchError::Threads(error.to_string()))?;
        Ok(Mind { pool, plans: Vec::new(), made_for: None, speed: None })
    }

    fn forget(&self, mind: &mut Mind) {
        mind.plans.clear();
    }

    fn decide(&self, mind: &mut Mind, question: &Question<'_, Ahc015>) -> Answer<Ahc015> {
        let (position, began) = (question.position, Instant::now());
        let now = position.come() - 1;
        let turns = (CELLS - now) as f64;
        // Time is turned into playouts, so that nothing is begun that there is no time for: some turns are shorter than a
        // round of changes.
        let time = question.budget.deadline().map(|deadline| deadline.saturating_duration_since(began).as_secs_f64());
        let in_time = time.zip(mind.speed).map(|(time, speed)| (time * speed / turns) as u64);
        let mut turn = Turn {
            position,
            now,
            flavours: flavours(position),
            pool: mind.pool.as_ref(),
            seed: question.seed,
            budget: question.budget,
            began,
            most: [in_time, question.budget.most_iterations()].into_iter().flatten().min(),
            blocks: 0,
            playouts: 0,
            rng: Rng::new(question.seed, u64::MAX),
        };
        if turn.now == CELLS - 1 {
            return Answer::by_rule(Step::Tilt(Tilt::Front));
        }
        // As long as no speed is known, ten playouts a microsecond are a careful guess.
        let room = turn.most.or(time.map(|time| (time * 1e7) as u64)).unwrap_or(u64::MAX);
        if let Some(answer) = exact::answer(position, room) {
            return answer;
        }
        let is_later = mind.made_for.is_some_and(|(flavours, before)| flavours == turn.flavours && before < turn.now);
        mind.made_for = Some((turn.flavours, turn.now));
        if mind.plans.is_empty() || !is_later {
            mind.plans = turn.choose_layouts(0.2);
        }
        mind.plans.truncate(self.plans as usize);
        turn.climb(&mut mind.plans, f64::from(self.climb) / 100.0);
        let chosen = turn.choose(&mind.plans);
        mind.plans = chosen.plans;
        let (best, children) = (Some(Step::Tilt(chosen.tilt)), chosen.children);
        // Playouts come by the block, so some may be left over.
        let rest = match (turn.has_room(children.len().max(1)), time) {
            (true, _) => StopReason::Decided,
            (false, None) => StopReason::Iterations,
            (false, Some(_)) => StopReason::Time,
        };
        if turn.playouts > 0 {
            let seen = turn.playouts as f64 * turns / began.elapsed().as_secs_f64().max(1e-9);
            mind.speed = Some(mind.speed.map_or(seen, |before| (before + seen) / 2.0));
        }
        let stop = turn.budget.is_spent(turn.playouts).unwrap_or(rest);
        Answer { best, children, iterations: turn.playouts, depth: 2, stop }
    }
}
