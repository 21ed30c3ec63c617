//! Discs that an Othello disc encloses: lines on a board of 64 bits.

/// The squares where a disc of `mine` would enclose some of `theirs`.
#[inline]
pub(super) fn moves(mine: u64, theirs: u64) -> u64 {
    // A line sideways or slanting must not run around an edge, so no disc on the edge columns can be enclosed there.
    let inner = theirs & 0x7e7e_7e7e_7e7e_7e7e;
    let (down, slanting) = (ends(mine, theirs, 8), ends(mine, inner, 7));
    // `black_box` hides one direction from the compiler, which then keeps all in plain registers. AVX-512 vectors,
    // which `target-cpu=native` may allow, have a higher throughput but a longer latency, and the next move waits for
    // them.
    let slanting = slanting | std::hint::black_box(ends(mine, inner, 9));
    (sideways(mine, inner) | down | slanting) & !(mine | theirs)
}

/// The squares at which runs of `theirs` that begin beside `mine` end, both ways along a direction: a parallel prefix
/// fill of one, two, four and six squares.
#[inline]
fn ends(mine: u64, theirs: u64, step: u32) -> u64 {
    let pairs = theirs & (theirs << step);
    let mut up = theirs & (mine << step);
    up |= theirs & (up << step);
    up |= pairs & (up << (2 * step));
    up |= pairs & (up << (2 * step));
    let pairs = pairs >> step;
    let mut down = theirs & (mine >> step);
    down |= theirs & (down >> step);
    down |= pairs & (down >> (2 * step));
    down |= pairs & (down >> (2 * step));
    up << step | down >> step
}

/// The same within rows. One way needs a sum only: it carries through the runs that begin beside `mine`.
#[inline]
fn sideways(mine: u64, inner: u64) -> u64 {
    let right = inner + (inner & (mine << 1));
    let pairs = inner & (inner >> 1);
    let mut left = inner & (mine >> 1);
    left |= inner & (left >> 1);
    left |= pairs & (left >> 2);
    left |= pairs & (left >> 2);
    right | left >> 1
}

/// The squares in line with each square: towards higher squares, four directions, and towards lower ones.
#[derive(Clone, Copy)]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut rays = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let steps = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut i = 0;
    while i < 64 * 4 {
        let (square, direction) = (i / 4, i % 4);
        let (down, right) = steps[direction];
        rays[square].up[direction] = ray(square as i32, down, right);
        rays[square].down[direction] = ray(square as i32, -down, -right);
        i += 1;
    }
    rays
};

const fn ray(square: i32, down: i32, right: i32) -> u64 {
    let (mut row, mut column) = (square / 8 + down, square % 8 + right);
    let mut squares = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        squares |= 1 << (8 * row + column);
        row += down;
        column += right;
    }
    squares
}

/// The discs of `theirs` that a disc of `mine` on `square` encloses.
#[inline]
pub(super) fn flips(mine: u64, theirs: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square % 64)];
    let mut flipped = 0;
    for direction in 0..4 {
        // The first square on the ray without a disc of `theirs` ends the run. The run is enclosed if that square is
        // `mine`.
        let ray = rays.up[direction];
        let stops = ray & !theirs;
        let end = stops & stops.wrapping_neg() & mine;
        flipped |= end.wrapping_sub(u64::from(end != 0)) & ray;
        let ray = rays.down[direction];
        let end = 63 - (ray & !theirs | 1).leading_zeros();
        flipped |= if ray & mine & (1 << end) != 0 { ray & (!1 << end) } else { 0 };
    }
    flipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;

    /// The discs enclosed by a disc of `mine` on `square`, found by walking.
    fn flips_by_walking(mine: u64, theirs: u64, square: u8) -> u64 {
        let mut flipped = 0;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (mut run, mut row, mut column) = (0, i32::from(square / 8) + down, i32::from(square % 8) + right);
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let disc = 1 << (8 * row + column);
                if mine & disc != 0 {
                    flipped |= run;
                }
                if theirs & disc == 0 {
                    break;
                }
                run |= disc;
                (row, column) = (row + down, column + right);
            }
        }
        flipped
    }

    #[test]
    fn moves_and_flips_are_those_found_by_walking_and_none_runs_around_an_edge() {
        let mut rng = Rng::new(4, 0);
        for round in 0..20_000 {
            let taken = rng.bits() | if round % 2 == 0 { 0 } else { rng.bits() };
            let mine = taken & rng.bits();
            let theirs = taken & !mine;
            for square in (0..64).filter(|square| taken >> square & 1 == 0) {
                let walked = flips_by_walking(mine, theirs, square);
                assert_eq!(flips(mine, theirs, square), walked, "{mine:#x} {theirs:#x} {square}");
                assert_eq!(moves(mine, theirs) >> square & 1 == 1, walked != 0, "{mine:#x} {theirs:#x} {square}");
            }
        }
    }
}
