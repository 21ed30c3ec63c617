//! The bots that come with the program, each a binary of the crate `boughs-bots`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::program::{self, Agent};

/// The game and the agent of each bot. Its binary has these two words as its name.
pub(crate) const BOTS: [&str; 4] =
    ["photosynthesis:woods", "green-circle:foresight", "ahc015:candy", "ahc015:solution3"];

/// A crate, and the bot of the program that one of its binaries may be.
pub(crate) struct Chosen {
    pub(crate) folder: PathBuf,
    pub(crate) bin: Option<String>,
    /// The name of a bot of the program.
    bot: Option<&'static str>,
    /// The game that a bot of the program plays.
    pub(crate) game: Option<&'static str>,
    /// The agent with the settings that the user names, instead of those in the program.
    pub(crate) agent: Option<Agent>,
}

impl Chosen {
    /// The crate and the binary of the bot with this name.
    pub(crate) fn named(name: &str) -> Result<Chosen, Failure> {
        let folder = own_crate();
        if !folder.join("Cargo.toml").is_file() {
            return Err(Failure::new(format!(
                "the sources of the program's bots are no longer in '{}', beside those of boughs-export; install it \
                 again, or name the folder of a crate",
                folder.display()
            )));
        }
        Ok(Chosen::new(folder, Some(binary(name))))
    }

    /// A crate in a folder, which may be that of the bots of the program.
    pub(crate) fn in_folder(folder: &Path, bin: Option<&str>) -> Chosen {
        Chosen::new(folder.to_path_buf(), bin.map(String::from))
    }

    fn new(folder: PathBuf, bin: Option<String>) -> Chosen {
        let real = |folder: &Path| fs::canonicalize(folder).ok();
        let is_own = real(&folder).is_some_and(|folder| real(&own_crate()) == Some(folder));
        let bot = BOTS.into_iter().find(|bot| is_own && bin.as_ref() == Some(&binary(bot)));
        let game = bot.and_then(|bot| bot.split(':').next());
        Chosen { folder, bin, bot, game, agent: None }
    }

    /// The same with the settings of the agent in a text. Those that the text does not name stay as in the program.
    pub(crate) fn with_agent(self, text: &str) -> Result<Chosen, Failure> {
        let Some(bot) = self.bot else {
            return Err(Failure::new(
                "--agent is for the bots of the program; write the settings of another bot in its main.rs",
            ));
        };
        Ok(Chosen { agent: Some(program::agent(bot, text)?), ..self })
    }
}

/// The name of a bot's binary.
fn binary(bot: &str) -> String {
    bot.replace(':', "-")
}

/// The crate of the bots, beside that of this program in the folder that it was built from.
fn own_crate() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).join("bots")
}
