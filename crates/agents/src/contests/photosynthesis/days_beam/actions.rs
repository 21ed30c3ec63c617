//! A beam that is narrowed after every action, in a new queue each day.

use super::line::{BeamLine, narrow};
use super::meter::{Meter, Pace};

/// The number of layers of actions on each day.
#[derive(Default)]
pub(super) struct Layers(Vec<usize>);

impl Layers {
    /// The number of layers still to come: this one, the rest of this day, and those of later days.
    fn left(&self, day: usize, layer: usize) -> usize {
        let later: usize = self.0.iter().skip(day + 1).sum();
        let today = self.0.get(day).map_or(1, |layers| layers.saturating_sub(layer).max(1));
        today + later
    }
}

/// The lines at the start of the last day, the best first; `None` if the budget was spent before. `layers` holds the
/// layers of an earlier beam, and then those of this one.
pub(super) fn search(
    root: BeamLine,
    player: usize,
    days: u8,
    layers: &mut Layers,
    pace: &mut Pace,
    meter: &mut Meter<'_>,
) -> Option<Vec<BeamLine>> {
    let mut mornings = vec![root];
    let (mut next, mut tomorrow, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = Layers::default();
    for day in 0..usize::from(days) {
        if mornings.iter().all(|line| line.position().is_over()) {
            break;
        }
        let mut layer = std::mem::take(&mut mornings);
        let (mut number, mut width) = (0, 0);
        while !layer.is_empty() {
            for line in &layer {
                if meter.spent() >= 1.0 {
                    return None;
                }
                pace.follow();
                line.grow(player, &mut listed, |grown| {
                    meter.count();
                    if grown.day() == line.day() { next.push(grown) } else { tomorrow.push(grown) }
                });
            }
            number += 1;
            width = pace.width(layers.left(day, number), meter);
            narrow(&mut next, width);
            layer.clear();
            std::mem::swap(&mut layer, &mut next);
        }
        seen.0.push(number);
        narrow(&mut tomorrow, width);
        std::mem::swap(&mut mornings, &mut tomorrow);
    }
    *layers = seen;
    Some(mornings)
}
