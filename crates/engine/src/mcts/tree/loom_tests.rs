//! The model checker loom plays every interleaving, and every stale value a weak ordering allows, of claim, publish and
//! read. Run with `RUSTFLAGS="--cfg loom" cargo test -p boughs --lib --release loom`.
//!
//! To see that these tests can fail, set `BOUGHS_WEAK_PUBLISH`: the publishing store becomes `Relaxed`, and a reader
//! finds a block without its contents.

use loom::sync::Arc;
use loom::thread;

use super::layouts::Packed;
use super::node::FIRST;
use super::tiles::Tiles;
use super::ucb::Ucb;
use super::words::Writers;
use super::*;
use crate::mcts::tables::Tables;

const ACTIONS: [u32; 2] = [7, 9];

/// The visit of a traversal in flight.
fn a_visit() -> NodeStats {
    Packed::entered(1)
}

/// One traversal of a worker: enters the root, expands it or goes to a child, backpropagates a win.
fn traverse(tree: &Tree, tables: &std::sync::Arc<Tables>) {
    let mut cursor = TreeCursor::<Packed>::new(tree, Ucb::new(tables.clone(), 1.0, f64::INFINITY), 3, 2);
    let visit = Packed::pack(a_visit());
    let root = cursor.enter_root(visit);
    tree.expand(cursor.node(root.step), &ACTIONS, &mut Stock::default());
    if let Expansion::Children(block) = tree.expansion(tree.root()) {
        assert_eq!(tree.width(block), 2, "a published block has its header");
        let child = cursor.enter(block, &root.state, visit);
        assert!(ACTIONS.contains(&child.state.link.action), "a published block has its actions");
        assert!(child.state.visits < 2, "a published block begins without visits");
        cursor.add(child.step, Packed::returned(a_visit(), Packed::UNITS as u64));
    }
    cursor.add(root.step, Packed::returned(a_visit(), 0));
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
fn loom_a_report_beside_the_only_worker_sees_a_published_block_whole() {
    for layout in [LayoutKind::Packed, LayoutKind::Narrow] {
        loom::model(move || {
            let tree = Arc::new(Tree::new(96 * 8, layout, Writers::One).expect("room for a root"));
            let report = {
                let tree = tree.clone();
                thread::spawn(move || {
                    if let Expansion::Children(block) = tree.expansion(tree.root()) {
                        assert_eq!(tree.width(block), 2, "a published block has its header");
                        assert!(tree.children(block).all(|child| ACTIONS.contains(&tree.action(child))));
                    }
                })
            };
            assert!(tree.expand(tree.root(), &ACTIONS, &mut Stock::default()).is_some());
            report.join().expect("no reader fails");
        });
    }
}

#[test]
fn loom_memory_that_was_used_before_shows_nothing_of_it() {
    // Made outside of the model, whose threads have small stacks.
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = Arc::new(Tree::new(32 * 8, LayoutKind::Packed, Writers::Many).expect("room for a root"));
        // The contents left behind must not pass for those to come.
        tree.expand(tree.root(), &[1, 2, 3], &mut Stock::default());
        if let Expansion::Children(block) = tree.expansion(tree.root()) {
            (0..5).for_each(|_| {
                tree.children(block).for_each(|child| _ = tree.add::<Packed>(child, Packed::finished(1, 1)))
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
        // Room for the root, one block of two children, and the table of one region.
        let tree =
            Arc::new(Tree::new((2 + 3 + 5 + 1) * 8, LayoutKind::Packed, Writers::Many).expect("room for a root"));
        let expand = |tree: &Tree| tree.expand(tree.root(), &ACTIONS, &mut Stock::default()).is_some();
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
    let block = tree.find_or_attach(tree.root(), 5, &ACTIONS, &mut Stock::default()).expect("room");
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
        assert_eq!(tree.all_below(tree.root()).count(), 1);
    });
}

/// Writes the header of a new block.
fn write_block(arena: &Arena, size: u32, stock: &mut Stock) -> Block {
    let block = arena.allocate(size, stock, &|_, _| None).expect("room");
    arena.words[block.0 as usize].store(u64::from(size) << Block::SIZE, Relaxed);
    block
}

/// An arena of one region, full of blocks of these sizes. No worker holds the region.
fn full_arena(sizes: [u32; 3]) -> Arc<Arena> {
    let arena = Arc::new(Arena::new((16 + 1) * 8, Tiles::Headed, Writers::Many).expect("room"));
    let mut stock = Stock::default();
    for size in sizes {
        write_block(&arena, size, &mut stock);
    }
    arena.give_back(stock);
    arena
}

#[test]
fn loom_a_tile_that_is_seen_free_has_been_counted() {
    loom::model(|| {
        let arena = full_arena([6, 6, 2]);
        let other = {
            let arena = arena.clone();
            thread::spawn(move || arena.free_tile(Block(FIRST)))
        };
        let (size, is_free) = arena.tiles.read(&arena.words, FIRST);
        let counted = arena.regions.claim(&arena.words, 0, size);
        assert!(size == 6 && (!is_free || counted == Some(FIRST)), "a free tile is counted before it is seen");
        other.join().expect("no worker fails");
    });
}

/// Writes a block of 12 words where a sweep finds room for it.
fn sweep_for_twelve(arena: &Arena) -> bool {
    let mut stock = Stock::default();
    let has_room = arena.sweep(12, 8, &mut stock);
    if has_room {
        write_block(arena, 12, &mut stock);
    }
    arena.give_back(stock);
    has_room
}

#[test]
fn loom_the_next_holder_of_a_region_sees_its_tiles_as_the_last_one_left_them() {
    loom::model(|| {
        let arena = full_arena([6, 6, 2]);
        let freed = arena.free_tile(Block(FIRST)) + arena.free_tile(Block(FIRST + 6));
        arena.free.fetch_add(freed, Relaxed);
        let other = {
            let arena = arena.clone();
            thread::spawn(move || sweep_for_twelve(&arena))
        };
        let mine = sweep_for_twelve(&arena);
        let theirs = other.join().expect("no worker fails");
        assert!(mine != theirs, "exactly one of them gets the two free tiles");
        assert_eq!(arena.tiles.read(&arena.words, FIRST), (12, false));
    });
}

#[test]
fn loom_words_that_are_put_back_come_with_their_part_of_the_table() {
    loom::model(|| {
        // Four regions of 16 words, and the table.
        let arena = Arc::new(Arena::new((64 + 4) * 8, Tiles::Headed, Writers::Many).expect("room"));
        let mut stock = Stock::default();
        // It reaches over the whole of region 1, and ends in region 2.
        let block = write_block(&arena, 40, &mut stock);
        let other = {
            let arena = arena.clone();
            thread::spawn(move || {
                arena.free_block(block, &mut stock);
                arena.give_back(stock);
            })
        };
        let mut stock = Stock::default();
        let own = write_block(&arena, 15, &mut stock);
        arena.give_back(stock);
        other.join().expect("no worker fails");
        if own == Block(FIRST) {
            let mut stock = Stock::default();
            write_block(&arena, 15, &mut stock);
            arena.give_back(stock);
            assert_eq!(arena.regions.claim(&arena.words, 1, 0), Some(17), "the second block begins in region 1");
        }
    });
}
