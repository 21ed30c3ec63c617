//! The value of a child by each policy, against numbers computed by hand from the formula of its paper.

use std::sync::Arc;

use super::grave::reference_block;
use super::ucb1::Ucb1;
use super::{AmafStats, ChildStats, SelectionPolicy, child, node, of};
use crate::mcts::settings::{FirstPlay, Settings};
use crate::mcts::tables::Tables;
use crate::mcts::tree::informed::Informed;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{LayoutKind, Node, NodeStats, Step, Tree, TreeCursor};

/// The rule of a spec, in which a child without visits and without a prior is worth `unvisited`.
fn rule(spec: &str, unvisited: f64) -> Box<dyn SelectionPolicy> {
    let settings: Settings = spec.parse().unwrap();
    let (c, first_play) = (settings.exploration as f32, FirstPlay::Value(unvisited));
    of(&Settings { first_play, ..settings }, 0).unwrap_or_else(|| Box::new(Ucb1 { c, first_play }))
}

/// Checks by choices that a child of a node with N visits has a value: it is selected before a child that is worth a
/// little less, and not before one that is worth a little more.
fn check(spec: &str, visits: u32, child: ChildStats, value: f64) {
    let selects = |rival: f64| rule(spec, rival).select(&node(visits), &[ChildStats::default(), child]) == 1;
    assert!(selects(value - 1e-5) && !selects(value + 1e-5), "{spec}: N = {visits}, {child:?}: {value}");
}

fn amaf(child: ChildStats, visits: u32, sum: f32) -> ChildStats {
    ChildStats { amaf: AmafStats { visits, sum }, ..child }
}

/// Browne et al. 2012, section 3.3, with C for 2 Cp sqrt(2): mean + C sqrt(ln N / n). ln 100 = 4.605170.
#[test]
fn ucb1_is_the_mean_and_the_exploration() {
    // 15 / 25 + sqrt(4.605170 / 25) = 0.6 + 0.429193.
    check("mcts:c=1", 100, child(25, 15.0, 0.0), 1.029193);
    check("mcts:c=0.5", 100, child(25, 15.0, 0.0), 0.814597);
    // 1 / 4 + 1.4 sqrt(4.605170 / 4) = 0.25 + 1.4 * 1.072983.
    check("mcts:c=1.4", 100, child(4, 1.0, 0.0), 1.752176);
}

/// Browne et al. 2012, section 5.1.1: mean + C sqrt(ln N / n min(1/4, V)), V = mean of squares - mean^2 + sqrt(2 ln N /
/// n).
#[test]
fn ucb1_tuned_explores_by_the_variance() {
    let squares = |child, squares| ChildStats { squares, ..child };
    // V = 0.4 - 0.36 + sqrt(0.368414) = 0.646971, above 1/4: 0.6 + sqrt(0.184207 / 4) = 0.6 + 0.214597.
    check("mcts:policy=ucb1-tuned,c=1", 100, squares(child(25, 15.0, 0.0), 10.0), 0.814597);
    // ln 10,000 = 9.210340; V = 0.26 - 0.25 + sqrt(0.003684) = 0.070697; sqrt(0.001842 * 0.070697) = 0.011412.
    check("mcts:policy=ucb1-tuned,c=1", 10_000, squares(child(5_000, 2_500.0, 0.0), 1_300.0), 0.511412);
    check("mcts:policy=ucb1-tuned,c=2", 10_000, squares(child(5_000, 2_500.0, 0.0), 1_300.0), 0.522824);
}

/// Silver et al. 2017, methods, "Select": mean + C P sqrt(N) / (1 + n).
#[test]
fn puct_explores_by_the_prior() {
    // 4.2 / 7 + 1.5 * 0.25 * 8 / 8.
    check("mcts:policy=puct,c=1.5", 64, child(7, 4.2, 0.25), 0.975);
    // 1 / 1 + 2 * 0.1 * 10 / 2.
    check("mcts:policy=puct,c=2", 100, child(1, 1.0, 0.1), 2.0);
    check("mcts:policy=puct,c=0", 100, child(1, 1.0, 0.1), 1.0);
}

/// Chaslot et al. 2008, section 4.1: UCB1 + W P / (n + 1).
#[test]
fn progressive_bias_adds_the_prior() {
    // 1.029193 + 2 * 0.3 / 26.
    check("mcts:policy=bias,c=1,bias=2", 100, child(25, 15.0, 0.3), 1.052270);
}

/// Gelly and Silver 2011, section 6.2.3, and Cazenave 2015, section 3: (1 - beta) mean + beta AMAF mean, where beta = m
/// / (m + n + b m n), and the exploration of UCB1 with n + 1 for n: sqrt(4.605170 / 26) = 0.420859.
#[test]
fn rave_and_grave_mix_in_the_moves_that_came_later() {
    let known = amaf(child(25, 15.0, 0.0), 50, 10.0);
    for policy in ["rave", "grave"] {
        let check = |keys: &str, child, value| check(&format!("mcts:policy={policy},{keys}"), 100, child, value);
        // beta = 50 / 76.25 = 0.655738: 0.344262 * 0.6 + 0.655738 * 0.2 = 0.337705.
        check("c=0,amaf=0.001", known, 0.337705);
        check("c=1,amaf=0.001", known, 0.758564);
        // beta = 50 / 200: 0.75 * 0.6 + 0.25 * 0.2 + 0.420859.
        check("c=1,amaf=0.1", known, 0.920859);
        // beta = 50 / 75: 0.2 + 0.133333.
        check("c=0,amaf=0", known, 0.333333);
        // Without visits of its own: the AMAF mean and sqrt(4.605170).
        check("c=1,amaf=0.001", amaf(child(0, 0.0, 0.0), 50, 10.0), 2.345966);
        // Without later moves: UCB1.
        check("c=1,amaf=0.001", child(25, 15.0, 0.0), 1.029193);
    }
}

/// Cazenave 2015, algorithm 1: the last node on the path with more than `ref` playouts, here of the same player.
#[test]
fn grave_goes_by_the_closest_node_above_with_enough_visits() {
    let tree = Tree::new(1 << 16, LayoutKind::Informed, Writers::One).unwrap();
    let mut stock = tree.new_stock();
    let mut cursor = TreeCursor::<Informed>::new(&tree, Ucb::new(Arc::new(Tables::new()), 1.0, f64::INFINITY), 1, 2);
    let mut entered = cursor.enter_root([0; 4]);
    let mut path: Vec<(Step, u8)> = vec![(entered.step, u8::MAX)];
    // The visits of the nodes from the root down, at which player 0 and player 1 choose by turns.
    let visits = [900, 700, 500, 300, 60, 40, 5];
    let write = |node: Node, visits| tree.write(node, NodeStats { visits, unobserved: 0, sum: 0 });
    write(cursor.node(entered.step), visits[0]);
    for (depth, &visits) in visits[1..].iter().enumerate() {
        let block = tree.expand(cursor.node(entered.step), &[0], &mut stock).unwrap();
        entered = cursor.enter_nth(block, 0, [0; 4]);
        write(cursor.node(entered.step), visits);
        path.push((entered.step, (depth % 2) as u8));
    }
    let found = |chooser, reference| {
        let other = reference_block(&path, chooser, reference, |step| tree.read(cursor.node(step)).visits)?;
        // The visits of the node whose children these are.
        path.windows(2).position(|pair| pair[1].0.block() == other).map(|depth| visits[depth])
    };
    assert_eq!([50, 60, 61, 301, 501].map(|reference| found(0, reference)), [60, 60, 500, 500, 900].map(Some));
    assert_eq!([30, 50, 301, 701].map(|reference| found(1, reference)), [Some(40), Some(300), Some(700), None]);
    assert_eq!(found(u8::MAX, 1), None, "chance has no statistics");
}
