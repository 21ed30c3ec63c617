//! Selection policies and playouts that learn from the moves of simulations: in every parallel mode nothing is lost,
//! and what promises the same result gives it.

use std::sync::Arc;

use crate::common::{Riches, Thicket, check_trees, mix};
use boughs::inspect::NodeDump;
use boughs::{
    Budget, Evaluations, Evaluator, Game, Knowledge, Leaf, Report, Rewards, Rng, Search, SearchError, Settings, Turn,
    TurnOrder,
};

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
    for improvement in OF_DUELS {
        for mode in MODES {
            for threads in [1, 4] {
                let text = format!("mcts:{improvement},parallel={mode},threads={threads}");
                let (mut search, report) = searched(&Duel::new(3), &text);
                assert_eq!((check_trees(&mut search), report.iterations), (4_000, 4_000), "{text}");
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
    let duel = Duel::new(3);
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
    let game = Thicket::<true>::new(7, 2);
    let plain = tree(&game, "mcts");
    for improvement in IMPROVEMENTS {
        assert!(tree(&game, &format!("mcts:{improvement}")) != plain, "{improvement}");
    }
    let (duel, with) = (Duel::new(3), |improvement: &str| format!("mcts:{improvement}"));
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

/// A tree grown from a hash, of two players in turn, with wins, draws and losses and an evaluation.
#[derive(Clone)]
struct Duel {
    hash: u64,
    ply: u32,
}

impl Duel {
    fn new(seed: u64) -> Duel {
        Duel { hash: mix(seed), ply: 0 }
    }

    fn value(&self, player: usize) -> f64 {
        let first = (mix(self.hash) >> 40) as f64 / (1 << 24) as f64;
        if player == 0 { first } else { 1.0 - first }
    }
}

impl Game for Duel {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const HEAVY_PLAYOUTS: bool = true;
    const EVALUATOR: Knowledge = Knowledge::Values;

    fn turn(&self) -> Turn {
        if self.ply == 12 { Turn::Over } else { Turn::Player(self.ply as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..2 + (self.hash >> 16) as u8 % 4);
    }
    fn apply(&mut self, action: u8) {
        self.hash = mix(self.hash.wrapping_add(u64::from(action) * 0x1234_5678_9abc));
        self.ply += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        (self.value(player) * 3.0).floor().min(2.0) / 2.0
    }
    fn evaluation(&self, player: usize) -> Option<f64> {
        Some(self.value(player))
    }
    fn heavy_action(&self, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        Some(0)
    }
    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Duel>>> {
        Some(Arc::new(ByValue))
    }
}

struct ByValue;

impl Evaluator<Duel> for ByValue {
    fn evaluate(&self, leaves: &[Leaf<'_, Duel>], out: &mut Evaluations) {
        leaves.iter().for_each(|leaf| out.push(&[leaf.position.value(0), leaf.position.value(1)], &[]));
    }
}

/// The first player draws at once, or lets the second choose one of ten doors, behind some of which the first wins.
#[derive(Clone, Default)]
struct Doors {
    /// The number of doors behind which the first player wins.
    won: u8,
    moves: Vec<u8>,
}

impl Game for Doors {
    type Action = u8;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const TURN_ORDER: TurnOrder = TurnOrder::Alternating;
    const EVALUATOR: Knowledge = Knowledge::Values;

    fn turn(&self) -> Turn {
        let is_over = self.moves.len() == 2 || self.moves == [0];
        if is_over { Turn::Over } else { Turn::Player(self.moves.len()) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.moves.is_empty() { 2 } else { 10 });
    }
    fn apply(&mut self, action: u8) {
        self.moves.push(action);
    }
    fn reward(&self, player: usize) -> f64 {
        let first = match self.moves[..] {
            [_, door] => f64::from(u8::from((door + 5) % 10 < self.won)),
            _ => 0.5,
        };
        if player == 0 { first } else { 1.0 - first }
    }
    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Doors>>> {
        Some(Arc::new(EvenChance))
    }
}

/// Knows nothing before the game is over.
struct EvenChance;

impl Evaluator<Doors> for EvenChance {
    fn evaluate(&self, leaves: &[Leaf<'_, Doors>], out: &mut Evaluations) {
        leaves.iter().for_each(|_| out.push(&[0.5, 0.5], &[]));
    }
}

#[test]
fn a_minimax_value_follows_the_best_reply_at_once_and_a_mean_slowly() {
    let doors = Doors { won: 9, ..Doors::default() };
    let share_of_draw = |more: &str| {
        let text = format!("mcts:eval=on,c=0.3,traversals=1{more}");
        let mut search = Search::new(doors.clone(), text.parse().unwrap()).unwrap();
        let report = search.run(Budget::iterations(24).early_stop(false)).unwrap();
        let draw = report.children.iter().find(|child| child.action == 0).unwrap();
        draw.playouts as f64 / 24.0
    };
    let (mean, minimax) = (share_of_draw(""), share_of_draw(",minimax=1"));
    assert!(minimax > 0.6 && mean < 0.4, "{minimax} and {mean} of the playouts took the draw");
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
    assert_eq!(renamed("mcts:learn=nst,playout=decisive").1, "mcts:playout=decisive");
    let other = |text: &str| refused(Search::new(Thicket::<true>::new(1, 2), text.parse().unwrap()).err());
    assert_eq!(other("mcts:playouts=4,policy=rave").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playouts=4,learn=mast").1, "mcts:learn=mast");
    assert_eq!(other("mcts:policy=rave,loss=wu").1, "mcts:policy=rave");
    assert_eq!(other("mcts:playout=heavy,threads=2").1, "mcts:threads=2");
    assert_eq!(other("mcts:playout=greedy,threads=2").1, "mcts:threads=2");
    assert_eq!(other("mcts:minimax=0.5").1, "mcts");
    let duel = |text: &str| refused(Search::new(Duel::new(1), text.parse().unwrap()).err());
    assert_eq!(duel("mcts:minimax=0.5").1, "mcts:eval=on,minimax=0.5");
    assert_eq!(duel("mcts:minimax=0.5,eval=on,policy=grave").1, "mcts:eval=on,minimax=0.5");
    assert_eq!(duel("mcts:eval=on,learn=mast").1, "mcts:eval=on");
    assert_eq!(duel("mcts:eval=on,minimax=0.5,policy=ucb1-tuned").1, "mcts:eval=on,minimax=0.5");
    let scores = |text: &str| refused(Search::new(Riches(None), text.parse().unwrap()).err());
    assert_eq!(scores("mcts:policy=ucb1-tuned").1, "mcts");
    assert_eq!(scores("mcts:learn=mast").1, "mcts");
}
