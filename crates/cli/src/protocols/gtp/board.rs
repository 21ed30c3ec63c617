//! Commands that set up the board and play moves.

use std::path::Path;

use boughs_games::{Content, Place};

use super::{Answer, Engine, argument, gogui};
use crate::position_file;
use crate::protocols::game_spec::GameSpec;

/// `boardsize 13`, in Hex also `boardsize 13 13`.
pub(super) fn boardsize(engine: &mut Engine, arguments: &[String]) -> Answer {
    let columns = argument(arguments, 0)?;
    // GoGui names the columns alone.
    let rows = if arguments.len() > 1 { Some(argument(arguments, 1)?) } else { None };
    let spec = engine.game.spec.on_board(Some(columns), rows).ok_or("unacceptable size")?;
    engine.restart(spec).map(|()| String::new())
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
    engine.game.play(player, vertex).map(|()| String::new())
}

pub(super) fn undo(engine: &mut Engine, _: &[String]) -> Answer {
    engine.game.undo().map(|()| String::new())
}

/// `loadsgf game.sgf 10`: the position before move 10, or the last one.
pub(super) fn loadsgf(engine: &mut Engine, _: &[String]) -> Answer {
    let (path, before) = file_and_move(&engine.rest).ok_or("syntax error")?;
    let game = engine.game.started.entry.name;
    let read = position_file::read(path, game, before)
        .map_err(|failure| format!("cannot load file: {}", failure.sentence()))?;
    engine.restart(GameSpec::of(&read.spec))?;
    engine.game.load(read.actions, &read.moves)?;
    Ok(String::new())
}

/// Reads the path of a file, which may have spaces and stand in quotes, and the number of a move after it.
fn file_and_move(text: &str) -> Option<(&Path, Option<usize>)> {
    let whole = Path::new(text);
    match text.strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) {
        _ if text.is_empty() => None,
        _ if whole.exists() => Some((whole, None)),
        Some((path, "")) => Some((Path::new(path), None)),
        Some((path, number)) => Some((Path::new(path), Some(number.trim().parse().ok()?))),
        None => {
            let numbered = text.rsplit_once(' ').and_then(|(path, number)| Some((path, number.parse().ok()?)));
            Some(numbered.map_or((whole, None), |(path, before)| (Path::new(path.trim_end()), Some(before))))
        }
    }
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
