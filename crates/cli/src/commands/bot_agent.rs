//! `boughs bot-agent`: the agent of a contest bot with other settings, for which `boughs-export` asks.

use std::mem;

use boughs_agents::AgentSpec;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::print_json;

/// The settings in the programs of the bots that are not the default of the agent: the memory that a judge allows.
const SETTINGS: [(&str, &str, &str); 1] = [("woods", "memory", "128M")];

/// Print the agent of a bot with other settings as JSON; 'boughs export --agent' asks for it
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game and the agent of the bot
    #[arg(value_name = "GAME:AGENT")]
    bot: String,
    /// The agent with the settings that differ
    #[arg(value_name = "SPEC")]
    agent: String,
}

#[derive(Serialize)]
struct JsonAgent {
    /// The agent as `--agent` takes it.
    spec: String,
    /// The agent as `Debug` writes it, which is how Rust constructs it but for the types of variants.
    rust: String,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let agent = with_settings(&self.bot, &self.agent)?;
        print_json(&JsonAgent { spec: agent.to_string(), rust: format!("{agent:?}") })
    }
}

/// The agent of a bot with the settings in a text. Those that the text does not name stay as in the bot's program.
fn with_settings(bot: &str, text: &str) -> Result<AgentSpec, Failure> {
    let given: AgentSpec = text.parse()?;
    let name = bot.split(':').next_back().unwrap_or_default();
    let mut agent = own_agent(name)?;
    if mem::discriminant(&given) != mem::discriminant(&agent) {
        return Err(Failure::new(format!(
            "the bot {bot} plays by the agent {name}, and '{text}' is another; give its settings, or export the bot of \
             that agent"
        )));
    }
    let settings = text.split_once(':').map_or("", |(_, settings)| settings);
    for (key, value) in settings.split(',').filter_map(|setting| setting.split_once('=')) {
        agent.set(key, value)?;
    }
    if let Some(file) = agent.files().first() {
        return Err(Failure::new(format!(
            "'{text}' reads the file '{}', which a judge does not have; leave that setting out",
            file.display()
        )));
    }
    Ok(agent)
}

/// The agent of a bot with the settings in its program.
fn own_agent(name: &str) -> Result<AgentSpec, Failure> {
    let mut agent: AgentSpec = name.parse()?;
    for (_, key, value) in SETTINGS.iter().filter(|(of, _, _)| *of == name) {
        agent.set(key, value)?;
    }
    Ok(agent)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_agents_of_the_bots_are_those_in_their_programs() {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots/src/bin");
        let programs = fs::read_dir(programs).unwrap().map(|program| program.unwrap().path()).collect::<Vec<_>>();
        assert_eq!(programs.len(), 4);
        for program in programs {
            let name = program.file_stem().unwrap().to_str().unwrap().rsplit('-').next().unwrap();
            let main = fs::read_to_string(&program).unwrap().split_whitespace().collect::<String>();
            let main = ["TreeKind::", "Playout::", "Parallel::"].iter().fold(main, |main, kind| main.replace(kind, ""));
            let main = main.replace(",}", "}");
            let main = main.replace("128<<20", &(128 << 20).to_string());
            let agent = format!("{:?}", own_agent(name).unwrap()).split_whitespace().collect::<String>();
            let literal = agent.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
            assert!(main.contains(&format!("letagent={literal};")), "{name}: {literal}");
        }
    }
}
