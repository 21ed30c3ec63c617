//! The evaluator of leaves: priors by the learned evaluation of the own turn, values by playing on for some turns.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use boughs::logarithm::exp;
use boughs::{Budget, Evaluations, Evaluator, Game, Knowledge, Leaf, Rng, StopReason, Turn};
use boughs_games::Features;
use boughs_games::green_circle::{GreenCircle, Step};

use super::Foresight;
use super::play::{Play, TurnSearches};
use crate::search::lock;
use crate::turn::{ActionValues, TurnSearch};

/// The most positions of the own turn that are examined before the search.
const OWN_POSITIONS: usize = 100_000;

/// The divisor of the time that gives the limit for that.
const OWN_SHARE: u32 = 3;

/// Values of leaves, and priors of the best actions. It keeps what is known of the own turn from search to search.
pub(super) struct TurnEvaluator {
    turns: u32,
    width: usize,
    positions: usize,
    spread: f64,
    weights: Vec<f64>,
    known: Mutex<Arc<Known>>,
    /// Working memory that no evaluation uses now.
    free: Mutex<Vec<TurnSearches>>,
}

/// The knowledge of the decision that is searched.
struct Known {
    /// The number of the turn, for working memory to know whether it is of this turn.
    turn: u64,
    /// The key of the position.
    root: u64,
    /// The values of its actions.
    values: ActionValues<Step>,
    /// The search of the turn, if it came to the end.
    search: TurnSearch<GreenCircle>,
}

impl TurnEvaluator {
    pub(super) fn new(agent: &Foresight, weights: Vec<f64>) -> TurnEvaluator {
        let (width, positions) = (agent.width as usize, agent.positions as usize);
        let nothing = ActionValues { actions: Vec::new(), is_whole: false };
        let known = Known { turn: 0, root: 0, values: nothing, search: TurnSearch::new(OWN_POSITIONS) };
        let (known, free) = (Mutex::new(Arc::new(known)), Mutex::new(Vec::new()));
        TurnEvaluator { turns: agent.turns, width, positions, spread: agent.spread, weights, known, free }
    }

    /// Values the actions of the next decision by the evaluation, in a part of the time. If the turn goes on, the
    /// positions that are known stay known. Returns the best action, and the number of actions with a prior.
    pub(super) fn prepare(
        &self,
        position: &GreenCircle,
        goes_on: bool,
        budget: &Budget,
        rng: &mut Rng,
    ) -> (Option<Step>, usize) {
        let began = Instant::now();
        let until = budget.deadline().map(|end| began + end.saturating_duration_since(began) / OWN_SHARE);
        let is_spent = || is_over(budget) || until.is_some_and(|until| Instant::now() >= until);
        let mut shared = lock(&self.known);
        if Arc::get_mut(&mut shared).is_none() {
            // An evaluation of an earlier search still reads it.
            let (turn, values) = (shared.turn, ActionValues { actions: Vec::new(), is_whole: false });
            *shared = Arc::new(Known { turn, root: 0, values, search: TurnSearch::new(OWN_POSITIONS) });
        }
        let Some(known) = Arc::get_mut(&mut shared) else { return (None, 0) };
        if !(goes_on && known.values.is_whole) {
            known.search.begin();
            known.turn += 1;
        }
        known.root = position.key();
        known.values = known.search.values(position, position.active(), &self.weights, rng, is_spent);
        (super::play::best(&known.values.actions), known.values.actions.len().min(self.width))
    }

    /// Priors for the best actions, and 0 for the others.
    fn priors(&self, values: &[(Step, f64)]) -> Vec<f32> {
        let mut sorted: Vec<f64> = values.iter().map(|&(_, value)| value).collect();
        sorted.sort_by(|one, other| other.total_cmp(one));
        let Some(&best) = sorted.first() else { return Vec::new() };
        let least = sorted[self.width.min(sorted.len()) - 1];
        // Of equal actions the first ones are among the best.
        let mut equals = self.width - sorted[..self.width.min(sorted.len())].iter().filter(|&&it| it > least).count();
        let prior = |&(_, value): &(Step, f64)| {
            let is_in = value > least || value == least && equals > 0;
            equals -= usize::from(is_in && value == least);
            if is_in { exp((value - best) / self.spread) as f32 } else { 0.0 }
        };
        values.iter().map(prior).collect()
    }

    fn evaluate_one(
        &self,
        leaf: &Leaf<'_, GreenCircle>,
        known: &Known,
        searches: &mut TurnSearches,
    ) -> (f64, Vec<f32>) {
        let (mut game, mut rng) = (*leaf.position, Rng::new(leaf.seed, 0));
        let (player, has_choice) = (game.active(), !leaf.actions.is_empty());
        if has_choice && game.key() == known.root {
            return (0.5, self.priors(&known.values.actions));
        }
        if known.values.is_whole && searches.turn != known.turn {
            searches.own.clone_from(&known.search);
            searches.turn = known.turn;
        }
        game.determinize(player, &mut rng);
        let is_over = || leaf.is_over();
        let play = Play {
            player,
            turns: self.turns,
            weights: &self.weights,
            is_known: known.values.is_whole,
            is_over: &is_over,
        };
        let mut values = Vec::new();
        let value = play.value(game, has_choice.then_some(&mut values), searches, &mut rng);
        (value, self.priors(&values))
    }
}

impl Evaluator<GreenCircle> for TurnEvaluator {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    /// The tree ends with the own turn, because the cards drawn then are hardly ever the same twice.
    fn expands(&self, position: &GreenCircle) -> bool {
        !position.ends_turn() || position.turn() != Turn::Chance
    }

    fn evaluate(&self, leaves: &[Leaf<'_, GreenCircle>], out: &mut Evaluations) {
        let known = lock(&self.known).clone();
        let free = lock(&self.free).pop();
        let mut searches = free.unwrap_or_else(|| TurnSearches {
            own: TurnSearch::new(OWN_POSITIONS),
            others: TurnSearch::new(self.positions),
            turn: 0,
        });
        for leaf in leaves {
            let (value, priors) = self.evaluate_one(leaf, &known, &mut searches);
            let mut values = [1.0 - value; 2];
            values[leaf.position.active()] = value;
            out.push(&values, &priors);
        }
        lock(&self.free).push(searches);
    }
}

/// Returns true if a search has to end, for any number of playouts.
fn is_over(budget: &Budget) -> bool {
    budget.is_spent(0).is_some_and(|stop| stop != StopReason::Iterations)
}
