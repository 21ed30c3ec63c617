//! The tree search: its four steps, and the policy that selects.

use std::ops::Range;

use crate::budget::Pacer;
use crate::children::{lead, rank, Child, WAY};
use crate::policy::Selection;
use crate::tree::{Node, Tree, ROOT};
use crate::{Budget, FinalMove, Game, Leaf, LeafEvaluator, Light, Rng, Settings, Turn, TurnOrder, Values, MAX_PLAYERS};

/// Monte Carlo Tree Search on the thread that calls it.
///
/// Equal settings, seeds and numbers of playouts give equal trees on every machine. After its first search it allocates
/// nothing. The game must be right: a panic of it goes through to the caller.
///
/// ```
/// use boughs_core::{Budget, Game, LocalSearch, Settings, Turn};
///
/// #[derive(Clone)]
/// struct Nim { stones: u8, player: usize }
///
/// impl Game for Nim {
///     type Action = u8;
///     fn turn(&self) -> Turn {
///         if self.stones == 0 { Turn::Over } else { Turn::Player(self.player) }
///     }
///     fn actions(&self, out: &mut Vec<u8>) {
///         out.extend(1..=self.stones.min(3));
///     }
///     fn apply(&mut self, take: u8) {
///         self.stones -= take;
///         self.player = 1 - self.player;
///     }
///     fn reward(&self, player: usize) -> f64 {
///         if player == self.player { 0.0 } else { 1.0 }
///     }
/// }
///
/// let mut search = LocalSearch::new(Nim { stones: 10, player: 0 }, Settings::DEFAULT);
/// assert_eq!(search.choose(Budget::iterations(10_000)), Some(2)); // leaves a multiple of four
/// search.advance(2);
/// search.advance(3); // the opponent's move
/// assert_eq!(search.choose(Budget::iterations(10_000)), Some(1));
/// ```
pub struct LocalSearch<G: Game, E = Light> {
    pub(crate) position: G,
    pub(crate) settings: Settings,
    pub(crate) tree: Tree<G::Action>,
    /// The nodes of the iteration, from the root to the leaf.
    pub(crate) path: Vec<Step>,
    pub(crate) selection: Selection,
    evaluator: E,
    rng: Rng,
    actions: Vec<G::Action>,
    priors: Vec<f32>,
    playouts: u64,
}

/// A node on the way down.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) node: usize,
    /// The player who chose its action, or [`NONE`] at the root and where chance acted.
    pub(crate) chooser: u8,
}

/// No player.
pub(crate) const NONE: u8 = MAX_PLAYERS as u8;

impl<G: Game> LocalSearch<G> {
    /// A search with light playouts.
    pub fn new(position: G, settings: Settings) -> LocalSearch<G> {
        LocalSearch::with(position, settings, Light)
    }
}

impl<G: Game, E: LeafEvaluator<G>> LocalSearch<G, E> {
    /// A search that values leaves by playouts of one's own, or by another evaluator.
    pub fn with(position: G, settings: Settings, evaluator: E) -> LocalSearch<G, E> {
        LocalSearch {
            tree: Tree::new(settings.memory),
            path: Vec::with_capacity(WAY),
            selection: Selection::new(&settings, G::REWARDS.bounds),
            rng: Rng::new(settings.seed, 0),
            actions: Vec::with_capacity(WAY),
            priors: Vec::with_capacity(WAY),
            playouts: 0,
            position,
            settings,
            evaluator,
        }
    }

    /// Searches until the budget is spent, and returns the action to play. `None` if no player acts, or there was no
    /// time for a playout.
    pub fn choose(&mut self, budget: Budget) -> Option<G::Action> {
        self.run(budget);
        self.ranked().first().map(|child| child.action)
    }

    /// Searches until the budget is spent.
    pub fn run(&mut self, budget: Budget) {
        let mut pacer = Pacer::new(budget);
        if self.begin_at_root(&budget) {
            while pacer.goes_on(|to_come| self.is_decided(to_come)) {
                self.iterate(&budget);
            }
        }
        self.playouts = pacer.done();
    }

    /// One iteration: the four steps of Monte Carlo Tree Search.
    #[inline]
    fn iterate(&mut self, budget: &Budget) {
        let mut position = self.position.clone();
        self.path.clear();
        self.path.push(Step { node: ROOT, chooser: NONE });

        // Selection: the policy goes down the tree, from child to child, to a leaf.
        while self.select(&mut position) {}

        // Expansion: the leaf gets its children, and one of them is the leaf now. Priors come before all children.
        if self.expand(&position, budget) && !E::HAS_PRIORS {
            self.select(&mut position);
        }

        // Simulation: a playout, or an evaluator, values the leaf.
        let values = self.simulate(&mut position, budget);

        // Backpropagation: each node on the way learns the reward of the player who chose it.
        for &Step { node, chooser } in &self.path {
            let reward = values.get(usize::from(chooser)).copied().unwrap_or(0.0);
            self.tree.node_mut(node).add(reward, self.selection.is_ucb());
        }
    }

    /// Goes down to a child. Returns false at a leaf.
    #[inline]
    fn select(&mut self, position: &mut G) -> bool {
        let Step { node, chooser } = self.path[self.path.len() - 1];
        let children = self.tree.children(node);
        let is_leaf = children.is_empty() || self.path.len() > G::MAX_PLIES as usize;
        if is_leaf || self.settings.solver && node != ROOT && self.tree.node(node).mean.is_infinite() {
            return false;
        }
        let turn = match G::TURN_ORDER {
            TurnOrder::Alternating if chooser != NONE => Turn::Player((usize::from(chooser) + 1) % position.players()),
            _ => position.turn(),
        };
        let next = match turn {
            Turn::Player(player) => {
                let index = self.selection.best(self.tree.node(node).visits, self.tree.nodes(children.clone()).iter());
                Step { node: children.start + index, chooser: player as u8 }
            }
            // An outcome that the game did not list leads out of the tree.
            _ => match self.draw(position, children) {
                Some(node) => Step { node, chooser: NONE },
                None => return false,
            },
        };
        self.tree.fetch_children(next.node);
        self.path.push(next);
        position.apply(self.tree.node(next.node).action);
        true
    }

    /// Draws an outcome of chance and finds its child.
    fn draw(&mut self, position: &G, children: Range<usize>) -> Option<usize> {
        let outcome = position.chance(&mut self.rng, &mut self.actions)?;
        children.into_iter().find(|&child| self.tree.node(child).action == outcome)
    }

    /// Gives the leaf its children, if it was visited often enough. Returns false if it has none.
    #[inline]
    fn expand(&mut self, position: &G, budget: &Budget) -> bool {
        let Step { node, .. } = self.path[self.path.len() - 1];
        let is_early = !E::HAS_PRIORS && node != ROOT && self.tree.node(node).visits + 1 < self.settings.expand_at;
        let has_children = !self.tree.children(node).is_empty();
        if is_early || has_children || position.turn() == Turn::Over || !self.evaluator.expands(position) {
            return false;
        }
        self.actions.clear();
        position.actions(&mut self.actions);
        self.priors.clear();
        if E::HAS_PRIORS && position.turn() != Turn::Chance {
            self.evaluator.priors(position, &self.actions, &mut self.rng, budget, &mut self.priors);
        }
        let children = self.selection.children(&self.actions, &self.priors);
        self.tree.expand(node, self.actions.len(), children)
    }

    /// Values the leaf for each player.
    #[inline]
    fn simulate(&mut self, position: &mut G, budget: &Budget) -> Values {
        if self.settings.solver {
            if let Some(values) = self.solve(position) {
                return values;
            }
        }
        let leaf = Leaf { position, rng: &mut self.rng, scratch: &mut self.actions, budget };
        let values = self.evaluator.evaluate(leaf);
        self.selection.see(&values, self.position.players());
        values
    }

    /// Gives the tree a root with children. Returns false where no player acts.
    fn begin_at_root(&mut self, budget: &Budget) -> bool {
        self.actions.clear();
        if self.position.turn().player().is_some() {
            self.position.actions(&mut self.actions);
        }
        let has_root = self.actions.first().map_or(false, |&any| self.tree.plant(any));
        if has_root && self.tree.children(ROOT).is_empty() {
            self.path.clear();
            self.path.push(Step { node: ROOT, chooser: NONE });
            let position = self.position.clone();
            return self.expand(&position, budget);
        }
        has_root
    }

    /// Returns true if no playout to come can change the action to play. Where the solver works, only proofs can tell.
    fn is_decided(&self, to_come: u64) -> bool {
        let children = self.tree.nodes(self.tree.children(ROOT));
        let by_lead = self.settings.final_move == FinalMove::MostPlayouts && !self.settings.solver;
        children.len() == 1
            || by_lead && lead(children.iter().map(|child| child.visits)) > to_come
            || self.settings.solver && self.is_proven(children)
    }

    /// The actions of the player who acts that have a playout, the one to play first. A forced action needs none.
    pub fn ranked(&self) -> Vec<Child<G::Action>> {
        let children = self.position.turn().player().map_or(0..0, |_| self.tree.children(ROOT));
        let children = self.tree.nodes(children).iter();
        let child = |&Node { action, visits, mean, .. }: &Node<_>| Child { action, visits, mean };
        rank(children.map(child), self.settings.final_move)
    }

    /// Plays an action and keeps the part of the tree below it. Returns false if there is none.
    pub fn advance(&mut self, action: G::Action) -> bool {
        self.position.apply(action);
        self.tree.advance(action)
    }

    /// Sets another position and empties the tree.
    pub fn reset(&mut self, position: G) {
        self.position = position;
        self.tree.clear();
        self.selection.forget();
    }

    /// Begins another game with this seed, as a new search would.
    pub fn begin(&mut self, position: G, seed: u64) {
        self.reset(position);
        self.rng = Rng::new(seed, 0);
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The evaluator of leaves.
    pub fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// The playouts of the last search.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The bytes of the tree in use.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }
}
