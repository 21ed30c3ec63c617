//! The evaluation of Green Circle: hidden cards do not change it, and the shares of both players add up to one.

use boughs::{Game, Rng, Turn};
use boughs_games::Features;
use boughs_games::green_circle::{GreenCircle, Phase, Setup};

/// Positions at the beginning of turns, from games played at random.
fn turns() -> Vec<GreenCircle> {
    let mut turns = Vec::new();
    for seed in 0..6 {
        let (mut game, mut rng) = (GreenCircle::new(&Setup::of_seed(seed)), Rng::new(seed, 1));
        for _ in 0..60 {
            if game.turn() != Turn::Chance && game.phase() == Phase::Move {
                turns.push(game);
            }
            let step = match game.turn() {
                Turn::Chance => game.chance(&mut rng, &mut Vec::new()),
                _ => game.random_action(&mut rng, &mut Vec::new()),
            };
            game.apply(step.expect("a step"));
        }
    }
    turns
}

#[test]
fn an_evaluation_sees_nothing_that_is_hidden_and_adds_up_to_one() {
    let turns = turns();
    assert!(turns.len() > 20, "{} turns", turns.len());
    for game in turns {
        let player = game.active();
        let mut drawn = game;
        drawn.determinize(player, &mut Rng::new(5, 0));
        assert_eq!(drawn.evaluation(player), game.evaluation(player));
        let shares = [0, 1].map(|player| game.evaluation(player).expect("an evaluation"));
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-12);
        game.features(&mut |number, value| assert!(number < GreenCircle::names().len() && value.is_finite()));
    }
}
