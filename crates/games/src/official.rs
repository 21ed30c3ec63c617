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

    /// What happens in the game where a player is disqualified; `None` if it just ends. Where others choose at the same time they
    /// are asked too, and what comes of it is for the rules.
    fn disqualify(&self, position: &G, player: usize) -> Option<G::Action> {
        let _ = (position, player);
        None
    }

    /// Whether the game is broken off here, after so many questions to all players together.
    fn breaks_off(&self, position: &G, questions: u64) -> bool {
        let _ = (position, questions);
        false
    }
}

/// How long a player of a contest may think about the first answer, where it is more than for the others.
pub const FIRST_ANSWER: Duration = Duration::from_secs(1);

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
    /// What the player wants is not legal there, and this happens instead.
    Refused {
        /// What is done.
        action: A,
        /// What there is to say about it, as the rest of a sentence about the player.
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
