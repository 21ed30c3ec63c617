//! Turns of Green Circle: all their chains, and the results of searches of them.

use boughs::{Budget, Game, Report, Rng, StopReason, Turn};
use boughs_agents::AgentSpec;
use boughs_agents::learn::TurnSearch;
use boughs_games::green_circle::{GreenCircle, Phase, Setup};
use boughs_games::{Features, win_rate};

/// Counts the chains of a turn and finds the best value by weights, by full enumeration.
fn enumerate(game: &GreenCircle, player: usize, weights: &[f64]) -> (u64, f64) {
    let is_luck = match game.turn() {
        Turn::Player(other) if other == player => false,
        Turn::Chance if !game.is_between_turns() => true,
        _ => return (1, win_rate(game, player, weights)),
    };
    let (mut count, mut best, mut mean, mut steps) = (0, f64::MIN, 0.0, Vec::new());
    game.actions(&mut steps);
    let total: u32 = steps.iter().map(|&step| game.weight(step)).sum();
    for &step in &steps {
        let mut next = *game;
        next.apply(step);
        let (chains, value) = enumerate(&next, player, weights);
        count += chains;
        best = best.max(value);
        mean += value * f64::from(game.weight(step)) / f64::from(total.max(1));
    }
    (count, if is_luck { mean } else { best })
}

fn search(game: &GreenCircle, agent: &str) -> Report {
    let spec: AgentSpec = agent.parse().unwrap();
    spec.build(game).unwrap().search(Budget::unlimited().early_stop(false), &mut |_| ()).unwrap()
}

/// Positions at the beginning of turns that are short enough to be enumerated, from games played at random.
fn turns() -> Vec<GreenCircle> {
    let mut turns = Vec::new();
    for seed in 0..6 {
        let (mut game, mut rng) = (GreenCircle::new(&Setup::of_seed(seed)), Rng::new(seed, 1));
        for _ in 0..60 {
            if game.turn() != Turn::Chance && game.phase() == Phase::Move && is_short(&game) {
                turns.push(game);
            }
            let step = match game.turn() {
                Turn::Chance => game.chance(&mut rng, &mut Vec::new()),
                _ => game.random_action(&mut rng, &mut Vec::new()),
            };
            game.apply(step.unwrap());
        }
    }
    turns
}

/// Returns true if the hand has no more than one card that multiplies chains.
fn is_short(game: &GreenCircle) -> bool {
    let seat = game.seat(game.active());
    seat.routines == 0 && seat.hand.actions() <= 2
}

#[test]
fn the_first_turn_is_searched_completely() {
    let mut counts = Vec::new();
    for seed in 0..12 {
        let game = GreenCircle::new(&Setup::of_seed(seed));
        let (count, best) = enumerate(&game, 0, GreenCircle::weights());
        for agent in ["exhaustive", "exhaustive:threads=2"] {
            let report = search(&game, agent);
            assert_eq!((report.iterations, report.stop), (count, StopReason::Complete), "{seed}");
            let found = report.best_child().unwrap();
            assert!((found.mean - best).abs() < 1e-6, "{seed}: {} for {best}", found.mean);
        }
        counts.push(count);
    }
    counts.sort_unstable();
    counts.dedup();
    // By the number of BONUS cards in the first hand, from one to three.
    assert_eq!(counts, [25, 62, 169]);
}

#[test]
fn any_turn_is_worth_what_looking_at_everything_says() {
    let (turns, mut luck) = (turns(), 0);
    for game in &turns {
        let player = game.active();
        let (count, best) = enumerate(game, player, GreenCircle::weights());
        let report = search(game, "exhaustive");
        assert_eq!((report.iterations, report.stop), (count, StopReason::Complete), "{}", game.board());
        assert!((report.best_child().unwrap().mean - best).abs() < 1e-6, "{}", game.board());
        luck += u32::from(game.seat(player).hand.has(0) || game.seat(player).hand.has(1));
    }
    assert!(turns.len() > 20 && luck > 2, "{} turns, {luck} with luck", turns.len());
}

#[test]
fn equal_positions_are_worth_the_same_however_they_came_about() {
    let weights: Vec<f64> =
        (0..GreenCircle::names().len()).map(|n| f64::from(n as u32 * 37 % 11) / 10.0 - 0.5).collect();
    let mut turn = TurnSearch::new(1_000_000);
    for game in turns() {
        let player = game.active();
        turn.begin();
        let choice = turn.choose(&game, player, &weights, &mut Rng::new(1, 0), || false);
        let (_, best) = enumerate(&game, player, &weights);
        assert!((choice.value - best).abs() < 1e-9, "{} for {best}\n{}", choice.value, game.board());
    }
}
