//! The referee's side of a game between programs of a contest.

use std::time::Duration;

use boughs::{Action, Game, Session};

/// The official referee of a contest, for programs that were written for it: it writes their questions and judges their
/// answers. The caller keeps the position; agents may play in the same game.
pub trait ContestReferee<G: Game>: Send {
    /// Follows an action of a player, a program or an agent, or of chance. `position` is the position before the
    /// action.
    fn follow(&mut self, position: &G, action: G::Action);

    /// Writes the lines that ask a player.
    fn question(&mut self, position: &G, player: usize) -> String;

    /// Judges a player's answer, a line without its end.
    fn judge(&mut self, position: &G, player: usize, answer: &str) -> Verdict<G::Action>;

    /// The action by which a player is disqualified; `None` if the game just ends. If others choose at the same time,
    /// they are asked too, and the rules decide the result.
    fn disqualify(&self, position: &G, player: usize) -> Option<G::Action> {
        let _ = (position, player);
        None
    }

    /// Returns true if the contest breaks the game off here, after this many questions to all players together.
    fn breaks_off(&self, position: &G, questions: u64) -> bool {
        let _ = (position, questions);
        false
    }
}

/// The time for a player's first answer, in contests that give it more than the other answers.
pub const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<A> {
    /// The player acts as asked for.
    Done {
        /// The action.
        action: A,
        /// A remark, as the rest of a sentence about the player; empty if there is none.
        remark: String,
    },
    /// The player asks for something illegal, and another action is played instead.
    Refused {
        /// The action that is played.
        action: A,
        /// A remark, as the rest of a sentence about the player.
        remark: String,
    },
    /// The answer cannot be understood, and the player loses.
    Disqualified,
}

impl<A> Verdict<A> {
    /// Returns the same verdict with another form of the action.
    fn map<B>(self, form: impl FnOnce(A) -> B) -> Verdict<B> {
        match self {
            Verdict::Done { action, remark } => Verdict::Done { action: form(action), remark },
            Verdict::Refused { action, remark } => Verdict::Refused { action: form(action), remark },
            Verdict::Disqualified => Verdict::Disqualified,
        }
    }
}

impl<A> Verdict<A> {
    /// An action with the player's message as its remark.
    pub(crate) fn done(action: A, message: &str) -> Verdict<A> {
        let remark = if message.is_empty() { String::new() } else { format!("says '{message}'") };
        Verdict::Done { action, remark }
    }
}

/// A [`ContestReferee`] for callers that know no game: positions are sessions, actions are codes.
///
/// It expects positions of the game it was made for. For positions of another game it asks no question and accepts no
/// answer.
pub trait Referee: Send {
    /// See [`ContestReferee::follow`].
    fn follow(&mut self, position: &dyn Session, action: u32);

    /// See [`ContestReferee::question`].
    fn question(&mut self, position: &dyn Session, player: usize) -> String;

    /// See [`ContestReferee::judge`].
    fn judge(&mut self, position: &dyn Session, player: usize, answer: &str) -> Verdict<u32>;

    /// See [`ContestReferee::disqualify`].
    fn disqualify(&self, position: &dyn Session, player: usize) -> Option<u32>;

    /// See [`ContestReferee::breaks_off`].
    fn breaks_off(&self, position: &dyn Session, questions: u64) -> bool;
}

impl<G: Game> Referee for Box<dyn ContestReferee<G>> {
    fn follow(&mut self, position: &dyn Session, action: u32) {
        if let Some(position) = position.downcast_ref::<G>() {
            (**self).follow(position, G::Action::from_code(action));
        }
    }

    fn question(&mut self, position: &dyn Session, player: usize) -> String {
        position.downcast_ref::<G>().map(|position| (**self).question(position, player)).unwrap_or_default()
    }

    fn judge(&mut self, position: &dyn Session, player: usize, answer: &str) -> Verdict<u32> {
        match position.downcast_ref::<G>() {
            Some(position) => (**self).judge(position, player, answer).map(G::Action::code),
            None => Verdict::Disqualified,
        }
    }

    fn disqualify(&self, position: &dyn Session, player: usize) -> Option<u32> {
        (**self).disqualify(position.downcast_ref::<G>()?, player).map(G::Action::code)
    }

    fn breaks_off(&self, position: &dyn Session, questions: u64) -> bool {
        position.downcast_ref::<G>().is_some_and(|position| (**self).breaks_off(position, questions))
    }
}
