//! The page, its style and its scripts, which are inside the program.

use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use boughs_pages::{BOARD_SCRIPT, STYLE};

use crate::refusal::Refusal;

/// The scripts and styles by their names.
const ASSETS: &[(&str, &str)] = &[
    ("pages.css", STYLE),
    ("serve.css", include_str!("page/serve.css")),
    ("board.js", BOARD_SCRIPT),
    ("main.js", include_str!("page/main.js")),
    ("address.js", include_str!("page/address.js")),
    ("analysis.js", include_str!("page/analysis.js")),
    ("board-view.js", include_str!("page/board-view.js")),
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
    ("words.js", include_str!("page/words.js")),
];

/// The page.
pub(crate) fn page() -> Response {
    Html(include_str!("page/page.html")).into_response()
}

/// A script or a style.
pub(crate) fn asset(name: &str) -> Response {
    let Some((name, text)) = ASSETS.iter().find(|(known, _)| *known == name) else {
        return Refusal::missing("there is no such file").into_response();
    };
    let kind = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
    ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], *text).into_response()
}
