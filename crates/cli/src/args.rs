//! Arguments that several commands share, and how values are read.

use std::io::Write;
use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

use boughs::notation::play_moves;
use boughs::{AgentEntry, AgentSpec, Budget, MAX_THREADS, Settings, parse_size, write_size};
use boughs_bots::{BotSpec, OwnSpec};
use boughs_games::{Listed, Visitor, entries, visit};

use crate::failure::Failure;

/// What a search may take when nothing is said about it.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The game.
#[derive(clap::Args)]
pub(crate) struct Game {
    #[arg(value_name = "GAME", help = game_help())]
    pub(crate) game: String,
}

impl Game {
    /// Starts the game and hands it to the visitor.
    pub(crate) fn visit<T>(&self, visitor: impl Visitor<Output = Result<T, Failure>>) -> Result<T, Failure> {
        visit(&self.game, visitor)?
    }
}

/// Help on how a game is named, with all names.
pub(crate) fn game_help() -> String {
    let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    format!("The game, with options as in hex:size=7; one of {}", names.join(", "))
}

/// Plays the moves of `--position` from the start of a game.
pub(crate) fn position<G: Listed>(start: &G, moves: &str) -> Result<(G, Vec<G::Action>), Failure> {
    let mut position = start.clone();
    match play_moves(&mut position, moves) {
        Ok(played) => Ok((position, played)),
        Err(error) => Err(Failure::new(format!("--position, {error}"))),
    }
}

/// The agent that searches.
#[derive(clap::Args)]
pub(crate) struct Agent {
    /// The agent that searches, such as mcts:c=1.4,parallel=batched [default: the one 'boughs games' names]
    #[arg(long, value_name = "SPEC", long_help = agents_help())]
    agent: Option<BotSpec>,
    /// Threads that search, 0 for all cores [default: as the agent says, else 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Most memory for the tree, such as 64M or 1.5G [default: as the agent says, else a quarter of all, 1G at most]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64))]
    pub(crate) seed: u64,
}

impl Agent {
    /// The agent, by default the one that suits the game, with what the other arguments say about it.
    pub(crate) fn spec<G: Listed>(&self) -> Result<BotSpec, Failure> {
        let mut agent = self.bare::<G>();
        for (key, value) in self.further() {
            agent.set(key, &value)?;
        }
        Ok(agent.with_seed(self.seed))
    }

    /// The same for who has to play, whatever is said about it: where the agent has no threads or no memory, what is said about
    /// them is left out, and standard error tells.
    pub(crate) fn player<G: Listed>(&self) -> Result<BotSpec, Failure> {
        let mut agent = self.bare::<G>();
        for (key, value) in self.further() {
            if let Err(error) = agent.set(key, &value) {
                // Where nobody reads it, nothing is lost.
                let _ = writeln!(std::io::stderr(), "{error}, so --{key} {value} is left out");
            }
        }
        Ok(agent.with_seed(self.seed))
    }

    fn bare<G: Listed>(&self) -> BotSpec {
        self.agent.clone().unwrap_or_else(|| G::AGENT.parse().unwrap_or_default())
    }

    /// The keys that other arguments set, and to what.
    fn further(&self) -> Vec<(&'static str, String)> {
        let threads = self.threads.map(|threads| ("threads", threads.to_string()));
        let memory = self.memory.map(|memory| ("memory", write_size(memory)));
        threads.into_iter().chain(memory).collect()
    }

    /// The settings of a tree search, for `what`, which needs one.
    pub(crate) fn settings<G: Listed>(&self, what: &str) -> Result<Settings, Failure> {
        match self.spec::<G>()? {
            BotSpec::General(AgentSpec::Mcts(settings)) => Ok(settings),
            other => {
                Err(Failure::new(format!("{what} is for the agent mcts, and '{other}' is another; try --agent mcts")))
            }
        }
    }
}

/// The settings that were asked for, or else those that suit the game.
pub(crate) fn settings_of<G: Listed>(asked: Option<&Settings>) -> Settings {
    asked.cloned().unwrap_or_else(|| G::AGENT.parse().unwrap_or_default())
}

/// Help on the spec of an agent, with all agents and their keys.
pub(crate) fn agents_help() -> String {
    format!("The agent that searches [default: the one 'boughs games' names]. {}", agents_list())
}

/// All agents and their keys.
pub(crate) fn agents_list() -> String {
    let mut help = "An agent is written as its name, or NAME:KEY=VALUE,...:".to_string();
    let lines = |agent: &AgentEntry, only: &str| {
        let keys = if agent.keys.is_empty() { String::new() } else { format!("\n{}", keys_help(agent)) };
        format!("\n{}{only}: {}{keys}", agent.name, agent.summary)
    };
    help.extend(AgentSpec::list().iter().map(|agent| lines(agent, "")));
    help.extend(OwnSpec::list().iter().map(|(game, agent)| lines(agent, &format!(" (only for {game})"))));
    help
}

/// Help on the spec of a tree search.
pub(crate) fn mcts_help() -> String {
    let keys = AgentSpec::list().iter().find(|agent| agent.name == "mcts").map(keys_help).unwrap_or_default();
    format!("The agent that searches: mcts, or mcts:KEY=VALUE,... The keys:\n{keys}")
}

fn keys_help(agent: &AgentEntry) -> String {
    let line =
        |key: &boughs::KeyEntry| format!("  {:<9} {}: {} [default: {}]", key.name, key.help, key.values, key.default);
    agent.keys.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// How long a search may go on.
#[derive(clap::Args)]
pub(crate) struct Limits {
    /// Time for the search, such as 2s or 500ms; with --iterations too, whichever comes first [default: 1s, none with --iterations]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Playouts for the search
    #[arg(long, value_name = "N", value_parser = whole(0u64))]
    pub(crate) iterations: Option<u64>,
}

impl Limits {
    /// What was asked for, counted from now.
    pub(crate) fn asked(&self) -> Option<Budget> {
        let unlimited = Budget::unlimited();
        match (self.time, self.iterations) {
            (None, None) => None,
            (Some(time), None) => Some(unlimited.or_time(time)),
            (None, Some(iterations)) => Some(unlimited.or_iterations(iterations)),
            (Some(time), Some(iterations)) => Some(unlimited.or_time(time).or_iterations(iterations)),
        }
    }

    /// The time that was asked for, or else the default time where nothing else was.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.or(self.iterations.is_none().then_some(DEFAULT_TIME))
    }

    /// What was asked for, or else the default time, counted from now.
    pub(crate) fn budget(&self) -> Budget {
        self.asked().unwrap_or_else(|| Budget::time(DEFAULT_TIME))
    }
}

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|threads| *threads <= MAX_THREADS);
    number.ok_or_else(|| format!("should be a whole number from 0 to {MAX_THREADS}"))
}

/// Reads a number of threads of which there is at least one.
pub(crate) fn some_threads(text: &str) -> Result<usize, String> {
    let number = threads(text).ok().filter(|threads| *threads > 0);
    number.ok_or_else(|| format!("should be a whole number from 1 to {MAX_THREADS}"))
}

/// Reads a number of playouts in flight.
pub(crate) fn some_workers(text: &str) -> Result<u32, String> {
    const MOST: u32 = 65_536;
    let number = text.parse().ok().filter(|workers| (1..=MOST).contains(workers));
    number.ok_or_else(|| format!("should be a whole number from 1 to {MOST}"))
}

/// Reads a whole number of at least so much.
pub(crate) fn whole<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: std::str::FromStr<Err = ParseIntError> + PartialOrd + std::fmt::Display + Copy + Send + Sync + 'static,
{
    move |text| match text.parse() {
        Ok(number) if number >= least => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err("is too large a number".to_string()),
        _ => Err(format!("should be a whole number, {least} or more")),
    }
}

/// Reads a whole number between two others.
pub(crate) fn whole_within(least: u64, most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match whole(least)(text) {
        Ok(number) if number > most => Err(format!("should be at most {most}")),
        read => read,
    }
}

/// Reads a number between two others.
pub(crate) fn number_within(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("should be a number from {least} to {most}")),
    }
}

/// Reads a time such as `2s`, `500ms` or `1.5s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    // The unit that ends in another one comes first.
    const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("min", 60.0), ("s", 1.0), ("h", 3600.0)];
    let wrong = || "should be a time with its unit (ms, s, min or h), such as 500ms or 1.5s".to_string();
    let split = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = split.ok_or_else(wrong)?;
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if !number.is_finite() || number < 0.0 {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "is more time than there is".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in
            [("2s", 2.0), ("500ms", 0.5), ("1.5s", 1.5), ("0s", 0.0), ("2min", 120.0), ("1h", 3600.0)]
        {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "2", "ms", "-1s", "nans", "infs", "2 years", "é", "1e400s", "sms"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(duration("1e300s"), Err("is more time than there is".to_string()));
    }

    #[test]
    fn whole_numbers_have_a_least_value() {
        let read = whole(1u32);
        assert_eq!((read("1"), read("4294967295")), (Ok(1), Ok(u32::MAX)));
        assert_eq!(read("4294967296"), Err("is too large a number".to_string()));
        assert_eq!((whole_within(1, 9)("9"), whole_within(1, 9)("10").is_err()), (Ok(9), true));
        for text in ["0", "-1", "", "x", "1.5", "1e3"] {
            assert_eq!(read(text), Err("should be a whole number, 1 or more".to_string()), "{text}");
        }
    }

    #[test]
    fn threads_are_bounded() {
        assert_eq!(threads("0"), Ok(0));
        assert_eq!(threads("1024"), Ok(1024));
        assert_eq!((some_threads("1"), some_threads("0").is_err()), (Ok(1), true));
        for text in ["1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
