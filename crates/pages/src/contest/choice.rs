//! The choice of the games on the page: a limited number, forfeits before all others.

use boughs_arena::StoredGame;

use super::game;
use crate::board::Shape;
use crate::viewer::ViewerGame;

/// The largest size of all games of a page, in bytes.
const MOST_BYTES: usize = 8 << 20;

/// The games chosen so far.
pub(super) struct Choice {
    most_games: usize,
    /// Forfeits, and all others.
    games: [Bounded; 2],
    shapes: Vec<Shape>,
    seen: usize,
}

/// Games within a limit.
#[derive(Default)]
struct Bounded {
    games: Vec<ViewerGame>,
    bytes: usize,
}

impl Bounded {
    fn has_room(&self, most_games: usize) -> bool {
        self.games.len() < most_games && self.bytes < MOST_BYTES
    }

    fn push(&mut self, game: ViewerGame) {
        self.bytes += game.row.len() + game.json.len();
        self.games.push(game);
    }
}

/// The chosen games.
pub(super) struct Choices {
    /// In the order of their numbers.
    pub(super) games: Vec<ViewerGame>,
    pub(super) shapes: Vec<Shape>,
    /// The number of games that were not chosen.
    pub(super) left_out: usize,
}

impl Choice {
    pub(super) fn of(most_games: usize) -> Choice {
        Choice { most_games, games: Default::default(), shapes: Vec::new(), seen: 0 }
    }

    /// Adds a game to the choice if there is room. `game` is its spec.
    pub(super) fn see(&mut self, kept: &StoredGame, game: &str) {
        self.seen += 1;
        let games = &mut self.games[usize::from(kept.record.ending.faults().is_empty())];
        if games.has_room(self.most_games) {
            games.push(ViewerGame {
                number: kept.record.number,
                row: game::row(&kept.record).into_string(),
                json: game::json(kept, game, &mut self.shapes),
            });
        }
    }

    pub(super) fn finish(self) -> Choices {
        let [mut chosen, others] = self.games;
        for game in others.games {
            if chosen.has_room(self.most_games) {
                chosen.push(game);
            }
        }
        chosen.games.sort_by_key(|game| game.number);
        Choices { left_out: self.seen - chosen.games.len(), games: chosen.games, shapes: self.shapes }
    }
}

#[cfg(test)]
mod tests {
    use boughs_arena::{Ending, Fault};

    use super::super::tests::kept;
    use super::*;

    fn choose(most: usize, games: impl Iterator<Item = StoredGame>) -> (Vec<u64>, usize) {
        let mut choice = Choice::of(most);
        games.for_each(|kept| choice.see(&kept, "connect4"));
        let Choices { games, left_out, .. } = choice.finish();
        (games.iter().map(|game| game.number).collect(), left_out)
    }

    fn forfeit(number: u64) -> StoredGame {
        let mut kept = kept(number, &["4"]);
        kept.record.ending = Ending::Forfeit(vec![(0, Fault::Deaf)]);
        kept
    }

    #[test]
    fn the_first_games_are_chosen_and_forfeits_before_them() {
        let games = |forfeits: &'static [u64]| {
            (0..10).map(move |number| if forfeits.contains(&number) { forfeit(number) } else { kept(number, &["4"]) })
        };
        assert_eq!(choose(4, games(&[])), (vec![0, 1, 2, 3], 6));
        assert_eq!(choose(4, games(&[1, 7, 9])), (vec![0, 1, 7, 9], 6));
        assert_eq!(choose(2, games(&[6, 7, 9])), (vec![6, 7], 8));
        assert_eq!(choose(20, games(&[6])), ((0..10).collect(), 0));
        assert_eq!(choose(0, games(&[6])), (vec![], 10));
    }

    #[test]
    fn few_games_that_are_large_fill_the_page_too() {
        let large = |number| {
            let mut kept = kept(number, &["4"]);
            kept.replay = "x".repeat(MOST_BYTES / 3);
            kept
        };
        assert_eq!(choose(100, (0..10).map(large)), (vec![0, 1, 2], 7));
    }
}
