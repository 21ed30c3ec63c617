//! Tuning: the search for the strongest values of an agent's keys.
//!
//! Candidates drawn over the ranges play against the agent as it is. The better half goes on with twice as many games,
//! and so on until one is left (successive halving: Jamieson and Talwalkar 2016). The last candidate has been lucky
//! too, so its games so far prove nothing: fresh games and a sequential test decide if it is stronger.

mod param;

use std::ops::ControlFlow;

use boughs::Rng;
use boughs_agents::AgentSpec;
use serde::Serialize;

pub use self::param::{Param, candidates};
use crate::statistics::{Sprt, SprtState, Strength, Tally};
use crate::{ArenaError, Conditions, Contest, ContestSetup, Contestant, News};

/// A tuning: the agent, its candidates, and the number of games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The agent as it is, as the only contestant, and the conditions of all games.
    pub conditions: Conditions,
    /// Agents that may take its place.
    pub candidates: Vec<AgentSpec>,
    /// Number of rounds that each candidate plays in the first stage.
    pub rounds: u64,
    /// Test of the best candidate.
    pub sprt: Sprt,
    /// Greatest number of rounds of that test.
    pub most_rounds: u64,
}

/// The result of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    /// All candidates, those of the most stages first.
    pub tried: Vec<Tried>,
    /// Test of the best candidate in fresh games; `None` if the tuning was interrupted before.
    pub confirmation: Option<Confirmation>,
    /// Names of the files that changed since the store got its last games of this tuning, which do not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed_files: Vec<String>,
}

/// A candidate and its strength in the stages. The best were lucky too, so these numbers flatter them.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// Text of the agent.
    pub agent: String,
    /// Number of stages it played in.
    pub stages: u32,
    /// Its strength against the agent as it is.
    pub strength: Strength,
}

/// The best candidate against the agent as it is, in games that did not choose it.
#[derive(Clone, Debug, Serialize)]
pub struct Confirmation {
    /// Text of the candidate.
    pub agent: String,
    /// Its strength.
    pub strength: Strength,
    /// State of the test.
    pub sprt: SprtState,
}

/// A stage of a tuning: a contest whose result decides how the tuning goes on.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Name of the stage, for people.
    pub name: String,
    /// Conditions of its games.
    pub conditions: Conditions,
    /// Greatest number of its rounds.
    pub rounds: u64,
    /// Test that ends it.
    pub test: Option<Sprt>,
    /// Its candidates, by place.
    left: Vec<usize>,
}

/// The course of a tuning up to a stage.
struct Course<'t> {
    tuning: &'t Tuning,
    /// Number of stages of each candidate, and its games in them.
    tried: Vec<(u32, Tally)>,
    /// Candidates that are left.
    left: Vec<usize>,
    /// Number of stages that are over.
    stages: u32,
    confirmation: Option<Confirmation>,
}

impl Course<'_> {
    /// The next stage; `None` at the end.
    fn next(&self) -> Option<Stage> {
        let left = self.left.clone();
        match left.len() {
            0 => None,
            // A candidate that is alone from the start plays a stage too.
            1 if self.stages > 0 => self.confirmation.is_none().then(|| Stage {
                name: "test of the best".to_string(),
                conditions: self.tuning.conditions_of(u32::MAX, &left),
                rounds: self.tuning.most_rounds,
                test: Some(self.tuning.sprt),
                left,
            }),
            candidates => Some(Stage {
                name: format!("stage {}: {candidates} candidates", self.stages + 1),
                conditions: self.tuning.conditions_of(self.stages, &left),
                rounds: self.tuning.rounds << self.stages,
                test: None,
                left,
            }),
        }
    }

    /// Counts the games of a stage.
    fn count(&mut self, stage: &Stage, contest: &Contest<'_>) {
        if let Some(test) = stage.test {
            let standing = &contest.standings()[0];
            self.confirmation = Some(Confirmation {
                agent: self.tuning.candidates[stage.left[0]].to_string(),
                strength: standing.strength(),
                sprt: test.state(standing.tally().pairs),
            });
            return;
        }
        for (place, &candidate) in stage.left.iter().enumerate() {
            let (stages, tally) = &mut self.tried[candidate];
            *stages = self.stages + 1;
            *tally += contest.standings()[place].tally();
        }
    }

    /// Leaves the better half of the candidates of a stage that is over.
    fn halve(&mut self, stage: &Stage) {
        if stage.test.is_none() {
            // Equals stay in the order in which they were drawn.
            let tried = &self.tried;
            self.left.sort_by(|&one, &other| share(tried[other].1).total_cmp(&share(tried[one].1)));
            self.left.truncate(self.left.len().div_ceil(2));
            self.stages += 1;
        }
    }

    /// The results so far.
    fn result(self, changed_files: Vec<String>) -> Tuned {
        let tried = &self.tried;
        let mut places: Vec<usize> = (0..tried.len()).collect();
        places.sort_by(|&one, &other| {
            let key = |place: usize| (f64::from(tried[place].0), share(tried[place].1));
            let (one, other) = (key(one), key(other));
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
        let tried = places.into_iter().map(|place| Tried {
            agent: self.tuning.candidates[place].to_string(),
            stages: tried[place].0,
            strength: Strength::of(tried[place].1),
        });
        Tuned { tried: tried.collect(), confirmation: self.confirmation, changed_files }
    }
}

impl Tuning {
    /// Plays until one candidate is left and tested, or `stop` is raised. `see` gets the news of every game, with the
    /// name of the stage. The store keeps the games, and an interrupted tuning goes on from them.
    ///
    /// # Errors
    /// If a game cannot be played or kept.
    pub fn run(&self, setup: &mut ContestSetup<'_>, see: &mut dyn FnMut(&str, News<'_>)) -> Result<Tuned, ArenaError> {
        let (tables, stop) = (setup.tables, setup.stop);
        let (tuned, _) = self.go_on(setup, &mut |stage, contest| {
            contest.play(stage.rounds, tables, stop, &mut |news| {
                see(&stage.name, news);
                ControlFlow::Continue(())
            })?;
            Ok(!stop.is_raised())
        })?;
        Ok(tuned)
    }

    /// Reads the games of the store. Returns the results so far, and the first stage that the store does not have all
    /// games of. Nothing is played.
    ///
    /// # Errors
    /// If a contestant or an opening does not go with the game, or the store cannot be read or written.
    pub fn next_stage(&self, setup: &mut ContestSetup<'_>) -> Result<(Tuned, Option<Stage>), ArenaError> {
        self.go_on(setup, &mut |stage, contest| Ok(contest.is_complete(stage.rounds)))
    }

    /// Goes from stage to stage while `finish` returns true, which completes the games of a stage. Returns the results
    /// so far, and the stage that was not finished.
    fn go_on(
        &self,
        setup: &mut ContestSetup<'_>,
        finish: &mut dyn FnMut(&Stage, &mut Contest<'_>) -> Result<bool, ArenaError>,
    ) -> Result<(Tuned, Option<Stage>), ArenaError> {
        let mut course = Course {
            tuning: self,
            tried: vec![(0, Tally::default()); self.candidates.len()],
            left: (0..self.candidates.len()).collect(),
            stages: 0,
            confirmation: None,
        };
        let mut changed_files = Vec::new();
        while let Some(stage) = course.next() {
            let conditions = stage.conditions.clone();
            let mut contest = match stage.test {
                Some(test) => setup.contest_ended_by(test, conditions)?,
                None => setup.contest(conditions)?,
            };
            if course.stages == 0 {
                changed_files = contest.changed_files().to_vec();
            }
            let is_over = finish(&stage, &mut contest)?;
            course.count(&stage, &contest);
            if !is_over {
                return Ok((course.result(changed_files), Some(stage)));
            }
            course.halve(&stage);
        }
        Ok((course.result(changed_files), None))
    }

    /// The conditions of a stage: each of these candidates against the agent as it is, in games of no other stage.
    fn conditions_of(&self, stage: u32, left: &[usize]) -> Conditions {
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

/// The share of the points.
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
    fn the_strongest_value_is_found_and_confirmed() {
        let agent = |text: &str| text.parse::<AgentSpec>().unwrap();
        let conditions = Conditions {
            game: "connect4".into(),
            contestants: vec![Contestant::Agent(agent("mcts:c=20"))],
            pairings: Vec::new(),
            limit: crate::Limit::Playouts(60),
            grace: std::time::Duration::ZERO,
            openings: crate::Openings::Random(2, 4),
            seed: 1,
        };
        let candidates = vec![agent("mcts:c=15"), agent("mcts:c=0.7"), agent("mcts:c=10")];
        let tuning = Tuning { conditions, candidates, rounds: 20, sprt: "0,60".parse().unwrap(), most_rounds: 400 };
        let run = |store: &mut Store, stop: &StopFlag, games: &mut u64| {
            let mut setup = ContestSetup {
                kind: "tune",
                store,
                command: "boughs tune",
                replay: |_, _| String::new(),
                tables: 2,
                stop,
            };
            tuning.run(&mut setup, &mut |_, _| *games += 1).unwrap()
        };
        let (mut store, stop, mut games) = (Store::in_memory().unwrap(), StopFlag::default(), 0);
        let tuned = run(&mut store, &stop, &mut games);
        let confirmation = tuned.confirmation.unwrap();
        assert_eq!(confirmation.agent, "mcts:c=0.7");
        assert_eq!(confirmation.sprt.decision, Decision::AcceptH1);
        assert_eq!(tuned.tried.iter().map(|tried| tried.stages).collect::<Vec<_>>(), [2, 2, 1]);
        assert!(games > 3 * 40 + 2 * 80, "{games}");
        let mut again = 0;
        assert_eq!(run(&mut store, &stop, &mut again).confirmation.unwrap().agent, "mcts:c=0.7");
        assert_eq!(again, 0, "all games are kept");
    }
}
