//! Searches of one position that add up their statistics while they run. Each has a tree of its own, in which the
//! children of the root and their children count the visits of all.
//!
//! Chaslot, Winands and van den Herik (2008) call it root parallelisation, and Bourki et al. (2010), who share more
//! than the root a few times a second, slow tree parallelisation. A search tells what is new with it as a list of
//! numbers ([`Merging::contribution`]), its caller adds up the lists of all searches, and each takes over what comes
//! from the others ([`Merging::merge`]). The numbers are integers, so the order of addition does not matter. All
//! searches know the same sums after as many additions, so all agree on what the next numbers mean.
//!
//! **Nothing is counted twice.** For each node a search keeps what it has told, what the others have told, and what of
//! that its tree holds. Its own visits are those of its tree less those of the others. A node that the tree does not
//! have yet takes its visits later.

use std::cmp::Reverse;

use crate::locks::Mutex;
use crate::mcts::root::Candidate;
use crate::mcts::shared::MOST_VISITS;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::{Foreign, Node, Outcome, Stock, Tree};
use crate::{Position, Turn};

/// The most children of children whose statistics are added up at a time.
const MOST_BELOW: usize = 4096;

/// The most visits of other searches that a tree takes over during a search. More count in the report alone.
pub(super) const MOST_FOREIGN: u64 = MOST_VISITS / 2;

/// The knowledge of a search about those it merges with.
#[derive(Debug, Default)]
pub(super) struct Merging {
    accounts: Mutex<Accounts>,
    /// 1 if the tree has to take over what others have told.
    is_due: AtomicU64,
}

/// The accounts of one position.
#[derive(Debug, Default)]
struct Accounts {
    /// The children of the root.
    children: Slots,
    /// The children of each of them, listed when they are added up for the first time.
    below: Vec<Option<Slots>>,
    /// The children of the root whose children are added up next.
    window: Vec<usize>,
    /// The last contribution, which is part of the sum of all.
    told: Vec<i64>,
    /// The most further visits that the tree may take over.
    room: i64,
    rules: MergeRules,
}

/// The kinds of knowledge that are merged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MergeRules {
    /// True if the tree can take over the visits of others; without it they count in the report alone.
    pub(super) into_the_tree: bool,
    /// True if a solver proves outcomes, which are the same in every tree.
    pub(super) outcomes: bool,
}

/// The actions at a node, in the order of the game, each with its account.
#[derive(Debug, Default)]
struct Slots {
    actions: Vec<u32>,
    accounts: Vec<Account>,
}

/// The visits of a node and the sum of their rewards, by where they come from.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Those of this search that it has told.
    told: Foreign,
    /// Those of the other searches. Their sum may be larger than a tree can hold.
    visits_of_others: i64,
    sum_of_others: i128,
    /// Those of the others that the tree holds.
    held: Foreign,
    /// The outcome that some search has proven and told.
    outcome: Outcome,
    has_told_outcome: bool,
}

impl Account {
    /// The visits of others that the tree does not hold yet.
    fn missing(&self) -> Foreign {
        Foreign {
            visits: self.visits_of_others - self.held.visits,
            sum: (self.sum_of_others as i64).wrapping_sub(self.held.sum),
        }
    }

    /// Appends what is new since the last time.
    fn tell(&mut self, own: Foreign, numbers: &mut Vec<i64>) {
        numbers.extend([own.visits - self.told.visits, own.sum.wrapping_sub(self.told.sum)]);
        self.told = own;
    }

    /// Takes what others have told out of the next two numbers.
    fn learn(&mut self, numbers: &mut impl Iterator<Item = (i64, i64)>) {
        let mut of_others = || numbers.next().map_or(0, |(sum, told)| i128::from(sum) - i128::from(told));
        self.visits_of_others += of_others() as i64;
        self.sum_of_others += of_others();
    }

    /// Takes an outcome out of the next two numbers: of those who have proven it, and their outcomes.
    fn learn_outcome(&mut self, numbers: &mut impl Iterator<Item = (i64, i64)>) {
        let mut of_all = || numbers.next().map_or(0, |(sum, _)| sum);
        let (searches, bits) = (of_all(), of_all());
        if self.outcome.is_open() && searches > 0 {
            self.outcome = Outcome::from_bits((bits / searches) as u16);
        }
    }
}

impl Slots {
    fn of(position: &dyn Position) -> Slots {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        Slots { accounts: vec![Account::default(); actions.len()], actions }
    }

    /// The place of an action, which most often is that of its child in the tree.
    fn place(&self, action: u32, in_tree: usize) -> Option<usize> {
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
    /// Calls `see` with the place of each child of the root and its node.
    fn each_child(&mut self, tree: &Tree, mut see: impl FnMut(&mut Accounts, usize, Node)) {
        let Some(block) = tree.expansion(tree.root()).block() else { return };
        for (in_tree, child) in tree.children(block).enumerate() {
            if let Some(place) = self.children.place(tree.action(child), in_tree) {
                see(self, place, child);
            }
        }
    }

    /// Adds to the tree what it does not hold yet.
    fn take_over(&mut self, tree: &Tree) {
        if !self.rules.into_the_tree {
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
    fn own_below(&self, tree: &Tree, place: usize, child: Node) -> Vec<Foreign> {
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
    fn choose_window(&mut self, position: &dyn Position) {
        let visits = |place: usize| {
            let account = &self.children.accounts[place];
            account.told.visits + account.visits_of_others
        };
        let mut places: Vec<usize> = (0..self.children.actions.len()).filter(|&place| visits(place) > 0).collect();
        places.sort_by_key(|&place| (Reverse(visits(place)), place));
        let mut room = MOST_BELOW;
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

impl Merging {
    /// Lists the accounts of a position.
    pub(super) fn prepare(&self, position: &dyn Position, rules: MergeRules) {
        let accounts = &mut *self.accounts.lock();
        if accounts.children.actions.is_empty() && position.turn() != Turn::Over {
            accounts.children = Slots::of(position);
            accounts.below.resize_with(accounts.children.actions.len(), || None);
        }
        accounts.rules = rules;
    }

    /// Makes the tree ready for a search: it has the children of its root. `was_empty` says that it had none before.
    pub(super) fn begin(&self, tree: &Tree, was_empty: bool) {
        let accounts = &mut *self.accounts.lock();
        if was_empty {
            accounts.children.forget_tree();
            accounts.below.iter_mut().flatten().for_each(Slots::forget_tree);
        }
        accounts.room = (MOST_VISITS as i64 - i64::from(tree.read(tree.root()).visits)).min(MOST_FOREIGN as i64);
        accounts.take_over(tree);
        self.is_due.store(0, Relaxed);
    }

    /// Forgets the position.
    pub(super) fn reset(&self) {
        *self.accounts.lock() = Accounts::default();
    }

    /// Goes on to the position after an action. What is known of its children stays.
    pub(super) fn advance(&self, action: u32) {
        let accounts = &mut *self.accounts.lock();
        let place = accounts.children.place(action, 0);
        let known = place.and_then(|place| accounts.below.get_mut(place)?.take());
        let children = known.unwrap_or_default();
        let below = children.actions.iter().map(|_| None).collect();
        *accounts = Accounts { children, below, ..Accounts::default() };
    }

    /// Adds to the tree what it does not hold yet, if there is anything. Only a thread that may write to the tree may
    /// call this.
    #[inline]
    pub(super) fn take_over_if_due(&self, tree: &Tree) {
        if self.is_due.load(Relaxed) != 0 {
            self.take_over(tree);
        }
    }

    #[cold]
    fn take_over(&self, tree: &Tree) {
        if self.is_due.swap(0, Relaxed) != 0 {
            self.accounts.lock().take_over(tree);
        }
    }

    /// Takes the visits of others out of the children of the root, as the tree has them.
    pub(super) fn without_others(&self, children: &mut [Candidate], units: f64) {
        let accounts = self.accounts.lock();
        for (in_tree, child) in children.iter_mut().enumerate() {
            let Some(place) = accounts.children.place(child.action, in_tree) else { continue };
            let held = accounts.children.accounts[place].held;
            child.visits = child.visits.saturating_add_signed(-held.visits);
            child.reward -= held.sum as f64 / units;
        }
    }

    /// Adds the visits of others, and the outcomes that they have proven, to the children of the root.
    pub(super) fn with_others(&self, children: &mut [Candidate], units: f64) {
        let accounts = self.accounts.lock();
        for (in_tree, child) in children.iter_mut().enumerate() {
            let Some(place) = accounts.children.place(child.action, in_tree) else { continue };
            let account = &accounts.children.accounts[place];
            child.visits = child.visits.saturating_add_signed(account.visits_of_others);
            child.reward += account.sum_of_others as f64 / units;
            if child.outcome.is_open() {
                child.outcome = account.outcome;
            }
        }
    }

    /// Lists what is new with this search since the last contribution: of the children of the root, which are given without
    /// the visits of others, and of their children in the tree.
    pub(super) fn contribution(&self, children: &[Candidate], tree: &Tree) -> Vec<i64> {
        let accounts = &mut *self.accounts.lock();
        let mut own = vec![(Foreign::default(), Outcome::OPEN); accounts.children.actions.len()];
        for (in_tree, child) in children.iter().enumerate() {
            if let Some(place) = accounts.children.place(child.action, in_tree) {
                let sum = (child.reward * tree.units()).round() as i64;
                own[place] = (Foreign { visits: child.visits as i64, sum }, child.outcome);
            }
        }
        let mut numbers = Vec::new();
        for (account, (own, outcome)) in accounts.children.accounts.iter_mut().zip(own) {
            account.tell(own, &mut numbers);
            if accounts.rules.outcomes {
                let is_new =
                    !outcome.is_open() && !std::mem::replace(&mut account.has_told_outcome, !outcome.is_open());
                numbers.extend(if is_new { [1, i64::from(outcome.bits())] } else { [0, 0] });
            }
        }
        let mut below: Vec<Vec<Foreign>> = Vec::new();
        below.resize_with(accounts.children.actions.len(), Vec::new);
        accounts.each_child(tree, |accounts, place, child| below[place] = accounts.own_below(tree, place, child));
        for &place in &accounts.window {
            let Some(slots) = &mut accounts.below[place] else { continue };
            let own = std::mem::take(&mut below[place]).into_iter().chain(std::iter::repeat(Foreign::default()));
            slots.accounts.iter_mut().zip(own).for_each(|(account, own)| account.tell(own, &mut numbers));
        }
        accounts.told.clone_from(&numbers);
        numbers
    }

    /// A contribution of a search that could not begin.
    pub(super) fn nothing_new(&self) -> Vec<i64> {
        let accounts = &mut *self.accounts.lock();
        let each = if accounts.rules.outcomes { 4 } else { 2 };
        let below = accounts.window.iter().filter_map(|&place| accounts.below[place].as_ref());
        let below: usize = below.map(|slots| 2 * slots.actions.len()).sum();
        accounts.told = vec![0; each * accounts.children.actions.len() + below];
        accounts.told.clone()
    }

    /// Takes over the sum of the contributions that all searches have made.
    pub(super) fn merge(&self, position: &dyn Position, sums: &[i64]) {
        let accounts = &mut *self.accounts.lock();
        let told = std::mem::take(&mut accounts.told);
        let mut numbers = sums.iter().copied().zip(told);
        for account in &mut accounts.children.accounts {
            account.learn(&mut numbers);
            if accounts.rules.outcomes {
                account.learn_outcome(&mut numbers);
            }
        }
        for &place in &accounts.window {
            if let Some(slots) = &mut accounts.below[place] {
                slots.accounts.iter_mut().for_each(|account| account.learn(&mut numbers));
            }
        }
        accounts.choose_window(position);
        self.is_due.store(1, Relaxed);
    }
}
