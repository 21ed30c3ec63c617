//! Games that can be looked at: their list, the place where one is shown, and what the script knows of them.

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::choice::{Choices, Chosen};
use super::shape::Shape;
use super::words::{grouped, letter};
use crate::Conditions;

/// The list of a contest's games, and the place where one of them is shown.
pub(super) fn of_contest(command: &str, choices: &Choices) -> Markup {
    let columns = ["game", "seats", "result", "plies"].map(|title| (title, "")).into_iter().chain([("ended", "words")]);
    html! {
        h2 { "Games" }
        @if choices.left_out > 0 {
            p {
                (grouped(choices.left_out as u64)) " games are not on this page. "
                code { (command) " --only N" } " shows any of them by its number N."
            }
        }
        (viewer(&columns.collect::<Vec<_>>(), choices.games.iter().map(|game| game.row.as_str())))
    }
}

/// A list with these columns, each with its class, and these rows, and the place where one of them is shown.
pub(super) fn viewer<'a>(columns: &[(&str, &str)], rows: impl ExactSizeIterator<Item = &'a str>) -> Markup {
    let one = |label: &str, name: &str, text: &str| {
        html! { button type="button" data-go=(name) title=(label) aria-label=(label) { (text) } }
    };
    html! {
        @if rows.len() == 0 {
            p { "There are no games to look at." }
        } @else {
            div.list { table {
                thead { tr { @for (title, class) in columns { th class=(class) { (title) } } } }
                tbody id="list" { @for row in rows { (PreEscaped(row)) } }
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
                            (one("first", "first", "«")) (one("previous", "previous", "‹"))
                            button type="button" id="play" { "play" }
                            (one("next", "next", "›")) (one("last", "last", "»"))
                            span id="days" hidden {
                                (one("the day before ([)", "dayBefore", "‹ day")) " " (one("the day after (])", "dayAfter", "day ›"))
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

/// The games of a contest as JSON.
pub(super) fn write_contest(conditions: &Conditions, choices: &Choices, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = conditions.contestants.iter().map(ToString::to_string).collect();
    let names: Vec<(String, String)> = names.into_iter().enumerate().map(|(n, name)| (letter(n), name)).collect();
    write_data(&names, &choices.shapes, &choices.games, out)
}

/// Games as JSON, with the letters and the names of those who play in them.
pub(super) fn write_data(
    names: &[(String, String)],
    shapes: &[Shape],
    games: &[Chosen],
    out: &mut dyn Write,
) -> io::Result<()> {
    let json = |value: serde_json::Result<String>| value.map(|json| inside_a_script(&json)).map_err(io::Error::from);
    writeln!(out, "<script type=\"application/json\" id=\"games\">")?;
    writeln!(out, "{{\"contestants\":{},", json(serde_json::to_string(names))?)?;
    writeln!(out, "\"shapes\":{},\n\"games\":[", json(serde_json::to_string(shapes))?)?;
    for (place, game) in games.iter().enumerate() {
        let comma = if place + 1 < games.len() { "," } else { "" };
        writeln!(out, "{}{comma}", inside_a_script(&game.json))?;
    }
    writeln!(out, "]}}</script>")
}

/// JSON in which no text begins a tag. It stands in strings only, where it may be written by its number.
fn inside_a_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
