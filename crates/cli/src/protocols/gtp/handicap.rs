//! Handicap stones of Go.

use std::ops::RangeInclusive;

use boughs::Turn;
use boughs_games::Place;

use super::{Answer, Engine, argument};

/// `fixed_handicap 4`: the handicap stones of Go on their usual points.
pub(super) fn fixed_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    place_stones(engine, arguments, |_, count| count..=count)
}

/// `place_free_handicap 12`: the handicap stones of Go on points of the program's choice, which are the usual ones. For
/// a higher number there are as many as have usual points.
pub(super) fn place_free_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    place_stones(engine, arguments, |points, count| if count < points { 2..=count } else { count..=count })
}

/// Places handicap stones on their usual points: the most of the numbers that are acceptable for the points of the
/// board and the number that is asked for.
fn place_stones(
    engine: &mut Engine,
    arguments: &[String],
    acceptable: impl Fn(usize, usize) -> RangeInclusive<usize>,
) -> Answer {
    let count: usize = argument(arguments, 0)?;
    if !engine.game.moves().is_empty() {
        return Err("board not empty".to_string());
    }
    let grid = engine.game.grid().filter(|_| engine.game.started.entry.name == "go");
    let size = grid.as_ref().map_or(0, |grid| grid.columns);
    let counts = acceptable(usize::from(size) * usize::from(size), count);
    let points = counts.rev().find_map(|count| star_points(size, count)).ok_or("invalid number of stones")?;
    let names: Vec<String> = grid.iter().flat_map(|grid| points.iter().map(|place| grid.name(*place))).collect();
    set_free_handicap(engine, &names)?;
    Ok(names.join(" "))
}

/// The points of the GTP 2 specification for `count` handicap stones.
fn star_points(size: u8, count: usize) -> Option<Vec<Place>> {
    let edge = match size {
        7..=12 => 2,
        13..=19 => 3,
        _ => return None,
    };
    let (low, middle, high) = (edge, size / 2, size - 1 - edge);
    let most = if size.is_multiple_of(2) || size == 7 { 4 } else { 9 };
    if !(2..=most).contains(&count) {
        return None;
    }
    // Rows are counted from the top here.
    let corners = [(low, high), (high, low), (low, low), (high, high)];
    let sides = [(low, middle), (high, middle), (middle, high), (middle, low)];
    let mut points: Vec<(u8, u8)> = corners[..count.min(4)].to_vec();
    match count {
        5 => points.push((middle, middle)),
        6 | 7 => points.extend(&sides[..2]),
        8 | 9 => points.extend(&sides),
        _ => {}
    }
    if count == 7 || count == 9 {
        points.push((middle, middle));
    }
    Some(points.into_iter().map(|(column, row)| Place { column, row }).collect())
}

/// Black's stones before the first move, with passes of White between them.
pub(super) fn set_free_handicap(engine: &mut Engine, vertices: &[String]) -> Answer {
    if !engine.game.moves().is_empty() {
        return Err("board not empty".to_string());
    }
    if vertices.len() < 2 || engine.game.position().turn() == Turn::Over {
        return Err("syntax error".to_string());
    }
    let place = |vertex: &String| match vertex.eq_ignore_ascii_case("pass") {
        true => Err("syntax error".to_string()),
        false => engine.game.play(0, vertex),
    };
    let placed = vertices.iter().try_for_each(place);
    if placed.is_err() {
        engine.game.go_to(Vec::new())?;
    }
    engine.game.forget_marks();
    placed.map(|()| String::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::{Content, Grid, Names};

    fn names(size: u8, count: usize) -> Option<String> {
        let grid = Grid::new(size, size, Names::Go, |_| Content::Empty);
        let points = star_points(size, count)?;
        Some(points.iter().map(|place| grid.name(*place)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn handicap_stones_are_on_the_points_of_the_specification() {
        assert_eq!(names(9, 2).as_deref(), Some("C3 G7"));
        assert_eq!(names(9, 5).as_deref(), Some("C3 G7 C7 G3 E5"));
        assert_eq!(names(19, 6).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10"));
        assert_eq!(names(19, 9).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"));
        assert_eq!((names(5, 2), names(9, 1), names(8, 5), names(19, 10)), (None, None, None, None));
    }
}
