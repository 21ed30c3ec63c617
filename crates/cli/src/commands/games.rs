//! `boughs games`: the list of games, and one of them.

use std::fmt::Write;

use boughs_agents::default_agent;
use boughs_games::{GameEntry, entries, start};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{bold, print, print_json};

/// List all games with their notation and options, or describe one
///
/// A game of your own is a Rust crate that depends on boughs-cli; docs/ADDING_A_GAME.md goes there step by step.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs games hex")]
pub(crate) struct Args {
    /// The game that is described [default: all games]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonGame {
    name: &'static str,
    summary: &'static str,
    notation: &'static str,
    options: &'static str,
    agent: String,
}

impl From<&GameEntry> for JsonGame {
    fn from(&GameEntry { name, summary, notation, options, .. }: &GameEntry) -> JsonGame {
        JsonGame { name, summary, notation, options, agent: default_agent(name).to_string() }
    }
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let games: Vec<JsonGame> = match &self.name {
            Some(name) => vec![JsonGame::from(start(name)?.entry)],
            None => entries().iter().map(JsonGame::from).collect(),
        };
        if self.json {
            return print_json(&games);
        }
        let mut text = String::new();
        for JsonGame { name, summary, notation, options, agent } in &games {
            let _ = writeln!(text, "{}\n  {summary}", bold(name));
            let notation = if notation.is_empty() { "as the game writes them" } else { notation };
            let options = if options.is_empty() { "none" } else { options };
            let _ = writeln!(text, "  moves: {notation}\n  options: {options}\n  agent: {agent}");
        }
        print(&text)
    }
}
