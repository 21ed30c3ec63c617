//! Cases played by any agent, candy by candy.

use std::time::{Duration, Instant};

use boughs::StopFlag;
use boughs_agents::AgentSpec;
use boughs_agents::ahc015::{CaseClock, Player};
use boughs_games::ahc015::{Ahc015, Case};

#[test]
fn a_case_without_time_is_played_to_its_end() {
    let case = Case::generate(1);
    for agent in ["solution2", "solution3", "flat", "mcts:tree=open,memory=4M"] {
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
        let clock = CaseClock::time(Duration::ZERO);
        let mut player = Player::begin(&mut *agent, case.flavours, 1, clock, StopFlag::default()).unwrap();
        for placement in case.placements {
            player.answer(placement).unwrap();
        }
        assert!(player.position().score() > 0);
    }
}

#[test]
fn a_cell_that_is_not_empty_is_an_error() {
    let case = Case::generate(1);
    let mut agent = "solution1".parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
    let clock = CaseClock::time(Duration::MAX);
    let mut player = Player::begin(&mut *agent, case.flavours, 1, clock, StopFlag::default()).unwrap();
    assert!(player.answer(0).is_err());
    assert!(player.answer(101).is_err());
    assert!(player.answer(100).is_ok());
}

#[test]
fn what_turns_take_beside_their_search_is_kept_back_for_those_to_come() {
    let time = Duration::from_secs(1_000);
    let share = |clock: CaseClock| clock.for_turn(50).deadline().unwrap().duration_since(Instant::now()).as_secs_f64();
    let mut clock = CaseClock::time(time);
    let whole = share(clock);
    assert!((whole - 1_000.0 * 2.0 / 51.0).abs() < 1.0, "{whole}");
    for _ in 0..200 {
        clock.lose(Duration::from_secs(5));
    }
    // Twice five seconds for each of fifty turns.
    assert!((share(clock) - whole / 2.0).abs() < 1.0, "{}", share(clock));
    clock.lose(Duration::MAX);
    assert_eq!(share(clock), 0.0);
}
