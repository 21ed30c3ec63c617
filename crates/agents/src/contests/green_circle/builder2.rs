//! A rule with dice: it prefers the actions of a sensible player who does not look ahead, and plays others now and
//! then.

use std::mem::discriminant;

use boughs::spec::{Key, Spec};
use boughs::{Agent, Game, Rng, SearchError};
use boughs_games::NamedGame;
use boughs_games::green_circle::{
    BONUS, CODE_REVIEW, CODING, CONTINUOUS_INTEGRATION, DEBT, GreenCircle, Phase, REFACTORING, Step, TRAINING,
};

use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;

/// The options of the rule with dice. It takes CONTINUOUS_INTEGRATION, automates cards, and releases as soon as it
/// can.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Builder2 {
    /// The seed of its dice. It is not part of the text.
    pub seed: u64,
}

impl Spec for Builder2 {
    const NAME: &'static str = "builder2";
    const SUMMARY: &'static str = "plays by a rule with dice: automates cards and releases as soon as it can";

    fn keys() -> Vec<Key<Builder2>> {
        Vec::new()
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Build for Builder2 {
    const GAME: Option<&'static str> = Some(GreenCircle::NAME);

    fn build(&self, position: &dyn boughs::Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

impl ContestAlgorithm for Builder2 {
    type Game = GreenCircle;
    type Memory = ();

    fn memory(&self) -> Result<(), SearchError> {
        Ok(())
    }
    fn decide(&self, (): &mut (), question: &Question<'_, GreenCircle>) -> DecisionIn<GreenCircle> {
        let (position, mut steps) = (question.position, Vec::new());
        position.actions(&mut steps);
        let weights: Vec<f64> = steps.iter().map(|&step| weight(position, step, &steps)).collect();
        let mut left = Rng::new(question.seed, 0).unit() * weights.iter().sum::<f64>();
        let drawn = steps.iter().zip(&weights).find(|&(_, weight)| {
            left -= weight;
            left < 0.0
        });
        Decision { best: drawn.map(|(&step, _)| step).or(steps.first().copied()), ..Decision::by_rule(Step::Wait) }
    }
}

/// The probability of a step, relative to the other steps of the list.
fn weight(position: &GreenCircle, step: Step, steps: &[Step]) -> f64 {
    let seat = position.seat(position.active());
    match step {
        Step::Move { to, from } => weight_of_move(position, to, from),
        Step::Throw(CONTINUOUS_INTEGRATION) | Step::Give(CONTINUOUS_INTEGRATION) => 0.05,
        Step::Wait if position.phase() == Phase::Play => {
            let is_free = |id| position.cost(position.active(), id) == Some(0);
            if position.open_applications().any(is_free) { 1e9 } else { 0.05 }
        }
        Step::Wait => 0.0,
        Step::Play(TRAINING | CODING | CODE_REVIEW) => 2.0,
        Step::Play(REFACTORING) => 0.5 * if seat.hand.has(DEBT) { 1.0 } else { 0.05 },
        Step::Play(_) => 0.2,
        Step::Automate(kind) => 9.0 * if kind == BONUS { 6.0 } else { 3.0 } / alike(step, steps),
        Step::Prioritize { .. } => 0.1 / alike(step, steps),
        // The lowest cost is preferred. Costs go up to eight.
        Step::Release(id) => 1e-3_f64.powi(i32::from(position.cost(position.active(), id).unwrap_or(9))),
        Step::Draw(_) | Step::Deal(_) | Step::Throw(_) | Step::Give(_) => 1.0,
    }
}

fn weight_of_move(position: &GreenCircle, to: u8, from: u8) -> f64 {
    let (own, other) = (position.seat(position.active()).location, position.seat(1 - position.active()).location);
    let desk = match from {
        CONTINUOUS_INTEGRATION => 6.0,
        CODE_REVIEW => 1.5,
        _ => 1.0,
    };
    let is_near = other >= 0 && matches!((to as i8 - other).rem_euclid(8), 0 | 1 | 7);
    desk * if position.board_cards().has(from) { 1.0 } else { 0.3 }
        * if (to as i8) < own { 0.3 } else { 1.0 }
        * if is_near { 0.1 } else { 1.0 }
}

/// The number of ways to play the same card.
fn alike(step: Step, steps: &[Step]) -> f64 {
    steps.iter().filter(|other| discriminant(*other) == discriminant(&step)).count() as f64
}

#[cfg(test)]
mod tests {
    use boughs_games::green_circle::{Setup, TASK_PRIORITIZATION};

    use super::*;

    /// The weights of all automations and of all exchanges, with a first hand and the card of desk 4.
    fn weights(hand: [u8; 4]) -> [f64; 2] {
        let [a, b, c, d] = hand;
        let mut position = GreenCircle::new(&Setup { applications: 0xfff, piles: [[9, 9, 9, 9, a, b, c, d]; 2] });
        position.apply(Step::Move { to: 4, from: 4 });
        let mut steps = Vec::new();
        position.actions(&mut steps);
        let sum = |is_wanted: fn(&Step) -> bool| {
            let wanted = steps.iter().filter(|step| is_wanted(step));
            (wanted.map(|&step| weight(&position, step, &steps)).sum::<f64>() * 1e6).round() / 1e6
        };
        [sum(|step| matches!(step, Step::Automate(_))), sum(|step| matches!(step, Step::Prioritize { .. }))]
    }

    #[test]
    fn the_weight_of_a_card_is_shared_by_the_ways_to_play_it() {
        let (ci, tp, debt) = (CONTINUOUS_INTEGRATION, TASK_PRIORITIZATION, DEBT);
        assert_eq!(weights([ci, debt, debt, debt]), [27.0, 0.0]);
        assert_eq!(weights([ci, ci, debt, debt]), [27.0, 0.0]);
        assert_eq!(weights([ci, BONUS, debt, debt]), [(27.0 + 54.0) / 2.0, 0.0]);
        assert_eq!(weights([tp, BONUS, debt, debt]), [0.0, 0.1]);
    }
}
