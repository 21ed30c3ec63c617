//! Tests of searches that merge.

use std::time::Duration;

use crate::mcts::Search;
use crate::testing::{Corridor, Nim};
use crate::{Agent, Budget, Game, Information, Report, Rng, Settings, TreeSearch, Turn};

/// Searches of one position with other seeds.
fn searches<G: Game>(position: &G, text: &str, count: u64) -> Vec<Search<G>> {
    let search = |seed| {
        let settings = Settings { seed, memory: 1 << 22, ..text.parse().expect("settings") };
        let mut search = Search::new(position.clone(), settings).expect("a search");
        search.start_merging();
        search
    };
    (0..count).map(search).collect()
}

/// Adds up the contributions of all, and lets each merge.
fn merge<G: Game>(searches: &mut [Search<G>]) {
    let contributions: Vec<Vec<i64>> = searches.iter().map(TreeSearch::contribution).collect();
    let sums: Vec<i64> =
        (0..contributions[0].len()).map(|place| contributions.iter().map(|numbers| numbers[place]).sum()).collect();
    searches.iter_mut().for_each(|search| search.merge(&sums));
}

/// Searches and merges some times.
fn run<G: Game>(searches: &mut [Search<G>], rounds: u64, playouts: u64) {
    for _ in 0..rounds {
        for search in &mut *searches {
            search.run(Budget::iterations(playouts).early_stop(false)).expect("a report");
        }
        merge(searches);
    }
}

/// The children of a report by their actions: playouts and mean, which searches tell each other in millionths.
fn children(report: &Report) -> Vec<(u32, u64, f64)> {
    let mut children: Vec<_> =
        report.children.iter().map(|child| (child.action, child.playouts, (child.mean * 1e5).round())).collect();
    children.sort_by_key(|&(action, ..)| action);
    children
}

fn playouts(report: &Report) -> u64 {
    report.children.iter().map(|child| child.playouts).sum()
}

#[test]
fn every_playout_of_all_searches_counts_once_in_each() {
    // Narrow lines, words, scores, a policy, the solver, several trees, batches.
    for text in [
        "mcts",
        "mcts:loss=3",
        "mcts:policy=rave",
        "mcts:policy=ucb1-tuned",
        "mcts:solver=on",
        "mcts:threads=2,parallel=independent",
        "mcts:parallel=batched,batch=16",
        "mcts:tree=open",
    ] {
        let mut searches = searches(&Nim::new(30), text, 3);
        run(&mut searches, 4, 1_000);
        let reports: Vec<Report> = searches.iter().map(Search::report).collect();
        assert_eq!(playouts(&reports[0]), 12_000, "{text}");
        assert!(reports.iter().all(|report| children(report) == children(&reports[0])), "{text}");
    }
}

#[test]
fn trees_hold_the_visits_of_all_down_to_the_children_of_children() {
    for (text, stones) in [("mcts", 30), ("mcts:loss=2", 30), ("mcts:policy=grave", 30), ("mcts:memory=1M", 200)] {
        let mut searches = searches(&Nim::new(stones), text, 4);
        run(&mut searches, 6, 3_000);
        let nodes = |search: &Search<Nim>, path: &[u32]| {
            let view = TreeSearch::node(search, path).unwrap();
            view.children.iter().map(|child| (child.action, child.visits)).collect::<Vec<_>>()
        };
        let of_first = nodes(&searches[0], &[]);
        assert_eq!(of_first.iter().map(|(_, visits)| visits).sum::<u64>(), 4 * 18_000);
        for search in &searches {
            assert_eq!(nodes(search, &[]), of_first, "{text}");
            for action in 1..=3 {
                assert_eq!(nodes(search, &[action]), nodes(&searches[0], &[action]), "{text} below {action}");
            }
        }
    }
}

#[test]
fn merged_searches_repeat_themselves_and_differ_from_single_ones() {
    let result = |count| {
        let mut searches = searches(&Nim::new(40), "mcts", count);
        run(&mut searches, 5, 700);
        (children(&searches[0].report()), searches[0].dump(usize::MAX))
    };
    assert_eq!(result(2), result(2));
    assert_ne!(result(2).0, result(3).0);
}

#[test]
fn a_tree_that_is_kept_tells_what_others_do_not_know() {
    for steps in 1..=3 {
        let mut searches = searches(&Nim::new(60), "mcts", 3);
        run(&mut searches, 3, 2_000);
        let mut kept = 0;
        for search in &mut searches {
            let own = |search: &Search<Nim>| search.core.state.playouts_in_trees();
            (0..steps).for_each(|_| Agent::advance(search, 2).unwrap());
            kept += own(search);
        }
        run(&mut searches, 2, 500);
        let reports: Vec<Report> = searches.iter().map(Search::report).collect();
        assert!(reports.iter().all(|report| children(report) == children(&reports[0])), "after {steps} steps");
        let all = playouts(&reports[0]);
        let least = 3 * 2 * 500;
        assert!((least..=least + kept).contains(&all), "{all} playouts after {steps} steps, {kept} kept");
        assert!(steps > 2 || all > least, "nothing of {kept} kept playouts was told after {steps} steps");
    }
}

/// Two players choose one of two numbers at the same time, in each of some rounds. All win.
#[derive(Clone)]
struct AtOnce {
    rounds: u8,
    is_chosen: bool,
}

impl Game for AtOnce {
    type Action = u8;
    const INFORMATION: Information = Information::Simultaneous;

    fn turn(&self) -> Turn {
        if self.rounds == 0 { Turn::Over } else { Turn::Player(usize::from(self.is_chosen)) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&mut self, _: u8) {
        self.rounds -= u8::from(self.is_chosen);
        self.is_chosen = !self.is_chosen;
    }
    fn reward(&self, _: usize) -> f64 {
        1.0
    }
    fn information(&self, _: usize) -> u64 {
        u64::from(self.rounds)
    }
    fn determinize(&mut self, _: usize, _: &mut Rng) {}
}

#[test]
fn a_tree_that_is_emptied_counts_no_visits_of_others_of_the_decision_before() {
    fn check<G: Game>(position: &G, text: &str) {
        let mut searches = searches(position, text, 3);
        run(&mut searches, 4, 500);
        Agent::advance(&mut searches[0], 1).unwrap();
        let report = searches[0].run(Budget::iterations(10).early_stop(false)).unwrap();
        assert_eq!((playouts(&report), report.inherited), (10, 0), "{text}");
    }
    let at_once = AtOnce { rounds: 3, is_chosen: false };
    check(&at_once, "mcts");
    check(&at_once, "mcts:tree=single");
    check(&Nim::new(30), "mcts:tree=open");
}

#[test]
fn searches_merge_while_workers_are_in_their_trees() {
    for text in ["mcts:threads=2", "mcts", "mcts:policy=rave", "mcts:threads=3,loss=wu"] {
        let mut searches = searches(&Nim::new(200), text, 2);
        {
            let [first, second] = &mut searches[..] else { panic!("there are two") };
            let budget = || Budget::time(Duration::from_millis(150)).early_stop(false);
            let running = [TreeSearch::start(first, budget()).unwrap(), TreeSearch::start(second, budget()).unwrap()];
            for _ in 0..30 {
                running[0].wait(Duration::from_millis(4));
                let [one, two] = running.each_ref().map(|running| running.contribution());
                let sums: Vec<i64> = one.iter().zip(two).map(|(one, two)| one + two).collect();
                running.iter().for_each(|running| running.merge(&sums));
            }
            running.into_iter().for_each(|running| drop(running.finish().unwrap()));
        }
        searches.iter_mut().for_each(|search| search.core.join_all_workers());
        let own: u64 = searches.iter().map(|search| search.report().iterations).sum();
        merge(&mut searches);
        merge(&mut searches);
        let reports: Vec<Report> = searches.iter().map(Search::report).collect();
        assert_eq!(children(&reports[0]), children(&reports[1]), "{text}");
        assert_eq!(playouts(&reports[0]), own, "{text}");
        // The trees hold what the reports say.
        for (search, report) in searches.iter().zip(&reports) {
            let root = TreeSearch::node(search, &[]).unwrap();
            assert_eq!((root.visits, root.in_flight), (playouts(report), 0), "{text}");
        }
    }
}

#[test]
fn an_outcome_that_one_search_has_proven_is_known_to_all() {
    let mut searches = searches(&Nim::new(9), "mcts:solver=on", 2);
    searches[0].run(Budget::iterations(20_000).early_stop(false)).unwrap();
    searches[1].run(Budget::iterations(20).early_stop(false)).unwrap();
    assert!(searches[1].report().children.iter().all(|child| child.proven.is_none()), "it needs more playouts");
    merge(&mut searches);
    let proven = |search: &Search<Nim>| {
        let mut proven: Vec<_> = search.report().children.iter().map(|child| (child.action, child.proven)).collect();
        proven.sort_by_key(|&(action, _)| action);
        proven
    };
    assert_eq!(proven(&searches[1]), proven(&searches[0]));
    assert_eq!(searches[1].report().best_action(), Some(1u8), "eight stones are left to the opponent");
    assert!(proven(&searches[0]).contains(&(1, Some(1.0))));
}

#[test]
fn searches_whose_trees_are_full_report_all_visits() {
    let mut searches = searches(&Corridor::<2>(300), "mcts", 2);
    for search in &mut searches {
        *search =
            Search::new(search.position().clone(), Settings { memory: 65_536, ..search.settings().clone() }).unwrap();
        search.start_merging();
    }
    run(&mut searches, 8, 2_000);
    assert_eq!(playouts(&searches[0].report()), 2 * 8 * 2_000);
}

/// Adds visits to the first child, as if other searches had told them.
fn add_foreign(search: &mut Search<Nim>, visits: i64) {
    let mut sums = search.contribution();
    (sums[0], sums[1]) = (sums[0] + visits, sums[1] + visits);
    search.merge(&sums);
}

#[test]
fn a_search_goes_on_though_others_tell_more_visits_than_a_tree_holds() {
    let mut search = searches(&Nim::new(30), "mcts", 1).remove(0);
    let mut told = 0i64;
    for round in 1..20 {
        let report = search.run(Budget::iterations(200).early_stop(false)).unwrap();
        assert_eq!(report.iterations, 200, "after {told} visits of others");
        told += 700_000_000;
        add_foreign(&mut search, 700_000_000);
        assert_eq!(playouts(&search.report()), told as u64 + 200 * round);
    }
}

#[test]
fn visits_of_others_do_not_make_a_node_explore_among_children_that_lack_them() {
    // The visits of the best node two plies below the root, among its own children.
    let share = |count| {
        let mut searches = searches(&Nim::new(40), "mcts", count);
        run(&mut searches, 10, 2_000);
        let node = |path: &[u32]| TreeSearch::node(&searches[0], path).unwrap();
        let best = |path: &[u32]| node(path).children.iter().max_by_key(|child| child.visits).unwrap().action;
        let (first, second) = (best(&[]), best(&[best(&[])]));
        let below: Vec<u64> = node(&[first, second]).children.iter().map(|child| child.visits).collect();
        *below.iter().max().unwrap() as f64 / below.iter().sum::<u64>() as f64
    };
    let (alone, together) = (share(1), share(24));
    assert!((alone - together).abs() < 0.15, "{alone} of the visits alone and {together} with others");
}
