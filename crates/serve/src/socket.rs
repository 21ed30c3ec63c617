//! The connection of a page that is open: its searches, and their news.
//!
//! A page sends orders in JSON and names its searches by words of its own, such as `main`. When the connection ends,
//! the page lets go of its searches.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use boughs_agents::{AgentSpec, default_agent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;
use tokio::sync::watch::Receiver;
use tokio::task::{JoinHandle, JoinSet, spawn_blocking};
use tokio::time::{interval, timeout};

use crate::hub::{Handle, Limits, Task, TreeQuestion, Update};
use crate::place::{Place, PlaceQuestion};
use crate::refusal::Refusal;
use crate::server::Server;

/// The most searches of a page.
const MOST_SEARCHES: usize = 4;

/// The most messages that wait for a slow page. News are not queued: a slow page gets the latest.
const MOST_WAITING: usize = 16;

/// The most questions of a page that wait for their answers.
const MOST_QUESTIONS: usize = 8;

/// A page that says nothing for so long, and for as long again after it was asked, is gone.
const SILENCE: Duration = Duration::from_secs(30);

/// The longest time that a page takes to receive a message.
const SENDING: Duration = Duration::from_secs(20);

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
    /// The task that sends its news.
    news: JoinHandle<()>,
    /// Tells the task to send the last news, as those of a search that has stopped.
    last: Option<oneshot::Sender<()>>,
}

impl Held {
    /// Wants the search to run, and sends its news from that run on. `joins` if the page has not held it before.
    fn want(&mut self, name: &str, joins: bool, out: &Sender<String>) {
        let run = if self.wants { self.handle.go() } else { self.handle.want(joins) };
        self.wants = true;
        self.send_news(name, run, out);
    }

    /// Sends news from a run on, in place of those before.
    fn send_news(&mut self, name: &str, run: u64, out: &Sender<String>) {
        self.news.abort();
        let (sender, last) = oneshot::channel();
        self.last = Some(sender);
        let head = head_of_news(name, self.tag);
        self.news = tokio::spawn(send_news(head, self.handle.updates.clone(), run, last, out.clone()));
    }

    /// Takes the wish back. Returns true if another page still wants the search.
    fn leave(&mut self) -> bool {
        std::mem::take(&mut self.wants) && self.handle.leave()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.leave();
        self.news.abort();
    }
}

/// The number of the next connection.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Serves a page until it closes the connection, or takes nothing any more.
pub(crate) async fn serve(mut socket: WebSocket, server: Arc<Server>) {
    let (out, mut waiting) = channel::<String>(MOST_WAITING);
    let number = NEXT.fetch_add(1, Relaxed);
    let mut page = Page { number, server, out, searches: HashMap::new(), questions: JoinSet::new() };
    let (mut asks, mut is_silent) = (interval(SILENCE), false);
    loop {
        let message = tokio::select! {
            message = socket.recv() => {
                is_silent = false;
                match message {
                    Some(Ok(Message::Text(text))) => page.obey(text.as_str()).await.map(Message::text),
                    Some(Ok(Message::Binary(_))) => {
                        Some(Message::text(r#"{"fault":"an order is JSON in a text message"}"#))
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
            Some(text) = waiting.recv() => Some(Message::text(text)),
            _ = asks.tick() => match std::mem::replace(&mut is_silent, true) {
                true => return,
                false => Some(Message::Ping(Bytes::new())),
            },
        };
        let Some(message) = message else { continue };
        let sent = timeout(SENDING, socket.send(message)).await;
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

/// A page with its searches.
struct Page {
    number: u64,
    server: Arc<Server>,
    out: Sender<String>,
    searches: HashMap<String, Held>,
    /// The questions that wait for their answers. They end with the page.
    questions: JoinSet<()>,
}

impl Page {
    /// Does what a page orders, and returns the answer, if there is one at once.
    async fn obey(&mut self, text: &str) -> Option<String> {
        let order: Order = match serde_json::from_str(text) {
            Ok(order) => order,
            Err(error) => {
                // The page knows by these which of its searches is at fault.
                let order: Value = serde_json::from_str(text).unwrap_or_default();
                let head = json!({ "name": order["name"], "order": order["order"], "tag": order["search"]["tag"] });
                return Some(answer_of(head, Err(Refusal::bad(format!("this is no order: {error}")))));
            }
        };
        let tag = order.search.as_ref().map_or_else(|| self.tag_of(&order.name), |search| search.tag);
        let head = json!({ "name": order.name, "order": order.order, "tag": tag });
        match self.carry_out(order, head.clone()).await {
            Ok(answer) => answer,
            Err(refusal) => Some(answer_of(head, Err(refusal))),
        }
    }

    fn tag_of(&self, name: &str) -> u64 {
        self.searches.get(name).map_or(0, |held| held.tag)
    }

    async fn carry_out(&mut self, order: Order, head: Value) -> Result<Option<String>, Refusal> {
        match order.order {
            Verb::Search => {
                let search = order.search.ok_or_else(|| Refusal::bad("the order has no search"))?;
                let (out, joins) = (self.out.clone(), self.search(&order.name, search).await?);
                self.held(&order.name)?.want(&order.name, joins, &out);
                Ok(None)
            }
            // A search that is gone has stopped.
            Verb::Stop => {
                if let Some(held) = self.searches.get_mut(&order.name)
                    && held.leave()
                {
                    // The others see it go on, and this page what it has seen.
                    held.last.take();
                }
                Ok(None)
            }
            Verb::Leave => {
                self.searches.remove(&order.name);
                Ok(None)
            }
            Verb::Tree => {
                let question =
                    order.tree.ok_or_else(|| Refusal::bad("the order does not say which part of the tree"))?;
                let handle = self.held(&order.name)?.handle.clone();
                self.ask(head, "part", async move { handle.tree(question).await })
            }
            Verb::Step => {
                let out = self.out.clone();
                if let Some(search) = order.search {
                    self.search(&order.name, search).await?;
                    self.held(&order.name)?.send_news(&order.name, 0, &out);
                }
                let handle = self.held(&order.name)?.handle.clone();
                self.ask(head, "step", async move { handle.step(order.count.unwrap_or(1)).await })
            }
        }
    }

    /// Asks a search, which may answer late. The page is heard meanwhile.
    fn ask(
        &mut self,
        head: Value,
        member: &'static str,
        question: impl Future<Output = Result<Value, Refusal>> + Send + 'static,
    ) -> Result<Option<String>, Refusal> {
        while self.questions.try_join_next().is_some() {}
        if self.questions.len() >= MOST_QUESTIONS {
            return Err(Refusal::bad("the search has not answered the last questions yet"));
        }
        let out = self.out.clone();
        self.questions.spawn(async move {
            let answer = question.await.map(|value| (member, value));
            // A page that is gone needs no answer.
            let _ = out.send(answer_of(head, answer)).await;
        });
        Ok(None)
    }

    fn held(&mut self, name: &str) -> Result<&mut Held, Refusal> {
        self.searches.get_mut(name).ok_or_else(|| Refusal::missing("there is no search of this name"))
    }

    /// Holds a search by this name, in place of the one before. Returns true if the page has not held it before.
    async fn search(&mut self, name: &str, order: SearchOrder) -> Result<bool, Refusal> {
        let is_name = !name.is_empty() && name.len() <= 16 && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_name {
            return Err(Refusal::bad("a search is named by up to 16 small letters"));
        }
        let (question, server) = (order.place, self.server.clone());
        // Long games take their time.
        let place = spawn_blocking(move || Place::of(&question, &server.secrets)).await;
        let place = place.map_err(|_| Refusal::failed("the rules of the game panicked in this position"))??;
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
        let (news, tag) = (tokio::spawn(async {}), order.tag);
        let held = Held { handle, tag, wants: false, news, last: None };
        let Some(mut before) = self.searches.insert(name.to_string(), held) else { return Ok(true) };
        let held = self.held(name)?;
        let is_same = Arc::ptr_eq(&before.handle, &held.handle);
        if is_same {
            // The same search goes on without a stop. Another one ends here, and gives its place and its memory back.
            held.wants = std::mem::take(&mut before.wants);
        }
        Ok(!is_same)
    }
}

/// The beginning of the news of a search.
fn head_of_news(name: &str, tag: u64) -> String {
    format!("{{\"name\":\"{name}\",\"tag\":{tag},")
}

/// The answer to an order: a member with its value, or a fault.
fn answer_of(mut head: Value, answer: Result<(&'static str, Value), Refusal>) -> String {
    match answer {
        Ok((member, value)) => head[member] = value,
        Err(refusal) => head["fault"] = json!(refusal.sentence),
    }
    head.to_string()
}

/// Sends the news of a search to its page, from a run on, until `last` is gone. Each begins with the same members.
async fn send_news(
    head: String,
    mut updates: Receiver<Update>,
    run: u64,
    mut last: oneshot::Receiver<()>,
    out: Sender<String>,
) {
    loop {
        let update = updates.borrow_and_update().clone();
        if update.run >= run && out.send(update.text(&head)).await.is_err() {
            return;
        }
        tokio::select! {
            changed = updates.changed() => if changed.is_err() {
                return;
            },
            _ = &mut last => {
                let text = updates.borrow().stopped_text(&head);
                let _ = out.send(text).await;
                return;
            }
        }
    }
}
