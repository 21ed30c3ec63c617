//! The bots that come with the program, each a binary of the crate `boughs-bots`.

use std::path::{Path, PathBuf};
use std::{fs, mem};

use boughs::spec::nearest;
use boughs_agents::AgentSpec;

use crate::failure::Failure;
use crate::program;

/// The games and agents of the bots. The binary of each has these two words as its name.
const BOTS: [(&str, &str); 4] =
    [("photosynthesis", "woods"), ("green-circle", "foresight"), ("ahc015", "candy"), ("ahc015", "solution3")];

/// The settings in the programs of the bots that are not the default of the agent: the memory that a judge allows.
const SETTINGS: [(&str, &str, &str); 1] = [("woods", "memory", "128M")];

/// A crate, and the bot of the program that one of its binaries may be.
pub(super) struct Chosen {
    pub(super) folder: PathBuf,
    pub(super) bin: Option<String>,
    /// The game that a bot of the program plays.
    pub(super) game: Option<&'static str>,
    /// The agent with the settings that the user names, instead of those in the program.
    pub(super) agent: Option<AgentSpec>,
}

/// The crate and the binary of a bot with this name, `GAME:AGENT`.
pub(super) fn named(name: &str) -> Result<Chosen, Failure> {
    let names = BOTS.map(|(game, agent)| format!("{game}:{agent}"));
    let Some(at) = names.iter().position(|known| known == name) else {
        let near = nearest(name, names.iter().map(String::as_str));
        let near = near.map(|near| format!("; '{near}' is one")).unwrap_or_default();
        return Err(Failure::new(format!("there is no bot '{name}'{near}; the bots are {}", names.join(", "))));
    };
    let folder = own_crate();
    if !folder.join("Cargo.toml").is_file() {
        return Err(Failure::new(format!(
            "the sources of the program's bots are no longer in '{}', from where '{}' was built; build it again, or \
             name the folder of a crate",
            folder.display(),
            program::name()
        )));
    }
    let (game, agent) = BOTS[at];
    Ok(Chosen { folder, bin: Some(format!("{game}-{agent}")), game: Some(game), agent: None })
}

/// A crate in a folder, which may be that of the bots of the program.
pub(super) fn in_folder(folder: &Path, bin: Option<&str>) -> Chosen {
    let is_own =
        fs::canonicalize(folder).is_ok_and(|folder| fs::canonicalize(own_crate()).is_ok_and(|own| own == folder));
    let game = BOTS.iter().find(|(game, agent)| is_own && bin.is_some_and(|bin| bin == format!("{game}-{agent}")));
    Chosen {
        folder: folder.to_path_buf(),
        bin: bin.map(str::to_string),
        game: game.map(|(game, _)| *game),
        agent: None,
    }
}

impl Chosen {
    /// The same with the settings of the agent in a text. Those that the text does not name stay as in the program.
    pub(super) fn with_agent(mut self, text: &str) -> Result<Chosen, Failure> {
        let is_chosen =
            |game: &str, agent: &str| self.bin.as_ref().is_some_and(|bin| *bin == format!("{game}-{agent}"));
        let bot = BOTS.iter().find(|(game, agent)| self.game.is_some() && is_chosen(game, agent));
        let Some((game, name)) = bot else {
            return Err(Failure::new(
                "--agent is for the bots of the program; write the settings of another bot in its main.rs",
            ));
        };
        let given: AgentSpec = text.parse()?;
        let mut agent = own_agent(name)?;
        if mem::discriminant(&given) != mem::discriminant(&agent) {
            return Err(Failure::new(format!(
                "the bot {game}:{name} plays by the agent {name}, and '{text}' is another; give its settings, or \
                 export the bot of that agent"
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
        self.agent = Some(agent);
        Ok(self)
    }
}

/// The agent of a bot with the settings in its program.
fn own_agent(name: &str) -> Result<AgentSpec, Failure> {
    let mut agent: AgentSpec = name.parse()?;
    for (_, key, value) in SETTINGS.iter().filter(|(of, _, _)| *of == name) {
        agent.set(key, value)?;
    }
    Ok(agent)
}

/// The crate of the bots, beside that of the program in the folder that it was built from.
fn own_crate() -> PathBuf {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    cli.parent().unwrap_or(cli).join("bots")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_of_the_bots_are_those_in_their_programs() {
        for (game, name) in BOTS {
            let main = own_crate().join(format!("src/bin/{game}-{name}.rs"));
            let main = fs::read_to_string(main).unwrap().split_whitespace().collect::<String>();
            let main = ["TreeKind::", "Playout::", "Parallel::"].iter().fold(main, |main, kind| main.replace(kind, ""));
            let main = main.replace(",}", "}");
            let main = main.replace("128<<20", &(128 << 20).to_string());
            let agent = format!("{:?}", own_agent(name).unwrap()).split_whitespace().collect::<String>();
            let literal = agent.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap();
            assert!(main.contains(&format!("letagent={literal};")), "{name}: {literal}");
        }
    }
}
