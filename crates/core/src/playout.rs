//! Playouts (rollouts): the simulation of a game from a leaf of the tree to its end.
//!
//! A *light* playout picks every action uniformly at random; a *heavy* one uses knowledge of the game. A heavy playout
//! implements one function, [`Playout::choose`]. The loop around it is the same for all.

use crate::{Action, Game, Rng, Turn};

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is over.
    Over,
    /// The playout reached its limit of plies.
    Cut,
    /// The acting player or chance had no action.
    Stuck,
    /// The playout stopped where [`Playout::value`] says how good the position is (a truncated playout).
    Truncated,
}

/// A function that is told each turn of a playout and the code of its action.
pub type SeeMove<'s> = &'s mut dyn FnMut(Turn, u32);

/// A policy for playouts.
///
/// ```
/// use boughs_core::{Game, Playout, Rng};
///
/// /// Takes the last action of the list.
/// struct Last;
/// impl<G: Game> Playout<G> for Last {
///     fn choose(&self, position: &G, _: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
///         scratch.clear();
///         position.playout_actions(scratch);
///         scratch.last().copied()
///     }
/// }
/// ```
pub trait Playout<G: Game>: Send + Sync + 'static {
    /// The next action of the playout, or `None` if there is none. Called at players' turns only, never where chance
    /// acts. `scratch` is a buffer to list into; its content means nothing.
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action>;

    /// The value for `player` of a position where a playout was truncated ([`End::Truncated`]), as [`Game::reward`]
    /// counts.
    fn value(&self, position: &G, player: usize) -> f64 {
        position.cut_reward(player)
    }

    /// Runs the work of a thread for a search, from its first playout to its last. Rules in another language attach the
    /// thread to its runtime here once, and not anew at each call.
    fn in_thread(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }

    /// Plays until the game is over, at most `limit` plies, and calls `see` with each turn and the code of its action,
    /// if there is such a function. Provided, so that the loop is compiled once for each playout with `choose` inside
    /// it.
    fn play(
        &self,
        position: &mut G,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
        limit: u32,
        see: Option<SeeMove<'_>>,
    ) -> End {
        match see {
            None => play_on(self, position, rng, scratch, limit, |_, _| ()),
            Some(see) => play_seen(self, position, rng, scratch, limit, see),
        }
    }
}

/// Plays with a function that sees every move. It stands for itself, because a loop that calls a function cannot keep
/// the position in registers: the function can panic, and the code that catches the panic could look at the position.
#[inline(never)]
fn play_seen<G: Game, P: Playout<G> + ?Sized>(
    playout: &P,
    position: &mut G,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
    limit: u32,
    see: SeeMove<'_>,
) -> End {
    play_on(playout, position, rng, scratch, limit, |turn, action: G::Action| see(turn, action.code()))
}

#[inline(always)]
fn play_on<G: Game, P: Playout<G> + ?Sized>(
    playout: &P,
    position: &mut G,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
    limit: u32,
    mut see: impl FnMut(Turn, G::Action),
) -> End {
    // A copy of its own, which the compiler can keep in registers.
    let mut own = rng.clone();
    let mut left = limit;
    let end = loop {
        let turn = position.turn();
        if turn == Turn::Over {
            break End::Over;
        }
        if left == 0 {
            break End::Cut;
        }
        left -= 1;
        let chosen = match turn {
            Turn::Chance => position.chance(&mut own, scratch),
            _ => playout.choose(position, &mut own, scratch),
        };
        let action = match chosen {
            Some(action) => action,
            None => break End::Stuck,
        };
        see(turn, action);
        position.apply(action);
    };
    *rng = own;
    end
}

/// A light playout: every action is picked uniformly at random, by [`Game::random_action`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Light;

impl<G: Game> Playout<G> for Light {
    #[inline]
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        position.random_action(rng, scratch)
    }
}

/// A heavy playout by what the game knows: every action is one of [`Game::heavy_action`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Heavy;

impl<G: Game> Playout<G> for Heavy {
    #[inline]
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        position.heavy_action(rng, scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Nim;

    #[test]
    fn a_playout_ends_with_the_game_and_tells_its_moves() {
        let (mut nim, mut moves) = (Nim::new(20), Vec::new());
        let mut see = |turn, code| moves.push((turn, code));
        let end = Light.play(&mut nim, &mut Rng::new(1, 0), &mut Vec::new(), 100, Some(&mut see));
        assert_eq!((end, nim.stones), (End::Over, 0));
        assert_eq!(moves.iter().map(|(_, code)| code).sum::<u32>(), 20);
        assert!(moves.iter().enumerate().all(|(ply, &(turn, _))| turn == Turn::Player(ply % 2)), "{moves:?}");
    }

    #[test]
    fn a_playout_is_cut_at_its_limit() {
        let mut nim = Nim::new(200);
        assert_eq!(Light.play(&mut nim, &mut Rng::new(1, 0), &mut Vec::new(), 5, None), End::Cut);
    }
}
