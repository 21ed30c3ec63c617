//! Tuning: which values of an agent's keys are the strongest.
//!
//! Candidates drawn over the ranges play the agent as it is. The better half goes on with twice as many games, and so on until
//! one is left (successive halving: Jamieson and Talwalkar 2016). Whoever is left has been lucky too, so what it has shown so
//! far proves nothing: fresh games and a sequential test decide whether it is stronger.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use boughs::Rng;
use boughs_bots::BotSpec;
use serde::Serialize;

use crate::statistics::{Sprt, SprtState, Strength, Tally};
use crate::{ArenaError, Conditions, Contestant, News, Venue};

/// A key of an agent and the values to try, as in `c=0.3..2.0`, `c=0.1..10:log`, `batch=8..64` or `playout=light|decisive`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    key: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    Range { low: f64, high: f64, is_whole: bool, is_log: bool },
    Choices(Vec<String>),
}

impl FromStr for Param {
    type Err = ArenaError;

    fn from_str(text: &str) -> Result<Param, ArenaError> {
        let wrong = || {
            ArenaError(format!(
                "'{text}' names no values to try; write one as c=0.3..2.0, c=0.1..10:log or playout=light|decisive"
            ))
        };
        let (key, values) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(wrong)?;
        let key = key.to_string();
        let Some((low, high)) = values.split_once("..") else {
            let choices: Vec<String> = values.split('|').map(str::to_string).collect();
            return match choices.len() > 1 && choices.iter().all(|choice| !choice.is_empty()) {
                true => Ok(Param { key, values: Values::Choices(choices) }),
                false => Err(wrong()),
            };
        };
        let (high, is_log) = high.strip_suffix(":log").map_or((high, false), |high| (high, true));
        let is_whole = [low, high].iter().all(|end| end.parse::<u32>().is_ok());
        let [low, high] = [low, high].map(|end| end.parse::<f64>().ok().filter(|end| end.is_finite()));
        let (Some(low), Some(high)) = (low, high) else { return Err(wrong()) };
        if low >= high || (is_log && low <= 0.0) {
            return Err(ArenaError(format!(
                "'{text}' has no values; a range goes from a lower number to a higher one, with :log above 0"
            )));
        }
        Ok(Param { key, values: Values::Range { low, high, is_whole, is_log } })
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.values {
            Values::Range { low, high, is_log, .. } => {
                write!(f, "{}={low}..{high}{}", self.key, if *is_log { ":log" } else { "" })
            }
            Values::Choices(choices) => write!(f, "{}={}", self.key, choices.join("|")),
        }
    }
}

impl Param {
    /// The value at a place in 0..1.
    fn at(&self, place: f64) -> String {
        match &self.values {
            Values::Choices(choices) => {
                choices[((place * choices.len() as f64) as usize).min(choices.len() - 1)].clone()
            }
            &Values::Range { low, high, is_whole, is_log } => {
                let value = match is_log {
                    true => low * (high / low).powf(place),
                    false => low + (high - low) * place,
                };
                // Three digits say more than any match could.
                let digits = (2 - value.abs().max(1e-6).log10().floor() as i32).clamp(0, 9) as usize;
                if is_whole { format!("{}", value.round()) } else { trimmed(format!("{value:.digits$}")) }
            }
        }
    }
}

fn trimmed(number: String) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_string() } else { number }
}

/// Agents with values drawn over the ranges: of each parameter one in each of as many equal parts as there are candidates.
///
/// # Errors
/// If the agent has no such key or does not take such a value.
pub fn candidates(base: &BotSpec, params: &[Param], count: usize, seed: u64) -> Result<Vec<BotSpec>, ArenaError> {
    let mut drawn = vec![base.clone(); count];
    for (stream, param) in params.iter().enumerate() {
        let mut rng = Rng::new(seed, stream as u64);
        let mut parts: Vec<usize> = (0..count).collect();
        rng.shuffle(&mut parts);
        for (candidate, part) in drawn.iter_mut().zip(parts) {
            let place = (part as f64 + rng.unit()) / count as f64;
            candidate
                .set(&param.key, &param.at(place))
                .map_err(|error| ArenaError(format!("--param {param}: {error}")))?;
        }
    }
    let mut different: Vec<BotSpec> = Vec::new();
    for candidate in drawn {
        if candidate != *base && !different.contains(&candidate) {
            different.push(candidate);
        }
    }
    Ok(different)
}

/// What to tune, and how much to play.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The agent as it is, alone, and under which conditions games are played.
    pub conditions: Conditions,
    /// Who may take its place.
    pub candidates: Vec<BotSpec>,
    /// Rounds that each candidate plays at first.
    pub rounds: u64,
    /// What decides in the end.
    pub sprt: Sprt,
    /// The most rounds of that.
    pub most_rounds: u64,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    /// All candidates, those that got furthest first.
    pub tried: Vec<Tried>,
    /// How the best of them does in fresh games; `None` if the tuning was interrupted before.
    pub confirmation: Option<Confirmation>,
}

/// A candidate and what it has shown. The best were lucky too, so these numbers flatter them.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// The agent.
    pub agent: String,
    /// In how many stages it played.
    pub stages: u32,
    /// How it did against the agent as it is.
    pub strength: Strength,
}

/// The best candidate against the agent as it is, in games that did not choose it.
#[derive(Clone, Debug, Serialize)]
pub struct Confirmation {
    /// The candidate.
    pub agent: String,
    /// How it did.
    pub strength: Strength,
    /// What the test says.
    pub sprt: SprtState,
}

impl Tuning {
    /// Plays until one candidate is left and tested, or `stop` is raised. `see` hears of every game, with what is being done.
    /// Games are kept in the store, from which an interrupted tuning goes on.
    ///
    /// # Errors
    /// If a game cannot be played or kept.
    pub fn run(&self, venue: &mut Venue<'_>, see: &mut dyn FnMut(&str, News<'_>)) -> Result<Tuned, ArenaError> {
        let mut tried: Vec<(u32, Tally)> = vec![(0, Tally::default()); self.candidates.len()];
        let mut left: Vec<usize> = (0..self.candidates.len()).collect();
        let mut stage = 0;
        loop {
            let (tables, stop) = (venue.tables, venue.stop);
            let mut contest = venue.contest(self.stage(stage, &left))?;
            let what = format!("stage {}: {} candidates", stage + 1, left.len());
            contest.play(self.rounds << stage, tables, stop, &mut |news| {
                see(&what, news);
                ControlFlow::Continue(())
            })?;
            for (place, &candidate) in left.iter().enumerate() {
                let (stages, tally) = &mut tried[candidate];
                *stages = stage + 1;
                *tally += contest.standings()[place].tally();
            }
            if stop.is_raised() {
                break;
            }
            // Equals stay in the order in which they were drawn.
            left.sort_by(|&one, &other| share(tried[other].1).total_cmp(&share(tried[one].1)));
            left.truncate(left.len().div_ceil(2));
            stage += 1;
            if left.len() == 1 {
                break;
            }
        }
        let confirmation = match venue.stop.is_raised() {
            true => None,
            false => left.first().map(|&best| self.confirm(best, venue, see)).transpose()?,
        };
        let mut places: Vec<usize> = (0..tried.len()).collect();
        places.sort_by(|&one, &other| {
            let key = |place: usize| (f64::from(tried[place].0), share(tried[place].1));
            let (one, other) = (key(one), key(other));
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
        let tried = places.into_iter().map(|place| Tried {
            agent: self.candidates[place].to_string(),
            stages: tried[place].0,
            strength: Strength::of(tried[place].1),
        });
        Ok(Tuned { tried: tried.collect(), confirmation })
    }

    fn confirm(
        &self,
        best: usize,
        venue: &mut Venue<'_>,
        see: &mut dyn FnMut(&str, News<'_>),
    ) -> Result<Confirmation, ArenaError> {
        let (tables, stop) = (venue.tables, venue.stop);
        let mut contest = venue.contest_ended_by(self.sprt, self.stage(u32::MAX, &[best]))?;
        contest.play(self.most_rounds, tables, stop, &mut |news| {
            see("test of the best", news);
            ControlFlow::Continue(())
        })?;
        let standing = &contest.standings()[0];
        Ok(Confirmation {
            agent: self.candidates[best].to_string(),
            strength: standing.strength(),
            sprt: self.sprt.state(standing.tally().pairs),
        })
    }

    /// Each of these candidates against the agent as it is, in games of no other stage.
    fn stage(&self, stage: u32, left: &[usize]) -> Conditions {
        let base = self.conditions.contestants[..1].iter().cloned();
        let candidates = left.iter().map(|&candidate| Contestant::Agent(self.candidates[candidate].clone()));
        Conditions {
            contestants: base.chain(candidates).collect(),
            pairings: (1..=left.len()).map(|candidate| [candidate, 0]).collect(),
            seed: Rng::new(self.conditions.seed, u64::from(stage)).bits(),
            ..self.conditions.clone()
        }
    }
}

fn share(tally: Tally) -> f64 {
    tally.games.points() / tally.games.count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use boughs::StopFlag;

    use super::*;
    use crate::Store;
    use crate::statistics::Decision;

    #[test]
    fn params_are_written_as_they_are_read() {
        for text in ["c=0.3..2", "c=0.1..10:log", "batch=8..64", "playout=light|decisive"] {
            assert_eq!(text.parse::<Param>().map(|param| param.to_string()), Ok(text.to_string()));
        }
        for text in ["", "c", "c=", "c=1", "c=2..1", "c=0..1:log", "c=a..b", "=1..2", "c=1..inf", "x=a||b"] {
            let error = text.parse::<Param>().expect_err(text).to_string();
            assert!(error.contains(';'), "{error}");
        }
    }

    #[test]
    fn candidates_cover_the_range_and_differ() {
        let base = "mcts".parse().unwrap();
        let params = ["c=0.1..10:log".parse().unwrap(), "batch=1..8".parse().unwrap()];
        let drawn = candidates(&base, &params, 16, 3).unwrap();
        assert!(drawn.len() >= 15, "{}", drawn.len());
        let c = |agent: &BotSpec| match agent.general() {
            Some(boughs::AgentSpec::Mcts(settings)) => settings.exploration,
            _ => f64::NAN,
        };
        let low = drawn.iter().filter(|agent| c(agent) < 1.0).count();
        assert!((7..=9).contains(&low), "half of them below the middle of the logarithms: {low}");
        assert_eq!(drawn, candidates(&base, &params, 16, 3).unwrap());
        assert_ne!(drawn, candidates(&base, &params, 16, 4).unwrap());
        assert!(candidates(&base, &["colour=1..2".parse().unwrap()], 2, 1).is_err());
    }

    #[test]
    fn values_have_three_digits() {
        let at = |text: &str, place| text.parse::<Param>().unwrap().at(place);
        assert_eq!([at("c=0.0..1.0", 1.0 / 3.0), at("c=0.0..2000.0", 0.33333)], ["0.333", "667"]);
        assert_eq!([at("x=a|b|c", 0.0), at("x=a|b|c", 0.5), at("x=a|b|c", 1.0)], ["a", "b", "c"]);
    }

    #[test]
    fn the_strongest_value_is_found_and_confirmed() {
        let agent = |text: &str| text.parse::<BotSpec>().unwrap();
        let conditions = Conditions {
            game: "connect4".into(),
            contestants: vec![Contestant::Agent(agent("mcts:c=20"))],
            pairings: Vec::new(),
            limit: crate::Limit::Playouts(60),
            grace: std::time::Duration::ZERO,
            program_grace: std::time::Duration::ZERO,
            openings: crate::Openings::Random(2, 4),
            seed: 1,
        };
        let candidates = vec![agent("mcts:c=15"), agent("mcts:c=0.7"), agent("mcts:c=10")];
        let tuning = Tuning { conditions, candidates, rounds: 10, sprt: "0,60".parse().unwrap(), most_rounds: 400 };
        let run = |store: &mut Store, stop: &StopFlag, games: &mut u64| {
            let mut venue =
                Venue { kind: "tune", store, command: "boughs tune", replay: |_, _| String::new(), tables: 2, stop };
            tuning.run(&mut venue, &mut |_, _| *games += 1).unwrap()
        };
        let (mut store, stop, mut games) = (Store::in_memory().unwrap(), StopFlag::default(), 0);
        let tuned = run(&mut store, &stop, &mut games);
        let confirmation = tuned.confirmation.unwrap();
        assert_eq!(confirmation.agent, "mcts:c=0.7");
        assert_eq!(confirmation.sprt.decision, Decision::AcceptH1);
        assert_eq!(tuned.tried.iter().map(|tried| tried.stages).collect::<Vec<_>>(), [2, 2, 1]);
        assert!(games > 3 * 20 + 2 * 40, "{games}");
        let mut again = 0;
        assert_eq!(run(&mut store, &stop, &mut again).confirmation.unwrap().agent, "mcts:c=0.7");
        assert_eq!(again, 0, "all games are kept");
    }
}
