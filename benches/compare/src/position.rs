//! The base of the adapters of all rivals: a position that knows whose turn it is, and the one random playout.
//!
//! Rivals ask for the player to move at every step of a descent. Where players alternate a bit that flips answers that;
//! the rules would look for a winner first.

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use boughs::{End, Game, Light, Playout, Rng, Turn};

/// A position of a game in which two players alternate and win, draw or lose.
#[derive(Clone)]
pub(crate) struct Position<G> {
    pub(crate) game: G,
    player: u8,
}

impl<G: Game> Position<G> {
    pub(crate) fn of(start: &G) -> Position<G> {
        let player = match start.turn() {
            Turn::Player(player) => player as u8,
            Turn::Chance | Turn::Over => 0,
        };
        Position { game: start.clone(), player }
    }

    /// The player to move; after the end of the game, the player who would be.
    #[inline]
    pub(crate) fn player(&self) -> usize {
        usize::from(self.player)
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.game.turn() == Turn::Over
    }

    #[inline]
    pub(crate) fn apply(&mut self, action: G::Action) {
        self.game.apply(action);
        self.player ^= 1;
    }

    /// Twice what the finished game is worth to `player`: 0, 1 or 2.
    #[inline]
    pub(crate) fn halves(&self, player: usize) -> i64 {
        (self.game.reward(player) * 2.0) as i64
    }

    /// Plays on at random to the end, with the very code that Boughs does it with.
    #[inline]
    pub(crate) fn play_out(&mut self) {
        PlayoutScratch::<G>::with(|PlayoutScratch { rng, actions }| {
            let end = Light.play(&mut self.game, rng, actions, G::MAX_PLIES, None);
            debug_assert_eq!(end, End::Over, "games of the list end");
        });
    }

    /// The legal actions, none where the game is over, in a buffer of this thread that should be given back.
    #[inline]
    pub(crate) fn actions(&self) -> Vec<G::Action> {
        let mut actions = PlayoutScratch::<G>::with(|scratch| std::mem::take(&mut scratch.actions));
        actions.clear();
        if !self.is_over() {
            self.game.actions(&mut actions);
        }
        actions
    }

    /// Gives the buffer back.
    #[inline]
    pub(crate) fn give_back(actions: Vec<G::Action>) {
        PlayoutScratch::<G>::with(|scratch| scratch.actions = actions);
    }

    /// One random action, the next one of this thread's stream.
    #[inline]
    pub(crate) fn random_action(&self) -> Option<G::Action> {
        PlayoutScratch::<G>::with(|PlayoutScratch { rng, actions }| self.game.random_action(rng, actions))
    }
}

/// The generator and the buffer of a thread: rivals give their playouts no state of their own.
struct PlayoutScratch<G: Game> {
    rng: Rng,
    actions: Vec<G::Action>,
}

/// The seed of playouts, and how many threads have taken a stream of it: a process makes one run.
static SEED: AtomicU64 = AtomicU64::new(0);
static STREAMS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static SCRATCH: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Sets the seed of the playouts of threads that have made none yet.
pub(crate) fn seed_playouts(seed: u64) {
    SEED.store(seed, Relaxed);
}

impl<G: Game> PlayoutScratch<G> {
    /// Does something with the scratch of this thread, which must not use them in turn.
    #[inline]
    fn with<T>(work: impl FnOnce(&mut PlayoutScratch<G>) -> T) -> T {
        SCRATCH.with_borrow_mut(|scratch| match scratch.as_mut().and_then(|scratch| scratch.downcast_mut()) {
            Some(scratch) => work(scratch),
            None => {
                let rng = Rng::new(SEED.load(Relaxed), STREAMS.fetch_add(1, Relaxed));
                let mut new = PlayoutScratch { rng, actions: Vec::new() };
                let done = work(&mut new);
                *scratch = Some(Box::new(new));
                done
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::{connect4::Connect4, othello::Othello};

    fn plays_like_the_game<G: Game>(start: &G) {
        let mut rng = Rng::new(1, 0);
        for _ in 0..200 {
            let mut position = Position::of(start);
            while let Turn::Player(player) = position.game.turn() {
                assert_eq!(position.player(), player);
                let actions = position.actions();
                let action = rng.pick(&actions).unwrap();
                Position::<G>::give_back(actions);
                position.apply(action);
            }
            assert!(position.actions().is_empty());
            assert_eq!(position.halves(0) + position.halves(1), 2);
        }
    }

    #[test]
    fn a_position_knows_whose_turn_it_is() {
        plays_like_the_game(&Connect4::default());
        plays_like_the_game(&Othello::default());
    }

    #[test]
    fn a_playout_ends_the_game_and_the_next_one_differs() {
        let play = || {
            let mut position = Position::of(&Othello::default());
            position.play_out();
            assert!(position.is_over());
            position.game
        };
        assert_ne!(play(), play());
    }
}
