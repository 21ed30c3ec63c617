//! Stable discs: those that can never be enclosed.

use super::squares::{CORNERS, LEFT_EDGE, RIGHT_EDGE, SIDE_EDGES, TOP_AND_BOTTOM};

/// Stable discs of two players, as far as they are easily seen; none before a corner is taken.
///
/// A disc is stable if, in each of the four directions of lines, its line is full, or it stands at an edge or beside a
/// stable disc of its colour.
#[inline]
pub(super) fn stable_discs(mine: u64, theirs: u64) -> [u64; 2] {
    let empty = !(mine | theirs);
    if empty & CORNERS == CORNERS {
        return [0, 0];
    }
    let (not_left, not_right) = (!LEFT_EDGE, !RIGHT_EDGE);
    let edges = SIDE_EDGES | TOP_AND_BOTTOM;
    // The squares that are safe in each direction: at an edge, or in a full line.
    let safe = [
        SIDE_EDGES | !in_line(empty, 1, not_left, not_right),
        TOP_AND_BOTTOM | !in_line(empty, 8, !0, !0),
        edges | !in_line(empty, 9, not_left, not_right),
        edges | !in_line(empty, 7, not_right, not_left),
    ];
    [mine, theirs].map(|discs| grow(discs, safe))
}

/// These squares and those in line with them, both ways along a direction. A step up leads to squares of `up` only, and
/// one down to squares of `down`, so that no line runs around an edge.
#[inline]
fn in_line(squares: u64, step: u32, mut up: u64, mut down: u64) -> u64 {
    let (mut above, mut below) = (squares, squares);
    for by in [step, 2 * step, 4 * step] {
        above |= up & above << by;
        below |= down & below >> by;
        up &= up << by;
        down &= down >> by;
    }
    above | below
}

/// The discs of one player that are safe or beside others that are stable, in each direction.
#[inline]
fn grow(discs: u64, [sideways, upright, falling, rising]: [u64; 4]) -> u64 {
    let mut stable = 0;
    loop {
        // No shift runs around an edge in effect: the squares it would reach there are safe in that direction.
        let beside = |step: u32| stable << step | stable >> step;
        let safe = (sideways | beside(1)) & (upright | beside(8)) & (falling | beside(9)) & (rising | beside(7));
        if discs & safe == stable {
            return stable;
        }
        stable = discs & safe;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Othello;
    use boughs::{Game, Rng};

    #[test]
    fn stable_discs_keep_their_colour_to_the_end() {
        let mut rng = Rng::new(8, 0);
        let mut seen = 0;
        for _ in 0..2_000 {
            let (mut game, mut stable) = (Othello::default(), [0; 2]);
            while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
                game.apply(action);
                let [black, white] = game.discs();
                assert!(stable[0] & !black == 0 && stable[1] & !white == 0, "{stable:x?} {}", game.board());
                stable = stable_discs(black, white);
                seen += stable[0].count_ones() + stable[1].count_ones();
            }
        }
        assert!(seen > 500_000, "{seen}");
    }

    #[test]
    fn a_full_edge_and_full_lines_are_stable() {
        assert_eq!(stable_discs(0xff, 0xff00), [0xff, 0], "the second row can be enclosed from below");
        assert_eq!(stable_discs(0x0101, 0x80), [0x0101, 0x80]);
        assert_eq!(stable_discs(0x7e, 0), [0, 0], "an edge without corners can be enclosed");
        let checks = 0xaa55_aa55_aa55_aa55;
        assert_eq!(stable_discs(checks, !checks), [checks, !checks], "all discs of a full board are stable");
    }
}
