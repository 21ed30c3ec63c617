//! The official referee: the generator that made the map goes on to shuffle the lists of actions for players.

use super::action::{Action, Answer, Outcome};
use super::map::Map;
use super::position::Position;
use super::random::JavaRandom;

/// A game as the official referee runs it.
///
/// ```
/// use boughs_games::photosynthesis::{Action, Answer, Referee};
///
/// let mut referee = Referee::new(176_318_528_827_765_712);
/// let [first, _] = referee.lists();
/// let first: Vec<String> = first.unwrap().iter().map(Action::to_string).collect();
/// assert_eq!(first.join(", "), "WAIT, SEED 22 23, SEED 35 18, SEED 22 9, SEED 22 21, SEED 35 17, SEED 35 36");
/// referee.resolve([Some(Answer::Act(Action::Wait)); 2]);
/// assert_eq!(referee.position().day(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referee {
    position: Position,
    random: JavaRandom,
}

impl Referee {
    /// The game of a seed, before its first turn.
    pub fn new(seed: i64) -> Referee {
        let mut random = JavaRandom::new(seed);
        let map = Map::generate(&mut random);
        Referee { position: Position::start(&map), random }
    }

    /// The same game with other nutrients at its start.
    pub fn with_nutrients(self, nutrients: u8) -> Referee {
        Referee { position: self.position.with_nutrients(nutrients), ..self }
    }

    /// The position before the next turn.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The lists of legal actions that the players are told, in order; `None` for a sleeping player. Call this once a
    /// turn: every list moves the generator on.
    pub fn lists(&mut self) -> [Option<Vec<Action>>; 2] {
        lists(&self.position, &mut self.random)
    }

    /// See [`Position::resolve`].
    pub fn resolve(&mut self, answers: [Option<Answer>; 2]) -> [Option<Outcome>; 2] {
        self.position.resolve(answers)
    }
}

/// Draws the lists of legal actions that the players are told; `None` for a sleeping player.
pub(super) fn lists(position: &Position, random: &mut JavaRandom) -> [Option<Vec<Action>>; 2] {
    [0, 1].map(|player| {
        (!position.is_over() && !position.is_asleep(player)).then(|| {
            let mut list = Vec::new();
            position.list(player, &mut list, |group| random.shuffle(group));
            list
        })
    })
}
