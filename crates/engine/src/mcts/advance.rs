//! Advancing by an action: which part of the trees is kept.

use super::SearchError;
use super::information_sets;
use super::search_state::SearchState;
use crate::mcts::settings::{Policy, TreeKind};
use crate::mcts::tree::LayoutKind;
use crate::run::guarded;
use crate::{Information, Position, Turn};
use boughs_core::MAX_PLAYERS;

/// The place of a choice in the trees of players.
#[derive(Clone, Copy)]
enum Place {
    /// The tree with this number and the information set with this key.
    InTree(u32, u64),
    /// No tree, because chance acts.
    OfChance,
    /// No tree that could be kept.
    Unknown,
}

impl SearchState {
    /// The key of the information set whose decision is searched.
    pub(super) fn key_of_root(&self, position: &dyn Position) -> u64 {
        match position.turn() {
            Turn::Player(player) => {
                information_sets::key(self.kind, player, player, |player| position.information(player))
            }
            Turn::Chance | Turn::Over => 0,
        }
    }

    /// Keeps the part of the trees below a legal action.
    pub(super) fn advance(&mut self, position: &dyn Position, action: u32) -> Result<(), SearchError> {
        let place = match self.kind {
            TreeKind::Multi => guarded(|| self.place_of_choice(position))?,
            _ => Place::Unknown,
        };
        for tree in &self.trees {
            match (tree.layout(), place) {
                (LayoutKind::InformationSets, Place::InTree(number, key)) => tree.advance_one(number, key, action),
                (LayoutKind::InformationSets, Place::OfChance) => (),
                // The players of such a tree have other information now, so it is another decision.
                (LayoutKind::InformationSets, Place::Unknown) => tree.clear(),
                _ => _ = tree.advance(action),
            }
        }
        if let Some(merging) = &self.merging {
            match self.layout {
                // Below a choice there is what its player chooses next, and not what is known of this decision.
                LayoutKind::InformationSets => merging.reset(),
                _ => merging.advance(action),
            }
        }
        self.last = None;
        Ok(())
    }

    /// The place of the next choice. Players who choose at the same time, each in a tree of their own, learn at once
    /// what the others have chosen, so that these trees can be kept.
    fn place_of_choice(&self, position: &dyn Position) -> Place {
        let Some(observer) = self.observer.filter(|_| self.keeps_trees_of_players()) else { return Place::Unknown };
        let Turn::Player(player) = position.turn() else { return Place::OfChance };
        let number = if player == observer { 0 } else { (player + 1).min(MAX_PLAYERS) as u32 };
        let key = information_sets::key(self.kind, observer, player, |player| position.information(player));
        Place::InTree(number, key)
    }

    /// Returns true if each player's tree is kept from decision to decision. What the trees have counted is of use for
    /// the player alone who searched.
    pub(super) fn keeps_trees_of_players(&self) -> bool {
        let of_players = self.kind == TreeKind::Multi && self.settings.policy == Policy::Ucb1;
        of_players && self.facts.information == Information::Simultaneous
    }
}
