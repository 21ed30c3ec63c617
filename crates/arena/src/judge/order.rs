//! Verdicts in the order of their cases.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::{CaseVerdict, NamedCase};

/// Brings verdicts into the order of their cases.
#[derive(Default)]
pub(super) struct Order {
    next: usize,
    waiting: BTreeMap<usize, (NamedCase, CaseVerdict)>,
    reported: Vec<(NamedCase, CaseVerdict)>,
}

impl Order {
    /// Adds the verdict on the case with this number.
    pub(super) fn add(&mut self, number: usize, judged: (NamedCase, CaseVerdict)) {
        self.waiting.insert(number, judged);
    }

    /// Reports the verdicts before which no other is missing, or all if no more will come.
    pub(super) fn report(
        &mut self,
        is_all: bool,
        see: &mut dyn FnMut(&NamedCase, &CaseVerdict) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while let Some(first) = self.waiting.first_entry() {
            if *first.key() != self.next && !is_all {
                break;
            }
            self.next = first.key() + 1;
            let (named, verdict) = first.remove();
            let flow = see(&named, &verdict);
            self.reported.push((named, verdict));
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the verdicts that were reported.
    pub(super) fn reported(self) -> Vec<(NamedCase, CaseVerdict)> {
        self.reported
    }
}
