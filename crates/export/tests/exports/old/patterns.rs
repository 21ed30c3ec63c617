use super::compilers::{becomes, rewritten, same_answers};

#[test]
fn the_end_of_a_range_becomes_the_last_of_it() {
    becomes("fn f() { match a { 1..5u8 => {} _ => {} } }", "fn f() { match a { 1..=4u8 => {} _ => {} } }");
    becomes("fn f() { match a { 'a'..'d' => {} _ => {} } }", "fn f() { match a { 'a'..='c' => {} _ => {} } }");
}

#[test]
fn ranges_with_names_become_guards() {
    let program = rewritten("fn f() { match a { A..B if c => 1, D | ..E => 2, _ => 3 } }");
    assert!(program.contains("ref range1 if range1.old_is_in_range_pattern(A..B) && (c) => 1"), "{program}");
    assert!(program.contains("range1.old_is_in_range_pattern(D..=D)"), "{program}");
}

#[test]
fn ranges_answer_the_same() {
    same_answers(
        r#"
        const LOW: i32 = -3;
        const HIGH: i32 = 7;
        fn kind(n: &i32, other: Option<char>) -> u32 {
            match (n, other) {
                (-9..-5, _) => 1,
                (near @ LOW..0, Some('a'..'f')) => (10 - *near) as u32,
                (0 | 2..HIGH, None) => 3,
                (&exact, _) if exact == HIGH => 4,
                (..=100, Some('x')) => 5,
                (101.., _) => 6,
                _ => 7,
            }
        }
        fn main() {
            for n in -12..120 {
                print!("{}{}{} ", kind(&n, None), kind(&n, Some('e')), kind(&n, Some('x')));
            }
            let code = 40u32;
            println!("{}", matches!(code, 0..40) || matches!(code, 30..50 if code > 41) || matches!(code, ..8));
            println!("{}", match code { 0..40 => 1, HALF..MOST | 90 => 2, 99.. => 3, _ => 4 });
        }
        const HALF: u32 = 40;
        const MOST: u32 = 80;
        "#,
    );
}

#[test]
fn floating_point_literals_answer_the_same() {
    let program = same_answers(
        r#"
        fn units(bounds: &Option<(f64, f64)>, other: f64) -> f64 {
            match bounds {
                None | Some((0.0, 1.0)) if other < 3.0 => other,
                Some((2.5, high)) | Some((high, 2.5)) => *high,
                _ => match other { 4.0 => 1.0, _ => 2.0 },
            }
        }
        fn main() {
            for bounds in [None, Some((0.0, 1.0)), Some((0.0, 2.5)), Some((2.5, 7.0)), Some((1.0, 1.0))] {
                print!("{} {} {} ", units(&bounds, 0.5), units(&bounds, 3.0), units(&bounds, 4.0));
            }
        }
        "#,
    );
    assert!(
        program.contains("Some((float0, float1)) if float0.eq(&0.0) && float1.eq(&1.0) && (other < 3.0)"),
        "{program}"
    );
}
