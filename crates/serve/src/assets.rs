//! The page, its style and its scripts, which are inside the program.

use boughs_pages::{BOARD_SCRIPT, STYLE};

use crate::http::Response;
use crate::refusal::Refusal;

/// The kind of a page.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// The scripts and styles by their names.
const ASSETS: &[(&str, &str)] = &[
    ("pages.css", STYLE),
    ("serve.css", include_str!("page/serve.css")),
    ("board.js", BOARD_SCRIPT),
    ("main.js", include_str!("page/main.js")),
    ("address.js", include_str!("page/address.js")),
    ("analysis.js", include_str!("page/analysis.js")),
    ("board-view.js", include_str!("page/board-view.js")),
    ("ending.js", include_str!("page/ending.js")),
    ("files.js", include_str!("page/files.js")),
    ("game.js", include_str!("page/game.js")),
    ("graph.js", include_str!("page/graph.js")),
    ("keys.js", include_str!("page/keys.js")),
    ("review.js", include_str!("page/review.js")),
    ("searching.js", include_str!("page/searching.js")),
    ("seats.js", include_str!("page/seats.js")),
    ("server.js", include_str!("page/server.js")),
    ("settings.js", include_str!("page/settings.js")),
    ("steps.js", include_str!("page/steps.js")),
    ("tabs.js", include_str!("page/tabs.js")),
    ("tree.js", include_str!("page/tree.js")),
    ("tree-tab.js", include_str!("page/tree-tab.js")),
    ("variations.js", include_str!("page/variations.js")),
    ("verdict.js", include_str!("page/verdict.js")),
    ("words.js", include_str!("page/words.js")),
];

/// The page.
pub(crate) fn page() -> Response {
    Response::text(200, HTML, include_str!("page/page.html"))
}

/// A script or a style.
pub(crate) fn asset(name: &str) -> Result<Response, Refusal> {
    let found = ASSETS.iter().find(|(known, _)| *known == name);
    let (name, text) = found.ok_or_else(|| Refusal::missing("there is no such file"))?;
    let kind = if name.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
    Ok(Response::text(200, kind, *text))
}
