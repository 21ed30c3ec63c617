//! `if a && let P = b && c { x } else { y }` and its `while`: of edition 2024, Rust 1.88.
//!
//! Without `else` it becomes nested `if`s. With `else` these stand in a loop that stands for a block:
//! `loop { if a { if let P = b { if c { break x; } } } break y; }`, so that `y` stands once, and temporaries of the
//! conditions are dropped before it. A `while` becomes `loop { if a { if let P = b { x; continue; } } break; }`.

use syn::{BinOp, Block, Expr, ExprBinary, ExprIf, ExprWhile, Stmt, parse_quote};

use super::leaving::{self, Loops, Rule};

pub(super) fn rewrite(file: &mut syn::File) {
    leaving::apply(&mut LetChains, file);
}

struct LetChains;

impl Rule for LetChains {
    fn expr(&mut self, expr: &mut Expr, loops: &mut Loops) {
        match expr {
            Expr::If(branches) if is_chain(&branches.cond) => *expr = rewritten_if(branches.clone(), loops),
            Expr::While(turns) if is_chain(&turns.cond) => *expr = rewritten_while(turns.clone()),
            _ => {}
        }
    }
}

fn rewritten_if(branches: ExprIf, loops: &mut Loops) -> Expr {
    let ExprIf { attrs, cond, mut then_branch, else_branch, .. } = branches;
    let mut conditions = conditions(*cond);
    let Some((_, mut other)) = else_branch else {
        let Stmt::Expr(Expr::If(outermost), _) = nested(conditions, then_branch.stmts) else {
            return parse_quote!({});
        };
        return Expr::If(ExprIf { attrs, ..outermost });
    };
    conditions.iter_mut().for_each(|condition| loops.escape(condition));
    loops.escape_block(&mut then_branch);
    loops.escape(&mut other);
    let mut stmts = vec![nested(conditions, leaving::leave(then_branch, None))];
    stmts.extend(leaving::leave(leaving::block_of(*other), None));
    leaving::loop_of(stmts, None)
}

fn rewritten_while(turns: ExprWhile) -> Expr {
    let ExprWhile { label, cond, body, .. } = turns;
    let stmts = vec![nested(conditions(*cond), leaving::go_on(body)), parse_quote!(break;)];
    leaving::loop_of(stmts, label)
}

/// Makes `if` in `if` of conditions, around these statements.
fn nested(conditions: Vec<Expr>, stmts: Vec<Stmt>) -> Stmt {
    let around = |inner: Vec<Stmt>, condition: Expr| {
        let is_let = matches!(condition, Expr::Let(_));
        let branches = ExprIf {
            attrs: Vec::new(),
            if_token: Default::default(),
            cond: Box::new(condition),
            then_branch: Block { brace_token: Default::default(), stmts: inner },
            else_branch: None,
        };
        // The temporaries of a scrutinee are dropped at the semicolon, not after the enclosing block.
        vec![Stmt::Expr(Expr::If(branches), is_let.then(Default::default))]
    };
    conditions.into_iter().rev().fold(stmts, around).remove(0)
}

/// Splits a chain into its patterns and the plain conditions between them.
fn conditions(chain: Expr) -> Vec<Expr> {
    match chain {
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
            let (mut all, after) = (conditions(*both.left), conditions(*both.right));
            for next in after {
                match all.pop() {
                    Some(last) if !matches!(last, Expr::Let(_)) && !matches!(next, Expr::Let(_)) => {
                        let (left, right, attrs) = (Box::new(last), Box::new(next), Vec::new());
                        all.push(Expr::Binary(ExprBinary { attrs, left, op: both.op, right }));
                    }
                    last => {
                        all.extend(last);
                        all.push(next);
                    }
                }
            }
            all
        }
        one => vec![one],
    }
}

fn is_chain(condition: &Expr) -> bool {
    fn has_let(condition: &Expr) -> bool {
        match condition {
            Expr::Let(_) => true,
            Expr::Binary(both) => matches!(both.op, BinOp::And(_)) && (has_let(&both.left) || has_let(&both.right)),
            _ => false,
        }
    }
    matches!(condition, Expr::Binary(_)) && has_let(condition)
}
