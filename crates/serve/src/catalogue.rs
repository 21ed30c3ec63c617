//! The games and the agents that a page offers.

use boughs_agents::{AgentEntry, AgentSpec, agents_of, default_agent};
use boughs_games::{entries, start};
use serde_json::{Value, json};

use crate::Start;

/// The data that a page gets before it asks for a position.
pub(crate) fn catalogue(begin: &Start, cores: usize, has_store: bool) -> Value {
    let games: Vec<Value> = entries()
        .iter()
        .map(|entry| {
            let players = start(entry.name).map(|started| started.position.players()).unwrap_or_default();
            json!({
                "name": entry.name, "summary": entry.summary, "options": entry.options, "notation": entry.notation,
                "players": players, "agent": default_agent(entry.name).to_string(),
                "agents": agents_of(entry.name).iter().map(|agent| agent.name).collect::<Vec<_>>(),
                "sgf": boughs_arena::sgf::check(entry.name).is_ok(),
            })
        })
        .collect();
    let agents: Vec<Value> = AgentSpec::list().iter().map(agent).collect();
    json!({
        "games": games, "agents": agents, "cores": cores, "store": has_store, "version": env!("CARGO_PKG_VERSION"),
        "start": {
            "game": begin.game, "moves": begin.moves, "agent": begin.agent.to_string(),
            "seed": begin.agent.seed().to_string(),
        },
    })
}

fn agent(entry: &AgentEntry) -> Value {
    let keys: Vec<Value> = entry
        .keys
        .iter()
        .map(|key| json!({ "name": key.name, "help": key.help, "values": key.values, "default": key.default }))
        .collect();
    json!({ "name": entry.name, "game": entry.game, "summary": entry.summary, "keys": keys })
}
