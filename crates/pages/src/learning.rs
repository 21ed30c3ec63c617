//! The plot of a course of learning.

use boughs_agents::learn::{Learned, Step};

use crate::PageError;
use crate::chart::{Axis, Chart, Guide, Look, Plot, Point, Series};

/// The largest number of points. Rounds are put together until there are no more.
const POINTS: usize = 40;

/// Plots the share of games that player 0 won, and the length of games, by the number of games played.
///
/// # Errors
/// If the library cannot draw it.
pub fn plot(learned: &Learned) -> Result<Plot, PageError> {
    let blocks: Vec<Block> = learned.curve.chunks(learned.curve.len().div_ceil(POINTS).max(1)).map(Block::of).collect();
    let points = |value: &dyn Fn(&Block) -> (f64, f64)| {
        let point = |block: &Block| {
            let (y, margin) = value(block);
            Point { x: block.games, y, low: y - margin, high: y + margin, is_solid: true }
        };
        blocks.iter().map(point).collect::<Vec<_>>()
    };
    let series = vec![
        Series::of("games won by player 0, %", Look::BLUE, points(&|block| (block.first, block.margin))),
        Series::of("turns of a game", Look::ORANGE, points(&|block| (block.turns, 0.0))),
    ];
    let most = series.iter().flat_map(|series| &series.points).map(|point| point.high).fold(100.0, f64::max);
    let games = learned.games.max(1) as f64;
    let guide = Some(Guide { name: "equally often", line: vec![(0.0, 50.0), (games, 50.0)] });
    let (x, y) = (Axis::linear(games), Axis::linear(most));
    Chart { title: "Learning by self-play", x_label: "games", y_label: "%, turns", x, y, series, guide }
        .draw("learning")
}

/// Rounds put together.
struct Block {
    /// The number of games played by its middle.
    games: f64,
    first: f64,
    /// Half the width of the 95 % interval of the share.
    margin: f64,
    turns: f64,
}

impl Block {
    fn of(steps: &[Step]) -> Block {
        let count = steps.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Step) -> f64| steps.iter().map(value).sum::<f64>() / count;
        let (from, to) = (steps.first().map_or(0, |step| step.games), steps.last().map_or(0, |step| step.games));
        // The first round ends after its games. All rounds but the last have as many.
        let each = if steps.len() > 1 { (to - from) as f64 / (count - 1.0) } else { to as f64 };
        let first = mean(&|step| step.first);
        let margin = 1.96 * (first * (1.0 - first) / (each * count).max(1.0)).sqrt();
        let games = (from as f64 + to as f64 - each) / 2.0;
        Block { games: games.max(0.0), first: 100.0 * first, margin: 100.0 * margin, turns: mean(&|step| step.turns) }
    }
}

#[cfg(test)]
mod tests {
    use boughs_agents::learn::{Learning, LearningTerms};

    use super::*;

    #[test]
    fn a_course_is_drawn_from_its_first_round_on() {
        let terms = LearningTerms::of(&Learning::default());
        let mut learned = Learned::nothing("green-circle", terms).expect("a game that can be learned");
        for round in 0..100 {
            let svg = plot(&learned).expect("a plot").svg;
            assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            learned.games += 100;
            learned.curve.push(Step { games: learned.games, first: 0.5, turns: f64::from(round), error: 0.1 });
        }
    }
}
