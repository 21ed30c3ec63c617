//! Parts of a tree as data for the page.

use boughs::inspect::{ChildView, Iteration, NodeView};
use boughs::{Rng, Session, TreeKind, Turn};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The most plies of a part.
pub(super) const MOST_DEPTH: usize = 10;

/// The most nodes of a part.
const MOST_NODES: usize = 500;

/// The most children of a node in a picture, and its least share of the visits of the part.
const MOST_CHILDREN: usize = 12;
const LEAST_SHARE: f64 = 0.002;

/// The question for a part of a tree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeQuestion {
    /// The texts of the actions from the root to the top of the part.
    #[serde(default)]
    pub(crate) path: Vec<String>,
    /// The number of plies below it.
    pub(crate) depth: usize,
    /// True to get all children of the top, and nothing below them.
    #[serde(default)]
    pub(crate) all: bool,
}

/// A position in the tree: the one after the actions of a path, as far as it is known.
struct Walk {
    position: Box<dyn Session>,
    is_open_loop: bool,
}

impl Walk {
    fn new(position: &dyn Session, kind: TreeKind) -> Walk {
        Walk { position: position.clone_session(), is_open_loop: kind == TreeKind::Open }
    }

    fn after(&self, action: u32) -> Walk {
        let mut walk = Walk { position: self.position.clone(), is_open_loop: self.is_open_loop };
        if walk.is_legal(action) {
            walk.position.apply(action);
        }
        // The tree has no outcomes of chance here, so one of them stands for all.
        let mut rng = Rng::new(0, 0);
        while walk.is_open_loop && walk.position.turn() == Turn::Chance {
            let Some(outcome) = walk.position.chance(&mut rng) else { break };
            walk.position.apply(outcome);
        }
        walk
    }

    fn is_legal(&self, action: u32) -> bool {
        let mut legal = Vec::new();
        self.position.actions(&mut legal);
        legal.contains(&action) || self.position.turn() == Turn::Chance
    }

    fn text(&self, action: u32) -> String {
        if self.is_legal(action) { self.position.action_text(action) } else { format!("#{action}") }
    }
}

/// The part of a tree that a question asks for.
pub(super) fn tree(
    position: &dyn Session,
    kind: TreeKind,
    node: &dyn Fn(&[u32]) -> Option<NodeView>,
    question: &TreeQuestion,
) -> Result<Value, Refusal> {
    let (mut walk, mut path) = (Walk::new(position, kind), Vec::new());
    for text in &question.path {
        let children = node(&path).map(|view| view.children).unwrap_or_default();
        let child = children.iter().find(|child| walk.text(child.action) == *text);
        let action = child.ok_or_else(|| Refusal::missing(format!("the tree has no node '{text}' there")))?.action;
        walk = walk.after(action);
        path.push(action);
    }
    let top = node(&path).ok_or_else(|| Refusal::missing("the tree has no such node"))?;
    let (depth, most, left) = match question.all {
        true => (1, usize::MAX, usize::MAX),
        false => (question.depth.min(MOST_DEPTH), MOST_CHILDREN, MOST_NODES),
    };
    let mut part = Part { node, least: top.visits as f64 * LEAST_SHARE, left };
    let children = part.children(&walk, &mut path, &top, depth, most);
    let is_keyed = !matches!(kind, TreeKind::Plain | TreeKind::Open);
    Ok(json!({
        "path": question.path, "isAll": question.all, "isKeyed": is_keyed,
        "tree": { "visits": top.visits, "inFlight": top.in_flight, "width": top.children.len(), "children": children },
    }))
}

/// A part of a tree that is read.
struct Part<'a> {
    node: &'a dyn Fn(&[u32]) -> Option<NodeView>,
    /// The least visits of a child that is shown.
    least: f64,
    /// The number of nodes that may still be shown.
    left: usize,
}

impl Part<'_> {
    /// The children of a node, most visits first.
    fn children(&mut self, walk: &Walk, path: &mut Vec<u32>, view: &NodeView, depth: usize, most: usize) -> Vec<Value> {
        if depth == 0 {
            return Vec::new();
        }
        let mut children: Vec<&ChildView> = view.children.iter().collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        if most != usize::MAX {
            children.retain(|child| child.visits > 0 && child.visits as f64 >= self.least);
            children.truncate(most);
        }
        let mut shown = Vec::new();
        for child in children {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let after = walk.after(child.action);
            path.push(child.action);
            let below = (depth > 1 && child.is_expanded).then(|| (self.node)(path)).flatten();
            let width = below.as_ref().map(|below| below.children.len());
            let grandchildren = below.map(|below| self.children(&after, path, &below, depth - 1, MOST_CHILDREN));
            path.pop();
            shown.push(json!({
                "text": walk.text(child.action), "visits": child.visits, "inFlight": child.in_flight,
                "mean": child.mean, "exploration": child.exploration, "prior": child.prior, "proven": child.proven,
                "isExpanded": child.is_expanded, "width": width, "children": grandchildren.unwrap_or_default(),
            }));
        }
        shown
    }
}

/// The four steps of an iteration. `leaf` is the node at the end of its path, after it.
pub(super) fn iteration(
    position: &dyn Session,
    kind: TreeKind,
    iteration: &Iteration,
    leaf: Option<&NodeView>,
) -> Value {
    let mut walk = Walk::new(position, kind);
    let mut texts = |actions: &[u32]| -> Vec<String> {
        actions
            .iter()
            .map(|&action| {
                let text = walk.text(action);
                walk = walk.after(action);
                text
            })
            .collect()
    };
    let (path, moves) = (texts(&iteration.path), texts(&iteration.moves));
    json!({
        "path": path, "moves": moves, "rewards": iteration.rewards, "isNew": leaf.is_some_and(|leaf| leaf.visits == 1),
        "tree": iteration.tree, "board": walk.position.board(),
    })
}
