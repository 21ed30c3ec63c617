//! The model checker loom plays every interleaving, and every stale value a weak ordering allows, of claim, publish and
//! read. Run with `RUSTFLAGS="--cfg loom" cargo test -p boughs --lib --release loom`.
//!
//! To see that these tests can fail, add `--cfg weak_publish`: the publishing store becomes `Relaxed`, and a reader
//! finds a block without its contents.

use loom::sync::Arc;
use loom::thread;

use super::layouts::Packed;
use super::ucb::Ucb;
use super::words::Writers;
use super::*;
use crate::mcts::tables::Tables;

const ACTIONS: [u32; 2] = [7, 9];

/// One traversal of a worker: enters the root, expands it or goes to a child, backpropagates a win.
fn traverse(tree: &Tree, tables: &std::sync::Arc<Tables>) {
    let mut cursor = TreeCursor::<Packed>::new(tree, Ucb::new(tables.clone(), 1.0, f64::INFINITY));
    let visit = Packed::pack(Packed::entered(1));
    let root = cursor.enter_root(visit);
    tree.expand(cursor.node(root.step), &ACTIONS, &mut FreeList::default());
    if let Expansion::Children(block) = tree.expansion(tree.root()) {
        assert_eq!(tree.width(block), 2, "a published block has its header");
        let child = cursor.enter(block, &root.state, visit);
        assert!(ACTIONS.contains(&child.state.link.action()), "a published block has its actions");
        assert!(child.state.visits < 2, "a published block begins without visits");
        cursor.add(child.step, Packed::returned(1, Packed::UNITS as u64));
    }
    cursor.add(root.step, Packed::returned(1, 0));
}

fn check_sums(tree: &Tree, traversals: u32) {
    let root = tree.root();
    assert_eq!(tree.read(root).visits, traversals);
    let Expansion::Children(block) = tree.expansion(root) else { panic!("one worker expanded the root") };
    let visits: u32 = tree.children(block).map(|child| tree.read(child).visits).sum();
    assert!((1..=traversals).contains(&visits), "{visits} of {traversals} traversals reached a child");
    for child in tree.children(block) {
        let stats = tree.read(child);
        assert_eq!(stats.sum, 2 * u64::from(stats.visits), "every visit has its reward");
    }
}

#[test]
fn loom_a_published_block_is_seen_whole_by_every_reader() {
    // Made outside of the model, whose threads have small stacks.
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = Arc::new(Tree::new(32 * 8, LayoutKind::Packed, Writers::Many).expect("room for a root"));
        let other = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || traverse(&tree, &tables))
        };
        traverse(&tree, &tables);
        other.join().expect("no worker fails");
        check_sums(&tree, 2);
    });
}

#[test]
fn loom_memory_that_was_used_before_shows_nothing_of_it() {
    // Made outside of the model, whose threads have small stacks.
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = Arc::new(Tree::new(32 * 8, LayoutKind::Packed, Writers::Many).expect("room for a root"));
        // The contents left behind must not pass for those to come.
        tree.expand(tree.root(), &[1, 2, 3], &mut FreeList::default());
        if let Expansion::Children(block) = tree.expansion(tree.root()) {
            (0..5).for_each(|_| {
                tree.children(block).for_each(|child| _ = tree.add::<Packed>(child, Packed::returned(0, 1)))
            });
        }
        tree.clear();
        let other = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || traverse(&tree, &tables))
        };
        traverse(&tree, &tables);
        other.join().expect("no worker fails");
        check_sums(&tree, 2);
    });
}

#[test]
fn loom_of_two_that_claim_the_last_room_at_most_one_gets_it() {
    loom::model(|| {
        // Room for the root and one block of two children.
        let tree = Arc::new(Tree::new((2 + 3 + 5) * 8, LayoutKind::Packed, Writers::Many).expect("room for a root"));
        let expand = |tree: &Tree| tree.expand(tree.root(), &ACTIONS, &mut FreeList::default()).is_some();
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

/// Finds or makes the block of one key below the root, and checks its contents.
fn find_or_attach(tree: &Tree) -> Block {
    let block = tree.find_or_attach(tree.root(), 5, &ACTIONS, &mut FreeList::default()).expect("room");
    assert_eq!((tree.key(block), tree.width(block)), (5, 2), "a chained block has its header and its key");
    assert!(tree.children(block).all(|child| ACTIONS.contains(&tree.action(child))), "a chained block has its actions");
    block
}

#[test]
fn loom_workers_that_chain_blocks_agree_on_one_for_each_key() {
    loom::model(move || {
        let tree = Arc::new(Tree::new(96 * 8, LayoutKind::InformationSets, Writers::Many).expect("room for the roots"));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || find_or_attach(&tree))
        };
        let own = find_or_attach(&tree);
        assert_eq!(other.join().expect("no worker fails"), own, "there is one block for each key");
        assert_eq!(tree.chain(tree.root()).count(), 1);
    });
}
