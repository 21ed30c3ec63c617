//! The distance of agents from an equilibrium in Kuhn poker.

use boughs::{Action, Budget, Game};
use boughs_agents::AgentSpec;
use boughs_games::kuhn::Kuhn;
use boughs_tests::exact::strategy::{Strategy, decisions, expected, exploitability};

/// The share of each action in each decision of an agent, over searches that differ by their seed.
fn played(agent: &str, playouts: u64, seeds: u64) -> Strategy {
    let mut strategy = Strategy::uniform();
    for position in decisions(&Kuhn::default()) {
        let (mut actions, mut counts) = (Vec::new(), Vec::new());
        position.actions(&mut actions);
        counts.resize(actions.len(), 0.0);
        for seed in 0..seeds {
            let mut spec: AgentSpec = agent.parse().expect(agent);
            // Agents without a tree have no such key.
            _ = spec.set("memory", "16M");
            let mut search = spec.with_seed(seed).build(&position).expect(agent);
            let budget = Budget::iterations(playouts).early_stop(false);
            let report = search.search(budget, &mut |_| ()).expect(agent);
            let best = report.best.expect("a move");
            let index = actions.iter().position(|action| action.code() == best.action).expect("a legal move");
            counts[index] += 1.0 / seeds as f64;
        }
        strategy.set(&position, counts);
    }
    strategy
}

#[test]
fn agents_are_much_harder_to_exploit_than_playing_at_random() {
    let start = Kuhn::default();
    let at_random = exploitability(&start, &Strategy::uniform());
    for agent in ["mcts", "mcts:policy=rm"] {
        let found = exploitability(&start, &played(agent, 500, 40));
        assert!(found < 0.6 * at_random, "{agent}: {found} of {at_random} chips a game");
    }
}

#[test]
fn a_mean_of_regret_matching_is_that_of_players_who_follow_their_strategies() {
    let mut start = boughs_games::start("kuhn").expect("a game").position;
    start.play_moves("JK").expect("legal moves");
    let search = "mcts:policy=rm,memory=16M".parse::<AgentSpec>().expect("an agent").build(&*start);
    let report = search.expect("a search").search(Budget::iterations(100_000).early_stop(false), &mut |_| ());
    let children = report.expect("a report").children;
    let check = children.iter().find(|child| child.text == "check").expect("a move");
    // The jack loses the ante, and folds if the king bets. A player who explores calls too, for two chips.
    assert!((check.mean + 1.0).abs() < 0.05, "{}", check.mean);
}

/// `AGENTS="mcts mcts:policy=rm" PLAYOUTS=10000 cargo test --release -p boughs-tests kuhn -- --ignored --nocapture`
#[test]
#[ignore = "prints a table and checks nothing"]
fn table_of_exploitability() {
    let playouts = std::env::var("PLAYOUTS").map_or(10_000, |text| text.parse().expect("PLAYOUTS is a whole number"));
    let start = Kuhn::default();
    for agent in std::env::var("AGENTS").unwrap_or_else(|_| "mcts mcts:policy=rm".into()).split(' ') {
        let strategy = played(agent, playouts, 400);
        let (value, loss) = (expected(&start, &strategy), exploitability(&start, &strategy));
        println!("{agent}, {playouts} playouts: exploitable by {loss:.4} chips a game, first player gets {value:+.4}");
    }
}
