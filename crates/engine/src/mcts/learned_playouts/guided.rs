//! The loop of a playout that a learned policy guides.

use super::LearnedPlayouts;
use super::choices::Choices;
use crate::mcts::traversal::{NO_PLAYER, PlayedMove};
use crate::playout::End;
use crate::{Action, Game, Playout, Rng, Turn};

/// The actions that a policy picks from, each drawn by the playout below. All legal ones would be a better choice and
/// cost more than it is worth: a playout that lists them and looks each up is several times slower.
const DRAWS: usize = 4;

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
    (moves, choices): (&mut Vec<PlayedMove>, &mut Choices),
) -> End {
    choices.clear();
    for _ in 0..limit {
        let turn = position.turn();
        let action = match turn {
            Turn::Over => return End::Over,
            Turn::Chance => position.chance(rng, scratch),
            Turn::Player(player) if learned.policy.draws() => {
                drawn(learned, position, player.min(usize::from(NO_PLAYER)) as u8, choices, (rng, scratch))
            }
            Turn::Player(player) if rng.unit() >= learned.epsilon => {
                let player = player.min(usize::from(NO_PLAYER)) as u8;
                reply(learned, position, player, moves, scratch)
                    .or_else(|| picked(learned, below, position, player, moves, (rng, scratch)))
            }
            Turn::Player(_) => below.choose(position, rng, scratch),
        };
        let Some(action) = action else { return End::Stuck };
        moves.push(PlayedMove::new(turn, action.code()));
        position.apply(action);
    }
    if position.turn() == Turn::Over { End::Over } else { End::Cut }
}

/// The action by which the policy answers the last moves, if it knows one that is legal.
fn reply<G: Game>(
    learned: &LearnedPlayouts,
    position: &G,
    player: u8,
    moves: &[PlayedMove],
    scratch: &mut Vec<G::Action>,
) -> Option<G::Action> {
    let code = learned.policy.reply(player, moves)?;
    scratch.clear();
    position.playout_actions(scratch);
    scratch.iter().copied().find(|action| action.code() == code)
}

/// One of the legal actions, drawn in proportion to their values.
fn drawn<G: Game>(
    learned: &LearnedPlayouts,
    position: &G,
    player: u8,
    choices: &mut Choices,
    (rng, scratch): (&mut Rng, &mut Vec<G::Action>),
) -> Option<G::Action> {
    scratch.clear();
    position.playout_actions(scratch);
    let value = |code| learned.policy.value(player, &[], code);
    let total = choices.list(player, scratch.iter().map(|action| action.code()), value);
    let index = choices.draw(rng.unit() as f32 * total);
    scratch.get(index).copied()
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
    if !learned.policy.compares() {
        return Some(first);
    }
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
