//! Checks that a flag ends.

use boughs::conformance::check_until;
use boughs::{Game, StopFlag, Turn};

use super::EFFORT;

/// A game that never ends, and raises a flag at its hundredth move.
#[derive(Clone)]
struct Endless {
    plies: u32,
    stop: StopFlag,
}

impl Game for Endless {
    type Action = u8;
    const MAX_PLIES: u32 = u32::MAX;

    fn turn(&self) -> Turn {
        Turn::Player(self.plies as usize % 2)
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&mut self, _: u8) {
        self.plies += 1;
        if self.plies == 100 {
            self.stop.raise();
        }
    }
    fn reward(&self, _: usize) -> f64 {
        0.5
    }
}

#[test]
fn a_raised_flag_ends_a_check_in_the_middle_of_a_game() {
    let stop = StopFlag::default();
    let checked = check_until(&Endless { plies: 0, stop: stop.clone() }, EFFORT, &stop).expect("no rule is broken");
    assert_eq!(checked.games, 0);
    assert!(checked.positions >= 99, "{checked:?}");
}
