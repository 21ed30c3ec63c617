//! Connections: how long they are kept, and how requests on them are bounded.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::client::{Answer, Page, ask, request, search, send, settings, start};

/// Reads one answer, whose body has a length, from a connection that stays open.
fn next(stream: &mut TcpStream, has_body: bool) -> Answer {
    let (mut bytes, mut byte) = (Vec::new(), [0]);
    while !bytes.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        bytes.push(byte[0]);
    }
    let head = String::from_utf8(bytes).unwrap();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
    let mut body = vec![0; length.filter(|_| has_body).unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: String::from_utf8(body).unwrap() }
}

fn open(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

#[test]
fn a_connection_is_kept_for_further_requests() {
    let address = start(settings());
    let mut stream = open(address);
    let body = json!({ "game": "connect4" }).to_string();
    let post =
        format!("POST /api/position HTTP/1.1\r\nhost: {address}\r\nCONTENT-LENGTH: {}\r\n\r\n{body}", body.len());
    // Two come at once.
    stream.write_all(format!("{post}HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    assert_eq!(next(&mut stream, true).json()["game"], "connect4");
    let head = next(&mut stream, false);
    assert!(head.status == 200 && !head.head.contains("content-length: 0"), "{}", head.head);
    // A wrong question does not end it.
    stream.write_all(post.replace("connect4", "connect5").as_bytes()).unwrap();
    assert_eq!(next(&mut stream, true).status, 400);
    for head in [post.replace("HTTP/1.1", "HTTP/1.0"), post.replace("\r\nhost", "\r\nConnection: Close\r\nhost")] {
        let mut stream = open(address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.contains("connection: close\r\n") && text.ends_with('}'), "{text}");
    }
}

#[test]
fn a_client_that_asks_before_it_sends_a_body_is_told_to_go_on() {
    let address = start(settings());
    let mut stream = open(address);
    let body = json!({ "game": "connect4" }).to_string();
    let head = format!("POST /api/position HTTP/1.1\r\nHost: {address}\r\nExpect: 100-continue\r\n");
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes()).unwrap();
    assert_eq!(next(&mut stream, false).status, 100);
    stream.write_all(body.as_bytes()).unwrap();
    assert_eq!(next(&mut stream, true).status, 200);
    stream.write_all(format!("{head}Content-Length: 2000000\r\n\r\n").as_bytes()).unwrap();
    assert_eq!(next(&mut stream, true).status, 413, "a body that is too large is not asked for");
}

#[test]
fn requests_that_could_be_read_in_two_ways_are_refused() {
    let address = start(settings());
    let many = "A: b\r\n".repeat(80);
    let large = format!("A: {}\r\n", "b".repeat(20_000));
    for (headers, status) in [
        ("Transfer-Encoding: chunked\r\n", 411),
        ("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", 411),
        ("Content-Length: 2\r\nContent-Length: 2\r\n", 400),
        ("Content-Length: 2, 2\r\n", 400),
        ("Content-Length: +2\r\n", 400),
        ("Content-Length: \r\n", 400),
        ("Content-Length : 2\r\n", 400),
        ("Content-Length: 99999999999999999999999\r\n", 413),
        (&many, 431),
        (&large, 431),
        ("Host: localhost\r\n", 400),
    ] {
        let text = format!("POST /api/position HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n{{}}GET / HTTP/1.1\r\n");
        let answer = send(address, format!("{text}Host: {address}\r\n\r\n").as_bytes()).unwrap();
        assert_eq!(answer.status, status, "{headers:.60}: {}", answer.body);
        assert!(answer.json()["fault"].is_string() && answer.head.contains("connection: close"), "{headers:.60}");
        for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff"] {
            assert!(answer.head.contains(header), "{headers:.60}: {}", answer.head);
        }
    }
    for target in ["*", "http://localhost/", "x/api/catalogue", "//api/catalogue"] {
        let answer = request(address, &format!("GET {target}"), &format!("Host: {address}\r\n"), "");
        assert_eq!(answer.status, 404, "{target}");
    }
}

#[test]
fn a_request_that_comes_byte_by_byte_is_cut_off() {
    let address = start(settings());
    let head = format!("POST /api/position HTTP/1.1\r\nHost: {address}\r\n");
    let slow = |begin: String, byte: &str| {
        let mut stream = open(address);
        stream.write_all(begin.as_bytes()).unwrap();
        let mut reader = stream.try_clone().unwrap();
        let answer = thread::spawn(move || next(&mut reader, true));
        // It would go on for two minutes.
        for _ in 0..240 {
            thread::sleep(Duration::from_millis(500));
            if answer.is_finished() || stream.write_all(byte.as_bytes()).is_err() {
                break;
            }
        }
        assert!(answer.is_finished(), "the server waits as long as bytes come");
        let answer = answer.join().unwrap();
        assert!(answer.status == 408 && answer.json()["fault"].is_string(), "{}", answer.body);
    };
    thread::scope(|scope| {
        scope.spawn(|| slow(format!("{head}A: "), "b"));
        scope.spawn(|| slow(format!("{head}Content-Length: 1000\r\n\r\n"), "{"));
        // A client that asks for nothing more gets no answer that it did not ask for.
        scope.spawn(|| {
            let mut stream = open(address);
            stream.write_all(format!("HEAD / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
            next(&mut stream, false);
            assert_eq!(stream.read(&mut [0]).unwrap(), 0);
        });
    });
}

#[test]
fn games_that_panic_take_no_place_from_other_questions() {
    let address = start(settings());
    for _ in 0..40 {
        let answer = ask(address, "/api/position", &json!({ "game": "bomb", "moves": ["0"] }));
        assert_eq!(
            (answer.status, &answer.json()["fault"]),
            (500, &json!("the rules of the game panicked in this position"))
        );
    }
    assert_eq!(ask(address, "/api/position", &json!({ "game": "connect4" })).status, 200);
}

#[test]
fn long_words_of_strangers_are_not_sent_back() {
    let address = start(settings());
    let long = "x".repeat(900_000);
    let answer = ask(address, "/api/position", &json!({ "game": long }));
    assert!(answer.status == 400 && answer.body.len() < 10_000, "{} bytes", answer.body.len());
    let mut page = Page::open(address);
    page.search("connect4", &[], &long);
    page.search("connect4", &[], &format!("mcts:{long}=1"));
    page.search("connect4", &[&long], "mcts");
    page.order("tree", &json!({ "name": long }));
    page.order("tree", &json!({ "order": long }));
    for _ in 0..5 {
        let told = page.next();
        assert!(told["fault"].is_string() && told.to_string().len() < 10_000, "{told:.200}");
    }
}

#[test]
fn a_page_that_takes_nothing_holds_up_no_other() {
    let address = start(settings());
    let (mut deaf, mut other) = (Page::open(address), Page::open(address));
    deaf.search("go:size=19", &[], "mcts");
    other.search("go:size=19", &[], "mcts");
    other.until_state("running");
    // Whole lists of the tree fill what the system holds for the one that does not read.
    for _ in 0..300 {
        deaf.order("tree", &json!({ "tree": { "path": [], "depth": 9 } }));
    }
    for _ in 0..10 {
        other.until_state("running");
    }
    other.order("tree", &search("go:size=19", &[], "mcts"));
    assert!(other.until(|message| message.get("fault").is_some())["fault"].is_string());
}
