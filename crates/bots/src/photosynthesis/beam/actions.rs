//! A beam that is narrowed after every action, in a new queue each day.

use super::line::{Line, Meter, narrow};

/// The lines of the last day that was searched to its end, the best first.
pub(super) fn search(root: Line, player: usize, width: usize, days: u8, meter: &mut Meter<'_>) -> Vec<Line> {
    let (mut mornings, mut found) = (vec![root], Vec::new());
    let (mut next, mut tomorrow, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..days {
        if mornings.iter().all(|line| line.position().is_over()) {
            break;
        }
        let mut layer = std::mem::take(&mut mornings);
        tomorrow.clear();
        while !layer.is_empty() {
            next.clear();
            for line in &layer {
                if meter.spent() >= super::SEARCH {
                    return found;
                }
                line.grow(player, &mut listed, |grown| {
                    meter.count();
                    if grown.day() == line.day() { next.push(grown) } else { tomorrow.push(grown) }
                });
            }
            narrow(&mut next, width);
            std::mem::swap(&mut layer, &mut next);
        }
        narrow(&mut tomorrow, width);
        mornings.clone_from(&tomorrow);
        found.clone_from(&tomorrow);
    }
    found
}
