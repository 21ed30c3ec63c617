use super::compilers::{becomes, same_answers};

#[test]
fn calls_of_the_standard_library_answer_the_same() {
    let rewritten = same_answers(
        r#"
        use std::hint::black_box as held;
        use std::io::{self, Read as _};
        use std::sync::{Arc, LazyLock, OnceLock};
        use std::time::Duration;
        static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..9).map(|n| n * n).collect());
        static NAME: OnceLock<String> = OnceLock::new();
        static CUBES: std::sync::LazyLock<Vec<u32>> = std::sync::LazyLock::new(|| vec![1, 8, 27]);
        static PLACE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        thread_local! { static LIST: std::cell::RefCell<Vec<u8>> = std::cell::RefCell::default(); }
        macro_rules! rounded {
            ($a:expr, $b:expr) => { $a.div_ceil($b) * $b };
        }
        mod inner {
            pub mod deeper {
                pub fn rest(all: &[u8]) -> String {
                    format!("{:?} {:?}", all.split_first_chunk::<2>(), all.split_at_checked(9))
                }
            }
            pub fn up(n: &usize) -> usize {
                rounded!(n, 8) + n.next_multiple_of(5)
            }
        }
        fn main() -> Result<(), io::Error> {
            println!("{} {}", CUBES[1], PLACE.get_or_init(|| 7));
            println!("{} {} {}", 7u8.div_ceil(2), 0u64.div_ceil(3), inner::up(&17));
            println!("{} {} {}", 12usize.is_multiple_of(4), 5u32.is_multiple_of(0), 0u32.is_multiple_of(0));
            println!("{} {} {:?}", u64::MAX.cast_signed(), (-2i8).cast_unsigned(), Some(3u32).map(u32::cast_signed));
            println!("{:?} {:?}", 3u8.checked_add_signed(-4), 250u8.checked_add_signed(5));
            println!("{} {}", 3u8.saturating_add_signed(-4), 3u8.wrapping_add_signed(-4));
            println!("{} {} {} {}", 1u8.ilog2(), u64::MAX.ilog2(), 99u32.isqrt(), u64::MAX.isqrt());
            println!("{} {}", std::hint::select_unpredictable(1 > 0, "yes", "no"), Some(2).is_some_and(|n| n > 1));
            println!("{} {}", None::<u8>.is_none_or(|n| n > 1), Some(1).is_none_or(|n| n > 1));
            println!("{}", "7".parse::<u8>().is_ok_and(|n| n > 1));
            println!("{:?}", "x".parse::<u8>().inspect_err(|e| println!("{e}")));
            let (mut some, mut list) = (Some(4), vec![1, 2, 3]);
            println!("{:?} {some:?}", some.take_if(|n| *n > 3));
            println!("{:?} {:?} {list:?}", list.pop_if(|n| *n > 2), list.pop_if(|n| *n > 2));
            println!("{:?} {:?}", list.first_chunk::<2>(), list.first_chunk::<3>());
            println!("{} {:?}", "aé".split_at_checked(2).is_none(), [1, 2].each_ref().map(|n| *n + 1));
            println!("{} {} {}", inner::deeper::rest(&[1, 2, 3]), [1, 1, 2].is_sorted(), [2, 1].is_sorted());
            println!("{:?} {}", std::iter::repeat_n('a', 3).collect::<String>(), held(5));
            for seconds in [0.0, -1.0, 1.5, f64::NAN, 1e300, 18446744073709551616.0] {
                println!("{:?}", Duration::try_from_secs_f64(seconds).ok());
            }
            println!("{} {:?} {:?}", SQUARES[3], NAME.get(), NAME.set("set".to_string()));
            println!("{} {:?}", NAME.get_or_init(String::new), NAME.set(String::new()));
            println!("{:?} {}", io::read_to_string(io::stdin())?, Arc::new(1));
            println!("{} {}", io::stdin().read(&mut [0])?, std::ptr::from_ref(&list) == &list);
            println!("{} {}", size_of::<u64>(), align_of_val(&1u16));
            LIST.with_borrow_mut(|list| list.push(3));
            println!("{}", LIST.with_borrow(Vec::len));
            Ok(())
        }
        "#,
    );
    for name in [".div_ceil(", ".is_none_or(", "std::iter::repeat_n", "LazyLock, ", "io::read_to_string"] {
        assert!(!rewritten.contains(name), "{name}:\n{rewritten}");
    }
}

#[test]
fn only_what_is_called_is_written() {
    becomes("fn f() { a.unwrap_or(1); }", "fn f() { a.unwrap_or(1); }");
}

#[test]
fn methods_of_the_program_keep_their_names() {
    let own = "struct A; impl A { fn ilog2(&self) {} } fn f() { A.ilog2(); }";
    becomes(own, own);
    let own = "fn size_of<T>() {} fn f() { size_of::<u8>(); }";
    becomes(own, own);
    becomes(
        "fn size_of(a: A) {} fn f() { size_of(a); size_of::<u8>(); }",
        "fn size_of(a: A) {} fn f() { size_of(a); std::mem::size_of::<u8>(); }",
    );
}
