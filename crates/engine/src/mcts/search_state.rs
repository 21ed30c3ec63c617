//! The part of a search that depends neither on the game's type nor on threads: its settings, its trees, and the
//! numbers that go from run to run.
//!
//! [`SearchCore`](super::search_core::SearchCore) adds worker threads, and [`LocalSearch`](super::LocalSearch) runs on
//! the calling thread.

use std::sync::Arc;

use super::SearchError;
use super::allocation::allocate;
use super::learned_playouts::{self, LearnedPlayouts};
use super::merging::{MergeRules, Merging};
use super::root::Root;
use super::shared::{Results, SharedSearch};
use super::solver;
use super::validate;
use crate::mcts::settings::{Learning, MAX_THREADS, Policy, Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::{Expansion, LayoutKind, NodeDump, Tree};
use crate::reward::{Bounds, to_reward};
use crate::run::{Pool, cores, guarded};
use crate::{Budget, GameFacts, Knowledge, Position, StopReason, Turn, Warning};
use boughs_core::MAX_PLAYERS;

/// Streams of random numbers that are set aside for the workers of one search.
const STREAMS_FOR_WORKERS: u64 = MAX_THREADS as u64;

/// The number of players that a layout is for before the first search.
const USUAL_PLAYERS: usize = 2;

/// A search without its position and its threads.
pub(crate) struct SearchState {
    pub(super) settings: Settings,
    pub(super) facts: GameFacts,
    /// The meaning of a node: not [`Auto`](TreeKind::Auto).
    pub(super) kind: TreeKind,
    pub(super) layout: LayoutKind,
    pub(super) tables: Arc<Tables>,
    pub(super) trees: Vec<Arc<Tree>>,
    /// The warning that the trees have less memory than the settings ask for.
    pub(super) less_memory: Option<Warning>,
    /// See [`solver::has_bounds`].
    pub(super) has_bounds: bool,
    /// The playouts that learn, if the settings ask for them.
    pub(super) learned: Option<LearnedPlayouts>,
    /// The threads that play out batches.
    pub(super) pool: Option<Arc<Pool>>,
    /// The first stream of random numbers that no search has used yet.
    pub(super) next_stream: u64,
    pub(super) cores: usize,
    /// The least and the greatest score in the trees, where scores have no bounds.
    pub(super) bounds: (f64, f64),
    /// The player whose decision was searched last.
    pub(super) observer: Option<usize>,
    /// The last search, which reports are read from.
    pub(super) last: Option<Arc<SharedSearch>>,
    /// The knowledge about the searches it merges with, if it merges.
    pub(super) merging: Option<Arc<Merging>>,
}

/// Checks the settings of a search whose evaluator has this knowledge, and returns the kind of its tree.
///
/// # Errors
/// If a setting is out of its range or does not go with the game.
pub(super) fn kind_of(facts: &GameFacts, knowledge: Knowledge, settings: &Settings) -> Result<TreeKind, SearchError> {
    if !settings.is_in_range() {
        crate::spec::validate(settings).map_err(SearchError::Setting)?;
    }
    validate::tree_kind(facts, knowledge, settings)
}

impl SearchState {
    pub(super) fn new(
        facts: GameFacts,
        kind: TreeKind,
        settings: Settings,
        tables: Arc<Tables>,
    ) -> Result<SearchState, SearchError> {
        let layout = LayoutKind::of(&facts, USUAL_PLAYERS, kind, &settings);
        let (trees, less_memory) = allocate(layout, &settings)?;
        Ok(SearchState {
            trees,
            less_memory,
            has_bounds: false,
            learned: learned_playouts::of(&settings, &facts),
            layout,
            kind,
            facts,
            tables,
            pool: None,
            next_stream: 0,
            cores: cores(),
            bounds: Bounds::NONE,
            observer: None,
            last: None,
            merging: None,
            settings,
        })
    }

    pub(super) fn units(&self) -> f64 {
        self.trees[0].units()
    }

    /// The mean reward of nodes with this sum, in units, and this many visits.
    pub(super) fn mean(&self, sum: i64, visits: u64) -> f64 {
        to_reward(&self.facts.rewards, sum as f64 / self.units() / visits.max(1) as f64)
    }

    pub(super) fn playouts_in_trees(&self) -> u64 {
        self.trees.iter().map(|tree| u64::from(tree.read(tree.root()).visits)).sum()
    }

    /// Makes the trees ready for a search of a position in which the player `first` acts, and begins it. `None` if
    /// there is nothing to search.
    pub(super) fn begin(
        &mut self,
        position: &dyn Position,
        first: usize,
        budget: Budget,
        results: Results,
    ) -> Result<Option<SharedSearch>, SearchError> {
        let before = self.observer.replace(first);
        if self.keeps_trees_of_players() && before.is_some_and(|before| before != first) {
            self.clear_trees();
        }
        let players = players_of(position)?;
        if self.settings.minimax > 0.0 && players != 2 {
            return Err(validate::not_for_two(players, &self.settings));
        }
        self.has_bounds = solver::has_bounds(&self.facts, players);
        if self.layout_for(players) != self.layout {
            self.fit_layout(players)?;
        }
        if let Some(merging) = &self.merging {
            guarded(|| merging.prepare(position, self.merge_rules(players)))?;
        }
        if !self.expand_roots(position)? {
            return Ok(None);
        }
        if let Some(merging) = &self.merging {
            merging.begin(&self.trees[0]);
        }
        let search = self.share(position, first, self.settings.clone(), budget, results)?;
        if first >= search.players {
            search.warn(&Warning::UnknownPlayer);
        }
        if self.settings.solver && self.trees.iter().any(|tree| solver::is_solved(tree, first, self.has_bounds)) {
            search.status.stop(StopReason::Proven);
        }
        Ok(Some(search))
    }

    /// The kinds of knowledge that it merges with other searches. Nodes of other trees than plain ones, and of several
    /// trees, are no positions that others know, and UCB1-Tuned needs the squares of rewards.
    fn merge_rules(&self, players: usize) -> MergeRules {
        MergeRules {
            into_the_tree: self.kind == TreeKind::Plain
                && self.trees.len() == 1
                && self.settings.policy != Policy::Ucb1Tuned,
            outcomes: self.settings.solver && players <= 2,
            finer_by: MergeRules::finer_by(self.units()),
        }
    }

    /// Lists what is new with the last search, for those that it merges with.
    pub(super) fn contribution(&self) -> Vec<i64> {
        let Some(merging) = &self.merging else { return Vec::new() };
        match &self.last {
            Some(last) => merging.contribution(&last.own_root().0, &self.trees[0]),
            None => merging.nothing_new(),
        }
    }

    /// The layout of trees that goes with this number of players.
    pub(super) fn layout_for(&self, players: usize) -> LayoutKind {
        LayoutKind::of(&self.facts, players, self.kind, &self.settings)
    }

    /// Replaces the trees by empty ones of the layout that goes with this number of players.
    pub(super) fn fit_layout(&mut self, players: usize) -> Result<(), SearchError> {
        let layout = self.layout_for(players);
        (self.trees, self.less_memory) = allocate(layout, &self.settings)?;
        self.layout = layout;
        Ok(())
    }

    /// The shared state of a search of a position in which the player `first` acts.
    pub(super) fn share(
        &self,
        position: &dyn Position,
        first: usize,
        settings: Settings,
        budget: Budget,
        results: Results,
    ) -> Result<SharedSearch, SearchError> {
        Ok(SharedSearch::new(self, settings, (players_of(position)?, first), budget, results))
    }

    /// Gives every root its children before any worker starts, so that none spends playouts on an unexpanded root.
    /// Returns false if there is nothing to search.
    pub(super) fn expand_roots(&self, position: &dyn Position) -> Result<bool, SearchError> {
        let (actions, key) = guarded(|| {
            let mut actions = Vec::new();
            if position.turn() != Turn::Over {
                position.actions(&mut actions);
            }
            let key = if actions.is_empty() { 0 } else { self.key_of_root(position) };
            (actions, key)
        })?;
        if actions.is_empty() {
            return Ok(false);
        }
        let (most, code) = (self.facts.max_code, actions.iter().copied().max().unwrap_or_default());
        if code > most {
            return Err(SearchError::CodeAboveMax { code, most });
        }
        for tree in &self.trees {
            if self.keeps_trees_of_players() {
                tree.keep_only(key);
            }
            if tree.expansion(tree.root()) == Expansion::Unexpanded && !expand_root(tree, key, &actions) {
                // A tree is of no use without a root, so all else in it makes room.
                tree.clear();
                if !expand_root(tree, key, &actions) {
                    return Err(match self.less_memory {
                        None => SearchError::Memory { bytes: self.settings.memory },
                        Some(_) => SearchError::NoMemory,
                    });
                }
            }
        }
        Ok(true)
    }

    /// Returns true if some worker of the last search is in a tree.
    pub(super) fn is_working(&self) -> bool {
        self.last.as_ref().is_some_and(|search| search.status.is_working())
    }

    /// Updates what is kept from search to search.
    pub(super) fn learn_from(&mut self, search: &SharedSearch) {
        self.next_stream = search.stream + search.done() + STREAMS_FOR_WORKERS;
        if let Some(merging) = &self.merging {
            merging.count_playouts(search.done());
        }
        if self.facts.rewards.bounds.is_none() {
            let ((least, most), (low, high)) = (self.bounds, search.bounds.get());
            self.bounds = (least.min(low), most.max(high));
            if let Some(merging) = &self.merging {
                merging.keep_bounds((low, high));
            }
        }
    }

    /// Makes every tree empty.
    pub(super) fn clear_trees(&self) {
        self.trees.iter().for_each(|tree| tree.clear());
    }

    /// Forgets the trees and the last search.
    pub(super) fn reset(&mut self) {
        self.clear_trees();
        if self.settings.learning != Learning::Off
            && let Some(learned) = &self.learned
        {
            learned.policy.clear();
        }
        self.bounds = Bounds::NONE;
        self.observer = None;
        self.last = None;
        if let Some(merging) = &self.merging {
            merging.reset();
        }
    }

    /// Starts the random streams anew.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.next_stream = 0;
    }

    /// The code of every action, its playouts so far, and the sum of their rewards as the tree keeps it.
    pub(super) fn root_children(&self) -> Vec<(u32, u64, f64)> {
        Root::read(&self.trees, &self.settings, self.has_bounds)
            .0
            .into_iter()
            .map(|child| (child.action, child.visits, child.reward))
            .collect()
    }

    pub(super) fn dump(&self, depth: usize) -> Vec<Vec<NodeDump>> {
        let dump = |tree: &Arc<Tree>| {
            let mut nodes = Vec::new();
            tree.walk(depth, |node| nodes.push(node));
            nodes
        };
        self.trees.iter().map(dump).collect()
    }
}

/// The number of players in a position.
fn players_of(position: &dyn Position) -> Result<usize, SearchError> {
    Ok(guarded(|| position.players())?.min(MAX_PLAYERS))
}

fn expand_root(tree: &Tree, key: u64, actions: &[u32]) -> bool {
    let mut stock = tree.new_stock();
    let expanded = match tree.layout() {
        LayoutKind::InformationSets => tree.find_or_attach(tree.root(), key, actions, &mut stock).is_some(),
        LayoutKind::Informed => {
            let equal = vec![1.0 / actions.len() as f32; actions.len()];
            tree.expand_with_priors(tree.root(), actions, &equal, &mut stock).is_some()
        }
        _ => tree.expand(tree.root(), actions, &mut stock).is_some(),
    };
    tree.give_back(stock);
    expanded
}
