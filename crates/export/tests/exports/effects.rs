//! Sources in which something acts beside its value: what acts stays, in its order.

use crate::common::pruned;

#[test]
fn what_is_read_for_a_field_that_goes_is_read_in_its_place() {
    pruned(
        r#"
        use std::cell::Cell;
        fn read(it: &mut std::str::SplitWhitespace) -> i32 { it.next().unwrap().parse().unwrap() }
        macro_rules! taken { ($it:ident) => { $it.next().unwrap().parse::<i32>().unwrap() } }
        struct Sizes { w: i32, unused: i32, h: i32 }
        fn all(from: &Cell<i32>) -> Option<Sizes> {
            let next = || { from.set(from.get() + 1); Some(from.get()) };
            Some(Sizes { w: next()?, unused: next()?, h: next()? })
        }
        fn main() {
            let mut it = "1 2 3 4 5 6".split_whitespace();
            let s = Sizes { w: read(&mut it), unused: read(&mut it), h: read(&mut it) };
            let t = Sizes { w: taken!(it), unused: taken!(it), h: taken!(it) };
            let mut x = std::env::args().count() as i32;
            let u = Sizes { w: x, unused: { x += 6; x }, h: x };
            let v = all(&Cell::new(7)).unwrap();
            println!("{} {} {} {} {} {} {} {}", s.w, s.h, t.w, t.h, u.w, u.h, v.w, v.h);
        }"#,
    );
}

#[test]
fn a_block_that_is_left_with_a_value_has_it() {
    pruned(
        "
        fn labelled(n: i32) -> i32 { 'outer: { if n > 3 { break 'outer 1; } 3 } }
        fn nested(n: i32) -> i32 { 'a: { 'b: { if n > 0 { break 'b; } break 'a 1; } 2 } }
        fn best(v: &[i32]) -> i32 { let best = 'b: { for &x in v { if x > 9 { break 'b 100; } } 0 }; best }
        fn main() {
            println!(\"{} {} {} {}\", labelled(5), labelled(1), nested(0), nested(1));
            println!(\"{} {}\", best(&[1, 10]), best(&[1]));
        }",
    );
}

#[test]
fn what_is_dropped_is_made() {
    pruned(
        r#"
        use std::cell::Cell;
        struct D(&'static str);
        impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0); } }
        impl D { fn none(&self) -> Option<i32> { None } fn yes(&self) -> bool { true } }
        struct Unit;
        impl Drop for Unit { fn drop(&mut self) { println!("drop unit"); } }
        struct Count<'a> { n: &'a Cell<i32> }
        impl Drop for Count<'_> { fn drop(&mut self) { self.n.set(self.n.get() - 1); } }
        impl Count<'_> { fn two(&self) -> i32 { 2 } }
        struct Holder<'a> { _count: Count<'a>, v: i32 }
        fn guarded() -> i32 { let _g = Unit; 5 }
        fn bump(n: &Cell<i32>) -> i32 { n.set(n.get() + 1); n.get() }
        fn main() {
            if D("a").none().is_some() { println!("some"); }
            if D("b").yes() {}
            if let Some(_) = D("c").none() {}
            println!("{}", guarded());
            let n = Cell::new(5);
            { let h = Holder { _count: Count { n: &n }, v: 1 }; println!("{}", h.v); println!("{}", n.get()); }
            { let h: Count<'_> = Count { n: &n }; println!("{} {}", h.two(), n.get()); println!("{}", n.get()); }
            println!("{}", n.get());
            let _ = D("d");
            D("e");
            let _ = Some(D("f"));
            let _ = vec![D("g")];
            let _ = format!("{}", bump(&n));
            println!("{}", n.get());
        }"#,
    );
}

#[test]
fn an_iterator_that_acts_is_gone_through() {
    pruned(
        r#"
        struct Told { n: u32 }
        impl Iterator for Told {
            type Item = u32;
            fn next(&mut self) -> Option<u32> { self.n += 1; println!("{}", self.n); (self.n < 3).then_some(self.n) }
        }
        fn main() { let _ = Told { n: 0 }.map(|n| n * 2).count(); println!("end"); }"#,
    );
}

#[test]
fn what_is_worked_out_for_a_variable_without_readers_is_worked_out() {
    pruned(
        r#"
        fn told(n: i32) -> i32 { println!("{n}"); n }
        fn main() { let x; x = told(3); let _ = x; }"#,
    );
}
