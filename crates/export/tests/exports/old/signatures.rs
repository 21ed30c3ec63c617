use super::compilers::same_answers;

#[test]
fn functions_that_return_an_impl_answer_the_same() {
    let rewritten = same_answers(
        r#"
        struct Names<'a> { all: Vec<&'a str> }
        impl<'a> Names<'a> {
            fn longer(&self, than: usize) -> impl Iterator<Item = &'a str> {
                self.all.iter().copied().filter(move |name| name.len() > than)
            }
            fn like<'b>(&'b self, other: &str) -> impl Iterator<Item = usize> {
                self.all.iter().filter(move |name| name.starts_with(other)).map(|name| name.len())
            }
            fn count(&self) -> impl Iterator<Item = usize> + use<'a> {
                0..self.all.len()
            }
        }
        impl Names<'_> {
            fn first(&self) -> Option<impl Fn() -> String> {
                let first = self.all.first()?;
                Some(move || first.to_string())
            }
        }
        fn both(left: &[u32], right: &[u32], each: impl Fn(&u32) -> u32) -> impl Iterator<Item = u32> {
            left.iter().zip(right.iter()).map(move |(one, other)| each(one) * other)
        }
        fn plain<T: Clone>(one: T) -> impl Iterator<Item = T> {
            std::iter::repeat(one).take(2)
        }
        fn main() {
            let names = Names { all: vec!["a", "bcd", "be"] };
            println!("{:?} {:?}", names.longer(1).collect::<Vec<_>>(), names.like("b").collect::<Vec<_>>());
            let count = names.count();
            println!("{:?}", names.first().map(|first| first()));
            drop(names);
            println!("{} {:?}", count.count(), both(&[1], &[2], |one| one + 1).chain(plain(9)).collect::<Vec<_>>());
        }
        "#,
    );
    assert!(rewritten.contains("Captures<'a>") && !rewritten.contains("use<"), "{rewritten}");
}
