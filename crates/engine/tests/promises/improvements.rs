//! Selection policies and playouts that learn from the moves of simulations: in every parallel mode nothing is lost,
//! and what promises the same result gives it.

use crate::common::{Riches, Thicket, check_trees};
use boughs::inspect::NodeDump;
use boughs::{Budget, Game, Report, Search, SearchError, Settings};

/// Every policy and every way to learn, alone and together.
const IMPROVEMENTS: [&str; 9] = [
    "policy=ucb1-tuned",
    "policy=rave",
    "policy=grave,ref=20",
    "learn=mast",
    "learn=nst",
    "learn=lgr",
    "playouts=3",
    "policy=grave,learn=nst,playout=decisive,epsilon=0.5",
    "policy=ucb1-tuned,learn=mast,widen=2",
];

const MODES: [&str; 3] = ["shared", "independent", "batched,batch=16"];

fn searched<G: Game>(position: &G, text: &str) -> (Search<G>, Report) {
    let settings = Settings { seed: 5, memory: 8 << 20, ..text.parse().unwrap() };
    let mut search = Search::new(position.clone(), settings).unwrap();
    let report = search.run(Budget::iterations(4_000).early_stop(false)).unwrap();
    (search, report)
}

fn tree<G: Game>(position: &G, text: &str) -> Vec<Vec<NodeDump>> {
    searched(position, text).0.dump(usize::MAX)
}

#[test]
fn counters_add_up_with_every_improvement_in_every_mode() {
    for improvement in IMPROVEMENTS {
        for mode in MODES {
            for threads in [1, 4] {
                let text = format!("mcts:{improvement},parallel={mode},threads={threads}");
                let (mut search, report) = searched(&Thicket::<true>::new(3, 2), &text);
                assert_eq!((check_trees(&mut search), report.iterations), (4_000, 4_000), "{text}");
                let (mut search, _) = searched(&Thicket::<false>::new(4, 3), &text);
                assert_eq!(check_trees(&mut search), 4_000, "{text}");
            }
        }
    }
}

#[test]
fn a_batched_search_is_the_same_at_any_number_of_threads_and_one_thread_on_every_run() {
    let game = Thicket::<true>::new(7, 2);
    for improvement in IMPROVEMENTS {
        let batched = |threads| tree(&game, &format!("mcts:{improvement},parallel=batched,threads={threads}"));
        let one = batched(1);
        assert!(one == batched(2) && one == batched(8), "{improvement}");
        let alone = || tree(&game, &format!("mcts:{improvement}"));
        assert!(alone() == alone(), "{improvement}");
    }
}

#[test]
fn each_improvement_changes_the_search() {
    let game = Thicket::<true>::new(7, 2);
    let plain = tree(&game, "mcts");
    for improvement in IMPROVEMENTS {
        assert!(tree(&game, &format!("mcts:{improvement}")) != plain, "{improvement}");
    }
    assert!(tree(&game, "mcts:policy=grave,ref=20") != tree(&game, "mcts:policy=rave"), "another node's statistics");
    assert!(tree(&game, "mcts:policy=grave,ref=0") == tree(&game, "mcts:policy=rave"), "the node's own");
}

#[test]
fn a_search_that_begins_anew_has_forgotten_all() {
    let game = Thicket::<true>::new(7, 2);
    for improvement in IMPROVEMENTS {
        let text = format!("mcts:{improvement}");
        let (mut search, _) = searched(&Thicket::<true>::new(8, 2), &text);
        search.begin(game.clone(), 5);
        search.run(Budget::iterations(4_000).early_stop(false)).unwrap();
        assert!(search.dump(usize::MAX) == tree(&game, &text), "{improvement}");
    }
}

#[test]
fn a_bulk_and_one_simulation_at_a_time_learn_alike() {
    // Playouts learn from all moves of a simulation, of which the first are those of the bulk.
    let game = Thicket::<true>::new(7, 2);
    let (_, bulk) = searched(&game, "mcts:learn=mast,bulk=512");
    let (_, single) = searched(&game, "mcts:learn=mast,bulk=1,traversals=1");
    let share = |report: &Report| report.children[0].playouts as f64 / 4_000.0;
    assert_eq!(bulk.best_action::<u8>(), single.best_action::<u8>());
    assert!((share(&bulk) - share(&single)).abs() < 0.2, "{} and {}", share(&bulk), share(&single));
}

/// A game in which an action means another thing each time.
#[derive(Clone)]
struct Renamed(Thicket<true>);

impl Game for Renamed {
    type Action = u8;
    const REWARDS: boughs::Rewards = Thicket::<true>::REWARDS;
    const ACTIONS_RECUR: bool = false;

    fn turn(&self) -> boughs::Turn {
        self.0.turn()
    }
    fn actions(&self, out: &mut Vec<u8>) {
        self.0.actions(out);
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: usize) -> f64 {
        self.0.reward(player)
    }
}

#[test]
fn what_does_not_go_together_is_refused_with_the_nearest_settings() {
    let refused = |error: Option<SearchError>| match error {
        Some(SearchError::Unsupported { reason, instead }) => (reason, instead),
        other => panic!("{other:?}"),
    };
    let renamed = |text: &str| refused(Search::new(Renamed(Thicket::new(1, 2)), text.parse().unwrap()).err());
    let (reason, instead) = renamed("mcts:policy=rave,threads=2");
    assert!(reason.contains("RAVE and GRAVE have nothing to share"), "{reason}");
    assert_eq!(instead, "mcts:threads=2");
    assert_eq!(renamed("mcts:policy=grave,learn=nst").1, "mcts");
    assert_eq!(renamed("mcts:learn=lgr,playout=decisive").1, "mcts:playout=decisive");
    let other = |text: &str| refused(Search::new(Thicket::<true>::new(1, 2), text.parse().unwrap()).err());
    assert_eq!(other("mcts:playouts=4,policy=rave").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playouts=4,learn=mast").1, "mcts:learn=mast");
    assert_eq!(other("mcts:playouts=4,loss=wu").1, "mcts:playouts=4");
    assert_eq!(other("mcts:policy=rave,loss=wu").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playout=heavy,threads=2").1, "mcts:threads=2");
    let scores = |text: &str| refused(Search::new(Riches(None), text.parse().unwrap()).err());
    assert_eq!(scores("mcts:policy=ucb1-tuned").1, "mcts");
    assert_eq!(scores("mcts:learn=mast").1, "mcts");
}
