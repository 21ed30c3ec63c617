//! A worker of a plain tree leads a bulk of simulations down.

use super::BulkNode;
use crate::mcts::plain::PlainWorker;
use crate::mcts::traversal::{CHANCE, NO_PLAYER, Traversal};
use crate::mcts::tree::{Layout, MOST_NARROW};
use crate::report::Warning;
use crate::{Action, Game, Turn, TurnOrder};

impl<G: Game, L: Layout> PlainWorker<'_, G, L> {
    /// Leads simulations from the root as far as they go together.
    pub(in crate::mcts) fn lead_down(&mut self, simulations: u64) {
        let root = self.base.cursor.root();
        let Some(block) = root.state.link.children() else { return };
        if G::REWARDS.bounds.is_none() {
            self.base.cursor.set_bounds(self.base.search.bounds.get());
        }
        self.bulk.push_root(root, block, simulations as u32);
        let mut index = 0;
        while index < self.bulk.nodes.len() && !self.base.search.status.is_stopped() {
            self.share_out_at(index);
            index += 1;
        }
    }

    /// Begins a simulation that goes on alone below a child of a node of the bulk. It is number `begun` of its task.
    #[inline(always)]
    pub(in crate::mcts) fn begin_task(&mut self, traversal: &mut Traversal<G>, index: u32, begun: u32) {
        let task = self.bulk.task(index);
        let node = &self.bulk.nodes[task.node as usize];
        let (chooser, plies) = (node.chooser, node.plies + 1);
        let (block, child) = (task.step.block(), task.step.index() as u32);
        traversal.position.clone_from(&self.positions[task.node as usize]);
        self.begin_anywhere(traversal);
        let child = if self.solver {
            // A proof goes up to the root at once, so the path has all nodes, and adds to them by itself.
            traversal.path.push((self.bulk.nodes[0].step, NO_PLAYER));
            traversal.path.extend(self.bulk.path_to(task.node));
            traversal.unshown = traversal.path.len();
            self.base.cursor.enter_nth(block, child, self.base.entered)
        } else {
            traversal.state.above = index;
            traversal.state.plies_above = plies;
            // The child does not show the simulations of the bulk before they are gathered.
            traversal.unshown = 1;
            let mut child = self.base.cursor.nth(block, child);
            child.state.visits += begun;
            child
        };
        traversal.enter(child, chooser);
        traversal.state.next = self.after(chooser);
        traversal.position.apply(G::Action::from_code(child.state.link.action));
    }

    /// Shares out the simulations of a node of the bulk among its children. Those that find none begin at the root.
    fn share_out_at(&mut self, index: usize) {
        let mut node = self.bulk.nodes[index];
        self.take_position(index, &node);
        let position = &self.positions[index];
        let alternates = matches!(G::TURN_ORDER, TurnOrder::Alternating);
        let chooser = if !alternates {
            match position.turn() {
                Turn::Player(player) => self.known(player),
                Turn::Chance => CHANCE,
                Turn::Over => return,
            }
        } else if index == 0 {
            self.first
        } else {
            self.after(self.bulk.nodes[node.parent as usize].chooser)
        };
        let is_chance = !alternates && chooser == CHANCE;
        let base = &mut self.base;
        let visits = match node.simulations > self.bulk.most_late {
            true => u32::MAX,
            false => node.state.visits.saturating_add(node.simulations),
        };
        if L::must_widen(node.block, visits) {
            match base.widen(node.step, node.block) {
                Some(wide) => node.block = wide,
                None if visits >= MOST_NARROW => return,
                None => {}
            }
        }
        if self.merges {
            base.count_below(&mut node.state, node.block, node.plies);
        }
        if is_chance {
            self.allocation.clear(base.tree.width(node.block));
            for _ in 0..node.simulations {
                let outcome = position.chance(&mut base.rng, &mut self.actions);
                match outcome.and_then(|outcome| base.cursor.find(node.block, outcome.code())) {
                    Some(child) => self.allocation.give(child),
                    None if outcome.is_some() => base.search.warn(&Warning::UnlistedOutcome),
                    None => {}
                }
            }
        } else {
            base.cursor.share_out(node.block, &node.state, node.simulations, &mut self.allocation);
        }
        node.chooser = if is_chance { NO_PLAYER } else { chooser };
        self.bulk.nodes[index] = node;
        for (child, &simulations) in self.allocation.counts().iter().enumerate().filter(|(_, count)| **count > 0) {
            let entered = base.cursor.nth(node.block, child as u32);
            if let Some(block) = self.bulk.push(index as u32, entered, simulations) {
                base.cursor.prefetch(block);
            }
        }
    }

    /// Makes the position of a node of the bulk.
    fn take_position(&mut self, index: usize, node: &BulkNode) {
        if self.positions.len() == index {
            self.positions.push(self.game.position.clone());
        }
        let (above, position) = self.positions.split_at_mut(index);
        if index == 0 {
            position[0].clone_from(self.game.position);
            return;
        }
        position[0].clone_from(&above[node.parent as usize]);
        position[0].apply(G::Action::from_code(node.state.link.action));
    }
}
