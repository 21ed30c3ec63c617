//! The connection of a page that is open: its searches, and their news.
//!
//! A page sends orders in JSON and names its searches by words of its own, such as `main`. When the connection ends, the
//! page lets go of its searches.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use boughs_agents::{AgentSpec, default_agent};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::watch::Receiver;
use tokio::task::JoinHandle;

use crate::hub::{Handle, Limits, Task, TreeQuestion, Update};
use crate::place::{Place, PlaceQuestion};
use crate::refusal::Refusal;
use crate::server::Server;

/// The most searches of a page.
const MOST_SEARCHES: usize = 4;

/// The most messages that wait for a slow page. News are not queued: a slow page gets the latest.
const MOST_WAITING: usize = 16;

/// The longest time of a search.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// An order of a page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    /// The page's word for the search.
    name: String,
    /// What to do.
    order: Verb,
    /// The position and the agent of `search` and `step`.
    search: Option<SearchOrder>,
    /// The part of `tree`.
    tree: Option<TreeQuestion>,
    /// The number of iterations of `step`.
    count: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verb {
    /// Searches a position.
    Search,
    /// Joins a search without running it.
    Open,
    /// Stops the search.
    Stop,
    /// Lets the search go on.
    Go,
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
    #[serde(default)]
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

/// A search of a page.
struct Held {
    handle: Arc<Handle>,
    /// True while the page wants the search to run.
    wants: bool,
    /// The task that sends its news.
    news: JoinHandle<()>,
}

impl Held {
    fn want(&mut self, wants: bool) {
        if self.wants != wants {
            self.wants = wants;
            if wants { self.handle.want() } else { self.handle.leave() }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.want(false);
        self.news.abort();
    }
}

/// The number of the next connection.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Serves a page until it closes the connection.
pub(crate) async fn serve(mut socket: WebSocket, server: Arc<Server>) {
    let (out, mut waiting) = channel::<String>(MOST_WAITING);
    let mut page = Page { number: NEXT.fetch_add(1, Relaxed), server, out, searches: HashMap::new() };
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if let Some(answer) = page.obey(text.as_str()).await
                        && socket.send(Message::text(answer)).await.is_err()
                    {
                        return;
                    }
                }
                Some(Ok(Message::Binary(_))) => {
                    let fault = r#"{"fault":"an order is JSON in a text message"}"#;
                    if socket.send(Message::text(fault)).await.is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            Some(text) = waiting.recv() => {
                if socket.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// A page with its searches.
struct Page {
    number: u64,
    server: Arc<Server>,
    out: Sender<String>,
    searches: HashMap<String, Held>,
}

impl Page {
    /// Does what a page orders, and returns the answer, if there is one.
    async fn obey(&mut self, text: &str) -> Option<String> {
        let order: Order = match serde_json::from_str(text) {
            Ok(order) => order,
            Err(error) => return Some(json!({ "fault": format!("this is no order: {error}") }).to_string()),
        };
        let name = order.name.clone();
        match self.carry_out(order).await {
            Ok(None) => None,
            Ok(Some(mut answer)) => {
                answer["name"] = json!(name);
                Some(answer.to_string())
            }
            Err(refusal) => Some(json!({ "name": name, "fault": refusal.sentence }).to_string()),
        }
    }

    async fn carry_out(&mut self, order: Order) -> Result<Option<Value>, Refusal> {
        match order.order {
            Verb::Search | Verb::Open => {
                let search = order.search.ok_or_else(|| Refusal::bad("the order has no search"))?;
                let wants = matches!(order.order, Verb::Search);
                self.search(&order.name, search)?.want(wants);
                Ok(None)
            }
            Verb::Stop | Verb::Go => {
                // A search that is gone has stopped.
                if matches!(order.order, Verb::Go) {
                    self.held(&order.name)?.want(true);
                } else if let Some(held) = self.searches.get_mut(&order.name) {
                    held.want(false);
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
                Ok(Some(json!({ "part": handle.tree(question).await? })))
            }
            Verb::Step => {
                if let Some(search) = order.search {
                    self.search(&order.name, search)?;
                }
                let handle = self.held(&order.name)?.handle.clone();
                Ok(Some(json!({ "step": handle.step(order.count.unwrap_or(1)).await? })))
            }
        }
    }

    fn held(&mut self, name: &str) -> Result<&mut Held, Refusal> {
        self.searches.get_mut(name).ok_or_else(|| Refusal::missing("there is no search of this name"))
    }

    /// Holds a search by this name, in place of the one before.
    fn search(&mut self, name: &str, order: SearchOrder) -> Result<&mut Held, Refusal> {
        let is_name = !name.is_empty() && name.len() <= 16 && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_name {
            return Err(Refusal::bad("a search is named by up to 16 small letters"));
        }
        let place = Place::of(&order.place, &self.server.secrets)?;
        if place.player().is_none() {
            return Err(Refusal::bad("no player acts in this position, so there is nothing to search"));
        }
        let agent: AgentSpec = match order.agent.trim() {
            "" => default_agent(place.entry.name),
            text => text.parse().map_err(Refusal::bad)?,
        };
        let limits = Limits {
            time: order.time.map(|time| Duration::from_millis(time).min(LONGEST)),
            iterations: order.iterations,
        };
        let alone = order.alone.then_some(self.number);
        let handle = self.server.hub.join(Task { place, agent: agent.with_seed(order.seed), limits, alone })?;
        if !self.searches.contains_key(name) && self.searches.len() >= MOST_SEARCHES {
            return Err(Refusal::bad(format!("a page has at most {MOST_SEARCHES} searches")));
        }
        let head = format!("{{\"name\":\"{name}\",\"tag\":{},", order.tag);
        let news = tokio::spawn(send_news(head, handle.updates.clone(), self.out.clone()));
        // The one before ends here, and gives its place and its memory back.
        let before = self.searches.insert(name.to_string(), Held { handle, wants: false, news });
        // The same search goes on without a stop.
        if let (Some(before), Some(held)) = (before, self.searches.get_mut(name))
            && Arc::ptr_eq(&before.handle, &held.handle)
        {
            held.want(before.wants);
        }
        self.held(name)
    }
}

/// Sends the news of a search to its page. Each begins with the same members.
async fn send_news(head: String, mut updates: Receiver<Update>, out: Sender<String>) {
    loop {
        let members = updates.borrow_and_update().members.clone();
        if out.send(format!("{head}{members}}}")).await.is_err() || updates.changed().await.is_err() {
            return;
        }
    }
}
