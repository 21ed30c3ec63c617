//! The plot of a course of learning.

use boughs_agents::learn::{AGAINST, Learned, Step};
use boughs_arena::statistics::share_interval;

use crate::PageError;
use crate::chart::{Axis, Chart, Guide, Look, Plot, Point, Series};

/// The largest number of points. Rounds are put together until there are no more.
const POINTS: usize = 40;

/// Plots the share of games that player 0 won, and the length of games, by the number of games played.
///
/// # Errors
/// If the library cannot draw it.
pub fn plot(learned: &Learned) -> Result<Plot, PageError> {
    let blocks = blocks(&learned.curve);
    let won = blocks.iter().map(|block| {
        let [low, high] = share_interval(block.first, block.games as u64);
        Point { x: block.middle, y: 100.0 * block.first, low: 100.0 * low, high: 100.0 * high, is_solid: true }
    });
    let turns = blocks.iter().map(|&Block { middle: x, turns: y, .. }| Point { x, y, low: y, high: y, is_solid: true });
    let series = vec![
        Series::of("games won by player 0, %", Look::BLUE, won.collect()),
        Series::of("turns of a game", Look::ORANGE, turns.collect()),
    ];
    let most = blocks.iter().map(|block| block.turns).fold(100.0, f64::max);
    let games = learned.games.max(1) as f64;
    let guide = Some(Guide { name: "equally often", line: vec![(0.0, 50.0), (games, 50.0)] });
    let (x, y) = (Axis::linear(games), Axis::linear(most));
    let if_empty = "No round is complete yet.";
    Chart { title: "Learning by self-play", x_label: "games", y_label: "%, turns", x, y, series, guide, if_empty }
        .draw("learning")
}

/// Plots the strength of a network by the time that it has learned a game of that many players.
///
/// # Errors
/// If the library cannot draw it.
pub fn net_plot(players: usize, curve: &[boughs_nets::Point]) -> Result<Plot, PageError> {
    let greatest = |of: fn(&boughs_nets::Point) -> f64| curve.iter().map(of).fold(0.0, f64::max);
    let seconds = greatest(|point| point.seconds);
    let (unit, x_label) = match seconds {
        ..180.0 => (1.0, "seconds"),
        ..10_800.0 => (60.0, "minutes"),
        _ => (3600.0, "hours"),
    };
    let end = seconds / unit;
    let (y_label, name, most, guide) = match players {
        1 => ("score", "mean score", greatest(|point| point.strength + point.error), None),
        _ => {
            let guide = Guide { name: "equally strong", line: vec![(0.0, 0.5), (end, 0.5)] };
            ("share of points", AGAINST, 1.0, Some(guide))
        }
    };
    let points = curve.iter().map(|point| {
        let (x, y, error) = (point.seconds / unit, point.strength, point.error);
        Point { x, y, low: (y - error).max(0.0), high: (y + error).min(most), is_solid: true }
    });
    let series = vec![Series::of(name, Look::BLUE, points.collect())];
    let (x, y, if_empty) = (Axis::linear(end), Axis::linear(most), "Nothing is measured yet.");
    Chart { title: "Learning a network", x_label, y_label, x, y, series, guide, if_empty }.draw("learning")
}

/// Rounds put together.
struct Block {
    /// The number of games in the block.
    games: f64,
    /// The number of games played by its middle, those before the block included.
    middle: f64,
    /// The share of its games that player 0 won.
    first: f64,
    /// The mean number of turns of its games.
    turns: f64,
}

/// Puts rounds together, as many in each block but the last.
fn blocks(curve: &[Step]) -> Vec<Block> {
    let mut played = 0;
    let chunks = curve.chunks(curve.len().div_ceil(POINTS).max(1));
    chunks.filter_map(|steps| Block::of(steps, &mut played)).collect()
}

impl Block {
    /// The block of these rounds after `played` games, to which it adds its own. A step tells the games of all rounds
    /// so far, so those of a round are the difference to the one before. Every round weighs by its games, because the
    /// last one may have fewer.
    fn of(steps: &[Step], played: &mut u64) -> Option<Block> {
        let from = *played;
        let (mut first, mut turns) = (0.0, 0.0);
        for step in steps {
            let games = step.games.saturating_sub(*played) as f64;
            first += games * step.first;
            turns += games * step.turns;
            *played = step.games.max(*played);
        }
        let games = (*played - from) as f64;
        let middle = (from + *played) as f64 / 2.0;
        (games > 0.0).then(|| Block { games, middle, first: first / games, turns: turns / games })
    }
}

#[cfg(test)]
mod tests {
    use boughs_agents::learn::{Learning, LearningTerms};

    use super::*;
    use crate::chart::reading::{Read, Reading, Scale};

    /// A course of rounds, each with its games, the share that player 0 won, and its turns.
    fn course(rounds: &[(u64, f64, f64)]) -> Learned {
        let terms = LearningTerms::of(&Learning::default());
        let mut learned = Learned::nothing("green-circle", terms).expect("a game that can be learned");
        for &(games, first, turns) in rounds {
            learned.games += games;
            learned.curve.push(Step { games: learned.games, first, turns, error: 0.1 });
        }
        learned
    }

    fn solid(x: f64, y: f64, low: f64, high: f64) -> Read {
        Read { x, y, low, high, is_solid: true }
    }

    #[test]
    fn rounds_stand_at_the_middle_of_their_games_with_the_interval_of_their_games() {
        let learned = course(&[(100, 0.5, 60.0), (100, 0.2, 70.0), (100, 0.4, 80.0), (40, 1.0, 90.0)]);
        let plot = plot(&learned).unwrap();
        // Intervals of Wilson by hand: of 50 of 100, 20 of 100, 40 of 100, and 40 of 40 games.
        let won = [
            solid(50.0, 50.0, 40.38, 59.62),
            solid(150.0, 20.0, 13.34, 28.88),
            solid(250.0, 40.0, 30.94, 49.80),
            solid(320.0, 100.0, 91.24, 100.0),
        ];
        let turns: Vec<Read> = [(50.0, 60.0), (150.0, 70.0), (250.0, 80.0), (320.0, 90.0)]
            .iter()
            .map(|&(x, y)| solid(x, y, y, y))
            .collect();
        for svg in [&plot.svg, &plot.narrow] {
            let reading = Reading::of(svg, Scale::Linear, Scale::Linear);
            reading.assert_values(Look::BLUE, &won);
            reading.assert_values(Look::ORANGE, &turns);
            reading.assert_line(Look::BLUE, &won.map(|value| (value.x, value.y)));
        }
    }

    #[test]
    fn rounds_that_are_put_together_weigh_by_their_games_and_follow_one_another() {
        // Twenty blocks of two rounds of ten games, and a last one of a round of four games.
        let rounds: Vec<(u64, f64, f64)> = (0..41)
            .map(|round| (if round < 40 { 10 } else { 4 }, if round % 2 == 0 { 0.3 } else { 0.5 }, f64::from(round)))
            .collect();
        let blocks = blocks(&course(&rounds).curve);
        let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert_eq!(blocks.len(), 21);
        for (place, block) in blocks[..20].iter().enumerate() {
            let middle = 20.0 * place as f64 + 10.0;
            assert!(near(block.games, 20.0) && near(block.middle, middle) && near(block.first, 0.4), "{place}");
            assert!(near(block.turns, 2.0 * place as f64 + 0.5), "{place}");
        }
        assert!(near(blocks[20].games, 4.0) && near(blocks[20].middle, 402.0) && near(blocks[20].first, 0.3));
        let svg = plot(&course(&rounds)).unwrap().svg;
        let line: Vec<(f64, f64)> = blocks.iter().map(|block| (block.middle, 100.0 * block.first)).collect();
        Reading::of(&svg, Scale::Linear, Scale::Linear).assert_line(Look::BLUE, &line);
    }

    #[test]
    fn rounds_of_unequal_games_have_their_mean() {
        let blocks = blocks(&course(&[(10, 0.0, 10.0); 79]).curve);
        assert_eq!(blocks.len(), 40);
        let mut played = 0;
        let learned = course(&[(30, 0.2, 50.0), (10, 0.6, 90.0)]);
        let block = Block::of(&learned.curve, &mut played).unwrap();
        assert!((block.first - 0.3).abs() < 1e-9 && (block.turns - 60.0).abs() < 1e-9 && played == 40);
    }

    #[test]
    fn the_strength_of_a_network_stands_beside_equal_strength_after_any_time() {
        for size in (-7..=8).map(|order| 10f64.powi(order)) {
            for (players, unit) in [(2, 0.3), (1, size)] {
                let point = |part: f64| boughs_nets::Point {
                    games: 1,
                    seconds: part * size,
                    strength: part * unit,
                    error: unit / 10.0,
                };
                let curve = [0.3, 0.7, 1.0].map(point);
                let seconds = match size {
                    ..180.0 => 1.0,
                    ..10_800.0 => 60.0,
                    _ => 3600.0,
                };
                let Plot { svg, narrow, .. } = net_plot(players, &curve).unwrap();
                for svg in [svg, narrow] {
                    let reading = Reading::of(&svg, Scale::Linear, Scale::Linear);
                    let read = |point: &boughs_nets::Point| {
                        let (x, y, error) = (point.seconds / seconds, point.strength, point.error);
                        solid(x, y, y - error, y + error)
                    };
                    reading.assert_values(Look::BLUE, &curve.each_ref().map(read));
                    assert_eq!(svg.contains("equally strong"), players == 2, "{svg}");
                    if players == 2 {
                        reading.assert_within(0.5);
                    }
                }
            }
        }
    }

    #[test]
    fn courses_of_any_length_have_labels_that_differ() {
        for order in 0..=15 {
            let games = 10u64.pow(order);
            let plot = plot(&course(&[(games, 0.5, 10f64.powi(order as i32 - 7)), (games, 0.4, 1.0)])).unwrap();
            for svg in [&plot.svg, &plot.narrow] {
                let _ = Reading::of(svg, Scale::Linear, Scale::Linear);
            }
        }
    }

    #[test]
    fn no_course_leaves_its_axes() {
        for rounds in 0..100 {
            let course = course(&vec![(1, f64::from(u8::from(rounds % 3 == 0)), 120.0); rounds]);
            let svg = plot(&course).unwrap().svg;
            assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            if rounds == 0 {
                assert!(svg.contains("No round is complete yet."));
                continue;
            }
            let reading = Reading::of(&svg, Scale::Linear, Scale::Linear);
            let [mut won, mut turns] = [Vec::new(), Vec::new()];
            for Block { first, games, middle, .. } in blocks(&course.curve) {
                let [low, high] = share_interval(first, games as u64);
                assert!(0.0 <= low && low <= first && first <= high && high <= 1.0, "{low} {first} {high}");
                won.push(solid(middle, 100.0 * first, 100.0 * low, 100.0 * high));
                turns.push(solid(middle, 120.0, 120.0, 120.0));
            }
            reading.assert_values(Look::BLUE, &won);
            reading.assert_values(Look::ORANGE, &turns);
            won.iter().flat_map(|value| [value.low, value.high]).chain([120.0]).for_each(|y| reading.assert_within(y));
        }
    }
}
