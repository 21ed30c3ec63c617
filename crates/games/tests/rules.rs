//! What every game of the list must get right, checked by iterating the list.

use boughs::conformance::{Checked, Effort, check};
use boughs::notation::{find_move, legal_moves, play_moves, write_moves};
use boughs::{Action, Rng, Turn, perft};
use boughs_games::{Listed, Visitor, entries, visit};
use proptest::prelude::*;

/// Sizes and numbers of players other than the default.
const OTHER_SPECS: [&str; 24] = [
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
    "photosynthesis:seed=497",
    "photosynthesis:seed=any",
    "green-circle:seed=any",
];

/// Every game, and some of them with other options.
fn specs() -> impl Iterator<Item = &'static str> {
    entries().iter().map(|entry| entry.name).chain(OTHER_SPECS)
}

struct Conformance(Effort);

impl Visitor for Conformance {
    type Output = Checked;
    fn visit<G: Listed>(self, start: G) -> Checked {
        check(&start, self.0).unwrap_or_else(|fault| panic!("{}: {fault}", G::NAME))
    }
}

#[test]
fn every_game_keeps_the_promises_of_the_trait() {
    for spec in specs() {
        // A game on a large board has hundreds of moves, and others hundreds of positions.
        let games = match spec {
            "hex" | "go" => 6,
            "hex:size=19" => 1,
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
        let effort = Effort { games, uniformity: games.min(60), seed: 1 };
        let checked = visit(spec, Conformance(effort)).expect(spec);
        assert!(checked.games == games && checked.uniformity > 0, "{spec}: {checked:?}");
    }
}

struct Perft(u32);

impl Visitor for Perft {
    type Output = u64;
    fn visit<G: Listed>(self, start: G) -> u64 {
        perft(&start, self.0)
    }
}

#[test]
fn every_game_has_the_known_numbers_of_move_sequences() {
    let mut tested = Vec::new();
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let (spec, counts) = line.split_once(": ").expect(line);
        let mut length = 1;
        for word in counts.split(' ') {
            if let Some(first) = word.strip_prefix('@') {
                length = first.parse().expect(line);
                continue;
            }
            assert_eq!(visit(spec, Perft(length)).expect(line).to_string(), word, "{spec} at length {length}");
            length += 1;
        }
        tested.push(spec);
    }
    assert!(entries().iter().all(|entry| tested.contains(&entry.name)), "every game needs a line in perft.txt");
}

struct BenchPositions;

impl Visitor for BenchPositions {
    type Output = ();
    fn visit<G: Listed>(self, start: G) {
        assert_eq!(
            G::BENCH[0].is_empty(),
            start.turn() != Turn::Chance,
            "{}: the first position is the first in which a player acts",
            G::NAME
        );
        let mut lengths = Vec::new();
        for moves in G::BENCH {
            let mut position = start.clone();
            let played = play_moves(&mut position, moves).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
            assert!(matches!(position.turn(), Turn::Player(_)), "{}: nobody is to move after {moves}", G::NAME);
            lengths.push(played.len());
        }
        // Of the shortest games no later position is left than the one before the last action.
        let last = G::MAX_PLIES as usize - 1;
        let is_later = |earlier: &usize, later: &usize| earlier < later || (*earlier, *later) == (last, last);
        assert!(lengths.is_sorted_by(is_later), "{}: {lengths:?} are not ever later positions", G::NAME);
    }
}

#[test]
fn positions_to_measure_are_ever_later_and_not_over() {
    for entry in entries() {
        visit(entry.name, BenchPositions).expect(entry.name);
    }
}

/// Plays a random game of at most `plies` and returns its moves as text after checking that text and codes read back.
struct RoundTrip {
    seed: u64,
    plies: usize,
}

impl Visitor for RoundTrip {
    type Output = Result<(), TestCaseError>;
    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let (mut position, mut rng, mut played) = (start.clone(), Rng::new(self.seed, 0), Vec::new());
        while played.len() < self.plies && position.turn() != Turn::Over {
            let action = match position.turn() {
                Turn::Chance => position.chance(&mut rng, &mut Vec::new()),
                _ => position.random_action(&mut rng, &mut Vec::new()),
            };
            let Some(action) = action else { break };
            let text = position.action_text(action);
            prop_assert_eq!(G::Action::from_code(action.code()), action);
            prop_assert_eq!(find_move(&position, &text), Some(action));
            prop_assert_eq!(find_move(&position, &text.to_uppercase()), Some(action));
            position.apply(action);
            played.push(action);
        }
        let text = write_moves(&start, &played);
        // A word of what chance does not list ends with a space.
        let is_listed = start.turn() != Turn::Chance || !legal_moves(&start).is_empty();
        let glued = if is_listed { text.replace(' ', "") } else { text.clone() };
        let (mut apart, mut together) = (start.clone(), start);
        prop_assert_eq!(&play_moves(&mut apart, &text), &Ok(played.clone()));
        prop_assert_eq!(play_moves(&mut together, &glued), Ok(played));
        prop_assert_eq!(apart.board(), position.board());
        prop_assert_eq!(together.board(), position.board());
        prop_assert!(!position.board().is_empty());
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn moves_read_back_from_their_text_and_their_code(seed: u64, plies in 0..60usize, game: prop::sample::Index) {
        let spec = specs().nth(game.index(specs().count())).expect("a game");
        visit(spec, RoundTrip { seed, plies }).expect(spec)?;
    }

    #[test]
    fn no_spec_makes_the_list_panic(spec in "[a-z0-9:=, ]{0,20}", size: i64) {
        let _ = visit(&spec, Perft(0));
        let fits = (3..=19).contains(&size);
        prop_assert_eq!(visit(&format!("hex:size={size}"), Perft(0)).is_ok(), fits);
    }
}
