//! `boughs agents`: all agents, and the keys of one.

use std::fmt::Write;

use boughs::spec::did_you_mean;
use boughs_agents::{AgentEntry, AgentSpec, KeyEntry};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{bold, print, print_json};

/// List all agents, or the keys of one
///
/// An agent is written as its name, or as NAME:KEY=VALUE,... with the keys that differ from their defaults, such as
/// mcts:c=1.4,threads=8. A name of an older version is read too.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs agents mcts")]
pub(crate) struct Args {
    /// The agent whose keys are listed [default: all agents, without their keys]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print JSON, always with the keys
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct JsonAgent<'a> {
    name: &'a str,
    aliases: &'a [&'a str],
    /// The one game it plays; null for an agent of any game that suits it.
    game: Option<&'a str>,
    summary: &'a str,
    keys: Vec<JsonKey<'a>>,
}

#[derive(Serialize)]
struct JsonKey<'a> {
    name: &'a str,
    help: &'a str,
    values: &'a str,
    default: &'a str,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let all = AgentSpec::list();
        let listed: Vec<&AgentEntry> = match &self.name {
            Some(name) => all.iter().filter(|agent| agent.is_called(name)).collect(),
            None => all.iter().collect(),
        };
        if listed.is_empty() {
            let name = self.name.unwrap_or_default();
            let names: Vec<&str> = all.iter().map(|agent| agent.name).collect();
            let hint = did_you_mean(&name, names.iter().copied());
            return Err(Failure::new(format!("there is no agent '{name}'; {hint}there are {}", names.join(", "))));
        }
        match (self.json, &self.name) {
            (true, _) => print_json(&listed.into_iter().map(json).collect::<Vec<_>>()),
            (false, Some(_)) => print(&listed.into_iter().map(keys).collect::<Vec<_>>().join("\n")),
            (false, None) => print(&summaries(&all)),
        }
    }
}

/// The longest line of a description.
const LINE: usize = 100;

impl<'a> From<&'a KeyEntry> for JsonKey<'a> {
    fn from(KeyEntry { name, help, values, default }: &'a KeyEntry) -> JsonKey<'a> {
        JsonKey { name, help, values, default }
    }
}

fn json(agent: &AgentEntry) -> JsonAgent<'_> {
    JsonAgent {
        name: agent.name,
        aliases: agent.aliases,
        game: agent.game,
        summary: agent.summary,
        keys: agent.keys.iter().map(JsonKey::from).collect(),
    }
}

/// The name and the summary of each agent: those of any game that suits them first, then those of one game.
fn summaries(agents: &[AgentEntry]) -> String {
    let width = agents.iter().map(|agent| agent.name.len()).max().unwrap_or_default();
    let mut text = format!("{}\n", bold("Agents for any game that suits them"));
    for agent in agents.iter().filter(|agent| agent.game.is_none()) {
        entry(&mut text, width, agent.name, &wrapped(agent.summary, LINE - width - 4));
    }
    let _ = writeln!(text, "{}", bold("Agents for one game"));
    for agent in agents {
        if let Some(game) = agent.game {
            entry(&mut text, width, agent.name, &wrapped(&format!("{game}: {}", agent.summary), LINE - width - 4));
        }
    }
    text
}

/// Adds a name with the lines of its description beside it.
fn entry(text: &mut String, width: usize, name: &str, lines: &[String]) {
    for (number, line) in lines.iter().enumerate() {
        let _ = writeln!(text, "  {:width$}  {line}", if number == 0 { name } else { "" });
    }
}

/// An agent with all its keys: what each means, which values it takes, and which it has by default.
fn keys(agent: &AgentEntry) -> String {
    let mut text = format!("{}: {}\n", bold(agent.name), agent.summary);
    if let Some(game) = agent.game {
        let _ = writeln!(text, "  only for the game {game}");
    }
    if !agent.aliases.is_empty() {
        let _ = writeln!(text, "  older names: {}", agent.aliases.join(", "));
    }
    let width = agent.keys.iter().map(|key| key.name.len()).max().unwrap_or_default();
    for key in &agent.keys {
        let mut lines = wrapped(key.help, LINE - width - 4);
        lines.push(format!("{} [default: {}]", key.values, key.default));
        entry(&mut text, width, key.name, &lines);
    }
    text
}

/// Breaks a text between words into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => line.extend([" ", word]),
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
