//! `boughs games`: what can be searched.

use std::fmt::Write;

use boughs_games::{Entry, entries};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{bold, print, print_json};

/// List all games with their notation and options
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs games")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    summary: &'static str,
    notation: &'static str,
    options: &'static str,
    agent: &'static str,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.json {
            let line = |&Entry { name, summary, notation, options, agent, .. }: &Entry| Line {
                name,
                summary,
                notation,
                options,
                agent,
            };
            return print_json(&entries().iter().map(line).collect::<Vec<_>>());
        }
        let mut text = String::new();
        for &Entry { name, summary, notation, options, agent, .. } in entries() {
            let options = if options.is_empty() { "none" } else { options };
            let _ = writeln!(
                text,
                "{}\n  {summary}\n  moves: {notation}\n  options: {options}\n  agent: {agent}",
                bold(name)
            );
        }
        print(&text)
    }
}
