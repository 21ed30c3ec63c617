//! The guard before every request: only pages of this server may ask.
//!
//! A page of another site can send requests to a server on this machine. Its browser tells in `Origin` and
//! `Sec-Fetch-Site` where a request comes from. A site whose name suddenly leads to this machine (DNS rebinding) has
//! its own name in `Host`.

use std::net::IpAddr;

use crate::http::{Request, Response};
use crate::refusal::Refusal;

/// The names by which this server may be called, beside `localhost` and addresses in numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(pub(crate) Vec<String>);

/// The headers of every answer. A page loads nothing from elsewhere and is shown in no frame of another site.
const HEADERS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
];

/// The header of the policy of a page.
const POLICY: &str = "content-security-policy";

/// The policy of the board: its own files alone.
const BOARD: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of the pages of results, each of which is one file. `contest_policy` allows the script of one.
const RESULTS: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'";

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

/// Allows the one script of a page of results, which has this number.
pub(crate) fn allow_script(page: Response, nonce: &str) -> Response {
    page.with(POLICY, format!("{RESULTS}; script-src 'nonce-{nonce}'"))
}

/// Adds the headers of every answer to one about a path.
pub(crate) fn protect(mut response: Response, path: &str) -> Response {
    if response.headers.iter().all(|(name, _)| *name != POLICY) {
        response = response.with(POLICY, policy(path));
    }
    HEADERS.into_iter().fold(response, |response, (name, value)| response.with(name, value))
}

impl Names {
    /// Checks where a request comes from. A page may be opened by a link of another site; everything else may not be
    /// asked for.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = request.header("host")?.ok_or_else(|| Refusal::bad("the request has no Host"))?;
        if !self.is_own(host) {
            return Err(Refusal::forbidden(format!(
                "this server is not called '{}'; start it with --allow-host to give it a name",
                boughs_arena::harmless_line(host)
            )));
        }
        let foreign = || Refusal::forbidden("pages of other sites may not use this server");
        // Behind a proxy the page may have come by TLS.
        let is_own_page =
            |origin: &str| ["http://", "https://"].iter().any(|way| origin.strip_prefix(way) == Some(host));
        if request.header("origin")?.is_some_and(|origin| !is_own_page(origin)) {
            return Err(foreign());
        }
        let (site, mode) = (request.header("sec-fetch-site")?, request.header("sec-fetch-mode")?);
        // A link of another site opens a page; an image or a script of it would not be a page.
        let is_opened = !request.path.starts_with("/api/") && mode.is_none_or(|mode| mode == "navigate");
        if !is_opened && site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(foreign());
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

    fn check(headers: &[(&str, &str)], is_page: bool) -> bool {
        let request = Request {
            path: if is_page { "/" } else { "/api/position" }.into(),
            headers: headers.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
            ..Request::default()
        };
        Names(vec!["board.example".into()]).check(&request).is_ok()
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
        assert!(
            !check(&[("host", "localhost"), ("Host", "evil.example")], true),
            "one of the two is believed elsewhere"
        );
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
