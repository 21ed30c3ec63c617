//! Tests of rules that are easily got wrong, each by itself. Recorded games of the official referee check the whole.

use boughs::notation::{legal_moves, play_moves};
use boughs::{Game, Rng, Turn};

use super::*;

/// A position at the first player's move with hands of these cards; all other cards stay where they are.
pub(super) fn with_hands(own: &[u8], other: &[u8]) -> GreenCircle {
    let mut game = GreenCircle::new(&Setup { applications: 0xfff, piles: [[8, 8, 9, 9, 8, 8, 9, 9]; 2] });
    for (seat, hand) in game.seats.iter_mut().zip([own, other]) {
        game.board += seat.hand;
        seat.hand = cards(hand);
        game.board -= seat.hand;
    }
    game
}

pub(super) fn at(locations: [i8; 2], mut game: GreenCircle) -> GreenCircle {
    (game.seats[0].location, game.seats[1].location) = (locations[0], locations[1]);
    game
}

pub(super) fn cards(list: &[u8]) -> Cards {
    list.iter().fold(Cards::NONE, |cards, &kind| cards + Cards::one(kind))
}

pub(super) fn after(mut game: GreenCircle, moves: &str) -> GreenCircle {
    play_moves(&mut game, moves).unwrap_or_else(|error| panic!("{moves}: {error}"));
    game
}

fn texts(game: &GreenCircle) -> String {
    legal_moves(game).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

#[test]
fn going_round_costs_two_cards() {
    let round = |hand: &[u8]| after(at([5, -1], with_hands(hand, &[])), "m4");
    assert_eq!(round(&[0, 1, 9]).seats[0].hand, cards(&[9, 4]));
    assert_eq!(round(&[0, 9]).seats[0].discard, cards(&[9]));
    assert_eq!(round(&[9]).seats[0].discard, cards(&[9, 9]));
    assert_eq!(round(&[8, 8, 8]).seats[0].hand, cards(&[8, 4]));
    let choice = round(&[8, 8, 1]);
    assert_eq!((choice.phase, texts(&choice).as_str()), (Phase::Throw, "t1 t8"));
    // The second card is asked for even without a choice, and the desk's card comes afterwards.
    let again = after(choice, "t1");
    assert_eq!((again.phase, texts(&again).as_str()), (Phase::Throw, "t8"));
    assert_eq!(after(again, "t8").seats[0].hand, cards(&[8, 4]));
    assert_eq!(after(at([5, -1], with_hands(&[8, 8, 1], &[])), "m6").phase, Phase::Play);
}

#[test]
fn who_comes_near_gives_a_card() {
    let near = |desk: i8, hand: &[u8]| after(at([-1, desk], with_hands(hand, &[9])), "m0");
    for desk in [0, 1, 7] {
        assert_eq!(near(desk, &[3, 3, 9]).seats[1].hand, cards(&[9, 3]), "{desk}");
        assert_eq!(near(desk, &[9]).seats[0].discard, cards(&[9, 9]), "{desk}");
        let choice = near(desk, &[3, 8]);
        assert_eq!((choice.phase, texts(&choice).as_str()), (Phase::Give, "g3 g8"));
        assert_eq!(after(choice, "g8").seats.map(|seat| seat.hand), [cards(&[3, 0]), cards(&[9, 8])]);
    }
    assert_eq!(near(2, &[3, 8]).phase, Phase::Play);
}

#[test]
fn an_empty_desk_has_bonus_cards_and_then_nothing() {
    let mut game = with_hands(&[9], &[]);
    game.board -= cards(&[4, 4, 4, 4, 4]);
    assert_eq!(after(game, "m4").seats[0].merged().count(BONUS), 3);
    (0..game.board.count(BONUS)).for_each(|_| game.board -= Cards::one(BONUS));
    assert_eq!(after(game, "m4").phase, Phase::Redraw);
}

#[test]
fn routines_reach_further() {
    let mut game = at([0, -1], with_hands(&[9], &[]));
    game.seats[0].routines = 1;
    assert!(texts(&game).starts_with("m10 m1 m12 m21 m2 m23 "), "{}", texts(&game));
    assert_eq!(legal_moves(&game).len(), 21);
    game.seats[0].routines = 5;
    assert_eq!(legal_moves(&game).len(), 56);
    assert!(after(game, "m14").seats[0].hand.has(4));
    assert_eq!(legal_moves(&with_hands(&[], &[])).len(), 8);
}

#[test]
fn cards_do_what_they_say() {
    let play = |hand: &[u8], moves: &str| after(at([-1, 4], with_hands(hand, &[9])), &format!("m1 {moves}"));
    let training = play(&[0], "p0 d88");
    assert_eq!((training.plays, training.seats[0].hand), (1, cards(&[1, 8, 8])));
    let coding = play(&[], "p1 d8");
    assert_eq!(
        (coding.phase, coding.plays),
        (Phase::Redraw, 0),
        "there is nothing to play, and two BONUS release nothing"
    );
    assert_eq!(play(&[2], "p1 d8").plays, 2);
    assert_eq!(play(&[2], "p2").seats[0].routines, 1);
    let study = play(&[4], "p4");
    assert_eq!((study.phase, study.due), (Phase::Redraw, 5));
    assert_eq!(play(&[6], "p6").seats[0].discard.count(BONUS), 2);
    assert_eq!(play(&[7, 9], "p7").seats[0].discard, cards(&[1, 7]));
    let automated = play(&[5, 8], "p58");
    assert_eq!((automated.seats[0].automated, automated.seats[0].discard), (cards(&[8]), cards(&[1, 5])));
    let exchanged = play(&[3, 8], "p380");
    assert_eq!((exchanged.seats[0].hand, exchanged.played), (cards(&[0, 1]), cards(&[3])));
}

#[test]
fn a_card_for_which_nothing_is_to_be_had_is_lost() {
    let mut game = with_hands(&[3, 8, 7], &[]);
    (0..game.board.count(BONUS)).for_each(|_| game.board -= Cards::one(BONUS));
    let lost = after(game, "m0 p378");
    assert_eq!((lost.seats[0].lost, lost.board.count(7)), (cards(&[7]), 4));
    // The other player believes that it is there.
    let mut seen = lost;
    seen.determinize(1, &mut Rng::new(1, 0));
    assert_eq!((seen.seats[0].lost, seen.board.count(7)), (Cards::NONE, 5));
    seen = lost;
    seen.determinize(0, &mut Rng::new(1, 0));
    assert_eq!((seen.seats[0].lost, seen.board.count(7)), (cards(&[7]), 4));
}

#[test]
fn a_release_costs_debt_and_ends_what_is_at_work() {
    let mut game = with_hands(&[0, 0], &[]);
    (game.seats[0].routines, game.seats[0].studies) = (1, 2);
    let released = after(game, "m1 w r0");
    let seat = released.seats[0];
    assert_eq!((seat.score, seat.routines, seat.studies, released.due), (1, 0, 0, 4));
    assert_eq!(seat.discard, cards(&[0, 0, 1, 2, 4, 4, 9, 9]), "one card of the second kind leaves two to miss");
    assert_eq!(released.applications, 0xffe);
}

#[test]
fn a_hand_that_is_drawn_goes_through_the_discard_pile() {
    let mut game = with_hands(&[9], &[]);
    game.seats[0].draw = cards(&[8]);
    game.seats[0].discard = cards(&[7, 7, 9]);
    let game = after(game, "m1 w");
    // The BONUS card is certain; three of 7 7 9 and of 9 1 from the hand follow it.
    let hands = legal_moves(&game);
    let weights: Vec<_> = hands.iter().map(|(step, text)| (text.as_str(), game.weight(*step))).collect();
    assert_eq!(weights, [("d7899", 2), ("d7789", 2), ("d1899", 1), ("d1789", 4), ("d1778", 1)]);
    let drawn = after(game, "d1789");
    assert_eq!((drawn.seats[0].draw, drawn.seats[0].discard), (cards(&[7, 9]), Cards::NONE));
}

#[test]
fn an_emptied_draw_pile_stays_empty_until_the_next_draw() {
    let mut game = with_hands(&[9], &[]);
    game.seats[0].draw = cards(&[8, 8, 8, 9]);
    let game = after(game, "m1 w d8889");
    assert_eq!((game.seats[0].draw, game.seats[0].discard), (Cards::NONE, cards(&[1, 9])));
    assert_eq!(game.turn(), Turn::Player(1));
}

#[test]
fn the_first_player_to_finish_gives_the_second_a_last_turn() {
    let mut game = with_hands(&[0, 0, 1], &[9]);
    game.seats[0].score = 4;
    let first = after(game, "m1 w r0");
    assert!(first.is_last_round && !first.is_complete);
    let first = after(first, "d8899");
    assert_eq!(first.turn(), Turn::Player(1));
    let last = after(first, "m4 w");
    assert_eq!(last.turn(), Turn::Chance);
    let last = after(last, "d8899");
    assert_eq!((last.turn(), last.reward(0), last.reward(1)), (Turn::Over, 1.0, 0.0));
}

#[test]
fn two_hundred_decisions_end_a_game_wherever_it_is() {
    let game = GreenCircle { decisions: 199, ..with_hands(&[0, 0, 1], &[9]) };
    let stopped = after(game, "m1");
    assert_eq!((stopped.phase, stopped.turn(), stopped.is_complete), (Phase::Play, Turn::Over, false));
    // A round may be complete with the last decision.
    let mut game = GreenCircle { decisions: 199, active: 1, ..at([4, 4], with_hands(&[9], &[9, 9])) };
    (game.is_last_round, game.seats[0].score, game.seats[1].score) = (true, 5, 5);
    game.board -= cards(&[0, 0, 0, 0, 0]);
    (0..game.board.count(BONUS)).for_each(|_| game.board -= Cards::one(BONUS));
    let complete = after(game, "m0 d8899");
    assert_eq!((complete.turn(), complete.is_complete), (Turn::Over, true));
    assert_eq!(complete.reward(0), 1.0, "as many releases, and less debt");
}

#[test]
fn debt_breaks_ties() {
    let mut game = with_hands(&[9], &[9]);
    assert_eq!((game.leader(), game.reward(0)), (None, 0.5));
    game.seats[0].discard += Cards::one(DEBT);
    assert_eq!(game.leader(), Some(1));
    game.seats[0].score = 1;
    assert_eq!(game.leader(), Some(0));
}

/// Counts the ways a turn can go, for all draws within it.
fn chains(game: &GreenCircle) -> u32 {
    if game.is_between_turns() {
        return 1;
    }
    let mut steps = Vec::new();
    game.actions(&mut steps);
    let next = |step| {
        let mut next = *game;
        next.apply(step);
        chains(&next)
    };
    steps.into_iter().map(next).sum()
}

#[test]
fn the_first_turn_has_as_many_chains_as_the_first_hand_has_bonus_cards_for() {
    for seed in 0..100 {
        let game = GreenCircle::new(&Setup::of_seed(seed));
        let known = [0, 25, 62, 169, 0][usize::from(game.seats[0].hand.count(BONUS))];
        assert_eq!(chains(&game), known, "seed {seed}");
    }
}

#[test]
fn codes_and_steps_are_one_to_one() {
    let mut rng = Rng::new(4, 0);
    let step = |code| <Step as boughs::Action>::from_code(code);
    for code in (0..1_024).chain((0..1_000).map(|_| rng.bits() as u32)) {
        let back = boughs::Action::code(step(code));
        assert_eq!(step(back), step(code), "{code}");
    }
}
