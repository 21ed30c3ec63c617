//! Commands by which GoGui draws and plays any game on a grid, shows numbers on the board, and sets parameters.

use boughs::{Report, Turn};
use boughs_games::Content;

use super::{Answer, Engine, argument};
use crate::protocols::board_game::Game;

/// The name of the game, with a capital.
pub(super) fn game_id(engine: &mut Engine, _: &[String]) -> Answer {
    let name = engine.game.started.entry.name;
    let (first, rest) = name.split_at(1);
    Ok(first.to_ascii_uppercase() + rest)
}

/// The size of the board: `11 hex`, `9`, or `7 6 rect`.
pub(super) fn board_size(engine: &mut Engine, _: &[String]) -> Answer {
    let grid = engine.game.grid().ok_or("there is no grid")?;
    Ok(match (grid.columns == grid.rows, grid.is_hexagonal) {
        (true, false) => grid.columns.to_string(),
        (true, true) => format!("{} hex", grid.columns),
        (false, _) => format!("{} {} rect", grid.columns, grid.rows),
    })
}

/// The points, row by row from the top.
pub(super) fn board(engine: &mut Engine, _: &[String]) -> Answer {
    let grid = engine.game.grid().ok_or("there is no grid")?;
    let rows = grid.points.chunks(usize::from(grid.columns));
    let rows: Vec<String> =
        rows.map(|row| row.iter().map(|content| letter(&engine.game, content)).collect::<Vec<_>>().join(" ")).collect();
    Ok(rows.join("\n"))
}

/// The letter of the content of a point.
pub(super) fn letter(game: &Game, content: &Content) -> &'static str {
    match content {
        Content::Empty => ".",
        Content::Outside => "?",
        Content::Stone(seat) if game.colours()[seat % 2] == "black" => "X",
        Content::Stone(_) => "O",
    }
}

pub(super) fn side_to_move(engine: &mut Engine, _: &[String]) -> Answer {
    let [first, second] = engine.game.colours();
    Ok(match engine.game.position().turn() {
        Turn::Player(1) => second,
        _ => first,
    }
    .to_string())
}

pub(super) fn final_result(engine: &mut Engine, _: &[String]) -> Answer {
    if engine.game.player().is_some() {
        return Err("the game is not over".to_string());
    }
    engine.game.score().ok_or_else(|| "cannot score".to_string())
}

/// The entries of GoGui's menu. Those that draw on the board need one whose moves are points.
pub(super) fn analyze_commands(engine: &mut Engine, _: &[String]) -> Answer {
    let drawn =
        ["dboard/Win rates/boughs-win_rates", "gfx/Visits/boughs-visits", "var/Principal variation/boughs-variation"];
    let told = ["param/Parameters/boughs-params", "string/Board/showboard", "string/Processor time/cputime"];
    let drawn = drawn.into_iter().filter(|_| engine.game.grid().is_some());
    Ok(drawn.chain(told).collect::<Vec<_>>().join("\n"))
}

impl Engine {
    /// The report of the position as it is, without further search.
    fn report(&mut self) -> Result<Report, String> {
        let budget = boughs::Budget::iterations(0);
        self.game.searcher().search(budget, &mut |_| {}).map_err(|error| error.to_string())
    }
}

/// The win rate of Black after each move in the tree, from -1 to 1; 0 for the others.
pub(super) fn win_rates(engine: &mut Engine, _: &[String]) -> Answer {
    let grid = engine.game.grid().ok_or("there is no grid")?;
    let report = engine.report()?;
    let is_black = side_to_move(engine, &[])? == "black";
    let mut rates = vec!["0".to_string(); grid.points.len()];
    for child in report.children.iter().filter(|child| child.playouts > 0) {
        if let Some(place) = engine.game.started.entry.place(engine.game.position(), child.action) {
            let index = usize::from(place.row) * usize::from(grid.columns) + usize::from(place.column);
            let lead = 2.0 * child.mean - 1.0;
            rates[index] = two_digits(if is_black { lead } else { -lead });
        }
    }
    let rows: Vec<String> = rates.chunks(usize::from(grid.columns)).map(|row| row.join(" ")).collect();
    Ok(rows.join("\n"))
}

/// A number with two digits after the point. Zero has no sign.
fn two_digits(number: f64) -> String {
    // The sum of both zeros is the one without a sign.
    format!("{:.2}", (number * 100.0).round() / 100.0 + 0.0)
}

/// The visits of each move in the tree, as colours and numbers.
pub(super) fn visits(engine: &mut Engine, _: &[String]) -> Answer {
    let report = engine.report()?;
    let most = report.children.first().map_or(0, |child| child.playouts).max(1);
    let (mut influence, mut labels) = (String::from("INFLUENCE"), String::from("LABEL"));
    for child in report.children.iter().filter(|child| child.playouts > 0) {
        let vertex = engine.game.vertex(engine.game.position(), child.action);
        influence += &format!(" {vertex} {:.3}", child.playouts as f64 / most as f64);
        labels += &format!(" {vertex} {}", child.playouts);
    }
    Ok(format!("{influence}\n{labels}"))
}

/// The principal variation, with colours.
pub(super) fn variation(engine: &mut Engine, _: &[String]) -> Answer {
    let report = engine.report()?;
    let colours = engine.game.colours();
    let mut position = engine.game.position().clone_session();
    let mut line = Vec::new();
    for step in &report.pv {
        if let Turn::Player(player) = position.turn() {
            line.push(format!("{} {}", &colours[player % 2][..1], engine.game.vertex(&*position, step.action)));
        }
        position.apply(step.action);
    }
    Ok(line.join(" "))
}

/// The names of all keys of the agent.
pub(super) fn list_params(engine: &mut Engine, _: &[String]) -> Answer {
    Ok(engine.game.agent_spec.values().into_iter().map(|(key, _)| key).collect::<Vec<_>>().join("\n"))
}

pub(super) fn get_param(engine: &mut Engine, arguments: &[String]) -> Answer {
    let key: String = argument(arguments, 0)?;
    let value = engine.game.agent_spec.values().into_iter().find(|(name, _)| *name == key);
    value.map(|(_, value)| value).ok_or_else(|| format!("the agent has no key '{key}'"))
}

/// `kata-set-param c 1.4`.
pub(super) fn set_param(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (key, value): (String, String) = (argument(arguments, 0)?, argument(arguments, 1)?);
    let mut spec = engine.game.agent_spec.clone();
    spec.set(&key, &value).map_err(|error| error.to_string())?;
    engine.game.set_agent(spec).map(|()| String::new())
}

/// Without arguments the parameters for GoGui's dialog, with two the new value of one.
pub(super) fn params(engine: &mut Engine, arguments: &[String]) -> Answer {
    if !arguments.is_empty() {
        return set_param(engine, arguments);
    }
    let line = |(key, value): (&str, String)| match value.as_str() {
        "on" | "off" => format!("[list/on/off] {key} {value}"),
        _ => format!("[string] {key} {value}"),
    };
    Ok(engine.game.agent_spec.values().into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::two_digits;

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!([-0.004, -0.0, 0.004, -0.006, 1.0].map(two_digits), ["0.00", "0.00", "0.00", "-0.01", "1.00"]);
    }
}
