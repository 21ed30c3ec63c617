//! Promises of every game, checked by iterating the list.

use boughs::conformance::{Effort, check};
use boughs::{Rng, Session, Turn};
use boughs_games::{entries, start};
use proptest::prelude::*;

/// Specs with other sizes and numbers of players than the defaults.
const OTHER_SPECS: [&str; 26] = [
    "hex:size=3",
    "hex:size=4",
    "hex:size=7",
    "hex:size=19",
    "pig:goal=1",
    "pig:goal=1000",
    "nim:players=2",
    "nim:heaps=30-1-30-1-30-30-30-30",
    "yavalath:size=3",
    "yavalath:players=3",
    "yavalath:size=6,players=3",
    "matrix:game=pennies",
    "matrix:game=biased",
    "matrix:game=dominated",
    "matrix:game=random",
    "goofspiel:cards=2,order=descending",
    "goofspiel:cards=4",
    "whist:hand=3,trump=d",
    "whist:hand=6,trump=h",
    "go:size=2",
    "go:size=5",
    "go:size=10",
    "go:size=19",
    "photosynthesis:seed=497",
    "photosynthesis:seed=any",
    "green-circle:seed=any",
];

/// The specs of every game, and of some games with other options.
fn specs() -> impl Iterator<Item = &'static str> {
    entries().iter().map(|entry| entry.name).chain(OTHER_SPECS)
}

#[test]
fn every_game_keeps_the_promises_of_the_trait() {
    check_every_game(3);
}

/// `cargo test -p boughs-games --test rules -- --ignored in_many_games`
#[test]
#[ignore = "takes half a minute"]
fn every_game_keeps_the_promises_of_the_trait_in_many_games() {
    check_every_game(1);
}

/// Checks each game in this part of the games.
fn check_every_game(part: u32) {
    for spec in specs() {
        // A game on a large board has hundreds of moves, and some games have hundreds of positions.
        let games: u32 = match spec {
            "hex" | "go" | "go:size=10" => 6,
            "hex:size=19" | "go:size=19" => 1,
            "photosynthesis" | "photosynthesis:seed=497" | "photosynthesis:seed=any" => 20,
            "pig:goal=1000"
            | "2048"
            | "ahc015"
            | "green-circle"
            | "green-circle:seed=any"
            | "nim:heaps=30-1-30-1-30-30-30-30"
            | "yavalath:size=6,players=3" => 20,
            _ => 300,
        };
        let games = games.div_ceil(part);
        let effort = Effort { games, uniformity: games.min(60), seed: 1 };
        let position = start(spec).expect(spec).position;
        let checked = check(&*position, effort).unwrap_or_else(|fault| panic!("{spec}: {fault}"));
        assert!(checked.games == games && checked.uniformity > 0, "{spec}: {checked:?}");
    }
}

#[test]
fn every_game_has_the_known_numbers_of_move_sequences() {
    let mut tested = Vec::new();
    for line in include_str!("../perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let (spec, counts) = line.split_once(": ").expect(line);
        let position = start(spec).expect(line).position;
        let mut length = 1;
        for word in counts.split(' ') {
            if let Some(first) = word.strip_prefix('@') {
                length = first.parse().expect(line);
                continue;
            }
            assert_eq!(position.perft(length).to_string(), word, "{spec} at length {length}");
            length += 1;
        }
        tested.push(spec);
    }
    assert!(entries().iter().all(|entry| tested.contains(&entry.name)), "every game needs a line in perft.txt");
}

#[test]
fn positions_to_measure_are_ever_later_and_not_over() {
    for entry in entries() {
        let (name, start) = (entry.name, start(entry.name).expect(entry.name).position);
        assert_eq!(
            entry.bench[0].is_empty(),
            start.turn() != Turn::Chance,
            "{name}: the first position is the first in which a player acts"
        );
        let mut lengths = Vec::new();
        for moves in entry.bench {
            let mut position = start.clone();
            let played = position.play_moves(moves).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(matches!(position.turn(), Turn::Player(_)), "{name}: no player is to move after {moves}");
            lengths.push(played.len());
        }
        // The last position of the shortest games is the one before the last action.
        let last = start.facts().max_plies as usize - 1;
        let is_later = |earlier: &usize, later: &usize| earlier < later || (*earlier, *later) == (last, last);
        assert!(lengths.is_sorted_by(is_later), "{name}: {lengths:?} are not ever later positions");
    }
}

/// Plays a random game of at most `plies` and checks that its moves read back from their texts.
fn check_round_trip(start: &dyn Session, seed: u64, plies: usize) -> Result<(), TestCaseError> {
    let (mut position, mut rng, mut played) = (start.clone_session(), Rng::new(seed, 0), Vec::new());
    while played.len() < plies && position.turn() != Turn::Over {
        let action = match position.turn() {
            Turn::Chance => position.chance(&mut rng),
            _ => position.random_action(&mut rng),
        };
        let Some(action) = action else { break };
        let text = position.action_text(action);
        prop_assert_eq!(position.find_move(&text), Some(action));
        prop_assert_eq!(position.find_move(&text.to_uppercase()), Some(action));
        position.apply(action);
        played.push(action);
    }
    let text = start.write_moves(&played);
    // A word for an outcome that chance does not list ends with a space.
    let is_listed = start.turn() != Turn::Chance || !start.legal_moves().is_empty();
    let glued = if is_listed { text.replace(' ', "") } else { text.clone() };
    let (mut apart, mut together) = (start.clone_session(), start.clone_session());
    prop_assert_eq!(&apart.play_moves(&text), &Ok(played.clone()));
    prop_assert_eq!(together.play_moves(&glued), Ok(played));
    prop_assert_eq!(apart.board(), position.board());
    prop_assert_eq!(together.board(), position.board());
    prop_assert!(!position.board().is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn moves_read_back_from_their_text_and_their_code(seed: u64, plies in 0..60usize, game: prop::sample::Index) {
        let spec = specs().nth(game.index(specs().count())).expect("a game");
        check_round_trip(&*start(spec).expect(spec).position, seed, plies)?;
    }

    #[test]
    fn no_spec_makes_the_list_panic(spec in "[a-z0-9:=, ]{0,20}", size: i64) {
        let _ = start(&spec);
        let fits = (3..=19).contains(&size);
        prop_assert_eq!(start(&format!("hex:size={size}")).is_ok(), fits);
    }
}
