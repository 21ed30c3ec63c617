//! The guard before every request: only pages of this server may ask.
//!
//! A page of another site can send requests to a server on this machine. Its browser tells in `Origin` and
//! `Sec-Fetch-Site` where a request comes from. A site whose name suddenly leads to this machine (DNS rebinding) has
//! its own name in `Host`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// The names by which this server may be called, beside `localhost` and addresses in numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(pub(crate) Vec<String>);

/// The headers of every answer. A page loads nothing from elsewhere and is shown in no frame of another site.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// The policy of the board: its own files alone.
const BOARD: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of the pages of results, each of which is one file with a script inside.
const RESULTS: &str = "default-src 'none'; script-src 'nonce-boughs'; style-src 'unsafe-inline'; base-uri 'none'; \
                       form-action 'none'; frame-ancestors 'none'";

/// The policy of measurements, whose whole page stands in a store that may come from a stranger: no script at all.
const MEASUREMENTS: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                            frame-ancestors 'none'; sandbox";

/// The policy of a page.
fn policy(path: &str) -> &'static str {
    match path {
        path if path.starts_with("/lab/measurements") => MEASUREMENTS,
        path if path.starts_with("/lab") => RESULTS,
        _ => BOARD,
    }
}

/// Refuses requests from other sites, and adds the headers of every answer.
pub(crate) async fn guard(State(names): State<Arc<Names>>, request: Request, next: Next) -> Response {
    let is_page = !request.uri().path().starts_with("/api/");
    let policy = policy(request.uri().path());
    let mut response = match names.check(request.headers(), is_page) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS.into_iter().chain([(header::CONTENT_SECURITY_POLICY, policy)]) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Names {
    /// Checks where a request comes from. A page may be opened by a link of another site; everything else may not be
    /// asked for.
    fn check(&self, headers: &HeaderMap, is_page: bool) -> Result<(), Refusal> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"));
        let host = text(header::HOST).ok_or_else(|| Refusal::bad("the request has no Host"))?;
        if !self.is_own(host) {
            return Err(Refusal::forbidden(format!(
                "this server is not called '{}'; start it with --allow-host to give it a name",
                boughs_arena::harmless_line(host)
            )));
        }
        // Behind a proxy the page may have come by TLS.
        let is_own_page =
            |origin: &str| ["http://", "https://"].iter().any(|way| origin.strip_prefix(way) == Some(host));
        if text(header::ORIGIN).is_some_and(|origin| !is_own_page(origin)) {
            return Err(Refusal::forbidden("pages of other sites may not use this server"));
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        // A link of another site opens a page; an image or a script of it would not be a page.
        let is_opened =
            is_page && text(HeaderName::from_static("sec-fetch-mode")).is_none_or(|mode| mode == "navigate");
        if !is_opened && site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(Refusal::forbidden("pages of other sites may not use this server"));
        }
        Ok(())
    }

    /// Returns true if a `Host` names this server: by numbers, which no other site can have, or by a known name.
    fn is_own(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let is_known = || self.0.iter().any(|own| own.eq_ignore_ascii_case(name));
        name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost") || is_known()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &str)], is_page: bool) -> bool {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value")));
        Names(vec!["board.example".into()]).check(&headers.collect(), is_page).is_ok()
    }

    #[test]
    fn only_own_names_are_heard() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "192.168.0.7", "board.example:80"] {
            assert!(check(&[("host", host)], false), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "", "[evil]", "localhost.evil.example:8080", "board"] {
            assert!(!check(&[("host", host)], true), "{host}");
        }
        assert!(!check(&[], true));
    }

    #[test]
    fn other_sites_may_link_and_no_more() {
        let host = ("host", "127.0.0.1:8080");
        assert!(check(&[host, ("origin", "http://127.0.0.1:8080")], false));
        for origin in ["http://evil.example", "null", "http://127.0.0.1:8081", "ftp://127.0.0.1:8080", ""] {
            assert!(!check(&[host, ("origin", origin)], true), "{origin}");
        }
        for (site, is_page, is_heard) in [
            ("same-origin", false, true),
            ("none", false, true),
            ("cross-site", false, false),
            ("same-site", false, false),
            ("cross-site", true, true),
        ] {
            assert_eq!(check(&[host, ("sec-fetch-site", site)], is_page), is_heard, "{site} {is_page}");
        }
    }
}
