//! A server in this process, and clients of it that speak HTTP and WebSocket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Once;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use boughs::{Game, Turn};
use boughs_agents::AgentSpec;
use boughs_games::{NamedGame, Options, games};
use boughs_serve::{Settings, Start, serve};
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// The time for an answer to a request.
const ANSWER: Duration = Duration::from_secs(20);

/// Settings for a server of a test.
pub(crate) fn settings() -> Settings {
    Settings {
        host: "127.0.0.1".into(),
        port: 0,
        names: Vec::new(),
        start: Start { game: "connect4".into(), moves: "44".into(), agent: AgentSpec::default() },
        most_searches: 4,
        most_memory: 256 << 20,
        store: None,
        key: None,
    }
}

/// A game whose moves have no texts after the first one.
#[derive(Clone)]
struct Bomb {
    plies: u8,
}

impl Game for Bomb {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.plies > 3 { Turn::Over } else { Turn::Player(usize::from(self.plies % 2)) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&mut self, _: u8) {
        self.plies += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        0.5
    }
    fn action_text(&self, action: u8) -> String {
        assert!(self.plies == 0, "there is no text");
        action.to_string()
    }
}

impl NamedGame for Bomb {
    const NAME: &'static str = "bomb";
    fn start(_: &mut Options) -> Result<Bomb, String> {
        Ok(Bomb { plies: 0 })
    }
}

static GAMES: Once = Once::new();

/// Starts a server, which ends with the process.
pub(crate) fn start(settings: Settings) -> SocketAddr {
    GAMES.call_once(|| boughs_games::add_games(&games![Bomb]).unwrap());
    let (sender, address) = channel();
    std::thread::spawn(move || serve(settings, &|address, _| sender.send(address).unwrap()).unwrap());
    address.recv_timeout(PATIENCE).unwrap()
}

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends the bytes of a request, and reads the answer to its end.
pub(crate) fn send(address: SocketAddr, request: &[u8]) -> Option<Answer> {
    send_and_wait(address, request, ANSWER)
}

/// Sends the bytes of a request, and reads the answer that comes in this time.
pub(crate) fn send_and_wait(address: SocketAddr, request: &[u8], patience: Duration) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(patience)).unwrap();
    // A server may answer before it has read all.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head: head.to_string(), body: body.to_string() })
}

/// Sends a request with these headers.
pub(crate) fn request(address: SocketAddr, line: &str, headers: &str, body: &str) -> Answer {
    let length = body.len();
    let text = format!("{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
    send(address, text.as_bytes()).unwrap()
}

/// Asks a question as a page does.
pub(crate) fn ask(address: SocketAddr, path: &str, question: &Value) -> Answer {
    request(address, &format!("POST {path}"), &format!("Host: {address}\r\n"), &question.to_string())
}

/// An open page.
pub(crate) struct Page(WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    pub(crate) fn open(address: SocketAddr) -> Page {
        let (socket, _) = tungstenite::connect(format!("ws://{address}/api/socket")).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Page(socket)
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// Sends an order about the search `main`.
    pub(crate) fn order(&mut self, order: &str, more: &Value) {
        let mut text = json!({ "name": "main", "order": order });
        for (key, value) in more.as_object().unwrap() {
            text[key] = value.clone();
        }
        self.send(&text.to_string());
    }

    /// Searches a position.
    pub(crate) fn search(&mut self, game: &str, moves: &[&str], agent: &str) {
        self.order("search", &search(game, moves, agent));
    }

    pub(crate) fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(text.as_str()).unwrap();
            }
        }
    }

    /// Reads until a message fits.
    pub(crate) fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let message = self.next();
            if fits(&message) {
                return message;
            }
            assert!(Instant::now() < end, "the last message is {message}");
        }
    }

    /// Reads until the search is in this state.
    pub(crate) fn until_state(&mut self, state: &str) -> Value {
        self.until(|message| message["state"] == state)
    }
}

/// The members of an order for a search.
pub(crate) fn search(game: &str, moves: &[&str], agent: &str) -> Value {
    json!({ "search": { "place": { "game": game, "moves": moves }, "agent": agent } })
}
