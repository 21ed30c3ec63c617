//! The budget of a beam search: how much is used up, and how wide a beam may be to end with it.

use std::cell::Cell;
use std::time::Instant;

use boughs::{Budget, StopReason};

/// The iterations of a budget without a limit.
const DEFAULT: u64 = 100_000;
/// The iterations between two looks at the clock.
const LOOK: u64 = 64;

/// A meter of the budget.
pub(super) struct Meter<'b> {
    budget: &'b Budget,
    began: Instant,
    counted: u64,
    /// The share of the time at the last look at the clock, 1 if the search was stopped, and the iterations at that
    /// look.
    looked: Cell<Option<(f64, u64)>>,
}

impl<'b> Meter<'b> {
    pub(super) fn new(budget: &'b Budget) -> Meter<'b> {
        Meter { budget, began: Instant::now(), counted: 0, looked: Cell::new(None) }
    }

    pub(super) fn count(&mut self) {
        self.counted += 1;
    }

    pub(super) fn counted(&self) -> u64 {
        self.counted
    }

    /// The iterations that are left.
    pub(super) fn room(&self) -> u64 {
        let otherwise = if self.budget.deadline().is_some() { u64::MAX } else { DEFAULT };
        self.budget.most_iterations().unwrap_or(otherwise).saturating_sub(self.counted)
    }

    /// The reason to stop, if there is one.
    pub(super) fn stop(&self) -> Option<StopReason> {
        self.budget.is_spent(self.counted)
    }

    /// The share of the budget that is used up. A budget without a limit has [`DEFAULT`] iterations.
    pub(super) fn spent(&self) -> f64 {
        let most = match (self.budget.deadline(), self.budget.most_iterations()) {
            (None, None) => Some(DEFAULT),
            (_, most) => most,
        };
        self.time().max(most.map_or(0.0, |most| self.counted as f64 / most.max(1) as f64))
    }

    /// The share of the time that was over at the last look at the clock.
    fn time(&self) -> f64 {
        if let Some((share, at)) = self.looked.get()
            && self.counted - at < LOOK
        {
            return share;
        }
        let share = match self.budget.deadline() {
            _ if self.stop().is_some() => 1.0,
            Some(deadline) => {
                let whole = deadline.saturating_duration_since(self.began).as_secs_f64();
                self.began.elapsed().as_secs_f64() / whole.max(1e-9)
            }
            None => 0.0,
        };
        self.looked.set(Some((share, self.counted)));
        share
    }
}

/// The width of a beam, adjusted from layer to layer, so that the beam ends when its share of the budget is used up.
pub(super) struct Pace {
    /// The share of the budget that was used up at its start.
    began: f64,
    followed: u64,
    /// The cost of following a line by an earlier beam, as a share of the budget; `None` for the narrow beam that
    /// measures it.
    cost: Option<f64>,
}

/// The share of the budget at which the search ends and the playouts begin.
const SEARCH: f64 = 0.8;
/// The width of a narrow beam.
const NARROW: usize = 12;
/// The greatest width, so that the lines fit into some hundred megabytes.
const WIDE: usize = 1 << 16;
/// The number of lines after which their measured cost is trusted.
const ENOUGH: u64 = 500;

impl Pace {
    /// The pace of a narrow beam, which is there to be measured.
    pub(super) fn narrow(meter: &Meter<'_>) -> Pace {
        Pace { began: meter.spent(), followed: 0, cost: None }
    }

    /// The pace of a beam as wide as the budget allows, after a narrow one.
    pub(super) fn wide(narrow: &Pace, meter: &Meter<'_>) -> Pace {
        Pace { began: meter.spent(), followed: 0, cost: Some(narrow.measured(meter)) }
    }

    /// Counts a line that is followed.
    pub(super) fn follow(&mut self) {
        self.followed += 1;
    }

    fn measured(&self, meter: &Meter<'_>) -> f64 {
        (meter.spent() - self.began).max(1e-9) / self.followed.max(1) as f64
    }

    /// The number of lines to follow in each of the layers to come.
    pub(super) fn width(&self, layers: usize, meter: &Meter<'_>) -> usize {
        let Some(before) = self.cost else { return NARROW };
        let cost = if self.followed < ENOUGH { before } else { self.measured(meter) };
        let lines = (SEARCH - meter.spent()).max(0.0) / cost;
        ((lines / layers.max(1) as f64) as usize).clamp(NARROW, WIDE)
    }
}
