//! A beam that is narrowed once a day: the fault that "only three actions deep" came of.
//!
//! Lines stand in one queue, those of the nearest day first, of these the shortest, of equal ones the best. So a day is searched
//! in full width until so many lines were followed; then the lines left over in it go to sleep where they are, a few of each
//! length, and the next day begins. Only lines as long as the last of them and those one action longer get there.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::line::{Line, Meter, narrow};

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

/// The lines that were followed on the last day that was searched to its end, the best first.
pub(super) fn search(root: Line, player: usize, width: usize, days: u8, meter: &mut Meter<'_>) -> Vec<Line> {
    let mut queue = BinaryHeap::from([Queued(root)]);
    let (mut followed, mut found) = (Vec::new(), Vec::new());
    let (mut day, mut deferred) = (root.day(), [0; 64]);
    let mut listed = Vec::new();
    while let Some(Queued(line)) = queue.pop() {
        if meter.spent() >= super::SEARCH || line.position().is_over() {
            queue.push(Queued(line));
            break;
        }
        let is_full = followed.len() >= width;
        if is_full && line.day() == day || line.day() > day {
            // The day is over, as far as it was searched.
            if day > root.day() {
                std::mem::swap(&mut found, &mut followed);
            }
            followed.clear();
            deferred = [0; 64];
            day += 1;
            if day > root.day() + days {
                break;
            }
        }
        if line.day() < day {
            let count = &mut deferred[(line.today() as usize).min(63)];
            if *count < width / DEFERRED {
                *count += 1;
                meter.count();
                queue.push(Queued(line.sleep(player)));
            }
            continue;
        }
        followed.push(line);
        line.grow(player, &mut listed, |grown| {
            meter.count();
            queue.push(Queued(grown));
        });
    }
    // What is left in the queue of a game that is over is all over.
    let is_over = queue.peek().is_some_and(|Queued(line)| line.position().is_over());
    if found.is_empty() || is_over {
        found = queue.into_iter().map(|queued| queued.0).filter(|line| line.day() > root.day()).collect();
    }
    narrow(&mut found, width);
    found
}
