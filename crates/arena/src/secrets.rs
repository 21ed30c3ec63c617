//! What agents that cannot keep secrets are shown.

use boughs::{Game, Rng, Turn};

/// The position with the choices that others have already made at the same time as `player` replaced by random ones.
///
/// A plain tree would see the true ones and answer them, which is cheating. With this it answers a choice that nobody made:
/// it learns nothing of the true one, but takes for known what it only guesses.
pub(crate) fn with_choices_redrawn<G: Game>(position: &G, player: usize, rng: &mut Rng) -> G {
    let (mut seen, mut scratch) = (position.clone(), Vec::new());
    seen.determinise(player, rng);
    while seen.turn() != Turn::Player(player) {
        let choice = match seen.turn() {
            Turn::Player(_) => seen.random_action(rng, &mut scratch),
            Turn::Chance => seen.chance(rng, &mut scratch),
            Turn::Over => None,
        };
        let Some(choice) = choice else { break };
        seen.apply(choice);
    }
    seen
}

#[cfg(test)]
mod tests {
    use boughs_games::goofspiel::{Goofspiel, Order};

    use super::*;

    #[test]
    fn a_plain_tree_is_not_shown_what_another_has_chosen_at_the_same_time() {
        let start = Goofspiel::new(5, Order::Descending).expect("five cards");
        let mut bids = Vec::new();
        start.actions(&mut bids);
        let mut drawn = Vec::new();
        for stream in 0..40 {
            let seen = bids.iter().map(|&bid| {
                let mut position = start;
                position.apply(bid);
                with_choices_redrawn(&position, 1, &mut Rng::new(1, stream))
            });
            let seen: Vec<Goofspiel> = seen.collect();
            assert!(seen.iter().all(|other| *other == seen[0] && other.turn() == Turn::Player(1)));
            if !drawn.contains(&seen[0]) {
                drawn.push(seen[0]);
            }
        }
        assert_eq!(drawn.len(), 5, "every choice may have been made");
        assert_eq!(with_choices_redrawn(&start, 0, &mut Rng::new(1, 0)), start, "who chooses first has nothing to see");
    }
}
