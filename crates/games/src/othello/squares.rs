//! Squares of an Othello board that have names, and their neighbours.

/// The corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonal to a corner.
pub(super) const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The left column, a1 to a8.
pub(super) const LEFT_EDGE: u64 = 0x0101_0101_0101_0101;
/// The right column.
pub(super) const RIGHT_EDGE: u64 = LEFT_EDGE << 7;
/// Both columns.
pub(super) const SIDE_EDGES: u64 = LEFT_EDGE | RIGHT_EDGE;
/// The first and the last row.
pub(super) const TOP_AND_BOTTOM: u64 = 0xff00_0000_0000_00ff;

/// The numbers of squares.
#[inline]
pub(super) fn numbers_of(mut squares: u64) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let square = (squares != 0).then(|| squares.trailing_zeros() as u16)?;
        squares &= squares - 1;
        Some(square)
    })
}

/// The squares beside these in eight directions, and these.
#[inline]
pub(super) fn around(squares: u64) -> u64 {
    let rows = squares | (squares & !RIGHT_EDGE) << 1 | (squares & !LEFT_EDGE) >> 1;
    rows | rows << 8 | rows >> 8
}
