//! Flat Monte Carlo: no tree, the same number of playouts for each action.

use crate::budget::Pacer;
use crate::children::{rank, Child};
use crate::{Budget, FinalMove, Game, Information, Leaf, LeafEvaluator, Light, Rng, Turn};

/// Flat Monte Carlo search on the thread that calls it: playouts of all legal actions in turn, and the action with the
/// best mean reward is the one to play. It is the yardstick of a tree search. Settings and memory it needs none.
///
/// ```
/// # use boughs_core::{Game, Turn};
/// # #[derive(Clone)]
/// # struct Nim { stones: u8, player: usize }
/// # impl Game for Nim {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) } }
/// #     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(3)); }
/// #     fn apply(&mut self, take: u8) { self.stones -= take; self.player = 1 - self.player; }
/// #     fn reward(&self, player: usize) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// # }
/// use boughs_core::{Budget, FlatMonteCarlo};
///
/// let mut search = FlatMonteCarlo::new(Nim { stones: 6, player: 0 }, 0);
/// assert_eq!(search.choose(Budget::iterations(3_000)), Some(2)); // leaves a multiple of four
/// ```
pub struct FlatMonteCarlo<G: Game, E = Light> {
    position: G,
    evaluator: E,
    rng: Rng,
    children: Vec<Child<G::Action>>,
    actions: Vec<G::Action>,
    playouts: u64,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// A search with light playouts.
    pub fn new(position: G, seed: u64) -> FlatMonteCarlo<G> {
        FlatMonteCarlo::with(position, seed, Light)
    }
}

impl<G: Game, E: LeafEvaluator<G>> FlatMonteCarlo<G, E> {
    /// A search that values the positions after each action by playouts of one's own, or by another evaluator.
    pub fn with(position: G, seed: u64, evaluator: E) -> FlatMonteCarlo<G, E> {
        let (children, actions) = (Vec::new(), Vec::new());
        FlatMonteCarlo { position, evaluator, rng: Rng::new(seed, 0), children, actions, playouts: 0 }
    }

    /// Makes playouts until the budget is spent, and returns the action to play. `None` if no player acts, or there was
    /// no time for a playout.
    pub fn choose(&mut self, budget: Budget) -> Option<G::Action> {
        self.run(budget);
        self.ranked().first().map(|child| child.action)
    }

    /// Makes playouts until the budget is spent.
    pub fn run(&mut self, budget: Budget) {
        self.children.clear();
        self.actions.clear();
        let mut pacer = Pacer::new(budget);
        if let Turn::Player(player) = self.position.turn() {
            self.position.actions(&mut self.actions);
            self.children.extend(self.actions.iter().map(|&action| Child { action, visits: 0, mean: 0.0 }));
            let is_forced = self.children.len() < 2;
            while !self.children.is_empty() && pacer.goes_on(|_| is_forced) {
                let next = (pacer.done() - 1) as usize % self.children.len();
                self.play_out(player, next, &budget);
            }
        }
        self.playouts = pacer.done();
    }

    fn play_out(&mut self, player: usize, next: usize, budget: &Budget) {
        let mut position = self.position.clone();
        if G::INFORMATION != Information::Perfect {
            position.determinize(player, &mut self.rng);
        }
        position.apply(self.children[next].action);
        let leaf = Leaf { position: &mut position, rng: &mut self.rng, scratch: &mut self.actions, budget };
        let values = self.evaluator.evaluate(leaf);
        self.children[next].add(values[player]);
    }

    /// The actions of the player who acts that have a playout, the one to play first. A forced action needs none.
    pub fn ranked(&self) -> Vec<Child<G::Action>> {
        rank(self.children.iter().copied(), FinalMove::BestMean)
    }

    /// Plays an action.
    pub fn advance(&mut self, action: G::Action) {
        self.position.apply(action);
        self.children.clear();
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The playouts of the last search.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }
}
