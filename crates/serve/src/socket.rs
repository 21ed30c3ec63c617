//! The connection of a page that is open: its searches, and their news.
//!
//! A page sends orders in JSON and names its searches by words of its own, such as `main`. The thread of its connection
//! hears them, and another one sends what stands in its outbox. When the connection ends, the page lets go of its
//! searches.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use boughs_agents::{AgentSpec, default_agent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

use crate::http::{Connection, MOST_BYTES, Request, Response, SENDING};
use crate::hub::{Handle, Limits, Task, TreeQuestion};
use crate::outbox::{Outbox, answer_of};
use crate::place::{Place, PlaceQuestion};
use crate::refusal::Refusal;
use crate::server::{PANICKED, Server};
use crate::until::{Until, is_late};

/// The most searches of a page.
const MOST_SEARCHES: usize = 4;

/// The most letters of the name of a search.
const MOST_LETTERS: usize = 16;

/// A page that says nothing for so long, and for as long again after it was asked, is gone.
const SILENCE: Duration = Duration::from_secs(30);

/// The bytes that are read at a time.
const READ_AT_A_TIME: usize = 4 << 10;

/// An order of a page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    /// The page's word for the search.
    name: String,
    /// The thing to do.
    order: Verb,
    /// The position and the agent of `search` and `step`.
    search: Option<SearchOrder>,
    /// The part of `tree`.
    tree: Option<TreeQuestion>,
    /// The number of iterations of `step`.
    count: Option<u64>,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verb {
    /// Searches a position, or goes on if it is the same search.
    Search,
    /// Stops the search.
    Stop,
    /// Lets go of the search.
    Leave,
    /// Asks for a part of the tree.
    Tree,
    /// Makes iterations.
    Step,
}

/// A position and the agent that searches it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SearchOrder {
    place: PlaceQuestion,
    /// The agent; by default that of the game.
    #[serde(default)]
    agent: String,
    /// A number of 64 bits, as a text because a page has no such numbers.
    #[serde(default, deserialize_with = "seed")]
    seed: u64,
    /// The limits, in milliseconds and in playouts.
    #[serde(default)]
    time: Option<u64>,
    #[serde(default)]
    iterations: Option<u64>,
    /// True for a search of this page alone.
    #[serde(default)]
    alone: bool,
    /// A number that the news of the search have, so that the page knows them from those of the search before.
    #[serde(default)]
    tag: u64,
}

/// Reads a seed, which is a text or a number.
fn seed<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Seed {
        Number(u64),
        Text(String),
    }
    let wrong = || D::Error::custom("a seed is a whole number from 0 to 18446744073709551615");
    match Seed::deserialize(from).map_err(|_| wrong())? {
        Seed::Number(number) => Ok(number),
        Seed::Text(text) => text.trim().parse().map_err(|_| wrong()),
    }
}

/// A search of a page.
struct Held {
    handle: Arc<Handle>,
    /// The number of its news.
    tag: u64,
    /// True while the page wants the search to run.
    wants: bool,
}

impl Held {
    /// Wants the search to run, and returns the run from which on there are news. `joins` if the page has not held it
    /// before.
    fn want(&mut self, joins: bool) -> u64 {
        if std::mem::replace(&mut self.wants, true) { self.handle.go() } else { self.handle.want(joins) }
    }

    /// Takes the wish back. Returns true if another page still wants the search.
    fn leave(&mut self) -> bool {
        std::mem::take(&mut self.wants) && self.handle.leave()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The answer that makes a web socket of a connection.
pub(crate) fn accept(request: &Request) -> Result<Response, Refusal> {
    let is_socket = request.method == "GET"
        && request.lists("connection", "upgrade")
        && request.lists("upgrade", "websocket")
        && request.header("sec-websocket-version")? == Some("13");
    let key = request.header("sec-websocket-key")?.filter(|_| is_socket);
    let key = key.ok_or_else(|| Refusal::bad("this address is for the web sockets of pages, in version 13"))?;
    let response = Response::empty(101).with("connection", "upgrade").with("upgrade", "websocket");
    Ok(response.with("sec-websocket-accept", derive_accept_key(key.as_bytes())))
}

/// One of the two ends of a connection, which reads and writes. Each write is a whole message.
struct Pipe {
    stream: Arc<TcpStream>,
    /// The time until which messages are waited for.
    end: Instant,
    writing: Arc<Mutex<()>>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Until(&self.stream, self.end).read(buffer)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        Until(&self.stream, Instant::now() + SENDING).write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The number of the next connection.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Serves a page until it closes the connection, or takes nothing any more.
pub(crate) fn serve(connection: Connection, server: &Arc<Server>) {
    let (stream, writing) = (connection.stream, Arc::new(Mutex::new(())));
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_AT_A_TIME)
        .max_message_size(Some(MOST_BYTES))
        .max_frame_size(Some(MOST_BYTES));
    let socket = |rest| {
        let pipe = Pipe { stream: stream.clone(), end: Instant::now() + SILENCE, writing: writing.clone() };
        WebSocket::from_partially_read(pipe, rest, Role::Server, Some(config))
    };
    let number = NEXT.fetch_add(1, Relaxed);
    let out = Arc::new(Outbox::new());
    let (sender, messages) = (socket(Vec::new()), out.clone());
    let page = Page { number, server: server.clone(), out, searches: HashMap::new() };
    let writer = thread::Builder::new().name("page".into()).spawn(move || send_all(&messages, sender));
    if writer.is_ok() {
        page.hear(socket(connection.rest));
    }
}

/// Sends the messages of a page until it is gone.
fn send_all(messages: &Outbox, mut socket: WebSocket<Pipe>) {
    while let Some(message) = messages.next() {
        if socket.send(Message::text(message)).is_err() {
            break;
        }
    }
    // The page may wait for room, or for an order.
    messages.close();
    let _ = socket.get_ref().stream.shutdown(Shutdown::Both);
}

/// A page with its searches.
struct Page {
    number: u64,
    server: Arc<Server>,
    out: Arc<Outbox>,
    searches: HashMap<String, Held>,
}

impl Drop for Page {
    fn drop(&mut self) {
        self.out.close();
    }
}

impl Page {
    /// Does what a page orders, until it is gone.
    fn hear(mut self, mut socket: WebSocket<Pipe>) {
        let mut is_silent = false;
        loop {
            let message = match socket.read() {
                Err(Error::Io(error)) if is_late(&error) && !is_silent => None,
                Err(_) => return,
                Ok(message) => Some(message),
            };
            is_silent = message.is_none();
            match message {
                Some(Message::Text(text)) => self.obey(text.as_str()),
                Some(Message::Binary(_)) => {
                    self.out.push(r#"{"fault":"an order is JSON in a text message"}"#.into());
                }
                // The next look for a message answers these.
                Some(_) => {}
                None if socket.send(Message::Ping(Bytes::new())).is_ok() => {}
                None => return,
            }
            self.out.wait_for_room();
            socket.get_mut().end = Instant::now() + SILENCE;
        }
    }

    /// Does what a page orders.
    fn obey(&mut self, text: &str) {
        let order: Order = match serde_json::from_str(text) {
            Ok(order) => order,
            Err(error) => {
                // The page knows by these which of its searches is at fault.
                let order: Value = serde_json::from_str(text).unwrap_or_default();
                let word = |key: &str| order[key].as_str().map(shown);
                let tag = order["search"]["tag"].as_u64();
                let head = json!({ "name": word("name"), "order": word("order"), "tag": tag });
                return self.out.push(answer_of(head, Err(Refusal::bad(format!("this is no order: {error}")))));
            }
        };
        let tag = order.search.as_ref().map_or_else(|| self.tag_of(&order.name), |search| search.tag);
        let head = json!({ "name": shown(&order.name), "order": order.order, "tag": tag });
        if let Err(refusal) = self.carry_out(order, &head) {
            self.out.push(answer_of(head, Err(refusal)));
        }
    }

    fn tag_of(&self, name: &str) -> u64 {
        self.searches.get(name).map_or(0, |held| held.tag)
    }

    fn carry_out(&mut self, order: Order, head: &Value) -> Result<(), Refusal> {
        let name = order.name.as_str();
        match order.order {
            Verb::Search => {
                let search = order.search.ok_or_else(|| Refusal::bad("the order has no search"))?;
                let joins = self.search(name, search)?;
                let run = self.held(name)?.want(joins);
                self.follow(name, run)?;
            }
            // A search that is gone has stopped.
            Verb::Stop => {
                if self.searches.get_mut(name).is_some_and(Held::leave) {
                    // The others see it go on, and this page what it has seen.
                    self.out.stop(name);
                }
            }
            Verb::Leave => {
                self.out.leave(name);
                self.searches.remove(name);
            }
            Verb::Tree => {
                let question =
                    order.tree.ok_or_else(|| Refusal::bad("the order does not say which part of the tree"))?;
                let reply = self.out.ask(head.clone(), "part");
                self.held(name)?.handle.tree(question, reply?);
            }
            Verb::Step => {
                if let Some(search) = order.search {
                    self.search(name, search)?;
                    self.follow(name, 0)?;
                }
                let reply = self.out.ask(head.clone(), "step");
                self.held(name)?.handle.step(order.count.unwrap_or(1), reply?);
            }
        }
        Ok(())
    }

    fn held(&mut self, name: &str) -> Result<&mut Held, Refusal> {
        self.searches.get_mut(name).ok_or_else(|| Refusal::missing("there is no search of this name"))
    }

    /// Sends the news of a search from a run on.
    fn follow(&mut self, name: &str, run: u64) -> Result<(), Refusal> {
        let out = self.out.clone();
        let held = self.held(name)?;
        out.follow(name, held.tag, held.handle.news(), run);
        Ok(())
    }

    /// Holds a search by this name, in place of the one before. Returns true if the page has not held it before.
    fn search(&mut self, name: &str, order: SearchOrder) -> Result<bool, Refusal> {
        let is_name =
            !name.is_empty() && name.len() <= MOST_LETTERS && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_name {
            return Err(Refusal::bad(format!("a search is named by up to {MOST_LETTERS} small letters")));
        }
        // Long games take their time.
        let place = self.server.work(PANICKED, || Place::of(&order.place, &self.server.secrets))?;
        if place.player().is_none() {
            return Err(Refusal::bad("no player acts in this position, so there is nothing to search"));
        }
        let agent: AgentSpec = match order.agent.trim() {
            "" => default_agent(place.entry.name),
            text => text.parse().map_err(Refusal::bad)?,
        };
        let limits = Limits { time: order.time.map(Duration::from_millis), iterations: order.iterations };
        let alone = order.alone.then_some(self.number);
        let handle = self.server.hub.join(Task { place, agent: agent.with_seed(order.seed), limits, alone })?;
        if !self.searches.contains_key(name) && self.searches.len() >= MOST_SEARCHES {
            return Err(Refusal::bad(format!("a page has at most {MOST_SEARCHES} searches")));
        }
        // No news of the search before come after this.
        self.out.leave(name);
        let mut held = Held { handle, tag: order.tag, wants: false };
        let before = self.searches.remove(name);
        let is_same = before.as_ref().is_some_and(|before| Arc::ptr_eq(&before.handle, &held.handle));
        if let Some(mut before) = before.filter(|_| is_same) {
            // The same search goes on without a stop. Another one ends here, and gives its place and its memory back.
            held.wants = std::mem::take(&mut before.wants);
        }
        self.searches.insert(name.into(), held);
        Ok(!is_same)
    }
}

/// The beginning of a word of a page, which may not be one.
fn shown(word: &str) -> &str {
    word.char_indices().nth(MOST_LETTERS).map_or(word, |(end, _)| &word[..end])
}
