//! Requests that no page of the server sends.

use std::net::SocketAddr;
use std::time::Duration;

use boughs::Rng;
use serde_json::json;

use crate::client::{Page, ask, request, send, send_and_wait, settings, start};

#[test]
fn pages_of_other_sites_get_nothing() {
    let address = start(settings());
    let body = json!({ "game": "connect4" }).to_string();
    let own = format!("Host: {address}\r\n");
    for headers in [
        "Host: evil.example\r\n".to_string(),
        format!("{own}Origin: http://evil.example\r\n"),
        format!("{own}Origin: null\r\n"),
        format!("{own}Sec-Fetch-Site: cross-site\r\n"),
    ] {
        assert_eq!(request(address, "POST /api/position", &headers, &body).status, 403, "{headers}");
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let text = format!("GET /api/socket HTTP/1.1\r\n{upgrade}{headers}\r\n");
        // The connection stays open after a refusal, so only its beginning is read.
        let answer = send(address, format!("{text}GET / HTTP/1.1\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        assert_eq!(answer.status, 403, "{headers}");
    }
    assert_eq!(
        request(address, "POST /api/position", &format!("{own}Origin: http://{address}\r\n"), &body).status,
        200
    );
}

#[test]
fn every_answer_forbids_what_it_does_not_need() {
    let address = start(settings());
    // The page of a measurement stands in the store as it is, and a store may come from a stranger.
    let measurement = request(address, "GET /lab/measurements/1", &format!("Host: {address}\r\n"), "");
    assert!(measurement.head.contains("sandbox") && !measurement.head.contains("script-src"), "{}", measurement.head);
    assert_eq!(request(address, "GET /lab/x", &format!("Host: {address}\r\n"), "").status, 404);
    for line in ["GET /", "GET /assets/main.js", "GET /nowhere", "POST /", "GET /lab", "GET /api/position"] {
        let answer = request(address, line, &format!("Host: {address}\r\n"), "");
        for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"] {
            assert!(answer.head.contains(header), "{line}: {}", answer.head);
        }
    }
    let status = |line: &str| request(address, line, &format!("Host: {address}\r\n"), "").status;
    assert_eq!([status("GET /nowhere"), status("POST /"), status("GET /assets/../main.js")], [404, 405, 404]);
}

/// A question that is right.
fn good() -> String {
    json!({ "game": "connect4", "moves": ["4", "4"] }).to_string()
}

#[test]
fn ten_thousand_malformed_requests_do_no_harm() {
    let address = start(settings());
    std::thread::scope(|scope| {
        for stranger in 0..20 {
            scope.spawn(move || send_malformed_requests(address, Rng::new(24, stranger)));
            scope.spawn(move || send_malformed_orders(address, Rng::new(24, 100 + stranger)));
        }
    });
    assert_eq!(ask(address, "/api/position", &serde_json::from_str(&good()).unwrap()).status, 200);
    let large = format!("{{\"game\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(request(address, "POST /api/position", &format!("Host: {address}\r\n"), &large).status, 413);
}

/// Sends 400 requests that are mostly wrong.
fn send_malformed_requests(address: SocketAddr, mut rng: Rng) {
    for round in 0..400 {
        let mut bytes = good().into_bytes();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = rng.below(256) as u8;
        }
        let head = format!("POST /api/position HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: ");
        let request = match round % 4 {
            0 => [head.as_bytes(), format!("{}\r\n\r\n", bytes.len()).as_bytes(), &bytes].concat(),
            1 => [&bytes[..], b"\r\n\r\n"].concat(),
            2 => {
                format!("GET /{} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n", "%00/..".repeat(round % 50))
                    .into_bytes()
            }
            _ => (0..rng.below(200)).map(|_| rng.below(256) as u8).chain(*b"\r\n\r\n").collect(),
        };
        // A server that waits for more of a request gives no answer.
        if let Some(answer) = send_and_wait(address, &request, Duration::from_secs(1)) {
            assert!(answer.status < 500, "{}: {}", String::from_utf8_lossy(&request), answer.body);
        }
    }
}

/// Sends 100 orders that are wrong.
fn send_malformed_orders(address: SocketAddr, mut rng: Rng) {
    let mut page = Page::open(address);
    for _ in 0..100 {
        let mut bytes = br#"{"name":"main","order":"tree","tree":{"path":[],"depth":3}}"#.to_vec();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] = 32 + rng.below(94) as u8;
        page.send(&String::from_utf8(bytes).unwrap());
        assert!(page.next()["fault"].is_string());
    }
}
