//! The one line of text that names an agent: `name:key=value,...`, where what is left out has its default.
//!
//! Every agent has a list of keys, from which come the parser, the printer, the help and the tests. A text in the order of
//! the list, without defaults, prints to itself.
//!
//! ```
//! use boughs::spec::{self, Key, Spec};
//!
//! /// An agent of one's own that is set by text.
//! #[derive(Clone, Default)]
//! struct Patient { waits: u32, seed: u64 }
//!
//! impl Spec for Patient {
//!     const NAME: &'static str = "patient";
//!     const SUMMARY: &'static str = "waits before it moves";
//!     const KEYS: &'static [Key<Patient>] = &[Key {
//!         name: "waits",
//!         help: "turns to wait for",
//!         values: "0 to 9",
//!         get: |agent| agent.waits.to_string(),
//!         set: |agent, text| spec::number(text, 0..=9).map(|waits| agent.waits = waits),
//!     }];
//!     fn seed(&mut self) -> &mut u64 { &mut self.seed }
//!     fn threads(&self) -> usize { 1 }
//! }
//!
//! let agent: Patient = spec::parse("patient:waits=3").unwrap();
//! assert_eq!(agent.waits, 3);
//! assert!(spec::parse::<Patient>("patient:waits=30").is_err());
//! ```

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Something that is set by one line of text.
pub trait Spec: Default + 'static {
    /// The name of the agent, in lower case.
    const NAME: &'static str;
    /// What the agent is, in a few words.
    const SUMMARY: &'static str;
    /// Everything that can be set, in the order it is printed.
    const KEYS: &'static [Key<Self>];
    /// The key that is always written, where it tells this agent from another of the same name.
    const TOLD_BY: Option<&'static str> = None;

    /// The seed of all randomness. It is not part of the text: an agent is the same agent with another seed.
    fn seed(&mut self) -> &mut u64;

    /// How many threads it has, 0 for as many as there are cores.
    fn threads(&self) -> usize;
}

/// One thing that can be set, as text.
pub struct Key<S> {
    /// Its name before the `=`.
    pub name: &'static str,
    /// What it sets.
    pub help: &'static str,
    /// What may stand after the `=`.
    pub values: &'static str,
    /// Writes the value.
    pub get: fn(&S) -> String,
    /// Reads it; `None` if it is none of the [`values`](Key::values).
    pub set: fn(&mut S, &str) -> Option<()>,
}

impl<S: Default> Key<S> {
    /// What it is where nothing is said.
    pub fn default(&self) -> String {
        (self.get)(&S::default())
    }
}

/// What is wrong with the text of an agent. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(pub(crate) String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl SpecError {
    /// Both faults, where a text can be meant in two ways, or what else there is to say.
    #[must_use]
    pub fn or(self, other: impl fmt::Display) -> SpecError {
        SpecError(format!("{self}; or {other}"))
    }
}

/// The name of the agent in a text, and its keys and values.
pub(crate) fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(name, pairs)| (name, Some(pairs)))
}

/// Reads the text of one agent.
///
/// # Errors
/// One sentence about the name, the key or the value at fault.
pub fn parse<S: Spec>(text: &str) -> Result<S, SpecError> {
    let (name, pairs) = split(text);
    if name != S::NAME {
        let agent = S::NAME;
        return Err(SpecError(format!(
            "only the agent {agent} goes here, as in {agent}:threads=8, and '{name}' is not that"
        )));
    }
    let mut spec = S::default();
    let mut seen = Vec::new();
    for pair in pairs.into_iter().flat_map(|pairs| pairs.split(',')) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(SpecError(format!(
                "'{pair}' in agent '{text}' should be a key and a value, such as threads=8"
            )));
        };
        if seen.contains(&name) {
            return Err(SpecError(format!("key '{name}' stands twice in agent '{text}'; give it once")));
        }
        seen.push(name);
        set(&mut spec, name, value)?;
    }
    Ok(spec)
}

/// Sets one key.
///
/// # Errors
/// One sentence about the key or the value at fault.
pub fn set<S: Spec>(spec: &mut S, name: &str, value: &str) -> Result<(), SpecError> {
    let Some(key) = S::KEYS.iter().find(|key| key.name == name) else {
        let names: Vec<&str> = S::KEYS.iter().map(|key| key.name).collect();
        return Err(SpecError(match names[..] {
            [] => format!("agent {} has no key '{name}', because it has none", S::NAME),
            _ => format!("agent {} has no key '{name}'; its keys are {}", S::NAME, names.join(", ")),
        }));
    };
    (key.set)(spec, value).ok_or_else(|| SpecError(format!("'{value}' in {name}={value} should be {}", key.values)))
}

/// Writes the name of an agent and whatever is not as by default.
///
/// # Errors
/// If it cannot be written there.
pub fn write<S: Spec>(spec: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(S::NAME)?;
    let (default, mut separator) = (S::default(), ':');
    for key in S::KEYS {
        let value = (key.get)(spec);
        if value != (key.get)(&default) || S::TOLD_BY == Some(key.name) {
            write!(f, "{separator}{}={value}", key.name)?;
            separator = ',';
        }
    }
    Ok(())
}

/// A number in a range.
pub fn number<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|value| range.contains(value))
}

/// Finds a value by its name.
pub fn named<T: Copy>(text: &str, all: &[(&str, T)]) -> Option<T> {
    all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

/// Finds the name of a value.
pub fn name_of<T: PartialEq>(value: T, all: &[(&str, T)]) -> String {
    all.iter().find(|(_, other)| *other == value).map_or(String::new(), |(name, _)| (*name).to_string())
}

/// What can be turned on and off.
pub const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every key reads what it writes, and refuses what it cannot read.
    pub(crate) fn check_keys<S: Spec + PartialEq + fmt::Debug>() {
        for key in S::KEYS {
            let mut spec = S::default();
            let value = (key.get)(&spec);
            assert_eq!((key.set)(&mut spec, &value), Some(()), "{}:{}={value}", S::NAME, key.name);
            assert_eq!(spec, S::default());
            assert_eq!((key.set)(&mut spec, "?"), None, "{}:{}", S::NAME, key.name);
        }
    }
}
