//! The worker of a plain tree, in which a node is a position.

use super::amaf::Amaf;
use super::bulk::{self, Bulk};
use super::implicit_minimax;
use super::pace::Paced;
use super::shared::SharedSearch;
use super::traversal::{CHANCE, NO_PLAYER, PlayedMove, Traversal};
use super::worker::{self, GameRoot, Worker};
use super::worker_base::WorkerBase;
use crate::mcts::policies::grave::reference_block;
use crate::mcts::policies::{ChildStats, ParentStats};
use crate::mcts::settings::Policy;
use crate::mcts::tree::sync::Ordering::Relaxed;
use crate::mcts::tree::{Allocation, Block, Entered, Layout, MOST_NARROW, NodeState, Outcome, Step};
use crate::report::Warning;
use crate::{Action, Game, Knowledge, MAX_PLAYERS, Rng, Turn, TurnOrder};
use boughs_core::End;

/// A worker of a plain tree.
pub(super) struct PlainWorker<'s, G: Game, L: Layout> {
    pub(super) base: WorkerBase<'s, L>,
    pub(super) bulk: Bulk,
    /// The positions of the nodes of the bulk.
    pub(super) positions: Vec<G>,
    pub(super) allocation: Allocation,
    pub(super) game: GameRoot<'s, G>,
    pub(super) actions: Vec<G::Action>,
    /// The statistics of the children of one node, for a selection policy.
    children: Vec<ChildStats>,
    /// The means to count AMAF statistics, for a policy that reads them.
    amaf: Option<Box<Amaf>>,
    pub(super) solver: bool,
    /// The share of minimax values in the means that selection goes by.
    minimax_share: f32,
    /// True if an evaluator gives priors to the leaves that are expanded.
    awaits_priors: bool,
    /// True if nodes near the root hold visits of other searches.
    pub(super) merges: bool,
    players: u8,
    /// The player who acts at the root.
    pub(super) first: u8,
}

/// The state of a traversal of a plain tree.
pub(super) struct PlainState {
    /// The task of the bulk whose child the path begins with; [`bulk::NONE`] if it begins at the root.
    pub(super) above: u32,
    /// Plies from the root to the first node of the path.
    pub(super) plies_above: u32,
    /// The last node of the path.
    pub(super) node: NodeState,
    /// The player who acts there, where players act in turn.
    pub(super) next: u8,
    /// True if a leaf was expanded on the way, which happens once at most.
    expanded: bool,
}

impl PlainState {
    /// The state before a traversal begins.
    pub(super) const NEW: PlainState =
        PlainState { above: bulk::NONE, plies_above: 0, node: NodeState::NEW, next: 0, expanded: false };
}

impl<'s, G: Game, L: Layout> PlainWorker<'s, G, L> {
    pub(super) fn new(search: &'s SharedSearch, game: GameRoot<'s, G>, number: usize) -> PlainWorker<'s, G, L> {
        let settings = &search.settings;
        let workers = search.finished.workers() / search.trees.len();
        // Bulks are shared out by UCB1.
        let bulk = if L::TAKES_VALUES && search.policy.is_some() { 1 } else { settings.bulk };
        let mut base = WorkerBase::new(search, number);
        if L::TAKES_VALUES && G::REWARDS.bounds.is_some() {
            base.cursor.set_bounds((0.0, 1.0));
        }
        PlainWorker {
            base,
            bulk: Bulk::new(search.players, G::MAX_PLIES, bulk, workers),
            positions: Vec::new(),
            allocation: Allocation::default(),
            game,
            actions: Vec::new(),
            children: Vec::new(),
            amaf: match search.counts_amaf && L::TAKES_VALUES {
                true => {
                    let looks_up = settings.policy == Policy::Grave;
                    Some(Box::new(Amaf::new(search.players, search.facts.max_code, looks_up)))
                }
                false => None,
            },
            solver: settings.solver,
            minimax_share: if search.has_bounds { settings.minimax as f32 } else { 0.0 },
            awaits_priors: L::TAKES_VALUES
                && game.evaluator.is_some_and(|it| it.knowledge() == Knowledge::ValuesAndPriors),
            merges: search.merging.is_some(),
            players: search.players as u8,
            first: search.first as u8,
        }
    }
}

impl<'s, G: Game, L: Layout> Paced<'s> for PlainWorker<'s, G, L> {
    #[inline(always)]
    fn search(&self) -> &'s SharedSearch {
        self.base.search
    }

    fn wanted(&mut self) -> u64 {
        let search = self.base.search;
        let made = search.finished.of(self.base.number);
        // The rounds of a search that merges count as one search.
        let made = match &search.merging {
            Some(merging) => made + merging.playouts_before() / search.finished.workers() as u64,
            None => made,
        };
        match self.bulk.size(self.base.cursor.root().state.visits) {
            1 => search.few(),
            // In a kept tree, where many visits are there at once, no more than go well with a short search.
            many => many.min(search.fair_share()).min((made / 8).max(search.few())),
        }
    }

    fn most_under_way(&mut self) -> u32 {
        let traversals = self.base.search.settings.traversals;
        self.bulk.most_under_way(self.base.cursor.root().state.visits).min(traversals)
    }

    fn share_out(&mut self, simulations: u64) {
        if simulations > 0 && self.bulk.size(self.base.cursor.root().state.visits) > 1 {
            self.lead_down(simulations);
        }
    }

    fn must_gather(&self) -> bool {
        !self.bulk.is_empty()
    }

    fn gather(&mut self) {
        if !self.bulk.is_empty() {
            self.bulk.gather(&mut self.base.cursor);
        }
    }
}

impl<'s, G: Game, L: Layout> Worker<'s, G> for PlainWorker<'s, G, L> {
    #[inline(always)]
    fn as_paced(&mut self) -> &mut dyn Paced<'s> {
        self
    }

    #[inline(always)]
    fn game(&self) -> GameRoot<'s, G> {
        self.game
    }

    fn number(&self) -> usize {
        self.base.number
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.base.rng
    }

    fn iterate(&mut self, traversals: &mut Vec<Traversal<G>>) {
        // A policy or an evaluator takes longer than the calls.
        if L::TAKES_VALUES {
            worker::iterate_by_calls(self, traversals);
        } else {
            worker::iterate(self, traversals);
        }
    }

    fn begin(&mut self, traversal: &mut Traversal<G>) {
        traversal.start(self.game);
        self.begin_anywhere(traversal);
        let root = self.base.cursor.enter_root(self.base.entered);
        traversal.enter(root, NO_PLAYER);
        traversal.state.next = self.first;
    }

    fn begin_next(&mut self, traversal: &mut Traversal<G>) {
        match self.bulk.next() {
            Some((task, begun)) => self.begin_task(traversal, task, begun),
            None => self.begin(traversal),
        }
    }

    fn take_back(&mut self, traversal: &mut Traversal<G>) {
        self.base.take_back(traversal);
    }

    fn leave(&mut self) {
        self.base.leave();
    }

    fn take_positions(&mut self) -> Vec<G> {
        std::mem::take(&mut self.positions)
    }

    #[inline(always)]
    fn select(&mut self, traversal: &mut Traversal<G>, ahead: bool) -> bool {
        loop {
            let block = match traversal.state.node.link.children() {
                Some(block) => block,
                None => match self.expand_leaf(traversal) {
                    Some(block) => block,
                    None => break,
                },
            };
            let block = match L::must_widen(block, traversal.state.node.visits) {
                true => match self.widen(traversal, block) {
                    Some(block) => block,
                    None => break,
                },
                false => block,
            };
            if self.merges {
                let plies = traversal.state.plies_above + traversal.path.len() as u32 - 1;
                self.base.count_below(&mut traversal.state.node, block, plies);
            }
            let Some(mut chooser) = self.chooser(traversal) else { break };
            let child = if G::TURN_ORDER == TurnOrder::Any && chooser == CHANCE {
                chooser = NO_PLAYER;
                let Some(outcome) = self.draw(traversal, block) else { break };
                outcome
            } else if L::TAKES_VALUES && self.base.search.policy.is_some() {
                self.enter_by_policy(traversal, block, chooser)
            } else {
                self.base.cursor.enter(block, &traversal.state.node, self.base.entered)
            };
            traversal.enter(child, chooser);
            traversal.state.next = self.after(chooser);
            traversal.position.apply(G::Action::from_code(child.state.link.action));
            if ahead && self.base.cursor.prefetch_below(&child.state) {
                return false;
            }
        }
        traversal.plies = traversal.state.plies_above + traversal.path.len() as u32 - 1;
        self.base.saw_depth(traversal.plies);
        if self.base.search.lists_moves {
            self.list_moves(traversal);
        }
        true
    }

    #[cfg(any(test, feature = "steps"))]
    fn expand(&mut self, traversal: &mut Traversal<G>) {
        self.expand_leaf(traversal);
    }

    fn expand_with_priors(&mut self, traversal: &mut Traversal<G>) {
        // A traversal that ended with the game keeps what an earlier one has left here.
        if traversal.end != End::Truncated || !traversal.outcome.is_open() {
            return;
        }
        let Some((codes, priors)) = traversal.leaf.as_ref().and_then(|leaf| leaf.priors()) else { return };
        let Some(&(leaf, _)) = traversal.path.last() else { return };
        let base = &mut self.base;
        if traversal.state.plies_above + traversal.path.len() as u32 > G::MAX_PLIES || !base.has_room() {
            return;
        }
        base.growth.codes.clear();
        base.growth.codes.extend(codes);
        base.tree.expand_with_priors(base.cursor.node(leaf), &base.growth.codes, priors, &mut base.growth.stock);
    }

    #[inline]
    fn play_out(&mut self, traversal: &mut Traversal<G>) {
        traversal.play_out(self.base.search, self.game, &mut self.base.rng, &mut self.actions);
    }

    #[inline]
    fn backpropagate(&mut self, traversal: &mut Traversal<G>) {
        let counts_amaf = L::TAKES_VALUES && self.base.search.counts_amaf;
        let (base, bulk, above) = (&mut self.base, &mut self.bulk, traversal.state.above);
        if !base.receive(traversal) {
            base.take_back(traversal);
            return;
        }
        if counts_amaf && let Some(amaf) = &mut self.amaf {
            let shares: [f32; MAX_PLAYERS] = std::array::from_fn(|player| base.share(player));
            amaf.count(base.tree, &traversal.path, &traversal.moves, &shares[..base.search.players]);
        }
        let has_minimax = L::TAKES_VALUES && self.minimax_share > 0.0;
        let value: Option<f32> = if has_minimax { value_of_leaf(base, traversal) } else { None };
        let first = if self.solver {
            let units = base.backpropagate_proofs(&traversal.path, traversal.unshown, traversal.outcome);
            traversal.path.get(1).map(|&(step, _)| (step.index(), units))
        } else {
            base.cursor.add_to_path(&traversal.path[traversal.unshown..], &base.rewards.changes);
            // The child of the root and the player who chose it.
            let child = match above {
                bulk::NONE => traversal.path.get(1).map(|&(step, chooser)| (step.index(), chooser)),
                task => {
                    bulk.count(task, &base.rewards.units);
                    Some((bulk.task(task).first as usize, bulk.nodes[0].chooser))
                }
            };
            child.map(|(child, chooser)| (child, base.rewards.units[usize::from(chooser)]))
        };
        // By what the solver has proven just now too.
        if let Some(value) = value {
            implicit_minimax::back_up(base.tree, |step| base.cursor.node(step), &traversal.path, value);
        }
        traversal.path.clear();
        base.search.finished.count(base.number, first);
    }
}

/// The value of a traversal's leaf for the player who chose it: that of the evaluator, or of the game if it is over.
#[inline(never)]
fn value_of_leaf<G: Game, L: Layout>(base: &WorkerBase<'_, L>, traversal: &Traversal<G>) -> Option<f32> {
    let &(_, chooser) = traversal.path.last()?;
    let player = Some(usize::from(chooser)).filter(|&player| player < MAX_PLAYERS)?;
    match &traversal.leaf {
        Some(leaf) if traversal.end == End::Truncated => Some(leaf.values[player] as f32),
        _ => Some(base.share(player)),
    }
}

/// Lists the moves inside the tree, of a traversal that began below a node of the bulk or at the root.
fn moves_of_path<L: Layout>(
    base: &WorkerBase<'_, L>,
    bulk: &Bulk,
    above: u32,
    path: &[(Step, u8)],
    moves: &mut Vec<PlayedMove>,
) {
    let played = |&(step, player): &(Step, u8)| PlayedMove { player, code: base.tree.action(base.cursor.node(step)) };
    moves.clear();
    match above {
        bulk::NONE => moves.extend(path[1..].iter().map(played)),
        task => moves.extend(bulk.path_to(bulk.task(task).node).iter().chain(path).map(played)),
    }
}

impl<G: Game> Traversal<G> {
    /// Appends a node to the path.
    #[inline(always)]
    pub(super) fn enter(&mut self, node: Entered, chooser: u8) {
        self.path.push((node.step, chooser));
        self.state.node = node.state;
    }
}

impl<G: Game, L: Layout> PlainWorker<'_, G, L> {
    /// Makes a traversal ready, wherever it begins.
    pub(super) fn begin_anywhere(&mut self, traversal: &mut Traversal<G>) {
        if G::REWARDS.bounds.is_none() {
            self.base.cursor.set_bounds(self.base.search.bounds.get());
        }
        if self.solver {
            traversal.outcome = Outcome::OPEN;
        }
        traversal.unshown = 0;
        traversal.state = PlainState::NEW;
    }

    /// Lists the moves of a traversal that has reached its leaf.
    #[inline(never)]
    fn list_moves(&self, traversal: &mut Traversal<G>) {
        let Traversal { path, moves, state, .. } = traversal;
        moves_of_path(&self.base, &self.bulk, state.above, path, moves);
        traversal.in_tree = traversal.moves.len();
    }

    /// The player who acts after another, where players act in turn.
    #[inline(always)]
    pub(super) fn after(&self, player: u8) -> u8 {
        if player + 1 < self.players { player + 1 } else { 0 }
    }

    /// Gives the last node of a path wide counters for its children. Where there is no memory for them the narrow ones
    /// are used as long as they have room, and `None` is returned after that.
    #[cold]
    fn widen(&mut self, traversal: &Traversal<G>, narrow: Block) -> Option<Block> {
        let &(step, _) = traversal.path.last()?;
        let has_room = traversal.state.node.visits < MOST_NARROW;
        self.base.widen(step, narrow).or(has_room.then_some(narrow))
    }

    /// The player who acts, or chance; `None` if the game is over.
    #[inline(always)]
    fn chooser(&self, traversal: &Traversal<G>) -> Option<u8> {
        match G::TURN_ORDER {
            // No need to ask: a node has children only where the game is not over.
            TurnOrder::Alternating => Some(traversal.state.next),
            TurnOrder::Any => match traversal.position.turn() {
                Turn::Player(player) => Some(self.known(player)),
                Turn::Chance => Some(CHANCE),
                Turn::Over => None,
            },
        }
    }

    /// Enters the child that the selection policy of the search selects.
    fn enter_by_policy(&mut self, traversal: &Traversal<G>, block: Block, chooser: u8) -> Entered {
        let base = &mut self.base;
        let search = base.search;
        base.cursor.list_children(block, &mut self.children);
        let reference = search.settings.amaf_reference;
        if search.settings.policy == Policy::Grave
            && traversal.state.node.visits < reference
            && let Some(amaf) = &mut self.amaf
        {
            let visits = |step| base.tree.read(base.cursor.node(step)).visits;
            if let Some(other) = reference_block(&traversal.path, chooser, reference, visits) {
                amaf.take_from(base.tree, other, block, &mut self.children);
            }
        }
        if self.minimax_share > 0.0 {
            implicit_minimax::mix(base.tree, block, self.minimax_share, &mut self.children);
        }
        let is_first = traversal.path.len() == 1 && traversal.state.above == bulk::NONE;
        // Before the root has its priors it is a node like others.
        let is_root = is_first && (!self.awaits_priors || search.root_is_valued.load(Relaxed) == 1);
        let index = search.policy.as_ref().map_or(0, |policy| {
            let budget = if is_root && policy.needs_budget() { search.expected() } else { u64::MAX };
            policy.select(&ParentStats { visits: traversal.state.node.visits, is_root, budget }, &self.children)
        });
        base.cursor.enter_nth(block, index as u32, base.entered)
    }

    /// Draws an outcome of chance, and enters that child of the block.
    fn draw(&mut self, traversal: &Traversal<G>, block: Block) -> Option<Entered> {
        let base = &mut self.base;
        let outcome = traversal.position.chance(&mut base.rng, &mut self.actions)?;
        let entered = base.cursor.enter_action(block, outcome.code(), base.entered);
        if entered.is_none() {
            base.search.warn(&Warning::UnlistedOutcome);
        }
        entered
    }

    /// The chooser of a player's actions. A player that the game does not have gets no rewards.
    #[inline]
    pub(super) fn known(&self, player: usize) -> u8 {
        if player < self.base.search.players {
            return player as u8;
        }
        self.base.search.warn(&Warning::UnknownPlayer);
        NO_PLAYER
    }

    /// Expansion: gives the leaf its children, if it has been visited often enough and is not as deep as a game is
    /// long, no other worker is at it, and there is room.
    #[inline]
    fn expand_leaf(&mut self, traversal: &mut Traversal<G>) -> Option<Block> {
        if self.solver {
            traversal.outcome = self.known_outcome(traversal);
            if !traversal.outcome.is_open() {
                return None;
            }
        }
        let state = &traversal.state;
        let seldom = state.node.visits + 1 < self.base.search.settings.expand_at;
        // With priors the leaf is expanded after its evaluation.
        let comes_later = L::TAKES_VALUES && self.awaits_priors && traversal.position.turn() != Turn::Chance;
        let is_horizon = || L::TAKES_VALUES && self.game.evaluator.is_some_and(|it| !it.expands(&traversal.position));
        if state.expanded
            || seldom
            || comes_later
            || is_horizon()
            || state.plies_above + traversal.path.len() as u32 > G::MAX_PLIES
        {
            return None;
        }
        self.expand_now(traversal)
    }

    #[inline(never)]
    fn expand_now(&mut self, traversal: &mut Traversal<G>) -> Option<Block> {
        let &(leaf, _) = traversal.path.last()?;
        let base = &mut self.base;
        match traversal.position.turn() {
            Turn::Over => return None,
            turn if G::TURN_ORDER == TurnOrder::Alternating
                && turn != Turn::Player(usize::from(traversal.state.next)) =>
            {
                base.search.warn(&Warning::OutOfTurn);
            }
            Turn::Player(_) | Turn::Chance => {}
        }
        if !base.has_room() {
            return None;
        }
        // Listed before the leaf is claimed: a game that panics here leaves no claim behind.
        let growth = &mut base.growth;
        growth.list(&traversal.position, &mut self.actions);
        if growth.codes.is_empty() {
            return None;
        }
        let block = base.tree.expand(base.cursor.node(leaf), &growth.codes, &mut growth.stock);
        traversal.state.expanded = block.is_some();
        block
    }
}
