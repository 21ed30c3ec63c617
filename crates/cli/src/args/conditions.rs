//! The conditions of games in matches, tournaments and tuning, and the command line that plays one of them again.

use std::time::Duration;

use boughs_arena::{Conditions, Contestant, Limit, Openings, plain};
use boughs_games::in_match;

use super::{duration, openings, whole};
use crate::failure::Failure;
use crate::{program, protocols};

/// The conditions of games.
#[derive(clap::Args)]
pub(crate) struct ConditionArgs {
    /// Time for each move, such as 50ms, measured from outside [default: 100ms; 50ms in green-circle, as in the
    /// contest]
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "iterations")]
    time: Option<Duration>,
    /// Playouts for each move instead; with one thread, or parallel=batched, games repeat exactly
    #[arg(long, value_name = "N", value_parser = whole(1u64))]
    iterations: Option<u64>,
    /// Delay after the time at which an answer loses the game [default: 50ms; none in photosynthesis and green-circle,
    /// as in the contests]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    grace: Option<Duration>,
    /// First moves of the games: start, random:PLIES, random:LEAST-MOST, or a file with an opening in each line
    #[arg(long, value_name = "OPENINGS", default_value = "start", value_parser = openings)]
    openings: Openings,
    /// Seed of openings, chance and all searches
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64))]
    seed: u64,
}

/// The time of a move without `--time`.
const DEFAULT_TIME: Duration = Duration::from_millis(100);

impl ConditionArgs {
    /// The conditions of games between these contestants.
    pub(crate) fn conditions(
        &self,
        game: &str,
        contestants: Vec<Contestant>,
        pairings: Vec<[usize; 2]>,
    ) -> Result<Conditions, Failure> {
        let limit = match self.iterations {
            Some(playouts) => Limit::Playouts(playouts),
            None => Limit::Time(self.time.or_else(|| protocols::time_of_an_answer(game)).unwrap_or(DEFAULT_TIME)),
        };
        if limit == Limit::Time(Duration::ZERO) {
            return Err(Failure::new("--time 0 leaves no time to move; give at least 1ms"));
        }
        Ok(Conditions {
            game: in_match(game),
            contestants,
            pairings,
            limit,
            grace: self.grace.unwrap_or_else(|| limit.usual_grace(game)),
            openings: self.openings.clone(),
            seed: self.seed,
        })
    }
}

/// The command line that plays one game of a match again.
pub(crate) fn replay(conditions: &Conditions, number: u64) -> String {
    conditions.replay_command(program::name(), number)
}

/// A time as a command line has it.
pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{}ms", plain::milliseconds(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_agents_nor_programs_have_a_grace_in_a_contest_unless_one_is_given() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            conditions: ConditionArgs,
        }
        let conditions = |line: &str, game: &str, contestant: &str| {
            let line = <Line as clap::Parser>::parse_from(format!("x --seed 1 {line}").split_whitespace());
            let contestants = ["flat", contestant].map(|text| text.parse().unwrap()).to_vec();
            line.conditions.conditions(game, contestants, vec![[0, 1]]).unwrap_or_else(|_| panic!("{game}"))
        };
        for (line, game, contestant, grace) in [
            ("", "photosynthesis", "cmd:./bot", 0),
            ("", "green-circle:seed=3", "cmd:./bot", 0),
            ("--grace 7ms", "photosynthesis", "cmd:./bot", 7),
            ("", "photosynthesis", "mcts", 0),
            ("--iterations 9", "photosynthesis", "mcts", 50),
            ("", "connect4", "cmd:./bot", 50),
            ("", "connect4", "mcts", 50),
        ] {
            let conditions = conditions(line, game, contestant);
            assert_eq!(conditions.grace, Duration::from_millis(grace), "{line} {game}");
            assert!(replay(&conditions, 3).contains(&format!(" --grace {grace}ms ")), "{line} {game}");
        }
    }

    #[test]
    fn the_command_says_what_games_depend_on() {
        let conditions = Conditions {
            game: "hex:size=7".into(),
            contestants: ["mcts:c=0.7", "cmd:./bot 'two words'"].map(|text| text.parse().unwrap()).to_vec(),
            pairings: vec![[0, 1]],
            limit: Limit::Time(Duration::from_micros(2500)),
            grace: Duration::from_millis(50),
            openings: Openings::Random(2, 6),
            seed: 9,
        };
        let command = replay(&conditions, 17);
        let words = shlex::split(&command).unwrap();
        assert_eq!(words[3..6], ["mcts:c=0.7", "cmd:./bot 'two words'", "--time"]);
        assert!(command.ends_with("--time 2.5ms --grace 50ms --openings random:2-6 --seed 9 --only 17"), "{command}");
    }
}
