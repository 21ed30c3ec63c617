//! The model checker loom plays every interleaving, and every stale value a weak ordering allows, of claim, publish and
//! read. Run with `RUSTFLAGS="--cfg loom" cargo test -p boughs --lib --release loom`.
//!
//! To see that these tests can fail, add `--cfg weak_publish`: the publishing store becomes `Relaxed`, and a reader finds
//! a block without its contents.

use loom::sync::Arc;
use loom::thread;

use super::counters::{Counters, Packed, Writers};
use super::weights::Scales;
use super::*;
use crate::numbers::Tables;

const ACTIONS: [u32; 2] = [7, 9];

/// One descent of a worker: enter the root, expand it or go to a child, back up a win.
fn descend(tree: &Tree, tables: &std::sync::Arc<Tables>) {
    let mut view = View::<Packed>::new(tree, Scales::new(tables.clone(), 1.0, f64::INFINITY));
    let visit = Packed::pack(Packed::entered(1));
    let root = view.enter_root(visit);
    tree.expand(view.node(root.step), ACTIONS.into_iter(), &mut Scraps::default());
    if let Below::Children(block) = tree.below(tree.root()) {
        assert_eq!(tree.width(block), 2, "a published block has its header");
        let child = view.enter(block, root.visits, root.exploration, visit);
        assert!(ACTIONS.contains(&child.link.action()), "a published block has its actions");
        assert!(child.visits < 2, "a published block begins without visits");
        view.add(child.step, Packed::returned(1, Packed::UNITS as u64));
    }
    view.add(root.step, Packed::returned(1, 0));
}

fn check_sums(tree: &Tree, descents: u32) {
    let root = tree.root();
    assert_eq!(tree.read(root).visits, descents);
    let Below::Children(block) = tree.below(root) else { panic!("somebody expanded the root") };
    let visits: u32 = tree.children(block).map(|child| tree.read(child).visits).sum();
    assert!((1..=descents).contains(&visits), "{visits} of {descents} descents reached a child");
    for child in tree.children(block) {
        let tally = tree.read(child);
        assert_eq!(tally.sum, 2 * u64::from(tally.visits), "every visit has its reward");
    }
}

#[test]
fn loom_a_published_block_is_seen_whole_by_every_reader() {
    // Made outside of the model, whose threads have small stacks.
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = Arc::new(Tree::new(32 * 8, Layout::Packed, Writers::Many).expect("room for a root"));
        let other = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || descend(&tree, &tables))
        };
        descend(&tree, &tables);
        other.join().expect("no worker fails");
        check_sums(&tree, 2);
    });
}

#[test]
fn loom_memory_that_was_used_before_shows_nothing_of_it() {
    // Made outside of the model, whose threads have small stacks.
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = Arc::new(Tree::new(32 * 8, Layout::Packed, Writers::Many).expect("room for a root"));
        // What is left behind must not pass for what is to come.
        tree.expand(tree.root(), [1, 2, 3].into_iter(), &mut Scraps::default());
        if let Below::Children(block) = tree.below(tree.root()) {
            (0..5).for_each(|_| {
                tree.children(block).for_each(|child| _ = tree.add::<Packed>(child, Packed::returned(0, 1)))
            });
        }
        tree.clear();
        let other = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || descend(&tree, &tables))
        };
        descend(&tree, &tables);
        other.join().expect("no worker fails");
        check_sums(&tree, 2);
    });
}

#[test]
fn loom_of_two_that_claim_the_last_room_at_most_one_gets_it() {
    loom::model(|| {
        // Room for the root and one block of two children.
        let tree = Arc::new(Tree::new((2 + 3 + 5) * 8, Layout::Packed, Writers::Many).expect("room for a root"));
        let expand = |tree: &Tree| tree.expand(tree.root(), ACTIONS.into_iter(), &mut Scraps::default()).is_some();
        let other = {
            let tree = tree.clone();
            thread::spawn(move || expand(&tree))
        };
        let mine = expand(&tree);
        let theirs = other.join().expect("no worker fails");
        assert!(mine != theirs, "exactly one of them expanded the root");
        assert!(!expand(&tree));
    });
}

/// Finds or makes the block of one key below the root, and looks at what is in it.
fn hang(tree: &Tree) -> Block {
    let block = tree.find_or_hang(tree.root(), 5, ACTIONS.into_iter(), &mut Scraps::default()).expect("room");
    assert_eq!((tree.key(block), tree.width(block)), (5, 2), "a chained block has its header and its key");
    assert!(tree.children(block).all(|child| ACTIONS.contains(&tree.action(child))), "a chained block has its actions");
    block
}

#[test]
fn loom_workers_that_chain_blocks_agree_on_one_for_each_key() {
    loom::model(move || {
        let tree = Arc::new(Tree::new(96 * 8, Layout::Informed, Writers::Many).expect("room for the roots"));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || hang(&tree))
        };
        let own = hang(&tree);
        assert_eq!(other.join().expect("no worker fails"), own, "there is one block for each key");
        assert_eq!(tree.chain(tree.root()).count(), 1);
    });
}
