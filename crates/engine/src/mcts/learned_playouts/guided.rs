//! The loop of a playout that a learned policy guides.

use super::LearnedPlayouts;
use crate::mcts::traversal::PlayedMove;
use crate::playout::{End, decisive_action};
use crate::{Action, Game, Playout, Rng, Turn};

/// Plays to the end of the game, at most `limit` plies, and appends the moves to those from the root on. With the
/// probability epsilon, or where the policy knows nothing, `below` chooses.
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
    let mut codes = Vec::new();
    for _ in 0..limit {
        let turn = position.turn();
        let action = match turn {
            Turn::Over => return End::Over,
            Turn::Chance => position.chance(rng, scratch),
            Turn::Player(player) => {
                let decisive = if learned.is_decisive { decisive_action(position, player, scratch) } else { None };
                decisive
                    .or_else(|| picked(learned, position, player, (rng, scratch), (&*moves, &mut codes)))
                    .or_else(|| below.choose(position, rng, scratch))
            }
        };
        let Some(action) = action else { return End::Stuck };
        moves.push(PlayedMove::new(turn, action.code()));
        position.apply(action);
    }
    if position.turn() == Turn::Over { End::Over } else { End::Cut }
}

/// The action that the policy picks, unless the move is left to the playout below.
fn picked<G: Game>(
    learned: &LearnedPlayouts,
    position: &G,
    player: usize,
    (rng, scratch): (&mut Rng, &mut Vec<G::Action>),
    (moves, codes): (&[PlayedMove], &mut Vec<u32>),
) -> Option<G::Action> {
    if rng.unit() < learned.epsilon {
        return None;
    }
    scratch.clear();
    position.playout_actions(scratch);
    codes.clear();
    codes.extend(scratch.iter().map(|action| action.code()));
    let index = learned.policy.pick(player as u8, moves, codes, rng)?;
    scratch.get(index).copied()
}
