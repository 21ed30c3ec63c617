//! The agents of AHC015 play by their rules, have the playouts of the game, and keep their budgets; the best of them
//! finds the same at any number of threads.

use std::time::Duration;

use boughs::{Action, Budget, Game, Rng, StopFlag, StopReason, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::ahc015::batch::{WIDTH, draw, play_out};
use boughs_agents::ahc015::{CaseClock, Choice, Player};
use boughs_games::ahc015::{Ahc015, Board, CELLS, Case, Step, Tilt, squares};

use crate::process::ends_within;

/// A case that an agent has played.
struct Played {
    score: u32,
    tilts: Vec<Tilt>,
    /// The estimated value of each tilt, turn by turn.
    values: Vec<[Option<f64>; 4]>,
    playouts: u64,
}

/// Plays a case. The agent is told nothing but the flavours and, one by one, the placements.
fn play(agent: &str, case: &Case, seed: u64, clock: CaseClock) -> Played {
    let agent: AgentSpec = agent.parse().unwrap();
    let mut agent = agent.build(&Ahc015::new(case.flavours)).unwrap();
    let mut player = Player::begin(&mut *agent, case.flavours, seed, clock, StopFlag::default()).unwrap();
    let choices: Vec<Choice> = case.placements.iter().map(|&placement| player.answer(placement).unwrap()).collect();
    Played {
        score: player.position().score(),
        tilts: choices.iter().map(|choice| choice.tilt).collect(),
        values: choices.iter().map(|choice| choice.values).collect(),
        playouts: choices.iter().map(|choice| choice.playouts).sum(),
    }
}

#[test]
fn boxes_side_by_side_end_as_each_would_alone() {
    let mut luck = [[0; WIDTH]; CELLS];
    for seed in 0..40 {
        let mut rng = Rng::new(seed, 0);
        let flavours = Case::generate(seed).flavours;
        // Either tilts along one axis for a while, or any tilts.
        let tilts: [Tilt; CELLS] = match seed % 2 {
            0 => std::array::from_fn(|_| rng.pick(&Tilt::ALL).unwrap()),
            _ => std::array::from_fn(|turn| Tilt::ALL[turn / 7 % 2 * 2 + rng.below(2) as usize]),
        };
        let begin = rng.below(CELLS as u32) as usize;
        let mut board = Board::default();
        for (turn, &flavour) in flavours.iter().enumerate().take(begin + 1) {
            board.drop(rng.below((CELLS - turn) as u32), flavour);
            if turn < begin {
                board.tilt(rng.pick(&Tilt::ALL).unwrap());
            }
        }
        draw(&mut luck, seed, 1, begin + 1);
        let ends = play_out(&board, begin, &tilts, &flavours, &luck);
        for (lane, end) in ends.into_iter().enumerate() {
            let mut alone = board;
            alone.tilt(tilts[begin]);
            for turn in begin + 1..CELLS {
                alone.drop(u32::from(luck[turn][lane]), flavours[turn]);
                alone.tilt(tilts[turn]);
            }
            assert_eq!(end, squares(&alone), "seed {seed} from turn {begin}, box {lane}");
        }
    }
}

#[test]
fn luck_reaches_every_cell_about_as_often() {
    let mut luck = [[0; WIDTH]; CELLS];
    let mut counts = [0u32; CELLS];
    for block in 0..1_000 {
        draw(&mut luck, 5, block, 0);
        luck[0].iter().for_each(|&cell| counts[usize::from(cell)] += 1);
        assert!(
            luck.iter().enumerate().all(|(turn, lanes)| lanes.iter().all(|&cell| usize::from(cell) < CELLS - turn))
        );
    }
    // Six standard deviations of a binomial with n = 32,000 and p = 1/100.
    assert!(counts.iter().all(|count| count.abs_diff(320) < 107), "{counts:?}");
}

#[test]
fn the_first_two_solutions_tilt_by_their_rules() {
    let case = Case::generate(3);
    let one = play("solution1", &case, 0, CaseClock::playouts(1)).tilts;
    let two = play("solution2", &case, 0, CaseClock::playouts(1)).tilts;
    let mut is_back = false;
    for (turn, &next) in case.flavours[1..].iter().enumerate() {
        assert_eq!(one[turn], if next == 1 { Tilt::Back } else { Tilt::Front });
        let right = match next {
            1 => Tilt::Back,
            _ if is_back => Tilt::Front,
            2 => Tilt::Right,
            _ => Tilt::Left,
        };
        assert_eq!(two[turn], right, "turn {turn}");
        is_back = if right.is_vertical() { right == Tilt::Back } else { is_back };
    }
}

#[test]
fn the_first_hundred_cases_are_worth_to_solution_2_what_others_are() {
    let score = |seed| f64::from(play("solution2", &Case::generate(seed), 0, CaseClock::playouts(1)).score);
    let mean = (0..100).map(score).sum::<f64>() / 100.0;
    // 660,884 is the mean over 40,000 cases of another implementation; the standard error of 100 is 10,000.
    assert!((mean - 660_884.0).abs() < 25_000.0, "{mean}");
}

#[test]
fn each_solution_is_better_than_the_one_before() {
    let mean = |agent: &str| {
        let score = |seed| f64::from(play(agent, &Case::generate(seed), seed, CaseClock::playouts(30_000)).score);
        (0..4).map(score).sum::<f64>() / 4.0
    };
    let means = ["solution1", "solution2", "solution3:playouts=50", "candy"].map(mean);
    assert!(means.is_sorted() && means[3] > 700_000.0, "{means:?}");
}

#[test]
fn a_plan_does_not_depend_on_the_number_of_threads() {
    let case = Case::generate(8);
    let outcome = |agent: &str| {
        let outcome = play(agent, &case, 1, CaseClock::playouts(20_000));
        (outcome.score, outcome.tilts, outcome.values, outcome.playouts)
    };
    assert_eq!(outcome("candy"), outcome("candy:threads=3"));
}

#[test]
fn every_agent_keeps_its_budget() {
    let position = |seed: u64| {
        let case = Case::generate(seed);
        let mut position = Ahc015::new(case.flavours);
        position.apply(Step::Place(case.placements[0]));
        position
    };
    for agent in ["solution1", "solution2", "solution3:playouts=1000000", "candy", "candy:threads=2"] {
        let spec: AgentSpec = agent.parse().unwrap();
        let mut agent_there = spec.build(&position(1)).unwrap();
        let answers = || {
            let budget = Budget::time(Duration::from_millis(40));
            assert!(agent_there.search(budget, &mut |_| ()).unwrap().best.is_some(), "{agent}");
        };
        assert!(ends_within(Duration::from_millis(200), answers), "{agent} is late");
    }
    for most in [1, 100, 20_000] {
        let mut candy = "candy".parse::<AgentSpec>().unwrap().build(&position(2)).unwrap();
        let report = candy.search(Budget::iterations(most), &mut |_| ()).unwrap();
        assert!(report.best.is_some());
        assert!(report.iterations <= most, "{} of {most}", report.iterations);
    }
}

#[test]
fn a_clock_divides_all_the_time_of_a_case_and_no_more() {
    let time = Duration::from_millis(300);
    let plays = || drop(play("candy", &Case::generate(4), 0, CaseClock::time(time)));
    assert!(ends_within(time + Duration::from_millis(200), plays));
    let mut clock = CaseClock::playouts(1_000_000);
    let mut sum = 0;
    for turn in 0..CELLS {
        let most = clock.for_turn(turn).most_iterations().unwrap();
        clock.spend(most);
        sum += most;
    }
    assert_eq!(sum, 1_000_000);
}

/// The mean score of a position under the best tilts.
fn best_mean(position: &Ahc015) -> f64 {
    let (mut values, mut steps) = (Vec::new(), Vec::new());
    position.actions(&mut steps);
    for step in steps {
        let mut next = *position;
        next.apply(step);
        values.push(best_mean(&next));
    }
    match position.turn() {
        Turn::Over => f64::from(position.score()),
        Turn::Chance => values.iter().sum::<f64>() / values.len() as f64,
        Turn::Player(_) => values.into_iter().fold(0.0, f64::max),
    }
}

#[test]
fn the_last_turns_are_looked_through_to_the_end() {
    for seed in 0..6 {
        let case = Case::generate(seed);
        let mut position = Ahc015::new(case.flavours);
        for &placement in &case.placements[..CELLS - 4] {
            position.apply(Step::Place(placement));
            position.apply(Step::Tilt(Tilt::ALL[usize::from(placement) % 4]));
        }
        position.apply(Step::Place(case.placements[CELLS - 4]));
        let mut candy = "candy".parse::<AgentSpec>().unwrap().build(&position).unwrap();
        let report = candy.search(Budget::iterations(4_000), &mut |_| ()).unwrap();
        assert_eq!(report.stop, StopReason::Complete);
        for child in &report.children {
            let mut next = position;
            next.apply(Step::from_code(child.action));
            // The score of each end is rounded.
            assert!((child.mean - best_mean(&next)).abs() <= 0.5, "seed {seed}: {child:?}");
        }
        let best = report.children.iter().map(|child| child.mean).fold(0.0, f64::max);
        assert!(
            report
                .children
                .iter()
                .any(|child| Some(child.action) == report.best.as_ref().map(|best| best.action) && child.mean == best)
        );
        // Where the budget is too small for all ends, plans are played out.
        let report = candy.search(Budget::iterations(200), &mut |_| ()).unwrap();
        assert!(report.best.is_some() && report.iterations <= 200, "{report}");
    }
}

#[test]
fn small_budgets_are_kept_and_used_by_every_agent() {
    let case = Case::generate(4);
    for (agent, budget, least) in
        [("solution3", 3, 0), ("solution3", 30, 28), ("candy", 30, 0), ("candy", 300, 160), ("candy", 3_000, 1_500)]
    {
        let agent_spec: AgentSpec = agent.parse().unwrap();
        let mut bot = agent_spec.build(&Ahc015::new(case.flavours)).unwrap();
        bot.advance(Step::Place(case.placements[0]).code()).unwrap();
        let report = bot.search(Budget::iterations(budget), &mut |_| ()).unwrap();
        assert!((least..=budget).contains(&report.iterations), "{agent} with {budget}: {report}");
        assert!(report.best.is_some() && report.stop == StopReason::Iterations, "{agent} with {budget}: {report}");
        let all_looked_at = report.children.iter().all(|child| child.playouts > 0);
        assert_eq!(all_looked_at, least > 0, "{agent} with {budget}: {report}");
    }
}

#[test]
fn an_iteration_budget_ends_a_search_that_has_time_left() {
    let case = Case::generate(4);
    let mut bot = "candy".parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
    bot.advance(Step::Place(case.placements[0]).code()).unwrap();
    for _ in 0..2 {
        let budget = Budget::iterations(777).or_time(Duration::from_secs(3600));
        let report = bot.search(budget, &mut |_| ()).unwrap();
        assert!(report.iterations < 777 && report.stop == StopReason::Iterations, "{report}");
    }
}

#[test]
fn time_lasts_for_every_turn() {
    let case = Case::generate(5);
    // On a busy machine every turn waits some milliseconds for a core, which a longer case can spare. A clock that
    // gives too much to early turns runs out in a case of any length.
    let lasts = [500, 2_000, 8_000].into_iter().any(|milliseconds| {
        let outcome = play("candy", &case, 0, CaseClock::time(Duration::from_millis(milliseconds)));
        let looked_at = outcome.values.iter().filter(|values| values.iter().any(Option::is_some)).count();
        looked_at >= CELLS - 10
    });
    assert!(lasts, "late turns are played without a look");
}

#[test]
fn a_search_without_end_is_ended_by_its_flag() {
    let case = Case::generate(6);
    let mut bot = "candy".parse::<AgentSpec>().unwrap().build(&Ahc015::new(case.flavours)).unwrap();
    bot.advance(Step::Place(case.placements[0]).code()).unwrap();
    let flag = StopFlag::default();
    let raise = flag.clone();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        raise.raise();
    });
    let report = bot.search(Budget::iterations(u64::MAX).or_stopped_by(flag), &mut |_| ()).unwrap();
    waits.join().unwrap();
    assert_eq!(report.stop, StopReason::Stopped, "{report}");
}

#[test]
fn there_is_something_to_say_of_every_tilt_however_short_the_time() {
    let case = Case::generate(13);
    let mut game = Ahc015::new(case.flavours);
    for turn in 0..CELLS - 1 {
        game.apply(Step::Place(1));
        let mut agent = "candy".parse::<AgentSpec>().unwrap().build(&game).unwrap();
        let report = agent.search(Budget::time(Duration::ZERO), &mut |_| ()).unwrap();
        assert!(report.children.len() == 4 && report.children.iter().all(|child| child.playouts > 0), "turn {turn}");
        game.apply(Step::Tilt(Tilt::ALL[turn % 4]));
    }
}
