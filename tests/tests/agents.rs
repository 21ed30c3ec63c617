//! Every agent in every game: it plays a legal move, or an error names an agent that does; certain wins are taken, and
//! certain losses are prevented.

use boughs::{Agent, Budget, Report, SearchError, Session, Turn};
use boughs_agents::AgentSpec;
use boughs_games::entries;
use boughs_tests::position;

/// An agent in a position.
fn build(agent: &str, seed: u64, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
    agent.parse::<AgentSpec>().expect(agent).with_seed(seed).build(position)
}

fn search(position: &dyn Session, agent: &str, seed: u64, playouts: u64) -> Report {
    build(agent, seed, position).unwrap().search(Budget::iterations(playouts), &mut |_| ()).unwrap()
}

/// The text of the move that an agent finds.
fn best(position: &dyn Session, agent: &str, seed: u64, playouts: u64) -> Option<String> {
    search(position, agent, seed, playouts).best.map(|best| best.text)
}

/// Plays a few moves by an agent, or by the one that the error names instead.
fn play_a_few_moves(name: &str, game: &str) {
    let start = position(game, "");
    let mut agent = match build(name, 0, &*start) {
        Err(SearchError::Unsupported { instead, .. }) => {
            assert_ne!(instead, name, "an agent does not name itself instead");
            build(&instead, 0, &*start)
        }
        other => other,
    }
    .unwrap();
    for _ in 0..4 {
        let legal = agent.position().legal_moves();
        let report = agent.search(Budget::iterations(300), &mut |_| ()).unwrap();
        let action = match agent.position().turn() {
            Turn::Over => return assert_eq!(report.best, None),
            Turn::Chance => legal[0].0,
            Turn::Player(_) => {
                assert_eq!(report.children.len(), legal.len(), "{game} {name}");
                // Each of four ranks makes the playouts of the limit.
                let most = if name == "ranks" { 1_200 } else { 300 };
                assert!(report.iterations <= most && report.depth > 0, "{game} {name}: {report}");
                report.best.unwrap().action
            }
        };
        assert!(legal.iter().any(|&(other, _)| other == action), "{game} {name}");
        agent.advance(action).unwrap();
    }
}

#[test]
fn every_agent_plays_every_game_or_names_one_that_does() {
    let general: Vec<_> = AgentSpec::list().into_iter().filter(|agent| agent.game.is_none()).collect();
    assert!(general.len() > 4, "{} agents play every game", general.len());
    for game in entries() {
        for agent in &general {
            play_a_few_moves(agent.name, game.name);
        }
    }
}

#[test]
fn an_agent_of_one_game_names_one_that_plays_the_others() {
    for agent in AgentSpec::list() {
        let Some(own) = agent.game else { continue };
        for game in entries().iter().filter(|game| game.name != own) {
            let start = position(game.name, "");
            match build(agent.name, 0, &*start).map(drop) {
                Err(SearchError::Unsupported { instead, .. }) => drop(build(&instead, 0, &*start).unwrap()),
                other => panic!("{} in {}: {other:?}", agent.name, game.name),
            }
        }
    }
}

#[test]
fn a_win_in_one_is_taken() {
    for agent in ["mcts", "flat", "flat:policy=ucb1", "flat:policy=uniform", "beam"] {
        // Both could win; it is the turn of the first, and then of the second.
        for (moves, win) in [("1425", "3"), ("14259", "6")] {
            let found = best(&*position("tictactoe", moves), agent, 1, 2_000);
            assert_eq!(found.as_deref(), Some(win), "{agent} after {moves}");
        }
    }
}

#[test]
fn a_loss_in_one_is_prevented() {
    for agent in ["mcts", "flat", "flat:policy=ucb1"] {
        let found = best(&*position("tictactoe", "152"), agent, 1, 4_000);
        assert_eq!(found.as_deref(), Some("3"), "{agent}");
    }
}

#[test]
fn no_agent_folds_the_king_or_calls_with_the_jack() {
    let determinization = ["determinization", "determinization:worlds=100,threads=2"];
    for agent in determinization.into_iter().chain(["flat", "flat:policy=ucb1", "mcts"]) {
        for seed in 0..5 {
            for (moves, right) in
                [("JK bet", "call"), ("QJ bet", "fold"), ("KQ check bet", "call"), ("JK check bet", "fold")]
            {
                let found = best(&*position("kuhn", moves), agent, seed, 1_000);
                assert_eq!(found.as_deref(), Some(right), "{agent} after {moves}");
            }
        }
    }
}

#[test]
fn hidden_cards_do_not_show_in_a_report() {
    for agent in ["determinization", "flat", "mcts"] {
        let line = |moves| {
            let mut report = search(&*position("kuhn", moves), agent, 3, 500);
            (report.seconds, report.playouts_per_second) = (0.0, 0.0);
            format!("{report:?}")
        };
        assert_eq!(
            line("QK check"),
            line("JK check"),
            "{agent}: the second player has the king, and does not see the queen"
        );
    }
}

#[test]
fn every_determinization_counts_alike() {
    // A queen that calls meets a jack or a king.
    let report = search(&*position("kuhn", "JQ bet"), "determinization:worlds=1000", 1, 30_000);
    let call = report.children.iter().find(|child| child.text == "call").expect("a call").mean;
    assert!(call.abs() < 0.3, "calling wins as often as it loses two chips: {call}");
}

#[test]
fn all_determinizations_are_searched_where_the_other_chooses_first() {
    let report = search(&*position("matrix", "rock"), "determinization:worlds=200", 1, 20_000);
    assert_eq!(report.iterations, 20_000);
    let means: Vec<f64> = report.children.iter().map(|child| child.mean).collect();
    assert!(means.iter().all(|mean| (mean - 0.5).abs() < 0.12), "the other chooses evenly: {means:?}");
}
