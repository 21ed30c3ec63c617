//! Tests of the rules of Whist.

use super::*;
use boughs::notation::{legal_moves, play_moves};

fn after(hand_size: u32, trump: Option<Suit>, moves: &str) -> Whist {
    let mut game = Whist::new(hand_size, trump).expect("a hand");
    play_moves(&mut game, moves).expect(moves);
    game
}

fn texts(game: &Whist) -> Vec<String> {
    legal_moves(game).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn cards_are_dealt_in_turn_and_the_first_player_leads() {
    let game = after(2, None, "9c 9d 9h Tc Td Th");
    assert_eq!((game.turn(), texts(&game)), (Turn::Player(0), vec!["9c".into(), "Tc".into()]));
    assert_eq!(after(2, None, "9c 9d 9h Tc Td").turn(), Turn::Chance);
}

#[test]
fn who_can_follow_suit_must() {
    assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td")), ["9c", "Tc"]);
    assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td 9c")), ["Jc"]);
    assert_eq!(texts(&after(2, None, "9c 9d 9h Tc Jc Td 9c Jc")), ["Td", "9h"]);
}

#[test]
fn the_highest_card_of_the_suit_led_takes_the_trick_unless_there_is_a_trump() {
    for (trump, moves, winner) in [
        (None, "9c Jc Tc 9c Jc Tc", 1),
        (None, "9c Ad Ah 9c Ad Ah", 0),
        (Some(Suit::Hearts), "Ac Kc 9h Ac Kc 9h", 2),
        (Some(Suit::Hearts), "Ac Th 9h Ac Th 9h", 1),
        (Some(Suit::Clubs), "Ad Kd 9h Ad Kd 9h", 0),
    ] {
        let game = after(1, trump, moves);
        let rewards = [0, 1, 2].map(|player| game.reward(player));
        assert_eq!(game.turn(), Turn::Over, "{moves}");
        assert!((0..3).all(|player| (rewards[player] == 1.0) == (player == winner)), "{moves}: {rewards:?}");
    }
}

#[test]
fn the_winner_of_a_trick_leads_to_the_next() {
    assert_eq!(after(2, None, "9c Jc Tc 9d Td Jd 9c Jc Tc").turn(), Turn::Player(1));
    assert_eq!(after(2, None, "9c Jc Tc 9d Td Jd 9c Jc Tc Td Jd").turn(), Turn::Player(0));
}

#[test]
fn equally_many_tricks_share_the_reward() {
    let two = after(2, None, "9c Jc Tc Ad 9d Td 9c Jc Tc 9d Td Ad");
    assert_eq!([0, 1, 2].map(|player| two.reward(player)), [0.5, 0.5, 0.0]);
    let three = after(3, None, "9c Tc Jc Td Jd 9d Jh 9h Th 9c Tc Jc 9d Td Jd 9h Th Jh");
    assert_eq!([0, 1, 2].map(|player| three.reward(player)), [1.0 / 3.0; 3]);
}

#[test]
fn no_player_is_given_a_suit_they_did_not_follow() {
    // The second player holds no clubs: the third player holds them, or they were not dealt.
    let game = after(2, None, "9c 9d Tc Jc Td Qc 9c 9d Tc");
    let (mut rng, mut holders) = (Rng::new(6, 0), [0; PLAYERS]);
    for _ in 0..1_000 {
        let mut position = game;
        position.determinize(0, &mut rng);
        (0..PLAYERS).for_each(|player| holders[player] |= position.hands[player] & Suit::Clubs.cards());
    }
    assert_eq!(holders.map(|clubs| cards(clubs).count()), [1, 0, 3]);
}

#[test]
fn a_hand_is_known_to_its_player_alone() {
    let (one, other) = (after(2, None, "9c 9d 9h Tc Td Th"), after(2, None, "9c 9h 9d Tc Th Td"));
    assert_eq!(one.information(0), other.information(0));
    assert_ne!(one.information(1), other.information(1));
    assert_eq!(one.information(2), after(2, None, "Td Tc 9h 9d 9c Th").information(2));
}

#[test]
fn the_order_of_the_cards_played_is_known() {
    let deal = "9c Tc Jc 9d Td Jd 9h Th Jh";
    let (one, other) = (format!("{deal} 9c Tc Jc Jd 9d Td"), format!("{deal} 9d Td Jd Jc 9c Tc"));
    assert!(
        (0..3).all(|player| { after(3, None, &one).information(player) != after(3, None, &other).information(player) })
    );
}

#[test]
fn hands_have_one_to_six_cards() {
    assert!([0, 7, 99].iter().all(|&size| Whist::new(size, None).is_none()));
    assert!((1..=6).all(|size| Whist::new(size, None).is_some()));
}
