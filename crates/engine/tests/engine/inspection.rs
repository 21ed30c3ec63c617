//! The tree as readers see it: while workers search, after a search, and iteration by iteration.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs::{Budget, Session, Settings, StopFlag, TreeSearch, Turn};

use crate::common::{Halves, Hidden, Spot};

fn search(agent: &str) -> Box<dyn TreeSearch> {
    let settings: Settings = agent.parse().unwrap();
    (&Halves::thicket(13, 2) as &dyn Session).tree_search(settings).unwrap()
}

#[test]
fn the_root_has_the_numbers_of_the_report() {
    for agent in ["mcts", "mcts:threads=3,parallel=independent", "mcts:policy=rave", "mcts:threads=2,loss=wu"] {
        let mut search = search(agent);
        let report = search.run(Budget::iterations(5_000).early_stop(false)).unwrap();
        let root = search.node(&[]).unwrap();
        assert_eq!((root.visits, root.in_flight), (report.iterations, 0), "{agent}");
        assert_eq!(root.children.len(), report.children.len(), "{agent}");
        for child in &report.children {
            let seen = root.children.iter().find(|seen| seen.action == child.action).unwrap();
            assert_eq!(seen.visits, child.playouts, "{agent}");
            assert!((seen.mean - child.mean).abs() < 1e-9, "{agent}");
            let is_ucb1 = !agent.contains("policy") && !agent.contains("independent");
            assert_eq!(seen.exploration.is_some(), is_ucb1 && seen.visits > 0, "{agent}");
        }
    }
}

#[test]
fn the_exploration_term_is_that_of_ucb1() {
    let mut search = search("mcts:c=0.7");
    search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
    for child in search.node(&[]).unwrap().children {
        let expected = 0.7 * (1_000f64.ln() / child.visits as f64).sqrt();
        assert!((child.exploration.unwrap() - expected).abs() < 1e-6, "{child:?}");
    }
}

#[test]
fn every_node_can_be_read_while_the_search_runs() {
    let mut search = search("mcts:threads=4");
    let (flag, mut looks, mut deepest) = (StopFlag::default(), 0, 0);
    let budget = Budget::time(Duration::from_secs(30)).or_stopped_by(flag.clone()).early_stop(false);
    search
        .watch(budget, &mut |running| {
            let mut path = Vec::new();
            while let Some(view) = running.node(&path) {
                let Some(best) = view.children.iter().max_by_key(|child| child.visits) else { break };
                assert!(best.mean.is_finite() && (0.0..=1.0).contains(&best.mean), "{best:?}");
                path.push(best.action);
            }
            assert!(running.node(&[u32::MAX]).is_none());
            (looks, deepest) = (looks + 1, deepest.max(path.len()));
            if looks == 5 {
                flag.raise();
            }
        })
        .unwrap();
    assert!(looks >= 5 && deepest >= 2, "{looks} looks, {deepest} deep");
    assert_eq!(search.node(&[]).unwrap().in_flight, 0);
}

#[test]
fn iterations_are_made_one_by_one() {
    for agent in ["mcts", "mcts:solver=on", "mcts:policy=rave", "mcts:threads=2,parallel=batched"] {
        let mut search = search(agent);
        let Turn::Player(player) = search.position().turn() else { unreachable!() };
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for number in 1..=200 {
            let Some(iteration) = search.iterate().unwrap() else {
                assert!(agent.contains("solver"), "{agent} has ended at {number}");
                break;
            };
            assert_eq!(search.node(&[]).unwrap().visits, number, "{agent}");
            let leaf = search.node(&iteration.path).unwrap();
            assert!(leaf.visits >= 1, "{agent}: {iteration:?}");
            let Some(first) = iteration.path.first() else { continue };
            let sum = sums.entry(*first).or_default();
            *sum += iteration.rewards[player];
            let child = search.node(&[]).unwrap().children.into_iter().find(|child| child.action == *first).unwrap();
            // The solver corrects sums where it proves an outcome.
            if agent.contains("solver") {
                continue;
            }
            assert!((child.mean * child.visits as f64 - *sum).abs() < 1e-6, "{agent}: {child:?} has not {sum}");
        }
        assert!(sums.len() > 1 || agent.contains("solver"), "{agent}");
    }
}

#[test]
fn a_tree_of_information_sets_is_the_same_whatever_is_hidden() {
    // The first player guesses the other one's card.
    let start = |card: u64| {
        Hidden::table(2, [0, card], |[ply, card]| match ply {
            0 => {
                let guess = |guess: u32| (guess, [1, u64::from(u64::from(guess) == card)]);
                Spot { twins: [vec![[0, 0], [0, 1]], Vec::new()], ..Spot::player(0, [guess(0), guess(1)]) }
            }
            _ => Spot::over_for_two(card as f64),
        })
    };
    for agent in ["mcts:tree=single", "mcts:tree=multi", "mcts:policy=rm", "mcts:threads=2,parallel=batched"] {
        let tree = |card| {
            let mut search = Session::tree_search(&start(card), agent.parse().unwrap()).unwrap();
            search.run(Budget::iterations(500).early_stop(false)).unwrap();
            search.dump(usize::MAX)
        };
        assert!(tree(0) == tree(1), "{agent}");
    }
}

#[test]
fn a_tree_of_information_sets_shows_its_root_alone() {
    let settings: Settings = "mcts".parse().unwrap();
    let mut search = Session::tree_search(&Hidden::weather(7, 2), settings).unwrap();
    let report = search.run(Budget::iterations(500).early_stop(false)).unwrap();
    let root = search.node(&[]).unwrap();
    assert!(!root.children.is_empty());
    assert!(!matches!(search.tree_kind(), boughs::TreeKind::Plain | boughs::TreeKind::Open));
    assert!(search.node(&[report.children[0].action]).is_none());
}

#[test]
fn a_mean_of_regret_matching_is_that_against_the_strategy_of_the_other() {
    // The second player answers unseen by 0, for a reward of 3/4 and a regret of none; 1 is worth 0, and no strategy
    // draws it that has learned once. Against it both choices of the first are worth 1/4. The second explores in half
    // of the playouts and answers 1 then in 0.6 / 2 of them, so with these a mean would be
    // 1/4 + 1/2 * 0.6 / 2 * 3/4 = 0.36.
    let game = Hidden::table(2, [0, 0], |[ply, answer]| match ply {
        0 => Spot::player(0, (0..2).map(|choice| (choice, [1, u64::from(choice)]))),
        1 => Spot {
            twins: [Vec::new(), vec![[1, 0], [1, 1]]],
            ..Spot::player(1, (0..2).map(|answer| (answer, [2, u64::from(answer)])))
        },
        _ => Spot::over_for_two(if answer == 0 { 0.25 } else { 1.0 }),
    });
    let settings: Settings = "mcts:policy=rm,traversals=1".parse().unwrap();
    let mut search = (&game as &dyn Session).tree_search(settings).unwrap();
    let report = search.run(Budget::iterations(2_000).early_stop(false)).unwrap();
    let seen = search.node(&[]).unwrap().children;
    for mean in report.children.iter().map(|child| child.mean).chain(seen.iter().map(|child| child.mean)) {
        assert!((mean - 0.25).abs() < 0.01, "{mean}");
    }
}
