//! Workers of trees of information sets (ISMCTS), for hidden information, simultaneous choices and open loops.
//!
//! A traversal begins in a determinization: a position drawn from those that the searching player cannot tell from the
//! true one (Cowling, Powley and Whitehouse 2012). The rules go on from there as always; a choice is looked up by its
//! information set. Three kinds of trees differ in that:
//!
//! - MO-ISMCTS (`multi`), a tree for each player: a choice is looked up by the knowledge of the player who makes it,
//!   below that player's own last choice. No choice depends on hidden information. Where players choose at the same
//!   time this is decoupled UCT, whose cost grows with the sum of the numbers of actions.
//! - SO-ISMCTS (`single`), one tree: all choices are looked up by the knowledge of the searching player, below that
//!   player's own last choice.
//! - Open loop (`open`), one tree of the players' actions, for all outcomes of chance between them.
//!
//! In the trees of one player's knowledge the legal actions of a block are always the same. In the others they vary, so
//! each child counts how often it was legal, and is explored by that.

mod choose;
#[cfg(test)]
mod exploitability_tests;
mod local_stats;
mod regret;

use local_stats::LocalStats;
use regret::Turns;

use super::pace::Paced;
use super::shared::SharedSearch;
use super::traversal::{NO_PLAYER, PlayedMove, Traversal};
use super::worker::{self, GameRoot, Worker};
use super::worker_base::WorkerBase;
use crate::mcts::settings::{Policy, TreeKind};
use crate::mcts::tree::Layout;
use crate::mcts::tree::Node;
use crate::mcts::tree::layouts::InformationSets;
use crate::mcts::tree::words::Writers;
use crate::{Action, Game, Rng, Turn};
use boughs_core::MAX_PLAYERS;

/// A worker of trees of information sets.
pub(super) struct InformationSetWorker<'s, G: Game> {
    base: WorkerBase<'s, InformationSets>,
    game: GameRoot<'s, G>,
    actions: Vec<G::Action>,
    kind: TreeKind,
    /// The player whose decision is searched.
    observer: usize,
    matches_regrets: bool,
    turns: Turns,
    /// The player who learns next, in regret matching.
    learner: usize,
    local: LocalStats,
}

/// The state of a traversal of information sets.
pub(super) struct InformationSetState {
    /// The place in each tree.
    places: Vec<Place>,
    /// The probability of each choice on the path, of those that are learned from.
    odds: Vec<Option<regret::Odds>>,
    /// The player who explores and learns from the rewards, in regret matching, and the probability that this player
    /// has made the choices so far.
    learner: usize,
    reach: f64,
}

impl InformationSetState {
    /// The state before a traversal begins.
    pub(super) const NEW: InformationSetState =
        InformationSetState { places: Vec::new(), odds: Vec::new(), learner: 0, reach: 1.0 };
}

/// A place in a player's tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: Node,
    /// Visits of that node before this one.
    visits: u32,
    /// True if the tree has grown on this traversal, which it does once.
    grown: bool,
}

impl<'s, G: Game> InformationSetWorker<'s, G> {
    pub(super) fn new(search: &'s SharedSearch, game: GameRoot<'s, G>, number: usize) -> InformationSetWorker<'s, G> {
        let mut base = WorkerBase::new(search, number);
        if G::REWARDS.bounds.is_some() {
            base.cursor.set_bounds((0.0, 1.0));
        }
        let matches_regrets = search.settings.policy == Policy::RegretMatching;
        // Regret matching reads and writes the counters of the tree itself.
        let local = LocalStats::new(base.tree.writers() == Writers::Many && !matches_regrets);
        InformationSetWorker {
            base,
            local,
            game,
            actions: Vec::new(),
            kind: search.kind,
            observer: search.first,
            matches_regrets,
            turns: Turns::new(matches_regrets),
            learner: 0,
        }
    }
}

impl<'s, G: Game> Paced<'s> for InformationSetWorker<'s, G> {
    fn search(&self) -> &'s SharedSearch {
        self.base.search
    }
}

impl<'s, G: Game> Worker<'s, G> for InformationSetWorker<'s, G> {
    fn as_paced(&mut self) -> &mut dyn Paced<'s> {
        self
    }

    fn number(&self) -> usize {
        self.base.number
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.base.rng
    }

    fn iterate(&mut self, traversals: &mut Vec<Traversal<G>>) {
        worker::iterate_by_calls(self, traversals);
    }

    fn game(&self) -> GameRoot<'s, G> {
        self.game
    }

    /// Enters the roots of all trees, in a determinization.
    fn begin(&mut self, traversal: &mut Traversal<G>) {
        traversal.start(self.game);
        let base = &mut self.base;
        if G::REWARDS.bounds.is_none() {
            base.cursor.set_bounds(base.search.bounds.get());
        }
        if self.kind != TreeKind::Open {
            traversal.position.determinize(self.observer, &mut base.rng);
        }
        traversal.moves.clear();
        traversal.plies = 0;
        let state = &mut traversal.sets;
        state.places.clear();
        let first = base.tree.first();
        self.local.admit(first, base.tree.keyed_words(first));
        let players = if self.kind == TreeKind::Multi { base.search.players } else { 0 };
        for index in 0..=players as u32 {
            let root = self.local.enter(&mut self.base.cursor, first, index, self.base.entered);
            traversal.path.push((root.step, NO_PLAYER));
            let node = self.base.tree.keyed_child(first, index);
            state.places.push(Place { node, visits: u32::MAX - 1, grown: false });
        }
        if self.matches_regrets {
            state.odds.clear();
            state.odds.resize(traversal.path.len(), None);
            state.reach = 1.0;
            state.learner = self.learner;
            self.learner = (self.learner + 1) % self.base.search.players;
        }
    }

    /// Goes down until a player acts whose information set has no block and gets none.
    fn select(&mut self, traversal: &mut Traversal<G>, _: bool) -> bool {
        while traversal.plies < G::MAX_PLIES {
            // The searched decision itself is never a horizon.
            if traversal.plies > 0 && self.game.evaluator.is_some_and(|it| !it.expands(&traversal.position)) {
                break;
            }
            let turn = traversal.position.turn();
            let action = match turn {
                Turn::Over => break,
                Turn::Chance => traversal.position.chance(&mut self.base.rng, &mut self.actions),
                Turn::Player(player) => self.choose(traversal, player),
            };
            let Some(action) = action else { break };
            if self.base.search.lists_moves {
                traversal.moves.push(PlayedMove::new(turn, action.code()));
            }
            traversal.position.apply(action);
            traversal.plies += 1;
        }
        self.base.saw_depth((traversal.path.len() - traversal.sets.places.len()) as u32);
        true
    }

    fn take_back(&mut self, traversal: &mut Traversal<G>) {
        let base = &mut self.base;
        let changes = [base.rewards.taken_back(); 1 + MAX_PLAYERS];
        self.local.add_to_path(&mut base.cursor, &traversal.path, &changes);
        traversal.path.clear();
    }

    fn leave(&mut self) {
        self.local.merge(&mut self.base.cursor);
        self.base.leave();
    }

    /// Selection has expanded already: here a choice needs its block at once.
    #[cfg(any(test, feature = "steps"))]
    fn expand(&mut self, _: &mut Traversal<G>) {}

    fn play_out(&mut self, traversal: &mut Traversal<G>) {
        traversal.play_out(self.base.search, self.game, &mut self.base.rng, &mut self.actions);
    }

    fn backpropagate(&mut self, traversal: &mut Traversal<G>) {
        if !self.base.receive(traversal) {
            self.take_back(traversal);
            return;
        }
        let first = if self.matches_regrets { self.learn(traversal) } else { self.first_choice(traversal) };
        let base = &mut self.base;
        self.local.add_to_path(&mut base.cursor, &traversal.path, &base.rewards.changes);
        traversal.path.clear();
        self.base.search.finished.count(self.base.number, first);
    }
}

impl<G: Game> InformationSetWorker<'_, G> {
    /// Updates the regrets of all choices on the path, before the rewards are added, and corrects these: a mean is the
    /// value of a choice for players who follow their strategies after it. Returns the child of the searched decision
    /// with what it counts.
    fn learn(&mut self, traversal: &Traversal<G>) -> Option<(usize, u64)> {
        let (tree, ucb) = (self.base.tree, self.base.cursor.ucb());
        let units = &self.base.rewards.units;
        let searched = tree.first_below(tree.root());
        let mut first = None;
        // The probability that the strategy goes on as it went, by the probability that the traversal does.
        let mut follows = 1.0;
        for (&(step, chooser), &odds) in traversal.path.iter().zip(&traversal.sets.odds).rev() {
            let Some(&units) = units[..MAX_PLAYERS].get(usize::from(chooser)) else { continue };
            let child = tree.keyed_child(step.block(), step.index() as u32);
            let units = units as i64;
            let counted = match odds {
                Some(odds) => {
                    let reward = f64::from(ucb.share(units as f64 / InformationSets::UNITS, 1));
                    let estimate = regret::learn(tree, step, odds, follows, reward, ucb);
                    follows *= odds.share / odds.drawn;
                    units + (ucb.score(estimate - reward) * InformationSets::UNITS) as i64
                }
                // Another player explores, so this reward is not that of the strategies.
                None => 0,
            };
            tree.take_reward(child, (units - counted).cast_unsigned());
            if Some(step.block()) == searched {
                first = Some((step.index(), counted.cast_unsigned()));
            }
        }
        first
    }

    /// The child of the searched decision that a traversal went through, and the reward of its player.
    fn first_choice(&self, traversal: &Traversal<G>) -> Option<(usize, u64)> {
        let root = self.base.tree.first_below(self.base.tree.root())?;
        let &(step, chooser) = traversal.path.iter().find(|(step, _)| step.block() == root)?;
        Some((step.index(), self.base.rewards.units[usize::from(chooser)]))
    }
}

/// The key of the information set in which `player` chooses while the decision of `observer` is searched. `information`
/// gives the number for all that a player knows.
pub(super) fn key(kind: TreeKind, observer: usize, player: usize, information: impl Fn(usize) -> u64) -> u64 {
    match kind {
        TreeKind::Multi => information(player),
        TreeKind::Single => information(observer).rotate_left(8) ^ (player as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        TreeKind::Auto | TreeKind::Plain | TreeKind::Open => player as u64,
    }
}
