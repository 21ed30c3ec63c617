//! `boughs analyze --tree` shows the top of the tree as text and as a graph.

use crate::common::run;

#[test]
fn the_tree_stands_below_the_result() {
    let text = run("analyze connect4 --iterations 2000 --tree 2").expect();
    let (result, tree) = text.split_once("\n root  ").expect("a tree");
    assert!(result.contains("best "), "{text}");
    let depth = |line: &str| (line.len() - line.trim_start().len()) / 2;
    assert_eq!(tree.lines().filter(|line| depth(line) == 1).count(), 7, "{text}");
    assert!(tree.lines().any(|line| depth(line) == 2) && tree.lines().all(|line| depth(line) <= 2), "{text}");
}

#[test]
fn moves_that_matter_little_are_summed_up() {
    let text = run("analyze hex --iterations 2000 --tree 1").expect();
    let tree: Vec<&str> = text.lines().skip_while(|line| !line.starts_with(" root")).collect();
    assert!(tree.len() == 12 && tree[11].contains("and 111 more"), "{text}");
}

#[test]
fn trees_of_several_threads_are_added_up() {
    let text =
        run("analyze connect4 --agent mcts:parallel=independent,threads=3 --iterations 3000 --no-early-stop --tree 0")
            .expect();
    assert!(text.contains("\n root  3,000\n"), "{text}");
}

#[test]
fn a_graph_has_a_node_for_every_edge_and_nothing_else_is_printed() {
    let text = run("analyze connect4 --iterations 500 --dot").expect();
    assert!(text.starts_with("digraph boughs {\n") && text.ends_with("}\n"), "{text}");
    let nodes = text.lines().filter(|line| line.contains("[label=")).count();
    assert_eq!(text.lines().filter(|line| line.contains(" -> ")).count(), nodes - 1);
}
