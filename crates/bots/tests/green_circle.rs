//! The agents of Green Circle.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use boughs::{Budget, Game, Rng, StopReason, Turn};
use boughs_bots::BotSpec;
use boughs_games::green_circle::{GreenCircle, Setup};

/// What the first of two agents gets, in so many games with either seat.
fn reward(agents: [&str; 2], games: u64, playouts: u64) -> f64 {
    let mut sum = 0.0;
    for game in 0..games {
        let seat = game as usize % 2;
        let (mut position, mut rng) = (GreenCircle::new(&Setup::of_seed(game / 2)), Rng::new(game / 2, 1));
        let mut players = [0, 1].map(|player: usize| {
            let spec: BotSpec = agents[player ^ seat].parse().unwrap();
            spec.with_seed(game).build(position).unwrap()
        });
        while position.turn() != Turn::Over {
            let step = match position.turn() {
                Turn::Player(player) => {
                    players[player].reset(position);
                    players[player].search(Budget::iterations(playouts), &mut |_| ()).unwrap().best_action()
                }
                _ => position.chance(&mut rng, &mut Vec::new()),
            };
            position.apply(step.unwrap());
        }
        sum += position.reward(seat);
    }
    sum
}

#[test]
fn each_agent_beats_the_one_before() {
    assert!(reward(["builder2", "random"], 20, 1) >= 18.0);
    assert!(reward(["exhaustive", "builder2"], 10, 300) >= 8.0);
    assert!(reward(["foresight:positions=50", "builder2"], 4, 16) >= 3.0);
}

#[test]
fn foresight_is_the_same_with_the_same_seed_and_keeps_its_budget() {
    let position = GreenCircle::new(&Setup::of_seed(2));
    let found = |seed, playouts| {
        let spec: BotSpec = "foresight".parse().unwrap();
        let report = spec.with_seed(seed).build(position).unwrap().search(Budget::iterations(playouts), &mut |_| ());
        let report = report.unwrap();
        assert_eq!((report.iterations, report.stop), (playouts, StopReason::Iterations));
        report.children.iter().map(|child| (child.action, child.playouts, child.mean.to_bits())).collect::<Vec<_>>()
    };
    assert!(found(1, 100) == found(1, 100) && found(1, 100) != found(2, 100));
    assert_eq!(found(1, 0).iter().map(|(_, playouts, _)| playouts).sum::<u64>(), 0);
}

#[test]
fn nobody_decides_by_cards_that_are_hidden() {
    let (mut position, mut rng, mut scratch) = (GreenCircle::new(&Setup::of_seed(4)), Rng::new(4, 1), Vec::new());
    let mut compared = 0;
    for _ in 0..60 {
        let step = match position.turn() {
            Turn::Player(player) => {
                let twins = [5, 6].map(|stream| {
                    let mut twin = position;
                    twin.determinise(player, &mut Rng::new(stream, 0));
                    twin
                });
                for name in ["builder2", "exhaustive:memory=16M", "foresight:positions=50"] {
                    let found = twins.map(|twin| {
                        let spec: BotSpec = name.parse().unwrap();
                        let mut agent = spec.with_seed(1).build(twin).unwrap();
                        let report = agent.search(Budget::iterations(20), &mut |_| ()).unwrap();
                        let children = report.children.iter();
                        children.map(|child| (child.action, child.playouts, child.mean.to_bits())).collect::<Vec<_>>()
                    });
                    assert_eq!(found[0], found[1], "{name}");
                }
                compared += usize::from(twins[0] != twins[1]);
                position.random_action(&mut rng, &mut scratch)
            }
            _ => position.chance(&mut rng, &mut scratch),
        };
        position.apply(step.unwrap());
    }
    assert!(compared > 10, "{compared}");
}
