//! Selection and expansion among information sets: one player chooses an action.

use super::local_stats::LocalStats;
use super::{InformationSetWorker, key, regret};
use crate::mcts::settings::TreeKind;
use crate::mcts::traversal::{NO_PLAYER, Traversal};
use crate::mcts::tree::Block;
use crate::mcts::tree::Layout;
use crate::mcts::tree::layouts::InformationSets;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::worker_base::WorkerBase;
use crate::{Action, Game};

impl<G: Game> InformationSetWorker<'_, G> {
    /// One player chooses. `None` where the traversal leaves the tree.
    pub(super) fn choose(&mut self, traversal: &mut Traversal<G>, player: usize) -> Option<G::Action> {
        let key = key(self.kind, self.observer, player, |player| traversal.position.information(player));
        let tree = match self.kind {
            // The root of the first tree has the decision that is searched.
            TreeKind::Multi if player != self.observer => (player + 1).min(traversal.sets.places.len() - 1),
            _ => 0,
        };
        let Some(block) = self.block(traversal, tree, key) else {
            // Actions of others before the searched decision only have to be likely; without them there would be no
            // decision.
            let is_before = player != self.observer && self.first_choice(traversal).is_none();
            let choose = || self.game.playout.choose(&traversal.position, &mut self.base.rng, &mut self.actions);
            return is_before.then(choose).flatten();
        };
        let (block, index) = match self.kind {
            TreeKind::Multi if self.matches_regrets => {
                let state = &mut traversal.sets;
                let reach = (state.learner == player).then_some(state.reach);
                let (index, odds) = regret::draw(self.base.tree, block, reach, &mut self.turns, &mut self.base.rng);
                state.reach *= odds.map_or(1.0, |odds| odds.drawn);
                state.odds.push(odds);
                (block, index)
            }
            TreeKind::Multi => (block, best_of_all(&mut self.local, &mut self.base, block)),
            _ => {
                self.base.growth.list(&traversal.position, &mut self.actions);
                best_of_legal(&mut self.base, block)?
            }
        };
        let base = &mut self.base;
        let entered = self.local.enter(&mut base.cursor, block, index, base.entered);
        let chooser = if player < base.search.players { player as u8 } else { NO_PLAYER };
        traversal.path.push((entered.step, chooser));
        let place = &mut traversal.sets.places[tree];
        place.visits = entered.state.visits;
        // The tree of one observer goes on below the observer's own choices only. The actions of others, and even their
        // number, may depend on what they hide; what the observer has seen of them is in the next key.
        if self.kind != TreeKind::Single || player == self.observer {
            place.node = base.tree.keyed_child(block, index);
        }
        Some(G::Action::from_code(entered.state.link.action))
    }

    /// The block of an information set, written if its place was visited often enough.
    fn block(&mut self, traversal: &mut Traversal<G>, tree: usize, key: u64) -> Option<Block> {
        let place = traversal.sets.places[tree];
        let base = &mut self.base;
        if let Some(block) = base.tree.find(place.node, key) {
            return Some(block);
        }
        if place.grown || place.visits.saturating_add(1) < base.search.settings.expand_at || !base.has_room() {
            return None;
        }
        base.growth.list(&traversal.position, &mut self.actions);
        if base.growth.codes.is_empty() {
            return None;
        }
        let block = base.tree.find_or_attach(place.node, key, &base.growth.codes, &mut base.growth.stock);
        traversal.sets.places[tree].grown = true;
        block
    }
}

type Base<'s> = WorkerBase<'s, InformationSets>;

/// The child with the highest value by UCB1.
fn best_of_all(local: &mut LocalStats, base: &mut Base<'_>, block: Block) -> u32 {
    let (tree, ucb) = (base.tree, base.cursor.ucb());
    let index = local.words(block).map(|words| best_of(words, ucb)).unwrap_or_else(|| {
        let words = tree.keyed_words(block);
        local.admit(block, words.clone());
        best_of(words, ucb)
    });
    index as u32
}

/// The child with the highest value of those of the actions that were listed last, each explored by how often it was
/// legal.
fn best_of_legal(base: &mut Base<'_>, first: Block) -> Option<(Block, u32)> {
    let tree = base.tree;
    let mut legal: Vec<(Block, u32)> = Vec::with_capacity(base.growth.codes.len());
    let mut missing = Vec::new();
    tree.find_actions(first, &base.growth.codes, |code, child| match child {
        Some(child) => legal.push(child),
        None => missing.push(code),
    });
    if !missing.is_empty() && base.has_room() {
        tree.add_actions(first, &missing, &mut base.growth.stock);
        tree.find_actions(first, &missing, |_, child| legal.extend(child));
    }
    let ucb = base.cursor.ucb();
    let values = legal.iter().map(|&(block, index)| {
        let node = tree.keyed_child(block, index);
        let words = tree.keyed_node_words(node);
        tree.add_third(node, 1);
        let legal_before = u32::try_from(words[2]).unwrap_or(u32::MAX);
        InformationSets::terms(words, ucb).value(ucb.exploration(legal_before.saturating_add(1)))
    });
    highest(values).map(|(place, _)| legal[place])
}

/// The index of the child with the highest value by UCB1, of all children of a block.
#[inline(always)]
fn best_of(words: impl Iterator<Item = [u64; 3]> + Clone, ucb: &Ucb) -> usize {
    let exploration = ucb.exploration(words.clone().map(InformationSets::visits).sum());
    highest(words.map(|words| InformationSets::terms(words, ucb).value(exploration))).map_or(0, |(index, _)| index)
}

/// The highest of some values and its index, the first of equals.
fn highest(values: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    values.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best })
}
