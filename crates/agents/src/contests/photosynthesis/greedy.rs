//! A rule that looks one action ahead, at the change in the light of tomorrow (simongalasso, Spring Challenge 2021).

use boughs::spec::{Key, Spec};
use boughs::{Agent, SearchError, Session};
use boughs_games::NamedGame;
use boughs_games::photosynthesis::{Action, Answer, DIRECTIONS, Photosynthesis, Position, TALL};

use super::choices::{DayOrder, choices};
use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;

/// Plays the action that changes the light of tomorrow most, the own light against the other player's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Greedy {
    /// Unused: the agent has no randomness.
    seed: u64,
}

impl Spec for Greedy {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str = "a rule that looks one action ahead, at the light of tomorrow";

    fn keys() -> Vec<Key<Greedy>> {
        Vec::new()
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Build for Greedy {
    const GAME: Option<&'static str> = Some(Photosynthesis::NAME);

    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

impl ContestAlgorithm for Greedy {
    type Game = Photosynthesis;
    type Memory = ();

    fn memory(&self) -> Result<(), SearchError> {
        Ok(())
    }
    fn decide(&self, (): &mut (), question: &Question<'_, Photosynthesis>) -> DecisionIn<Photosynthesis> {
        let position = question.position.position();
        Decision::by_rule(best(position, super::asked(question.position)))
    }
}

/// The action by the rule.
pub(super) fn best(position: &Position, player: usize) -> Action {
    let mut listed = Vec::new();
    choices(position, player, DayOrder::default(), &mut listed);
    let tall = position.trees_of_size(player, TALL).count_ones();
    let completes = tall + u32::from(position.day()) > 20;
    let is_meant = |action: &&Action| match action {
        Action::Complete(_) => completes,
        _ => true,
    };
    // Of equal actions the first is played.
    let rated = listed.iter().filter(is_meant).map(|&action| (rate(position, player, action), action));
    rated.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(Action::Wait, |(_, action)| action)
}

/// The rank of an action. Completions come first, the richest before the others, and sleeping comes last. Other
/// actions are ranked by the light of tomorrow after them, and then by that of a whole turn of the sun.
fn rate(position: &Position, player: usize, action: Action) -> (i32, i32, i32) {
    let kind = match action {
        Action::Complete(cell) => 2 + position.ground().bonus(cell),
        Action::Grow(_) | Action::Seed { .. } => 1,
        Action::Wait | Action::Map(_) | Action::Disqualified => 0,
    };
    let mut after = *position;
    let answers = [0, 1].map(|who| {
        let does = if who == player { action } else { Action::Wait };
        (!position.is_asleep(who)).then_some(Answer::Act(does))
    });
    after.resolve(answers);
    let light = |ahead: usize| {
        let income = after.income((usize::from(position.day()) + ahead) % DIRECTIONS);
        i32::from(income[player]) - i32::from(income[1 - player])
    };
    (kind, light(1), (1..=DIRECTIONS).map(light).sum())
}
