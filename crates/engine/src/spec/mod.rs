//! The line of text that names an agent and its options: `name:key=value,...`. An option that is left out has its
//! default.
//!
//! An agent that implements [`Spec`] lists its options once, one [`Key`] each. The parser, the printer, the help and
//! the tests read that list. A text in the order of the list, without defaults, prints to itself.
//!
//! ```
//! use boughs::spec::{self, Key, Spec};
//!
//! /// An agent that a library user adds.
//! #[derive(Clone, Default)]
//! struct Patient { waits: u32, polite: bool, threads: usize, seed: u64 }
//!
//! impl Spec for Patient {
//!     const NAME: &'static str = "patient";
//!     const SUMMARY: &'static str = "waits before it moves";
//!     fn keys() -> Vec<Key<Patient>> {
//!         vec![
//!             Key::number("waits", "turns to wait for", 0..=9, |agent| &mut agent.waits),
//!             Key::switch("polite", "lets others go first", |agent| &mut agent.polite),
//!             Key::threads(|agent| &mut agent.threads),
//!         ]
//!     }
//!     fn seed(&mut self) -> &mut u64 { &mut self.seed }
//!     fn threads(&self) -> usize { self.threads }
//! }
//!
//! let agent: Patient = spec::parse("patient:waits=3,threads=2").unwrap();
//! assert_eq!((agent.waits, agent.threads), (3, 2));
//! assert_eq!(spec::text(&agent), "patient:waits=3,threads=2");
//! let error = spec::parse::<Patient>("patient:waits=30").err().unwrap();
//! assert_eq!(error.to_string(), "'30' in waits=30 should be a whole number from 0 to 9");
//! ```

mod key;
mod nearest;

use std::fmt;
use std::path::Path;

pub(crate) use key::{EXPLORATION, THREADS};
pub use key::{Key, Number, number, range_text};
pub use nearest::{did_you_mean, nearest};

/// An agent whose options are set by one line of text.
pub trait Spec: Clone + Default + 'static {
    /// The name of the agent, in lower case.
    const NAME: &'static str;
    /// Older names of the agent. They are read and never printed.
    const ALIASES: &'static [&'static str] = &[];
    /// A short description of the agent.
    const SUMMARY: &'static str;

    /// Keys, and values written as `key=value`, that are gone, each with the reason and the cure: the end of a sentence
    /// that begins with `contempt is gone, because`.
    const REMOVED: &'static [(&'static str, &'static str)] = &[];

    /// The options, in the order they are printed.
    fn keys() -> Vec<Key<Self>>;

    /// The seed of all randomness. It is not part of the text: an agent is the same agent with another seed.
    fn seed(&mut self) -> &mut u64;

    /// The number of threads, 0 for as many as there are cores.
    fn threads(&self) -> usize;

    /// The first key that is set although the others leave it without an effect, which an agent refuses when it is
    /// built.
    fn idle_key(&self) -> Option<&'static str> {
        None
    }

    /// The files that the agent reads. Their content is part of the conditions of a match.
    fn files(&self) -> Vec<&Path> {
        Vec::new()
    }
}

/// The value of the key `net` that means the network of the game that comes with the program.
pub const BUILT_IN: &str = "built-in";

/// The file of a network, if one is named.
pub fn net_file(net: Option<&Path>) -> Option<&Path> {
    net.filter(|file| *file != Path::new(BUILT_IN))
}

/// A fault in the text of an agent. `Display` gives one sentence that names the fault and its cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl SpecError {
    /// An error with this sentence.
    pub fn new(sentence: impl Into<String>) -> SpecError {
        SpecError(sentence.into())
    }

    /// Joins both faults of a text that can be read in two ways, or adds a remark.
    #[must_use]
    pub fn or(self, other: impl fmt::Display) -> SpecError {
        SpecError(format!("{self}; or {other}"))
    }
}

/// The name of the agent in a text, and its keys and values.
fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(name, pairs)| (name, Some(pairs)))
}

/// The name of the agent in a text.
pub fn agent_name(text: &str) -> &str {
    split(text).0
}

/// Returns true if an agent is read under this name.
pub fn is_named<S: Spec>(name: &str) -> bool {
    S::NAME == name || S::ALIASES.contains(&name)
}

/// Reads the text of one agent.
///
/// # Errors
/// One sentence about the name, the key or the value at fault.
pub fn parse<S: Spec>(text: &str) -> Result<S, SpecError> {
    let (name, pairs) = split(text);
    if !is_named::<S>(name) {
        let agent = S::NAME;
        return Err(SpecError(format!(
            "only the agent {agent} goes here, as in {agent}:threads=8, and '{name}' is not that"
        )));
    }
    let keys = S::keys();
    let mut spec = S::default();
    let mut seen = Vec::new();
    for pair in pairs.into_iter().flat_map(|pairs| pairs.split(',')) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(SpecError(format!(
                "'{pair}' in agent '{text}' should be a key and a value, such as threads=8"
            )));
        };
        let key = find(&keys, name)?;
        if seen.contains(&key.name) {
            return Err(SpecError(format!("key '{name}' stands twice in agent '{text}'; give it once")));
        }
        seen.push(key.name);
        set_key(key, &mut spec, value)?;
    }
    Ok(spec)
}

/// Sets one option.
///
/// # Errors
/// One sentence about the key or the value at fault.
pub fn set<S: Spec>(spec: &mut S, name: &str, value: &str) -> Result<(), SpecError> {
    set_key(find(&S::keys(), name)?, spec, value)
}

/// The names of the keys that have not their default.
pub(crate) fn set_keys<S: Spec>(spec: &S) -> Vec<&'static str> {
    S::keys().into_iter().filter(|key| key.get(spec) != key.default()).map(|key| key.name).collect()
}

/// Gives every option that the others leave without an effect its default.
pub fn leave_out_idle<S: Spec>(spec: &mut S) {
    while let Some(key) = spec.idle_key() {
        leave_out(spec, key);
    }
}

/// Gives an option its default.
pub(crate) fn leave_out<S: Spec>(spec: &mut S, name: &str) {
    if let Some(key) = S::keys().iter().find(|key| key.name == name) {
        _ = key.set(spec, &key.default());
    }
}

/// The key of this name.
fn find<'a, S: Spec>(keys: &'a [Key<S>], name: &str) -> Result<&'a Key<S>, SpecError> {
    keys.iter().find(|key| key.name == name).ok_or_else(|| {
        let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
        removed::<S>(name).unwrap_or_else(|| {
            SpecError(match names[..] {
                [] => format!("agent {} has no key '{name}', because it has none", S::NAME),
                _ => {
                    let hint = did_you_mean(name, names.iter().copied());
                    format!("agent {} has no key '{name}'; {hint}its keys are {}", S::NAME, names.join(", "))
                }
            })
        })
    })
}

fn set_key<S: Spec>(key: &Key<S>, spec: &mut S, value: &str) -> Result<(), SpecError> {
    key.set(spec, value).ok_or_else(|| {
        let pair = format!("{}={value}", key.name);
        removed::<S>(&pair).unwrap_or_else(|| SpecError(format!("'{value}' in {pair} should be {}", key.values)))
    })
}

/// The error about a key, or a key and its value, that is gone.
fn removed<S: Spec>(what: &str) -> Option<SpecError> {
    let (_, why) = S::REMOVED.iter().find(|(gone, _)| *gone == what)?;
    Some(SpecError(format!("{what} is gone, because {why}")))
}

/// Checks options that were set in code: each must be one that the text could set.
///
/// # Errors
/// One sentence about the first value out of its range.
pub fn validate<S: Spec>(spec: &S) -> Result<(), SpecError> {
    let mut copy = spec.clone();
    S::keys().iter().try_for_each(|key| set_key(key, &mut copy, &key.get(spec)))
}

/// Writes the name of an agent and the options that differ from the default.
///
/// # Errors
/// If the formatter cannot be written to.
pub fn write<S: Spec>(spec: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&text(spec))
}

/// The text of an agent: its name and the options that differ from the default.
pub fn text<S: Spec>(spec: &S) -> String {
    let mut text = S::NAME.to_string();
    for key in S::keys() {
        let value = key.get(spec);
        if value != key.default() {
            text.push(if text.len() == S::NAME.len() { ':' } else { ',' });
            text.extend([key.name, "=", &value]);
        }
    }
    text
}

/// The name and the value of every option of an agent, those with their default included.
pub fn values<S: Spec>(spec: &S) -> Vec<(&'static str, String)> {
    S::keys().into_iter().map(|key| (key.name, key.get(spec))).collect()
}

/// Checks the list of keys of an agent: every key reads what it prints and refuses `?`, and no name stands twice. For
/// the tests of an agent.
///
/// # Errors
/// One sentence about the first key at fault.
pub fn check_keys<S: Spec + PartialEq>() -> Result<(), String> {
    let mut names = Vec::new();
    for key in S::keys() {
        if names.contains(&key.name) {
            return Err(format!("the agent {} has two keys of the name {}", S::NAME, key.name));
        }
        names.push(key.name);
        let (value, mut spec) = (key.default(), S::default());
        let read = key.set(&mut spec, &value);
        if read.is_none() || spec != S::default() {
            return Err(format!("the key {} of the agent {} does not read the {value} it prints", key.name, S::NAME));
        }
        if key.set(&mut spec, "?").is_some() {
            return Err(format!("the key {} of the agent {} accepts the value ?", key.name, S::NAME));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
