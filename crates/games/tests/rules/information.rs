//! Hidden facts leave no trace in the positions that players search.

use std::collections::BTreeMap;

use boughs::{Game, Information, Rng, Turn};
use boughs_games::NamedGame;
use boughs_games::goofspiel::{Goofspiel, Order};
use boughs_games::green_circle::{GreenCircle, Setup};
use boughs_games::kuhn::Kuhn;
use boughs_games::matrix::{Matrix, Table};
use boughs_games::photosynthesis::Photosynthesis;
use boughs_games::whist::{Suit, Whist};

/// Plays random games and determinizes every position for every player, together with the first position that this
/// player cannot tell from it.
fn check<G: NamedGame + PartialEq + std::fmt::Debug>(start: &G, games: u64) {
    let mut twins = BTreeMap::new();
    for seed in 0..games {
        let (mut position, mut rng) = (start.clone(), Rng::new(seed, 0));
        loop {
            for player in 0..start.players() {
                check_position(&position, player, &mut rng);
                let twin = twins.entry((player, position.information(player))).or_insert_with(|| position.clone());
                assert_eq!(
                    determinized(&position, player, &mut Rng::new(seed, 1)),
                    determinized(twin, player, &mut Rng::new(seed, 1)),
                    "player {player} cannot tell from each other\n{}\n{}",
                    position.board(),
                    twin.board()
                );
                check_shown(&position, twin, player);
                check_shown(&position, &determinized(&position, player, &mut Rng::new(seed, 2)), player);
            }
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(&mut rng, &mut Vec::new()),
                Turn::Player(_) => position.random_action(&mut rng, &mut Vec::new()),
            };
            position.apply(action.expect("something can be done"));
        }
    }
}

/// Checks that a player sees the same of two positions that they cannot tell from each other. That another player has
/// chosen is no secret.
fn check_shown<G: NamedGame>(one: &G, other: &G, player: usize) {
    if one.turn() == other.turn() && one.turn() != Turn::Over {
        assert_eq!(one.board_for(player), other.board_for(player), "player {player} of\n{}", one.board());
        assert_eq!(one.picture(Some(player)), other.picture(Some(player)), "player {player} of\n{}", one.board());
    }
}

fn determinized<G: Game>(position: &G, player: usize, rng: &mut Rng) -> G {
    let mut drawn = position.clone();
    drawn.determinize(player, rng);
    drawn
}

fn check_position<G: Game + PartialEq + std::fmt::Debug>(position: &G, player: usize, rng: &mut Rng) {
    let other = determinized(position, player, rng);
    let (mut one, mut two) = (rng.clone(), rng.clone());
    let (of_the_true_one, of_the_other) =
        (determinized(position, player, &mut one), determinized(&other, player, &mut two));
    assert_eq!(of_the_true_one, of_the_other, "something of the true position is left in\n{}", other.board());
    assert_eq!(one.bits(), two.bits(), "what is drawn depends on what is hidden in\n{}", position.board());
    for drawn in [&other, &of_the_true_one] {
        assert_eq!(drawn.information(player), position.information(player), "\n{}", position.board());
    }
    if position.turn() == Turn::Player(player) {
        // A choice that was taken back is chosen again, and that gives no information either.
        let mut chosen = other;
        while G::INFORMATION == Information::Simultaneous && chosen.turn() != position.turn() {
            assert_eq!(chosen.information(player), position.information(player), "\n{}", position.board());
            chosen.apply(chosen.random_action(rng, &mut Vec::new()).expect("another player chooses"));
        }
        assert_eq!(chosen.information(player), position.information(player), "\n{}", position.board());
        assert_eq!((chosen.turn(), actions(&chosen)), (position.turn(), actions(position)), "the choice changed");
    }
}

fn actions<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

#[test]
fn a_choice_made_at_the_same_time_leaves_no_trace() {
    for table in [Table::Pennies, Table::Rps, Table::Biased, Table::Dominated, Table::Random(1)] {
        check(&Matrix::new(table), 40);
    }
}

#[test]
fn what_is_done_on_the_same_turn_leaves_no_trace() {
    for seed in 0..4 {
        check(&Photosynthesis::new(seed), 5);
    }
}

#[test]
fn a_secret_bid_leaves_no_trace() {
    for (cards, order) in [(3, Order::Random), (13, Order::Random), (5, Order::Descending)] {
        check(&Goofspiel::new(cards, order).expect("a number of cards"), 40);
    }
}

#[test]
fn the_card_of_the_other_player_leaves_no_trace() {
    check(&Kuhn::default(), 400);
}

#[test]
fn hands_that_were_not_seen_leave_no_trace() {
    for (hand_size, trump) in [(1, None), (3, Some(Suit::Diamonds)), (5, None), (6, Some(Suit::Hearts))] {
        check(&Whist::new(hand_size, trump).expect("a hand"), 100);
    }
}

#[test]
fn how_the_cards_of_the_other_player_lie_leaves_no_trace() {
    for seed in 0..4 {
        check(&GreenCircle::new(&Setup::of_seed(seed)), 5);
    }
}
