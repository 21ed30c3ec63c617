//! `boughs serve` as a process.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use crate::common::{program, run};
use crate::process::{Running, heeding};

/// Starts a server, and returns its address.
fn server(arguments: &[&str]) -> (Running, String) {
    server_of(program().arg("serve").args(arguments).args(["--port", "0"]))
}

/// Starts the server of a command.
fn server_of(command: &mut Command) -> (Running, String) {
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Running::start(command);
    let address = child.line().strip_prefix("http://").unwrap().trim_end_matches('/').to_string();
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
        let (child, address) = server(&["whist"]);
        let dealt = ask(&address, "/api/draw", &serde_json::json!({ "game": "whist", "viewer": 1 }));
        child.kill();
        dealt
    };
    let moves: Vec<&str> = dealt["moves"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert!(moves.len() == 15 && moves.iter().all(|text| text.starts_with('?')), "{moves:?}");
    let (_child, address) = server(&["whist"]);
    let again = ask(&address, "/api/position", &serde_json::json!({ "game": "whist", "viewer": 1, "moves": moves }));
    assert_eq!(again, dealt);
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_server_has_the_allocator_by_which_it_keeps_its_bound_of_memory() {
    let (child, _) = server(&[]);
    let set = std::fs::read(format!("/proc/{}/environ", child.id())).unwrap();
    assert!(set.split(|&byte| byte == 0).any(|one| one == b"MALLOC_TRIM_THRESHOLD_=131072"));
}

fn page(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_is_there_soon_and_idle_while_it_is_not_asked() {
    use std::time::Duration;

    use crate::process::wait_until;

    let (child, address) = server(&["connect4"]);
    assert!(page(&address, "/").starts_with("HTTP/1.1 200"));
    assert!(child.worked() < Duration::from_secs(2), "{:?}", child.worked());
    // An open connection costs nothing either.
    let _open = TcpStream::connect(&address).unwrap();
    wait_until("a server is idle for two seconds", || {
        let before = child.worked();
        std::thread::sleep(Duration::from_secs(2));
        child.worked() == before
    });
}

#[test]
#[cfg(unix)]
fn half_requests_of_a_stranger_keep_no_other_out() {
    let line = "ulimit -n 256; exec \"$0\" serve tictactoe --port 0";
    let (_child, address) = server_of(heeding("sh").args(["-c", line, env!("CARGO_BIN_EXE_boughs")]));
    let half = || {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n").unwrap();
        stream
    };
    let mut strangers: Vec<TcpStream> = (0..300).map(|_| half()).collect();
    for _ in 0..20 {
        assert!(page(&address, "/").starts_with("HTTP/1.1 200"));
    }
    // As many have given way as there was no room for. One whose time is over would be told so.
    let ended = strangers.iter_mut().filter_map(|stranger| {
        stranger.set_nonblocking(true).unwrap();
        stranger.read(&mut [0]).ok()
    });
    assert!(ended.filter(|&bytes| bytes == 0).count() >= 40);
}

#[test]
fn each_page_of_results_allows_its_own_script_by_another_number() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db").display().to_string();
    run(&format!("match tictactoe mcts flat --iterations 20 --games 2 --store {store}")).expect();
    let (_child, address) = server(&["tictactoe", "--store", &store]);
    let nonces: Vec<String> = (0..2)
        .map(|_| {
            let text = page(&address, "/lab/1");
            let nonce = text.split("<script nonce=\"").nth(1).unwrap().split('"').next().unwrap();
            let allowed = format!("script-src 'nonce-{nonce}'");
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            assert!(nonce.len() == 32 && head.contains(&allowed), "{head}");
            assert!(body.replace("&#39;", "'").contains(&allowed), "the page says the same as its head");
            nonce.to_string()
        })
        .collect();
    assert_ne!(nonces[0], nonces[1]);
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_server() {
    let (child, _) = server(&["tictactoe"]);
    child.send("TERM");
    let output = child.finish();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(143), &b""[..]), "{output:?}");
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
