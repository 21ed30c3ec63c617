//! Nodes of the tree as readers see them, also while workers search.

use super::Running;
use super::search_state::SearchState;
use crate::logarithm::ln;
use crate::mcts::settings::{InFlight, Parallel, Policy, TreeKind};
use crate::mcts::tree::{Node, NodeStats, Tree};
use crate::reward::to_reward;
use crate::{Position, Turn};

/// A node of a search tree with its children. Its numbers are read one after the other while workers change them, so
/// those of a running search need not fit together.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeView {
    /// Visits, with those in flight.
    pub visits: u64,
    /// Visits in flight, where the tree counts them apart. At the root, all traversals that have not come back.
    pub in_flight: u64,
    /// The children in the order of the game's actions; empty below a leaf.
    pub children: Vec<ChildView>,
}

/// A child of a [`NodeView`].
#[derive(Clone, Debug, PartialEq)]
pub struct ChildView {
    /// The code of the action.
    pub action: u32,
    /// Visits. Those in flight count here as virtual loss, unless the tree counts them apart.
    pub visits: u64,
    /// Visits in flight, where the tree counts them apart.
    pub in_flight: u64,
    /// The mean reward of the player who chooses, 0 without visits.
    pub mean: f64,
    /// The exploration term of UCB1 or PUCT, as a share of the way from the least to the greatest reward. `None` under
    /// other policies, for UCB1 without visits, and for independent trees, each of which has its own.
    pub exploration: Option<f64>,
    /// The prior, in trees that keep one.
    pub prior: Option<f64>,
    /// The proven reward of the player who chooses.
    pub proven: Option<f64>,
    /// True if the child has children.
    pub is_expanded: bool,
}

/// An iteration of a search, in its four steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// The tree: 0, unless there are independent trees.
    pub tree: u32,
    /// The codes of the actions inside the tree: selection, whose last node is the leaf. Backpropagation goes back over
    /// these nodes.
    pub path: Vec<u32>,
    /// The codes of the actions of the simulation.
    pub moves: Vec<u32>,
    /// The reward of each player, which is backpropagated.
    pub rewards: Vec<f64>,
}

impl Running<'_> {
    /// The node after these actions, while the search runs. See [`TreeSearch::node`](crate::TreeSearch::node).
    pub fn node(&self, path: &[u32]) -> Option<NodeView> {
        self.core.state.node(self.position, path)
    }
}

impl SearchState {
    /// The node after these actions, added up over all trees. `None` if the tree has no such node, or the actions of
    /// its nodes depend on what players see.
    pub(super) fn node(&self, position: &dyn Position, path: &[u32]) -> Option<NodeView> {
        let is_keyed = !matches!(self.kind, TreeKind::Plain | TreeKind::Open);
        if is_keyed && !path.is_empty() {
            return None;
        }
        let nodes: Vec<_> = self.trees.iter().filter_map(|tree| Some((tree, find(tree, path)?))).collect();
        // A path that a tree has is legal.
        let chooser = if nodes.is_empty() { None } else { self.chooser(position, path) };
        let mut view: Option<NodeView> = None;
        for (tree, node) in nodes {
            let stats = tree.read(node);
            let view = view.get_or_insert(NodeView { visits: 0, in_flight: 0, children: Vec::new() });
            view.visits += u64::from(stats.visits);
            view.in_flight += self.unobserved(stats.unobserved);
            self.add_children(tree, node, chooser, &mut view.children);
        }
        let mut view = view?;
        for child in &mut view.children {
            self.finish(child, view.visits);
        }
        // Among visits of other searches those in flight cannot be told.
        if path.is_empty() && view.in_flight == 0 && self.merging.is_none() {
            let finished = self.last.as_ref().map_or(view.visits, |last| last.inherited + last.done());
            view.in_flight = view.visits.saturating_sub(finished) / self.visits_of_a_traversal();
        }
        Some(view)
    }

    /// The player who acts after these actions, where that is known without chance.
    fn chooser(&self, position: &dyn Position, path: &[u32]) -> Option<usize> {
        if self.kind == TreeKind::Open && !path.is_empty() {
            return None;
        }
        let mut position = position.clone_position();
        path.iter().for_each(|&action| position.apply(action));
        match position.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// Adds the children of a node to those of other trees. Sums stand in `mean` until [`finish`](SearchState::finish).
    fn add_children(&self, tree: &Tree, node: Node, chooser: Option<usize>, children: &mut Vec<ChildView>) {
        let Some(block) = tree.expansion(node).block() else { return };
        for (index, child) in tree.children(block).enumerate() {
            let action = tree.action(child);
            // Trees have their children in one order, but where chance or an evaluator has listed them.
            let is_here = children.get(index).is_some_and(|other| other.action == action);
            let known = match () {
                () if is_here => Some(index),
                () if self.trees.len() == 1 => None,
                () => children.iter().position(|other| other.action == action),
            };
            let place = known.unwrap_or_else(|| {
                children.push(ChildView {
                    action,
                    visits: 0,
                    in_flight: 0,
                    mean: 0.0,
                    exploration: None,
                    prior: tree.prior(child).map(f64::from),
                    proven: None,
                    is_expanded: false,
                });
                children.len() - 1
            });
            let stats = tree.read(child);
            let view = &mut children[place];
            view.visits += u64::from(stats.visits);
            view.in_flight += self.unobserved(stats.unobserved);
            view.mean += stats.sum.cast_signed() as f64 / tree.units() * self.of_all_visits(stats);
            view.is_expanded |= tree.expansion(child).block().is_some_and(|block| tree.width(block) > 0);
            let outcome = tree.outcome(child);
            if self.settings.solver && !outcome.is_open() {
                view.proven = chooser.map(|player| to_reward(&self.facts.rewards, outcome.reward(player)));
            }
        }
    }

    /// Makes the mean of a sum, and the exploration term.
    fn finish(&self, child: &mut ChildView, visits_of_parent: u64) {
        let is_one = self.trees.len() == 1;
        if self.settings.policy == Policy::Puct && is_one {
            let exploration = self.settings.exploration * (visits_of_parent.max(1) as f64).sqrt();
            child.exploration = child.prior.map(|prior| exploration * prior / (1.0 + child.visits as f64));
        }
        if child.visits == 0 {
            return;
        }
        child.mean = to_reward(&self.facts.rewards, child.mean / child.visits as f64);
        if self.settings.policy == Policy::Ucb1 && is_one {
            let ratio = ln(visits_of_parent.max(1) as f64) / child.visits as f64;
            child.exploration = Some(self.settings.exploration * ratio.sqrt());
        }
    }

    /// Visits in flight. With regret matching their counter has another meaning.
    fn unobserved(&self, counted: u32) -> u64 {
        let is_count = self.settings.policy != Policy::RegretMatching;
        if is_count { u64::from(counted) } else { 0 }
    }

    /// The factor by which a sum of rewards grows if all visits have the mean of those that have a reward: with regret
    /// matching draws have none.
    fn of_all_visits(&self, stats: NodeStats) -> f64 {
        match stats.visits.saturating_sub(stats.unobserved) {
            rewarded @ 1.. if self.settings.policy == Policy::RegretMatching => {
                f64::from(stats.visits) / f64::from(rewarded)
            }
            _ => 1.0,
        }
    }

    /// The number of visits that a traversal in flight counts as.
    fn visits_of_a_traversal(&self) -> u64 {
        match self.settings.in_flight {
            InFlight::VirtualLoss(visits) if self.settings.parallel != Parallel::Independent => visits.max(1).into(),
            InFlight::VirtualLoss(_) | InFlight::Unobserved => 1,
        }
    }
}

/// The node of a tree after these actions.
fn find(tree: &Tree, path: &[u32]) -> Option<Node> {
    path.iter().try_fold(tree.root(), |node, &action| {
        let block = tree.expansion(node).block()?;
        tree.children(block).find(|&child| tree.action(child) == action)
    })
}
