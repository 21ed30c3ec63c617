//! Searches in games with simultaneous choices and hidden cards, judged by exact solutions.

use boughs::{Action, Budget, Game, Report, Rng, Search, Settings, Turn};
use boughs_games::goofspiel::{Goofspiel, Order};
use boughs_games::kuhn::Kuhn;
use boughs_games::matrix::{Matrix, Table};
use boughs_games::{Listed, Visitor, visit};
use boughs_tests::exact::{matrix, simultaneous, strategy};

const DRIVERS: [&str; 4] =
    ["threads=1", "threads=2", "threads=2,parallel=independent", "threads=2,parallel=batched,batch=16"];

fn search<G: Game>(position: &G, agent: &str, playouts: u64, seed: u64) -> (Search<G>, Report<G::Action>) {
    let settings = Settings { seed, memory: 64 << 20, ..agent.parse().expect(agent) };
    let mut search = Search::new(position.clone(), settings).expect(agent);
    let report = search.run(Budget::iterations(playouts).early_stop(false)).expect(agent);
    (search, report)
}

/// How often a search plays each legal action: by the average strategy where there is one, else by playouts.
fn mixture<G: Game>(position: &G, agent: &str, playouts: u64, seed: u64) -> Vec<f64> {
    let (_, report) = search(position, agent, playouts, seed);
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let share = |action: &G::Action| {
        let child = report.children.iter().find(|child| child.action.code() == action.code()).expect("a legal action");
        child.strategy.unwrap_or(child.playouts as f64 / playouts as f64)
    };
    actions.iter().map(share).collect()
}

/// The same position with the other player to choose, who must not know what the first one has chosen.
fn for_the_second<G: Game>(position: &G) -> G {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let mut second = position.clone();
    second.apply(actions[0]);
    second
}

fn both<G: Game>(position: &G, agent: &str, playouts: u64) -> [Vec<f64>; 2] {
    [mixture(position, agent, playouts, 1), mixture(&for_the_second(position), agent, playouts, 2)]
}

#[test]
fn regret_matching_comes_within_a_hundredth_of_the_equilibria_of_tables() {
    for (table, driver) in [
        (Table::Biased, DRIVERS[0]),
        (Table::Random(2), DRIVERS[1]),
        (Table::Biased, DRIVERS[2]),
        (Table::Biased, DRIVERS[3]),
    ] {
        let [rows, columns] = both(&Matrix::new(table), &format!("mcts:policy=rm,{driver}"), 1_000_000);
        let exploitability = matrix::exploitability(&table.rows(), &rows, &columns);
        assert!(exploitability < 0.01, "{table:?}, {driver}: {exploitability}, {rows:?} {columns:?}");
    }
}

#[test]
fn regret_matching_finds_the_strategy_of_the_first_bid_in_goofspiel() {
    let start = Goofspiel::new(4, Order::Descending).expect("four cards");
    let [rows, columns] = both(&start, "mcts:policy=rm", 200_000);
    let exploitability = matrix::exploitability(&simultaneous::table(&start), &rows, &columns);
    assert!(exploitability < 0.01, "{exploitability}: {rows:?} {columns:?}");
}

#[test]
fn dominated_choices_are_never_played() {
    let start = Matrix::new(Table::Dominated);
    for policy in ["ucb1", "rm"] {
        for driver in DRIVERS {
            for seed in 0..10 {
                for position in [start, for_the_second(&start)] {
                    let (_, report) = search(&position, &format!("mcts:policy={policy},{driver}"), 3_000, seed);
                    assert_ne!(
                        report.best.map(|best| best.text).as_deref(),
                        Some("c"),
                        "{policy}, {driver}, seed {seed}"
                    );
                }
            }
        }
    }
}

#[test]
fn nobody_folds_the_king_or_calls_with_the_jack() {
    for agent in ["tree=multi", "tree=single", "policy=rm"] {
        for driver in DRIVERS {
            for position in strategy::decisions(&Kuhn::default()) {
                let Turn::Player(player) = position.turn() else { panic!("somebody decides") };
                for seed in 0..3 {
                    let (_, report) = search(&position, &format!("mcts:{agent},{driver}"), 2_000, seed);
                    let best = report.best.expect("a move").text;
                    let card = position.card(player).expect("the cards are dealt");
                    assert!(
                        ![('K', "fold"), ('J', "call")].contains(&(card, &best)),
                        "{agent}, {driver}: {position:?}"
                    );
                }
            }
        }
    }
}

/// Checks that a decision does not depend on what the player to move cannot see.
struct Leaks;

impl Visitor for Leaks {
    type Output = u32;
    fn visit<G: Listed>(self, start: G) -> u32 {
        let mut compared = 0;
        for game in 0..6 {
            let mut rng = Rng::new(9, game);
            let mut position = start.clone();
            let mut scratch = Vec::new();
            while position.turn() != Turn::Over {
                if let Turn::Player(player) = position.turn() {
                    let mut other = position.clone();
                    other.determinise(player, &mut rng);
                    if other.turn() == position.turn() {
                        compared += u32::from(other.board() != position.board());
                        assert_same_decision(&position, &other);
                    }
                }
                let action = match position.turn() {
                    Turn::Chance => position.chance(&mut rng, &mut scratch),
                    _ => position.random_action(&mut rng, &mut scratch),
                };
                position.apply(action.expect("the game goes on"));
            }
        }
        compared
    }
}

fn assert_same_decision<G: Listed>(position: &G, other: &G) {
    for agent in ["mcts:tree=multi", "mcts:tree=single", "mcts:tree=multi,policy=rm,parallel=batched"] {
        let decide = |position: &G| {
            let (mut search, report) = search(position, agent, 300, 5);
            (search.dump(usize::MAX), report.best, report.children)
        };
        assert_eq!(decide(position), decide(other), "{agent}: {}\nand\n{}", position.board(), other.board());
    }
}

#[test]
fn the_whole_decision_is_the_same_for_states_the_player_cannot_tell_apart() {
    for spec in ["kuhn", "whist:hand=4", "whist:hand=6"] {
        let compared = visit(spec, Leaks).expect(spec);
        assert!(compared > 3, "{spec}: {compared} pairs of different states");
    }
}

#[test]
fn a_secret_choice_does_not_reach_the_other_player() {
    let start = Goofspiel::new(5, Order::Descending).expect("five cards");
    let mut bids = Vec::new();
    start.actions(&mut bids);
    let after = |bid| {
        let mut position = start;
        position.apply(bid);
        position
    };
    for bid in &bids[1..] {
        assert_same_decision(&after(bids[0]), &after(*bid));
    }
}

#[test]
fn hidden_cards_are_searched_only_by_trees_of_what_players_know() {
    let misfit = |agent: &str| {
        let error = Search::new(Kuhn::default(), agent.parse().expect(agent)).map(|_| ()).unwrap_err();
        error.to_string()
    };
    assert_eq!(misfit("mcts:tree=plain"), "a plain tree would look at what players do not know; try mcts");
    assert!(misfit("mcts:tree=open,c=0.5").ends_with("try mcts:c=0.5,tree=single"));
    assert!(misfit("mcts:tree=single,policy=rm").ends_with("try mcts:policy=rm,tree=multi"));
    assert!(misfit("mcts:solver=on").ends_with("try mcts"));
}
