//! The results of a store: its matches, tournaments and measurements, which may be under way, and its best scores.

use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aes_siv::aead::Generate;
use boughs_arena::statistics::Anchor;
use boughs_arena::{Best, CaseKey, Contest, Event, MeasurementEntry, MeasurementId, Store};
use boughs_pages::{ContestPage, STYLE};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use crate::assets::HTML;
use crate::guard::allow_script;
use crate::http::Response;
use crate::refusal::Refusal;
use crate::server::Server;

/// The time after which a page of games that are still played is loaded again.
const AGAIN_S: u64 = 5;

/// The age of the last game from which on a contest is taken to be over.
const FRESH: Duration = Duration::from_secs(120);

/// A page, which is loaded again while its games are still played.
fn page(text: String, is_fresh: bool) -> Response {
    let page = Response::text(200, HTML, text);
    if is_fresh { page.with("refresh", AGAIN_S.to_string()) } else { page }
}

/// The list of all events of the store.
pub(crate) fn list(server: &Server) -> Response {
    answer(server, |store| {
        let (events, cases) = (store.events().map_err(Refusal::failed)?, store.cases().map_err(Refusal::failed)?);
        let measurements = store.measurements().map_err(Refusal::failed)?;
        let mut is_new = measurements.iter().any(|it| !it.is_over && is_fresh(it.changed));
        if let Some(newest) = events.last() {
            let ended = store.last_end(newest.id).map_err(Refusal::failed)?;
            is_new |= is_fresh(ended.unwrap_or(newest.began));
        }
        Ok(page(list_page(&events, &measurements, &cases).into_string(), is_new))
    })
}

/// The page of a match or a tournament.
pub(crate) fn event(server: &Server, number: &str) -> Response {
    answer(server, |store| {
        let number: usize = read_number(number)?;
        let events = store.events().map_err(Refusal::failed)?;
        let event = number.checked_sub(1).and_then(|place| events.get(place));
        let event = event.ok_or_else(|| Refusal::missing("the store has no contest of this number; /lab lists all"))?;
        // A store of another program or version may have a game that this one does not.
        let unreadable = |error| Refusal::missing(format!("this contest cannot be shown: {error}"));
        let contest = Contest::stored(store, event).map_err(unreadable)?;
        let mut text = Vec::new();
        let rated = || contest.conditions().ratings(contest.standings(), Anchor::Mean);
        let ratings = (event.key.kind == "tournament").then(rated);
        // No text in the page can know the number of its script before it is made.
        let nonce = format!("{:032x}", u128::from_ne_bytes(Generate::generate()));
        let contest_page = ContestPage::of(&contest, &event.key.command);
        let contest_page = ContestPage { ratings: ratings.as_ref(), nonce: Some(nonce.clone()), ..contest_page };
        contest_page.write(&mut text).map_err(Refusal::failed)?;
        drop(contest);
        let ended = store.last_end(event.id).map_err(Refusal::failed)?.unwrap_or(event.began);
        Ok(allow_script(page(with_way_back(&String::from_utf8_lossy(&text)), is_fresh(ended)), &nonce))
    })
}

/// The page of a measurement.
pub(crate) fn measurement(server: &Server, number: &str) -> Response {
    answer(server, |store| {
        let number = read_number(number)?;
        let found = store.measurement(MeasurementId(number)).map_err(Refusal::failed)?;
        let none = || Refusal::missing("the store has no measurement of this number; /lab lists all");
        let (measurement, changed) = found.ok_or_else(none)?;
        Ok(page(with_way_back(&measurement.page), !measurement.is_over && is_fresh(changed)))
    })
}

/// A page with a link to the list above its title.
fn with_way_back(page: &str) -> String {
    page.replacen("<h1>", "<p><a href=\"/lab\">all results</a></p><h1>", 1)
}

/// Reads the store for a page.
fn answer(server: &Server, read: impl FnOnce(&mut Store) -> Result<Response, Refusal>) -> Response {
    let answered = server.work("the store could not be read", || {
        let path = server.settings.store.as_deref();
        let path = path.ok_or_else(|| Refusal::missing("this server has no store; start it with --store games.db"))?;
        read(&mut open(path)?)
    });
    answered.unwrap_or_else(|refusal| {
        let says = html! { p { (refusal.sentence) } p { a href="/lab" { "all results" } } };
        Response::text(refusal.status, HTML, framed("Results", &says).into_string())
    })
}

/// A page with this title.
fn framed(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { (title) } (content) }
        }
    }
}

fn open(path: &Path) -> Result<Store, Refusal> {
    if !path.exists() {
        return Err(Refusal::missing(format!("the store '{}' is gone", path.display())));
    }
    Store::open(path).map_err(Refusal::failed)
}

fn read_number<T: FromStr>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| Refusal::missing("results have numbers; /lab lists all"))
}

fn is_fresh(seconds: f64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_secs_f64() - seconds).abs() < FRESH.as_secs_f64()
}

/// The game and the contestants of an event, as its conditions say.
fn about(event: &Event) -> (String, Vec<String>) {
    let conditions: Value = serde_json::from_str(&event.key.conditions).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let contestants = conditions["contestants"].as_array().map(|all| all.iter().map(text).collect());
    (text(&conditions["game"]), contestants.unwrap_or_default())
}

fn list_page(events: &[Event], measurements: &[MeasurementEntry], cases: &[(CaseKey, Best)]) -> Markup {
    let content = html! {
        p { a href="/" { "to the board" } }
        h2 { "Matches and tournaments" }
        @if events.is_empty() { p { "The store has none." } }
        div.wide tabindex="0" role="region" aria-label="matches and tournaments" { table.measured {
            thead { tr { th { "contest" } th { "games" } th.words { "contestants" } th.words { "command" } } }
            tbody { @for (place, event) in events.iter().enumerate().rev() {
                @let (game, contestants) = about(event);
                tr {
                    td data-title="contest" {
                        a href=(format!("/lab/{}", place + 1)) { (event.key.kind) " at " (game) }
                    }
                    td data-title="games" { (event.games) }
                    td.words data-title="contestants" { (contestants.join(", ")) }
                    td.words data-title="command" { code { (event.key.command) } }
                }
            } }
        } }
        @if !measurements.is_empty() {
            h2 { "Measurements" }
            div.wide tabindex="0" role="region" aria-label="measurements" { table.measured {
                thead { tr { th { "measurement" } th { "state" } th.words { "command" } } }
                tbody { @for measurement in measurements.iter().rev() {
                    tr {
                        td data-title="measurement" {
                            a href=(format!("/lab/measurements/{}", measurement.id.0)) {
                                (measurement.kind) " of " (measurement.game)
                            }
                        }
                        td data-title="state" { @if measurement.is_over { "complete" } @else { "so far" } }
                        td.words data-title="command" { code { (measurement.command) } }
                    }
                } }
            } }
        }
        @if !cases.is_empty() {
            h2 { "Best scores of judged cases" }
            div.wide tabindex="0" role="region" aria-label="best scores" { table.measured {
                thead { tr { th { "case" } th { "score" } th.words { "contestant" } th.words { "command" } } }
                tbody { @for (key, best) in cases {
                    tr {
                        td data-title="case" { (key.game) " " (key.name) }
                        td data-title="score" { (best.score) }
                        td.words data-title="contestant" { code { (best.contestant) } }
                        td.words data-title="command" { code { (best.command) } }
                    }
                } }
            } }
        }
    };
    framed("Results", &content)
}
