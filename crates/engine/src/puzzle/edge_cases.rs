//! The edge cases of the rules, one test each.

use super::*;

fn puzzle(constant: f64, playouts: &[(&str, f64)]) -> Puzzle {
    let playout = |&(word, score): &(&str, f64)| Playout { word: word.to_owned(), score };
    Puzzle { constant, playouts: playouts.iter().map(playout).collect() }
}

fn answer(constant: f64, playouts: &[(&str, f64)]) -> String {
    puzzle(constant, playouts).answer()
}

#[test]
fn the_published_example() {
    let puzzle = Puzzle::parse("3 0.1\nbaa 30\nab 20\nbbb 4").unwrap();
    let tree = Tree::build(&puzzle.playouts);
    let nodes = [("", Some((3, 54.0))), ("a", Some((1, 20.0))), ("b", Some((2, 34.0))), ("bb", Some((1, 4.0)))];
    for (letters, statistics) in nodes.into_iter().chain([("ba", None), ("ab", None), ("bbb", None), ("é", None)]) {
        assert_eq!(tree.statistics(letters), statistics, "{letters}");
    }
    assert_eq!(puzzle.answer(), "a");
}

#[test]
fn with_one_playout_the_logarithm_is_zero_and_the_value_is_the_mean() {
    for constant in [0.0, 1.0, 1e308, -1e308] {
        let explanation = puzzle(constant, &[("ab", -3.0)]).explain();
        assert_eq!(explanation.answer(), "a");
        assert_eq!(explanation.steps[0].candidates[0].value, -3.0);
    }
}

#[test]
fn a_word_that_ends_inside_the_tree_counts_on_its_path_and_adds_no_node() {
    let puzzle = puzzle(0.0, &[("ab", 1.0), ("ab", 2.0), ("a", 4.0), ("a", 8.0)]);
    let tree = Tree::build(&puzzle.playouts);
    let statistics = ["", "a", "ab", "aba"].map(|letters| tree.statistics(letters));
    assert_eq!(statistics, [Some((4, 15.0)), Some((4, 15.0)), Some((1, 2.0)), None]);
    assert_eq!(puzzle.answer(), "ab");
}

#[test]
fn a_parents_own_visits_count_not_those_of_its_children() {
    // "a" has 6 visits and its children 3 and 1. ln 6 favours "ay", ln 4 would favour "ax".
    let playouts = [("ax", 0.0), ("ax", 1.0), ("ax", 1.0), ("ax", 1.0), ("ay", 0.0), ("a", 0.0)];
    assert_eq!(Tree::build(&puzzle(0.0, &playouts).playouts).statistics("a"), Some((6, 3.0)));
    assert_eq!(answer(1.8, &playouts), "ay");
    assert_eq!(answer(1.7, &playouts), "ax");
}

#[test]
fn duplicate_playouts_add_a_node_each_until_the_word_is_used_up() {
    let playouts = [("ab", 1.0); 5];
    assert_eq!(answer(1.0, &playouts), "ab");
    assert_eq!(Tree::build(&puzzle(1.0, &playouts).playouts).statistics("ab"), Some((4, 4.0)));
    assert_eq!(answer(1.0, &playouts[..1]), "a");
}

#[test]
fn an_only_child_is_taken_whatever_its_value() {
    assert_eq!(answer(1.0, &[("b", -100.0)]), "b");
    assert_eq!(answer(0.0, &[("zzz", -100.0); 3]), "zzz");
    assert_eq!(answer(1e308, &[("zzz", -100.0); 40]), "zzz");
    assert_eq!(answer(-1e308, &[("zzz", -100.0); 40]), "zzz");
}

#[test]
fn negative_scores_are_compared_as_they_are() {
    assert_eq!(answer(0.0, &[("a", -7.0), ("b", -5.0), ("c", -6.0)]), "b");
}

#[test]
fn without_exploration_the_greatest_mean_wins() {
    assert_eq!(answer(0.0, &[("a", 9.0), ("b", 10.0), ("a", 10.0)]), "b");
    assert_eq!(answer(0.0, &[("c", 9.0), ("b", 10.0), ("a", 10.0), ("a", 10.0)]), "a");
    assert_eq!(answer(-0.0, &[("b", 0.0), ("a", -0.0)]), "a");
}

#[test]
fn a_negative_constant_is_used_as_it_is() {
    let read = Puzzle::parse("3 -10\na 5\nb 5\nb 5\n").unwrap();
    assert_eq!(read, puzzle(-10.0, &[("a", 5.0), ("b", 5.0), ("b", 5.0)]));
    assert_eq!(read.answer(), "b");
}

#[test]
fn a_huge_constant_leaves_of_the_mean_what_a_64_bit_sum_has_room_for() {
    let close = [("a", 0.1), ("b", 0.2)];
    let apart = [("a", -30.0), ("b", 30.0)];
    for (constant, close_answer, apart_answer) in
        [(1e6, "b", "b"), (1e9, "b", "b"), (1e16, "a", "b"), (1e18, "a", "a"), (1e308, "a", "a")]
    {
        assert_eq!(answer(constant, &close), close_answer, "C = {constant:e}");
        assert_eq!(answer(constant, &apart), apart_answer, "C = {constant:e}");
    }
    let less_visited = [("a", 100.0), ("a", 100.0), ("b", -100.0)];
    assert_eq!([1.0, 1e6, 1e17].map(|constant| answer(constant, &less_visited)), ["a", "b", "b"]);
}

#[test]
fn infinite_values_tie() {
    let playouts = [&[("a", 1.0); 30][..], &[("c", 2.0), ("b", -2.0)]].concat();
    let step = &puzzle(1e308, &playouts).explain().steps[0];
    assert_eq!(step.chosen, 'b');
    assert_eq!(step.candidates[1].value, f64::INFINITY);
    assert_eq!(step.decision, Decision::SmallestLetter { tied: vec!['c'] });
    assert_eq!(puzzle(-1e308, &playouts[29..]).explain().steps[0].chosen, 'a');
}

#[test]
fn numbers_that_no_text_can_hold_still_give_an_answer() {
    assert_eq!(answer(f64::NAN, &[("b", 1.0), ("a", 2.0)]), "a");
    assert_eq!(answer(f64::INFINITY, &[("b", 1.0)]), "b");
    assert_eq!(answer(1.0, &[("a", f64::NAN), ("b", -5.0), ("c", f64::NAN)]), "b");
    assert_eq!(answer(1.0, &[]), "");
    assert_eq!(answer(1.0, &[("", 1.0)]), "");
}

#[test]
fn equal_values_go_to_the_smaller_letter_whatever_the_order_of_input() {
    for letters in [["c", "b", "a"], ["a", "b", "c"], ["b", "a", "c"]] {
        assert_eq!(answer(0.7, &letters.map(|letter| (letter, 4.0))), "a");
    }
}

#[test]
fn scores_are_added_in_the_order_of_input() {
    // 0.3 + 0.2 + 0.1 is 0.6 and 0.1 + 0.2 + 0.3 the next number above; running means give the same for both.
    let up = [("b", 0.1), ("b", 0.2), ("b", 0.3)];
    let down = [("a", 0.3), ("a", 0.2), ("a", 0.1)];
    assert_eq!(answer(0.0, &[up, down].concat()), "b");
    assert_eq!(answer(0.0, &[down.map(|(_, score)| ("b", score)), up.map(|(_, score)| ("a", score))].concat()), "a");
}

#[test]
fn upper_case_sorts_before_lower_case_and_letters_need_not_be_neighbours() {
    assert_eq!(answer(1.0, &[("a", 1.0), ("Z", 1.0), ("q", 1.0)]), "Z");
    assert_eq!(answer(1.0, &[("a", 1.0), ("A", 0.0), ("z", 2.0)]), "z");
}

#[test]
fn a_move_never_tried_in_an_inner_node_is_ignored() {
    let playouts = [("ax", 1.0), ("ax", 1.0), ("b", 0.0), ("by", 0.0), ("bx", 0.0)];
    assert_eq!(answer(0.0, &playouts), "ax");
}
