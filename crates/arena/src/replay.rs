//! The command line that plays one game of a contest again.

use std::time::Duration;

use crate::{Conditions, Contestant, Limit, Openings, Referee, plain};

impl Conditions {
    /// The command line by which a program, such as `boughs`, plays the game with this number again.
    pub fn replay_command(&self, program: &str, number: u64) -> String {
        let mut words = vec![program.to_string(), "match".to_string()];
        if Referee::of(&self.game).is_some() {
            words.push("--referee".to_string());
        }
        words.push(self.game.clone());
        words.extend(self.contestants.iter().map(Contestant::to_string));
        let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        match self.limit {
            Limit::Time(time) => flag("time", milliseconds(time)),
            Limit::Playouts(playouts) => flag("iterations", playouts.to_string()),
        }
        flag("grace", milliseconds(self.grace));
        match &self.openings {
            Openings::Start => {}
            Openings::Random(least, most) if least == most => flag("openings", format!("random:{least}")),
            Openings::Random(least, most) => flag("openings", format!("random:{least}-{most}")),
            Openings::Listed { file, .. } => flag("openings", file.clone()),
        }
        flag("seed", self.seed.to_string());
        flag("only", number.to_string());
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }
}

/// A time as a command line has it.
fn milliseconds(time: Duration) -> String {
    format!("{}ms", plain::milliseconds(time))
}
