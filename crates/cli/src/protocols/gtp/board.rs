//! Commands that set up the board and play moves.

use boughs::Turn;
use boughs_games::{Content, Place};

use super::{Answer, Engine, argument, gogui};
use crate::position_file;
use crate::protocols::game_spec::GameSpec;

/// `boardsize 13`, in Hex also `boardsize 13 13`.
pub(super) fn boardsize(engine: &mut Engine, arguments: &[String]) -> Answer {
    let columns: u8 = argument(arguments, 0)?;
    let rows: u8 = if arguments.len() > 1 { argument(arguments, 1)? } else { columns };
    let game = &mut engine.game;
    // GoGui names the columns alone.
    let is_size = game.grid().is_some_and(|grid| {
        columns == grid.columns && (arguments.len() == 1 && grid.columns != grid.rows || rows == grid.rows)
    });
    if is_size {
        let spec = game.spec.clone();
        return engine.restart(spec).map(|()| String::new());
    }
    let unacceptable = || "unacceptable size".to_string();
    if columns != rows {
        return Err(unacceptable());
    }
    let spec = game.spec.with("size", &columns.to_string());
    engine.restart(spec).map_err(|_| unacceptable())?;
    Ok(String::new())
}

pub(super) fn clear_board(engine: &mut Engine, _: &[String]) -> Answer {
    let spec = engine.game.spec.clone();
    engine.restart(spec).map(|()| String::new())
}

/// `komi 7.5`. A game without komi takes any and goes on as before.
pub(super) fn komi(engine: &mut Engine, arguments: &[String]) -> Answer {
    let komi: f64 = argument(arguments, 0)?;
    if engine.game.started.entry.options.contains("komi=") {
        engine.game.set_option("komi", &komi.to_string())?;
    }
    Ok(String::new())
}

/// `play black D4`.
pub(super) fn play(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (Some(colour), Some(vertex)) = (arguments.first(), arguments.get(1)) else {
        return Err("syntax error".to_string());
    };
    let player = engine.game.seat(colour)?;
    if vertex.eq_ignore_ascii_case("resign") {
        return Ok(String::new());
    }
    engine.game.play(player, vertex)?;
    engine.may_ponder = true;
    Ok(String::new())
}

pub(super) fn undo(engine: &mut Engine, _: &[String]) -> Answer {
    engine.game.undo().map(|()| String::new())
}

/// `loadsgf game.sgf 10`: the position before move 10, or the last one.
pub(super) fn loadsgf(engine: &mut Engine, arguments: &[String]) -> Answer {
    let path: String = argument(arguments, 0)?;
    let before = if arguments.len() > 1 { Some(argument(arguments, 1)?) } else { None };
    let game = engine.game.started.entry.name;
    let read = position_file::read(path.as_ref(), game, before)
        .map_err(|failure| format!("cannot load file: {}", failure.sentence()))?;
    engine.restart(GameSpec::of(&read.spec))?;
    engine.game.go_to(read.actions)?;
    Ok(String::new())
}

pub(super) fn showboard(engine: &mut Engine, _: &[String]) -> Answer {
    let Some(grid) = engine.game.grid() else { return Ok(format!("\n{}", engine.game.position().board())) };
    let mut lines = Vec::new();
    for (row, points) in grid.points.chunks(usize::from(grid.columns)).enumerate() {
        let name = grid.name(Place { column: 0, row: row as u8 });
        let points: Vec<&str> = points.iter().map(|content| gogui::letter(&engine.game, content)).collect();
        lines.push(format!("{:>2} {}", &name[1..], points.join(" ")));
    }
    let columns = (0..grid.columns).map(|column| grid.name(Place { column, row: 0 })[..1].to_string());
    lines.push(format!("   {}", columns.collect::<Vec<_>>().join(" ")));
    Ok(format!("\n{}", lines.join("\n")))
}

pub(super) fn all_legal_moves(engine: &mut Engine, _: &[String]) -> Answer {
    Ok(engine.game.legal().into_iter().map(|(_, vertex)| vertex).collect::<Vec<_>>().join(" "))
}

pub(super) fn final_score(engine: &mut Engine, _: &[String]) -> Answer {
    engine.game.score().ok_or_else(|| "cannot score".to_string())
}

/// `final_status_list alive`: all stones on the board, because every stone that stands at the end counts.
pub(super) fn final_status_list(engine: &mut Engine, arguments: &[String]) -> Answer {
    let status: String = argument(arguments, 0)?;
    let grid = engine.game.grid().ok_or("there are no stones")?;
    match status.as_str() {
        "alive" => {}
        "dead" | "seki" => return Ok(String::new()),
        _ => return Err("syntax error".to_string()),
    }
    let stones = grid.places().zip(&grid.points).filter(|(_, content)| matches!(content, Content::Stone(_)));
    Ok(stones.map(|(place, _)| grid.name(place)).collect::<Vec<_>>().join(" "))
}

/// The game of this session, with a capital as clients write it.
pub(super) fn list_games(engine: &mut Engine, arguments: &[String]) -> Answer {
    gogui::game_id(engine, arguments)
}

/// `set_game Othello`.
pub(super) fn set_game(engine: &mut Engine, arguments: &[String]) -> Answer {
    let name = engine.game.started.entry.name;
    if !arguments.join("").eq_ignore_ascii_case(name) {
        return Err(format!("this session plays {name}; start another one for another game"));
    }
    clear_board(engine, &[])
}

/// The handicap stones of Go on their usual points.
pub(super) fn fixed_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    let count: usize = argument(arguments, 0)?;
    if !engine.game.moves().is_empty() {
        return Err("board not empty".to_string());
    }
    let grid = engine.game.grid().filter(|_| engine.game.started.entry.name == "go");
    let size = grid.as_ref().map_or(0, |grid| grid.columns);
    let points = star_points(size, count).ok_or("invalid number of stones")?;
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
    use boughs_games::{Grid, Names};

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
