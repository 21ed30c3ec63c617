//! Searches in games with simultaneous choices and hidden cards, judged by exact solutions.

use boughs::{Game, Information, Rewards, Rng, Settings, Turn};
use boughs_games::goofspiel::{Goofspiel, Order};
use boughs_games::kuhn::Kuhn;
use boughs_games::matrix::{Matrix, Table};
use boughs_tests::exact::{matrix, simultaneous, strategy};
use boughs_tests::{position, search, tree_search};

use crate::gamble::{ACTIONS_BY_BIT, COIN_BY_BIT, Gamble, LENGTH_BY_BIT, SAFE, TURN_BY_BIT};

/// The trait is not imported: the games below implement `Game`, and a method of both traits would be ambiguous.
type Position = dyn boughs::Session;

const DRIVERS: [&str; 4] =
    ["threads=1", "threads=2", "threads=2,parallel=independent", "threads=2,parallel=batched,batch=16"];

/// The share with which a search plays each legal action: by the average strategy where there is one, else by playouts.
fn mixture(position: &Position, agent: &str, playouts: u64, seed: u64) -> Vec<f64> {
    let report = search(position, agent, seed, playouts).expect(agent);
    let share = |(action, _): (u32, String)| {
        let child = report.children.iter().find(|child| child.action == action).expect("a legal action");
        child.strategy.unwrap_or(child.playouts as f64 / playouts as f64)
    };
    position.legal_moves().into_iter().map(share).collect()
}

/// The same position with the other player to choose, who must not know the first one's choice.
fn for_the_second(position: &Position) -> Box<Position> {
    let mut second = position.clone_session();
    second.apply(position.legal_moves()[0].0);
    second
}

fn both(position: &Position, agent: &str, playouts: u64) -> [Vec<f64>; 2] {
    [mixture(position, agent, playouts, 1), mixture(&*for_the_second(position), agent, playouts, 2)]
}

#[test]
fn regret_matching_comes_within_a_hundredth_of_the_equilibria_of_tables() {
    for (table, driver) in [
        (Table::Biased, DRIVERS[0]),
        (Table::Random(2), DRIVERS[1]),
        (Table::Biased, DRIVERS[2]),
        (Table::Biased, DRIVERS[3]),
    ] {
        let [rows, columns] = both(&Matrix::new(table), &format!("mcts:policy=rm,{driver}"), 300_000);
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
    let first = position("matrix:game=dominated", "");
    let positions = [first.clone(), for_the_second(&*first)];
    for policy in ["ucb1", "rm"] {
        for driver in DRIVERS {
            let agent = format!("mcts:policy={policy},{driver}");
            for seed in 0..10 {
                for position in &positions {
                    let best = search(&**position, &agent, seed, 3_000).expect(&agent).best;
                    assert_ne!(best.map(|best| best.text).as_deref(), Some("c"), "{agent}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn no_search_folds_the_king_or_calls_with_the_jack() {
    for agent in ["tree=multi", "tree=single", "policy=rm"] {
        for driver in DRIVERS {
            for position in strategy::decisions(&Kuhn::default()) {
                let Turn::Player(player) = position.turn() else { panic!("a player decides") };
                for seed in 0..3 {
                    let report = search(&position, &format!("mcts:{agent},{driver}"), seed, 2_000).expect(agent);
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

/// Compares the decisions for pairs of states that the player to move cannot tell apart. Returns the number of pairs
/// that differ.
fn compare_indistinguishable_states(start: &Position) -> u32 {
    let mut compared = 0;
    for game in 0..6 {
        let mut rng = Rng::new(9, game);
        let mut position = start.clone_session();
        while position.turn() != Turn::Over {
            if let Turn::Player(player) = position.turn() {
                let mut other = position.clone();
                other.determinize(player, &mut rng);
                if other.turn() == position.turn() {
                    compared += u32::from(other.board() != position.board());
                    assert_same_decision(&*position, &*other);
                }
            }
            let action = match position.turn() {
                Turn::Chance => position.chance(&mut rng),
                _ => position.random_action(&mut rng),
            };
            position.apply(action.expect("the game goes on"));
        }
    }
    compared
}

fn assert_same_decision(position: &Position, other: &Position) {
    for agent in ["mcts:tree=multi", "mcts:tree=single", "mcts:tree=multi,policy=rm,parallel=batched"] {
        let decide = |position: &Position| {
            let mut search = tree_search(position, agent, 5).expect(agent);
            let report = boughs_tests::run(&mut *search, 300);
            (search.dump(usize::MAX), report.best, report.children)
        };
        assert_eq!(decide(position), decide(other), "{agent}: {}\nand\n{}", position.board(), other.board());
    }
}

#[test]
fn the_whole_decision_is_the_same_for_states_the_player_cannot_tell_apart() {
    for spec in ["kuhn", "whist:hand=4", "whist:hand=6"] {
        let compared = compare_indistinguishable_states(&*position(spec, ""));
        assert!(compared > 3, "{spec}: {compared} pairs of different states");
    }
}

#[test]
fn a_secret_choice_does_not_reach_the_other_player() {
    let start = position("goofspiel:cards=5,order=descending", "");
    let after = |bid: u32| {
        let mut position = start.clone();
        position.apply(bid);
        position
    };
    let bids: Vec<u32> = start.legal_moves().into_iter().map(|(bid, _)| bid).collect();
    for &bid in &bids[1..] {
        assert_same_decision(&*after(bids[0]), &*after(bid));
    }
}

#[test]
fn hidden_cards_are_searched_only_by_trees_of_what_players_know() {
    let start = position("kuhn", "");
    let error = |agent: &str| start.tree_search(agent.parse().expect(agent)).map(drop).unwrap_err().to_string();
    assert_eq!(error("mcts:tree=plain"), "a plain tree would use information that players do not have; try mcts");
    assert!(error("mcts:tree=open,c=0.5").ends_with("try mcts:c=0.5,tree=single"));
    assert!(error("mcts:tree=single,policy=rm").ends_with("try mcts:policy=rm,tree=multi"));
    assert!(error("mcts:solver=on").ends_with("try mcts"));
}

/// The first player takes a safe reward, or chooses once more: one of ten picks is worth more, the others nothing.
#[derive(Clone, Debug, Default)]
struct SafeOrBrave {
    is_brave: Option<bool>,
    pick: Option<u8>,
}

impl Game for SafeOrBrave {
    type Action = u8;
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const INFORMATION: Information = Information::Simultaneous;
    fn turn(&self) -> Turn {
        match (self.is_brave, self.pick) {
            (None, _) | (Some(true), None) => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.is_brave.is_none() { 2 } else { 10 });
    }
    fn apply(&mut self, action: u8) {
        if self.is_brave.is_none() { self.is_brave = Some(action == 1) } else { self.pick = Some(action) }
    }
    fn reward(&self, player: usize) -> f64 {
        let first = match self.pick {
            None => 0.93,
            Some(pick) => f64::from(u8::from(pick == 0)),
        };
        if player == 0 { first } else { 1.0 - first }
    }
    fn information(&self, _: usize) -> u64 {
        self.is_brave.map_or(0, |is_brave| 1 + u64::from(is_brave))
    }
}

#[test]
fn a_choice_does_not_pay_for_what_is_tried_after_it() {
    for driver in [DRIVERS[0], DRIVERS[3]] {
        let played = mixture(&SafeOrBrave::default(), &format!("mcts:policy=rm,{driver}"), 150_000, 1);
        assert!(played[1] > 0.9, "{driver}: brave in {played:?}");
    }
}

/// A game for one: name the card that lies face down.
#[derive(Clone, Debug)]
struct FaceDown {
    card: u8,
    named: Option<u8>,
}

impl Game for FaceDown {
    type Action = u8;
    const INFORMATION: Information = Information::Hidden;
    fn players(&self) -> usize {
        1
    }
    fn turn(&self) -> Turn {
        if self.named.is_none() { Turn::Player(0) } else { Turn::Over }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..3);
    }
    fn apply(&mut self, card: u8) {
        self.named = Some(card);
    }
    fn reward(&self, _: usize) -> f64 {
        f64::from(u8::from(self.named == Some(self.card)))
    }
    fn information(&self, _: usize) -> u64 {
        self.named.map_or(0, |named| 1 + u64::from(named))
    }
    fn determinize(&mut self, _: usize, rng: &mut Rng) {
        self.card = rng.below(3) as u8;
    }
}

#[test]
fn with_hidden_information_a_lucky_playout_is_no_plan() {
    for agent in ["mcts", "mcts:tree=single", "flat", "determinization"] {
        let agent: boughs_agents::AgentSpec = agent.parse().expect(agent);
        let mut agent = agent.build(&FaceDown { card: 2, named: None }).expect("an agent");
        let report = agent.search(boughs::Budget::iterations(500), &mut |_| ()).expect("a report");
        assert!(report.best.is_some() && report.best_playout.is_none());
    }
}

/// Searches the gamble in both of its states, in every tree of information sets.
fn assert_takes_the_safe_reward(kind: u8) {
    for agent in ["tree=multi", "tree=single", "tree=single,parallel=batched", "tree=single,threads=2"] {
        for bit in [0, 1] {
            let report = search(&Gamble::new(kind, bit), &format!("mcts:{agent},c=0.5"), 1, 20_000).expect(agent);
            let [safe, gamble] = ["10", "11"]
                .map(|text| report.children.iter().find(|child| child.text == text).map_or(0.0, |child| child.mean));
            assert_eq!(report.best.map(|best| best.text).as_deref(), Some("10"), "{agent}, kind {kind}: {gamble}");
            assert!((safe - SAFE).abs() < 1e-6 && gamble < 0.6, "{agent}, kind {kind}: {safe} and {gamble}");
        }
    }
}

#[test]
fn the_tree_branches_only_on_what_the_searching_player_sees() {
    assert_takes_the_safe_reward(ACTIONS_BY_BIT);
    assert_takes_the_safe_reward(LENGTH_BY_BIT);
    assert_takes_the_safe_reward(TURN_BY_BIT);
    assert_takes_the_safe_reward(COIN_BY_BIT);
}

/// Each of two players names a number, at the same time; the first wins if they are the same.
#[derive(Clone, Debug, Default)]
struct Numbers(Vec<u16>);

const NUMBERS: u16 = 300;

impl Game for Numbers {
    type Action = u16;
    const REWARDS: Rewards = Rewards::WIN_DRAW_LOSS;
    const INFORMATION: Information = Information::Simultaneous;
    fn turn(&self) -> Turn {
        if self.0.len() < 2 { Turn::Player(self.0.len()) } else { Turn::Over }
    }
    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(0..NUMBERS);
    }
    fn apply(&mut self, number: u16) {
        self.0.push(number);
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from((self.0[0] == self.0[1]) == (player == 0)))
    }
    fn information(&self, player: usize) -> u64 {
        match self.0.get(player) {
            Some(number) if self.0.len() == 1 => 2 + u64::from(*number),
            _ => (self.0.len() / 2) as u64,
        }
    }
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        if player == 1 && self.0.len() == 1 {
            self.0.clear();
        }
    }
}

#[test]
fn two_choices_at_once_take_the_sum_of_their_actions_and_not_the_product() {
    for policy in ["ucb1", "rm"] {
        let report = search(&Numbers::default(), &format!("mcts:policy={policy}"), 1, 20_000).expect(policy);
        let pairs = usize::from(NUMBERS).pow(2);
        assert!(report.bytes < pairs / 2, "{policy}: {} bytes for {pairs} pairs of numbers", report.bytes);
    }
}

#[test]
fn with_little_memory_the_decision_is_searched_and_not_what_comes_before_it() {
    let position = for_the_second(&Matrix::new(Table::Biased));
    let mut searched = 0;
    for memory in (200..2_000).step_by(40) {
        for policy in ["ucb1", "rm"] {
            let settings = Settings { memory, ..format!("mcts:policy={policy}").parse().expect("settings") };
            let Ok(mut search) = position.tree_search(settings) else { continue };
            let budget = boughs::Budget::iterations(300).early_stop(false);
            let Ok(report) = search.search(budget, &mut |_| ()) else { continue };
            searched += 1;
            let seen: u64 = report.children.iter().map(|child| child.playouts).sum();
            assert!(report.best.is_some() && seen == 300, "{policy}, {memory} bytes: {seen} of 300 playouts");
        }
    }
    assert!(searched > 40, "{searched}");
}
