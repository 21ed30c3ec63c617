//! The checks that need the type of a game's actions. The suite itself is compiled once, for all games, and knows
//! actions by their codes.

use crate::{Action, Game, Rng, Turn};

/// The part of the suite that is compiled for each game.
pub trait TypedChecks {
    /// Lists the legal actions twice into one buffer, and checks that the code of each is not too large and converts
    /// back.
    ///
    /// # Errors
    /// One sentence about the promise that is broken.
    fn check_listing(&self) -> Result<(), String>;

    /// Draws an outcome of chance, and checks that it has a code that is not too large and converts back.
    ///
    /// # Errors
    /// One sentence about the promise that is broken.
    fn check_outcome(&self, rng: Rng) -> Result<(), String>;

    /// Draws actions of a light playout, or outcomes where chance acts. All draws share one scratch buffer, as in a
    /// playout.
    fn draws(&self, count: usize, rng: &mut Rng) -> Vec<Option<u32>>;

    /// The code of the [winning action](Game::winning_action).
    fn winning_code(&self) -> Option<u32>;

    /// The code of a [heavy action](Game::heavy_action).
    fn heavy_code(&self, rng: &mut Rng) -> Option<u32>;

    /// The action of a code as `Debug` prints it.
    fn debug_text(&self, action: u32) -> String;
}

impl<G: Game> TypedChecks for G {
    fn check_listing(&self) -> Result<(), String> {
        let mut twice = Vec::new();
        self.actions(&mut twice);
        let listed = twice.clone();
        self.actions(&mut twice);
        if twice.split_at_checked(listed.len()).is_none_or(|(first, second)| first != listed || second != listed) {
            return Err(
                "`actions` must append the same actions in the same order every time, and leave what is in the \
                        buffer"
                    .into(),
            );
        }
        listed.into_iter().try_for_each(|action| check_code(self, action))
    }

    fn check_outcome(&self, mut rng: Rng) -> Result<(), String> {
        self.chance(&mut rng, &mut Vec::new()).map_or(Ok(()), |outcome| check_code(self, outcome))
    }

    fn draws(&self, count: usize, rng: &mut Rng) -> Vec<Option<u32>> {
        let is_chance = self.turn() == Turn::Chance;
        let mut scratch = Vec::new();
        let mut draw = || match is_chance {
            true => self.chance(rng, &mut scratch),
            false => self.random_action(rng, &mut scratch),
        };
        (0..count).map(|_| draw().map(G::Action::code)).collect()
    }

    fn winning_code(&self) -> Option<u32> {
        self.winning_action(&mut Vec::new()).map(G::Action::code)
    }

    fn heavy_code(&self, rng: &mut Rng) -> Option<u32> {
        self.heavy_action(rng, &mut Vec::new()).map(G::Action::code)
    }

    fn debug_text(&self, action: u32) -> String {
        format!("{:?}", G::Action::from_code(action))
    }
}

fn check_code<G: Game>(position: &G, action: G::Action) -> Result<(), String> {
    let (code, text, most) = (action.code(), position.action_text(action), G::Action::MAX_CODE);
    match G::Action::from_code(code) {
        _ if code > most => Err(format!("action '{text}' has the code {code}, above `MAX_CODE`, which is {most}")),
        back if back == action => Ok(()),
        back => Err(format!("action '{text}' has code {code}, which converts back to {back:?}")),
    }
}
