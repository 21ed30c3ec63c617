use super::compilers::{becomes, same_answers};

#[test]
fn the_guard_of_a_lock_is_dropped_before_the_else() {
    becomes(
        "fn f() -> u8 { if let Some(a) = b.lock().c() { a } else { 2 } }",
        "fn f() -> u8 { loop { if let Some(a) = b.lock().c() { break a; } break 2; } }",
    );
}

#[test]
fn the_last_value_of_a_block_is_made_before_its_variables_go() {
    becomes(
        "fn f() -> u8 { let a = b(); a.borrow().c }",
        "fn f() -> u8 { let a = b(); let last = a.borrow().c; last }",
    );
}

#[test]
fn drops_answer_the_same() {
    same_answers(
        r#"
        use std::cell::RefCell;
        use std::sync::Mutex;
        fn popped(queue: &Mutex<Vec<u32>>) -> u32 {
            let mut rounds = 0;
            loop {
                rounds += 1;
                if let Some(one) = queue.lock().unwrap().pop() {
                    if one == 3 {
                        continue;
                    }
                    break one * rounds;
                } else {
                    queue.lock().unwrap().push(5);
                }
            }
        }
        fn count() -> usize {
            let list = RefCell::new(vec![1, 2, 3]);
            list.borrow_mut().push(4);
            list.borrow().len()
        }
        fn main() {
            println!("{} {}", popped(&Mutex::new(vec![])), popped(&Mutex::new(vec![2, 3])));
            println!("{}", count());
        }
        "#,
    );
}

#[test]
fn values_of_the_programs_own_types_are_dropped_at_the_same_time() {
    same_answers(
        r#"
        struct L(&'static str);
        impl Drop for L { fn drop(&mut self) { println!("drop {}", self.0); } }
        impl L {
            fn new(name: &'static str) -> Self { L(name) }
            fn o(&self) -> Option<usize> { self.0.strip_prefix('s').map(str::len) }
            fn n(&self) -> usize { self.0.len() }
            fn next(&self) -> L { L("next") }
        }
        fn made(name: &'static str) -> L { let _first = L("first"); L::new(name) }
        fn tail() -> usize { let _a = L("local"); L("tail").n() }
        fn other(name: &'static str) -> usize {
            if let Some(x) = L::new(name).o() { println!("some"); x } else { println!("else"); 0 }
        }
        fn leaves(name: &'static str) -> usize {
            let Some(x) = made(name).next().o() else { println!("let else"); return 7 };
            x
        }
        fn chain(name: &'static str) {
            if name.len() > 1 && let Some(x) = made(name).o() && x > 0 { println!("{x}"); } else { println!("none"); }
        }
        fn main() {
            println!("{} {} {}", tail(), other("abc"), other("sabc"));
            println!("{}", leaves("sabc"));
            chain("abc");
            chain("sabc");
            println!("{}", made("x").n());
        }
        "#,
    );
}
