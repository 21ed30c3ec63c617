//! The top of a search tree, as indented text or as a graph for Graphviz.

use std::fmt::Write;

use boughs::inspect::NodeDump;
use boughs::{Rewards, TreeSearch};
use indicatif::HumanCount;

use super::percent;

/// Most children of a node that are shown. The others are summed up.
const CHILDREN: usize = 10;

/// Least share of all playouts of a child that is shown. It bounds the nodes of a level by its inverse.
const SMALLEST_SHARE: f64 = 0.001;

/// The top of a tree: parents before their children, most played first.
pub(crate) struct TreeView {
    rows: Vec<Row>,
}

struct Row {
    /// The row of the parent; the root is its own parent.
    parent: usize,
    depth: usize,
    text: String,
    visits: u64,
    /// The mean for the player who chose the node; `None` for the root and for nodes that are summed up.
    mean: Option<String>,
    /// True for a row that sums up several nodes.
    is_rest: bool,
}

impl TreeView {
    /// The top of a search's tree, of all its trees together if there are several.
    pub(crate) fn of(search: &mut dyn TreeSearch, depth: usize) -> TreeView {
        let scores = search.position().facts().rewards.bounds != Rewards::ANY.bounds;
        let dump = search.dump(depth);
        let nodes = merge(dump.into_iter().flatten());
        let least = (nodes[0].visits as f64 * SMALLEST_SHARE) as u64;
        let root =
            Row { parent: 0, depth: 0, text: "root".to_string(), visits: nodes[0].visits, mean: None, is_rest: false };
        let mut view = TreeView { rows: Vec::new() };
        let mut waiting = vec![(0, search.position().clone_session(), root)];
        while let Some((at, position, row)) = waiting.pop() {
            let (place, depth) = (view.rows.len(), row.depth + 1);
            let is_rest = row.is_rest;
            view.rows.push(row);
            if is_rest {
                continue;
            }
            let mut children: Vec<&(u32, usize)> = nodes[at].children.iter().collect();
            children.sort_by_key(|(_, child)| std::cmp::Reverse(nodes[*child].visits));
            let worth_it = children.iter().take_while(|(_, child)| nodes[*child].visits >= least).count();
            let rest = children.split_off(worth_it.min(CHILDREN));
            // The last row pushed is the first one popped.
            if !rest.is_empty() {
                let visits = rest.iter().map(|(_, child)| nodes[*child].visits).sum();
                let text = format!("and {} more", rest.len());
                let row = Row { parent: place, depth, text, visits, mean: None, is_rest: true };
                waiting.push((at, position.clone(), row));
            }
            for &(code, child) in children.into_iter().rev() {
                let (text, visits) = (position.action_text(code), nodes[child].visits);
                let mean = search.mean(nodes[child].sum, visits);
                let mean = Some(if scores { format!("{mean:.2}") } else { percent(mean) });
                let mut after = position.clone();
                after.apply(code);
                waiting.push((child, after, Row { parent: place, depth, text, visits, mean, is_rest: false }));
            }
        }
        view
    }

    /// A line for each node, further in the deeper it is.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let _ = writeln!(text, "{:indent$}{}", "", row.label("  "), indent = 1 + 2 * row.depth);
        }
        text
    }

    /// The same as a graph in Graphviz's DOT language.
    pub(crate) fn dot(&self) -> String {
        let mut text = "digraph boughs {\n  node [shape=box];\n".to_string();
        for (place, row) in self.rows.iter().enumerate() {
            let label = row.label("\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let style = if row.is_rest { ", style=dashed" } else { "" };
            let _ = writeln!(text, "  n{place} [label=\"{label}\"{style}];");
            if place != row.parent {
                let _ = writeln!(text, "  n{} -> n{place};", row.parent);
            }
        }
        text + "}\n"
    }
}

impl Row {
    fn label(&self, separator: &str) -> String {
        let mean = self.mean.as_ref().map(|mean| format!("{separator}{mean}")).unwrap_or_default();
        format!("{}{separator}{}{mean}", self.text, HumanCount(self.visits))
    }
}

/// One node of all trees together.
#[derive(Default)]
struct Node {
    visits: u64,
    sum: i64,
    /// The code of each action, and the index of its node.
    children: Vec<(u32, usize)>,
}

/// Adds up the nodes of several trees that have the same path. The root comes first.
fn merge(dump: impl Iterator<Item = NodeDump>) -> Vec<Node> {
    let mut nodes = vec![Node::default()];
    for NodeDump { path, visits, sum, .. } in dump {
        let mut at = 0;
        for code in path {
            // Parents and elder siblings come before a node, so the child is often the last one.
            let known = nodes[at].children.iter().rev().find(|(other, _)| *other == code).map(|&(_, child)| child);
            at = known.unwrap_or_else(|| {
                let child = nodes.len();
                nodes.push(Node::default());
                nodes[at].children.push((code, child));
                child
            });
        }
        nodes[at].visits += u64::from(visits);
        nodes[at].sum = nodes[at].sum.saturating_add(sum);
    }
    nodes
}
