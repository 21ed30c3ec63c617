//! A rule that looks one action ahead (simongalasso, Spring Challenge 2021): what does it do to the light of tomorrow?

use boughs::{Agent, Key, SearchError, Spec};
use boughs_games::photosynthesis::Answer as Said;
use boughs_games::photosynthesis::{Action, DIRECTIONS, Photosynthesis, Position, TALL};

use super::choices::{Step, choices};
use crate::OwnAgent;
use crate::decide::{Answer, Decide, Question, build};

/// Plays what changes the light of tomorrow most, its own against the other's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Greedy {
    /// Nothing in it is random.
    seed: u64,
}

impl Spec for Greedy {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str = "a rule that looks one action ahead, at the light of tomorrow";
    const KEYS: &'static [Key<Greedy>] = &[];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl OwnAgent for Greedy {
    type Game = Photosynthesis;

    fn build(self, position: Photosynthesis) -> Result<Box<dyn Agent<Photosynthesis>>, SearchError> {
        build(self, position)
    }
}

impl Decide for Greedy {
    type Mind = ();

    fn mind(&self) -> Result<(), SearchError> {
        Ok(())
    }

    fn forget(&self, (): &mut ()) {}

    fn decide(&self, (): &mut (), question: &Question<'_, Photosynthesis>) -> Answer<Photosynthesis> {
        let position = question.position.position();
        Answer::by_rule(best(position, super::asked(question.position)))
    }
}

/// What the rule plays.
pub(super) fn best(position: &Position, player: usize) -> Action {
    let mut listed = Vec::new();
    choices(position, player, Step::default(), &mut listed);
    let tall = position.trees_of_size(player, TALL).count_ones();
    let completes = tall + u32::from(position.day()) > 20;
    let is_meant = |action: &&Action| match action {
        Action::Complete(_) => completes,
        _ => true,
    };
    // Of equals the first.
    let rated = listed.iter().filter(is_meant).map(|&action| (rate(position, player, action), action));
    rated.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(Action::Wait, |(_, action)| action)
}

/// A completion, the richest first, before all else and sleep behind all else; otherwise the light of tomorrow there is after
/// it, then that of a whole turn of the sun.
fn rate(position: &Position, player: usize, action: Action) -> (i32, i32, i32) {
    let kind = match action {
        Action::Complete(cell) => 2 + position.ground().bonus(cell),
        Action::Grow(_) | Action::Seed { .. } => 1,
        Action::Wait | Action::Map(_) | Action::Disqualified => 0,
    };
    let mut after = *position;
    let answers = [0, 1].map(|who| {
        let does = if who == player { action } else { Action::Wait };
        (!position.is_asleep(who)).then_some(Said::Act(does))
    });
    after.resolve(answers);
    let light = |ahead: usize| {
        let income = after.income((usize::from(position.day()) + ahead) % DIRECTIONS);
        i32::from(income[player]) - i32::from(income[1 - player])
    };
    (kind, light(1), (1..=DIRECTIONS).map(light).sum())
}
