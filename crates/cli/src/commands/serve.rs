//! `boughs serve`: a board in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use boughs::memory::{parse_size, write_size};
use boughs::notation::counted;
use boughs_serve::{ALLOCATOR, Settings, Start, serve};
use etcetera::{BaseStrategy, choose_base_strategy};

use crate::allocator::start_anew_with;
use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::print;

/// Open a board in the browser: play, analyse, look into the tree of a running search
///
/// The page has every game of the list, shows the moves of the running search and its tree, steps through single
/// iterations, and keeps games with their variations. Its address holds the game, the position and the agent.
///
/// The server is for this machine alone unless --host says otherwise: every machine that reaches it may search on it.
///
/// In games with hidden cards the page shows what one seat knows. The seat is the choice of the person at the page.
/// Links of such games hold encrypted moves; their key stays in the user's folder for programs' states.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs serve connect4 --agent mcts:threads=2 --open")]
pub(crate) struct Args {
    /// The first game, with options as in hex:size=7
    #[arg(value_name = "GAME", default_value = "connect4", help = args::game_help())]
    game: String,
    /// Moves that lead to the first position, as the game writes them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Port to listen at, 0 for a free one
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    port: u16,
    /// Address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// A name by which browsers may call this server, beside localhost and addresses in numbers; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Most searches at a time; others wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = args::whole_within(1, 64))]
    most_searches: u64,
    /// Most memory of all searches together, trees and what they take beside them, such as 2G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    most_memory: usize,
    /// A store, whose matches, tournaments, measurements and best cases the page shows
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        start_anew_with(ALLOCATOR);
        let mut started = boughs_games::start(&self.game)?;
        let agent = self.agent.spec(started.entry.name)?;
        args::play_to(&mut *started.position, &self.position)?;
        agent.check(&self.game).map_err(|error| Failure::new(error.to_string()))?;
        if let Some(store) = self.store.as_ref().filter(|store| !store.exists()) {
            return Err(Failure::new(format!(
                "there is no store '{}'; a match with --store makes one",
                store.display()
            )));
        }
        let start = Start { game: self.game, moves: self.position, agent };
        let key = choose_base_strategy().ok().map(|folders| {
            let folder = folders.state_dir().unwrap_or_else(|| folders.cache_dir());
            folder.join("boughs").join("hidden-moves.key")
        });
        let no_folder = key.is_none().then_some("this user has no folder for the states of programs");
        let settings = Settings {
            host: self.host,
            port: self.port,
            names: self.allow_host,
            start,
            most_searches: self.most_searches as usize,
            most_memory: self.most_memory,
            store: self.store,
            key,
        };
        interrupt::leaves();
        let (most_searches, most_memory) = (settings.most_searches, write_size(settings.most_memory));
        serve(settings, &|address, fault| {
            let page = page_of(address);
            let bounds = format!(
                "at most {} at a time, with {most_memory} of memory together",
                counted(most_searches, "searches")
            );
            let links = fault.or(no_folder).map_or_else(String::new, |fault| {
                format!("links of games with hidden cards hold as long as this server runs: {fault}\n")
            });
            let text = format!("{page}\n{bounds}; Ctrl-C ends the server\n{links}");
            // The page is there without a reader of its address too.
            let _ = print(&text);
            if self.open {
                open(&page);
            }
        })
        .map_err(|error| Failure::new(error.to_string()))
    }
}

/// The address of the page for a browser on this machine.
fn page_of(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://localhost:{}/", address.port()),
        false => format!("http://{address}/"),
    }
}

/// Opens a page in the browser of the user. Without a browser the address is on the screen all the same.
fn open(page: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let _ = Command::new(opener).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
