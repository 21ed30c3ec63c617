//! Connect Four positions with the value of every move, from the perfect solver of the crate `connect-four-ai`.

use std::fmt::Write as _;

use boughs::notation::write_moves;
use boughs::{Action, Game, Rng, Turn};
use boughs_games::connect4::Connect4;
use connect_four_ai::{Position, Solver};

use crate::SEED;
use crate::solver::{Solver as OwnSolver, Value, children};

const POSITIONS: usize = 1_000;
const PLIES: std::ops::RangeInclusive<u32> = 8..=34;
/// From this number of moves on the solver of this package is fast enough to be a second opinion.
const CHECKED_FROM: usize = 26;

/// The text of the fixture.
pub(crate) fn fixture(seed: u64) -> String {
    let mut text = String::from(
        "# Connect Four positions in which the legal moves have different values: the moves that lead there, then for\n\
         # each legal column, in order, W, D or L: whether the player to move wins, draws or loses by playing there,\n\
         # with best play from then on. Values by the perfect solver connect-four-ai 1.0.0; those after 26 moves and\n\
         # more agree with an exhaustive search. Written by `cargo run --release -p boughs-generate -- connect4`.\n",
    );
    if seed != SEED {
        let _ = writeln!(text, "# These are the positions of seed {seed}.");
    }
    let mut solver = Solver::new();
    let mut rng = Rng::new(seed, 0);
    let mut seen: Vec<Connect4> = Vec::new();
    let mut checked = 0;
    while seen.len() < POSITIONS {
        let plies = PLIES.start() + rng.below(PLIES.end() - PLIES.start() + 1);
        let (position, moves) = random_position(&mut rng, plies as usize);
        let values = values(&mut solver, &moves);
        if seen.contains(&position) || values.iter().all(|value| value.1 == values[0].1) {
            continue;
        }
        if moves.len() >= CHECKED_FROM {
            check(&position, &values);
            checked += 1;
        }
        seen.push(position);
        let words: String = values.iter().map(|(column, value)| format!("{column}{}", letter(*value))).collect();
        let _ = writeln!(text, "{moves} {words}");
    }
    eprintln!("{checked} positions agree with an exhaustive search");
    text
}

/// An unfinished position after this number of uniformly random moves, and the moves.
fn random_position(rng: &mut Rng, plies: usize) -> (Connect4, String) {
    loop {
        let (mut position, mut played) = (Connect4::default(), Vec::new());
        while played.len() < plies && position.turn() != Turn::Over {
            let Some(action) = position.random_action(rng, &mut Vec::new()) else { break };
            position.apply(action);
            played.push(action);
        }
        if position.turn() != Turn::Over {
            return (position, write_moves(&Connect4::default(), &played));
        }
    }
}

/// The legal columns, counted from 1, and their values.
fn values(solver: &mut Solver, moves: &str) -> Vec<(usize, Value)> {
    let position = Position::from_moves(moves).expect("legal moves");
    let scores = solver.get_all_move_scores(&position);
    let value = |score: i8| match score.signum() {
        1 => Value::Win,
        0 => Value::Draw,
        _ => Value::Loss,
    };
    scores.iter().enumerate().filter_map(|(column, score)| Some((column + 1, value((*score)?)))).collect()
}

/// Compares values with those of an exhaustive search.
fn check(position: &Connect4, values: &[(usize, Value)]) {
    let mut solver = OwnSolver::new(u64::MAX);
    let Turn::Player(player) = position.turn() else { panic!("the game is over") };
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let own = actions.iter().zip(children(position)).map(|(action, child)| {
        let value = match child.turn() {
            Turn::Over if child.reward(player) == 1.0 => Value::Win,
            Turn::Over => Value::Draw,
            Turn::Player(_) | Turn::Chance => solver.value(&child).expect("no limit").reversed(),
        };
        (action.code() as usize + 1, value)
    });
    assert_eq!(own.collect::<Vec<_>>(), values, "\n{}", position.board());
}

fn letter(value: Value) -> char {
    match value {
        Value::Win => 'W',
        Value::Draw => 'D',
        Value::Loss => 'L',
    }
}
