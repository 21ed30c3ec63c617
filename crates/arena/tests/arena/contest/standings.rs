//! Scores of pairings.

use std::collections::BTreeMap;
use std::time::Duration;

use boughs_arena::statistics::{Estimate, Games, Pairs};
use boughs_arena::{Clock, Conditions, Ending, Fault, PairScore, Planned, Record};

use super::conditions;

/// A game with these rewards of its seats.
fn game(number: u64, rewards: &[f64]) -> (Planned, Record) {
    let planned = conditions("tictactoe", ["mcts", "flat"], 1).planned(number, rewards.len());
    let seats = rewards.len();
    let record = Record {
        number,
        round: planned.round,
        seats: planned.seats.clone(),
        seed: 1,
        opening: vec!["a".to_string()],
        moves: vec![number.to_string()],
        rewards: rewards.to_vec(),
        ending: Ending::Over,
        clocks: vec![Clock { moves: 3, total: Duration::from_millis(30), ..Clock::default() }; seats],
        notes: vec![String::new(); seats],
        columns: vec![BTreeMap::from([("rollouts".to_string(), number as f64)]); seats],
        began: 0.0,
        took: Duration::ZERO,
    };
    (planned, record)
}

fn standing<'g>(games: impl IntoIterator<Item = &'g (Planned, Record)>) -> PairScore {
    let mut standing = PairScore::default();
    games.into_iter().for_each(|(planned, record)| standing.add(planned, record));
    standing
}

/// Pairs of games that brought the first contestant these points.
fn pairs(points: impl IntoIterator<Item = f64>) -> Vec<(Planned, Record)> {
    let games = points.into_iter().enumerate().flat_map(|(round, points)| {
        let (first, second) = (points.min(1.0), points - points.min(1.0));
        [game(2 * round as u64, &[first, 1.0 - first]), game(2 * round as u64 + 1, &[1.0 - second, second])]
    });
    games.collect()
}

#[test]
fn the_interval_comes_from_pairs_and_not_from_games() {
    let counts = [10, 20, 40, 20, 10];
    let points = (0..5).flat_map(|kind| vec![kind as f64 / 2.0; counts[kind]]);
    let standing = standing(&pairs(points));
    assert_eq!((standing.tally().pairs, standing.tally().games.count()), (Pairs([10, 20, 40, 20, 10]), 200));
    // Shares of 0, 1/4, 1/2, 3/4 and 1 with a variance of 7.5 / 99: an error of sqrt(that / 100), and 1.96 of them.
    let Estimate::Between { value, low, high } = standing.strength().elo else { panic!("an interval") };
    assert!(value.abs() < 1e-9 && (low + high).abs() < 1e-6 && (high - 37.65).abs() < 1.0, "{low} {high}");
}

#[test]
fn of_three_a_game_is_won_by_more_than_all_others_got() {
    // The first contestant has seats 0, 1 and 2 in turn.
    let games = [game(0, &[0.5, 0.3, 0.2]), game(1, &[0.4, 0.4, 0.2]), game(2, &[0.2, 0.5, 0.3])];
    let standing = standing(&games);
    assert_eq!(standing.tally().games, Games { wins: 1, draws: 1, losses: 1 });
    assert_eq!(standing.tally().pairs.count(), 0, "a round of three is no pair");
    let [first, second] = [0, 1].map(|side| standing.rewards()[side].value().unwrap());
    assert!((first - 0.4).abs() < 1e-12 && (second - 0.3).abs() < 1e-12, "{first} {second}");
}

#[test]
fn alone_the_higher_score_of_a_round_wins_and_a_fault_loses() {
    let mut games = vec![game(0, &[800.0]), game(1, &[600.0]), game(2, &[900.0]), game(3, &[100.0])];
    games[2].1.ending = Ending::Forfeit(vec![(0, Fault::Deaf)]);
    let standing = standing(&games);
    assert_eq!(standing.tally().pairs, Pairs([1, 0, 0, 0, 1]));
    assert_eq!(standing.difference().estimate().value(), Some(500.0));
    assert_eq!(standing.sides()[0].faults, BTreeMap::from([("deaf".to_string(), 1)]));
    assert!(standing.sides()[0].last_fault.as_ref().unwrap().starts_with("in game 2 at move "));
}

#[test]
fn a_contestant_that_breaks_the_rules_has_lost_on_any_board() {
    let mut games = vec![game(0, &[1.0, 0.0]), game(1, &[1.0, 0.0])];
    for (_, record) in &mut games {
        record.ending = Ending::Forfeit(vec![(0, Fault::Flooded)]);
    }
    let standing = standing(&games);
    assert_eq!(standing.tally().games, Games { wins: 1, draws: 0, losses: 1 });
    // Two programs that crash have lost to each other, and say nothing of their strength.
    assert_eq!(standing.strength().elo, Estimate::Unknown { why: "every game ended by a fault" });
}

#[test]
fn a_score_is_the_same_to_the_last_digit_for_every_order_of_games() {
    let games = pairs((0..60).map(|round| f64::from(round * 7 % 5) / 2.0));
    let ordered = standing(&games);
    let mut shuffled: Vec<_> = games.iter().collect();
    let mut rng = boughs::Rng::new(1, 0);
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, rng.below(last as u32 + 1) as usize);
    }
    let shuffled = standing(shuffled);
    assert_eq!(format!("{:?}", ordered.rewards()), format!("{:?}", shuffled.rewards()));
    assert_eq!((ordered.sides(), ordered.tally()), (shuffled.sides(), shuffled.tally()));
    assert_eq!(ordered.unpaired(), 0);
}

#[test]
fn games_count_with_their_round_and_after_those_before_it() {
    let games = pairs([2.0, 2.0, 0.0]);
    let counted = |numbers: &[usize]| {
        let standing = standing(numbers.iter().map(|&number| &games[number]));
        (standing.tally().games.count(), standing.unpaired(), standing.sides()[0].moves)
    };
    assert_eq!(counted(&[0]), (0, 1, 0));
    assert_eq!(counted(&[1, 0, 2]), (2, 1, 6));
    // Short games end first, and a contestant that wins those must not look better for it.
    assert_eq!(counted(&[4, 5, 2, 3]), (0, 4, 0));
    assert_eq!(counted(&[4, 5, 2, 3, 1, 0]), (6, 0, 18));
}

#[test]
fn games_are_duplicates_if_all_contestants_did_the_same_in_the_same_seats() {
    let mut games: Vec<(Planned, Record)> = (0..6).map(|number| game(number, &[1.0, 0.0])).collect();
    games.iter_mut().for_each(|(_, record)| record.moves = vec!["b".to_string()]);
    assert_eq!(standing(&games).duplicates(), 4, "one of each seat is the first");
    games.iter_mut().for_each(|(_, record)| record.moves = vec![record.number.to_string()]);
    assert_eq!(standing(&games).duplicates(), 0);
}

#[test]
fn a_match_can_be_as_long_as_its_numbers_allow() {
    let plan = Conditions { pairings: vec![[0, 1]; 300], ..conditions("tictactoe", ["mcts", "flat"], 1) };
    assert_eq!(plan.games(u64::MAX, 8), boughs_arena::MOST_GAMES);
}
