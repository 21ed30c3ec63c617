//! Random cases: a second solver that has no tree, texts of any kind, and puzzles written and read again.

use proptest::prelude::*;

use super::*;
use crate::Rng;
use crate::logarithm::ln;

/// The scores that count at the node of these letters: those of the words with this beginning, from the word on that
/// created the node. The first such word after the creation of the parent creates it.
fn scores_at(playouts: &[Playout], letters: &str) -> Vec<f64> {
    let mut rest = playouts;
    for length in 1..=letters.len() {
        let Some(creator) = rest.iter().position(|playout| playout.word.starts_with(&letters[..length])) else {
            return Vec::new();
        };
        rest = &rest[creator + usize::from(length < letters.len())..];
    }
    rest.iter().filter(|playout| playout.word.starts_with(letters)).map(|playout| playout.score).collect()
}

/// The answer, found by scanning the list of playouts for every node.
fn answer_without_a_tree(puzzle: &Puzzle) -> String {
    let mut path = String::new();
    loop {
        let ln_visits = ln(scores_at(&puzzle.playouts, &path).len() as f64);
        let mut children = Vec::new();
        for letter in ('A'..='Z').chain('a'..='z') {
            let scores = scores_at(&puzzle.playouts, &format!("{path}{letter}"));
            if !scores.is_empty() {
                let visits = scores.len() as f64;
                let value = scores.iter().sum::<f64>() / visits + puzzle.constant * (ln_visits / visits).sqrt();
                children.push((letter, value));
            }
        }
        // Stable, so of equal values the smallest letter stays in front.
        children.sort_by(|(_, one), (_, other)| other.partial_cmp(one).unwrap());
        match children.first() {
            Some(&(letter, _)) => path.push(letter),
            None => return path,
        }
    }
}

/// A random puzzle: few or many letters, short or long words, scores that tie often, seldom or up to rounding.
fn random_puzzle(rng: &mut Rng) -> Puzzle {
    const LETTERS: [char; 14] = ['Q', 'b', 'A', 'z', 'c', 'a', 'm', 'B', 'd', 'Z', 'e', 'q', 'f', 'M'];
    const CONSTANTS: [f64; 14] =
        [0.0, 0.1, 0.5, 1.0, std::f64::consts::SQRT_2, 10.0, 1e3, 1e6, 1e9, 1e15, 1e17, 1e308, -1.0, -1e308];
    let kind = rng.below(5);
    let letters = 1 + rng.below(9);
    let longest = 1 + rng.below(12);
    let from = rng.below(5) as usize;
    let playouts = 1 + [5, 30, 60, 200][rng.below(4) as usize] * rng.below(1000) / 1000;
    let playout = |rng: &mut Rng| {
        let letter = |rng: &mut Rng| LETTERS[from + rng.below(letters) as usize];
        let word = (0..1 + rng.below(longest)).map(|_| letter(rng)).collect();
        let score = match kind {
            0 => 1.0,
            1 => f64::from(rng.below(5)) - 2.0,
            2 => (f64::from(rng.below(7)) - 3.0) / 10.0,
            3 => f64::from(rng.below(201)) - 100.0,
            _ => 200.0 * rng.unit() - 100.0,
        };
        Playout { word, score }
    };
    let constant = rng.pick(&CONSTANTS).unwrap();
    Puzzle { constant, playouts: (0..playouts).map(|_| playout(rng)).collect() }
}

#[test]
fn the_tree_agrees_with_scanning_the_list_of_playouts() {
    let mut rng = Rng::new(7, 0);
    let (mut ties, mut longest) = (0, 0);
    for case in 0..5_000 {
        let puzzle = random_puzzle(&mut rng);
        let explanation = puzzle.explain();
        assert_eq!(puzzle.answer(), answer_without_a_tree(&puzzle), "case {case}:\n{puzzle}");
        assert_eq!(explanation.answer(), puzzle.answer(), "case {case}:\n{puzzle}");
        for (step, letter) in explanation.steps.iter().zip(explanation.answer().chars()) {
            assert_eq!(step.visits, scores_at(&puzzle.playouts, &step.path).len() as u64);
            assert_eq!(step.chosen, letter);
            ties += u32::from(matches!(step.decision, Decision::SmallestLetter { .. }));
        }
        longest = longest.max(explanation.steps.len());
        assert_eq!(Puzzle::parse(&puzzle.to_string()), Ok(puzzle), "case {case}");
    }
    assert!(ties > 500 && longest > 8, "{ties} ties, longest answer {longest}: the cases have become too easy");
}

fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    let score = prop_oneof![-100.09..100.09, (-100..=100).prop_map(f64::from), Just(-0.0), Just(f64::MIN_POSITIVE)];
    let playout = ("[a-zA-Z]{1,49}", score).prop_map(|(word, score)| Playout { word, score });
    let constant = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    (constant, prop::collection::vec(playout, 1..60)).prop_map(|(constant, playouts)| Puzzle { constant, playouts })
}

proptest! {
    #[test]
    fn a_written_puzzle_parses_back(puzzle in any_puzzle()) {
        let read = Puzzle::parse(&puzzle.to_string()).unwrap();
        // Compared as text, because -0.0 equals 0.0.
        prop_assert_eq!(format!("{read:?}"), format!("{puzzle:?}"));
    }

    #[test]
    fn any_text_is_parsed_or_refused_in_one_line(text in any::<String>()) {
        if let Err(error) = Puzzle::parse(&text) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn text_of_likely_pieces_is_solved_or_refused_at_a_place_that_exists(
        pieces in prop::collection::vec(prop::sample::select(
            vec![
                "1", "2", " ", "\n", "\r\n", "a", "bc", "é", "-", ".", "5", "1e9", "nan", "\t", "\u{a0}",
                "2 1\na 1\n",
            ]
        ), 0..24)
    ) {
        let text = pieces.concat();
        match Puzzle::parse(&text) {
            Ok(puzzle) => prop_assert!(!puzzle.answer().is_empty() && !puzzle.explain().to_string().is_empty()),
            Err(error) => {
                prop_assert!(error.line <= text.lines().count() + 1);
                let line: Vec<char> = text.lines().nth(error.line - 1).unwrap_or("").chars().collect();
                let from: String = line[error.column - 1..].iter().collect();
                // The column of a wrong letter is inside its word.
                let inside = error.expected == Expected::Word && !from.starts_with(|c: char| c.is_ascii_alphabetic());
                prop_assert!(inside || from.starts_with(&error.word), "{:?} is not at its place in {:?}", error, text);
            }
        }
    }
}
