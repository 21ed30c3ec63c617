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

mod accounts;
#[cfg(all(test, not(loom)))]
mod tests;

pub(super) use accounts::MergeRules;
use accounts::{Account, Accounts, Slots, address};

use crate::locks::Mutex;
use crate::mcts::root::Candidate;
use crate::mcts::shared::MOST_VISITS;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::{Foreign, Outcome, Tree};
use crate::reward::Bounds;
use crate::{Position, Turn};

/// The knowledge of a search about those it merges with.
#[derive(Debug, Default)]
pub(super) struct Merging {
    accounts: Mutex<Accounts>,
    /// The least and the greatest score of the searches of this position, where scores have no bounds.
    bounds: Mutex<Option<(f64, f64)>>,
    /// 1 if the tree has to take over what others have told.
    is_due: AtomicU64,
    /// The playouts of the searches of this position that have ended.
    playouts: AtomicU64,
}

impl Candidate {
    fn add(&mut self, visits: i64, reward: f64) {
        self.visits = self.visits.saturating_add_signed(visits);
        self.reward += reward;
    }
}

impl Merging {
    /// Lists the accounts of a position.
    pub(super) fn prepare(&self, position: &dyn Position, rules: MergeRules) {
        let accounts = &mut *self.accounts.lock();
        if accounts.children.actions.is_empty() && position.turn() != Turn::Over {
            *accounts = Accounts::of(Slots::of(position));
        }
        accounts.rules = rules;
    }

    /// Begins a search in a tree that has the children of its root.
    pub(super) fn begin(&self, tree: &Tree) {
        let accounts = &mut *self.accounts.lock();
        // An empty tree holds nothing of others.
        if accounts.holder != address(tree) || tree.read(tree.root()).visits == 0 {
            accounts.forget_tree();
        }
        accounts.holder = address(tree);
        // Half of the visits that the tree has room for are for those of this search.
        accounts.room = (MOST_VISITS as i64 - i64::from(tree.read(tree.root()).visits)).max(0) / 2;
        accounts.take_over(tree);
        self.is_due.store(0, Relaxed);
    }

    /// The most visits that the tree may take over during the search that begins.
    pub(super) fn room(&self) -> u64 {
        self.accounts.lock().room.max(0) as u64
    }

    /// The least and the greatest score of the position so far.
    pub(super) fn bounds(&self) -> (f64, f64) {
        self.bounds.lock().unwrap_or(Bounds::NONE)
    }

    /// Keeps the least and the greatest score of the position for its next search.
    pub(super) fn keep_bounds(&self, bounds: (f64, f64)) {
        *self.bounds.lock() = Some(bounds);
    }

    /// The playouts of the searches of this position that have ended.
    #[inline]
    pub(super) fn playouts_before(&self) -> u64 {
        self.playouts.load(Relaxed)
    }

    /// Counts the playouts of a search that has ended.
    pub(super) fn count_playouts(&self, playouts: u64) {
        self.playouts.fetch_add(playouts, Relaxed);
    }

    /// Forgets the position.
    pub(super) fn reset(&self) {
        *self.accounts.lock() = Accounts::default();
        *self.bounds.lock() = None;
        self.playouts.store(0, Relaxed);
    }

    /// Goes on to the position after an action. What is known of its children stays.
    pub(super) fn advance(&self, action: u32) {
        let accounts = &mut *self.accounts.lock();
        let place = accounts.children.place(action, 0);
        let known = place.and_then(|place| accounts.below.get_mut(place)?.take());
        *accounts = Accounts { holder: accounts.holder, ..Accounts::of(known.unwrap_or_default()) };
        *self.bounds.lock() = None;
        self.playouts.store(0, Relaxed);
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
        self.each(children, |account, child| child.add(-account.held.visits, -(account.held.sum as f64) / units));
    }

    /// Adds the visits of others, and the outcomes that they have proven, to the children of the root.
    pub(super) fn with_others(&self, children: &mut [Candidate], units: f64) {
        self.each(children, |account, child| {
            child.add(account.visits_of_others, account.sum_of_others as f64 / units);
            if child.outcome.is_open() {
                child.outcome = account.outcome;
            }
        });
    }

    /// Takes out of the children of the root the visits that [`with_others`](Merging::with_others) has added.
    pub(super) fn take_others_out(&self, children: &mut [Candidate], units: f64) {
        self.each(children, |account, child| {
            child.add(-account.visits_of_others, -(account.sum_of_others as f64) / units);
        });
    }

    /// Calls `change` with the account of each child of the root.
    fn each(&self, children: &mut [Candidate], mut change: impl FnMut(&Account, &mut Candidate)) {
        let accounts = self.accounts.lock();
        for (in_tree, child) in children.iter_mut().enumerate() {
            if let Some(place) = accounts.children.place(child.action, in_tree) {
                change(&accounts.children.accounts[place], child);
            }
        }
    }

    /// Lists what is new with this search since the last contribution: of the children of the root, which are given
    /// without the visits of others, and of their children in the tree.
    pub(super) fn contribution(&self, children: &[Candidate], tree: &Tree) -> Vec<i64> {
        let accounts = &mut *self.accounts.lock();
        let rules = accounts.rules;
        let mut own = vec![(Foreign::default(), Outcome::OPEN); accounts.children.actions.len()];
        for (in_tree, child) in children.iter().enumerate() {
            if let Some(place) = accounts.children.place(child.action, in_tree) {
                let sum = (child.reward * tree.units()).round() as i64;
                own[place] = (Foreign { visits: child.visits as i64, sum }, child.outcome);
            }
        }
        let mut numbers = Vec::new();
        for (account, (own, outcome)) in accounts.children.accounts.iter_mut().zip(own) {
            account.tell(own, rules, &mut numbers);
            if rules.outcomes {
                account.tell_outcome(outcome, &mut numbers);
            }
        }
        let mut below: Vec<Vec<Foreign>> = Vec::new();
        below.resize_with(accounts.children.actions.len(), Vec::new);
        accounts.each_child(tree, |accounts, place, child| below[place] = accounts.own_below(tree, place, child));
        for &place in &accounts.window {
            let Some(slots) = &mut accounts.below[place] else { continue };
            let own = std::mem::take(&mut below[place]).into_iter().chain(std::iter::repeat(Foreign::default()));
            slots.accounts.iter_mut().zip(own).for_each(|(account, own)| account.tell(own, rules, &mut numbers));
        }
        numbers.resize(accounts.length(), 0);
        accounts.told.clone_from(&numbers);
        numbers
    }

    /// A contribution of a search that could not begin.
    pub(super) fn nothing_new(&self) -> Vec<i64> {
        let accounts = &mut *self.accounts.lock();
        accounts.told = vec![0; accounts.length()];
        accounts.told.clone()
    }

    /// Takes over the sum of the contributions that all searches have made.
    pub(super) fn merge(&self, position: &dyn Position, sums: &[i64]) {
        let accounts = &mut *self.accounts.lock();
        let (told, rules) = (std::mem::take(&mut accounts.told), accounts.rules);
        let mut numbers = sums.iter().copied().zip(told);
        for account in &mut accounts.children.accounts {
            account.learn(rules, &mut numbers);
            if rules.outcomes {
                account.learn_outcome(&mut numbers);
            }
        }
        for &place in &accounts.window {
            if let Some(slots) = &mut accounts.below[place] {
                slots.accounts.iter_mut().for_each(|account| account.learn(rules, &mut numbers));
            }
        }
        accounts.choose_window(position);
        self.is_due.store(1, Relaxed);
    }
}
