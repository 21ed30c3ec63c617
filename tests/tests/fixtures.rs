//! The known answers agree with the rules, as far as one ply of search can tell.

use std::collections::BTreeSet;

use boughs::{Session, Turn};
use boughs_tests::{Tactic, Value, Valued, connect4_values, position, tactics};

/// A position, drawn, and the values of its moves where one ply shows them.
struct Seen {
    board: String,
    plies: usize,
    legal: Vec<(String, Option<Value>)>,
}

/// Looks at the position of a game after some moves.
fn look(game: &str, moves: &str) -> Seen {
    let position = position(game, moves);
    let played = boughs_games::start(game).expect(game).position.play_moves(moves).expect(moves);
    let Turn::Player(player) = position.turn() else { panic!("{moves}: the game is over") };
    let legal = position.legal_moves().into_iter().map(|(action, text)| {
        let after = after(&*position, action);
        (text, value_at_once(&*after, player))
    });
    Seen { board: position.board() + &player.to_string(), plies: played.len(), legal: legal.collect() }
}

fn after(position: &dyn Session, action: u32) -> Box<dyn Session> {
    let mut after = position.clone_session();
    after.apply(action);
    after
}

/// The value of a position for `player` if the game is over there, or the other player can win at once.
fn value_at_once(position: &dyn Session, player: usize) -> Option<Value> {
    let ended = |position: &dyn Session| match position.turn() {
        Turn::Over if position.reward(player) == 1.0 => Some(Value::Win),
        Turn::Over if position.reward(player) == 0.0 => Some(Value::Loss),
        Turn::Over => Some(Value::Draw),
        Turn::Player(_) | Turn::Chance => None,
    };
    ended(position).or_else(|| {
        let replies = position.legal_moves();
        let loses = replies.into_iter().any(|(reply, _)| ended(&*after(position, reply)) == Some(Value::Loss));
        loses.then_some(Value::Loss)
    })
}

#[test]
fn connect4_positions_are_distinct_and_have_a_value_for_every_legal_move() {
    let positions = connect4_values();
    assert_eq!(positions.len(), 1_000);
    let mut boards = BTreeSet::new();
    for Valued { moves, values } in positions {
        let seen = look("connect4", moves);
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
        let seen = look(spec, moves);
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
