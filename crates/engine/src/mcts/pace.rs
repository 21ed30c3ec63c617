//! The pace of a worker: when it takes simulations from the budget, looks at the clock, and begins traversals.
//!
//! It names no game, so it is compiled once.

use super::shared::SharedSearch;

/// One take from the budget in this many has its last playout timed.
const TIMED: u32 = 8;

/// The part of a worker that decides how many simulations it takes at once and how many are under way.
pub(super) trait Paced<'s> {
    /// The search that the worker takes part in.
    fn search(&self) -> &'s SharedSearch;

    /// The number of simulations to take from the budget at once. It does not depend on the clock, so that the tree of
    /// one thread does not.
    fn wanted(&mut self) -> u64 {
        self.search().few()
    }

    /// The most traversals to have under way at a time.
    fn most_under_way(&mut self) -> u32 {
        self.search().settings.traversals
    }

    /// Leads simulations down the top of the tree together, as far as they go together.
    fn share_out(&mut self, _simulations: u64) {}

    /// Returns true if simulations that went together have not been gathered.
    fn must_gather(&self) -> bool {
        false
    }

    /// Adds the simulations that went together to the nodes they went through together.
    fn gather(&mut self) {}
}

/// The next step of a worker at a traversal that is not under way.
pub(super) enum Next {
    /// The traversal begins.
    Begin,
    /// Other traversals end first.
    Wait,
    /// The search is over for this worker.
    End,
}

/// The simulations of one worker.
pub(super) struct Pace<'s> {
    search: &'s SharedSearch,
    /// The least number of simulations to take at once and to have under way: the leaves of a batch.
    batch: u32,
    /// Simulations taken from the budget and not begun.
    taken: u64,
    /// Those of them before the next look at the clock.
    before_look: u64,
    /// Those of them after that look and before it is asked whether the search stops early.
    before_decision: u64,
    /// Traversals under way, and the most there may be.
    under_way: u32,
    most: u32,
    /// The number of takes so far.
    takes: u32,
}

impl<'s> Pace<'s> {
    pub(super) fn new(search: &'s SharedSearch, batch: u32) -> Pace<'s> {
        Pace { search, batch, taken: 0, before_look: 0, before_decision: 0, under_way: 0, most: 0, takes: 0 }
    }

    /// Decides what a traversal does that is not under way.
    #[inline(always)]
    pub(super) fn next(&mut self, worker: &mut dyn Paced<'s>) -> Next {
        if self.taken == 0 || self.before_look == 0 {
            self.look(worker);
        }
        if self.taken == 0 {
            return if self.under_way == 0 { Next::End } else { Next::Wait };
        }
        if self.under_way >= self.most {
            return Next::Wait;
        }
        self.taken -= 1;
        self.before_look -= 1;
        self.under_way += 1;
        Next::Begin
    }

    /// Looks whether the search goes on, and takes simulations if there are none left.
    #[inline(never)]
    fn look(&mut self, worker: &mut dyn Paced<'s>) {
        let search = self.search;
        if self.taken > 0 {
            let is_decided = || self.before_decision == 0 && search.stops_early();
            if !search.goes_on() || is_decided() {
                self.taken = 0;
                return;
            }
            if self.before_decision == 0 {
                self.before_decision = search.before_decision();
            }
        } else {
            if self.under_way > 0 && worker.must_gather() {
                return;
            }
            worker.gather();
            let wanted = worker.wanted().max(self.batch.into());
            self.taken = search.take(wanted.min(search.even_share()));
            self.takes = self.takes.wrapping_add(1);
            worker.share_out(self.taken);
            self.most = worker.most_under_way().max(self.batch);
            self.before_decision = search.before_decision();
        }
        self.before_look = search.share().min(self.before_decision);
        self.before_decision -= self.before_look;
    }

    /// Counts traversals that have ended.
    #[inline(always)]
    pub(super) fn end(&mut self, traversals: u32) {
        self.under_way -= traversals;
    }

    /// The number of traversals under way.
    pub(super) fn under_way(&self) -> u32 {
        self.under_way
    }

    /// Returns true if the playout of the traversal that began last is to be timed, in a search that times playouts.
    #[inline(always)]
    pub(super) fn is_timed(&self) -> bool {
        self.search.is_reported && self.taken == 0 && self.takes.is_multiple_of(TIMED)
    }
}
