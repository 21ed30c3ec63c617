//! Moves that a viewer may not see. The page gets a mark for each instead of its text, and sends the marks back.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use boughs::{Information, Session, Turn};

use crate::refusal::Refusal;

/// The most marks of a generation. Those that were used in neither of the last two are forgotten.
const MOST_MARKS: usize = 1 << 16;

/// The sign before a mark.
const SIGN: char = '?';

/// The moves behind marks. A mark is good for one place of one game: anywhere else it tells nothing.
pub(crate) struct Secrets {
    /// Marks are hashes by random keys, so that they tell nothing.
    keys: [RandomState; 2],
    kept: Mutex<Generations>,
}

/// The text behind each mark.
#[derive(Default)]
struct Generations {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Generations {
    fn keep(&mut self, mark: String, text: String) {
        if self.young.len() >= MOST_MARKS {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(mark, text);
    }

    fn find(&mut self, mark: &str) -> Option<String> {
        if let Some(text) = self.young.get(mark) {
            return Some(text.clone());
        }
        let (mark, text) = self.old.remove_entry(mark)?;
        self.keep(mark, text.clone());
        Some(text)
    }
}

impl Secrets {
    pub(crate) fn new() -> Secrets {
        Secrets { keys: [RandomState::new(), RandomState::new()], kept: Mutex::default() }
    }

    /// The mark of a move after others.
    pub(crate) fn hide(&self, game: &str, before: &[String], text: &str) -> String {
        let mark = self.mark(game, before, text);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.keep(mark.clone(), text.to_string());
        mark
    }

    fn mark(&self, game: &str, before: &[String], text: &str) -> String {
        let [first, second] = [0, 1].map(|key| self.keys[key].hash_one((game, before, text)));
        format!("{SIGN}{first:016x}{second:016x}")
    }

    /// Returns true if a text stands for a hidden move.
    pub(crate) fn is_mark(text: &str) -> bool {
        text.starts_with(SIGN)
    }

    /// The text of a hidden move after others.
    pub(crate) fn reveal(&self, game: &str, before: &[String], mark: &str) -> Result<String, Refusal> {
        let found = self.kept.lock().unwrap_or_else(PoisonError::into_inner).find(mark);
        found
            .filter(|found| self.mark(game, before, found) == mark)
            .ok_or_else(|| Refusal::missing("the hidden moves of this game are not known here; start a new game"))
    }
}

/// Returns for each move of a game whether a viewer may see it. `start` is the position before the first one.
pub(crate) fn visible(start: &dyn Session, moves: &[u32], viewer: Option<usize>) -> Vec<bool> {
    let information = start.facts().information;
    let (Some(viewer), false) = (viewer, information == Information::Perfect) else { return vec![true; moves.len()] };
    let mut end = start.clone_session();
    moves.iter().for_each(|&action| end.apply(action));
    if end.turn() == Turn::Over {
        return vec![true; moves.len()];
    }
    let mut position = start.clone_session();
    let mut seen = Vec::with_capacity(moves.len());
    for (place, &action) in moves.iter().enumerate() {
        seen.push(match position.turn() {
            Turn::Player(player) if player == viewer => true,
            Turn::Player(_) => is_seen(&*position, action, &moves[place + 1..], &*end, viewer),
            Turn::Chance => information == Information::Simultaneous,
            Turn::Over => false,
        });
        position.apply(action);
    }
    seen
}

/// The most other actions that an action is compared with. Where there are more, it counts as hidden.
const OTHERS: usize = 64;

/// Returns true if a viewer can tell the action of another player from others by now.
fn is_seen(position: &dyn Session, action: u32, rest: &[u32], end: &dyn Session, viewer: usize) -> bool {
    let after = |action| {
        let mut after = position.clone_session();
        after.apply(action);
        after
    };
    let known = after(action).information(viewer);
    let others = position.legal_moves().into_iter().map(|(other, _)| other).filter(|&other| other != action);
    let mut compared = 0;
    let all_differ = others.take(OTHERS).all(|other| {
        compared += 1;
        let mut instead = after(other);
        if instead.information(viewer) != known {
            return true;
        }
        let is_same_course = rest.iter().all(|&next| {
            let is_legal = instead.legal_moves().iter().any(|&(legal, _)| legal == next);
            if is_legal {
                instead.apply(next);
            }
            is_legal
        });
        is_same_course && instead.information(viewer) != end.information(viewer)
    });
    all_differ && (compared < OTHERS || position.legal_moves().len() <= OTHERS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(game: &str, moves: &str, viewer: usize) -> Vec<bool> {
        let mut position = boughs_games::start(game).expect("a game").position;
        let start = position.clone();
        let moves = position.play_moves(moves).expect("legal moves");
        visible(&*start, &moves, Some(viewer))
    }

    #[test]
    fn a_choice_is_seen_when_both_are_made() {
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3", 1), [false]);
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3", 0), [true]);
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3 2", 1), [true, true]);
    }

    #[test]
    fn a_deal_is_hidden_until_the_end_and_a_bet_is_not() {
        let start = boughs_games::start("kuhn").expect("a game").position;
        let (deal, _) = start.legal_moves()[0].clone();
        let mut dealt = start.clone();
        dealt.apply(deal);
        let (bet, _) = dealt.legal_moves()[0].clone();
        assert_eq!(visible(&*start, &[deal, bet], Some(1)), [false, true]);
        assert_eq!(visible(&*start, &[deal, bet], None), [true, true]);
    }

    #[test]
    fn a_mark_leads_back_to_its_move() {
        let secrets = Secrets::new();
        let mark = secrets.hide("kuhn", &[], "KQ");
        assert!(mark.starts_with('?') && !mark.contains('K'));
        assert_eq!(secrets.reveal("kuhn", &[], &mark), Ok("KQ".to_string()));
        assert_eq!(secrets.hide("kuhn", &[], "KQ"), mark);
        assert_ne!(secrets.hide("kuhn", &[], "QK"), mark);
        // In another game, at another place and on another server it tells nothing.
        assert!(secrets.reveal("whist", &[], &mark).is_err());
        assert!(secrets.reveal("kuhn", &["KQ".to_string()], &mark).is_err());
        assert!(Secrets::new().reveal("kuhn", &[], &mark).is_err());
    }
}
