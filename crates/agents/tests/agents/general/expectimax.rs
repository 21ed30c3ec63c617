//! Expectimax values positions as the plain recursion does.

use boughs::{Agent, Budget, Evaluations, Report, SearchError, Session, SessionEvaluator, StopReason, Turn};
use boughs_agents::AgentSpec;
use boughs_games::start;

fn build(spec: &str, position: &dyn Session) -> Box<dyn Agent> {
    spec.parse::<AgentSpec>().unwrap().build(position).unwrap()
}

fn search(spec: &str, position: &dyn Session, budget: Budget) -> Report {
    build(spec, position).search(budget, &mut |_| ()).unwrap()
}

/// The position of a game after some moves and, where chance acts then, its first event.
fn position(game: &str, moves: &str) -> Box<dyn Session> {
    let mut position = start(game).unwrap().position;
    position.play_moves(moves).unwrap();
    while position.turn() == Turn::Chance {
        let first = position.legal_moves()[0].0;
        position.apply(first);
    }
    position
}

/// The value of a position by lines of `left` moves, without pruning and without memory.
fn value(position: &dyn Session, player: usize, left: u32) -> f64 {
    let after = |action: u32| {
        let mut next = position.clone_session();
        next.apply(action);
        next
    };
    let mut actions = Vec::new();
    position.actions(&mut actions);
    match position.turn() {
        Turn::Over => position.reward(player),
        _ if left == 0 => position.evaluation(player).unwrap_or_else(|| position.cut_reward(player)),
        Turn::Chance => {
            let all: f64 = actions.iter().map(|&outcome| f64::from(position.weight(outcome))).sum();
            let share = |outcome: u32| f64::from(position.weight(outcome)) / all;
            actions.iter().map(|&outcome| share(outcome) * value(&*after(outcome), player, left)).sum()
        }
        Turn::Player(other) => {
            let values = actions.iter().map(|&action| value(&*after(action), player, left - 1));
            if other == player { values.fold(f64::MIN, f64::max) } else { values.fold(f64::MAX, f64::min) }
        }
    }
}

#[test]
fn the_best_action_has_the_value_of_the_plain_recursion() {
    for (game, moves, deepest) in [
        ("pig:goal=12", "", 4),
        ("pig:goal=20", "roll 5 roll 4", 4),
        ("2048", "", 2),
        ("tictactoe", "1 5", 7),
        ("connect4", "4 4 4 3", 5),
        ("nim:heaps=3-4-5", "", 5),
    ] {
        let position = position(game, moves);
        let Turn::Player(player) = position.turn() else { panic!("no turn of a player in {game}") };
        for depth in 1..=deepest {
            let spec = format!("expectimax:least=0,depth={depth}");
            let report = search(&spec, &*position, Budget::unlimited());
            let exact = |action: u32| {
                let mut next = position.clone_session();
                next.apply(action);
                value(&*next, player, depth - 1)
            };
            let best = report.children.iter().map(|child| exact(child.action)).fold(f64::MIN, f64::max);
            let found = exact(report.best.as_ref().unwrap().action);
            assert!((found - best).abs() < 1e-6, "{game} depth {depth}: {found} {best}\n{report}");
            // An evaluation may have a scale of its own.
            if position.evaluation(player).is_none() {
                let shown = report.best_child().unwrap().mean;
                assert!((shown - best).abs() < 1e-6, "{game} depth {depth}: {shown} {best}\n{report}");
            }
        }
    }
}

#[test]
fn an_action_whose_value_is_only_bounded_is_shown_without_one() {
    for (game, moves, are_lost) in [("tictactoe", "5 1 9", false), ("nim:heaps=1-2-3", "", true)] {
        let position = position(game, moves);
        let Turn::Player(player) = position.turn() else { panic!("no turn of a player in {game}") };
        let report = search("expectimax", &*position, Budget::unlimited());
        let shown: Vec<_> = report.children.iter().filter(|child| child.playouts > 0).collect();
        assert!(!shown.is_empty() && (shown.len() == report.children.len()) == are_lost, "{report}");
        for child in shown {
            let mut next = position.clone_session();
            next.apply(child.action);
            assert_eq!(child.value, Some(value(&*next, player, 9)), "{game} {}: {report}", child.text);
        }
    }
    let report = search("expectimax", &*position("connect4", "1 1 2 2 3 3"), Budget::iterations(20_000));
    let proven: Vec<_> = report.children.iter().filter_map(|child| Some((&*child.text, child.proven?))).collect();
    assert_eq!(proven, [("4", 1.0)], "{report}");
    assert!(report.children[1..].iter().all(|child| child.playouts == 0) && report.warnings.is_empty(), "{report}");
    let lost = search("expectimax", &*position("connect4", "1 4 1 3 7 5"), Budget::iterations(20_000));
    assert!(lost.children.iter().all(|child| child.playouts > 0 && child.mean == 0.0), "{lost}");
}

/// The value of a position by lines of `left` moves, and a network at their ends.
fn value_by_net(net: &dyn SessionEvaluator, position: &dyn Session, player: usize, left: u32) -> f64 {
    let Turn::Player(other) = position.turn() else { return position.reward(player) };
    if left == 0 {
        let mut evaluations = Evaluations::default();
        net.evaluate(&[position], &mut evaluations);
        return evaluations.get(0).unwrap().0[player];
    }
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let values = actions.into_iter().map(|action| {
        let mut next = position.clone_session();
        next.apply(action);
        value_by_net(net, &*next, player, left - 1)
    });
    if other == player { values.fold(f64::MIN, f64::max) } else { values.fold(f64::MAX, f64::min) }
}

#[test]
fn a_network_values_the_ends_of_lines_of_each_depth() {
    let position = position("connect4", "4 4 4 3");
    let net = boughs_nets::read_evaluator(&*position, std::path::Path::new("built-in")).unwrap();
    let mut iterations = Vec::new();
    for depth in 1..=4 {
        let spec = format!("expectimax:net=built-in,depth={depth}");
        let report = search(&spec, &*position, Budget::unlimited());
        let best = value_by_net(&*net, &*position, 0, depth);
        let shown = report.best_child().unwrap().mean;
        assert!((shown - best).abs() < 1e-6, "depth {depth}: {shown} {best}\n{report}");
        iterations.push(report.iterations);
    }
    assert!(iterations.is_sorted_by(|a, b| a < b), "{iterations:?}");
}

#[test]
fn moves_that_are_made_at_once_are_refused() {
    let position = start("photosynthesis").unwrap().position;
    let fault = "expectimax".parse::<AgentSpec>().unwrap().build(&*position).err().unwrap().to_string();
    assert!(fault.contains("expectimax needs moves one after the other"), "{fault}");
}

#[test]
fn a_game_that_ends_within_the_depth_is_searched_completely() {
    let report = search("expectimax", &*position("tictactoe", "5 1"), Budget::unlimited());
    assert_eq!((report.stop, report.depth, report.best_child().unwrap().mean), (StopReason::Complete, 7, 0.5));
    let report = search("expectimax", &*position("tictactoe", "5 1 2"), Budget::iterations(3));
    assert_eq!(report.stop, StopReason::Iterations);
    assert!(report.iterations <= 3 && report.best.is_some(), "{report}");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for (game, moves) in [("pig", "roll 5"), ("2048", ""), ("connect4", ""), ("othello", "")] {
        let at = |threads: u32| {
            let agent = format!("expectimax:threads={threads}");
            let report = search(&agent, &*position(game, moves), Budget::iterations(20_000));
            (report.best, report.iterations, report.children, report.depth)
        };
        let one = at(1);
        assert!(one.1 > 1_000 && one.1 <= 20_000, "{game} {}", one.1);
        assert!(at(2) == one && at(5) == one, "{game}");
    }
}

#[test]
fn the_deadline_is_kept_and_leaves_the_last_complete_depth() {
    let report = search("expectimax", &*position("othello", ""), Budget::time(std::time::Duration::from_millis(40)));
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.depth > 1 && report.best.is_some() && report.seconds < 0.3, "{report}");
}

#[test]
fn unlikely_positions_are_not_looked_into() {
    let at = |least: f64| {
        let agent = format!("expectimax:depth=3,least={least}");
        search(&agent, &*position("2048", ""), Budget::unlimited()).iterations
    };
    assert!(3 * at(0.02) < at(0.0), "{} {}", at(0.02), at(0.0));
}

#[test]
fn a_game_with_hidden_cards_is_refused_in_one_sentence() {
    let error = "expectimax".parse::<AgentSpec>().unwrap().build(&*position("kuhn", "QJ")).err();
    let Some(SearchError::Unsupported { reason, instead }) = error else { panic!("{error:?}") };
    assert_eq!(
        (&*reason, &*instead),
        ("expectimax needs known positions, and this game has hidden information", "flat")
    );
}
