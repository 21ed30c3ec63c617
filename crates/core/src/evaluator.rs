//! Evaluators of leaves: the value of a position, and priors of its actions.

use crate::{Budget, End, Game, Playout, Rng, MAX_PLAYERS};

/// The value of a leaf for each player, as [`Game::reward`] counts.
pub type Values = [f32; MAX_PLAYERS];

/// A leaf that waits for its value.
pub struct Leaf<'l, G: Game> {
    /// The position, which the evaluator may play on.
    pub position: &'l mut G,
    /// The random numbers of the search.
    pub rng: &'l mut Rng,
    /// A buffer to list actions into.
    pub scratch: &'l mut Vec<G::Action>,
    /// The limits of the search. A long evaluation looks at [`Budget::is_late`] now and then and breaks off with any
    /// value.
    pub budget: &'l Budget,
}

/// Values the leaves of one search, one at a time, so it can keep working memory. Every [`Playout`] is one: it plays
/// the game to its end.
pub trait LeafEvaluator<G: Game> {
    /// True if [`priors`](LeafEvaluator::priors) knows which actions are likely. A leaf then gets its children before
    /// its first evaluation.
    const HAS_PRIORS: bool = false;

    /// Returns false if the tree ends at a position, although the game goes on there (a horizon).
    #[inline]
    fn expands(&self, position: &G) -> bool {
        let _ = position;
        true
    }

    /// Appends a prior for each action of the player who acts. The search divides them by their sum. Called before the
    /// position is evaluated.
    fn priors(&mut self, position: &G, actions: &[G::Action], rng: &mut Rng, budget: &Budget, out: &mut Vec<f32>) {
        let _ = (position, rng, budget);
        out.resize(out.len() + actions.len(), 1.0);
    }

    /// The value of a leaf for each player. Finished games are leaves too.
    fn evaluate(&mut self, leaf: Leaf<'_, G>) -> Values;
}

/// A playout values a leaf by the end of the game, or where it is cut or truncated, by [`Playout::value`].
impl<G: Game, P: Playout<G>> LeafEvaluator<G> for P {
    #[inline]
    fn evaluate(&mut self, leaf: Leaf<'_, G>) -> Values {
        let end = self.play(leaf.position, leaf.rng, leaf.scratch, G::MAX_PLIES, None);
        let mut values = [0.0; MAX_PLAYERS];
        for (player, value) in values.iter_mut().enumerate().take(leaf.position.players()) {
            *value = match end {
                End::Over => leaf.position.reward(player),
                End::Truncated => self.value(leaf.position, player),
                End::Cut | End::Stuck => leaf.position.cut_reward(player),
            } as f32;
        }
        values
    }
}
