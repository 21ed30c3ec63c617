//! Games that break their promises: the agents beside MCTS survive them all.

use std::mem::ManuallyDrop;

use boughs::{Budget, Report, SearchError, StopReason, Warning};
use boughs_agents::AgentSpec;

use crate::common::{Bomb, EVERY, FORTUNE, Fault, Fuse, METHODS, odd, riches};

/// Agents beside MCTS.
const OTHERS: [&str; 5] =
    ["flat", "flat:threads=3,policy=uniform", "flat:policy=ucb1", "beam:threads=2", "beam:width=3,playouts=50"];

fn other(fault: Fault, agent: &str, budget: Budget) -> Result<Report, SearchError> {
    agent.parse::<AgentSpec>().unwrap().build(&odd(fault)).unwrap().search(budget, &mut |_| ())
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
fn a_panic_in_any_call_of_any_method_is_an_error_and_the_agent_goes_on() {
    let is_of_game = |error: SearchError| assert!(matches!(error, SearchError::GamePanicked(_)), "{error}");
    for spec in
        ["random", "flat", "flat:threads=3,policy=uniform", "beam:threads=2", "exhaustive", "expectimax", "mcts"]
    {
        for method in METHODS {
            for call in [EVERY, 1, 2, 3, 4, 5, 8, 50, 700] {
                let fuse = Fuse::new(method, call);
                // Values of the caller are not dropped, because their panics are the caller's.
                let position = ManuallyDrop::new(Bomb::new(&fuse));
                let agent = spec.parse::<AgentSpec>().unwrap().build(&*position);
                let Ok(mut agent) = agent.map_err(is_of_game) else { continue };
                for _ in 0..3 {
                    agent.search(Budget::iterations(100), &mut |_| ()).err().map(is_of_game);
                    agent.advance(1).err().map(is_of_game);
                    agent.search(Budget::iterations(100), &mut |_| ()).err().map(is_of_game);
                    agent.reset(&*position).err().map(is_of_game);
                    agent.begin(&*position, 7).err().map(is_of_game);
                }
                fuse.put_out();
                agent.begin(&*position, 7).unwrap();
                let report = agent.search(Budget::iterations(300).early_stop(false), &mut |_| ());
                assert!(report.is_ok_and(|report| report.best.is_some()), "{spec}: {method:?}, call {call}");
            }
        }
    }
}

#[test]
fn sums_of_scores_never_overflow() {
    for agent in ["flat", "beam"] {
        let agent: AgentSpec = agent.parse().unwrap();
        let report = agent.build(&riches()).unwrap().search(Budget::iterations(5_000), &mut |_| ()).unwrap();
        assert!(report.best_action() == Some(2u32) && report.children.iter().all(|child| child.mean.abs() <= FORTUNE));
    }
}
