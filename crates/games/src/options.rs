//! Game specs, `hex:size=7`: the name and the options of a game, and their errors.

use std::ops::RangeInclusive;

use boughs::spec::did_you_mean;

use crate::list::entries;

/// The options of a spec, which a game asks for one by one as it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Splits a spec into its name and its options.
    pub(crate) fn of_spec(spec: &str) -> Result<(&str, Options), GameError> {
        let (name, list) = spec.split_once(':').unwrap_or((spec, ""));
        let (name, list) = (name.trim(), list.trim());
        let mut options = Options::default();
        for word in list.split(',').map(str::trim).filter(|_| !list.is_empty()) {
            let pair = word.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match pair {
                Some((key, value)) if !key.is_empty() && !value.is_empty() => {
                    options.pairs.push((key.to_string(), value.to_string()));
                }
                _ => return Err(GameError::BadPair { game: name.to_string(), word: word.to_string() }),
            }
        }
        Ok((name, options))
    }

    /// Removes an option that the game has not asked for.
    pub(crate) fn left_over(&mut self) -> Option<String> {
        self.pairs.pop().map(|(option, _)| option)
    }

    /// The value of the option `key` as it is written, if it is given.
    ///
    /// # Errors
    /// One sentence, if it is given twice.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        let pairs = std::mem::take(&mut self.pairs);
        let (values, others): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(name, _)| name.eq_ignore_ascii_case(key));
        self.pairs = others;
        match values.len() {
            0 | 1 => Ok(values.into_iter().next().map(|(_, value)| value)),
            _ => Err(format!("{key} is given twice")),
        }
    }

    /// The value of the option `key`, a number in `range`; `default` if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is not a number in the range or is given twice.
    pub fn number(&mut self, key: &str, range: RangeInclusive<u32>, default: u32) -> Result<u32, String> {
        let Some(value) = self.text(key)? else { return Ok(default) };
        value
            .parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("{key} must be a number from {} to {}, not '{value}'", range.start(), range.end()))
    }

    /// The value of the option `key`, one of the words of `known`; the first of them if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is another word or is given twice.
    pub fn word(&mut self, key: &str, known: &[&'static str]) -> Result<&'static str, String> {
        let value = self.text(key)?;
        let fits = |word: &&&str| value.as_ref().is_none_or(|value| word.eq_ignore_ascii_case(value));
        known.iter().find(fits).copied().ok_or_else(|| {
            format!("{key} must be one of {}, not '{}'", known.join(", "), value.as_deref().unwrap_or_default())
        })
    }

    /// The value of the option `key` in halves, 15 for `7.5`: a number in `range`, with or without a half; `default`
    /// halves if it is not given.
    ///
    /// # Errors
    /// One sentence, if the value is not such a number or is given twice.
    pub fn halves(&mut self, key: &str, range: RangeInclusive<i32>, default: i32) -> Result<i32, String> {
        let Some(value) = self.text(key)? else { return Ok(default) };
        let (size, sign) = value.strip_prefix('-').map_or((&*value, 1), |size| (size, -1));
        let (whole, half) = match size.strip_suffix(".5") {
            Some(whole) => (whole, 1),
            None => (size.strip_suffix(".0").unwrap_or(size), 0),
        };
        let whole = whole.parse::<u16>().ok().filter(|_| !whole.starts_with('+'));
        let halves = whole.map(|whole| sign * (2 * i32::from(whole) + half));
        halves.filter(|halves| (2 * range.start()..=2 * range.end()).contains(halves)).ok_or_else(|| {
            format!("{key} must be a number from {} to {} or a half between, not '{value}'", range.start(), range.end())
        })
    }
}

/// Reason why a spec names no game. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The list has no game with this name.
    UnknownGame {
        /// The name in the spec.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game has no such option.
    UnknownOption {
        /// The name of the game.
        game: String,
        /// The option in the spec.
        option: String,
        /// The game's description of its options.
        known: &'static str,
    },
    /// An option has a value that the game does not take.
    BadValue {
        /// The name of the game.
        game: String,
        /// The game's sentence about it.
        what: String,
    },
    /// A part of the spec is not of the form `key=value`.
    BadPair {
        /// The name in the spec.
        game: String,
        /// The part at fault.
        word: String,
    },
}

impl GameError {
    pub(crate) fn unknown_game(name: &str) -> GameError {
        let known = entries().iter().map(|entry| entry.name).collect();
        GameError::UnknownGame { name: name.to_string(), known }
    }
}

impl std::fmt::Display for GameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameError::UnknownGame { name, known } => {
                let hint = did_you_mean(name, known.iter().copied());
                write!(f, "there is no game '{name}'; {hint}the games are {}", known.join(", "))
            }
            GameError::UnknownOption { game, option, known: "" } => {
                write!(f, "{game} has no option '{option}', and takes no options at all")
            }
            GameError::UnknownOption { game, option, known } => {
                let hint = did_you_mean(option, option_names(known));
                write!(f, "{game} has no option '{option}'; {hint}its options are {known}")
            }
            GameError::BadValue { game, what } => write!(f, "{game}: {what}"),
            GameError::BadPair { game, word } => {
                write!(f, "'{word}' is not an option of {game}; options are written key=value with commas between them")
            }
        }
    }
}

impl std::error::Error for GameError {}

/// The names in a game's description of its options: the words before an `=`.
fn option_names(description: &str) -> impl Iterator<Item = &str> {
    let before = description.split('=').map(|text| text.rsplit([' ', ',']).next().unwrap_or(text));
    before.take(description.matches('=').count())
}
