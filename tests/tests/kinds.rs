//! Every kind of game is searched in every driver, and the result is right: solved games, games of chance, games for
//! one with scores, games for three.

use boughs::{Budget, Report, Rng, SearchError, Session, Settings, StopReason, Turn, Warning};
use boughs_tests::position;

const DRIVERS: [&str; 4] =
    ["threads=1", "threads=2", "threads=2,parallel=independent", "threads=2,parallel=batched,batch=16"];

fn search(position: &dyn Session, agent: &str, playouts: u64) -> Result<Report, SearchError> {
    let settings = Settings { seed: 1, ..agent.parse().expect(agent) };
    position.tree_search(settings)?.search(Budget::iterations(playouts).early_stop(false), &mut |_| ())
}

/// The result of a search from the start of a game.
struct Found {
    proven: Option<f64>,
    stop: StopReason,
    playouts: u64,
}

fn find(game: &str, agent: &str, playouts: u64) -> Found {
    let report = search(&*position(game, ""), agent, playouts).expect(agent);
    let best = report.best_child().expect("a move");
    Found { proven: best.proven, stop: report.stop, playouts: report.iterations }
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    for driver in DRIVERS {
        let found = find("tictactoe", &format!("mcts:solver=on,{driver}"), 1_000_000);
        assert_eq!((found.stop, found.proven), (StopReason::Proven, Some(0.5)), "{driver}");
        assert!(found.playouts < 200_000, "{driver}: {} playouts", found.playouts);
    }
}

#[test]
fn nim_for_two_is_solved_by_the_sum_without_carries() {
    // 3, 4 and 5 stones: two from the first heap leave 1, 4 and 5, whose sum is 0.
    let start = find("nim:heaps=3-4-5,players=2", "mcts:solver=on", 3_000_000);
    assert_eq!((start.stop, start.proven), (StopReason::Proven, Some(1.0)));
    let lost = find("nim:heaps=1-4-5,players=2", "mcts:solver=on", 3_000_000);
    assert_eq!((lost.stop, lost.proven), (StopReason::Proven, Some(0.0)));
}

#[test]
fn three_players_each_play_for_themselves() {
    // Taking the last stone wins: with one heap left that is the player to move, against any plan of the others.
    for driver in DRIVERS {
        let found = find("nim:heaps=7,players=3", &format!("mcts:solver=on,{driver}"), 10_000);
        assert_eq!((found.stop, found.proven), (StopReason::Proven, Some(1.0)), "{driver}");
        // Two heaps of one stone: after any move the next player takes the last stone.
        let found = find("nim:heaps=1-1,players=3", &format!("mcts:solver=on,{driver}"), 10_000);
        assert_eq!((found.stop, found.proven), (StopReason::Proven, Some(0.0)), "{driver}");
    }
}

/// A position of 2048 after a number of random moves.
fn middle_of_2048(plies: usize) -> Box<dyn Session> {
    let mut position = position("2048", "");
    let mut rng = Rng::new(4, 0);
    for _ in 0..plies {
        let action = match position.turn() {
            Turn::Chance => position.chance(&mut rng),
            _ => position.random_action(&mut rng),
        };
        position.apply(action.expect("the game goes on"));
    }
    while position.turn() == Turn::Chance {
        let tile = position.chance(&mut rng).expect("a free cell");
        position.apply(tile);
    }
    position
}

/// Plays a whole game of 2048.
fn score_of_2048(agent: &str, playouts: u64, seed: u64) -> f64 {
    let settings = Settings { seed, memory: 16 << 20, ..agent.parse().expect(agent) };
    let mut search = position("2048", "").tree_search(settings).expect(agent);
    let mut rng = Rng::new(seed, 1);
    loop {
        let action = match search.position().turn() {
            Turn::Over => return search.position().reward(0),
            Turn::Chance => search.position().chance(&mut rng),
            Turn::Player(_) => {
                let report = search.search(Budget::iterations(playouts), &mut |_| ()).expect(agent);
                report.best.map(|best| best.action)
            }
        };
        search.advance(action.expect("the game goes on")).expect(agent);
    }
}

#[test]
fn scores_without_bounds_are_searched_and_the_best_plan_is_kept() {
    let position = middle_of_2048(60);
    for tree in ["plain", "open"] {
        for driver in DRIVERS {
            let agent = format!("mcts:tree={tree},{driver}");
            let report = search(&*position, &agent, 2_000).expect(&agent);
            assert!(!report.warnings.contains(&Warning::RewardClamped), "{agent}");
            let plan = report.best_playout.as_ref().expect("a game for one has a plan");
            let mut end = position.clone();
            for step in &plan.moves {
                end.apply(step.action);
            }
            assert_eq!((end.turn(), end.reward(0)), (Turn::Over, plan.score), "{agent}: the plan leads to its score");
            let best = report.best_child().expect("a move");
            assert!(plan.score > best.mean && best.mean > position.cut_reward(0), "{agent}: {}", best.mean);
        }
    }
}

#[test]
fn a_search_of_2048_scores_many_times_what_chance_does() {
    let mean = |score: &dyn Fn(u64) -> f64| (0..4).map(score).sum::<f64>() / 4.0;
    // Random play makes about 1,100 points.
    for tree in ["plain", "open"] {
        let score = mean(&|seed| score_of_2048(&format!("mcts:tree={tree}"), 60, seed));
        assert!(score > 5_000.0, "{tree}: {score}");
    }
}

#[test]
fn a_game_whose_start_is_chance_has_nothing_to_decide_there() {
    let report = search(&*position("2048", ""), "mcts", 100).expect("no fault");
    assert_eq!((report.best, report.stop), (None, StopReason::Chance));
}

#[test]
fn unsupported_settings_are_an_error_that_names_supported_ones() {
    let fault = |agent: &str| search(&*position("tictactoe", ""), agent, 1).map(|_| ()).unwrap_err().to_string();
    let secrets = "a tree of information sets needs hidden information or simultaneous choices, and here is neither";
    assert_eq!(fault("mcts:tree=multi,c=0.5"), format!("{secrets}; try mcts:c=0.5"));
    assert_eq!(fault("mcts:tree=multi,policy=rm"), format!("{secrets}; try mcts"));
    assert!(fault("mcts:tree=open").starts_with("an open loop is for games with chance"));
    assert!(fault("mcts:policy=rm").ends_with("; try mcts"));
    let fault = |agent: &str| search(&*middle_of_2048(9), agent, 1).map(|_| ()).unwrap_err().to_string();
    assert!(fault("mcts:solver=on").ends_with("and this game has scores; try mcts"));
    assert!(fault("mcts:tree=open,solver=on").ends_with("; try mcts:tree=open"));
    assert!(fault("mcts:loss=wu").ends_with("; try mcts"));
}

#[test]
fn a_win_without_room_for_its_proof_is_played_all_the_same() {
    let two_in_a_row = position("tictactoe", "1425");
    let mut searched = 0;
    for memory in (100..400).step_by(4) {
        let settings = Settings { solver: true, memory, ..Settings::default() };
        let Ok(mut search) = two_in_a_row.tree_search(settings) else { continue };
        let Ok(report) = search.search(Budget::iterations(300).early_stop(false), &mut |_| ()) else { continue };
        searched += 1;
        assert_eq!(report.best.map(|best| best.text).as_deref(), Some("3"), "{memory} bytes");
    }
    assert!(searched > 20, "{searched}");
}

#[test]
fn trees_of_players_who_choose_at_the_same_time_are_kept() {
    for driver in DRIVERS {
        let settings = Settings { seed: 1, ..format!("mcts:{driver}").parse().expect(driver) };
        let mut search = position("goofspiel:cards=5", "").tree_search(settings).expect(driver);
        let mut kept = 0;
        loop {
            match search.position().turn() {
                Turn::Over => break,
                Turn::Player(0) => {
                    let report = search.search(Budget::iterations(2_000).early_stop(false), &mut |_| ()).expect(driver);
                    assert_eq!(report.inherited, kept, "{driver}");
                    let best = report.best_child().expect("a move");
                    kept = best.playouts;
                    search.advance(best.action).expect(driver);
                }
                _ => {
                    let first = search.position().legal_moves()[0].0;
                    search.advance(first).expect(driver);
                }
            }
        }
        assert!(kept > 0, "{driver}");
    }
}
