//! The loop of a playout that a learned policy guides.

use super::LearnedPlayouts;
use crate::mcts::traversal::{NO_PLAYER, PlayedMove};
use crate::{Action, Game, Playout, Rng, Turn};
use boughs_core::End;

/// The actions that a policy picks from, each drawn by the playout below. All legal ones would be a better choice and
/// cost more than it is worth: a playout that lists them and looks each up is several times slower.
const DRAWS: usize = 4;

/// Plays to the end of the game, at most `limit` plies, and appends the moves to those from the root on. With the
/// probability epsilon `below` chooses.
#[inline(never)]
pub(in crate::mcts) fn play<G: Game>(
    learned: &LearnedPlayouts,
    below: &dyn Playout<G>,
    position: &mut G,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
    limit: u32,
    moves: &mut Vec<PlayedMove>,
) -> End {
    for _ in 0..limit {
        let turn = position.turn();
        let action = match turn {
            Turn::Over => return End::Over,
            Turn::Chance => position.chance(rng, scratch),
            Turn::Player(player) if rng.unit() >= learned.epsilon => {
                let player = player.min(usize::from(NO_PLAYER)) as u8;
                picked(learned, below, position, player, moves, (rng, scratch))
            }
            Turn::Player(_) => below.choose(position, rng, scratch),
        };
        let Some(action) = action else { return End::Stuck };
        moves.push(PlayedMove::new(turn, action.code()));
        position.apply(action);
    }
    if position.turn() == Turn::Over { End::Over } else { End::Cut }
}

/// The action that the policy picks of some that the playout below draws.
fn picked<G: Game>(
    learned: &LearnedPlayouts,
    below: &dyn Playout<G>,
    position: &G,
    player: u8,
    moves: &[PlayedMove],
    (rng, scratch): (&mut Rng, &mut Vec<G::Action>),
) -> Option<G::Action> {
    let first = below.choose(position, rng, scratch)?;
    let mut best = (first, learned.policy.value(player, moves, first.code()));
    for _ in 1..DRAWS {
        let action = below.choose(position, rng, scratch)?;
        let value = learned.policy.value(player, moves, action.code());
        if value > best.1 {
            best = (action, value);
        }
    }
    Some(best.0)
}
