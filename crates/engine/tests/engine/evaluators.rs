//! Searches that value leaves by an evaluator.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use boughs::{
    Budget, Child, End, Evaluations, Evaluator, Game, Knowledge, Leaf, LocalSearch, Playout, Report, Rng, Search,
    SearchError, SeeMove, Settings, StopReason, Warning,
};

use crate::common::{Halves, InTurn, Shares, Spot, check_trees, mix};
use crate::process::ends_within;

/// Values and priors that are a hash of the position.
struct Hash(Knowledge);

impl<G: Game> Evaluator<G> for Hash {
    fn knowledge(&self) -> Knowledge {
        self.0
    }

    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let mut legal = Vec::new();
            leaf.position.actions(&mut legal);
            let hash = legal.iter().fold(7, |hash, action| mix(hash ^ u64::from(boughs::Action::code(*action))));
            let part = |index: usize| (mix(hash ^ index as u64) >> 40) as f64 / (1 << 24) as f64;
            let values: Vec<f64> = (0..leaf.position.players()).map(part).collect();
            let priors: Vec<f32> = (0..leaf.actions.len()).map(|index| part(index + 9) as f32).collect();
            assert!(self.0 == Knowledge::ValuesAndPriors || leaf.actions.is_empty());
            out.push(&values, &priors);
        }
    }
}

fn settings(text: &str, threads: usize) -> Settings {
    Settings { threads, memory: 16 << 20, seed: 7, ..text.parse().expect(text) }
}

const POLICIES: [&str; 7] = [
    "policy=ucb1",
    "policy=ucb1,widen=2",
    "policy=puct,fpu=parent-0.25",
    "policy=puct,noise=0.25,mix=0.3",
    "policy=bias,widen=1.5,widening=0.4",
    "policy=gumbel",
    "policy=puct,solver=on",
];

const MODES: [&str; 5] = [
    "shared",
    "shared,batch=32,traversals=1",
    "shared,batch=7,wait=0,loss=3",
    "independent,batch=16",
    "batched,batch=16",
];

/// Searches with every policy in every mode, and gives each search with its report to `see`.
fn in_every_mode<G: Game>(position: &G, threads: usize, see: &mut dyn FnMut(&str, &mut Search<G>, &Report)) {
    for policy in POLICIES {
        for mode in MODES {
            let name = format!("mcts:{policy},parallel={mode}");
            if policy == "policy=gumbel" && mode.starts_with("independent") {
                continue;
            }
            let evaluator = Arc::new(Hash(Knowledge::ValuesAndPriors));
            let mut search =
                Search::with_evaluator(position.clone(), settings(&name, threads), evaluator).expect(&name);
            let report = search.run(Budget::iterations(1_501).early_stop(false)).expect(&name);
            see(&name, &mut search, &report);
        }
    }
}

#[test]
fn counters_add_up_with_every_policy_in_every_mode_at_every_number_of_threads() {
    for threads in [1, 2, 8] {
        let mut see = |name: &str, search: &mut Search<Halves>, report: &Report| {
            assert_eq!((report.stop, report.iterations), (StopReason::Iterations, 1_501), "{name}, {threads} threads");
            assert_eq!(check_trees(search), 1_501, "{name}, {threads} threads");
            assert!(report.best.is_some() && !report.warnings.contains(&Warning::PlayoutCut), "{name}: {report}");
        };
        in_every_mode(&Halves::thicket(3, 2), threads, &mut see);
    }
    for knowledge in [Knowledge::Values, Knowledge::ValuesAndPriors] {
        for text in ["mcts:parallel=shared,batch=8", "mcts:parallel=batched,batch=16", "mcts:tree=open,batch=3"] {
            let mut search =
                Search::with_evaluator(Shares::weather(3, 2), settings(text, 2), Arc::new(Hash(knowledge)))
                    .expect(text);
            search.run(Budget::iterations(2_000).early_stop(false)).expect(text);
            assert_eq!(check_trees(&mut search), 2_000, "{text}");
        }
    }
}

#[test]
fn a_batched_search_gives_the_same_tree_at_any_number_of_threads_and_one_thread_on_every_run() {
    let mut trees: Vec<_> = Vec::new();
    for threads in [1, 2, 8, 1] {
        let mut of_threads = Vec::new();
        in_every_mode(&Shares::thicket(4, 3), threads, &mut |name, search, report| {
            if name.contains("batched") || threads == 1 {
                of_threads.push((name.to_string(), search.dump(usize::MAX), report.best.clone()));
            }
        });
        trees.push(of_threads);
    }
    let batched: Vec<_> = trees[0].iter().filter(|(name, ..)| name.contains("batched")).cloned().collect();
    assert!(batched == trees[1] && trees[1] == trees[2], "at any number of threads");
    assert!(trees[0] == trees[3], "on every run");
}

#[test]
fn a_search_on_the_calling_thread_builds_the_same_tree() {
    for text in ["mcts:policy=puct,batch=8,noise=0.2", "mcts:policy=gumbel,mix=0.5", "mcts:batch=3"] {
        let position = Halves::thicket(9, 2);
        let evaluator = || Arc::new(Hash(Knowledge::ValuesAndPriors));
        let mut search = Search::with_evaluator(position.clone(), settings(text, 1), evaluator()).unwrap();
        let mut local = LocalSearch::with_evaluator(position, settings(text, 1), evaluator()).unwrap();
        for _ in 0..2 {
            let report = search.run(Budget::iterations(700)).unwrap();
            assert_eq!(local.run(Budget::iterations(700)).unwrap().best, report.best, "{text}");
            assert_eq!(local.dump(usize::MAX), search.dump(usize::MAX), "{text}");
            search.advance(report.best_action().unwrap()).unwrap();
            local.advance(report.best_action().unwrap()).unwrap();
        }
    }
}

/// Sleeps at each call, and counts calls and leaves.
#[derive(Default)]
struct Slow {
    calls: AtomicU64,
    leaves: AtomicU64,
}

impl<G: Game> Evaluator<G> for Slow {
    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        std::thread::sleep(Duration::from_millis(1));
        self.calls.fetch_add(1, Relaxed);
        self.leaves.fetch_add(leaves.len() as u64, Relaxed);
        leaves.iter().for_each(|leaf| out.push(&vec![0.5; leaf.position.players()], &[]));
    }
}

/// The leaves that the slow evaluator gets in this time, and those of a call.
fn leaves_and_batch(text: &str, time: Duration) -> (f64, f64) {
    let slow = Arc::new(Slow::default());
    let mut search = Search::with_evaluator(Shares::draws(100, 4), settings(text, 2), slow.clone()).unwrap();
    search.run(Budget::time(time)).unwrap();
    let (calls, leaves) = (slow.calls.load(Relaxed) as f64, slow.leaves.load(Relaxed) as f64);
    (leaves, leaves / calls.max(1.0))
}

#[test]
fn a_slow_evaluator_sees_large_batches_and_many_more_leaves() {
    let time = Duration::from_millis(300);
    let (many, batch) = leaves_and_batch("mcts:batch=32", time);
    let (few, one) = leaves_and_batch("mcts:batch=1", time);
    assert!(batch >= 16.0 && many >= 10.0 * few, "{many} leaves by {batch}, {few} by {one}");
    assert!((one - 1.0).abs() < 1e-9);
    let (_, batch) = leaves_and_batch("mcts:batch=64,parallel=batched", time);
    assert!((1.0..=2.0).contains(&batch), "half a batch in sixteen parts: {batch}");
}

#[test]
fn a_slow_evaluator_does_not_delay_the_answer() {
    /// A time far longer than anything takes that does not wait for it.
    const LONG: Duration = Duration::from_secs(60);
    struct Sleeps;
    impl<G: Game> Evaluator<G> for Sleeps {
        fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
            std::thread::sleep(LONG);
            leaves.iter().for_each(|leaf| out.push(&vec![0.5; leaf.position.players()], &[]));
        }
    }
    let answers = || {
        let mut search =
            Search::with_evaluator(Shares::thicket(3, 2), settings("mcts:batch=4", 2), Arc::new(Sleeps)).unwrap();
        let report = search.run(Budget::time(Duration::from_millis(20))).unwrap();
        assert_eq!(report.stop, StopReason::Time);
    };
    assert!(ends_within(Duration::from_millis(200), answers));
}

struct Even(Knowledge);

impl<G: Game> Evaluator<G> for Even {
    fn knowledge(&self) -> Knowledge {
        self.0
    }
    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        leaves.iter().for_each(|leaf| out.push(&[0.5; 2], &vec![1.0; leaf.actions.len()]));
    }
}

const KNOWN: [Knowledge; 3] = [Knowledge::None, Knowledge::Values, Knowledge::ValuesAndPriors];

/// The error of a search of a game that declares one knowledge of its evaluator, which has another or is not there: the
/// numbers of `KNOWN`.
fn fault_of<const DECLARED: usize, const HAS: usize>() -> Option<String> {
    let (game, settings) = (Shares::thicket(3, 2), settings("mcts:eval=on", 1));
    let evaluator = |_: &Shares| (HAS > 0).then(|| Arc::new(Even(KNOWN[HAS])) as Arc<dyn Evaluator<Shares>>);
    Search::with_evaluator_of_game(game, settings, KNOWN[DECLARED], evaluator).err().map(|error| error.to_string())
}

#[test]
fn a_game_declares_the_knowledge_that_its_evaluator_has() {
    assert_eq!((fault_of::<1, 1>(), fault_of::<2, 2>()), (None, None));
    let other = |declared, has| {
        Some(format!(
            "the evaluator of leaves failed: the game declares EVALUATOR = Knowledge::{declared}, and the knowledge() \
             of what its evaluator() returns is Knowledge::{has}; make both the same"
        ))
    };
    assert_eq!(fault_of::<0, 1>(), other("None", "Values"));
    assert_eq!(fault_of::<1, 0>(), other("Values", "None"));
    assert_eq!(fault_of::<1, 2>(), other("Values", "ValuesAndPriors"));
    assert_eq!(fault_of::<2, 1>(), other("ValuesAndPriors", "Values"));
    assert!(fault_of::<0, 0>().is_some_and(|fault| fault.contains("this game brings no evaluator")));
}

/// A fault of an evaluator at its fiftieth leaf.
struct Faulty {
    fault: &'static str,
    seen: AtomicU64,
}

const FAULTS: [(&str, &str); 7] = [
    ("panic", "the evaluator of leaves failed: it panicked: no idea"),
    ("nan", "the evaluator of leaves failed: it gives the value NaN; give a finite number"),
    ("values", "the evaluator of leaves failed: it gives 1 value in a game of 2 players; give one for each player"),
    ("negative", "the evaluator of leaves failed: it gives the prior -1; give a number of at least 0"),
    ("priors", "give one for each action of the leaf"),
    ("more", "push one for each leaf"),
    ("fewer", "push one for each leaf"),
];

impl<G: Game> Evaluator<G> for Faulty {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let mut priors = vec![1.0; leaf.actions.len()];
            let mut values = vec![0.5; leaf.position.players()];
            let fault = if self.seen.fetch_add(1, Relaxed) < 50 { "" } else { self.fault };
            match fault {
                "panic" => panic!("no idea"),
                "nan" => values[1] = f64::NAN,
                "values" => _ = values.pop(),
                "negative" => priors[0] = -1.0,
                "priors" => priors.push(0.0),
                "more" => out.push(&values, &priors),
                "fewer" => continue,
                _ => {}
            }
            out.push(&values, &priors);
        }
    }
}

#[test]
fn a_fault_of_an_evaluator_is_an_error_and_the_search_can_be_used_again() {
    for (fault, sentence) in FAULTS {
        for mode in ["shared", "shared,batch=8", "independent", "batched,batch=16"] {
            let text = format!("mcts:policy=puct,parallel={mode}");
            let faulty = Arc::new(Faulty { fault, seen: AtomicU64::new(0) });
            let position = Halves::thicket(3, 2);
            let mut search = Search::with_evaluator(position.clone(), settings(&text, 2), faulty.clone()).unwrap();
            let error = search.run(Budget::iterations(5_000).early_stop(false)).unwrap_err();
            assert!(matches!(&error, SearchError::Evaluator(_)), "{text}, {fault}: {error}");
            assert!(error.to_string().ends_with(sentence), "{text}, {fault}: {error}");
            check_trees(&mut search);
            faulty.seen.store(0, Relaxed);
            assert_eq!(search.run(Budget::iterations(20).early_stop(false)).unwrap().iterations, 20, "{text}");
            if mode == "shared" {
                let mut local = LocalSearch::with_evaluator(position, settings(&text, 1), faulty.clone()).unwrap();
                faulty.seen.store(0, Relaxed);
                let error = local.run(Budget::iterations(5_000)).unwrap_err();
                assert!(
                    matches!(&error, SearchError::Evaluator(_)) && error.to_string().ends_with(sentence),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn a_value_out_of_its_bounds_is_clamped_and_warned_of() {
    struct TooMuch;
    impl<G: Game> Evaluator<G> for TooMuch {
        fn evaluate(&self, leaves: &[Leaf<'_, G>], out: &mut Evaluations) {
            leaves.iter().for_each(|leaf| out.push(&vec![1.5; leaf.position.players()], &[]));
        }
    }
    let position = Halves::thicket(3, 2);
    let mut search = Search::with_evaluator(position, settings("mcts", 1), Arc::new(TooMuch)).unwrap();
    let report = search.run(Budget::iterations(100)).unwrap();
    assert!(report.warnings.contains(&Warning::RewardClamped), "{report}");
    check_trees(&mut search);
}

#[test]
fn settings_that_do_not_go_with_the_evaluator_name_those_that_do() {
    let with = |text: &str, knowledge| {
        Search::with_evaluator(Halves::thicket(3, 2), text.parse().expect(text), Arc::new(Hash(knowledge)))
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let without =
        |text: &str| Search::new(Halves::thicket(3, 2), text.parse().expect(text)).map(|_| ()).unwrap_err().to_string();
    let priors = "this policy needs priors of actions, by eval=on or a network, and there are none here; try ";
    assert_eq!(without("mcts:policy=puct"), format!("{priors}mcts"));
    assert_eq!(with("mcts:policy=gumbel,c=2", Knowledge::Values), format!("{priors}mcts:c=2,eval=on"));
    assert_eq!(
        without("mcts:eval=on"),
        "this game brings no evaluator, and eval=on needs one, which Search::with_evaluator takes; try mcts"
    );
    assert_eq!(without("mcts:mix=0.5"), "mix is the share of playouts beside an evaluator, with eval=on; try mcts");
    assert!(with("mcts:noise=0.5", Knowledge::Values).ends_with("try mcts:eval=on"));
    assert!(with("mcts:loss=wu", Knowledge::Values).ends_with("try mcts:eval=on"));
    assert!(
        with("mcts:policy=gumbel,parallel=independent", Knowledge::ValuesAndPriors)
            .ends_with("sequential halving at the root needs one tree; try mcts:policy=gumbel,eval=on")
    );
    assert_eq!(without("mcts:fpu=parent,loss=wu").split("; ").last(), Some("try mcts:fpu=parent"));
}

/// Checks that a search by priors refuses a key, and that it changed nothing.
fn check_idle<G: Game>(position: &G, policy: &str, keys: &str) {
    let evaluator = || Arc::new(Hash(Knowledge::ValuesAndPriors));
    let with = format!("{policy},{keys}");
    let refused = Search::with_evaluator(position.clone(), settings(&with, 1), evaluator()).err().unwrap().to_string();
    assert!(refused.contains(" changes nothing ") && refused.ends_with(&format!("try {policy},eval=on,memory=16M")));
    let made = |text: &str| {
        // It takes the keys that change nothing.
        let mut search = LocalSearch::with_evaluator(position.clone(), settings(text, 1), evaluator()).unwrap();
        let report = search.run(Budget::iterations(1_500).early_stop(false)).unwrap();
        (report.best, report.children)
    };
    assert_eq!(made(&with), made(policy), "{with}");
}

#[test]
fn a_key_that_changes_nothing_beside_an_evaluator_is_refused() {
    for keys in ["c=3", "fpu=0.4", "fpu=parent", "final=mean", "bulk=1", "playout=decisive", "playouts=2"] {
        check_idle(&Halves::thicket(3, 2), "mcts:policy=gumbel", keys);
    }
    check_idle(&InTurn::thicket(3, 2), "mcts:policy=gumbel", "expand=1");
    check_idle(&InTurn::thicket(3, 2), "mcts:policy=puct", "expand=9");
}

/// One of a hundred actions, of which the last is the best. The evaluator knows it, and the rewards tell.
fn wide() -> Shares {
    Shares::table(1, [0, 0], |[ply, action]| match ply {
        0 => Spot::player(0, (0..100).map(|action| (action, [1, u64::from(action)]))),
        _ => Spot::over(&[if action == 99 { 1.0 } else { 0.4 }]),
    })
}

/// Priors that grow with the action.
struct Later;

impl Evaluator<Shares> for Later {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, leaves: &[Leaf<'_, Shares>], out: &mut Evaluations) {
        for leaf in leaves {
            let priors: Vec<f32> = leaf.actions.iter().map(|&action| (action.0 as f32 / 8.0).exp2()).collect();
            out.push(&[0.5], &priors);
        }
    }
}

/// Returns true if no action has more playouts than number 99, which wins.
fn has_most(report: &Report) -> bool {
    let playouts = |child: &Child| (child.playouts, child.action == 99);
    report.children.iter().map(playouts).max().is_some_and(|(_, is_it)| is_it)
}

#[test]
fn priors_find_in_few_simulations_what_takes_a_hundred_without() {
    for policy in ["policy=puct,fpu=parent", "policy=bias", "policy=gumbel", "policy=puct,fpu=parent,noise=0.2"] {
        let text = format!("mcts:{policy}");
        let found = |simulations| {
            let mut search = Search::with_evaluator(wide(), settings(&text, 1), Arc::new(Later)).expect(&text);
            has_most(&search.run(Budget::iterations(simulations)).expect(&text))
        };
        assert!(found(40), "{text}");
    }
    let mut plain = Search::new(wide(), settings("mcts", 1)).unwrap();
    assert!(!has_most(&plain.run(Budget::iterations(40)).unwrap()));
}

#[test]
fn sequential_halving_considers_sixteen_actions_and_halves_them() {
    let mut search = Search::with_evaluator(wide(), settings("mcts:policy=gumbel", 1), Arc::new(Later)).unwrap();
    let report = search.run(Budget::iterations(256).early_stop(false)).unwrap();
    let mut playouts: Vec<u64> =
        report.children.iter().map(|child| child.playouts).filter(|&count| count > 0).collect();
    playouts.sort_unstable();
    // Four phases of 64 simulations: of 16, 8, 4 and 2 actions.
    assert_eq!(playouts, [[4; 8].as_slice(), &[12; 4], &[28; 2], &[60; 2]].concat());
}

#[test]
fn the_end_of_a_game_gets_no_children() {
    for mode in ["shared", "shared,batch=8", "batched,batch=16", "batched,batch=16,solver=on"] {
        for policy in ["puct", "gumbel", "ucb1"] {
            let text = format!("mcts:policy={policy},parallel={mode}");
            let evaluator = Arc::new(Hash(Knowledge::ValuesAndPriors));
            // Playing on after the end of a table is a panic.
            let mut search = Search::with_evaluator(InTurn::draws(4, 3), settings(&text, 2), evaluator).expect(&text);
            search.run(Budget::iterations(3_000).early_stop(false)).expect(&text);
            assert!(search.dump(usize::MAX)[0].iter().all(|node| node.path.len() <= 4), "{text}");
        }
    }
}

/// A truncated playout that is worth nothing.
struct Truncating;

impl<G: Game> Playout<G> for Truncating {
    fn choose(&self, _: &G, _: &mut Rng, _: &mut Vec<G::Action>) -> Option<G::Action> {
        None
    }
    fn play(&self, _: &mut G, _: &mut Rng, _: &mut Vec<G::Action>, _: u32, _: Option<SeeMove<'_>>) -> End {
        End::Truncated
    }
    fn value(&self, _: &G, _: usize) -> f64 {
        0.25
    }
}

#[test]
fn a_truncated_playout_has_the_value_that_its_policy_gives_it() {
    let mut search = Search::with_playout(Shares::draws(100, 4), settings("mcts", 1), Arc::new(Truncating)).unwrap();
    let report = search.run(Budget::iterations(500)).unwrap();
    assert!(report.children.iter().all(|child| child.mean == 0.25) && report.warnings.is_empty(), "{report}");
}

#[test]
fn few_children_are_in_use_where_a_search_widens() {
    let tried = |text: &str| {
        let mut search = Search::new(wide(), settings(text, 1)).unwrap();
        let report = search.run(Budget::iterations(400).early_stop(false)).unwrap();
        report.children.iter().filter(|child| child.playouts > 0).count()
    };
    assert_eq!((tried("mcts"), tried("mcts:widen=1")), (100, 19));
    assert!(tried("mcts:fpu=parent-0.1,c=0.1") < 100);
}

#[test]
fn the_temperature_draws_the_move_by_its_playouts() {
    let mut settings = settings("mcts:policy=puct,temperature=1", 1);
    let mut played = std::collections::BTreeSet::new();
    for seed in 0..20 {
        settings.seed = seed;
        let mut search = Search::with_evaluator(wide(), settings.clone(), Arc::new(Later)).unwrap();
        let report = search.run(Budget::iterations(30)).unwrap();
        assert_eq!(search.report().best, report.best, "a report that is read again has the same move");
        played.insert(report.best.unwrap().action);
    }
    assert!(played.len() > 2, "{played:?}");
}
