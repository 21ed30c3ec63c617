use super::compilers::{becomes, same_answers};

#[test]
fn a_labelled_block_becomes_a_loop() {
    becomes(
        "fn f() -> u8 { 'a: { if b { break 'a 1; } 2 } }",
        "fn f() -> u8 { 'a: loop { if b { break 'a 1; } break 2; } }",
    );
}

#[test]
fn a_const_block_becomes_its_value() {
    becomes("fn f() { if const { A + 1 == 2 } {} }", "fn f() { if A + 1 == 2 {} }");
    becomes(
        "fn f() { [const { A::new() }; N * 2] }",
        "fn f() { std::array::from_fn::<_, { N * 2 }, _>(|_| A::new()) }",
    );
}

#[test]
fn attributes_and_strings_of_later_compilers_go() {
    becomes("#[expect(dead_code)] fn f() {}", "fn f() {}");
    becomes("#[allow(dead_code, reason = \"why\")] fn f() {}", "#[allow(dead_code)] fn f() {}");
    becomes("#[unsafe(no_mangle)] fn f() {}", "#[no_mangle] fn f() {}");
    becomes("unsafe extern \"C\" { fn f(); }", "extern \"C\" { fn f(); }");
}

#[test]
fn blocks_answer_the_same() {
    let rewritten = same_answers(
        r#"
        use std::cell::Cell;
        use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
        const SIZE: usize = 3;
        thread_local! {
            static COUNT: Cell<u32> = const { Cell::new(7) };
        }
        fn first(rows: &[Vec<u32>]) -> Option<(usize, usize)> {
            'found: {
                for (row, all) in rows.iter().enumerate() {
                    for (column, &one) in all.iter().enumerate() {
                        if one == 0 {
                            continue;
                        }
                        if one > 8 {
                            break 'found Some((row, column));
                        }
                    }
                }
                None
            }
        }
        #[expect(clippy::all, reason = "a lint of another tool")]
        fn main() {
            let counters = [const { AtomicU64::new(2) }; SIZE];
            counters[1].fetch_add(const { SIZE as u64 * 2 }, Relaxed);
            println!("{counters:?} {}", COUNT.with(|count| count.get()));
            println!("{:?} {:?}", first(&[vec![1, 2], vec![0, 9]]), first(&[]));
            let (mut made, mut rows) = (0, [[0u8; 2]; 2]);
            let mut next = || { made += 1; made };
            rows[1] = [next(); _];
            rows[0] = [9; _];
            println!("{rows:?} {made}");
            println!("{:?}", c"text".to_bytes_with_nul());
        }
        "#,
    );
    assert!(!rewritten.contains("'found: {"), "{rewritten}");
}
