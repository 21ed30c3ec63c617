//! Selection policies and playouts that learn from the moves of simulations: in every parallel mode nothing is lost,
//! and what promises the same result gives it.

use std::sync::Arc;

use crate::common::{
    Bomb, ByValue, Fuse, Halves, Hidden, InTurn, Method, Shares, Spot, check_trees, mix, riches, share,
};
use boughs::inspect::NodeDump;
use boughs::{Budget, Game, Knowledge, LocalSearch, Report, Search, SearchError, Settings, TreeSearch};

/// Every policy and every way to learn, alone and together.
const IMPROVEMENTS: [&str; 8] = [
    "policy=ucb1-tuned",
    "policy=rave",
    "policy=grave,ref=20",
    "learn=mast",
    "learn=nst",
    "playouts=3",
    "policy=grave,learn=nst,playout=decisive,epsilon=0.5",
    "policy=ucb1-tuned,learn=mast,widen=2",
];

/// Those of games for two in turn, with wins, draws and losses.
const OF_DUELS: [&str; 4] =
    ["playout=greedy", "playout=heavy", "eval=on,minimax=0.4", "eval=on,mix=1,minimax=0.4,fpu=parent"];

const MODES: [&str; 3] = ["shared", "independent", "batched,batch=16"];

/// A search of a game whose evaluator is [`ByValue`].
fn search_of<G: Game>(position: &G, settings: Settings) -> Result<Search<G>, SearchError> {
    Search::with_evaluator_of_game(position.clone(), settings, Knowledge::Values, |_| Some(Arc::new(ByValue)))
}

fn searched<G: Game>(position: &G, text: &str) -> (Box<dyn TreeSearch>, Report) {
    let settings = Settings { seed: 5, memory: 8 << 20, ..text.parse().unwrap() };
    let mut search = Box::new(search_of(position, settings).unwrap());
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
                let (mut search, report) = searched(&Halves::thicket(3, 2), &text);
                assert_eq!((check_trees(&mut *search), report.iterations), (4_000, 4_000), "{text}");
                let (mut search, _) = searched(&Shares::thicket(4, 3), &text);
                assert_eq!(check_trees(&mut *search), 4_000, "{text}");
            }
        }
    }
    for improvement in OF_DUELS {
        for mode in MODES {
            for threads in [1, 4] {
                let text = format!("mcts:{improvement},parallel={mode},threads={threads}");
                let (mut search, report) = searched(&duel(3), &text);
                assert_eq!((check_trees(&mut *search), report.iterations), (4_000, 4_000), "{text}");
            }
        }
    }
}

#[test]
fn a_batched_search_is_the_same_at_any_number_of_threads_and_one_thread_on_every_run() {
    let game = Halves::thicket(7, 2);
    for improvement in IMPROVEMENTS {
        let batched = |threads| tree(&game, &format!("mcts:{improvement},parallel=batched,threads={threads}"));
        let one = batched(1);
        assert!(one == batched(2) && one == batched(8), "{improvement}");
        let alone = || tree(&game, &format!("mcts:{improvement}"));
        assert!(alone() == alone(), "{improvement}");
    }
    let duel = duel(3);
    for improvement in OF_DUELS {
        let batched = |threads| tree(&duel, &format!("mcts:{improvement},parallel=batched,threads={threads}"));
        let one = batched(1);
        assert!(one == batched(2) && one == batched(8), "{improvement}");
        let alone = || tree(&duel, &format!("mcts:{improvement}"));
        assert!(alone() == alone(), "{improvement}");
    }
}

#[test]
fn each_improvement_changes_the_search() {
    let game = Halves::thicket(7, 2);
    let plain = tree(&game, "mcts");
    for improvement in IMPROVEMENTS {
        assert!(tree(&game, &format!("mcts:{improvement}")) != plain, "{improvement}");
    }
    let (duel, with) = (duel(3), |improvement: &str| format!("mcts:{improvement}"));
    for improvement in OF_DUELS {
        let without = improvement.split(",minimax").next().filter(|&without| without != improvement);
        let without = without.map_or("mcts".into(), with);
        assert!(tree(&duel, &with(improvement)) != tree(&duel, &without), "{improvement}");
    }
    assert!(tree(&game, "mcts:policy=grave,ref=20") != tree(&game, "mcts:policy=rave"), "another node's statistics");
    assert!(tree(&game, "mcts:policy=grave,ref=0") == tree(&game, "mcts:policy=rave"), "the node's own");
}

#[test]
fn a_search_that_begins_anew_has_forgotten_all() {
    let game = Halves::thicket(7, 2);
    for improvement in IMPROVEMENTS {
        let text = format!("mcts:{improvement}");
        let (mut search, _) = searched(&Halves::thicket(8, 2), &text);
        search.begin(&game, 5).unwrap();
        search.run(Budget::iterations(4_000).early_stop(false)).unwrap();
        assert!(search.dump(usize::MAX) == tree(&game, &text), "{improvement}");
    }
}

#[test]
fn a_bulk_and_one_simulation_at_a_time_learn_alike() {
    // Playouts learn from all moves of a simulation, of which the first are those of the bulk.
    let game = Halves::thicket(7, 2);
    let (_, bulk) = searched(&game, "mcts:learn=mast,bulk=512");
    let (_, single) = searched(&game, "mcts:learn=mast,bulk=1,traversals=1");
    let share = |report: &Report| report.children[0].playouts as f64 / 4_000.0;
    assert_eq!(bulk.best_action::<u32>(), single.best_action::<u32>());
    assert!((share(&bulk) - share(&single)).abs() < 0.2, "{} and {}", share(&bulk), share(&single));
}

/// The start of a random game of two players in turn, with wins, draws and losses and an evaluation. Moves of several
/// positions lead to one.
fn duel(seed: u64) -> InTurn {
    InTurn::table(2, [0, seed], |[ply, name]| {
        let hash = mix(mix(name + 1) ^ ply);
        let value = share(mix(hash));
        let next = |action: u32| (action, [ply + 1, mix(hash ^ u64::from(action) << 32) % 256]);
        let spot = match ply {
            12 => Spot::over_for_two((value * 3.0).floor().min(2.0) / 2.0),
            _ => Spot::player(ply % 2, (0..2 + (hash >> 16) as u32 % 4).map(next)),
        };
        Spot { value: Some(value), ..spot }
    })
}

/// The first player draws at once, or lets the second choose one of ten doors, behind all but one of which the first
/// wins.
fn doors() -> InTurn {
    InTurn::table(2, [0, 0], |[ply, door]| match ply {
        0 => Spot::player(0, [(0, [9, 0]), (1, [1, 0])]),
        1 => Spot::player(1, (0..10).map(|door| (door, [2, u64::from(door)]))),
        2 => Spot::over_for_two(if door == 4 { 0.0 } else { 1.0 }),
        _ => Spot::over_for_two(0.5),
    })
}

#[test]
fn a_minimax_value_follows_the_best_reply_at_once_and_a_mean_slowly() {
    let doors = doors();
    let share_of_draw = |more: &str| {
        let text = format!("mcts:eval=on,c=0.3,traversals=1{more}");
        let mut search = search_of(&doors, text.parse().unwrap()).unwrap();
        let report = search.run(Budget::iterations(24).early_stop(false)).unwrap();
        let draw = report.children.iter().find(|child| child.action == 0).unwrap();
        draw.playouts as f64 / 24.0
    };
    let (mean, minimax) = (share_of_draw(""), share_of_draw(",minimax=1"));
    assert!(minimax > 0.6 && mean < 0.4, "{minimax} and {mean} of the playouts took the draw");
}

#[test]
fn what_does_not_go_together_is_refused_with_the_nearest_settings() {
    let refused = |error: Option<SearchError>| match error {
        Some(SearchError::Unsupported { reason, instead }) => (reason, instead),
        other => panic!("{other:?}"),
    };
    // A game in which an action means another thing each time.
    let fuse = Fuse::new(Method::Text, i64::MAX);
    let renamed = |text: &str| refused(Search::new(Bomb::new(&fuse), text.parse().unwrap()).err());
    let (reason, instead) = renamed("mcts:policy=rave,threads=2");
    assert!(reason.contains("RAVE and GRAVE have nothing to share"), "{reason}");
    assert_eq!(instead, "mcts:threads=2");
    assert_eq!(renamed("mcts:policy=grave,learn=nst").1, "mcts");
    assert_eq!(renamed("mcts:learn=nst,playout=decisive").1, "mcts:playout=decisive");
    let other = |text: &str| refused(Search::new(Halves::thicket(1, 2), text.parse().unwrap()).err());
    assert_eq!(other("mcts:playouts=4,policy=rave").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playouts=4,learn=mast").1, "mcts:learn=mast");
    assert_eq!(other("mcts:policy=rave,loss=wu").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playout=heavy,threads=2").1, "mcts:threads=2");
    assert_eq!(other("mcts:playout=greedy,threads=2").1, "mcts:threads=2");
    assert_eq!(other("mcts:minimax=0.5").1, "mcts");
    let duel = |text: &str| refused(search_of(&duel(1), text.parse().unwrap()).err());
    assert_eq!(duel("mcts:minimax=0.5").1, "mcts:eval=on,minimax=0.5");
    assert_eq!(duel("mcts:minimax=0.5,eval=on,policy=grave").1, "mcts:eval=on,minimax=0.5");
    assert_eq!(duel("mcts:eval=on,learn=mast").1, "mcts:eval=on");
    assert_eq!(duel("mcts:eval=on,minimax=0.5,policy=ucb1-tuned").1, "mcts:eval=on,minimax=0.5");
    let scores = |text: &str| refused(Search::new(riches(), text.parse().unwrap()).err());
    assert_eq!(scores("mcts:policy=ucb1-tuned").1, "mcts");
    assert_eq!(scores("mcts:learn=mast").1, "mcts");
    let (reason, instead) = scores("mcts:playout=anti-decisive,c=2");
    assert_eq!(
        (&*reason, &*instead),
        ("decisive moves win at once, and of scores without bounds none is a win", "mcts:c=2")
    );
    assert_eq!(scores("mcts:playout=decisive").1, "mcts");
}

/// Checks that a search refuses some keys, that the one it names instead goes, and that the keys changed nothing.
fn check_idle<G: Game>(start: &G, [with, without]: [&str; 2], key: &str) {
    let [with, without] = [with, without].map(|keys| format!("mcts{}{keys}", if keys.is_empty() { "" } else { ":" }));
    match search_of(start, with.parse().unwrap()).err() {
        Some(SearchError::Unsupported { reason, instead }) => {
            assert_eq!(instead, without, "{with}");
            assert!(reason.starts_with(&format!("{key} changes nothing ")), "{with}: {reason}");
        }
        other => panic!("{with}: {other:?}"),
    }
    search_of(start, without.parse().unwrap()).unwrap();
    let made = |text: &str| {
        // It takes the keys that change nothing.
        let (start, settings): (_, Settings) = (start.clone(), text.parse().unwrap());
        let search = match settings.evaluator {
            true => LocalSearch::with_evaluator(start, settings, Arc::new(ByValue)),
            false => LocalSearch::new(start, settings),
        };
        let mut search = search.unwrap();
        let report = search.run(Budget::iterations(1_500).early_stop(false)).unwrap();
        (report.best, report.children)
    };
    assert_eq!(made(&with), made(&without), "{with}");
}

#[test]
fn a_key_that_changes_nothing_is_refused() {
    let game = Halves::thicket(7, 2);
    for (with, without, key) in [
        ("epsilon=0.5", "", "epsilon"),
        ("bias=2", "", "bias"),
        ("policy=ucb1-tuned,amaf=0.1", "policy=ucb1-tuned", "amaf"),
        ("policy=rave,ref=9", "policy=rave", "ref"),
        ("policy=rave,bulk=1", "policy=rave", "bulk"),
        ("fpu=parent,bulk=8", "fpu=parent", "bulk"),
        ("tree=open,bulk=8", "tree=open", "bulk"),
        ("widening=0.3", "", "widening"),
        ("widen=2,fpu=0.2", "widen=2", "fpu"),
        ("alpha=1,wait=5", "", "wait"),
        ("final=mean,temperature=1", "temperature=1", "final"),
    ] {
        check_idle(&game, [with, without], key);
    }
    for (with, key) in [
        ("eval=on,playout=heavy", "playout"),
        ("playout=greedy,epsilon=0.5,eval=on", "playout"),
        ("playouts=3,eval=on", "playouts"),
    ] {
        check_idle(&duel(3), [with, "eval=on"], key);
    }
    let hidden = Hidden::weather(2, 2);
    for (set, key) in [
        ("c=2,policy=rm", "c"),
        ("policy=rm,fpu=0.5", "fpu"),
        ("policy=rm,loss=0", "loss"),
        ("policy=rm,final=lcb", "final"),
        ("policy=rm,temperature=2", "temperature"),
        ("policy=rm,bulk=1", "bulk"),
    ] {
        check_idle(&hidden, [set, "policy=rm"], key);
    }
    check_idle(&hidden, ["bulk=1", ""], "bulk");
    // What is refused for another reason is not named with a key that changes nothing.
    let refused = Search::new(riches(), "mcts:policy=rave,amaf=0.1".parse().unwrap()).err();
    assert!(matches!(refused, Some(SearchError::Unsupported { instead, .. }) if instead == "mcts"));
}
