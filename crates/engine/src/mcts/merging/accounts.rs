//! The knowledge of a search about itself and the searches it merges with.

use std::cmp::Reverse;

use crate::mcts::tree::{Foreign, Node, Outcome, Stock, Tree};
use crate::{Position, Turn};

/// The most children of children whose statistics are added up at a time.
const MOST_BELOW: usize = 4096;

/// Sums are told in units of which so many make a reward of 1, so that those of thousands of searches stay below 2^63.
const TOLD_UNITS: u32 = 20;

/// The accounts of one position.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    /// The children of the root.
    pub(super) children: Slots,
    /// The children of each of them, listed when they are added up for the first time.
    pub(super) below: Vec<Option<Slots>>,
    /// The children of the root whose children are added up next.
    pub(super) window: Vec<usize>,
    /// The last contribution, which is part of the sum of all.
    pub(super) told: Vec<i64>,
    /// The tree that holds the visits of others: the place of its value in memory. The exporter of bots takes a field
    /// for a setting that has the name of one.
    pub(super) holder: usize,
    /// The most further visits that the tree may take over.
    pub(super) room: i64,
    pub(super) rules: MergeRules,
}

/// The kinds of knowledge that are merged.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::mcts) struct MergeRules {
    /// True if the tree can take over the visits of others; without it they count in the report alone.
    pub(in crate::mcts) into_the_tree: bool,
    /// True if a solver proves outcomes, which are the same in every tree.
    pub(in crate::mcts) outcomes: bool,
    /// The bits that a sum in the units of the tree has more than one that is told.
    pub(in crate::mcts) finer_by: u32,
}

impl MergeRules {
    /// The bits by which the units of a tree are finer than those that are told.
    pub(in crate::mcts) fn finer_by(units: f64) -> u32 {
        // Units are powers of two.
        (units as u64).trailing_zeros().saturating_sub(TOLD_UNITS)
    }
}

/// The actions at a node, in the order of the game, each with its account.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) actions: Vec<u32>,
    pub(super) accounts: Vec<Account>,
}

/// The visits of a node and the sum of their rewards, by where they come from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    /// Those of this search that it has told, with the sum in the units that are told.
    told: Foreign,
    /// Those of the other searches. Their sum may be larger than a tree can hold.
    pub(super) visits_of_others: i64,
    pub(super) sum_of_others: i128,
    /// Those of the others that the tree holds.
    pub(super) held: Foreign,
    /// The outcome that some search has proven and told.
    pub(super) outcome: Outcome,
}

impl Account {
    /// The visits of others that the tree does not hold yet.
    pub(super) fn missing(&self) -> Foreign {
        Foreign {
            visits: self.visits_of_others - self.held.visits,
            sum: (self.sum_of_others as i64).wrapping_sub(self.held.sum),
        }
    }

    /// Appends what is new since the last time to the numbers of a contribution.
    pub(super) fn tell(&mut self, own: Foreign, rules: MergeRules, numbers: &mut Vec<i64>) {
        let own = Foreign { sum: own.sum >> rules.finer_by, ..own };
        numbers.extend([own.visits - self.told.visits, own.sum.wrapping_sub(self.told.sum)]);
        self.told = own;
    }

    /// Appends an outcome that this search has proven and no search has told.
    pub(super) fn tell_outcome(&self, outcome: Outcome, numbers: &mut Vec<i64>) {
        let is_new = !outcome.is_open() && self.outcome.is_open();
        numbers.extend(if is_new { [1, i64::from(outcome.bits())] } else { [0, 0] });
    }

    /// Adds the visits of others, which are the difference of the next two sums and the numbers of this search in them.
    pub(super) fn learn(&mut self, rules: MergeRules, numbers: &mut impl Iterator<Item = (i64, i64)>) {
        let mut of_others = || numbers.next().map_or(0, |(sum, told)| i128::from(sum) - i128::from(told));
        self.visits_of_others += of_others() as i64;
        self.sum_of_others += of_others() << rules.finer_by;
    }

    /// Adds an outcome from the next two sums: the number of searches that have proven it, and their outcomes.
    pub(super) fn learn_outcome(&mut self, numbers: &mut impl Iterator<Item = (i64, i64)>) {
        let mut of_all = || numbers.next().map_or(0, |(sum, _)| sum);
        let (searches, bits) = (of_all(), of_all());
        if self.outcome.is_open() && searches > 0 {
            self.outcome = Outcome::from_bits((bits / searches) as u16);
        }
    }
}

impl Slots {
    pub(super) fn of(position: &dyn Position) -> Slots {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        Slots { accounts: vec![Account::default(); actions.len()], actions }
    }

    /// The place of an action, which most often is that of its child in the tree.
    pub(super) fn place(&self, action: u32, in_tree: usize) -> Option<usize> {
        if self.actions.get(in_tree) == Some(&action) {
            return Some(in_tree);
        }
        self.actions.iter().position(|&other| other == action)
    }

    fn forget_tree(&mut self) {
        self.accounts.iter_mut().for_each(|account| account.held = Foreign::default());
    }

    /// Adds what the tree does not hold yet to the children of a node, which may have `room` more visits. Returns the
    /// number of visits.
    fn take_over(&mut self, tree: &Tree, node: Node, stock: &mut Stock, room: i64) -> i64 {
        let mut taken = 0;
        if self.accounts.iter().any(|account| account.missing() != Foreign::default()) {
            tree.add_foreign(node, stock, |action, place| {
                let place = self.place(action, place)?;
                let account = &mut self.accounts[place];
                let missing = account.missing();
                if taken + missing.visits > room {
                    return None;
                }
                taken += missing.visits;
                account.held = Foreign { visits: account.visits_of_others, sum: account.sum_of_others as i64 };
                Some(missing)
            });
        }
        taken
    }
}

impl Accounts {
    /// The accounts of the children of a root, of which these are known.
    pub(super) fn of(children: Slots) -> Accounts {
        let below = children.actions.iter().map(|_| None).collect();
        Accounts { children, below, ..Accounts::default() }
    }

    /// The most children of children that are added up at a time. It depends on the root alone, so that a contribution
    /// has the same length in every round.
    fn most_below(&self) -> usize {
        let children = self.children.actions.len();
        (2 * children * children + 64).min(MOST_BELOW)
    }

    /// The number of numbers of a contribution.
    pub(super) fn length(&self) -> usize {
        let each = if self.rules.outcomes { 4 } else { 2 };
        each * self.children.actions.len() + 2 * self.most_below()
    }

    /// Begins with a tree that holds nothing of others.
    pub(super) fn forget_tree(&mut self) {
        self.children.forget_tree();
        self.below.iter_mut().flatten().for_each(Slots::forget_tree);
    }

    /// Calls `see` with the place of each child of the root and its node.
    pub(super) fn each_child(&mut self, tree: &Tree, mut see: impl FnMut(&mut Accounts, usize, Node)) {
        let Some(block) = tree.expansion(tree.root()).block() else { return };
        for (in_tree, child) in tree.children(block).enumerate() {
            if let Some(place) = self.children.place(tree.action(child), in_tree) {
                see(self, place, child);
            }
        }
    }

    /// Adds to the tree what it does not hold yet, if it is the tree of these accounts.
    pub(super) fn take_over(&mut self, tree: &Tree) {
        if !self.rules.into_the_tree || self.holder != address(tree) {
            return;
        }
        let mut stock = tree.new_stock();
        let taken = self.children.take_over(tree, tree.root(), &mut stock, self.room);
        self.room -= taken;
        tree.add_foreign_to_root(taken);
        self.each_child(tree, |accounts, place, child| {
            // A child has no fewer visits than its children.
            if accounts.children.accounts[place].missing().visits == 0
                && let Some(slots) = &mut accounts.below[place]
            {
                slots.take_over(tree, child, &mut stock, i64::MAX);
            }
        });
        tree.give_back(stock);
    }

    /// The visits of this search alone of the children of a child of the root, in the order of its slots.
    pub(super) fn own_below(&self, tree: &Tree, place: usize, child: Node) -> Vec<Foreign> {
        let Some(Some(slots)) = self.below.get(place).filter(|_| self.window.contains(&place)) else {
            return Vec::new();
        };
        let mut own = vec![Foreign::default(); slots.actions.len()];
        let Some(block) = tree.expansion(child).block() else { return own };
        for (in_tree, node) in tree.children(block).enumerate() {
            if let Some(place) = slots.place(tree.action(node), in_tree) {
                let (stats, held) = (tree.read(node), slots.accounts[place].held);
                let sum = stats.sum.cast_signed().wrapping_sub(held.sum);
                own[place] = Foreign { visits: i64::from(stats.visits) - held.visits, sum };
            }
        }
        own
    }

    /// Chooses the children of the root whose children are added up next: those with the most visits of all searches,
    /// as many as there is room for.
    pub(super) fn choose_window(&mut self, position: &dyn Position) {
        let visits = |place: usize| {
            let account = &self.children.accounts[place];
            account.told.visits + account.visits_of_others
        };
        let mut places: Vec<usize> = (0..self.children.actions.len()).filter(|&place| visits(place) > 0).collect();
        places.sort_by_key(|&place| (Reverse(visits(place)), place));
        let mut room = self.most_below();
        self.window.clear();
        for place in places {
            let slots = self.below[place].get_or_insert_with(|| {
                let mut after = position.clone_position();
                after.apply(self.children.actions[place]);
                // Outcomes of chance come into a tree as they are drawn.
                if let Turn::Player(_) = after.turn() { Slots::of(&*after) } else { Slots::default() }
            });
            match room.checked_sub(slots.actions.len()) {
                Some(left) => room = left,
                None => return,
            }
            self.window.push(place);
        }
    }
}

/// The place of a tree in memory, which tells it from others.
pub(super) fn address(tree: &Tree) -> usize {
    std::ptr::from_ref(tree).addr()
}
