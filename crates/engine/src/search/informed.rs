//! Descents through trees of what players know ([`crate::tree`]'s `informed`).
//!
//! A descent begins in a position drawn anew, of those the searching player cannot tell from the true one (Cowling, Powley
//! and Whitehouse 2012). The rules go on from there as always; what differs is where a choice is looked up. With a tree for
//! each player (`multi`) it is looked up by what that player knows, below their own last choice: nobody's choice depends on
//! what they do not know, and where players choose at the same time this is decoupled UCT, whose cost grows with the sum of
//! the numbers of actions. With a single tree (`single`) all choices are looked up by what the searching player knows. In an
//! open loop (`open`) there is one tree of the players' actions, whatever chance has done between them.
//!
//! In the trees of one player's knowledge the legal actions of a block are always the same. In the others they vary, so
//! each child counts how often it was legal, and is explored by that.

use super::descent::{Descent, NOBODY};
use super::regret::{self, Odds};
use super::worker::Worker;
use crate::game::MAX_PLAYERS;
use crate::settings::{Policy, TreeKind};
use crate::tree::counters::{Counters, Informed};
use crate::tree::{Block, Node};
use crate::{Action, Game, Turn};

/// Where a player's tree goes on, and what is known of that place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    node: Node,
    /// Visits of that node before this one.
    visits: u32,
    /// The tree has grown here on this descent, which it does once.
    grown: bool,
}

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// Enters the roots of all trees, in a position that the searching player cannot tell from the true one.
    pub(super) fn begin_informed(&mut self, descent: &mut Descent<G>) {
        if self.kind != TreeKind::Open {
            descent.position.determinise(self.observer(), &mut self.rng);
        }
        descent.places.clear();
        descent.trace.clear();
        let first = self.tree.first();
        let players = if self.kind == TreeKind::Multi { self.players } else { 0 };
        for index in 0..=players as u32 {
            let root = self.view.enter_nth(first, self.tree.width(first), index, self.entered);
            descent.path.push((root.step, NOBODY));
            descent.places.push(Place {
                node: self.tree.informed_child(first, index),
                visits: u32::MAX - 1,
                grown: false,
            });
        }
        descent.odds.clear();
        descent.odds.resize(descent.path.len(), None);
        descent.moves = 0;
        if self.job.settings.policy == Policy::RegretMatching {
            descent.learner = self.rng.below(self.players as u32) as usize;
        }
    }

    /// The first two steps: goes down until a player acts who has no block there and gets none.
    pub(super) fn descend_informed(&mut self, descent: &mut Descent<G>) {
        while descent.moves < G::MAX_PLIES {
            let action = match descent.position.turn() {
                Turn::Over => break,
                Turn::Chance => descent.position.chance(&mut self.rng, &mut self.actions),
                Turn::Player(player) => self.choose(descent, player),
            };
            let Some(action) = action else { break };
            if self.job.traces {
                descent.trace.push(action.code());
            }
            descent.position.apply(action);
            descent.moves += 1;
        }
        self.saw_depth(descent.path.len() - descent.places.len());
    }

    /// The player whose decision is searched.
    fn observer(&self) -> usize {
        self.job.first
    }

    /// One player chooses.
    fn choose(&mut self, descent: &mut Descent<G>, player: usize) -> Option<G::Action> {
        let key = key(self.kind, &descent.position, self.observer(), player);
        let tree = match self.kind {
            // The root of the first tree has the decision that is searched.
            TreeKind::Multi if player != self.observer() => (player + 1).min(descent.places.len() - 1),
            _ => 0,
        };
        let Some(block) = self.block(descent, tree, key) else {
            // What others do before the searched decision only has to be likely; without it there would be none to learn about.
            let is_before = player != self.observer() && self.first_choice(descent).is_none();
            let choose = || self.job.playout.choose(&descent.position, &mut self.rng, &mut self.actions);
            return is_before.then(choose).flatten();
        };
        let (block, index) = match self.kind {
            TreeKind::Multi if self.job.settings.policy == Policy::RegretMatching => {
                let (index, odds) = regret::draw(self.tree, block, descent.learner == player, &mut self.rng);
                descent.odds.push(odds);
                (block, index)
            }
            TreeKind::Multi => (block, self.best_of_all(block)),
            _ => self.best_of_legal(descent, block)?,
        };
        let entered = self.view.enter_nth(block, self.tree.width(block), index, self.entered);
        let chooser = if player < self.players { player as u8 } else { NOBODY };
        descent.path.push((entered.step, chooser));
        let node = match self.kind {
            // What others do in secret must not show in where a tree goes on.
            TreeKind::Single if player != self.observer() => {
                self.tree.informed_child(block, (key % u64::from(self.tree.width(block))) as u32)
            }
            _ => self.tree.informed_child(block, index),
        };
        let grown = descent.places[tree].grown;
        descent.places[tree] = Place { node, visits: entered.visits, grown };
        Some(G::Action::from_code(entered.link.action()))
    }

    /// The block where a tree goes on, grown if it was visited often enough.
    fn block(&mut self, descent: &mut Descent<G>, tree: usize, key: u64) -> Option<Block> {
        let place = descent.places[tree];
        if let Some(block) = self.tree.find(place.node, key) {
            return Some(block);
        }
        if place.grown || place.visits.saturating_add(1) < self.job.settings.expand_at || !self.has_room() {
            return None;
        }
        self.list(descent);
        if self.codes.is_empty() {
            return None;
        }
        let block = self.tree.find_or_hang(place.node, key, self.codes.iter().copied(), &mut self.scraps);
        descent.places[tree].grown = true;
        block
    }

    /// The child with the highest value by UCB1.
    fn best_of_all(&self, block: Block) -> u32 {
        let scales = self.view.scales();
        let visits = self.tree.informed_words(block).map(Informed::visits).sum();
        let exploration = scales.exploration(visits);
        let values = self.tree.informed_words(block).map(|words| Informed::weight(words, scales).value(exploration));
        highest(values).map_or(0, |(index, _)| index as u32)
    }

    /// The child with the highest value of those that are legal here, each explored by how often it was.
    fn best_of_legal(&mut self, descent: &Descent<G>, first: Block) -> Option<(Block, u32)> {
        self.list(descent);
        let mut legal: Vec<(Block, u32)> = Vec::with_capacity(self.codes.len());
        let mut missing = Vec::new();
        for &code in &self.codes {
            match self.tree.find_action(first, code) {
                Some(child) => legal.push(child),
                None => missing.push(code),
            }
        }
        if !missing.is_empty() && self.has_room() {
            self.tree.add_actions(first, &missing, &mut self.scraps);
            legal.extend(missing.iter().filter_map(|&code| self.tree.find_action(first, code)));
        }
        let scales = self.view.scales();
        let values = legal.iter().map(|&(block, index)| {
            let node = self.tree.informed_child(block, index);
            let words = self.tree.informed(node);
            self.tree.add_third(node, 1);
            let legal_before = u32::try_from(words[2]).unwrap_or(u32::MAX);
            Informed::weight(words, scales).value(scales.exploration(legal_before.saturating_add(1)))
        });
        highest(values).map(|(place, _)| legal[place])
    }

    /// Lists the codes of the legal actions.
    fn list(&mut self, descent: &Descent<G>) {
        self.actions.clear();
        descent.position.actions(&mut self.actions);
        self.codes.clear();
        self.codes.extend(self.actions.iter().map(|action| action.code()));
    }

    /// Tells the regrets of all choices on the way, before the rewards are added.
    pub(super) fn regret(&mut self, descent: &Descent<G>) {
        // How often the strategy goes on as it went, of the times that the descent does.
        let mut follows = 1.0;
        for (&(step, chooser), &odds) in descent.path.iter().zip(&descent.odds).rev() {
            if let Some(Odds { drawn, share }) = odds
                && usize::from(chooser) < MAX_PLAYERS
            {
                let units = self.units[usize::from(chooser)] as i64 as f64;
                let reward = f64::from(self.view.scales().share(units / Informed::UNITS, 1));
                regret::learn(self.tree, step, follows / drawn, reward, self.view.scales());
                follows *= share / drawn;
            }
        }
    }

    /// Which child of the searched decision a descent went through, and what its player got.
    pub(super) fn first_choice(&self, descent: &Descent<G>) -> Option<(usize, u64)> {
        let root = self.tree.chain(self.tree.root()).next()?;
        let found = descent.path.iter().find(|(step, _)| step.block() == root);
        found.map(|&(step, chooser)| (step.index(), self.units[usize::from(chooser)]))
    }
}

/// The highest of some values and where it is, the first of equals.
fn highest(values: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    values.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// What a choice is looked up by.
pub(super) fn key<G: Game>(kind: TreeKind, position: &G, observer: usize, player: usize) -> u64 {
    match kind {
        TreeKind::Multi => position.information(player),
        TreeKind::Single => {
            position.information(observer).rotate_left(8) ^ (player as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
        TreeKind::Auto | TreeKind::Plain | TreeKind::Open => player as u64,
    }
}
