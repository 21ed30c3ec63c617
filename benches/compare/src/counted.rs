//! A game that counts its random playouts, by any engine.
//!
//! Engines differ in what they call a playout: one that comes to a finished game, or to a position it has proven, plays
//! nothing. So the games are counted where all engines get them from, in the rules. That costs time, so it is done in a
//! run of its own, which is not timed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use boughs::{Game, Rewards, Rng, Turn, TurnOrder};

/// A position of a game whose random playouts are counted.
pub(crate) struct Counted<G> {
    game: G,
    /// True once this position has made a random move. A playout begins with a copy, whose first random move counts.
    has_begun: AtomicBool,
    playouts: Arc<AtomicU64>,
}

impl<G> Counted<G> {
    pub(crate) fn of(game: G) -> Counted<G> {
        Counted { game, has_begun: AtomicBool::new(false), playouts: Arc::default() }
    }

    /// The random playouts that began in copies of this position.
    pub(crate) fn playouts(&self) -> u64 {
        self.playouts.load(Relaxed)
    }
}

impl<G: Clone> Clone for Counted<G> {
    fn clone(&self) -> Counted<G> {
        Counted { game: self.game.clone(), has_begun: AtomicBool::new(false), playouts: self.playouts.clone() }
    }
}

impl<G: Game> Game for Counted<G> {
    type Action = G::Action;
    const REWARDS: Rewards = G::REWARDS;
    const TURN_ORDER: TurnOrder = G::TURN_ORDER;
    const MAX_PLIES: u32 = G::MAX_PLIES;

    fn players(&self) -> usize {
        self.game.players()
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.game.actions(out);
    }

    fn apply(&mut self, action: G::Action) {
        self.game.apply(action);
    }

    fn reward(&self, player: usize) -> f64 {
        self.game.reward(player)
    }

    fn cut_reward(&self, player: usize) -> f64 {
        self.game.cut_reward(player)
    }

    fn playout_actions(&self, out: &mut Vec<G::Action>) {
        self.game.playout_actions(out);
    }

    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        if !self.has_begun.swap(true, Relaxed) {
            self.playouts.fetch_add(1, Relaxed);
        }
        self.game.random_action(rng, scratch)
    }

    fn action_text(&self, action: G::Action) -> String {
        self.game.action_text(action)
    }

    fn board(&self) -> String {
        self.game.board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::{Light, Playout};
    use boughs_games::othello::Othello;

    #[test]
    fn a_playout_counts_once_and_a_traversal_not_at_all() {
        let start = Counted::of(Othello::default());
        let (mut rng, mut actions) = (Rng::new(1, 0), Vec::new());
        start.actions(&mut actions);
        start.clone().apply(actions[0]);
        assert_eq!(start.playouts(), 0);
        for _ in 0..10 {
            Light.play(&mut start.clone(), &mut rng, &mut actions, Othello::MAX_PLIES, None);
        }
        assert_eq!(start.playouts(), 10);
    }
}
