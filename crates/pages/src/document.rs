//! The frame of every page: one file that loads nothing, in light or dark.
//!
//! Names, moves, command lines and the output of programs come from outside. In HTML `maud` escapes them; in JSON `<`
//! never stands as itself, so no text there ends the script that contains it; and the viewer's script makes text nodes
//! of them.

use std::io::{self, Write};

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::Plot;

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("style.css");

/// Forbids loading anything and running a script: a second line of defence behind the escaping.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The name of a script in a policy: its nonce, or the hash of its text.
pub(crate) fn source(script: &str, nonce: Option<&str>) -> String {
    let hash = || format!("sha256-{}", BASE64.encode(&Sha256::digest(script)));
    nonce.map_or_else(hash, |nonce| format!("nonce-{nonce}"))
}

/// The beginning of a page with this title. A page with a script says the source of the only one that may run.
pub(crate) fn top(title: &str, source: Option<&str>) -> Markup {
    let policy = source.map_or(POLICY.into(), |source| format!("{POLICY}; script-src '{source}'"));
    html! {
        (DOCTYPE)
        // The end tag comes after the games, which are written one by one.
        (PreEscaped("<html lang=\"en\">"))
        meta charset="utf-8";
        meta name="viewport" content="width=device-width";
        meta http-equiv="Content-Security-Policy" content=(policy);
        title { (title) }
        style { (PreEscaped(STYLE)) }
        h1 { (title) }
    }
}

/// Writes the end of a page, with its script if there is one.
pub(crate) fn write_end(script: Option<&str>, nonce: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(script) = script {
        write!(out, "{}", html! { script nonce=[nonce] { (PreEscaped(script)) } }.into_string())?;
    }
    out.write_all(b"</html>\n")?;
    out.flush()
}

/// The page of a measurement.
pub(crate) struct MeasurementPage<'a> {
    pub(crate) title: &'a str,
    /// The method of the measurement, a paragraph each.
    pub(crate) method: &'a [String],
    /// The command line that asked for it.
    pub(crate) command: &'a str,
    pub(crate) warnings: &'a [String],
    pub(crate) plots: &'a [Plot],
    /// The meaning of the signs in the plots.
    pub(crate) legend: &'a str,
    pub(crate) tables: Markup,
}

impl MeasurementPage<'_> {
    /// Writes the whole page.
    pub(crate) fn into_text(self) -> String {
        let page = html! {
            (top(self.title, None))
            @for line in self.method { p { (line) } }
            p { code { (self.command) } }
            @for warning in self.warnings { p.warning { (warning) } }
            @for plot in self.plots {
                figure.plot { div.broad { (PreEscaped(&plot.svg)) } div.narrow { (PreEscaped(&plot.narrow)) } }
            }
            p { (self.legend) }
            (self.tables)
        };
        page.into_string() + "</html>\n"
    }
}

/// A table, whose first column has names.
pub(crate) fn table<T: AsRef<str>>(titles: &[&str], rows: &[Vec<T>]) -> Markup {
    let cells = |row: &Vec<T>| row.iter().map(|cell| html! { (cell.as_ref()) }).collect();
    table_of(titles, rows.iter().map(cells).collect())
}

/// A table with cells in HTML. On a narrow page a row is a small list, in which every cell has the title of its column.
pub(crate) fn table_of(titles: &[&str], rows: Vec<Vec<Markup>>) -> Markup {
    html! {
        div.wide { table.measured {
            thead { tr { @for title in titles { th { (title) } } } }
            tbody {
                @for row in rows { tr { @for (cell, title) in row.into_iter().zip(titles) {
                    td data-title=(title) { (cell) }
                } } }
            }
        } }
    }
}
