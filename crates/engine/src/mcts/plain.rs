//! The worker of a plain tree, in which a node is a position.

use super::shared::SharedSearch;
use super::traversal::{CHANCE, NO_PLAYER, Traversal};
use super::worker::{GameRoot, Worker};
use super::worker_base::WorkerBase;
use crate::mcts::tree::{Block, Entered, Layout, NodeState, Outcome, Step};
use crate::report::Warning;
use crate::{Action, Game, Turn, TurnOrder};

/// A worker of a plain tree.
pub(super) struct PlainWorker<'s, G: Game, L: Layout> {
    pub(super) base: WorkerBase<'s, L>,
    game: GameRoot<'s, G>,
    actions: Vec<G::Action>,
    solver: bool,
    /// The player who acts at the root.
    first: u8,
    /// The usual number of children of a node.
    width: u32,
}

/// The state of a traversal of a plain tree.
#[derive(Default)]
pub(super) struct PlainState {
    /// The last node of the path.
    pub(super) node: NodeState,
    /// The player who acts there, where players act in turn.
    next: u8,
    /// True if the children of the last node were prefetched.
    prefetched: bool,
    /// True if a leaf was expanded on the way, which happens once at most.
    expanded: bool,
}

pub(super) type PlainTraversal<G> = Traversal<G, PlainState>;

impl<'s, G: Game, L: Layout> Worker<'s, G> for PlainWorker<'s, G, L> {
    type Layout = L;
    type State = PlainState;

    fn new(search: &'s SharedSearch, game: GameRoot<'s, G>, number: usize) -> Self {
        // Copies of scores would not keep up with the bounds of scores.
        let can_mirror = G::REWARDS.bounds.is_some();
        PlainWorker {
            base: WorkerBase::new(search, number, can_mirror),
            game,
            actions: Vec::new(),
            solver: search.settings.solver,
            first: search.first as u8,
            width: search.width(),
        }
    }

    #[inline(always)]
    fn base(&mut self) -> &mut WorkerBase<'s, L> {
        &mut self.base
    }

    fn game(&self) -> GameRoot<'s, G> {
        self.game
    }

    fn begin(&mut self, traversal: &mut PlainTraversal<G>) {
        traversal.start(self.game);
        if G::REWARDS.bounds.is_none() {
            self.base.cursor.set_bounds(self.base.search.bounds.get());
        }
        traversal.state.expanded = false;
        traversal.state.prefetched = false;
        if self.solver {
            traversal.outcome = Outcome::OPEN;
            self.base.cursor.notice_proofs();
        }
        let root = self.base.cursor.enter_root(self.base.entered);
        traversal.enter(root, NO_PLAYER);
        traversal.state.next = self.first;
    }

    fn select(&mut self, traversal: &mut PlainTraversal<G>, ahead: bool) -> bool {
        loop {
            let block = match traversal.state.node.link.children() {
                Some(block) => block,
                None => match self.expand_leaf(traversal) {
                    Some(block) => block,
                    None => break,
                },
            };
            let state = &mut traversal.state;
            if ahead && !state.prefetched && !state.expanded {
                state.prefetched = self.base.cursor.prefetch(block, state.node.visits, self.width);
                if state.prefetched {
                    return false;
                }
            }
            state.prefetched = false;
            if traversal.path.len() as u32 > G::MAX_PLIES {
                break;
            }
            let Some(mut chooser) = self.chooser(traversal) else { break };
            let child = if G::TURN_ORDER == TurnOrder::Any && chooser == CHANCE {
                chooser = NO_PLAYER;
                let Some(outcome) = self.draw(traversal, block) else { break };
                outcome
            } else {
                self.base.cursor.enter(block, &traversal.state.node, self.base.entered)
            };
            traversal.enter(child, chooser);
            traversal.state.next = if usize::from(chooser) + 1 < self.base.search.players { chooser + 1 } else { 0 };
            traversal.position.apply(G::Action::from_code(child.state.link.action()));
        }
        traversal.plies = traversal.path.len() as u32 - 1;
        self.base.saw_depth(traversal.plies);
        true
    }

    #[cfg(any(test, feature = "steps"))]
    fn expand(&mut self, traversal: &mut PlainTraversal<G>) {
        self.expand_leaf(traversal);
    }

    #[inline]
    fn play_out(&mut self, traversal: &mut PlainTraversal<G>) {
        traversal.play_out(self.base.search, self.game, &mut self.base.rng, &mut self.actions);
    }

    fn backpropagate(&mut self, traversal: &mut PlainTraversal<G>) {
        let base = &mut self.base;
        if !base.receive(traversal, codes_of_path) {
            return;
        }
        let first = if self.solver {
            let units = base.backpropagate_proofs(&traversal.path, traversal.outcome);
            traversal.path.get(1).map(|&(step, _)| (step.index(), units))
        } else {
            for &(step, chooser) in &traversal.path {
                base.cursor.add(step, base.rewards.changes[usize::from(chooser)]);
            }
            let first = traversal.path.get(1);
            first.map(|&(step, chooser)| (step.index(), base.rewards.units[usize::from(chooser)]))
        };
        traversal.path.clear();
        base.search.finished.count(base.number, first);
    }
}

/// The codes of the actions inside the tree.
fn codes_of_path<L: Layout>(base: &WorkerBase<'_, L>, path: &[(Step, u8)]) -> Vec<u32> {
    path[1..].iter().map(|&(step, _)| base.tree.action(base.cursor.node(step))).collect()
}

impl<G: Game> PlainTraversal<G> {
    /// Appends a node to the path.
    #[inline(always)]
    fn enter(&mut self, node: Entered, chooser: u8) {
        self.path.push((node.step, chooser));
        self.state.node = node.state;
    }
}

impl<G: Game, L: Layout> PlainWorker<'_, G, L> {
    /// The player who acts, or chance; `None` if the game is over.
    #[inline(always)]
    fn chooser(&self, traversal: &PlainTraversal<G>) -> Option<u8> {
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

    /// Draws an outcome of chance, and enters that child of the block.
    fn draw(&mut self, traversal: &PlainTraversal<G>, block: Block) -> Option<Entered> {
        let base = &mut self.base;
        let outcome = traversal.position.chance(&mut base.rng, &mut self.actions)?;
        let entered = base.cursor.enter_action(block, outcome.code(), base.entered);
        if entered.is_none() {
            base.search.status.warn(&Warning::UnlistedOutcome);
        }
        entered
    }

    /// The chooser of a player's actions. A player that the game does not have gets no rewards.
    #[inline]
    fn known(&self, player: usize) -> u8 {
        if player < self.base.search.players {
            return player as u8;
        }
        self.base.search.status.warn(&Warning::UnknownPlayer);
        NO_PLAYER
    }

    /// Expansion: gives the leaf its children, if it has been visited often enough, no other worker is at it, and there
    /// is room.
    #[inline]
    fn expand_leaf(&mut self, traversal: &mut PlainTraversal<G>) -> Option<Block> {
        let &(leaf, _) = traversal.path.last()?;
        if self.solver {
            traversal.outcome = self.known_outcome(traversal);
            if !traversal.outcome.is_open() {
                return None;
            }
        }
        let state = &mut traversal.state;
        let base = &mut self.base;
        if state.expanded || state.node.visits + 1 < base.search.settings.expand_at {
            return None;
        }
        match traversal.position.turn() {
            Turn::Over => return None,
            turn if G::TURN_ORDER == TurnOrder::Alternating && turn != Turn::Player(usize::from(state.next)) => {
                base.search.status.warn(&Warning::OutOfTurn);
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
        state.expanded = block.is_some();
        block
    }
}
