//! What the official referee of a contest does where programs play.

use std::time::Duration;

use boughs::Game;

/// The official referee of a contest, for programs that were written for it: what it tells them, and what it makes of their
/// answers. It follows a game whose position somebody else keeps, in which agents may play too.
pub trait Official<G: Game>: Send {
    /// Something happens in a position, whoever does it.
    fn follow(&mut self, position: &G, action: G::Action);

    /// The lines that a player is asked with.
    fn question(&mut self, position: &G, player: usize) -> String;

    /// What comes of a player's answer, a line without its end.
    fn judge(&mut self, position: &G, player: usize, answer: &str) -> Verdict<G::Action>;

    /// Who is asked at the same time as a player and after them: if both lose by what they answer, neither wins.
    fn asked_with(&self, position: &G, player: usize) -> Option<usize> {
        let _ = (position, player);
        None
    }

    /// How long a player may think about the first answer, where it is more than for the others.
    fn first_answer(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// After how many questions to all players together the game is broken off.
    fn most_questions(&self) -> u64 {
        u64::MAX
    }
}

/// What comes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<A> {
    /// The player does this.
    Done {
        /// What is done.
        action: A,
        /// What there is to say about it, as the rest of a sentence about the player; empty if there is nothing.
        remark: String,
    },
    /// The answer is none, and the player loses.
    Disqualified,
}

impl<A> Verdict<A> {
    /// An action with what its player wants to be shown beside it; empty if that is nothing.
    pub(crate) fn done(action: A, message: &str) -> Verdict<A> {
        let remark = if message.is_empty() { String::new() } else { format!("says '{message}'") };
        Verdict::Done { action, remark }
    }
}
