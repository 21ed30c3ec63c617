//! Tactical positions: only some of the legal moves keep the best exact value.
//!
//! They come from random games of players who see one ply ahead, at most one position from each. At least half of the
//! legal moves are wrong, and every value is exact. The plies of a position are the depth at which an exhaustive search
//! prefers a best move: it then sees a forced win, or the refutation of every other move.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use boughs::notation::write_moves;
use boughs::{Game, Rng, Turn};

use crate::solver::{Solvable, Solver, Value, children};

/// The positions to find in a game.
pub(crate) struct Wanted {
    /// The game, as the list of games knows it.
    pub(crate) spec: &'static str,
    /// The proof of the values of its moves.
    pub(crate) proof: Proof,
    /// The plies of a game at which its position is examined.
    pub(crate) after: RangeInclusive<usize>,
    /// Ranges of plies, each with the number of positions wanted that need that many.
    pub(crate) needs: &'static [(RangeInclusive<u32>, usize)],
}

/// A way to prove the value of a move.
#[derive(Clone, Copy)]
pub(crate) enum Proof {
    /// By solving the game from there to its end.
    Solved,
    /// By a forced win of one of the players within this number of plies. A position with a move that allows neither
    /// does not qualify.
    ForcedWithin(u32),
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Proof::Solved => write!(f, "found by solving the game to its end after every move"),
            Proof::ForcedWithin(plies) => {
                write!(f, "proven for every move by a forced win of one of the players within {plies} plies of it")
            }
        }
    }
}

/// The positions a solver may visit before it gives a position up as too large.
const EFFORT: u64 = 3_000_000;

/// A position that qualifies.
struct Tactic {
    moves: String,
    best: Vec<String>,
    plies: u32,
}

/// The text of the fixture of one game.
pub(crate) fn fixture<G: Solvable + Eq>(start: &G, wanted: &Wanted, seed: u64) -> String {
    let mut found: Vec<Tactic> = Vec::new();
    let mut seen: Vec<G> = Vec::new();
    let open =
        |found: &[Tactic], plies: u32| {
            let fits = |need: &&(RangeInclusive<u32>, usize)| need.0.contains(&plies);
            wanted.needs.iter().find(fits).is_some_and(|(range, count)| {
                found.iter().filter(|tactic| range.contains(&tactic.plies)).count() < *count
            })
        };
    let total: usize = wanted.needs.iter().map(|need| need.1).sum();
    let furthest = wanted.needs.iter().map(|need| *need.0.end()).max().unwrap_or(0);
    for game in 0.. {
        if found.len() == total {
            break;
        }
        let mut rng = Rng::new(seed, game);
        let span = wanted.after.end() - wanted.after.start() + 1;
        let plies = wanted.after.start() + rng.below(span as u32) as usize;
        let Some((position, moves)) = careful_game(start, plies, &mut rng) else { continue };
        if seen.contains(&position) {
            continue;
        }
        let Some((best, plies)) = solve(&position, wanted.proof, furthest) else { continue };
        if open(&found, plies) {
            found.push(Tactic { moves, best, plies });
            seen.push(position);
        }
    }
    found.sort_by_key(|tactic| tactic.plies);
    let Wanted { spec, proof, .. } = wanted;
    let mut text = format!(
        "# game: {spec}\n\
         # moves to the position | best moves | plies\n\
         # Best moves are all those that keep the best value: \
         win, draw or loss with best play to the end of the game,\n\
         # {proof}. Plies is how far an exhaustive\n\
         # search must look ahead to prefer a best move: to a forced win, or to the refutation of every other move.\n\
         # Written by `cargo run --release -p boughs-generate -- tactics`.\n"
    );
    for Tactic { moves, best, plies } in found {
        let _ = writeln!(text, "{moves} | {} | {plies}", best.join(" "));
    }
    text
}

/// A position after a number of plies of a random game, and the moves; `None` if the game was over before. The players
/// take a win, and prevent one of the other player in the next ply if they can.
fn careful_game<G: Game>(start: &G, plies: usize, rng: &mut Rng) -> Option<(G, String)> {
    let (mut position, mut played) = (start.clone(), Vec::new());
    while played.len() < plies {
        let Turn::Player(player) = position.turn() else { return None };
        let mut actions = Vec::new();
        position.actions(&mut actions);
        let children = children(&position);
        let wins = |child: &G, player: usize| child.turn() == Turn::Over && child.reward(player) == 1.0;
        let is_safe = |child: &G| {
            child.turn() == Turn::Over || !crate::solver::children(child).iter().any(|next| wins(next, 1 - player))
        };
        let winning: Vec<usize> = (0..actions.len()).filter(|&i| wins(&children[i], player)).collect();
        let safe: Vec<usize> = (0..actions.len()).filter(|&i| is_safe(&children[i])).collect();
        let all: Vec<usize> = (0..actions.len()).collect();
        let from = [winning, safe, all].into_iter().find(|choice| !choice.is_empty())?;
        let choice = rng.pick(&from)?;
        played.push(actions[choice]);
        position = children[choice].clone();
    }
    (position.turn() != Turn::Over).then(|| (position, write_moves(start, &played)))
}

/// The best moves of a position and the plies it needs, if it qualifies.
fn solve<G: Solvable>(position: &G, proof: Proof, furthest: u32) -> Option<(Vec<String>, u32)> {
    let Turn::Player(player) = position.turn() else { return None };
    let mut solver = Solver::new(EFFORT);
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let children = children(position);
    let mut values = Vec::new();
    for child in &children {
        values.push(match child.turn() {
            Turn::Over => Value::of_reward(child.reward(player)),
            Turn::Player(_) | Turn::Chance => match proof {
                Proof::Solved => solver.value(child)?.reversed(),
                Proof::ForcedWithin(plies) => solver.forced(child, plies)??.reversed(),
            },
        });
    }
    let best = values.iter().copied().max()?;
    if 2 * values.iter().filter(|&&value| value == best).count() > values.len() {
        return None;
    }
    let to_win = if best == Value::Win { solver.shortest_win(position, furthest)? } else { None };
    let mut to_refute = Some(0);
    for (child, value) in children.iter().zip(&values).filter(|(_, value)| **value != best) {
        let refuted = match (value, child.turn()) {
            (Value::Loss, Turn::Over) => Some(1),
            (Value::Loss, _) => solver.shortest_win(child, furthest - 1)?.map(|plies| plies + 1),
            _ => None,
        };
        to_refute = to_refute.zip(refuted).map(|(a, b)| a.max(b));
    }
    let plies = [to_win, to_refute].into_iter().flatten().min()?;
    let texts = actions.iter().zip(&values).filter(|(_, value)| **value == best);
    Some((texts.map(|(&action, _)| position.action_text(action)).collect(), plies))
}
