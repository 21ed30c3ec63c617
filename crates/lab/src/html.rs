//! Pages that stand in one file and load nothing, in light or dark.

/// The colours of the plots give way to those of the page where that is dark.
const STYLE: &str = "
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 780px; margin: 2rem auto; padding: 0 1rem }
figure { margin: 1.5rem 0 }
svg { max-width: 100%; height: auto }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #8885 }
th { white-space: normal }
th:first-child, td:first-child { text-align: left }
.warning { border-left: 4px solid #d56a10; padding-left: .7rem }
code { overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e4e4e4 }
  svg [fill='#FFFFFF'] { fill: #16181c }
  svg [fill='#000000'] { fill: #e4e4e4 }
  svg [stroke='#000000'] { stroke: #e4e4e4 }
}";

/// The beginning of a page with this title, which is HTML.
pub(crate) fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}\n</style>\n\
         <h1>{title}</h1>\n"
    )
}

/// A row of a table, whose cells are HTML.
pub(crate) fn row(tag: &str, cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
    format!("<tr>{cells}</tr>\n")
}

/// Text as it stands in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
