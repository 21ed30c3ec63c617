//! The view of agents that cannot keep secrets.

use boughs::{Rng, Session};

/// Copies a position, draws what `player` does not know, and redraws the choices that other players have already made
/// at the same time.
///
/// A plain tree would see the true choices and answer them, which is cheating. In the copy it answers random choices:
/// it learns nothing of the true ones, but takes for known what it only guesses.
pub fn with_choices_redrawn(position: &dyn Session, player: usize, rng: &mut Rng) -> Box<dyn Session> {
    let mut view = position.clone_session();
    view.determinize(player, rng);
    while view.turn() != position.turn() {
        let Some(action) = view.random_step(rng) else { break };
        view.apply(action);
    }
    view
}

#[cfg(test)]
mod tests {
    use boughs::{Position as _, Turn};
    use boughs_games::goofspiel::{Goofspiel, Order};

    use super::*;

    #[test]
    fn a_plain_tree_is_not_shown_what_another_has_chosen_at_the_same_time() {
        let start = Goofspiel::new(5, Order::Descending).expect("five cards");
        let redrawn = |position: &dyn Session, player, stream| {
            let view = with_choices_redrawn(position, player, &mut Rng::new(1, stream));
            *view.downcast_ref::<Goofspiel>().expect("the same game")
        };
        let mut bids: Vec<u32> = Vec::new();
        start.actions(&mut bids);
        let mut drawn = Vec::new();
        for stream in 0..40 {
            let views = bids.iter().map(|&bid| {
                let mut position = start;
                position.apply(bid);
                redrawn(&position, 1, stream)
            });
            let views: Vec<Goofspiel> = views.collect();
            assert!(views.iter().all(|other| *other == views[0] && other.turn() == Turn::Player(1)));
            if !drawn.contains(&views[0]) {
                drawn.push(views[0]);
            }
        }
        assert_eq!(drawn.len(), 5, "every choice may have been made");
        assert_eq!(redrawn(&start, 0, 0), start, "the player who chooses first has nothing to see");
    }
}
