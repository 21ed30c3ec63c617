//! An evaluation of 2048 positions by what strong players look at, without learning.
//!
//! Each of the four rows and four columns is scored by its empty cells, by the tiles that can merge, by the order of
//! its tiles, and by the large tiles that are not merged yet. The terms and the ratios of their weights are those of
//! Robert Xiao's expectimax search (2014, <https://github.com/nneonneo/2048-ai>). Added to what has been scored so far,
//! the sum is about what the game will have scored at its end. A table holds what each possible row adds.
//!
//! The terms describe boards just after a slide. So the evaluator looks ahead to the next one: a position after a
//! slide is worth the mean, over the cells where a 2 may come, of the best board after the slide that follows. A
//! position with a slide to choose is worth as much as the best board after it, and the boards after its slides make
//! their priors.

use std::sync::LazyLock;

use boughs::{Evaluations, Evaluator, Knowledge, Leaf};

use super::board::{CELLS, Direction, occupied, slide, transpose};
use super::{Game2048, Move};
use crate::prior::prior;

/// Score that a line adds before its tiles are looked at.
const LINE: f64 = 20_000.0;
/// Score that an empty cell adds.
const EMPTY_CELL: f64 = 27.0;
/// Score that a tile adds if it can merge with its neighbour.
const MERGING_TILE: f64 = 70.0;
/// Score that disorder takes away: all rises of a line or all its falls, the lesser sum, in fourth powers of exponents.
const DISORDER: f64 = 4.7;
/// Score that each tile takes away, in 3.5th powers of exponents: from 32 on, two equal tiles take more than the one
/// that they make.
const TILE: f64 = 1.1;

/// The difference of two boards that makes a prior e times as great.
const TEMPERATURE: f64 = 3_000.0;

/// Score that each row or column adds, its share of the score so far included.
static LINES: LazyLock<Box<[f32; 1 << 16]>> = LazyLock::new(|| {
    let mut table = Box::new([0.0; 1 << 16]);
    (0..=u16::MAX).zip(table.iter_mut()).for_each(|(line, worth)| *worth = worth_of_line(line));
    table
});

fn worth_of_line(line: u16) -> f32 {
    let exponents = [0, 4, 8, 12].map(|shift| line >> shift & 15);
    // Every cell is in a row and in a column, so each of them has half of its score.
    let scored: u32 = exponents.iter().map(|&exponent| u32::from(exponent.saturating_sub(1)) << exponent).sum();
    let empty = exponents.iter().filter(|&&exponent| exponent == 0).count();
    let sizes = exponents.map(f64::from);
    let (mut falls, mut rises) = (0.0, 0.0);
    for pair in sizes.windows(2) {
        let step = pair[0].powi(4) - pair[1].powi(4);
        falls += step.max(0.0);
        rises += (-step).max(0.0);
    }
    let tiles: f64 = sizes.iter().map(|size| size.powi(3) * size.sqrt()).sum();
    let future = LINE + EMPTY_CELL * empty as f64 + MERGING_TILE * f64::from(merging_tiles(exponents))
        - DISORDER * f64::min(falls, rises)
        - TILE * tiles;
    (future.max(0.0) + 0.5 * f64::from(scored)) as f32
}

/// The number of tiles in a line with an equal tile beside them, empty cells left out.
fn merging_tiles(exponents: [u16; 4]) -> u32 {
    let mut tiles = [0; 4];
    let mut count = 0;
    for exponent in exponents.into_iter().filter(|&exponent| exponent > 0) {
        tiles[count] = exponent;
        count += 1;
    }
    let is_merging = |&index: &usize| {
        let equals = |other: usize| other < count && tiles[other] == tiles[index];
        equals(index + 1) || index > 0 && equals(index - 1)
    };
    (0..count).filter(is_merging).count() as u32
}

/// The score that a game with this board and this many fours will have at its end, about.
#[inline]
fn worth(board: u64, fours: u32) -> f64 {
    let table: &[f32; 1 << 16] = &LINES;
    let rows =
        |board: u64| -> f32 { [0, 16, 32, 48].map(|row| table[usize::from((board >> row) as u16)]).iter().sum() };
    f64::from(rows(board) + rows(transpose(board))) - f64::from(4 * fours)
}

/// The worth of a board on which a slide is to be chosen: that of the best board after one, or the score where none is
/// possible.
#[inline]
fn worth_before_slide(board: u64, fours: u32) -> f64 {
    let best = [Direction::Up, Direction::Down, Direction::Left, Direction::Right]
        .map(|direction| slide(board, direction))
        .into_iter()
        .filter(|&after| after != board)
        .map(|after| worth(after, fours))
        .reduce(f64::max);
    best.unwrap_or_else(|| f64::from(Game2048 { board, fours, ..Game2048::default() }.score()))
}

/// The worth of a board on which a tile comes, as if it were always a 2.
#[inline]
fn worth_before_tile(board: u64, fours: u32) -> f64 {
    let mut rest = CELLS & !occupied(board);
    let (mut sum, count) = (0.0, rest.count_ones());
    while rest != 0 {
        let cell = rest & rest.wrapping_neg();
        sum += worth_before_slide(board | cell, fours);
        rest ^= cell;
    }
    sum / f64::from(count.max(1))
}

/// The evaluator of leaves.
pub(super) struct Lookahead;

impl Lookahead {
    /// Fills the table now, so that no search spends its time on it.
    pub(super) fn new() -> Lookahead {
        LazyLock::force(&LINES);
        Lookahead
    }
}

impl Evaluator<Game2048> for Lookahead {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, leaves: &[Leaf<'_, Game2048>], out: &mut Evaluations) {
        for leaf in leaves {
            let (value, priors, count) = evaluate(leaf.position, leaf.actions);
            out.push(&[value], &priors[..count]);
        }
    }
}

/// The value of a position, and the priors of its slides, with their number.
#[inline]
fn evaluate(position: &Game2048, actions: &[Move]) -> (f64, [f32; 4], usize) {
    let &Game2048 { board, fours, .. } = position;
    let (mut worths, mut count) = ([0.0; 4], 0);
    for &action in actions {
        if let Move::Slide(direction) = action {
            worths[count] = worth(slide(board, direction), fours);
            count += 1;
        }
    }
    match worths[..count].iter().copied().reduce(f64::max) {
        None => (worth_before_tile(board, fours), [0.0; 4], 0),
        Some(best) => (best, worths.map(|worth| prior(best - worth, TEMPERATURE)), count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::{Game, Rng, Turn};

    /// The line of these exponents.
    fn line(exponents: [u16; 4]) -> u16 {
        exponents.iter().rev().fold(0, |line, exponent| line << 4 | exponent)
    }

    fn worth_of(exponents: [u16; 4]) -> f32 {
        worth_of_line(line(exponents))
    }

    /// Positions with a slide to choose, of random games.
    fn positions() -> Vec<Game2048> {
        let mut rng = Rng::new(3, 0);
        let mut positions = Vec::new();
        for _ in 0..20 {
            let mut game = Game2048::default();
            while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
                game.apply(action);
                if let Turn::Player(_) = game.turn() {
                    positions.push(game);
                }
            }
        }
        positions
    }

    #[test]
    fn a_line_is_worth_more_with_order_merges_and_empty_cells() {
        assert!(worth_of([8, 7, 6, 5]) > worth_of([7, 8, 6, 5]), "order");
        assert!(worth_of([2, 2, 0, 0]) > worth_of([2, 1, 0, 0]), "a pair");
        assert_eq!(worth_of([1, 2, 0, 0]), worth_of([0, 0, 2, 1]), "either direction");
        let added = f64::from(worth_of([3, 0, 0, 0]) - worth_of([3, 2, 0, 0]));
        let expected = EMPTY_CELL + TILE * 8.0 * 2.0_f64.sqrt() - 2.0;
        assert!((added - expected).abs() < 0.01, "{added}, {expected}: an empty cell instead of a 4");
    }

    #[test]
    fn tiles_merge_across_empty_cells() {
        for (exponents, count) in
            [([1, 1, 0, 0], 2), ([1, 0, 0, 1], 2), ([2, 2, 2, 0], 3), ([1, 1, 2, 2], 4), ([1, 2, 1, 2], 0), ([0; 4], 0)]
        {
            assert_eq!(merging_tiles(exponents), count, "{exponents:?}");
        }
    }

    #[test]
    fn turned_and_mirrored_boards_are_worth_the_same() {
        let half_turned = |board: u64| (0..16).fold(0, |turned, cell| turned << 4 | board >> (4 * cell) & 15);
        for Game2048 { board, fours, .. } in positions() {
            for same in [transpose(board), half_turned(board)] {
                assert!((worth_before_slide(same, fours) - worth_before_slide(board, fours)).abs() < 0.1, "{board:x}");
            }
        }
    }

    #[test]
    fn what_has_been_scored_counts_in_full() {
        for game in positions() {
            let lines = worth(game.board, game.fours) - f64::from(game.score());
            let mut future = 0.0;
            for board in [game.board, transpose(game.board)] {
                for shift in [0, 16, 32, 48] {
                    let line = (board >> shift) as u16;
                    let exponents = [0, 4, 8, 12].map(|shift| line >> shift & 15);
                    let scored: u32 = exponents.iter().map(|&e| u32::from(e.saturating_sub(1)) << e).sum();
                    future += f64::from(worth_of_line(line)) - 0.5 * f64::from(scored);
                }
            }
            assert!((lines - future).abs() < 0.1, "{lines} {future}{}", game.board());
        }
    }

    #[test]
    fn a_board_without_a_slide_is_worth_its_score() {
        // Twos and fours in turn; the last cell decides whether a slide is left.
        let full = 0x1212_2121_1212_2121;
        let over = Game2048 { board: full, slides: 0, tiles_to_place: 0, fours: 3 };
        assert_eq!(worth_before_slide(full, 3), f64::from(over.score()));
        assert!(worth_before_slide(full & !0xf, 3) > 10_000.0);
    }

    /// The evaluation of a position.
    fn evaluated(game: &Game2048) -> (f64, Vec<f32>) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let (value, priors, count) = evaluate(game, &actions);
        (value, priors[..count].to_vec())
    }

    #[test]
    fn a_position_is_worth_its_best_slide_which_has_the_greatest_prior() {
        for game in positions() {
            let (value, priors) = evaluated(&game);
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let after: Vec<f64> = actions
                .iter()
                .map(|action| match action {
                    Move::Slide(direction) => worth(slide(game.board, *direction), game.fours),
                    Move::Place(_) => panic!("a slide is to be chosen"),
                })
                .collect();
            let best = after.iter().copied().fold(f64::MIN, f64::max);
            assert_eq!((value, priors.len()), (best, after.len()));
            for (prior, worth) in priors.iter().zip(&after) {
                assert_eq!(*prior == 1.0, *worth == best, "{priors:?} {after:?}");
                assert!(*prior > 0.0 && *prior <= 1.0);
            }
        }
    }

    #[test]
    fn a_position_with_a_tile_to_come_has_no_priors() {
        let mut game = positions()[100];
        game.apply(Move::SLIDES[game.slides.trailing_zeros() as usize]);
        assert_eq!(evaluated(&game), (worth_before_tile(game.board, game.fours), Vec::new()));
    }

    #[test]
    fn a_tile_to_come_is_a_mean_over_the_empty_cells() {
        let board = 0x1212_2121_1212_2100;
        let either = [board | 1, board | 0x10].map(|board| worth_before_slide(board, 0));
        assert_eq!(worth_before_tile(board, 0), (either[0] + either[1]) / 2.0);
    }
}
