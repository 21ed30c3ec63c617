//! One option of an agent: how it is called, which values it takes, and where the value lives.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use crate::MAX_THREADS;
use crate::memory::{parse_size, write_size};
use crate::playout::PlayoutKind;
use crate::spec::BUILT_IN;

/// The values of the key `threads`.
pub(crate) const THREADS: RangeInclusive<usize> = 0..=MAX_THREADS;
/// The values of the key `c`.
pub(crate) const EXPLORATION: RangeInclusive<f64> = 0.0..=1000.0;

/// One option of an agent of type `S`: a name, a help text, and how its value is printed and read.
///
/// The constructors take the field that holds the value. The text that lists the permitted values, the parser and the
/// printer all follow from the range or the table of choices, so each stands once.
///
/// A key that is changed afterwards, by [`help`](Key::help), needs the type of the agent in its closure:
/// `Key::threads(|agent: &mut Self| &mut agent.threads).help("...")`.
pub struct Key<S> {
    /// The name before the `=`.
    pub name: &'static str,
    /// A short description for help texts.
    pub help: &'static str,
    /// The permitted values as text, such as `a whole number from 1 to 64`.
    pub values: String,
    get: Get<S>,
    set: Set<S>,
}

/// Prints a value. It takes the agent by `&mut`, because the fields of keys are given that way.
type Get<S> = Box<dyn Fn(&mut S) -> String>;

/// Reads a value.
type Set<S> = Box<dyn Fn(&mut S, &str) -> Option<()>>;

impl<S: 'static> Key<S> {
    /// A key with a notation of its own. `get` prints the value; `set` reads it and gives `None` for a text that is not
    /// one of the `values`.
    pub fn new(
        name: &'static str,
        help: &'static str,
        values: impl Into<String>,
        get: impl Fn(&S) -> String + 'static,
        set: impl Fn(&mut S, &str) -> Option<()> + 'static,
    ) -> Key<S> {
        Key { name, help, values: values.into(), get: Box::new(move |agent| get(agent)), set: Box::new(set) }
    }

    /// A number in a range.
    pub fn number<T: Number>(
        name: &'static str,
        help: &'static str,
        range: RangeInclusive<T>,
        field: fn(&mut S) -> &mut T,
    ) -> Key<S> {
        Key::field(name, help, range_text(&range), field, T::to_string, move |text| number(text, &range))
    }

    /// A number in a range, or a word for one number outside of it, such as `inf`.
    pub fn number_or<T: Number>(
        name: &'static str,
        help: &'static str,
        (word, special): (&'static str, T),
        range: RangeInclusive<T>,
        field: fn(&mut S) -> &mut T,
    ) -> Key<S> {
        let values = format!("{word} or {}", range_text(&range));
        let print = move |value: &T| if *value == special { word.to_string() } else { value.to_string() };
        let read = move |text: &str| if text == word { Some(special) } else { number(text, &range) };
        Key::field(name, help, values, field, print, read)
    }

    /// One value of a table of names. A second name of the same value is an older one: it is read and never printed.
    pub fn choice<T: Copy + PartialEq>(
        name: &'static str,
        help: &'static str,
        table: &'static [(&'static str, T)],
        field: fn(&mut S) -> &mut T,
    ) -> Key<S> {
        let name_of = |value: &T| table.iter().find(|(_, other)| other == value).map(|(name, _)| *name);
        let names = table.iter().filter(|(name, value)| name_of(value) == Some(*name)).map(|(name, _)| *name);
        let values = or_list(&names.collect::<Vec<_>>());
        let print = move |value: &T| name_of(value).unwrap_or_default().to_string();
        let read = |text: &str| table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        Key::field(name, help, values, field, print, read)
    }

    /// `on` or `off`.
    pub fn switch(name: &'static str, help: &'static str, field: fn(&mut S) -> &mut bool) -> Key<S> {
        Key::choice(name, help, &[("on", true), ("off", false)], field)
    }

    /// A size of memory in bytes, written as `64M` or `1.5G`.
    pub fn size(name: &'static str, help: &'static str, field: fn(&mut S) -> &mut usize) -> Key<S> {
        let values = "a size such as 64M or 1.5G".to_string();
        Key::field(name, help, values, field, |bytes| write_size(*bytes), |text| parse_size(text).ok())
    }

    /// A file whose name has one of some endings, such as `.json`, or a word for none.
    pub fn file(
        name: &'static str,
        help: &'static str,
        none: &'static str,
        endings: &'static [&'static str],
        field: fn(&mut S) -> &mut Option<PathBuf>,
    ) -> Key<S> {
        let print = move |file: &Option<PathBuf>| file.as_ref().map_or(none.into(), |file| file.display().to_string());
        let read = move |text: &str| read_file(text, none, endings);
        let values = format!("{none}, or a file whose name ends in {}", or_list(endings));
        Key::field(name, help, values, field, print, read)
    }

    /// The key `net`.
    pub fn net(help: &'static str, field: fn(&mut S) -> &mut Option<PathBuf>) -> Key<S> {
        const ENDINGS: [&str; 2] = [".net", ".onnx"];
        let print = |net: &Option<PathBuf>| net.as_ref().map_or("none".into(), |net| net.display().to_string());
        let read = |text: &str| match text {
            BUILT_IN => Some(Some(PathBuf::from(text))),
            _ => read_file(text, "none", &ENDINGS),
        };
        let values = format!("none, {BUILT_IN}, or a file whose name ends in {}", or_list(&ENDINGS));
        Key::field("net", help, values, field, print, read)
    }

    /// The key `threads`, which every agent has that can use more than one.
    pub fn threads(field: fn(&mut S) -> &mut usize) -> Key<S> {
        Key::number("threads", "threads that search, 0 for all cores", THREADS, field)
    }

    /// The key `memory`.
    pub fn memory(help: &'static str, field: fn(&mut S) -> &mut usize) -> Key<S> {
        Key::size("memory", help, field)
    }

    /// The key `playout`.
    pub fn playout(help: &'static str, field: fn(&mut S) -> &mut PlayoutKind) -> Key<S> {
        Key::choice("playout", help, &PlayoutKind::ALL, field)
    }

    /// The key `c`, the exploration constant of a bandit.
    pub fn exploration(help: &'static str, field: fn(&mut S) -> &mut f64) -> Key<S> {
        Key::number("c", help, EXPLORATION, field)
    }

    /// The same key with another help text.
    #[must_use]
    pub fn help(self, help: &'static str) -> Key<S> {
        Key { help, ..self }
    }

    /// The same key of an agent of which `S` is a part.
    #[must_use]
    pub fn of_part<T: 'static>(self, part: fn(&mut T) -> &mut S) -> Key<T> {
        let Key { name, help, values, get, set } = self;
        let (get, set) =
            (move |whole: &mut T| get(part(whole)), move |whole: &mut T, text: &str| set(part(whole), text));
        Key { name, help, values, get: Box::new(get), set: Box::new(set) }
    }

    /// A key whose value stands in one field.
    fn field<T: 'static>(
        name: &'static str,
        help: &'static str,
        values: String,
        field: fn(&mut S) -> &mut T,
        print: impl Fn(&T) -> String + 'static,
        read: impl Fn(&str) -> Option<T> + 'static,
    ) -> Key<S> {
        Key {
            name,
            help,
            values,
            get: Box::new(move |agent| print(field(agent))),
            set: Box::new(move |agent, text| read(text).map(|value| *field(agent) = value)),
        }
    }

    /// Reads a value. `None` if the text is none of the [`values`](Key::values).
    pub fn set(&self, agent: &mut S, text: &str) -> Option<()> {
        (self.set)(agent, text)
    }
}

impl<S: Clone + Default + 'static> Key<S> {
    /// Prints the value.
    pub fn get(&self, agent: &S) -> String {
        (self.get)(&mut agent.clone())
    }

    /// Prints the default value.
    pub fn default(&self) -> String {
        (self.get)(&mut S::default())
    }
}

/// A type of number that a [`Key::number`] can hold.
pub trait Number: FromStr + Display + PartialOrd + Copy + 'static {
    /// The words for a number of this type, `a number` or `a whole number`.
    const KIND: &'static str;
}

macro_rules! numbers {
    ($($number:ty: $kind:literal),*) => {
        $(impl Number for $number {
            const KIND: &'static str = $kind;
        })*
    };
}

numbers!(u8: "a whole number", u16: "a whole number", u32: "a whole number", u64: "a whole number",
    usize: "a whole number", f64: "a number");

/// Reads a number in a range.
pub fn number<T: Number>(text: &str, range: &RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|value| range.contains(value))
}

/// Describes a range, as in `a whole number from 1 to 64`.
pub fn range_text<T: Number>(range: &RangeInclusive<T>) -> String {
    format!("{} from {} to {}", T::KIND, range.start(), range.end())
}

/// Reads the name of a file with one of some endings, or a word for none.
fn read_file(text: &str, none: &str, endings: &[&str]) -> Option<Option<PathBuf>> {
    match text {
        _ if text == none => Some(None),
        _ => endings.iter().any(|ending| text.ends_with(ending)).then(|| Some(PathBuf::from(text))),
    }
}

/// Joins names as in `a, b or c`.
fn or_list(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}
