//! What of the budget is used up, and how wide a beam may be that ends with it.

use std::cell::Cell;
use std::time::Instant;

use boughs::{Budget, StopReason};

/// How many iterations a budget without a limit has.
const DEFAULT: u64 = 100_000;
/// So many iterations are counted between two looks at the clock.
const LOOK: u64 = 64;

/// What of a budget is used up.
pub(super) struct Meter<'b> {
    budget: &'b Budget,
    began: Instant,
    counted: u64,
    /// The share of the time that is over, all of it where it was told to stop, and what was counted at that look.
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

    /// Iterations that are left.
    pub(super) fn room(&self) -> u64 {
        let otherwise = if self.budget.deadline().is_some() { u64::MAX } else { DEFAULT };
        self.budget.most_iterations().unwrap_or(otherwise).saturating_sub(self.counted)
    }

    /// Why there is nothing left, if that is so.
    pub(super) fn stop(&self) -> Option<StopReason> {
        self.budget.is_spent(self.counted)
    }

    /// The share that is used up; one without a limit has [`DEFAULT`] iterations.
    pub(super) fn spent(&self) -> f64 {
        let most = match (self.budget.deadline(), self.budget.most_iterations()) {
            (None, None) => Some(DEFAULT),
            (_, most) => most,
        };
        self.time().max(most.map_or(0.0, |most| self.counted as f64 / most.max(1) as f64))
    }

    /// The share of the time that is over, by the last look at the clock.
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

/// How wide a beam may be, layer by layer, so that it ends when the share of the budget for it is used up.
pub(super) struct Pace {
    /// What was spent when it began.
    began: f64,
    followed: u64,
    /// What following a line took of the budget, in an earlier beam; a narrow beam that measures it has none.
    cost: Option<f64>,
}

/// The share of the budget that is over when the search ends and playouts begin.
const SEARCH: f64 = 0.8;
/// The width of a narrow beam.
const NARROW: usize = 12;
/// No beam is wider: its lines have to fit into some hundred megabytes.
const WIDE: usize = 1 << 16;
/// So many lines tell what one costs.
const ENOUGH: u64 = 500;

impl Pace {
    /// Of a narrow beam, which is there to be measured.
    pub(super) fn narrow(meter: &Meter<'_>) -> Pace {
        Pace { began: meter.spent(), followed: 0, cost: None }
    }

    /// Of one as wide as the budget allows, after a narrow one.
    pub(super) fn wide(narrow: &Pace, meter: &Meter<'_>) -> Pace {
        Pace { began: meter.spent(), followed: 0, cost: Some(narrow.measured(meter)) }
    }

    /// A line is followed.
    pub(super) fn follow(&mut self) {
        self.followed += 1;
    }

    fn measured(&self, meter: &Meter<'_>) -> f64 {
        (meter.spent() - self.began).max(1e-9) / self.followed.max(1) as f64
    }

    /// How many lines to follow in each of so many layers to come.
    pub(super) fn width(&self, layers: usize, meter: &Meter<'_>) -> usize {
        let Some(before) = self.cost else { return NARROW };
        let cost = if self.followed < ENOUGH { before } else { self.measured(meter) };
        let lines = (SEARCH - meter.spent()).max(0.0) / cost;
        ((lines / layers.max(1) as f64) as usize).clamp(NARROW, WIDE)
    }
}
