//! The model checker loom on blocks of lines: claim, publish and read, the swing to wide lines, writers that come by
//! the old link, and the mark of a known outcome.
//!
//! They were seen to fail with the publication, the swing, the mark or the read of a link `Relaxed`; with each of these
//! writes, or an addition, made by a load and a store; with a claim that compares nothing; and with the narrow or the
//! wide counter left out of a sum. They pass with a claim that is `Relaxed`, and with a swing and a mark that are
//! `Release` only: the orderings that stand there are stronger than these.

use loom::sync::Arc;
use loom::thread;

use super::layout::Layout;
use super::narrow::Narrow;
use super::ucb::Ucb;
use super::words::Writers;
use super::*;
use crate::mcts::tables::Tables;

const ACTIONS: [u32; 2] = [7, 9];

fn tree() -> Arc<Tree> {
    Arc::new(Tree::new(96 * 8, LayoutKind::Narrow, Writers::Many).expect("room for a root"))
}

fn cursor<'t>(tree: &'t Tree, tables: &std::sync::Arc<Tables>) -> TreeCursor<'t, Narrow> {
    TreeCursor::new(tree, Ucb::new(tables.clone(), 1.0, f64::INFINITY), 3, 2)
}

fn children(tree: &Tree) -> Block {
    tree.expansion(tree.root()).block().expect("the root has children")
}

/// The visit of a traversal in flight.
fn a_visit() -> NodeStats {
    Narrow::entered(1)
}

/// Enters the root, expands it or goes to a child, backpropagates a win.
fn traverse(tree: &Tree, tables: &std::sync::Arc<Tables>) {
    let mut cursor = cursor(tree, tables);
    let visit = Narrow::pack(a_visit());
    let root = cursor.enter_root(visit);
    tree.expand(cursor.node(root.step), &ACTIONS, &mut Stock::default());
    if let Expansion::Children(block) = tree.expansion(tree.root()) {
        assert_eq!(tree.width(block), 2, "a published block has its head");
        let child = cursor.enter(block, &root.state, visit);
        assert!(ACTIONS.contains(&child.state.link.action), "a published block has its actions");
        cursor.add(child.step, Narrow::returned(a_visit(), Narrow::UNITS as u64));
    }
    cursor.add(root.step, Narrow::returned(a_visit(), 0));
}

#[test]
fn loom_a_published_line_is_seen_whole_by_every_reader() {
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = tree();
        let other = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || traverse(&tree, &tables))
        };
        traverse(&tree, &tables);
        other.join().expect("no worker fails");
        assert_eq!(tree.read(tree.root()).visits, 2);
        let sums = tree.children(children(&tree)).map(|child| tree.read(child));
        let (visits, halves) = sums.fold((0, 0), |(visits, sum), stats| (visits + stats.visits, sum + stats.sum));
        assert!((1..=2).contains(&visits) && halves == 2 * u64::from(visits), "{visits} visits, {halves} halves");
    });
}

#[test]
fn loom_a_late_writer_to_narrow_counters_is_counted_beside_the_wide_ones() {
    let tables = std::sync::Arc::new(Tables::new());
    loom::model(move || {
        let tree = tree();
        tree.expand(tree.root(), &ACTIONS, &mut Stock::default());
        let narrow = children(&tree);
        // Wins of the first child: one worker counts in the block it has, narrow or wide; the other widens it first.
        let late = {
            let (tree, tables) = (tree.clone(), tables.clone());
            thread::spawn(move || {
                let mut cursor = cursor(&tree, &tables);
                let block = children(&tree);
                let entered = cursor.enter_nth(block, 0, Narrow::pack(a_visit()));
                assert_eq!(entered.state.link.action, ACTIONS[0], "wide lines know the narrow ones");
                cursor.add(entered.step, Narrow::returned(a_visit(), 2));
                entered.state.visits
            })
        };
        let wide = tree.widen(tree.root(), narrow, &mut Stock::default()).expect("room for wide lines");
        let mut own = cursor(&tree, &tables);
        assert_eq!(children(&tree), wide, "readers from now on see the wide lines");
        let before = own.enter_nth(wide, 0, Narrow::finished(1, 2)).state.visits;
        let others = late.join().expect("no worker fails");
        assert!(before + others <= 1, "each sees the visits of the other or none");
        let first = tree.children(wide).next().expect("a child");
        let stats = tree.read(first);
        assert_eq!((stats.visits, stats.sum), (2, 4), "no visit is lost");
    });
}

#[test]
fn loom_workers_that_widen_agree_on_one_block() {
    loom::model(|| {
        let tree = tree();
        tree.expand(tree.root(), &ACTIONS, &mut Stock::default());
        let narrow = children(&tree);
        let other = {
            let tree = tree.clone();
            thread::spawn(move || tree.widen(tree.root(), narrow, &mut Stock::default()))
        };
        let own = tree.widen(tree.root(), narrow, &mut Stock::default());
        assert_eq!(other.join().expect("no worker fails"), own);
        assert_eq!(own, Some(children(&tree)));
    });
}

#[test]
fn loom_neighbours_whose_links_share_a_word_are_published_by_two_workers() {
    loom::model(|| {
        let tree = tree();
        tree.expand(tree.root(), &ACTIONS, &mut Stock::default());
        let place = |child| lines::node(children(&tree), child);
        let (mine, others) = (place(0), place(1));
        let other = {
            let tree = tree.clone();
            thread::spawn(move || tree.expand(others, &ACTIONS, &mut Stock::default()))
        };
        let own = tree.expand(mine, &ACTIONS, &mut Stock::default());
        if let Expansion::Children(block) = tree.expansion(others) {
            assert!(
                tree.children(block).map(|node| tree.action(node)).eq(ACTIONS),
                "a published block has its actions"
            );
        }
        let theirs = other.join().expect("no worker fails");
        assert!(own.is_some() && theirs.is_some() && own != theirs, "each has claimed its own link");
        assert_eq!([mine, others].map(|node| tree.expansion(node).block()), [own, theirs], "no link is lost");
    });
}

#[test]
fn loom_an_outcome_is_seen_by_every_reader_of_its_mark() {
    loom::model(|| {
        let tree = tree();
        tree.expand(tree.root(), &ACTIONS, &mut Stock::default());
        let child = lines::node(children(&tree), 0);
        let block = tree.expand(child, &ACTIONS, &mut Stock::default()).expect("room for two lines");
        let win = Outcome::of(&[1.0, 0.0]).expect("rewards of two players");
        let other = {
            let tree = tree.clone();
            thread::spawn(move || tree.prove(child, block, win))
        };
        let wide = tree.widen(child, block, &mut Stock::default());
        let seen = tree.link(child).proven().map(|block| tree.outcome_of(block));
        assert!(seen.is_none_or(|outcome| outcome == win), "the mark comes after the outcome");
        other.join().expect("no worker fails");
        assert_eq!(tree.outcome(child), win, "a mark outlasts wide lines: {wide:?}");
    });
}
