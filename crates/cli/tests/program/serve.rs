//! `boughs serve` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{end_of, run};

/// Starts a server, and returns its address.
fn server(arguments: &[&str]) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boughs"));
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.arg("serve").args(arguments).args(["--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_string();
    (child, address)
}

/// Asks a server, and returns its answer without the head.
#[cfg(target_os = "linux")]
fn ask(address: &str, path: &str, question: &serde_json::Value) -> serde_json::Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let body = question.to_string();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n").unwrap();
    write!(stream, "Content-Type: application/json\r\nConnection: close\r\n\r\n{body}").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_link_with_hidden_cards_holds_after_the_server_has_ended() {
    let dealt = {
        let (mut child, address) = server(&["whist"]);
        let dealt = ask(&address, "/api/draw", &serde_json::json!({ "game": "whist", "viewer": 1 }));
        child.kill().unwrap();
        child.wait().unwrap();
        dealt
    };
    let moves: Vec<&str> = dealt["moves"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert!(moves.len() == 15 && moves.iter().all(|text| text.starts_with('?')), "{moves:?}");
    let (mut child, address) = server(&["whist"]);
    let again = ask(&address, "/api/position", &serde_json::json!({ "game": "whist", "viewer": 1, "moves": moves }));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(again, dealt);
}

fn page(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// The processor time of a process in ticks.
#[cfg(target_os = "linux")]
fn ticks(child: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_is_there_soon_and_idle_while_it_is_not_asked() {
    let begun = Instant::now();
    let (mut child, address) = server(&["connect4"]);
    assert!(page(&address).starts_with("HTTP/1.1 200"));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // An open connection costs nothing either.
    let _open = TcpStream::connect(&address).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let before = ticks(&child);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(ticks(&child), before);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_server() {
    let (mut child, _) = server(&["tictactoe"]);
    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert_eq!(end_of(&mut child), Some(143));
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn what_cannot_be_served_is_told_in_a_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (arguments, word) in [
        (format!("serve connect4 --port {port}"), "--port"),
        ("serve chess".to_string(), "chess"),
        ("serve connect4 --position 9".to_string(), "--position"),
        ("serve connect4 --agent candy".to_string(), "candy"),
        ("serve connect4 --store nowhere.db".to_string(), "nowhere.db"),
        ("serve connect4 --most-searches 0".to_string(), "1 or more"),
        ("serve connect4 --host 256.0.0.1".to_string(), "256.0.0.1"),
    ] {
        let ran = run(&arguments);
        assert!(ran.code == Some(2) && ran.err.contains(word) && ran.err.lines().count() == 1, "{arguments}: {ran:?}");
    }
}
