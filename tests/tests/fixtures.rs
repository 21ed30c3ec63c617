//! The known answers fit the rules: whatever can be told without a solver is checked here.

use std::collections::BTreeSet;

use boughs::notation::{legal_moves, play_moves};
use boughs::{Game, Turn};
use boughs_games::{Listed, Visitor, visit};
use boughs_tests::{Tactic, Value, Valued, connect4_values, tactics};

/// A position, drawn, and what its moves are worth where that shows within one ply.
struct Seen {
    board: String,
    plies: usize,
    legal: Vec<(String, Option<Value>)>,
}

/// Looks at the position after some moves.
struct Look<'a>(&'a str);

impl Visitor for Look<'_> {
    type Output = Seen;
    fn visit<G: Listed>(self, mut position: G) -> Seen {
        let played = play_moves(&mut position, self.0).unwrap_or_else(|error| panic!("{}: {error}", self.0));
        let Turn::Player(player) = position.turn() else { panic!("{}: the game is over", self.0) };
        let legal = legal_moves(&position).into_iter().map(|(action, text)| {
            let after = after(&position, action);
            (text, value_at_once(&after, player))
        });
        Seen { board: position.board() + &player.to_string(), plies: played.len(), legal: legal.collect() }
    }
}

fn after<G: Game>(position: &G, action: G::Action) -> G {
    let mut after = position.clone();
    after.apply(action);
    after
}

/// What a position is worth to `player` if the game is over there, or the other player can win at once.
fn value_at_once<G: Game>(position: &G, player: usize) -> Option<Value> {
    let ended = |position: &G| match position.turn() {
        Turn::Over if position.reward(player) == 1.0 => Some(Value::Win),
        Turn::Over if position.reward(player) == 0.0 => Some(Value::Loss),
        Turn::Over => Some(Value::Draw),
        Turn::Player(_) | Turn::Chance => None,
    };
    ended(position).or_else(|| {
        let replies = legal_moves(position);
        let loses = replies.into_iter().any(|(reply, _)| ended(&after(position, reply)) == Some(Value::Loss));
        loses.then_some(Value::Loss)
    })
}

#[test]
fn connect4_positions_are_distinct_and_have_a_value_for_every_legal_move() {
    let positions = connect4_values();
    assert_eq!(positions.len(), 1_000);
    let mut boards = BTreeSet::new();
    for Valued { moves, values } in positions {
        let seen = visit("connect4", Look(moves)).expect("a game");
        assert!((8..=34).contains(&seen.plies), "{moves}");
        assert!(seen.legal.iter().map(|(text, _)| text).eq(values.iter().map(|(text, _)| text)), "{moves}");
        assert!(values.iter().any(|value| value.1 != values[0].1), "{moves}");
        for ((text, at_once), (_, value)) in seen.legal.iter().zip(&values) {
            assert!(at_once.is_none_or(|at_once| at_once == *value), "{moves} {text}: {value:?}, {at_once:?}");
        }
        assert!(boards.insert(seen.board), "{moves}");
    }
}

#[test]
fn best_moves_are_at_most_half_of_the_legal_ones_and_none_of_them_loses_at_once() {
    let mut boards = BTreeSet::new();
    for Tactic { spec, moves, best, plies } in tactics() {
        let seen = visit(spec, Look(moves)).expect("a game");
        assert!(!best.is_empty() && 2 * best.len() <= seen.legal.len(), "{spec} {moves}");
        let at_once = |text: &str| {
            let legal = seen.legal.iter().find(|legal| legal.0 == text);
            legal.unwrap_or_else(|| panic!("{spec} {moves}: {text} is not legal")).1
        };
        assert!(best.iter().all(|text| at_once(text) != Some(Value::Loss)), "{spec} {moves}");
        let winning: Vec<&str> =
            seen.legal.iter().filter(|legal| legal.1 == Some(Value::Win)).map(|legal| legal.0.as_str()).collect();
        assert!(winning.iter().all(|text| best.contains(text)), "{spec} {moves}");
        assert!(plies == 1 || winning.is_empty(), "{spec} {moves}: {winning:?} win in 1, not {plies}");
        assert!(boards.insert(format!("{spec}\n{}", seen.board)), "{spec} {moves}");
    }
}

#[test]
fn five_games_have_twenty_tactics_and_half_of_them_need_three_plies_or_more() {
    let tactics = tactics();
    let specs: BTreeSet<&str> = tactics.iter().map(|tactic| tactic.spec).collect();
    assert_eq!(specs.len(), 5);
    for spec in specs {
        let plies = || tactics.iter().filter(|tactic| tactic.spec == spec).map(|tactic| tactic.plies);
        let deep = plies().filter(|&plies| plies >= 3).count();
        assert!(plies().count() >= 20 && 2 * deep >= plies().count(), "{spec}: {deep} of {}", plies().count());
    }
}
