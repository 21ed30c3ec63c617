use super::compilers::{becomes, same_answers};

#[test]
fn a_chain_without_else_becomes_conditions_inside_each_other() {
    becomes(
        "fn f() { if a && b && let Some(c) = d && c { e(); } }",
        "fn f() { if a && b { if let Some(c) = d { if c { e(); } }; } }",
    );
}

#[test]
fn the_else_of_a_chain_stands_once() {
    becomes(
        "fn f() -> u8 { if let Some(a) = b && a { 1 } else { 2 } }",
        "fn f() -> u8 { loop { if let Some(a) = b { if a { break 1; } }; break 2; } }",
    );
}

#[test]
fn a_while_with_a_chain_becomes_a_loop() {
    becomes(
        "fn f() { while let Some(a) = b() && a { c(); } }",
        "fn f() { loop { if let Some(a) = b() { if a { c(); continue; } }; break; } }",
    );
}

#[test]
fn a_break_in_a_chain_with_else_leaves_the_loop_it_means() {
    becomes(
        "fn f() { for a in b { if let Some(c) = a && c { break; } else { continue; } } }",
        "fn f() { 'outer1: for a in b { loop { if let Some(c) = a { if c { break 'outer1; } }; continue 'outer1; } } }",
    );
}

#[test]
fn chains_answer_the_same() {
    let rewritten = same_answers(
        r#"
        fn even(n: u32) -> Option<u32> {
            (n % 2 == 0).then_some(n / 2)
        }
        fn kind(n: u32, text: &str) -> String {
            if n > 2 && let Some(half) = even(n) && half != 5 && let Some(quarter) = even(half) {
                format!("{text} {quarter}")
            } else if let Some(half) = even(n) && half < 3 {
                half.to_string()
            } else {
                return "odd".to_string();
            }
        }
        fn main() {
            for n in 0..24 {
                println!("{}", kind(n, "quarter"));
            }
            let (mut n, mut seen) = (1 << 12, Vec::new());
            while let Some(half) = even(n) && half > 3 {
                n = half;
                if n == 1024 {
                    continue;
                }
                for divisor in [3, 4, 5] {
                    if let Some(other) = even(divisor) && n % other == 0 {
                        seen.push(other);
                        break;
                    } else if divisor > 4 {
                        continue;
                    } else {
                        seen.push(divisor);
                    }
                }
                if n == 16 {
                    break;
                }
            }
            println!("{n} {seen:?}");
            assert!(if let Some(half) = even(n) && half == 8 { true } else { false }, "{}", n);
        }
        "#,
    );
    assert!(!rewritten.contains("&& let"), "{rewritten}");
}

#[test]
fn the_else_of_a_let_becomes_the_other_arm_of_a_match() {
    becomes(
        "fn f() { let Some(a) = b else { return; }; }",
        "fn f() { let a = match b { Some(a) => a, _ => { return; } }; }",
    );
    becomes(
        "fn f() { let A { b, c: mut d } = e else { return; }; }",
        "fn f() { let (b, mut d) = match e { A { b, c: d } => (b, d), _ => { return; } }; }",
    );
    becomes("fn f() { let None = b else { return; }; }", "fn f() { match b { None => {} _ => { return; } }; }");
}

#[test]
fn lets_with_else_answer_the_same() {
    let rewritten = same_answers(
        r#"
        use std::sync::Mutex;
        struct Pair { left: Option<String>, right: u32 }
        fn text() -> Option<String> {
            Some("made".to_string())
        }
        fn of(pair: &mut Pair) -> usize {
            let &mut Pair { left: Some(ref mut left), right: mut right @ 1..9 } = pair else { return 0 };
            right += 1;
            left.push('!');
            let Some(made) = &text() else { return 1 };
            let Some(longer): Option<String> = made.parse().ok() else { unreachable!() };
            let [first, .., last] = made.as_bytes() else { panic!("too short") };
            let (("made", _) | (_, "made")) = (longer.as_str(), "") else { return 2 };
            let None = made.strip_prefix("x") else { return 3 };
            left.len() + right as usize + made.len() + usize::from(*first) + usize::from(*last)
        }
        fn taken(queue: &Mutex<Vec<u32>>) -> u32 {
            let mut sum = 0;
            loop {
                // The lock is free again before the other branch takes it.
                let Some(next) = queue.lock().unwrap().pop() else {
                    queue.lock().unwrap().push(7);
                    break;
                };
                sum += next;
            }
            sum
        }
        fn main() {
            let mut pair = Pair { left: Some("left".to_string()), right: 4 };
            println!("{} {}", of(&mut pair), of(&mut pair));
            pair.right = 9;
            println!("{}", of(&mut pair));
            let queue = Mutex::new(vec![1, 2, 3]);
            println!("{} {:?}", taken(&queue), queue.lock().unwrap());
        }
        "#,
    );
    assert!(rewritten.contains("loop"), "{rewritten}");
}
