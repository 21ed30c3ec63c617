//! The bounds of a bulk.

use std::sync::Arc;

use super::*;
use crate::mcts::tables::Tables;
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{Stock, Tree};

#[test]
fn no_more_simulations_go_unshown_through_a_leaf_than_narrow_counters_have_room_for() {
    for workers in [1, 2, 64] {
        let tree = Tree::new(1 << 12, Narrow::KIND, Writers::Many).expect("room for a root");
        let block = tree.expand(tree.root(), &[0], &mut Stock::default()).expect("room for a child");
        let cursor: TreeCursor<'_, Narrow> = TreeCursor::new(&tree, Ucb::new(Arc::new(Tables::new()), 1.0, 1.0), 1, 1);
        let mut bulk = Bulk::new(2, 100, 1 << 16, workers);
        bulk.push_root(cursor.root(), block, 1 << 16);
        bulk.push(0, cursor.nth(block, 0), 1 << 16);
        let begun = std::iter::from_fn(|| bulk.next()).count();
        assert_eq!(begun * workers * 2, MOST_LATE as usize, "{workers} workers");
    }
}
