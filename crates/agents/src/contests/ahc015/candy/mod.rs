//! Plan search, the best agent for AHC015: it keeps a plan for the rest of the case and improves it in every turn.
//!
//! A plan is a list of tilts, one for each candy to come. It does not look at the box, so it can be played on in many
//! boxes at once ([`batch`](crate::contests::ahc015::batch)) with new luck; and since all flavours are known from the
//! beginning, it is made for this case. The first plan is that of the rule of solution 2 with the layout that suits
//! the flavours best. In every turn, when the new candy is known, hill climbing changes the plan and keeps a change
//! if it is better on new luck. Then sequential halving (Karnin, Koren and Somekh 2013) compares all pairs of tilts,
//! each followed by the plan and by the rule, on the same luck. The last turns are searched to the end (`exact.rs`)
//! if there is time.

mod choose;
mod climb;
mod exact;
mod turn;

use std::time::Instant;

use boughs::run::{Pool, threads};
use boughs::spec::{Key, Spec};
use boughs::{Agent, Rng, SearchError, Session, StopReason};
use boughs_games::NamedGame;
use boughs_games::ahc015::{Ahc015, CELLS, Step, Tilt};

use self::turn::PlanSearch;
use crate::contests::ahc015::batch::{Tilts, flavours};
use crate::contests::ahc015::layout::Layout;
use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;

/// The options of the plan search.
#[derive(Clone, Debug, PartialEq)]
pub struct Candy {
    /// The share of a turn that goes to changes of the plan, in percent.
    pub climb: u32,
    /// The most plans it keeps, each with another layout.
    pub plans: u32,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// The seed of all randomness. It is not part of the text.
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
        "plan search: improves a plan for the rest of the case in every turn, by playouts of many boxes at once";

    fn keys() -> Vec<Key<Candy>> {
        vec![
            Key::number("climb", "percent of a turn that goes to changes of the plan", 0..=95, |agent| {
                &mut agent.climb
            }),
            Key::number("plans", "plans that are kept, each with another flavour apart", 1..=3, |agent| {
                &mut agent.plans
            }),
            Key::threads(|agent| &mut agent.threads),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Build for Candy {
    const GAME: Option<&'static str> = Some(Ahc015::NAME);

    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

/// The memory that is kept from turn to turn.
pub(crate) struct Memory {
    pool: Pool,
    /// The plans, the best first.
    plans: Vec<(Layout, Tilts)>,
    /// The flavours of the case and the turn that the plans are made for.
    made_for: Option<([u8; CELLS], usize)>,
    /// The measured speed of playouts, in candies a second.
    speed: Option<f64>,
}

impl ContestAlgorithm for Candy {
    type Game = Ahc015;
    type Memory = Memory;

    fn memory(&self) -> Result<Memory, SearchError> {
        Ok(Memory { pool: Pool::new(threads(self.threads))?, plans: Vec::new(), made_for: None, speed: None })
    }

    fn forget(&self, memory: &mut Memory) {
        memory.plans.clear();
    }

    fn decide(&self, memory: &mut Memory, question: &Question<'_, Ahc015>) -> DecisionIn<Ahc015> {
        let (position, began) = (question.position, Instant::now());
        let now = position.come() - 1;
        let turns = (CELLS - now) as f64;
        // The time is converted into playouts, so that nothing begins that cannot end in time: some turns are shorter
        // than a round of changes.
        let time = question.budget.deadline().map(|deadline| deadline.saturating_duration_since(began).as_secs_f64());
        let in_time = time.zip(memory.speed).map(|(time, speed)| (time * speed / turns) as u64);
        let mut turn = PlanSearch {
            position,
            now,
            flavours: flavours(position),
            pool: &memory.pool,
            seed: question.seed,
            budget: question.budget,
            began,
            most: [in_time, question.budget.most_iterations()].into_iter().flatten().min(),
            blocks: 0,
            playouts: 0,
            rng: Rng::new(question.seed, u64::MAX),
        };
        if turn.now == CELLS - 1 {
            return Decision::by_rule(Step::Tilt(Tilt::Front));
        }
        // Before a speed is measured, ten playouts a microsecond are a careful guess.
        let room = turn.most.or(time.map(|time| (time * 1e7) as u64)).unwrap_or(u64::MAX);
        if let Some(answer) = exact::answer(position, room) {
            return answer;
        }
        let is_later = memory.made_for.is_some_and(|(flavours, before)| flavours == turn.flavours && before < turn.now);
        memory.made_for = Some((turn.flavours, turn.now));
        if memory.plans.is_empty() || !is_later {
            memory.plans = turn.choose_layouts(0.2);
        }
        memory.plans.truncate(self.plans as usize);
        turn.climb(&mut memory.plans, f64::from(self.climb) / 100.0);
        let chosen = turn.choose(&memory.plans);
        memory.plans = chosen.plans;
        let (best, children) = (Some(Step::Tilt(chosen.tilt)), chosen.children);
        // Playouts come in blocks, so some may be left over.
        let rest = match turn.has_room(children.len().max(1)) {
            true => StopReason::Decided,
            false if in_time.is_some() && turn.most == in_time => StopReason::Time,
            false => StopReason::Iterations,
        };
        if turn.playouts > 0 {
            let seen = turn.playouts as f64 * turns / began.elapsed().as_secs_f64().max(1e-9);
            memory.speed = Some(memory.speed.map_or(seen, |before| (before + seen) / 2.0));
        }
        let stop = turn.budget.is_spent(turn.playouts).unwrap_or(rest);
        Decision { best, children, iterations: turn.playouts, depth: 2, stop }
    }
}
