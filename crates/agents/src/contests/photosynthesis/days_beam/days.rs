//! A beam that is narrowed once a day, with the fault that its author described as "only three actions deep".
//!
//! All lines share one queue: the nearest day first, of one day the shortest lines, of equal ones the best. A day is
//! searched until as many lines were followed as the beam is wide. Then some of the lines left in it go to sleep
//! where they are, a few of each length, and the next day begins. So only lines as long as the last followed one, or
//! one action longer, reach the next day.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use boughs_games::photosynthesis::DAYS;

use super::line::{BeamLine, narrow};
use super::meter::{Meter, Pace};

/// The divisor of the width that gives the lines of each length that may go to sleep.
const DEFERRED: usize = 5;

/// A line in the queue.
struct Queued(BeamLine);

impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> Ordering {
        let key = |line: &BeamLine| std::cmp::Reverse((line.day(), line.today()));
        key(&self.0).cmp(&key(&other.0)).then(self.0.value.total_cmp(&other.0.value))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Queued {}

/// The lines at the start of the last day, the best first; `None` if the budget was spent before.
pub(super) fn search(
    root: BeamLine,
    player: usize,
    days: u8,
    pace: &mut Pace,
    meter: &mut Meter<'_>,
) -> Option<Vec<BeamLine>> {
    let mut queue = BinaryHeap::from([Queued(root)]);
    let last = (root.day() + days).min(DAYS);
    let (mut day, mut followed, mut deferred) = (root.day(), 0, [0; 64]);
    let mut width = pace.width(usize::from(days), meter);
    let mut quota = width / DEFERRED;
    let mut listed = Vec::new();
    while let Some(Queued(line)) = queue.pop() {
        if line.day() >= last {
            queue.push(Queued(line));
            break;
        }
        if meter.spent() >= 1.0 {
            return None;
        }
        if line.day() > day || line.day() == day && followed >= width {
            // The search of this day ends here.
            day += 1;
            (followed, deferred, quota) = (0, [0; 64], width / DEFERRED);
            width = pace.width(usize::from(last - day), meter);
        }
        if line.day() < day {
            let count = &mut deferred[(line.today() as usize).min(63)];
            if *count < quota {
                *count += 1;
                meter.count();
                queue.push(Queued(line.sleep(player)));
            }
            continue;
        }
        followed += 1;
        pace.follow();
        line.grow(player, &mut listed, |grown| {
            meter.count();
            queue.push(Queued(grown));
        });
    }
    let mut mornings = queue.into_iter().map(|Queued(line)| line).collect();
    narrow(&mut mornings, width);
    Some(mornings)
}
