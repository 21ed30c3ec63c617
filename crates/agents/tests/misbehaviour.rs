//! Games that break their promises: the agents beside MCTS survive them all.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[path = "../../engine/tests/common/mod.rs"]
mod common;

use boughs::{Budget, Report, SearchError, StopReason, Warning};
use boughs_agents::AgentSpec;

use common::{FORTUNE, Fault, Odd, Riches};

/// Agents beside MCTS.
const OTHERS: [&str; 5] =
    ["flat", "flat:threads=3,policy=uniform", "flat:policy=ucb1", "beam:threads=2", "beam:width=3,playouts=50"];

fn other(fault: Fault, agent: &str, budget: Budget) -> Result<Report, SearchError> {
    agent.parse::<AgentSpec>().unwrap().build(&Odd::new(fault)).unwrap().search(budget, &mut |_| ())
}

#[test]
fn other_agents_survive_the_same_games() {
    for agent in OTHERS {
        let run = |fault| other(fault, agent, Budget::iterations(20_000));
        for (fault, text) in [
            (Fault::PanicInApply, "no move for you"),
            (Fault::PanicAtRoot, "not this one"),
            (Fault::PanicInReward, "no reward for you"),
        ] {
            assert_eq!(run(fault), Err(SearchError::GamePanicked(text.to_string())), "{agent}");
        }
        for (fault, warning) in [
            (Fault::NoActions, Warning::NoLegalAction),
            (Fault::Endless, Warning::PlayoutCut),
            (Fault::Reward(f64::NAN), Warning::RewardClamped),
            (Fault::Reward(7.0), Warning::RewardClamped),
        ] {
            let report = run(fault).unwrap();
            assert!(report.warnings.contains(&warning), "{agent} {fault:?}: {report}");
            assert!(report.children.iter().all(|child| (0.0..=1.0).contains(&child.mean)), "{agent} {fault:?}");
        }
        for fault in [Fault::OverAtStart, Fault::NoActionsAtStart] {
            let report = run(fault).unwrap();
            assert_eq!((report.best, report.stop, report.iterations), (None, StopReason::GameOver, 0), "{agent}");
        }
        assert!(run(Fault::UnknownPlayer).is_ok(), "{agent}");
    }
}

#[test]
fn sums_of_scores_never_overflow() {
    for agent in ["flat", "beam"] {
        let agent: AgentSpec = agent.parse().unwrap();
        let report = agent.build(&Riches(None)).unwrap().search(Budget::iterations(5_000), &mut |_| ()).unwrap();
        assert!(report.best_action() == Some(2u32) && report.children.iter().all(|child| child.mean.abs() <= FORTUNE));
    }
}
