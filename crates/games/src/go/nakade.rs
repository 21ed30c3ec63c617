//! Nakade: the points inside an eye space from which it becomes one eye only.
//!
//! A player who fills the middle of a small region of empty points that the other encloses leaves that player no room
//! for two eyes. Playouts that find these points judge life and death better (Chaslot, Fiter, Hoock, Rimmel and Teytaud
//! 2009, "Adding expert knowledge and exploration in Monte-Carlo Tree Search", for regions of three points).
//!
//! The regions with one such point have 3 to 6 points and are told apart by their size, by the number of pairs of
//! neighbours in them and by the neighbours of the point itself.

use super::board::Board;
use super::points::Points;

/// The regions with a vital point: their points, their pairs of neighbours, and the neighbours of the vital point.
const SHAPES: [(u32, u32, u32); 5] = [
    (3, 2, 2), // three in a row or around a corner
    (4, 3, 3), // the pyramid
    (5, 4, 4), // the cross
    (5, 5, 3), // the bulky five
    (6, 6, 4), // the rabbity six
];

/// The number of steps over neighbours within which a region of one of the shapes is reached from any of its points.
const STEPS: usize = 4;

impl<P: Points> Board<P> {
    /// The vital points of the regions that the other player encloses and whose points the stone on `last` touches.
    #[inline]
    pub(super) fn vital_points(&self, last: u16) -> P {
        let empty = self.empty();
        let open = self.mine.next_to() & empty;
        let mut starts = P::neighbours(last) & empty & !open;
        let mut vital = P::NONE;
        while !starts.is_empty() {
            let (region, is_enclosed) = region_from(P::one(starts.first()), empty, open);
            starts &= !region;
            if is_enclosed {
                vital |= vital_point(region);
            }
        }
        vital
    }
}

/// The points that a few steps over empty points reach, and if these are a whole region without an `open` point.
#[inline]
fn region_from<P: Points>(start: P, empty: P, open: P) -> (P, bool) {
    let mut region = start;
    for _ in 0..=STEPS {
        let further = (region | region.next_to()) & empty;
        if !(further & open).is_empty() {
            return (further, false);
        }
        if further == region {
            return (region, true);
        }
        region = further;
    }
    (region, false)
}

/// The vital point of a region, if it has one of the [`SHAPES`].
#[inline]
fn vital_point<P: Points>(region: P) -> P {
    let size = region.count();
    if !(3..=6).contains(&size) {
        return P::NONE;
    }
    let pairs = (region & region.left()).count() + (region & region.down()).count();
    let degree = |point: u16| (P::neighbours(point) & region).count();
    let is_vital = |&point: &u16| SHAPES.contains(&(size, pairs, degree(point)));
    region.each().find(is_vital).map_or(P::NONE, P::one)
}

#[cfg(test)]
mod tests {
    use crate::go::tests::{drawn, points, set};

    fn vital(board: &str, last: &str) -> String {
        points(drawn(board).vital_points(set(last)))
    }

    #[test]
    fn the_middle_of_a_small_eye_space_is_vital() {
        let shapes = [
            ("three in a row", "..... OOOO. ...O. OOOO. .....", "a2", "b3"),
            ("three around the corner", "..... ..... OO... .OO.. ..O..", "b2", "a1"),
            ("the pyramid", "..... OOOOO O...O OO.OO .OOO.", "b4", "c3"),
            ("the cross", "OO.OO O...O OO.OO .OOO. .....", "b3", "c4"),
            ("the bulky five", "OOOOO O..OO O...O OOOOO .....", "b5", "c3"),
            ("the rabbity six", "OOOOO O..OO O...O OO.OO .OOO.", "b5", "c3"),
        ];
        for (name, board, last, point) in shapes {
            assert_eq!(vital(board, last), point, "{name}");
        }
    }

    #[test]
    fn other_eye_spaces_have_no_vital_point() {
        let shapes = [
            ("two", "..... ..... OOO.. ..O.. OOO..", "c2"),
            ("the square", "..... OOOO. O..O. O..O. OOOO.", "b4"),
            ("four in a row", "..... OOOOO ....O OOOOO .....", "a2"),
            ("seven", "OOOOO O...O O...O O.OOO OOO..", "b5"),
            ("a large region", "..... ..... ..... ..O.. .....", "c2"),
        ];
        for (name, board, last) in shapes {
            assert_eq!(vital(board, last), "", "{name}");
        }
    }

    #[test]
    fn a_region_that_both_touch_is_not_enclosed() {
        assert_eq!(vital("..... OOOX. ...O. OOOO. .....", "a2"), "b3");
        assert_eq!(vital("..... OXOO. ...O. OOOO. .....", "a2"), "");
        assert_eq!(vital("..... OOOO. ...X. OOOO. .....", "a2"), "");
    }
}
