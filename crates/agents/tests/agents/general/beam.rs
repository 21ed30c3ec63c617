//! Promises of beam search.

use std::time::Duration;

use boughs::{Budget, Game, Rewards, StopReason, Turn, Warning};
use boughs_agents::AgentSpec;

use super::agents::{Thread, search};
use crate::common::mix;

/// A game of five choices among three for one player, with a score without any pattern.
#[derive(Clone, Debug)]
pub(crate) struct Lock(pub(crate) Vec<u8>);

const DIGITS: usize = 5;

impl Game for Lock {
    type Action = u8;
    const REWARDS: Rewards = Rewards::SCORES;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.0.len() == DIGITS { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, digit: u8) {
        self.0.push(digit);
    }
    fn reward(&self, _: usize) -> f64 {
        (mix(self.0.iter().fold(7, |hash, &digit| mix(hash + u64::from(digit)))) % 1000) as f64 - 500.0
    }
}

/// The best score, and the choices that give it.
fn best_of_all(lock: &Lock) -> (f64, Vec<u8>) {
    if lock.turn() == Turn::Over {
        return (lock.reward(0), lock.0.clone());
    }
    let after = |digit| best_of_all(&Lock([&lock.0[..], &[digit]].concat()));
    (0..3).map(after).max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap()
}

#[test]
fn a_beam_that_keeps_everything_finds_the_best_there_is() {
    let (score, digits) = best_of_all(&Lock(Vec::new()));
    for agent in ["beam:width=243", "beam:width=1000,threads=2,playouts=1"] {
        let report = search(Lock(Vec::new()), agent, 1, Budget::unlimited());
        assert_eq!((report.depth, report.stop), (DIGITS as u32, StopReason::Complete), "{agent}");
        assert_eq!(report.pv.iter().map(|step| step.action as u8).collect::<Vec<_>>(), digits);
        assert_eq!(report.best_child().map(|best| best.mean), Some(score));
        assert_eq!(report.best_playout.map(|plan| (plan.score, plan.moves.len())), Some((score, DIGITS)));
        assert_eq!(report.warnings.iter().filter(|warning| matches!(warning, Warning::BeamCut { .. })).count(), 0);
    }
}

#[test]
fn a_narrow_beam_goes_as_deep_as_it_may() {
    for layers in 1..=DIGITS {
        let report = search(Lock(Vec::new()), &format!("beam:width=1,layers={layers}"), 1, Budget::unlimited());
        assert_eq!((report.depth as usize, report.pv.len()), (layers, layers));
    }
}

#[test]
fn a_beam_that_is_cut_tells_how_deep_it_got() {
    // There is room for 3 and 9 steps, but not for 27 besides the fifth of the budget that is for playouts.
    let report = search(Lock(Vec::new()), "beam:width=243", 1, Budget::iterations(45));
    assert_eq!((report.depth, report.iterations, report.stop), (2, 45, StopReason::Iterations));
    assert!(report.warnings.contains(&Warning::BeamCut { reached: 2, asked: 30 }), "{report}");

    let time = Budget::time(Duration::from_millis(40));
    let report = search(Thread(0), "beam:width=500,layers=10000,threads=2", 1, time);
    assert!(report.depth > 3 && report.depth < 10_000, "{report}");
    assert_eq!((report.stop, report.pv.len() as u32), (StopReason::Time, report.depth));
    assert!(report.warnings.contains(&Warning::BeamCut { reached: report.depth, asked: 10_000 }), "{report}");
}

#[test]
fn a_budget_too_small_for_one_layer_still_gives_an_action() {
    let report = search(Lock(Vec::new()), "beam", 1, Budget::iterations(2));
    assert_eq!((report.best_action(), report.depth), (Some(0u8), 0));
}

#[test]
fn values_of_one_draw_of_chance_are_told() {
    let mut position = boughs_games::start("2048").unwrap().position;
    position.play_moves("a1=2 b1=2").unwrap();
    let agent: AgentSpec = "beam:layers=2".parse().unwrap();
    let report = agent.build(&*position).unwrap().search(Budget::iterations(3_000), &mut |_| ()).unwrap();
    assert_eq!(report.warnings, [Warning::OneDraw], "{report}");
    let report = search(Lock(Vec::new()), "beam", 1, Budget::iterations(3_000));
    assert!(!report.warnings.contains(&Warning::OneDraw), "{report}");
}

#[test]
fn a_game_that_ends_at_its_last_ply_is_not_cut() {
    for game in ["tictactoe", "matrix"] {
        let position = boughs_games::start(game).unwrap().position;
        let agent: AgentSpec = "beam".parse().unwrap();
        let report = agent.build(&*position).unwrap().search(Budget::iterations(3_000), &mut |_| ()).unwrap();
        assert_eq!(report.warnings, [Warning::OneDraw], "{game}: {report}");
    }
}
