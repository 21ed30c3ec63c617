//! The layout of the flavours in the box, and the rule that leads there.

use boughs_games::ahc015::{CELLS, Tilt};

use super::batch::Tilts;

/// The rule of the third-placed solution's step 2 ("solution 2"), for any flavours and sides. One flavour is kept
/// apart at one side, and the other two share the opposite side, left and right. Before a candy of the first flavour
/// comes, all others are moved away from its side. Before another candy comes, the others are moved away from its
/// corner; if they lie at the wrong side, that is put right first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The flavour that is kept apart.
    pub(crate) apart: u8,
    /// The tilt before a candy of that flavour.
    pub(crate) away: Tilt,
    /// One of the other flavours.
    pub(crate) second: u8,
    /// The tilt before a candy of that one.
    pub(crate) side: Tilt,
}

impl Layout {
    /// The layout of the solution: flavour 1 at the front, seen from above, 2 at the left and 3 at the right of the
    /// back.
    pub(crate) const FIRST: Layout = Layout { apart: 1, away: Tilt::Back, second: 2, side: Tilt::Right };

    /// All layouts that differ by more than a reflection.
    pub(crate) fn all() -> Vec<Layout> {
        let flavours =
            (1..=3).flat_map(|apart| (1..=3).filter(move |&second| second != apart).map(move |second| (apart, second)));
        let of = |(apart, second)| {
            Tilt::ALL.map(|away| {
                let side = if away.is_vertical() { Tilt::Right } else { Tilt::Back };
                Layout { apart, away, second, side }
            })
        };
        flavours.flat_map(of).collect()
    }

    /// Replaces the tilts of a plan from turn `from` on by those of the rule. `leans` holds in the turn `now`.
    pub(crate) fn continue_plan(
        self,
        plan: &mut Tilts,
        flavours: &[u8; CELLS],
        now: usize,
        from: usize,
        leans: [bool; 2],
    ) {
        let mut leans = leans;
        for turn in now..CELLS - 1 {
            if turn >= from {
                plan[turn] = self.tilt(flavours[turn + 1], leans);
            }
            leans[usize::from(!plan[turn].is_vertical())] = plan[turn].is_high();
        }
    }

    /// The tilt before a candy of the flavour `next` comes. `leans` gives the last tilt along each axis.
    #[inline]
    pub(crate) fn tilt(self, next: u8, leans: [bool; 2]) -> Tilt {
        if next == self.apart {
            self.away
        } else if leans[usize::from(!self.away.is_vertical())] == self.away.is_high() {
            self.away.opposite()
        } else if next == self.second {
            self.side
        } else {
            self.side.opposite()
        }
    }
}
