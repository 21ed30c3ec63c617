//! Checks of perfect recall: what a player knows at a turn includes what they knew and did at the turn before.

use std::collections::{BTreeMap, BTreeSet};

use super::require;

/// A player's information at a turn of theirs and, once they have acted, the code of their action.
type Acted = (u64, Option<u32>);

/// The information of all players at their turns, in this game and in all games so far.
#[derive(Default)]
pub(super) struct Recall {
    /// For each player and each information at a turn: the turn they had before it, if any.
    before: BTreeMap<(usize, u64), Option<Acted>>,
    /// The information of each player at their turns of this game.
    seen: BTreeSet<(usize, u64)>,
    /// The last turn each player had in this game.
    last: BTreeMap<usize, Acted>,
}

impl Recall {
    /// Begins another game.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
        self.last.clear();
    }

    /// Records the turn of a player with this information.
    pub(super) fn turn(&mut self, player: usize, known: u64) -> Result<(), String> {
        require(self.seen.insert((player, known)), || {
            format!(
                "player {player} forgets: they have acted since an earlier turn of theirs, but `information` gives the \
                 same number for both"
            )
        })?;
        let last = self.last.insert(player, (known, None));
        let before = *self.before.entry((player, known)).or_insert(last);
        require(before.map(|(known, _)| known) == last.map(|(known, _)| known), || {
            format!(
                "player {player} forgets: `information` gives the same number as in another game, in which they knew \
                 something else at their last turn"
            )
        })?;
        require(before == last, || {
            format!(
                "player {player} forgets: `information` gives the same number as in another game, in which they did \
                 something else at their last turn"
            )
        })
    }

    /// Records the action of the player whose turn it is.
    pub(super) fn act(&mut self, player: usize, code: u32) {
        if let Some((_, action)) = self.last.get_mut(&player) {
            *action = Some(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays games of one player, each a list of the information at a turn and the action taken there.
    fn fault(games: &[&[(u64, u32)]]) -> Option<String> {
        let mut recall = Recall::default();
        for game in games {
            recall.begin();
            for &(known, action) in *game {
                if let Err(what) = recall.turn(0, known) {
                    return Some(what);
                }
                recall.act(0, action);
            }
        }
        None
    }

    #[test]
    fn information_includes_all_that_was_known_and_done() {
        assert_eq!(fault(&[&[(1, 7), (2, 7)], &[(1, 8), (3, 7)], &[(1, 7), (2, 8)]]), None);
        for (games, what) in [
            (&[&[(1, 7), (2, 7), (1, 7)][..]][..], "for both"),
            (&[&[(1, 7), (2, 7)], &[(3, 7), (2, 7)]], "knew something else"),
            (&[&[(1, 7), (2, 7)], &[(2, 7)]], "knew something else"),
            (&[&[(1, 7), (2, 7)], &[(1, 8), (2, 7)]], "did something else"),
        ] {
            let fault = fault(games).expect(what);
            assert!(fault.starts_with("player 0 forgets: ") && fault.contains(what), "{fault}");
        }
    }
}
