//! Moves that a viewer may not see. The page gets a mark for each instead of its text, and sends the marks back.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use boughs::{Information, Session, Turn};

use crate::refusal::Refusal;

/// The most marks that are kept. The oldest are forgotten.
const MOST_MARKS: usize = 1 << 16;

/// The sign before a mark.
const SIGN: char = '?';

/// The moves behind marks.
pub(crate) struct Secrets {
    /// Marks are hashes by random keys, so that they tell nothing.
    keys: [RandomState; 2],
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    texts: HashMap<String, String>,
    order: VecDeque<String>,
}

impl Secrets {
    pub(crate) fn new() -> Secrets {
        Secrets { keys: [RandomState::new(), RandomState::new()], kept: Mutex::default() }
    }

    /// The mark of a move after others.
    pub(crate) fn hide(&self, game: &str, before: &[String], text: &str) -> String {
        let [first, second] = [0, 1].map(|key| self.keys[key].hash_one((game, before, text)));
        let mark = format!("{SIGN}{first:016x}{second:016x}");
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.texts.insert(mark.clone(), text.to_string()).is_none() {
            kept.order.push_back(mark.clone());
        }
        if kept.order.len() > MOST_MARKS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.texts.remove(&oldest);
        }
        mark
    }

    /// The text of a move that the page names.
    pub(crate) fn reveal(&self, text: &str) -> Result<String, Refusal> {
        if !text.starts_with(SIGN) {
            return Ok(text.to_string());
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.texts
            .get(text)
            .cloned()
            .ok_or_else(|| Refusal::missing("the hidden moves of this game are no longer known here; start a new game"))
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

/// The most other actions that an action is compared with.
const OTHERS: usize = 4;

/// Returns true if a viewer can tell the action of another player from others by now.
fn is_seen(position: &dyn Session, action: u32, rest: &[u32], end: &dyn Session, viewer: usize) -> bool {
    let after = |action| {
        let mut after = position.clone_session();
        after.apply(action);
        after
    };
    let known = after(action).information(viewer);
    let others = position.legal_moves().into_iter().map(|(other, _)| other).filter(|&other| other != action);
    others.take(OTHERS).all(|other| {
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
    })
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
        assert_eq!(secrets.reveal(&mark), Ok("KQ".to_string()));
        assert_eq!(secrets.hide("kuhn", &[], "KQ"), mark);
        assert_ne!(secrets.hide("kuhn", &[], "QK"), mark);
        assert!(Secrets::new().reveal(&mark).is_err());
    }
}
