//! Puzzles with answers from an independent program in another language.

use boughs::puzzle::Puzzle;

#[test]
fn answers_are_those_of_an_independent_program() {
    let cases = include_str!("puzzles/golden.txt").split("\n== ").skip(1);
    let mut count = 0;
    for (title, text) in cases.filter_map(|case| case.split_once('\n')) {
        let (name, answer) = title.split_once(" == ").unwrap();
        let puzzle = Puzzle::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(puzzle.answer(), answer, "{name}");
        assert_eq!(puzzle.explain().answer(), answer, "{name}");
        count += 1;
    }
    assert_eq!(count, 34);
}
