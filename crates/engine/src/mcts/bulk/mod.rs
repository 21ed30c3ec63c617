//! Bulk traversal: many simulations go down the well-visited top of a tree together.
//!
//! One simulation at a time, a search of cheap playouts spends most of its time on a few hundred nodes at the top of
//! the tree: it chooses among their children again and again, though one more visit hardly changes the choice. So a
//! worker takes many simulations from the budget at once and shares them out from the root down. At each node the
//! simulations that reached it are divided among its children by UCB1, as if each one given had been counted already
//! and had left the mean as it was. That is the rule of WU-UCT for unobserved visits (Liu et al. 2020), applied by one
//! worker to its own simulations, and [`Allocation`](crate::mcts::tree::Allocation) has it in closed form. Where a
//! share is one simulation, or a node has few visits, the simulations go on one by one
//! ([`Traversal`](super::traversal::Traversal)), with virtual loss as ever. When all of them have returned, one
//! addition to each node that they reached together brings up their visits and rewards.
//!
//! - **Little is withheld.** With N visits at the root and T workers, a worker takes N / (64 T) simulations, so one
//!   visit in 64 is not shown while the bulks of all workers are under way. Below the root the child that looks best
//!   gets more than its part, as UCB1 will have it, and some levels down a bulk may bring a node half of its visits.
//! - **Nothing is lost or counted twice.** A node of the bulk counts the simulations that came back, not those that
//!   were given; a search that stops leaves out the rest.
//! - **Nodes are prefetched**, because shares are made breadth first: a node's turn comes after those beside it.

mod lead;
#[cfg(all(test, not(loom)))]
mod tests;

use super::traversal::NO_PLAYER;
use crate::mcts::tree::{Block, Entered, Layout, MOST_LATE, NodeState, Step, TreeCursor};

/// A worker takes one simulation for this many visits of the root, divided by the number of workers.
const VISITS_A_SIMULATION: u64 = 64;
/// A worker has one traversal more under way for this many visits of the root, divided by the number of workers.
const VISITS_A_TRAVERSAL: u64 = 16;
/// Fewer simulations than this go one by one from the root.
const LEAST: u64 = 8;
/// Below a node with fewer visits than this, simulations go on one by one.
const LEAST_VISITS: u32 = 128;

/// The index of no node and of no task.
pub(in crate::mcts) const NONE: u32 = u32::MAX;

/// The simulations of one worker that are under way together.
#[derive(Debug)]
pub(in crate::mcts) struct Bulk {
    /// The length of a row of `done`.
    row: usize,
    /// The most simulations that go unshown through children with narrow counters.
    pub(in crate::mcts) most_late: u32,
    most_plies: u32,
    /// The most simulations at once.
    most: u64,
    workers: u64,
    /// The nodes they go through together, parents before children.
    pub(in crate::mcts) nodes: Vec<BulkNode>,
    /// The simulations that came back through each node: a row of their number and the sums of all players' rewards.
    done: Vec<u64>,
    /// Where they go on one by one.
    tasks: Vec<Task>,
    /// The simulations that came back through the child of each task, in rows too.
    done_below: Vec<u64>,
    /// The next task, and the number of its simulations that were begun.
    next: (usize, u32),
}

/// A node that simulations go through together.
#[derive(Clone, Copy, Debug)]
pub(in crate::mcts) struct BulkNode {
    pub(in crate::mcts) step: Step,
    pub(in crate::mcts) state: NodeState,
    /// Its children.
    pub(in crate::mcts) block: Block,
    /// The index of its parent in the list.
    pub(in crate::mcts) parent: u32,
    /// The player who chooses among its children.
    pub(in crate::mcts) chooser: u8,
    /// Plies from the root.
    pub(in crate::mcts) plies: u32,
    /// The child of the root that it is below.
    pub(in crate::mcts) first: u32,
    /// The simulations that are to go through it.
    pub(in crate::mcts) simulations: u32,
}

/// A child of a node of the bulk, below which simulations go on one by one.
#[derive(Clone, Copy, Debug)]
pub(in crate::mcts) struct Task {
    /// The index of the node.
    pub(in crate::mcts) node: u32,
    /// The child.
    pub(in crate::mcts) step: Step,
    /// The child of the root that it is below, or that it is.
    pub(in crate::mcts) first: u32,
    simulations: u32,
}

impl Bulk {
    /// A bulk of at most `most` simulations, of one of `workers` workers in one tree.
    pub(in crate::mcts) fn new(players: usize, most_plies: u32, most: u32, workers: usize) -> Bulk {
        let (most, workers) = (u64::from(most), workers as u64);
        let most_late = MOST_LATE / 2 / workers.max(1) as u32;
        Bulk {
            row: 1 + players,
            most_late,
            most_plies,
            most,
            workers,
            nodes: Vec::new(),
            done: Vec::new(),
            tasks: Vec::new(),
            done_below: Vec::new(),
            next: (0, 0),
        }
    }

    /// The number of simulations that go well together with this many visits of the root; 1 if they are too few.
    pub(in crate::mcts) fn size(&self, visits: u32) -> u64 {
        if self.is_off() {
            return 1;
        }
        match u64::from(visits) / (VISITS_A_SIMULATION * self.workers) {
            0..LEAST => 1,
            many => many.min(self.most),
        }
    }

    /// The number of traversals of one worker that go well together with this many visits of the root: those of all
    /// workers are a small part of them.
    pub(in crate::mcts) fn most_under_way(&self, visits: u32) -> u32 {
        (u64::from(visits) / (VISITS_A_TRAVERSAL * self.workers)).clamp(1, u64::from(u32::MAX)) as u32
    }

    /// Returns true if no simulations go together.
    fn is_off(&self) -> bool {
        self.most == 1
    }

    pub(in crate::mcts) fn is_empty(&self) -> bool {
        self.is_off() || self.nodes.is_empty()
    }

    /// Appends a node, or a task if its simulations go on one by one from there.
    pub(in crate::mcts) fn push(&mut self, parent: u32, child: Entered, simulations: u32) -> Option<Block> {
        let block = child.state.link.children();
        let above = self.nodes[parent as usize];
        let first = if parent == 0 { child.step.index() as u32 } else { above.first };
        match block {
            Some(block)
                if simulations > 1 && child.state.visits >= LEAST_VISITS && above.plies + 1 < self.most_plies =>
            {
                let plies = above.plies + 1;
                self.push_node(BulkNode { parent, first, plies, ..BulkNode::new(child, block, simulations) });
            }
            _ => {
                // The child does not show them, so they are no more than its narrow counters have room for. The others
                // begin at the root.
                let simulations = simulations.min(self.most_late);
                self.tasks.push(Task { node: parent, step: child.step, first, simulations });
                self.done_below.resize(self.tasks.len() * self.row, 0);
            }
        }
        block
    }

    /// Appends the root.
    pub(in crate::mcts) fn push_root(&mut self, root: Entered, block: Block, simulations: u32) {
        self.push_node(BulkNode::new(root, block, simulations));
    }

    fn push_node(&mut self, node: BulkNode) {
        self.nodes.push(node);
        self.done.resize(self.nodes.len() * self.row, 0);
    }

    /// The index of the next simulation's task, and the number of its simulations that were begun before.
    #[inline]
    pub(in crate::mcts) fn next(&mut self) -> Option<(u32, u32)> {
        if self.is_off() {
            return None;
        }
        let (place, begun) = self.next;
        let task = self.tasks.get(place)?;
        self.next = if begun + 1 < task.simulations { (place, begun + 1) } else { (place + 1, 0) };
        Some((place as u32, begun))
    }

    /// The task with an index.
    #[inline(always)]
    pub(in crate::mcts) fn task(&self, task: u32) -> Task {
        self.tasks[task as usize]
    }

    /// Counts a simulation that came back from a task, with the rewards of all players.
    #[inline(always)]
    pub(in crate::mcts) fn count(&mut self, task: u32, units: &[u64]) {
        let row = &mut self.done_below[task as usize * self.row..][..self.row];
        row[0] += 1;
        row[1..].iter_mut().zip(units).for_each(|(sum, units)| *sum = sum.wrapping_add(*units));
    }

    /// Adds what came back to the counters of the tree, and forgets the rest.
    pub(in crate::mcts) fn gather<L: Layout>(&mut self, cursor: &mut TreeCursor<'_, L>) {
        for (task, done) in self.tasks.iter().zip(self.done_below.chunks_exact(self.row)) {
            let chooser = self.nodes[task.node as usize].chooser;
            let sum = done[1..].get(usize::from(chooser)).copied().unwrap_or_default();
            cursor.add(task.step, L::finished(done[0] as u32, sum));
            let above = &mut self.done[task.node as usize * self.row..][..self.row];
            above.iter_mut().zip(done).for_each(|(above, done)| *above = above.wrapping_add(*done));
        }
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            let (above, done) = self.done.split_at_mut(index * self.row);
            let parent = node.parent as usize;
            let chooser = if index > 0 { self.nodes[parent].chooser } else { NO_PLAYER };
            let sum = done[1..self.row].get(usize::from(chooser)).copied().unwrap_or_default();
            cursor.add(node.step, L::finished(done[0] as u32, sum));
            if index > 0 {
                let above = &mut above[parent * self.row..][..self.row];
                above.iter_mut().zip(done).for_each(|(above, done)| *above = above.wrapping_add(*done));
            }
        }
        self.nodes.clear();
        self.done.clear();
        self.tasks.clear();
        self.done_below.clear();
        self.next = (0, 0);
    }

    /// The nodes from the root's child down to one of the bulk, and the player who chose each.
    pub(in crate::mcts) fn path_to(&self, node: u32) -> Vec<(Step, u8)> {
        let mut path = Vec::new();
        let mut at = node;
        while at != 0 {
            let node = &self.nodes[at as usize];
            path.push((node.step, self.nodes[node.parent as usize].chooser));
            at = node.parent;
        }
        path.reverse();
        path
    }
}

impl BulkNode {
    fn new(node: Entered, block: Block, simulations: u32) -> BulkNode {
        BulkNode {
            step: node.step,
            state: node.state,
            block,
            parent: 0,
            chooser: NO_PLAYER,
            plies: 0,
            first: NONE,
            simulations,
        }
    }
}
