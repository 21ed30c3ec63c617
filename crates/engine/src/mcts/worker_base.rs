//! The part that all workers have: their tree, their random numbers, the rewards of the last playout.
//!
//! It does not depend on the game's type, so it is compiled once for each layout.

use super::rewards::RewardUnits;
use super::shared::SharedSearch;
use super::traversal::Traversal;
use crate::mcts::settings::{FirstPlay, InFlight, Policy};
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::{Block, Layout, NodeState, NodeStats, Step, Stock, Tree, TreeCursor};
use crate::report::Warning;
use crate::{Action, Game, Rng};

/// The plies of nodes that hold visits of other searches.
const MERGED_PLIES: u32 = 2;

/// The part of a worker that depends neither on the game's type nor on the kind of its tree.
pub(super) struct WorkerBase<'s, L: Layout> {
    pub(super) search: &'s SharedSearch,
    pub(super) number: usize,
    pub(super) tree: &'s Tree,
    pub(super) cursor: TreeCursor<'s, L>,
    pub(super) rng: Rng,
    pub(super) rewards: RewardUnits<L>,
    /// The words added to the counters of a node on the way down.
    pub(super) entered: L::Words,
    pub(super) growth: Growth,
    deepest: u32,
    /// The best score of a game for one player that this worker knows of.
    pub(super) best: f64,
}

/// The means of a worker to expand nodes.
pub(super) struct Growth {
    pub(super) stock: Stock,
    /// The codes of the legal actions that were listed last.
    pub(super) codes: Vec<u32>,
    saw_full: bool,
}

impl<'s, L: Layout> WorkerBase<'s, L> {
    pub(super) fn new(search: &'s SharedSearch, number: usize) -> WorkerBase<'s, L> {
        let (settings, trees) = (&search.settings, search.trees.len());
        let tree = &*search.trees[number % trees];
        // An urgency relative to the parent is the business of a selection policy.
        let first_play = match settings.first_play {
            FirstPlay::Value(value) => value,
            FirstPlay::Parent { .. } => f64::INFINITY,
        };
        let ucb = Ucb::new(search.tables.clone(), settings.exploration, first_play)
            .apart(settings.in_flight == InFlight::Unobserved);
        let entered = match settings.in_flight {
            // A worker that draws its choices does not follow the others.
            _ if settings.policy == Policy::RegretMatching => L::entered(0),
            InFlight::VirtualLoss(visits) => L::entered(visits),
            InFlight::Unobserved => NodeStats::apart(),
        };
        WorkerBase {
            search,
            number,
            tree,
            cursor: TreeCursor::new(tree, ucb, search.width(), settings.expand_at),
            rng: Rng::new(settings.seed, search.stream_of_worker(number)),
            rewards: RewardUnits::new(entered, search.room_for_scores),
            entered: L::pack(entered),
            growth: Growth { stock: tree.new_stock(), codes: Vec::new(), saw_full: false },
            deepest: 0,
            best: f64::NEG_INFINITY,
        }
    }

    #[inline(always)]
    pub(super) fn saw_depth(&mut self, plies: u32) {
        if self.search.is_reported && plies > self.deepest {
            self.deepest = plies;
            self.search.saw_depth(plies);
        }
    }

    /// Returns true if a node can be expanded.
    #[inline]
    pub(super) fn has_room(&mut self) -> bool {
        let room = self.tree.has_room(&self.growth.stock);
        if !self.growth.saw_full && self.tree.is_full() {
            self.growth.saw_full = true;
            self.search.warn(&Warning::MemoryFull);
        }
        room
    }

    /// Gives a node wide counters for its children. `None` if there is no memory for them.
    #[cold]
    pub(super) fn widen(&mut self, step: Step, narrow: Block) -> Option<Block> {
        self.tree.widen(self.cursor.node(step), narrow, &mut self.growth.stock)
    }

    /// Counts the visits of a node whose children may lack visits of other searches, by those of its children: it is
    /// no more than two plies below the root. Else it would explore among its children as if it had them all.
    #[inline(always)]
    pub(super) fn count_below(&self, node: &mut NodeState, block: Block, plies: u32) {
        if (1..=MERGED_PLIES).contains(&plies) {
            node.visits = node.visits.min(self.visits_below(block));
        }
    }

    /// The most visits of a node whose children have these visits, if it has none but theirs.
    #[inline(never)]
    fn visits_below(&self, block: Block) -> u32 {
        self.cursor.visits_of_children(block).saturating_add(self.search.settings.expand_at)
    }

    /// Takes back the visits of a traversal that did not reach its end.
    pub(super) fn take_back<G: Game>(&mut self, traversal: &mut Traversal<G>) {
        for (step, _) in traversal.path.drain(..).skip(traversal.unshown) {
            self.cursor.add(step, self.rewards.taken_back());
        }
    }

    /// Gives back to the tree all that the worker has kept to itself.
    pub(super) fn leave(&mut self) {
        self.tree.give_back(std::mem::take(&mut self.growth.stock));
    }
}

impl Growth {
    /// Lists the codes of the legal actions.
    #[inline]
    pub(super) fn list<G: Game>(&mut self, position: &G, actions: &mut Vec<G::Action>) {
        actions.clear();
        position.actions(actions);
        self.codes.clear();
        self.codes.extend(actions.iter().map(|action| action.code()));
    }
}
