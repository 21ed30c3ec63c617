//! Where each flavour is to lie, and the rule that brings it there.

use boughs_games::ahc015::Tilt;

/// The rule of the third-placed solution's step 2 ("solution 2"), for any flavours and sides. One flavour is kept apart at one
/// side, and the other two share the opposite side, left and right. So before a candy of the first comes, all others are moved
/// away from its side; before one of the others, they are moved away from the corner it is to go to, unless they lie at the
/// wrong side: then that is put right first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The flavour that is kept apart.
    pub(crate) apart: u8,
    /// Where the box is tilted before a candy of that flavour.
    pub(crate) away: Tilt,
    /// One of the other flavours.
    pub(crate) second: u8,
    /// Where the box is tilted before a candy of that one.
    pub(crate) side: Tilt,
}

impl Layout {
    /// That of the solution: flavour 1 at the front, seen from above, 2 at the left and 3 at the right of the back.
    pub(crate) const FIRST: Layout = Layout { apart: 1, away: Tilt::Back, second: 2, side: Tilt::Right };

    /// The tilt before a candy of the flavour `next` comes; `leans` says to which end of each axis the box was tilted last.
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
