//! A beam that is narrowed once a day: the fault that "only three actions deep" came of.
//!
//! Lines stand in one queue, those of the nearest day first, of these the shortest, of equal ones the best. So a day is searched
//! in full width until so many lines were followed; then the lines left over in it go to sleep where they are, a few of each
//! length, and the next day begins. Only lines as long as the last of them and those one action longer get there.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use boughs_games::photosynthesis::DAYS;

use super::line::{Line, narrow};
use super::meter::{Meter, Pace};

/// Of so many lines that a day has, one may go to sleep for each length.
const DEFERRED: usize = 5;

/// A line in the queue.
struct Queued(Line);

impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> Ordering {
        let key = |line: &Line| std::cmp::Reverse((line.day(), line.today()));
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

/// The lines with which the last day begins, the best first; `None` if the budget was over before.
pub(super) fn search(root: Line, player: usize, days: u8, pace: &mut Pace, meter: &mut Meter<'_>) -> Option<Vec<Line>> {
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
            // The day is over, as far as it was searched.
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
