//! A board in the browser for [`boughs`]: a person plays, analyses, and looks into the tree of a search while it runs.
//!
//! [`serve`] gives each connection a thread (`connections`), on which its requests are read (`http`) and answered
//! (`server`). Each search has a thread of its own beside those that it searches with (`hub`); pages that ask for the
//! same search share it. A page asks for positions by HTTP and keeps the game itself; a WebSocket carries its orders to
//! searches (`socket`), and their news (`outbox`).
//!
//! Nothing that a page sends is trusted: the guard refuses other sites, questions are read strictly, and the number of
//! connections and of searches, the bytes and the time of a request, and the memory of searches are bounded.

mod assets;
mod catalogue;
mod connections;
mod guard;
mod http;
mod hub;
mod lab;
mod outbox;
mod permits;
mod place;
mod refusal;
mod secrets;
mod server;
mod socket;
mod until;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use boughs_agents::AgentSpec;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen at, such as `127.0.0.1`.
    pub host: String,
    /// The port; 0 for a free one.
    pub port: u16,
    /// Names of this server that requests may use, beside `localhost` and addresses in numbers.
    pub names: Vec<String>,
    /// The first view of a page.
    pub start: Start,
    /// The most searches at a time.
    pub most_searches: usize,
    /// The most memory of all searches together, in bytes. It holds with [`ALLOCATOR`].
    pub most_memory: usize,
    /// A store whose matches and tournaments can be looked at.
    pub store: Option<PathBuf>,
    /// A file for the key of hidden moves, by which links of games with secrets hold longer than a run of the server.
    /// Without one they hold as long as the server runs.
    pub key: Option<PathBuf>,
}

/// The first view of a page whose address names none.
#[derive(Clone, Debug)]
pub struct Start {
    /// The game with its options.
    pub game: String,
    /// The moves to the position, as a text.
    pub moves: String,
    /// The agent that searches.
    pub agent: AgentSpec,
}

/// The setting of glibc's allocator with which the memory of searches keeps its bound: the name and the value of a
/// variable that glibc reads when a program starts. Without it glibc keeps up to 64 MiB of freed memory a thread.
pub const ALLOCATOR: (&str, &str) = ("MALLOC_TRIM_THRESHOLD_", "131072");

/// The reason why a server ends. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeError(pub(crate) String);

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServeError {}

/// Serves until the program ends. `ready` is called with the address once pages can be opened, and with the fault of
/// the key's file if it has one; the server goes on with a key of its own then.
///
/// # Errors
/// If the address cannot be had.
pub fn serve(settings: Settings, ready: &dyn Fn(SocketAddr, Option<&str>)) -> Result<(), ServeError> {
    server::serve(settings, ready)
}
