//! The viewer of games: their list, the place of the shown game, and their data for the script.

mod data;

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use crate::board::Shape;

pub(crate) use data::{GameData, Graph, PlyData, Remark};

/// The script that shows the games.
pub(crate) const SCRIPT: &str = concat!(include_str!("../board/board.js"), include_str!("script.js"));

/// A game on a page.
pub(crate) struct ViewerGame {
    pub(crate) number: u64,
    /// Its row of the list, in HTML.
    pub(crate) row: String,
    /// Its data for the script.
    pub(crate) json: String,
}

/// A list of games with these columns, each with its class, and the place of the shown game.
pub(crate) fn viewer(columns: &[(&str, &str)], games: &[ViewerGame]) -> Markup {
    let button = |label: &str, name: &str, text: &str| {
        html! { button type="button" data-go=(name) title=(label) aria-label=(label) { (text) } }
    };
    html! {
        @if games.is_empty() {
            p { "There are no games to look at." }
        } @else {
            div.list { table {
                thead { tr { @for (title, class) in columns { th class=(class) { (title) } } } }
                tbody id="list" { @for game in games { (PreEscaped(&game.row)) } }
            } }
            section id="viewer" tabindex="-1" hidden {
                h3 id="name" {}
                ul id="seats" {}
                p id="ending" {}
                div.table {
                    div.play {
                        div id="board" {}
                        p id="legend" {}
                        ul id="said" {}
                        ul id="values" {}
                        p.controls {
                            (button("first", "first", "«")) (button("previous", "previous", "‹"))
                            button type="button" id="play" { "play" }
                            (button("next", "next", "›")) (button("last", "last", "»"))
                            span id="days" hidden {
                                (button("the day before ([)", "dayBefore", "‹ day")) " "
                                (button("the day after (])", "dayAfter", "day ›"))
                            }
                            span id="place" {}
                        }
                        input id="slider" type="range" min="0" aria-label="ply";
                    }
                    div {
                        ol id="moves" {}
                        div id="graphs" {}
                    }
                }
                div id="notes" {}
                p { "To play it again: " code id="replay" {} }
            }
            noscript { p { "The boards are drawn by a script, which does not run here." } }
        }
    }
}

/// The data that all games of a page have in common.
pub(crate) struct Common<'a> {
    /// The letters and the names of the contestants.
    pub(crate) names: &'a [(String, String)],
    pub(crate) shapes: &'a [Shape],
    /// The legend of the drawn boards.
    pub(crate) legend: &'a str,
    /// The names of the kinds of cards in pictures.
    pub(crate) cards: &'a [&'a str],
}

/// Writes the data of games in JSON. A page without games has none.
pub(crate) fn write_data(common: &Common<'_>, games: &[ViewerGame], out: &mut dyn Write) -> io::Result<()> {
    if games.is_empty() {
        return Ok(());
    }
    let json = |value: serde_json::Result<String>| value.map(|json| inside_a_script(&json)).map_err(io::Error::from);
    writeln!(out, "<script type=\"application/json\" id=\"games\">")?;
    let Common { names, shapes, legend, cards } = common;
    writeln!(out, "{{\"contestants\":{},", json(serde_json::to_string(names))?)?;
    writeln!(out, "\"legend\":{},", json(serde_json::to_string(legend))?)?;
    writeln!(out, "\"cards\":{},", json(serde_json::to_string(cards))?)?;
    writeln!(out, "\"shapes\":{},\n\"games\":[", json(serde_json::to_string(shapes))?)?;
    for (place, game) in games.iter().enumerate() {
        let comma = if place + 1 < games.len() { "," } else { "" };
        writeln!(out, "{}{comma}", inside_a_script(&game.json))?;
    }
    writeln!(out, "]}}</script>")
}

/// Escapes JSON so that no text in it begins a tag: `<` occurs in strings only, where its number may stand for it.
fn inside_a_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
